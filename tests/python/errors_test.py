#!/usr/bin/env python3
"""Exceptions have the words and places of the command."""

import pickle

import freeplay as fp
import support
from support import EXAMPLES, Case

MISTAKES = """freeplay: 1
space: planar
bodies: {rod: {mass: 1 kg, inertia: 0.1 kg}}
joints: {pin: {type: revolut, parent: ground, child: rod}}
simulate: {duration: 1 s}
"""


class Errors(Case):
    def message_of_command(self, text, code):
        with open("model.yaml", "w", encoding="utf-8") as file:
            file.write(text)
        done = support.freeplay("run", "model.yaml", "--quiet")
        self.assertEqual(code, done.returncode, done.stderr)
        return done.stderr

    def test_a_model_with_mistakes_tells_all_of_them_as_the_command_does(self):
        expected = self.message_of_command(MISTAKES, 3)
        with self.assertRaises(fp.ModelError) as caught:
            fp.load("model.yaml")
        self.assertEqual(expected, f"{caught.exception}\n2 errors\n")
        inertia, joint = caught.exception.places
        self.assertEqual(("model.yaml", 3, "bodies.rod.inertia"), (inertia.file, inertia.line, inertia.path))
        self.assertEqual(("joints.pin.type", 4), (joint.path, joint.line))
        self.assertIn("revolute", joint.hint)
        self.assertIsInstance(caught.exception, (fp.Error, ValueError))

    def test_a_wrong_override_has_its_place_too(self):
        with self.assertRaises(fp.ModelError) as caught:
            fp.load(EXAMPLES / "slider_crank.yaml", c="0.5 kg")
        done = support.freeplay("check", EXAMPLES / "slider_crank.yaml", "--set", "c=0.5 kg")
        self.assertEqual(3, done.returncode)
        self.assertIn(str(caught.exception), done.stderr)
        with self.assertRaisesRegex(fp.ModelError, "did you mean"):
            fp.load(EXAMPLES / "slider_crank.yaml", frictionn=1)

    def test_a_dict_with_a_mistake_names_the_line_of_its_text(self):
        with self.assertRaises(fp.ModelError) as caught:
            fp.Model({"space": "planar", "bodies": {"rod": {"mass": "1 s", "inertia": "1 kg m^2", "initial": {}}},
                      "simulate": {"duration": "1 s"}})  # fmt: skip
        place = caught.exception.places[0]
        self.assertEqual(("model", "bodies.rod.mass"), (place.file, place.path))
        self.assertGreater(place.line, 1)

    def test_a_failed_run_raises_with_its_rows(self):
        text = """freeplay: 1
space: planar
bodies: {block: {mass: 1 kg, inertia: 1 kg m^2}}
forces: {pull: {type: force, on: block, value: ["1 N * log(1 - t/0.5s)", 0]}}
simulate: {duration: 1 s}
"""
        expected = self.message_of_command(text, 4)
        with self.assertRaises(fp.SolverError) as caught:
            fp.load("model.yaml").run(out="failed")
        self.assertIn(f"error: {caught.exception}\n", expected)
        self.assertEqual("failed", caught.exception.run.summary["status"])
        self.assertAlmostEqual(0.5, caught.exception.run.time[-1], delta=1e-3)
        self.assertEqual("failed", fp.Result("failed").status)
        with self.assertRaises(fp.SolverError):
            for _ in fp.load("model.yaml").steps():
                pass

    def test_a_limit_has_an_exception_of_its_own(self):
        text = """freeplay: 1
space: planar
bodies: {block: {mass: 1 kg, inertia: 1 kg m^2}}
forces: {pull: {type: force, on: block, value: ["1 N / (1 - t/0.5s)^2", 0]}}
simulate: {duration: 1 s, min_step: 1 us}
"""
        expected = self.message_of_command(text, 5)
        with self.assertRaises(fp.LimitError) as caught:
            fp.load("model.yaml").run()
        self.assertIn(str(caught.exception), expected)

    def test_a_start_that_is_not_finite_is_refused(self):
        model = fp.parse(support.PENDULUM)
        t, q, u = model.initial_state
        for start in (fp.Start(t, [float("nan")] * len(q), u), fp.Start(t, q, [float("inf")] * len(u)), fp.Start(float("nan"), q, u)):
            with self.assertRaisesRegex(fp.UsageError, "not finite"):
                model.run(start=start)
            with self.assertRaisesRegex(fp.UsageError, "not finite"):
                model.steps(start=start)

    def test_names_that_are_not_there_are_key_errors(self):
        model = fp.parse(support.PENDULUM, end="10 ms")
        run = model.run(out="run")
        study = fp.sweep(model, {"end": ["10 ms"]}, {"q": "final(pin.q)"})
        for held in (run, fp.Result("run"), next(iter(model.steps())), study):
            with self.assertRaisesRegex(KeyError, "has no (channel|measure) .pin.qq.; (did you mean|there are)"):
                held["pin.qq"]

    def test_files_and_channels_that_are_not_there(self):
        with self.assertRaises(OSError):
            fp.load("missing.yaml")
        with self.assertRaises(fp.FileError):
            fp.Result("missing.h5")
        run = fp.parse(support.PENDULUM, end="10 ms").run()
        with self.assertRaisesRegex(KeyError, 'has no channel "rod.omegaa"; did you mean \'rod.omega\''):
            run["rod.omegaa"]
        self.assertNotIn("rod.omegaa", run)
        with self.assertRaises(fp.FileError):
            with open("file", "w", encoding="utf-8"):
                pass
            fp.parse(support.PENDULUM, end="10 ms").run(out="file/there")
        with self.assertRaisesRegex(fp.UsageError, "no option 'colour'"):
            run.plot("rod.omega", colour=1)
        with self.assertRaisesRegex(fp.UnknownChannel, '^the run has no channel "rod.omegaa"'):
            run.plot("rod.omegaa")  # which draws from a file that nobody has asked for
        run.save("kept")
        with self.assertRaisesRegex(fp.UnknownChannel, 'kept/result.h5 has no channel "rod.omegaa"'):
            fp.Result("kept").plot("rod.omegaa")
        with self.assertRaisesRegex(fp.UsageError, "names no values"):
            fp.parse(support.PENDULUM, "end=1 s")
        with self.assertRaisesRegex(fp.UsageError, "3 numbers in q"):
            fp.parse(support.PENDULUM).run(start=fp.Start(0, [0, 0, 0], [0]))

    def test_an_obstacle_to_a_run_is_a_mistake_of_the_model(self):
        with self.assertRaisesRegex(fp.ModelError, "force law"):
            fp.load(EXAMPLES / "bouncing_ball.yaml", {"simulate.integrator": "dopri5"}).run()

    def test_models_and_exceptions_pass_between_processes(self):
        model = fp.load(EXAMPLES / "slider_crank.yaml", c="0.5 mm", duration="1 ms")
        copied = pickle.loads(pickle.dumps(model))
        self.assertEqual(model.run()["crank.omega"].tobytes(), copied.run()["crank.omega"].tobytes())
        self.assertEqual(model.overrides, copied.overrides)
        with self.assertRaises(fp.ModelError) as caught:
            fp.parse(MISTAKES)
        self.assertEqual(str(caught.exception), str(pickle.loads(pickle.dumps(caught.exception))))


if __name__ == "__main__":
    support.main()
