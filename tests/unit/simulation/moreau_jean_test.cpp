// moreau-jean: bad input, failures, loops and drivers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::test::moreau_jean_test {
namespace {

using testing::HasSubstr;

SymbolScope scope() {
  return {[](std::string_view name) -> std::optional<Symbol> {
            if (name == "t") return Symbol{Symbol::Kind::kVariable, {}, Expression::kTimeVariable, dimensions::kTime};
            if (name == "body.vx") return Symbol{Symbol::Kind::kVariable, {}, 1, dimensions::kVelocity};
            return std::nullopt;
          },
          [] {
            return std::vector<std::string>{"t", "body.vx"};
          }};
}

MechanismSpec one_body(const std::string& joint_type) {
  MechanismSpec spec;
  BodySpec body;
  body.name = "body";
  body.mass_kg = 1;
  body.inertia_kg_m2(2, 2) = 0.5;
  spec.bodies = {body};
  JointSpec joint;
  joint.name = "joint";
  joint.type = joint_type;
  joint.parent = "ground";
  joint.child = "body";
  spec.joints = {joint};
  return spec;
}

SimulationOptions jean(double step, double duration) {
  SimulationOptions options;
  options.integrator = "moreau-jean";
  options.step_s = step;
  options.duration_s = duration;
  return options;
}

std::string mistake_of(const SimulationOptions& options) {
  const auto system = Mechanism::build(one_body("revolute"));
  try {
    Simulation simulation(*system, options);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST(MoreauJeanOptions, ThetaIsAboveZeroAndAtMostOne) {
  SimulationOptions options = jean(1e-3, 1);
  EXPECT_EQ(mistake_of(options), "none");
  for (const double theta : {1e-9, 0.5, 1.0}) {
    options.theta = theta;
    EXPECT_EQ(mistake_of(options), "none") << theta;
  }
  for (const double theta : {0.0, -0.5, 1.0000001, std::nan("")}) {
    options.theta = theta;
    EXPECT_THAT(mistake_of(options), HasSubstr("simulate.theta")) << theta;
    EXPECT_THAT(mistake_of(options), HasSubstr("greater than 0 and at most 1")) << theta;
  }
}

TEST(MoreauJeanOptions, NeedsAStep) {
  SimulationOptions options = jean(1e-3, 1);
  options.step_s.reset();
  EXPECT_THAT(mistake_of(options), HasSubstr("needs a fixed step"));
}

// F = 10 N where v < 0, else -10 N: no velocity at the end of a step agrees with its own force.
TEST(MoreauJeanStep, FailsWithAStatusWhereNoVelocitySolvesIt) {
  MechanismSpec spec = one_body("prismatic");
  spec.bodies[0].initial.velocity_m_s[0] = 0.005;
  spec.variables.push_back({"body.vx"});
  AppliedLoadSpec brake;
  brake.name = "brake";
  brake.body = "body";
  brake.value[0] = Expression::parse("10 N - 20 N*step(body.vx/(1 m/s))", scope());
  spec.loads = {brake};
  const auto system = Mechanism::build(spec);
  SimulationOptions options = jean(1e-2, 1);
  options.theta = 1;
  Simulation simulation(*system, options);
  MemorySink sink;
  const RunSummary summary = simulation.run(sink, {});
  EXPECT_EQ(summary.status, RunStatus::kFailed);
  EXPECT_EQ(summary.failure, StepStatus::kImplicitForcesFailed);
  EXPECT_THAT(summary.message, HasSubstr("implicit forces"));
  EXPECT_THAT(summary.message, HasSubstr("left of the equation of motion"));
}

// theta = 2 t^2 needs J 4 rad/s^2 all the time, and puts in what the rotor has in the end. The row holds for the mean
// velocity of a step, so that the work of the driver is exact.
TEST(MoreauJeanDriver, TorqueAndWorkOfAnAcceleratedRotor) {
  MechanismSpec spec = one_body("revolute");
  DriverSpec driver;
  driver.name = "motor";
  driver.joint = "joint";
  driver.motion = Expression::parse("2 rad/s^2 * t^2", scope());
  spec.drivers = {driver};
  const auto system = Mechanism::build(spec);
  Simulation simulation(*system, jean(1e-3, 1));
  MemorySink sink;
  ASSERT_EQ(simulation.run(sink, {}).status, RunStatus::kCompleted);
  EXPECT_NEAR(sink.channel("motor.torque")[500], 2, 1e-9);
  EXPECT_NEAR(sink.channel("energy.input").back(), 0.5 * 0.5 * 16, 1e-9);
  EXPECT_NEAR(sink.channel("energy.drift").back(), 0, 1e-9);
}

// A rod that turns at w about its end without gravity pulls at its pin with m w^2 r, whatever describes the pin, and
// keeps its speed.
TEST(MoreauJeanLoop, PinOfASpinningRodCarriesItsCentripetalForce) {
  for (const bool as_constraint : {false, true}) {
    MechanismSpec spec = one_body("revolute");
    spec.bodies[0].initial.angular_velocity[2] = 10;
    spec.joints[0].at_child_m = Vec3(-0.5, 0, 0);
    spec.joints[0].as_constraint = as_constraint;
    const auto system = Mechanism::build(spec);
    Simulation simulation(*system, jean(1e-3, 1));
    MemorySink sink;
    ASSERT_EQ(simulation.run(sink, {}).status, RunStatus::kCompleted);
    const double force = std::hypot(sink.channel("joint.force_x").back(), sink.channel("joint.force_y").back());
    EXPECT_NEAR(force, 100 * 0.5, 2e-3) << as_constraint;
    EXPECT_NEAR(sink.channel("body.omega").back(), 10, 1e-3) << as_constraint;
  }
}

}  // namespace
}  // namespace freeplay::test::moreau_jean_test
