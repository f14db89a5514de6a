// The step whose normals are those of its end, for parts in round play, and what it is needed for: the frequency at
// which such parts swing in their play.
#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/integrators/nlp/nlp_step.h"

namespace freeplay::integrators {

namespace {

constexpr int kMostPrograms = 60;                 // of the quadratic programs; 5 to 10 are usual
constexpr double kDiscVelocityTolerance = 1e-13;  // relative to the largest velocity
constexpr double kVelocityRounding = 1e-10;       // the same where it is rounding that keeps velocities from settling
constexpr int kPowerIterations = 60;              // for the largest of a few frequencies

}  // namespace

void NlpStep::find_round_points() {
  round_.clear();
  centre_rows_.clear();
  const std::vector<Activation>& active = contact_step_.active();
  for (std::size_t i = 0; i < active.size(); ++i) {
    const int first = centre_rows_.size(), rows = kinematics_->add_centre_rows(active[i].point, centre_rows_);
    if (rows == 0) continue;
    round_.push_back({i, first, rows, contacts_.points()[static_cast<std::size_t>(active[i].point)].clearance_m});
  }
}

// The rows as they are at the start of the step; normal_rows_ keeps those that the programs turn.
void NlpStep::begin_disc(const State& state) {
  if (rows_are_replaced_) contact_step_.collect(*dynamics_, *kinematics_, state.u);
  rows_are_replaced_ = true;
  normal_rows_.clear();
  for (const RoundPoint& round : round_)
    normal_rows_.copy_row(contact_step_.rows(), contact_step_.first_row(round.active), normal_rows_.add(0));
}

// The quadratic program about u_E_: its Hessian, factored, its rows and the gaps that they may close.
void NlpStep::write_disc_program(double h, bool has_impulses) {
  const std::vector<Activation>& active = contact_step_.active();
  M_.write_dense(hessian_);
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (std::isfinite(g_A_[active[i].point]))
      contact_step_.set_approach(i, (g_A_[active[i].point] + error_[active[i].point]) / h);
  }
  for (std::size_t index = 0; index < round_.size(); ++index) turn_to_end(index, h, has_impulses);
  if (rows_ > 0) contact_step_.bilateral_approach() = (row_g_A_ + row_error_) / h;
  factored_hessian_.compute(hessian_);
  Eigen::Ref<MatX> response = contact_step_.open_response();
  for (Eigen::Index j = 0; j < response.cols(); ++j) {
    lateral_vector_ = response.col(j);
    delta_ = factored_hessian_.solve(lateral_vector_);
    response.col(j) = delta_;
  }
  contact_step_.close_response();
}

// From u_E_ to the solution of the program; u_before_ keeps where it came from.
StepStatus NlpStep::solve_disc_program(double h) {
  u_before_ = u_E_;
  delta_ = u_E_ - u_free_;
  M_.multiply(delta_, lateral_vector_);
  delta_ = factored_hessian_.solve(lateral_vector_);
  lateral_vector_ = u_E_ - delta_;
  const ContactStepReport report = contact_step_.solve(lateral_vector_, h, u_E_, ContactStep::Guess::kNone);
  iterations_ += report.iterations;
  residual_m_s_ = report.residual_m_s;
  used_fallback_ |= report.used_fallback;
  if (!report.solved) return StepStatus::kSolverFailed;
  return u_E_.allFinite() ? StepStatus::kOk : StepStatus::kNotFinite;
}

// What the program has missed at the end of the step, of which the next one knows. True if that is what it expected.
bool NlpStep::correct_disc(double h) {
  const std::vector<Activation>& active = contact_step_.active();
  bool has_settled = true;
  std::size_t next_round = 0;
  for (std::size_t i = 0; i < active.size(); ++i) {
    const int point = active[i].point;
    double expected = g_A_[point] + h * contact_step_.normal_velocity(i, u_E_);
    if (next_round < round_.size() && round_[next_round].active == i) {
      const RoundPoint& round = round_[next_round];
      expected = round.clearance_m - offset_of_centre(round, next_round, h, u_E_).norm();
      ++next_round;
    }
    has_settled &= correct(point, expected);
  }
  return correct_rows(h) && has_settled;
}

// The centre of a round part is displaced by r = d + h J v from the middle of its play, d at the start; in the basis of
// the normal and the centre rows, r = (h gamma_N - (c - g_A), h gamma_T). The gap is c - |r| + e, with e what the first
// order misses. Its gradient is that of the normal at the end, and -|r| is concave, so that
//
//   min 1/2 |v - v_free|^2 in the metric M   with   c - |r(v)| + e >= 0
//
// is convex: quadratic programs with the Hessian of the Lagrangian, M + sum Lambda h/|r| w w^T over the directions w
// across r, converge quadratically. A point slides on a circle under its force like a pendulum; here that motion is
// taken implicitly, which is why no step is too long for it.
StepStatus NlpStep::solve_disc(const State& state, double h) {
  begin_attempt(state, h);
  find_round_points();
  if (contact_step_.active().empty() && rows_ == 0) return solve(state, h);
  begin_disc(state);
  u_E_ = u_free_;
  double change = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostPrograms; ++k) {
    write_disc_program(h, k > 0);
    const StepStatus status = solve_disc_program(h);
    if (status != StepStatus::kOk) return status;
    evaluate_end(state, h);
    // Gaps of large parts are rounded to a larger part of their play: there the changes stop falling before they are
    // small.
    const double scale = std::max(1.0, max_abs(u_E_)), before = change;
    delta_ = u_E_ - u_before_;
    change = max_abs(delta_);
    const bool is_steady =
        change <= kDiscVelocityTolerance * scale || (change <= kVelocityRounding * scale && change > 0.5 * before);
    if (correct_disc(h) && is_steady) return StepStatus::kOk;
  }
  return StepStatus::kCorrectionFailed;
}

