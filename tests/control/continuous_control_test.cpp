// Controllers that act at every instant, against closed forms of linear systems.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "control/control_models.h"

namespace freeplay::test {
namespace {

constexpr double kOfSmooth = 2e-7;  // largest error of a method with error control, at its default tolerance

double largest_error(const ModelRun& run, const std::string& channel, const std::function<double(double)>& expected) {
  Worst worst;
  for (std::size_t i = 0; i < run.rows(); ++i) worst(run[channel][i] - expected(run.time()[i]));
  return worst.value;
}

// J q'' = p (1 - q) - d q' from rest: q = 1 - exp(-s t) (cos w t + s/w sin w t), s = d / 2J, w^2 = p/J - s^2.
double step_response(double t) {
  const double s = 0.4 / (2 * kRotorInertia), w = std::sqrt(4 / kRotorInertia - s * s);
  return 1 - std::exp(-s * t) * (std::cos(w * t) + s / w * std::sin(w * t));
}

const char* const kPd = "pid: {target: 1 rad, p: 4 N m, d: 0.4 N m s}";

TEST(Controller, PdOnARotorIsADampedOscillator) {
  for (const IntegratorCase& each : every_integrator(1e-3)) {
    const ModelRun run = run_rotor(kPd, each.simulate + ", duration: 3 s");
    const bool is_smooth = each.simulate.find("step") == std::string::npos;
    EXPECT_LT(largest_error(run, "a.angle", step_response), is_smooth ? kOfSmooth : 5e-3) << each.name;
    EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  }
}

// The same law as an expression: the same bits, since both are forces of the velocity and the position.
TEST(Controller, PdIsTheExpressionOfItsLaw) {
  const std::string simulate = "integrator: dopri5, duration: 1 s";
  const ModelRun pid = run_rotor(kPd, simulate);
  const ModelRun expression = run_rotor("torque: '4 N m*(1 - j.q) - 0.4 N m s*j.u'", simulate);
  EXPECT_LT(largest_difference(pid["a.angle"], expression["a.angle"]), 1e-13);
}

double error_of(const std::string& driver, const std::string& integrator, double step_s,
                const std::function<double(double)>& expected) {
  const ModelRun run =
      run_rotor(driver, fmt::format("integrator: {}, step: {} s, duration: 1 s", integrator, step_s), "-0.5 N m");
  return largest_error(run, "a.angle", expected);
}

// J q'' = p (1 - q) + i I - d q' - load, I' = 1 - q, as x' = A x + b with x = (q, q', I), by its own Taylor series.
double pid_response(double t) {
  const double J = kRotorInertia;
  Mat3 A;
  A << 0, 1, 0, -4 / J, -0.6 / J, 5 / J, -1, 0, 0;
  const Vec3 b(0, (4 - 0.5) / J, 1);
  const int pieces = std::max(1, static_cast<int>(std::ceil(t / 0.01)));
  const double h = t / pieces;
  Vec3 x = Vec3::Zero();
  for (int k = 0; k < pieces; ++k) {
    Vec3 term = h * (A * x + b);
    for (int n = 2; n < 20; ++n) {
      x += term;
      term = h / n * (A * term);
    }
  }
  return x[0];
}

const char* const kPid = "pid: {target: 1 rad, p: 4 N m, i: 5 N m/s, d: 0.6 N m s}";

// The integral is a part of the state that every rule integrates: each keeps its order.
TEST(Controller, PidFollowsItsLinearSystemWithTheOrderOfTheIntegrator) {
  for (const char* integrator : {"dopri5", "cvode-bdf", "cvode-adams", "event-driven"}) {
    const ModelRun run = run_rotor(kPid, fmt::format("integrator: {}, duration: 1 s", integrator), "-0.5 N m");
    EXPECT_LT(largest_error(run, "a.angle", pid_response), kOfSmooth) << integrator;
  }
  const std::map<std::string, double> orders = {{"moreau-midpoint", 1}, {"moreau-jean", 2}};
  for (const auto& [integrator, order] : orders) {
    const double coarse = error_of(kPid, integrator, 2e-3, pid_response);
    const double fine = error_of(kPid, integrator, 1e-3, pid_response);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << integrator;
  }
}

// P alone rests where p e = load; I takes the rest away, and is then load / i.
TEST(Controller, TheIntegralRemovesTheSteadyError) {
  const std::string simulate = "integrator: dopri5, duration: 12 s";
  const ModelRun pd = run_rotor("pid: {target: 1 rad, p: 4 N m, d: 0.6 N m s}", simulate, "-0.5 N m");
  EXPECT_NEAR(pd["a.angle"].back(), 1 - 0.5 / 4, 1e-8);
  const ModelRun pid = run_rotor(kPid, simulate, "-0.5 N m");
  EXPECT_NEAR(pid["a.angle"].back(), 1, 1e-7);
  EXPECT_NEAR(pid["m.integral"].back(), 0.5 / 5, 1e-7);
  EXPECT_NEAR(pid["m.torque"].back(), 0.5, 1e-6);
}

// The integral has no energy: what the motor and the load put in is the kinetic energy of the rotor.
TEST(Controller, TheIntegralIsNotInTheEnergies) {
  const ModelRun run = run_rotor(kPid, "integrator: dopri5, duration: 1 s", "-0.5 N m");
  Worst worst;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double omega = run["a.omega"][i];
    worst(run["energy.kinetic"][i] - 0.5 * kRotorInertia * omega * omega);
    worst(run["energy.drift"][i]);
  }
  EXPECT_LT(worst.value, 1e-8);
  EXPECT_EQ(run.mechanism().degrees_of_freedom(), 1);
}

// A far target: the torque is the limit, and the rotor turns by limit t^2 / 2J.
TEST(Controller, ALimitedTorqueIsAConstantRamp) {
  for (const char* driver : {"torque: '100 N m*(1000 - j.q)', torque_limit: 2 N m",
                             "pid: {target: 1000 rad, p: 100 N m, i: 10 N m/s}, torque_limit: 2 N m"}) {
    for (const IntegratorCase& each : every_integrator(1e-3)) {
      const ModelRun run = run_rotor(driver, each.simulate + ", duration: 1 s");
      const auto expected = [](double t) { return 2 / kRotorInertia * t; };
      EXPECT_LT(largest_error(run, "a.omega", expected), 1e-7) << each.name << ": " << driver;
      EXPECT_NEAR(run["m.torque"].back(), 2, 1e-12);
    }
  }
}

// While the limit holds, the integral comes to rest where v - F = i T e: the effort leaves the limit early. Without
// that it has grown all the way, and the rotor overshoots far more.
TEST(Controller, AntiWindupLessensTheOvershoot) {
  const auto overshoot = [](const std::string& word) {
    const ModelRun run = run_rotor(
        fmt::format("pid: {{target: 2 rad, p: 4 N m, i: 1 N m/s, d: 1.5 N m s{}}}, torque_limit: 0.5 N m", word),
        "integrator: dopri5, duration: 60 s");
    EXPECT_NEAR(run["a.angle"].back(), 2, 1e-5) << word;
    return *std::max_element(run["a.angle"].begin(), run["a.angle"].end()) - 2;
  };
  const double led_back = overshoot(""), grown = overshoot(", anti_windup: none");
  EXPECT_LT(led_back, 1e-3);
  EXPECT_GT(grown, 0.2);
}

// A motion with a limit is a clutch: it slips with the limit until the rotor is as fast, then it holds.
TEST(SlippingMotion, AcceleratesByItsLimitUntilItHolds) {
  const auto omega = [](double t) { return std::min(20 * t, 10.0); };
  for (const IntegratorCase& each : every_integrator(1e-3)) {
    if (each.simulate.find("dopri5") != std::string::npos || each.simulate.find("cvode") != std::string::npos) continue;
    const ModelRun run = run_rotor("motion: '10 rad/s*t', torque_limit: 2 N m", each.simulate + ", duration: 1 s");
    EXPECT_LT(largest_error(run, "a.omega", omega), 1e-9) << each.name;
    EXPECT_LT(std::abs(run["energy.drift"].back()), 1e-9) << each.name;
    // Half of what the clutch gets while it slips is lost: 1/2 J omega^2.
    EXPECT_NEAR(run["energy.friction_loss"].back(), 5, 1e-6) << each.name;
  }
}

TEST(SlippingMotion, LetsGoOfALoadThatItCannotHold) {
  for (const char* simulate : {"integrator: moreau-midpoint, step: 1 ms", "integrator: event-driven"}) {
    const std::string all = std::string(simulate) + ", duration: 1 s";
    const ModelRun held = run_rotor("motion: '0 rad', torque_limit: 2 N m", all, "-1.9 N m");
    EXPECT_LT(largest(held["a.angle"]), 1e-12);
    EXPECT_NEAR(held["m.tangential_force"].back(), 1.9, 1e-9);
    const ModelRun slipping = run_rotor("motion: '0 rad', torque_limit: 2 N m", all, "-3 N m");
    EXPECT_NEAR(slipping["a.omega"].back(), -1 / kRotorInertia, 1e-9);
  }
}

// Without reaching its limit it follows a motion as a row does, but for the positions: a step has the rate of its
// middle.
TEST(SlippingMotion, FollowsASmoothMotionWithOrderOne) {
  for (const char* integrator : {"moreau-midpoint", "moreau-jean"}) {
    const auto error = [&](double step_s) {
      const ModelRun run = run_rotor("motion: '0.2 rad*(1 - cos(5/s*t))', torque_limit: 50 N m",
                                     fmt::format("integrator: {}, step: {} s, duration: 1 s", integrator, step_s));
      return largest_error(run, "a.angle", [](double t) { return 0.2 * (1 - std::cos(5 * t)); });
    };
    const double coarse = error(2e-3), fine = error(1e-3);
    EXPECT_LT(fine, 0.6e-3) << "half a step at 1 rad/s";
    EXPECT_NEAR(std::log2(coarse / fine), 1, 0.05);
  }
}

}  // namespace
}  // namespace freeplay::test
