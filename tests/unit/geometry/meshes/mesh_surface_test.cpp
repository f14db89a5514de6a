// Curved surfaces against meshes: a box as a mesh against the same box as patches, samples, closed forms, paths, rates.
#include <gtest/gtest.h>

#include "allocation/allocation_counter.h"
#include "freeplay/geometry/meshes/mesh_surface.h"
#include "freeplay/geometry/meshes/mesh_surface_gap.h"
#include "mesh_cases.h"
#include "support/samples.h"
#include "unit/geometry/rates_check.h"
#include "unit/geometry/surfaces/surface_cases.h"

namespace freeplay::test::mesh_surface_test {
namespace {

std::vector<SurfaceContact> contacts_with_mesh(const SpatialSurface& a, const Frame& at_a, const TriangleMesh& b,
                                               const Frame& at_b, double reach) {
  std::vector<SurfaceContact> found(128);
  const int count = find_mesh_contacts(a, b, at_a, at_b, reach, found);
  EXPECT_LE(count, 128);
  found.resize(static_cast<std::size_t>(std::min(count, 128)));
  return found;
}

std::vector<std::string> curved_kinds() {
  return {surface_kinds().begin() + 2, surface_kinds().end()};  // without plane and sphere
}

bool has_contact(const std::vector<SurfaceContact>& all, const SurfaceContact& wanted) {
  return std::any_of(all.begin(), all.end(), [&](const SurfaceContact& c) {
    return std::abs(c.gap - wanted.gap) < 1e-10 && (c.point_a - wanted.point_a).norm() < 1e-6 &&
           (c.normal - wanted.normal).norm() < 1e-6;
  });
}

BoxShape some_box(RandomSolids& random) {
  return {random.vector(0.1),
          {random.uniform(0.3, 1.2), random.uniform(0.3, 1.2), random.uniform(0.3, 1.2)},
          Eigen::Quaterniond(random.rotation())};
}

// The box as patches goes through the trees and the four equations of two surfaces, as a mesh through planes, lines and
// points: the minima of the distance are the same. Only the mesh counts corners that nearly lie on a flat face.
TEST(MeshAndSurface, ABoxAsAMeshHasTheContactsOfTheBoxAsPatches) {
  RandomSurfaces random(61);
  const SurfacePool pool(random, 5);
  int compared = 0;
  for (const std::string& kind : curved_kinds()) {
    for (int i = 0; i < samples(60); ++i) {
      const BoxShape box = some_box(random);
      const SpatialSurface& a = pool.any(kind, random);
      const SpatialSurface patches = make_surface(box).surface;
      const TriangleMesh mesh = mesh_of(box);
      const Frame at_a = random.motion(1.2).at(0), at_b = random.motion(1.2).at(0);
      const auto expected = contacts_of(a, at_a, patches, at_b, 0.4),
                 found = contacts_with_mesh(a, at_a, mesh, at_b, 0.4);
      if (least_gap(expected, 1) < 1e-3) continue;  // in each other
      EXPECT_NEAR(least_gap(found, 1), least_gap(expected, 1), 1e-11) << kind << " " << i;
      for (const SurfaceContact& c : expected) {
        EXPECT_TRUE(has_contact(found, c)) << kind << " " << i << " gap " << c.gap;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, samples(100));
}

// By samples of the surface: the distance of each to all triangles. The least of them is no less than the least gap,
// and larger by no more than what lies between samples.
TEST(MeshAndSurface, TheLeastGapWithHollowMeshesIsTheDistanceOfSamples) {
  const TriangleMesh ring = built(ring_soup(0.5, 0.8, 0.3, 12)), angle = built(angle_soup()),
                     peg = built(peg_soup(0.3, 1.0, 7));
  RandomSurfaces random(62);
  const SurfacePool pool(random, 5);
  int compared = 0;
  constexpr double kApart = 0.05;
  for (const std::string& kind : curved_kinds()) {
    for (int i = 0; i < samples(18); ++i) {
      const TriangleMesh* meshes[] = {&ring, &angle, &peg};
      const TriangleMesh& mesh = *meshes[i % 3];
      const SpatialSurface& a = pool.any(kind, random);
      const Frame at = {random.rotation(), random.vector(&mesh == &angle ? 2.5 : 1.2)};
      double least = kInfinity;
      bool overlaps = false;
      for (const SurfacePlace& place : a.samples(kApart)) {
        const Vec3 x = at.point(place.x);
        for (const MeshTriangle& t : mesh.triangles())
          least = std::min(least, point_triangle_distance(x, {mesh.vertex(t.vertices[0]), mesh.vertex(t.vertices[1]),
                                                              mesh.vertex(t.vertices[2])}));
        overlaps = overlaps || mesh.contains(x);
      }
      if (overlaps || least > 0.6 || least < 2 * kApart) continue;
      const auto found = contacts_with_mesh(a, at, mesh, Frame{}, least + 0.1);
      EXPECT_LE(least_gap(found, 10), least + 1e-12) << kind << " " << i;
      EXPECT_GE(least_gap(found, 10), least - kApart) << kind << " " << i;
      ++compared;
    }
  }
  EXPECT_GE(compared, samples(18));
}

TEST(MeshAndSurface, AnEllipsoidOverAPlateHasItsSupportFunction) {
  const TriangleMesh plate = built(refined(box_soup({4, 4, 1}), 3));
  const Vec3 semi_axes(0.5, 0.3, 0.2);
  const SpatialSurface ellipsoid = make_surface(EllipsoidShape{Vec3::Zero(), semi_axes}).surface;
  RandomSolids random(63);
  for (int i = 0; i < 200; ++i) {
    const Mat3 R = random.rotation();
    const double reach = std::sqrt((R.transpose() * Vec3::UnitZ()).cwiseProduct(semi_axes).squaredNorm());
    const double gap = random.uniform(-0.02, 0.1);
    const Frame at{R, Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0.5 + reach + gap)};
    const auto found = contacts_with_mesh(ellipsoid, at, plate, Frame{}, 0.2);
    ASSERT_EQ(found.size(), 1u) << i;
    EXPECT_NEAR(found[0].gap, gap, 1e-13) << i;
    EXPECT_LT((found[0].normal - Vec3::UnitZ()).norm(), 1e-13) << i;
  }
}

// A prism with n sides of radius r through the hole of a torus: its corners are R - rho - r from the inside of the tube
// when the axes are the same, and a prism that is moved by d towards a corner's side touches there first.
TEST(MeshAndSurface, APrismInTheHoleOfATorusHasItsPlay) {
  const TriangleMesh prism = built(peg_soup(0.4, 2, 6));
  const SpatialSurface torus = make_surface(TorusShape{Vec3::Zero(), Vec3::UnitZ(), 0.7, 0.2}).surface;
  const auto centred = contacts_with_mesh(torus, Frame{}, prism, Frame{}, 0.11);
  ASSERT_EQ(centred.size(), 6u);
  for (const SurfaceContact& c : centred) EXPECT_NEAR(c.gap, 0.1, 1e-13);
  for (const double d : {0.05, 0.0999, 0.101}) {
    const auto moved = contacts_with_mesh(torus, Frame{}, prism, frame(Vec3(d, 0, 0)), 0.2);
    EXPECT_NEAR(least_gap(moved, 1), 0.1 - d, 1e-13) << d;
  }
}

TEST(MeshAndSurface, AConeStandsOnAPlateOverItsBorderAndUnderAPlate) {
  const SpatialSurface cone = make_surface(ConeShape{Vec3::Zero(), Vec3::UnitZ(), 0.5, 0.8}).surface;
  const TriangleMesh plate = built(refined(box_soup({4, 4, 1}), 2)), small = built(refined(box_soup({0.4, 0.4, 1}), 2));
  double lowest = kInfinity, highest = -kInfinity;
  for (const SurfacePlace& place : cone.samples(0.02)) {
    lowest = std::min(lowest, place.x.z());
    highest = std::max(highest, place.x.z());
  }
  // Whichever way its tip points, its flat end goes down.
  const bool tip_is_up = std::abs(lowest) < std::abs(highest) ? true : cone.feet().front().axis.z() < 0;
  const Mat3 R = tip_is_up ? Mat3(Mat3::Identity()) : Mat3(Eigen::AngleAxisd(kPi, Vec3::UnitX()).toRotationMatrix());
  const double end = tip_is_up ? lowest : -highest;
  for (const double gap : {1e-3, 1e-7, 0.0, -1e-7}) {
    for (const double lean : {0.0, 1e-9, 1e-5}) {
      const Mat3 turn = Eigen::AngleAxisd(lean, Vec3::UnitY()).toRotationMatrix() * R;
      const Frame at{turn, Vec3(0, 0, 0.5 - end + gap)};
      // On the plate the points of its rim, on a plate that is smaller than the end that plate's corners.
      for (const TriangleMesh* on : {&plate, &small}) {
        int level = 0;
        for (const SurfaceContact& c : contacts_with_mesh(cone, at, *on, Frame{}, 0.05)) {
          EXPECT_NEAR(c.normal.z(), 1, 1e-9);
          EXPECT_NEAR(c.gap, gap, 2 * lean + 1e-12);
          ++level;
        }
        EXPECT_GE(level, 4) << gap << " " << lean << (on == &plate ? " plate" : " small");
      }
      // Over the border of the plate: the rim crosses its edge twice.
      Frame over = at;
      over.p.x() = 2.1;
      int crossings = 0;
      for (const SurfaceContact& c : contacts_with_mesh(cone, over, plate, Frame{}, 0.05))
        crossings +=
            std::abs(c.point_b.x() - 2) < 1e-9 && std::abs(std::abs(c.point_b.y()) - std::sqrt(0.24)) < 1e-3 ? 1 : 0;
      EXPECT_EQ(crossings, 2) << gap << " " << lean;
    }
  }
}

TEST(MeshAndSurface, TheLeastGapDoesNotJumpAlongPathsIntoContact) {
  const TriangleMesh ring = built(ring_soup(0.5, 0.8, 0.3, 12)), box = built(refined(box_soup({1, 0.8, 0.6}), 1));
  RandomSurfaces random(64);
  const SurfacePool pool(random, 3);
  int touched = 0;
  for (const std::string& kind : curved_kinds()) {
    for (int path = 0; path < samples(4); ++path) {
      const TriangleMesh& mesh = path % 2 == 0 ? ring : box;
      const SpatialSurface& a = pool.any(kind, random);
      const Vec3 direction = random.direction(), axis = random.direction(), offset = random.vector(0.3);
      const Mat3 start = random.rotation();
      constexpr double kStep = 2e-3, kTurn = 1e-3, kReach = 0.1;
      // The nearest point is no further from A's origin than A reaches.
      const double largest = 1.1 * (kStep + kTurn * (a.centre().norm() + a.size_m() + kReach));
      double before = kReach;
      for (int i = 0; i < 1500; ++i) {
        const Frame at{Eigen::AngleAxisd(kTurn * i, axis).toRotationMatrix() * start,
                       offset + (3 - kStep * i) * direction};
        const double now = least_gap(contacts_with_mesh(a, at, mesh, Frame{}, kReach), kReach);
        ASSERT_LE(std::abs(now - before), largest) << kind << " path " << path << " step " << i << " from " << before;
        before = now;
        if (now < -largest / 2) break;  // in
      }
      touched += before < 0 ? 1 : 0;
    }
  }
  EXPECT_GE(touched, samples(16));
}

TEST(MeshAndSurface, RatesAreThoseOfDifferencesAndOfExchangedPartners) {
  const auto ball = std::make_shared<const TriangleMesh>(built(ball_soup(0.6, 6, 9)));
  const auto box = std::make_shared<const TriangleMesh>(built(box_soup({0.9, 0.7, 0.5})));
  for (const std::string& kind : curved_kinds()) {
    RatesCount count;
    for (const MeshPtr& mesh : {ball, box}) {
      RandomSurfaces random(65);
      const auto gap = make_mesh_gap(random.surface(kind).surface, mesh);
      for (int tries = 0; tries < 4000 && count.compared < samples(60); ++tries)
        check_rates(*gap, random.motion(0.9), random.motion(0.9), 1e-4, kind, count, true);
    }
    EXPECT_GE(count.compared, samples(30)) << kind;
    EXPECT_LE(count.left_out, count.compared) << kind;
  }
}

TEST(MeshAndSurface, ExchangedShapesHaveTheSamePointsWithOppositeDirections) {
  const auto mesh = std::make_shared<const TriangleMesh>(built(ball_soup(0.6, 6, 9)));
  const TorusShape torus{Vec3::Zero(), Vec3::UnitZ(), 0.5, 0.15};
  const auto gap = make_spatial_gap(torus, MeshShape{mesh, ""}), back = make_spatial_gap(MeshShape{mesh, ""}, torus);
  RandomSolids random(66);
  int used = 0;
  for (int i = 0; i < 500; ++i) {
    const Frame a = random.motion(0.7).at(0), b = random.motion(0.7).at(0);
    const auto one = evaluate(*gap, a, b), two = evaluate(*back, b, a);
    ASSERT_EQ(one.size(), two.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      ASSERT_EQ(one[k].gap, two[k].gap);
      if (std::isinf(one[k].gap)) continue;
      ASSERT_EQ(one[k].point_a, two[k].point_b);
      ASSERT_EQ(one[k].normal, -two[k].normal);
      ASSERT_EQ(one[k].tangent, -two[k].tangent);
      ++used;
    }
  }
  EXPECT_GE(used, 50);
}

TEST(MeshAndSurface, AnEllipsoidThatRollsOverAMeshStaysInItsPointAndABodyInsideIsNotOpen) {
  const auto ball = std::make_shared<const TriangleMesh>(built(ball_soup(1, 20, 30)));
  const auto gap = make_mesh_gap(make_surface(EllipsoidShape{Vec3::Zero(), {0.3, 0.2, 0.25}}).surface, ball, 0);
  const std::size_t count = static_cast<std::size_t>(gap->point_count());
  std::vector<SpatialContactPoint> points(count);
  std::vector<std::uint64_t> before(count, 0), now(count, 0);
  std::size_t moved = 0, held = count;
  for (int i = 0; i < 400; ++i) {
    const double angle = 0.3 + 0.004 * i;
    // Turned by the angle as well: the place on the ellipsoid changes slowly.
    const Frame at{Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix(),
                   1.245 * Vec3(std::sin(angle), 0.1, std::cos(angle)).normalized()};
    gap->follow(at, Frame{}, before, points, now);
    std::size_t nearest = 0;
    for (std::size_t k = 1; k < count; ++k)
      if (points[k].gap < points[nearest].gap) nearest = k;
    ASSERT_LT(points[nearest].gap, 0.02) << i;
    moved += held < count && nearest != held ? 1 : 0;
    held = nearest;
    before = now;
  }
  EXPECT_LE(moved, 400u / 20);  // two contacts at a time over an edge: which is nearer changes
  for (const double size : {0.1, 3.0}) {
    const auto deep = make_mesh_gap(make_surface(EllipsoidShape{Vec3::Zero(), size * Vec3::Ones()}).surface, ball, 0);
    EXPECT_LT(nearest_of(evaluate(*deep, Frame{}, Frame{})).gap, -0.5) << size;
  }
}

TEST(MeshAndSurface, FollowingAllocatesNothing) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  const auto mesh = std::make_shared<const TriangleMesh>(built(ball_soup(0.6, 12, 20)));
  RandomSurfaces random(67);
  for (const std::string& kind : curved_kinds()) {
    const auto gap = make_mesh_gap(random.surface(kind).surface, mesh);
    std::vector<SpatialContactPoint> points(static_cast<std::size_t>(gap->point_count()));
    for (int i = 0; i < 20; ++i) {
      const SpatialMotion a = random.motion(0.8), b = random.motion(0.3);
      EXPECT_EQ(allocations_during([&] { gap->evaluate(a.at(0), b.at(0), points); }), 0u) << kind;
    }
  }
}

}  // namespace
}  // namespace freeplay::test::mesh_surface_test
