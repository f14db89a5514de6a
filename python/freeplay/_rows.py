"""What a run has left, in memory or in a file."""

from __future__ import annotations

import html
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import Error
from ._pictures import Page, Plot, plot_of

if TYPE_CHECKING:
    import numpy


class Rows:
    """Rows of channels, impacts and events. Arrays are read-only views of what the object holds: nothing is copied."""

    _rows: Any
    _path: Path | None = None
    _scratch: Path | None = None  # a file that nobody has asked for, and that messages do not name

    @property
    def time(self) -> numpy.ndarray:
        """The time of each row, in s."""
        return self._rows.time

    def __getitem__(self, channel: str) -> numpy.ndarray:
        """A channel by its name, in SI units: run["crank.omega"]."""
        return self._rows.column(channel)

    def __contains__(self, channel: object) -> bool:
        return channel in self._rows.channels

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows.channels)

    def __len__(self) -> int:
        return len(self._rows.time)

    def keys(self) -> list[str]:
        """Names of the channels."""
        return list(self._rows.channels)

    @property
    def channels(self) -> dict[str, str]:
        """Names of the channels and their units."""
        return self._rows.channels

    @property
    def contacts(self) -> list[str]:
        """Names of the contact points: what `contact` means in `impacts` and `events`."""
        return self._rows.contacts

    @property
    def impacts(self) -> numpy.ndarray:
        """A structured array with one record per impact; its fields are those of the result file."""
        return self._rows.impacts

    @property
    def events(self) -> numpy.ndarray:
        """A structured array of located events; `event_kinds[kind]` is the word for what happened."""
        return self._rows.events

    @property
    def attributes(self) -> dict[str, str]:
        """Texts about the run: the model, its parameters, the version."""
        return self._rows.attributes

    @property
    def summary(self) -> dict[str, Any]:
        """The numbers of the whole run, by the names of `freeplay run --json`."""
        return self._rows.summary

    @property
    def warnings(self) -> list[str]:
        """What the run warned of, each with its cure."""
        return (self.summary or {}).get("warnings", [])

    def _file(self) -> Path:
        """A result file of it, made where there is none yet."""
        if self._path is None:
            folder = tempfile.mkdtemp(prefix="freeplay-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            path = Path(folder, "result.h5")
            self._rows.write(path)
            self._path = self._scratch = path
        return self._path

    def findings(self, most_blows: int = 1000) -> dict[str, Any]:
        """What the run comes to, by the names of `findings` in `freeplay info --json`: peak force, blows (impacts that
        belong together, the hardest ones first), time in contact, losses, and the judgement of the energy drift."""
        return _core.findings(self._file(), most_blows)

    def view(self) -> Page:
        """The page of `freeplay view`; a notebook shows it in place."""
        return Page(_core.view(self._file()))

    def plot(self, *channels: str, **options: Any) -> Plot:
        """A plot as `freeplay plot` draws it; a notebook shows it in place. Needs gnuplot.

        Options: phases=[("x", "y")], densities, sections with period="20 ms", spectra=["crank.omega"],
        bearings=["pin"], orbits=["pin"], gaps, modes, impacts, blows, forces (names, or True), energy=True, steps=True,
        sheet=True, against="crank.q", begin and end (s), log_x, log_y, title, width, height, format ("svg", "png",
        "pdf").
        """
        try:
            return plot_of([self._file()], [], channels, options)
        except Error as error:
            if self._scratch is not None and error.args:
                error.args = (str(error.args[0]).replace(str(self._scratch), "the run"), *error.args[1:])
            raise

    def _repr_html_(self) -> str:
        summary = self.summary or {}
        shown = ["status", "time", "steps", "rows", "impacts", "max_penetration", "energy_drift", "wall_seconds"]
        cells = "".join(
            f"<tr><td>{name.replace('_', ' ')}</td><td>{html.escape(_short(summary[name]))}</td></tr>"
            for name in shown
            if name in summary
        )
        measures = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{value:.6g}</td></tr>"
            for name, value in summary.get("measures", {}).items()
        )
        return f"<b>{html.escape(self.attributes.get('name', ''))}</b><table>{cells}{measures}</table>"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class Run(Rows):
    """A run in memory, as Model.run returns it."""

    def __init__(self, rows: Any, path: Path | None = None):
        self._rows = rows
        self._path = path

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the result file that `freeplay run` would have written; `path` is a folder, or ends in .h5."""
        target = result_path(path)
        self._rows.write(target)
        return target

    def __repr__(self) -> str:
        summary = self.summary
        return f"<freeplay.Run of {self.attributes.get('name', '')!r}: {summary['status']}, {len(self)} rows>"


class Result(Rows):
    """A result file, or a folder with a result.h5: read when it is asked for, column by column."""

    def __init__(self, path: str | os.PathLike[str]):
        self._rows = _core.ResultRows(Path(path))
        self._path = Path(self._rows.path)

    @property
    def path(self) -> Path:
        return Path(self._rows.path)

    @property
    def status(self) -> str:
        """"completed", "interrupted", "failed" or "running or killed"; only the first three have a summary."""
        return self._rows.status

    def __repr__(self) -> str:
        return f"<freeplay.Result {str(self.path)!r}: {self.status}, {len(self)} rows>"


def result_path(path: str | os.PathLike[str]) -> Path:
    """`path`, or result.h5 in it if it is a folder: everything that does not end in .h5 or .hdf5."""
    return Path(path) if Path(path).suffix in {".h5", ".hdf5"} else Path(path) / "result.h5"
