"""Many runs of one model."""

from __future__ import annotations

import difflib
import itertools
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Union

import numpy

from . import _core
from ._errors import Error, UnknownChannel, UsageError
from ._model import Model
from ._text import Value, flow

Values = Union[str, Sequence[Value]]


class Study:
    """Parameters and measures of all runs: `parameters[name]` and `study[measure]` have one entry per run.

    A run that failed, or that the model refuses, has NaN as its measures and its reason in `messages`. `statistics` has
    what samples say, by the names of `freeplay sweep --json`: `distributions`, `sensitivity`, `worst`. `backend` is who has
    run it, "engine", "compiled" or "cuda", and `backend_note` why it was not another one that was to be tried.
    """

    def __init__(
        self,
        parameters: dict[str, Any],
        measures: dict[str, numpy.ndarray],
        messages: list[str],
        statistics: dict[str, Any] | None = None,
        path: Path | None = None,
        backend: str = "engine",
        backend_note: str = "",
    ):
        self.parameters = parameters
        self.measures = measures
        self.messages = messages  # empty texts for runs that completed
        self.statistics = statistics or {}
        self.path = path  # of the file, if `out` was given
        self.backend = backend
        self.backend_note = backend_note

    def __getitem__(self, measure: str) -> numpy.ndarray:
        if measure not in self.measures:
            near = difflib.get_close_matches(str(measure), self.measures, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(self.measures)}"
            raise UnknownChannel(f'the study has no measure "{measure}"; {hint}')
        return self.measures[measure]

    def __len__(self) -> int:
        return len(self.messages)

    def __repr__(self) -> str:
        return f"<freeplay.Study of {len(self)} runs, {sum(map(bool, self.messages))} failed: {', '.join(self.measures)}>"


_BACKENDS = ("engine", "compiled", "cuda", "auto")


def sweep(
    model: Model,
    over: Mapping[str, Values] | None = None,
    measure: Mapping[str, str] | None = None,
    workers: int | None = None,
    *,
    sample: str = "",
    seed: int = 0,
    worst: str = "",
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    backend: str = "engine",
) -> Study:
    """Runs a model for all values of some parameters, on all cores: several parameters give a grid.

    study = sweep(model, over={"c": linspace("0.1 mm", "2 mm", 20)}, measure={"peak": "max(abs(pin.force_x))"})

    Values are lists, or texts as in `freeplay sweep --over`: {"c": "0.1mm:2mm:20:log"}. `sample` takes samples of ranges
    without a number, {"c": "0.1mm:2mm"}, and of parameters that scatter: "lhs:100", "random:100", "sobol:500",
    "morris:20"; `worst` searches them: "max:peak". `measure` are expressions as in the block `measure` of a model file,
    and are added to those of the model. Rows are not kept. The numbers are those of the command and do not depend on
    `workers`.

    `backend` says who runs, as `freeplay sweep --backend`: "engine", "compiled" (code of the model's own, on the
    processor), "cuda" (on a GPU) or "auto". Compiled runs measure positions, velocities and gaps.

    With `out`, a folder, the study is written to its file sweep.h5 and goes on where an earlier call was interrupted.
    `progress` is called with (done, runs). Raises ModelError if the model itself cannot be run, or for a measure that has
    a mistake; a run that fails later is an entry of the study.
    """
    if backend not in _BACKENDS:
        raise UsageError(f"there is no backend '{backend}'\n    hint: {', '.join(_BACKENDS)}")
    base = model.with_({f"measure.{name}": text for name, text in measure.items()}) if measure else model
    over = over or {}
    if not over and not (sample or worst) or any(not isinstance(v, str) and len(v) == 0 for v in over.values()):
        raise UsageError("there is nothing to run\n    hint: over={'c': ['0.1 mm', '0.5 mm']}")
    base.check()
    if not base._core.measures:
        raise UsageError("the study measures nothing\n    hint: measure={'peak': 'max(abs(pin.force_x))'}")
    is_list = not (sample or worst) and not any(isinstance(values, str) for values in over.values())
    if base._functions:
        if not is_list or out is not None or backend in ("compiled", "cuda"):
            raise UsageError(
                "a model with functions of Python is swept over lists of values, into memory and by the engine\n"
                "    hint: give lists, and leave out sample, worst, out and backend"
            )
        return _sweep_with_functions(base, over, workers)
    texts = [f"{name}={values if isinstance(values, str) else _listed(values)}" for name, values in over.items()]
    source = base._source
    where, text = (Path(source.name), source.text) if source.path is None else (source.path, None)
    with tempfile.TemporaryDirectory(prefix="freeplay-") as scratch:
        folder = Path(scratch if out is None else out)
        found = _core.sweep(
            where, text, base._overrides, texts, sample, seed, worst, folder, workers or 0, progress, backend
        )
    parameters = _grid(over) if is_list else found["parameters"]  # as they were given, or in SI units
    path = None if out is None else Path(out) / "sweep.h5"
    who = (found["backend"], found["backend_note"])
    return Study(parameters, found["measures"], found["messages"], found["statistics"], path, *who)


def _listed(values: Sequence[Value]) -> str:
    return ",".join(value if isinstance(value, str) else flow(value) for value in values)


def _grid(over: Mapping[str, Sequence[Value]]) -> dict[str, list[Any]]:
    """The last parameter changes fastest."""
    cases = list(itertools.product(*(list(values) for values in over.values())))
    return {name: [case[i] for case in cases] for i, name in enumerate(over)}


def _sweep_with_functions(base: Model, over: Mapping[str, Sequence[Value]], workers: int | None) -> Study:
    """Functions of Python live in this process alone, and are called under its lock: runs are threads of Python."""
    parameters = _grid(over)
    names, cases = list(parameters), list(zip(*parameters.values()))
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
    measures = {name: numpy.array([values.get(name, numpy.nan) for values in numbers]) for name in base._core.measures}
    return Study(parameters, measures, messages)
