// The slider-crank with compliant contact: CPU time of the first 0.1 s to 0.2 % of each code's own converged crank
// speed, ours against Simbody's and ODE's, without recording. docs/reference/benchmarks.md tells why means over many
// starts are compared and not single runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/effort.h"
#include "bench/last_row.h"
#include "bench/measure.h"
#include "bench/peers/ode_peer.h"
#include "bench/peers/simbody_crank_peer.h"
#include "freeplay/io/model/model_build.h"

namespace freeplay::bench {
namespace {

constexpr double kDuration_s = 0.1;
constexpr double kTolerated = 0.002;  // error of the mean crank speed, relative to the converged one
// Starts of the crank, spread evenly over 150 rad/s +- 0.01 %: far less than what is tolerated, but contacts magnify a
// difference of 1e-8 to 1 rad/s, so that every start leads to another motion.
constexpr int kStarts = 64, kQuickStarts = 8;
constexpr double kCrankSpeed_rad_s = 150, kSpread = 1e-4;
constexpr int kRounds = 16, kQuickRounds = 2;
// Converged means of the same law by two codes that are farther apart than this are not of the same mechanism.
constexpr double kPlausibleDifference = 0.005;
// ODE's contacts are rigid. At t = 0.1 s event-driven integration and ODE at ever smaller steps agree on this.
constexpr double kRigidCrankSpeed_rad_s = 135.873;
constexpr int kOdeSteps = 10000;  // of 10 us, as in the benchmark slider_crank

// How many starts there are, and in how many rounds they are timed.
struct Plan {
  int starts = kStarts, rounds = kRounds;

  double start_rad_s(int start) const { return kCrankSpeed_rad_s * (1 + kSpread * ((2.0 * start + 1) / starts - 1)); }
};

struct Run {
  double cpu_s = 0, crank_speed_rad_s = 0;
  double steps = 0, evaluations = 0;
};

class FreeplayCrank {
 public:
  explicit FreeplayCrank(const Plan& plan) {
    for (int start = 0; start < plan.starts; ++start) {
      const std::vector<std::string> options = {"simulate.integrator=dopri5",
                                                fmt::format("simulate.duration={}s", kDuration_s),
                                                fmt::format("crank_omega={:.17g} rad/s", plan.start_rad_s(start))};
      ModelFile file = load_model(FREEPLAY_EXAMPLES_DIR "/slider_crank.yaml", options);
      file.simulate.step_s.reset();  // the step of the example is for time stepping
      file.record.channels = {"crank.omega"};
      file.record.every = std::numeric_limits<int>::max();
      models_.push_back(build_model(file));
      files_.push_back(std::move(file));
    }
  }

  Run run(double tolerance, int start) {
    ModelFile& file = files_[static_cast<std::size_t>(start)];
    file.simulate.relative_tolerance = file.simulate.absolute_tolerance = tolerance;
    const std::unique_ptr<Simulation> simulation = build_simulation(file, models_[static_cast<std::size_t>(start)]);
    LastRow last;
    const double begin_s = cpu_seconds();
    const RunSummary summary = simulation->run(last, {});
    const double cpu_s = cpu_seconds() - begin_s;
    if (summary.status != RunStatus::kCompleted) throw std::runtime_error(summary.message);
    return {cpu_s, last.values.at(0), static_cast<double>(summary.steps), static_cast<double>(summary.evaluations)};
  }

