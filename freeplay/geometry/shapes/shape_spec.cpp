#include "freeplay/geometry/shapes/shape_spec.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace freeplay::geometry {

namespace {

// In the order of ShapeGeometry's alternatives, planar ones first.
constexpr std::array<std::string_view, 26> kNames = {
    "point",      "line",       "circle",     "arc",          "polygon",    "ellipse",  "spline",
    "cam",        "edge",       "outline",    "superellipse", "parametric", "involute", "sphere",
    "plane",      "box",        "cylinder",   "capsule",      "ellipsoid",  "torus",    "cone",
    "paraboloid", "revolution", "parametric", "patch",        "mesh"};
constexpr std::size_t kPlanarNames = 13;
static_assert(kNames.size() == std::variant_size_v<ShapeGeometry>);
static_assert(std::is_same_v<std::variant_alternative_t<kPlanarNames, ShapeGeometry>, SphereShape>);

bool is_planar(std::string_view type) {
  return std::find(kNames.begin(), kNames.begin() + kPlanarNames, type) != kNames.begin() + kPlanarNames;
}
bool is_spatial(std::string_view type) {
  return std::find(kNames.begin() + kPlanarNames, kNames.end(), type) != kNames.end();
}

// In the plane any two shapes can touch, but two: a point against a point has no normal, a half-plane against a
// half-plane no bounded contact.
bool planar_pair_is_defined(std::string_view a, std::string_view b) {
  return is_planar(a) && is_planar(b) && !(a == b && (a == "point" || a == "line"));
}
// In space all but two half-spaces.
bool spatial_pair_is_defined(std::string_view a, std::string_view b) {
  return is_spatial(a) && is_spatial(b) && !(a == "plane" && b == "plane");
}

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

bool is_planar_shape(const ShapeGeometry& geometry) {
  return geometry.index() < kPlanarNames;
}

bool shape_pair_is_defined(std::string_view type_a, std::string_view type_b) {
  return planar_pair_is_defined(type_a, type_b) || spatial_pair_is_defined(type_a, type_b);
}

std::vector<std::string> shape_partners(std::string_view type) {
  std::vector<std::string> partners;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const std::string_view other = kNames[i];
    const bool is_defined =
        i < kPlanarNames ? planar_pair_is_defined(type, other) : spatial_pair_is_defined(type, other);
    if (is_defined && std::find(partners.begin(), partners.end(), other) == partners.end())
      partners.emplace_back(other);
  }
  return partners;
}

}  // namespace freeplay::geometry
