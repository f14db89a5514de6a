"""Models: read, changed and run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Union

from . import _core
from ._errors import failed
from ._rows import Run, result_path
from ._steps import Steps
from ._text import Value, document, overrides

Progress = Union[bool, Callable[[float, int], None]]


class Parameter(NamedTuple):
    """How it is written, its value in SI units (or its word), and that unit."""

    text: str
    value: float | str
    unit: str


class Start(NamedTuple):
    """A state to start from: the time, coordinates and velocities."""

    t: float
    q: Sequence[float]
    u: Sequence[float]


class Model:
    """A model, read and built. It does not change: `with_` gives another one.

    `Model({...})` takes what a model file says as a dict: the keys, words and units are those of the file.
    """

    def __init__(self, description: Mapping[str, Any], name: str = "model", **parameters: Value):
        self._set(_Source(document({"freeplay": 1, **description}), name, None), overrides(parameters))

    @classmethod
    def _of(cls, source: _Source, texts: list[str], functions: Sequence[_Load | _Law] = ()) -> Model:
        model = cls.__new__(cls)
        model._set(source, texts, functions)
        return model

    def _set(self, source: _Source, texts: list[str], functions: Sequence[_Load | _Law] = ()) -> None:
        self._source = source
        self._overrides = texts
        self._functions = tuple(functions)
        self._core = source.load(texts)
        for each in self._functions:
            self._core = each.put_on(self._core)

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def text(self) -> str:
        """The text of the model file, before any parameter was changed."""
        return self._core.text

    @property
    def overrides(self) -> list[str]:
        """What was changed, as `freeplay run --set` takes it."""
        return list(self._overrides)

    @property
    def parameters(self) -> dict[str, Parameter]:
        return {name: Parameter(*values) for name, values in self._core.parameters.items()}

    @property
    def channels(self) -> dict[str, str]:
        """Everything that a run can record, with its unit."""
        return self._core.channels

    @property
    def contacts(self) -> list[str]:
        """Names of the contact points."""
        return self._core.contacts

    @property
    def integrator(self) -> str:
        return self._core.integrator

    @property
    def duration(self) -> float:
        """In s."""
        return self._core.duration

    @property
    def initial_state(self) -> Start:
        """The time, coordinates and velocities that a run starts from."""
        return Start(*self._core.initial_state)

    def with_(self, changes: Mapping[str, Value] | None = None, /, **parameters: Value) -> Model:
        """The same model with other values: model.with_(c="0.1 mm"), model.with_({"simulate.step": "1 us"}).

        A key is a parameter's name or a dotted path, as in `--set`; None takes it away. A file is read again.
        """
        return self._of(self._source, self._overrides + overrides(changes, parameters), self._functions)

    def with_force(
        self,
        body: str,
        function: Callable[..., Sequence[float]],
        reads: Sequence[str] = (),
        at: Sequence[float | str] = (0, 0, 0),
    ) -> Model:
        """The same model with a function of Python as a force on a body, for trying things.

        `function(t, *channels)` gives (Fx, Fy) or (Fx, Fy, Fz) in N along the axes of the world, and is called with the
        time and the channels named in `reads`, in SI units: with_force("slider", lambda t, v: (-5 * v, 0),
        ["slider.vx"]). `at` is the point of the body where it acts, in the body's axes, from its centre of mass.

        Slow: it is called several times a step and takes a microsecond or more. What it raises ends the run.
        """
        return self._with_load(body, function, reads, at, False)

    def with_torque(self, body: str, function: Callable[..., Any], reads: Sequence[str] = ()) -> Model:
        """The same as with_force for a torque: one number, about z, or three, in N m along the axes of the world."""
        return self._with_load(body, function, reads, (0, 0, 0), True)

    def _with_load(
        self, body: str, function: Callable[..., Any], reads: Sequence[str], at: Sequence[float | str], is_torque: bool
    ) -> Model:
        place = [_core.quantity(each)[0] if isinstance(each, str) else float(each) for each in at]
        load = _Load(body, function, list(reads), (*place, *[0.0] * (3 - len(place))), is_torque)
        return self._of(self._source, self._overrides, (*self._functions, load))

    def with_contact_force(
        self,
        contact: str,
        elastic: Callable[[float], float],
        damping: Callable[[float, float, float], float] | None = None,
    ) -> Model:
        """The same model with functions of Python as the force law of a contact or of a joint with play.

        `elastic(depth)` gives the force in N that is stored as energy, rising from 0 at a depth of 0 m.
        `damping(depth, rate, speed)` is added to it and takes energy: `rate` is that of the depth in m/s, `speed` the one
        at which the contact began. The sum never pulls. For integrators that take force laws, such as `dopri5`;
        friction stays what the model says.
        """
        return self._of(self._source, self._overrides, (*self._functions, _Law(contact, elastic, damping, None)))

    def with_friction(self, contact: str, mu: Callable[[float], float]) -> Model:
        """The same model with the coefficient of friction of a contact or of a joint with play as a function of the
        sliding speed in m/s, 0 or more. mu(0) is the limit up to which it sticks.
        """
        return self._of(self._source, self._overrides, (*self._functions, _Law(contact, None, None, mu)))

    def check(self) -> None:
        """Raises ModelError for what keeps the model from being run: a law that the integrator needs, a wrong measure."""
        self._core.check()

    def run(
        self,
        out: str | os.PathLike[str] | None = None,
        progress: Progress = False,
        start: Start | None = None,
    ) -> Run:
        """Runs it. With `out`, a folder or a name ending in .h5, a result file is written as well.

        `progress`: True prints how far it is, a function is called with (fraction, steps). Raises SolverError or
        LimitError if the run fails; the exception's `run` has the rows until then. Ctrl-C ends it with a
        KeyboardInterrupt; a result file is whole then, too.
        """
        path = None if out is None else result_path(out)
        with _Shown(progress, self.name) as shown:
            rows = _core.run(self._core, out=path, progress=shown.callback, start=_start(start))
        run = Run(rows, path)
        if rows.failure is not None:
            raise failed(rows.failure, run)
        return run

    def steps(self, start: Start | None = None) -> Steps:
        """The run step by step: `for step in model.steps(): print(step.time, step["slider.x"])`."""
        return Steps(_core.Stepper(self._core, start=_start(start)))

    def __reduce__(self) -> tuple[Any, ...]:  # for other processes: they build it again
        return Model._of, (self._source, self._overrides, self._functions)

    def __repr__(self) -> str:
        changed = f" with {', '.join(self._overrides)}" if self._overrides else ""
        return f"<freeplay.Model {self.name!r}{changed}>"


class _Load(NamedTuple):
    """A function of Python as a load."""

    body: str
    function: Callable[..., Any]
    reads: list[str]
    at: tuple[float, ...]
    is_torque: bool

    def put_on(self, core: Any) -> Any:
        return core.with_load(*self)


class _Law(NamedTuple):
    """Functions of Python as a law of a contact."""

    contact: str
    elastic: Callable[[float], float] | None
    damping: Callable[[float, float, float], float] | None
    friction: Callable[[float], float] | None

    def put_on(self, core: Any) -> Any:
        return core.with_law(*self)


class _Source(NamedTuple):
    """Where a model comes from: a text and its name, or a file."""

    text: str
    name: str
    path: Path | None

    def load(self, texts: list[str]) -> Any:
        if self.path is not None:
            return _core.load(self.path, texts)
        return _core.parse(self.text, self.name, texts)


def load(path: str | os.PathLike[str], changes: Mapping[str, Value] | None = None, /, **parameters: Value) -> Model:
    """Reads a model file: load("slider_crank.yaml", c="0.5 mm").

    Names and units are those of the file. `changes` has keys that are no names of Python: {"simulate.step": "1 us"}.
    Raises ModelError with every mistake that was found, FileError if the file cannot be read.
    """
    return Model._of(_Source("", "", Path(path)), overrides(changes, parameters))


def parse(text: str, changes: Mapping[str, Value] | None = None, /, name: str = "model", **parameters: Value) -> Model:
    """Reads the text of a model file; `name` stands for the file in messages. The rest is as for `load`."""
    return Model._of(_Source(text, name, None), overrides(changes, parameters))


def _start(start: Start | None) -> Any:
    return None if start is None else _core.StartState(start[0], list(start[1]), list(start[2]))


class _Shown:
    """Progress on the terminal or in a notebook: one line that is written over."""

    def __init__(self, progress: Progress, name: str):
        self.name = name
        self.is_shown = progress is True
        self.callback = self._print if progress is True else progress or None

    def _print(self, fraction: float, steps: int) -> None:
        print(f"\r{self.name}: {100 * fraction:3.0f} %, {steps} steps", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> _Shown:
        return self

    def __exit__(self, *error: object) -> None:
        if self.is_shown:
            print(f"\r{self.name}: {'done' if error[0] is None else 'ended'}" + " " * 30, file=sys.stderr, flush=True)
