#include "freeplay/simulation/watch/passed_among_many.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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

// The steps until the next survey, its step and its allowance, then the velocities at the last one.
std::vector<double> PassedAmongMany::memory() const {
  if (quiet_steps_ == 0) return {};
  std::vector<double> memory = {static_cast<double>(quiet_steps_), survey_size_s_, allowance_m_s_};
  memory.insert(memory.end(), survey_u_.begin(), survey_u_.end());
  return memory;
}

void PassedAmongMany::set_memory(std::span<const double> memory) {
  forget();
  constexpr std::size_t kBeforeVelocities = 3;
  if (memory.size() != kBeforeVelocities + static_cast<std::size_t>(survey_u_.size())) return;
  if (!(memory[0] >= 0 && memory[0] <= kQuietSteps)) return;
  quiet_steps_ = static_cast<int>(memory[0]);
  survey_size_s_ = memory[1];
  allowance_m_s_ = memory[2];
  std::copy(memory.begin() + kBeforeVelocities, memory.end(), survey_u_.begin());
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
  update_gaps();
  kinematics_->update_velocities();
}

void PassedAmongMany::update_gaps() {
  auto gaps = gaps_.head(kinematics_->set().size());
  kinematics_->update_gaps(gaps);
  kinematics_->fill_far_gaps(gaps);
}

double PassedAmongMany::thickness_m(int point) const {
  const ContactPoint& description = kinematics_->set()[point];
  return can_be_passed(description) ? 2 * contacts_.size_of(kinematics_->set().key(point), description) : 0;
}

bool PassedAmongMany::is_any_fast(double size_s) const {
  for (int i = 0; i < kinematics_->set().size(); ++i) {
    const double thick_m = thickness_m(i);
    if (thick_m > 0 && size_s * kinematics_->greatest_speed(i) > kFast * thick_m) return true;
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
    if (!(thick_m > 0)) continue;
    const double closing_m_s = kinematics_->far_speed(i) ? 0 : -kinematics_->velocity_of(i).normal;
    const bool comes_near = kinematics_->far_speed(i) || closing_m_s > 0;
    if (comes_near && kSpeedMargin * size_s * kinematics_->greatest_speed(i) > gap_m + thick_m)
      suspects_.push_back({i, {.start_gap_m = gap_m, .approach_m_s = closing_m_s, .part_size_m = thick_m / 2}});
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
  update_gaps();
  kinematics_->update_velocities();
  std::erase_if(suspects_, [&](Suspect& suspect) {
    const int i = suspect.point;
    suspect.inside.end_gap_m = gap_of_pair(i);
    const bool goes_away = kinematics_->far_speed(i) || kinematics_->velocity_of(i).normal > 0;
    return !goes_away || was_felt(kinematics_->set().key(i).pair, state);
  });
  return !suspects_.empty();
}

int PassedAmongMany::look(const State& state) {
  const double size_s = state.t - start_s_;
  if (quiet_steps_ > 0) {
    // What was slow for the step of the survey may not be so for longer ones.
    constexpr double kRounding = 1e-6;
    quiet_steps_ = size_s > (1 + kRounding) * survey_size_s_ ? 0 : quiet_steps_ - 1;
    return -1;
  }
  stand_at_start((kQuietSteps + 1) * size_s);
  if (!is_any_fast(size_s)) {
    quiet_steps_ = kQuietSteps;
    survey_size_s_ = size_s;
    allowance_m_s_ = kFast * thinnest_m_ / size_s;
    survey_u_ = start_u_;
    return -1;
  }
  if (!suspects_at_start(size_s)) return -1;
  double pieces = 2;
  for (const Suspect& suspect : suspects_) {
    const double way_m = kSpeedMargin * size_s * kinematics_->greatest_speed(suspect.point);
    pieces = std::max(pieces, way_m / (kPieceOfPart * thickness_m(suspect.point)));
  }
  if (!keep_suspects_at_end(state)) return -1;
  const double change_m_s = (state.u - start_u_).cwiseAbs().maxCoeff();  // of very many bodies some always change
  for (const Suspect& suspect : suspects_) {
    if (suspect.inside.is_meant(size_s, change_m_s)) return contacts_.entry_of(kinematics_->set().key(suspect.point));
  }
  std::erase_if(suspects_, [](const Suspect& suspect) {
    return suspect.inside.start_gap_m < -kNoticeableOverlap_m || suspect.inside.end_gap_m < -kNoticeableOverlap_m;
  });
  const int count = static_cast<int>(std::min(std::ceil(pieces), double{kMostPieces}));
  for (int k = 1; k < count; ++k) {
    const double part = static_cast<double>(k) / count;
    q_ = start_q_;
    delta_ = (0.5 * part * size_s) * (start_u_ + state.u);
    dynamics_->displace(q_, delta_);
    dynamics_->set_position(start_s_ + part * size_s, q_);
    update_gaps();
    for (const Suspect& suspect : suspects_) {
      if (gap_of_pair(suspect.point) < -kNoticeableOverlap_m)
        return contacts_.entry_of(kinematics_->set().key(suspect.point));
    }
  }
  return -1;
}

}  // namespace freeplay::simulation
