// Contacts that close and open again within one step. Its ends do not show them, and neither does a cubic through its
// ends, where the gap is not smooth: two balls that fly through each other have the gap |d| - 2r, with a kink.
//
// A gap changes no faster than the surfaces move. So a point cannot have closed in an interval with
//   g_a + g_b > speed (t_b - t_a),
// and any other interval is halved, with the gap in the middle from the dense output of the step. Free flight far from
// everything costs nothing.
//
// Meshes tell contacts within their reach only, and nothing of what is deep inside. So a piece is also halved until
// none of their points could have come in it from beyond the reach to where it is closed, and past that.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/contact/points/untold_contacts.h"

namespace freeplay::integrators {

class HiddenContacts {
 public:
  // System and contacts must outlive this. Where contacts come and go in the points of a pair, all of them stand for
  // the least gap of the pair, which is continuous from the one side of a thin part to the other; far from a contact
  // it is a bound that the distance is not below (ContactKinematics::fill_far_gaps).
  HiddenContacts(const System& system, const ContactModel& contacts);

  // Of all points where a step starts or ends.
  struct Ends {
    const VecX &gaps, &rates, &speeds;  // speeds: of the one surface against the other at the point
    const VecX* untold_gaps = nullptr;  // UntoldContacts of the pair; null: as if it told all of them
    const VecX* untold_speeds = nullptr;
  };
  // The same, kept.
  struct GapMotion {
    VecX gaps, rates, speeds, untold_gaps, untold_speeds;
    std::vector<bool> is_far;  // the gap is such a bound, and the rate no rate but how fast it may fall
    explicit GapMotion(int points = 0)
        : gaps(VecX::Zero(points)),
          rates(gaps),
          speeds(gaps),
          untold_gaps(VecX::Constant(points, std::numeric_limits<double>::infinity())),
          untold_speeds(gaps),
          is_far(static_cast<std::size_t>(points)) {}
    Ends ends() const { return {gaps, rates, speeds, &untold_gaps, &untold_speeds}; }
  };
  struct Step {
    double start_s = 0, size_s = 0;
    double least_depth_m = 0;  // of an overlap that is no error of the interpolation
    double touching_m = 0;     // what is no deeper at an end of the step counts as open there
  };
  // q at start + s * size, s from 0 to 1.
  using Position = std::function<void(double s, VecX& q)>;
  // The first place s found at which one of the `watched` points is closed that is open at both ends (onset control
  // sees what is closed at the end); none if there is no sign of one. An overlap that lasts for less than a thousandth
  // of the step may be missed, and one that hides among more than some hundred gaps that were nearly closed.
  std::optional<double> find(const Step& step, const Ends& start, const Ends& end, const std::vector<bool>& watched,
                             const Position& position);
  // At a state; `motion` has been made for as many points as the contacts have.
  void measure(double t, const VecX& q, const VecX& u, GapMotion& motion);
  // After measure(): UntoldContacts of the pair of a point.
  double reach_m(int point) const { return reaches_[point]; }
  // And ContactKinematics::greatest_speed.
  double greatest_speed(int point) const { return kinematics_->greatest_speed(point); }
  // Whether contacts come and go in the points of a pair.
  bool has_followed() const { return has_followed_; }
  // Points keep the contacts that they have in `state`.
  void recall(const State& state) { kinematics_->recall(state); }

 private:
  static constexpr int kPieces = 1024;
  // From the place first / kPieces on, and where in gaps_ those of its ends are.
  struct Piece {
    int first = 0, length = kPieces;
    std::size_t gaps_a = 0, gaps_b = 1;
  };
  bool is_clear(const Piece& piece, const Step& step, const Ends& start, const Ends& end) const;
  void note_slopes(const Piece& piece, const Step& step);
  // The gaps in the middle of a piece, at the next place of gaps_. True if a point is closed there.
  bool look_inside(const Piece& piece, std::size_t place, const Step& step, const Position& position);
  // Of a pair whose contacts come and go: its points, from the first one of them to behind the last one.
  int end_of_pair(int first) const;
  // All points of such a pair get the motion of its nearest contact.
  void gather_pairs(GapMotion& motion) const;
  void gather_pairs(VecX& gaps) const;
  void list_open(const Step& step, const Ends& start, const Ends& end, const std::vector<bool>& watched);
  std::optional<double> search(const Step& step, const Ends& start, const Ends& end, const Position& position);

  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<ContactKinematics> kinematics_;
  VecX q_;
  std::vector<VecX> gaps_;              // of both ends, and of as many places as are looked at
  std::vector<Piece> pieces_, halves_;  // of one length that are to be judged, and of half of it
  std::vector<bool> by_pair_;           // per point: it has what its pair has
  bool has_followed_ = false;           // contacts come and go in the points of a pair
  GapMotion start_, end_;               // of such a model, by pairs
  std::vector<int> open_;               // watched and open at both ends
  std::size_t most_looks_ = 0;
  VecX reaches_;  // UntoldContacts, per point
  VecX slopes_;   // the steepest that was seen between two places, per point
};

}  // namespace freeplay::integrators
