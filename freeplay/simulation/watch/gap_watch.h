// What the gaps at the ends of steps give away: parts that are too deep in each other, and parts that have passed a
// wall.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/contact/points/contact_model.h"

namespace freeplay::simulation {

class GapWatch {
 public:
  // `contacts` and `dynamics` must outlive the watch.
  GapWatch(const ContactModel& contacts, Dynamics& dynamics);

  // Entries of points (ContactModel::entry_of); -1: none.
  struct Found {
    double max_penetration_m = 0;
    int deep_entry = -1;    // too deep against the clearance, or against the smaller part
    int passed_entry = -1;  // inside by more than it can have moved in the step, and outside before
  };
  // At the end of the `step`-th step, which took dt: `kinematics` stands at the position of `state`, `gaps` are those
  // of its points. A step that nobody looks at has no closed point at its end. `walls_are_rigid`: no force law lets
  // parts into each other.
  Found look(ContactKinematics& kinematics, const VecX& gaps, const State& state, std::int64_t step, double dt,
             bool walls_are_rigid);
  // Whether there is a stop that must be looked at after every step, also where it is far: the only one of a prismatic
  // joint, whose depths are compared with the longest way that the joint has been away from it.
  bool follows_ways() const { return !ways_m_.empty(); }
  // Before a run, or before it goes on from elsewhere: the first look only takes note.
  void forget();
  // These ways, for a run that goes on elsewhere.
  std::span<const double> ways_m() const { return ways_m_; }
  void set_ways_m(std::span<const double> ways_m);

 private:
  static bool is_deep(const ContactPoint& point, double extent_m, double depth_m, bool walls_are_rigid);
  bool was_closed(ContactKey key) const;
  // Takes note of the way; true if the depth is too large a share of the longest one so far.
  bool is_deep_in_only_stop(int entry, double gap_m);
  // A bound of how far the surfaces of a point can have moved against each other in a step.
  double reach(ContactKinematics& kinematics, int point, const State& state, double dt);

  const ContactModel& contacts_;
  Dynamics& dynamics_;
  std::int64_t last_step_ = -1;  // that was looked at; -1: none
  VecX u_before_;
  std::vector<ContactKey> closed_, closed_before_;  // increasing
  std::vector<double> ways_m_;                      // by entry; none where no point is such a stop
};

}  // namespace freeplay::simulation
