#include "freeplay/model/body_copies.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>

#include "freeplay/geometry/shapes/scaled_shape.h"
#include "freeplay/geometry/shapes/shape_bound.h"

namespace freeplay::model {

namespace {

// Measured with spheres, from the file to the first step; channels of bodies, which all have names, are most of it.
constexpr double kBytesPerBody = 24e3;
constexpr double kUsableShare = 0.8;  // of the memory that is free: contacts take some, and so do others

// The number behind `key` in a file of the system, or at its beginning where there is no key; infinite without one.
double number_in(const char* path, std::string_view key) {
  std::ifstream file(path);
  std::string word;
  double number = std::numeric_limits<double>::infinity();
  while (!key.empty() && file >> word && word != key) {
  }
  return file >> number ? number : std::numeric_limits<double>::infinity();
}

// What the machine has free, or less where this process is limited. Ways in which systems limit a group of processes
// that are not known here end as an allocation that fails.
double free_memory_bytes() {
  double bytes = 1024 * number_in("/proc/meminfo", "MemAvailable:");
  bytes = std::min({bytes, number_in("/sys/fs/cgroup/memory.max", ""),
                    number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", "")});
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  return bytes;
}

}  // namespace

double reach_of_shapes_m(std::span<const ShapeSpec> shapes) {
  double reach = 0;
  for (const ShapeSpec& shape : shapes) {
    const Bound bound = bound_of(shape);
    if (bound.kind != Bound::Kind::kBall) return std::numeric_limits<double>::infinity();
    reach = std::max(reach, bound.ball.centre_m.norm() + bound.ball.radius_m);
  }
  return reach;
}

BodySpec copy_of(const BodySpec& body, const BodyPlace& place, Space space, std::string name) {
  const auto vector_of = [](const std::array<std::optional<double>, 3>& given) {
    return Vec3(given[0].value_or(0), given[1].value_or(0), given[2].value_or(0));
  };
  BodySpec copy = body;
  copy.name = std::move(name);
  // At the same density  m ~ s^3,  J ~ s^5;  in the plane one power less.
  const double volume = std::pow(place.size, space == Space::kPlanar ? 2 : 3);
  copy.mass_kg *= volume;
  copy.inertia_kg_m2 *= volume * place.size * place.size;
  BodyInitialSpec& initial = copy.initial;
  const Vec3 at = place.turn * vector_of(body.initial.position_m) + place.shift_m;
  const Vec3 given = vector_of(body.initial.velocity_m_s);
  const Vec3 velocity = place.turns_velocity ? Vec3(place.turn * given) : given;
  const int axes = space == Space::kPlanar ? 2 : 3;
  for (int k = 0; k < axes; ++k) {
    initial.position_m[static_cast<std::size_t>(k)] = at[k];
    if (!velocity.isZero(0)) initial.velocity_m_s[static_cast<std::size_t>(k)] = velocity[k];
  }
  if (space == Space::kPlanar) {
    initial.angle = body.initial.angle.value_or(0) + 2 * std::atan2(place.turn.z(), place.turn.w());
  } else {
    const Vec4 e = body.initial.quaternion.value_or(Vec4(1, 0, 0, 0));
    const Eigen::Quaterniond turned = place.turn * Eigen::Quaterniond(e[0], e[1], e[2], e[3]);
    initial.quaternion = Vec4(turned.w(), turned.x(), turned.y(), turned.z()).normalized();
  }
  return copy;
}

std::optional<ShapeSpec> copy_of(const ShapeSpec& shape, double size, std::string body) {
  ShapeSpec copy = shape;
  copy.body = std::move(body);
  if (size == 1) return copy;
  std::optional<ShapeGeometry> geometry = scaled_shape(shape.geometry, size);
  if (!geometry) return std::nullopt;
  copy.geometry = *std::move(geometry);
  return copy;
}

PlacingProblem problem_of_memory(std::size_t bodies) {
  const double needed = kBytesPerBody * static_cast<double>(bodies), available = kUsableShare * free_memory_bytes();
  if (needed <= available) return {};
  return {"count",
          fmt::format("{} bodies take about {:.1f} GB, and {:.1f} GB of memory can be used", bodies, 1e-9 * needed,
                      1e-9 * available),
          fmt::format("make fewer, up to about {:.2g}", std::floor(available / kBytesPerBody))};
}

}  // namespace freeplay::model
