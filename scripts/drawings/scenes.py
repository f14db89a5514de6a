"""Scenes of many bodies: walls, arches, dominoes, grains."""

import cmath
import math

from .figure import BLACK, BLUE, GREEN, GREY, LIGHT, ORANGE, SKY, Gnuplot, line, milliseconds


def drawn_sizes(count, seed, quantile):
    """Sizes of the copies of a `fill`: the n-th number of the stream 0 of Philox4x32-10."""
    mask, sizes = 0xFFFFFFFF, []
    for index in range(count):
        c, k = [index, 0, 0, 0], [seed, 0]
        for _ in range(10):
            a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [b >> 32 ^ c[1] ^ k[0], b & mask, a >> 32 ^ c[3] ^ k[1], a & mask]
            k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
        sizes.append(quantile((c[0] << 32 | c[1]) / 2.0**64))
    return sizes


def names_of(body, count):
    return [f"{body}_{i}" for i in range(1, count + 1)]


def poses(names):
    return [f"{name}.{c}" for name in names for c in ("x", "y", "angle")]


def outlines(run, row, names, corners):
    """Polygons at one time, in mm, for `filledcurves` and `lines`."""
    points = []
    for name in names:
        at = complex(run[f"{name}.x"][row], run[f"{name}.y"][row])
        turn = cmath.rect(1, run[f"{name}.angle"][row])
        points += [1000 * (at + corner * turn) for corner in [*corners, corners[0]]] + [None]
    return points


def discs(plot, run, row, names, radii):
    """Circles at one time, in mm."""
    columns = ([1000 * run[f"{name}.{c}"][row] for name in names] for c in "xy")
    return plot.data(*columns, [1000 * r for r in radii])


