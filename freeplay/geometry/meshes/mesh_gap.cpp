#include "freeplay/geometry/meshes/mesh_gap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/geometry/meshes/mesh_builder.h"
#include "freeplay/geometry/meshes/mesh_deep.h"

namespace freeplay::geometry {

namespace {

using Features = std::array<std::uint64_t, kMostMeshPoints>;

// A key as a number: kind of A | feature of A + 1 | kind of B | feature of B,   2 and 30 bits each; never 0, which is
// no contact.
constexpr std::uint64_t kSide = (std::uint64_t{1} << 32U) - 1;

std::uint64_t side_number(MeshFeature kind, std::int32_t feature) {
  return (static_cast<std::uint64_t>(kind) << 30U) | static_cast<std::uint64_t>(feature);
}
std::uint64_t number_of(const MeshKey& key) {
  return (side_number(key.kind_a, key.a + 1) << 32U) | side_number(key.kind_b, key.b);
}
MeshFeature kind_of(std::uint64_t side) {
  return static_cast<MeshFeature>(side >> 30U);
}
// What a contact becomes when it crosses an edge: a corner or an edge, or a ball, has gone from one face to the next.
// Other contacts have nothing in common with it, even on the same face.
bool is_continued(std::uint64_t was, std::uint64_t is) {
  const std::uint64_t a = was >> 32U, b = was & kSide;
  const bool same_a = a == is >> 32U && kind_of(a) != MeshFeature::kFacet;
  const bool same_b = b == (is & kSide) && (kind_of(b) == MeshFeature::kVertex || kind_of(b) == MeshFeature::kRidge);
  return same_a || same_b;
}

const TriangleMesh& as_partner(const MeshPtr& mesh) {
  return *mesh;
}
template <class Solid>
const Solid& as_partner(const Solid& shape) {
  return shape;
}

MeshContact deep_contact(const DeepPlace& deep, bool of_a) {
  const Vec3 exit = deep.x + deep.depth_m * deep.out;
  // The second order is that of a point behind a flat face: no more can be said of a way out that no surface gave.
  return of_a ? MeshContact{-deep.depth_m, deep.x, exit, deep.out, {Bend::tip(), Bend::flat()}, {}}
              : MeshContact{-deep.depth_m, exit, deep.x, -deep.out, {Bend::flat(), Bend::tip()}, {}};
}

// Where no surfaces are near each other, one body may be all inside of the other: at the start of a run, or after a
// step that was far too large. That is told by a contact with the depth of one place, so that nothing is open by
// mistake. Returns how many contacts are written: 1 or 0.
int find_deep_contact(const TriangleMesh& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                      MeshContact& contact) {
  const DeepPlace in_b = deep_place(b, at_b, at_a.point(a.vertex(0)));
  const DeepPlace in_a = in_b.exists ? DeepPlace{} : deep_place(a, at_a, at_b.point(b.vertex(0)));
  if (in_b.exists) contact = deep_contact(in_b, true);
  if (in_a.exists) contact = deep_contact(in_a, false);
  return in_b.exists || in_a.exists ? 1 : 0;
}
template <class Solid>
int find_deep_contact(const Solid& a, const TriangleMesh& b, const Frame& at_a, const Frame& at_b,
                      MeshContact& contact) {
  const DeepPlace in_b = deep_place(b, at_b, at_a.point(a.centre));
  if (in_b.exists) contact = deep_contact(in_b, true);
  return in_b.exists ? 1 : 0;
}
// Below a plane every corner is found, however deep.
int find_deep_contact(const TriangleMesh&, const solid::HalfSpace&, const Frame&, const Frame&, MeshContact&) {
  return 0;
}

template <class A, class B>
class MeshGap final : public SpatialGap {
 public:
  MeshGap(A a, B b, double reach_m, int points)
      : a_(std::move(a)), b_(std::move(b)), reach_m_(reach_m), point_count_(points > 0 ? points : kMeshPoints) {
    FREEPLAY_ASSERT(point_count_ <= kMostMeshPoints);
  }

  int point_count() const override { return point_count_; }
  bool follows_contacts() const override { return true; }
  double reach_m() const override { return reach_m_; }
  bool tells_deep() const override { return false; }

  void evaluate(const Frame& a, const Frame& b, std::span<SpatialContactPoint> points) const override {
    const Features before{};
    Features now{};
    follow(a, b, std::span(before).first(points.size()), points, std::span(now).first(points.size()));
  }

