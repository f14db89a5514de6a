#!/usr/bin/env python3
"""Functions of Python as forces, states step by step, contact problems: against closed forms and the command."""

import math

import freeplay as fp
import numpy as np
import support
from support import EXAMPLES, Case

BLOCK = """freeplay: 1
space: planar
bodies: {block: {mass: 2 kg, inertia: 0.5 kg m^2, initial: {vx: 3 m/s}}}
simulate: {integrator: dopri5, tolerance: 1e-12, duration: 1 s}
"""


class Forces(Case):
    def test_a_damper_slows_down_exponentially(self):
        # m dv/dt = -c v:  v = v0 exp(-c t/m), and the energy that it takes is what was lost.
        c, m, v0 = 1.5, 2, 3
        run = fp.parse(BLOCK).with_force("block", lambda t, v: (-c * v, 0), ["block.vx"]).run()
        v = run["block.vx"][-1]
        self.assertAlmostEqual(v0 * math.exp(-c / m), v, delta=1e-9)
        self.assertAlmostEqual(m * (v * v - v0 * v0) / 2, run.summary["energy_input"], delta=1e-8)
        self.assertLess(run.summary["max_energy_drift"], 1e-8)

    def test_a_force_beside_the_centre_turns_the_body(self):
        # F = 1 N along y at x = 0.2 m of a body that hardly turns: J dw/dt = 0.2 N m, exactly at t = 0.
        run = fp.parse(BLOCK).with_force("block", lambda t: (0, 1), at=["200 mm", 0]).run()
        turn = run["block.omega"][1] / run.time[1]
        self.assertAlmostEqual(0.2 / 0.5, turn, delta=1e-6)

    def test_a_torque_turns_and_does_not_push(self):
        run = fp.parse(BLOCK).with_torque("block", lambda t: 0.25 * t).run()
        # J dw/dt = 0.25 t
        self.assertAlmostEqual(0.25 / 2 / 0.5, run["block.omega"][-1], delta=1e-10)
        self.assertAlmostEqual(3, run["block.vx"][-1], delta=1e-12)

    def test_a_torque_in_space_has_three_axes(self):
        text = BLOCK.replace("planar", "spatial").replace("0.5 kg m^2", "[3 kg m^2, 4 kg m^2, 6 kg m^2]")
        for axis, inertia in enumerate((3, 4, 6)):
            torque = [0.0, 0.0, 0.0]
            torque[axis] = 3.0
            run = fp.parse(text).with_torque("block", lambda t: torque).run()
            self.assertAlmostEqual(3 / inertia, run["block.omega_" + "xyz"[axis]][-1], delta=1e-9)

    def test_a_function_does_what_the_expression_does_under_every_kind_of_integrator(self):
        models = {
            "moreau-midpoint": "slider_crank", "moreau-jean": "slider_crank", "event-driven": "slider_crank",
            "dopri5": "slider_crank", "cvode-bdf": "slider_crank",
        }  # fmt: skip
        for integrator, name in models.items():
            with self.subTest(integrator):
                changes = {"simulate.integrator": integrator, "duration": "8 ms", "simulate.lasting_contacts": None}
                if integrator not in ("moreau-midpoint", "moreau-jean"):
                    changes.update({"simulate.solver": None})
                model = fp.load(EXAMPLES / f"{name}.yaml", changes)
                expression = {"forces": {"brake": {"type": "force", "on": "slider", "value": ["-4 N s/m*slider.vx", 0]}}}
                expected = model.with_(expression).run()
                found = model.with_force("slider", lambda t, v: (-4 * v, 0), ["slider.vx"]).run()
                self.assertEqual(len(expected), len(found))
                for channel in ("slider.x", "slider.vx", "crank.omega", "bearing.force_x", "wristpin.force_x"):
                    scale = abs(expected[channel]).max()
                    self.assertLess(abs(expected[channel] - found[channel]).max(), 1e-6 * scale, channel)
                self.assertAlmostEqual(expected.summary["energy_input"], found.summary["energy_input"], delta=1e-9)

    def test_what_a_function_raises_ends_the_run(self):
        def fails(t):
            if t > 0.5:
                raise ZeroDivisionError(f"at {t}")
            return (0, 0)

        model = fp.parse(BLOCK).with_force("block", fails)
        for integrator in ("dopri5", "cvode-bdf", "moreau-midpoint"):
            other = model.with_({"simulate.integrator": integrator, "simulate.step": "10 ms",
                                 "simulate.tolerance": None if integrator == "moreau-midpoint" else 1e-8})  # fmt: skip
            with self.assertRaisesRegex(ZeroDivisionError, "at 0"):
                other.run()
            with self.assertRaises(ZeroDivisionError):
                for _ in other.steps():
                    pass
        with self.assertRaisesRegex(ValueError, "gave 4 numbers"):
            fp.parse(BLOCK).with_force("block", lambda t: (1, 2, 3, 4)).run()

    def test_bodies_and_channels_that_are_not_there_are_refused(self):
        with self.assertRaisesRegex(fp.UsageError, "did you mean 'block'"):
            fp.parse(BLOCK).with_force("blok", lambda t: (0, 0))
        with self.assertRaisesRegex(fp.UsageError, "cannot read 'block.vxx'"):
            fp.parse(BLOCK).with_force("block", lambda t, v: (0, 0), ["block.vxx"])
        with self.assertRaisesRegex(fp.UsageError, "elastic"):
            fp.load(EXAMPLES / "cantilever_impact.yaml").with_force("beam", lambda t: (0, 0))
        with self.assertRaisesRegex(fp.UsageError, "no bodies"):
            fp.load(EXAMPLES / "chimney_damper.yaml").with_force("tower", lambda t: (0, 0))


