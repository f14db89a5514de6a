// The fixed point of friction by load, effort = dry + limit(reactions(effort)), for all joints at once: the secant of
// the last two rounds (Anderson's acceleration with one step of memory), as in contact/problem/load_bounds.h. Exact in
// two rounds where one joint slides and its load depends on its friction linearly, however near it is to jamming.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::integrators {

class LoadRounds {
 public:
  void reserve(std::size_t joints) { efforts_.reserve(joints); }
  void begin() {
    efforts_.clear();
    round_ = 0;
  }
  // A joint: the effort to try first, and the least one, which it has without load.
  void add(double tried, double least) { efforts_.push_back({tried, tried, least, tried, tried}); }
  std::size_t size() const { return efforts_.size(); }
  int round() const { return round_; }
  double tried(std::size_t i) const { return efforts_[i].tried; }
  void set_found(std::size_t i, double found) { efforts_[i].found = found; }

  // Whether what was found is what was tried, to this share of it, or of the forces at work: reactions that cancel
  // leave their rounding.
  bool has_settled(double share, double forces_at_work) const {
    return std::all_of(efforts_.begin(), efforts_.end(), [&](const Effort& effort) {
      return std::abs(effort.found - effort.tried) <= share * std::max(std::abs(effort.found), forces_at_work);
    });
  }

  // Chooses the efforts to try next.
  void go_on() {
    constexpr int kPlainEvery = 5;  // a secant that has gone astray is forgotten after some rounds
    double product = 0, square = 0;
    for (const Effort& effort : efforts_) {
      const double error = effort.found - effort.tried, change = error - (effort.found_before - effort.tried_before);
      product += error * change;
      square += change * change;
    }
    const bool may_extrapolate = round_ % kPlainEvery != 0 && square > 0 && std::isfinite(product / square);
    const double share = may_extrapolate ? product / square : 0;
    for (Effort& effort : efforts_) {
      const double next = share == 0 ? effort.found : effort.found - share * (effort.found - effort.found_before);
      effort.tried_before = effort.tried;
      effort.found_before = effort.found;
      effort.tried = std::isfinite(next) ? std::max(next, effort.least) : effort.found;
    }
    ++round_;
  }

 private:
  struct Effort {
    double tried = 0, found = 0, least = 0;
    double tried_before = 0, found_before = 0;
  };
  std::vector<Effort> efforts_;
  int round_ = 0;
};

}  // namespace freeplay::integrators
