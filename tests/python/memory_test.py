#!/usr/bin/env python3
"""Runs leave nothing behind. A process of its own: what threads of other tests have left would count."""

import resource

import freeplay as fp
import support
from support import EXAMPLES, Case


def memory():
    """Resident bytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


class Memory(Case):
    def test_a_thousand_runs_leave_nothing(self):
        model = fp.load(EXAMPLES / "slider_crank.yaml", duration="1 ms")

        def runs(count):
            for _ in range(count):
                run = model.with_(c="0.5 mm").run()
                self.assertEqual(101, len(run["crank.omega"]))

        runs(200)
        before = memory()
        runs(1000)
        grown = memory() - before
        print(f"grown by {grown} bytes over 1000 runs, whose rows are {101 * 8 * 60}")
        self.assertLess(grown, 1 << 20)

    def test_steps_and_functions_leave_nothing(self):
        model = fp.parse(support.PENDULUM, end="5 ms").with_torque("rod", lambda t: 1.0)

        def runs(count):
            for _ in range(count):
                model.run()
                for step in model.steps():
                    step.points, step.energies

        runs(100)
        before = memory()
        runs(500)
        self.assertLess(memory() - before, 1 << 20)


if __name__ == "__main__":
    support.main()
