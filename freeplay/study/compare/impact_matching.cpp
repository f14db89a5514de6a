#include "freeplay/study/compare/impact_matching.h"

#include <algorithm>
#include <cmath>

namespace freeplay::study {

namespace {

// Impulses belong to a step, and so do the times of impacts; where contacts are forces or events, times are found.
double time_resolution(const StudyRun& run) {
  return run.traits.contact_treatment == ContactTreatment::kImpulses ? run.typical_step_s() : 0;
}

double fastest(const std::vector<ImpactSequence>& sequences) {
  double largest = 0;
  for (const ImpactSequence& sequence : sequences) {
    for (const ImpactRecord& impact : sequence) largest = std::max(largest, approach_speed(impact));
  }
  return largest;
}

double hardest(const std::vector<ImpactSequence>& sequences) {
  double largest = 0;
  for (const ImpactSequence& sequence : sequences) {
    for (const ImpactRecord& impact : sequence) largest = std::max(largest, impact.normal_impulse);
  }
  return largest;
}

struct Limits {
  double slow_m_s = 0, skippable_m_s = 0;
  double speed_floor_m_s = 0, impulse_floor = 0;
  double time_s = 0;
  double end_s = 0;
};

// Of one contact point. `longest_interval` grows as the walk goes on.
class Walk {
 public:
  Walk(const ImpactSequence& a, const ImpactSequence& b, const MatchOptions& options, const Limits& limits)
      : a_(a), b_(b), options_(options), limits_(limits) {}

  std::optional<Parting> run(std::vector<std::pair<ImpactRecord, ImpactRecord>>& pairs) {
    while (true) {
      skip_slow(a_, i_);
      skip_slow(b_, j_);
      const ImpactRecord* x = i_ < a_.size() ? &a_[i_] : nullptr;
      const ImpactRecord* y = j_ < b_.size() ? &b_[j_] : nullptr;
      if (x == nullptr && y == nullptr) return {};
      std::optional<Parting> parting = compare(x, y);
      if (!parting) {
        pairs.emplace_back(*x, *y);
        longest_interval_s_ = std::max(longest_interval_s_, x->time_s - previous_s_);
        previous_s_ = x->time_s;
        ++i_;
        ++j_;
        continue;
      }
      if (!skip_unmatched(x, y)) return parting;
    }
  }

 private:
  void skip_slow(const ImpactSequence& list, std::size_t& index) const {
    while (index < list.size() && approach_speed(list[index]) < limits_.slow_m_s) ++index;
  }

  // The earlier one of the two, if it is slow enough to lack a partner.
  bool skip_unmatched(const ImpactRecord* x, const ImpactRecord* y) {
    const bool x_is_first = y == nullptr || (x != nullptr && x->time_s <= y->time_s);
    const ImpactRecord& first = x_is_first ? *x : *y;
    if (approach_speed(first) >= limits_.skippable_m_s) return false;
    ++(x_is_first ? i_ : j_);
    return true;
  }

  std::optional<Parting> compare(const ImpactRecord* x, const ImpactRecord* y) const {
    Parting parting;
    parting.order = static_cast<int>(i_) + 1;
    if (x != nullptr) parting.reference = *x;
    if (y != nullptr) parting.other = *y;
    if (x == nullptr || y == nullptr) {
      const double t = x != nullptr ? x->time_s : y->time_s;
      // Its partner may come after the end of the shorter run.
      if (t > limits_.end_s - time_allowance(t)) return parting_of(parting, PartingKind::kMissing, t, 0, 0, true);
      return parting_of(parting, PartingKind::kMissing, t, 0, 0);
    }
    const double t = std::min(x->time_s, y->time_s);
    const double allowed_s = time_allowance(x->time_s), time_difference = std::abs(x->time_s - y->time_s);
    if (time_difference > allowed_s) return time_parting(parting, *x, *y, time_difference, allowed_s);
    const double allowed_speed = std::max(options_.relative * approach_speed(*x), limits_.speed_floor_m_s);
    const double speed_difference = std::abs(approach_speed(*x) - approach_speed(*y));
    if (speed_difference > allowed_speed)
      return parting_of(parting, PartingKind::kSpeed, t, speed_difference, allowed_speed);
    const double allowed_impulse = std::max(options_.relative * x->normal_impulse, limits_.impulse_floor);
    const double impulse_difference = std::abs(x->normal_impulse - y->normal_impulse);
    if (impulse_difference > allowed_impulse)
      return parting_of(parting, PartingKind::kImpulse, t, impulse_difference, allowed_impulse);
    return {};
  }

