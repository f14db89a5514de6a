#include "freeplay/contact/problem/gap_projection.h"

#include <algorithm>

namespace freeplay::contact {

namespace {

constexpr double kAccepted_m = 1e-12;  // of the threshold, and of the bilateral rows
constexpr int kMaxIterations = 20;     // Newton's: three are usual

}  // namespace

GapProjection::GapProjection(const System& system, const ContactModel& contacts, double threshold_m)
    : threshold_(threshold_m),
      bilateral_count_(system.row_count()),
      solver_("auto", {.tolerance = kAccepted_m / 10}),
      M_(system.mass_structure()),
      rows_(system.mass_structure()),
      rows_of_point_(system.mass_structure()),
      G_(system.mass_structure()),
      bilateral_g_(VecX::Zero(bilateral_count_)),
      delta_(VecX::Zero(system.velocity_count())) {
  constexpr int kFirstRows = 64;  // of all that may ever touch, few do at a time
  const int points = std::min(contacts.point_count(), kFirstRows);
  rows_of_point_.reserve(ContactPoint::kMostRows);
  g_ = VecX::Zero(points);
  was_closed_.reserve(static_cast<std::size_t>(points));
  make_room(bilateral_count_ + points);
}

void GapProjection::make_room(int rows) {
  if (c_.size() >= rows && c_.size() > 0) return;
  const int room = std::max({rows, 2 * static_cast<int>(c_.size()), 1});
  solver_.reserve(room);
  rows_.reserve(room);
  G_.reserve(room);
  c_ = Lambda_ = VecX::Zero(room);
  blocks_.reserve(static_cast<std::size_t>(room));
  block_begin_.reserve(static_cast<std::size_t>(room) + 1);
}

bool GapProjection::is_met(const ContactSet& points) const {
  for (int i = 0; i < points.size(); ++i) {
    if (points[i].has_normal && g_[i] < -threshold_ - kAccepted_m) return false;
  }
  return max_abs(bilateral_g_) <= kAccepted_m;
}

// Normal rows of every point that is or was closed during this projection: whoever is pushed must not be pushed into a
// neighbour, and a point that has just been opened must not close again unseen.
void GapProjection::assemble(Dynamics& dynamics, ContactKinematics& kinematics) {
  const ContactSet& points = kinematics.set();
  rows_.clear();
  for (int i = 0; i < bilateral_count_; ++i) {
    const int row = rows_.add(0);
    dynamics.row_parts(i, rows_.parts(row), rows_.values(row));
  }
  was_closed_.resize(static_cast<std::size_t>(points.size()), 0);
  for (int i = 0; i < points.size(); ++i) {
    char& was_closed = was_closed_[static_cast<std::size_t>(i)];
    if (points[i].has_normal && g_[i] <= 0) was_closed = 1;
    if (was_closed == 0) continue;
    rows_of_point_.clear();
    kinematics.add_rows(i, rows_of_point_);
    rows_.copy_row(rows_of_point_, 0, rows_.add(0));
  }
  make_room(rows_.size());
  blocks_.clear();
  block_begin_.clear();
  for (int row = 0; row < rows_.size(); ++row) {
    const bool is_bilateral = row < bilateral_count_;
    if (is_bilateral) c_[row] = bilateral_g_[row];
    blocks_.push_back({is_bilateral ? ImpulseSet::kFree : ImpulseSet::kNonNegative, row});
    block_begin_.push_back(row);
  }
  block_begin_.push_back(rows_.size());
  int row = bilateral_count_;
  for (int i = 0; i < points.size(); ++i) {
    if (was_closed_[static_cast<std::size_t>(i)] != 0) c_[row++] = g_[i] + threshold_;
  }
}

StepStatus GapProjection::project(Dynamics& dynamics, ContactKinematics& kinematics, State& state) {
  was_closed_.clear();
  kinematics.recall(state);
  for (int iteration = 0; iteration <= kMaxIterations; ++iteration) {
    dynamics.set_position(state.t, state.q);
    if (iteration == 0)
      kinematics.find_points(0);
    else
      kinematics.add_points(0);
    if (g_.size() < kinematics.set().size()) g_.resize(kinematics.set().size());
    kinematics.update_gaps(g_);
    if (bilateral_count_ > 0) dynamics.row_positions(bilateral_g_);
    if (is_met(kinematics.set())) return StepStatus::kOk;
    assemble(dynamics, kinematics);
    dynamics.mass_matrix(M_);
    if (!M_.factor()) return StepStatus::kNotFinite;
    G_.assemble(M_, rows_, block_begin_);
    const int count = rows_.size();
    const LocalProblem problem{G_.view(), c_.head(count), blocks_};
    const ImpulseSolver::Outcome outcome = solver_.solve(problem, ImpulseGuess::none(), Lambda_.head(count));
    if (outcome.report.status != SolveStatus::kSolved) return StepStatus::kGapProjectionFailed;
    G_.respond(M_, Lambda_, delta_);
    dynamics.displace(state.q, delta_);
  }
  return StepStatus::kGapProjectionFailed;
}

}  // namespace freeplay::contact
