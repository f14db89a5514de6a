#include "freeplay/study/fit/least_squares.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

namespace freeplay::study {

namespace {

constexpr double kFirstDamping = 1e-3, kLeastDamping = 1e-12, kMostDamping = 1e12;
constexpr double kNoGain = 1e-12;                  // of the sum: nothing that a sum of rounded squares would show
constexpr double kDampings[] = {0.1, 1, 10, 100};  // tried at the same time, times the last good one

// Works in z = parameter/scale.
class LevenbergMarquardt {
 public:
  LevenbergMarquardt(const LeastSquaresOptions& options, const ResidualFunction& residuals,
                     const std::function<void(const LeastSquares&)>& watch)
      : options_(options), residuals_(residuals), watch_(watch) {
    low_ = options.low.cwiseQuotient(options.scale);
    high_ = options.high.cwiseQuotient(options.scale);
  }

  LeastSquares run() {
    z_ = options_.start.cwiseQuotient(options_.scale);
    fit_.end = start();
    while (fit_.end == End::kTooManyIterations && fit_.iterations < options_.most_iterations) {
      ++fit_.iterations;
      const std::optional<End> end = iterate();
      fit_.point = z_.cwiseProduct(options_.scale);
      if (watch_) watch_(fit_);
      if (end) fit_.end = *end;
    }
    if (fit_.end == End::kConverged || fit_.end == End::kRugged) refresh_jacobian();
    fit_.point = z_.cwiseProduct(options_.scale);
    if (jacobian_.size() > 0) fit_.jacobian = jacobian_ * options_.scale.cwiseInverse().asDiagonal();
    return std::move(fit_);
  }

 private:
  using End = LeastSquares::End;

  std::optional<std::vector<VecX>> residuals_at(const std::vector<VecX>& places) const {
    std::vector<VecX> points;
    for (const VecX& z : places) points.emplace_back(z.cwiseProduct(options_.scale));
    return residuals_(points);
  }

  End start() {
    const std::optional<std::vector<VecX>> first = residuals_at({z_});
    if (!first) return End::kStopped;
    if (first->front().size() == 0) return End::kNoStart;
    fit_.residuals = first->front();
    fit_.sum = fit_.residuals.squaredNorm();
    return End::kTooManyIterations;  // so far
  }

  // Central differences; at a bound, or where a run fails, to one side.
  std::optional<End> update_jacobian() {
    std::vector<VecX> places;
    for (Eigen::Index k = 0; k < z_.size(); ++k) {
      for (const double sign : {-1.0, 1.0}) {
        VecX place = z_;
        place[k] = std::clamp(z_[k] + sign * options_.difference, low_[k], high_[k]);
        places.push_back(std::move(place));
      }
    }
    const std::optional<std::vector<VecX>> around = residuals_at(places);
    if (!around) return End::kStopped;
    jacobian_.resize(fit_.residuals.size(), z_.size());
    for (Eigen::Index k = 0; k < z_.size(); ++k) {
      const auto i = static_cast<std::size_t>(2 * k);
      const bool has_below = (*around)[i].size() > 0, has_above = (*around)[i + 1].size() > 0;
      const VecX& below = has_below ? (*around)[i] : fit_.residuals;
      const VecX& above = has_above ? (*around)[i + 1] : fit_.residuals;
      const double width = (has_above ? places[i + 1][k] : z_[k]) - (has_below ? places[i][k] : z_[k]);
      if (!(width > 0)) {
        jacobian_.resize(0, 0);
        return End::kNoDerivative;
      }
      jacobian_.col(k) = (above - below) / width;
    }
    return std::nullopt;
  }
  // That of an accepted step belongs to the point before it.
  void refresh_jacobian() {
    if (const std::optional<End> end = update_jacobian()) fit_.end = *end;
  }

  // A parameter at a bound that the gradient would push beyond it stays.
  bool is_free(Eigen::Index k, const VecX& gradient) const {
    return !(z_[k] <= low_[k] && gradient[k] > 0) && !(z_[k] >= high_[k] && gradient[k] < 0);
  }

  VecX step_of(double damping, const VecX& gradient) const {
    MatX normal = jacobian_.transpose() * jacobian_;
    VecX right = -gradient;
    const double largest = std::max(normal.diagonal().maxCoeff(), 1e-300);
    for (Eigen::Index k = 0; k < z_.size(); ++k) {
      normal(k, k) += damping * std::max(normal(k, k), 1e-12 * largest);
      if (is_free(k, gradient)) continue;
      normal.row(k).setZero();
      normal.col(k).setZero();
      normal(k, k) = 1;
      right[k] = 0;
    }
    VecX step = normal.ldlt().solve(right);
    for (Eigen::Index round = 0; round < z_.size() && stop_first(step, normal, right); ++round)
      step = normal.ldlt().solve(right);
    const VecX end = (z_ + step).cwiseMax(low_).cwiseMin(high_);
    return end - z_;
  }
  // Parameters that would leave their bounds stop there one by one, and the others answer to that: cut off all at once,
  // a step may promise nothing although there is much to gain. False if none leaves.
  bool stop_first(const VecX& step, MatX& normal, VecX& right) const {
    Eigen::Index first = -1;
    double share = 1;
    for (Eigen::Index k = 0; k < z_.size(); ++k) {
      const double way = std::clamp(z_[k] + step[k], low_[k], high_[k]) - z_[k];
      if (!(std::abs(way) < std::abs(step[k]) * (1 - 1e-12)) || !(way / step[k] < share)) continue;
      first = k;
      share = way / step[k];
    }
    if (first < 0) return false;
    const double way = share * step[first];
    right -= way * normal.col(first);
    normal.row(first).setZero();
    normal.col(first).setZero();
    normal(first, first) = 1;
    right[first] = way;
    return true;
  }

