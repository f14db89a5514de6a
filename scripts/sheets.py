#!/usr/bin/env python3
"""Draws the sheet of every example and puts them all on one page, to look through before a release.

usage: sheets.py [--freeplay COMMAND] [--to FOLDER] [--limit SECONDS] [NAME...]

Without names, all models of examples/ are run as they stand. FOLDER/index.html shows their sheets in a grid, in the
colours that the reader's browser prefers, each with the last lines of its run; a model that takes longer than the limit is
named and left out.
"""

import argparse
import html
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Sheets of all examples</title>
<meta name="color-scheme" content="light dark">
<style>
body {{ font: 14px/1.4 system-ui, sans-serif; margin: 16px; }}
main {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(440px, 1fr)); gap: 24px; }}
img {{ width: 100%; border: 1px solid #8884; }}
pre {{ font-size: 11px; white-space: pre-wrap; margin: 4px 0; }}
h2 {{ font-size: 15px; margin: 0 0 4px; }}
</style></head><body><h1>{title}</h1>
{notes}<main>
{cards}
</main></body></html>
"""


def run(words, limit):
    """Exit status and what was printed; 124 if it took too long."""
    try:
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return 124, ""
    return done.returncode, done.stdout + done.stderr


def findings(text):
    """The end of a run's summary: from the line of blows, contact or losses on."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if line.startswith(("  blows ", "  in contact ", "  losses ", "  judgement ")):
            return "\n".join(line for line in lines[i:] if line.startswith("  "))
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="an example; default: all")
    parser.add_argument("--freeplay", default="build/freeplay", help="the command; default build/freeplay")
    parser.add_argument("--to", type=Path, default=Path("results", "sheets"), help="folder; default results/sheets")
    parser.add_argument("--limit", type=float, default=120, help="seconds that a run may take; default 120")
    arguments = parser.parse_args()
    known = sorted(path.stem for path in (ROOT / "examples").glob("*.yaml"))
    for name in arguments.names:
        if name not in known:
            parser.error(f"there is no example {name}")
    folder = ROOT / arguments.to
    folder.mkdir(parents=True, exist_ok=True)
    cards, left_out = [], []
    for name in arguments.names or known:
        result = folder / "results" / name
        status, text = run([arguments.freeplay, "run", f"examples/{name}.yaml", "--out", str(result)], arguments.limit)
        if status not in (0, 4, 5):  # a run that fails is what some examples show
            left_out.append(f"{name}: exit status {status}")
            print(name, "left out:", status, flush=True)
            continue
        status, said = run([arguments.freeplay, "plot", str(result), "-o", str(folder / f"{name}.svg")], arguments.limit)
        if status != 0 or "warning" in said:
            left_out.append(f"{name}: {said.strip()}")
        print(name, flush=True)
        cards.append(f'<section><h2>{name}</h2><a href="{name}.svg"><img src="{name}.svg" alt="sheet of {name}"></a>'
                     f"<pre>{html.escape(findings(text))}</pre></section>")
    notes = "".join(f"<p>{html.escape(note)}</p>\n" for note in left_out)
    page = folder / "index.html"
    page.write_text(PAGE.format(title=f"{len(cards)} sheets", notes=notes, cards="\n".join(cards)), encoding="utf-8")
    print(page.relative_to(ROOT) if page.is_relative_to(ROOT) else page)
    return 1 if left_out else 0


if __name__ == "__main__":
    sys.exit(main())
