#include "freeplay/simulation/watch/passed_among_few.h"

#include <algorithm>
#include <functional>

namespace freeplay::simulation {

PassedAmongFew::PassedAmongFew(const System& system, const ContactModel& contacts)
    : contacts_(contacts),
      dynamics_(system.make_dynamics()),
      hidden_(system, contacts, true),
      has_size_(contacts.points().size()),
      watched_(contacts.points().size()),
      start_q_(VecX::Zero(system.coordinate_count())),
      start_u_(VecX::Zero(system.velocity_count())),
      delta_(start_u_),
      q_(start_q_),
      start_(contacts.point_count()),
      end_(start_),
      between_(start_) {
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

// Where contacts come and go in the points of a pair, any of them may have carried the impulse.
bool PassedAmongFew::was_felt(std::size_t point, const State& state) const {
  if (state.contacts[point].normal_impulse != 0) return true;
  if (!contacts_.points()[point].is_followed) return false;
  const std::uint64_t pair = contacts_.key_of(static_cast<int>(point)).pair;
  return std::any_of(state.contacts.begin(), state.contacts.end(), [pair](const ContactMemory& memory) {
    return memory.key.pair == pair && memory.normal_impulse != 0;
  });
}

// What was passed is left behind at the end, and no farther away than the step was long.
bool PassedAmongFew::may_have_passed(const State& state) {
  constexpr double kMargin = 2;  // speeds change within a step
  const double size_s = state.t - start_s_;
  hidden_.measure(state.t, state.q, state.u, end_);
  bool may = false;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const Eigen::Index k = static_cast<Eigen::Index>(i);
    watched_[i] =
        has_size_[i] && end_.rates[k] > 0 && end_.gaps[k] < kMargin * size_s * end_.speeds[k] && !was_felt(i, state);
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

int PassedAmongFew::look(const State& state) {
  if (!may_have_passed(state) || !was_approached()) return -1;
  const double size_s = state.t - start_s_;
  const auto position = [&](double s, VecX& q) {
    q = start_q_;
    delta_ = (0.5 * s * size_s) * (start_u_ + state.u);
    dynamics_->displace(q, delta_);
  };
  const std::optional<double> part =
      hidden_.find({start_s_, size_s, kNoticeableOverlap_m}, start_.ends(), end_.ends(), watched_, std::cref(position));
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
