// Events that are easily missed, or decided wrongly: surfaces that move or jump, loads that come late, parts of very
// different masses, impacts that throw off what has just come to rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "physics/model_run.h"

namespace freeplay::test {
namespace {

constexpr double kGravity = 9.81;

// A planar model, event-driven, from its blocks.
ModelRun run_planar(const std::string& blocks, const std::string& simulate, bool has_gravity = true) {
  const std::string gravity = has_gravity ? "gravity: [0, -9.81 m/s^2]\n" : "";
  return run_model(parse_model("freeplay: 1\nname: hard\nspace: planar\n" + gravity + blocks +
                                   "simulate: {integrator: event-driven, " + simulate + "}\n",
                               "hard.yaml"));
}

const char* const kBlockOnFloor = R"yaml(bodies:
  block: {mass: 1 kg, inertia: 1 kg m^2, shapes: {foot: {type: point}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  c: {between: [block.foot, ground.floor], impact: newton, restitution: 0, friction: 0.5}
)yaml";

std::string block_on_belt(const std::string& velocity) {
  return "bodies:\n  block: {mass: 1 kg, inertia: 1 kg m^2, shapes: {foot: {type: point}}}\n"
         "ground: {shapes: {floor: {type: line, normal: [0, 1], surface_velocity: \"" +
         velocity +
         "\"}}}\n"
         "contacts:\n  c: {between: [block.foot, ground.floor], impact: newton, restitution: 0, friction: 0.1}\n";
}

int count(const ModelRun& run, ContactEventKind kind) {
  return static_cast<int>(std::count_if(run.record.events.begin(), run.record.events.end(),
                                        [&](const EventRecord& event) { return event.kind == kind; }));
}

TEST(HardEvents, ABeltThatGathersSpeedDragsNoFasterThanFriction) {
  const ModelRun fast = run_planar(block_on_belt("20 m/s^2*t"), "duration: 1 s");
  EXPECT_NEAR(fast["block.vx"].back(), 0.1 * kGravity, 1e-9);
  EXPECT_LT(fast.summary.max_energy_drift_J, 1e-9);
  const ModelRun gentle = run_planar(block_on_belt("0.5 m/s^2*t"), "duration: 1 s");
  EXPECT_NEAR(gentle["block.vx"].back(), 0.5, 1e-9) << "it rides along";
  EXPECT_NEAR(gentle["c.tangential_force"].back(), 0.5, 1e-9);
  EXPECT_LT(gentle.summary.max_energy_drift_J, 1e-9);
}

TEST(HardEvents, ABeltThatStartsAtOnceLeavesThePartBehind) {
  const ModelRun run = run_planar(block_on_belt("1 m/s*step(t - 0.5 s)"), "duration: 1 s");
  EXPECT_NEAR(run["block.vx"].back(), 0.1 * kGravity * 0.5, 1e-8);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-9);
}

TEST(HardEvents, APushOnARestingPartIsNotSteppedOver) {
  const std::string push =
      "forces:\n  push: {type: force, on: block, value: [\"20 N*exp(-((t - 5.3 s)/(50 ms))^2)\", 0 N]}\n";
  const ModelRun run = run_planar(kBlockOnFloor + push, "duration: 10 s");
  const ModelRun close = run_planar(kBlockOnFloor + push, "duration: 10 s, max_step: 1 ms");
  EXPECT_GT(close["block.x"].back(), 0.18);
  EXPECT_NEAR(run["block.x"].back(), close["block.x"].back(), 1e-7);
}

TEST(HardEvents, ANarrowCamLiftsItsFollowerInEveryTurn) {
  const ModelRun run = run_planar(R"yaml(ground:
  shapes:
    cam: {type: cam, base_radius: 20 mm, lift: "5 mm*exp(-((mod(phi, 2*pi) - pi)/0.05)^2)", turn: "60 rpm*t"}
bodies:
  follower: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 30 mm}, shapes: {roller: {type: circle, radius: 10 mm}}}
joints:
  guide: {type: prismatic, parent: ground, child: follower, axis: [0, 1]}
forces:
  spring: {type: force, on: follower, value: [0 N, -500 N]}
contacts:
  c: {between: [follower.roller, ground.cam], impact: newton, restitution: 0}
)yaml",
                                  "duration: 10 s");
  int lifts = 0;
  const std::vector<double>& y = run["follower.y"];
  for (std::size_t i = 1; i < y.size(); ++i) lifts += y[i - 1] < 0.032 && y[i] >= 0.032 ? 1 : 0;
  EXPECT_EQ(lifts, 10);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-6);
}

