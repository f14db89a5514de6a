"""The belt drive: where its tension changes, under a load and where it slips, beside Eytelwein's formula."""

import math

from .figure import BLACK, BLUE, GREEN, GREY, ORANGE, Gnuplot, line

LINKS, DRIVER, DRIVEN, DISTANCE = 126, 0.04, 0.08, 0.25
STIFFNESS, LAID_ON, FRICTION = 35e3, 300, 0.3
SLOPE = math.asin((DRIVEN - DRIVER) / DISTANCE)
STRAND, ARC = DISTANCE * math.cos(SLOPE), DRIVEN * (math.pi + 2 * SLOPE)
DRIVER_ARC = DRIVER * (math.pi - 2 * SLOPE)
WAY = 2 * STRAND + ARC + DRIVER_ARC
PITCH = WAY / LINKS / (1 + LAID_ON / STIFFNESS)
FLYING = 0.8 * (100 * DRIVER) ** 2


def way(x, y):
    """Length from below the driver to the point of the way nearest to (x, y), counter-clockwise."""
    along, across = math.cos(SLOPE), math.sin(SLOPE)
    side = 1 if y > 0 else -1
    s = (x + DRIVER * across) * along + side * (y - side * DRIVER * along) * across
    if 0 <= s <= STRAND:
        return s if side < 0 else 2 * STRAND + ARC - s
    if s > STRAND:
        return STRAND + DRIVEN * ((math.atan2(y, x - DISTANCE) + math.pi / 2 + SLOPE) % (2 * math.pi))
    return 2 * STRAND + ARC + DRIVER * ((math.atan2(y, x) - math.pi / 2 - SLOPE) % (2 * math.pi))


def pins(run, row):
    """Place and tension of every pin."""
    found = []
    for i in range(1, LINKS + 1):
        x, y, angle = (run[f"link_{i}.{c}"][row] for c in ("x", "y", "angle"))
        stretch = math.hypot(run[f"pin_{i}.eccentricity_x"][row], run[f"pin_{i}.eccentricity_y"][row])
        found.append((x + PITCH / 2 * math.cos(angle), y + PITCH / 2 * math.sin(angle), STIFFNESS / PITCH * stretch))
    return found


def along_belt(run):
    """Means of the last rows in bins of the way."""
    bins = [[] for _ in range(147)]
    for row in range(-60, 0):
        for x, y, tension in pins(run, row):
            bins[min(int(len(bins) * way(x, y) / WAY), len(bins) - 1)].append(tension)
    full = [k for k, found in enumerate(bins) if found]
    return [1e3 * WAY * (k + 0.5) / len(bins) for k in full], [sum(bins[k]) / len(bins[k]) for k in full]


def belt_drive(examples):
    names = [f"link_{i}.{c}" for i in range(1, LINKS + 1) for c in ("x", "y", "angle")]
    names += [f"pin_{i}.eccentricity_{c}" for i in range(1, LINKS + 1) for c in "xy"]
    record = f"record={{every: 25, channels: [{', '.join(names)}]}}"
    loaded = examples.run("belt_drive", names, "torque=10", "simulate.duration=0.15 s", "measure={}", record)
    slipping = examples.run("belt_drive", names, "driven_speed=45", "simulate.duration=0.1 s", "measure={}", record)
    plot = Gnuplot(900, 640)
    plot("set multiplot; unset key; unset grid; unset border; unset tics; set size ratio -1")
    plot("set lmargin at screen 0.02; set rmargin at screen 0.88; set tmargin at screen 0.95; set bmargin at screen 0.53")
    plot('set xrange [-60:345]; set yrange [-92:92]; set title "The belt slips on its driver: tension of the pins"')
    plot(f'set palette defined (0 "{BLUE}", 0.5 "#F0E442", 1 "{ORANGE}"); set cbrange [180:430]; set cblabel "[N]"')
    plot("set colorbox user origin 0.90,0.58 size 0.018,0.32; set cbtics 180,50,430")
    for centre, radius, name in ((0, DRIVER, "driver"), (1e3 * DISTANCE, DRIVEN, "driven")):
        plot(f'set object circle at {centre},0 size {1e3 * radius - 1.5} fc rgb "#EEEEEE" fs solid border lc rgb "{GREY}"')
        plot(f'set label "{name}" at {centre},0 center')
    now = pins(slipping, -1)
    loop = [*now, now[0]]
    block = plot.data([1e3 * p[0] for p in loop], [1e3 * p[1] for p in loop], [p[2] for p in loop])
    plot(f"plot {block} with lines lw 5 lc palette, {block} with points pt 7 ps 0.3 lc rgb '{BLACK}'")
    plot("unset object; unset label; unset colorbox")
    plot(f'set border 3 lc rgb "{GREY}" lw 1; set xtics nomirror out; set ytics nomirror out; set size noratio; set grid')
    plot("set tmargin at screen 0.45; set bmargin at screen 0.09; set lmargin at screen 0.10; set rmargin at screen 0.92")
    plot('set title "Along the belt"; set xlabel "from below the driver  [mm]"; set ylabel "tension  [N]"')
    plot(f"set xrange [0:{1e3 * WAY}]; set yrange [150:450]; set xtics 100; set ytics 50; set key at graph 0.33, graph 0.95")
    ends = [0, STRAND, STRAND + ARC, 2 * STRAND + ARC, WAY]
    for a, b, text in zip(ends, ends[1:], ("slack", "driven", "tight", "driver")):
        plot(f'set label "{text}" at {500 * (a + b)},165 center tc rgb "{GREY}"')
        plot(f'set arrow from {1e3 * b},150 to {1e3 * b},450 nohead lc rgb "{GREY}" dt 3')
    slip, load = along_belt(slipping), along_belt(loaded)
    on_driver = [k for k, s in enumerate(slip[0]) if s > 1e3 * ends[3] + 5]
    start = [T for s, T in zip(*slip) if 1e3 * ends[2] + 60 < s < 1e3 * ends[3] - 60]
    tight = sum(start) / len(start)
    theory = [FLYING + (tight - FLYING) * math.exp(-FRICTION * (1e-3 * slip[0][k] - ends[3]) / DRIVER) for k in on_driver]
    eytelwein = plot.data([slip[0][k] for k in on_driver], theory)
    plot(f'plot {line(plot.data(*load), 2, BLUE, "10 N m")}, {line(plot.data(*slip), 2, ORANGE, "slips")}, \\')
    plot(f'  {line(eytelwein, 2, GREEN, "Eytelwein", 2)}')
    return plot
