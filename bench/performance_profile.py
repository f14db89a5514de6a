"""Performance profiles of solvers (Dolan and More 2002) as SVG, for solvers.py."""

import math
from pathlib import Path

COLOURS = ["#222222", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 460, 60, 220, 24, 54
DOUBLINGS = 16  # of the x axis


def x_of(log_ratio):
    return LEFT + (WIDTH - LEFT - RIGHT) / DOUBLINGS * min(log_ratio, DOUBLINGS)


def y_of(fraction):
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * fraction


def log_ratios(problems, runs, solvers):
    """Of each solver: log2 of its CPU time as a multiple of the fastest, ascending, for the problems that it solves."""
    best = {p: min(runs[s, p].seconds for s in solvers if runs[s, p].is_solved()) for p in problems
            if any(runs[s, p].is_solved() for s in solvers)}
    return {solver: sorted(math.log2(runs[solver, problem].seconds / fastest) for problem, fastest in best.items()
                           if runs[solver, problem].is_solved()) for solver in solvers}


def axes():
    text = []
    for power in range(0, DOUBLINGS + 1, 2):
        x = x_of(power)
        text.append(f'<line x1="{x:.1f}" y1="{y_of(0)}" x2="{x:.1f}" y2="{y_of(1)}" stroke="#E4E4E4"/>')
        text.append(f'<text x="{x:.1f}" y="{y_of(0) + 20}" text-anchor="middle">{power}</text>')
    for fifth in range(6):
        y = y_of(fifth / 5)
        text.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#E4E4E4"/>')
        text.append(f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{fifth / 5:g}</text>')
    text.append(f'<path d="M{LEFT} {y_of(1)}V{y_of(0)}H{WIDTH - RIGHT}" fill="none" stroke="#777777"/>')
    text.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">log2 of the CPU time as '
                'a multiple of the fastest</text>')
    text.append(f'<text transform="translate(18 {(y_of(0) + y_of(1)) / 2}) rotate(-90)" text-anchor="middle">fraction of '
                'the problems solved</text>')
    return text


def curve(logs, count):
    """A staircase: one step up for each problem of `count` that is solved."""
    points = [f"M{x_of(0):.1f} {y_of(0):.1f}"]
    points += [f"H{x_of(log_ratio):.1f}V{y_of((k + 1) / count):.1f}" for k, log_ratio in enumerate(logs)]
    return "".join([*points, f"H{x_of(DOUBLINGS):.1f}"])


def draw_profile(path, problems, runs, labels, ours):
    """Fraction of the problems that a solver solves within 2^x times the CPU time of the fastest on each.

    `problems` are names, `labels` the texts of the solvers; `runs[solver, problem]` has `seconds` and `is_solved()`.
    Solvers that are not `ours` are dashed.
    """
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'font-family="Helvetica, Arial, sans-serif" font-size="14" fill="#222222">',
            # On dark pages light and dark change places, as in the figures of `freeplay plot`.
            '<style>@media (prefers-color-scheme: dark) { svg { filter: invert(0.92) hue-rotate(180deg); } }</style>',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', *axes()]
    own = peers = 0
    for solver, logs in log_ratios(problems, runs, list(labels)).items():
        is_ours = solver in ours
        colour = COLOURS[(own if is_ours else peers + 1) % len(COLOURS)]
        own, peers = own + is_ours, peers + (not is_ours)
        style = f'fill="none" stroke="{colour}" stroke-width="{3 if solver == "auto" else 1.8}"'
        if not is_ours:
            style += ' stroke-dasharray="7 4"'
        text.append(f'<path d="{curve(logs, len(problems))}" {style}/>')
        x, y = WIDTH - RIGHT + 16, y_of(1) + 10 + 24 * (own + peers - 1) + (12 if not is_ours else 0)
        text.append(f'<path d="M{x} {y}h32" {style}/><text x="{x + 40}" y="{y + 5}">{labels[solver]}</text>')
    text.append("</svg>")
    Path(path).write_text("\n".join(text) + "\n", encoding="utf-8")
