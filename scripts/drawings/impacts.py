"""Planar mechanisms with impact, friction and play."""

import cmath
import math

from .figure import BLACK, BLUE, GREEN, GREY, LIGHT, ORANGE, Gnuplot, every, milliseconds


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


GRAVITY = 9.81


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


def cam_roller(examples):
    channels = ["follower.y", "contact.gap", "contact.normal_force", "roller.omega"]
    window = "simulate.force_window=0.2 ms"  # ten steps
    runs = [("600 rpm", examples.run("cam_roller", channels, "duration=0.1s", window), BLUE),
            ("2200 rpm", examples.run("cam_roller", channels, "cam_speed=2200 rpm", "duration=0.1s", window), ORANGE)]
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
