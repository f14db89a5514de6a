#include "freeplay/simulation/forces/recent_loads.h"

#include <algorithm>
#include <cmath>

namespace freeplay::simulation {

namespace {

constexpr double kFreeSteps = 2.5;    // as many free steps, 2, do not end a contact
constexpr double kAnotherBlow = 2.0;  // times the fastest approach before
constexpr double kFading = 0.5;       // of an approach, from load to load
constexpr int kLasting = 5;           // as many loads are a contact that lasts
constexpr double kSlow = 10;          // times the threshold of impacts

// The points of a state mostly stand in the order of their keys.
template <class List, class Less>
void sort_if_needed(List& list, const Less& less) {
  if (!std::is_sorted(list.begin(), list.end(), less)) std::sort(list.begin(), list.end(), less);
}

}  // namespace

const RecentLoads::Load* RecentLoads::find(ContactKey key) const {
  const auto place = std::lower_bound(loads_.begin(), loads_.end(), key,
                                      [](const Load& load, const ContactKey& k) { return load.key < k; });
  return place != loads_.end() && place->key == key ? &*place : nullptr;
}

void RecentLoads::after_step(const State& state, double dt) {
  const double start_s = state.t - dt;
  earlier_.clear();
  for (const ContactMemory& memory : state.contacts) {
    if (!(memory.normal_impulse > 0)) continue;
    Load load{memory.key, state.t, 1, std::max(0.0, -memory.normal_velocity_before)};
    if (const Load* before = find(memory.key); before != nullptr && start_s - before->end_s < kFreeSteps * dt) {
      load.count = std::min(before->count + 1, kLasting);
      load.earlier_m_s = before->approach_m_s;
      load.approach_m_s = std::max(load.approach_m_s, kFading * before->approach_m_s);
    }
    earlier_.push_back(load);
  }
  const std::size_t loaded = earlier_.size();
  const auto by_key = [](const Load& a, const Load& b) { return a.key < b.key; };
  sort_if_needed(earlier_, by_key);
  // Those that are free now, but not for long.
  for (const Load& load : loads_) {
    const auto end = earlier_.begin() + static_cast<std::ptrdiff_t>(loaded);
    if (state.t - load.end_s < kFreeSteps * dt && !std::binary_search(earlier_.begin(), end, load, by_key))
      earlier_.push_back(load);
  }
  sort_if_needed(earlier_, by_key);
  loads_.swap(earlier_);
}

bool RecentLoads::goes_on(const ContactMemory& memory, double threshold_m_s) const {
  const Load* load = find(memory.key);
  if (load != nullptr && load->count > 1 && -memory.normal_velocity_before <= kSlow * threshold_m_s) return true;
  return load != nullptr && load->count >= kLasting &&
         -memory.normal_velocity_before <= kAnotherBlow * load->earlier_m_s;
}

// A key has more bits than a number can hold.
void RecentLoads::write(std::vector<double>& numbers) const {
  numbers.push_back(static_cast<double>(loads_.size()));
  for (const Load& load : loads_) {
    numbers.insert(
        numbers.end(),
        {static_cast<double>(load.key.pair >> 32), static_cast<double>(load.key.pair & 0xffffffffU),
         static_cast<double>(load.key.point), load.end_s, static_cast<double>(load.count), load.approach_m_s});
  }
}

std::size_t RecentLoads::take(std::span<const double> numbers) {
  constexpr std::size_t kNumbers = 6;
  constexpr double kMost = 4294967295.0;
  const auto is_index = [](double number) { return number >= 0 && number <= kMost && number == std::floor(number); };
  loads_.clear();
  if (numbers.empty() || !is_index(numbers[0])) return 0;
  const std::size_t count = static_cast<std::size_t>(numbers[0]);
  if (count > (numbers.size() - 1) / kNumbers) return 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const double> item = numbers.subspan(1 + i * kNumbers, kNumbers);
    if (!is_index(item[0]) || !is_index(item[1]) || !is_index(item[2]) || !is_index(item[4])) return 0;
    Load load;
    load.key = {(static_cast<std::uint64_t>(item[0]) << 32) | static_cast<std::uint64_t>(item[1]),
                static_cast<std::uint32_t>(item[2])};
    load.end_s = item[3];
    load.count = static_cast<int>(std::min(item[4], double{kLasting}));
    load.approach_m_s = item[5];
    loads_.push_back(load);
  }
  return 1 + count * kNumbers;
}

}  // namespace freeplay::simulation
