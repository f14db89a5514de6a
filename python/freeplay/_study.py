"""Many runs of one model."""

from __future__ import annotations

import copy
import difflib
import html
import itertools
import numbers
import os
import shutil
import sys
import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Union

import numpy

from . import _core
from ._errors import Error, NoSuchFile, UnknownChannel, UsageError
from ._model import Model
from ._pictures import Page, Plot
from ._text import Value, flow

Values = Union[str, Sequence[Value]]
Measures = Union[str, Sequence[str], Mapping[str, str]]


class Study:
    """Parameters and measures of all runs: `parameters[name]` and `study[measure]` have one entry per run.

    A run that failed, or that the model refuses, has NaN as its measures and its reason in `messages`. `statistics` has
    what samples say, by the names of `freeplay sweep --json`: `distributions`, `sensitivity`, `worst`. `backend` is who has
    run it, "engine", "compiled" or "cuda", and `backend_note` why it was not another one that was to be tried. `section`
    has the crossings of all runs, where there is a section: `section["run"]`, `section["t"]` and the points by their
    names, one entry per crossing. `warnings` has how many warnings each run gave, `with_warnings` is the number of runs
    that gave some; compiled code gives none, and `left_to_engine` says which runs of its study the engine has done,
    `left_because` why.
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
        section: dict[str, numpy.ndarray] | None = None,
        scratch: _Scratch | None = None,
        warnings: numpy.ndarray | None = None,
        left_to_engine: numpy.ndarray | None = None,
        left_because: list[str] | None = None,
    ):
        self.parameters = parameters
        self.measures = measures
        self.messages = messages  # empty texts for runs that completed, unless they found no orbit
        self.statistics = statistics or {}
        self.path = path  # of the file, if `out` was given
        self.backend = backend
        self.backend_note = backend_note
        self.section = section or {}
        self.warnings = numpy.zeros(len(messages), numpy.int32) if warnings is None else warnings
        self.left_to_engine = numpy.zeros(len(messages), bool) if left_to_engine is None else left_to_engine
        self.left_because = left_because or [""] * len(messages)
        self._scratch = scratch  # has the file as long as the study or a copy lives, if `out` was not given

    @property
    def with_warnings(self) -> int:
        return int(numpy.count_nonzero(self.warnings))

    def __getitem__(self, measure: str) -> numpy.ndarray:
        if measure not in self.measures:
            near = difflib.get_close_matches(str(measure), self.measures, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(self.measures)}"
            raise UnknownChannel(f'the study has no measure "{measure}"; {hint}')
        return self.measures[measure]

    def __len__(self) -> int:
        return len(self.messages)

    def plot(
        self,
        *measures: str,
        against: str = "",
        log_x: bool = False,
        log_y: bool = False,
        title: str = "",
        format: str = "svg",
        width: int = 0,
        height: int = 0,
    ) -> Plot:
        """A plot as `freeplay plot` draws it of a study; a notebook shows it in place. Needs gnuplot.

        `measures`, or points of the section; none: all. Measures over a parameter, maps over two, bifurcation diagrams,
        histograms of samples, sensitivities. `against` is the parameter of the x axis, `format` svg, png or pdf.
        """
        return Plot(
            _core.plot_study(self._file(), measures, against, log_x, log_y, title, format, width, height), format
        )

    def view(self) -> Page:
        """The page of `freeplay view` for a study; a notebook shows it in place."""
        return Page(_core.view_study(self._file()))

    def _file(self) -> Path:
        if self.path is not None:
            return self.path
        if self._scratch is None:
            raise UsageError(
                "the study has no file to draw from: it has come from another process, or has functions of Python\n"
                "    hint: sweep(..., out='folder') keeps one"
            )
        return self._scratch.folder / "sweep.h5"

    def __getstate__(self) -> dict[str, Any]:  # for other processes: a file that goes away with this one stays here
        return {**self.__dict__, "_scratch": None}

    # Copies in this process have numbers of their own and share the file, which nobody changes.
    def __copy__(self) -> Study:
        twin = Study.__new__(Study)
        twin.__dict__.update({name: copy.copy(value) for name, value in self.__dict__.items() if name != "_scratch"})
        twin._scratch = self._scratch
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Study:
        twin = Study.__new__(Study)
        memo[id(self)] = twin
        state = {name: value for name, value in self.__dict__.items() if name != "_scratch"}
        twin.__dict__.update(copy.deepcopy(state, memo))
        twin._scratch = self._scratch
        return twin

    def _counts(self) -> str:
        warned = f", {self.with_warnings} with warnings" if self.with_warnings else ""
        return f"{len(self)} runs, {sum(map(bool, self.messages))} failed{warned}"

    def __repr__(self) -> str:
        return f"<freeplay.Study of {self._counts()}: {', '.join(self.measures)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{numpy.nanmin(values):.6g}</td><td>{numpy.nanmax(values):.6g}</td></tr>"
            for name, values in self.measures.items()
            if numpy.isfinite(values).any()
        )
        head = "<tr><th></th><th>least</th><th>largest</th></tr>" if rows else ""
        return f"<b>{self._counts()}</b><table>{head}{rows}</table>"


_BACKENDS = ("engine", "compiled", "cuda", "auto")


def sweep(
    model: Model,
    over: Mapping[str, Values] | None = None,
    measure: Measures | None = None,
    workers: int | None = None,
    *,
    sample: str = "",
    seed: int = 0,
    worst: str = "",
    out: str | os.PathLike[str] | None = None,
    progress: bool | Callable[[int, int], None] | None = None,
    backend: str = "engine",
    section: str = "",
    points: Mapping[str, str] | None = None,
    skip: int = 0,
    turns: int | None = None,
    follow: str = "",
    lyapunov: str | None = None,
    orbit: str = "",
) -> Study:
    """Runs a model for all values of some parameters, on all cores: several parameters give a grid.

    study = sweep(model, over={"c": linspace("0.1 mm", "2 mm", 20)}, measure={"peak": "max(abs(pin.force_x))"})

    Values are lists, or texts as in `freeplay sweep --over`: {"c": "0.1mm:2mm:20:log"}. `sample` takes samples of ranges
    without a number, {"c": "0.1mm:2mm"}, and of parameters that scatter: "lhs:100", "random:100", "sobol:500",
    "morris:20"; `worst` searches them: "max:peak". `measure` are expressions as in the block `measure` of a model file,
    by their names, or texts as of `freeplay sweep --measure`: "peak=max(abs(pin.force_x))", or a list of such texts. They
    are added to those of the model. Rows are not kept. The numbers are those of the command and do not depend on
    `workers`.

    `backend` says who runs, as `freeplay sweep --backend`: "engine", "compiled" (code of the model's own, on the
    processor), "cuda" (on a GPU) or "auto". Compiled runs measure positions, velocities, gaps
    and impacts.

    `section="every(2*pi/omega)"` and `points={"x": "slider.x"}` note a motion at certain instants, `skip` crossings later
    and for `turns` of them; `follow="up"` begins each run where its neighbour has ended; `lyapunov="20 s"` and
    `orbit="2*pi/omega"` add measures. They are the options of `freeplay sweep`; `Study.section` has the points.

    With `out`, a folder, the study is written to its file sweep.h5 and goes on where an earlier call was interrupted.
    `progress`: True prints how far it is, a function is called with (done, runs). Raises ModelError if the model itself
    cannot be run, or for a measure that has a mistake; a run that fails later is an entry of the study.
    """
    if backend not in _BACKENDS:
        raise UsageError(f"there is no backend '{backend}'\n    hint: {', '.join(_BACKENDS)}")
    if not isinstance(model, Model):
        raise UsageError(f"a {type(model).__name__} is no model\n    hint: freeplay.sweep(freeplay.load('crank.yaml'), ...)")
    if workers is not None and (not isinstance(workers, numbers.Integral) or workers < 1):
        raise UsageError(f"{workers!r} is no number of workers\n    hint: a whole number from 1 on, or None: one per core")
    added = _measures(measure)
    measures = {**model._core.measures, **added}
    over = over or {}
    for name in set(over) & set(measures):
        raise UsageError(f"'{name}' is the name of a parameter that varies and of a measure\n    hint: rename the measure")
    if not over and not (sample or worst) or any(not isinstance(v, str) and len(v) == 0 for v in over.values()):
        raise UsageError("there is nothing to run\n    hint: over={'c': ['0.1 mm', '0.5 mm']}")
    model.check()
    dynamics = {
        "section": section,
        "points": [f"{name}={text}" for name, text in (points or {}).items()],
        "skip": skip,
        "turns": turns,
        "follow": follow,
        "lyapunov": lyapunov,
        "orbit": orbit,
    }
    looks_at_motions = bool(section or orbit or follow or points) or lyapunov is not None
    if not measures and not looks_at_motions:
        raise UsageError("the study measures nothing\n    hint: measure={'peak': 'max(abs(pin.force_x))'}")
    is_list = not (sample or worst) and not any(isinstance(values, str) for values in over.values())
    if model._functions:
        if not is_list or out is not None or looks_at_motions or backend in ("compiled", "cuda"):
            raise UsageError(
                "a model with functions of Python is swept over lists of values, into memory and by the engine\n"
                "    hint: give lists, and leave out sample, worst, out, backend and sections"
            )
        base = model.with_({f"measure.{name}": text for name, text in added.items()}) if added else model
        base.check()
        with _Shown(progress) as shown:
            return _sweep_with_functions(base, over, workers, shown.callback)
    texts = [f"{name}={values if isinstance(values, str) else _listed(values)}" for name, values in over.items()]
    # As the command would be asked, so that both have the same study: it measures what is given instead of the model's.
    measured = [f"{name}={text}" for name, text in measures.items()] if added else []
    source = model._source
    where, text = (Path(source.name), source.text) if source.path is None else (source.path, None)
    scratch = _Scratch() if out is None else None
    folder = Path(out) if scratch is None else scratch.folder  # type: ignore[arg-type]
    with _Shown(progress) as shown:
        found = _core.sweep(  # fmt: skip
            where, text, model._overrides, texts, measured, sample, seed, worst, folder, workers or 0, shown.callback,
            backend, dynamics,
        )
    # As they were given, or in SI units; a study that goes up and down has a parameter more.
    parameters = _grid(over) if is_list and not follow else found["parameters"]
    path = None if out is None else Path(out) / "sweep.h5"
    who = (found["backend"], found["backend_note"])
    return Study(
        parameters, found["measures"], found["messages"], found["statistics"], path, *who, found["section"], scratch,
        found["warnings"], found["left_to_engine"], found["left_because"],
    )  # fmt: skip


def read_study(path: str | os.PathLike[str]) -> Study:
    """The study of a folder, or of its file sweep.h5, that `sweep` or `freeplay sweep` has written, complete or not.

    Parameters are in SI units. Raises NoSuchFile, which is a FileError and a FileNotFoundError, if there is none.
    """
    file = Path(path)
    file = file / "sweep.h5" if file.is_dir() else file
    if not file.exists():
        raise NoSuchFile(f"there is no study {file}")
    found = _core.read_study(file)
    return Study(
        found["parameters"], found["measures"], found["messages"], found["statistics"], file, found["backend"],
        section=found["section"], warnings=found["warnings"], left_to_engine=found["left_to_engine"],
        left_because=found["left_because"],
    )  # fmt: skip


def _measures(given: Measures | None) -> dict[str, str]:
    """By their names, whichever way they were given."""
    if isinstance(given, Mapping):
        return dict(given)
    found: dict[str, str] = {}
    for text in [given] if isinstance(given, str) else given or []:
        name, expression = _core.measure_of_text(text)
        if name in found:
            raise UsageError(f"there are two measures '{name}'\n    hint: give each a name of its own: 'peak=max(...)'")
        found[name] = expression
    return found


class _Scratch:
    """A folder that goes away with this."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="freeplay-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


