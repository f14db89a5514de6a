#!/usr/bin/env python3
"""The documentation is true: its complete models pass `freeplay check`, the commands of its consoles print what it says, and
its list of warnings is complete; its films are small and move.

usage: documents_test.py COMMAND

- A block ```yaml that begins with `freeplay: 1` is a model.
- A line `<!-- file: NAME -->` before a block writes it to NAME for the commands that follow on that page.
- In a block ```console, `$ COMMAND` is run; the lines behind it are all that it prints. `...` stands for any lines, runs of
  blanks count as one: columns may widen.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMAND = None

BLOCK = re.compile(r"(?:^<!-- file: (?P<file>\S+) -->\n+)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(text):
    """(file name or None, language, text, line number)"""
    for match in BLOCK.finditer(text):
        yield match["file"], match["language"], match["text"], text.count("\n", 0, match.start("text")) + 1


def console_commands(text, line):
    """(command, expected lines, line number)"""
    commands = []
    for number, content in enumerate(text.splitlines(), start=line):
        if content.startswith("$ "):
            commands.append((content[2:], [], number))
        elif commands:
            commands[-1][1].append(content)
        else:
            raise ValueError(f"line {number}: a console begins with '$ COMMAND'")
    return commands


def normal(lines):
    return [" ".join(line.split()) for line in lines]


def matches(expected, printed):
    """Whether the printed lines are the expected ones, where "..." stands for any number of lines."""
    if not expected:
        return not printed
    if expected[0] == "...":
        return any(matches(expected[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and printed[0] == expected[0] and matches(expected[1:], printed[1:])


def run(command, folder):
    tools = Path(folder, ".tools")
    tools.mkdir(exist_ok=True)
    if not (tools / "freeplay").exists():
        (tools / "freeplay").symlink_to(COMMAND)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "NO_COLOR": "1"}
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, encoding="utf-8",
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
    return result.stdout.splitlines()


def mistakes_of_consoles(text):
    """Runs the consoles of a page in an empty folder. Returns a message per command that prints something else."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for file, language, content, line in blocks(text):
            if file:
                Path(folder, file).write_text(content, encoding="utf-8")
            if language != "console":
                continue
            for command, expected, number in console_commands(content, line):
                printed = run(command, folder)
                if not matches(normal(expected), normal(printed)):
                    found.append(f"line {number}: `{command}` prints\n" + "\n".join(printed))
    return found


def mistakes_of_models(text):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for _, language, content, line in blocks(text):
            if language == "yaml" and content.startswith("freeplay: 1"):
                Path(folder, "model.yaml").write_text(content, encoding="utf-8")
                printed = run("freeplay check model.yaml", folder)
                if not printed or not printed[0].startswith("OK "):
                    found.append(f"line {line}:\n" + "\n".join(printed))
    return found


class Documents(unittest.TestCase):
    def test_complete_models_are_sound(self):
        count = 0
        for page in sorted(DOCS.rglob("*.md")):
            text = page.read_text(encoding="utf-8")
            count += text.count("```yaml\nfreeplay: 1")
            with self.subTest(page=page.relative_to(DOCS).as_posix()):
                self.assertEqual([], mistakes_of_models(text))
        self.assertGreater(count, 8)

    def test_consoles_print_what_the_page_says(self):
        count = 0
        for page in sorted(DOCS.rglob("*.md")):
            text = page.read_text(encoding="utf-8")
            if "```console" in text:
                count += 1
                with self.subTest(page=page.relative_to(DOCS).as_posix()):
                    self.assertEqual([], mistakes_of_consoles(text))
        self.assertGreater(count, 0)


def pictures_in(gif):
    """How many pictures a GIF has: its blocks are walked through."""
    def after_parts(at):  # of a block: each with its length, the last one empty
        while gif[at]:
            at += 1 + gif[at]
        return at + 1

    def table(flags):
        return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0

    at, count = 13 + table(gif[10]), 0
    while gif[at] != 0x3B:
        if gif[at] == 0x21:
            at = after_parts(at + 2)
        else:
            count += 1
            at = after_parts(at + 11 + table(gif[at + 9]))
    return count


class Films(unittest.TestCase):
    def test_films_are_small_move_and_are_shown(self):
        films = sorted((DOCS / "images" / "films").glob("*.gif"))
        self.assertGreaterEqual(len(films), 3)
        for film in films:
            with self.subTest(film.name):
                data = film.read_bytes()
                self.assertLess(len(data), 400_000)
                self.assertGreater(pictures_in(data), 40)
                for page in [DOCS / "README.md", DOCS / "examples" / "README.md"]:
                    self.assertIn(film.name, page.read_text(encoding="utf-8"))


