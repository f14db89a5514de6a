// Sampled controllers, against the maps from sample to sample that they are.
#include <cmath>
#include <cstring>

#include "control/control_models.h"

namespace freeplay::test {
namespace {

constexpr double kPeriod = 10e-3;

// The rows nearest to the samples: steps end there.
std::vector<double> at_samples(const ModelRun& run, const std::string& channel, int count) {
  std::vector<double> values;
  std::size_t row = 0;
  for (int k = 0; k < count; ++k) {
    while (row < run.rows() && run.time()[row] < k * kPeriod - 1e-9) ++row;
    if (row == run.rows() || std::abs(run.time()[row] - k * kPeriod) > 1e-9) {
      ADD_FAILURE() << "no step ends at sample " << k;
      return values;
    }
    values.push_back(run[channel][row]);
  }
  return values;
}

double tolerance_of(const IntegratorCase& integrator) {
  // Constant torques between samples: all others have them without error. CVODE begins anew at each sample.
  return integrator.name.starts_with("cvode") ? 2e-7 : 1e-11;
}

// J domega/dt = p (w - omega_k) in between: omega_{k+1} = omega_k + p T / J (w - omega_k). The fixed step does not
// divide the time between two samples.
TEST(SampledController, PControlOfAnIntegratorIsItsDiscreteMap) {
  const double gain = 3 * kPeriod / kRotorInertia;
  for (const IntegratorCase& each : every_integrator(0.7e-3)) {
    const ModelRun run = run_rotor("pid: {target: 5 rad/s, of: a.omega, p: 3 N m s}, sample: 10 ms",
                                   each.simulate + ", duration: 0.3 s");
    double omega = 0;
    for (const double value : at_samples(run, "a.omega", 29)) {
      EXPECT_NEAR(value, omega, tolerance_of(each)) << each.name;
      omega += gain * (5 - omega);
    }
  }
}

// Steps that end close to a sample, but not at it, take none away: 16.6666667 ms is 3 ns away from a multiple of the
// step.
TEST(SampledController, NoSampleIsLostWhereAStepEndsNearby) {
  for (const char* simulate : {"integrator: moreau-midpoint, step: 10 us", "integrator: dopri5, step: 10 us"}) {
    const ModelRun run =
        run_rotor("torque: '1 N m*(1 + t/(1 s))', sample: 16.6666667 ms", std::string(simulate) + ", duration: 0.25 s");
    const std::vector<double>& torque = run["m.torque"];
    int changes = 0;
    for (std::size_t i = 1; i < torque.size(); ++i) changes += torque[i] != torque[i - 1];
    EXPECT_EQ(changes, 14) << simulate;  // at k T, k = 1 .. 14
  }
}

// Late by d = n T + r, the torque of [k T, k T + r) is that of sample k - n - 1, then that of k - n.
TEST(SampledController, ADelayIsItsDiscreteMap) {
  struct Delay {
    const char* text;
    int whole;
    double part;
  };
  for (const Delay& delay : {Delay{"10 ms", 1, 0}, Delay{"4 ms", 0, 0.4}, Delay{"25 ms", 2, 0.5}}) {
    for (const IntegratorCase& each : every_integrator(0.7e-3)) {
      const ModelRun run =
          run_rotor(fmt::format("torque: '1 N m s*(5 rad/s - a.omega)', sample: 10 ms, delay: {}", delay.text),
                    each.simulate + ", duration: 0.3 s");
      std::vector<double> omega = {0}, torque;
      const auto late = [&](int k) { return k < 0 ? 0.0 : torque[static_cast<std::size_t>(k)]; };
      for (int k = 0; k < 28; ++k) {
        torque.push_back(5 - omega.back());
        const double mean = delay.part * late(k - delay.whole - 1) + (1 - delay.part) * late(k - delay.whole);
        omega.push_back(omega.back() + kPeriod / kRotorInertia * mean);
      }
      const std::vector<double> found = at_samples(run, "a.omega", 29);
      ASSERT_EQ(found.size(), omega.size());
      for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k], omega[k], tolerance_of(each)) << each.name << ", " << delay.text << ", " << k;
    }
  }
}

// The discrete pid with its limit and its anti-windup, and the exact motion under a constant torque in between.
TEST(SampledController, PidIsItsDiscreteMap) {
  const double p = 4, i = 5, d = 0.6, limit = 1, windup = std::sqrt(d / i), J = kRotorInertia;
  for (const IntegratorCase& each : every_integrator(1e-3)) {
    if (each.name == "nlp-variable-step") continue;  // its positions are of first order
    const ModelRun run =
        run_rotor("pid: {target: 1 rad, p: 4 N m, i: 5 N m/s, d: 0.6 N m s}, torque_limit: 1 N m, sample: 10 ms",
                  each.simulate + ", duration: 1 s");
    double q = 0, u = 0, I = 0;
    const std::vector<double> found = at_samples(run, "a.angle", 99);
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k], q, 10 * tolerance_of(each)) << each.name << ", " << k;
      const double v = p * (1 - q) + i * I - d * u, F = std::clamp(v, -limit, limit);
      I += kPeriod * ((1 - q) - (v - F) / (i * windup));
      q += kPeriod * (u + 0.5 * kPeriod * F / J);
      u += kPeriod * F / J;
    }
  }
}

// A run that goes on has the bits of one that was not interrupted: held and waiting values and integrals are state.
TEST(SampledController, ARunThatGoesOnGivesTheSameBits) {
  const char* const drivers[] = {
      "pid: {target: 1 rad, p: 4 N m, i: 5 N m/s, d: 0.6 N m s}, torque_limit: 1 N m, sample: 10 ms, delay: 25 ms",
      "pid: {target: 1 rad, p: 4 N m, i: 5 N m/s, d: 0.6 N m s}, torque_limit: 1 N m",
      "torque: '1 N m*step(t - 0.1 s) - 2 N m*step(t - 0.2 s)'"};
  for (const char* driver : drivers) {
    for (const IntegratorCase& each : every_integrator(0.7e-3)) {
      const ModelFile file = parse_model(rotor_text(driver, each.simulate + ", duration: 0.3 s", "-0.5 N m"), "rotor");
      const Model model = build_model(file);
      std::optional<Checkpoint> saved;
      MemorySink whole, part;
      const auto first = build_simulation(file, model), second = build_simulation(file, model);
      first->observe_checkpoints(37, [&](const Checkpoint& checkpoint) {
        if (!saved) saved = checkpoint;
      });
      first->run(whole, {});
      if (!saved) continue;  // fewer steps than that
      second->observe_checkpoints(37, [](const Checkpoint&) {});
      second->resume(*saved, part, {});
      ASSERT_LE(part.time.size(), whole.time.size());
      const std::size_t before = whole.time.size() - part.time.size();
      for (std::size_t c = 0; c < whole.columns.size(); ++c) {
        EXPECT_EQ(
            0, std::memcmp(whole.columns[c].data() + before, part.columns[c].data(), part.time.size() * sizeof(double)))
            << each.name << ", " << driver << ", " << whole.layout.channels[c].name;
      }
    }
  }
}

}  // namespace
}  // namespace freeplay::test