std::string ball_on_table(const std::string& motion) {
  return "bodies:\n  table: {mass: 1 kg, inertia: 1 kg m^2, shapes: {top: {type: line, normal: [0, 1]}}}\n"
         "  ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {y: 100 mm}, shapes: {skin: {type: circle, radius: 100 "
         "mm}}}\n"
         "joints:\n  lift: {type: prismatic, parent: ground, axis: [0, 1], child: table}\n"
         "drivers:\n  motor: {on: lift, motion: \"" +
         motion +
         "\"}\n"
         "contacts:\n  c: {between: [ball.skin, table.top], impact: newton, restitution: 0.5, friction: 0.3}\n";
}

TEST(HardEvents, ATableThatDropsAtOnceLeavesTheBallInTheAir) {
  const ModelRun run = run_planar(ball_on_table("-max(0 s, t - 0.5 s)*2 m/s"), "duration: 0.7 s");
  EXPECT_NEAR(run["ball.y"].back(), 0.1 - kGravity * 0.2 * 0.2 / 2, 1e-9);
  EXPECT_EQ(count(run, ContactEventKind::kRelease), 1);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-9);
}

TEST(HardEvents, ATableThatRisesAtOnceStrikesTheBall) {
  const ModelRun run = run_planar(ball_on_table("max(0 s, t - 0.5 s)*2 m/s"), "duration: 0.6 s");
  EXPECT_NEAR(run["ball.vy"].back(), 2 * 1.5 - kGravity * 0.1, 1e-9);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-9);
}

// The front corner passes the edge of the table, where the normal turns to the side of it.
TEST(HardEvents, ABoxSlidesOverTheEdgeOfATable) {
  const auto run = [](double friction) {
    return run_planar(fmt::format(R"yaml(bodies:
  part: {{mass: 1 kg, inertia: 1e-3 kg m^2, initial: {{x: -60 mm, y: 20 mm, vx: 0.5 m/s}}, shapes: {{p: {{type: polygon, vertices: [[-50 mm,-20 mm],[50 mm,-20 mm],[50 mm,20 mm],[-50 mm,20 mm]]}}}}}}
ground:
  shapes:
    table: {{type: polygon, vertices: [[-1 m, -1 m],[0, -1 m],[0,0],[-1 m, 0]]}}
contacts:
  c: {{between: [part.p, ground.table], impact: newton, restitution: 0.2, friction: {}}}
)yaml",
                                  friction),
                      "duration: 0.1 s");
  };
  EXPECT_NEAR(run(0)["part.vx"].back(), 0.5, 1e-9) << "it still lies on the table";
  const ModelRun rough = run(0.1);
  EXPECT_NEAR(rough["part.vx"].back(), 0.5 - 0.1 * kGravity * 0.1, 1e-9);
  EXPECT_LT(rough.summary.max_energy_drift_J, 1e-9);
}

TEST(HardEvents, WhatCameSlowlyIsThrownOffByAnotherImpact) {
  const ModelRun run = run_planar(R"yaml(bodies:
  rod:
    mass: 1 kg
    inertia: 1 kg m^2/12
    initial: {vy: 0.25 m/s - 5e-7 m/s, omega: -2.5 rad/s}
    shapes: {near: {type: point, at: [0.1 m, 0]}, far: {type: point, at: [0.5 m, 0]}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  near: {between: [rod.near, ground.floor], impact: newton, restitution: 0.5}
  far: {between: [rod.far, ground.floor], impact: newton, restitution: 0.5}
)yaml",
                                  "duration: 10 ms", false);
  // One impact of the far end: 1/(1/m + a^2/J) of its 1 m/s, one and a half times.
  EXPECT_NEAR(run["rod.vy"].back(), 0.25 + 1.5 / 4, 2e-6);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-9);
}

