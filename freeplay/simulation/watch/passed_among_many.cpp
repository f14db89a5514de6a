#include "freeplay/simulation/watch/passed_among_many.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::simulation {

namespace {

constexpr int kQuietSteps = 16;  // that follow a survey in which nothing was fast
// Of the thickness, per step: so fast a part may be where steps are not looked at, and so much faster it may become
// there.
constexpr double kFast = 0.25;
constexpr double kSpeedMargin = 2;    // speeds change within a step
constexpr int kMostPieces = 256;      // that a step is cut into
constexpr double kPieceOfPart = 0.5;  // of the thickness: how far the parts move in one piece, at most

}  // namespace

PassedAmongMany::PassedAmongMany(const System& system, const ContactModel& contacts)
    : contacts_(contacts),
      dynamics_(system.make_dynamics()),
      kinematics_(contacts.make_kinematics(*dynamics_)),
      start_q_(VecX::Zero(system.coordinate_count())),
      start_u_(VecX::Zero(system.velocity_count())),
      delta_(start_u_),
      q_(start_q_),
      thinnest_m_(std::numeric_limits<double>::infinity()),
      survey_u_(start_u_) {
  for (const ContactPoint* point : contacts.descriptions()) {
    if (can_be_passed(*point) && point->size > 0) thinnest_m_ = std::min(thinnest_m_, 2 * point->size);
  }
}

void PassedAmongMany::note_start(const State& state) {
  start_s_ = state.t;
  if (quiet_steps_ > 0 && has_sped_up(state.u)) quiet_steps_ = 0;
  if (quiet_steps_ > 0) return;  // this step will not be looked at
  start_q_ = state.q;
  start_u_ = state.u;
  kinematics_->recall(state);
}

// Angles count as lengths here: of parts of a metre that is what they are, and of smaller ones too much.
bool PassedAmongMany::has_sped_up(const VecX& u) const {
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    if (!(std::abs(u[i] - survey_u_[i]) <= allowance_m_s_)) return true;
  }
  return false;
}

void PassedAmongMany::stand_at_start(double horizon_s) {
  dynamics_->set_position(start_s_, start_q_);
  dynamics_->set_velocity(start_u_);
  kinematics_->find_points(horizon_s);
  const int count = kinematics_->set().size();
  if (gaps_.size() < count) gaps_.resize(2 * count);  // lists grow and shrink: some room
  kinematics_->update_gaps(gaps_.head(count));
  kinematics_->update_velocities();
}

double PassedAmongMany::thickness_m(int point) const {
  const ContactPoint& description = kinematics_->set()[point];
  return can_be_passed(description) ? 2 * contacts_.size_of(kinematics_->set().key(point), description) : 0;
}

bool PassedAmongMany::is_any_fast(double size_s) const {
  for (int i = 0; i < kinematics_->set().size(); ++i) {
    const double thick_m = thickness_m(i);
    if (thick_m > 0 && size_s * kinematics_->velocity_of(i).shape_speed() > kFast * thick_m) return true;
  }
  return false;
}

double PassedAmongMany::gap_of_pair(int point) const {
  const ContactSet& points = kinematics_->set();
  double least = gaps_[point];
  if (!points[point].is_followed) return least;
  const std::uint64_t pair = points.key(point).pair;
  for (int k = point - 1; k >= 0 && points.key(k).pair == pair; --k) least = std::min(least, gaps_[k]);
  for (int k = point + 1; k < points.size() && points.key(k).pair == pair; ++k) least = std::min(least, gaps_[k]);
  return least;
}

bool PassedAmongMany::suspects_at_start(double size_s) {
  suspects_.clear();
  for (int i = 0; i < kinematics_->set().size(); ++i) {
    const double thick_m = thickness_m(i), gap_m = gap_of_pair(i);
    if (!(thick_m > 0) || !(gap_m >= 0)) continue;
    const PointVelocity velocity = kinematics_->velocity_of(i);
    const double way_m = kSpeedMargin * size_s * velocity.shape_speed();
    if (velocity.normal < 0 && way_m > gap_m + thick_m) suspects_.push_back(i);
  }
  return !suspects_.empty();
}

bool PassedAmongMany::was_felt(std::uint64_t pair, const State& state) const {
  return std::any_of(state.contacts.begin(), state.contacts.end(), [pair](const ContactMemory& memory) {
    return memory.key.pair == pair && memory.normal_impulse != 0;
  });
}

bool PassedAmongMany::keep_suspects_at_end(const State& state) {
  dynamics_->set_position(state.t, state.q);
  dynamics_->set_velocity(state.u);
  kinematics_->update_gaps(gaps_.head(kinematics_->set().size()));
  kinematics_->update_velocities();
  std::erase_if(suspects_, [&](int i) {
    const bool is_behind = gap_of_pair(i) >= 0 && kinematics_->velocity_of(i).normal > 0;
    return !is_behind || was_felt(kinematics_->set().key(i).pair, state);
  });
  return !suspects_.empty();
}

int PassedAmongMany::look(const State& state) {
  if (quiet_steps_ > 0) {
    --quiet_steps_;
    return -1;
  }
  const double size_s = state.t - start_s_;
  stand_at_start((kQuietSteps + 1) * size_s);
  if (!is_any_fast(size_s)) {
    quiet_steps_ = kQuietSteps;
    allowance_m_s_ = kFast * thinnest_m_ / size_s;
    survey_u_ = start_u_;
    return -1;
  }
  if (!suspects_at_start(size_s)) return -1;
  double pieces = 2;
  for (const int i : suspects_) {
    const double way_m = kSpeedMargin * size_s * kinematics_->velocity_of(i).shape_speed();
    pieces = std::max(pieces, way_m / (kPieceOfPart * thickness_m(i)));
  }
  if (!keep_suspects_at_end(state)) return -1;
  const int count = static_cast<int>(std::min(std::ceil(pieces), double{kMostPieces}));
  for (int k = 1; k < count; ++k) {
    const double part = static_cast<double>(k) / count;
    q_ = start_q_;
    delta_ = (0.5 * part * size_s) * (start_u_ + state.u);
    dynamics_->displace(q_, delta_);
    dynamics_->set_position(start_s_ + part * size_s, q_);
    kinematics_->update_gaps(gaps_.head(kinematics_->set().size()));
    for (const int i : suspects_) {
      if (gap_of_pair(i) < -kNoticeableOverlap_m) return contacts_.entry_of(kinematics_->set().key(i));
    }
  }
  return -1;
}

}  // namespace freeplay::simulation
