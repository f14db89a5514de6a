"""Impacts that are located as events: many runs of one example beside a closed form."""

import math

from .figure import BLACK, BLUE, GREEN, GREY, ORANGE, PINK, SKY, YELLOW, Gnuplot, line


def conveyor(examples):
    plot = Gnuplot(900, 400)
    plot("set multiplot layout 1,2 margins 0.075,0.985,0.15,0.90 spacing 0.12")
    plot('set title "Track and part, 1 mm"; set xlabel "time  [ms]"; set ylabel "height  [mm]"')
    plot("set xrange [0:300]; set yrange [-2:8]; set xtics 100; set ytics 2; set key top left")
    run = examples.run("conveyor", ["part.y", "track.y"], "duration=0.3 s", "transient=0 s", "simulate.step=0.5 ms")
    time = [1e3 * t for t in run["time"]]
    tracks, parts = (plot.data(time, [1e3 * y for y in run[name]]) for name in ("track.y", "part.y"))
    plot(f'plot {line(tracks, 1.2, GREY, "track")}, {line(parts, 1.8, BLUE, "part")}')
    plot('set title "How fast it is carried uphill"; set xlabel "amplitude  [mm]"; set ylabel "rate  [mm/s]"')
    plot("set xrange [0:2]; set yrange [-50:200]; set xtics 0.5; set ytics 50; set key top left")
    amplitudes = [0.02 * k for k in range(1, 26)] + [0.5 + 0.05 * k for k in range(1, 31)]
    rates = []
    for amplitude in amplitudes:
        start, end = (1, 2) if amplitude < 0.38 else (2, 22)
        settings = [f"amplitude={amplitude} mm", f"duration={end} s"]
        rates.append(1e3 * examples.measures("conveyor", f"transient={start} s", *settings)["transport_rate"])
    reference = {0.05: -2.258, 0.1: -6.235, 0.2: -13.19, 0.3: -19.98, 0.4: -25.88, 0.45: -43.54, 0.5: 17.43, 0.6: 34.27,
                 0.8: 57.55, 1.0: 74.35, 1.2: 72.48, 1.6: 107.05, 2.0: 131.18}
    plot(f'set arrow from 0.3835,-50 to 0.3835,200 nohead lw 1.2 dt 2 lc rgb "{GREY}"; set label "lifts off" at 0.36,60 right')
    plot(f'plot {plot.data(amplitudes, rates)} with linespoints lw 1.2 pt 7 ps 0.4 lc rgb "{BLUE}" title "freeplay", \\')
    plot(f'  {plot.data(list(reference), list(reference.values()))} with points pt 6 ps 0.9 lc rgb "{BLACK}" '
         'title "independent solution"')
    return plot


def superball(examples):
    plot = Gnuplot(900, 400)
    plot("set multiplot layout 1,2 margins 0.09,0.985,0.15,0.90 spacing 0.12")
    run = examples.run("superball", ["ball.x", "ball.y"], "simulate.step=1 ms")
    plot('set title "Under the table"; set xlabel "x  [m]"; set ylabel "y  [m]"; unset key')
    plot("set xrange [-0.5:0.1]; set yrange [0:0.32]; set xtics 0.2; set ytics 0.1")
    plot(f'set arrow from -0.25,0.3 to 0.1,0.3 nohead lw 4 lc rgb "{GREY}"')
    plot(f'plot {line(plot.data(run["ball.x"], run["ball.y"]), 1.8, BLUE)}')
    plot('unset arrow; set key top left; set title "One impact of a ball"')
    plot('set xlabel "surface before, over the speed of approach"; set ylabel "after"')
    plot("set xrange [-6:6]; set yrange [-4:4]; set xtics 2; set ytics 2")
    e, mu, ratio = 0.9, 0.4, 3.5
    curves = []
    for e_t, colour in ((0, GREEN), (0.5, ORANGE), (0.9, BLUE)):
        gammas, found = [0.5 * k for k in range(-12, 13)], []
        for gamma in gammas:
            settings = [f"speed_along={gamma} m/s", "speed_down=1 m/s", "g=0 m/s^2", "height=10 m", "duration=0.25 s",
                        f"friction={mu}", f"tangential_restitution={e_t}"]
            run = examples.run("superball", ["ball.vx", "ball.omega"], *settings)
            found.append(run["ball.vx"][-1] + 0.025 * run["ball.omega"][-1])
        fine = [k / 50 for k in range(-300, 301)]
        limit = mu * ratio

        def law(gamma):
            size = abs(gamma)
            if size <= limit:
                return -e * e_t * gamma
            out = -e * e_t * limit if size <= limit * (1 + e * (1 - e_t)) else size - (1 + e) * limit
            return math.copysign(1, gamma) * out

        curves.append(line(plot.data(fine, [law(gamma) for gamma in fine]), 1.8, colour, f"e_T = {e_t}"))
        curves.append(f'{plot.data(gammas, found)} with points pt 6 ps 0.6 lc rgb "{BLACK}" notitle')
    plot("plot " + ", ".join(curves))
    return plot


