// What a run comes to, in a few numbers: the peak force and where, the hardest blow, blows per turn, how long contacts
// were closed, where the energy went, and whether its drift is small against what the run measures.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/report/findings/blows.h"

namespace freeplay::report {

struct ContactShare {
  std::string element;
  double share = 0;  // of the time, from 0 to 1
};

// The first joint or body that turns at least once, in the order of the file.
struct TurnCount {
  std::string channel;
  double turns = 0;
};

// The drift is compared with the losses where there are any: whoever looks at them wants them right. Without losses it
// is compared with the largest change of the kinetic energy.
struct DriftJudgement {
  enum class Grade : std::uint8_t { kSmall, kNoticeable, kLarge, kUnknown };
  double drift_J = 0, measure_J = 0;  // both positive
  bool is_of_losses = false;
  Grade grade = Grade::kUnknown;
  bool is_forces_of_start = false;  // the scheme took forces that depend on velocities where a step begins
  double share() const { return drift_J / measure_J; }
};
inline constexpr double kSmallDrift = 0.01, kLargeDrift = 0.1;  // of the measure
DriftJudgement judge_drift(double drift_J, double losses_J, double kinetic_change_J);
// "too much to trust them", and the cure where the scheme has one; "" for a small drift.
std::string drift_advice(const DriftJudgement& judgement);
// "the energy drift reaches 16 % of the losses: too much to trust them"
std::string drift_sentence(const DriftJudgement& judgement);

struct RunFindings {
  std::optional<PeakForce> peak_force;  // of those in N
  Blows blows;
  std::optional<TurnCount> turns;
  std::vector<ContactShare> contact;
  EnergyAccount account;
  DriftJudgement drift;
  std::optional<double> blows_per_turn() const;
};

// Nothing of forces, losses and drift while the run goes on.
RunFindings find_out(const ResultReader& result);

// Whether find_out() takes no longer than a moment: so many modes are to be read.
bool is_found_quickly(const ResultReader& result);

// SI throughout; docs/reference/command.md lists the keys. `most_blows`: the hardest ones.
nlohmann::ordered_json findings_json(const RunFindings& findings, std::size_t most_blows);
nlohmann::ordered_json blow_json(const Blows& blows, const Blow& blow);

}  // namespace freeplay::report