  // Late, or missing: if the later one fits the next impact of the other run better, the earlier one has no partner.
  std::optional<Parting> time_parting(Parting parting, const ImpactRecord& x, const ImpactRecord& y, double difference,
                                      double allowed) const {
    const bool x_is_first = x.time_s < y.time_s;
    const ImpactSequence& list = x_is_first ? a_ : b_;
    const std::size_t next = (x_is_first ? i_ : j_) + 1;
    const double later = std::max(x.time_s, y.time_s), earlier = std::min(x.time_s, y.time_s);
    if (next < list.size() && std::abs(list[next].time_s - later) < difference) {
      (x_is_first ? parting.other : parting.reference).reset();
      return parting_of(parting, PartingKind::kMissing, earlier, 0, 0);
    }
    return parting_of(parting, PartingKind::kTime, earlier, difference, allowed);
  }

  std::optional<Parting> parting_of(Parting parting, PartingKind kind, double t, double difference, double allowed,
                                    bool is_at_end = false) const {
    parting.kind = kind;
    parting.time_s = t;
    parting.difference = difference;
    parting.allowed = allowed;
    if (is_at_end) parting.time_s = limits_.end_s;
    return parting;
  }

  double time_allowance(double t) const {
    const double interval = std::max(longest_interval_s_, t - previous_s_);
    return std::max(limits_.time_s, options_.relative_interval * interval);
  }

