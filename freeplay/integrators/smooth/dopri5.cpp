#include "freeplay/integrators/smooth/dopri5.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/core/error.h"

namespace freeplay::integrators {

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
// Fourth-order continuous extension; see dense_weights().
constexpr std::array<double, 7> kD = {-12715105075.0 / 11282082432,  0,
                                      87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                      701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                      69997945.0 / 29380423};

// PI step control (Gustafsson): the second exponent damps the oscillation of step sizes.
constexpr double kSafety = 0.9, kExponent = 0.2 - 0.04 * 0.75, kMemory = 0.04;
constexpr double kSmallestFactor = 0.2, kLargestFactor = 10;

// A projection may move the end of a step by this much, in units of the tolerated error. Usually it is below 1; a
// driver that jumps would be followed silently otherwise.
constexpr double kLargestCorrection = 10;

}  // namespace

Dopri5::Dopri5(const System& system, const ContactModel& contacts, const IntegratorOptions& options)
    : dynamics_(system, contacts, options.baumgarte_per_s),
      options_(options),
      absolute_(VecX::Constant(dynamics_.size(), options.absolute_tolerance)),
      onset_control_(contacts.point_count(), options.onset_control),
      gap_rates_(VecX::Zero(contacts.point_count())),
      gap_speeds_(gap_rates_),
      start_speeds_(gap_rates_) {
  if (dynamics_.has_contacts() && options.onset_control.control != PenetrationControl::kNone)
    hidden_contacts_.emplace(system, contacts);
  if (options.velocity_tolerance > 0) {
    absolute_.tail(dynamics_.size() - dynamics_.coordinate_count()).setConstant(options.velocity_tolerance);
  }
  for (VecX* vector : {&y_, &y_new_, &y_stage_, &next_k_}) *vector = VecX::Zero(dynamics_.size());
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

StepReport Dopri5::start(State& state, StepRecord* record) {
  StepReport report;
  counts_ = {};
  is_exact_size_ = false;
  size_before_hunt_ = 0;
  onset_control_.set_memory({});
  dynamics_.settle(state, report);
  if (report.status != StepStatus::kOk) return report;
  dynamics_.pack(state, y_);
  dynamics_.start_contacts(state);
  if (dynamics_.has_contacts()) dynamics_.contacts().set_touching(state);
  report.status = rate(state.t, y_, k_[0]);
  if (report.status == StepStatus::kInconsistentRows) report.worst_row = dynamics_.contradicting_row();
  if (report.status != StepStatus::kOk) return report;
  report.row_rank = dynamics_.row_rank();
  t_begin_ = state.t;
  previous_error_ = 1e-4;
  if (dynamics_.has_contacts()) report.status = begin_touching(state);
  if (report.status != StepStatus::kOk) return report;
  next_size_ = options_.first_step_s > 0 ? options_.first_step_s : guess_first_size(state.t);
  t_ = state.t;
  write_method(state);
  if (record != nullptr) report.status = dynamics_.write_record(state, *record);
  return report;
}

void Dopri5::write_method(State& state) {
  const OnsetControl::Memory onset = onset_control_.memory();
  state.method.assign({next_size_, is_exact_size_ ? 1.0 : 0.0, previous_error_, size_before_hunt_,
                       onset.is_hunting ? 1.0 : 0.0, onset.size_to_start_s, static_cast<double>(onset.deep_starts),
                       static_cast<double>(dynamics_.closed_rank())});
  method_ = state.method;
}

void Dopri5::read_method(const State& state) {
  const std::vector<double>& m = state.method;
  FREEPLAY_ASSERT(m.size() == 8);
  next_size_ = m[0];
  is_exact_size_ = m[1] != 0;
  previous_error_ = m[2];
  size_before_hunt_ = m[3];
  onset_control_.set_memory({m[4] != 0, m[5], static_cast<std::int64_t>(m[6])});
  dynamics_.set_closed_rank(static_cast<int>(m[7]));
}

bool Dopri5::is_at(const State& state) {
  if (state.t != t_ || state.method != method_) return false;
  if (dynamics_.has_contacts() && !dynamics_.contacts().are_those_of(state)) return false;
  dynamics_.pack(state, y_stage_);
  return y_stage_ == y_;
}

StepStatus Dopri5::go_to(const State& state) {
  dynamics_.pack(state, y_);
  t_ = state.t;
  read_method(state);
  method_ = state.method;
  if (dynamics_.has_contacts()) dynamics_.contacts().set_touching(state);
  const StepStatus status = rate(state.t, y_, k_[0]);
  if (status == StepStatus::kOk && dynamics_.has_contacts()) {
    dynamics_.open_gap_rates(state, gap_rates_, start_speeds_);
    onset_control_.begin_step(state, dynamics_.gaps(), gap_rates_);
  }
  return status;
}

StepStatus Dopri5::resume(const State& state, const IntegratorCounts& counts) {
  counts_ = counts;
  return go_to(state);
}

// Hairer, Norsett, Wanner I, section II.4: an explicit Euler step tells how fast the rate changes.
double Dopri5::guess_first_size(double t) {
  const Eigen::Index n = dynamics_.controlled_size();
  const auto norm = [&](const VecX& v) {
    double sum = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double scale = absolute_[i] + options_.relative_tolerance * std::abs(y_[i]);
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

// y + size (a_0 k_0 + a_1 k_1 + ...), in one pass over the elements.
template <std::size_t stage, std::size_t... before>
StepStatus Dopri5::take_stage(double t, double size, std::index_sequence<before...>) {
  VecX& target = stage == 6 ? y_new_ : y_stage_;
  target.noalias() = (y_ + ... + ((size * kA[stage][before]) * k_[before]));
  return rate(t + kC[stage] * size, target, k_[stage]);
}

StepStatus Dopri5::take_stages(double t, double size) {
  StepStatus status = take_stage<1>(t, size, std::make_index_sequence<1>());
  if (status == StepStatus::kOk) status = take_stage<2>(t, size, std::make_index_sequence<2>());
  if (status == StepStatus::kOk) status = take_stage<3>(t, size, std::make_index_sequence<3>());
  if (status == StepStatus::kOk) status = take_stage<4>(t, size, std::make_index_sequence<4>());
  if (status == StepStatus::kOk) status = take_stage<5>(t, size, std::make_index_sequence<5>());
  if (status == StepStatus::kOk) status = take_stage<6>(t, size, std::make_index_sequence<6>());
  return status;
}

double Dopri5::error_norm(double size) const {
  const Eigen::Index n = dynamics_.controlled_size();
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    double error = 0;
    for (std::size_t j = 0; j < 7; ++j) error += kE[j] * k_[j][i];
    const double scale = absolute_[i] + options_.relative_tolerance * std::max(std::abs(y_[i]), std::abs(y_new_[i]));
    const double ratio = size * error / scale;
    sum += ratio * ratio;
  }
  return std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(n, 1)));
}

