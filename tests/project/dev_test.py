#!/usr/bin/env python3
"""What ./dev counts and chooses: passed, failed and skipped tests apart; sources for a partial lint; benchmarks by their last line.

usage: dev_test.py CMAKE CTEST
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CMAKE = CTEST = None

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(sample NONE)
enable_testing()
foreach(name a b c)
  add_test(NAME passes.${name} COMMAND ${CMAKE_COMMAND} -E true)
endforeach()
foreach(name a b)
  add_test(NAME skipped.${name} COMMAND ${CMAKE_COMMAND} -E echo "needs a browser")
  set_tests_properties(skipped.${name} PROPERTIES SKIP_REGULAR_EXPRESSION "needs a browser")
endforeach()
add_test(NAME fails COMMAND ${CMAKE_COMMAND} -E false)
"""


def dev(folder, commands):
    """Runs commands with the functions of ./dev in a folder of their own; returns status and output."""
    script = f"source '{ROOT}/dev' && cd '{folder}' && {commands}"
    environment = {**os.environ, "PATH": f"{Path(CTEST).parent}:{os.environ['PATH']}"}
    result = subprocess.run(["bash", "-c", script], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.returncode, result.stdout.splitlines()


class Counts(unittest.TestCase):
    def run_tests(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
            subprocess.run([CMAKE, "-S", folder, "-B", f"{folder}/tests"], check=True, stdout=subprocess.DEVNULL)
            return dev(folder, f"run_ctest test Testing tests {' '.join(options)}; summary")

    def test_passed_failed_and_skipped_are_counted_apart(self):
        status, lines = self.run_tests()
        self.assertEqual("3 passed, 1 failed, 2 skipped", lines[-1])
        self.assertNotEqual(0, status)

    def test_a_skipped_test_is_no_failure(self):
        status, lines = self.run_tests("--tests-regex", "skipped")
        self.assertEqual("0 passed, 0 failed, 2 skipped", lines[-1])
        self.assertEqual(0, status)

    def test_no_test_at_all_is_a_failure(self):
        status, lines = self.run_tests("--tests-regex", "of_this_name_there_is_none")
        self.assertEqual("0 passed, 1 failed, 0 skipped", lines[-1])
        self.assertNotEqual(0, status)


class Benchmarks(unittest.TestCase):
    def attempt(self, last_line):
        return dev(".", f"run_benchmark() {{ echo a table; echo '{last_line}'; }}; try_benchmark tree")[0]

    def test_each_must_end_with_its_ratio(self):
        self.assertEqual(0, self.attempt("tree ratio 20.67"))
        self.assertNotEqual(0, self.attempt("tree ratio"))
        self.assertNotEqual(0, self.attempt("spatial ratio 20.67"))
        self.assertNotEqual(0, self.attempt("tree ratio nan"))

    def test_one_that_fails_is_a_failure(self):
        self.assertNotEqual(0, dev(".", "run_benchmark() { echo 'tree ratio 1.00'; return 3; }; try_benchmark tree")[0])

    def test_all_of_bench_are_tried(self):
        status, names = dev(ROOT, "benchmarks")
        self.assertEqual(0, status)
        self.assertEqual({"tree", "slider_crank", "compliant", "solvers", "spatial"}, set(names))


class Help(unittest.TestCase):
    def test_names_every_verb(self):
        status, lines = dev(".", "usage; declare -F | sed -n 's/^declare -f verb_/VERB /p'")
        self.assertEqual(0, status)
        verbs = {line[5:] for line in lines if line.startswith("VERB ")}
        self.assertLessEqual({"test", "fuzz", "faults"}, verbs)
        named = {line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")}
        self.assertEqual(verbs, named)


class Lint(unittest.TestCase):
    def chosen(self, commits, count):
        """Sources that a partial lint takes in a repository with that many commits, the last of which changes one."""
        with tempfile.TemporaryDirectory() as folder:
            git = ["git", "-C", folder, "-c", "user.name=test", "-c", "user.email=test@example.org"]
            for name in "abcdefgh":
                Path(folder, "freeplay").mkdir(exist_ok=True)
                Path(folder, "apps").mkdir(exist_ok=True)
                Path(folder, f"freeplay/{name}.cpp").write_text("\n", encoding="utf-8")
            subprocess.run([*git, "init", "-q"], check=True)
            for number in range(commits):
                Path(folder, "freeplay/g.cpp").write_text(f"// {number}\n", encoding="utf-8")
                subprocess.run([*git, "add", "."], check=True)
                subprocess.run([*git, "commit", "-q", "-m", "change"], check=True)
            status, lines = dev(folder, f"some_sources {count} | tr '\\0' '\\n'")
            self.assertEqual(0, status)
            return lines

    def test_what_the_last_commit_changed_comes_first(self):
        self.assertEqual("freeplay/g.cpp", self.chosen(3, 2)[0])

    def test_all_sources_come_in_turn(self):
        seen = set()
        for commits in range(2, 12):
            chosen = self.chosen(commits, 2)
            self.assertIn(len(chosen), (2, 3))  # one that changed, two in turn, which may be the same
            seen |= set(chosen)
        self.assertEqual({f"freeplay/{name}.cpp" for name in "abcdefgh"}, seen)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CTEST = sys.argv.pop(2)
    CMAKE = sys.argv.pop(1)
    unittest.main()
