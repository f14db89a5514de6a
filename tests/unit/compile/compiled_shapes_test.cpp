// Gap functions that branch, and functions given by samples: compiled, they choose without a branch.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>

#include "freeplay/math/recording/recorded_functions.h"
#include "freeplay/math/recording/recorded_jet.h"
#include "unit/compile/compiled_support.h"

namespace freeplay::test {
namespace {

using CompiledShapes = CompiledTest;

void expect_runs_of_engine(const char* text, const std::vector<std::vector<std::string>>& overrides,
                           const std::vector<std::string>& channels) {
  std::vector<LoadedModel> members;
  for (const std::vector<std::string>& own : overrides) {
    LoadedModel member;
    member.file = parse_model(text, "model", own);
    member.model = build_model(member.file);
    EXPECT_EQ(compile_obstacles(member.file, member.model), std::vector<std::string>());
    members.push_back(std::move(member));
  }
  const FamilyRun run = run_family(members, channels, members.size());
  ASSERT_EQ(run.lanes.size(), members.size());
  for (std::size_t k = 0; k < members.size(); ++k) {
    SCOPED_TRACE(k);
    EXPECT_EQ(run.lanes[k].status, 0) << lane_status_text(run.lanes[k].status);
    EXPECT_LE(difference_from_engine(members[k], channels, run.rows[k]), 1e-9);
  }
}

// A disc falls on the corner of a box, which stands on another one and tips: corners, edges, and what is inside.
TEST_F(CompiledShapes, DiscsAndBoxesRunAsTheEngineDoes) {
  constexpr const char* kModel = R"(
freeplay: 1
name: A disc on the corner of a box
space: planar
parameters: {turn: 0.1 rad, restitution: 0.4, start: 0.03 m}
gravity: [0, -9.81 m/s^2]
bodies:
  disc:
    mass: 1 kg
    inertia: 0.001 kg m^2
    initial: {x: start, y: 0.35 m, omega: 3 rad/s}
    shapes: {rim: {type: circle, radius: 0.05 m}}
  box:
    mass: 2 kg
    inertia: 0.01 kg m^2
    initial: {y: 0.13 m, angle: turn}
    shapes: {hull: {type: polygon, vertices: [[-0.1 m, -0.05 m], [0.1 m, -0.05 m], [0.1 m, 0.05 m], [-0.1 m, 0.05 m]]}}
ground:
  shapes: {table: {type: polygon, vertices: [[-0.12 m, -0.1 m], [0.06 m, -0.1 m], [0.06 m, 0 m], [-0.12 m, 0 m]]}}
contacts:
  top: {between: [disc.rim, box.hull], impact: newton, restitution: restitution, friction: 0.3}
  base: {between: [box.hull, ground.table], impact: newton, restitution: restitution, friction: 0.5}
simulate: {integrator: moreau-midpoint, step: 50 us, duration: 0.4 s}
)";
  expect_runs_of_engine(
      kModel, {{}, {"turn=-0.2 rad"}, {"restitution=0.1", "start=0.1 m"}, {"turn=0.8 rad", "restitution=0"}},
      {"disc.x", "disc.y", "disc.omega", "box.x", "box.y", "box.angle", "top.gap", "base.gap_3", "base.gap_7"});
}

// A disc flies through a plate: between two midpoints, with one inside where it leaves already, in the first and in the
// last step. The engine divides such steps; lanes are left to it.
TEST_F(CompiledShapes, LanesInWhichPartsMayPassAreLeftToTheEngine) {
  constexpr const char* kModel = R"(
freeplay: 1
name: A disc and a thin plate
space: planar
parameters: {speed: -90 m/s, start: 30 mm, time: 1 ms}
bodies:
  disc: {mass: 1 kg, inertia: 0.001 kg m^2, initial: {x: start, vx: speed}, shapes: {rim: {type: circle, radius: 1 mm}}}
ground:
  shapes: {plate: {type: polygon, vertices: [[-1 mm, -0.1 m], [1 mm, -0.1 m], [1 mm, 0.1 m], [-1 mm, 0.1 m]]}}
contacts: {wall: {between: [disc.rim, ground.plate], impact: newton, restitution: 0.5}}
simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: time}
)";
  const std::vector<std::vector<std::string>> overrides = {
      {}, {"speed=-110 m/s"}, {"start=8 mm"}, {"start=25 mm", "time=0.4 ms"}, {"speed=-5 m/s", "time=10 ms"}};
  std::vector<LoadedModel> members;
  for (const std::vector<std::string>& own : overrides) {
    LoadedModel member;
    member.file = parse_model(kModel, "model", own);
    member.model = build_model(member.file);
    members.push_back(std::move(member));
  }
  const FamilyRun run = run_family(members, {"disc.x"}, members.size());
  ASSERT_EQ(run.lanes.size(), members.size());
  for (std::size_t k = 0; k + 1 < members.size(); ++k)
    EXPECT_EQ(run.lanes[k].status, kLaneHasPassed) << k << ": " << lane_status_text(run.lanes[k].status);
  EXPECT_EQ(run.lanes.back().status, 0) << lane_status_text(run.lanes.back().status);
  EXPECT_LE(difference_from_engine(members.back(), {"disc.x"}, run.rows.back()), 1e-9);
}

