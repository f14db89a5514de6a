// Two turns of the quick-return mechanism with play in four pins. The motion is chaotic (a difference grows tenfold in
// 21 ms), so that single curves mean nothing: 24 runs that start a little apart are compared with the means and
// standard deviations of three other implementations.
#include <algorithm>
#include <array>
#include <map>
#include <numbers>

#include "physics/csv_table.h"
#include "physics/model_run.h"

namespace freeplay::test {
namespace {

constexpr double kCrankSpeed = 3, kTurn_s = 2 * std::numbers::pi / kCrankSpeed;
constexpr int kMembers = 24;

struct SliderMotion {
  double x = 0, v = 0;
};
// With ideal joints, in closed form: crank pin, direction of the rocker, tip of the rocker, link.
SliderMotion ideal_slider(double t) {
  const double c = std::cos(kCrankSpeed * t), s = std::sin(kCrankSpeed * t);
  const double px = 0.1 * c, py = 0.2 + 0.1 * s, vx = -0.1 * kCrankSpeed * s, vy = 0.1 * kCrankSpeed * c;
  const double r2 = px * px + py * py, r = std::sqrt(r2), w = (px * vy - py * vx) / r2;
  const double tip_x = 0.5 * px / r, tip_y = 0.5 * py / r, tip_vx = -w * tip_y, tip_vy = w * tip_x;
  const double rise = 0.45 - tip_y, run = std::sqrt(0.12 * 0.12 - rise * rise);
  return {tip_x + run, tip_vx + rise * tip_vy / run};
}

// How far the slider can be from there, over a turn: 2.28 to 5.71 mm.
class Envelope {
 public:
  double at(double t) const {
    const std::vector<double>&times = table_.at("t"), &bounds = table_.at("x6_bound");
    const double in_turn = t - kTurn_s * std::floor(t / kTurn_s);
    std::size_t i = 1;
    while (i + 1 < times.size() && times[i] < in_turn) ++i;
    return std::max(bounds[i - 1], bounds[i]);
  }

