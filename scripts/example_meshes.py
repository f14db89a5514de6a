#!/usr/bin/env python3
"""Writes the meshes of the examples, examples/meshes/*.stl, in millimetres: python3 scripts/example_meshes.py [FOLDER]"""
import math
import pathlib
import sys


def ring(radius_at, count, z):
    """Points around the z axis; radius_at: of the angle."""
    angles = [2 * math.pi * k / count for k in range(count)]
    return [(radius_at(a) * math.cos(a), radius_at(a) * math.sin(a), z) for a in angles]


def circle(radius):
    return lambda angle: radius


def polygon(sides, apothem):
    """The border of a regular polygon, a corner at angle pi/sides."""
    step = 2 * math.pi / sides
    return lambda angle: apothem / math.cos((angle + step / 2) % step - step / 2)


def loft(rings, closed):
    """Triangles between each ring and the next; closed: the last one joins the first, otherwise both ends are capped."""
    triangles = []
    pairs = list(zip(rings, rings[1:] + rings[:1])) if closed else list(zip(rings, rings[1:]))
    for low, high in pairs:
        for k in range(len(low)):
            j = (k + 1) % len(low)
            triangles += [(low[k], low[j], high[j]), (low[k], high[j], high[k])]
    if not closed:
        for end, flip in ((rings[0], True), (rings[-1], False)):
            centre = (0.0, 0.0, end[0][2])
            for k in range(len(end)):
                a, b = end[k], end[(k + 1) % len(end)]
                triangles.append((centre, b, a) if flip else (centre, a, b))
    return triangles


def peg():
    """A prism with 32 sides, its corners on a radius of 10 mm; 40 mm long, its middle at the origin."""
    return loft([ring(circle(10), 32, -20), ring(circle(10), 32, 20)], closed=False)


def plate():
    """60 x 60 x 20 mm with a hole of 32 flat sides at 10.1 mm from the axis."""
    hole, border = circle(10.1 / math.cos(math.pi / 32)), polygon(4, 30)
    return loft([ring(hole, 32, -10), ring(border, 32, -10), ring(border, 32, 10), ring(hole, 32, 10)], closed=True)


def bolt():
    """M8 x 30 with a plain shank and a hexagon head, from the tip at z = 0 upwards."""
    shank, head = circle(4), polygon(6, 6.5)
    return loft([ring(shank, 24, 0), ring(shank, 24, 30), ring(head, 24, 30), ring(head, 24, 35.3)], closed=False)


def write_stl(path, name, triangles):
    lines = [f"solid {name}"]
    for a, b, c in triangles:
        u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
        n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        length = math.sqrt(sum(x * x for x in n))
        lines.append("facet normal " + " ".join(f"{round(x / length, 6) + 0.0:.6f}" for x in n))
        lines.append("outer loop")
        lines += ["vertex " + " ".join(f"{round(x, 7) + 0.0:.7f}" for x in p) for p in (a, b, c)]
        lines += ["endloop", "endfacet"]
    lines.append(f"endsolid {name}")
    path.write_text("\n".join(lines) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "examples/meshes")
    for name, triangles in (("peg", peg()), ("plate_with_hole", plate()), ("bolt", bolt())):
        write_stl(folder / f"{name}.stl", name, triangles)


if __name__ == "__main__":
    main()
