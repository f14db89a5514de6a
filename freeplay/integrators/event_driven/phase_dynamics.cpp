#include "freeplay/integrators/event_driven/phase_dynamics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace freeplay::integrators {

namespace {

constexpr double kRankTolerance = 1e-11;  // relative pivots below are rows that others contain
// Rows that others contain may disagree with them by rounding only, relative to the accelerations at work.
constexpr double kLargestContradiction = 1e-6;
// Friction of joints by load: rounds of the fixed point, and the change of an effort that ends it, relative to it.
constexpr int kMostLoadRounds = 200;
constexpr double kSettledLoad = 1e-13;
constexpr double kFastSliding = 1e3;  // in standing speeds

}  // namespace

PhaseDynamics::PhaseDynamics(const System& system, const ContactModel& contacts, double standing_m_s)
    : PackedState(system.coordinate_count(), system.velocity_count(), contacts.point_count()),
      dynamics_(system.make_dynamics()),
      kinematics_(contacts.make_kinematics(*dynamics_)),
      bilateral_(system.row_count()),
      M_(system.mass_structure()),
      rows_(system.mass_structure()),
      rows_of_point_(system.mass_structure()),
      phases_(contacts.points().size()),
      standing_m_s_(standing_m_s),
      slow_m_s_(contacts.points().size(), 0.0),
      h_(VecX::Zero(velocities_)),
      a_free_(h_),
      a_loaded_(h_),
      du_(h_),
      lambda_(VecX::Zero(bilateral_)),
      delta_(h_) {
  kinematics_->take_all_points();
  gaps_ = VecX::Zero(kinematics_->set().size());
  make_room(bilateral_);
}

void PhaseDynamics::make_room(int rows) {
  if (rows <= room_ && room_ > 0) return;
  room_ = std::max({rows, 2 * room_, 1});
  rows_.reserve(room_);
  solver_.reserve(room_);
  loads_.reserve(static_cast<std::size_t>(room_));
  response_.setZero(velocities_, room_);
  A_.setZero(room_, room_);
  for (VecX* v : {&rhs_, &x_, &zeta_, &row_scale_}) v->setZero(room_);
}

void PhaseDynamics::set_phases(std::span<const PointPhase> phases) {
  std::copy(phases.begin(), phases.end(), phases_.begin());
  std::fill(slow_m_s_.begin(), slow_m_s_.end(), 0.0);
  closed_.clear();
  first_row_.clear();
  int row = bilateral_;
  for (int i = 0; i < point_count(); ++i) {
    if (!phase(i).is_closed()) continue;
    closed_.push_back(i);
    first_row_.push_back(row);
    row += points()[i].rows();
  }
  forces_.assign(closed_.size(), {});
  efforts_.assign(closed_.size(), 0);
  make_room(row);
  list_kept_rows();
}

// Bilateral rows, the normal rows of closed points, and the friction rows of those that stick.
void PhaseDynamics::list_kept_rows() {
  kept_.clear();
  for (int i = 0; i < bilateral_; ++i) kept_.push_back({i});
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const ContactPoint& point = points()[closed_[k]];
    const int first = first_row_[k], of_normal = point.has_normal ? 1 : 0;
    if (point.has_normal) kept_.push_back({first, static_cast<int>(k), true});
    if (phase(closed_[k]).mode != ContactMode::kStick) continue;
    for (int i = 0; i < point.friction_rows(); ++i) kept_.push_back({first + of_normal + i, static_cast<int>(k)});
  }
}

void PhaseDynamics::gaps_at(double t, const ConstVecRef& q, VecRef gaps) {
  dynamics_->set_position(t, q);
  kinematics_->update_gaps(gaps);
}

void PhaseDynamics::stand_at(const State& state) {
  dynamics_->set_position(state.t, state.q);
  dynamics_->set_velocity(state.u);
  kinematics_->update_gaps(gaps_);
  kinematics_->update_velocities();
}

