#include "freeplay/contact/points/initial_gaps.h"

#include <algorithm>

namespace freeplay::contact {

namespace {

// Rounding of an initial state that was computed to touch; anything deeper is a mistake in the model.
constexpr double kTouching = 1e-12;

}  // namespace

std::vector<InitialOverlap> initial_overlaps(const System& system, const ContactModel& contacts, double allowed_m) {
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  const State state = system.initial_state();
  dynamics->set_position(state.t, state.q);
  const std::unique_ptr<ContactKinematics> kinematics = contacts.make_kinematics(*dynamics);
  kinematics->find_points(0);
  const ContactSet& points = kinematics->set();
  VecX g(points.size());
  kinematics->update_gaps(g);
  std::vector<InitialOverlap> overlaps;
  for (int i = 0; i < points.size(); ++i) {
    const ContactPoint& point = points[i];
    const double allowed = point.gap_dimension == dimensions::kLength ? std::max(allowed_m, kTouching) : kTouching;
    if (point.has_normal && g[i] < -allowed)
      overlaps.push_back({contacts.entry_of(points.key(i)), &point, -g[i], points.key(i)});
  }
  return overlaps;
}

}  // namespace freeplay::contact
