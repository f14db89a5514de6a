"""Solids in space that touch, and a spatial linkage with play."""

import cmath
import math

from .figure import BLACK, BLUE, GREEN, GREY, ORANGE, PINK, SKY, Gnuplot, degrees, every, line, milliseconds, thinned


GRAVITY = 9.81


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


def rattleback(examples):
    channels = [f"stone.{c}" for c in ("e0", "e1", "e2", "e3", "omega_x", "omega_y", "omega_z")]

    def seen(run):
        """The upward direction in body axes: spin about it, and the lean of the stone's axis."""
        spins, leans = [], []
        for e0, e1, e2, e3, *omega in zip(*(run[c] for c in channels)):
            up = (2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2))
            spins.append(sum(w * x for w, x in zip(omega, up)))
            leans.append(math.degrees(math.hypot(up[0], up[1])))
        return spins, leans

    plot = Gnuplot(900, 380)
    plot("set multiplot layout 1,2 margins 0.075,0.985,0.15,0.90 spacing 0.12")
    plot('set title "Spin about the vertical"; set xlabel "time  [s]"; set ylabel "[rad/s]"; set xrange [0:4]')
    plot("set xtics 0.5; set yrange [-6:6]; set ytics 2; unset key")
    plot(f'set arrow from 0,0 to 4,0 nohead lw 1 lc rgb "{GREY}"')
    curves, lean_curves = [], []
    for settings, title, colour in (((), "spun against its skew", BLUE), (("spin=-5 rad/s",), "spun with it", GREEN),
                                    (("skew=0 deg",), "no skew", ORANGE)):
        run = thinned(examples.run("rattleback", channels, *settings), 4)
        spins, leans = seen(run)
        curves.append(line(plot.data(run["time"], spins), 2, colour, title))
        lean_curves.append(line(plot.data(run["time"], leans), 1.2, colour, title))
    plot("plot " + ", ".join(curves))
    plot('unset arrow; set title "Lean"; set ylabel "[degrees]"; set yrange [0:7]; set ytics 1; set key top right')
    plot("plot " + ", ".join(lean_curves))
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
    run = thinned(examples.run("rssr_clearance", [*channels, "socket.normal_force"], "simulate.force_window=0.2 ms"), 10)
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
