"""Figures that `freeplay plot` cannot draw: mechanisms, closed forms beside runs, sweeps over many runs.

figures.py calls this; needs gnuplot, nothing beyond Python's standard library.
"""

import cmath
import csv
import math
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

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


class Examples:
    """Runs examples with the command and reads their channels back."""

    def __init__(self, command):
        self.command = command

    def run(self, name, channels, *settings):
        with tempfile.TemporaryDirectory() as folder:
            sets = [word for setting in settings for word in ("--set", setting)]
            model = str(ROOT / "examples" / f"{name}.yaml")
            table = str(Path(folder, "table.csv"))
            subprocess.run([self.command, "run", model, "--out", folder, "--quiet", *sets], check=True)
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


# ---- Double pendulum -----------------------------------------------------------------------------------------------


def double_pendulum(examples):
    def tip(grid, *settings):
        """Time and path of the lower end."""
        channels = ["lower.x", "lower.y", "lower.angle"]
        run = on_grid(examples.run("double_pendulum", channels, f"simulate.step={grid} s", *settings), grid)
        return run["time"], [complex(x, y) + cmath.rect(0.5, a) for x, y, a in zip(*(run[c] for c in channels))]

    _, path = tip(0.01)
    time, first = tip(0.02, "simulate.duration=30 s")
    _, second = tip(0.02, "simulate.duration=30 s", "angle2=1e-9 rad")
    apart = [abs(a - b) for a, b in zip(first, second)]

    plot = Gnuplot(900, 400)
    plot("set multiplot; set tmargin at screen 0.90; set bmargin at screen 0.15; unset key")
    plot('set lmargin at screen 0.07; set rmargin at screen 0.52; set title "Path of the tip in 10 s"')
    plot('set xlabel "x  [m]"; set ylabel "y  [m]"')
    plot("set size ratio -1; set xrange [-2.2:2.2]; set yrange [-2.25:1.0]; set xtics 1; set ytics 1")
    plot('set label "let go at rest" at 1,0.25 center')
    plot(f'plot {plot.points(path)} with lines lw 0.8 lc rgb "{BLUE}", \\')
    plot(f'  {plot.points([0j, 1 + 0j, 2 + 0j])} with linespoints lw 3 pt 7 ps 0.6 lc rgb "{BLACK}"')
    plot('unset label; set title "Two starts, 1 nrad apart"')
    plot('set xlabel "time  [s]"; set ylabel "distance of the tips  [m]"')
    plot("set lmargin at screen 0.64; set rmargin at screen 0.985; set size noratio; set logscale y")
    plot('set xrange [0:30]; set yrange [1e-10:100]; set xtics 5; set ytics 1e-10, 100, 100; set format y "10^{%L}"')
    plot("set mytics 1")
    plot(f'plot {plot.data(time, apart)} with lines lw 1.5 lc rgb "{ORANGE}"')
    return plot


# ---- Four-bar linkage ----------------------------------------------------------------------------------------------

BASE, CRANK, COUPLER, ROCKER, POINT = 0.3, 0.1, 0.25, 0.2, 0.125 + 0.1j  # of four_bar.yaml


def four_bar_linkage(examples):
    """The linkage in several positions and its coupler curve: the picture of the README."""
    bodies = [f"{body}.{what}" for body in ("crank", "coupler", "rocker") for what in ("x", "y", "angle")]
    run = examples.run("four_bar", bodies, "simulate.duration=2*pi/speed")
    mm = 1000

    def pose(i):
        theta, psi = run["crank.angle"][i], run["coupler.angle"][i]
        A = cmath.rect(CRANK, theta)
        B = A + cmath.rect(COUPLER, psi)
        return A * mm, B * mm, complex(run["coupler.x"][i], run["coupler.y"][i]) * mm

    def links(i):
        A, B, C = pose(i)
        return [0j, A, None, B, BASE * mm + 0j, None, A, B, C, A]

    rows = len(run["time"])  # one every 2 degrees
    curve = [pose(i)[2] for i in range(rows)]
    rocker_path = [pose(i)[1] for i in range(rows)]
    crank_path = [cmath.rect(CRANK * mm, math.radians(k)) for k in range(0, 361, 3)]
    shown, others = 25, [70, 115, 160]
    ground = []
    for x in (0, BASE * mm):
        ground += [x + 0j, x - 16 - 28j, x + 16 - 28j, x + 0j, None, x - 26 - 28j, x + 26 - 28j, None]
        for k in range(6):
            ground += [x - 24 + 9.6 * k - 28j, x - 31 + 9.6 * k - 37j, None]

    plot = Gnuplot(820, 520)
    plot("set size ratio -1; set xrange [-130:350]; set yrange [-112:250]; set margins 0,0,0,0")
    plot("unset border; unset tics; unset grid; unset key")
    A, B, C = pose(shown)
    plot(f'set label "crank" at {A.real / 2 + 8},{A.imag / 2 - 6} left front')
    plot(f'set label "coupler" at {(A + B + C).real / 3 + 6},{(A + B + C).imag / 3} center front')
    plot(f'set label "rocker" at {(B.real + BASE * mm) / 2 + 10},{B.imag / 2} left front')
    top = max(curve, key=lambda p: p.imag)
    plot(f'set label "coupler curve" at {top.real - 38},{top.imag + 2} right front textcolor rgb "{ORANGE}"')
    curves = [f'{plot.points([p for p in pose(i)])} with filledcurves closed fc rgb "#DDDDDD"' for i in others]
    curves += [f'{plot.points(links(i))} with lines lw 1 lc rgb "{LIGHT}"' for i in others]
    curves += [f'{plot.points(path)} with lines lw 1 dt 2 lc rgb "{GREY}"' for path in (crank_path, rocker_path)]
    curves.append(f'{plot.points(curve)} with lines lw 3 lc rgb "{ORANGE}"')
    curves.append(f'{plot.points(ground)} with lines lw 1.2 lc rgb "{BLACK}"')
    curves.append(f'{plot.points([A, B, C])} with filledcurves closed fc rgb "{SKY}"')
    curves.append(f'{plot.points(links(shown))} with lines lw 4 lc rgb "{BLUE}"')
    pins = plot.points([0j, A, B, BASE * mm + 0j])
    curves.append(f'{pins} with points pt 7 ps 1.1 lc rgb "white"')
    curves.append(f'{pins} with points pt 6 ps 1.1 lw 2 lc rgb "{BLACK}"')
    curves.append(f'{plot.points([C])} with points pt 7 ps 1.1 lc rgb "{ORANGE}"')
    plot("plot " + ", ".join(curves))
    return plot


