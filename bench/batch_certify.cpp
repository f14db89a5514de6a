// Very many compiled steps on random parameters: how many lanes are left to the engine, and for what; and whether
// anything passed that the engine would not have certified. The engine judges a sample by itself: it takes the state
// before a step and does that step, certified by its own natural residual; the compiled lane has to come to the same
// velocities.
//
// usage: bench_batch_certify [--quick] | [LANE_STEPS SEED [RULE]]     RULE: paper or kept, default: both
// The ratio is 1 if the engine confirmed every step that it checked, otherwise 0.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/last_row.h"
#include "freeplay/compile/compiled_family.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_family.h"

namespace freeplay::bench {
namespace {

struct RandomRange {
  std::string name, unit;
  double least, largest;
};

struct RandomScene {
  std::string name, file;
  std::vector<std::string> options;
  std::vector<RandomRange> ranges;
  int steps;  // of a lane
};

const std::vector<RandomScene>& random_scenes() {
  static const std::vector<RandomScene> list = {
      {"slider_crank",
       FREEPLAY_EXAMPLES_DIR "/slider_crank.yaml",
       {"simulate.solver=auto", "simulate.step=10 us", "simulate.duration=0.2 s"},
       {{"c", "mm", 0.05, 2},
        {"restitution", "", 0, 0.95},
        {"friction", "", 0, 0.4},
        {"slider_omega", "rad/s", -5, 5},
        {"crank_omega", "rad/s", 50, 250}},
       20000},
      {"cam_follower",
       FREEPLAY_EXAMPLES_DIR "/cam_follower.yaml",
       {"simulate.step=30 us", "simulate.duration=0.6 s"},
       {{"cam_speed", "rad/s", 5, 40}, {"restitution", "", 0, 0.95}, {"preload", "N", 0, 100}},
       20000},
      {"four_bar_plays",
       FREEPLAY_BENCH_DIR "/four_bar_plays.yaml",
       {"simulate.duration=0.2 s"},
       {{"clearance", "mm", 0.05, 0.5}, {"restitution", "", 0, 0.9}, {"friction", "", 0, 0.3}},
       20000},
  };
  return list;
}

struct CertifiedMember {
  ModelFile file;
  Model model;
};

// One scene under one rule.
class Certification {
 public:
  Certification(const RandomScene& scene, const std::string& rule, std::uint64_t seed)
      : scene_(scene),
        keeps_contacts_(rule == "kept"),
        family_(scene.file, options_of(scene, rule)),
        random_(seed),
        code_(make_code()) {}

  void run(double lane_steps) {
    const int width = code_.width();
    for (long long pack = 0; static_cast<double>(steps_) < lane_steps; ++pack) {
      std::vector<CertifiedMember> members;
      std::vector<LaneData> lanes;
      for (int k = 0; k < width; ++k) {
        members.push_back(draw());
        lanes.push_back(code_.lane(members.back().file, members.back().model).value());
      }
      if (pack % kPacksPerCheck == 0) keeps_contacts_ ? check_run(members, lanes) : check_step(members, lanes);
      code_.run(lanes, {});
      for (const LaneData& lane : lanes) ++by_status_.at(static_cast<std::size_t>(lane.status));
      steps_ += static_cast<long long>(scene_.steps) * width;
    }
  }

  // How many steps passed that the engine does not confirm.
  long long print(const std::string& rule) const {
    long long lanes = 0;
    for (const long long count : by_status_) lanes += count;
    const long long left = lanes - by_status_[0];
    fmt::print("{:<15}{:<7}{:>13}{:>9}{:>7}{:>9.4f}{:>9}{:>10.1e}{:>9}\n", scene_.name, rule, steps_, lanes, left,
               100.0 * static_cast<double>(left) / static_cast<double>(std::max(1LL, lanes)), checked_, worst_,
               unconfirmed_);
    for (std::size_t status = 1; status < by_status_.size(); ++status) {
      if (by_status_[status] > 0)
        fmt::print("    {} lanes: {}\n", by_status_[status], lane_status_text(static_cast<int>(status)));
    }
    return unconfirmed_;
  }

 private:
  static constexpr long long kPacksPerCheck = 10;
  static constexpr int kStepsOfCheckedRun = 300;
  static constexpr double kSameVelocity = 1e-9;

  static std::vector<std::string> options_of(const RandomScene& scene, const std::string& rule) {
    std::vector<std::string> options = scene.options;
    options.push_back("simulate.lasting_contacts=" + rule);
    return options;
  }

  CertifiedMember draw() {
    std::vector<std::string> values;
    for (const RandomRange& range : scene_.ranges)
      values.push_back(fmt::format("{}={:.17g}{}", range.name,
                                   std::uniform_real_distribution<>(range.least, range.largest)(random_),
                                   range.unit.empty() ? "" : " " + range.unit));
    CertifiedMember member{family_.member(values), {}};
    member.file.record.channels = {"step.residual"};
    member.model = build_model(member.file);
    return member;
  }

