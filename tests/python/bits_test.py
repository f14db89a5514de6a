#!/usr/bin/env python3
"""Python and the command give the same bits, and arrays are the memory of the run."""

import contextlib
import copy
import gc
import io
import json
import os
import pickle
import tempfile
import unittest.mock
from pathlib import Path

import freeplay as fp
import numpy as np
import support
from support import EXAMPLES, Case


# Time steps, events, a smooth run with a force law, a spatial one; a model with play, one with a record list.
MODELS = [
    ("slider_crank", {"duration": "20 ms"}),
    ("bouncing_ball", {"simulate.integrator": "event-driven", "simulate.step": None, "duration": "0.8 s"}),
    ("rssr_clearance", {"simulate.duration": "20 ms"}),
    ("double_pendulum", {"simulate.duration": "0.5 s"}),
    ("woodpecker", {"simulate.duration": "50 ms"}),
]


def equal(a, b):
    """The same bits, NaN included."""
    return a.tobytes() == b.tobytes()


class Bits(Case):
    def test_rows_impacts_and_events_are_those_of_the_command(self):
        for name, changes in MODELS:
            with self.subTest(name):
                sets = [word for key, value in changes.items()
                        for word in (["--set", f"{key}={value}"] if value else ["--unset", key])]  # fmt: skip
                done = support.freeplay("run", EXAMPLES / f"{name}.yaml", "--out", name, "--json", *sets)
                self.assertEqual(0, done.returncode, done.stderr)
                run = fp.load(EXAMPLES / f"{name}.yaml", changes).run()
                result = fp.Result(name)
                self.assertEqual(result.channels, run.channels)
                self.assertTrue(equal(result.time, run.time))
                for channel in result:
                    self.assertTrue(equal(result[channel], run[channel]), channel)
                self.assertTrue(equal(result.impacts["time"], run.impacts["time"]))
                self.assertTrue(equal(result.impacts["normal_impulse"], run.impacts["normal_impulse"]))
                self.assertTrue(equal(result.events["time"], run.events["time"]))
                self.assertEqual(result.contacts, run.contacts)
                told = json.loads(done.stdout)
                for key in ("steps", "rows", "impacts", "energy_drift", "max_penetration", "peak_forces", "measures"):
                    self.assertEqual(told[key], run.summary[key], key)
                self.assertEqual(told["warnings"], run.warnings)

    def test_an_independent_reader_sees_the_same_numbers(self):
        import h5py

        run = fp.load(EXAMPLES / "bouncing_ball.yaml").run(out="ball")
        with h5py.File("ball/result.h5") as file:
            self.assertTrue(equal(file["time"][:], run.time))
            self.assertTrue(equal(file["channels/ball.y"][:], run["ball.y"]))
            self.assertEqual(list(file["impacts"].dtype.names), list(run.impacts.dtype.names))
            self.assertTrue(equal(file["impacts"]["energy_lost"], run.impacts["energy_lost"]))
            self.assertTrue((file["impacts"]["contact"] == run.impacts["contact"]).all())

    def test_a_saved_run_is_the_file_that_the_run_writes(self):
        model = fp.load(EXAMPLES / "slider_crank.yaml", duration="5 ms")
        written, saved = fp.Result(model.run(out="written")._path), fp.Result(model.run().save("saved"))
        for channel in written:
            self.assertTrue(equal(written[channel], saved[channel]))
        self.assertEqual(written.attributes, saved.attributes)
        self.assertTrue(equal(written.impacts["time"], saved.impacts["time"]))
        self.assertEqual("completed", saved.status)

    def test_steps_are_those_of_the_run(self):
        for name, changes in MODELS:
            with self.subTest(name):
                model = fp.load(EXAMPLES / f"{name}.yaml", changes)
                run = model.run()
                channel = next(iter(run))
                steps = model.with_({"record": {"every": 7, "channels": ["step.size"]}}).steps()  # does not matter
                times, values, impacts = [], [], 0
                for step in steps:
                    times.append(step.time)
                    values.append(step[channel])
                    impacts += len(step.impacts)
                first = len(run) - len(times)  # the row of the start
                self.assertTrue(equal(np.array(times), run.time[first:]))
                self.assertTrue(equal(np.array(values), run[channel][first:]))
                self.assertEqual(len(run.impacts), impacts)
                self.assertEqual(run.summary["steps"], steps.summary["steps"])


