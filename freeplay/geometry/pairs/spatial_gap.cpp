#include "freeplay/geometry/pairs/spatial_gap.h"

#include <fmt/format.h>

#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/geometry/meshes/mesh_gap.h"
#include "freeplay/geometry/meshes/mesh_surface_gap.h"
#include "freeplay/geometry/pairs/spatial_gap_families.h"
#include "freeplay/geometry/surfaces/shape_surface.h"
#include "freeplay/geometry/surfaces/surface_gap.h"

namespace freeplay::geometry {

namespace {

using SpatialGapPtr = std::unique_ptr<const SpatialGap>;

template <class A, class B>
class SolidGap final : public SpatialGap {
 public:
  SolidGap(const A& a, const B& b) : a_(a), b_(b) {}

  int point_count() const override { return solid::kPointCount<A, B>; }
  void evaluate(const Frame& a, const Frame& b, std::span<SpatialContactPoint> points) const override {
    solid::find_contacts(placed(a_, Frame{a.R, a.p - b.p}), placed(b_, Frame{b.R, Vec3::Zero()}), points);
    for (SpatialContactPoint& contact : points) {
      contact.point_a += b.p;
      contact.point_b += b.p;
    }
  }
  SpatialRates rates(const Frame& a, const Frame& b, const SpatialContactPoint& point,
                     const SpatialBodyMotion& motion_a, const SpatialBodyMotion& motion_b) const override {
    SpatialContactPoint bent = point;
    solid::bend_ellipsoid(a_, a, -point.normal, bent.bend_a);
    solid::bend_ellipsoid(b_, b, point.normal, bent.bend_b);
    return spatial_rates(bent, motion_a, motion_b);
  }

 private:
  A a_;
  B b_;
};

// ---- the table of pairs that have gap functions of their own ----

struct SpatialPair {
  std::string_view type_a, type_b;
  SpatialGapPtr (*make)(const ShapeGeometry& a, const ShapeGeometry& b, int points);
};

template <class A, class B>
constexpr SpatialPair spatial_pair(std::string_view type_a, std::string_view type_b) {
  return {type_a, type_b, [](const ShapeGeometry& a, const ShapeGeometry& b, int) -> SpatialGapPtr {
            using SolidA = decltype(solid::of(std::declval<A>()));
            using SolidB = decltype(solid::of(std::declval<B>()));
            static_assert(solid::kPointCount<SolidA, SolidB> > 0);
            return std::make_unique<SolidGap<SolidA, SolidB>>(solid::of(std::get<A>(a)), solid::of(std::get<B>(b)));
          }};
}

const MeshPtr& mesh_partner(const MeshShape& shape) {
  return shape.mesh;
}
template <class Shape>
const Shape& mesh_partner(const Shape& shape) {
  return shape;
}

template <class A, class B>
constexpr SpatialPair mesh_pair(std::string_view type_a, std::string_view type_b) {
  return {type_a, type_b, [](const ShapeGeometry& a, const ShapeGeometry& b, int points) -> SpatialGapPtr {
            return make_mesh_gap(mesh_partner(std::get<A>(a)), mesh_partner(std::get<B>(b)), points);
          }};
}

constexpr SpatialPair kSpatialPairs[] = {
    spatial_pair<SphereShape, PlaneShape>("sphere", "plane"),
    spatial_pair<SphereShape, SphereShape>("sphere", "sphere"),
    spatial_pair<SphereShape, BoxShape>("sphere", "box"),
    spatial_pair<SphereShape, CylinderShape>("sphere", "cylinder"),
    spatial_pair<SphereShape, CapsuleShape>("sphere", "capsule"),
    spatial_pair<SphereShape, EllipsoidShape>("sphere", "ellipsoid"),
    spatial_pair<EllipsoidShape, PlaneShape>("ellipsoid", "plane"),
    spatial_pair<EllipsoidShape, EllipsoidShape>("ellipsoid", "ellipsoid"),
    spatial_pair<BoxShape, PlaneShape>("box", "plane"),
    spatial_pair<BoxShape, BoxShape>("box", "box"),
    spatial_pair<CylinderShape, PlaneShape>("cylinder", "plane"),
    spatial_pair<CapsuleShape, PlaneShape>("capsule", "plane"),
    spatial_pair<CapsuleShape, CapsuleShape>("capsule", "capsule"),
    spatial_pair<CapsuleShape, CylinderShape>("capsule", "cylinder"),
    spatial_pair<CapsuleShape, BoxShape>("capsule", "box"),
    spatial_pair<CylinderShape, BoxShape>("cylinder", "box"),
    spatial_pair<CylinderShape, CylinderShape>("cylinder", "cylinder"),
    mesh_pair<MeshShape, PlaneShape>("mesh", "plane"),
    mesh_pair<SphereShape, MeshShape>("sphere", "mesh"),
    mesh_pair<BoxShape, MeshShape>("box", "mesh"),
    mesh_pair<CylinderShape, MeshShape>("cylinder", "mesh"),
    mesh_pair<CapsuleShape, MeshShape>("capsule", "mesh"),
    mesh_pair<MeshShape, MeshShape>("mesh", "mesh"),
};

struct SpatialEntry {
  const SpatialPair* row = nullptr;  // nullptr: there is none
  bool swapped = false;              // a is the second shape of the row
};

SpatialEntry find_spatial_entry(std::string_view type_a, std::string_view type_b) {
  for (const SpatialPair& row : kSpatialPairs) {
    if (row.type_a == type_a && row.type_b == type_b) return {&row, false};
    if (row.type_a == type_b && row.type_b == type_a) return {&row, true};
  }
  return {};
}

// ---- what is wrong with two shapes that cannot touch ----

std::string with_article(std::string_view type) {
  return fmt::format("{} {}", type.find_first_of("aeiou") == 0 ? "an" : "a", type);
}

bool has_mesh(const ShapeGeometry& a, const ShapeGeometry& b) {
  return std::holds_alternative<MeshShape>(a) || std::holds_alternative<MeshShape>(b);
}

PairProblem types_problem(const ShapeGeometry& a, const ShapeGeometry& b) {
  if (std::holds_alternative<PlaneShape>(a) && std::holds_alternative<PlaneShape>(b))
    return {"two planes never touch in a point: half-spaces without ends overlap unless they are parallel",
            "describe one of the bodies by spheres, boxes or cylinders"};
  for (const ShapeGeometry* one : {&a, &b}) {
    if (is_planar_shape(*one))
      return {fmt::format("{} is a planar shape: it has no gap function in space", with_article(shape_type_name(*one))),
              "use spatial shapes or a planar model"};
  }
  return {};
}

// Whether the gap function of the pair is that of surfaces or of a surface and a mesh, whose points follow contacts
// that come and go.
bool has_surface(const ShapeGeometry& a, const ShapeGeometry& b) {
  return find_spatial_entry(shape_type_name(a), shape_type_name(b)).row == nullptr;
}

// Of a pair in which spatial_pair_problem has found none.
SpatialSurface surface_of(const ShapeGeometry& shape) {
  SurfaceResult result = make_surface(shape, SurfaceChecks::kAllButCrossings);
  FREEPLAY_ASSERT(result.problem.empty());
  return std::move(result.surface);
}

// The pair of a row in its other order.
class SwappedGap final : public SpatialGap {
 public:
  explicit SwappedGap(SpatialGapPtr gap) : gap_(std::move(gap)) {}

