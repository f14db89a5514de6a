#!/usr/bin/env python3
"""Makes the figures of docs/examples, each by a few commands, which it shows.

usage: figures.py [--freeplay COMMAND] [--to FOLDER] [--list] [NAME...]

Without names, all figures are made. Those that `freeplay plot` can draw stand in a table below: runs, then what is
plotted of them. The others are drawings with scripts of their own, in drawings/
"""

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

import drawings

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path("results", "figures")


def corner(i):
    """How far a corner of the slider is from the middle of its play, as the paper's equation (115) has it."""
    return f"(guide.gap_{i} - c)/c"


def point(body, p, axis):
    """World coordinate of a point of a body in space, from its quaternion; p as expressions."""
    e0, e1, e2, e3 = (f"{body}.e{k}" for k in range(4))
    rows = {"x": (f"(1 - 2*({e2}^2 + {e3}^2))", f"2*({e1}*{e2} - {e0}*{e3})", f"2*({e1}*{e3} + {e0}*{e2})"),
            "y": (f"2*({e1}*{e2} + {e0}*{e3})", f"(1 - 2*({e1}^2 + {e3}^2))", f"2*({e2}*{e3} - {e0}*{e1})")}
    return f"{body}.{axis} + " + " + ".join(f"{a}*({b})" for a, b in zip(rows[axis], p) if b != "0")


def rocker_angle(coupler="coupler_length"):
    """Of the four-bar linkage over the crank's angle: the pin lies on the circles of coupler and rocker."""
    x, y = "crank_length*cos(main_bearing.q)", "crank_length*sin(main_bearing.q)"
    reach = f"hypot(base - {x}, {y})"
    psi = f"(atan2(-{y}, base - {x}) + acos((({coupler})^2 + {reach}^2 - rocker_length^2)/(2*({coupler})*{reach})))"
    return f"atan2({y} + ({coupler})*sin{psi}, {x} + ({coupler})*cos{psi} - base)"


def right_wheel(rod="rod_length"):
    """Of the steering linkage over the rack's position: the law of cosines between kingpin, arm and rod."""
    dx = "(guide.q + rack_length/2 - track/2)"
    reach = f"hypot({dx}, rack_behind)"
    return f"(atan2(-rack_behind, {dx}) + acos((arm^2 + {reach}^2 - ({rod})^2)/(2*arm*{reach})) + pi/2 + slant)"


def target(joint):
    """Of a joint of the robot arm."""
    return f"({joint}_from + {joint}_by*(1 - cos(pi*min(t/swing_time, 1)))/2)"


def falling_rod():
    """Angular velocity and force of the floor over the angle, frictionless: by energy, and by the moment about the centre."""
    sin, cos = "sin(rod.angle)", "cos(rod.angle)"
    square = f"(2*9.81 m/s^2/half_length*(sin(angle) - {sin})/({cos}^2 + 1/3))"
    return [f"by hand = -sqrt{square} in rad/s", f"force by hand = mass*(9.81 m/s^2 - half_length*{sin}*{square})/(1 + 3*{cos}^2)"]


def block_velocity():
    """Of the block on the incline: it slows down until it stands, and slides on if friction cannot hold it."""
    brake = "(g*(sin(incline) - sign(speed)*friction*cos(incline)))"
    stop = f"(-speed/{brake})"
    return (f"(speed + {brake}*t)*step({stop}/(1 s) - t/(1 s)) + "
            f"max(g*(sin(incline) - friction*cos(incline)), 0 m/s^2)*max(t - {stop}, 0 s)")


