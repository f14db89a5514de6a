#!/usr/bin/env python3
"""A map of a study as PNG, one pixel per run, with the standard library alone: for machines without gnuplot.

usage: map_picture.py STUDY.csv OUT.png     columns: x, y, value
"""
import csv
import struct
import sys
import zlib

# Dark blue, blue, green, yellow: brighter is larger.
COLOURS = [(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)]


def palette():
    colours = []
    for level in range(255):
        place = level / 254 * (len(COLOURS) - 1)
        below = min(int(place), len(COLOURS) - 2)
        part = place - below
        colours.append(tuple(round(a + part * (b - a)) for a, b in zip(COLOURS[below], COLOURS[below + 1])))
    return colours + [(255, 255, 255)]  # without a value


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main():
    with open(sys.argv[1], newline="") as file:
        rows = [(float(row[0]), float(row[1]), float(row[2])) for row in list(csv.reader(file))[1:]]
    columns = {x: i for i, x in enumerate(sorted({row[0] for row in rows}))}
    lines = {y: i for i, y in enumerate(sorted({row[1] for row in rows}, reverse=True))}
    values = sorted(row[2] for row in rows if row[2] == row[2])
    low, high = values[0], values[min(len(values) - 1, int(0.999 * len(values)))]
    pixels = [bytearray([255] * len(columns)) for _ in lines]
    for x, y, value in rows:
        if value == value:
            share = (value - low) / (high - low) if high > low else 0.5
            pixels[lines[y]][columns[x]] = round(254 * min(1, max(0, share)))
    head = struct.pack(">IIBBBBB", len(columns), len(lines), 8, 3, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(line) for line in pixels), 9)
    with open(sys.argv[2], "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
                   chunk(b"PLTE", b"".join(bytes(colour) for colour in palette())) + chunk(b"IDAT", data) +
                   chunk(b"IEND", b""))
    print(f"{sys.argv[2]}: {len(columns)} x {len(lines)}, from {low:.4g} (dark) to {high:.4g} (bright)")


main()
