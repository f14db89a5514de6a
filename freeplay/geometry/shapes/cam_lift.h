// The lift law of a cam, p(phi): how far a follower stands from the base circle. Part of the implementation of
// planar_gap.h.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "freeplay/geometry/curves/closed_curve.h"
#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/math/recording/recorded_functions.h"
#include "freeplay/math/recording/recorded_jet.h"

namespace freeplay::geometry {

// As wrapped_angle() of plain numbers, which takes whole periods off by fmod. That function has no recorded form: here
// the last digit may be another one.
inline Recorded wrapped_angle(const Recorded& phi, double period) {
  constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();
  const Recorded wrapped = Tape::binary(ExpressionOp::kMod, phi, period);
  const Recorded rounding = kRounding * Tape::binary(ExpressionOp::kMax, abs(phi), 2 * std::numbers::pi);
  return where_positive(period - wrapped - rounding, wrapped, 0);
}

class CamLift {
 public:
  explicit CamLift(const CamShape& cam)  // with lift_m
      : centre_(in_plane(cam.at_m)),
        follower_(in_plane(cam.follower)),
        base_radius_(cam.base_radius_m),
        period_(cam.period),
        law_(*cam.lift_m) {}

  // Lift and its derivatives in phi at a direction from the centre, in the axes of the cam's body. phi runs clockwise
  // from `follower`, from 0 to the end of the period and then from 0 again.
  TimeJet in_direction(const Vec2& e) const {
    const double phi = wrapped_angle(std::atan2(cross(e, follower_), e.dot(follower_)), period_);
    return law_.evaluate_jet({&phi, 1});
  }
  RecordedJet in_direction(const Vector2Of<Recorded>& e) const {
    const Recorded across = e.x() * follower_.y() - e.y() * follower_.x();
    const Recorded phi = wrapped_angle(atan2(across, e.dot(follower_)), period_);
    return jet_along(law_.record({&phi, 1}), phi);
  }
  bool can_be_recorded() const { return law_.can_be_recorded(); }
  const Vec2& centre() const { return centre_; }
  const Vec2& follower() const { return follower_; }
  double base_radius() const { return base_radius_; }

 private:
  Vec2 centre_, follower_;
  double base_radius_, period_;
  Expression law_;
};

}  // namespace freeplay::geometry
