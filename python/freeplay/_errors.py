"""What can go wrong, in the words of the command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


class Error(Exception):
    """Every exception of freeplay."""


@dataclass(frozen=True)
class Place:
    """One mistake of a model: where it stands, what is wrong, and what would be right.

    Line and column count from 1; 0 means that they are not known. `path` is the element, such as "joints.pin.axis".
    """

    file: str
    line: int
    column: int
    path: str
    message: str
    hint: str


class ModelError(Error, ValueError):
    """A model with mistakes; `places` has all that were found (exit code 3 of the command)."""

    def __init__(self, text: str, places: list[Place] | None = None):
        super().__init__(text)
        self.places: list[Place] = places or []


class RunError(Error, RuntimeError):
    """A run that could not go on; `run` holds its rows until then, where there are any."""

    def __init__(self, text: str, run: Any = None):
        super().__init__(text)
        self.run = run


class SolverError(RunError):
    """The numbers went wrong: no solver found a solution, or a value is not finite (exit code 4)."""


class LimitError(RunError):
    """A limit was hit, such as simulate.min_step (exit code 5)."""


class UsageError(Error, ValueError):
    """Something was asked for that there is not."""


class FileError(Error, OSError):
    """A file that cannot be read or written (exit code 6)."""


class NoSuchFile(FileError, FileNotFoundError):
    """A file or folder that is not there."""


class UnknownChannel(Error, KeyError):
    """A channel that the run does not hold; the text proposes the nearest name."""

    def __str__(self) -> str:  # KeyError would put the text in quotes
        return str(self.args[0]) if self.args else ""


LIMIT_HIT = 5  # the command's exit code


def failed(failure: tuple[str, int], run: Any) -> RunError:
    """The exception for a run that failed: its text and the exit code that the command would have."""
    text, code = failure
    return (LimitError if code == LIMIT_HIT else SolverError)(text, run)