def slider_crank_ideal():
    """Velocity of the slider and force of the guide over the crank's angle; derived in slider_crank_test.cpp."""
    ct, sp = "cos(bearing.q)", "(-l1/l2*sin(bearing.q))"
    cp = f"sqrt(1 - {sp}^2)"
    phi1 = f"(-l1*speed*{ct}/(l2*{cp}))"
    phi2 = f"((l1*speed^2*sin(bearing.q) + l2*{phi1}^2*{sp})/(l2*{cp}))"
    along, across = f"({phi2}*{sp} + {phi1}^2*{cp})", f"({phi2}*{cp} - {phi1}^2*{sp})"
    rod_x = f"(38 g*(-speed^2*l1*{ct} - {along}*l2/2))"
    rod_y = f"(38 g*(-speed^2*l1*sin(bearing.q) + {across}*l2/2 + 9.81 m/s^2))"
    slider_x = f"(76 g*(-l1*speed^2*{ct} - l2*{along}))"
    pin_y = f"(({sp}*(2*{slider_x} + {rod_x}) - 2*5.9e-4 kg m^2*{phi2}/l2)/(2*{cp}) - {rod_y}/2)"
    return [f"closed form = -l1*speed*sin(bearing.q) - l2*{phi1}*{sp}", f"guide by hand = 76 g*9.81 m/s^2 - {pin_y}"]


RESTITUTIONS = [("slider_crank", f"restitution={e}") for e in (0.1, 0.4, 0.6, 0.9)]
LATE_OR_FOUND = (("# found late", "penetration_control=none"), ("# found by its root", "penetration_control=roots"))
PLAIN = ("# as in the paper", "simulate.constraint=plain", "simulate.step_choice=objective")
BLOCK_ENDS = [f"end {i}: {axis} = {point('slider', ('0', '0', f'{z} mm'), axis)}"
              for axis in "xy" for i, z in ((1, -10), (2, 10))]
PRISM_TOPS = [f"{name} = {point('slider', ('0', '10 mm', f'{z} mm'), 'y')} - 10 mm" for name, z in (("back", -10), ("front", 10))]
SLEEVE_ENDS = [",".join(f"end {i}: {axis} = {point('pendulum', ('-30.9 m', '0', f'{z} m'), axis)}" for axis in "xy")
               for i, z in ((1, -21.97), (2, -1.97))]