// Whether a part sticks is decided by its own load, not by that of another one.
TEST(HardEvents, ALightPartBesideAHeavyOneKeepsItsFriction) {
  const ModelRun run = run_planar(R"yaml(bodies:
  heavy: {mass: 1000 kg, inertia: 1 kg m^2, shapes: {foot: {type: point}}}
  light: {mass: 0.01 g, inertia: 1e-9 kg m^2, initial: {x: 1 m}, shapes: {foot: {type: point}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  h: {between: [heavy.foot, ground.floor], impact: newton, restitution: 0, friction: 0.5}
  l: {between: [light.foot, ground.floor], impact: newton, restitution: 0, friction: 0.5}
forces:
  push: {type: force, on: heavy, value: ["10000 N/s*t", 0 N]}
  breeze: {type: force, on: light, value: ["1e-5 N*max(0, t/(1 s) - 0.6)", 0 N]}
)yaml",
                                  "duration: 1 s");
  EXPECT_NEAR(run["light.x"].back(), 1, 1e-15) << "4e-6 N against a limit of 4.9e-5 N";
  const double begins = 0.5 * 1000 * kGravity / 1e4, slides = 1 - begins;
  EXPECT_NEAR(run["heavy.vx"].back(), 10 * slides * slides / 2, 1e-8);
}

TEST(HardEvents, AHeavyMachineElsewhereDoesNotReleaseAGrain) {
  const ModelRun run = run_planar(R"yaml(bodies:
  machine: {mass: 1e4 kg, inertia: 1 kg m^2, initial: {x: 5 m}, shapes: {foot: {type: point}}}
  table: {mass: 1 kg, inertia: 1 kg m^2, shapes: {top: {type: line, normal: [0, 1]}}}
  grain: {mass: 1 mg, inertia: 1e-12 kg m^2, shapes: {p: {type: point}}}
joints:
  lift: {type: prismatic, parent: ground, axis: [0, 1], child: table}
drivers:
  motor: {on: lift, motion: "-10 m/s^3*t^3"}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  m: {between: [machine.foot, ground.floor], impact: newton, restitution: 0}
  c: {between: [grain.p, table.top], impact: newton, restitution: 0}
)yaml",
                                  "duration: 0.3 s");
  ASSERT_EQ(count(run, ContactEventKind::kRelease), 1);
  for (const EventRecord& event : run.record.events) {
    if (event.kind != ContactEventKind::kRelease) continue;
    EXPECT_NEAR(event.time_s, kGravity / 60, 1e-6) << "where the table falls faster than free";
  }
}

TEST(HardEvents, MassesMayDifferByTwelveOrders) {
  const ModelRun run = run_planar(R"yaml(bodies:
  heavy: {mass: 1e6 kg, inertia: 1e6 kg m^2, initial: {vx: 1 m/s}, shapes: {foot: {type: point}}}
  light: {mass: 1 mg, inertia: 1e-9 kg m^2, initial: {x: 1 m, vx: 1 m/s}, shapes: {foot: {type: point}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  h: {between: [heavy.foot, ground.floor], impact: newton, restitution: 0, friction: 0.1}
  l: {between: [light.foot, ground.floor], impact: newton, restitution: 0, friction: 0.1}
)yaml",
                                  "duration: 2 s");
  const double way_m = 1 / (2 * 0.1 * kGravity);
  EXPECT_NEAR(run["heavy.x"].back(), way_m, 1e-9);
  EXPECT_NEAR(run["light.x"].back(), 1 + way_m, 1e-9);
}

TEST(HardEvents, SlowReboundsGoOnWhereNothingDrawsThePartBack) {
  const ModelRun run = run_planar(R"yaml(bodies:
  ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {vx: 0.9 um/s}, shapes: {skin: {type: circle, radius: 1 um}}}
ground: {shapes: {left: {type: line, at: [-2 um, 0], normal: [1, 0]}, right: {type: line, at: [2 um, 0], normal: [-1, 0]}}}
contacts:
  l: {between: [ball.skin, ground.left], impact: newton, restitution: 1}
  r: {between: [ball.skin, ground.right], impact: newton, restitution: 1}
)yaml",
                                  "duration: 9.5 s", false);
  EXPECT_EQ(count(run, ContactEventKind::kImpact), 4);  // 8.55 um of way, 1 um to the first wall, then 2 um
  EXPECT_NEAR(std::abs(run["ball.vx"].back()), 0.9e-6, 1e-15);
}

