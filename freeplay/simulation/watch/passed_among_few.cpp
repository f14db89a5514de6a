#include "freeplay/simulation/watch/passed_among_few.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace freeplay::simulation {

PassedAmongFew::PassedAmongFew(const System& system, const ContactModel& contacts)
    : contacts_(contacts),
      dynamics_(system.make_dynamics()),
      hidden_(system, contacts),
      has_size_(contacts.points().size()),
      watched_(contacts.points().size()),
      start_q_(VecX::Zero(system.coordinate_count())),
      start_u_(VecX::Zero(system.velocity_count())),
      delta_(start_u_),
      q_(start_q_),
      start_(contacts.point_count()),
      end_(start_),
      between_(start_),
      clear_u_(start_u_) {
  for (std::size_t i = 0; i < has_size_.size(); ++i) {
    const ContactPoint& point = contacts.points()[i];
    has_size_[i] = can_be_passed(point) && point.size > 0;
  }
}

void PassedAmongFew::note_start(const State& state) {
  start_s_ = state.t;
  start_q_ = state.q;
  start_u_ = state.u;
  hidden_.recall(state);
}

// Until when nothing can have come near, the allowance, then the velocities at the last look.
std::vector<double> PassedAmongFew::memory() const {
  if (!std::isfinite(clear_until_s_)) return {};
  std::vector<double> memory = {clear_until_s_, allowance_m_s_};
  memory.insert(memory.end(), clear_u_.begin(), clear_u_.end());
  return memory;
}

void PassedAmongFew::set_memory(std::span<const double> memory) {
  forget();
  constexpr std::size_t kBeforeVelocities = 2;
  if (memory.size() != kBeforeVelocities + static_cast<std::size_t>(clear_u_.size())) return;
  clear_until_s_ = memory[0];
  allowance_m_s_ = memory[1];
  std::copy(memory.begin() + kBeforeVelocities, memory.end(), clear_u_.begin());
}

// Where contacts come and go in the points of a pair, any of them may have carried the impulse.
bool PassedAmongFew::was_felt(std::size_t point, const State& state) const {
  if (state.contacts[point].normal_impulse != 0) return true;
  if (!contacts_.points()[point].is_followed) return false;
  const std::uint64_t pair = contacts_.key_of(static_cast<int>(point)).pair;
  return std::any_of(state.contacts.begin(), state.contacts.end(), [pair](const ContactMemory& memory) {
    return memory.key.pair == pair && memory.normal_impulse != 0;
  });
}

// Angles count as lengths here: of parts of a metre that is what they are, and of smaller ones too much.
bool PassedAmongFew::is_clear(const State& state) const {
  if (!(state.t <= clear_until_s_)) return false;
  double change_m_s = 0;
  for (Eigen::Index i = 0; i < clear_u_.size(); ++i) change_m_s += std::abs(state.u[i] - clear_u_[i]);
  return change_m_s <= allowance_m_s_;
}

// A gap g that changes by no more than s + a lasts for g/(2s), if a is at most half of g in that time. Only for some
// steps: at constant velocities of joints the shapes may move faster in another position.
void PassedAmongFew::look_ahead(const State& state) {
  constexpr double kMostSteps = 16;
  double time_s = kMostSteps * (state.t - start_s_), least_m = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < has_size_.size(); ++i) {
    if (!has_size_[i]) continue;
    const double gap_m = std::max(end_.gaps[static_cast<Eigen::Index>(i)], 0.0);
    const double speed_m_s = hidden_.greatest_speed(static_cast<int>(i));
    least_m = std::min(least_m, gap_m);
    if (2 * speed_m_s * time_s > gap_m) time_s = gap_m / (2 * speed_m_s);
  }
  clear_until_s_ = state.t + time_s;
  allowance_m_s_ = least_m / (2 * time_s);
  clear_u_ = state.u;
}

// What was passed is left behind at the end, and no farther away than the step was long.
bool PassedAmongFew::may_have_passed(const State& state) {
  constexpr double kMargin = 2;  // speeds change within a step
  const double size_s = state.t - start_s_;
  hidden_.measure(state.t, state.q, state.u, end_);
  bool may = false;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Eigen::Index k = static_cast<Eigen::Index>(i);
    watched_[i] = has_size_[i] && (end_.rates[k] > 0 || end_.is_far[i]) &&
                  end_.gaps[k] < kMargin * size_s * end_.speeds[k] && !was_felt(i, state);
    may = may || watched_[i];
  }
  return may;
}

// And it was approached at the start.
bool PassedAmongFew::was_approached() {
  hidden_.measure(start_s_, start_q_, start_u_, start_);
  bool was = false;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    watched_[i] = watched_[i] && start_.rates[static_cast<Eigen::Index>(i)] < 0;
    was = was || watched_[i];
  }
  return was;
}

int PassedAmongFew::passed_from_inside(const State& state) const {
  const double change_m_s = (state.u - start_u_).lpNorm<1>();
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Eigen::Index k = static_cast<Eigen::Index>(i);
    const PassageInside passage{start_.gaps[k], end_.gaps[k], -start_.rates[k], contacts_.points()[i].size};
    if (watched_[i] && passage.is_meant(state.t - start_s_, change_m_s)) return static_cast<int>(i);
  }
  return -1;
}

int PassedAmongFew::look(const State& state) {
  if (is_clear(state)) return -1;
  const bool may = may_have_passed(state);
  look_ahead(state);
  if (!may || !was_approached()) return -1;
  if (const int inside = passed_from_inside(state); inside >= 0) return contacts_.entry_of(contacts_.key_of(inside));
  const double size_s = state.t - start_s_;
  const auto position = [&](double s, VecX& q) {
    q = start_q_;
    delta_ = (0.5 * s * size_s) * (start_u_ + state.u);
    dynamics_->displace(q, delta_);
  };
  const std::optional<double> part = hidden_.find({start_s_, size_s, kNoticeableOverlap_m, kNoticeableOverlap_m},
                                                  start_.ends(), end_.ends(), watched_, std::cref(position));
  if (!part) return -1;
  position(*part, q_);
  hidden_.measure(start_s_ + *part * size_s, q_, state.u, between_);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    if (watched_[i] && between_.gaps[static_cast<Eigen::Index>(i)] < -kNoticeableOverlap_m)
      return contacts_.entry_of(contacts_.key_of(static_cast<int>(i)));
  }
  return -1;
}

}  // namespace freeplay::simulation