class Warnings(unittest.TestCase):
    # Where a run warns: a phrase of the text, and the first words of its row in docs/guide/warnings.md.
    ROWS = {
        "replaces Coulomb's law": "the solver relaxes Coulomb's law",
        "makes a ramp of the dry friction": "dry friction of a joint is made a ramp",
        "warnings_on_unused_options": "a key is not used",
        "is displaced in its frame by": "an elastic body is displaced in its frame",
        "warnings_on_held_ends": "the shapes of a beam hold its end",
        "warnings_on_momentless_ends": "the shapes of a beam carry no moment",
        "warnings_on_locked_beams": "the joints hold places of a beam at fixed distances",
        "the rate of the motion '{}' jumps by": "the rate of a motion jumps",
        "is inside its wall without": "a part is inside its wall without",
        "penetrates its wall by more": "a part penetrates its wall",
        "has more contacts than points": "a pair has more contacts than points",
        "whether '{}' rebounds": "rounding has decided whether a contact rebounds",
        "is too long for the {} of": "the step is too long for a spring",
        "the measures are left out": "the measures are left out",
        "looks beyond the end of the run": "a measure has no value, or looks beyond the end of the run",
        "would have flown through each other": "parts would have flown through each other",
        "also in the shortest piece of it": "parts have flown through each other",
        "would have to rebound into each other": "contacts would have to rebound into each other",
        "could not close their gaps together": "contacts could not close their gaps together",
        "an impact by Poisson's law gains": "an impact gains energy",
        "did not reach its tolerance": "a solver did not reach its tolerance",
        "from_integrator": None,  # the texts of integrators, below
        "the rank of the bilateral rows": "the rank of the bilateral rows changed",
        "began deeper than": "contacts noticed late have added energy",
        "of spurious energy": "contacts noticed late have added energy",
        "beyond what a number can hold": "energies beyond what a number can hold",
        "without a source": "energy appeared or disappeared without a source",
        "impacts have added": "impacts have added energy",
        "depends on rounding": "the motion depends on rounding",
        "is the impulse of an impact": "the largest force is that of an impact",
        "is not a multiple of the step": "the duration is not a multiple of the step",
        "is longer than h_crit": "the step is longer than `h_crit`",
        "are taken as disc steps": "steps are taken as disc steps",
        "strikes while '{}' touches": "touching contacts are struck together",
        "have several solutions": "accelerations have several solutions",
        "is not determined: contacts": "friction is not determined",
        "no accelerations fulfil the laws of": "no accelerations fulfil the laws",
        "the events of closed contacts cannot be told apart": "events cannot be told apart",
    }

    def test_the_guide_has_a_row_for_each_place_that_warns(self):
        layers = DOCS.parent / "freeplay"
        texts = [path.read_text(encoding="utf-8") for layer in ("simulation", "integrators")
                 for path in sorted((layers / layer).rglob("*.cpp"))]
        places = sum(len(re.findall(r"context\.warn\(|warnings_\.push_back\(fmt|\bwarning_ = ", text)) for text in texts)
        self.assertEqual(len(self.ROWS), places, "a place that warns is new or gone: mend the list and the guide")
        sources = re.sub(r'"\s*"', "", "".join(texts))  # texts that go on in the next line
        guide = Path(DOCS, "guide", "warnings.md").read_text(encoding="utf-8")
        for phrase, row in self.ROWS.items():
            self.assertIn(phrase, sources)
            if row:
                self.assertIn(f"\n| {row}", guide)

    # Of places whose text is made elsewhere: what the test looks for.
    WORDS_OF_TESTS = {"from_integrator": "told apart", "warnings_on_held_ends": "hold its end against turning",
                      "warnings_on_momentless_ends": "carry no moment at its",
                      "warnings_on_locked_beams": "the joints hold places of"}

    def test_each_place_that_warns_has_a_test_that_waits_for_its_words(self):
        tests = DOCS.parent / "tests"
        texts = re.sub(r'"\s*"', "", "".join(path.read_text(encoding="utf-8")
                                            for kind in ("*.cpp", "*.h") for path in sorted(tests.rglob(kind))))
        for phrase in self.ROWS:
            parts = [part.strip(" '") for part in self.WORDS_OF_TESTS.get(phrase, phrase).split("{}")]
            self.assertTrue(any(len(part) > 3 and part in texts for part in parts), phrase)


class PlantedMistakes(unittest.TestCase):
    MODEL = "freeplay: 1\nname: A mass\nspace: planar\nbodies: {a: {mass: 1 kg, inertia: 1 kg m^2}}\nsimulate: {duration: 1 s}\n"

    def page(self, console, model=MODEL):
        return f"# Page\n\n<!-- file: a.yaml -->\n```yaml\n{model}```\n\n```console\n{console}```\n"

    def test_true_pages_pass(self):
        page = self.page("$ freeplay check a.yaml\nOK A mass\n...\n$ freeplay check a.yaml | tail -n 1\n 6 degrees\n")
        self.assertEqual(1, len(mistakes_of_consoles(page)))
        self.assertEqual([], mistakes_of_consoles(page.replace("6 degrees", "3 degrees of freedom, 0 redundant rows")))
        self.assertEqual([], mistakes_of_models(page))

    def test_missing_and_additional_lines_are_found(self):
        self.assertEqual(1, len(mistakes_of_consoles(self.page("$ freeplay check a.yaml\nOK A mass\n"))))
        self.assertEqual(1, len(mistakes_of_consoles(self.page("$ true\nsomething\n"))))
        self.assertEqual(1, len(mistakes_of_consoles(self.page("$ freeplay check a.yaml\n...\nnever printed\n...\n"))))

    def test_a_bad_model_is_found(self):
        self.assertEqual(1, len(mistakes_of_models(self.page("", self.MODEL.replace("1 kg,", "1 m,")))))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    COMMAND = Path(sys.argv.pop(1)).resolve()
    unittest.main()
