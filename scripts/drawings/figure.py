"""A figure of gnuplot, runs of examples, and what most drawings need of both."""

import csv
import json
import math
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# Okabe and Ito's colours: told apart by everyone, and in grey on paper.
BLUE, ORANGE, GREEN, PINK, SKY, YELLOW = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"
BLACK, GREY, LIGHT = "#222222", "#777777", "#BBBBBB"

STYLE = f"""
set encoding utf8
set border 3 lc rgb "{GREY}" lw 1
set tics nomirror out scale 0.6 textcolor rgb "{BLACK}"
set xtics offset 0,0.35
set xlabel offset 0,0.7 textcolor rgb "{BLACK}"
set ylabel offset 0.7,0 textcolor rgb "{BLACK}"
set title offset 0,-0.7 textcolor rgb "{BLACK}"
set grid lc rgb "#E4E4E4" lw 0.8 lt 1
set key samplen 2 spacing 1.25 textcolor rgb "{BLACK}"
set label textcolor rgb "{BLACK}"
set style fill transparent solid 0.25 noborder
"""

CANVAS = '<g id="gnuplot_canvas">'
DARK = """<style>@media (prefers-color-scheme: dark) { #gnuplot_canvas { filter: invert(0.92) hue-rotate(180deg); } }</style>

"""


class Gnuplot:
    """One figure: a script, and the data it plots."""

    def __init__(self, width, height):
        self.size = (width, height)
        self.blocks = []
        self.lines = []

    def __call__(self, text):
        self.lines.append(text)

    def data(self, *columns):
        """A data block of columns; a row of None leaves a gap. Returns its name for `plot`."""
        name = f"$data{len(self.blocks)}"
        rows = ("" if row[0] is None else " ".join(f"{x:.6g}" for x in row) for row in zip(*columns))
        self.blocks.append("\n".join([f"{name} << EOD", *rows, "EOD"]))
        return name

    def points(self, points):
        """The same for complex numbers."""
        return self.data([p and p.real for p in points], [p and p.imag for p in points])

    def write(self, path):
        head = 'set terminal svg size {},{} dynamic enhanced font "Helvetica,14" linewidth 1.3 background "white"'
        script = [head.format(*self.size), f'set output "{path}"', STYLE, *self.blocks, *self.lines, ""]
        subprocess.run(["gnuplot"], input="\n".join(script), text=True, check=True)
        # As `freeplay plot` does it: on dark pages light and dark change places, and hues stay.
        svg = Path(path).read_text(encoding="utf-8")
        Path(path).write_text(svg.replace(CANVAS, DARK + CANVAS, 1), encoding="utf-8")


class Examples:
    """Runs examples with the command and reads their channels back."""

    def __init__(self, command):
        self.command = command

    def command_line(self, name, folder, settings):
        sets = [word for setting in settings for word in ("--set", setting)]
        return [self.command, "run", str(ROOT / "examples" / f"{name}.yaml"), "--out", folder, *sets]

    def measures(self, name, *settings):
        """What the summary tells of a run."""
        with tempfile.TemporaryDirectory() as folder:
            line = [*self.command_line(name, folder, settings), "--json"]
            return json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)["measures"]

    def impacts(self, name, *settings):
        """The table of impacts, row by row."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([*self.command_line(name, folder, settings), "--quiet"], check=True)
            line = [self.command, "export", folder, "--impacts", "-"]
            text = subprocess.run(line, check=True, capture_output=True, text=True).stdout
            return list(csv.DictReader(text.splitlines()))

    def run(self, name, channels, *settings):
        with tempfile.TemporaryDirectory() as folder:
            table = str(Path(folder, "table.csv"))
            subprocess.run([*self.command_line(name, folder, settings), "--quiet"], check=True)
            columns = ["--channels", ",".join(channels)]
            subprocess.run([self.command, "export", folder, "--csv", table, *columns], check=True)
            with open(table, newline="") as file:
                rows = csv.reader(file)
                names = next(rows)
                return dict(zip(names, map(list, zip(*([float(x) for x in row] for row in rows)))))


def on_grid(run, step):
    """Only the rows at multiples of `step`."""
    keep = [i for i, t in enumerate(run["time"]) if abs(t / step - round(t / step)) < 1e-6]
    return {name: [values[i] for i in keep] for name, values in run.items()}


def degrees(values):
    return [math.degrees(x) for x in values]


def thinned(run, n):
    """Every n-th row."""
    return {name: values[::n] for name, values in run.items()}


def milliseconds(run):
    return [1000 * t for t in run["time"]]


def every(values, n):
    """Every n-th value, and the last."""
    return values[::n] + ([] if (len(values) - 1) % n == 0 else values[-1:])


def line(block, width, colour, title=None, dash=1):
    """One curve of a `plot`."""
    named = f'title "{title}"' if title else "notitle"
    return f'{block} with lines lw {width} dt {dash} lc rgb "{colour}" {named}'
