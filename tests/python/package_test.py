#!/usr/bin/env python3
"""The package itself: stubs, docstrings, the guide, notebooks, what is installed and the wheel.

usage: package_test.py COMMAND CMAKE BUILD_DIR
"""

import ast
import inspect
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import freeplay as fp
import support
from freeplay import _core
from support import EXAMPLES, ROOT, Case

CMAKE = BUILD = ""


def names_of(nodes):
    """Public names that a stub declares: functions, classes, annotated and assigned names."""
    names = {}
    for node in nodes:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names[node.name] = node
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = node
    return {name: node for name, node in names.items() if not name.startswith("_") or name == "__init__"}


class Stubs(Case):
    def test_the_stub_has_the_names_of_the_module_and_no_others(self):
        tree = ast.parse(Path(fp.__file__).with_name("_core.pyi").read_text(encoding="utf-8"))
        stub = names_of(tree.body)
        stub.pop("Columns", None)
        module = {name for name in dir(_core) if not name.startswith("_")}
        self.assertEqual(module, set(stub))
        for name, node in stub.items():
            if isinstance(node, ast.ClassDef):
                members = {n for n in vars(getattr(_core, name)) if not n.startswith("_")}
                self.assertEqual(members, set(names_of(node.body)) - {"__init__"}, name)

    def test_arguments_of_the_stub_are_those_of_the_module(self):
        tree = ast.parse(Path(fp.__file__).with_name("_core.pyi").read_text(encoding="utf-8"))
        for name, node in names_of(tree.body).items():
            if isinstance(node, ast.FunctionDef):
                signature = getattr(_core, name).__doc__.splitlines()[0]
                found = re.findall(r"[(,] ?(\w+): ", signature)
                self.assertEqual(found, [argument.arg for argument in node.args.args], signature)

    def test_every_public_name_is_described_and_typed(self):
        self.assertTrue(Path(fp.__file__).with_name("py.typed").exists())
        for name in fp.__all__:
            thing = getattr(fp, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                self.assertTrue(thing.__doc__, name)
            if inspect.isfunction(thing):
                for argument, parameter in inspect.signature(thing).parameters.items():
                    self.assertIsNot(inspect.Parameter.empty, parameter.annotation, f"{name}.{argument}")

    def test_only_its_entry_is_seen_from_outside_the_module(self):
        symbols = subprocess.run(["nm", "-D", "--defined-only", _core.__file__], text=True, capture_output=True, check=True)
        self.assertEqual(["PyInit__core"], [line.split()[-1] for line in symbols.stdout.splitlines()])


class Guide(Case):
    def test_the_code_of_the_guide_runs(self):
        text = (ROOT / "docs/guide/python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 8)
        os.chdir(EXAMPLES)
        names = {}
        for block in blocks:
            exec(compile(block, "python.md", "exec"), names)  # noqa: S102
        self.assertEqual("completed", names["run"].summary["status"])
        self.assertAlmostEqual((2 / 9.81) ** 0.5, names["fall"].impacts["time"][0], delta=1e-9)
        self.assertLess(names["braked"].run().summary["energy_input"], 0)
        self.assertTrue((Path(names["folder"]) / "omega.svg").read_text(encoding="utf-8").startswith("<?xml"))

    def test_the_table_of_exceptions_is_complete(self):
        text = (ROOT / "docs/guide/python.md").read_text(encoding="utf-8")
        errors = {name for name in fp.__all__ if inspect.isclass(getattr(fp, name)) and issubclass(getattr(fp, name), fp.Error)}
        self.assertEqual(errors - {"Error", "RunError"}, set(re.findall(r"^\| `fp\.(\w+)`", text, re.MULTILINE)))


class Notebook(Case):
    def test_a_page_is_a_document_of_its_own(self):
        page = fp.parse(support.PENDULUM, end="20 ms").run().view()
        shown = page._repr_html_()
        self.assertTrue(shown.startswith('<iframe srcdoc="'))
        inner = re.fullmatch(r'<iframe srcdoc="([^"]*)" [^<>]*></iframe>', shown)
        self.assertIsNotNone(inner, "a quote ends the attribute too early")
        import html

        self.assertEqual(page.html, html.unescape(inner.group(1)))
        support.freeplay("run", "model.yaml")
        Path("model.yaml").write_text(support.PENDULUM, encoding="utf-8")
        fp.load("model.yaml", end="20 ms").run(out="r")
        self.assertEqual(0, support.freeplay("view", "r").returncode)
        self.assertEqual(Path("r/view.html").read_text(encoding="utf-8"), fp.Result("r").view().html)

    def test_a_plot_is_the_picture_of_the_command(self):
        run = fp.load(EXAMPLES / "slider_crank.yaml", duration="5 ms").run(out="r")
        done = support.freeplay("plot", "r", "crank.omega", "-o", "omega.svg")
        self.assertEqual(0, done.returncode, done.stderr)
        plot = run.plot("crank.omega")
        self.assertEqual(Path("omega.svg").read_bytes(), plot.data)
        self.assertIn("<svg", plot._repr_svg_())
        self.assertTrue(run.plot("crank.omega", format="png")._repr_png_().startswith(b"\x89PNG"))
        self.assertIn("<svg", run.plot(impacts=True)._repr_svg_())
        self.assertIn("<svg", run.plot(blows=True, forces=True, spectra="crank.omega", bearings="guide")._repr_svg_())
        self.assertIn("completed", run._repr_html_())

    def test_findings_group_impacts_into_blows(self):
        run = fp.load(EXAMPLES / "slider_crank.yaml").run()
        found = run.findings(most_blows=5)
        self.assertEqual(found["blows"]["impacts"], len(run.impacts))
        self.assertLess(found["blows"]["count"], len(run.impacts) / 2)  # two corners strike at once
        self.assertEqual(len(found["blows"]["hardest"]), 5)
        whole = run.findings()["blows"]["hardest"]
        self.assertAlmostEqual(sum(blow["impulse"] for blow in whole), run.impacts["normal_impulse"].sum())
        self.assertEqual(found["peak_force"]["name"], "guide")


class Installed(Case):
    def used_from(self, folder, python=sys.executable):
        """Runs a model by the package in `folder` and nothing else."""
        script = f"import freeplay; assert freeplay.__file__.startswith({str(folder)!r}), freeplay.__file__; " \
                 f"print(len(freeplay.load({str(EXAMPLES / 'bouncing_ball.yaml')!r}, duration='10 ms').run()))"  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        done = subprocess.run([python, "-c", script], env=environment, text=True, capture_output=True, check=False)
        self.assertEqual("101\n", done.stdout, done.stderr)

    def test_it_works_where_cmake_installs_it(self):
        install = [CMAKE, "--install", BUILD, "--component", "python", "--prefix", self.folder]
        subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
        (package,) = self.folder.glob("lib/python3*/*-packages/freeplay")
        self.used_from(package.parent)
        self.assertLess(next(package.glob("_core*.so")).stat().st_size, 12e6)

    def test_pip_makes_a_wheel_without_the_network(self):
        environment = {**os.environ, "FREEPLAY_BUILD_DIR": BUILD}
        done = subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-w", self.folder, ROOT],
            env=environment, text=True, capture_output=True, check=False)  # fmt: skip
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        (wheel,) = self.folder.glob("freeplay-*.whl")
        self.assertNotIn("none-any", wheel.name)
        self.assertLess(wheel.stat().st_size, 6e6)
        venv.create("env", system_site_packages=True)  # numpy is Debian's
        target = self.folder / "target"
        install = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-index", "-t", target, wheel]
        subprocess.run(install, check=True, capture_output=True)
        self.assertTrue((target / "freeplay/py.typed").exists() and (target / "freeplay/_core.pyi").exists())
        self.used_from(target, "env/bin/python3")


if __name__ == "__main__":
    BUILD = str(Path(sys.argv.pop(3)).resolve())
    CMAKE = sys.argv.pop(2)
    support.main()
