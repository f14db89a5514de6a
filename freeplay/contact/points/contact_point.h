// A contact point as a description: which contact it belongs to, its rows, its laws as numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "freeplay/contact/laws/force_law.h"
#include "freeplay/contact/laws/friction_law.h"
#include "freeplay/contact/laws/load_friction.h"
#include "freeplay/math/quantities/dimension.h"

namespace freeplay::contact {

enum class ImpactLaw : std::uint8_t { kNewton, kPoisson };

// What an impact by Poisson's law does to the tangential velocity (impact.h): gamma_TE0.
enum class TangentialLaw : std::uint8_t {
  kBeitelschmidt,  // G_TN e_N Lambda_NC + G_TT e_N e_T Lambda_TC: the law of the paper, which may gain energy
  kGlocker,        // 0: no velocity is reversed
  kSafe            // e_N e_T (G_TN Lambda_NC + G_TT Lambda_TC): after sticking -e_N e_T gamma_TA
};

// What happens to an impact whose law gains energy.
enum class ImpactEnergy : std::uint8_t {
  kWarn,   // it is told
  kLimit,  // all contacts give back less, by one share, until nothing is gained
  kStop    // the run ends
};

// The set-valued laws of a point as numbers: its impact law and its friction.
struct PointLaw {
  double restitution = 0;             // e_N
  double tangential_restitution = 0;  // e_T
  double friction = 0;                // mu; where it depends on the speed, the static limit mu(0)
  double dry_effort = 0;              // a point without normal row: largest friction effort, N or N m
  ImpactLaw impact = ImpactLaw::kNewton;
  TangentialLaw tangential = TangentialLaw::kBeitelschmidt;  // of Poisson's law
  std::shared_ptr<const FrictionLaw> friction_law{};         // mu(v); null: mu at every speed
  std::optional<LoadFriction> load{};  // a point without normal row: on top of dry_effort, by what the joint carries

  double friction_at(double speed_m_s) const {
    return friction_law == nullptr ? friction : friction_law->at(speed_m_s);
  }
};

struct ContactPoint {
  std::string contact;  // "guide"
  std::string suffix;   // "_1", or "" for a single point: the channel is contact + ".gap" + suffix
  std::string group{};  // that its pair belongs to, and whose totals it is part of; "": none
  bool has_normal = true;
  int tangents = 1;  // directions in which it can slide: 1 in the plane, 2 in space, none for a stop
  PointLaw law;
  Dimension gap_dimension = dimensions::kLength;  // an angle for the stops of a revolute joint
  double clearance_m = 0;                         // of a joint with play; half of the range of two stops
  // What gaps are small or large against, in their unit: the radius of the smaller of the two parts (part_radius.h), of
  // a joint with play the clearance, of two stops half of their range. 0: nothing has a size.
  double size = 0;
  std::optional<ForceLaw> force_law{};  // for smooth integrators, where the contact has one
  bool is_followed = false;   // contacts come and go in the points of its pair: another point may have it next
  bool is_free_form = false;  // one of its surfaces may bend at any place: followed ones, cams
  bool has_place = false;     // a point of two surfaces: where it is, and its normal, can be told
  // The only point of a joint with play. What the joint passes on is NAME.force_x in the axes of the joint, as of every
  // joint, so the force at the point, in world axes, has a longer name.
  bool is_all_of_joint = false;

  std::string name() const { return contact + suffix; }
  // A contact without friction has tangents, but no friction rows in the problem.
  bool has_friction() const { return tangents > 0 && (!has_normal || law.friction > 0 || law.friction_law != nullptr); }
  int friction_rows() const { return has_friction() ? tangents : 0; }
  int rows() const { return (has_normal ? 1 : 0) + friction_rows(); }
  static constexpr int kMostRows = 3;
  bool rubs_by_load() const { return !has_normal && law.load.has_value(); }
};

}  // namespace freeplay::contact
