// Cams and closed contours: gradients by finite differences, closed forms, convergence of splines, no allocation.
#include <gtest/gtest.h>

#include <algorithm>

#include "allocation/allocation_counter.h"
#include "unit/geometry/contours/cam_shapes.h"

namespace freeplay::test {
namespace {

struct NamedPair {
  std::string name;
  ShapeGeometry a, b;
};

// One pair of every kind. Sizes near 1; the wavy contour has hollows that a roller of 0.2 fits into.
std::vector<NamedPair> every_cam_pair() {
  const CircleShape roller{{0.1, 0.2, 0}, 0.2};
  const PointShape point{{0.1, 0.2, 0}};
  const LineShape face{{0.1, 0, 0}, Vec3(0.6, 0.8, 0)};
  CamShape lift = cam_by_lift(1, "0.2*(1 - cos(3*phi)) + 0.05*sin(phi)");
  lift.at_m = {0.3, -0.1, 0};
  lift.follower = {0.6, -0.8, 0};
  CamShape gentle = cam_by_lift(1, "0.1*(1 - cos(2*phi)) + 0.05*sin(phi)");
  gentle.at_m = {0.3, -0.1, 0};
  gentle.follower = {0.6, -0.8, 0};
  CamShape contour = cam_by_radius("1 + 0.15*cos(3*phi) + 0.05*sin(phi)");
  contour.at_m = {0.3, -0.1, 0};
  contour.follower = {0.6, -0.8, 0};
  CamShape convex = cam_by_radius("1 + 0.08*cos(2*phi) + 0.05*sin(phi)");
  convex.at_m = {0.3, -0.1, 0};
  SplineShape spline = spline_through_circle(11, 1);
  for (std::size_t i = 0; i < spline.points_m.size(); i += 3) spline.points_m[i] *= 1.05;
  CamShape by_points;
  by_points.points_m = spline.points_m;
  SplineShape hole = spline;
  std::reverse(hole.points_m.begin(), hole.points_m.end());
  return {{"point on lift", point, lift},          {"roller on lift", roller, lift},
          {"face on lift", gentle, face},          {"point on contour", point, contour},
          {"roller on contour", roller, contour},  {"face on contour", convex, face},
          {"roller on spline", roller, spline},    {"face on spline", spline_through_circle(7, 1), face},
          {"roller on points", roller, by_points}, {"roller in hole", roller, hole}};
}

// The gradient of the gap in the motion of both bodies, also where they penetrate. Central differences of two widths
// tell where the nearest point jumps to another branch.
TEST(CamGap, RateOfTheGapIsThatOfItsMaterialPoints) {
  const double h = 1e-5;
  for (const NamedPair& pair : every_cam_pair()) {
    for (const bool swapped : {false, true}) {
      const ShapeGeometry &a = swapped ? pair.b : pair.a, &b = swapped ? pair.a : pair.b;
      const auto gap = make_planar_gap(a, b);
      int checked = 0;
      for (std::uint64_t seed = 0; seed < 300; ++seed) {
        RandomShapes random(seed);
        const Motion body_a = random.motion(1.2), body_b = random.motion(1.2);
        const auto at = [&](double s) { return evaluate(*gap, body_a.at(s), body_b.at(s))[0]; };
        const double fine = (at(h).gap - at(-h).gap) / (2 * h), coarse = (at(2 * h).gap - at(-2 * h).gap) / (4 * h);
        if (std::abs(fine - coarse) > 1e-6) continue;
        const PlanarContactPoint now = at(0);
        const Vec2 v = body_a.velocity(now.point_a) - body_b.velocity(now.point_b);
        EXPECT_NEAR((4 * fine - coarse) / 3, now.normal.dot(v), 1e-8) << pair.name << ", seed " << seed;
        EXPECT_EQ(now.tangent, tangent_of(now.normal));
        ++checked;
      }
      EXPECT_GT(checked, 260) << pair.name;
    }
  }
}

TEST(CamGap, EvaluationAllocatesNothing) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  for (const NamedPair& pair : every_cam_pair()) {
    const auto gap = make_planar_gap(pair.a, pair.b);
    std::vector<PlanarContactPoint> points(1);
    RandomShapes random(3);
    EXPECT_EQ(allocations_during([&] {
                for (int i = 0; i < 100; ++i) gap->evaluate(random.motion(2).at(0), random.motion(2).at(0), points);
              }),
              0u)
        << pair.name;
  }
}

// ---- the lift law ----

// A follower above the centre of a cam that has turned by phi: g = y - R_b - p(phi), and the gradient has the component
// 1 along the stroke (Flores, Leine, Glocker 2012, eqs 62 and 63).
TEST(CamGap, AFollowerAboveTheCentreSeesTheLawItself) {
  CamShape cam = cam_by_lift(1, "0.3*phi", kPi / 3);
  cam.only_forwards = true;  // otherwise its drop is a face
  for (const double turn : {0.0, 0.4, 1.0, 3.0, 6.2, -0.1}) {
    const double phi = std::fmod(turn + 2 * kPi, kPi / 3);
    const auto contact = evaluate(PointShape{}, placement(0, 1.7, 0), cam, placement(0, 0, turn))[0];
    EXPECT_NEAR(contact.gap, 1.7 - 1 - 0.3 * phi, 1e-15) << turn;
    EXPECT_NEAR(contact.normal.y(), 1, 1e-15);
    EXPECT_NEAR(contact.normal.x(), -0.3 / 1.7, 1e-15);  // the cam rises towards +x, from where it comes
  }
}

TEST(CamGap, AtTheEndOfItsPeriodTheLawStartsAnew) {
  CamShape cam = cam_by_lift(1, "0.3*phi", kPi / 3);
  cam.only_forwards = true;  // otherwise its drop is a face
  const auto lift_at = [&](double turn) {
    return 2 - 1 - evaluate(PointShape{}, placement(0, 2, 0), cam, placement(0, 0, turn))[0].gap;
  };
  EXPECT_EQ(lift_at(0), 0);
  EXPECT_NEAR(lift_at(kPi / 3 - 1e-9), 0.1 * kPi, 1e-9);
  EXPECT_NEAR(lift_at(kPi / 3 + 1e-9), 0, 1e-9);
  EXPECT_NEAR(lift_at(-1e-9), 0.1 * kPi, 1e-9);
  EXPECT_EQ(lift_at(-1e-18), 0) << "rounding is no angle";
  for (int lobe = 0; lobe < 12; ++lobe) EXPECT_NEAR(lift_at(lobe * kPi / 3), 0, 1e-14) << lobe;
}

// ---- closed forms ----

// An eccentric disc, once as a circle and once as a contour in polar coordinates about its shaft. With the eccentricity
// towards the follower: r = e cos(phi) + sqrt(R^2 - e^2 sin(phi)^2).
TEST(CamGap, AnEccentricDiscIsThatCircle) {
  const CamShape contour = cam_by_radius("0.4*cos(phi) + sqrt(1 - 0.16*sin(phi)^2)");
  const CircleShape disc{{0, 0.4, 0}, 1};
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomShapes random(seed);
    const CircleShape roller{random.vector(0.5), random.uniform(0, 0.5)};
    const PlanarPlacement a = random.motion(2).at(0), b = random.motion(2).at(0);
    const auto by_contour = evaluate(roller, a, contour, b)[0], by_circle = evaluate(roller, a, disc, b)[0];
    EXPECT_NEAR(by_contour.gap, by_circle.gap, 1e-13) << seed;
    EXPECT_LT((by_contour.normal - by_circle.normal).norm(), 1e-10);
    EXPECT_LT((by_contour.point_a - by_circle.point_a).norm(), 1e-10);
    EXPECT_LT((by_contour.point_b - by_circle.point_b).norm(), 1e-10);
  }
}

