"""The Python package: CMake builds the module, setuptools makes the wheel.

FREEPLAY_BUILD_DIR=build takes the module of that build folder as it is, instead of building all of the library anew in
build/wheel.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
SCRATCH = ROOT / "build" / "wheel"
SCRATCH.mkdir(parents=True, exist_ok=True)


class CMakeModule(build_ext):
    def run(self):
        target = Path(self.get_ext_fullpath("freeplay._core")).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        given = os.environ.get("FREEPLAY_BUILD_DIR")
        folder = Path(given).resolve() if given else SCRATCH / "cmake"
        if not given:
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DFREEPLAY_BUILD_TESTS=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
            subprocess.run(["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(folder), *options], check=True)
            subprocess.run(["cmake", "--build", str(folder), "--target", "freeplay_python"], check=True)
        modules = list((folder / "python" / "freeplay").glob("_core*.so"))
        if not modules:
            raise SystemExit(f"{folder} has no Python module: build the target freeplay_python there")
        self.copy_file(str(modules[0]), str(target))


setup(
    version=re.search(r"project\(freeplay VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1],
    packages=["freeplay"],
    package_dir={"freeplay": "python/freeplay"},
    package_data={"freeplay": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("freeplay._core", sources=[])],
    cmdclass={"build_ext": CMakeModule},
    # `build` is the folder of CMake here.
    options={"build": {"build_base": str(SCRATCH)}, "egg_info": {"egg_base": str(SCRATCH)}},
)