class Laws(Case):
    def test_a_ball_on_a_function_bounces_as_on_the_law_that_it_is(self):
        model = fp.load(EXAMPLES / "falling_ball.yaml", law="hunt-crossley", restitution=0.8, duration="0.6 s")
        named = model.run()
        stiffness = 4.795541962e10
        elastic = lambda depth: stiffness * depth**1.5  # noqa: E731
        found = model.with_contact_force(
            "bounce", elastic, lambda depth, rate, speed: elastic(depth) * 1.5 * (1 - 0.8) * rate / speed
        ).run()
        self.assertEqual(len(named.impacts), len(found.impacts))
        self.assertGreater(len(found.impacts), 0)
        for name in ("normal_impulse", "normal_velocity_after", "energy_lost"):
            expected = named.impacts[name][0]
            self.assertAlmostEqual(expected, found.impacts[name][0], delta=1e-5 * abs(expected), msg=name)
        self.assertAlmostEqual(named["ball.y"].max(), found["ball.y"].max(), delta=1e-6)
        self.assertLess(found.summary["max_energy_drift"], 1e-5)

    def test_a_linear_spring_holds_for_half_a_period(self):
        # Without damping and gravity: contact for pi sqrt(m/k), depth v sqrt(m/k), back at the speed of before.
        model = fp.parse("""freeplay: 1
space: planar
bodies: {ball: {mass: 2 kg, inertia: 1 kg m^2, initial: {y: 0.2 m, vy: -3 m/s},
                shapes: {skin: {type: circle, radius: 100 mm}}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts: {bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: 1}}
simulate: {integrator: dopri5, tolerance: 1e-10, duration: 0.1 s}
""")
        with self.assertRaises(fp.ModelError):
            model.check()  # no force law
        run = model.with_contact_force("bounce", lambda depth: 8e5 * depth).run()
        self.assertAlmostEqual(3, run["ball.vy"][-1], delta=1e-6)
        self.assertAlmostEqual(-3 * math.sqrt(2 / 8e5), (run["ball.y"] - 0.1).min(), delta=1e-5)
        self.assertLess(run.summary["max_energy_drift"], 1e-7)

    def test_friction_by_a_function_is_that_of_the_curve(self):
        belt = {"stribeck_speed": "10 mm/s", "duration": "0.8 s"}
        mu = lambda v: 0.25 + (0.4 - 0.25) * math.exp(-((v / 0.01) ** 2))  # noqa: E731
        for integrator in ("moreau-midpoint", "moreau-jean", "event-driven"):
            with self.subTest(integrator):
                model = fp.load(EXAMPLES / "stick_slip_oscillator.yaml", {"simulate.integrator": integrator, **belt})
                expected, found = model.run(), model.with_friction("grip", mu).run()
                self.assertEqual(len(expected), len(found))
                self.assertLess(abs(expected["block.x"] - found["block.x"]).max(), 1e-9)
                self.assertGreater(abs(model.with_friction("grip", lambda v: 0.4).run()["block.x"][-1]
                                       - found["block.x"][-1]), 1e-4)  # fmt: skip

    def test_what_a_law_raises_or_gives_wrongly_ends_the_run(self):
        ball = fp.load(EXAMPLES / "falling_ball.yaml", duration="0.6 s")
        with self.assertRaises(ZeroDivisionError):
            ball.with_contact_force("bounce", lambda depth: 1 / 0).run()
        with self.assertRaisesRegex(ValueError, "gave nan"):
            ball.with_contact_force("bounce", lambda depth: math.nan).run()
        with self.assertRaisesRegex(ValueError, "stiff"):
            ball.with_contact_force("bounce", lambda depth: "stiff").run()
        with self.assertRaisesRegex(fp.UsageError, "did you mean 'bounce'"):
            ball.with_contact_force("bounc", lambda depth: depth)
        belt = fp.load(EXAMPLES / "stick_slip_oscillator.yaml", duration="0.1 s")
        with self.assertRaisesRegex(ValueError, "negative"):
            belt.with_friction("grip", lambda v: -0.1).run()


