// The chain of 63 links in its steady state: tensions, creep and slip. Tables of an independent implementation
// (semi-implicit Euler with a look ahead at the gaps, Jacobi sweeps), good to 1 %, and closed forms.
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::roller_chain_steady_test {
namespace {

constexpr double kRadius = 0.05, kPitch = 0.01, kStiffness = 2e7, kFriction = 0.4, kSpeed = 100;
constexpr double kCentrifugal = 0.012 / kPitch * 25;  // Tc = (m/p) v^2, v = 5 m/s

struct Steady {
  double tight = 0, slack = 0, torque = 0, driven_speed = 0;
  RunSummary summary{};
  double ratio() const { return (tight - kCentrifugal) / (slack - kCentrifugal); }
};

// The means that the example measures itself, over 0.252 s.
Steady steady(const Overrides& overrides) {
  const ModelFile file = load_example("roller_chain", overrides);
  const Model model = build_model(file);
  MemorySink rows;
  Steady found;
  found.summary = build_simulation(file, model)->run(rows, {});
  EXPECT_EQ(found.summary.status, RunStatus::kCompleted) << found.summary.message;
  EXPECT_TRUE(found.summary.warnings.empty());
  EXPECT_LE(largest(rows.channel("step.residual")), 1e-9);
  const auto measured = [&](const char* name) {
    for (const MeasuredValue& measure : found.summary.measures) {
      if (measure.name == name) return measure.value;
    }
    return std::nan("");
  };
  found.tight = measured("tight_tension");
  found.slack = measured("slack_tension");
  found.torque = measured("driver_torque");
  found.driven_speed = measured("driven_speed");
  return found;
}

void expect_within_one_percent(const Steady& found, double tight, double slack, double torque, double speed) {
  EXPECT_NEAR(found.tight, tight, 0.01 * tight);
  EXPECT_NEAR(found.slack, slack, 0.01 * slack);
  EXPECT_NEAR(found.torque, torque, std::max(0.01 * torque, 0.05));
  EXPECT_NEAR(found.driven_speed, speed, 1e-4 * speed);
}

// What goes in is lost or stored: 1 mJ is left of 5 to 150 J.
void expect_closed_account(const Steady& found) {
  EXPECT_LT(found.summary.max_energy_drift_J, 2e-3);
}

// A pin pulls at the radius of a polygon:  (T1 - T2) R sin(psi/2)/(psi/2) = M_L,  psi = p/R along the arc. Creep is the
// stretch that a link loses on the driver:  1 - Omega_1/Omega_0 = (T1 - T2)/(k p).
void expect_closed_forms(const Steady& found, double load) {
  const double half = std::asin(kPitch / (2 * kRadius)), difference = found.tight - found.slack;
  EXPECT_NEAR(difference * kRadius * std::sin(half) / half, load, 0.01 * load);
  const double creep = 1 - found.driven_speed / kSpeed;
  EXPECT_NEAR(creep, difference / (kStiffness * kPitch), 0.04 * creep);
}

TEST(RollerChainSteady, WithoutALoadBothStrandsAreEqual) {
  const Steady found = steady({"torque=0"});
  expect_within_one_percent(found, 1027.6, 1026.5, 0.11, 100.000);
  expect_closed_account(found);
}

TEST(RollerChainSteady, ALoadMakesTensionsDifferAndTheDrivenPulleyCreep) {
  const Steady light = steady({"torque=20"});
  expect_within_one_percent(light, 1244.9, 843.0, 20.09, 99.793);
  expect_closed_forms(light, 20);
  expect_closed_account(light);
  const Steady heavy = steady({"torque=40"});
  expect_within_one_percent(heavy, 1457.3, 654.9, 40.05, 99.603);
  expect_closed_forms(heavy, 40);
  expect_closed_account(heavy);
}

// A load that turns its pulley on: pulleys and strands have changed their parts. What the tensions lose on the braking
// motor is what they gain under a load, at a speed that is higher by the creep.
TEST(RollerChainSteady, ALoadThatDrivesExchangesTheStrands) {
  const Steady found = steady({"torque=-20"});
  EXPECT_NEAR(found.tight, 843.0, 0.01 * 843.0);
  EXPECT_NEAR(found.slack, 1244.9, 0.01 * 1244.9);
  EXPECT_NEAR(found.torque, -20, 0.01 * 20);
  EXPECT_NEAR(found.driven_speed, kSpeed * kSpeed / 99.793, 1e-4 * kSpeed);
}

// By steps twice as long, with the stiff pins taken implicitly.
TEST(RollerChainSteady, MoreauJeanHasTheSameTable) {
  const Steady found = steady({"torque=20", "simulate.integrator=moreau-jean", "simulate.step=10 us"});
  expect_within_one_percent(found, 1244.9, 843.0, 20.09, 99.793);
  expect_closed_forms(found, 20);
  expect_closed_account(found);
}

// On half a turn the tensions, less that of the flight around the pulley, differ by the factor exp(mu pi) at most; of
// pins that lie psi apart by ((1 + mu tan(psi/2))/(1 - mu tan(psi/2)))^(pi/psi).
TEST(RollerChainSteady, GrossSlipIsAtTheCapstanLimitOfDiscretePins) {
  const Steady found = steady({"driven_speed=95"});
  expect_within_one_percent(found, 1715.9, 507.3, 60.36, 95);
  const double psi = 2 * std::asin(kPitch / (2 * kRadius)), grip = kFriction * std::tan(psi / 2);
  EXPECT_NEAR(found.ratio(), std::pow((1 + grip) / (1 - grip), std::numbers::pi / psi), 0.003 * found.ratio());
  expect_closed_account(found);
}

}  // namespace
}  // namespace freeplay::test::roller_chain_steady_test
