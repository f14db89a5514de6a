// The boundary of a planar body as a frozen list of elements, in body axes and in the direction of travel: matter lies
// to the left, the outward normal is the tangent turned by -90 degrees.
//
// Three kinds of elements are enough (docs/theory/contours.md):
//   edge   straight, also without ends (a half-plane);
//   round  x = centre + radius * n: an arc, hollow if the radius is negative; a corner if it is zero, whose normals
//   fill
//          the cone between those of its neighbours;
//   curve  a piece of a PlaneCurve whose curvature has one sign and is monotone along the piece.
// A reflex corner is a round element that touches nothing; it is kept because it bounds the matter. On both sides of it
// the boundary goes on into the matter by a hidden edge along its tangent: what has entered one wall of an inner corner
// by a little must still see the other wall.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "freeplay/geometry/contours/plane_curve.h"
#include "freeplay/math/types.h"

namespace freeplay::geometry {

enum class ElementKind : std::uint8_t { kEdge, kRound, kCurve };

struct ContourElement {
  ElementKind kind = ElementKind::kEdge;
  bool touches = true;
  bool hollow = false;       // curvature < 0
  bool hidden = false;       // inside of the matter, behind a reflex corner
  std::int32_t feature = 0;  // elements of one smooth stretch have the same
  // Angles of the outward normal in body axes, from <= to, at most a turn apart. On a hollow element the direction of
  // travel goes from normal_to to normal_from.
  double normal_from = 0, normal_to = 0;
  Vec2 start = Vec2::Zero(), end = Vec2::Zero();  // edge: without ends, start is a point of it
  Vec2 along = Vec2::UnitX();                     // edge: unit tangent
  double length_m = 0;                            // infinite for a half-plane
  double travelled_m = 0;                         // length of the contour before `start`
  Vec2 centre = Vec2::Zero();                     // round
  double radius_m = 0;                            // round: signed
  const PlaneCurve* curve = nullptr;              // curve: from s_from to s_to, which may be the smaller one
  double s_from = 0, s_to = 0;
  double offset_m = 0;  // curve: how far behind its PlaneCurve the element runs: the back of a wall
  double curvature_from = 0, curvature_to = 0;
  // Every point of the element is within bound_radius_m of bound_centre.
  Vec2 bound_centre = Vec2::Zero();
  double bound_radius_m = 0;
  double inner_m = 0;  // about the largest inner_radius on the element: how deep a contact can go
};

// A place of a curved element: position, unit tangent in the direction of travel, curvature, and ds by length.
struct CurvePlace {
  Vec2 x, tangent;
  double curvature = 0;
  double metres_per_s = 0;  // negative where the element runs against its parameter
};

inline Vec2 normal_of_tangent(const Vec2& t) {
  return {t.y(), -t.x()};
}
inline Vec2 tangent_of_normal(const Vec2& n) {
  return {-n.y(), n.x()};
}

CurvePlace curve_place(const ContourElement& element, double s);
// The parameter where the normal of a curved element has the direction `normal`, at the angle `angle` between its
// normal_from and normal_to. Newton's method inside a bracket; the nearer end if the direction is outside of the range.
double curve_parameter(const ContourElement& element, const Vec2& normal, double angle);

// A binary tree over elements in their order: bounding circles and ranges of normals of what can touch.
struct ContourNode {
  Vec2 centre = Vec2::Zero();
  double radius_m = 0;
  double normal_from = 0, normal_to = 0;
  double inner_m = 0;                  // the largest of its elements
  std::int32_t first = 0, count = 0;   // elements
  std::int32_t left = -1, right = -1;  // -1: a leaf
  bool touches = false;
};

class PlanarContour {
 public:
  std::span<const ContourElement> elements() const { return elements_; }
  std::span<const ContourNode> nodes() const { return nodes_; }  // the first is the root
  int feature_count() const { return features_; }
  bool is_loop() const { return loop_; }     // false: a half-plane
  bool is_hole() const { return is_hole_; }  // the matter lies around the loop
  // All of it is one convex curve, such as an ellipse.
  bool is_convex_curve() const { return convex_curve_; }
  double length_m() const { return length_m_; }
  double size_m() const { return size_m_; }  // of the bounding circle; of a half-plane 0

  // The radius of the largest circle in the matter that touches the boundary at x, with outward normal n, on element
  // `own`; at most `limit_m`. Curves are represented by points on them, so that the answer is never too small.
  double inner_radius(const Vec2& x, const Vec2& n, int own, double limit_m) const;

  // Whether a place lies in the matter: by a polygon through points of the boundary, so not for places close to it.
  bool contains(const Vec2& x) const;

  // Points along the contour with the elements they belong to, `per_element` on each; for pictures, checks and tests.
  // Elements without ends have none.
  struct Sample {
    Vec2 x;
    std::int32_t element;
  };
  std::vector<Sample> samples(int per_element) const;

 private:
  friend class ContourBuilder;
  static constexpr int kPointsPerCurve = 9;

  void freeze(bool loop);  // features, bounds, tree
  void bound_elements();
  void find_features();
  int build_tree(int first, int count);
  void measure_thickness();
  void hide_edges();
  // The diameter of the largest circle behind a corner that holds no other part of the boundary: a ray may pass the
  // other side of the body closely and go on without an end.
  double circle_behind(std::span<const Sample> boundary, std::size_t corner, const Vec2& into) const;

  std::vector<ContourElement> elements_;
  std::vector<std::shared_ptr<const PlaneCurve>> curves_;
  std::vector<ContourNode> nodes_;
  std::vector<Vec2> points_;  // kPointsPerCurve on each curved element, in order of elements
  std::vector<std::int32_t> first_point_;
  std::vector<Vec2> polygon_;  // for contains()
  bool is_hole_ = false;
  int features_ = 0;
  bool loop_ = true, convex_curve_ = false;
  double length_m_ = 0, size_m_ = 0;
};

}  // namespace freeplay::geometry