 private:
  std::vector<ModelFile> files_;
  std::vector<Model> models_;
};

Run run_simbody(SimbodyContact contact, double accuracy, double start_rad_s) {
  const SimbodyRun run = run_simbody_slider_crank(contact, accuracy, start_rad_s, kDuration_s);
  return {run.cpu_s, run.crank_speed_rad_s, static_cast<double>(run.steps), static_cast<double>(run.evaluations)};
}

Run run_ode(int steps) {
  const OdeRun run = run_ode_slider_crank(OdeModel::kHinges, kDuration_s / steps, steps);
  return {run.cpu_s, run.crank_speed_rad_s, static_cast<double>(steps), static_cast<double>(steps)};
}

// A code with a tolerance to choose.
struct Code {
  std::string name;
  std::vector<double> tolerances;  // the first gives the converged mean; then from tight to loose
  std::function<Run(double tolerance, int start)> run;
};

// All starts at one tolerance.
struct Ensemble {
  double mean_rad_s = 0, deviation_rad_s = 0;  // standard deviation of a single run
  double steps = 0, evaluations = 0;           // per run
};

Ensemble run_all(const Code& code, double tolerance, int starts) {
  Ensemble all;
  double squares = 0;
  for (int start = 0; start < starts; ++start) {
    const Run run = code.run(tolerance, start);
    all.mean_rad_s += run.crank_speed_rad_s / starts;
    squares += run.crank_speed_rad_s * run.crank_speed_rad_s / starts;
    all.steps += run.steps / starts;
    all.evaluations += run.evaluations / starts;
  }
  all.deviation_rad_s = std::sqrt(std::max(0.0, squares - all.mean_rad_s * all.mean_rad_s));
  return all;
}

struct Choice {
  double converged_rad_s = 0, uncertainty_rad_s = 0;  // of that mean: standard error
  double tolerance = 0;
  Ensemble at;
};

// The loosest tolerance that is good enough, and so are all tighter ones: a mean that hits by chance does not count.
Choice choose(const Code& code, int starts) {
  Choice choice;
  for (const double tolerance : code.tolerances) {
    const Ensemble all = run_all(code, tolerance, starts);
    const bool is_reference = tolerance == code.tolerances.front();
    if (is_reference) {
      choice.converged_rad_s = all.mean_rad_s;
      choice.uncertainty_rad_s = all.deviation_rad_s / std::sqrt(starts);
    }
    const double error = all.mean_rad_s / choice.converged_rad_s - 1;
    fmt::print("{:<38}{:>10.0e}{:>11.3f}{:>10.3f}{:>10}{:>8.0f}{:>8.0f}\n", code.name, tolerance, all.mean_rad_s,
               all.deviation_rad_s, is_reference ? "converged" : fmt::format("{:+.3f} %", 100 * error), all.steps,
               all.evaluations);
    std::fflush(stdout);
    if (std::abs(error) > kTolerated) break;
    choice.tolerance = tolerance;
    choice.at = all;
  }
  return choice;
}

// A setting that is timed.
struct Row {
  std::string name, setting;
  double error = 0;
  std::function<Run(int start)> run;
  std::vector<double> seconds = {};  // CPU time per run, one entry per round
  double steps = 0;                  // per run

  void time_round(int round, const Plan& plan) {
    const int starts = plan.starts / plan.rounds;
    double cpu_s = 0;
    for (int i = 0; i < starts; ++i) {
      const Run one = run(round + i * plan.rounds);
      cpu_s += one.cpu_s / starts;
      steps += one.steps / plan.starts;
    }
    seconds.push_back(cpu_s);
  }
};

// How many times faster `ours` is: the median over the rounds, since the speed of a shared machine changes between
// rounds more than within one.
double times_faster(const Row& ours, const Row& peer) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.seconds.size(); ++i) ratios.push_back(peer.seconds[i] / ours.seconds[i]);
  return median(ratios);
}

// The fewest steps of ODE that are good enough, as choose() does it.
int fewest_ode_steps() {
  int fewest = kOdeSteps;
  for (const int steps : {5000, 4000, 3000, 2500, 2000, 1500, 1000}) {
    if (std::abs(run_ode(steps).crank_speed_rad_s / kRigidCrankSpeed_rad_s - 1) > kTolerated) break;
    fewest = steps;
  }
  return fewest;
}

std::vector<Code> codes_to_compare(FreeplayCrank& crank, const Plan& plan, bool is_quick) {
  const auto simbody = [&plan](SimbodyContact contact) {
    return [contact, &plan](double accuracy, int start) {
      return run_simbody(contact, accuracy, plan.start_rad_s(start));
    };
  };
  using Tolerances = std::vector<double>;
  const Tolerances accuracies =
      is_quick ? Tolerances{1e-5, 1e-3} : Tolerances{1e-7, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2};
  return {
      {"freeplay, dopri5",
       is_quick ? Tolerances{1e-8, 1e-5} : Tolerances{1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3},
       [&crank](double tolerance, int start) { return crank.run(tolerance, start); }},
      {"Simbody, same law", accuracies, simbody(SimbodyContact::kLankaraniNikravesh)},
      {"Simbody, Hunt-Crossley", accuracies, simbody(SimbodyContact::kHuntCrossley)},
  };
}

