// Moreau's midpoint rule on small mechanisms with closed forms: dry friction and stops in joints, tree joint or
// constraint, and the options of the scheme.
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::test {
namespace {

BodySpec body(std::string name, double mass, double inertia) {
  BodySpec spec;
  spec.name = std::move(name);
  spec.mass_kg = mass;
  spec.inertia_kg_m2 = inertia * Mat3::Identity();
  return spec;
}

JointSpec joint(std::string type, bool as_constraint) {
  JointSpec spec;
  spec.name = "pin";
  spec.type = std::move(type);
  spec.parent = "ground";
  spec.child = "body";
  spec.as_constraint = as_constraint;
  return spec;
}

SimulationOptions moreau(double step, double duration) {
  SimulationOptions options;
  options.integrator = "moreau-midpoint";
  options.step_s = step;
  options.duration_s = duration;
  return options;
}

struct Outcome {
  MemorySink record;
  RunSummary summary;
  const std::vector<double>& operator[](const std::string& channel) const { return record.channel(channel); }
};

Outcome run(const MechanismSpec& spec, const ContactModelSpec& model, const SimulationOptions& options) {
  const auto mechanism = Mechanism::build(spec);
  const auto contacts = spec.space == Space::kPlanar ? MechanismContacts::build(mechanism, spec, model) : nullptr;
  Simulation simulation(*mechanism, contacts ? *contacts : no_contacts(), options);
  Outcome result;
  result.summary = simulation.run(result.record, {});
  EXPECT_EQ(result.summary.status, RunStatus::kCompleted) << result.summary.message;
  return result;
}

class TreeOrConstraint : public testing::TestWithParam<bool> {};

// J dw/dt = -tau until the rotor stands, then it stays; one step of error at the stop.
TEST_P(TreeOrConstraint, DryFrictionStopsARotorAndHoldsIt) {
  MechanismSpec spec;
  spec.bodies = {body("body", 1, 0.5)};
  spec.bodies[0].initial.angular_velocity[2] = 4;
  spec.joints = {joint("revolute", GetParam())};
  spec.joints[0].dry_friction = 2;  // N m: stops after 4 * 0.5 / 2 = 1 s
  const double dt = 1e-3;
  const Outcome result = run(spec, {}, moreau(dt, 1.5));
  const std::vector<double>& omega = result["body.omega"];
  EXPECT_NEAR(omega[500], 4 - 2 / 0.5 * 0.5, 1e-11);
  EXPECT_NEAR(omega[1001], 0, 1e-12);
  EXPECT_EQ(omega[1500], omega[1200]);
  EXPECT_EQ(result["pin.mode_friction"][500], static_cast<double>(ContactMode::kSlip));
  EXPECT_EQ(result["pin.mode_friction"][1200], static_cast<double>(ContactMode::kStick));
  EXPECT_NEAR(result["pin.tangential_force_friction"][500], -2, 1e-10);
  EXPECT_NEAR(result["energy.friction_loss"].back(), 0.5 * 0.5 * 16, 1e-10) << "all of the kinetic energy";
  EXPECT_NEAR(result["energy.drift"].back(), 0, 1e-10);
}

TEST_P(TreeOrConstraint, StopReturnsWithItsRestitution) {
  MechanismSpec spec;
  spec.bodies = {body("body", 2, 1)};
  spec.bodies[0].initial.velocity_m_s[0] = 3;
  spec.joints = {joint("prismatic", GetParam())};
  spec.joints[0].stops = JointStopsSpec{-0.5, 1.0, 0.5};
  const Outcome result = run(spec, {}, moreau(1e-3, 1));
  const std::vector<double>& v = result["body.vx"];
  EXPECT_NEAR(v[300], 3, 1e-12);
  EXPECT_NEAR(v[400], -1.5, 1e-12) << "after the upper stop at 1/3 s";
  ASSERT_EQ(result.record.impacts.size(), 1u);
  EXPECT_NEAR(result.record.impacts[0].time_s, 1.0 / 3, 1e-3);
  EXPECT_NEAR(result.record.impacts[0].normal_impulse, 2 * 4.5, 1e-12);
  EXPECT_NEAR(result.record.impacts[0].energy_lost_J, 0.5 * 2 * (9 - 2.25), 1e-12);
  EXPECT_NEAR(result["pin.gap_lower"].back() + result["pin.gap_upper"].back(), 1.5, 1e-12);
}

// A rod that turns at w about its end without gravity pulls at its pin with m w^2 r, whatever describes the pin.
TEST_P(TreeOrConstraint, PinOfASpinningRodCarriesItsCentripetalForce) {
  MechanismSpec spec;
  spec.bodies = {body("body", 2, 0.1)};
  spec.bodies[0].initial.angular_velocity[2] = 10;
  spec.joints = {joint("revolute", GetParam())};
  spec.joints[0].at_child_m = Vec3(-0.5, 0, 0);
  const Outcome result = run(spec, {}, moreau(1e-4, 0.1));
  const double force = std::hypot(result["pin.force_x"].back(), result["pin.force_y"].back());
  EXPECT_NEAR(force, 2 * 100 * 0.5, 0.2) << "first order: the rod slows down by the projection's rounding of the arc";
}

// theta = 2 t^2 needs J 4 rad/s^2 all the time, and puts in what the rotor has in the end.
TEST(Driver, TorqueAndWorkOfAnAcceleratedRotor) {
  MechanismSpec spec;
  spec.bodies = {body("body", 1, 0.5)};
  spec.joints = {joint("revolute", false)};
  DriverSpec driver;
  driver.name = "motor";
  driver.joint = "pin";
  SymbolScope scope;
  scope.lookup = [](std::string_view name) -> std::optional<Symbol> {
    if (name != "t") return std::nullopt;
    return Symbol{Symbol::Kind::kVariable, {}, Expression::kTimeVariable, dimensions::kTime};
  };
  scope.known_names = [] { return std::vector<std::string>{"t"}; };
  driver.motion = Expression::parse("2 rad/s^2 * t^2", scope);
  spec.drivers = {driver};
  const Outcome result = run(spec, {}, moreau(1e-3, 1));
  EXPECT_NEAR(result["motor.torque"][500], 2, 1e-9);
  EXPECT_NEAR(result["energy.input"].back(), 0.5 * 0.5 * 16, 4e-3) << "first order";
  EXPECT_NEAR(result["energy.drift"].back(), 0, 4e-3);
}

TEST(Stops, HoldInSpaceToo) {
  MechanismSpec spec;
  spec.space = Space::kSpatial;
  spec.bodies = {body("body", 1, 0.5)};
  spec.joints = {joint("revolute", false)};
  spec.joints[0].initial_u = {4.0};
  spec.joints[0].stops = JointStopsSpec{std::nullopt, 1.0, 0.5};
  const auto mechanism = Mechanism::build(spec);
  const auto contacts = MechanismContacts::build(mechanism, spec, {});
  Simulation simulation(*mechanism, *contacts, moreau(1e-3, 0.5));
  MemorySink record;
  ASSERT_EQ(simulation.run(record, {}).status, RunStatus::kCompleted);
  EXPECT_NEAR(record.channel("pin.u").back(), -2, 1e-12);
  ASSERT_EQ(record.impacts.size(), 1u);
  EXPECT_NEAR(record.impacts[0].time_s, 0.25, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Roles, TreeOrConstraint, testing::Bool(),
                         [](const auto& role) { return role.param ? "Constraint" : "Tree"; });

// Two boxes of the same height on one line: their corners lie on each other's upper and lower edges while they collide.
// P = (1 + e) m/2 (v1 - v2) as for points; nothing turns, and nothing passes through anything.
TEST(PolygonPolygon, FlushBoxesCollideLikePoints) {
  for (const double offset : {0.0, 1e-15, 1e-3}) {
    MechanismSpec spec;
    spec.bodies = {body("a", 1, 0.04), body("b", 1, 0.04)};
    spec.bodies[0].initial.velocity_m_s[0] = 3;
    spec.bodies[1].initial.position_m = {0.75, offset, std::nullopt};
    ContactLawSpec law;
    law.impact = "newton";
    law.restitution = 0.5;
    const PolygonShape square{{{-0.25, -0.25, 0}, {0.25, -0.25, 0}, {0.25, 0.25, 0}, {-0.25, 0.25, 0}}};
    ContactModelSpec model;
    model.shapes = {{"a", "skin", "polygon", square}, {"b", "skin", "polygon", square}};
    model.contacts = {{"clash", "a", "skin", "b", "skin", law}};
    const Outcome result = run(spec, model, moreau(1e-3, 0.3));
    // The contact of shifted boxes is off centre by half of the shift.
    const double off_centre = 40 * offset;
    EXPECT_NEAR(result["a.vx"].back(), 0.75, 1e-12 + off_centre * off_centre) << offset;
    EXPECT_NEAR(result["b.vx"].back(), 2.25, 1e-12 + off_centre * off_centre) << offset;
    EXPECT_NEAR(result["a.omega"].back(), 0, 1e-12 + off_centre) << offset;
    EXPECT_LE(result.summary.max_penetration_m, 3e-3 + 1e-12);
  }
}

// ---- options -------------------------------------------------------------------------------------------------------

struct BallOnFloor {
  MechanismSpec spec;
  ContactModelSpec model;
};

BallOnFloor ball_on_floor(double height, double restitution) {
  BallOnFloor ball;
  ball.spec.gravity_m_s2 = Vec3(0, -10, 0);
  ball.spec.bodies = {body("ball", 1, 1)};
  ball.spec.bodies[0].initial.position_m[1] = height;
  ContactLawSpec law;
  law.impact = "newton";
  law.restitution = restitution;
  ball.model.shapes = {{"ball", "skin", "point", PointShape{}},
                       {"ground", "floor", "line", LineShape{Vec3::Zero(), Vec3::UnitY()}}};
  ball.model.contacts = {{"bounce", "ball", "skin", "ground", "floor", law}};
  return ball;
}

TEST(Anticipated, BallComesToRestOnTheFloorWithoutPenetration) {
  const BallOnFloor ball = ball_on_floor(0.5, 0.5);
  SimulationOptions options = moreau(1e-3, 2);
  options.activation = ActivationRule::kAnticipated;
  options.impact_threshold_m_s = 0.05;  // above g dt: what gravity adds in a step is no impact
  const Outcome result = run(ball.spec, ball.model, options);
  EXPECT_LE(result.summary.max_penetration_m, 0.5 * 10 * 1e-6) << "at most g dt^2/2, from the last step of the flight";
  EXPECT_NEAR(result["bounce.gap"].back(), 0, 1e-15);
  EXPECT_NEAR(result["ball.vy"].back(), 0, 1e-14);
  EXPECT_NEAR(result["bounce.normal_force"].back(), 10, 1e-9) << "the floor carries the weight";
}

// A mass that a constraint ties to the ball moves with it: the wall is not entered from behind.
TEST(Anticipated, HoldsForBodiesThatAreTiedTogether) {
  BallOnFloor ball = ball_on_floor(0.5, 0);
  ball.spec.bodies.push_back(body("load", 3, 1));
  ball.spec.bodies[1].initial.position_m = {1.0, 0.5, std::nullopt};
  JointSpec tie;
  tie.name = "tie";
  tie.type = "fixed";
  tie.parent = "ball";
  tie.child = "load";
  tie.at_parent_m = Vec3(1, 0, 0);
  tie.as_constraint = true;
  ball.spec.joints = {tie};
  ball.spec.bodies[0].inertia_kg_m2 *= 1e3;
  SimulationOptions options = moreau(1e-3, 0.5);
  options.activation = ActivationRule::kAnticipated;
  const Outcome result = run(ball.spec, ball.model, options);
  EXPECT_LE(result.summary.max_penetration_m, 0.5 * 10 * 1e-6);
}

TEST(Projection, BoundsThePenetration) {
  const BallOnFloor ball = ball_on_floor(0.5, 0.5);
  SimulationOptions options = moreau(1e-3, 1);
  const Outcome free = run(ball.spec, ball.model, options);
  options.projection_m = 1e-6;
  const Outcome projected = run(ball.spec, ball.model, options);
  EXPECT_GT(free.summary.max_penetration_m, 1e-5);
  EXPECT_LE(projected.summary.max_penetration_m, 1e-6 + 1e-12);
  options.projection_m = 0;
  EXPECT_LE(run(ball.spec, ball.model, options).summary.max_penetration_m, 1e-12);
}

// A freely spinning box about its middle axis: the explicit gyroscopic term gains energy, the implicit one keeps it,
// because (u_A + u_E)/2 . (w x J w) = 0 there.
TEST(VelocityForces, ImplicitKeepsTheEnergyOfASpinningBody) {
  MechanismSpec spec;
  spec.space = Space::kSpatial;
  spec.bodies = {body("box", 1, 1)};
  spec.bodies[0].inertia_kg_m2 = Vec3(1, 2, 3).asDiagonal();
  spec.bodies[0].initial.angular_velocity = {0.1, 30.0, 0.1};
  SimulationOptions options = moreau(1e-3, 2);
  const auto gain = [&](VelocityForces choice) {
    options.velocity_forces = choice;
    const Outcome result = run(spec, {}, options);
    return result["energy.total"].back() / result["energy.total"].front() - 1;
  };
  const double explicit_gain = gain(VelocityForces::kStart);
  EXPECT_GT(explicit_gain, 1e-2);
  EXPECT_NEAR(gain(VelocityForces::kImplicit), 0, 1e-11);
  EXPECT_LT(std::abs(gain(VelocityForces::kMidpoint)), 0.05 * explicit_gain);
}

TEST(VelocityForces, ImplicitDampingAgreesWithTheClosedForm) {
  // m dv/dt = -c v by the midpoint rule: v_k = v_0 ((1 - c dt/2m) / (1 + c dt/2m))^k, with a spring of no stiffness.
  MechanismSpec spec;
  spec.bodies = {body("body", 2, 1)};
  spec.bodies[0].initial.velocity_m_s[0] = 3;
  spec.joints = {joint("prismatic", false)};
  SpringSpec damper;
  damper.name = "damper";
  damper.parent = "ground";
  damper.child = "body";
  damper.at_parent_m = Vec3(-5, 0, 0);
  damper.damping_Ns_m = 40;
  damper.free_length_m = 0;
  spec.springs = {damper};
  SimulationOptions options = moreau(0.05, 0.5);
  options.velocity_forces = VelocityForces::kImplicit;
  const Outcome result = run(spec, {}, options);
  const double ratio = (1 - 40 * 0.05 / 4) / (1 + 40 * 0.05 / 4);
  EXPECT_NEAR(result["body.vx"].back(), 3 * std::pow(ratio, 10), 1e-11);
  EXPECT_NEAR(result["energy.damping_loss"].back() + result["energy.kinetic"].back(), 9, 1e-11) << "the ledger closes";
}

}  // namespace
}  // namespace freeplay::test
