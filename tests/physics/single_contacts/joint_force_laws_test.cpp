// Stops with a force law, and dry friction of joints, in smooth integrators.
#include <cmath>
#include <numbers>

#include "physics/single_contacts/analytic_benchmarks.h"

namespace freeplay::test::joint_force_laws_test {
namespace {

// A linear stop with Kelvin's and Voigt's damping, made for e where it may pull: zeta = -ln e / hypot(pi, ln e). It may
// not, and lets go where its force ends, at  e' = exp(-zeta/s atan2(2 zeta s, 2 zeta^2 - 1)),  s = sqrt(1 - zeta^2).
TEST(CompliantStop, GivesBackWhatADampedSpringDoesThatCannotPull) {
  const double log_e = std::log(0.6), zeta = -log_e / std::hypot(std::numbers::pi, log_e),
               s = std::sqrt(1 - zeta * zeta);
  const double e = std::exp(-zeta / s * std::atan2(2 * zeta * s, 2 * zeta * zeta - 1));
  for (const std::string integrator : {"dopri5", "cvode-adams", "cvode-bdf"}) {
    const ModelRun run =
        run_test_model("compliant_stop", {"simulate.integrator=" + integrator, "simulate.tolerance=1e-8"});
    EXPECT_NEAR(run["guide.u"].back(), e * 1.5, 2e-5) << integrator;
    EXPECT_NEAR(run["pin.u"].back(), -e * 2, 2e-5) << integrator;
    const double energy_J = 0.5 * 2 * 1.5 * 1.5 + 0.5 * 0.05 * 4;
    EXPECT_NEAR(run["energy.impact_loss"].back(), (1 - e * e) * energy_J, 5e-5) << integrator;
    EXPECT_LT(largest(run["energy.drift"]), 1e-5) << integrator;
  }
}

// Without damping, half a swing:  v cos(omega t) from the contact on, and depth v/omega at most.
TEST(CompliantStop, ElasticStopIsHalfASwing) {
  const ModelRun run = run_test_model("compliant_stop", {"restitution=1", "simulate.max_step=10 us"});
  const double omega = std::sqrt(1e6 / 2), begin = 0.03 / 1.5;
  double deepest = 0;
  Worst speed;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    deepest = std::min(deepest, run["guide.gap_lower"][i]);
    const double t = run.time()[i] - begin;
    if (t > 0 && t < std::numbers::pi / omega) speed(run["guide.u"][i] + 1.5 * std::cos(omega * t));
  }
  EXPECT_NEAR(deepest, -1.5 / omega, 1e-8);
  EXPECT_LT(speed.value, 1e-6);
}

// The laws of contacts, with the exponent of Hertz: this one gives back the restitution that it is told.
TEST(CompliantStop, TakesTheLawsOfContacts) {
  const ModelRun run = run_test_model("compliant_stop", {"law=exact-restitution", "exponent=1.5", "stiffness=1e8"});
  EXPECT_NEAR(run["guide.u"].back(), 0.6 * 1.5, 1e-5);
  EXPECT_NEAR(run["pin.u"].back(), -0.6 * 2, 1e-5);
}

TEST(RegularisedJointFriction, SlowsLikeCoulombAndCreepsUnderALoadThatWouldStick) {
  for (const std::string integrator : {"dopri5", "cvode-adams", "cvode-bdf"}) {
    const ModelRun run = run_test_model("joint_creep", {"simulate.integrator=" + integrator});
    // 4 N on 2 kg take 2 m/s^2: at rest after half a second, up to the ramp.
    Worst sliding;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      if (run.time()[i] < 0.49) sliding(run["guide.u"][i] - (1 - 2 * run.time()[i]));
    }
    EXPECT_LT(sliding.value, 1e-6) << integrator;
    EXPECT_LT(std::abs(run["guide.u"].back()), 1e-6) << integrator;
    EXPECT_NEAR(run["energy.friction_loss"].back(), 1, 1e-6) << integrator;
    // A quarter of the bound: a quarter of friction_velocity.
    const ModelRun pushed =
        run_test_model("joint_creep", {"simulate.integrator=" + integrator, "push=1 N", "speed=0 m/s"});
    EXPECT_NEAR(pushed["guide.u"].back(), 0.5e-3, 1e-7) << integrator;
  }
}

}  // namespace
}  // namespace freeplay::test::joint_force_laws_test