StepStatus PhaseDynamics::collect(const ConstVecRef& u) {
  dynamics_->mass_matrix(M_);
  if (!M_.factor()) return StepStatus::kNotFinite;
  rows_.clear();
  for (int i = 0; i < bilateral_; ++i) {
    const int row = rows_.add(0);
    rows_.w_tilde(row) = dynamics_->row_parts(i, rows_.parts(row), rows_.values(row));
  }
  for (const int point : closed_) kinematics_->add_rows(point, rows_);
  dynamics_->forces(h_);
  if (bilateral_ > 0) dynamics_->row_bias(zeta_.head(bilateral_));
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const std::size_t count = static_cast<std::size_t>(points()[closed_[k]].rows());
    kinematics_->row_bias(closed_[k], {zeta_.data() + first_row_[k], count});
  }
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const Vec2 velocity = tangential_velocity(k, u);
    const PointLaw& law = points()[closed_[k]].law;
    const bool slides = phase(closed_[k]).mode == ContactMode::kSlip;
    const double mu = slides ? law.friction_at(velocity.norm()) : law.friction;
    forces_[k] = {.point = closed_[k], .sliding_m_s = velocity, .friction = mu};
  }
  a_free_ = h_;
  M_.solve_in_place(a_free_);
  return StepStatus::kOk;
}

double PhaseDynamics::normal_velocity(std::size_t k, const ConstVecRef& u) const {
  return points()[closed_[k]].has_normal ? rows_.velocity(first_row_[k], u) : 0;
}

Vec2 PhaseDynamics::tangential_velocity(std::size_t k, const ConstVecRef& u) const {
  const ContactPoint& point = points()[closed_[k]];
  const int first = first_row_[k] + (point.has_normal ? 1 : 0);
  Vec2 velocity = Vec2::Zero();
  for (int i = 0; i < point.friction_rows(); ++i) velocity[i] = rows_.velocity(first + i, u);
  return velocity;
}

void PhaseDynamics::begin_step() {
  constexpr double kAboutToStop = 1e-3;  // of the speed at the start
  for (const PointForces& forces : forces_)
    slow_m_s_[static_cast<std::size_t>(forces.point)] = kAboutToStop * forces.sliding_m_s.norm();
}

// In the plane it is that of the phase until the next event. In space it turns with the velocity; where the velocity
// has passed zero it goes on as if it had not, so that the motion is smooth up to the event and a little beyond. A
// stage of a step that leads to where sliding stops has a velocity of rounding there, whose direction says nothing: it
// would turn friction aside, and the part with it. Where a part turns without stopping, the error of the step is large
// and shorter steps see it turn.
//
// A part that begins to slide has no velocity yet but a direction, that of its acceleration. Friction turns what it
// does across that direction with the rate mu lambda_N/(m |gamma_T|), beyond all bounds at the start, and steps would
// have to be as short: a bearing took 90 000 of them for two microseconds. So the direction is that of gamma_T + s d,
// with d at the start of the step and s = v_0/(1 + |gamma_T|^2/v_0^2), v_0 the standing speed: it differs from that of
// gamma_T only where the velocity is no more than its own error. The size of friction is that of Coulomb's law
// throughout.
Vec2 PhaseDynamics::sliding_direction(std::size_t k) const {
  const PointPhase& phase_of = phase(closed_[k]);
  const Vec2& velocity = forces_[k].sliding_m_s;
  const double slow_m_s = slow_m_s_[static_cast<std::size_t>(closed_[k])];
  if (points()[closed_[k]].friction_rows() < 2 || velocity.norm() < slow_m_s) return phase_of.direction;
  const double sign = velocity.dot(phase_of.direction) < 0 ? -1 : 1;
  // There the second term is no more than 1e-9 of the first. To the bit, faster sliding knows nothing of the step's
  // start.
  if (velocity.norm() > kFastSliding * standing_m_s_) return sign * velocity.normalized();
  const double share = standing_m_s_ / (1 + velocity.squaredNorm() / (standing_m_s_ * standing_m_s_));
  return (sign * velocity + share * phase_of.direction).normalized();
}

