#!/usr/bin/env python3
"""Our solvers and those of Siconos on friction-contact problems from real simulations.

usage: solvers.py BENCH_SOLVERS [--data FOLDER] [--figure FILE] [--quick]     (./dev bench solvers runs it)

Every pair of solver and problem gets a process of its own, one thread and the same CPU time. Only the call of the solver
is timed; short ones are repeated and averaged. What comes out is graded here, the same for both sides, from the numbers
in the file. The last line is "solvers ratio VALUE": CPU time of the best peer / CPU time of `auto`, where every problem
that is not solved costs its cap; the best peer is the one that solves most, of equals the one with less CPU time.

--figure draws the performance profile (Dolan and More 2002) as SVG. --quick takes seconds: a few small problems made up on
the spot, which show that the benchmark works and measure nothing.
"""

import os

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

import argparse
import math
import select
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import scipy.sparse

sys.dont_write_bytecode = True
from peers import siconos_peer
from performance_profile import draw_profile

ROOT = Path(__file__).resolve().parent.parent
OURS = ["auto", "semismooth-newton", "proximal-point", "nsgs", "prox-gauss-seidel", "prox-jacobi", "lemke"]
PLANAR_ONLY = {"lemke"}

TOLERANCE = 1e-8  # on the relative residual
# CPU seconds per problem, for everyone. The whole run must end within minutes.
LARGE_CONTACTS, LARGE_CAP_S, SMALL_CAP_S = 400, 8, 2
# As in solvers.cpp: shorter solves are repeated.
MEASURED_S, MAX_REPETITIONS, SHORTEST_S = 0.02, 1000, 1e-6


# ---- Problems ----------------------------------------------------------------------------------------------------

@dataclass
class Problem:
    name: str
    dimension: int
    W: object  # scipy.sparse.csc_matrix
    q: object
    mu: object

    def contacts(self):
        return len(self.mu)

    def cap_s(self):
        return LARGE_CAP_S if self.contacts() > LARGE_CONTACTS else SMALL_CAP_S


def read_problem(path):
    with h5py.File(path, "r") as file:
        group = file["fclib_local"]
        W = group["W"]
        shape = (int(W["m"][0]), int(W["n"][0]))
        matrix = scipy.sparse.csc_matrix((W["x"][:].ravel(), W["i"][:].ravel(), W["p"][:].ravel()), shape=shape)
        matrix.sum_duplicates()
        vectors = group["vectors"]
        return Problem(path.stem, int(group["spacedim"][0]), matrix, vectors["q"][:].ravel(), vectors["mu"][:].ravel())


def write_made_up_problems(folder):
    """Contacts between a few bodies that fall: W = J J^T and q = J v with random J."""
    random = np.random.default_rng(1)
    for dimension, contacts, bodies in ((2, 4, 3), (3, 6, 4), (3, 12, 6)):
        rows, columns = dimension * contacts, 3 * (dimension - 1) * bodies
        J = random.normal(size=(rows, columns)) * (random.random((rows, columns)) < 0.5)
        W = scipy.sparse.csc_matrix(J @ J.T)
        with h5py.File(folder / f"made_up_{dimension}d_{contacts}.hdf5", "w") as file:
            group = file.create_group("fclib_local")
            group["spacedim"] = np.array([dimension], dtype=np.int32)
            matrix = {"m": [rows], "n": [rows], "nzmax": [W.nnz], "nz": [-1], "p": W.indptr, "i": W.indices}  # -1: by columns
            for name, values in matrix.items():
                group[f"W/{name}"] = np.array(values, dtype=np.int32)
            group["W/x"] = W.data
            group["vectors/q"] = J @ random.normal(size=columns)
            group["vectors/mu"] = np.full(contacts, 0.3)


