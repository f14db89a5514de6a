// Families of runs: steps per second of one core, by the engine, by compiled lanes, by ODE, and for the slider-crank
// by a step that was written by hand. Clearances (or what else scatters) differ from lane to
// lane, nothing is recorded.
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/batch_scenes.h"
#include "bench/crank_by_hand.h"
#include "bench/effort.h"
#include "bench/last_row.h"
#include "bench/measure.h"
#include "bench/peers/ode_families_peer.h"
#include "bench/peers/ode_peer.h"

namespace freeplay::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Of this thread: what else runs on the machine hardly matters.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// `end`: a channel at the end of the run.
double engine_seconds(const Member& member, int steps, const std::string& channel = "step.residual",
                      double* end = nullptr) {
  ModelFile file = member.file;
  file.record.channels = {channel};
  const std::unique_ptr<Simulation> simulation = build_simulation(file, member.model);
  LastRow last;
  const double start = processor_seconds();
  const RunSummary summary = simulation->run(last, {});
  const double seconds = processor_seconds() - start;
  if (summary.status != RunStatus::kCompleted || summary.steps != steps)
    throw std::runtime_error(fmt::format("the engine ended after {} steps: {}", summary.steps, summary.message));
  if (end != nullptr) *end = last.values.at(0);
  return seconds;
}

// `packs` packs of lanes one after the other.
double compiled_seconds(const CompiledFamily& family, std::vector<LaneData> lanes, int packs, long long& uncertified) {
  const double start = processor_seconds();
  for (int k = 0; k < packs; ++k) {
    std::vector<LaneData> pack = lanes;
    family.run(pack, {});
    for (const LaneData& lane : pack) uncertified += lane.status != 0 ? 1 : 0;
  }
  return processor_seconds() - start;
}

struct Rates {
  double engine = 0, compiled = 0;         // by processor time
  double one_thread = 0, two_threads = 0;  // by the clock
  double beside_another = 0;               // of a thread by processor time, while another does the same
};

Rates measure(const Scene& scene, Effort effort) {
  // Enough packs that the start of a second thread, and its way to a core of its own, are short beside them.
  const int rounds = effort == Effort::kQuick ? 2 : 9, packs = effort == Effort::kQuick ? 1 : 32;
  std::vector<Member> members;
  for (int k = 0; k < 8; ++k) members.push_back(member_of(scene, k / 7.0));
  const CompiledFamily family = family_of(members);
  std::vector<LaneData> lanes;
  for (int k = 0; k < family.width(); ++k) {
    const Member& member = members[static_cast<std::size_t>(k % 8)];
    lanes.push_back(family.lane(member.file, member.model).value());
  }
  const double lane_steps = static_cast<double>(scene.steps) * packs * family.width();
  std::vector<double> engine, compiled, one, both, beside;
  long long uncertified = 0, ignored = 0;
  for (int round = 0; round < rounds; ++round) {
    engine.push_back(engine_seconds(members[static_cast<std::size_t>(round % 8)], scene.steps) / scene.steps);
    const auto before = Clock::now();
    compiled.push_back(compiled_seconds(family, lanes, packs, uncertified) / lane_steps);
    const auto start = Clock::now();
    one.push_back(std::chrono::duration<double>(start - before).count() / lane_steps);
    double there_s = 0;
    std::thread other([&] { there_s = compiled_seconds(family, lanes, packs, ignored); });
    long long here = 0;
    const double here_s = compiled_seconds(family, lanes, packs, here);
    other.join();
    beside.push_back((here_s + there_s) / (2 * lane_steps));
    both.push_back(std::chrono::duration<double>(Clock::now() - start).count() / (2 * lane_steps));
  }
  const Rates rates{1 / median(engine), 1 / median(compiled), 1 / median(one), 1 / median(both), 1 / median(beside)};
  const CompiledFamily::Counts counts = family.run_counting(lanes);
  const double all_steps = static_cast<double>(scene.steps) * family.width();
  fmt::print("{:<20}{:>10.0f}{:>12.0f}{:>8.2f}{:>13.0f}{:>8.2f}{:>10.2f}{:>13}{:>11.1f}{:>8.3f}\n", scene.name,
             rates.engine, rates.compiled, rates.compiled / rates.engine, rates.two_threads,
             rates.two_threads / rates.one_thread, 2 * rates.beside_another / rates.compiled, uncertified,
             100 * static_cast<double>(counts.contact_steps) / all_steps,
             100 * static_cast<double>(counts.hard_steps) / all_steps);
  return rates;
}