Vec2 PhaseDynamics::drag_of(std::size_t k) const {
  const ContactPoint& point = points()[closed_[k]];
  const bool drags = point.has_normal && point.has_friction() && phase(closed_[k]).mode == ContactMode::kSlip;
  return drags ? Vec2(-forces_[k].friction * sliding_direction(k)) : Vec2::Zero();
}

// Sliding friction comes with the normal force that it is proportional to: the column of Pfeiffer's W_N - W_H mu_H.
void PhaseDynamics::write_column(const KeptRow& kept, VecRef column) const {
  column.setZero();
  rows_.add_to(kept.row, 1, column);
  if (!kept.is_normal) return;
  const std::size_t k = static_cast<std::size_t>(kept.closed);
  const ContactPoint& point = points()[closed_[k]];
  const Vec2 drag = drag_of(k);
  if (drag.isZero(0)) return;
  for (int i = 0; i < point.friction_rows(); ++i) rows_.add_to(kept.row + 1 + i, drag[i], column);
}

double PhaseDynamics::effort_limit(std::size_t k, const ConstVecRef& reactions) const {
  const PointLaw& law = points()[closed_[k]].law;
  return kinematics_->dry_effort(closed_[k]) + (law.load ? law.load->limit(reactions) : 0);
}

// With the friction of joints that slide against it.
void PhaseDynamics::find_loaded_accelerations() {
  a_loaded_ = h_;
  bool has_any = false;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    if (points()[closed_[k]].has_normal || phase(closed_[k]).mode != ContactMode::kSlip) continue;
    rows_.add_to(first_row_[k], -efforts_[k] * phase(closed_[k]).direction[0], a_loaded_);
    has_any = true;
  }
  if (has_any)
    M_.solve_in_place(a_loaded_);
  else
    a_loaded_ = a_free_;
}

// A_ij: what the force in kept row j does to kept row i.
void PhaseDynamics::factor_rows(bool with_friction) {
  const int n = static_cast<int>(kept_.size());
  for (int j = 0; j < n; ++j) {
    const KeptRow& kept = kept_[static_cast<std::size_t>(j)];
    auto column = response_.col(j);
    if (with_friction) {
      write_column(kept, column);
    } else {
      column.setZero();
      rows_.add_to(kept.row, 1, column);
    }
    M_.solve_in_place(column);
  }
  double* entry = A_.data();
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) *entry++ = rows_.dot(kept_[static_cast<std::size_t>(i)].row, response_.col(j));
  }
  // A pivot is small or large against its own row, not against those of a heavier part elsewhere.
  entry = A_.data();
  for (int i = 0; i < n; ++i) {
    const double own = std::abs(entry[i * n + i]);
    row_scale_[i] = own > 0 ? 1 / std::sqrt(own) : 1;
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) *entry++ *= row_scale_[i] * row_scale_[j];
  }
  solver_.factor(A_.data(), n, kRankTolerance);
}

void PhaseDynamics::solve_rows() {
  const Eigen::Index n = static_cast<Eigen::Index>(kept_.size());
  rhs_.head(n).array() *= row_scale_.head(n).array();
  solver_.solve(rhs_.data(), x_.data());
  x_.head(n).array() *= row_scale_.head(n).array();
}

// The forces in the rows that are kept, with the present efforts of joints that slide. Returns the largest acceleration
// that they have to hold back.
double PhaseDynamics::solve_for_efforts() {
  find_loaded_accelerations();
  const Eigen::Index n = static_cast<Eigen::Index>(kept_.size());
  double scale = 1;
  for (Eigen::Index i = 0; i < n; ++i) {
    const int row = kept_[static_cast<std::size_t>(i)].row;
    rhs_[i] = -(rows_.dot(row, a_loaded_) + zeta_[row]);
    scale = std::max(scale, std::abs(rhs_[i]));
  }
  solve_rows();
  du_.noalias() = a_loaded_ + response_.leftCols(n) * x_.head(n);
  note_forces();
  return scale;
}

// Efforts of joints that slide; those under load begin without it.
void PhaseDynamics::begin_loads() {
  loads_.begin();
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const double dry = efforts_[k] = points()[closed_[k]].has_normal ? 0 : kinematics_->dry_effort(closed_[k]);
    if (slides_under_load(k)) loads_.add(dry, dry);
  }
}