def block(width, height):
    return [complex(sx * width / 2, sy * height / 2) for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def picture(plot, title, x_range, y_range, left, right):
    plot(f'set size ratio -1; unset key; set title "{title}"; set lmargin at screen {left}; set rmargin at screen {right}')
    plot(f'set xrange [{x_range}]; set yrange [{y_range}]; set xlabel "[mm]"; set ylabel "[mm]"; set xtics auto; set ytics auto')


def recorded(channels, every=1):
    return f"record={{channels: [{', '.join(channels)}], every: {every}, motion: false}}"


def arch(examples):
    n, inner, outer = 10, 0.8, 1.2
    half = math.pi / n / 2
    centre = 2 * math.cos(half) / 3 * (inner**2 + inner * outer + outer**2) / (inner + outer)
    corners = [complex(r * math.cos(half) - centre, sign * r * math.sin(half))
               for r, sign in ((inner, -1), (outer, -1), (outer, 1), (inner, 1))]
    stones = names_of("stone", n)
    run = examples.run("arch", poses(stones), "friction=0.25", "duration=0.6 s", recorded(poses(stones)))
    plot = Gnuplot(900, 400)
    plot("set multiplot; set tmargin at screen 0.90; set bmargin at screen 0.15")
    picture(plot, "Friction 0.25: it falls (after 0, 0.4 and 0.6 s)", "-1500:1500", "-60:1350", 0.07, 0.58)
    curves = [f'{plot.points([-1500, 1500])} with lines lw 2 lc rgb "{GREY}"']
    for time, colour in ((0, LIGHT), (0.4, SKY), (0.6, BLUE)):
        curves.append(f'{plot.points(outlines(run, round(1000 * time), stones, corners))} with lines lw 2 lc rgb "{colour}"')
    plot("plot " + ", ".join(curves))
    plot('unset label; set lmargin at screen 0.70; set rmargin at screen 0.985; set size noratio')
    plot('set title "Way of the lowest stone in 0.2 s"; set xlabel "friction"; set ylabel "[m]"; set logscale y')
    plot('set xrange [0.28:0.33]; set xtics 0.01; set yrange [1e-17:1]; set ytics 1e-16, 1e4, 1; set format y "10^{%L}"')
    plot(f'set arrow from 0.30299,1e-17 to 0.30299,1 nohead lw 1 dt 2 lc rgb "{BLACK}"; set label "by hand" at 0.304,1e-8')
    frictions = [0.28, 0.29, 0.295, 0.299, 0.301, 0.302, 0.3025, 0.3035, 0.304, 0.305, 0.307, 0.31, 0.32, 0.33]
    ways = []
    for friction in frictions:
        one = examples.run("arch", ["stone_1.x"], f"friction={friction}", "duration=0.2 s", recorded(["stone_1.x"]))
        ways.append(max(1e-17, abs(one["stone_1.x"][-1] - one["stone_1.x"][0])))
    plot(f'plot {plot.data(frictions, ways)} with points pt 7 ps 0.7 lc rgb "{BLUE}"')
    return plot


def domino_times(count, push, h=0.048, d=0.0075, p=0.025, g=9.81):
    """Van Leeuwen's computation: when each domino is struck (see docs/examples/domino_row.md)."""
    inertia, end = (h * h + d * d) / 3, math.asin((p - d) / h)

    def lean(angle, n):
        rate, mass, potential = 1.0, 0.0, 0.0
        for _ in range(n):
            mass += inertia * rate * rate
            potential += g * (h * math.cos(angle) + d * math.sin(angle)) / 2
            s = (p * math.cos(angle) - d) / h
            rate *= 1 - p * math.sin(angle) / h / math.sqrt(1 - s * s)
            angle += math.asin(s)
        return mass, potential

    times, omega = [0.0], push
    for n in range(1, count):
        mass, potential = lean(0, n)
        energy = mass * omega**2 / 2 + potential
        time = 0
        for k in range(200):
            mass, potential = lean(end * (k + 0.5) / 200, n)
            time += end / 200 / math.sqrt(2 * (energy - potential) / mass)
        times.append(times[-1] + time)
        mass, potential = lean(end, n)
        omega = mass * math.sqrt(2 * (energy - potential) / mass) / (mass + inertia)
    return times


def domino_row(examples):
    count, h, d, p = 20, 0.048, 0.0075, 0.025
    names = ["first", *names_of("domino", count - 1)]
    run = examples.run("domino_row", poses(names), "simulate.duration=0.7 s", recorded(poses(names), 5))
    plot = Gnuplot(900, 420)
    plot("set multiplot; set tmargin at screen 0.93; set bmargin at screen 0.62")
    picture(plot, "After 0.55 s", "-20:510", "-4:60", 0.08, 0.985)
    plot('set xlabel ""; set ytics 20')
    row = min(range(len(run["time"])), key=lambda i: abs(run["time"][i] - 0.55))
    shapes = plot.points(outlines(run, row, names, block(d, h)))
    plot(f'plot {plot.points([-20, 510])} with lines lw 2 lc rgb "{GREY}", {shapes} with lines lw 2 lc rgb "{BLUE}"')
    plot("set tmargin at screen 0.46; set bmargin at screen 0.13; set size noratio; set key bottom right")
    plot('set title "Speed of the wave"; set xlabel "domino that falls"; set ylabel "[m/s]"; set xrange [0:20]; set yrange [0:1.4]; set ytics 0.4')
    struck = [next(t for t, a in zip(run["time"], run[f"{name}.angle"]) if a < -1e-7) for name in names[1:18]]
    exact = domino_times(20, 3.0)
    speeds = [p / (b - a) for a, b in zip([0.0, *struck], struck)]
    theory = [p / (b - a) for a, b in zip(exact, exact[1:])]
    plot(f'plot {line(plot.data(range(1, 20), theory), 2, BLACK, "van Leeuwen", dash=2)}, \\')
    plot(f'  {plot.data(range(1, 18), speeds)} with points pt 7 ps 0.7 lc rgb "{BLUE}" title "freeplay"')
    return plot


def wall_of_bricks(examples):
    bricks = names_of("brick", 20)
    others = ["wall.contacts", "wall.normal_force", "energy.kinetic"]
    run = examples.run("wall_of_bricks", [*poses([*bricks, "ball"]), *others],
                       recorded([*poses([*bricks, "ball"]), *others]))
    plot = Gnuplot(900, 560)
    plot("set multiplot; set tmargin at screen 0.93; set bmargin at screen 0.56")
    for k, time in enumerate((0.03, 0.2, 0.5)):
        picture(plot, f"{time:g} s", "-250:1150", "-20:400", 0.06 + 0.315 * k, 0.345 + 0.315 * k)
        plot('set xlabel ""; set xtics 500; set ytics 200' + ("" if k == 0 else '; set ylabel ""; set format y ""'))
        row = min(range(len(run["time"])), key=lambda i: abs(run["time"][i] - time))
        shapes = plot.points(outlines(run, row, bricks, block(0.24, 0.07)))
        plot(f'plot {plot.points([-250, 1150])} with lines lw 2 lc rgb "{GREY}", {shapes} with lines lw 1.5 lc rgb "{ORANGE}", \\')
        plot(f'  {discs(plot, run, row, ["ball"], [0.06])} with circles fs solid 0.6 lc rgb "{BLUE}"')
    plot('set tmargin at screen 0.44; set bmargin at screen 0.11; set size noratio; set xlabel "time  [ms]"; set xrange [0:500]')
    plot("set format y; set ytics auto")
    charts = ((others[0], "Points that carry a load", "", 1), (others[1], "Sum of their normal forces", "[kN]", 1e-3),
              (others[2], "Kinetic energy", "[J]", 1))
    for k, (channel, title, unit, factor) in enumerate(charts):
        plot(f'set title "{title}"; set ylabel "{unit}"; set yrange [0:*]; set xtics 100')
        plot(f"set lmargin at screen {0.06 + 0.32 * k}; set rmargin at screen {0.33 + 0.32 * k}")
        plot(f'plot {line(plot.data(milliseconds(run), [factor * x for x in run[channel]]), 1.5, BLUE)}')
    return plot


def jenga(examples):
    along, across = names_of("along", 9), names_of("across", 9)
    places = [f"{name}.{c}" for name in [*along, *across, "ball"] for c in "xz"]
    speeds = ["along_5.vx", "ball.vx"]
    run = examples.run("jenga", [*places, *speeds], recorded([*places, *speeds]))
    plot = Gnuplot(900, 290)
    plot("set multiplot; set tmargin at screen 0.89; set bmargin at screen 0.20")
    for k, time in enumerate((0, 0.02, 0.15)):
        picture(plot, f"{1000 * time:g} ms", "-65:80", "-5:100", 0.05 + 0.19 * k, 0.21 + 0.19 * k)
        plot("set xtics 50; set ytics 50" + ("" if k == 0 else '; set ylabel ""; set format y ""'))
        row = min(range(len(run["time"])), key=lambda i: abs(run["time"][i] - time))

        def seen(names, length):
            points = []
            for name in names:
                at = complex(run[f"{name}.x"][row], run[f"{name}.z"][row])
                corners = block(length, 0.015)
                points += [1000 * (at + corner) for corner in [*corners, corners[0]]] + [None]
            return plot.points(points)

        ball = plot.data([1000 * run["ball.x"][row]], [1000 * run["ball.z"][row]], [7])
        plot(f'plot {plot.points([-65, 80])} with lines lw 2 lc rgb "{GREY}", {seen(along, 0.075)} with lines lw 1.5 lc rgb "{ORANGE}", \\')
        plot(f'  {seen(across, 0.0248)} with lines lw 1.5 lc rgb "{SKY}", {ball} with circles fs solid 0.6 lc rgb "{BLUE}"')
    plot('set size noratio; set lmargin at screen 0.70; set rmargin at screen 0.985; set format y; set key top right')
    plot('set title "Speed of ball and block"; set xlabel "time  [ms]"; set ylabel "[m/s]"; set xrange [0:60]; set yrange [-0.2:3.2]; set xtics 20; set ytics 1')
    plot(f'plot {line(plot.data(milliseconds(run), run["ball.vx"]), 2, BLUE, "ball")}, \\')
    plot(f'  {line(plot.data(milliseconds(run), run["along_5.vx"]), 2, ORANGE, "block")}')
    return plot


def hopper(examples):
    count, radius, opening, width = 60, 0.005, 0.05, 0.16
    depth = (width - opening) / 2 * math.tan(math.radians(60))
    names = names_of("disc", count)
    radii = [radius * s for s in drawn_sizes(count, 1, lambda p: 0.8 + 0.4 * p)]
    channels = [f"{name}.{c}" for name in names for c in "xy"]
    run = examples.run("hopper", channels, recorded(channels, 5))
    plot = Gnuplot(900, 460)
    plot("set multiplot; set tmargin at screen 0.92; set bmargin at screen 0.13")
    walls = [complex(-width / 2, 0.2), complex(-width / 2, depth), complex(-opening / 2, 0), None,
             complex(width / 2, 0.2), complex(width / 2, depth), complex(opening / 2, 0), None, -0.2 - 0.25j, 0.2 - 0.25j]
    for k, time in enumerate((0, 0.2, 0.4)):
        picture(plot, f"{time:g} s", "-120:120", "-260:200", 0.06 + 0.19 * k, 0.23 + 0.19 * k)
        plot("set xtics 100; set ytics 100" + ("" if k == 0 else '; set ylabel ""; set format y ""'))
        row = min(range(len(run["time"])), key=lambda i: abs(run["time"][i] - time))
        wall = plot.points([p and 1000 * p for p in walls])
        plot(f'plot {wall} with lines lw 2 lc rgb "{GREY}", {discs(plot, run, row, names, radii)} with circles fs solid 0.5 lc rgb "{BLUE}"')
    plot('set format y; set lmargin at screen 0.72; set rmargin at screen 0.98; set size noratio; set title "Discs below the opening"')
    plot('set xlabel "time  [ms]"; set ylabel ""; set xrange [0:600]; set yrange [0:60]; set xtics 200; set ytics 20')
    below = [sum(run[f"{name}.y"][i] < 0 for name in names) for i in range(len(run["time"]))]
    plot(f'plot {line(plot.data(milliseconds(run), below), 2, BLUE)}')
    return plot


def rotating_drum(examples):
    count, radius, drum, lifter = 24, 0.01, 0.15, 0.04
    names = names_of("disc", count)
    radii = [radius * s for s in drawn_sizes(count, 3, lambda p: (0.8, 1, 1.2)[int(3 * p)])]
    channels = [*(f"{name}.{c}" for name in names for c in "xy"), "drum.angle", "motor.torque"]
    run = examples.run("rotating_drum", channels, recorded(channels, 2))
    plot = Gnuplot(900, 360)
    plot("set multiplot; set tmargin at screen 0.90; set bmargin at screen 0.17")
    rim = plot.points([1000 * cmath.rect(drum, math.radians(k)) for k in range(0, 361, 3)])
    corners = [complex(drum - lifter, -0.004), complex(drum, -0.004), complex(drum, 0.004), complex(drum - lifter, 0.004)]
    for k, time in enumerate((0.2, 0.6, 1)):
        picture(plot, f"{time:g} s", "-160:160", "-160:160", 0.06 + 0.21 * k, 0.25 + 0.21 * k)
        plot("set xtics 100; set ytics 100" + ("" if k == 0 else '; set ylabel ""; set format y ""'))
        row = min(range(len(run["time"])), key=lambda i: abs(run["time"][i] - time))
        turn = cmath.rect(1, run["drum.angle"][row])
        lifters = [None if c is None else 1000 * c * turn * s for s in (1, -1) for c in [*corners, corners[0], None]]
        plot(f'plot {rim} with lines lw 2 lc rgb "{GREY}", {plot.points(lifters)} with lines lw 2 lc rgb "{GREEN}", \\')
        plot(f'  {discs(plot, run, row, names, radii)} with circles fs solid 0.5 lc rgb "{BLUE}"')
    plot('set format y; set lmargin at screen 0.76; set rmargin at screen 0.985; set size noratio; set title "Torque of the motor"')
    plot('set xlabel "time  [ms]"; set ylabel "[N m]"; set xrange [0:1000]; set yrange [*:*]; set xtics 500; set ytics auto')
    plot(f'plot {line(plot.data(milliseconds(run), run["motor.torque"]), 1.2, BLUE)}')
    return plot
