// Very many compiled steps on random parameters: how many lanes are left to the engine, and for what; and whether
// anything passed that the engine would not have certified. In every step of every lane the natural residual is tested
// by the lane itself. The engine judges a sample of them: it takes the state of the lane before a step, with what the
// lane remembers of its contacts, and does that one step, certified by its own natural residual; the compiled lane has
// to come to the same velocities.
//
// usage: bench_batch_certify [--quick] | [LANE_STEPS SEED [RULE [SCENE [SECONDS]]]]
// RULE: paper, kept or both; SCENE: one of the three, or all; of each scene and rule so many lane-steps, but no longer
// than SECONDS. FREEPLAY_MODELS: a folder that has the model files, where the sources are not at hand.
// The ratio is 1 if the engine confirmed every step that it checked, otherwise 0.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/compile/compiled_family.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_family.h"
#include "freeplay/simulation/integrator_choice.h"

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

std::string model_path(const RandomScene& scene) {
  const char* folder = std::getenv("FREEPLAY_MODELS");
  const std::filesystem::path file = scene.file;
  return folder == nullptr ? file.string() : (std::filesystem::path(folder) / file.filename()).string();
}

struct Amount {
  double lane_steps, seconds;
};

struct CertifiedMember {
  ModelFile file;
  Model model;
};

// One scene under one rule.
class Certification {
 public:
  Certification(const RandomScene& scene, const std::string& rule, std::uint64_t seed)
      : scene_(scene), family_(model_path(scene), options_of(scene, rule)), random_(seed), code_(make_code()) {}

