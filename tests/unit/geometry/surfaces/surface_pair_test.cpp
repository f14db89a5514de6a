// Pairs of surfaces in closed form: gaps, numbers of contacts, lines of contact, keys.
#include "freeplay/geometry/surfaces/surface_pair.h"

#include <gtest/gtest.h>

#include "support/samples.h"
#include "surface_cases.h"

namespace freeplay::test::surface_pair_test {
namespace {

const SurfaceResult kFloor = make_surface(PlaneShape{});

// The support function: the lowest point of an ellipsoid is sqrt(n^T Q n) below its centre.
TEST(SurfacePair, EllipsoidOnAPlaneHasItsSupportFunction) {
  RandomSurfaces random(5);
  for (int i = 0; i < 50; ++i) {
    const double thin = i % 2 == 0 ? 0.1 : 0.001;  // discs and needles too
    const Vec3 axes(random.uniform(thin, 1), thin * random.uniform(1, 2), random.uniform(thin, 1));
    const SurfaceResult ellipsoid = make_surface(EllipsoidShape{Vec3::Zero(), axes});
    const Frame at{random.rotation(), random.vector(2)};
    const auto found = contacts_of(ellipsoid.surface, at, kFloor.surface, kWorld, 10);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].gap, at.p.z() - axes.cwiseProduct(at.R.transpose() * Vec3::UnitZ()).norm(),
                1e-14);  // rounding of sums near 3
  }
}

// Two ellipsoids with a known contact: B stands where its point with normal n is g below A's point with normal -n. Thin
// discs and needles too.
TEST(SurfacePair, EllipsoidsHaveTheGapThatTheyWereBuiltWith) {
  RandomSurfaces random(6);
  for (int i = 0; i < samples(200); ++i) {
    const double thin = i % 2 == 0 ? 0.2 : 0.01;
    const Vec3 axes_a(random.uniform(thin, 1), random.uniform(thin, 1), random.uniform(thin, 1));
    const Vec3 axes_b(random.uniform(thin, 1), random.uniform(thin, 1), random.uniform(thin, 1));
    const SurfaceResult a = make_surface(EllipsoidShape{Vec3::Zero(), axes_a});
    const SurfaceResult b = make_surface(EllipsoidShape{Vec3::Zero(), axes_b});
    const Vec3 n = random.direction();
    const double unique = a.surface.convex().least_radius_m + b.surface.convex().least_radius_m;
    const double gap = random.uniform(-0.9 * unique, 0.5);
    const Frame at_a{random.rotation(), random.vector(1)};
    Frame at_b{random.rotation(), Vec3::Zero()};
    const Vec3 x_a = at_a.point(a.surface.convex().point(at_a.R.transpose() * -n));
    at_b.p = x_a - gap * n - at_b.R * b.surface.convex().point(at_b.R.transpose() * n);
    const auto found = contacts_of(a.surface, at_a, b.surface, at_b, 10);
    ASSERT_EQ(found.size(), 1u);
    ASSERT_NEAR(found[0].gap, gap, 1e-12) << i;
    ASSERT_LT((found[0].normal - n).norm(), 1e-9) << i;
  }
}

// A torus that leans by an angle: its lowest point is R sin(angle) + r below the centre, and a second, higher minimum
// does not exist; a point above its middle sees the whole circle.
TEST(SurfacePair, TorusOnAPlaneAndABallOnItsAxis) {
  const SurfaceResult torus = make_surface(TorusShape{Vec3::Zero(), Vec3::UnitZ(), 0.7, 0.2});
  const Frame leaning = frame({0, 0, 1}, Vec3::UnitX(), 0.3);
  const auto found = contacts_of(torus.surface, leaning, kFloor.surface, kWorld, 5);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].gap, 1 - 0.7 * std::sin(0.3) - 0.2, 1e-14);
  // Flat on the floor it touches along a circle, which points represent.
  const auto flat = contacts_of(torus.surface, frame({0, 0, 0.25}), kFloor.surface, kWorld, 5);
  EXPECT_GE(flat.size(), 3u);
  for (const SurfaceContact& contact : flat) EXPECT_NEAR(contact.gap, 0.05, 1e-14);
  const SurfaceResult ball = make_surface(SphereShape{Vec3::Zero(), 0.3});
  const auto ring = contacts_of(torus.surface, kWorld, ball.surface, frame({0, 0, 0.4}), 5);
  EXPECT_GE(ring.size(), 3u);
  for (const SurfaceContact& contact : ring) EXPECT_NEAR(contact.gap, std::hypot(0.7, 0.4) - 0.2 - 0.3, 1e-13);
  // Beside the axis there is one minimum, on the near side.
  const auto beside = contacts_of(torus.surface, kWorld, ball.surface, frame({0.1, 0, 0.4}), 5);
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_NEAR(beside[0].gap, std::hypot(0.6, 0.4) - 0.2 - 0.3, 1e-13);
}

