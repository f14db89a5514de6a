"""Contact problems: u = W r + V l + q, 0 = V^T r + R l + s, with Coulomb's law at every contact."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

import numpy

from . import _core
from ._errors import SolverError, UsageError

Problem = Union[str, "os.PathLike[str]", Mapping[str, Any]]


@dataclass(frozen=True)
class Solution:
    """Impulses r, velocities u and bilateral impulses l; normal first, then the tangents of each contact."""

    solved: bool
    message: str  # why it is not; empty if it is
    r: numpy.ndarray
    u: numpy.ndarray
    l: numpy.ndarray  # noqa: E741: the name in the files
    residual: float
    relative_residual: float
    iterations: int
    delivered_by: str
    islands: int
    open: int
    stick: int
    slip: int
    cpu_seconds: float
    wall_seconds: float


def solve(problem: Problem, solver: str = "auto", tolerance: float = 1e-8, check: bool = True) -> Solution:
    """Solves a contact problem: a file as `freeplay solve` takes it, or arrays.

    solve({"W": W, "q": q, "mu": mu, "dimension": 3}) with W dense or a scipy.sparse matrix; bilateral rows come as "V",
    "R" and "s". Solved is what has a relative natural residual of at most `tolerance`, whatever the solver says of
    itself. Raises SolverError if it is not (its `run` is the Solution), unless `check` is False.
    """
    core = _of_arrays(problem) if isinstance(problem, Mapping) else _core.read_problem(Path(problem))
    solution = Solution(**_core.solve(core, solver, tolerance))
    if check and not solution.solved:
        raise SolverError(solution.message, solution)
    return solution


def read_problem(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The arrays of a file, as `solve` takes them; matrices are dense."""
    core = _core.read_problem(Path(path))
    arrays = {"dimension": core.dimension, "W": _dense(core.W), "q": core.q, "mu": core.mu}
    if len(core.s) > 0:
        arrays.update(V=_dense(core.V), R=_dense(core.R), s=core.s)
    return arrays


def write_problem(path: str | os.PathLike[str], problem: Mapping[str, Any]) -> Path:
    """Writes a file that `freeplay solve` reads."""
    _of_arrays(problem).write(Path(path))
    return Path(path)


def _of_arrays(problem: Mapping[str, Any]) -> Any:
    unknown = set(problem) - {"W", "q", "mu", "dimension", "V", "R", "s"}
    missing = {"W", "q", "mu"} - set(problem)
    if unknown or missing:
        raise UsageError(f"a problem has W, q, mu, dimension, V, R and s; unknown: {sorted(unknown)}, missing: {sorted(missing)}")
    q, mu, s = (_vector(problem.get(name, []), name) for name in ("q", "mu", "s"))
    dimension = int(problem.get("dimension", 3))
    if dimension not in (2, 3):
        raise UsageError(f"the dimension is {dimension}\n    hint: 2 in the plane, 3 in space")
    if len(q) != dimension * len(mu):
        raise UsageError(f"q has {len(q)} entries, {len(mu)} contacts in {dimension} dimensions have {dimension * len(mu)}")
    if (mu < 0).any():
        raise UsageError("mu is negative")
    n, p = len(q), len(s)
    W = _compressed(problem["W"], "W", n, n)
    V = _compressed(problem.get("V", numpy.zeros((n, p))), "V", n, p)
    R = _compressed(problem.get("R", numpy.zeros((p, p))), "R", p, p)
    return _core.ContactProblem(dimension, W, q.tolist(), mu.tolist(), V, R, s.tolist())


def _vector(given: Any, name: str) -> numpy.ndarray:
    vector = numpy.asarray(given, dtype=float).ravel()
    if not numpy.isfinite(vector).all():
        raise UsageError(f"{name} has entries that are not finite")
    return vector


def _compressed(given: Any, name: str, rows: int, columns: int) -> tuple[int, list[int], list[int], list[float]]:
    """Column by column: where each begins, rows, values."""
    if given.shape != (rows, columns) if hasattr(given, "shape") else numpy.shape(given) != (rows, columns):
        raise UsageError(f"{name} is {numpy.shape(given)}, and must be {(rows, columns)}")
    if hasattr(given, "tocsc"):  # scipy.sparse
        matrix = given.tocsc()
        begin, row, value = matrix.indptr, matrix.indices, _vector(matrix.data, name)
    else:
        matrix = _vector(given, name).reshape(rows, columns)
        column, row = numpy.nonzero(matrix.T)
        begin = numpy.concatenate([[0], numpy.cumsum(numpy.bincount(column, minlength=columns))])
        value = matrix[row, column]
    row = numpy.asarray(row)
    if len(begin) != columns + 1 or (len(row) > 0 and not 0 <= row.min() <= row.max() < rows):
        raise UsageError(f"{name} has entries outside of its {rows} rows and {columns} columns")
    diagonal = numpy.repeat(numpy.arange(columns), numpy.diff(begin)) == row
    if (name != "V") and (abs(value[diagonal & (value != 0)]) < numpy.finfo(float).tiny).any():
        raise UsageError(f"{name} has a number on its diagonal that is too small for double precision")
    return rows, [int(i) for i in begin], [int(i) for i in row], value.tolist()


def _dense(columns: tuple[int, list[int], list[int], numpy.ndarray]) -> numpy.ndarray:
    rows, begin, row, value = columns
    matrix = numpy.zeros((rows, len(begin) - 1))
    for j in range(len(begin) - 1):
        for k in range(begin[j], begin[j + 1]):
            matrix[row[k], j] += value[k]  # entries of one place add up
    return matrix
