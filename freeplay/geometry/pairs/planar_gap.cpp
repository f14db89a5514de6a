#include "freeplay/geometry/pairs/planar_gap.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/geometry/contours/contour_gap.h"
#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/geometry/pairs/planar_gap_families.h"
#include "freeplay/geometry/shapes/cam_checks.h"

namespace freeplay::geometry {

namespace {

// ---- which pairs have an exact gap function of their own ----

template <class A, class B>
bool is_exact(const A&, const B&) {
  return true;
}

bool is_convex(const PolygonShape& polygon) {
  return reflex_corner(polygon) < 0;
}

bool is_exact(const CircleShape&, const PolygonShape& b) {
  return is_convex(b);
}

bool is_exact(const PolygonShape& a, const PolygonShape& b) {
  return is_convex(a) && is_convex(b);
}

// One contact point is enough for a convex curve, and only for that.
bool is_exact(const CircleShape&, const SplineShape& b) {
  if (!b.closed) return false;
  const ContourResult result = make_contour(b);
  return result.problem.empty() && result.contour.is_convex_curve();
}

// What turns back at a drop of the lift meets a radial face, which a law of lift does not know.
bool is_exact(const CircleShape& a, const CamShape& b) {
  return b.only_forwards || !(b.lift_m && a.radius_m == 0 && lift_has_a_drop(b));
}

bool is_exact(const SplineShape& a, const LineShape&) {
  return a.closed && flat_face_problem(a).empty();
}

bool is_exact(const CamShape& a, const LineShape&) {
  return a.lift_m || flat_face_problem(a).empty();
}

// ---- the table of these pairs ----

struct Row {
  std::string_view type_a, type_b;
  PlanarGapPtr (*make)(const ShapeGeometry& a, const ShapeGeometry& b);
  bool (*is_exact)(const ShapeGeometry& a, const ShapeGeometry& b);
};

template <class A, class B>
constexpr Row row(std::string_view type_a, std::string_view type_b) {
  return {type_a, type_b,
          [](const ShapeGeometry& a, const ShapeGeometry& b) { return make_gap(std::get<A>(a), std::get<B>(b)); },
          [](const ShapeGeometry& a, const ShapeGeometry& b) { return is_exact(std::get<A>(a), std::get<B>(b)); }};
}

constexpr Row kRows[] = {
    row<CircleShape, LineShape>("circle", "line"),
    row<CircleShape, CircleShape>("circle", "circle"),
    row<CircleShape, PolygonShape>("circle", "polygon"),
    row<PolygonShape, LineShape>("polygon", "line"),
    row<PolygonShape, PolygonShape>("polygon", "polygon"),
    row<CircleShape, SplineShape>("circle", "spline"),
    row<SplineShape, LineShape>("spline", "line"),
    row<CircleShape, CamShape>("circle", "cam"),
    row<CamShape, LineShape>("cam", "line"),
};

struct Entry {
  const Row* row = nullptr;  // nullptr: there is none
  bool swapped = false;      // a is the second shape of the row
};

Entry find_entry(std::string_view type_a, std::string_view type_b) {
  if (type_a == "point" && type_b == "point") return {};
  if (type_a == "point") type_a = "circle";
  if (type_b == "point") type_b = "circle";
  for (const Row& row : kRows) {
    if (row.type_a == type_a && row.type_b == type_b) return {&row, false};
    if (row.type_a == type_b && row.type_b == type_a) return {&row, true};
  }
  return {};
}

ShapeGeometry with_circle_for_point(const ShapeGeometry& geometry) {
  if (const auto* point = std::get_if<PointShape>(&geometry)) return CircleShape{point->at_m, 0};
  return geometry;
}

// ---- what is wrong with two types that cannot touch ----

std::string with_article(std::string_view type) {
  return fmt::format("{} {}", type.find_first_of("aeiou") == 0 ? "an" : "a", type);
}

PairProblem types_problem(const ShapeGeometry& a, const ShapeGeometry& b) {
  const std::string_view type_a = shape_type_name(a), type_b = shape_type_name(b);
  if (type_a == "point" && type_b == "point")
    return {"two points never touch: they have no normal", "give one of them a radius: make it a circle"};
  if (type_a == "line" && type_b == "line")
    return {"two lines never touch in a point: half-planes without ends overlap unless they are parallel",
            "describe one of the bodies by points, circles, edges or a polygon"};
  for (const ShapeGeometry* one : {&a, &b}) {
    if (!is_planar_shape(*one))
      return {fmt::format("{} is a spatial shape: it has no gap function in the plane",
                          with_article(shape_type_name(*one))),
              "use planar shapes or a spatial model"};
  }
  return {};
}

// Far away a half-plane fills half of all directions and what lies around a hole all of them. So a hole overlaps with
// another one and with a half-plane wherever they stand, and a contact between them means nothing.
PairProblem endless_matter_problem(const ShapeGeometry& a, const PlanarContour& of_a, const ShapeGeometry& b,
                                   const PlanarContour& of_b) {
  const auto is_endless = [](const PlanarContour& contour) { return contour.is_hole() || !contour.is_loop(); };
  if (!is_endless(of_a) || !is_endless(of_b)) return {};
  const auto text = [](const ShapeGeometry& shape, const PlanarContour& contour) {
    return with_article(shape_type_name(shape)) +
           (contour.is_hole() ? " that runs clockwise is a hole" : " is a half-plane");
  };
  return {fmt::format("{}, {}: the matter of both goes on without an end, so they always overlap", text(a, of_a),
                      text(b, of_b)),
          "let one of them run counter-clockwise around matter, or describe it as a wall with an end: an `edge`, or an "
          "open `outline`"};
}

// The pair of a row in its other order.
class SwappedGap final : public PlanarGap {
 public:
  explicit SwappedGap(PlanarGapPtr gap) : gap_(std::move(gap)) {}