// Prints how each code does at its tolerances, and returns what is good enough of each.
std::vector<Choice> choose_tolerances(const std::vector<Code>& codes, const Plan& plan) {
  fmt::print(
      "Slider-crank with compliant contact, {} s, single thread: crank speed at the end, {} starts within {} %\n\n",
      kDuration_s, plan.starts, 100 * kSpread);
  fmt::print("{:<38}{:>10}{:>11}{:>10}{:>10}{:>8}{:>8}\n", "", "tolerance", "mean rad/s", "one run", "error", "steps",
             "evals");
  std::vector<Choice> choices;
  for (const Code& code : codes) choices.push_back(choose(code, plan.starts));
  fmt::print("\n'one run': standard deviation of single runs; the mean of {} is {:.0f} times as certain\n", plan.starts,
             std::sqrt(plan.starts));
  return choices;
}

// Whether freeplay and Simbody with the same law come to the same speed.
bool are_of_one_mechanism(const Choice& ours, const Choice& peer, bool is_quick) {
  const double difference = peer.converged_rad_s / ours.converged_rad_s - 1;
  fmt::print("converged means of the same law by freeplay and Simbody differ by {:.2f} %\n",
             100 * std::abs(difference));
  // The means of a few starts are uncertain.
  const double uncertainty = std::hypot(ours.uncertainty_rad_s, peer.uncertainty_rad_s) / kCrankSpeed_rad_s;
  return std::abs(difference) < kPlausibleDifference + (is_quick ? 3 * uncertainty : 0);
}

// The codes in their order, then ODE at its usual steps and at the largest that are good enough.
std::vector<Row> rows_to_time(const std::vector<Code>& codes, const std::vector<Choice>& choices) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    rows.push_back(
        {codes[i].name, fmt::format("{:.0e}", choices[i].tolerance),
         choices[i].at.mean_rad_s / choices[i].converged_rad_s - 1,
         [&code = codes[i], tolerance = choices[i].tolerance](int start) { return code.run(tolerance, start); }});
  }
  for (const int steps : {kOdeSteps, fewest_ode_steps()}) {
    rows.push_back({"ODE, rigid contacts", fmt::format("{:.3g} us", 1e6 * kDuration_s / steps),
                    run_ode(steps).crank_speed_rad_s / kRigidCrankSpeed_rad_s - 1,
                    [steps](int) { return run_ode(steps); }});
  }
  return rows;
}

void print_times(const std::vector<Row>& rows, const Plan& plan) {
  const Row& ours = rows[0];
  fmt::print("\nCPU time of a run at the loosest tolerance within {} %, medians of {} rounds\n\n", 100 * kTolerated,
             plan.rounds);
  fmt::print("{:<38}{:>10}{:>10}{:>9}{:>8}{:>11}{:>12}\n", "", "tolerance", "error", "ms", "steps", "steps/s",
             "x freeplay");
  for (const Row& row : rows) {
    const double seconds = median(row.seconds);
    fmt::print("{:<38}{:>10}{:>8.3f} %{:>9.2f}{:>8.0f}{:>11.0f}{:>12.2f}\n", row.name, row.setting, 100 * row.error,
               1e3 * seconds, row.steps, row.steps / seconds, times_faster(ours, row));
  }
  const Row &ode = rows[rows.size() - 2], &coarse_ode = rows.back();
  const double by_simbody = std::min(times_faster(ours, rows[1]), times_faster(ours, rows[2]));
  const double by_ode = times_faster(ours, ode);
  fmt::print("\n{:.2f} times as fast as the faster Simbody\n", by_simbody);
  fmt::print("{:.2f} times as fast as ODE at steps of {}\n", by_ode, ode.setting);
  fmt::print("{:.2f} times as fast as ODE at steps of {}, its largest within {} %\n", times_faster(ours, coarse_ode),
             coarse_ode.setting, 100 * kTolerated);
  fmt::print("compliant ratio {:.2f}\n", std::min(by_simbody, by_ode));
}

int compare(Effort effort) {
  const bool is_quick = effort == Effort::kQuick;
  const Plan plan = is_quick ? Plan{kQuickStarts, kQuickRounds} : Plan{};
  FreeplayCrank crank(plan);
  const std::vector<Code> codes = codes_to_compare(crank, plan, is_quick);
  const std::vector<Choice> choices = choose_tolerances(codes, plan);
  if (!are_of_one_mechanism(choices[0], choices[1], is_quick)) {
    fmt::print(stderr, "the two do not simulate the same mechanism\n");
    return 1;
  }
  std::vector<Row> rows = rows_to_time(codes, choices);
  for (int round = 0; round < plan.rounds; ++round) {
    for (Row& row : rows) row.time_round(round, plan);
  }
  print_times(rows, plan);
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, &freeplay::bench::compare);
}
