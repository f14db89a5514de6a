// How much a study costs beyond its runs, and what a second worker gains.
//
// The peer is the same runs one after the other without a study: model read once, built and run for each point, nothing
// written. The ratio is how many times faster two workers are than one, in the same study with its file: 2 is ideal on
// two free cores.
#include <fmt/format.h>

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

struct StudySeconds {
  double wall = 0, processor = 0;  // the latter hardly depends on what else runs on the machine
};

StudySeconds seconds_of_study(const SweepPlan& plan, int workers) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("freeplay_bench_sweep_{}", workers);
  std::filesystem::remove_all(folder);
  SweepOptions options;
  options.out = folder;
  options.workers = workers;
  const double before = cpu_seconds();
  const SweepOutcome outcome = run_sweep(plan, options, {});
  const double processor = cpu_seconds() - before;
  std::filesystem::remove_all(folder);
  if (outcome.progress.without_measures > 0) throw std::runtime_error("a run of the study has failed");
  return {outcome.wall_seconds, processor};
}

double processor_seconds_of_runs(const SweepPlan& plan) {
  const SweepRunner runner(plan);
  const double before = cpu_seconds();
  for (std::int64_t i = 0; i < runner.points().size(); ++i) static_cast<void>(runner.run(i, {}, nullptr));
  return cpu_seconds() - before;
}

int compare_workers(Effort effort) {
  const bool is_quick = effort == Effort::kQuick;
  const int runs = is_quick ? 20 : 400, short_runs = is_quick ? 200 : 10000, rounds = is_quick ? 1 : 5;
  const SweepPlan plan = plan_of(runs, "137.84 ms"), short_plan = plan_of(short_runs, "20 us");
  std::vector<double> one_wall, two_wall, one, two, alone, study;
  for (int round = 0; round < rounds; ++round) {
    const StudySeconds with_one = seconds_of_study(plan, 1), with_two = seconds_of_study(plan, 2);
    one_wall.push_back(with_one.wall);
    two_wall.push_back(with_two.wall);
    one.push_back(with_one.processor);
    two.push_back(with_two.processor);
    alone.push_back(processor_seconds_of_runs(short_plan));
    study.push_back(seconds_of_study(short_plan, 1).processor);
  }
  fmt::print("{} runs of the slider-crank, medians of {} rounds\n", runs, rounds);
  fmt::print("  one worker   {:9.3f} s, {:.3f} s of processor time\n", median(one_wall), median(one));
  fmt::print("  two workers  {:9.3f} s, {:.3f} s of processor time\n", median(two_wall), median(two));
  fmt::print("  efficiency   {:9.2f}; of processor time {:.2f}, which other programs do not disturb\n",
             median(one_wall) / median(two_wall) / 2, median(one) / median(two));
  const double per_run_us = 1e6 / short_runs;
  fmt::print("{} runs of two steps, processor time: {:.0f} us each in a loop, {:.0f} us each in a study\n", short_runs,
             per_run_us * median(alone), per_run_us * median(study));
  fmt::print("sweep ratio {:.2f}\n", median(one_wall) / median(two_wall));
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, freeplay::bench::compare_workers);
}