# ---- Slider-crank with clearance -------------------------------------------------------------------------------------

def thinned(run, n):
    """Every n-th row."""
    return {name: values[::n] for name, values in run.items()}


def milliseconds(run):
    return [1000 * t for t in run["time"]]


def slider_crank_step(examples):
    def crank_speed(step, choice, every):
        return examples.run("slider_crank", ["crank.omega"], "duration=100 ms", f"step={step} s",
                            f"simulate.velocity_forces={choice}", f"record={{every: {every}, channels: [crank.omega]}}")

    plot = Gnuplot(900, 400)
    plot("set multiplot layout 1,2 margins 0.085,0.985,0.15,0.90 spacing 0.125")
    plot('set title "Crank speed"; set xlabel "time  [ms]"; set ylabel "[rad/s]"')
    plot("set xrange [0:100]; set yrange [60:200]; set xtics 20; set ytics 20")
    plot("set key at graph 0.98, graph 0.99 right top")
    shown = [(1e-6, "start", 200, LIGHT, 5, "start, 1 us"), (1e-4, "midpoint", 2, BLUE, 1.6, "midpoint, 100 us"),
             (1e-4, "start", 2, ORANGE, 1.6, "start, 100 us")]
    curves = []
    for step, choice, every, colour, width, title in shown:
        run = crank_speed(step, choice, every)
        block = plot.data(milliseconds(run), run["crank.omega"])
        curves.append(f'{block} with lines lw {width} lc rgb "{colour}" title "{title}"')
    plot("plot " + ", ".join(curves))
    plot('set title "Its error after 100 ms"; set xlabel "step  [us]"; set ylabel "[rad/s]"; set logscale xy')
    plot('set xrange [0.7:140]; set yrange [1e-4:100]; set xtics 10; set ytics 10; set format y "10^{%L}"')
    plot("set mxtics 10; set mytics 10; set key at graph 0.98, graph 0.04 right bottom")
    steps = [1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6, 1e-6]
    exact = 135.873  # rad/s, event-driven
    curves = []
    for choice, colour in (("start", ORANGE), ("midpoint", BLUE)):
        errors = [abs(crank_speed(step, choice, 100000)["crank.omega"][-1] - exact) for step in steps]
        block = plot.data([1e6 * step for step in steps], errors)
        curves.append(f'{block} with linespoints lw 1.6 pt 7 ps 0.6 lc rgb "{colour}" title "{choice}"')
    curves.append(f'0.15 * x with lines lw 1 dt 2 lc rgb "{GREY}" title "first order"')
    plot("plot " + ", ".join(curves))
    return plot


# ---- Spinning top --------------------------------------------------------------------------------------------------


def spinning_top(examples):
    # The same tilt and spin, three initial rates of precession.
    cases = [("steady", [], BLACK), ("let go: cusps", ["precession=0 rad/s"], BLUE),
             ("pushed back: loops", ["precession=-4 rad/s"], ORANGE)]
    runs = [examples.run("spinning_top", ["top.x", "top.y", "top.z"], "simulate.duration=1.6 s", *settings)
            for _, settings, _ in cases]
    runs = [on_grid(run, 0.005) for run in runs]

    plot = Gnuplot(900, 430)
    plot("set multiplot layout 1,2 margins 0.075,0.985,0.15,0.90 spacing 0.12")
    plot('set title "Centre of mass, seen from above"; unset key')
    plot('set size ratio -1; set xrange [-52:52]; set yrange [-52:52]; set xtics 25; set ytics 25')
    plot('set xlabel "x  [mm]"; set ylabel "y  [mm]"')
    paths = []
    for run, (_, _, colour) in zip(runs, cases):
        block = plot.data([1000 * x for x in run["top.x"]], [1000 * y for y in run["top.y"]])
        paths.append(f'{block} with lines lw 2 lc rgb "{colour}"')
    paths.append(f'{plot.points([0j])} with points pt 1 lc rgb "{BLACK}"')
    plot("plot " + ", ".join(paths))
    plot('set title "Tilt of the axis"; set key bottom right')
    plot("set size noratio; set xrange [0:1.6]; set yrange [55:25]; set xtics 0.4; set ytics 5")
    plot('set xlabel "time  [s]"; set ylabel "angle against the vertical  [deg]"')
    curves = []
    for run, (title, _, colour) in zip(runs, cases):
        tilt = [math.degrees(math.acos(z / 0.06)) for z in run["top.z"]]
        curves.append(f'{plot.data(run["time"], tilt)} with lines lw 2 lc rgb "{colour}" title "{title}"')
    plot("plot " + ", ".join(curves))
    return plot


# ---- Compound pendulum on an inclined axis ---------------------------------------------------------------------------


