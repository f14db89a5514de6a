// How much a study costs beyond its runs, and what a second worker gains.
//
// The peer is the same runs one after the other without a study: model read once, built and run for each point, nothing
// written. The ratio is how many times faster two workers are than one, in the same study with its file: 2 is ideal on
// two free cores.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "bench/effort.h"
#include "bench/measure.h"
#include "freeplay/study/sweep/sweep.h"

namespace freeplay::bench {
namespace {

SweepPlan plan_of(int runs, const char* duration) {
  SweepPlan plan;
  plan.model = std::filesystem::path(FREEPLAY_EXAMPLES_DIR) / "slider_crank.yaml";
  plan.over = {fmt::format("c=0.1mm:2mm:{}", runs)};
  plan.overrides = {fmt::format("duration={}", duration)};
  plan.measures = {"peak=max(abs(guide.force_y))", "hits=count(impact)"};
  return plan;
}

double seconds_of_study(const SweepPlan& plan, int workers) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("freeplay_bench_sweep_{}", workers);
  std::filesystem::remove_all(folder);
  SweepOptions options;
  options.out = folder;
  options.workers = workers;
  const SweepOutcome outcome = run_sweep(plan, options, {});
  std::filesystem::remove_all(folder);
  if (outcome.progress.without_measures > 0) throw std::runtime_error("a run of the study has failed");
  return outcome.wall_seconds;
}

double seconds_of_runs(const SweepPlan& plan) {
  const SweepRunner runner(plan);
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < runner.points().size(); ++i) static_cast<void>(runner.run(i, nullptr));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int compare_workers(Effort effort) {
  const bool is_quick = effort == Effort::kQuick;
  const int runs = is_quick ? 20 : 400, rounds = is_quick ? 1 : 5;
  const SweepPlan plan = plan_of(runs, "137.84 ms"), short_runs = plan_of(is_quick ? 200 : 10000, "20 us");
  std::vector<double> alone, one, two;
  for (int round = 0; round < rounds; ++round) {
    alone.push_back(seconds_of_runs(plan));
    one.push_back(seconds_of_study(plan, 1));
    two.push_back(seconds_of_study(plan, 2));
  }
  const double per_run_us = 1e6 * (median(one) - median(alone)) / runs;
  fmt::print("{} runs of the slider-crank, medians of {} rounds\n", runs, rounds);
  fmt::print("  runs alone     {:9.3f} s\n  one worker     {:9.3f} s, {:.0f} us per run beyond the runs\n",
             median(alone), median(one), per_run_us);
  fmt::print("  two workers    {:9.3f} s, efficiency {:.2f}\n", median(two), median(one) / median(two) / 2);
  const auto short_count = static_cast<double>(parse_sweep_axis(short_runs.over[0]).count);
  const double small = seconds_of_study(short_runs, 1);
  fmt::print(
      "  {} runs of two steps with one worker: {:.3f} s, {:.0f} us per run with reading and building the model\n",
      short_count, small, 1e6 * small / short_count);
  fmt::print("sweep ratio {:.2f}\n", median(one) / median(two));
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, freeplay::bench::compare_workers);
}
