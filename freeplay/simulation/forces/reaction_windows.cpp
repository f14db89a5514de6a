#include "freeplay/simulation/forces/reaction_windows.h"

#include <algorithm>
#include <cmath>

namespace freeplay::simulation {

namespace {

// "pin.force_x" is part of the force of "pin"; "motor.torque" is the one number of "motor"; moments of joints are none.
bool is_component(const std::string& quantity) {
  return quantity == "force_x" || quantity == "force_y" || quantity == "force_z";
}

bool is_effort(const std::string& quantity) {
  return quantity == "force" || quantity == "torque";
}

constexpr double kClearlyLess = 0.999;

}  // namespace

ReactionWindows::ReactionWindows(const std::vector<ChannelInfo>& channels, const ForceWindow& window)
    : window_(window), sums_(channels.size(), static_cast<std::size_t>(window.steps)), impulses_(channels.size(), 0.0) {
  std::string last_joint;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::size_t dot = channels[i].name.rfind('.');
    const std::string element = channels[i].name.substr(0, dot), quantity = channels[i].name.substr(dot + 1);
    if (is_component(quantity) && element == last_joint) {
      elements_.back().push_back(i);
      names.back() = element;
    } else if (is_component(quantity) || is_effort(quantity)) {
      elements_.push_back({i});
      names.push_back(is_effort(quantity) ? element : channels[i].name);  // a component alone is not the force
    }
    last_joint = is_component(quantity) ? element : "";
  }
  for (std::size_t e = 0; e < elements_.size(); ++e) peaks_.add(names[e], channels[elements_[e][0]].unit);
}

void ReactionWindows::after_step(double t, double step_s, std::span<double> values) {
  if (!spans_steps()) {
    note(t, window_.length_s, values);
    return;
  }
  if (!(step_s > 0)) return;
  double* __restrict impulse = impulses_.data();
  double* __restrict value = values.data();
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) impulse[i] = step_s * value[i];
  sums_.push(step_s, impulses_);
  sums_.write_sums(impulses_);
  const double time_s = sums_.time_s(), window_s = std::max(time_s, window_.length_s);
  for (std::size_t i = 0; i < count; ++i) value[i] = impulse[i] / window_s;
  note(t, window_.length_s, values);
  if (window_s == time_s) return;  // as in all steps but the first few: these are the means
  for (std::size_t i = 0; i < count; ++i) value[i] = impulse[i] / time_s;
}

void ReactionWindows::note(double t, double window_s, std::span<const double> means) {
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const double* mean = means.data() + elements_[e][0];  // its components stand one after the other
    double square = mean[0] * mean[0];
    for (std::size_t i = 1; i < elements_[e].size(); ++i) square += mean[i] * mean[i];
    // Hardly ever is it a new peak. Roots and squares are rounded: what is clearly less needs no root.
    const double peak = peaks_.value(e);
    if (square < kClearlyLess * (peak * peak)) continue;
    peaks_.note(e, std::sqrt(square), window_s, t);
  }
}

void ReactionWindows::forget() {
  sums_.forget();
  peaks_.forget();
}

std::vector<double> ReactionWindows::memory() const {
  std::vector<double> numbers;
  peaks_.write(numbers);
  if (spans_steps()) sums_.write(numbers);
  return numbers;
}

bool ReactionWindows::set_memory(std::span<const double> numbers) {
  const std::size_t of_peaks = peaks_.number_count(), of_sums = spans_steps() ? sums_.number_count() : 0;
  if (numbers.size() != of_peaks + of_sums) return false;
  peaks_.take(numbers.first(of_peaks));
  return !spans_steps() || sums_.take(numbers.subspan(of_peaks));
}

}  // namespace freeplay::simulation