class Steps(Case):
    def test_energies_gaps_and_impulses_of_a_bouncing_ball(self):
        model = fp.load(EXAMPLES / "bouncing_ball.yaml", drop_height="0.2 m")
        m, g, e = 1, 9.81, 0.5
        steps = model.steps()
        start = m * g * 0.3  # of the centre
        for step in steps:
            point = step.points[0]
            self.assertAlmostEqual(step["ball.y"] - 0.1, point.gap, delta=1e-12)
            self.assertEqual((0, 1), tuple(round(n, 12) for n in np.abs(point.normal[:2])))
            if point.normal_impulse > 0:
                break
            kept = step.energies["kinetic"] + step.energies["potential"]
            self.assertAlmostEqual(start, kept, delta=1e-9 * start + 1e-3)
        # (1 + e) m sqrt(2 g h), to the order of the step
        self.assertAlmostEqual((1 + e) * m * math.sqrt(2 * g * 0.2), point.normal_impulse, delta=2e-3)
        self.assertEqual(1, len(step.impacts))
        self.assertEqual(point.normal_impulse, step.impacts["normal_impulse"][0])
        lost = (1 - e * e) * m * g * 0.2
        self.assertAlmostEqual(lost, step.energies["impact_loss"], delta=2e-3)
        self.assertIsNone(steps.summary)

    def test_another_start_gives_the_motion_from_there(self):
        model = fp.parse(BLOCK)
        state = model.initial_state
        run = model.run(start=fp.Start(0.25, state.q, [7.0] + list(state.u[1:])))
        self.assertEqual(0.25, run.time[0])
        self.assertAlmostEqual(7 * 0.75, run["block.x"][-1] - run["block.x"][0], delta=1e-9)


class Problems(Case):
    def test_one_contact_sticks_and_slides_as_on_paper(self):
        # W = 1: r = -q where that is within the cone; else r_N = 1 and r_T = -mu t, u_T = q_T - mu t.
        stick = fp.solve({"W": np.eye(3), "q": [-1, 0.1, 0], "mu": [0.3]})
        self.assertTrue(np.allclose([1, -0.1, 0], stick.r, atol=1e-8))
        self.assertEqual((0, 1, 0), (stick.open, stick.stick, stick.slip))
        slide = fp.solve({"W": np.eye(3), "q": [-1, 0.6, 0.8], "mu": [0.3]})
        self.assertTrue(np.allclose([1, -0.18, -0.24], slide.r, atol=1e-8))
        self.assertTrue(np.allclose([0, 0.42, 0.56], slide.u, atol=1e-8))
        self.assertEqual((0, 0, 1), (slide.open, slide.stick, slide.slip))
        plane = fp.solve({"W": np.eye(2), "q": [0.5, 1], "mu": [0.3], "dimension": 2})
        self.assertTrue(np.allclose([0.5, 1], plane.u) and not plane.r.any())

    def test_files_arrays_and_the_command_agree(self):
        run = support.freeplay("run", EXAMPLES / "slider_crank.yaml", "--dump-problems=50", "--out", "r", "--quiet")
        self.assertEqual(0, run.returncode, run.stderr)
        import h5py

        paths = sorted((self.folder / "r/problems").glob("*.hdf5"))
        self.assertGreater(len(paths), 3)
        for path in paths[:6]:
            done = support.freeplay("solve", path, "--solution", "solution.hdf5")
            self.assertEqual(0, done.returncode, done.stderr)
            solution, arrays = fp.solve(path), fp.read_problem(path)
            with h5py.File("solution.hdf5") as file:
                self.assertEqual(file["r"][:].tobytes(), solution.r.tobytes())
                self.assertEqual(file["u"][:].tobytes(), solution.u.tobytes())
            again = fp.solve(arrays)
            scale = max(abs(solution.r).max(), 1e-12)
            self.assertLess(abs(again.r - solution.r).max(), 1e-6 * scale)
            fp.write_problem("copy.hdf5", arrays)
            self.assertTrue((fp.read_problem("copy.hdf5")["W"] == arrays["W"]).all())

    def test_sparse_matrices_are_taken(self):
        class Sparse:  # what scipy.sparse offers of it
            shape = (3, 3)
            indptr, indices, data = np.array([0, 1, 2, 3]), np.array([0, 1, 2]), np.ones(3)

            def tocsc(self):
                return self

        self.assertTrue(np.allclose([1, -0.1, 0], fp.solve({"W": Sparse(), "q": [-1, 0.1, 0], "mu": [0.3]}).r))

    def test_bad_problems_are_refused(self):
        good = {"W": np.eye(3), "q": [-1, 0, 0], "mu": [0.3]}
        for key, value, words in [("mu", [-1], "negative"), ("q", [0, 0], "2 entries"), ("W", np.eye(2), r"\(2, 2\)"),
                                  ("dimension", 4, "dimension"), ("W", np.full((3, 3), np.nan), "not finite"),
                                  ("W", 1e-310 * np.eye(3), "too small"), ("w", 1, "unknown")]:  # fmt: skip
            with self.assertRaisesRegex(fp.UsageError, words):
                fp.solve({**good, key: value})
        with self.assertRaisesRegex(fp.UsageError, "lemke"):
            fp.solve(good, solver="lemkee")
        with self.assertRaises(fp.SolverError) as caught:
            fp.solve(good, solver="lemke")  # knows no discs
        self.assertFalse(caught.exception.run.solved)
        self.assertFalse(fp.solve(good, solver="lemke", check=False).solved)


if __name__ == "__main__":
    support.main()
