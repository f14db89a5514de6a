// Sums over the last n steps, and the time that these took: what means over a window are made of.
//
// No number is ever taken away from a sum: a running sum would keep the rounding of a hard impact for ever, and a force
// that is zero would not be. The ring of the last n steps has an old part, from the place where the next step goes to
// the end, and a new one before it. The sums of the old part, from each place to the end, are made when the ring is
// full; that of the new part grows. A step costs two additions per number, however long the window is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::simulation {

class SlidingSums {
 public:
  SlidingSums() = default;
  SlidingSums(std::size_t columns, std::size_t steps);  // steps >= 1

  std::size_t columns() const { return width_ - 1; }
  // `numbers`: one per column.
  void push(double step_s, std::span<const double> numbers);
  // The same with zeros in all columns. While nothing happens it costs next to nothing, however many columns there are.
  void push_nothing(double step_s);
  // Whether all sums are known to be zero.
  bool is_quiet() const { return quiet_steps_ >= 2 * steps_; }
  bool is_empty() const { return filled_ == 0; }
  double time_s() const { return at(0); }
  double sum(std::size_t column) const { return at(1 + column); }
  double mean(std::size_t column) const { return sum(column) / time_s(); }
  // All sums, one per column: cheaper than one by one.
  void write_sums(std::span<double> sums) const;

  void forget();
  // For a run that goes on elsewhere: take() reads number_count() numbers, write() makes as many. False if they cannot
  // be those of such sums.
  std::size_t number_count() const { return 2 + steps_ * width_; }
  void write(std::vector<double>& numbers) const;
  [[nodiscard]] bool take(std::span<const double> numbers);

 private:
  double at(std::size_t k) const { return (filled_ == steps_ ? old_[position_ * width_ + k] : 0) + recent_[k]; }
  void add_item(double step_s, const double* numbers);
  void sum_old_part();
  void sum_recent_part();

  std::size_t width_ = 1, steps_ = 1;      // of an item: the size of the step and the columns
  std::size_t position_ = 0, filled_ = 0;  // where the next step goes, how many there are
  // Of push_nothing(), one after the other. After twice as many as the ring has places nothing but zeros is left, in
  // the items, and in the sums of the old part, which were made after all items had become zero.
  std::size_t quiet_steps_ = 0;
  std::vector<double> items_, old_, recent_ = {0.0};
};

}  // namespace freeplay::simulation