  const ImpactSequence &a_, &b_;
  const MatchOptions& options_;
  const Limits& limits_;
  std::size_t i_ = 0, j_ = 0;
  double longest_interval_s_ = 0, previous_s_ = 0;
};

ImpactSequence between(const ImpactSequence& list, double from_s, double to_s) {
  ImpactSequence part;
  for (const ImpactRecord& impact : list) {
    if (impact.time_s >= from_s && impact.time_s <= to_s) part.push_back(impact);
  }
  return part;
}

}  // namespace

double approach_speed(const ImpactRecord& impact) {
  return std::abs(impact.normal_velocity_before);
}

const char* to_string(PartingKind kind) {
  switch (kind) {
    case PartingKind::kTime:
      return "time";
    case PartingKind::kSpeed:
      return "speed";
    case PartingKind::kImpulse:
      return "impulse";
    case PartingKind::kMissing:
      break;
  }
  return "missing";
}

std::vector<ImpactSequence> impact_sequences(const StudyRun& run) {
  constexpr double kHeld = 1.5;  // steps between records of a contact that is held
  std::vector<ImpactSequence> sequences(run.contacts.size());
  std::vector<double> last(run.contacts.size(), -1);
  const double held_s = kHeld * time_resolution(run);
  for (const ImpactRecord& impact : run.impacts) {
    const std::size_t contact = static_cast<std::size_t>(impact.contact);
    // Where times are found, impacts at one instant are several: those of parts that strike each other in turn.
    const bool is_held = held_s > 0 && last[contact] >= 0 && impact.time_s - last[contact] <= held_s;
    last[contact] = impact.time_s;
    if (!is_held) sequences[contact].push_back(impact);
  }
  return sequences;
}

MatchOptions options_for(const StudyRun& run) {
  const std::vector<ImpactSequence> sequences = impact_sequences(run);
  MatchOptions options;
  options.fastest_m_s = fastest(sequences);
  options.hardest_N_s = hardest(sequences);
  return options;
}

MatchResult match_impacts(const StudyRun& reference, const StudyRun& other, const MatchOptions& options,
                          double from_s) {
  constexpr double kImpulseFloor = 1e-3;  // of the hardest impact
  const std::vector<ImpactSequence> a = impact_sequences(reference), b = impact_sequences(other);
  Limits limits;
  const double fastest_m_s = options.fastest_m_s > 0 ? options.fastest_m_s : fastest(a);
  limits.slow_m_s = std::max(options.slow * fastest_m_s, 2 * reference.options.impact_threshold_m_s);
  limits.skippable_m_s = options.skippable * limits.slow_m_s;
  limits.speed_floor_m_s = limits.slow_m_s / 2;
  limits.impulse_floor = kImpulseFloor * (options.hardest_N_s > 0 ? options.hardest_N_s : hardest(a));
  limits.time_s = options.steps * std::max(time_resolution(reference), time_resolution(other));
  limits.end_s = std::min(reference.summary.time_s, other.summary.time_s);
  MatchResult result;
  for (std::size_t contact = 0; contact < std::min(a.size(), b.size()); ++contact) {
    const ImpactSequence x = between(a[contact], from_s, limits.end_s), y = between(b[contact], from_s, limits.end_s);
    std::optional<Parting> parting = Walk(x, y, options, limits).run(result.pairs);
    // What only the end of the run has cut off is no parting.
    if (!parting || parting->time_s >= limits.end_s) continue;
    parting->contact = static_cast<int>(contact);
    for (const ImpactRecord& impact : a[contact]) parting->order += impact.time_s < from_s ? 1 : 0;
    if (!result.parting || parting->time_s < result.parting->time_s) result.parting = parting;
  }
  std::stable_sort(result.pairs.begin(), result.pairs.end(),
                   [](const auto& p, const auto& q) { return p.first.time_s < q.first.time_s; });
  if (result.parting) {
    const auto later = [&](const auto& pair) {
      return std::min(pair.first.time_s, pair.second.time_s) > result.parting->time_s;
    };
    result.pairs.erase(std::remove_if(result.pairs.begin(), result.pairs.end(), later), result.pairs.end());
  }
  result.matched = static_cast<int>(result.pairs.size());
  for (const auto& [x, y] : result.pairs) {
    result.largest_time_difference_s = std::max(result.largest_time_difference_s, std::abs(x.time_s - y.time_s));
    result.largest_speed_difference_m_s =
        std::max(result.largest_speed_difference_m_s, std::abs(approach_speed(x) - approach_speed(y)));
  }
  return result;
}

std::vector<Accumulation> accumulations(const std::vector<ImpactSequence>& sequences) {
  constexpr double kLargestRatio = 0.95, kMostSpread = 2.5;
  constexpr int kFewest = 4;
  std::vector<Accumulation> found;
  for (std::size_t contact = 0; contact < sequences.size(); ++contact) {
    const ImpactSequence& list = sequences[contact];
    std::size_t first = 0;
    while (first + 2 < list.size()) {
      // As long as intervals shrink by factors of the same kind and impacts grow slower.
      std::size_t last = first + 1;
      double smallest = 1, largest = 0;
      while (last + 1 < list.size()) {
        const double before = list[last].time_s - list[last - 1].time_s;
        const double ratio = (list[last + 1].time_s - list[last].time_s) / before;
        if (!(ratio < kLargestRatio) || approach_speed(list[last + 1]) > approach_speed(list[last])) break;
        if (std::max(largest, ratio) > kMostSpread * std::min(smallest, ratio)) break;
        smallest = std::min(smallest, ratio);
        largest = std::max(largest, ratio);
        ++last;
      }
      const int impacts = static_cast<int>(last - first) + 1;
      if (impacts < kFewest) {
        ++first;
        continue;
      }
      Accumulation cluster;
      cluster.contact = static_cast<int>(contact);
      cluster.begin_s = list[first].time_s;
      cluster.last_s = list[last].time_s;
      cluster.impacts = impacts;
      const double first_interval = list[first + 1].time_s - list[first].time_s;
      const double last_interval = list[last].time_s - list[last - 1].time_s;
      cluster.ratio = std::pow(last_interval / first_interval, 1.0 / (impacts - 2));
      cluster.limit_s = cluster.last_s + last_interval * cluster.ratio / (1 - cluster.ratio);
      found.push_back(cluster);
      first = last;
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Accumulation& x, const Accumulation& y) { return x.begin_s < y.begin_s; });
  return found;
}

}  // namespace freeplay::study