// An ellipse with the semi-axes a, b along x and y: support function H(e) = sqrt(a^2 e_x^2 + b^2 e_y^2), touched at
// (a^2 e_x, b^2 e_y) / H. Once as a contour, once with H as the lift law of a flat face; phi = 0 is along y.
TEST(CamGap, AnEllipseUnderAFlatFaceFollowsItsSupportFunction) {
  const double a = 1.3, b = 0.8;
  const CamShape contour = cam_by_radius("1/sqrt(sin(phi)^2/1.69 + cos(phi)^2/0.64)");
  const CamShape lift = cam_by_lift(0.5, "sqrt(1.69*sin(phi)^2 + 0.64*cos(phi)^2) - 0.5");
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomShapes random(seed);
    const LineShape face = std::get<LineShape>(random.shape("line"));
    const PlanarPlacement at_cam = random.motion(2).at(0), at_face = random.motion(2).at(0);
    const Vec2 n = at_face.direction(face.normal.head<2>());
    const Vec2 e(-(at_cam.cos * n.x() + at_cam.sin * n.y()), -(at_cam.cos * n.y() - at_cam.sin * n.x()));
    const double support = std::sqrt(a * a * e.x() * e.x() + b * b * e.y() * e.y());
    const Vec2 touched = at_cam.point(Vec2(a * a * e.x(), b * b * e.y()) / support);
    const double gap = n.dot(touched - at_face.point(face.at_m.head<2>()));
    for (const CamShape& cam : {contour, lift}) {
      const auto contact = evaluate(cam, at_cam, face, at_face)[0];
      EXPECT_NEAR(contact.gap, gap, 1e-13) << seed;
      EXPECT_LT((contact.point_a - touched).norm(), 1e-7) << seed;
      EXPECT_LT((contact.normal - n).norm(), 1e-15);
    }
  }
}

