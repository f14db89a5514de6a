#include "freeplay/geometry/meshes/mesh_surface_gap.h"

#include <algorithm>
#include <array>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/geometry/meshes/mesh_deep.h"
#include "freeplay/geometry/meshes/mesh_surface.h"
#include "freeplay/geometry/surfaces/surface_features.h"

namespace freeplay::geometry {

namespace {

// A contact as a number: feature of the mesh | stretch of the surface (1 to 255) | place on the surface,
// 32, 8 and 24 bits.
constexpr int kPlacesOfSurface = 3;
std::uint64_t curved_number(const SpatialSurface& surface, const SurfaceContact& contact) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(contact.key.feature_b)) << 32) |
         (stretch_number(contact.key.feature_a) << 24) | place_number(surface, contact.place_a.x);
}

class MeshSurfaceGap final : public SpatialGap {
 public:
  MeshSurfaceGap(SpatialSurface a, MeshPtr b, int points)
      : a_(std::move(a)),
        b_(std::move(b)),
        reach_m_(kMeshReach * std::min(2 * a_.size_m(), b_->size_m())),
        point_count_(points > 0 ? points : kMeshPoints) {
    FREEPLAY_ASSERT(point_count_ <= kMostMeshPoints && !a_.nodes().empty());
  }

  int point_count() const override { return point_count_; }
  bool follows_contacts() const override { return true; }
  double reach_m() const override { return reach_m_; }
  bool tells_deep() const override { return false; }

  void evaluate(const Frame& a, const Frame& b, std::span<SpatialContactPoint> points) const override {
    const std::array<std::uint64_t, kMostMeshPoints> before{};
    std::array<std::uint64_t, kMostMeshPoints> now{};
    follow(a, b, std::span(before).first(points.size()), points, std::span(now).first(points.size()));
  }

  bool follow(const Frame& a, const Frame& b, std::span<const std::uint64_t> before,
              std::span<SpatialContactPoint> points, std::span<std::uint64_t> now) const override {
    return follow_surface_contacts(
        a, b, reach_m_, kPlacesOfSurface,
        [this](const Frame& near_a, const Frame& near_b, double reach_m, std::span<SurfaceContact> found) {
          const int count = find_mesh_contacts(a_, *b_, near_a, near_b, reach_m, found);
          return static_cast<std::size_t>(count > 0 ? count : find_deep_contact(near_a, near_b, found.front()));
        },
        [this](const SurfaceContact& contact) { return curved_number(a_, contact); }, before, points, now);
  }

 private:
  // As of two meshes: where no surfaces are near each other one body may be all inside of the other, and that is told
  // by the depth of one place. The mesh in the matter of the surface: its first corner has a nearest place of the
  // surface, and is behind it.
  int find_deep_contact(const Frame& a, const Frame& b, SurfaceContact& contact) const {
    contact = {};
    contact.place_a.x = a_.nodes().back().bound.centre;
    for (const SurfaceNode& node : a_.nodes().subspan(1)) {
      if (node.left < 0) contact.place_a.x = node.middle.x;
    }
    const DeepPlace in_b = deep_place(*b_, b, a.point(contact.place_a.x));
    if (in_b.exists) {
      contact.gap = -in_b.depth_m;
      contact.point_a = in_b.x;
      contact.point_b = in_b.x + in_b.depth_m * in_b.out;
      contact.normal = in_b.out;
      contact.bend_a = Bend::tip();
      return 1;
    }
    const SpatialSurface corner = SpatialSurface::ball(b_->vertex(0), 0);
    std::array<SurfaceContact, kMostFollowed> found;
    const int count = SurfacePair(a_, corner).find(a, b, 0, found);
    for (int k = 0; k < std::min(count, static_cast<int>(found.size())); ++k) {
      const SurfaceContact& one = found[static_cast<std::size_t>(k)];
      if (k == 0 || one.gap > contact.gap) contact = one;
    }
    return std::min(count, 1);
  }

  SpatialSurface a_;
  MeshPtr b_;
  double reach_m_;
  int point_count_;
};

}  // namespace

std::unique_ptr<const SpatialGap> make_mesh_gap(SpatialSurface a, MeshPtr b, int points) {
  return std::make_unique<MeshSurfaceGap>(std::move(a), std::move(b), points);
}

}  // namespace freeplay::geometry
