// What is wrong with the data of a cam or contour, in words for a user, and what it looks like.
#pragma once

#include <string>

#include "freeplay/geometry/pairs/planar_gap.h"

namespace freeplay::geometry {

struct ShapeProblem {
  std::string key;  // of the model file: "lift", ...
  std::string message, hint;
  bool empty() const { return message.empty(); }
};

// A lift that is not finite, that jumps up, or takes the cam through its centre; a polar radius that is not closed, has
// a corner or is not positive; a period that does not divide the turn. Points are looked at by the reader, like the
// corners of a polygon.
ShapeProblem cam_problem(const CamShape& cam);

// Whether the lift has a drop, be it at the end of its period: such a cam must not turn backwards.
bool lift_has_a_drop(const CamShape& cam);

// A flat face needs a convex cam and bridges hollows; a law of lift must be the support function of one.
PairProblem flat_face_problem(const CamShape& cam);
PairProblem flat_face_problem(const SplineShape& spline);
PairProblem open_contour_problem(const SplineShape& spline);

// Points of the cam for a picture, in order around it. A lift law is drawn as the cam of a point follower.
std::vector<Vec2> cam_outline(const CamShape& cam, int count);

}  // namespace freeplay::geometry