class _Shown:
    """Progress as one line that is written over."""

    def __init__(self, progress: bool | Callable[[int, int], None] | None):
        self.is_shown = progress is True
        self.callback = self._print if progress is True else progress or None

    def _print(self, done: int, runs: int) -> None:
        print(f"\r{done} of {runs} runs", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> _Shown:
        return self

    def __exit__(self, *error: object) -> None:
        if self.is_shown:
            print(f"\r{'done' if error[0] is None else 'ended'}" + " " * 30, file=sys.stderr, flush=True)


def _listed(values: Sequence[Value]) -> str:
    return ",".join(value if isinstance(value, str) else flow(value) for value in values)


def _grid(over: Mapping[str, Sequence[Value]]) -> dict[str, list[Any]]:
    """The last parameter changes fastest."""
    cases = list(itertools.product(*(list(values) for values in over.values())))
    return {name: [case[i] for case in cases] for i, name in enumerate(over)}


def _sweep_with_functions(
    base: Model, over: Mapping[str, Sequence[Value]], workers: int | None, progress: Callable[[int, int], None] | None
) -> Study:
    """Functions of Python live in this process alone, and are called under its lock: runs are threads of Python."""
    parameters = _grid(over)
    names, cases = list(parameters), list(zip(*parameters.values()))
    stops = [_core.StopFlag() for _ in cases]  # one each: a run that ends early says nothing of the others

    def one(case: Sequence[Value], stop: _core.StopFlag) -> tuple[dict[str, float], str, int]:
        try:
            rows = _core.run(base.with_(dict(zip(names, case)))._core, keeps_rows=False, stop=stop)
        except Error as error:
            return {}, str(error), 0
        except Exception as error:  # of a function of the user
            return {}, f"{type(error).__name__}: {error}", 0
        return rows.summary["measures"], rows.failure[0] if rows.failure else "", len(rows.summary["warnings"])

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        futures = [pool.submit(one, case, stop) for case, stop in zip(cases, stops)]
        try:
            results = []
            for future in futures:
                results.append(future.result())
                if progress:
                    progress(len(results), len(futures))
        except BaseException:  # Ctrl-C among them: those that run end at their next step, the others never begin
            for stop in stops:
                stop.set()
            for future in futures:
                future.cancel()
            raise
    messages = [text for _, text, _ in results]
    measured = [values if not text else {} for values, text, _ in results]
    measures = {name: numpy.array([values.get(name, numpy.nan) for values in measured]) for name in base._core.measures}
    return Study(parameters, measures, messages, warnings=numpy.array([count for _, _, count in results], numpy.int32))
