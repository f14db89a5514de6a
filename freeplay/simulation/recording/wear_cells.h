// How the wear of a surface is spread over it: sectors of a circle, cells along a line, or one number for all of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "freeplay/contact/play/worn_contact.h"
#include "freeplay/core/layers.h"

namespace freeplay::simulation {

class WearCells {
 public:
  explicit WearCells(const WornSurface& surface);

  // An amount that is spread evenly from one place to another: rad, the shorter way round, or m.
  void add(double from, double to, double amount);

  struct Cell {
    double from = 0, to = 0, amount = 0;
  };
  // All sectors, or the cells from the first to the last one that has anything; none of a surface without places.
  std::vector<Cell> cells() const;
  double total() const;
  // Of all cells the largest amount, and the width that cells have now.
  double largest() const;
  double width() const { return width_; }

  void forget();
  std::size_t number_count() const { return amounts_.size() + 2; }
  void write(std::vector<double>& numbers) const;
  // False if the numbers cannot be those of such cells.
  [[nodiscard]] bool take(std::span<const double> numbers);

 private:
  using Kind = WornSurface::Kind;
  void spread(double low, double high, double amount);
  void make_room(double low_m, double high_m);
  void shift(double first);
  void double_width();

  Kind kind_;
  double first_width_;
  double width_;      // of a cell, rad or m
  double first_ = 0;  // of a track: the cell in amounts_[0] begins at first_ * width_; a whole number
  std::vector<double> amounts_, spare_;
};

}  // namespace freeplay::simulation
