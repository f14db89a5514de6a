#!/usr/bin/env python3
"""The checks of scripts/ find what they are for: each runs over a small tree with planted mistakes."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "scripts"


def run(script, files):
    """Writes `files` (path: text) below a temporary root; returns (exit status, {"file:line", ...} of the findings)."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        result = subprocess.run(
            [sys.executable, SCRIPTS / script, root], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    return result.returncode, [":".join(line.split(":")[:2]) for line in result.stdout.splitlines()]


class CheckLayers(unittest.TestCase):
    CLEAN = {
        "freeplay/core/layers.h": "#pragma once\nnamespace freeplay {\nnamespace core {}\nnamespace math {}\n}\n",
        "freeplay/core/error.h": '#pragma once\n#include <string>\n#include "freeplay/core/layers.h"\n',
        "freeplay/math/types.h": '#pragma once\n#include <Eigen/Core>\n#include "freeplay/core/error.h"\n',
        "freeplay/math/solve.cpp": '#include <Eigen/Sparse>\n#include "freeplay/math/types.h"\n',
        "freeplay/geometry/gap.h": '#pragma once\n#include "freeplay/math/types.h"\n',
        "freeplay/complementarity/problem.h": '#pragma once\n#include "freeplay/math/types.h"\n',
        "freeplay/io/hdf5_file.h": '#pragma once\n#include <hdf5.h>\n#include "freeplay/core/layers.h"\n',
        "freeplay/io/result.h": '#pragma once\n#include "freeplay/geometry/gap.h"\n',
        "freeplay/io/result.cpp": '#include "freeplay/io/result.h"\n#include "freeplay/io/hdf5_file.h"\n',
        "apps/freeplay/main.cpp": '#include "freeplay/io/result.h"\n#include "freeplay/core/error.h"\n',
        "freeplay/freeplay.h": '#pragma once\n#include "freeplay/io/result.h"\nnamespace freeplay {\nusing io::A;\n}\n',
    }

    def assert_finds(self, planted, *places):
        status, findings = run("check_layers.py", {**self.CLEAN, **planted})
        self.assertEqual(sorted(places), sorted(findings))
        self.assertEqual(1, status)

    def test_a_clean_tree_passes(self):
        self.assertEqual((0, []), run("check_layers.py", self.CLEAN))

    def test_no_tree_is_not_a_clean_tree(self):
        self.assertEqual(2, run("check_layers.py", {"README.md": "\n"})[0])

    def test_a_name_outside_of_its_layers_namespace_is_found(self):
        include = '#include "freeplay/core/error.h"\n'
        self.assert_finds(
            {
                "freeplay/core/right.cpp": include + "namespace freeplay::core {\nnamespace {\n}\n}\n",
                "freeplay/math/inner.cpp": include + "namespace freeplay::math::detail {\n}\n",
                "freeplay/math/flat.cpp": include + "namespace freeplay {\n}\n",
                "freeplay/math/other.cpp": include + "\nnamespace freeplay::core {\n}\n",
                "freeplay/math/alien.cpp": include + "namespace mine {\n}\n",
                "freeplay/math/open.cpp": include + "namespace {\n}\n",
            },
            "freeplay/math/flat.cpp:2",
            "freeplay/math/other.cpp:3",
            "freeplay/math/alien.cpp:2",
            "freeplay/math/open.cpp:2",
        )

    def test_a_header_that_does_not_know_the_layers_is_found(self):
        self.assert_finds({"freeplay/math/alone.h": "#pragma once\n#include <string>\n"}, "freeplay/math/alone.h:1")

    def test_the_header_for_users_is_for_users_only(self):
        include = '#include "freeplay/freeplay.h"\n'
        self.assert_finds(
            {"freeplay/io/model.cpp": include, "apps/freeplay/verbs/run.cpp": "\n" + include},
            "freeplay/io/model.cpp:1",
            "apps/freeplay/verbs/run.cpp:2",
        )

    def test_the_header_for_users_gathers_names_of_layers_and_nothing_else(self):
        self.assert_finds(
            {
                "freeplay/freeplay.h": '#pragma once\n#include <vector>\n#include "freeplay/io/gone.h"\n'
                '#include "freeplay/io/hdf5_file.h"\nnamespace freeplay::io {\n}\n',
                "freeplay/beside.h": '#pragma once\n#include "freeplay/core/layers.h"\n',
            },
            "freeplay/freeplay.h:2",
            "freeplay/freeplay.h:3",
            "freeplay/freeplay.h:4",
            "freeplay/freeplay.h:5",
            "freeplay/beside.h:1",
        )

    def test_an_upward_include_is_found(self):
        self.assert_finds(
            {"freeplay/core/log.cpp": '#include "freeplay/core/error.h"\n#include "freeplay/math/types.h"\n'},
            "freeplay/core/log.cpp:2",
        )

    def test_folders_of_one_level_do_not_see_each_other(self):
        self.assert_finds(
            {
                "freeplay/geometry/a.cpp": '  #  include "freeplay/complementarity/problem.h"\n',
                "freeplay/complementarity/b.h": '#pragma once\n\n#include "freeplay/geometry/gap.h"\n',
            },
            "freeplay/geometry/a.cpp:1",
            "freeplay/complementarity/b.h:3",
        )

    def test_a_relative_path_is_no_way_around(self):
        self.assert_finds({"freeplay/math/a.cpp": '#include "../io/result.h"\n'}, "freeplay/math/a.cpp:1")

    def test_an_unknown_folder_and_a_missing_file_are_found(self):
        self.assert_finds(
            {
                "freeplay/utilities/a.h": "#pragma once\n",
                "freeplay/core/b.cpp": '#include "freeplay/core/gone.h"\n',
            },
            "freeplay/utilities/a.h:1",
            "freeplay/core/b.cpp:1",
        )

    def test_a_library_stays_in_its_folder(self):
        self.assert_finds(
            {
                "freeplay/mechanism/a.cpp": "#include <yaml-cpp/yaml.h>\n#include <H5Cpp.h>\n",
                "freeplay/simulation/b.cpp": "#include <cvode/cvode.h>\n#include <mpi.h>\n#include <cuda_runtime.h>\n",
                "freeplay/integrators/c.cpp": "#include <cvode/cvode.h>\n",
                "apps/freeplay/d.cpp": "#include <hdf5.h>\n",
            },
            "freeplay/mechanism/a.cpp:1",
            "freeplay/mechanism/a.cpp:2",
            "freeplay/simulation/b.cpp:1",
            "freeplay/simulation/b.cpp:2",
            "freeplay/simulation/b.cpp:3",
            "apps/freeplay/d.cpp:1",
        )

    def test_a_header_that_others_include_must_not_hand_on_a_library(self):
        self.assert_finds(
            {
                "freeplay/io/writer.h": '#pragma once\n#include "freeplay/io/hdf5_file.h"\n',
                "apps/freeplay/verbs/run.cpp": '#include <vector>\n#include "freeplay/io/writer.h"\n',
            },
            "apps/freeplay/verbs/run.cpp:2",
        )

    def test_eigen_sparse_is_found_in_headers_only(self):
        self.assert_finds(
            {"freeplay/mechanism/a.h": '#pragma once\n#include <Eigen/SparseCore>\n#include "freeplay/math/types.h"\n'},
            "freeplay/mechanism/a.h:2",
        )


