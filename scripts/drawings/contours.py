"""Mechanisms whose parts touch as contours."""

import math

from .figure import BLACK, BLUE, GREY, LIGHT, ORANGE, Gnuplot, degrees, line, thinned


def geneva_drive(examples):
    run = thinned(examples.run("geneva_drive", ["crank.angle", "crank.omega", "wheel.angle", "wheel.omega"]), 20)
    t = run["time"]
    ratio = [abs(w / c) for w, c in zip(run["wheel.omega"], run["crank.omega"])]
    k = math.sin(math.pi / 4)  # crank over distance
    phi = [math.radians(x) for x in range(-45, 46)]
    curve = [k * (math.cos(p) - k) / (1 + k * k - 2 * k * math.cos(p)) for p in phi]
    middle = 0.5  # s: half a turn of the crank
    plot = Gnuplot(900, 380)
    plot("set multiplot layout 1,2 margins 0.07,0.985,0.15,0.90 spacing 0.10")
    plot('set title "Angle of the wheel"; set xlabel "time  [s]"; set ylabel "[deg]"; set xrange [0:2]')
    plot("plot " + line(plot.data(t, degrees([-a for a in run["wheel.angle"]])), 2, BLUE))
    plot('set title "Speed of the wheel over that of the crank"; set ylabel ""; set yrange [-0.1:2.8]; set key top right')
    shown = [i for i, x in enumerate(t) if abs(x - middle) < 0.2]
    plot(f"set xrange [{middle - 0.2:g}:{middle + 0.2:g}]")
    plot("plot " + ", ".join([
        line(plot.data([t[i] for i in shown], [ratio[i] for i in shown]), 2, BLUE, "freeplay"),
        line(plot.data([middle + p / (2 * math.pi) for p in phi], curve), 1, BLACK, "by hand", dash=2)]))
    return plot


def ratchet(examples):
    run = thinned(examples.run("ratchet", ["wheel.angle", "pawl.angle"]), 50)
    t = run["time"]
    turned = degrees([run["wheel.angle"][0] - a for a in run["wheel.angle"]])  # clockwise
    push = [-0.1 * math.sin(2 * math.pi * 4 * x) for x in t]
    plot = Gnuplot(900, 380)
    plot("set multiplot layout 2,1 margins 0.08,0.985,0.17,0.92 spacing 0.06; set xrange [0:1]")
    plot('set title "The wheel goes on by one tooth, 30 degrees, with every push"; set ylabel "wheel  [deg]"')
    plot('set format x ""; set ytics 30')
    plot("plot " + line(plot.data(t, turned), 2, BLUE))
    plot('unset title; set format x; set xlabel "time  [s]"; set ylabel "torque  [N m]"; set ytics 0.1')
    plot("plot " + line(plot.data(t, push), 2, ORANGE))
    return plot


def scotch_yoke(examples):
    run = thinned(examples.run("scotch_yoke", ["crank.angle", "yoke.x", "yoke.vx"]), 10)
    t = run["time"]
    off = [1e3 * (x - 0.05 * math.cos(a)) for x, a in zip(run["yoke.x"], run["crank.angle"])]
    speed = [-0.05 * 20 * math.pi * math.sin(a) for a in run["crank.angle"]]
    plot = Gnuplot(900, 380)
    plot("set multiplot layout 2,1 margins 0.09,0.985,0.17,0.92 spacing 0.06; set xrange [0:0.2]")
    plot('set title "The yoke with play follows the ideal one"; set format x ""; set ylabel "speed  [m/s]"; set key top center')
    plot("plot " + ", ".join([line(plot.data(t, run["yoke.vx"]), 2, BLUE, "with play"),
                              line(plot.data(t, speed), 1, BLACK, "ideal", dash=2)]))
    plot('unset title; set format x; set xlabel "time  [s]"; set ylabel "behind it  [mm]"; unset key; set yrange [-0.19:0.19]; set ytics 0.1')
    plot("plot " + ", ".join([line(plot.data(t, off), 2, ORANGE), f"0.1 lw 1 lc rgb '{GREY}'", f"-0.1 lw 1 lc rgb '{GREY}'"]))
    return plot


