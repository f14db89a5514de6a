"""The roller chain: where its tension changes, and how it comes to a steady state."""

import math

from .figure import BLACK, BLUE, GREEN, GREY, ORANGE, Gnuplot, line, milliseconds

LINKS, PITCH, RADIUS, DISTANCE, STIFFNESS = 63, 0.01, 0.05, 0.1598, 2e7


def way(x, y):
    """Length from below the driver to the point of the way nearest to (x, y), counter-clockwise."""
    half_turn = math.pi * RADIUS
    if 0 <= x <= DISTANCE:
        return x if y < 0 else 2 * DISTANCE + half_turn - x
    if x > DISTANCE:
        return DISTANCE + RADIUS * (math.atan2(y, x - DISTANCE) + math.pi / 2)
    return 2 * DISTANCE + half_turn + RADIUS * ((math.atan2(y, x) - math.pi / 2) % (2 * math.pi))


def pins(run, row):
    """Place and tension of every pin."""
    found = []
    for i in range(1, LINKS + 1):
        x, y, angle = (run[f"link_{i}.{c}"][row] for c in ("x", "y", "angle"))
        stretch = math.hypot(run[f"pin_{i}.eccentricity_x"][row], run[f"pin_{i}.eccentricity_y"][row])
        found.append((x + PITCH / 2 * math.cos(angle), y + PITCH / 2 * math.sin(angle), STIFFNESS * stretch))
    return found


def means_over_a_turn(run, name):
    """A pin that comes onto a pulley makes it shake: means over a turn of 63 ms, at its middle in ms, twenty per turn."""
    step = run["time"][1]
    rows = round(2 * math.pi / 100 / step)
    starts = range(0, len(run["time"]) - rows, rows // 20)
    return [1e3 * (run["time"][i] + rows * step / 2) for i in starts], [sum(run[name][i : i + rows]) / rows for i in starts]


def roller_chain(examples):
    names = [f"link_{i}.{c}" for i in range(1, LINKS + 1) for c in ("x", "y", "angle")]
    names += [f"pin_{i}.eccentricity_{c}" for i in range(1, LINKS + 1) for c in "xy"]
    names += ["tight.tension", "slack.tension", "driven.omega"]
    run = examples.run("roller_chain", names, "torque=40", "simulate.duration=0.3 s",
                       f"record={{every: 20, channels: [{', '.join(names)}]}}")
    plot = Gnuplot(900, 640)
    plot("set multiplot; unset key; unset grid; unset border; unset tics; set size ratio -1")
    plot("set lmargin at screen 0.02; set rmargin at screen 0.90; set tmargin at screen 0.95; set bmargin at screen 0.53")
    plot('set xrange [-75:235]; set yrange [-62:62]; set title "40 N m: tension of the pins"')
    plot(f'set palette defined (0 "{BLUE}", 0.5 "#F0E442", 1 "{ORANGE}"); set cbrange [600:1500]; set cblabel "[N]"')
    plot("set colorbox user origin 0.90,0.58 size 0.018,0.32; set cbtics 600,300,1500")
    for centre, name in ((0, "driver"), (1e3 * DISTANCE, "driven")):
        plot(f'set object circle at {centre},0 size 48.5 fc rgb "#EEEEEE" fs solid border lc rgb "{GREY}"')
        plot(f'set label "{name}" at {centre},0 center')
    now = pins(run, -1)
    loop = [*now, now[0]]
    block = plot.data([1e3 * p[0] for p in loop], [1e3 * p[1] for p in loop], [p[2] for p in loop])
    plot(f"plot {block} with lines lw 5 lc palette, {block} with points pt 7 ps 0.35 lc rgb '{BLACK}'")
    plot("unset object; unset label; unset colorbox")
    plot(f'set border 3 lc rgb "{GREY}" lw 1; set xtics nomirror out; set ytics nomirror out; set size noratio; set grid')
    plot("set tmargin at screen 0.45; set bmargin at screen 0.09; set lmargin at screen 0.10; set rmargin at screen 0.47")
    plot('set title "Along the chain"; set xlabel "from below the driver  [mm]"; set ylabel "tension  [N]"')
    plot("set xrange [0:634]; set yrange [500:1520]; set xtics 160; set ytics 200")
    late = sorted((way(x, y), T) for row in range(-40, 0) for x, y, T in pins(run, row))
    bins = [[] for _ in range(159)]
    for s, T in late:
        bins[min(int(1e3 * s / 4), len(bins) - 1)].append(T)
    places = [2 + 4 * k for k, found in enumerate(bins) if found]
    means = [sum(found) / len(found) for found in bins if found]
    for s, text in ((80, "slack"), (238, "driven"), (397, "tight"), (555, "driver")):
        plot(f'set label "{text}" at {s},550 center tc rgb "{GREY}"')
    plot(f"plot {line(plot.data(places, means), 2, BLUE)}")
    plot("unset label; set lmargin at screen 0.59; set rmargin at screen 0.92; set xrange [0:300]; set xtics 100; set key")
    plot('set title "In time"; set xlabel "time  [ms]"; set key at graph 0.98, graph 0.66; set ytics 200')
    plot('set y2range [99.5:100.1]; set y2tics 99.6,0.2 out; set y2label "driven pulley  [rad/s]"; set border 11')
    tight, slack = (plot.data(milliseconds(run)[::4], run[f"{name}.tension"][::4]) for name in ("tight", "slack"))
    speed = plot.data(*means_over_a_turn(run, "driven.omega"))
    plot(f'plot {line(tight, 1.2, ORANGE, "tight strand")}, {line(slack, 1.2, BLUE, "slack strand")}, \\')
    plot(f'  {line(speed, 1.2, GREEN, "driven pulley, a turn")} axes x1y2')
    return plot
