"""Parts that are meshes."""

import math

from .figure import BLACK, BLUE, GREY, ORANGE, Gnuplot, line, milliseconds, thinned


def peg_in_hole(examples):
    run = thinned(examples.run("peg_in_hole", ["peg.x", "peg.y", "plate.x"]), 5)
    t, c = milliseconds(run), math.cos(math.pi / 32)
    across = [1000 * (a - b) for a, b in zip(run["peg.x"], run["plate.x"])]
    plot = Gnuplot(900, 380)
    plot('set title "The axis of the peg in the hole, along the way of the plate"; set xlabel "time  [ms]"')
    plot(f'set ylabel "[mm]"; set xrange [0:{t[-1]:g}]; set yrange [-0.25:0.45]; set key top right')
    ends = [t[0], t[-1]]
    curves = [line(plot.data(t, across), 2, BLUE, "peg in the plate")]
    for play, colour, title in ((0.1, GREY, "corner of the peg on a face"), (10.1 / c - 10 * c, ORANGE, "widest place")):
        for side in (1, -1):
            curves.append(line(plot.data(ends, [side * play] * 2), 1, colour, title if side > 0 else None, dash=2))
    plot("plot " + ", ".join(curves))
    return plot


def bolt_on_plate(examples):
    run = thinned(examples.run("bolt_on_plate", ["bolt.z", "energy.kinetic"]), 10)
    t = milliseconds(run)
    shank, head = 30 * 12 * 16 * math.sin(math.pi / 12), 5.3 * 2 * math.sqrt(3) * 6.5**2
    slope = 2.5 / 30
    rest = (4 + (15 * shank + 32.65 * head) / (shank + head) * slope) / math.hypot(1, slope)
    plot = Gnuplot(900, 380)
    plot("set multiplot layout 1,2 margins 0.08,0.985,0.15,0.90 spacing 0.11")
    plot('set title "Height of the centre of mass; dashed: where it lies"; set xlabel "time  [ms]"; set ylabel "[mm]"')
    plot(f"set xrange [0:{t[-1]:g}]; set yrange [0:32]")
    plot("plot " + ", ".join([line(plot.data(t, [1000 * z for z in run["bolt.z"]]), 2, BLUE),
                              line(plot.data([t[0], t[-1]], [rest, rest]), 1, BLACK, dash=2)]))
    plot('set title "Kinetic energy"; set ylabel "[mJ]"; set yrange [0:6]')
    plot("plot " + line(plot.data(t, [1000 * e for e in run["energy.kinetic"]]), 2, ORANGE))
    return plot
