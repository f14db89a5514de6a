// The slider-crank with a translational clearance joint: steps per second, ours against ODE's exact solver, both at
// the same step and without recording, in CPU time; beside them how far each is from the true crank speed.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/effort.h"
#include "bench/last_row.h"
#include "bench/measure.h"
#include "bench/peak_memory.h"
#include "bench/peers/ode_peer.h"
#include "freeplay/io/model/model_build.h"

namespace freeplay::bench {
namespace {

constexpr double kStep_s = 1e-5;
constexpr int kSteps = 10000;
// At t = 0.1 s, where event-driven integration and both engines at ever smaller steps agree.
constexpr double kTrueCrankSpeed_rad_s = 135.873;
// A run farther off than this does not simulate this mechanism: its rate would not count.
constexpr double kPlausibleError_rad_s = 5;
constexpr int kRounds = 41, kQuickRounds = 3;  // odd, so that a median is a measured one

struct Run {
  double seconds = 0;
  double crank_speed_rad_s = 0;
  double residual_m_s = std::numeric_limits<double>::quiet_NaN();  // ODE does not tell
};

class FreeplaySliderCrank {
 public:
  explicit FreeplaySliderCrank(std::vector<std::string> options) {
    options.emplace_back("simulate.solver=auto");  // the default; the example names the one of the paper
    options.push_back(fmt::format("simulate.step={}s", kStep_s));
    options.push_back(fmt::format("simulate.duration={}s", kStep_s * kSteps));
    file_ = load_model(FREEPLAY_EXAMPLES_DIR "/slider_crank.yaml", options);
    file_.record.channels = {"crank.omega"};
    file_.record.every = std::numeric_limits<int>::max();
    model_ = build_model(file_);
  }

  Run run() const {
    const std::unique_ptr<Simulation> simulation = build_simulation(file_, model_);
    LastRow last;
    const double start_s = cpu_seconds();
    const RunSummary summary = simulation->run(last, {});
    const double elapsed_s = cpu_seconds() - start_s;
    if (summary.status != RunStatus::kCompleted || summary.steps != kSteps) {
      throw std::runtime_error(fmt::format("the run ended after {} steps: {}", summary.steps, summary.message));
    }
    return {elapsed_s, last.values.at(0), summary.worst_residual_m_s};
  }

 private:
  ModelFile file_;
  Model model_;
};

Run run_ode(OdeModel model) {
  const OdeRun run = run_ode_slider_crank(model, kStep_s, kSteps);
  return {run.cpu_s, run.crank_speed_rad_s};
}

// One engine or one set of options; every run of it gives the same numbers, so only the times are kept of all.
struct Row {
  std::string name;
  std::vector<double> seconds;
  Run last;

  void add(const Run& run) {
    last = run;
    seconds.push_back(run.seconds);
  }
  double rate() const { return kSteps / median(seconds); }
  double error() const { return last.crank_speed_rad_s - kTrueCrankSpeed_rad_s; }
};

// How many times faster `ours` is: the median over the rounds, since the speed of a shared machine changes between
// rounds more than within one.
double times_faster(const Row& ours, const Row& peer) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.seconds.size(); ++i) ratios.push_back(peer.seconds[i] / ours.seconds[i]);
  return median(ratios);
}

void print(const Row& row, const Row& peer) {
  const std::string residual = std::isnan(row.last.residual_m_s) ? "-" : fmt::format("{:.1e}", row.last.residual_m_s);
  fmt::print("{:<32}{:>11.0f}{:>9.2f}{:>13.4f}{:>10.4f}{:>14}\n", row.name, row.rate(), times_faster(row, peer),
             row.last.crank_speed_rad_s, row.error(), residual);
}

int compare(Effort effort) {
  const int rounds = effort == Effort::kQuick ? kQuickRounds : kRounds;
  const std::vector<std::string> midpoint = {"simulate.velocity_forces=midpoint"};
  const std::optional<double> memory_MB =
      peak_memory_MB([&] { static_cast<void>(FreeplaySliderCrank(midpoint).run()); });

  const FreeplaySliderCrank with_midpoint(midpoint), with_defaults({});
  Row ours{"freeplay, midpoint", {}, {}}, defaults{"freeplay, default options", {}, {}};
  Row plain{"ODE, a box in a guide", {}, {}}, box{"ODE, box, contacts in plane", {}, {}},
      hinges{"ODE, corners by hand", {}, {}};
  Row balls{"ODE, corners and ball joints", {}, {}};
  for (int round = 0; round < rounds; ++round) {
    ours.add(with_midpoint.run());
    plain.add(run_ode(OdeModel::kBoxAsFound));
    box.add(run_ode(OdeModel::kBoxInGuide));
    defaults.add(with_defaults.run());
    hinges.add(run_ode(OdeModel::kHinges));
    balls.add(run_ode(OdeModel::kBalls));
  }

  fmt::print("Slider-crank with clearance, {} steps of {} s, single thread, medians of {} runs\n\n", kSteps, kStep_s,
             rounds);
  fmt::print("{:<32}{:>11}{:>9}{:>13}{:>10}{:>14}\n", "", "steps/s", "x hand", "crank rad/s", "error", "residual m/s");
  for (const Row* row : {&ours, &defaults, &plain, &box, &hinges, &balls}) {
    print(*row, hinges);
    if (!(std::abs(row->error()) < kPlausibleError_rad_s)) {
      fmt::print(stderr, "{}: this is not the motion of the slider-crank\n", row->name);
      return 1;
    }
  }
  fmt::print("\ncrank speed at t = {} s, error against {} rad/s; the error of midpoint is {:.2f} times that of ODE\n",
             kStep_s * kSteps, kTrueCrankSpeed_rad_s, std::abs(ours.error() / hinges.error()));
  if (memory_MB) fmt::print("peak memory of a freeplay run in a process of its own: {:.1f} MB\n", *memory_MB);
  fmt::print("{:.2f} times as fast as ODE with a box in a guide, contacts as it finds them\n",
             times_faster(ours, plain));
  fmt::print("{:.2f} times as fast as ODE with the same contacts moved into the plane of motion\n",
             times_faster(ours, box));
  fmt::print("{:.2f} times as fast as ODE with its contacts made by hand\n", times_faster(ours, hinges));
  fmt::print("slider_crank ratio {:.2f}\n", times_faster(ours, box));
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, &freeplay::bench::compare);
}
