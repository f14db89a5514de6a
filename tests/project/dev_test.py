#!/usr/bin/env python3
"""What ./dev counts and chooses: passed, failed and skipped tests apart; the sources that are linted; benchmarks by their last line.

usage: dev_test.py CMAKE CTEST
"""

import json
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
        self.assertEqual({"tree", "slider_crank", "compliant", "solvers", "spatial", "shapes", "event_driven", "chain", "sweep", "batch", "batch_certify", "habits", "piles"}, set(names))


class Help(unittest.TestCase):
    def test_names_every_verb(self):
        status, lines = dev(".", "usage; declare -F | sed -n 's/^declare -f verb_/VERB /p'")
        self.assertEqual(0, status)
        verbs = {line[5:] for line in lines if line.startswith("VERB ")}
        self.assertLessEqual({"test", "fuzz", "faults"}, verbs)
        named = {line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")}
        self.assertEqual(verbs, named)


class Lint(unittest.TestCase):
    def test_every_source_of_the_library_and_the_command_is_in_one_batch(self):
        with tempfile.TemporaryDirectory() as folder:
            build = Path(folder)
            sources = sorted(p.relative_to(ROOT).as_posix() for top in ("freeplay", "apps") for p in Path(ROOT, top).rglob("*.cpp"))
            entries = [{"directory": folder, "file": f"{ROOT}/{source}",
                        "command": f"/usr/bin/c++ -I{ROOT} -isystem /usr/include/x -o x.o -c {ROOT}/{source}"}
                       for source in [*sources, "tests/other.cpp"]]
            Path(build, "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
            sys.path.insert(0, f"{ROOT}/scripts")
            import lint
            _, batches = lint.write_batches(build)
            found = [line.split('"')[1] for batch in batches for line in batch.read_text().splitlines()]
        self.assertEqual(sources, sorted(found))
        self.assertGreater(len(sources), 100)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CTEST = sys.argv.pop(2)
    CMAKE = sys.argv.pop(1)
    unittest.main()
