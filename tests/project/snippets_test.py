#!/usr/bin/env python3
"""Every C++ snippet of docs/develop compiles where the page says that it goes.

usage: snippets_test.py COMPILER COMPILE_COMMANDS

A comment before each snippet says where that is:

    <!-- into: PATH, after: TEXT -->           behind the first line of the source PATH that holds TEXT
    <!-- into: PATH, as: NAME, after: TEXT -->  likewise; the result is the new file NAME

The sources are copied, the snippets of a page are put into the copies, and every copy is compiled with the others before
the originals in the include path. What a page leaves out (includes, a namespace, a constructor) stands in
tests/project/snippets. A snippet without such a comment is a failure: none is exempt.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs/develop"
COMPILER, OPTIONS = None, []

BLOCK = re.compile(
    r"(?:^<!-- into: (?P<path>[^,\s]+), (?:as: (?P<name>[^,\s]+), )?after: (?P<text>[^\n]+) -->\n+)?"
    r"^```(?:cpp|c\+\+|c)\n(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def options_of(commands):
    """The include folders and definitions that any source of the project is compiled with."""
    options = {}
    for entry in json.loads(Path(commands).read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        for word, following in zip(words, words[1:] + [""]):
            if word.startswith(("-I", "-D")):
                options[word] = None
            elif word == "-isystem":
                options[f"-isystem{following}"] = None
    return list(options)


def insert(lines, text, code):
    """Behind the first line that holds the text; False if there is none."""
    for number, line in enumerate(lines):
        if text in line:
            lines[number + 1 : number + 1] = code
            return True
    return False


def mistakes_of(page, text):
    """Compiles the snippets of a page. Returns a message for each that has no place or does not compile."""
    found, files = [], {}
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("code")) + 1
        if not match["path"]:
            found.append(f"{page}:{line}: this snippet does not say where it goes (<!-- into: PATH, after: TEXT -->)")
            continue
        name = match["name"] or match["path"]
        original = ROOT / match["path"]
        if name not in files:
            files[name] = [f'#line 1 "{match["path"]}"'] + original.read_text(encoding="utf-8").splitlines()
        # Errors of the compiler name the line of the page.
        code = [f'#line {line} "{page}"', *match["code"].splitlines(), f'#line 1 "{match["path"]} (further on)"']
        if not insert(files[name], match["text"], code):
            found.append(f"{page}:{line}: {match['path']} has no line with '{match['text']}'")
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in files.items():
            copy = Path(folder, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for name in files:
            command = [COMPILER, "-std=c++20", "-fsyntax-only", "-x", "c++", f"-I{folder}", f"-I{folder}/apps/freeplay",
                       *OPTIONS, f"-I{ROOT}", Path(folder, name)]  # fmt: skip
            result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if result.returncode != 0:
                found.append(result.stdout)
    return found


class Snippets(unittest.TestCase):
    def test_all_compile_where_they_go(self):
        count = 0
        for path in sorted(PAGES.glob("*.md")):
            text = path.read_text(encoding="utf-8")
            page = path.relative_to(ROOT).as_posix()
            with self.subTest(page=page):
                self.assertEqual(text.count("```c"), len(BLOCK.findall(text)), "a block of C++ is not recognised")
                self.assertEqual("", "\n".join(mistakes_of(page, text)))
            count += len(BLOCK.findall(text))
        self.assertGreater(count, 12)


class PlantedMistakes(unittest.TestCase):
    PAGE = (
        "# Page\n\n<!-- into: freeplay/core/version.cpp, after: namespace freeplay::core { -->\n"
        "```cpp\nstd::string_view name() {\n  return version();\n}\n```\n"
    )

    def test_a_sound_page_passes(self):
        self.assertEqual([], mistakes_of("page.md", self.PAGE))

    def test_code_that_does_not_compile_is_found_with_its_line(self):
        (message,) = mistakes_of("page.md", self.PAGE.replace("version()", "versoin()"))
        self.assertIn("page.md:6", message)

    def test_a_snippet_without_a_place_is_found(self):
        self.assertEqual(1, len(mistakes_of("page.md", "```cpp\nint x;\n```\n")))

    def test_a_place_that_is_gone_is_found(self):
        self.assertEqual(1, len(mistakes_of("page.md", self.PAGE.replace("freeplay::core {", "freeplay::cellar {"))))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    OPTIONS = options_of(sys.argv.pop(2))
    COMPILER = sys.argv.pop(1)
    unittest.main()