// The lift of one cam as a table, for a roller and for a flat face.
TEST_F(CompiledShapes, CamsByATableRunAsTheEngineDoes) {
  constexpr const char* kModel = R"(
freeplay: 1
name: A cam by its table
space: planar
parameters: {speed: 30 rad/s}
gravity: [0, -9.81 m/s^2]
functions:
  lift:
    table:
      points: [[0 rad, 0 mm], [1 rad, 1.5 mm], [2 rad, 4 mm], [3.141 rad, 6 mm], [4 rad, 5 mm], [5.5 rad, 0.6 mm], [2*pi*1 rad, 0 mm]]
      interpolation: cubic
      outside: repeat
bodies:
  roller: {mass: 0.5 kg, inertia: 1e-4 kg m^2, initial: {y: 36 mm}, shapes: {rim: {type: circle, radius: 5 mm}}}
  plate: {mass: 0.5 kg, inertia: 1e-4 kg m^2, initial: {x: 0.2 m, y: 31 mm}, shapes: {face: {type: line, normal: [0, -1]}}}
ground:
  shapes:
    cam: {type: cam, base_radius: 30 mm, lift: lift(phi), turn: speed*t}
    other: {type: cam, at: [0.2 m, 0], base_radius: 30 mm, lift: lift(phi), turn: speed*t}
joints:
  slide: {type: prismatic, parent: ground, axis: [0, 1], child: roller}
  other_slide: {type: prismatic, parent: ground, at_parent: [0.2 m, 0], axis: [0, 1], child: plate}
contacts:
  on_roller: {between: [roller.rim, ground.cam], impact: newton, restitution: 0.2, friction: 0.1}
  on_plate: {between: [plate.face, ground.other], impact: newton, restitution: 0.2, friction: 0.1}
simulate: {integrator: moreau-midpoint, step: 50 us, duration: 0.4 s}
)";
  expect_runs_of_engine(kModel, {{}, {"speed=50 rad/s"}},
                        {"roller.y", "roller.vy", "plate.y", "plate.vy", "on_roller.gap", "on_plate.gap"});
}

// Motions, efforts and forces given by samples, in all ways of going on.
TEST_F(CompiledShapes, SampledForcesAndMotionsRunAsTheEngineDoes) {
  constexpr const char* kModel = R"(
freeplay: 1
name: A pendulum on a driven slide
space: planar
parameters: {scale: 1}
gravity: [0, -9.81 m/s^2]
functions:
  way: {table: {points: [[0 s, 0 m], [0.1 s, 0.02 m], [0.2 s, 0.05 m], [0.3 s, 0.04 m], [0.4 s, 0 m]], interpolation: cubic}}
  pulse: {table: {points: [[0.05 s, 0 N], [0.1 s, 4 N], [0.12 s, -3 N]], interpolation: hold}}
  torque: {table: {points: [[-1 rad, 1 N m], [0 rad, 0 N m], [1 rad, -1 N m]], outside: stop}}
bodies:
  slide: {mass: 1 kg, inertia: 0.01 kg m^2}
  arm: {mass: 1 kg, inertia: 0.01 kg m^2}
  cart: {mass: 1 kg, inertia: 0.01 kg m^2, initial: {x: 1 m}}
joints:
  rail: {type: prismatic, parent: ground, axis: [1, 0], child: slide}
  pin: {type: revolute, parent: slide, child: arm, at_child: [0, 0.2 m], initial: {q: 0.4 rad}}
  track: {type: prismatic, parent: ground, at_parent: [1 m, 0], axis: [1, 0], child: cart}
drivers:
  push: {on: rail, motion: scale*way(t)}
  motor: {on: pin, torque: torque(pin.q)}
forces:
  wind: {type: force, on: cart, value: [scale*pulse(t), 0]}
  tide: {type: force, on: cart, value: [{table: {points: [[0 s, 0 N], [0.03 s, 2 N], [0.07 s, 0 N]], outside: repeat}}, 0]}
simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 0.5 s}
)";
  expect_runs_of_engine(kModel, {{}, {"scale=-0.5"}}, {"slide.x", "slide.vx", "arm.angle", "arm.omega", "cart.x"});
}

// Value and both derivatives of a recorded table, at the sides of samples, between them, and outside.
TEST(RecordedTables, SayWhatTheTableSays) {
  using Interpolation = SampledFunction::Interpolation;
  using Outside = SampledFunction::Outside;
  const std::vector<double> x = {-1, -0.2, 0.1, 0.7, 1.5, 2}, y = {0.5, -1, 2, 0.3, 1, 0.5};
  for (const auto interpolation : {Interpolation::kLinear, Interpolation::kCubic, Interpolation::kHold}) {
    for (const auto outside : {Outside::kHold, Outside::kRepeat, Outside::kStop}) {
      const SampledFunction table(x, y, interpolation, outside);
      std::mt19937 random(3);
      std::uniform_real_distribution<double> anywhere(-4, 6);
      std::vector<double> places = x;
      for (int k = 0; k < 300; ++k) places.push_back(anywhere(random));
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      for (const double none : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
        Tape tape;
        EXPECT_FALSE(std::isfinite(table.record(tape.input(none)).value())) << none;
      }
      for (const double place : places) {
        SCOPED_TRACE(fmt::format("{} {} at {}", static_cast<int>(interpolation), static_cast<int>(outside), place));
        Tape tape;
        const Recorded at = tape.input(place);
        const RecordedJet jet = jet_along(table.record(at), at);
        EXPECT_TRUE(tape.guards().empty());
        const SampledFunction::Jet expected = table.at(place);
        if (std::isnan(expected.value)) {
          EXPECT_TRUE(std::isnan(jet.value.value()));
          continue;
        }
        EXPECT_NEAR(jet.value.value(), expected.value, 1e-13);
        EXPECT_NEAR(jet.rate.value(), expected.slope, 1e-12);
        EXPECT_NEAR(jet.acceleration.value(), expected.curvature, 1e-11);
      }
    }
  }
}

}  // namespace
}  // namespace freeplay::test