TEST(HardEvents, TangentialRestitutionBelongsToWhatStrikes) {
  const ModelRun run = run_planar(R"yaml(bodies:
  block: {mass: 1 kg, inertia: 1 kg m^2, initial: {vx: 1 m/s}, shapes: {foot: {type: point}, top: {type: line, at: [0, 100 mm], normal: [0, 1]}}}
  ball: {mass: 1 kg, inertia: 1e-3 kg m^2, initial: {y: 200 mm, vx: 1 m/s}, shapes: {skin: {type: circle, radius: 50 mm}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  foot: {between: [block.foot, ground.floor], impact: newton, restitution: 0.5, friction: 0.9, tangential_restitution: 0.8}
  top: {between: [ball.skin, block.top], impact: newton, restitution: 0}
)yaml",
                                  "duration: 110 ms");
  EXPECT_NEAR(run["block.vx"].back(), 0, 1e-12) << "a foot that slides, struck from above, stops and does not turn";
}

TEST(HardEvents, FrictionThatIsNotDeterminedIsNamed) {
  const ModelRun run = run_planar(R"yaml(bodies:
  block: {mass: 1 kg, inertia: 1 kg m^2, initial: {vx: 3 m/s}, shapes: {a: {type: point, at: [-0.1 m, 0]}, b: {type: point}, c: {type: point, at: [0.1 m, 0]}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  a: {between: [block.a, ground.floor], impact: newton, restitution: 0}
  b: {between: [block.b, ground.floor], impact: newton, restitution: 0, friction: 0.6}
  c: {between: [block.c, ground.floor], impact: newton, restitution: 0}
)yaml",
                                  "duration: 0.1 s");
  ASSERT_FALSE(run.summary.warnings.empty());
  EXPECT_NE(run.summary.warnings[0].find("is not determined: contacts"), std::string::npos) << run.summary.warnings[0];
}

// mu = 0.2 + 0.1 s/m v below 1 m/s, and 0.3 above: dv/dt = -0.3 g down to 1 m/s, then v + 2 m/s = 3 m/s exp(-0.1 g t)
// down to where the exponential is 2/3.
TEST(HardEvents, FrictionByATableStopsABlockWhenItsClosedFormDoes) {
  const ModelRun run = run_planar(R"yaml(bodies:
  block: {mass: 1 kg, inertia: 1 kg m^2, initial: {vx: 3 m/s}, shapes: {foot: {type: point}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  slide:
    between: [block.foot, ground.floor]
    impact: newton
    restitution: 0
    friction_law: table
    friction_table: [[0 m/s, 0.2], [1 m/s, 0.3], [10 m/s, 0.3]]
)yaml",
                                  "duration: 2 s, tolerance: 1e-12");
  const double stop_s = 2 / (0.3 * kGravity) + std::log(1.5) / (0.1 * kGravity);
  ASSERT_EQ(count(run, ContactEventKind::kStick), 1);
  for (const EventRecord& event : run.record.events) {
    if (event.kind != ContactEventKind::kStick) continue;
    EXPECT_NEAR(event.time_s, stop_s, 1e-9);
  }
  const double way_m = 8 / (2 * 0.3 * kGravity) + (1 - 2 * std::log(1.5)) / (0.1 * kGravity);  // v dv = a dx
  EXPECT_NEAR(run["block.x"].back(), way_m, 1e-9);
}

// A plate on four feet turns about its middle: all feet have the same friction, but each slides in a direction of its
// own, and a load that moves from one diagonal to the other turns the friction of the plate.
TEST(HardEvents, FrictionThatIsNotDeterminedIsNotBlamedOnCoefficientsThatAreTheSame) {
  const ModelRun run = run_model(parse_model(R"yaml(freeplay: 1
name: plate
space: spatial
gravity: [0, 0, -9.81 m/s^2]
bodies:
  plate:
    mass: 1 kg
    inertia: [0.02 kg m^2, 0.02 kg m^2, 0.04 kg m^2]
    initial: {z: 10 mm, vx: 1 m/s, omega_z: 3 rad/s}
    shapes: {skin: {type: box, size: [0.3 m, 0.2 m, 20 mm]}}
ground: {shapes: {floor: {type: plane, normal: [0, 0, 1]}}}
contacts: {rest: {between: [plate.skin, ground.floor], impact: newton, restitution: 0, friction: 0.3}}
simulate: {integrator: event-driven, duration: 0.02 s}
)yaml",
                                             "plate.yaml"));
  ASSERT_FALSE(run.summary.warnings.empty());
  EXPECT_NE(run.summary.warnings[0].find("contacts that slide in different directions, or with different friction"),
            std::string::npos)
      << run.summary.warnings[0];
}

const char* const kLedge = R"yaml(bodies:
  part: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: -10 mm, y: 0.05 mm, vx: 1 m/s}, shapes: {p: {type: circle, radius: 1 mm, at: [0, 1 mm]}}}
  block: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: 5 m, y: 1 m, vx: 3 m/s}, shapes: {foot: {type: point}}}
