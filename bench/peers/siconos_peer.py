"""Solvers of Siconos (Debian's python3-siconos) on friction-contact problems, for bench/solvers.py.

Each gets what it does best with, found by trial on these very problems:

- the matrix as it was fastest: compressed columns, or blocks for Gauss-Seidel;
- a tolerance far below the one that counts, since Siconos measures another residual, relative to |q|_2: with 1e-10 PROX
  claims four problems solved that are not, with 1e-13 it runs out of time on one more;
- so many iterations that only the cap on CPU time ends it.

Except for NSGS, none of the four takes a planar problem. They get it in space: a second tangent that nothing couples to
is added to each contact, which changes nothing about its solutions.
"""

import warnings

import numpy as np
import scipy.sparse
import siconos.numerics as siconos

warnings.filterwarnings("ignore", category=UserWarning, module="siconos")  # about 32-bit indices

PLENTY = 10_000_000  # iterations


class Peer:
    def __init__(self, label, solver, tolerance, iterations, in_blocks=False, is_planar=False):
        self.label = label
        self.solver = getattr(siconos, f"SICONOS_FRICTION_{solver}")
        self.tolerance = tolerance
        self.iterations = iterations
        self.in_blocks = in_blocks
        self.is_planar = is_planar

    def options(self):
        options = siconos.SolverOptions(self.solver)
        options.iparam[siconos.SICONOS_IPARAM_MAX_ITER] = self.iterations
        options.dparam[siconos.SICONOS_DPARAM_TOL] = self.tolerance
        return options

    def prepare(self, problem):
        """Returns a function: options, r and u of the problem as this solver gets it -> 0 where it claims success."""
        if problem.dimension == 2 and not self.is_planar:
            problem = embed(problem)
        W = problem.W
        if self.in_blocks:
            _, W = siconos.SBM_from_csparse(problem.dimension, problem.W)
        own = siconos.FrictionContactProblem(problem.dimension, len(problem.mu), W, problem.q, problem.mu)
        driver = siconos.fc2d_driver if self.is_planar else siconos.fc3d_driver

        def solve(options, r, u, keep_alive=(problem, W)):
            return driver(own, r, u, options)

        return solve, len(problem.q)

    def impulses(self, problem, r):
        """r as the problem's file orders it."""
        if problem.dimension == 2 and not self.is_planar:
            return r.reshape(-1, 3)[:, :2].ravel()
        return r


PEERS = [
    Peer("PROX", "3D_PROX", 1e-12, PLENTY),
    Peer("NSN_AC", "3D_NSN_AC", 1e-11, 1000),  # it converges within 200 or not at all
    Peer("NSGS", "3D_NSGS", 1e-11, PLENTY, in_blocks=True),
    Peer("ADMM", "3D_ADMM", 1e-12, PLENTY),
]
# Siconos' own solvers for the plane: NSGS solves most of these problems, and fastest (LEMKE claims to have solved some
# that it has not, CPG and ENUM solve fewer). What it does better than a peer in space is credited to that peer.
PLANAR = Peer("NSGS 2D", "2D_NSGS", 1e-11, PLENTY, in_blocks=True, is_planar=True)


def embed(problem):
    count = len(problem.mu)
    W = problem.W.tocoo()

    def place(row):
        return 3 * (row // 2) + row % 2

    added = 3 * np.arange(count) + 2
    diagonal = np.abs(problem.W.diagonal()[0::2])  # of the same size as the others
    diagonal[diagonal == 0] = 1
    rows, columns = np.concatenate([place(W.row), added]), np.concatenate([place(W.col), added])
    values = np.concatenate([W.data, diagonal])
    q = np.zeros(3 * count)
    q[place(np.arange(2 * count))] = problem.q
    return type(problem)(problem.name, 3, scipy.sparse.csc_matrix((values, (rows, columns))), q, problem.mu)
