#include "freeplay/integrators/dopri5.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay {

namespace {

// Butcher tableau; the last row of A is also the fifth-order weights (first same as last).
constexpr std::array<double, 7> kC = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double kA[7][6] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
// Fifth- minus fourth-order weights.
constexpr std::array<double, 7> kE = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                      -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// Fourth-order continuous extension.
constexpr std::array<double, 7> kD = {-12715105075.0 / 11282082432,  0,
                                      87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                      701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                      69997945.0 / 29380423};

// PI step control (Gustafsson): the second exponent damps the oscillation of step sizes.
constexpr double kSafety = 0.9, kExponent = 0.2 - 0.04 * 0.75, kMemory = 0.04;
constexpr double kSmallestFactor = 0.2, kLargestFactor = 10;

}  // namespace

Dopri5::Dopri5(const System& system, const IntegratorOptions& options) : dynamics_(system), options_(options) {
  for (VecX* vector : {&y_, &y_new_, &y_stage_}) *vector = VecX::Zero(dynamics_.size());
  for (VecX& k : k_) k = VecX::Zero(dynamics_.size());
  for (VecX& coefficient : dense_) coefficient = VecX::Zero(dynamics_.size());
}

StepStatus Dopri5::rate(double t, const VecX& y, VecX& k) {
  ++counts_.evaluations;
  const StepStatus status = dynamics_.rate(t, y, k);
  if (status != StepStatus::kOk) return status;
  return k.allFinite() ? StepStatus::kOk : StepStatus::kNotFinite;
}

double Dopri5::smallest_size(double t) const {
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-3);
  return std::max(options_.min_step_s, rounding);
}

StepReport Dopri5::start(State& state) {
  StepReport report;
  ProjectionReport projection;
  dynamics_.settle(state, projection);
  report.status = projection.status;
  report.position_residual_m = projection.position_residual;
  report.residual_m_s = projection.velocity_residual;
  report.worst_row = projection.worst_row;
  if (report.status != StepStatus::kOk) return report;
  dynamics_.pack(state, y_);
  report.status = rate(state.t, y_, k_[0]);
  if (report.status != StepStatus::kOk) return report;
  next_size_ = options_.first_step_s > 0 ? options_.first_step_s : guess_first_size(state.t);
  t_begin_ = state.t;
  previous_error_ = 1e-4;
  return report;
}

// Hairer, Norsett, Wanner I, section II.4: an explicit Euler step tells how fast the rate changes.
double Dopri5::guess_first_size(double t) {
  const Eigen::Index n = dynamics_.controlled_size();
  const auto norm = [&](const VecX& v) {
    double sum = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double scale = options_.absolute_tolerance + options_.relative_tolerance * std::abs(y_[i]);
      sum += (v[i] / scale) * (v[i] / scale);
    }
    return std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(n, 1)));
  };
  const double d0 = norm(y_), d1 = norm(k_[0]);
  double size = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  if (options_.max_step_s > 0) size = std::min(size, options_.max_step_s);
  y_stage_ = y_ + size * k_[0];
  if (rate(t + size, y_stage_, k_[1]) != StepStatus::kOk) return smallest_size(t) * 16;
  y_stage_ = k_[1] - k_[0];
  const double d2 = norm(y_stage_) / size;
  const double largest = std::max(d1, d2);
  const double second = largest <= 1e-15 ? std::max(1e-6, size * 1e-3) : std::pow(0.01 / largest, 0.2);
  return std::min(100 * size, second);
}

StepStatus Dopri5::take_stages(double t, double size) {
  for (std::size_t stage = 1; stage < 7; ++stage) {
    VecX& target = stage == 6 ? y_new_ : y_stage_;
    target = y_;
    for (std::size_t j = 0; j < stage; ++j) {
      if (kA[stage][j] != 0) target.noalias() += (size * kA[stage][j]) * k_[j];
    }
    const StepStatus status = rate(t + kC[stage] * size, target, k_[stage]);
    if (status != StepStatus::kOk) return status;
  }
  return StepStatus::kOk;
}