  int point_count() const override { return gap_->point_count(); }
  void evaluate(const Frame& a, const Frame& b, std::span<SpatialContactPoint> points) const override {
    gap_->evaluate(b, a, points);
    for (SpatialContactPoint& contact : points) solid::swap_sides(contact);
  }
  bool follows_contacts() const override { return gap_->follows_contacts(); }
  double reach_m() const override { return gap_->reach_m(); }
  bool tells_deep() const override { return gap_->tells_deep(); }
  bool follow(const Frame& a, const Frame& b, std::span<const std::uint64_t> before,
              std::span<SpatialContactPoint> points, std::span<std::uint64_t> now) const override {
    const bool is_crowded = gap_->follow(b, a, before, points, now);
    for (SpatialContactPoint& contact : points) solid::swap_sides(contact);
    return is_crowded;
  }
  SpatialRates rates(const Frame& a, const Frame& b, const SpatialContactPoint& point,
                     const SpatialBodyMotion& motion_a, const SpatialBodyMotion& motion_b) const override {
    SpatialContactPoint back = point;
    solid::swap_sides(back);
    // n and t turn around with the bodies, and n x t does not.
    SpatialRates rates = gap_->rates(b, a, back, motion_b, motion_a);
    rates.velocity = -rates.velocity;
    rates.velocity_bias = -rates.velocity_bias;
    rates.normal_rate = -rates.normal_rate;
    rates.sliding[1] = -rates.sliding[1];
    rates.tangential_bias[1] = -rates.tangential_bias[1];
    rates.travel_a.swap(rates.travel_b);
    return rates;
  }

 private:
  SpatialGapPtr gap_;
};

}  // namespace

PairProblem spatial_pair_problem(const ShapeGeometry& a, const ShapeGeometry& b) {
  PairProblem problem = types_problem(a, b);
  if (!problem.empty() || !has_surface(a, b)) return problem;
  for (const ShapeGeometry* one : {&a, &b}) {
    if (std::holds_alternative<MeshShape>(*one)) continue;
    const ShapeProblem wrong = make_surface(*one).problem;
    if (!wrong.empty()) return {fmt::format("{}: {}", shape_type_name(*one), wrong.message), wrong.hint};
  }
  return {};
}

bool spatial_points_are_free(const ShapeGeometry& a, const ShapeGeometry& b) {
  return has_mesh(a, b) || has_surface(a, b);
}

SpatialGapPtr make_spatial_gap(const ShapeGeometry& a, const ShapeGeometry& b, int points) {
  FREEPLAY_ASSERT(types_problem(a, b).empty());
  if (has_surface(a, b)) {
    const auto *mesh_a = std::get_if<MeshShape>(&a), *mesh_b = std::get_if<MeshShape>(&b);
    if (mesh_b != nullptr) return make_mesh_gap(surface_of(a), mesh_b->mesh, points);
    if (mesh_a != nullptr) return std::make_unique<SwappedGap>(make_mesh_gap(surface_of(b), mesh_a->mesh, points));
    return std::make_unique<SurfaceGap>(surface_of(a), surface_of(b), points);
  }
  const auto [row, swapped] = find_spatial_entry(shape_type_name(a), shape_type_name(b));
  if (!swapped) return row->make(a, b, points);
  return std::make_unique<SwappedGap>(row->make(b, a, points));
}

}  // namespace freeplay::geometry
