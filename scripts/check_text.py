#!/usr/bin/env python3
"""Checks every text file of the project for what no compiler minds.

usage: check_text.py [ROOT]

- no tabs, no blanks at the end of a line, a newline at the end of the file, no carriage returns;
- no absolute path of somebody's machine;
- every C++ header has #pragma once.

Prints one line "file:line: what is wrong" per finding. Exit status: 0 clean, 1 findings.
"""

import os
import re
import sys
from pathlib import Path

# Folders that are not sources; also every folder whose name starts with "build".
SKIPPED_FOLDERS = {".git", ".cache", "results", "node_modules", "__pycache__"}
# Files whose text is not ours to change, or whose blanks are their point (broken models of the tests, inputs of fuzzing).
UNCHECKED = re.compile(r"LICENSE|.*\.(svg|html|csv)|tests/.*\.ya?ml|tests/fuzz/corpus/\w+/.*")

# Not preceded by what makes it the tail of a longer path, such as "${prefix}/tmp" or "docs/root".
MACHINE_PATH = re.compile(r"(?<![\w.:/})$>*~-])/(?:work|home|root|tmp|Users)(?![-.\w])")


def text_files(root):
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(s for s in subfolders if s not in SKIPPED_FOLDERS and not s.startswith("build"))
        for name in sorted(names):
            path = Path(folder, name)
            data = b"\0" if path.is_symlink() else path.read_bytes()
            if b"\0" not in data:  # a zero byte: binary
                yield path.relative_to(root).as_posix(), data.decode("utf-8", errors="replace")


def find_mistakes(root):
    for file, text in text_files(root):
        if UNCHECKED.fullmatch(file):
            continue
        for number, line in enumerate(text.split("\n"), start=1):
            if "\t" in line:
                yield file, number, "a tab: indent with blanks"
            if "\r" in line:
                yield file, number, "a carriage return: end lines with a newline alone"
            elif line != line.rstrip():
                yield file, number, "blanks at the end of the line"
            if match := MACHINE_PATH.search(line):
                yield file, number, f"'{match.group()}' is a path of one machine: use a relative or a temporary one"
        if text and not text.endswith("\n"):
            yield file, text.count("\n") + 1, "no newline at the end of the file"
        if text.endswith("\n\n"):
            yield file, text.count("\n"), "an empty line at the end of the file"
        if file.endswith(".h") and not re.search(r"^#pragma once$", text, re.MULTILINE):
            yield file, 1, "a header without #pragma once"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    mistakes = list(find_mistakes(root))
    for file, line, message in mistakes:
        print(f"{file}:{line}: {message}")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
