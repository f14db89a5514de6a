#include "freeplay/geometry/shapes/shape_spec.h"

#include <array>
#include <type_traits>
#include <utility>

namespace freeplay::geometry {

namespace {

// In the order of ShapeGeometry's alternatives, planar ones first.
constexpr std::array<std::string_view, 14> kNames = {"point",   "line",     "circle",  "arc",      "polygon",
                                                     "ellipse", "spline",   "cam",     "sphere",   "plane",
                                                     "box",     "cylinder", "capsule", "ellipsoid"};
constexpr std::size_t kPlanarNames = 8;
static_assert(kNames.size() == std::variant_size_v<ShapeGeometry>);
static_assert(std::is_same_v<std::variant_alternative_t<kPlanarNames, ShapeGeometry>, SphereShape>);

using Pair = std::pair<std::string_view, std::string_view>;

// A point against a point has no normal, a half-plane against a half-plane no bounded contact: they are left out for
// good.
constexpr std::array kPairs = {
    Pair{"point", "line"},       Pair{"point", "circle"},    Pair{"point", "arc"},      Pair{"point", "polygon"},
    Pair{"circle", "line"},      Pair{"circle", "circle"},   Pair{"circle", "arc"},     Pair{"circle", "polygon"},
    Pair{"arc", "line"},         Pair{"arc", "arc"},         Pair{"polygon", "line"},   Pair{"polygon", "polygon"},
    Pair{"point", "spline"},     Pair{"circle", "spline"},   Pair{"spline", "line"},    Pair{"point", "cam"},
    Pair{"circle", "cam"},       Pair{"cam", "line"},        Pair{"sphere", "plane"},   Pair{"sphere", "sphere"},
    Pair{"sphere", "box"},       Pair{"sphere", "cylinder"}, Pair{"sphere", "capsule"}, Pair{"box", "plane"},
    Pair{"box", "box"},          Pair{"cylinder", "plane"},  Pair{"capsule", "plane"},  Pair{"capsule", "capsule"},
    Pair{"capsule", "cylinder"}, Pair{"capsule", "box"},     Pair{"cylinder", "box"},   Pair{"cylinder", "cylinder"},
};

}  // namespace

std::string_view shape_type_name(const ShapeGeometry& geometry) {
  return kNames[geometry.index()];
}

std::vector<std::string> planar_shape_names() {
  return {kNames.begin(), kNames.begin() + kPlanarNames};
}

std::vector<std::string> spatial_shape_names() {
  return {kNames.begin() + kPlanarNames, kNames.end()};
}

bool shape_pair_is_defined(std::string_view type_a, std::string_view type_b) {
  for (const auto& [a, b] : kPairs) {
    if ((a == type_a && b == type_b) || (a == type_b && b == type_a)) return true;
  }
  return false;
}

std::vector<std::string> shape_partners(std::string_view type) {
  std::vector<std::string> partners;
  for (const auto& [a, b] : kPairs) {
    if (a == type)
      partners.emplace_back(b);
    else if (b == type)
      partners.emplace_back(a);
  }
  return partners;
}

}  // namespace freeplay::geometry
