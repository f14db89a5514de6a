#include "freeplay/simulation/forces/sliding_sums.h"

#include <algorithm>

namespace freeplay::simulation {

SlidingSums::SlidingSums(std::size_t columns, std::size_t steps)
    : width_(1 + columns), steps_(std::max<std::size_t>(steps, 1)), recent_(width_, 0.0) {}

void SlidingSums::push(double step_s, std::span<const double> numbers) {
  quiet_steps_ = 0;
  add_item(step_s, numbers.data());
}

void SlidingSums::push_nothing(double step_s) {
  if (!is_quiet()) {
    ++quiet_steps_;
    add_item(step_s, nullptr);
    return;
  }
  items_[position_ * width_] = step_s;
  recent_[0] += step_s;
  if (++position_ < steps_) return;
  position_ = 0;
  for (std::size_t i = steps_; i-- > 0;)
    old_[i * width_] = items_[i * width_] + (i + 1 == steps_ ? 0 : old_[(i + 1) * width_]);
  recent_[0] = 0;
}

// Null: zeros.
void SlidingSums::add_item(double step_s, const double* numbers) {
  if (items_.empty()) {
    items_.assign(steps_ * width_, 0.0);
    old_.assign(steps_ * width_, 0.0);
  }
  // The compiler is told that the arrays are apart: a step of a small model costs little more than these loops.
  double* __restrict item = items_.data() + position_ * width_;
  double* __restrict recent = recent_.data();
  const double* __restrict number = numbers;
  item[0] = step_s;
  recent[0] += step_s;
  if (number == nullptr) {
    std::fill_n(item + 1, columns(), 0.0);
  } else {
    for (std::size_t k = 1; k < width_; ++k) {
      item[k] = number[k - 1];
      recent[k] += number[k - 1];
    }
  }
  filled_ = std::min(filled_ + 1, steps_);
  if (++position_ < steps_) return;
  position_ = 0;
  sum_old_part();
  std::fill(recent_.begin(), recent_.end(), 0.0);
}

// From each place to the end of the ring; only what stands behind position_ is read.
void SlidingSums::sum_old_part() {
  for (std::size_t i = steps_; i-- > position_;) {
    double* __restrict sums = old_.data() + i * width_;
    const double* __restrict item = items_.data() + i * width_;
    if (i + 1 == steps_) {
      for (std::size_t k = 0; k < width_; ++k) sums[k] = item[k] + 0;
      continue;
    }
    const double* __restrict behind = sums + width_;
    for (std::size_t k = 0; k < width_; ++k) sums[k] = item[k] + behind[k];
  }
}

void SlidingSums::write_sums(std::span<double> sums) const {
  double* __restrict sum = sums.data();
  const double* __restrict recent = recent_.data() + 1;
  const std::size_t count = columns();
  if (filled_ < steps_) {
    for (std::size_t k = 0; k < count; ++k) sum[k] = 0 + recent[k];
    return;
  }
  const double* __restrict old = old_.data() + position_ * width_ + 1;
  for (std::size_t k = 0; k < count; ++k) sum[k] = old[k] + recent[k];
}

void SlidingSums::sum_recent_part() {
  std::fill(recent_.begin(), recent_.end(), 0.0);
  for (std::size_t i = 0; i < position_; ++i) {
    for (std::size_t k = 0; k < width_; ++k) recent_[k] += items_[i * width_ + k];
  }
}

void SlidingSums::forget() {
  quiet_steps_ = 0;
  position_ = filled_ = 0;
  std::fill(recent_.begin(), recent_.end(), 0.0);
}

void SlidingSums::write(std::vector<double>& numbers) const {
  numbers.push_back(static_cast<double>(position_));
  numbers.push_back(static_cast<double>(filled_));
  numbers.insert(numbers.end(), items_.begin(), items_.end());
  if (items_.empty()) numbers.insert(numbers.end(), steps_ * width_, 0.0);
}

bool SlidingSums::take(std::span<const double> numbers) {
  if (numbers.size() != number_count()) return false;
  const double steps = static_cast<double>(steps_);
  if (!(numbers[0] >= 0 && numbers[0] < steps && numbers[1] >= 0 && numbers[1] <= steps)) return false;
  position_ = static_cast<std::size_t>(numbers[0]);
  filled_ = static_cast<std::size_t>(numbers[1]);
  if (filled_ < steps_ && filled_ != position_) return false;
  quiet_steps_ = 0;
  items_.assign(numbers.begin() + 2, numbers.end());
  old_.assign(items_.size(), 0.0);
  if (filled_ == steps_) sum_old_part();
  sum_recent_part();
  return true;
}

}  // namespace freeplay::simulation