// By the reactions just found, which depend on the efforts: mu times the radius of a pin is small against the arms of a
// mechanism, but a block in its guide may be near to jamming.
bool PhaseDynamics::loads_have_settled() {
  std::size_t i = 0;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    if (slides_under_load(k)) loads_.set_found(i++, effort_limit(k));
  }
  return loads_.has_settled(kSettledLoad, forces_at_work());
}

void PhaseDynamics::follow_loads() {
  loads_.go_on();
  std::size_t i = 0;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    if (slides_under_load(k)) efforts_[k] = loads_.tried(i++);
  }
}

StepStatus PhaseDynamics::accelerations(double t, const ConstVecRef& q, const ConstVecRef& u) {
  is_redundant_ = false;
  dynamics_->set_position(t, q);
  dynamics_->set_velocity(u);
  if (bilateral_ == 0 && closed_.empty()) {
    return dynamics_->free_accelerations(du_) ? StepStatus::kOk : StepStatus::kNotFinite;
  }
  if (!closed_.empty()) {
    kinematics_->update_gaps(gaps_);
    kinematics_->update_velocities();
  }
  if (const StepStatus status = collect(u); status != StepStatus::kOk) return status;
  factor_rows(true);
  begin_loads();
  double scale = solve_for_efforts();
  while (!loads_have_settled()) {
    if (loads_.round() == kMostLoadRounds) return StepStatus::kSolverFailed;
    follow_loads();
    scale = solve_for_efforts();
  }
  const Eigen::Index n = static_cast<Eigen::Index>(kept_.size());
  is_redundant_ = solver_.is_singular() && !closed_.empty();
  if (!solver_.is_singular()) return StepStatus::kOk;
  for (Eigen::Index i = 0; i < n; ++i) {
    const int row = kept_[static_cast<std::size_t>(i)].row;
    if (std::abs(rows_.dot(row, du_) + zeta_[row]) <= kLargestContradiction * scale) continue;
    contradicting_row_ = row;
    return StepStatus::kInconsistentRows;
  }
  return StepStatus::kOk;
}

double PhaseDynamics::normal_acceleration(int point) {
  std::array<double, ContactPoint::kMostRows> zeta{};
  rows_of_point_.clear();
  const int rows = kinematics_->add_rows(point, rows_of_point_);
  kinematics_->row_bias(point, std::span(zeta).first(static_cast<std::size_t>(rows)));
  return rows_of_point_.dot(0, du_) + zeta[0];
}

StepStatus PhaseDynamics::rate(double t, const ConstVecRef& y, VecRef y_rate) {
  auto q = y.head(coordinates_);
  auto u = y.segment(coordinates_, velocities_);
  const StepStatus status = accelerations(t, q, u);
  if (status != StepStatus::kOk) return status;
  dynamics_->velocity_to_rate(q, u, y_rate.head(coordinates_));
  y_rate.segment(coordinates_, velocities_) = du_;
  auto account = y_rate.segment(controlled_size(), 4);
  const Powers powers = dynamics_->powers(lambda_);
  account << powers.input, powers.damping, 0, 0;
  auto losses = y_rate.tail(size() - first_quadrature());
  losses.setZero();
  // Closed contacts do no work but by sliding, and what their surfaces do by moving themselves.
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const ContactPoint& point = points()[closed_[k]];
    const PointForces& force = forces_[k];
    const double loss = -force.tangential_N.dot(force.sliding_m_s);
    losses[closed_[k]] = loss;
    account[3] += loss;
    int row = first_row_[k];
    if (point.has_normal) account[0] -= force.normal_N * rows_.w_tilde(row++);
    for (int i = 0; i < point.friction_rows(); ++i) account[0] -= force.tangential_N[i] * rows_.w_tilde(row++);
  }
  return y_rate.allFinite() ? StepStatus::kOk : StepStatus::kNotFinite;
}

}  // namespace freeplay::integrators
