#include "freeplay/simulation/watch/passed_parts.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace freeplay::simulation {

namespace {

constexpr double kNoticeableOverlap_m = 1e-6;  // a shallower overlap is no passage

}  // namespace

std::unique_ptr<PassedParts> PassedParts::make(const System& system, const ContactModel& contacts) {
  std::vector<bool> has_size;
  for (const ContactPoint& point : contacts.points()) {
    // What is on the other side of the wall of a joint with play is the wall opposite.
    has_size.push_back(point.has_place && point.clearance_m == 0 && point.size > 0);
  }
  if (std::none_of(has_size.begin(), has_size.end(), [](bool is) { return is; })) return nullptr;
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  if (contacts.make_kinematics(*dynamics)->has_far_points()) return nullptr;
  return std::unique_ptr<PassedParts>(new PassedParts(system, contacts, std::move(has_size)));
}

PassedParts::PassedParts(const System& system, const ContactModel& contacts, std::vector<bool> has_size)
    : contacts_(contacts),
      dynamics_(system.make_dynamics()),
      hidden_(system, contacts, true),
      has_size_(std::move(has_size)),
      watched_(has_size_.size()),
      start_q_(VecX::Zero(system.coordinate_count())),
      start_u_(VecX::Zero(system.velocity_count())),
      delta_(start_u_),
      q_(start_q_),
      start_(contacts.point_count()),
      end_(start_),
      between_(start_) {}

void PassedParts::note_start(const State& state) {
  start_s_ = state.t;
  start_q_ = state.q;
  start_u_ = state.u;
  hidden_.recall(state);
}

// Where contacts come and go in the points of a pair, any of them may have carried the impulse.
bool PassedParts::was_felt(std::size_t point, const State& state) const {
  if (state.contacts[point].normal_impulse != 0) return true;
  if (!contacts_.points()[point].is_followed) return false;
  const std::uint64_t pair = contacts_.key_of(static_cast<int>(point)).pair;
  return std::any_of(state.contacts.begin(), state.contacts.end(), [pair](const ContactMemory& memory) {
    return memory.key.pair == pair && memory.normal_impulse != 0;
  });
}

// What was passed is left behind at the end, and no farther away than the step was long.
bool PassedParts::may_have_passed(const State& state) {
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
bool PassedParts::was_approached() {
  hidden_.measure(start_s_, start_q_, start_u_, start_);
  bool was = false;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    watched_[i] = watched_[i] && start_.rates[static_cast<Eigen::Index>(i)] < 0;
    was = was || watched_[i];
  }
  return was;
}

int PassedParts::look(const State& state) {
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