  void run(const Amount& amount) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    const int width = code_.width();
    for (long long pack = 0; static_cast<double>(steps_) < amount.lane_steps && seconds() < amount.seconds; ++pack) {
      std::vector<CertifiedMember> members;
      std::vector<LaneData> lanes;
      for (int k = 0; k < width; ++k) {
        members.push_back(draw());
        lanes.push_back(code_.lane(members.back().file, members.back().model).value());
      }
      if (pack % kPacksPerCheck == 0) check_step(members, lanes);
      in_contact_ += code_.run_counting(lanes).contact_steps;
      for (const LaneData& lane : lanes) ++by_status_.at(static_cast<std::size_t>(lane.status));
      steps_ += static_cast<long long>(scene_.steps) * width;
    }
  }

  // How many steps passed that the engine does not confirm.
  long long print(const std::string& rule) const {
    long long lanes = 0;
    for (const long long count : by_status_) lanes += count;
    const long long left = lanes - by_status_[0];
    fmt::print("{:<15}{:<7}{:>13}{:>13}{:>9}{:>7}{:>9.4f}{:>9}{:>10.1e}{:>9}\n", scene_.name, rule, steps_, in_contact_,
               lanes, left, 100.0 * static_cast<double>(left) / static_cast<double>(std::max(1LL, lanes)), checked_,
               worst_, unconfirmed_);
    for (std::size_t status = 1; status < by_status_.size(); ++status) {
      if (by_status_[status] > 0)
        fmt::print("    {} lanes: {}\n", by_status_[status], lane_status_text(static_cast<int>(status)));
    }
    return unconfirmed_;
  }

 private:
  static constexpr long long kPacksPerCheck = 5;
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

  // The lane before a step as the engine would have it: a point's memory of the step before is its velocity, its drift
  // and whether it carried an impulse (PointMemory in compiled_lanes.inc).
  static State engine_state(const State& aligned, const LaneData& lane, double t_s) {
    State state = aligned;
    state.t = t_s;
    const std::size_t n = static_cast<std::size_t>(state.u.size());
    std::copy_n(lane.state.begin(), n, state.q.begin());
    std::copy_n(lane.state.begin() + static_cast<std::ptrdiff_t>(n), n, state.u.begin());
    if (lane.state.size() != 2 * n + 3 * state.contacts.size())
      throw std::runtime_error("a lane has other points than the engine");
    for (std::size_t p = 0; p < state.contacts.size(); ++p) {
      const double* memory = &lane.state[2 * n + 3 * p];
      ContactMemory& contact = state.contacts[p];
      if (memory[2] == 0) continue;
      contact.normal_velocity_after = memory[0] + memory[1];
      contact.normal_drift = memory[1];
      contact.normal_impulse = memory[2] > 1.5 ? 1 : 0;  // only its sign is asked for
    }
    return state;
  }

  // Velocities of the engine one step after the lane; none if it does not certify the step.
  static std::vector<double> engine_velocities(const CertifiedMember& member, const LaneData& before, double t_s) {
    const std::unique_ptr<Integrator> integrator =
        make_integrator(*member.model.system, *member.model.contacts, member.file.simulate);
    State state = member.model.system->initial_state();
    if (integrator->start(state).status != StepStatus::kOk) return {};
    state = engine_state(state, before, t_s);
    if (integrator->resume(state, {}) != StepStatus::kOk) return {};
    const StepReport report = integrator->step(state, t_s + before.step_s);
    if (report.status != StepStatus::kOk) return {};
    if (!(report.residual_m_s <= member.file.simulate.solver_tolerance_m_s)) return {};
    return {state.u.begin(), state.u.end()};
  }

  // One step of each lane, somewhere in its run.
  void check_step(const std::vector<CertifiedMember>& members, const std::vector<LaneData>& start) {
    const int k = std::uniform_int_distribution<>(1, scene_.steps - 2)(random_);
    std::vector<LaneData> before = start, after = start;
    for (LaneData& lane : before) lane.end_s = k * lane.step_s;
    for (LaneData& lane : after) lane.end_s = (k + 1) * lane.step_s;
    code_.run(before, {});
    code_.run(after, {});
    for (std::size_t i = 0; i < start.size(); ++i) {
      if (before[i].status != 0 || after[i].status != 0) continue;
      const std::size_t n = static_cast<std::size_t>(members[i].model.system->velocity_count());
      compare(engine_velocities(members[i], before[i], k * start[i].step_s), after[i], n);
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
  ModelFamily family_;
  std::mt19937_64 random_;
  CompiledFamily code_;
  std::array<long long, 8> by_status_{};
  long long steps_ = 0, in_contact_ = 0, checked_ = 0, unconfirmed_ = 0;
  double worst_ = 0;
};

bool is_asked_for(const std::string& name, const std::string& only, const char* any) {
  return only == any || only == name;
}

int certify(const Amount& amount, std::uint64_t seed, const std::string& rules, const std::string& scenes) {
  fmt::print("{:<15}{:<7}{:>13}{:>13}{:>9}{:>7}{:>9}{:>9}{:>10}{:>9}\n", "", "rule", "lane-steps", "in contact",
             "lanes", "left", "%", "checked", "worst", "wrong");
  long long wrong = 0;
  int count = 0;
  for (const RandomScene& scene : random_scenes()) {
    for (const std::string rule : {"paper", "kept"}) {
      if (!is_asked_for(rule, rules, "both") || !is_asked_for(scene.name, scenes, "all")) continue;
      Certification certification(scene, rule, seed);
      certification.run(amount);
      wrong += certification.print(rule);
      ++count;
    }
  }
  if (count == 0) throw std::invalid_argument("there is no such rule or scene");
  fmt::print("batch_certify ratio {:.2f}\n", wrong == 0 ? 1.0 : 0.0);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace freeplay::bench

int main(int argc, char** argv) {
  constexpr double kNoLimit_s = 1e9;
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 1 && words[0] == "--quick")
      return freeplay::bench::certify({1e6, kNoLimit_s}, 1, "both", "all");
    if (words.empty()) return freeplay::bench::certify({1e7, kNoLimit_s}, 1, "both", "all");
    if (words.size() < 2 || words.size() > 5)
      throw std::invalid_argument("usage: bench_batch_certify LANE_STEPS SEED [RULE [SCENE [SECONDS]]]");
    const double seconds = words.size() > 4 ? std::stod(words[4]) : kNoLimit_s;
    return freeplay::bench::certify({std::stod(words[0]), seconds}, std::stoull(words[1]),
                                    words.size() > 2 ? words[2] : "both", words.size() > 3 ? words[3] : "all");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
