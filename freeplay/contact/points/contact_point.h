// A contact point as a description: which contact it belongs to, its rows, its laws as numbers.
#pragma once

#include <optional>
#include <string>

#include "freeplay/contact/laws/force_law.h"
#include "freeplay/math/quantities/dimension.h"

namespace freeplay::contact {

// The set-valued laws of a point as numbers: Newton's impact law and Coulomb's friction.
struct PointLaw {
  double restitution = 0;             // e_N
  double tangential_restitution = 0;  // e_T
  double friction = 0;                // mu
  double dry_effort = 0;              // a point without normal row: largest friction effort, N or N m
};

struct ContactPoint {
  std::string contact;  // "guide"
  std::string suffix;   // "_1", or "" for a single point: the channel is contact + ".gap" + suffix
  bool has_normal = true;
  int tangents = 1;  // directions in which it can slide: 1 in the plane, 2 in space, none for a stop
  PointLaw law;
  std::string impact = "newton";  // the name of its impact law: an integrator refuses one that it does not know
  Dimension gap_dimension = dimensions::kLength;  // an angle for the stops of a revolute joint
  double clearance_m = 0;                         // of a joint with play; half of the range of two stops
  // What gaps are small or large against, in their unit: the radius of the smaller of the two parts (part_radius.h), of
  // a joint with play the clearance, of two stops half of their range. 0: nothing has a size.
  double size = 0;
  std::optional<ForceLaw> force_law{};  // for smooth integrators, where the contact has one
  bool has_place = false;               // a point of two surfaces: where it is, and its normal, can be told

  std::string name() const { return contact + suffix; }
  // A contact without friction has tangents, but no friction rows in the problem.
  bool has_friction() const { return tangents > 0 && (!has_normal || law.friction > 0); }
  int friction_rows() const { return has_friction() ? tangents : 0; }
  int rows() const { return (has_normal ? 1 : 0) + friction_rows(); }
  static constexpr int kMostRows = 3;
};

}  // namespace freeplay::contact
