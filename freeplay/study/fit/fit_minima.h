// Where the descents of a calibration from several starts have ended: which of these ends are one minimum, and which
// of the minima fits best.
#pragma once

#include <cstddef>
#include <vector>

#include "freeplay/study/fit/least_squares.h"

namespace freeplay::study {

struct FitMinimum {
  VecX point;
  double relative_error = 0;  // root mean square of the residuals, as a share of what the data scatter by
  int descents = 0;           // that came to their end here, and did not only run out of iterations
};

class FitMinima {
 public:
  explicit FitMinima(std::size_t residual_count) : residual_count_(residual_count) {}

  // A descent that has residuals at its end; those of all descents have the same weights.
  void add(LeastSquares fit, const LeastSquaresOptions& options);

  bool is_empty() const { return ends_.empty(); }
  const LeastSquares& best() const { return ends_[best_]; }
  // Best first. Ends are one minimum if no parameter that the data tell differs by more than a hundredth of its scale,
  // and the errors by no more than a hundredth.
  std::vector<FitMinimum> list() const;
  // More descents would hardly change the answer: three have ended at the best minimum, or nothing is left to gain.
  bool are_settled() const;

 private:
  double error_of(const LeastSquares& fit) const;
  bool are_one(const LeastSquares& a, const LeastSquares& b) const;

  std::size_t residual_count_;
  std::vector<LeastSquares> ends_;
  std::size_t best_ = 0;
  VecX scale_;
  std::vector<bool> is_determined_;  // by the data, at the best end
};

// Below this share of the scatter of the data a fit is exact: no other one can be better.
inline constexpr double kExactFit = 1e-6;

}  // namespace freeplay::study
