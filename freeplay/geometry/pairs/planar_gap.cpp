#include "freeplay/geometry/pairs/planar_gap.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/geometry/pairs/planar_gap_families.h"
#include "freeplay/geometry/shapes/cam_checks.h"

namespace freeplay::geometry {

namespace {

// ---- what is wrong with two shapes whose types have a gap function ----

PairProblem convexity_problem(const PolygonShape& polygon, std::string_view partner) {
  const int corner = reflex_corner(polygon);
  if (corner < 0) return {};
  const Vec3& at = polygon.vertices_m[static_cast<std::size_t>(corner)];
  return {fmt::format("only a convex polygon can touch a {}: corner {} at ({:g}, {:g}) m is reflex", partner,
                      corner + 1, at.x(), at.y()),
          "split it into convex polygons"};
}

template <class A, class B>
PairProblem problem_of(const A&, const B&) {
  return {};
}

PairProblem problem_of(const CircleShape& a, const PolygonShape& b) {
  return convexity_problem(b, a.radius_m > 0 ? "circle" : "point");
}

PairProblem problem_of(const PolygonShape& a, const PolygonShape& b) {
  PairProblem problem = convexity_problem(a, "polygon");
  return problem.empty() ? convexity_problem(b, "polygon") : problem;
}

PairProblem problem_of(const ArcShape& a, const LineShape&) {
  if (!a.hollow) return {};
  return {"a hollow arc cannot touch a line: a straight edge without ends does not fit into a bore",
          "take the arc's outside (side: outside), or describe the other body by points or circles"};
}

PairProblem problem_of(const ArcShape& a, const ArcShape& b) {
  if (!a.hollow || !b.hollow) return {};
  return {"two hollow arcs cannot touch: each would have to lie inside the other",
          "take the outside of the arc that lies inside"};
}

PairProblem problem_of(const CircleShape&, const SplineShape& b) {
  return open_contour_problem(b);
}

PairProblem problem_of(const SplineShape& a, const LineShape&) {
  return flat_face_problem(a);
}

PairProblem problem_of(const CamShape& a, const LineShape&) {
  return flat_face_problem(a);
}

// ---- the table of pairs ----

struct Row {
  std::string_view type_a, type_b;
  PlanarGapPtr (*make)(const ShapeGeometry& a, const ShapeGeometry& b);
  PairProblem (*problem)(const ShapeGeometry& a, const ShapeGeometry& b);
};

template <class A, class B>
constexpr Row row(std::string_view type_a, std::string_view type_b) {
  return {type_a, type_b,
          [](const ShapeGeometry& a, const ShapeGeometry& b) { return make_gap(std::get<A>(a), std::get<B>(b)); },
          [](const ShapeGeometry& a, const ShapeGeometry& b) { return problem_of(std::get<A>(a), std::get<B>(b)); }};
}

constexpr Row kRows[] = {
    row<CircleShape, LineShape>("circle", "line"),     row<CircleShape, CircleShape>("circle", "circle"),
    row<CircleShape, ArcShape>("circle", "arc"),       row<CircleShape, PolygonShape>("circle", "polygon"),
    row<ArcShape, LineShape>("arc", "line"),           row<ArcShape, ArcShape>("arc", "arc"),
    row<PolygonShape, LineShape>("polygon", "line"),   row<PolygonShape, PolygonShape>("polygon", "polygon"),
    row<CircleShape, SplineShape>("circle", "spline"), row<SplineShape, LineShape>("spline", "line"),
    row<CircleShape, CamShape>("circle", "cam"),       row<CamShape, LineShape>("cam", "line"),
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

// ---- what is wrong with two types that have none ----

std::string with_article(std::string_view type) {
  return fmt::format("{} {}", type.starts_with('a') || type.starts_with('e') ? "an" : "a", type);
}

std::string partners_text(std::string_view type) {
  std::string partners;
  for (const std::string& other : planar_shape_names()) {
    if (find_entry(type, other).row != nullptr) partners += (partners.empty() ? "" : ", ") + other;
  }
  if (partners.empty()) return fmt::format("{} has no planar gap function yet", with_article(type));
  return fmt::format("{} can touch: {}", with_article(type), partners);
}

PairProblem missing_pair(std::string_view type_a, std::string_view type_b) {
  if (type_a == "point" && type_b == "point")
    return {"two points never touch: they have no normal", "give one of them a radius: make it a circle"};
  if (type_a == "line" && type_b == "line")
    return {"two lines never touch in a point: half-planes without ends overlap unless they are parallel",
            "describe one of the bodies by points, circles or a polygon"};
  const std::vector<std::string> spatial = spatial_shape_names();
  for (const std::string_view type : {type_a, type_b}) {
    if (std::find(spatial.begin(), spatial.end(), type) != spatial.end())
      return {fmt::format("{} is a spatial shape: it has no gap function in the plane", with_article(type)),
              "use planar shapes or a spatial model"};
  }
  const std::string hint =
      type_a == type_b ? partners_text(type_a) : fmt::format("{}; {}", partners_text(type_a), partners_text(type_b));
  return {fmt::format("there is no gap function for {} and {} yet", with_article(type_a), with_article(type_b)), hint};
}

// The pair of a row in its other order.
class SwappedGap final : public PlanarGap {
 public:
  explicit SwappedGap(PlanarGapPtr gap) : gap_(std::move(gap)) {}

  int point_count() const override { return gap_->point_count(); }
  void evaluate(const PlanarPlacement& a, const PlanarPlacement& b,
                std::span<PlanarContactPoint> points) const override {
    gap_->evaluate(b, a, points);
    for (PlanarContactPoint& contact : points) {
      set_contact(contact, contact.gap, Vec2(contact.point_b), Vec2(contact.point_a), -contact.normal);
    }
  }

 private:
  PlanarGapPtr gap_;
};

}  // namespace

PairProblem planar_pair_problem(const ShapeGeometry& a, const ShapeGeometry& b) {
  const std::string_view type_a = shape_type_name(a), type_b = shape_type_name(b);
  const auto [row, swapped] = find_entry(type_a, type_b);
  if (row == nullptr) return missing_pair(type_a, type_b);
  const ShapeGeometry first = with_circle_for_point(a), second = with_circle_for_point(b);
  return swapped ? row->problem(second, first) : row->problem(first, second);
}

PlanarGapPtr make_planar_gap(const ShapeGeometry& a, const ShapeGeometry& b) {
  FREEPLAY_ASSERT(planar_pair_problem(a, b).empty());
  const auto [row, swapped] = find_entry(shape_type_name(a), shape_type_name(b));
  const ShapeGeometry first = with_circle_for_point(a), second = with_circle_for_point(b);
  if (!swapped) return row->make(first, second);
  return std::make_unique<SwappedGap>(row->make(second, first));
}

}  // namespace freeplay::geometry