  std::optional<End> iterate() {
    if (const std::optional<End> end = update_jacobian()) return end;
    const VecX gradient = jacobian_.transpose() * fit_.residuals;
    std::optional<double> first_promise;
    for (;;) {
      std::vector<VecX> steps, places;
      for (const double factor : kDampings) {
        steps.push_back(step_of(std::clamp(factor * damping_, kLeastDamping, kMostDamping), gradient));
        places.emplace_back(z_ + steps.back());
      }
      // By the model of the first step, which is damped least.
      const double promised = fit_.sum - (fit_.residuals + jacobian_ * steps.front()).squaredNorm();
      if (!first_promise) first_promise = promised;
      if (!(promised > kNoGain * fit_.sum)) return End::kConverged;
      const std::optional<std::vector<VecX>> tried = residuals_at(places);
      if (!tried) return End::kStopped;
      if (const std::optional<std::size_t> best = best_of(*tried)) {
        fit_.residuals = (*tried)[*best];
        fit_.sum = fit_.residuals.squaredNorm();
        z_ = places[*best];
        damping_ = std::clamp(kDampings[*best] * damping_, kLeastDamping, kMostDamping);
        return std::nullopt;
      }
      damping_ *= 1e4;
      const bool is_tiny = steps.front().cwiseAbs().maxCoeff() < options_.tolerance;
      if (damping_ <= kMostDamping && !is_tiny) continue;
      return *first_promise > options_.tolerance * fit_.sum ? End::kRugged : End::kConverged;
    }
  }

  std::optional<std::size_t> best_of(const std::vector<VecX>& tried) const {
    std::optional<std::size_t> best;
    double least = fit_.sum;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (tried[i].size() == 0 || !(tried[i].squaredNorm() < least)) continue;
      least = tried[i].squaredNorm();
      best = i;
    }
    return best;
  }

  const LeastSquaresOptions& options_;
  const ResidualFunction& residuals_;
  const std::function<void(const LeastSquares&)>& watch_;
  VecX z_, low_, high_;
  MatX jacobian_;
  double damping_ = kFirstDamping;
  LeastSquares fit_;
};

}  // namespace

LeastSquares fit_least_squares(const LeastSquaresOptions& options, const ResidualFunction& residuals,
                               const std::function<void(const LeastSquares&)>& watch) {
  return LevenbergMarquardt(options, residuals, watch).run();
}

FitCovariance covariance_of(const LeastSquares& fit, const LeastSquaresOptions& options) {
  const Eigen::Index count = fit.point.size();
  FitCovariance found;
  found.covariance = MatX::Zero(count, count);
  found.is_determined.assign(static_cast<std::size_t>(count), true);
  std::vector<Eigen::Index> free;
  for (Eigen::Index k = 0; k < count; ++k) {
    if (fit.point[k] > options.low[k] && fit.point[k] < options.high[k]) free.push_back(k);
  }
  found.degrees_of_freedom = std::max(1, static_cast<int>(fit.residuals.size()) - static_cast<int>(free.size()));
  const auto size = static_cast<Eigen::Index>(free.size());
  if (size == 0) return found;
  MatX scaled(fit.residuals.size(), size);  // in scales, so that singular means singular
  for (Eigen::Index i = 0; i < size; ++i)
    scaled.col(i) =
        fit.jacobian.col(free[static_cast<std::size_t>(i)]) * options.scale[free[static_cast<std::size_t>(i)]];
  const Eigen::SelfAdjointEigenSolver<MatX> eigen(scaled.transpose() * scaled);
  const double variance = fit.sum / found.degrees_of_freedom, largest = eigen.eigenvalues().maxCoeff();
  MatX inverse = MatX::Zero(size, size);
  for (Eigen::Index e = 0; e < size; ++e) {
    const VecX direction = eigen.eigenvectors().col(e);
    constexpr double kSingular = 1e-14, kShare = 0.1;
    if (eigen.eigenvalues()[e] > kSingular * largest && largest > 0) {
      inverse += direction * direction.transpose() / eigen.eigenvalues()[e];
      continue;
    }
    for (Eigen::Index i = 0; i < size; ++i) {
      if (std::abs(direction[i]) > kShare)
        found.is_determined[static_cast<std::size_t>(free[static_cast<std::size_t>(i)])] = false;
    }
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index j = 0; j < size; ++j) {
      const Eigen::Index a = free[static_cast<std::size_t>(i)], b = free[static_cast<std::size_t>(j)];
      found.covariance(a, b) = variance * inverse(i, j) * options.scale[a] * options.scale[b];
    }
  }
  return found;
}

// The expansion of Student's quantile about that of the normal distribution (Abramowitz and Stegun 26.7.5), right to
// four digits from five degrees of freedom on; the first four from tables.
double student_bound_95(int degrees_of_freedom) {
  constexpr double kFew[] = {12.7062, 4.30265, 3.18245, 2.77645};
  if (degrees_of_freedom <= 4) return kFew[std::max(1, degrees_of_freedom) - 1];
  constexpr double x = 1.959964;
  const double n = degrees_of_freedom, x2 = x * x;
  const double g1 = x * (x2 + 1) / 4, g2 = x * ((5 * x2 + 16) * x2 + 3) / 96;
  const double g3 = x * (((3 * x2 + 19) * x2 + 17) * x2 - 15) / 384;
  const double g4 = x * ((((79 * x2 + 776) * x2 + 1482) * x2 - 1920) * x2 - 945) / 92160;
  return x + g1 / n + g2 / (n * n) + g3 / (n * n * n) + g4 / (n * n * n * n);
}

}  // namespace freeplay::study