double Dopri5::error_norm(double size) const {
  const Eigen::Index n = dynamics_.controlled_size();
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    double error = 0;
    for (std::size_t j = 0; j < 7; ++j) error += kE[j] * k_[j][i];
    const double scale =
        options_.absolute_tolerance + options_.relative_tolerance * std::max(std::abs(y_[i]), std::abs(y_new_[i]));
    const double ratio = size * error / scale;
    sum += ratio * ratio;
  }
  return std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(n, 1)));
}

StepReport Dopri5::step(State& state, double t_limit) {
  StepReport report;
  bool rejected_before = false;
  for (;;) {
    double size = next_size_;
    if (options_.max_step_s > 0) size = std::min(size, options_.max_step_s);
    // The last step before the limit ends exactly there; one that would leave a sliver is stretched or halved.
    const double remaining = t_limit - state.t;
    bool ends_at_limit = false;
    // Late in a long run the limit, a multiple of the step, and the time are rounded by more than the first margin.
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(t_limit);
    if (size >= remaining * (1 - 1e-12) - rounding) {
      size = remaining;
      ends_at_limit = true;
    } else if (2 * size > remaining) {
      size = remaining / 2;
    }
    if (size < smallest_size(state.t) && !ends_at_limit) {
      report.status = StepStatus::kStepTooSmall;
      return report;
    }

    const StepStatus stages = take_stages(state.t, size);
    const double error = stages == StepStatus::kOk ? error_norm(size) : std::numeric_limits<double>::infinity();
    if (stages == StepStatus::kOk && error <= 1) {
      moved_ = state;
      State& moved = moved_;
      moved.t = ends_at_limit ? t_limit : state.t + size;
      dynamics_.unpack(y_new_, moved);
      ProjectionReport projection;
      const bool changed = dynamics_.settle(moved, projection);
      report.position_residual_m = projection.position_residual;
      report.residual_m_s = projection.velocity_residual;
      report.iterations = projection.iterations;
      report.worst_row = projection.worst_row;
      if (projection.status == StepStatus::kOk) {
        // The interpolation belongs to the unprojected step: fill it before k_[0] and y_ move on.
        dense_[0] = y_;
        dense_[1] = y_new_ - y_;
        dense_[2] = size * k_[0] - dense_[1];
        dense_[3] = dense_[1] - size * k_[6] - dense_[2];
        dense_[4].setZero();
        for (std::size_t j = 0; j < 7; ++j) dense_[4].noalias() += (size * kD[j]) * k_[j];
        t_begin_ = state.t;
        last_size_ = size;

        dynamics_.pack(moved, y_);
        k_[0] = k_[6];
        if (changed) {
          report.status = rate(moved.t, y_, k_[0]);
          if (report.status != StepStatus::kOk) return report;
        }
        double factor = kSafety * std::pow(std::max(error, 1e-10), -kExponent) * std::pow(previous_error_, kMemory);
        factor = std::clamp(factor, kSmallestFactor, rejected_before ? 1.0 : kLargestFactor);
        previous_error_ = std::max(error, 1e-4);
        // A step cut short by the limit says nothing against the size that was planned.
        next_size_ = ends_at_limit ? std::max(next_size_, size * factor) : size * factor;
        state = moved;
        ++counts_.accepted;
        report.size_s = size;
        return report;
      }
      report.status = projection.status;
    } else if (stages != StepStatus::kOk) {
      report.status = stages;
    }

    ++counts_.rejected;
    rejected_before = true;
    const double factor =
        std::isfinite(error) && error > 1 ? std::max(kSmallestFactor, kSafety * std::pow(error, -0.2)) : 0.25;
    next_size_ = size * factor;
    if (next_size_ < smallest_size(state.t)) {
      if (report.status == StepStatus::kOk) report.status = StepStatus::kStepTooSmall;
      return report;
    }
    report = StepReport{};
  }
}

void Dopri5::interpolate(double t, State& state) const {
  const double s = last_size_ > 0 ? (t - t_begin_) / last_size_ : 0;
  const VecX y = dense_[0] + s * (dense_[1] + (1 - s) * (dense_[2] + s * (dense_[3] + (1 - s) * dense_[4])));
  dynamics_.unpack(y, state);
  state.t = t;
}

std::unique_ptr<Integrator> make_dopri5(const System& system, const IntegratorOptions& options) {
  return std::make_unique<Dopri5>(system, options);
}

}  // namespace freeplay