Dopri5::PlannedStep Dopri5::plan_step(double t, double t_limit) const {
  PlannedStep plan{next_size_, false};
  const double smallest = smallest_size(t);
  plan.size = std::max(plan.size, smallest);
  if (options_.max_step_s > 0) plan.size = std::min(plan.size, options_.max_step_s);
  // The last step before the limit ends exactly there; one that would leave a sliver is stretched or halved. Late in a
  // long run the limit, a multiple of the step, and the time are rounded by more than the first margin.
  const double remaining = t_limit - t;
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(t_limit);
  // A step that must end where a gap closes is not stretched: it would come back for ever.
  if (plan.size >= (is_exact_size_ ? remaining : remaining * (1 - 1e-12) - rounding)) {
    plan = {remaining, true};
  } else if (!is_exact_size_ && 2 * plan.size > remaining && remaining / 2 >= smallest) {
    plan.size = remaining / 2;
  }
  return plan;
}

// How far settling moved the end of the step, in the norm of the error estimate.
double Dopri5::correction_norm() {
  dynamics_.pack(moved_, y_stage_);
  const Eigen::Index n = dynamics_.controlled_size();
  double sum = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double scale = absolute_[i] + options_.relative_tolerance * std::max(std::abs(y_[i]), std::abs(y_new_[i]));
    const double ratio = (y_stage_[i] - y_new_[i]) / scale;
    sum += ratio * ratio;
  }
  return std::sqrt(sum / static_cast<double>(std::max<Eigen::Index>(n, 1)));
}

// Stages, error estimate and projection; the end of the step is in moved_. An accepted step has status kOk and error
// <= 1.
StepReport Dopri5::try_step(const State& state, const PlannedStep& plan, double t_limit, double& error) {
  StepReport report;
  report.size_s = plan.size;
  error = std::numeric_limits<double>::infinity();
  report.status = take_stages(state.t, plan.size);
  if (report.status != StepStatus::kOk) {
    if (report.status == StepStatus::kInconsistentRows) report.worst_row = dynamics_.contradicting_row();
    return report;
  }
  error = error_norm(plan.size);
  if (!(error <= 1)) return report;

  moved_ = state;
  moved_.t = plan.ends_at_limit ? t_limit : state.t + plan.size;
  dynamics_.unpack(y_new_, moved_);
  settle_end(report, kLargestCorrection);
  return report;
}