class Memory(Case):
    def test_arrays_look_at_the_run_and_keep_it_alive(self):
        run = fp.load(EXAMPLES / "bouncing_ball.yaml").run()
        for view in (lambda: run.time, lambda: run["ball.y"], lambda: run.impacts):
            first, second = view(), view()
            self.assertEqual(first.ctypes.data, second.ctypes.data)
            self.assertFalse(first.flags.owndata)
            self.assertFalse(first.flags.writeable)
            self.assertIs(first.base, run._rows)
        height = run["ball.y"]
        expected = height.copy()
        del run, first, second, view
        gc.collect()
        self.assertTrue(equal(expected, height))

    def test_columns_of_a_file_are_read_once(self):
        fp.load(EXAMPLES / "bouncing_ball.yaml").run(out="ball")
        result = fp.Result("ball")
        self.assertEqual(result["ball.y"].ctypes.data, result["ball.y"].ctypes.data)
        self.assertIs(result["ball.y"].base, result._rows)
        self.assertFalse(result["ball.y"].flags.owndata)


class Models(Case):
    def test_a_dict_is_the_model_that_the_file_is(self):
        import yaml

        for name in ("bouncing_ball", "slider_crank", "four_bar", "rssr_clearance"):
            with self.subTest(name):
                path = EXAMPLES / f"{name}.yaml"
                short = {"simulate.duration": "10 ms"}
                description = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # texts, no numbers
                made, read = fp.Model(description).with_(short).run(), fp.load(path, short).run()
                self.assertEqual(read.channels, made.channels)
                for channel in read:
                    self.assertTrue(equal(read[channel], made[channel]), channel)

    def test_numbers_of_python_keep_all_digits(self):
        model = fp.parse(support.PENDULUM).with_({"gravity": [0, "-9.81 m/s^2"], "joints.pin.initial.q": [0.1 + 0.2]})
        self.assertEqual(0.1 + 0.2, model.initial_state.q[0])
        self.assertEqual(np.float64(1) / 3, fp.parse(support.PENDULUM, end=f"{1 / 3!r} s").parameters["end"].value)

    def test_parameters_have_text_value_and_unit(self):
        model = fp.load(EXAMPLES / "slider_crank.yaml", c="0.5 mm")
        self.assertEqual(("0.5 mm", 0.0005, "m"), model.parameters["c"])
        self.assertEqual(["c=0.5 mm"], model.overrides)
        self.assertEqual(("2 mm", 0.002, "m"), model.with_(c="2 mm").parameters["c"])
        self.assertEqual(0.0005, model.parameters["c"].value)
        self.assertEqual("rad/s", model.channels["crank.omega"])

    def test_ranges_have_units(self):
        self.assertEqual(["1.0 mm", "1.5 mm", "2.0 mm"], fp.linspace("1 mm", "2 mm", 3))
        self.assertEqual(["0.001 m", "1.0 m"], fp.linspace("1 mm", "1 m", 2))
        self.assertEqual(["1.0", "3.0"], fp.linspace(1, 3, 2))
        with self.assertRaises(fp.UsageError):
            fp.linspace("1 mm", "1 s", 2)

    def test_a_study_has_the_measures_of_single_runs(self):
        model = fp.load(EXAMPLES / "slider_crank.yaml", duration="10 ms")
        measure = {"peak": "max(abs(bearing.force_x))"}
        values = fp.linspace("0.1 mm", "1 mm", 3)
        one, two = (fp.sweep(model, {"c": values, "friction": [0, 0.1]}, measure, workers=n) for n in (1, 2))
        self.assertEqual(6, len(one))
        self.assertTrue(equal(one["peak"], two["peak"]))
        for c, friction, peak in zip(one.parameters["c"], one.parameters["friction"], one["peak"]):
            force = model.with_(c=c, friction=friction).run()["bearing.force_x"]
            self.assertEqual(abs(force).max(), peak)

    def test_a_study_by_compiled_code_has_the_measures_of_the_engine(self):
        model = fp.load(EXAMPLES / "slider_crank.yaml", duration="10 ms", slider_omega="1 rad/s")
        measure = {"tilt": "max(abs(slider.angle))", "end": "final(slider.x)"}
        with tempfile.TemporaryDirectory() as cache, unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=cache):
            engine, compiled = (fp.sweep(model, {"c": "0.2mm:1mm:5"}, measure, backend=b) for b in ("engine", "compiled"))
        self.assertEqual(("engine", "compiled"), (engine.backend, compiled.backend))
        self.assertEqual([""] * len(compiled), compiled.left_because)
        for name in measure:
            self.assertLess(abs(engine[name] - compiled[name]).max(), 1e-9)
        with tempfile.TemporaryDirectory() as cache, unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=cache):
            hits = {"hits": "count(impact)"}
            engine, compiled = (fp.sweep(model, {"c": "0.2mm:1mm:5"}, hits, backend=b) for b in ("engine", "auto"))
        self.assertEqual("compiled", compiled.backend)
        self.assertEqual(list(engine["hits"]), list(compiled["hits"]))
        self.assertGreater(engine["hits"].max(), 0)
        half = {"half": "percentile(guide.impact.normal_impulse, 50)"}
        other = fp.sweep(model, {"c": "0.2mm:1mm:2"}, half, backend="auto")
        self.assertEqual("engine", other.backend)
        self.assertIn("impacts", other.backend_note)
        with self.assertRaisesRegex(fp.UsageError, "no backend 'gpu'"):
            fp.sweep(model, {"c": "0.2mm:1mm:2"}, measure, backend="gpu")

    def test_a_study_writes_the_file_of_the_command_and_goes_on_with_it(self):
        path = EXAMPLES / "slider_crank.yaml"
        done = support.freeplay("sweep", path, "--set", "duration=5 ms", "--measure", "hits=count(impact)", "--over",
                                "c=0.1mm:1mm:4", "--out", "command", "--quiet")  # fmt: skip
        self.assertEqual(0, done.returncode, done.stderr)
        model = fp.load(path, duration="5 ms")
        counts = []
        for _ in range(2):  # the second time all runs are there
            study = fp.sweep(model, {"c": "0.1mm:1mm:4"}, {"hits": "count(impact)"}, out="python",
                             progress=lambda done, runs: counts.append((done, runs)))  # fmt: skip
            with open("command/sweep.h5", "rb") as command, open(study.path, "rb") as python:
                self.assertEqual(command.read(), python.read())
        self.assertTrue(all(runs == 4 for _, runs in counts), counts)
        np.testing.assert_allclose([1e-4, 4e-4, 7e-4, 1e-3], study.parameters["c"], rtol=1e-12)
        with self.assertRaisesRegex(fp.UsageError, "holds another study"):
            fp.sweep(model, {"c": "0.1mm:1mm:5"}, {"hits": "count(impact)"}, out="python")

    def test_the_command_goes_on_with_a_study_of_python(self):
        Path("pendulum.yaml").write_text(support.PENDULUM + "measure: {own: final(pin.q)}\n", encoding="utf-8")
        measures = ["fastest=max(abs(pin.u))", "own=min(pin.q)"]  # one more, and another one by the name of the model's
        fp.sweep(fp.load("pendulum.yaml"), {"end": "10ms:40ms:4"}, measures[::-1], out="python")
        words = ["sweep", "pendulum.yaml", "--over", "end=10ms:40ms:4", "--measure", measures[1], "--measure", measures[0]]
        for more, earlier in ([*words, "--out", "command"], 0), ([*words, "--out", "python"], 4), (["resume", "python"], 4):
            done = support.freeplay(*more, "--json")
            self.assertEqual(0, done.returncode, done.stderr)
            self.assertEqual(earlier, json.loads(done.stdout)["done_earlier"])
        self.assertEqual(Path("command/sweep.h5").read_bytes(), Path("python/sweep.h5").read_bytes())

    def test_a_study_has_the_crossings_of_a_section_and_is_read_again(self):
        model = fp.load(EXAMPLES / "impact_oscillator.yaml", duration="3 s")
        study = fp.sweep(model, {"drive_frequency": ["20 rad/s", "26 rad/s"]}, section="every(2*pi/drive_frequency)",
                         points={"x": "slider.x", "v": "slider.vx"}, skip=3, turns=5, out="study")  # fmt: skip
        self.assertEqual([0] * 5 + [1] * 5, list(study.section["run"]))
        period = 2 * np.pi / 20
        np.testing.assert_allclose(period * np.arange(4, 9), study.section["t"][:5], rtol=1e-12)
        motion = model.with_(drive_frequency="20 rad/s").with_({"simulate.duration": f"{8 * period} s"}).run()
        self.assertAlmostEqual(motion["slider.x"][-1], study.section["x"][4], places=6)
        again = fp.read_study("study")
        np.testing.assert_allclose([20, 26], again.parameters["drive_frequency"])
        for name in ("run", "t", "x", "v"):
            self.assertTrue(equal(study.section[name], again.section[name]))
        for expected in fp.FileError, FileNotFoundError:
            with self.assertRaisesRegex(expected, "there is no study"):
                fp.read_study("nowhere")

    def test_a_study_measures_exponents_and_periodic_motions(self):
        model = fp.load(EXAMPLES / "impact_oscillator.yaml", duration="20 s")
        study = fp.sweep(model, {"drive_frequency": ["24 rad/s"]}, lyapunov="10 s", orbit="2*pi/drive_frequency")
        self.assertLess(study["lyapunov"][0], 0)
        self.assertLess(study["orbit_multiplier"][0], 1)
        self.assertEqual(1, study["orbit_impacts"][0])

    def test_pictures_of_a_study_are_those_of_the_command(self):
        model = fp.load(EXAMPLES / "slider_crank.yaml", duration="2 ms")
        over, measure = {"c": "0.1mm:1mm:3", "restitution": "0.1,0.5"}, {"tilt": "max(abs(slider.angle))"}
        kept, scratch = fp.sweep(model, over, measure, out="study"), fp.sweep(model, over, measure)
        against = ["tilt", "--against", "restitution", "--log", "y"]
        for words, options in ([], {}), (against, {"against": "restitution", "log_y": True}):
            done = support.freeplay("plot", "study", *words, "-o", "study.svg")
            self.assertEqual(0, done.returncode, done.stderr)
            expected = Path("study.svg").read_bytes()
            for study in kept, scratch:
                self.assertEqual(expected, study.plot(*words[:1], **options).data)
        self.assertTrue(scratch.plot(format="png", width=500)._repr_png_().startswith(b"\x89PNG"))
        self.assertEqual(0, support.freeplay("view", "study").returncode)
        self.assertEqual(Path("study/view.html").read_text(encoding="utf-8"), kept.view().html)
        self.assertIn("iframe", scratch.view()._repr_html_())
        self.assertIn("6 runs, 0 failed", scratch._repr_html_())
        with self.assertRaisesRegex(fp.UsageError, "tilt"):
            scratch.plot("tild")

    def test_a_study_without_out_leaves_no_file_and_goes_to_other_processes(self):
        study = fp.sweep(fp.parse(support.PENDULUM), {"end": ["10 ms"]}, {"q": "final(pin.q)"})
        folder = study._scratch.folder
        self.assertTrue((folder / "sweep.h5").exists())
        copied = pickle.loads(pickle.dumps(study))
        self.assertTrue(equal(study["q"], copied["q"]))
        with self.assertRaisesRegex(fp.UsageError, "no file"):
            copied.plot()
        twins = [copy.copy(study), copy.deepcopy(study)]
        for twin in twins:
            self.assertEqual(study.plot().data, twin.plot().data)
            self.assertTrue(equal(study["q"], twin["q"]))
        twins[1]["q"][0] = 7
        twins[0].measures["other"] = twins[0]["q"]
        self.assertNotEqual(7, study["q"][0])
        self.assertEqual(["q"], list(study.measures))
        del study
        gc.collect()
        self.assertTrue(folder.exists())
        del twin, twins
        gc.collect()
        self.assertFalse(folder.exists())

    def test_a_study_shows_how_far_it_is(self):
        model = fp.parse(support.PENDULUM)
        for each in model, model.with_torque("rod", lambda t: 0.0):
            text = io.StringIO()
            with contextlib.redirect_stderr(text):
                fp.sweep(each, {"end": ["10 ms", "20 ms"]}, {"q": "final(pin.q)"}, progress=True)
            self.assertIn("done", text.getvalue())

    def test_samples_tell_distributions_sensitivities_and_worst_cases(self):
        model = fp.parse(support.PENDULUM, end="10 ms")
        study = fp.sweep(model, {"end": "5ms:10ms"}, {"t": "final(pin.q)"}, sample="sobol:8")
        self.assertEqual(24, len(study))
        self.assertIn("end", study.statistics["sensitivity"]["t"]["parameters"])
        self.assertEqual(16, study.statistics["distributions"]["t"]["runs"])
        worst = fp.sweep(model, {"end": "5ms:10ms"}, {"t": "max(abs(pin.q))"}, worst="max:t").statistics["worst"]
        self.assertEqual(worst["value"], max(worst["value"], worst["nominal"]))

    def test_measures_may_be_the_texts_of_the_command(self):
        model, over = fp.parse(support.PENDULUM), {"end": ["10 ms", "20 ms"]}
        named = fp.sweep(model, over, {"end_angle": "final(pin.q)", "max_abs_pin_q": "max(abs(pin.q))"})
        told = fp.sweep(model, over, ["end_angle=final(pin.q)", "max(abs(pin.q))"])
        self.assertEqual(list(named.measures), list(told.measures))
        for name in named.measures:
            self.assertTrue(equal(named[name], told[name]))
        self.assertEqual(["final_pin_q"], list(fp.sweep(model, over, "final(pin.q)").measures))
        with self.assertRaisesRegex(fp.UsageError, "two measures 'a'"):
            fp.sweep(model, over, ["a=final(pin.q)", "a=max(pin.q)"])
        with self.assertRaisesRegex(fp.ModelError, "cannot be the name of a measure"):
            fp.sweep(model, over, "a b=final(pin.q)")

    def test_a_name_is_that_of_a_parameter_or_of_a_measure(self):
        for model in fp.parse(support.PENDULUM), fp.parse(support.PENDULUM).with_torque("rod", lambda t: 0.0):
            with self.assertRaisesRegex(fp.UsageError, "'end' is the name of a parameter that varies and of a measure"):
                fp.sweep(model, {"end": ["10 ms"]}, {"end": "final(pin.q)"})

    def test_a_study_counts_the_runs_that_gave_warnings(self):
        stiff = fp.Model({"space": "planar", "parameters": {"k": "1 N/m"},
                          "bodies": {"a": {"mass": "1 kg", "inertia": "1 kg m^2", "initial": {"x": "1 m"}}},
                          "forces": {"s": {"type": "spring", "parent": "ground", "child": "a", "stiffness": "k",
                                           "free_length": "0.5 m"}},
                          "simulate": {"integrator": "moreau-midpoint", "step": "1 ms", "duration": "5 ms"}})  # fmt: skip
        for model in stiff, stiff.with_force("a", lambda t: (0.0, 0.0)):
            study = fp.sweep(model, {"k": ["1 N/m", "3e6 N/m"]}, {"x": "final(a.x)"})
            self.assertEqual(1, study.with_warnings)
            self.assertEqual(0, study.warnings[0])
            self.assertIn("2 runs, 0 failed, 1 with warnings", repr(study))

    def test_a_wrong_measure_is_told_at_once(self):
        with self.assertRaisesRegex(fp.ModelError, "measure.q"):
            fp.sweep(fp.parse(support.PENDULUM), {"end": ["10 ms"]}, {"q": "final(pin.qq)"})
        with self.assertRaisesRegex(fp.UsageError, "measures nothing"):
            fp.sweep(fp.parse(support.PENDULUM), {"end": ["10 ms"]})

    def test_what_is_no_model_and_no_number_of_workers_is_told(self):
        with self.assertRaisesRegex(fp.UsageError, "a str is no model\n.*freeplay.load"):
            fp.sweep("pendulum.yaml", {"end": ["10 ms"]}, {"q": "final(pin.q)"})
        for workers in 0, -3, 2.5:
            with self.assertRaisesRegex(fp.UsageError, "no number of workers"):
                fp.sweep(fp.parse(support.PENDULUM), {"end": ["10 ms"]}, {"q": "final(pin.q)"}, workers)
        study = fp.sweep(fp.parse(support.PENDULUM), {"end": ["10 ms"]}, {"q": "final(pin.q)"}, np.int64(2))
        self.assertEqual(1, len(study))

    def test_a_run_that_fails_is_an_entry_of_the_study(self):
        study = fp.sweep(fp.parse(support.PENDULUM, end="10 ms"), {"end": ["10 ms", "-1 s"]}, {"q": "final(pin.q)"})
        self.assertTrue(np.isfinite(study["q"][0]) and np.isnan(study["q"][1]))
        self.assertEqual("", study.messages[0])
        self.assertIn("duration", study.messages[1])


if __name__ == "__main__":
    support.main()