class CheckText(unittest.TestCase):
    def assert_finds(self, planted, *places):
        status, findings = run("check_text.py", {"freeplay/core/error.h": "#pragma once\n", **planted})
        self.assertEqual(sorted(places), sorted(findings))
        self.assertEqual(1 if places else 0, status)

    def test_a_clean_tree_passes(self):
        self.assert_finds({"README.md": "Docs: https://example.org/home/x, ${prefix}/tmp\n", "a.png": "\0\t"})

    def test_build_folders_are_not_sources(self):
        self.assert_finds({"build-debug/a.h": "\t", "build/b.txt": " "})

    def test_blanks_and_newlines(self):
        self.assert_finds(
            {"a.cpp": "int a;\n\tint b; \n", "b.md": "no newline", "c.md": "dos\r\n", "d.md": "end\n\n"},
            "a.cpp:2",
            "a.cpp:2",
            "b.md:1",
            "c.md:1",
            "d.md:2",
        )

    def test_inputs_of_fuzzing_are_as_they_are(self):
        self.assert_finds({"tests/fuzz/corpus/requests/a": "GET\r\n", "tests/fuzz/corpus/a.md": "x"}, "tests/fuzz/corpus/a.md:1")

    def test_a_header_needs_pragma_once(self):
        self.assert_finds({"freeplay/core/a.h": "// #pragma once\n"}, "freeplay/core/a.h:1")

    def test_paths_of_one_machine(self):
        # Put together here, so that this file passes the check itself.
        paths = [f"/{folder}/x" for folder in ("work", "home", "root", "tmp")]
        self.assert_finds({"a.md": "".join(f"see {path}\n" for path in paths)}, "a.md:1", "a.md:2", "a.md:3", "a.md:4")


