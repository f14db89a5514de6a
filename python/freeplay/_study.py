"""Many runs of one model."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy

from . import _core
from ._errors import Error, UsageError
from ._model import Model
from ._text import Value


class Study:
    """Parameters and measures of all runs: `parameters[name]` and `study[measure]` have one entry per run.

    A run that failed, or that the model refuses, has NaN as its measures and its reason in `messages`.
    """

    def __init__(self, parameters: dict[str, list[Any]], measures: dict[str, numpy.ndarray], messages: list[str]):
        self.parameters = parameters
        self.measures = measures
        self.messages = messages  # empty texts for runs that completed

    def __getitem__(self, measure: str) -> numpy.ndarray:
        return self.measures[measure]

    def __len__(self) -> int:
        return len(self.messages)

    def __repr__(self) -> str:
        return f"<freeplay.Study of {len(self)} runs, {sum(map(bool, self.messages))} failed: {', '.join(self.measures)}>"


def sweep(
    model: Model,
    over: Mapping[str, Sequence[Value]],
    measure: Mapping[str, str] | None = None,
    workers: int | None = None,
) -> Study:
    """Runs a model for all values of some parameters, on all cores: several parameters give a grid.

    study = sweep(model, over={"c": linspace("0.1 mm", "2 mm", 20)}, measure={"peak": "max(abs(pin.force_x))"})

    `measure` are expressions as in the block `measure` of a model file, and are added to those of the model. Rows are not
    kept. The numbers do not depend on `workers`. Raises ModelError if the model itself cannot be run, or for a measure that
    has a mistake; a run that fails later is an entry of the study.
    """
    names = list(over)
    cases = list(itertools.product(*(list(over[name]) for name in names)))
    if not names or not cases:
        raise UsageError("there is nothing to run\n    hint: over={'c': ['0.1 mm', '0.5 mm']}")
    base = model.with_({f"measure.{name}": text for name, text in measure.items()}) if measure else model
    base.check()
    wanted = base._core.measures
    if not wanted:
        raise UsageError("the study measures nothing\n    hint: measure={'peak': 'max(abs(pin.force_x))'}")
    stops = [_core.StopFlag() for _ in cases]  # one each: a run that ends early says nothing of the others

    def one(case: Sequence[Value], stop: _core.StopFlag) -> tuple[dict[str, float], str]:
        try:
            rows = _core.run(base.with_(dict(zip(names, case)))._core, keeps_rows=False, stop=stop)
        except Error as error:
            return {}, str(error)
        except Exception as error:  # of a function of the user
            return {}, f"{type(error).__name__}: {error}"
        return rows.summary["measures"], rows.failure[0] if rows.failure else ""

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        futures = [pool.submit(one, case, stop) for case, stop in zip(cases, stops)]
        try:
            results = [future.result() for future in futures]
        except BaseException:  # Ctrl-C among them: those that run end at their next step, the others never begin
            for stop in stops:
                stop.set()
            for future in futures:
                future.cancel()
            raise
    messages = [text for _, text in results]
    numbers = [values if not text else {} for values, text in results]
    return Study(
        {name: [case[i] for case in cases] for i, name in enumerate(names)},
        {name: numpy.array([values.get(name, numpy.nan) for values in numbers]) for name in wanted},
        messages,
    )
