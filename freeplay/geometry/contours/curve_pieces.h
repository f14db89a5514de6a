// A curve cut into pieces that the search for contacts can treat one by one: curvature of one sign and monotone, at
// most about a quarter turn; straight stretches; kinks, where the tangent jumps.
#pragma once

#include <vector>

#include "freeplay/geometry/contours/plane_curve.h"
#include "freeplay/geometry/shapes/cam_checks.h"

namespace freeplay::geometry {

struct CurvePiece {
  double s_from = 0, s_to = 0;  // s_from < s_to
  bool straight = false;
  bool hollow = false;
};

// Looks at the curve at `samples` + 1 places, at least 4, and refines what it finds: features that are narrower go
// unnoticed. A curve that is not finite, stands still (x' = 0) or jumps is a problem; its message says where, as
// `parameter` = value. `size_m`: of the whole contour, against which flatness is judged.
ShapeProblem cut_curve(const PlaneCurve& curve, double from, double to, int samples, double size_m,
                       const char* parameter, std::vector<CurvePiece>& pieces);

}  // namespace freeplay::geometry