def escapement(examples):
    run = thinned(examples.run("escapement", ["wheel.angle", "pendulum.angle"]), 20)
    t = run["time"]
    teeth = [abs(a - run["wheel.angle"][0]) * 15 / (2 * math.pi) for a in run["wheel.angle"]]
    plot = Gnuplot(900, 380)
    plot("set multiplot layout 2,1 margins 0.08,0.985,0.17,0.92 spacing 0.06; set xrange [0:6]")
    plot('set title "Every swing to and fro lets one tooth pass"; set format x ""; set ylabel "pendulum  [deg]"')
    plot("plot " + line(plot.data(t, degrees(run["pendulum.angle"])), 2, BLUE))
    plot('unset title; set format x; set xlabel "time  [s]"; set ylabel "wheel  [teeth]"; set ytics 1')
    plot("plot " + line(plot.data(t, teeth), 2, ORANGE))
    return plot


def rolling_ellipse(examples):
    run = thinned(examples.run("rolling_ellipse", ["wheel.angle", "wheel.omega"]), 20)
    a, b, g = 0.06, 0.04, 9.81
    inertia = (a * a + b * b) / 4

    def height(phi):
        return math.sqrt((a * math.sin(phi))**2 + (b * math.cos(phi))**2)

    def mass(phi):
        slope = (a * a - b * b) * math.sin(phi) * math.cos(phi) / height(phi)
        return height(phi)**2 + slope**2 + inertia

    start, spin = run["wheel.angle"][0], run["wheel.omega"][0]
    energy = mass(start) * spin**2 / 2 + g * height(start)
    grid = [start + math.copysign(x / 100, spin) for x in range(0, 2500)]
    formula = [math.copysign(math.sqrt(2 * (energy - g * height(p)) / mass(p)), spin) for p in grid]
    plot = Gnuplot(900, 380)
    plot('set title "Angular velocity over the angle"; set xlabel "angle turned  [deg]"; set ylabel "[rad/s]"')
    plot(f"set xrange [0:820]; set key top right; set yrange [{min(map(abs, formula)) - 1:g}:{max(map(abs, formula)) + 2.5:g}]")
    turned = degrees([abs(p - start) for p in run["wheel.angle"]])
    plot("plot " + ", ".join([
        line(plot.data(turned, [abs(w) for w in run["wheel.omega"]]), 3, LIGHT, "freeplay, step 0.1 ms"),
        line(plot.data(degrees([abs(p - start) for p in grid]), [abs(w) for w in formula]), 1, BLUE, "by energy")]))
    return plot


def gear_teeth(examples):
    points = range(1, 7)
    channels = [f"mesh.{what}_{i}" for i in points for what in ("point_x", "point_y", "normal_impulse")]
    run = thinned(examples.run("gear_teeth", channels), 10)
    distance, r1 = 0.0501, 0.02
    base1, base2 = r1 * math.cos(math.radians(20)), 0.03 * math.cos(math.radians(20))
    angle = math.acos((base1 + base2) / distance)
    x, y = [], []
    for i in points:
        for px, py, pressed in zip(run[f"mesh.point_x_{i}"], run[f"mesh.point_y_{i}"], run[f"mesh.normal_impulse_{i}"]):
            if pressed > 0:
                x.append(1000 * px)
                y.append(1000 * py)
    side = 1 if sum(a * b for a, b in zip([v - 1000 * base1 * math.cos(angle) for v in x], y)) < 0 else -1
    tangent = [(1000 * base1 * math.cos(angle), side * 1000 * base1 * math.sin(angle)),
               (1000 * (distance - base2 * math.cos(angle)), -side * 1000 * base2 * math.sin(angle))]
    plot = Gnuplot(900, 400)
    plot('set title "Where teeth press on each other, in many steps of the run; shafts at (0, 0) and (50.1 mm, 0)"')
    plot('set xlabel "x  [mm]"; set ylabel "y  [mm]"; set size ratio -1; set xrange [0:50]; set yrange [-8:8]; set key outside bottom center horizontal')
    plot("plot " + ", ".join([
        line(plot.data(*zip(*tangent)), 1, GREY, "common tangent of the base circles", dash=2),
        f'{plot.data(x, y)} with points pt 7 ps 0.3 lc rgb "{BLUE}" title "contacts that carry an impulse"']))
    return plot
