"""What the tests of the Python module share.

Each is run as: PYTHONPATH=BUILD/python python3 NAME_test.py COMMAND
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
COMMAND = ""

# A pendulum as a file would have it; small steps make a run as long as a test needs it.
PENDULUM = """freeplay: 1
space: planar
parameters: {end: 1 s}
gravity: [0, -9.81 m/s^2]
bodies: {rod: {mass: 1 kg, inertia: 0.1 kg m^2}}
joints: {pin: {type: revolute, parent: ground, child: rod, at_child: [-0.5 m, 0]}}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: end}
"""


def freeplay(*arguments, folder=None):
    """Runs the command."""
    return subprocess.run([COMMAND, *map(str, arguments)], cwd=folder, text=True, capture_output=True, check=False)


class Case(unittest.TestCase):
    """Has a folder of its own, which is the working directory."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)


def main():
    global COMMAND
    COMMAND = str(Path(sys.argv.pop(1)).resolve())
    sys.modules["support"] = sys.modules[__name__]
    unittest.main(module="__main__")
