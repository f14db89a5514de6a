// Dormand and Prince's embedded Runge-Kutta pair of orders 5 and 4 with dense output of order 4 (Dormand, Prince 1980;
// Hairer, Norsett, Wanner, Solving ODEs I, sections II.4 to II.6): the stages of one step, its error, what lies inside
// of it, and how long the next one may be. What the derivative is, and what a step means, is up to the integrator.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "freeplay/core/status.h"
#include "freeplay/math/types.h"

namespace freeplay::integrators {

// Of the coefficients of the continuous extension at a part s of the step.
inline std::array<double, 5> dense_weights(double s) {
  return {1.0, s, s * (1 - s), s * s * (1 - s), s * s * (1 - s) * (1 - s)};
}

class EmbeddedPair {
 protected:
  EmbeddedPair(int size, double absolute_tolerance, double relative_tolerance);

  // y_new_ and k_[1] to k_[6] of a step from y_ with the derivative k_[0]. rate(t, y, k) gives a StepStatus.
  template <class Rate>
  [[nodiscard]] StepStatus take_stages(double t, double size, const Rate& rate) {
    return take_stages_from<1>(t, size, rate);
  }
  // Of the first n numbers, in tolerated errors: at most 1 is a step.
  double error_norm(double size, Eigen::Index n) const;
  double scaled_norm(const VecX& v, Eigen::Index n) const;  // the same norm of any vector, at y_
  // dense_ for a step of this size from y_ to y_new_.
  void interpolate_step(double size);
  // After it: dense_ at a part of the step.
  void inside_of_pair(double part, VecRef y) const;
  // y_new_ at a part of the step just taken, after interpolate_step(), by two evaluations where a step of that size
  // would take six, and as exactly as one. The dense output is of one order less than the step, but a derivative taken
  // on it counts with the step's size once more. So with k_0 at the start, k_1 and k_2 on the dense output half the way
  // to the part and there, and k_6 at the end, y is the polynomial of degree 5 that has these derivatives and both ends
  // (Enright, Jackson, Norsett, Thomsen 1986). Leaves k_1 and k_2; k_0 and k_6 stay.
  template <class Rate>
  [[nodiscard]] StepStatus go_inside(double t, double size, double part, const Rate& rate) {
    for (std::size_t i = 1; i <= 2; ++i) {
      const double at = i == 1 ? part / 2 : part;
      inside_of_pair(at, y_stage_);
      const StepStatus status = rate(t + at * size, y_stage_, k_[i]);
      if (status != StepStatus::kOk) return status;
    }
    take_part(size, part);
    return StepStatus::kOk;
  }
  // After go_inside(), y_new_ a little later, by its derivative there and how that changes.
  void go_on_inside(double size, double part, double by_s);
  // A first size: an explicit Euler step tells how fast the rate changes. 0 if the rate fails there.
  template <class Rate>
  double guess_first_size(double t, double largest, Eigen::Index n, const Rate& rate) {
    const double size = first_guess(largest, n);
    y_stage_ = y_ + size * k_[0];
    if (rate(t + size, y_stage_, k_[1]) != StepStatus::kOk) return 0;
    return second_guess(size, n);
  }
  // Of the size of the next step: after one with this error, and after one that had to be refused.
  double growth(double error, double previous_error, bool was_rejected) const;
  static double shrinkage(double error);
  struct PlannedStep {
    double size = 0;
    bool ends_at_limit = false;
  };
  struct SizeBounds {
    double least_s = 0, largest_s = 0;  // 0: none
  };
  // The last step before the limit ends exactly there. A size that is exact leads to where something happens: it is not
  // stretched.
  static PlannedStep plan_step(double t, double t_limit, double size, const SizeBounds& bounds, bool is_exact = false);
  // The smallest step at t that is more than rounding.
  static double smallest_size(double t, double min_step_s);

  // The last row of A is also the fifth-order weights (first same as last).
  static constexpr std::array<double, 7> kC = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};

  VecX y_, y_new_, y_stage_;
  VecX absolute_;  // tolerances of y
  double relative_;
  std::array<VecX, 7> k_;
  std::array<VecX, 5> dense_;

 private:
  static constexpr double kA[7][6] = {
      {},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
  };

  template <std::size_t stage, class Rate>
  StepStatus take_stages_from(double t, double size, const Rate& rate) {
    const StepStatus status = take_stage<stage>(t, size, rate, std::make_index_sequence<stage>());
    if constexpr (stage < 6) {
      return status == StepStatus::kOk ? take_stages_from<stage + 1>(t, size, rate) : status;
    } else {
      return status;
    }
  }
  // y + size (a_0 k_0 + a_1 k_1 + ...), in one pass over the elements.
  template <std::size_t stage, class Rate, std::size_t... before>
  StepStatus take_stage(double t, double size, const Rate& rate, std::index_sequence<before...>) {
    VecX& target = stage == 6 ? y_new_ : y_stage_;
    target.noalias() = (y_ + ... + ((size * kA[stage][before]) * k_[before]));
    return rate(t + kC[stage] * size, target, k_[stage]);
  }
  void take_part(double size, double part);
  double first_guess(double largest, Eigen::Index n) const;
  double second_guess(double size, Eigen::Index n);
};

}  // namespace freeplay::integrators