def impact_oscillator(examples):
    plot = Gnuplot(700, 420)
    plot('set xlabel "frequency of the force over that of the oscillator"; set ylabel "speed of impact  [m/s]"')
    plot("set margins 8,2,3,1; set xrange [1.2:4.4]; set yrange [0:5]; set xtics 0.4; set ytics 1; set key top right")
    drives, speeds = [], []
    for k in range(0, 61):
        drive = 13 + 0.5 * k
        impacts = examples.impacts("impact_oscillator", f"drive_frequency={drive} rad/s", "duration=60 s")
        last = [-float(impact["normal_velocity_before"]) for impact in impacts if float(impact["time"]) > 55]
        drives += [drive / 10] * len(last)
        speeds += last
    e, w0 = 0.7, 10.0

    def speed(drive, periods):
        amplitude = abs(10 / (w0**2 - drive**2))
        return amplitude / math.hypot((1 + e) / (2 * w0 * math.tan(math.pi * periods * w0 / drive)), (1 - e) / (2 * drive))

    fine = [12 + 0.02 * k for k in range(0, 1610)]
    curves = [line(plot.data([w / 10 for w in fine], [speed(w + 1e-6, n) for w in fine]), 1.6, colour, title)
              for n, colour, title in ((1, BLUE, "an impact in every period"), (2, ORANGE, "in every second one"))]
    curves.append(f'{plot.data(drives, speeds)} with points pt 7 ps 0.25 lc rgb "{BLACK}" title "runs, after 55 s"')
    plot("plot " + ", ".join(curves))
    return plot


def chimney_damper(examples):
    cycles, frequency, displacement = 20, 0.76, 0.1

    def amplitudes(*settings):
        """The largest displacement in each cycle, over that at the start."""
        run = examples.run("chimney_damper", ["chimney.x"], *settings)
        found = [0.0] * cycles
        for t, x in zip(run["time"], run["chimney.x"]):
            cycle = min(int(t * frequency + 1e-9), cycles - 1)
            found[cycle] = max(found[cycle], abs(x) / displacement)
        return found

    def curve(colour, title, *settings, dash=1):
        return line(plot.data(list(range(1, cycles + 1)), amplitudes(*settings)), 1.8, colour, title, dash)

    plot = Gnuplot(900, 400)
    plot("set multiplot layout 1,2 margins 0.085,0.985,0.15,0.90 spacing 0.10")
    plot('set xlabel "cycle"; set ylabel "amplitude over that at the start"; set key top right')
    plot("set xrange [1:20]; set yrange [0:1]; set xtics 5; set ytics 0.2")
    plot('set title "Plates"')
    curves = [curve(BLACK, "none, viscous damper", "plates=0", "pendulum_damping=607.72926 N s/m", dash=2)]
    for plates, colour in ((1, ORANGE), (2, BLUE), (3, GREEN), (6, PINK)):
        curves.append(curve(colour, f"{plates}", f"plates={plates}"))
    # An independent event-driven solution, n = 1, 2, 3 and 6.
    reference = {2: (.7730, .7781, .7762, .7742), 3: (.3232, .3227, .3197, .3166), 5: (.3552, .4485, .4050, .3896),
                 10: (.2280, .1315, .1685, .1823), 15: (.2142, .0368, .0536, .0880), 20: (.1889, .0399, .0282, .0420)}
    points = plot.data([cycle for cycle, values in reference.items() for _ in values], [a for values in reference.values() for a in values])
    curves.append(f'{points} with points pt 6 ps 0.6 lc rgb "{BLACK}" title "independent solution"')
    plot("plot " + ", ".join(curves))
    plot('set title "Graduation, 8 plates"')
    plot("plot " + ", ".join(curve(colour, f"{graduation:.2f} m", "plates=8", f"graduation={graduation} m")
                             for graduation, colour in ((0.10, BLUE), (0.15, SKY), (0.20, GREEN), (0.25, YELLOW), (0.30, ORANGE))))
    return plot
