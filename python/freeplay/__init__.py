"""freeplay: multibody systems with clearance, impact and dry friction.

    import freeplay as fp

    model = fp.load("slider_crank.yaml", c="0.5 mm")
    run = model.run()
    run.time, run["crank.omega"], run.impacts, run.summary

The guide is docs/guide/python.md. All numbers are in SI units; texts may have any unit, as in a model file.
"""

from ._core import event_kinds, quantity
from ._core import version as __version__
from ._errors import (
    Error,
    FileError,
    LimitError,
    ModelError,
    NoSuchFile,
    Place,
    RunError,
    SolverError,
    UnknownChannel,
    UsageError,
)
from ._model import Model, Parameter, Start, load, parse
from ._pictures import Page, Plot
from ._problems import Solution, read_problem, solve, write_problem
from ._rows import Result, Rows, Run
from ._steps import ContactPoint, Steps
from ._study import Study, read_study, sweep
from ._text import linspace

__all__ = [
    "ContactPoint",
    "Error",
    "FileError",
    "LimitError",
    "Model",
    "ModelError",
    "NoSuchFile",
    "Page",
    "Parameter",
    "Place",
    "Plot",
    "Result",
    "Rows",
    "Run",
    "RunError",
    "Solution",
    "SolverError",
    "Start",
    "Steps",
    "Study",
    "UnknownChannel",
    "UsageError",
    "event_kinds",
    "linspace",
    "load",
    "parse",
    "quantity",
    "read_problem",
    "read_study",
    "solve",
    "sweep",
    "write_problem",
    "__version__",
]