# Name: (runs, what to plot of them). A run is a model and overrides; "# text" is its label in the legend.
FIGURES = {
    # Flores, Leine, Glocker (2010)
    "slider_crank": ([("slider_crank", "# ideal guide", "joints.guide.model=ideal"), ("slider_crank", "# 1 mm of play", "simulate.force_window=10 us")],
                     ["crank.omega", "rod.omega", "bearing force = hypot(bearing.force_x, bearing.force_y)",
                      "--panels", "channel"]),
    "slider_crank_sheet": ([("slider_crank",)], []),
    "slider_crank_fig10": ([("slider_crank",)],
                           [f"corners 1 and 2 = {corner(1)}", f"corners 3 and 4 = {corner(3)}", "--modes"]),
    "slider_crank_fig11": ([("slider_crank",)],
                           ["crank.omega", "rod.omega", "--panels", "channel", "--phase", "rod.angle in deg,rod.omega",
                            "--phase", "offset of the slider = guide.eccentricity_y,slider.vy"]),
    "slider_crank_fig12": (RESTITUTIONS, [f"corner 1 = {corner(1)}", "--panels", "run"]),
    "slider_crank_fig13": (RESTITUTIONS, ["--phase", "offset / c = guide.eccentricity_y/c,slider.vy", "--panels", "run"]),
    # Flores, Leine, Glocker (2012)
    "cam_follower_fig7": ([("cam_follower",)],
                          ["cam = follower.y - contact.gap", "follower = follower.y", "follower.vy"]),
    "cam_follower_fig8": ([("cam_follower", "step=10us", "duration=50ms")],
                          ["cam = follower.y - contact.gap", "follower = follower.y", "--modes", "--impacts",
                           "--to", "15ms"]),
    "cam_follower_friction": ([("cam_follower", "# smooth", "step=10us", "duration=50ms"),
                               ("cam_follower_friction", "# friction 0.1", "step=10us", "duration=50ms")],
                              ["contact.normal_force", "--from", "12.5ms", "--to", "49.5ms",
                               "--title", "Force along the stroke, after the impacts"]),
    # Flores, Ambrosio (2010)
    "falling_ball_fig1": ([("falling_ball", *control) for control in LATE_OR_FOUND], ["--phase", "ball.x,ball.y"]),
    "falling_ball_laws": ([("falling_ball", f"law={law}", "restitution=0.7", "simulate.tolerance=1e-11",
                            "duration=0.43 s") for law in ("hertz", "lankarani-nikravesh", "flores", "exact-restitution")],
                          ["--phase", "penetration = -bounce.gap in um,bounce.normal_force", "--from", "428.35ms", "--to",
                           "428.48ms"]),
    "pendulum_wall_fig5": ([("pendulum_wall", *control) for control in LATE_OR_FOUND], ["bob.y", "bob.vx"]),
    "pendulum_wall_fig6": ([("pendulum_wall", "penetration_control=procedure-2")],
                           ["penetration = -strike.gap", "step.size", "strike.normal_force", "--panels", "channel", "--from",
                            "592.1ms", "--to", "592.6ms"]),
    "pendulum_wall_fig7": ([("pendulum_wall", "penetration_control=none", f"step={step} us") for step in (200, 175, 150)],
                           ["bob.y", "energy.total", "--to", "0.75s"]),
    "quick_return_fig9": ([("quick_return", "joints=ideal", "duration=2*pi/crank_speed"),
                           ("quick_return", "duration=2*pi/crank_speed")], ["slider.x", "slider.vx"]),
    "quick_return_fig10": ([("quick_return", "duration=2*pi/crank_speed")],
                           ["penetration = -J2.gap in um", "J2.normal_force", "step.size", "--from", "10.12ms",
                            "--to", "10.4ms"]),
    "quick_return_fig11": ([("quick_return", "duration=2*pi/crank_speed")],
                           [word for i in (1, 2, 3, 4) for word in ("--orbit", f"J{i}")]),
    # Chaturvedi, Sandu, Sandu (2024)
    "cylindrical_clearance_fig10": ([("cylindrical_clearance", "h_min=1e-5 s", "h_max=1e-4 s", "duration=40 ms")],
                                    [*BLOCK_ENDS, "--modes"]),
    "cylindrical_clearance_fig11": ([("cylindrical_clearance", "h_min=1e-5 s", "h_max=1e-4 s", "duration=40 ms")],
                                    ["sleeve.normal_force_1", "sleeve.normal_force_2", "--log", "y"]),
    "cylindrical_clearance_fig12": ([("cylindrical_clearance", *PLAIN), ("cylindrical_clearance", "# up to 1 ms", "h_max=1e-3 s")],
                                    ["slider.vy", "slider.vz", "slider.z", "--panels", "channel"]),
    "cylindrical_clearance_fig15": ([("cylindrical_clearance", *PLAIN, "arm_angle=1e-6 deg"),
                                     ("cylindrical_clearance", "# corrected steps that land", "arm_angle=1e-6 deg")],
                                    ["--steps"]),
    "cylindrical_clearance_skew": ([("cylindrical_clearance", "# corrected, 1 ms", "arm_angle=20 deg", "h_max=1e-3 s"),
                                    ("cylindrical_clearance", "# disc, up to 10 ms", "arm_angle=20 deg",
                                     "simulate.constraint=disc")], ["slider.x"]),
    "cylindrical_clearance_growth": ([("cylindrical_clearance", f"# {h} ms", "arm_angle=1e-6 deg",
                                       "simulate.constraint=plain", "simulate.step_choice=fixed", f"h_max={h} ms")
                                      for h in (2.5, 2.9, 3.0, 5.0)], ["|x| = abs(slider.x)", "--log", "y"]),
    "prismatic_clearance_fig17": ([("prismatic_clearance", "h_min=1e-5 s", "h_max=1e-4 s", "duration=40 ms")],
                                  [*PRISM_TOPS, "--modes=sleeve"]),
    "prismatic_clearance_fig18": ([("prismatic_clearance", "h_min=1e-5 s", "h_max=1e-4 s", "duration=40 ms")],
                                  ["sleeve.normal_force_4", "sleeve.normal_force_9", "--log", "y"]),
    "prismatic_clearance_fig19": ([("prismatic_clearance", *PLAIN), ("prismatic_clearance", "# corrected steps that land")],
                                  ["slider.vy", "slider.vz", "slider.z", "step.size", "--panels", "channel"]),
    "prismatic_clearance_friction": ([("prismatic_clearance", f"friction={mu}") for mu in (0, 0.1, 0.3)], ["slider.vz"]),
    "revolute_clearance_fig24": ([("revolute_clearance", "h_max=1e-3 s")],
                                 [word for end in SLEEVE_ENDS for word in ("--phase", end)]),
    "revolute_clearance_fig25": ([("revolute_clearance", "# with play"), ("revolute_clearance", "# ideal joint", "joints.pin.model=ideal")],
                                 ["vertical force = pin.force_y | pin.force_y_1 + pin.force_y_2", "pendulum.vx",
                                  "pendulum.vy", "pendulum.z", "--panels", "channel"]),
    "revolute_clearance_fig30": ([("revolute_clearance", f"# {low} to {high} s", *PLAIN[1:], "duration=4 s", f"h_min={low} s",
                                   f"h_max={high} s")
                                  for low, high in (("1e-3", "2e-3"), ("5e-4", "1e-3"))],
                                 ["mid-step = energy.total", "at the ends = energy.kinetic + 2 kg*9.81 m/s^2*pendulum.y in J",
                                  "step.size", "--panels", "channel"]),
    "ideal_pendulum_spatial_fig34": ([("ideal_pendulum_spatial", "simulate.constraint=plain")],
                                     ["energy.kinetic", "energy.potential", "mid-step = energy.total in mJ",
                                      "at the ends = energy.kinetic + 2 kg*9.81 m/s^2*pendulum.y in mJ", "pendulum.vx",
                                      "pendulum.vy"]),
    "ideal_pendulum_spatial_fig36": ([*(("ideal_pendulum_spatial", f"# plain, {h} s", "simulate.constraint=plain", f"h_min={h} s", f"h_max={h} s")
                                        for h in ("2e-3", "1e-3", "2e-4")),
                                      ("ideal_pendulum_spatial", "# corrected, 1e-3 s")],
                                     ["step.position_residual", "--log", "y"]),
    # Closed forms
    "block_on_incline": ([("block_on_incline", f"# {label}", "duration=2.5 s", "step=1 ms", *sets) for label, sets in (
                             ("downhill", ("friction=0.3",)), ("uphill", ("friction=0.3", "speed=-3 m/s")),
                             ("rough", ("friction=0.7", "speed=2 m/s")))],
                         ["block.vx", f"by hand = {block_velocity()}", "--panels", "run"]),
    "stick_slip_oscillator": ([("stick_slip_oscillator", "# falls at once"),
                               ("stick_slip_oscillator", "# Stribeck curve, 100 mm/s", "stribeck_speed=100 mm/s")],
                              ["block.x in mm", "block.vx in mm/s"]),
    "falling_rod": ([("falling_rod", "simulate.force_window=10 ms")],
                    ["rod.omega", "stand.normal_force", *falling_rod(), "--against", "rod.angle in deg"]),
    "slider_crank_ideal": ([("slider_crank_ideal",)],
                           ["slider.vx", "guide.force_y", *slider_crank_ideal(), "motor.torque",
                            "main bearing = hypot(bearing.force_x, bearing.force_y)", "--against", "bearing.q in deg"]),
    "four_bar": ([("four_bar",)],
                 ["rocker.angle in deg", f"closed form = {rocker_angle()} in deg", "motor.torque",
                  "main bearing = hypot(main_bearing.force_x, main_bearing.force_y)", "--against", "main_bearing.q in deg"]),
    "steering_linkage": ([("steering_linkage",)],
                         [f"{name} = {angle} - {right_wheel()} in mrad" for name, angle in (
                             ("right wheel", "right.angle"), ("longer rod", right_wheel("rod_length + 2*clearance")),
                             ("shorter rod", right_wheel("rod_length - 2*clearance")))] + ["--orbit", "right_outer"]),
    "robot_arm_play": ([("robot_arm_play", "# ideal joints", "joints=ideal"), ("robot_arm_play", "# with play")],
                       [f"{joint} off = {joint}.q - {target(joint)} in mrad" for joint in ("shoulder", "elbow", "wrist")]
                       + ["shoulder_motor.torque", "elbow_motor.torque", "wrist_motor.torque", "--panels", "channel"]),
    "four_bar_clearance": ([("four_bar_clearance",)],
                           [*(f"{name} = {angle} - {rocker_angle()} in mrad" for name, angle in (
                               ("with play", "rocker.angle"), ("longer coupler", rocker_angle("coupler_length + clearance")),
                               ("shorter coupler", rocker_angle("coupler_length - clearance")))),
                            "--against", "main_bearing.q in deg", "--orbit", "rockerpin"]),
    "four_bar_bushing": ([("four_bar_bushing", "# rubber"), ("four_bar_bushing", "# ideal pin", "joints.rockerpin.model=ideal")],
                         ["motor.torque", "--against", "main_bearing.q in deg"]),
    "four_bar_bushing_orbit": ([("four_bar_bushing",)], ["--orbit", "rockerpin"]),
    "knuckle_press": ([("knuckle_press", "# with play"), ("knuckle_press", "# ideal", "play=ideal")],
                      ["ram.vy", "motor.torque", "wrist = hypot(wrist.force_x, wrist.force_y)", "--from", "0.1 s", "--panels",
                       "channel"]),
    "knuckle_press_bearing": ([("knuckle_press",)], ["--bearing", "main"]),
    "lubricated_crank": ([("lubricated_crank", "# oil"), ("lubricated_crank", "# dry", "bearing=dry"),
                          ("lubricated_crank", "# ideal", "play=ideal")],
                         ["wrist = hypot(wristpin.force_x, wristpin.force_y)", "motor.torque", "--against", "main.q in deg",
                          "--panels", "channel"]),
    "worn_bearing": ([("worn_bearing",)], ["--wear", "main"]),
    # Couplings
    "gear_rattle": ([("gear_rattle", "# 4 mrad"), ("gear_rattle", "# 1.4 mrad", "amplitude=1.4e-3 rad")],
                    ["position = mesh.position in um", "--panels", "run", "--to", "0.2 s"]),
    "dog_clutch": ([("dog_clutch",)],
                   ["engine against load = claws.position in deg", "crank.u", "output.u", "--impacts"]),
    "valve_train": ([("valve_train", "# 2000 rpm", "duration=60 ms"),
                     ("valve_train", "# 3300 rpm", "cam_speed=3300 rpm", "duration=60 ms")],
                    ["lift of the valve = -seat.q in mm", "cam.gap in mm", "cam.normal_force", "--panels", "channel"]),
    "landing_gear": ([("landing_gear", "duration=1 s")],
                     ["strut.q in mm", "ground = tyre.normal_force in kN", "oleo = -oleo.force in kN", "airframe.vy",
                      "--panels", "channel"]),
    # Elastic bodies
    "cantilever_impact": ([("cantilever_impact",)],
                          ["tip = beam.deflection_3 + hinge.q*length in um", "hinge.u in mrad/s", "beam.moment_2 in mN m",
                           "--panels", "channel"]),
    "cantilever_impact_bend": ([("cantilever_impact",)], ["--bend", "beam", "--from", "1 ms", "--to", "31 ms"]),
    "bar_impact_wave": ([("bar_impact",)], ["--bend", "bar", "--from", "0.1 ms", "--to", "0.4 ms", "--moments", "7"]),
    "spinning_beam_snapshots": ([("spinning_beam",)],
                                ["--snapshots", "beam", "--deformation", "3", "--from", "0.9 s", "--to", "1 s"]),
    "bar_impact": ([("bar_impact",)],
                   ["strike.normal_force in kN", "bar.axial_force_1 in kN", "bar.vx", "--panels", "channel"]),
    "spinning_beam": ([("spinning_beam",)], ["hub.u", "beam.deflection_2 in mm", "motor.torque", "--panels", "channel"]),
    "elastic_slider_crank": ([("elastic_slider_crank",)],
                             ["rod.deflection_1 in mm", "rod.moment_1", "slider.y in mm", "--panels", "channel",
                              "--impacts"]),
    # Impacts as events
    "newtons_cradle": ([("newtons_cradle", "# Newton", "law=newton", "duration=0.9 s"),
                        ("newtons_cradle", "# Poisson", "duration=0.9 s")],
                       ["string_1.q in deg", "string_2.q in deg", "string_3.q in deg", "--panels", "run"]),
    "rocking_block": ([("rocking_block",)], ["block.angle in deg", "energy.total", "--panels", "channel", "--to", "6 s"]),
    "woodpecker": ([("woodpecker",)],
                   ["sleeve.y in mm", "sleeve.angle in deg", "bird.angle in deg", "--to", "0.8 s",
                    "--phase", "bird.angle in deg,bird.omega"]),
    "euler_disk": ([("euler_disk",)],
                   ["sin^3 of the tilt = ((disk.z - rim)/radius)^3",
                    "by hand = sin(tilt)^3 - 2*pi*viscosity*radius/mass*t"]),
    # Others
    "sliding_block": ([("sliding_block", "# Coulomb's law"),
                       ("sliding_block", "# made convex", "simulate.solver=relaxed-cone")],
                      ["block.vy", "block.y"]),
}