  CompiledFamily make_code() {
    std::vector<CertifiedMember> members;
    for (int k = 0; k < 12; ++k) members.push_back(draw());
    std::vector<CompiledFamily::Sample> samples;
    for (const CertifiedMember& member : members) samples.push_back({member.file, member.model});
    return {samples, {}};
  }

  // The engine from `start` to `end_s`; its velocities, and none if it has not certified every step.
  static std::vector<double> engine_velocities(CertifiedMember member, const State& start, double end_s) {
    member.file.simulate.duration_s = end_s;
    const std::unique_ptr<Simulation> simulation = build_simulation(member.file, member.model);
    LastRow last;
    simulation->open(start, last, {});
    while (simulation->advance()) {
    }
    const RunSummary summary = simulation->close();
    if (summary.status != RunStatus::kCompleted) return {};
    if (!(last.values.at(0) <= member.file.simulate.solver_tolerance_m_s)) return {};
    const State& end = simulation->state();
    return {end.u.begin(), end.u.end()};
  }

  // Without a memory of contacts the state before a step is all that it depends on.
  void check_step(const std::vector<CertifiedMember>& members, const std::vector<LaneData>& start) {
    const int k = std::uniform_int_distribution<>(1, scene_.steps - 2)(random_);
    std::vector<LaneData> before = start, after = start;
    for (LaneData& lane : before) lane.end_s = k * lane.step_s;
    for (LaneData& lane : after) lane.end_s = (k + 1) * lane.step_s;
    code_.run(before, {});
    code_.run(after, {});
    for (std::size_t i = 0; i < start.size(); ++i) {
      if (before[i].status != 0 || after[i].status != 0) continue;
      State state = members[i].model.system->initial_state();
      const auto n = static_cast<std::size_t>(state.u.size());
      state.t = k * start[i].step_s;
      std::copy_n(before[i].state.begin(), n, state.q.begin());
      std::copy_n(before[i].state.begin() + static_cast<std::ptrdiff_t>(n), n, state.u.begin());
      compare(engine_velocities(members[i], state, state.t + start[i].step_s), after[i], n);
    }
  }

  // With it: a run from the start, too short for rounding to grow.
  void check_run(const std::vector<CertifiedMember>& members, const std::vector<LaneData>& start) {
    std::vector<LaneData> lanes = start;
    for (LaneData& lane : lanes) lane.end_s = kStepsOfCheckedRun * lane.step_s;
    code_.run(lanes, {});
    for (std::size_t i = 0; i < start.size(); ++i) {
      if (lanes[i].status != 0) continue;
      const State state = members[i].model.system->initial_state();
      compare(engine_velocities(members[i], state, lanes[i].end_s), lanes[i], static_cast<std::size_t>(state.u.size()));
    }
  }

  void compare(const std::vector<double>& engine, const LaneData& lane, std::size_t n) {
    ++checked_;
    if (engine.empty()) {
      ++unconfirmed_;
      return;
    }
    double difference = 0, scale = 1;
    for (std::size_t i = 0; i < n; ++i) {
      difference = std::max(difference, std::abs(engine[i] - lane.state[n + i]));
      scale = std::max(scale, std::abs(engine[i]));
    }
    worst_ = std::max(worst_, difference / scale);
    unconfirmed_ += difference > kSameVelocity * scale ? 1 : 0;
  }

  const RandomScene& scene_;
  bool keeps_contacts_;
  ModelFamily family_;
  std::mt19937_64 random_;
  CompiledFamily code_;
  std::array<long long, 8> by_status_{};
  long long steps_ = 0, checked_ = 0, unconfirmed_ = 0;
  double worst_ = 0;
};

int certify(double lane_steps, std::uint64_t seed, const std::string& only) {
  fmt::print("{:<15}{:<7}{:>13}{:>9}{:>7}{:>9}{:>9}{:>10}{:>9}\n", "", "rule", "lane-steps", "lanes", "left", "%",
             "checked", "worst", "wrong");
  long long wrong = 0;
  for (const RandomScene& scene : random_scenes()) {
    for (const std::string rule : {"paper", "kept"}) {
      if (!only.empty() && only != rule) continue;
      Certification certification(scene, rule, seed);
      certification.run(lane_steps);
      wrong += certification.print(rule);
    }
  }
  fmt::print("batch_certify ratio {:.2f}\n", wrong == 0 ? 1.0 : 0.0);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::string_view(argv[1]) == "--quick") return freeplay::bench::certify(1e6, 1, "");
    if (argc == 1) return freeplay::bench::certify(1e7, 1, "");
    if (argc != 3 && argc != 4) throw std::invalid_argument("usage: bench_batch_certify LANE_STEPS SEED [RULE]");
    return freeplay::bench::certify(std::atof(argv[1]), std::strtoull(argv[2], nullptr, 10), argc == 4 ? argv[3] : "");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
