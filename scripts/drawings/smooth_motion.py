"""Drawings of mechanisms whose motion is smooth."""

import cmath
import math

from .figure import BLACK, BLUE, GREEN, GREY, LIGHT, ORANGE, PINK, SKY, Gnuplot, degrees, on_grid


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