SETTLED_CRANK = ["--set", "restitution=0.7", "--set", "duration=120*turn",
                 "--section", "rising(sin(crank.angle - 90deg))", "--point", "place=slider.y/c",
                 "--skip", "50", "--turns", "50"]

# Name: (model, words of `freeplay sweep`, words of the plot).
STUDIES = {
    "slider_crank_sweep": ("slider_crank", ["--over", "c=0.1mm:2mm:200", "--measure", "peak=max(abs(guide.force_y))",
                                            "--measure", "hits=count(guide.impact)"], []),
    "shaken_table": ("shaken_table", ["--over", "shaking=1.1:2:181", "--follow", "up", "--set", "duration=60s",
                                      "--section", "bounce.impact",
                                      "--point", "phase=frequency*t - floor(frequency*t)",
                                      "--point", "speed=-impact.normal_velocity_before",
                                      "--skip", "400", "--turns", "100"], []),
    "impact_oscillator_basins": ("impact_oscillator",
                                 ["--over", "x0=0mm:60mm:60", "--over", "v0=-0.6m/s:0.6m/s:60",
                                  "--set", "drive_frequency=46 rad/s", "--section", "every(2*pi/drive_frequency)",
                                  "--point", "x=slider.x", "--point", "v=slider.vx", "--skip", "300", "--turns", "12"],
                                 ["attractor"]),
    "slider_crank_driven": ("slider_crank_driven", ["--over", "c=0.1mm:2mm:200", *SETTLED_CRANK], []),
    "slider_crank_driven_speed": ("slider_crank_driven", ["--over", "crank_omega=50rad/s:250rad/s:200", *SETTLED_CRANK],
                                  []),
    "slider_crank_map": ("slider_crank_driven",
                         ["--backend", "compiled", "--set", "duration=50*turn", "--set", "simulate.lasting_contacts=paper",
                          "--set", "record.every=20", "--over", "c=0.05mm:2mm:40", "--over", "crank_omega=50rad/s:250rad/s:30",
                          "--measure", "tilt=max_after(abs(slider.angle), 25*turn)*a/c"], ["tilt"]),
    **{f"{name}_map": (name, None, []) for name in ("cam_follower", "conveyor", "four_bar_clearance", "four_bar_plays",
                                                 "woodpecker")},
    "slider_crank_sensitivity": ("slider_crank", ["--over", "c=0.1mm:1mm", "--over", "friction=0:0.1", "--over",
                                                  "restitution=0:0.9", "--sample", "sobol:200", "--measure",
                                                  "peak=max(abs(guide.force_y))"], []),
    "slider_crank_distribution": ("slider_crank", ["--over", "c=0.1mm:1mm", "--over", "friction=0:0.1", "--sample", "lhs:300",
                                                   "--measure", "peak=max(abs(guide.force_y))"], []),
}