  int point_count() const override { return gap_->point_count(); }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    gap_->evaluate(b, a, points);
    for (PlanarContactPoint& contact : points) contact = swapped(contact);
  }
  bool record(const RecordedPlacement& a, const RecordedPlacement& b,
              std::span<RecordedContactPoint> points) const override {
    if (!gap_->record(b, a, points)) return false;
    for (RecordedContactPoint& contact : points) contact = swapped(contact);
    return true;
  }
  PlanarRates rates(const PlanarPlacement& a, const PlanarPlacement& b, const PlanarContactPoint& point,
                    const PlanarBodyMotion& motion_a, const PlanarBodyMotion& motion_b) const override {
    PlanarRates rates = gap_->rates(b, a, swapped(point), motion_b, motion_a);
    std::swap(rates.travel_a, rates.travel_b);
    return rates;
  }

 private:
  template <class S>
  static ContactPointOf<S> swapped(const ContactPointOf<S>& contact) {
    ContactPointOf<S> back;
    set_contact(back, contact.gap, contact.point_b, contact.point_a, -contact.normal,
                {contact.curvature_b, contact.curvature_a});
    return back;
  }

  PlanarGapPtr gap_;
};

}  // namespace

bool are_contours(const ShapeGeometry& a, const ShapeGeometry& b) {
  const auto [row, swapped] = find_entry(shape_type_name(a), shape_type_name(b));
  if (row == nullptr) return true;
  const ShapeGeometry first = with_circle_for_point(a), second = with_circle_for_point(b);
  return !(swapped ? row->is_exact(second, first) : row->is_exact(first, second));
}

PairProblem planar_pair_problem(const ShapeGeometry& a, const ShapeGeometry& b) {
  PairProblem problem = types_problem(a, b);
  if (!problem.empty()) return problem;
  if (!are_contours(a, b)) {
    for (const ShapeGeometry* one : {&a, &b}) {
      const auto* cam = std::get_if<CamShape>(one);
      if (cam != nullptr && std::holds_alternative<LineShape>(one == &a ? b : a)) return flat_face_problem(*cam);
    }
    return {};
  }
  ContourResult of_a = make_contour(a), of_b = make_contour(b);
  for (const auto& [shape, result] : {std::pair{&a, &of_a}, std::pair{&b, &of_b}}) {
    const ShapeProblem& wrong = result->problem;
    if (!wrong.empty()) return {fmt::format("{}: {}", shape_type_name(*shape), wrong.message), wrong.hint};
  }
  return endless_matter_problem(a, of_a.contour, b, of_b.contour);
}

PlanarGapPtr make_planar_gap(const ShapeGeometry& a, const ShapeGeometry& b, int points) {
  FREEPLAY_ASSERT(types_problem(a, b).empty());
  if (are_contours(a, b)) {
    ContourResult first = make_contour(a), second = make_contour(b);
    FREEPLAY_ASSERT(first.problem.empty() && second.problem.empty());
    return std::make_unique<ContourGap>(std::move(first.contour), std::move(second.contour), points);
  }
  const auto [row, swapped] = find_entry(shape_type_name(a), shape_type_name(b));
  const ShapeGeometry first = with_circle_for_point(a), second = with_circle_for_point(b);
  if (!swapped) return row->make(first, second);
  return std::make_unique<SwappedGap>(row->make(second, first));
}

}  // namespace freeplay::geometry
