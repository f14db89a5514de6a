// Makes a PlanarContour from strokes in the direction of travel: edges, arcs and curves. Corners come by themselves
// where tangents differ.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "freeplay/geometry/contours/curve_pieces.h"
#include "freeplay/geometry/contours/planar_contour.h"

namespace freeplay::geometry {

// How much matter an open contour has behind it if it does not say: a tenth of its length, but no more than half of the
// smallest radius that bends towards the matter, so that the back of the wall is a smooth curve as well.
double default_wall_depth(double length_m, double least_radius_m);

class ContourBuilder {
 public:
  explicit ContourBuilder(double size_m) : size_m_(size_m) {}  // roughly; lengths are judged against it

  void edge(const Vec2& from, const Vec2& to);
  // Counter-clockwise (to > from) is convex, clockwise hollow. Angles of the arms from the centre.
  void arc(const Vec2& centre, double radius_m, double from, double to);
  // `parameter`: its name in messages.
  void curve(std::shared_ptr<const PlaneCurve> curve, double from, double to, int samples, const char* parameter);

  // Exactly one of these, at the end. `problem()` tells whether the result may be used.
  PlanarContour loop();                // the last stroke ends where the first one starts
  PlanarContour wall(double depth_m);  // 0: the default
  static PlanarContour point(const Vec2& at);
  static PlanarContour half_plane(const Vec2& at, const Vec2& normal);

  const ShapeProblem& problem() const { return problem_; }

 private:
  void add(const ContourElement& element) { strokes_.push_back(element); }
  void add_corner(const Vec2& at, double from, double to);
  ContourElement back_of(const ContourElement& element, double depth_m) const;
  bool join_backs(std::vector<ContourElement>& backs, double depth_m);
  bool check_joints(bool closed);
  PlanarContour finish();
  ShapeProblem find_crossing(const PlanarContour& contour) const;
  void fail(std::string key, std::string message, std::string hint);

  double size_m_;
  std::vector<ContourElement> strokes_;
  std::vector<std::shared_ptr<const PlaneCurve>> curves_;
  ShapeProblem problem_;
};

}  // namespace freeplay::geometry