// The slider-crank of the first scene, written by hand; and how far its crank is from the compiled one after all steps.
void measure_by_hand(const Scene& scene, double compiled_rate, Effort effort) {
  const int rounds = effort == Effort::kQuick ? 2 : 9;
  constexpr int kCranks = 8;
  std::vector<double> seconds, omegas;
  long long uncertified = 0;
  for (int round = 0; round < rounds; ++round) {
    omegas.clear();
    const double start = processor_seconds();
    for (int k = 0; k < kCranks; ++k) {
      CrankByHand crank(1e-3 * (scene.least + k / 7.0 * (scene.largest - scene.least)), 1);
      crank.run(scene.steps, 1e-5);
      omegas.push_back(crank.crank_omega());
      uncertified += crank.uncertified();
    }
    seconds.push_back((processor_seconds() - start) / (kCranks * scene.steps));
  }
  std::vector<Member> members;
  for (int k = 0; k < kCranks; ++k) members.push_back(member_of(scene, k / 7.0));
  const CompiledFamily family = family_of(members);
  double worst = 0;
  for (int k = 0; k < kCranks; ++k) {
    const Member& member = members[static_cast<std::size_t>(k)];
    LaneData lane = family.lane(member.file, member.model).value();
    family.run({&lane, 1}, {});
    worst = std::max(worst, std::abs(lane.state[lane.state.size() - 12 - 3] / omegas[static_cast<std::size_t>(k)] - 1));
  }
  fmt::print(
      "\nslider_crank by hand: {:.0f} steps/s, {} uncertified, crank speeds differ by {:.1e}; compiled makes {:.2f} of "
      "it\n",
      1 / median(seconds), uncertified, worst, compiled_rate * median(seconds));
}

// ODE in each scene at the middle of its range, and a number at the end of the run by both; returns how many times
// faster compiled slider-cranks are.
double measure_ode(const std::vector<Rates>& rates, Effort effort) {
  struct Peer {
    OdeFamilyRun (*run)(double step_s, int steps);
    const char* channel;
  };
  const auto run_crank = [](double step_s, int steps) {
    const OdeRun run = run_ode_slider_crank(OdeModel::kHinges, step_s, steps);
    return OdeFamilyRun{run.cpu_s, run.crank_speed_rad_s};
  };
  const std::vector<Peer> peers = {
      {run_crank, "crank.omega"}, {&run_ode_cam_follower, "follower.y"}, {&run_ode_four_bar, "crank.omega"}};
  const int rounds = effort == Effort::kQuick ? 1 : 5;
  double ratio = 0;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    const Scene& scene = scenes()[i];
    Member member = member_of(scene, 0.5);
    if (i == 0) {  // ODE has that of the paper
      member.file = load_model(scene.file, std::vector<std::string>{"simulate.duration=0.1 s"});
      member.model = build_model(member.file);
    }
    std::vector<double> seconds;
    double end = 0, engine_end = 0;
    for (int round = 0; round < rounds; ++round) {
      const OdeFamilyRun run = peers[i].run(*member.file.simulate.step_s, scene.steps);
      seconds.push_back(run.cpu_s / scene.steps);
      end = run.end;
    }
    static_cast<void>(engine_seconds(member, scene.steps, peers[i].channel, &engine_end));
    const double times = rates[i].compiled * median(seconds);
    fmt::print("{:<20}{:>10.0f} steps/s, compiled {:.1f} times; {} at the end {:.5g}, engine {:.5g}\n", scene.name,
               1 / median(seconds), times, peers[i].channel, end, engine_end);
    if (i == 0) ratio = times;
  }
  return ratio;
}

int compare(Effort effort) {
  fmt::print("Families of runs, steps per second; lanes that differ in one parameter\n\n");
  fmt::print("{:<20}{:>10}{:>12}{:>8}{:>13}{:>8}{:>10}{:>13}{:>11}{:>8}\n", "", "engine", "compiled", "times",
             "two threads", "times", "by cpu", "uncertified", "% contact", "% hard");
  std::vector<Rates> rates;
  for (const Scene& scene : scenes()) rates.push_back(measure(scene, effort));
  measure_by_hand(scenes().front(), rates.front().compiled, effort);
  fmt::print("\nODE, with contacts made by hand:\n");
  const double ratio = measure_ode(rates, effort);
  fmt::print("batch ratio {:.2f}\n", ratio);
  return 0;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  return freeplay::bench::run_benchmark(argc, argv, &freeplay::bench::compare);
}
