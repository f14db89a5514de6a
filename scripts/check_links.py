#!/usr/bin/env python3
"""Checks the links of every Markdown file of the project: the file, folder or picture exists, and so does the heading.

usage: check_links.py [ROOT]

Headings have the anchors that code hosts give them; `<a id="name"></a>` makes another one. Addresses of other machines are
not visited. A link that leaves the project is a mistake: it would work on one machine only.

Prints one line "file:line: what is wrong" per finding. Exit status: 0 clean, 1 findings, 2 there is nothing to check.
"""

import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote

SKIPPED_FOLDERS = {".git", ".cache", "results", "node_modules", "__pycache__"}  # and every folder "build..."

FENCE = re.compile(r"^\s*(?:>\s*)?(`{3,}|~{3,})")
CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
ANCHOR = re.compile(r"""<a\s+(?:id|name)=["']([^"']+)["']""")
# [text](target "title"), also of a picture inside of a link: what counts is the bracket before the target.
INLINE = re.compile(r"\]\(\s*<?([^)\s>]*)>?(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]^]+\]:\s+<?([^\s>]+)>?")
HTML = re.compile(r"""<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=["']([^"']+)["']""")
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def markdown_files(root):
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(s for s in subfolders if s not in SKIPPED_FOLDERS and not s.startswith("build"))
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(".md"))


def without_fenced_code(text):
    """The same lines, those of fenced code empty."""
    lines, fence = [], None
    for line in text.split("\n"):
        match = FENCE.match(line)
        if fence is None and match:
            fence = match[1]
        elif fence is None:
            lines.append(line)
            continue
        elif match and match[1].startswith(fence):
            fence = None
        lines.append("")
    return "\n".join(lines)


def without_code(text):
    """Blanks in place of code spans too. A span may go over the end of a line, but not over an empty one."""
    paragraphs = re.split(r"(\n\s*\n)", without_fenced_code(text))
    return "".join(CODE_SPAN.sub(lambda span: re.sub(r"[^\n]", " ", span[0]), part) for part in paragraphs)


def anchors(text):
    """Anchors of headings: lower case, blanks become hyphens, punctuation goes, repetitions are numbered."""
    names, counts = set(), {}
    for line in without_fenced_code(text).split("\n"):
        names.update(ANCHOR.findall(line))
        if heading := HEADING.match(line):
            title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])  # a link counts by its text
            slug = re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
            counts[slug] = counts.get(slug, -1) + 1
            names.add(f"{slug}-{counts[slug]}" if counts[slug] else slug)
    return names


def targets(text):
    """(line number, target) of every link and picture."""
    readable = without_code(text)
    for pattern in (INLINE, HTML):
        for match in pattern.finditer(readable):
            yield readable.count("\n", 0, match.start(1)) + 1, match[1]
    for number, line in enumerate(readable.split("\n"), start=1):
        if match := DEFINITION.match(line):
            yield number, match[1]


def exact_path_exists(root, path):
    """As on a file system that tells cases apart, whatever this one does."""
    folder = root
    for part in path.relative_to(root).parts:
        if part not in os.listdir(folder):
            return False
        folder /= part
    return True


def find_mistakes(root, texts):
    known_anchors = {path: anchors(text) for path, text in texts.items()}
    for page, text in texts.items():
        for line, target in sorted(set(targets(text))):
            if ELSEWHERE.match(target):
                continue
            name, _, anchor = target.partition("#")
            path = Path(os.path.normpath(page.parent / unquote(name))) if name else page
            what = None
            if not target:
                what = "a link without a target"
            elif path != root and root not in path.parents:
                what = f"'{target}' leads out of the project"
            elif not exact_path_exists(root, path):
                what = f"there is no '{target}'"
            elif anchor and path in texts and unquote(anchor) not in known_anchors[path]:
                what = f"there is no heading '#{anchor}' in {path.relative_to(root).as_posix()}"
            if what:
                yield page.relative_to(root).as_posix(), line, what


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    texts = {path: path.read_text(encoding="utf-8") for path in markdown_files(root)}
    if not texts:
        print(f"no Markdown below {root}", file=sys.stderr)
        return 2
    mistakes = list(find_mistakes(root, texts))
    for file, line, message in mistakes:
        print(f"{file}:{line}: {message}")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