class CheckLinks(unittest.TestCase):
    CLEAN = {
        "README.md": "# Top\n[page](docs/page.md), [part](docs/page.md#a-part-of-it), [here](#top), [there](https://x.org/a.md)\n"
        "[![picture](docs/a%20b.svg)](docs/) and [named]\n\n[named]: docs/page.md#by-name\n",
        "docs/page.md": '# A page\n\n## A `part`, of it!\n\n## Twice\n\n## Twice\n\n<a id="by-name"></a>\n\n[up](../README.md#top) '
        "[second](#twice-1)\n",
        "docs/a b.svg": "<svg/>\n",
    }

    def assert_finds(self, planted, *places):
        status, findings = run("check_links.py", {**self.CLEAN, **planted})
        self.assertEqual(sorted(places), sorted(findings))
        self.assertEqual(1 if places else 0, status)

    def test_a_clean_tree_passes(self):
        self.assert_finds({})

    def test_no_markdown_is_not_a_clean_tree(self):
        self.assertEqual(2, run("check_links.py", {"a.txt": "\n"})[0])

    def test_missing_files_pictures_and_headings(self):
        self.assert_finds(
            {
                "a.md": "\n[gone](docs/gone.md)\n![gone](docs/gone.svg)\n[text](docs/page.md#no-such-part)\n[text](#nowhere)\n",
                "b.md": '[third](docs/page.md#twice-2)\n<img src="gone.png">\n\n[name]: gone.md\n',
            },
            "a.md:2", "a.md:3", "a.md:4", "a.md:5", "b.md:1", "b.md:2", "b.md:4",
        )  # fmt: skip

    def test_a_link_over_the_end_of_a_line_has_its_own_line(self):
        self.assert_finds({"a.md": "a [long\ntext](gone.md) link\n"}, "a.md:2")

    def test_case_matters_and_the_project_is_the_world(self):
        self.assert_finds({"a.md": "[x](docs/Page.md)\n[y](../outside.md)\n[z](/etc)\n"}, "a.md:1", "a.md:2", "a.md:3")

    def test_code_has_no_links_and_no_headings(self):
        self.assert_finds(
            {"a.md": "```\n# No heading\n[a](gone.md)\n```\n`[a](gone.md)`\n[b](#no-heading)\n"}, "a.md:6"
        )

    def test_build_folders_are_not_sources(self):
        self.assert_finds({"build/a.md": "[a](gone.md)\n"})


class ExampleMeshes(unittest.TestCase):
    def test_committed_files_are_what_the_script_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, SCRIPTS / "example_meshes.py", folder], check=True)
            written = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
        committed = {path.name: path.read_bytes() for path in (SCRIPTS.parent / "examples" / "meshes").iterdir()}
        self.assertGreaterEqual(len(written), 3)
        self.assertEqual(written, committed)


if __name__ == "__main__":
    unittest.main()