Vec3 NlpStep::offset_of_centre(const RoundPoint& round, std::size_t index, double h, const ConstVecRef& u) const {
  const int point = contact_step_.active()[round.active].point;
  Vec3 r = Vec3::Zero();
  r[0] = h * normal_rows_.dot(static_cast<int>(index), u) - (round.clearance_m - g_A_[point]);
  for (int j = 0; j < round.rows; ++j) r[1 + j] = h * centre_rows_.dot(round.first_row + j, u);
  return r;
}

// The rows of a round point with the normal that belongs to the end of the step, and what its curvature adds to the
// Hessian.
void NlpStep::turn_to_end(std::size_t index, double h, bool has_impulse) {
  RoundPoint& round = round_[index];
  const int point = contact_step_.active()[round.active].point, row = contact_step_.first_row(round.active);
  const Vec3 r = offset_of_centre(round, index, h, u_E_);
  const double size = r.norm();
  const Vec3 n = size > 0 ? Vec3(-r / size) : Vec3(Vec3::UnitX());  // in that basis
  round.normal = n;
  // All of these rows act on the same trees.
  RowStore& rows = contact_step_.rows();
  const double* straight = normal_rows_.values(static_cast<int>(index));
  for (int k = 0; k < rows.entries(row); ++k) {
    double entry = n[0] * straight[k];
    for (int j = 0; j < round.rows; ++j) entry += n[1 + j] * centre_rows_.values(round.first_row + j)[k];
    rows.values(row)[k] = entry;
  }
  if (contacts_.points()[static_cast<std::size_t>(point)].has_friction()) turn_tangents(round);
  contact_step_.set_approach(round.active, (round.clearance_m - size + error_[point]) / h - rows.dot(row, u_E_));
  const double impulse = has_impulse ? contact_step_.normal_impulse(round.active) : 0;
  if (!(impulse > 0 && size > 0)) return;
  // Across r: all directions of the basis without their part along n.
  const double weight = impulse * h / size;
  for (int a = 0; a <= round.rows; ++a) {
    lateral_vector_.setZero();
    rows.add_to(row, -n[a], lateral_vector_);
    if (a == 0)
      normal_rows_.add_to(static_cast<int>(index), 1, lateral_vector_);
    else
      centre_rows_.add_to(round.first_row + a - 1, 1, lateral_vector_);
    hessian_.noalias() += weight * lateral_vector_ * lateral_vector_.transpose();
  }
}

// Friction acts across the normal of the end, in the point that belongs to it.
void NlpStep::turn_tangents(const RoundPoint& round) {
  const int point = contact_step_.active()[round.active].point;
  kinematics_->turn_normal(point, round.normal);
  point_rows_.clear();
  const int rows = kinematics_->add_rows(point, point_rows_), first = contact_step_.first_row(round.active);
  for (int k = 1; k < rows; ++k) {
    const double w_tilde = contact_step_.rows().w_tilde(first + k);
    contact_step_.rows().copy_row(point_rows_, k, first + k);
    contact_step_.rows().w_tilde(first + k) = w_tilde;
  }
  kinematics_->turn_normal(point, Vec3::UnitX());
}

void NlpStep::turn_normals(ContactKinematics& kinematics) const {
  if (!rows_are_replaced_) return;
  for (const RoundPoint& round : round_)
    kinematics.turn_normal(contact_step_.active()[round.active].point, round.normal);
}

void NlpStep::finish(const State& state) {
  if (!rows_are_replaced_) return;
  contact_step_.update_velocities_before(state.u);
  turn_normals(*kinematics_);
}

double NlpStep::lateral_frequency(double relevant) {
  if (!rows_are_replaced_) find_round_points();  // a disc step knows them, with the normals that it took
  if (lateral_.cols() < centre_rows_.size()) lateral_.resize(lateral_vector_.size(), centre_rows_.size());
  int count = 0;
  double trace = 0;
  for (const RoundPoint& round : round_) {
    const double force = contact_step_.normal_impulse(round.active) / h_;
    if (!(force > 0)) continue;
    for (int j = 0; j < round.rows; ++j) {
      auto column = lateral_.col(count++);
      column.setZero();
      centre_rows_.add_to(round.first_row + j, std::sqrt(force / round.clearance_m), column);
      factored_.half_solve_in_place(column);
      trace += column.squaredNorm();
    }
  }
  if (std::sqrt(trace) < relevant) return 0;  // the largest eigenvalue is no larger than the sum of all
  const auto columns = lateral_.leftCols(count);
  lateral_vector_ = columns.rowwise().sum();
  double square = 0;
  for (int k = 0; k < kPowerIterations; ++k) {
    const double size = lateral_vector_.norm();
    if (!(size > 0)) break;
    lateral_vector_ /= size;
    delta_.setZero();
    for (int j = 0; j < count; ++j) delta_ += columns.col(j).dot(lateral_vector_) * columns.col(j);
    square = delta_.dot(lateral_vector_);
    lateral_vector_ = delta_;
  }
  return std::sqrt(square);
}

}  // namespace freeplay::integrators
