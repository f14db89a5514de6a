#include "freeplay/simulation/forces/sliding_sums.h"

#include <algorithm>

namespace freeplay::simulation {

SlidingSums::SlidingSums(std::size_t columns, std::size_t steps)
    : width_(1 + columns), steps_(std::max<std::size_t>(steps, 1)), recent_(width_, 0.0) {}

void SlidingSums::push(double step_s, std::span<const double> numbers) {
  if (items_.empty()) {
    items_.assign(steps_ * width_, 0.0);
    old_.assign(steps_ * width_, 0.0);
  }
  double* item = items_.data() + position_ * width_;
  item[0] = step_s;
  std::copy(numbers.begin(), numbers.end(), item + 1);
  for (std::size_t k = 0; k < width_; ++k) recent_[k] += item[k];
  filled_ = std::min(filled_ + 1, steps_);
  if (++position_ < steps_) return;
  position_ = 0;
  sum_old_part();
  std::fill(recent_.begin(), recent_.end(), 0.0);
}

// From each place to the end of the ring; only what stands behind position_ is read.
void SlidingSums::sum_old_part() {
  for (std::size_t i = steps_; i-- > position_;) {
    const bool is_last = i + 1 == steps_;
    for (std::size_t k = 0; k < width_; ++k)
      old_[i * width_ + k] = items_[i * width_ + k] + (is_last ? 0 : old_[(i + 1) * width_ + k]);
  }
}

void SlidingSums::sum_recent_part() {
  std::fill(recent_.begin(), recent_.end(), 0.0);
  for (std::size_t i = 0; i < position_; ++i) {
    for (std::size_t k = 0; k < width_; ++k) recent_[k] += items_[i * width_ + k];
  }
}

void SlidingSums::forget() {
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
  items_.assign(numbers.begin() + 2, numbers.end());
  old_.assign(items_.size(), 0.0);
  if (filled_ == steps_) sum_old_part();
  sum_recent_part();
  return true;
}

}  // namespace freeplay::simulation
