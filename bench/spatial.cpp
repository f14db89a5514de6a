// Contact in space: how many times faster than real time joints with play run, and a pile of spheres beside ODE and
// Bullet (bench/spatial_pile.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/effort.h"
#include "bench/last_row.h"
#include "bench/measure.h"
#include "bench/spatial_pile.h"
#include "freeplay/io/model/model_build.h"

namespace freeplay::bench {
namespace {

constexpr double kLongestStep_s = 1e-3, kShortestStep_s = 1e-4;
constexpr int kRounds = 21, kQuickRounds = 1;  // odd, so that a median is a measured one
constexpr double kGoal = 100;                  // times real time

class JointWithPlay {
 public:
  JointWithPlay(const std::string& example, const std::string& body) : name(example) {
    const std::vector<std::string> options = {"simulate.integrator=nlp-variable-step", "simulate.constraint=corrected",
                                              "simulate.step_choice=land", fmt::format("h_max={}s", kLongestStep_s),
                                              fmt::format("h_min={}s", kShortestStep_s)};
    file_ = load_model(fmt::format("{}/{}.yaml", FREEPLAY_EXAMPLES_DIR, example), options);
    file_.record.channels = {body + ".x"};
    file_.record.every = std::numeric_limits<int>::max();  // only the last row, which every run writes
    model_ = build_model(file_);
  }

  void time_once() {
    const std::unique_ptr<Simulation> simulation = build_simulation(file_, model_);
    LastRow last;
    const double cpu_start_s = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    run = simulation->run(last, {});
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (run.status != RunStatus::kCompleted) throw std::runtime_error(fmt::format("{}: {}", name, run.message));
    wall_s_.push_back(elapsed.count());
    cpu_s_.push_back(cpu_seconds() - cpu_start_s);
  }

  // Per second of one core: what else runs on the machine hardly changes it.
  double times_real_time() const { return run.time_s / median(cpu_s_); }
  double by_the_clock() const { return run.time_s / median(wall_s_); }

  std::string name;
  RunSummary run;  // the last one; all are the same

 private:
  ModelFile file_;
  Model model_;
  std::vector<double> wall_s_, cpu_s_;
};

// The worst of them, in simulated seconds per second.
double time_joints(int rounds) {
  std::vector<JointWithPlay> joints;
  joints.emplace_back("cylindrical_clearance", "slider");
  joints.emplace_back("prismatic_clearance", "slider");
  joints.emplace_back("revolute_clearance", "pendulum");
  for (int round = 0; round < rounds; ++round) {
    for (JointWithPlay& joint : joints) joint.time_once();
  }
  fmt::print("Joints with play, nlp-variable-step, constraint corrected, step_choice land, steps of {} to {} s,\n",
             kShortestStep_s, kLongestStep_s);
  fmt::print("medians of {} runs, simulated seconds per second of one core and, at the load of now, by the clock\n\n",
             rounds);
  fmt::print("{:<24}{:>12}{:>8}{:>10}{:>9}{:>13}{:>13}{:>14}\n", "", "simulated s", "steps", "attempts", "impacts",
             "x real time", "by the clock", "residual m/s");
  double worst = std::numeric_limits<double>::infinity();
  for (const JointWithPlay& joint : joints) {
    fmt::print("{:<24}{:>12.1f}{:>8}{:>10}{:>9}{:>13.0f}{:>13.0f}{:>14.1e}\n", joint.name, joint.run.time_s,
               joint.run.steps, joint.run.evaluations, joint.run.impacts, joint.times_real_time(), joint.by_the_clock(),
               joint.run.worst_residual_m_s);
    worst = std::min(worst, joint.times_real_time());
  }
  fmt::print("\nthe slowest runs {:.0f} times as fast as real time; the goal is {}\n", worst, kGoal);
  return worst;
}

int compare(Effort effort) {
  const double times_real_time = time_joints(effort == Effort::kQuick ? kQuickRounds : kRounds);
  fmt::print("\n");
  compare_piles(effort);
  fmt::print("spatial ratio {:.2f}\n", times_real_time);
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, &freeplay::bench::compare);
}
