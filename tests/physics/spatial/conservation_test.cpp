// Free flight: momentum, angular momentum and energy of bodies that nothing outside acts on.
#include <cmath>

#include "physics/model_run.h"

namespace freeplay::test {
namespace {

// A triaxial body, thrown spinning about its middle axis: it tumbles over and over.
constexpr const char* kTumbler = R"(
freeplay: 1
space: spatial
bodies:
  brick:
    mass: 2 kg
    inertia: [0.02 kg m^2, 0.03 kg m^2, 0.04 kg m^2]
    initial: {x: 1 m, vx: 0.3 m/s, vy: -0.2 m/s, vz: 0.1 m/s, omega_x: 0.1 rad/s, omega_y: 5 rad/s, omega_z: 0.2 rad/s}
simulate: {tolerance: 1e-11, step: 2 ms, duration: 30 s}
)";

TEST(FreeBody, KeepsMomentumAngularMomentumAndEnergy) {
  const ModelRun run = run_model(parse_model(kTumbler, "tumbler"));
  const Mat3 J = Vec3(0.02, 0.03, 0.04).asDiagonal();
  const auto angular_momentum = [&](std::size_t i) {
    return Vec3(run.rotation("brick", i) * J * run.vector("brick.omega", i));
  };
  Worst velocity, position, momentum;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run.time()[i];
    velocity((run.vector("brick.v", i, "") - Vec3(0.3, -0.2, 0.1)).norm());
    position((run.vector("brick.", i, "") - Vec3(1 + 0.3 * t, -0.2 * t, 0.1 * t)).norm());
    momentum((angular_momentum(i) - angular_momentum(0)).norm());
  }
  EXPECT_LT(velocity.value, 1e-12);
  EXPECT_LT(position.value, 1e-11);
  EXPECT_LT(momentum.value, 1e-9 * angular_momentum(0).norm());
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-9 * run.summary.energy_initial_J);
}

// Landau, Lifshitz, Mechanics, section 37, for I1 < I2 < I3 and L^2 > 2 E I2:
//   T = 4 K(k) sqrt(I1 I2 I3 / ((I3 - I2) (L^2 - 2 E I1))),  k^2 = (I2 - I1) (2 E I3 - L^2) / ((I3 - I2) (L^2 - 2 E
//   I1)).
TEST(FreeBody, TumblesWithThePeriodOfTheEllipticIntegral) {
  const ModelRun run = run_model(parse_model(kTumbler, "tumbler"));
  const double I1 = 0.02, I2 = 0.03, I3 = 0.04;
  const Vec3 w(0.1, 5, 0.2);
  const double E2 = I1 * w[0] * w[0] + I2 * w[1] * w[1] + I3 * w[2] * w[2];
  const double L2 = std::pow(I1 * w[0], 2) + std::pow(I2 * w[1], 2) + std::pow(I3 * w[2], 2);
  ASSERT_GT(L2, E2 * I2);
  const double k = std::sqrt((I2 - I1) * (E2 * I3 - L2) / ((I3 - I2) * (L2 - E2 * I1)));
  const double period = 4 * std::comp_ellint_1(k) * std::sqrt(I1 * I2 * I3 / ((I3 - I2) * (L2 - E2 * I1)));

  // Rates of omega_y by Euler's equation, for the crossings.
  std::vector<double> rate;
  for (std::size_t i = 0; i < run.rows(); ++i)
    rate.push_back((I3 - I1) / I2 * run["brick.omega_z"][i] * run["brick.omega_x"][i]);
  const std::vector<double> crossings = upward_crossings(run.time(), run["brick.omega_y"], rate);
  ASSERT_GE(crossings.size(), 3u);
  for (std::size_t i = 1; i < crossings.size(); ++i) EXPECT_NEAR((crossings[i] - crossings[i - 1]) / period, 1, 1e-8);
}

// Three bodies, a ball joint, a hinge and a spring between the ends, floating: inner forces only.
constexpr const char* kFloatingChain = R"(
freeplay: 1
space: spatial
bodies:
  a: {mass: 1 kg, inertia: [0.02 kg m^2, 0.03 kg m^2, 0.04 kg m^2],
      initial: {vx: 0.4 m/s, omega_x: 1 rad/s, omega_y: 2 rad/s, omega_z: -1 rad/s}}
  b: {mass: 2 kg, inertia: [0.05 kg m^2, 0.03 kg m^2, 0.04 kg m^2]}
  c: {mass: 0.5 kg, inertia: [[0.02 kg m^2, 0.004 kg m^2, 0], [0.004 kg m^2, 0.03 kg m^2, 0], [0, 0, 0.03 kg m^2]]}
joints:
  ball: {type: spherical, parent: a, at_parent: [0.3 m, 0, 0], child: b, at_child: [-0.2 m, 0.1 m, 0],
         initial: {u: [0.5 rad/s, -1 rad/s, 2 rad/s]}}
  hinge: {type: revolute, parent: b, at_parent: [0.2 m, 0, 0.1 m], axis: [1, 1, 0], child: c, at_child: [-0.3 m, 0, 0],
          initial: {q: 40 deg, u: -3 rad/s}}
forces:
  rubber: {type: spring, parent: a, at_parent: [0, 0.1 m, 0], child: c, at_child: [0.3 m, 0, 0],
           stiffness: 50 N/m, free_length: 0.5 m, damping: DAMPING}
simulate: {tolerance: 1e-11, step: 10 ms, duration: 10 s}
)";

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // angular about the origin
};

Momenta momenta(const ModelRun& run, std::size_t row) {
  Momenta sum;
  const Mechanism& mechanism = run.mechanism();
  for (std::size_t b = 1; b < mechanism.bodies.size(); ++b) {
    const Mechanism::Body& body = mechanism.bodies[b];
    const Vec3 p = body.mass_kg * run.vector(body.name + ".v", row, "");
    sum.linear += p;
    sum.angular += run.vector(body.name + ".", row, "").cross(p) +
                   run.rotation(body.name, row) * body.inertia_kg_m2 * run.vector(body.name + ".omega", row);
  }
  return sum;
}

ModelRun run_chain(const std::string& damping) {
  std::string text = kFloatingChain;
  text.replace(text.find("DAMPING"), 7, damping);
  return run_model(parse_model(text, "chain"));
}

void expect_conserved_momenta(const ModelRun& run) {
  const Momenta start = momenta(run, 0);
  ASSERT_GT(start.linear.norm(), 0.1);
  ASSERT_GT(start.angular.norm(), 0.1);
  Worst linear, angular;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    linear((momenta(run, i).linear - start.linear).norm());
    angular((momenta(run, i).angular - start.angular).norm());
  }
  EXPECT_LT(linear.value, 1e-8);  // a thousand times the tolerance of one step
  EXPECT_LT(angular.value, 1e-8);
}

TEST(FloatingChain, KeepsMomentaAndEnergy) {
  const ModelRun run = run_chain("0 N s/m");
  expect_conserved_momenta(run);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-9);
}

TEST(FloatingChain, InnerDampingTakesEnergyButNoMomentum) {
  const ModelRun run = run_chain("2 N s/m");
  expect_conserved_momenta(run);
  EXPECT_LT(run.summary.energy_final_J, 0.9 * run.summary.energy_initial_J);
  EXPECT_NEAR(run["energy.damping_loss"].back(), run.summary.energy_initial_J - run.summary.energy_final_J, 1e-9);
}

}  // namespace
}  // namespace freeplay::test