def elliptic_K(k):
    """Complete elliptic integral of the first kind, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - k * k)
    while abs(a - b) > 1e-15 * a:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / (2 * a)


def first_return(run):
    """Time between the first two downward passages through zero; rows are 5 ms apart, so a line is good for a plot."""
    q, t = run["hinge.q"], run["time"]
    passes = [t[i] + (t[i + 1] - t[i]) * q[i] / (q[i] - q[i + 1]) for i in range(len(q) - 1) if q[i] > 0 >= q[i + 1]]
    return passes[1] - passes[0]


def spatial_pendulum(examples):
    run = examples.run("spatial_pendulum", ["hinge.q"], "simulate.duration=5 s")
    arm, inertia = 0.2, 3 * (0.4**2 + 0.01**2) / 12 + 3 * 0.2**2
    small = 2 * math.pi * math.sqrt(inertia / (3 * 9.81 * math.cos(math.radians(30)) * arm))
    amplitudes = [5, 30, 60, 90, 120, 140, 155, 165, 172, 176]
    measured = [first_return(examples.run("spatial_pendulum", ["hinge.q"], f"amplitude={a} deg")) / small
                for a in amplitudes]
    angles = [k / 2 for k in range(2, 357)]
    theory = [2 / math.pi * elliptic_K(math.sin(math.radians(a) / 2)) for a in angles]

    plot = Gnuplot(900, 400)
    plot("set multiplot layout 1,2 margins 0.085,0.985,0.16,0.90 spacing 0.11")
    plot('set title "Swing from 120 deg"; set xlabel "time  [s]"; set ylabel "angle  [deg]"')
    plot("set xrange [0:5]; set yrange [-130:180]; set xtics 1; set ytics 60; set key top center maxrows 1")
    cosine = [120 * math.cos(2 * math.pi * t / small) for t in run["time"]]
    plot(f'plot {plot.data(run["time"], cosine)} with lines lw 1.2 dt 2 lc rgb "{GREY}" title "small swings", \\')
    plot(f'  {plot.data(run["time"], degrees(run["hinge.q"]))} with lines lw 2 lc rgb "{BLUE}" title "freeplay"')
    plot('set title "Period over that of small swings"; set xlabel "amplitude  [deg]"; unset ylabel')
    plot("set xrange [0:180]; set yrange [0.9:3.1]; set xtics 30; set ytics 0.5; set key top left maxrows 2")
    plot(f'plot {plot.data(angles, theory)} with lines lw 2 lc rgb "{ORANGE}" title "elliptic integral", \\')
    plot(f'  {plot.data(amplitudes, measured)} with points pt 7 ps 0.7 lc rgb "{BLACK}" title "freeplay"')
    return plot


# ---- Andrews' squeezing mechanism ------------------------------------------------------------------------------------


def andrews_squeezer(examples):
    angles = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"]
    run = examples.run("andrews_squeezer", [f"{name}.q" for name in angles])
    A, B, C = -69.34 - 2.27j, -36.35 + 32.73j, 14 + 72j  # mm

    def links(i):
        """The seven bodies as outlines, in the order K1 to K7, and the points P and D."""
        b, th, g, ph, d, om, ep = (run[f"{name}.q"][i] for name in angles)
        e1, e2, e3, e5, e4, e7, e6 = (cmath.rect(1, x) for x in (b, b + th, g, d, d + ph, ep, ep + om))
        K1, K5, K7 = 7 * e1, A + 40 * e5, A - 40j * e7
        P, D = B - 35j * e3, B + (20 - 18j) * e3
        K5_side, K7_side = A + (23.08 + 9.16j) * e5, A + (-4.49 - 12.28j) * e7
        return [[0j, K1], [K1, P], [B, P, D, B], [K5, P], [A, K5, K5_side, A], [K7, P], [A, K7, K7_side, A]], P, D

    plot = Gnuplot(940, 430)
    plot("set multiplot; set tmargin at screen 0.90; set bmargin at screen 0.15")
    plot('set title "The seven angles"; set lmargin at screen 0.47; set rmargin at screen 0.87')
    plot('set xlabel "time  [ms]"; set ylabel "angle  [rad]"; set key at screen 0.995, screen 0.9 top right')
    plot("set xrange [0:30]; set yrange [-0.8:1.8]; set xtics 5; set ytics 0.5")
    time = [1000 * t for t in run["time"]]
    styles = {
        "beta": ("β / 10", 0.1, ORANGE, 1),
        "theta": ("−Θ / 10", -0.1, ORANGE, 2),
        "gamma": ("γ", 1, BLUE, 1),
        "phi": ("Φ = −Ω", 1, PINK, 1),
        "delta": ("δ", 1, GREEN, 1),
        "epsilon": ("ε", 1, BLACK, 1),
    }
    curves = []
    for name, (title, factor, colour, dash) in styles.items():
        block = plot.data(time, [factor * q for q in run[f"{name}.q"]])
        curves.append(f'{block} with lines lw 2 dt {dash} lc rgb "{colour}" title "{title}"')
    plot("plot " + ", ".join(curves))

    plot('set title "At the start"; set lmargin at screen 0.01; set rmargin at screen 0.40; set bmargin at screen 0.03')
    plot("set size ratio -1; set xrange [-80:25]; set yrange [-40:80]; unset border; unset tics; unset grid; unset key")
    plot("unset xlabel; unset ylabel")
    outlines, P, D = links(0)
    colours = [ORANGE, BLACK, BLUE, GREEN, GREEN, PINK, PINK]
    spring = [C]
    for k in range(1, 24):
        side = 0 if k in (1, 2, 22, 23) else (2.2 if k % 2 else -2.2)
        spring.append(C + (D - C) * k / 24 + side * 1j * (D - C) / abs(D - C))
    spring.append(D)
    labels = {"K1": 11 + 0j, "K2": -11 - 4j, "K3": -23 + 21j, "K4": -34 + 6j, "K5": -53 + 10j, "K6": -21 - 8j,
              "K7": -58 - 17j, "A": A - 4, "B": B - 4, "C": C - 4, "O": 5j, "P": P - 5 - 2j, "D": D + 4 - 1j}
    for text, at in labels.items():
        plot(f'set label "{text}" at {at.real},{at.imag} center front')
    curves = [f'{plot.points(spring)} with lines lw 1.2 lc rgb "{GREY}"']
    for outline, colour in reversed(list(zip(outlines, colours))):
        block = plot.points(outline)
        if len(outline) > 2:
            curves.append(f'{block} with filledcurves closed fc rgb "{colour}"')
        curves.append(f'{block} with lines lw 2.5 lc rgb "{colour}"')
    ground, pins = plot.points([0j, A, B, C]), plot.points([P, D, outlines[0][1], outlines[3][0], outlines[5][0]])
    curves.append(f'{ground} with points pt 5 ps 0.7 lc rgb "{BLACK}"')
    curves.append(f'{pins} with points pt 7 ps 0.5 lc rgb "{BLACK}"')
    plot("plot " + ", ".join(curves))
    return plot


# ---- Impact and friction, one body ---------------------------------------------------------------------------------

GRAVITY = 9.81


def every(values, n):
    """Every n-th value, and the last."""
    return values[::n] + ([] if (len(values) - 1) % n == 0 else values[-1:])


def bouncing_ball(examples):
    run = examples.run("bouncing_ball", ["bounce.gap"])
    e, fall = 0.5, math.sqrt(2 / GRAVITY)
    # Apex k lies in the middle between the impacts k and k + 1.
    impacts = [fall * (1 + 2 * sum(e**j for j in range(1, k))) for k in range(1, 13)]
    middle = [(a + b) / 2 for a, b in zip(impacts, impacts[1:])]
    height = [e ** (2 * k) for k in range(1, 12)]

    plot = Gnuplot(900, 400)
    plot("set multiplot layout 1,2 margins 0.075,0.985,0.15,0.90 spacing 0.13")
    plot('set title "Height of the lowest point"; set xlabel "time  [s]"; set ylabel "height  [m]"')
    plot("set xrange [0:1.6]; set yrange [0:1.05]; set xtics 0.4; set ytics 0.25; set key top right")
    block = plot.data(every(run["time"], 20), every(run["bounce.gap"], 20))
    plot(f'plot {block} with lines lw 2 lc rgb "{BLUE}" title "freeplay", \\')
    plot(f'  {plot.data(middle, height)} with points pt 6 ps 0.8 lc rgb "{BLACK}" title "e^{{2k}} h"')
    plot('set title "The same, towards the end of the impacts"; set key bottom left; set format y "10^{%L}"')
    plot("set logscale y; set xrange [1.1:1.4]; set yrange [1e-7:0.1]; set xtics 0.1; set ytics 100")
    plot(f'set arrow from {fall * 3},1e-7 to {fall * 3},1e-2 nohead lw 1.2 dt 2 lc rgb "{GREY}"')
    plot(f'set label "Zeno time" at {fall * 3 - 0.005},2e-2 center')
    rows = [(t, g if g > 1e-8 else None) for t, g in zip(run["time"], run["bounce.gap"]) if t > 1.1]
    block = plot.data([None if g is None else t for t, g in rows], [g for _, g in rows])
    plot(f'plot {block} with lines lw 1.5 lc rgb "{BLUE}" title "freeplay", \\')
    plot(f'  {plot.data(middle, height)} with points pt 6 ps 0.8 lc rgb "{BLACK}" title "e^{{2k}} h"')
    return plot


def sphere_tangential_restitution(examples):
    frictions = [k / 50 for k in range(0, 21)]
    ends = []
    for mu in frictions:
        run = examples.run("sphere_tangential_restitution", ["sphere.vx", "sphere.omega"], f"friction={mu}")
        ends.append((run["sphere.vx"][-1], 0.1 * run["sphere.omega"][-1]))
    fine = [k / 400 for k in range(0, 161)]
    impulse = [-min(1.5 * 2 / 3.5, 5.4 * mu) for mu in fine]

    plot = Gnuplot(700, 400)
    plot('set xlabel "friction µ"; set ylabel "after the impact  [m/s]"; set margins 8,2,3,1')
    plot("set xrange [0:0.4]; set yrange [-3:4.5]; set xtics 0.1; set ytics 1; set key top right")
    limit = 1.5 * 2 / 3.5 / 5.4
    plot(f'set arrow from {limit},-3 to {limit},4.5 nohead lw 1.2 dt 2 lc rgb "{GREY}"')
    plot(f'set label "slips" at {limit - 0.01},-2.6 right; set label "sticks" at {limit + 0.01},-2.6 left')
    lines = [("velocity of the centre", [2 + p for p in impulse], BLUE),
             ("speed of the surface by its spin", [2.5 * p for p in impulse], ORANGE),
             ("velocity at the contact point", [2 + 3.5 * p for p in impulse], GREEN)]
    curves = [f'{plot.data(fine, values)} with lines lw 2 lc rgb "{colour}" title "{title}"'
              for title, values, colour in lines]
    for values in ([v for v, _ in ends], [w for _, w in ends], [v + w for v, w in ends]):
        curves.append(f'{plot.data(frictions, values)} with points pt 6 ps 0.7 lc rgb "{BLACK}" notitle')
    plot("plot " + ", ".join(curves))
    return plot


# ---- Rods on their tip -----------------------------------------------------------------------------------------------


def painleve_rod(examples):
    frictions = [0.2 * k for k in range(0, 6)] + [1.1, 1.2, 1.25, 1.3, 1.32, 1.35, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.4]
    jumps = []
    for mu in frictions:
        settings = [f"friction={mu}", "step=1 us", "duration=1 us"]
        jumps.append(examples.run("painleve_rod", ["slide.normal_impulse"], *settings)["slide.normal_impulse"][-1])
    run = examples.run("painleve_rod", ["rod.angle", "rod.vx", "rod.omega"], "friction=2")
    # Tip velocity along the floor: the centre's, and the turning rod's.
    tip = [v + w * math.sin(a) for v, w, a in zip(run["rod.vx"], run["rod.omega"], run["rod.angle"])]

    plot = Gnuplot(900, 400)
    plot("set multiplot layout 1,2 margins 0.085,0.985,0.15,0.90 spacing 0.13; unset key")
    plot('set title "Impulse in the first microsecond"; set xlabel "friction µ"; set ylabel "normal impulse  [N s]"')
    plot("set xrange [0:2.4]; set yrange [-0.02:0.36]; set xtics 0.4; set ytics 0.1")
    plot(f'set arrow from 4./3,-0.02 to 4./3,0.36 nohead lw 1.2 dt 2 lc rgb "{GREY}"')
    plot('set label "4/3" at 1.30,0.335 right')
    steps = [(0, 0), (4 / 3, 0), None, (4 / 3, 0.3), (2.4, 0.3)]
    block = plot.points([p and complex(*p) for p in steps])
    plot(f'plot {block} with lines lw 2 lc rgb "{ORANGE}", \\')
    plot(f'  {plot.data(frictions, jumps)} with points pt 6 ps 0.8 lc rgb "{BLACK}"')
    plot('unset arrow; unset label; set title "Rod and tip, µ = 2"; set xlabel "time  [s]"')
    plot('set ylabel "velocity  [m/s]"; set key bottom right')
    plot("set xrange [-0.02:0.3]; set yrange [-1.1:0.9]; set xtics 0.1; set ytics 0.5")
    before = [-0.02, 0]
    plot(f'set arrow from 0,-1.1 to 0,0.9 nohead lw 0.8 dt 3 lc rgb "{GREY}"')
    rows = slice(0, None, 100)
    for_tip = plot.data(before + run["time"][1:][rows], [-1, -1] + tip[1:][rows])
    for_centre = plot.data(before + run["time"][1:][rows], [-1, -1] + run["rod.vx"][1:][rows])
    for_turn = plot.data(before + run["time"][1:][rows], [0, 0] + run["rod.omega"][1:][rows])
    plot(f'plot {for_tip} with lines lw 2 lc rgb "{ORANGE}" title "tip, along the floor", \\')
    plot(f'  {for_centre} with lines lw 2 lc rgb "{BLUE}" title "centre, along the floor", \\')
    plot(f'  {for_turn} with lines lw 2 lc rgb "{GREEN}" title "angular velocity  [rad/s]"')
    return plot


# ---- Four-bar linkage with play --------------------------------------------------------------------------------------


def cam_roller(examples):
    channels = ["follower.y", "contact.gap", "contact.normal_force", "roller.omega"]
    runs = [("600 rpm", examples.run("cam_roller", channels, "duration=0.1s"), BLUE),
            ("2200 rpm", examples.run("cam_roller", channels, "cam_speed=2200 rpm", "duration=0.1s"), ORANGE)]
    plot = Gnuplot(900, 640)
    plot("set multiplot layout 2,2 margins 0.075,0.985,0.12,0.94 spacing 0.11,0.19")
    # phi runs clockwise from the follower; the cam has turned by a quarter.
    roller = [10 * cmath.exp(1j * math.radians(i)) for i in range(361)]
    contour = [(30 + 6 * (1 - math.cos(a))) * 1j * cmath.exp(-1j * a) * cmath.exp(1j * math.pi / 2)
               for a in (math.radians(i) for i in range(361))]
    top = next(y for t, y in zip(runs[0][1]["time"], runs[0][1]["follower.y"]) if t >= 0.025) * 1e3
    plot('set title "The cam after a quarter of a turn"; set size ratio -1; unset xlabel; unset ylabel; unset key')
    plot("set xrange [-50:50]; set yrange [-45:65]; set xtics 25; set ytics 25")
    plot(f'plot {plot.points(contour)} with filledcurves closed fc rgb "{LIGHT}", \\')
    plot(f'  {plot.points(contour)} with lines lw 1.8 lc rgb "{BLACK}", \\')
    plot(f'  {plot.points([1j * top + p for p in roller])} with lines lw 1.8 lc rgb "{BLUE}", \\')
    plot(f'  {plot.points([0j, 0.01j])} with points pt 7 ps 0.4 lc rgb "{BLACK}"')
    plot('set size noratio; set xlabel "time  [ms]"; set key top right; set xrange [0:100]; set xtics 20')

    def curves(channel, scale):
        words = []
        for name, run, colour in runs:
            block = plot.data(every([1e3 * t for t in run["time"]], 10), every([scale * v for v in run[channel]], 10))
            words.append(f'{block} with lines lw 1.8 lc rgb "{colour}" title "{name}"')
        return "plot " + ", ".join(words)

    plot('set title "Contact force (mean over ten steps)"; set ylabel "force  [N]"; set yrange [0:500]; set ytics 100; set key horizontal')
    plot(curves("contact.normal_force", 1))
    plot('set title "Gap"; set ylabel "gap  [mm]"; set yrange [-0.1:3]; set ytics 1')
    plot(curves("contact.gap", 1e3))
    plot('set title "Speed of the roller"; set ylabel "speed  [rad/s]"; set yrange [-1200:200]; set ytics 400')
    plot(curves("roller.omega", 1))
    return plot


# ---- Spatial joints with play ----------------------------------------------------------------------------------------


def line(block, width, colour, title=None, dash=1):
    """One curve of a `plot`."""
    named = f'title "{title}"' if title else "notitle"
    return f'{block} with lines lw {width} dt {dash} lc rgb "{colour}" {named}'


# ---- Solids in space -------------------------------------------------------------------------------------------------


def rolling_ball(examples):
    R, mu, v0 = 0.03, 0.2, 2.0

    def exact(spin, t):
        """Velocity and place of the centre: the slip keeps its direction until it is gone."""
        slip = v0 - complex(R * spin[1], -R * spin[0])
        sliding = min(t, 2 * abs(slip) / (7 * mu * GRAVITY))
        pull = -mu * GRAVITY * slip / abs(slip)
        v = v0 + pull * sliding
        return v, v0 * sliding + pull * sliding**2 / 2 + v * (t - sliding)

    plot = Gnuplot(900, 380)
    plot("set multiplot layout 1,2 margins 0.09,0.985,0.15,0.90 spacing 0.11")
    plot('set title "Pushed along x; dots: closed form"; set xlabel "time  [s]"; set ylabel "velocity  [m/s]"')
    plot("set xrange [0:1.4]; set xtics 0.2; set yrange [-0.6:3.2]; set ytics 0.5; set key top right")
    marks = [0.1 * k for k in range(15)]
    curves = []
    for spin, title, colour in (((0, 0), "no spin", BLUE), ((0, -200), "back spin, 200 rad/s", ORANGE)):
        settings = ["duration=1.4 s", f"bodies.ball.initial.omega_y={spin[1]} rad/s"]
        run = thinned(examples.run("rolling_ball", ["ball.vx", "ball.omega_y"], *settings), 10)
        curves.append(line(plot.data(run["time"], run["ball.vx"]), 2, colour, title))
        if not spin[1]:
            rolling = [R * w for w in run["ball.omega_y"]]
            curves.append(line(plot.data(run["time"], rolling), 1.5, SKY, "its radius times spin", dash=2))
        dots = plot.data(marks, [exact(spin, t)[0].real for t in marks])
        curves.append(f'{dots} with points pt 6 ps 0.7 lc rgb "{BLACK}" notitle')
    plot("plot " + ", ".join(curves))
    plot('set title "Paths from above; dots: every 0.1 s, closed form"; set xlabel "x  [m]"; set ylabel "y  [m]"')
    plot("set xrange [0:2.5]; set yrange [-1.0:1.4]; set xtics 0.5; set ytics 0.4; set key top left Left reverse")
    curves = []
    for spin, title, colour in (((-80, 0), "80 rad/s about -x", GREEN), ((0, 0), "no spin", BLUE),
                                ((80, 0), "80 rad/s about x", PINK)):
        settings = [f"bodies.ball.initial.omega_{c}={w} rad/s" for c, w in zip("xy", spin)]
        run = thinned(examples.run("rolling_ball", ["ball.x", "ball.y"], "duration=1.4 s", *settings), 20)
        curves.append(line(plot.data(run["ball.x"], run["ball.y"]), 2, colour, title))
        dots = plot.points([exact(spin, 0.1 * k)[1] for k in range(1, 15)])
        curves.append(f'{dots} with points pt 6 ps 0.7 lc rgb "{BLACK}" notitle')
    plot("plot " + ", ".join(curves))
    return plot


def box_stack(examples):
    a, b, names = 0.1, 0.06, ("low", "middle", "high")
    channels = [f"{name}.{c}" for name in names for c in ("x", "z", "e0", "e2")]
    record = f"record=[{', '.join(channels)}]"

    def outlines(run, row, tilt):
        """The boxes from the side, in axes with gravity downwards."""
        corners = []
        for name in names:
            x, z, e0, e2 = (run[f"{name}.{c}"][row] for c in ("x", "z", "e0", "e2"))
            turn = cmath.rect(1, -2 * math.atan2(e2, e0))
            for u, w in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)):
                corners.append((complex(x, z) + complex(u * a / 2, w * b / 2) * turn) * cmath.rect(1000, -tilt))
            corners.append(None)
        return corners

    def lean(run):
        return 2 * math.degrees(math.atan2(run["high.e2"][-1], run["high.e0"][-1]))

    tilt = math.radians(31)
    run = examples.run("box_stack", channels, f"tilt={tilt} rad", "duration=0.7 s", record)
    plot = Gnuplot(900, 400)
    plot("set multiplot; set tmargin at screen 0.90; set bmargin at screen 0.15; unset key")
    plot('set lmargin at screen 0.06; set rmargin at screen 0.60; set title "On a slope of 31 degrees"')
    plot('set xlabel "[mm]"; set ylabel "[mm]"; set size ratio -1')
    plot("set xrange [-90:470]; set yrange [-290:200]; set xtics 100; set ytics 100")
    slope = [cmath.rect(1000 * x, -tilt) for x in (-0.1, 0.46)]
    curves = [f'{plot.points(slope)} with lines lw 2 lc rgb "{GREY}"']
    for time, colour in ((0, GREY), (0.4, SKY), (0.5, GREEN), (0.6, ORANGE), (0.7, BLUE)):
        curves.append(f'{plot.points(outlines(run, round(1000 * time), tilt))} with lines lw 2 lc rgb "{colour}"')
        plot(f'set label "{time:g} s" at graph 0.88, graph {0.95 - 0.6 * time:.3f} textcolor rgb "{colour}"')
    plot("plot " + ", ".join(curves))

    plot("unset label; set lmargin at screen 0.70; set rmargin at screen 0.985; set size noratio")
    plot('set title "Lean of the upper box after 0.3 s"; set xlabel "slope  [deg]"; set ylabel "[deg]"')
    plot('set xrange [28:31]; set xtics 1; set logscale y; set yrange [1e-12:100]; set ytics 1e-12, 1e4, 100')
    plot('set format y "10^{%L}"')
    critical = math.degrees(math.atan(a / (3 * b)))
    plot(f'set arrow from {critical},1e-12 to {critical},100 nohead lw 1 dt 2 lc rgb "{BLACK}"')
    plot(f'set label "atan(a/3b)" at {critical - 0.06},1e-3 right')
    slopes = [28, 28.4, 28.8, 29, 29.04, 29.05, 29.06, 29.08, 29.12, 29.2, 29.4, 29.8, 30.4, 31]
    leans = [abs(lean(examples.run("box_stack", channels, f"tilt={t} deg", "duration=0.3 s", record))) for t in slopes]
    plot(f'plot {plot.data(slopes, [max(1e-12, x) for x in leans])} with points pt 7 ps 0.7 lc rgb "{BLUE}"')
    return plot


def tippe_top(examples):
    inertia, R, offset = (8e-7, 8e-7, 7e-7), 0.015, 0.003
    channels = [f"top.{c}" for c in ("x", "y", "z", "e0", "e1", "e2", "e3", "omega_x", "omega_y", "omega_z")]

    def jellett(run):
        """L . (from the centre of mass to the contact point), in body axes."""
        values = []
        for e0, e1, e2, e3, *omega in zip(*(run[c] for c in channels[3:])):
            up = (2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2))
            arm = (-R * up[0], -R * up[1], offset - R * up[2])
            values.append(sum(i * w * x for i, w, x in zip(inertia, omega, arm)))
        return values

    plot = Gnuplot(900, 380)
    plot("set multiplot layout 1,2 margins 0.075,0.985,0.15,0.90 spacing 0.12")
    plot('set title "Height of the centre of mass"; set xlabel "time  [s]"; set ylabel "[mm]"; set xrange [0:3]')
    plot("set xtics 0.5; set yrange [11.5:21]; set ytics 1; set key top left Left reverse")
    curves = [line(plot.data([0, 3], [1000 * R] * 2), 1, BLACK, dash=2)]
    own_axis = ("bodies.top.initial.omega_y=0 rad/s", "bodies.top.initial.omega_z=spin")
    for settings, title, colour in (((), "µ = 0.3", BLUE), (("friction=0.1",), "µ = 0.1", GREEN),
                                    (own_axis, "µ = 0.3, spun about its own axis", ORANGE)):
        run = thinned(examples.run("tippe_top", channels, "duration=3 s", *settings), 5)
        curves.append(line(plot.data(run["time"], [1000 * z for z in run["top.z"]]), 2, colour, title))
    plot('set label "centre of the sphere" at 0.98,15.35 left')
    plot("plot " + ", ".join(curves))
    plot('unset label; set title "Jellett\'s integral, relative to its start"; set ylabel "change  [10^{-3}]"')
    plot("set xrange [0:2]; set yrange [-6.5:0.5]; set ytics 1; set key bottom left")
    curves = []
    for step, every, colour in ((0.2, 5, PINK), (0.1, 10, BLUE), (0.05, 20, GREEN)):
        run = thinned(examples.run("tippe_top", channels, f"simulate.step={step} ms", f"record.every={every}"), 5)
        J = jellett(run)
        change = plot.data(run["time"], [1000 * (j / J[0] - 1) for j in J])
        curves.append(line(change, 1.8, colour, f"steps of {step} ms"))
    plot("plot " + ", ".join(curves))
    return plot


def rssr_exact(theta, coupler=0.15):
    """Rocker angle of the ideal linkage: the coupler's end lies on the rocker's circle."""
    r, R = 0.04, 0.09
    a = (r * math.cos(theta) - 0.03, r * math.sin(theta) - 0.12, -0.06)  # crank pin, seen from the rocker's bearing
    reach = (R * R + sum(x * x for x in a) - coupler**2) / (2 * R)
    return math.atan2(a[2], a[1]) + math.acos(reach / math.hypot(a[1], a[2]))


def rssr_clearance(examples):
    R, c = 0.09, 0.2e-3
    channels = ["bearing.q", "pivot.q"]
    run = thinned(examples.run("rssr_clearance", [*channels, "socket.normal_force"]), 10)
    ideal = thinned(examples.run("rssr_clearance", ["bearing.q", *(f"socket.force_{x}" for x in "xyz")],
                                 "joints.socket.model=ideal"), 10)
    crank = degrees(run["bearing.q"])
    marks = range(0, 361, 20)

    def off(run):
        """How far the end of the rocker is from that of the ideal linkage, in mm."""
        return [1000 * R * (q - rssr_exact(theta)) for theta, q in zip(run["bearing.q"], run["pivot.q"])]

    plot = Gnuplot(760, 660)
    plot("set multiplot layout 3,1 margins 0.11,0.97,0.09,0.97 spacing 0.035")
    plot('set xrange [0:360]; set xtics 45; set format x ""; set key at graph 0.5, graph 0.98 center top maxrows 1')
    plot('set ylabel "rocker angle  [deg]"; set yrange [-110:-20]; set ytics 20')
    plot(f'plot {line(plot.data(crank, degrees(run["pivot.q"])), 2, BLUE, "0.2 mm of play")}, \\')
    exact = plot.data(marks, [math.degrees(rssr_exact(math.radians(k))) for k in marks])
    plot(f'  {exact} with points pt 6 ps 0.8 lc rgb "{BLACK}" title "ideal, closed form"')
    plot('set ylabel "end of the rocker, off  [mm]"; set yrange [-0.4:0.5]; set ytics 0.2')
    curves = []
    for sign in (-1, 1):
        bound = [1000 * R * (rssr_exact(math.radians(k), 0.15 + sign * c) - rssr_exact(math.radians(k)))
                 for k in range(0, 361, 3)]
        title = "couplers of L ± c" if sign > 0 else None
        curves.append(line(plot.data(range(0, 361, 3), bound), 1, BLACK, title, dash=2))
    small = thinned(examples.run("rssr_clearance", channels, "c=0.05 mm"), 10)
    curves.append(line(plot.data(degrees(small["bearing.q"]), off(small)), 1.5, GREEN, "0.05 mm"))
    curves.append(line(plot.data(crank, off(run)), 1.5, BLUE, "0.2 mm of play"))
    plot("plot " + ", ".join(curves))
    plot('set format x; set xlabel "crank angle  [deg]"; set ylabel "force in the socket  [N]"; set yrange [0:20]')
    plot("set ytics 5")
    force = [math.hypot(*f) for f in zip(*(ideal[f"socket.force_{x}"] for x in "xyz"))]
    plot(f'plot {line(plot.data(crank, run["socket.normal_force"]), 1, BLUE, "0.2 mm of play")}, \\')
    plot(f'  {line(plot.data(degrees(ideal["bearing.q"]), force), 2, BLACK, "ideal joint")}')
    return plot


def spheres_in_box(examples):
    N = 200
    places = [f"ball_{i}.{c}" for i in range(1, N + 1) for c in "xyz"]
    others = ["energy.total", "energy.kinetic", "energy.impact_loss", "energy.friction_loss", "step.residual"]
    run = examples.run("spheres_in_box", [*places, *others], "simulate.duration=0.3 s",
                       f"record=[{', '.join([*places, *others])}]")
    plot = Gnuplot(900, 640)
    plot("set multiplot; unset key; unset grid; unset border; unset tics; set size ratio -1")
    plot("set lmargin at screen 0.02; set rmargin at screen 0.98; set tmargin at screen 0.94; set bmargin at screen 0.53")
    plot('set xrange [-830:830]; set yrange [-25:580]; set title "All 200 after 0.3 s, seen at a slant"')
    balls = [[1000 * run[f"ball_{i}.{c}"][-1] for c in "xyz"] for i in range(1, N + 1)]
    balls.sort(key=lambda p: (-round(p[1] / 92 + 0.5), p[2]))  # those in front are drawn last
    depths = ((190, 30), (220, 110), (240, 180))  # red, green, blue: far away and near
    curves = []
    for k in range(0, N, 10):
        row = plot.points([complex(x + 0.5 * y, z + 0.45 * y + 225) for x, y, z in balls[k : k + 10]])
        shade = "#" + "".join(f"{round(far + (near - far) * k / N):02X}" for far, near in depths)
        curves.append(f'{row} with points pt 7 ps 3.3 lc rgb "{shade}"')
        curves.append(f'{row} with points pt 6 ps 3.3 lw 0.8 lc rgb "white"')
    plot("plot " + ", ".join(curves))
    plot(f'set border 3 lc rgb "{GREY}" lw 1; set xtics nomirror out; set ytics nomirror out')
    plot("set size noratio; set grid; set tmargin at screen 0.45; set bmargin at screen 0.09; set xrange [0:300]")
    plot('set xtics 50; set xlabel "time  [ms]"; set lmargin at screen 0.09; set rmargin at screen 0.49; set key')
    plot('set title "Energy"; set ylabel "[J]"; set yrange [0:105]; set ytics 25')
    plot("set key at graph 0.98, graph 0.62 right")
    curves = [line(plot.data(milliseconds(run), run[f"energy.{name}"]), 2, colour, title)
              for name, title, colour in (("total", "total", BLUE), ("kinetic", "kinetic", GREEN),
                                          ("impact_loss", "lost in impacts", ORANGE))]
    plot("plot " + ", ".join(curves))
    plot('set lmargin at screen 0.61; set rmargin at screen 0.985; set title "Residual of the contact problem"')
    plot('set ylabel "[m/s]"; set logscale y; set yrange [1e-17:1e-4]; set ytics 1e-16, 1e4, 1e-4; unset key')
    plot('set format y "10^{%L}"; set label "tolerance" at 10,4e-6 left')
    plot(f'plot {line(plot.data([0, 300], [1e-6] * 2), 1, BLACK, dash=2)}, \\')
    residual = [max(1e-17, x) for x in run["step.residual"]]
    plot(f'  {plot.data(milliseconds(run), residual)} with points pt 7 ps 0.5 lc rgb "{BLUE}"')
    return plot


FIGURES = [double_pendulum, four_bar_linkage, slider_crank_step, spinning_top,
           spatial_pendulum, andrews_squeezer, bouncing_ball, sphere_tangential_restitution,
           painleve_rod, cam_roller, rolling_ball, box_stack,
           tippe_top, rssr_clearance, spheres_in_box]


def names():
    return [figure.__name__ for figure in FIGURES]


def draw(name, freeplay, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    next(figure for figure in FIGURES if figure.__name__ == name)(Examples(freeplay)).write(path)
