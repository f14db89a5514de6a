// Which pairs of surfaces are worth a look: those whose bounds are in reach of each other. A function of the present
// positions and velocities alone; what it leaves out is open. (The broad phase makes a longer list of candidates that
// lasts for several steps; which of them are found does not depend on when it was made.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/geometry/broadphase/broad_phase.h"
#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay::contact {

class ContactFinder {
 public:
  // The model must outlive the finder.
  explicit ContactFinder(const MechanismContacts& model);

  // So few pairs that looking for them costs more than looking at them: all of them are always found.
  bool finds_all() const { return finds_all_; }

  // Keys of pairs (ContactKey::pair), increasing: those that may be closed with the markers at `frames`, and with a
  // horizon those that may close while every surface moves on at its velocity for that long. Frames and velocities in
  // the order of MechanismContacts::markers; velocities only where there is a horizon. Valid until the next call.
  std::span<const std::uint64_t> find(std::span<const Frame> frames, std::span<const MarkerVelocity> velocities,
                                      double horizon_s);
  // Whether the last find() was made with the markers where they are now, and had at least the reach that these
  // velocities ask for: then another one would find nothing more. It looks ahead a little farther than it is asked to.
  bool has_covered(std::span<const Frame> frames, std::span<const MarkerVelocity> velocities, double horizon_s) const;

 private:
  struct NamedPair {
    int a = 0, b = 0;  // surfaces, a > b
    int pair = 0;
  };
  double reach_of(std::size_t surface, const Bound& placed, std::span<const Frame> frames,
                  std::span<const MarkerVelocity> velocities, double horizon_s) const;
  void place(std::span<const Frame> frames, std::span<const MarkerVelocity> velocities, double horizon_s);
  bool candidates_suffice() const;
  void list_candidates();
  void add_candidates(int a, int b);
  bool is_in_reach(int a, int b) const;
  bool are_balls_in_reach(int a, int b) const;
  bool is_ball_in_reach_of_plane(int ball, int plane) const;
  bool is_ball(int surface) const;

  const MechanismContacts& model_;
  bool finds_all_ = false;
  std::vector<int> always_;                    // named pairs without bounds
  std::vector<NamedPair> named_;               // pairs of balls, sorted by a and b
  std::vector<NamedPair> named_without_ball_;  // named pairs of which one is no ball
  std::vector<int> balls_;                     // surfaces that the broad phase knows
  BroadPhase broad_phase_;
  // Of the list of candidates: the balls as they were, how far each may have gone and reach now, and the pairs.
  std::vector<BoundingSphere> spheres_;
  std::vector<double> room_m_;
  // Two balls, and what is found where they are in reach: a pair of their group or a named one.
  struct Candidate {
    int a = 0, b = 0;  // surfaces, a > b
    std::uint64_t key = 0;
  };
  std::vector<Candidate> candidates_;  // in the order of keys
  std::vector<Bound> placed_;          // per surface
  std::vector<double> reach_m_;        // per surface: how far it moves within the horizon; infinite where nobody knows
  // Per surface, of balls: the centre, and how far from there something may be within the horizon.
  struct ReachingBall {
    double x = 0, y = 0, z = 0, reach_m = 0;
  };
  std::vector<ReachingBall> reaching_;
  std::vector<std::uint64_t> found_, found_balls_, others_;
  std::vector<Frame> found_at_;  // markers
};

}  // namespace freeplay::contact
