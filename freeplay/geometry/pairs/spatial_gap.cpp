#include "freeplay/geometry/pairs/spatial_gap.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/geometry/pairs/spatial_gap_families.h"

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

 private:
  A a_;
  B b_;
};

// ---- the table of pairs ----

struct SpatialPair {
  std::string_view type_a, type_b;
  SpatialGapPtr (*make)(const ShapeGeometry& a, const ShapeGeometry& b);
};

template <class A, class B>
constexpr SpatialPair spatial_pair(std::string_view type_a, std::string_view type_b) {
  return {type_a, type_b, [](const ShapeGeometry& a, const ShapeGeometry& b) -> SpatialGapPtr {
            using SolidA = decltype(solid::of(std::declval<A>()));
            using SolidB = decltype(solid::of(std::declval<B>()));
            static_assert(solid::kPointCount<SolidA, SolidB> > 0);
            return std::make_unique<SolidGap<SolidA, SolidB>>(solid::of(std::get<A>(a)), solid::of(std::get<B>(b)));
          }};
}

constexpr SpatialPair kSpatialPairs[] = {
    spatial_pair<SphereShape, PlaneShape>("sphere", "plane"),
    spatial_pair<SphereShape, SphereShape>("sphere", "sphere"),
    spatial_pair<SphereShape, BoxShape>("sphere", "box"),
    spatial_pair<SphereShape, CylinderShape>("sphere", "cylinder"),
    spatial_pair<SphereShape, CapsuleShape>("sphere", "capsule"),
    spatial_pair<BoxShape, PlaneShape>("box", "plane"),
    spatial_pair<BoxShape, BoxShape>("box", "box"),
    spatial_pair<CylinderShape, PlaneShape>("cylinder", "plane"),
    spatial_pair<CapsuleShape, PlaneShape>("capsule", "plane"),
    spatial_pair<CapsuleShape, CapsuleShape>("capsule", "capsule"),
    spatial_pair<CapsuleShape, CylinderShape>("capsule", "cylinder"),
    spatial_pair<CapsuleShape, BoxShape>("capsule", "box"),
    spatial_pair<CylinderShape, BoxShape>("cylinder", "box"),
    spatial_pair<CylinderShape, CylinderShape>("cylinder", "cylinder"),
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

// ---- what is wrong with two types that have no gap function ----

std::string with_article(std::string_view type) {
  return fmt::format("{} {}", type.starts_with('a') || type.starts_with('e') ? "an" : "a", type);
}

std::string partners_text(std::string_view type) {
  std::string partners;
  for (const std::string& other : spatial_shape_names()) {
    if (find_spatial_entry(type, other).row != nullptr) partners += (partners.empty() ? "" : ", ") + other;
  }
  if (partners.empty()) return fmt::format("{} has no spatial gap function yet", with_article(type));
  return fmt::format("{} can touch: {}", with_article(type), partners);
}

PairProblem missing_pair(std::string_view type_a, std::string_view type_b) {
  if (type_a == "plane" && type_b == "plane")
    return {"two planes never touch in a point: half-spaces without ends overlap unless they are parallel",
            "describe one of the bodies by spheres, boxes or cylinders"};
  const std::vector<std::string> planar = planar_shape_names();
  for (const std::string_view type : {type_a, type_b}) {
    if (std::find(planar.begin(), planar.end(), type) != planar.end())
      return {fmt::format("{} is a planar shape: it has no gap function in space", with_article(type)),
              "use spatial shapes or a planar model"};
  }
  const std::string hint =
      type_a == type_b ? partners_text(type_a) : fmt::format("{}; {}", partners_text(type_a), partners_text(type_b));
  return {fmt::format("there is no gap function for {} and {} yet", with_article(type_a), with_article(type_b)), hint};
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

 private:
  SpatialGapPtr gap_;
};

}  // namespace

PairProblem spatial_pair_problem(const ShapeGeometry& a, const ShapeGeometry& b) {
  const std::string_view type_a = shape_type_name(a), type_b = shape_type_name(b);
  if (find_spatial_entry(type_a, type_b).row == nullptr) return missing_pair(type_a, type_b);
  return {};
}

SpatialGapPtr make_spatial_gap(const ShapeGeometry& a, const ShapeGeometry& b) {
  FREEPLAY_ASSERT(spatial_pair_problem(a, b).empty());
  const auto [row, swapped] = find_spatial_entry(shape_type_name(a), shape_type_name(b));
  if (!swapped) return row->make(a, b);
  return std::make_unique<SwappedGap>(row->make(b, a));
}

}  // namespace freeplay::geometry
