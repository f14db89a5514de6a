#include "freeplay/simulation/recording/force_impacts.h"

#include <algorithm>

namespace freeplay::simulation {

namespace {

// Of the speed of approach: a slower motion is neither compression nor expansion.
constexpr double kStill = 0.01;
// Times the compression: an expansion that has not begun by then does not come. The elastic force is largest at the end
// of the compression, so that parts that will separate move apart at once.
constexpr double kPatience = 4;

ForceImpacts::Values values_of(const ContactMemory& memory) {
  return {memory.normal_velocity_after, memory.tangential_velocity_after, memory.contact_impulse,
          memory.contact_tangential_impulse, memory.contact_loss};
}

}  // namespace

std::optional<ForceImpacts::Values> ForceImpacts::after_step(std::size_t point, const ContactMemory& memory, double t) {
  Watch& watch = watches_[point];
  if (memory.has_just_ended) {
    const bool was_lasting = watch.phase == Phase::kLasting;
    watch = {};
    return was_lasting ? std::nullopt : std::optional(values_of(memory));
  }
  if (!memory.is_touching) return {};
  if (watch.phase == Phase::kNone || watch.onset_s != memory.onset_time_s) {
    watch = {};
    watch.phase = Phase::kCompression;
    watch.onset_s = memory.onset_time_s;
  }
  if (t == watch.onset_s) return {};  // no step with this contact yet
  const double velocity = memory.normal_velocity_after, still = kStill * -memory.normal_velocity_before;
  if (watch.phase == Phase::kCompression) {
    if (velocity > still) {
      watch.phase = Phase::kExpansion;
      watch.values = values_of(memory);
    } else if (watch.compressed_s == 0 && velocity >= -still) {
      watch.compressed_s = t - watch.onset_s;
      watch.values = values_of(memory);
    } else if (watch.compressed_s > 0 && t - watch.onset_s > kPatience * watch.compressed_s) {
      watch.phase = Phase::kLasting;
      return watch.values;
    }
  } else if (watch.phase == Phase::kExpansion) {
    if (velocity > watch.values.normal_velocity) watch.values = values_of(memory);
    if (velocity <= 0) {
      watch.phase = Phase::kLasting;
      return watch.values;
    }
  }
  return {};
}

void ForceImpacts::forget() {
  std::fill(watches_.begin(), watches_.end(), Watch());
}

void ForceImpacts::write(std::vector<double>& numbers) const {
  for (const Watch& watch : watches_) {
    const Values& v = watch.values;
    numbers.insert(numbers.end(), {static_cast<double>(watch.phase), watch.onset_s, watch.compressed_s,
                                   v.normal_velocity, v.tangential_velocity[0], v.tangential_velocity[1],
                                   v.normal_impulse, v.tangential_impulse[0], v.tangential_impulse[1], v.loss_J});
  }
}

void ForceImpacts::take(std::span<const double> numbers) {
  const double* n = numbers.data();
  for (Watch& watch : watches_) {
    const double phase = n[0] >= 0 && n[0] <= static_cast<double>(Phase::kLasting) ? n[0] : 0;
    watch = {static_cast<Phase>(phase), n[1], n[2], {n[3], Vec2(n[4], n[5]), n[6], Vec2(n[7], n[8]), n[9]}};
    n += kNumbers;
  }
}

}  // namespace freeplay::simulation