# Name: (model, words of `freeplay fit`), with the data in examples/data.
FITS = {
    "bouncing_ball_fit": ("bouncing_ball", ["--set", "simulate.integrator=event-driven", "--unset", "simulate.step",
                                            "--parameters", "drop_height,restitution=0:1"]),
}


def commands(name, freeplay, picture):
    """The command lines that make a figure, as lists of words."""
    if name in STUDIES:
        model, study, what = STUDIES[name]
        folder = str(RESULTS / name)
        if study is None:  # a file says it
            return [[freeplay, "study", f"examples/studies/{model}.study.yaml", "--quiet", "--out", folder],
                    [freeplay, "plot", folder, *what, "-o", str(picture)]]
        return [[freeplay, "sweep", f"examples/{model}.yaml", *study, "--quiet", "--out", folder],
                [freeplay, "plot", folder, *what, "-o", str(picture)]]
    if name in FITS:
        model, words = FITS[name]
        folder = RESULTS / name
        return [[freeplay, "fit", f"examples/{model}.yaml", "--data", f"examples/data/{model}.csv", *words, "--quiet",
                 "--out", str(folder)],
                ["cp", str(folder / "fit.svg"), str(picture)]]
    runs, what = FIGURES[name]
    lines, folders = [], []
    for model, *words in runs:
        overrides = [word for word in words if not word.startswith("#")]
        label = "".join(word[2:] + "=" for word in words if word.startswith("#"))
        text = "_".join(["".join(c if c.isalnum() or c in ".-" else "_" for c in word) for word in (model, *overrides)])
        folder = str(RESULTS / text)
        folders.append(label + folder)
        sets = [word for override in overrides for word in ("--set", override)]
        lines.append([freeplay, "run", f"examples/{model}.yaml", *sets, "--quiet", "--out", folder])
    lines.append([freeplay, "plot", *folders, *what, "-o", str(picture)])
    return lines


def main():
    known = [*FIGURES, *STUDIES, *FITS, *drawings.names()]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="see --list")
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("--freeplay", default="build/freeplay", help="the command; default build/freeplay")
    parser.add_argument("--to", type=Path, default=Path("docs", "images"), help="folder; default docs/images")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(known))
        return 0
    for name in arguments.names:
        if name not in known:
            parser.error(f"no figure {name}; --list has them")
    (ROOT / arguments.to).mkdir(parents=True, exist_ok=True)
    for name in arguments.names or known:
        picture = arguments.to / f"{name}.svg"
        if name not in drawings.names():
            for line in commands(name, arguments.freeplay, picture):
                print("$", shlex.join(line), flush=True)
                # 4 and 5: a run that failed is what some figures show.
                status = subprocess.run(line, cwd=ROOT, stdout=subprocess.DEVNULL).returncode
                if status not in (0, 4, 5) or (line[1] == "plot" and status):
                    return status
        else:
            drawings.draw(name, str(ROOT / arguments.freeplay), ROOT / picture)
        print(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