ground:
  shapes:
    floor: {type: outline, points: [[1 m, -1 m], [1 m, 0], [0, 0], [0, 0.05 mm], [-1 m, 0.05 mm], [-1 m, -1 m]]}
    shelf: {type: line, at: [0, 1 m], normal: [0, 1]}
contacts:
  c: {between: [part.p, ground.floor], impact: newton, restitution: 0.5}
  other: {between: [block.foot, ground.shelf], impact: newton, restitution: 0, friction: 0.1}
)yaml";

// The disc turns about the edge of the ledge, leaves it at once, since v^2/r is more than g, and falls by 50 um.
TEST(HardEvents, ADiscFliesOffALedge) {
  const ModelRun run = run_planar(kLedge, "duration: 40 ms");
  EXPECT_EQ(run.summary.handed_over_steps, 0);
  double first_impact_s = 0;
  for (const EventRecord& event : run.record.events) {
    if (event.kind == ContactEventKind::kImpact && first_impact_s == 0) first_impact_s = event.time_s;
  }
  EXPECT_NEAR(first_impact_s, 0.01 + std::sqrt(2 * 50e-6 / kGravity), 1e-9);
  EXPECT_NEAR(run["block.vx"].back(), 3 - 0.1 * kGravity * 0.04, 1e-9) << "a part that slides elsewhere slides on";
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-9);
}

// Newton's law with friction lets a rod that falls on its end leave with more than it came with.
TEST(HardEvents, GainsOfNewtonsLawAreToldAndLimited) {
  const auto rod = [](const std::string& rule) {
    return run_planar(R"yaml(bodies:
  rod:
    mass: 1 kg
    inertia: 1 kg m^2/12
    initial: {y: sqrt(0.125)*1 m + 0.1 mm, angle: 45 deg, vx: 0.5 m/s, vy: -1 m/s}
    shapes: {end: {type: point, at: [-0.5 m, 0]}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  touch: {between: [rod.end, ground.floor], impact: newton, restitution: 1, friction: 0.7}
)yaml",
                      "duration: 0.4 ms, impact_energy: " + rule, false);
  };
  const auto energy = [](const ModelRun& run) { return run["energy.total"].back(); };
  const ModelRun warned = rod("warn");
  EXPECT_GT(energy(warned), 0.7) << "from 0.625 J";
  EXPECT_NEAR(warned.summary.impact_gain_J, energy(warned) - 0.625, 1e-12);
  EXPECT_FALSE(warned.summary.warnings.empty());
  EXPECT_NEAR(energy(rod("limit")), 0.625, 1e-9);
}

TEST(HardEvents, MeasuresSeeTheFlightBetweenImpacts) {
  const ModelFile file = parse_model(R"yaml(freeplay: 1
name: A ball that loses nothing
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {y: 100 mm, vy: 10 m/s}, shapes: {skin: {type: circle, radius: 100 mm}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  c: {between: [ball.skin, ground.floor], impact: newton, restitution: 1}
simulate: {integrator: event-driven, duration: 20 s/9.81*9}
measure: {mean: mean(ball.y), top: max(ball.y), later: "at(ball.y, 1 s)"}
)yaml",
                                     "measured.yaml");
  const Model model = build_model(file);
  MemorySink record;
  const RunSummary summary = build_simulation(file, model)->run(record, {});
  ASSERT_EQ(summary.measures.size(), 3U);
  const double top_m = 0.1 + 100 / (2 * kGravity);
  EXPECT_NEAR(summary.measures[0].value, 0.1 + 2.0 / 3 * (top_m - 0.1), 1e-3) << "of nine flights";
  EXPECT_NEAR(summary.measures[1].value, top_m, 1e-3);
  EXPECT_NEAR(summary.measures[2].value, 0.1 + 10 - kGravity / 2, 1e-3);
}

// The block is lifted where the pull exceeds its weight, and nothing pulls it sidewards.
TEST(HardEvents, WhatIsLiftedDoesNotSlipBefore) {
  const std::string pull = "forces:\n  pull: {type: force, on: block, value: [0 N, \"30 N*sin(7 rad/s*t)\"]}\n";
  const ModelRun run = run_planar(kBlockOnFloor + pull, "duration: 3 s");
  EXPECT_GT(count(run, ContactEventKind::kRelease), 2);
  EXPECT_EQ(count(run, ContactEventKind::kSlip), 0);
}

}  // namespace
}  // namespace freeplay::test