void Dopri5::settle_end(StepReport& report, double largest_correction) {
  const bool changed = dynamics_.settle(moved_, report);
  if (report.status == StepStatus::kOk && changed && correction_norm() > largest_correction) {
    report.status = StepStatus::kProjectionFailed;
  }
  if (report.status != StepStatus::kOk) return;
  // The derivative at the end: the last stage, or a new one if settling moved the state.
  next_k_ = k_[6];
  if (changed) {
    dynamics_.pack(moved_, y_stage_);
    report.status = rate(moved_.t, y_stage_, next_k_);
    if (report.status == StepStatus::kInconsistentRows) report.worst_row = dynamics_.contradicting_row();
  }
}

void Dopri5::interpolate_step(double size) {
  dense_[0] = y_;
  dense_[1] = y_new_ - y_;
  dense_[2] = size * k_[0] - dense_[1];
  dense_[3] = dense_[1] - size * k_[6] - dense_[2];
  dense_[4].setZero();
  if (is_interpolated_) {  // the state is on the chord, and so is what lies before it
    dense_[2].setZero();
    dense_[3].setZero();
  }
  for (std::size_t j = 0; j < 7 && !is_interpolated_; ++j) dense_[4].noalias() += (size * kD[j]) * k_[j];
}

void Dopri5::accept(State& state, const PlannedStep& plan) {
  interpolate_step(plan.size);  // of the step before projection
  t_begin_ = state.t;
  last_size_ = plan.size;

  dynamics_.pack(moved_, y_);
  k_[0] = next_k_;
  state = moved_;
  ++counts_.accepted;
}

StepReport Dopri5::step(State& state, double t_limit, StepRecord* record) {
  if (!is_at(state)) {
    StepReport report;
    report.status = go_to(state);
    if (report.status != StepStatus::kOk) return report;
  }
  StepReport report = take_step(state, t_limit);
  if (report.status != StepStatus::kOk) {
    t_ = std::numeric_limits<double>::quiet_NaN();  // sizes were tried: the state is to be found anew
    return report;
  }
  t_ = state.t;
  write_method(state);
  if (record != nullptr) report.status = dynamics_.write_record(state, *record);
  return report;
}

StepReport Dopri5::take_step(State& state, double t_limit) {
  for (bool rejected_before = false;; rejected_before = true) {
    PlannedStep plan = plan_step(state.t, t_limit);
    double error = 0;
    StepReport report = try_step(state, plan, t_limit, error);
    if (report.status == StepStatus::kOk && error <= 1 && dynamics_.has_contacts()) {
      const OnsetControl::Verdict verdict = judge_contacts(state, plan, report);
      if (verdict.action == OnsetControl::Action::kRetry) {
        ++counts_.rejected;
        ++counts_.rejected_by_contact;
        size_before_hunt_ = std::max(size_before_hunt_, plan.size);
        next_size_ = verdict.size_s;
        is_exact_size_ = true;
        continue;
      }
      if (report.status == StepStatus::kOk) report.status = settle_contacts(state, plan.size);
    }
    if (report.status == StepStatus::kOk && error <= 1) {
      double factor = kSafety * std::pow(std::max(error, 1e-10), -kExponent) * std::pow(previous_error_, kMemory);
      factor = std::clamp(factor, kSmallestFactor, rejected_before ? 1.0 : kLargestFactor);
      previous_error_ = std::max(error, 1e-4);
      // A step cut short by the limit says nothing against the size that was planned.
      next_size_ = plan.ends_at_limit ? std::max(next_size_, plan.size * factor) : plan.size * factor;
      if (dynamics_.has_contacts()) size_after_contacts();
      accept(state, plan);
      report.active_points = static_cast<int>(dynamics_.contacts().touching().size());
      report.gaps_are_open = dynamics_.contacts().are_open();
      report.row_rank = dynamics_.row_rank();
      return report;
    }
    ++counts_.rejected;
    if (plan.size <= smallest_size(state.t) * (1 + 1e-9)) {
      if (report.status == StepStatus::kOk) report.status = StepStatus::kStepTooSmall;
      report.size_s = 0;
      return report;
    }
    is_exact_size_ = false;
    const bool by_error = report.status == StepStatus::kOk;
    next_size_ = plan.size * (by_error ? std::max(kSmallestFactor, kSafety * std::pow(error, -0.2)) : 0.25);
  }
}

void Dopri5::interpolate(double t, State& state) const {
  const double s = last_size_ > 0 ? (t - t_begin_) / last_size_ : 0;
  dynamics_.unpack_combination(dense_, dense_weights(s), state);
  state.t = t;
}

std::unique_ptr<Integrator> make_dopri5(const System& system, const ContactModel& contacts,
                                        const IntegratorOptions& options) {
  return std::make_unique<Dopri5>(system, contacts, options);
}

}  // namespace freeplay::integrators