// A cubic spline errs by h^4 times the fourth derivative: twice the points, a sixteenth of the error.
TEST(CamGap, ASplineThroughPointsOfACircleConvergesWithOrderFour) {
  const auto worst_of = [](int points) {
    const auto gap = make_planar_gap(PointShape{}, spline_through_circle(points, 1));
    double worst = 0;
    for (int i = 0; i < 1000; ++i) {
      const double angle = 2 * kPi * i / 1000;
      const PlanarPlacement at{1, 0, 2 * std::cos(angle), 2 * std::sin(angle)};
      worst = std::max(worst, std::abs(evaluate(*gap, at, PlanarPlacement{})[0].gap - 1));
    }
    return worst;
  };
  double before = worst_of(8);
  for (const int points : {16, 32, 64, 128}) {
    const double now = worst_of(points);
    EXPECT_NEAR(std::log2(before / now), 4, 0.2) << points << " points";
    before = now;
  }
  EXPECT_LT(before, 2e-8);
}

// The nearest of all points of a wavy contour, against a dense sample of it.
TEST(CamGap, DistanceToAWavyContourIsTheGlobalMinimum) {
  const auto gap = make_planar_gap(PointShape{}, cam_by_radius("1 + 0.3*cos(5*phi)"));
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomShapes random(seed);
    const Vec3 at = random.vector(2);
    double nearest = 1e9;
    for (int i = 0; i < 20000; ++i) {
      const double phi = 2 * kPi * i / 20000, r = 1 + 0.3 * std::cos(5 * phi);
      nearest = std::min(nearest, (at.head<2>() - Vec2(r * std::sin(phi), r * std::cos(phi))).norm());
    }
    const double inside = at.head<2>().norm() < 1 + 0.3 * std::cos(5 * std::atan2(at.x(), at.y())) ? -1 : 1;
    const PlanarPlacement place{1, 0, at.x(), at.y()};
    EXPECT_NEAR(evaluate(*gap, place, PlanarPlacement{})[0].gap, inside * nearest, 1e-5) << seed;  // of the sample
  }
}

// Six lobes with a radial face behind each: opposite faces lie on one line through the centre. A follower that has
// fallen along a face and entered the foot of it by 0.4 mm must not be told that it is behind the opposite face.
TEST(PlanarGapCam, AFollowerAtTheFootOfAFaceTouchesNothingOfTheOtherSideOfTheCam) {
  const CamShape cam = cam_by_lift(0.003, "0.017*(phi/1.0471975511965976 - sin(6*phi)/6.283185307179586)", kPi / 3);
  ASSERT_FALSE(cam.only_forwards);
  const auto gap = geometry::make_planar_gap(PointShape{}, cam, 0);
  std::vector<PlanarContactPoint> points(static_cast<std::size_t>(gap->point_count()));
  const PlanarPlacement follower{1, 0, 0, 0.0026};
  int closed = 0;
  for (const double turn : {0.0605, 0.1, 0.2}) {
    gap->evaluate(follower, {std::cos(turn), std::sin(turn), 0, 0}, points);
    for (const PlanarContactPoint& point : points) {
      if (point.gap >= 0) continue;
      ++closed;
      EXPECT_GT(point.normal.y(), 0.7) << "turn " << turn << ", gap " << point.gap;
    }
  }
  EXPECT_EQ(closed, 3);
}

}  // namespace
}  // namespace freeplay::test