  bool follow(const Frame& a, const Frame& b, std::span<const std::uint64_t> before,
              std::span<SpatialContactPoint> points, std::span<std::uint64_t> now) const override {
    std::array<MeshContact, kMostMeshPoints + 1> contacts;
    MeshContacts found = find_mesh_contacts(as_partner(a_), as_partner(b_), a, b, reach_m_,
                                            std::span(contacts).first(static_cast<std::size_t>(point_count_) + 1));
    if (found.count == 0) found.count = find_deep_contact(as_partner(a_), as_partner(b_), a, b, contacts.front());
    const bool is_crowded = found.count > point_count_ && leave_out_the_widest(contacts, found.count);
    for (SpatialContactPoint& point : points) solid::set_unused(point);
    std::fill(now.begin(), now.end(), 0);
    place(std::span(contacts).first(static_cast<std::size_t>(found.count)), before, points, now);
    return is_crowded;
  }

 private:
  // Of one more contact than there are points. True if a closed one is lost.
  static bool leave_out_the_widest(std::span<MeshContact> contacts, int& count) {
    const auto end = contacts.begin() + count;
    const auto widest = std::max_element(
        contacts.begin(), end, [](const MeshContact& one, const MeshContact& other) { return one.gap < other.gap; });
    const bool is_closed = widest->gap <= 0;
    std::move(widest + 1, end, widest);
    --count;
    return is_closed;
  }

  // First the contacts of the same features, then those that go on on another face, then new ones.
  static void place(std::span<const MeshContact> contacts, std::span<const std::uint64_t> before,
                    std::span<SpatialContactPoint> points, std::span<std::uint64_t> now) {
    std::array<bool, kMostMeshPoints> is_placed{};
    const auto place_where = [&](auto fits) {
      for (std::size_t k = 0; k < contacts.size(); ++k) {
        const std::uint64_t feature = number_of(contacts[k].key);
        for (std::size_t i = 0; i < points.size() && !is_placed[k]; ++i) {
          if (now[i] != 0 || !fits(before[i], feature)) continue;
          const MeshContact& c = contacts[k];
          solid::set_contact(points[i], c.gap, c.point_a, c.point_b, c.normal, c.bends);
          now[i] = feature;
          is_placed[k] = true;
        }
      }
    };
    place_where([](std::uint64_t was, std::uint64_t is) { return was == is; });
    place_where([](std::uint64_t was, std::uint64_t is) { return was != 0 && is_continued(was, is); });
    place_where([](std::uint64_t was, std::uint64_t) { return was == 0; });
    place_where([](std::uint64_t, std::uint64_t) { return true; });
  }

  A a_;
  B b_;
  double reach_m_;
  int point_count_;
};

template <class A, class B>
std::unique_ptr<const SpatialGap> gap_of(A a, B b, double smaller_size_m, int points) {
  return std::make_unique<MeshGap<A, B>>(std::move(a), std::move(b), kMeshReach * smaller_size_m, points);
}

}  // namespace

std::unique_ptr<const SpatialGap> make_mesh_gap(MeshPtr a, MeshPtr b, int points) {
  const double size = std::min(a->size_m(), b->size_m());
  return gap_of(std::move(a), std::move(b), size, points);
}
std::unique_ptr<const SpatialGap> make_mesh_gap(const SphereShape& a, MeshPtr b, int points) {
  const double size = std::min(2 * a.radius_m, b->size_m());
  return gap_of(solid::of(a), std::move(b), size, points);
}
std::unique_ptr<const SpatialGap> make_mesh_gap(const CapsuleShape& a, MeshPtr b, int points) {
  const double size = std::min(a.length_m + 2 * a.radius_m, b->size_m());
  return gap_of(solid::of(a), std::move(b), size, points);
}
std::unique_ptr<const SpatialGap> make_mesh_gap(const CylinderShape& a, MeshPtr b, int points) {
  const double size = std::min(std::hypot(a.length_m, 2 * a.radius_m), b->size_m());
  return gap_of(solid::of(a), std::move(b), size, points);
}
std::unique_ptr<const SpatialGap> make_mesh_gap(const BoxShape& a, MeshPtr b, int points) {
  return make_mesh_gap(std::make_shared<const TriangleMesh>(mesh_of(a)), std::move(b), points);
}
std::unique_ptr<const SpatialGap> make_mesh_gap(MeshPtr a, const PlaneShape& b, int points) {
  const double size = a->size_m();
  return gap_of(std::move(a), solid::of(b), size, points);
}

}  // namespace freeplay::geometry