def relative_residual(problem, r):
    """The natural residual of freeplay/complementarity/problem/natural_residual.h, written a second time."""
    d, n = problem.dimension, problem.contacts()
    if r.shape != problem.q.shape or not np.all(np.isfinite(r)):
        return math.inf
    product = problem.W @ r
    u = product + problem.q
    entries = problem.W.tocoo()
    own = entries.row // d == entries.col // d
    blocks = np.zeros((n, d, d))
    blocks[entries.row[own] // d, entries.row[own] % d, entries.col[own] % d] = entries.data[own]
    norm = np.linalg.norm(blocks, 2, axis=(1, 2))
    largest = np.zeros(n)
    np.maximum.at(largest, entries.row // d, np.abs(entries.data))
    norm = np.where(norm > 0, norm, np.where(largest > 0, largest, 1))

    r, u = r.reshape(n, d), u.reshape(n, d)
    scaled = norm[:, None] * r
    normal = np.abs(np.minimum(scaled[:, 0], u[:, 0]))
    radius = problem.mu * np.maximum(0, scaled[:, 0])
    y = scaled[:, 1:] - u[:, 1:]
    length = np.linalg.norm(y, axis=1)
    shrink = np.where(length <= radius, 1, radius / np.where(length > 0, length, 1))
    tangential = np.linalg.norm(scaled[:, 1:] - shrink[:, None] * y, axis=1)
    scale = max(np.abs(problem.q).max(), np.abs(product).max())
    error = max(normal.max(), tangential.max())
    return float(error / scale if scale > 0 else error)


# ---- Runs --------------------------------------------------------------------------------------------------------

@dataclass
class Run:
    problem: Problem
    solver: str
    claims: bool = False
    seconds: float = math.inf
    residual: float = math.inf
    how: str = ""  # it ended, if not by returning

    def is_solved(self):
        return self.residual <= TOLERANCE and self.seconds <= self.problem.cap_s()

    def cost_s(self):
        return self.seconds if self.is_solved() else self.problem.cap_s()

    def cell(self):
        if self.is_solved():
            return f"{1e3 * self.seconds:.3g}" if self.seconds < 1 else f"{1e3 * self.seconds:.0f}"
        if self.how:
            return self.how
        return ("FALSE" if self.claims else "FAIL") + f"({self.residual:.0e})"


def time_peer(peer, problem, out):
    """In a process of its own: status, seconds and iterations in a line, then the bytes of r, as bench_solvers does."""
    solve, rows = peer.prepare(problem)
    r, u, options = np.zeros(rows), np.zeros(rows), peer.options()
    signal.setitimer(signal.ITIMER_PROF, problem.cap_s())  # ends the process
    start = time.process_time()
    status = solve(options, r, u)
    seconds = time.process_time() - start
    signal.setitimer(signal.ITIMER_PROF, 0)
    if seconds < MEASURED_S:
        fresh = [(peer.options(), np.zeros(rows), np.zeros(rows)) for _ in range(MAX_REPETITIONS)]
        done = 0
        start = time.process_time()
        while done < MAX_REPETITIONS and time.process_time() - start < MEASURED_S:
            solve(*fresh[done])
            done += 1
        seconds = max(SHORTEST_S, (time.process_time() - start) / done)
    line = f"{'solved' if status == 0 else 'failed'} {seconds:.9g} 0 {peer.label}\n"
    out.write(line.encode() + peer.impulses(problem, r).tobytes())


class Job:
    """A process that solves one problem by one solver, started at once."""

    def __init__(self, run, body):
        self.run, self.bytes = run, b""
        self.pipe, write_end = os.pipe()
        self.deadline = time.monotonic() + 60 + 20 * run.problem.cap_s()  # nobody is waited for in vain
        self.pid = os.fork()
        if self.pid == 0:
            try:
                nowhere = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(nowhere, stream)
                body(write_end)
            finally:
                os._exit(1)
        os.close(write_end)

    def receive(self):
        """False at the end."""
        part = os.read(self.pipe, 1 << 20)
        self.bytes += part
        if part:
            return True
        os.close(self.pipe)
        _, status = os.waitpid(self.pid, 0)
        if os.WIFSIGNALED(status):
            self.run.how = "cap" if os.WTERMSIG(status) == signal.SIGPROF else f"signal {os.WTERMSIG(status)}"
        self.grade()
        return False

    def grade(self):
        line, _, values = self.bytes.partition(b"\n")
        words = line.decode().split()
        if len(words) < 2 or self.run.how:
            self.run.how = self.run.how or "crash"
            return
        if words[0] == "unsupported":
            self.run.how = "n/a"
            return
        self.run.claims, self.run.seconds = words[0] == "solved", float(words[1])
        self.run.residual = relative_residual(self.run.problem, np.frombuffer(values))


def run_all(jobs_to_do):
    """[(run, body)]: as many at a time as there are cores."""
    width = len(os.sched_getaffinity(0))
    waiting, active = list(jobs_to_do), []
    while waiting or active:
        while waiting and len(active) < width:
            active.append(Job(*waiting.pop(0)))
        ready, _, _ = select.select([job.pipe for job in active], [], [], 1.0)
        for job in list(active):
            if time.monotonic() > job.deadline:
                os.kill(job.pid, signal.SIGKILL)
            if job.pipe in ready and not job.receive():
                active.remove(job)


def measure(command, paths, problems):
    """{(solver, problem's name): Run}, peers by their labels."""
    jobs, runs = [], {}

    def add(problem, solver, body):
        run = Run(problem, solver)
        runs[solver, problem.name] = run
        jobs.append((run, body))

    def ours(solver, path, problem):
        def body(out):
            os.dup2(out, 1)
            os.execv(command, [command, solver, str(path), str(problem.cap_s())])

        return body

    def theirs(peer, problem):
        def body(out):
            with os.fdopen(out, "wb") as stream:
                time_peer(peer, problem, stream)
            os._exit(0)

        return body

    for path, problem in sorted(zip(paths, problems), key=lambda pair: -pair[1].contacts()):  # long ones first
        for solver in OURS:
            if problem.dimension == 2 or solver not in PLANAR_ONLY:
                add(problem, solver, ours(solver, path, problem))
        for peer in siconos_peer.PEERS:
            add(problem, peer.label, theirs(peer, problem))
        if problem.dimension == 2:
            add(problem, siconos_peer.PLANAR.label, theirs(siconos_peer.PLANAR, problem))
    run_all(jobs)

    for problem in problems:  # in the plane a peer is as good as the better of the two
        planar = runs.pop((siconos_peer.PLANAR.label, problem.name), None)
        for peer in siconos_peer.PEERS:
            own = runs[peer.label, problem.name]
            if planar and planar.is_solved() and planar.cost_s() < (own.cost_s() if own.is_solved() else math.inf):
                runs[peer.label, problem.name] = planar
    return runs


# ---- Results -----------------------------------------------------------------------------------------------------

@dataclass
class Summary:
    solver: str
    solved: int
    problems: int
    seconds: float
    false_claims: int
    worst_false: float


def summarise(solver, runs):
    own = [run for (name, _), run in runs.items() if name == solver]
    false = [run.residual for run in own if run.claims and not run.residual <= TOLERANCE]
    return Summary(solver, sum(run.is_solved() for run in own), len(own), sum(run.cost_s() for run in own), len(false),
                   max(false, default=0))


def label_of(solver):
    return solver if solver in OURS else f"Siconos {solver}"


def print_table(problems, runs, solvers):
    names = {"semismooth-newton": "newton", "proximal-point": "prox-point", "prox-gauss-seidel": "prox-gs"}
    peers = [solver for solver in solvers if solver not in OURS]
    width = 44
    print(" " * width + f"{'freeplay':>{12 * (len(solvers) - len(peers))}}" + f"{'Siconos':>{12 * len(peers)}}")
    print(f"{'problem (contacts)':<{width}}" + "".join(f"{names.get(s, s):>12}" for s in solvers))
    for problem in problems:
        title = f"{problem.name[:31]} ({problem.contacts()})" + (" 2D" if problem.dimension == 2 else "")
        cells = [runs[s, problem.name].cell() if (s, problem.name) in runs else "" for s in solvers]
        print(f"{title:<{width}}" + "".join(f"{cell:>12}" for cell in cells))
    print(f"""
CPU ms, {TOLERANCE:g} in the relative residual. cap: not ended after {SMALL_CAP_S} s ({LARGE_CAP_S} s above \
{LARGE_CONTACTS} contacts); FAIL: gave up; FALSE: claims to have
solved it, residual above; n/a: not for this kind or size. In the plane (2D) Siconos' PROX, NSN_AC, NSGS and ADMM get the
problem in space, and its planar NSGS runs beside them: where that one is better it counts for all four.
""")


def print_summaries(summaries):
    print(f"{'':<28}{'solved':>10}{'CPU s':>10}{'false claims':>16}   (each unsolved problem costs its cap)")
    for s in summaries:
        false = f"{s.false_claims} (to {s.worst_false:.0e})" if s.false_claims else "0"
        print(f"{label_of(s.solver):<28}{f'{s.solved} / {s.problems}':>10}{s.seconds:>10.2f}{false:>16}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("command", help="the built bench_solvers")
    parser.add_argument("--data", type=Path, help="folder of problems (default: ../shared/data/friction-contact)")
    parser.add_argument("--figure", type=Path, help="where to draw the performance profile")
    parser.add_argument("--quick", action="store_true", help="only show that the benchmark works")
    arguments = parser.parse_args()
    if arguments.quick and not arguments.data:
        with tempfile.TemporaryDirectory() as folder:
            write_made_up_problems(Path(folder))
            compare(arguments, Path(folder))
    else:
        compare(arguments, arguments.data or ROOT / "../shared/data/friction-contact")


def compare(arguments, folder):
    paths = sorted(folder.glob("*.hdf5"), key=lambda path: path.name.lower())
    if not paths:
        sys.exit(f"There are no problems in {folder}: name the folder of FCLIB files with --data.")

    problems = [read_problem(path) for path in paths]
    peers = [peer.label for peer in siconos_peer.PEERS]
    runs = measure(os.path.abspath(arguments.command), paths, problems)
    print_table(problems, runs, OURS + peers)
    summaries = {solver: summarise(solver, runs) for solver in OURS + peers}
    print_summaries(summaries.values())
    everywhere = [solver for solver in OURS if solver not in PLANAR_ONLY] + peers
    if arguments.figure:
        draw_profile(arguments.figure, [problem.name for problem in problems], runs,
                     {solver: label_of(solver) for solver in everywhere}, OURS)
        print(f"\nThe performance profile: {arguments.figure}")
    auto, best = summaries["auto"], min((summaries[peer] for peer in peers), key=lambda s: (-s.solved, s.seconds))
    print(f"\nauto solves {auto.solved} in {auto.seconds:.2f} s, the best peer, {label_of(best.solver)}, {best.solved} in "
          f"{best.seconds:.2f} s")
    print(f"solvers ratio {best.seconds / auto.seconds:.2f}")


if __name__ == "__main__":
    main()