TEST(SurfacePair, ConeTouchesAPlaneWithItsRimAndItsTip) {
  const SurfaceResult cone = make_surface(ConeShape{Vec3::Zero(), Vec3::UnitZ(), 0.5, 1.2});
  // Upright it stands on its rim.
  const auto upright = contacts_of(cone.surface, frame({0, 0, 0.1}), kFloor.surface, kWorld, 0.5);
  EXPECT_GE(upright.size(), 3u);
  for (const SurfaceContact& contact : upright) EXPECT_NEAR(contact.gap, 0.1, 1e-14);
  // On its tip.
  const auto on_tip =
      contacts_of(cone.surface, frame({0, 0, 1.5}, Vec3::UnitX(), kPi + 0.2), kFloor.surface, kWorld, 1);
  ASSERT_EQ(on_tip.size(), 1u);
  EXPECT_NEAR(on_tip[0].gap, 1.5 - 1.2 * std::cos(0.2), 1e-14);
  EXPECT_TRUE(std::isinf(on_tip[0].bend_a.curvature_1));
  // On its side: the angle between axis and generator has the tangent 0.5/1.2. Both ends touch.
  const double lean = kPi / 2 + std::atan2(0.5, 1.2);
  const auto lying = contacts_of(cone.surface, frame({0, 0, 0.5}, Vec3::UnitX(), lean), kFloor.surface, kWorld, 1);
  bool has_tip = false, has_rim = false;
  for (const SurfaceContact& contact : lying) {
    EXPECT_NEAR(contact.gap, 0.5 - 1.2 * std::sin(std::atan2(0.5, 1.2)), 1e-13);
    has_tip = has_tip || std::isinf(contact.bend_a.curvature_1);
    has_rim = has_rim || (std::isinf(contact.bend_a.curvature_2) && !std::isinf(contact.bend_a.curvature_1));
  }
  EXPECT_TRUE(has_tip);
  EXPECT_TRUE(has_rim);
}

// A ball over a saddle-shaped valley of the torus's inner side: two minima, left and right.
TEST(SurfacePair, BallInsideATorusHoleTouchesBothSides) {
  const SurfaceResult torus = make_surface(TorusShape{Vec3::Zero(), Vec3::UnitZ(), 0.7, 0.2});
  const SurfaceResult needle = make_surface(EllipsoidShape{Vec3::Zero(), {0.45, 0.1, 0.1}});
  const auto found = contacts_of(torus.surface, kWorld, needle.surface, frame({0.01, 0, 0}), 0.2);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(std::min(found[0].gap, found[1].gap), 0.04, 1e-13);
  EXPECT_NEAR(std::max(found[0].gap, found[1].gap), 0.06, 1e-13);
  EXPECT_NE(found[0].key, found[1].key);
}

// Two crossed tori, linked like a chain: the gap of the links in closed form, by points of the two circles.
TEST(SurfacePair, LinkedToriTouchInsideOfEachOther) {
  const SurfaceResult torus = make_surface(TorusShape{Vec3::Zero(), Vec3::UnitZ(), 0.7, 0.1});
  const Frame across = frame({0.9, 0, 0}, Vec3::UnitX(), kPi / 2);
  const auto found = contacts_of(torus.surface, kWorld, torus.surface, across, 0.5);
  // Along x: tubes at 0.7 of one and at 0.9 - 0.7 = 0.2 of the other are 0.5 apart; the centre of each tube to the
  // other circle.
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(least_gap(found, 1), 0.5 - 0.2, 1e-13);
}

TEST(SurfacePair, NumbersStayWithTheirContacts) {
  const SurfaceResult torus = make_surface(TorusShape{Vec3::Zero(), Vec3::UnitZ(), 0.7, 0.2});
  const SurfaceResult needle = make_surface(EllipsoidShape{Vec3::Zero(), {0.45, 0.1, 0.1}});
  auto before = contacts_of(torus.surface, kWorld, needle.surface, kWorld, 0.2);
  ASSERT_EQ(before.size(), 2u);
  const std::vector<Vec3> places = {before[0].place_b.x, before[1].place_b.x};
  const std::vector<int> numbers = {before[0].key.which, before[1].key.which};
  for (int i = 1; i <= 72; ++i) {  // once around
    auto now =
        contacts_of(torus.surface, kWorld, needle.surface, frame(Vec3::Zero(), Vec3::UnitZ(), kPi / 36 * i), 0.2);
    ASSERT_EQ(now.size(), 2u);
    keep_numbers(before, now);
    before = now;
    for (const SurfaceContact& contact : now) {
      const std::size_t same = (contact.place_b.x - places[0]).norm() < 0.1 ? 0 : 1;
      EXPECT_EQ(contact.key.which, numbers[same]) << i;
    }
  }
}

// A ball rolls over the border of a sheet and down its side: the gap is that to the middle surface, less the radii.
TEST(SurfacePair, SheetHasRoundBorders) {
  ParametricSurfaceShape square{expression_of_uv("1 m*u"),
                                expression_of_uv("1 m*v"),
                                expression_of_uv("0 m*u"),
                                -0.5,
                                0.5,
                                -0.5,
                                0.5,
                                false,
                                false,
                                0.1};
  const SurfaceResult sheet = make_surface(square);
  ASSERT_TRUE(sheet.problem.empty()) << sheet.problem.message;
  const SurfaceResult ball = make_surface(SphereShape{Vec3::Zero(), 0.2});
  RandomSurfaces random(8);
  for (int i = 0; i < 500; ++i) {
    const Vec3 c = random.vector(0.9);
    const Vec3 nearest(std::clamp(c.x(), -0.5, 0.5), std::clamp(c.y(), -0.5, 0.5), 0);
    const auto found = contacts_of(sheet.surface, kWorld, ball.surface, frame(c), 2);
    ASSERT_GE(found.size(), 1u) << c.transpose();
    ASSERT_NEAR(least_gap(found, 5), (c - nearest).norm() - 0.25, 1e-12) << c.transpose();
  }
}

}  // namespace
}  // namespace freeplay::test::surface_pair_test
