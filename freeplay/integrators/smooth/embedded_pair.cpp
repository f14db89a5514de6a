#include "freeplay/integrators/smooth/embedded_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::integrators {

namespace {

// Fifth- minus fourth-order weights.
constexpr std::array<double, 7> kE = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                      -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// Fourth-order continuous extension; see dense_weights().
constexpr std::array<double, 7> kD = {-12715105075.0 / 11282082432,  0,
                                      87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                      701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                      69997945.0 / 29380423};

// PI step control (Gustafsson): the second exponent damps the oscillation of step sizes.
constexpr double kSafety = 0.9, kExponent = 0.2 - 0.04 * 0.75, kMemory = 0.04;
constexpr double kSmallestFactor = 0.2, kLargestFactor = 10;

}  // namespace

EmbeddedPair::EmbeddedPair(int size, double absolute_tolerance, double relative_tolerance)
    : y_(VecX::Zero(size)),
      y_new_(y_),
      y_stage_(y_),
      absolute_(VecX::Constant(size, absolute_tolerance)),
      relative_(relative_tolerance) {
  for (VecX& k : k_) k = VecX::Zero(size);
  for (VecX& coefficient : dense_) coefficient = VecX::Zero(size);
}

double EmbeddedPair::error_norm(double size, Eigen::Index n) const {
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    double error = 0;
    for (std::size_t j = 0; j < 7; ++j) error += kE[j] * k_[j][i];
    const double scale = absolute_[i] + relative_ * std::max(std::abs(y_[i]), std::abs(y_new_[i]));
    const double ratio = size * error / scale;
    sum += ratio * ratio;
  }
  return std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(n, 1)));
}

double EmbeddedPair::scaled_norm(const VecX& v, Eigen::Index n) const {
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double scale = absolute_[i] + relative_ * std::abs(y_[i]);
    sum += (v[i] / scale) * (v[i] / scale);
  }
  return std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(n, 1)));
}

void EmbeddedPair::interpolate_step(double size) {
  dense_[0] = y_;
  dense_[1] = y_new_ - y_;
  dense_[2] = size * k_[0] - dense_[1];
  dense_[3] = dense_[1] - size * k_[6] - dense_[2];
  dense_[4].setZero();
  for (std::size_t j = 0; j < 7; ++j) dense_[4].noalias() += (size * kD[j]) * k_[j];
}

void EmbeddedPair::inside_of_pair(double part, VecRef y) const {
  const std::array<double, 5> weights = dense_weights(part);
  const Eigen::Index n = y.size();
  y = dense_[0].head(n);
  for (std::size_t i = 1; i < dense_.size(); ++i) y += weights[i] * dense_[i].head(n);
}

// y' is the cubic L through the four derivatives, plus c w(s) with w = s (s - p/2)(s - p)(s - 1), whose c makes the
// integral over the step y_E - y_A. Simpson's rule integrates the cubic exactly, over the part p as over the step:
//   y(p) = y_A + h p/6 (k_0 + 4 k_1 + k_2) + r (y_E - y_A - h int_0^1 L),
//   r = int_0^p w / int_0^1 w = p^5 / (6 - 15 p + 10 p^2)
void EmbeddedPair::take_part(double size, double part) {
  const double p = part;
  const std::array<double, 4> nodes = {0, p / 2, p, 1};
  std::array<double, 4> of_step{};  // int_0^1 of Lagrange's polynomials
  for (std::size_t j = 0; j < 4; ++j) {
    double middle = 1;
    for (std::size_t i = 0; i < 4; ++i) {
      if (i != j) middle *= (0.5 - nodes[i]) / (nodes[j] - nodes[i]);
    }
    of_step[j] = (4 * middle + (j == 0 || j == 3 ? 1 : 0)) / 6;
  }
  const double r = p * p * p * p * p / (6 + p * (10 * p - 15));
  const std::array<double, 4> w = {size * (p / 6 - r * of_step[0]), size * (4 * p / 6 - r * of_step[1]),
                                   size * (p / 6 - r * of_step[2]), -size * r * of_step[3]};
  y_new_ = y_ + r * dense_[1] + w[0] * k_[0] + w[1] * k_[1] + w[2] * k_[2] + w[3] * k_[6];
}

void EmbeddedPair::go_on_inside(double size, double part, double by_s) {
  const double second = by_s * by_s / (2 * part * size);
  y_new_ += by_s * k_[2] + second * (k_[0] - 4 * k_[1] + 3 * k_[2]);
}

double EmbeddedPair::first_guess(double largest, Eigen::Index n) const {
  const double d0 = scaled_norm(y_, n), d1 = scaled_norm(k_[0], n);
  const double size = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  return largest > 0 ? std::min(size, largest) : size;
}

double EmbeddedPair::second_guess(double size, Eigen::Index n) {
  y_stage_ = k_[1] - k_[0];
  const double d2 = scaled_norm(y_stage_, n) / size;
  const double largest = std::max(scaled_norm(k_[0], n), d2);
  const double second = largest <= 1e-15 ? std::max(1e-6, size * 1e-3) : std::pow(0.01 / largest, 0.2);
  return std::min(100 * size, second);
}

double EmbeddedPair::growth(double error, double previous_error, bool was_rejected) const {
  const double factor = kSafety * std::pow(std::max(error, 1e-10), -kExponent) * std::pow(previous_error, kMemory);
  return std::clamp(factor, kSmallestFactor, was_rejected ? 1.0 : kLargestFactor);
}

double EmbeddedPair::shrinkage(double error) {
  return std::max(kSmallestFactor, kSafety * std::pow(error, -0.2));
}

EmbeddedPair::PlannedStep EmbeddedPair::plan_step(double t, double t_limit, double size, const SizeBounds& bounds,
                                                  bool is_exact) {
  PlannedStep plan{size, false};
  const double smallest = smallest_size(t, bounds.least_s);
  plan.size = std::max(plan.size, smallest);
  if (bounds.largest_s > 0) plan.size = std::min(plan.size, bounds.largest_s);
  // A step that would leave a sliver before the limit is stretched or halved. Late in a long run the limit, a multiple
  // of the step, and the time are rounded by more than the first margin.
  const double remaining = t_limit - t;
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(t_limit);
  // A step that must end where a gap closes is not stretched: it would come back for ever.
  if (plan.size >= (is_exact ? remaining : remaining * (1 - 1e-12) - rounding)) {
    plan = {remaining, true};
  } else if (!is_exact && 2 * plan.size > remaining && remaining / 2 >= smallest) {
    plan.size = remaining / 2;
  }
  return plan;
}

double EmbeddedPair::smallest_size(double t, double min_step_s) {
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-3);
  return std::max(min_step_s, rounding);
}

}  // namespace freeplay::integrators
