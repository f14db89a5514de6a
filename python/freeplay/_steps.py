"""A run step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ._errors import failed

if TYPE_CHECKING:
    import numpy


class ContactPoint(NamedTuple):
    """A contact point after a step. SI units, world axes; not a number where there is no such thing."""

    name: str
    gap: float  # m; -inf for dry friction in a joint, which has none
    mode: str  # open, slip or stick, in the step
    normal_impulse: float  # N s, in the step
    tangential_impulse: tuple[float, float]
    position: tuple[float, float, float]
    normal: tuple[float, float, float]


class Steps:
    """An iterator that takes one step of the run after the other and is itself the view of where the run is.

    After each step every channel can be read, whatever `record` says in the model. When the run has ended, `summary` has
    its numbers; a run that fails raises SolverError or LimitError.
    """

    def __init__(self, stepper: Any):
        self._stepper = stepper

    def __iter__(self) -> Steps:
        return self

    def __next__(self) -> Steps:
        if self._stepper.advance():
            return self
        failure = self._stepper.failure
        if failure is not None:
            raise failed(failure, None)
        raise StopIteration

    @property
    def time(self) -> float:
        """In s."""
        return self._stepper.time

    @property
    def q(self) -> numpy.ndarray:
        """The coordinates: a copy, to keep."""
        return self._stepper.q

    @property
    def u(self) -> numpy.ndarray:
        """The velocities: a copy, to keep."""
        return self._stepper.u

    def __getitem__(self, channel: str) -> float:
        """A channel after the step: step["slider.x"]."""
        return self._stepper.value(channel)

    @property
    def channels(self) -> dict[str, str]:
        """Names of the channels and their units."""
        return self._stepper.channels

    @property
    def energies(self) -> dict[str, float]:
        """kinetic, potential, and what has crossed the border since the start: input and losses, in J."""
        return self._stepper.energies

    @property
    def points(self) -> list[ContactPoint]:
        """Gaps, modes and impulses of the contact points that have names."""
        return [ContactPoint(*point) for point in self._stepper.points]

    @property
    def impacts(self) -> numpy.ndarray:
        """The impacts of the step, records as in Run.impacts."""
        return self._stepper.impacts

    @property
    def events(self) -> numpy.ndarray:
        """The events of the step, records as in Run.events."""
        return self._stepper.events

    @property
    def contacts(self) -> list[str]:
        """Names of the contact points, for `impacts` and `events`."""
        return self._stepper.contacts

    @property
    def summary(self) -> dict[str, Any] | None:
        """The numbers of the whole run; None before it has ended."""
        return self._stepper.summary