 private:
  CsvTable table_ = read_csv("compliant/quick_return_ideal.csv");
};

struct Statistics {
  std::map<std::string, double> of_turn[2];
};

Statistics statistics_of(const ModelRun& run) {
  static const Envelope envelope;
  Statistics result;
  for (int turn = 0; turn < 2; ++turn) {
    std::map<std::string, double>& out = result.of_turn[turn];
    double x_square = 0, v_square = 0;
    std::size_t first = 0, last = 0;
    for (std::size_t i = 1; i < run.rows(); ++i) {
      const double middle = 0.5 * (run.time()[i] + run.time()[i - 1]), dt = run.time()[i] - run.time()[i - 1];
      if (middle < turn * kTurn_s || middle > (turn + 1) * kTurn_s) continue;
      if (first == 0) first = i;
      last = i;
      for (const char* joint : {"J1", "J2", "J3", "J4"}) {
        const std::string name = joint;
        const auto& mode = run[name + ".mode"];
        const auto& force = run[name + ".normal_force"];
        out[name + " contact"] += mode[i - 1] > 0 ? dt / kTurn_s : 0;
        out[name + " starts"] += mode[i] > 0 && mode[i - 1] == 0;
        out[name + " force"] += 0.5 * (force[i] + force[i - 1]) * dt / kTurn_s;
        out[name + " peak"] = std::max(out[name + " peak"], force[i]);
      }
      const SliderMotion ideal = ideal_slider(run.time()[i]);
      const double x = run["slider.x"][i] - ideal.x, v = run["slider.vx"][i] - ideal.v;
      x_square += x * x * dt / kTurn_s;
      v_square += v * v * dt / kTurn_s;
      out["x max"] = std::max(out["x max"], std::abs(x));
      out["x of envelope"] = std::max(out["x of envelope"], std::abs(x) / envelope.at(run.time()[i]));
      out["v max"] = std::max(out["v max"], std::abs(v));
    }
    out["x rms"] = std::sqrt(x_square);
    out["v rms"] = std::sqrt(v_square);
    out["dissipated"] = run["energy.impact_loss"][last] - run["energy.impact_loss"][first - 1];
    out["work"] = run["energy.input"][last] - run["energy.input"][first - 1];
  }
  return result;
}

struct Expected {
  const char* name;
  double mean[2], deviation[2];  // first and second turn
};
constexpr Expected kTable[] = {
    {"J1 contact", {0.857, 0.942}, {0.017, 0.013}},
    {"J2 contact", {0.873, 0.954}, {0.016, 0.012}},
    {"J3 contact", {0.58, 0.75}, {0.04, 0.05}},
    {"J4 contact", {0.57, 0.73}, {0.05, 0.05}},
    {"J1 starts", {139, 68}, {22, 17}},
    {"J2 starts", {127, 68}, {20, 18}},
    {"J3 starts", {240, 191}, {38, 34}},
    {"J4 starts", {263, 207}, {37, 42}},
    {"J1 force", {16.68, 16.55}, {0.10, 0.10}},
    {"J2 force", {19.58, 19.43}, {0.08, 0.08}},
    {"J3 force", {2.91, 2.85}, {0.09, 0.09}},
    {"J4 force", {2.68, 2.58}, {0.13, 0.11}},
    {"dissipated", {0.0716, 0.0600}, {0.0016, 0.0016}},
    {"work", {0.064, 0.060}, {0.005, 0.006}},
    {"x rms", {2.26e-3, 2.27e-3}, {0.04e-3, 0.04e-3}},
    {"x max", {5.13e-3, 5.11e-3}, {0.06e-3, 0.06e-3}},
    {"v rms", {0.042, 0.039}, {0.003, 0.004}},
    {"v max", {0.296, 0.295}, {0.014, 0.009}},
};

struct PeakRange {
  const char* name;
  double least_N, most_N;
};
constexpr PeakRange kPeaks[] = {
    {"J1 peak", 1.8e3, 5.5e3}, {"J2 peak", 2.2e3, 7e3}, {"J3 peak", 1.4e3, 4e3}, {"J4 peak", 1.2e3, 3.5e3}};

TEST(QuickReturnEnsemble, MeansAreThoseOfTheReference) {
  std::map<std::string, double> mean[2];
  for (int member = 0; member < kMembers; ++member) {
    // A micrometre more of the rocker moves the start by as much: enough to be another motion after a tenth of a
    // second.
    const ModelRun run = run_example(
        "quick_return", {fmt::format("rocker_length={:.9f} mm", 500 + 1e-3 * member)},
        {"J1.mode", "J2.mode", "J3.mode", "J4.mode", "J1.normal_force", "J2.normal_force", "J3.normal_force",
         "J4.normal_force", "slider.x", "slider.vx", "energy.impact_loss", "energy.input", "energy.drift"});
    ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
    EXPECT_LT(run.summary.max_energy_drift_J, 2e-5);
    EXPECT_LT(run.summary.largest_initial_penetration_m, 1e-12);
    EXPECT_GT(run.summary.max_penetration_m, 6e-6);
    EXPECT_LT(run.summary.max_penetration_m, 15e-6);
    const Statistics statistics = statistics_of(run);
    for (int turn = 0; turn < 2; ++turn) {
      EXPECT_LT(statistics.of_turn[turn].at("x of envelope"), 1.01);
      for (const auto& [name, value] : statistics.of_turn[turn]) mean[turn][name] += value / kMembers;
    }
  }
  int beyond_three = 0;
  for (const Expected& row : kTable) {
    for (int turn = 0; turn < 2; ++turn) {
      const double unit = row.deviation[turn] * std::sqrt(1.0 / kMembers + 1.0 / 24);
      const double away = std::abs(mean[turn][row.name] - row.mean[turn]) / unit;
      EXPECT_LT(away, 4) << row.name << ", turn " << turn + 1 << ": " << mean[turn][row.name];
      beyond_three += away > 3;
      std::printf("%-10s  turn %d  %10.4g   reference %8.4g +- %7.2g   %4.1f deviations of a mean apart\n", row.name,
                  turn + 1, mean[turn][row.name], row.mean[turn], row.deviation[turn], away);
    }
  }
  EXPECT_LE(beyond_three, 1);
  for (const PeakRange& peak : kPeaks) {
    for (int turn = 0; turn < 2; ++turn) {
      EXPECT_GE(mean[turn][peak.name], peak.least_N) << peak.name;
      EXPECT_LE(mean[turn][peak.name], peak.most_N) << peak.name;
      std::printf("%-10s  turn %d  %10.4g   reference %g to %g\n", peak.name, turn + 1, mean[turn][peak.name],
                  peak.least_N, peak.most_N);
    }
  }
}

}  // namespace
}  // namespace freeplay::test
