// Families of runs: steps per second of one core, by the engine, by compiled lanes, and by ODE where it has the
// mechanism. Clearances (or what else scatters) differ from lane to lane, nothing is recorded.
#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/batch_scenes.h"
#include "bench/effort.h"
#include "bench/last_row.h"
#include "bench/measure.h"
#include "bench/peers/ode_peer.h"

namespace freeplay::bench {
namespace {

using Clock = std::chrono::steady_clock;

double engine_seconds(const Member& member, int steps) {
  ModelFile file = member.file;
  file.record.channels = {"step.residual"};
  const std::unique_ptr<Simulation> simulation = build_simulation(file, member.model);
  LastRow last;
  const auto start = Clock::now();
  const RunSummary summary = simulation->run(last, {});
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (summary.status != RunStatus::kCompleted || summary.steps != steps)
    throw std::runtime_error(fmt::format("the engine ended after {} steps: {}", summary.steps, summary.message));
  return seconds;
}

// `packs` packs of lanes one after the other.
double compiled_seconds(const CompiledFamily& family, std::vector<LaneData> lanes, int packs, long long& uncertified) {
  const auto start = Clock::now();
  for (int k = 0; k < packs; ++k) {
    std::vector<LaneData> pack = lanes;
    family.run(pack, {});
    for (const LaneData& lane : pack) uncertified += lane.status != 0 ? 1 : 0;
  }
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Rates {
  double engine = 0, compiled = 0, both_cores = 0;
};

Rates measure(const Scene& scene, Effort effort) {
  const int rounds = effort == Effort::kQuick ? 2 : 9, packs = effort == Effort::kQuick ? 1 : 4;
  std::vector<Member> members;
  for (int k = 0; k < 8; ++k) members.push_back(member_of(scene, k / 7.0));
  const CompiledFamily family = family_of(members);
  std::vector<LaneData> lanes;
  for (int k = 0; k < family.width(); ++k) {
    const Member& member = members[static_cast<std::size_t>(k % 8)];
    lanes.push_back(family.lane(member.file, member.model).value());
  }
  const double lane_steps = static_cast<double>(scene.steps) * packs * family.width();
  std::vector<double> engine, compiled, both;
  long long uncertified = 0, ignored = 0;
  for (int round = 0; round < rounds; ++round) {
    engine.push_back(engine_seconds(members[static_cast<std::size_t>(round % 8)], scene.steps) / scene.steps);
    compiled.push_back(compiled_seconds(family, lanes, packs, uncertified) / lane_steps);
    const auto start = Clock::now();
    std::thread other([&] { compiled_seconds(family, lanes, packs, ignored); });
    long long here = 0;
    compiled_seconds(family, lanes, packs, here);
    other.join();
    both.push_back(std::chrono::duration<double>(Clock::now() - start).count() / (2 * lane_steps));
  }
  const Rates rates{1 / median(engine), 1 / median(compiled), 1 / median(both)};
  fmt::print("{:<28}{:>12.0f}{:>13.0f}{:>9.2f}{:>14.0f}{:>9.2f}{:>13}\n", scene.name, rates.engine, rates.compiled,
             rates.compiled / rates.engine, rates.both_cores, rates.both_cores / rates.compiled, uncertified);
  return rates;
}

int compare(Effort effort) {
  fmt::print("Families of runs, steps per second; lanes that differ in one parameter\n\n");
  fmt::print("{:<28}{:>12}{:>13}{:>9}{:>14}{:>9}{:>13}\n", "", "engine", "compiled", "times", "two threads", "times",
             "uncertified");
  double slider_crank = 0;
  for (const Scene& scene : scenes()) {
    const Rates rates = measure(scene, effort);
    if (slider_crank == 0) slider_crank = rates.compiled;
  }
  const int rounds = effort == Effort::kQuick ? 1 : 5;
  std::vector<double> ode;
  for (int round = 0; round < rounds; ++round) {
    constexpr int kSteps = 10000;
    ode.push_back(run_ode_slider_crank(OdeModel::kHinges, 1e-5, kSteps).seconds / kSteps);
  }
  fmt::print("\nODE, slider-crank with contacts made by hand: {:.0f} steps/s\n", 1 / median(ode));
  fmt::print("batch ratio {:.2f}\n", slider_crank * median(ode));
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, &freeplay::bench::compare);
}
