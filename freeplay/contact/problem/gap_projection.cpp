#include "freeplay/contact/problem/gap_projection.h"

#include <algorithm>

#include "freeplay/contact/problem/delassus.h"

namespace freeplay::contact {

namespace {

constexpr double kAccepted_m = 1e-12;  // of the threshold, and of the bilateral rows
constexpr int kMaxIterations = 20;     // Newton's: three are usual

}  // namespace

GapProjection::GapProjection(const System& system, const ContactModel& contacts, double threshold_m)
    : contacts_(contacts),
      threshold_(threshold_m),
      bilateral_count_(system.row_count()),
      solver_(find_solver("auto")->make()),
      M_(system.mass_structure()) {
  const int velocities = system.velocity_count(), rows = bilateral_count_ + contacts.row_count();
  solver_->reserve(rows);
  bilateral_.resize(velocities, bilateral_count_);
  rows_.resize(velocities, rows);
  g_ = VecX::Zero(contacts.point_count());
  bilateral_g_ = VecX::Zero(bilateral_count_);
  c_ = Lambda_ = VecX::Zero(rows);
  delta_ = VecX::Zero(velocities);
  B_ = MatX::Zero(velocities, rows);
  G_ = MatX::Zero(rows, rows);
  blocks_.reserve(static_cast<std::size_t>(rows));
  points_.reserve(static_cast<std::size_t>(contacts.point_count()));
}

bool GapProjection::is_met(const VecX& g) const {
  for (int i = 0; i < contacts_.point_count(); ++i) {
    if (contacts_.points()[static_cast<std::size_t>(i)].has_normal && g[i] < -threshold_ - kAccepted_m) return false;
  }
  return max_abs(bilateral_g_) <= kAccepted_m;
}

// Normal rows of every point that is or was closed during this projection: whoever is pushed must not be pushed into a
// neighbour, and a point that has just been opened must not close again unseen.
void GapProjection::assemble(Dynamics& dynamics, ContactKinematics& kinematics) {
  blocks_.clear();
  for (int i = 0; i < contacts_.point_count(); ++i) {
    const bool is_closed = contacts_.points()[static_cast<std::size_t>(i)].has_normal && g_[i] <= 0;
    if (is_closed && std::find(points_.begin(), points_.end(), i) == points_.end()) points_.push_back(i);
  }
  if (bilateral_count_ > 0) dynamics.row_jacobian(bilateral_);
  kinematics.update_rows(points_, rows_, 0);
  for (int i = 0; i < bilateral_count_; ++i) {
    B_.col(i) = bilateral_.W.col(i);
    c_[i] = bilateral_g_[i];
    blocks_.push_back({ImpulseSet::kFree, i});
  }
  count_ = bilateral_count_;
  int column = 0;
  for (const int point : points_) {
    B_.col(count_) = rows_.W.col(column);
    c_[count_] = g_[point] + threshold_;
    blocks_.push_back({ImpulseSet::kNonNegative, count_++});
    column += contacts_.points()[static_cast<std::size_t>(point)].rows();
  }
}

StepStatus GapProjection::project(Dynamics& dynamics, ContactKinematics& kinematics, State& state) {
  points_.clear();
  for (int iteration = 0; iteration <= kMaxIterations; ++iteration) {
    dynamics.set_position(state.t, state.q);
    kinematics.update_gaps(g_);
    if (bilateral_count_ > 0) dynamics.row_positions(bilateral_g_);
    if (is_met(g_)) return StepStatus::kOk;
    assemble(dynamics, kinematics);
    dynamics.mass_matrix(M_);
    if (!M_.factor()) return StepStatus::kNotFinite;
    delassus(M_, count_, B_, G_);
    const LocalProblem problem{G_.topLeftCorner(count_, count_), c_.head(count_), blocks_};
    const SolveReport report = solver_->solve(problem, {kAccepted_m / 10}, ImpulseGuess::none(), Lambda_.head(count_));
    if (report.status != SolveStatus::kSolved) return StepStatus::kGapProjectionFailed;
    delta_.setZero();
    for (int i = 0; i < count_; ++i) delta_ += Lambda_[i] * B_.col(i);
    M_.finish_solve_in_place(delta_);
    dynamics.displace(state.q, delta_);
  }
  return StepStatus::kGapProjectionFailed;
}

}  // namespace freeplay::contact
