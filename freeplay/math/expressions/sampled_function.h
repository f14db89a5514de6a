// A function of one variable that is given by samples: a measured signal, the table of a drive.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "freeplay/math/quantities/dimension.h"

namespace freeplay::math {

class Recorded;  // freeplay/math/recording/recorded.h

class SampledFunction {
 public:
  enum class Interpolation : std::uint8_t {
    kLinear,
    kCubic,  // a spline with continuous curvature; "not a knot" at both ends, periodic where it repeats
    kHold    // each value holds until the next sample
  };
  enum class Outside : std::uint8_t {
    kHold,    // the first and the last value go on
    kRepeat,  // with the period from the first to the last sample
    kStop     // no value (NaN), which ends the run
  };
  // Value, slope and curvature; at a sample those of the interval to its right, at the last one to its left.
  struct Jet {
    double value = 0, slope = 0, curvature = 0;
  };

  // What keeps these samples from being a function; empty if nothing does. `at` is the sample to blame.
  struct Problem {
    std::string message, hint;
    std::size_t at = 0;
    bool empty() const { return message.empty(); }
  };
  static Problem problem_of(const std::vector<double>& x, const std::vector<double>& y, Interpolation interpolation,
                            Outside outside);

  // Requires that there is no problem.
  SampledFunction(std::vector<double> x, std::vector<double> y, Interpolation interpolation, Outside outside);

  double value(double x) const { return at(x).value; }
  Jet at(double x) const;
  // The same with a number that remembers how it was made: all pieces, and a choice among them. A table with very many
  // samples would become very much text.
  static constexpr std::size_t kMostRecordedSamples = 256;
  bool can_be_recorded() const { return x_.size() <= kMostRecordedSamples; }
  Recorded record(const Recorded& x) const;
  double length() const { return x_.back() - x_.front(); }  // from the first to the last sample
  bool is_curved() const { return interpolation_ == Interpolation::kCubic; }
  // The first sample behind x, to the right or to the left; infinite if there is none.
  double next_place(double x, bool to_the_right) const;

 private:
  void find_slopes();           // of the cubic spline
  void find_periodic_slopes();  // where it repeats
  // y + (x - from) (a + (x - from) (b + (x - from) c))
  struct Piece {
    double from, y, a, b, c;
  };
  Piece piece(std::size_t interval) const;
  Jet on_interval(std::size_t i, double x) const;
  Jet at_end(bool is_first) const;

  std::vector<double> x_, y_, slopes_;
  Interpolation interpolation_;
  Outside outside_;
};

// A function that an expression may call, with the dimensions of its argument and of its value.
struct NamedFunction {
  std::shared_ptr<const SampledFunction> samples;
  Dimension argument, value;
};

}  // namespace freeplay::math
