// The slider-crank with a translational clearance joint: how much CPU time it takes to know the crank speed after 0.1 s
// to a part in a thousand. Events are located, so a tolerance is to be chosen, and from which speed on rebounds count:
// at 10 mm/s the crank is off by 2e-5 of its speed. Coarser tolerances than 1e-6 take more events than they save steps.
// Time stepping, ours and ODE's, needs a step that is short enough. Every engine gets the setting that suits it best.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/effort.h"
#include "bench/last_row.h"
#include "bench/measure.h"
#include "bench/peers/ode_peer.h"
#include "freeplay/io/model/model_build.h"

namespace freeplay::bench {
namespace {

constexpr double kEnd_s = 0.1;
constexpr double kTrueCrankSpeed_rad_s = 135.873;  // where ever smaller tolerances and steps agree
constexpr double kWanted = 1e-3;
constexpr int kRounds = 21, kQuickRounds = 3;  // odd, so that a median is a measured one

struct Run {
  double seconds = 0, crank_speed_rad_s = 0;
  double error() const { return std::abs(crank_speed_rad_s / kTrueCrankSpeed_rad_s - 1); }
};

Run run_freeplay(std::vector<std::string> options) {
  options.emplace_back("simulate.solver=auto");
  options.push_back(fmt::format("simulate.duration={}s", kEnd_s));
  ModelFile file = load_model(FREEPLAY_EXAMPLES_DIR "/slider_crank.yaml", options);
  file.record.channels = {"crank.omega"};
  file.record.every = std::numeric_limits<int>::max();
  const Model model = build_model(file);
  const std::unique_ptr<Simulation> simulation = build_simulation(file, model);
  LastRow last;
  const double start_s = cpu_seconds();
  const RunSummary summary = simulation->run(last, {});
  const double elapsed_s = cpu_seconds() - start_s;
  if (summary.status != RunStatus::kCompleted) throw std::runtime_error(summary.message);
  return {elapsed_s, last.values.at(0)};
}

Run run_event_driven(double tolerance) {
  return run_freeplay({"simulate.integrator=event-driven", "simulate.step=~", "simulate.lasting_contacts=~",
                       "simulate.max_step=2 ms", "simulate.rest_speed=10 mm/s",
                       fmt::format("simulate.tolerance={}", tolerance)});
}

Run run_moreau(double step_s) {
  return run_freeplay({fmt::format("simulate.step={}s", step_s), "simulate.velocity_forces=midpoint"});
}

Run run_ode(double step_s) {
  const OdeRun run =
      run_ode_slider_crank(OdeModel::kBoxInGuide, step_s, static_cast<int>(std::lround(kEnd_s / step_s)));
  return {run.cpu_s, run.crank_speed_rad_s};
}

// One engine with the coarsest setting from which on it is accurate: a hit by chance does not count.
struct Contender {
  std::string name, unit;
  Run (*run)(double setting) = nullptr;
  std::vector<double> settings;  // finer and finer
  double best = 0;
  std::vector<double> seconds{};
  Run last{};

  [[nodiscard]] bool choose() {
    std::optional<double> found;
    for (const double setting : settings) {
      if (run(setting).error() > kWanted)
        found.reset();
      else if (!found)
        found = setting;
    }
    if (!found) return false;
    best = *found;
    return true;
  }
  void measure() {
    last = run(best);
    seconds.push_back(last.seconds);
  }
};

double times_faster(const Contender& ours, const Contender& peer) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.seconds.size(); ++i) ratios.push_back(peer.seconds[i] / ours.seconds[i]);
  return median(ratios);
}

int compare(Effort effort) {
  Contender events{"freeplay, event-driven", "tolerance", &run_event_driven, {1e-6, 1e-7, 1e-8}};
  Contender moreau{"freeplay, moreau-midpoint", "step [s]", &run_moreau, {1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6}};
  Contender ode{"ODE, Dantzig's solver", "step [s]", &run_ode, {1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6, 1e-6}};
  if (effort == Effort::kQuick) {
    moreau.settings.pop_back();
    ode.settings.pop_back();
  }
  const std::vector<Contender*> all = {&events, &moreau, &ode};
  for (Contender* contender : all) {
    if (contender->choose()) continue;
    // Then the finest setting is what it costs at least.
    contender->best = contender->settings.back();
    fmt::print("{}: not accurate to {} at any of its settings; its finest one counts\n", contender->name, kWanted);
  }
  const int rounds = effort == Effort::kQuick ? kQuickRounds : kRounds;
  for (int round = 0; round < rounds; ++round) {
    for (Contender* contender : all) contender->measure();
  }
  fmt::print(
      "Slider-crank with clearance, crank speed after {} s to {} of its value, single thread, medians of {} runs\n\n",
      kEnd_s, kWanted, rounds);
  fmt::print("{:<28}{:>20}{:>12}{:>12}{:>9}\n", "", "setting", "time [ms]", "error", "x ODE");
  for (const Contender* contender : all) {
    fmt::print("{:<28}{:>20}{:>12.3f}{:>12.1e}{:>9.2f}\n", contender->name,
               fmt::format("{} {:g}", contender->unit, contender->best), 1e3 * median(contender->seconds),
               contender->last.error(), times_faster(*contender, ode));
  }
  if (!(events.last.error() <= kWanted)) {
    fmt::print(stderr, "the event-driven run is off by {:.1e}\n", events.last.error());
    return 1;
  }
  fmt::print("\n{:.2f} times as fast as our own time stepping\n", times_faster(events, moreau));
  fmt::print("event_driven ratio {:.2f}\n", times_faster(events, ode));
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, &freeplay::bench::compare);
}
