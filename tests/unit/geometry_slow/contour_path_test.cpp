// Along paths: no gap changes by more than the motion allows, and keys stay along smooth stretches.
#include <gtest/gtest.h>

#include "unit/geometry/contours/contour_cases.h"

namespace freeplay::test::contour_path_test {
namespace {

constexpr double kReach = 0.5, kDeepest = 0.02;

// Of a body that goes along the motion: no point of the contour moves faster.
double speed_of(const Motion& motion, const PlanarContour& contour) {
  double radius = 0;
  for (const auto& sample : contour.samples(8)) radius = std::max(radius, sample.x.norm());
  return std::hypot(motion.vx, motion.vy) + std::abs(motion.omega) * (1.05 * radius + 0.05);
}

// How deep a place is inside of a contour's matter, by brute force; 0 outside. Even and odd crossings of a ray.
double depth_inside(const std::vector<PlanarContour::Sample>& boundary, bool is_hole, const Vec2& x) {
  bool is_inside = is_hole;
  double nearest = kInfinity;
  for (std::size_t i = 0; i < boundary.size(); ++i) {
    const Vec2 p = boundary[i].x - x, q = boundary[(i + 1) % boundary.size()].x - x;
    if ((p.y() > 0) != (q.y() > 0) && p.x() - p.y() * (q.x() - p.x()) / (q.y() - p.y()) > 0) is_inside = !is_inside;
    nearest = std::min(nearest, p.squaredNorm());
  }
  return is_inside ? std::sqrt(nearest) : 0;
}
bool is_hole(const std::string& kind) {
  return kind == "ring" || kind == "bore";
}
// Whether a point of one body is deep inside of the other.
bool is_deep_in(const PlanarContour& a, const PlanarPlacement& at_a, const PlanarContour& b,
                const PlanarPlacement& at_b, bool hole_b) {
  const auto boundary = b.samples(16);
  for (const auto& sample : a.samples(8)) {
    const Vec2 world = at_a.point(sample.x), v(world.x() - at_b.x, world.y() - at_b.y);
    const Vec2 x(at_b.cos * v.x() + at_b.sin * v.y(), at_b.cos * v.y() - at_b.sin * v.x());
    const ContourElement& first = b.elements()[0];
    const double depth =
        b.is_loop() ? depth_inside(boundary, hole_b, x) : -normal_of_tangent(first.along).dot(x - first.start);
    if (depth > kDeepest) return true;
  }
  return false;
}
bool overlap_deeply(const PlanarContour& a, const PlanarPlacement& at_a, bool hole_a, const PlanarContour& b,
                    const PlanarPlacement& at_b, bool hole_b) {
  return is_deep_in(a, at_a, b, at_b, hole_b) || is_deep_in(b, at_b, a, at_a, hole_a);
}

// A point that goes anywhere, also right through. Outside, and inside as far as a tenth of the size of the smallest
// bodies, its least gap changes by no more than the point moves.
TEST(ContourPath, TheGapOfAPointNeverJumps) {
  RandomContours random(21);
  const ContourPool pool(random);
  for (const std::string& kind : contour_kinds()) {
    if (kind == "point") continue;
    for (int paths = 0; paths < 1000; ++paths) {
      const ContourResult& body = pool.any(kind, random);
      const PlanarContour point = make_contour(PointShape{}).contour;
      Motion motion = random.motion(1.5);
      motion.omega = 0;
      constexpr int kSteps = 30;
      const double step = 2.0 / kSteps, speed = std::hypot(motion.vx, motion.vy);
      double before = 0;
      for (int i = 0; i <= kSteps; ++i) {
        const double gap = least_gap(contacts(point, motion.at(i * step), body.contour, {}, kReach), kReach);
        const bool jumps = i > 0 && !(std::abs(gap - before) <= speed * step * (1 + 1e-9) + 1e-9);
        // Deep inside of a body with inner corners there may be no contact, or one that is only deeper.
        const auto is_deep = [&](double s) { return is_deep_in(point, motion.at(s), body.contour, {}, is_hole(kind)); };
        if (jumps && !is_deep(i * step) && !is_deep((i - 1) * step)) {
          ASSERT_LE(std::abs(gap - before), speed * step * (1 + 1e-9) + 1e-9)
              << kind << " path " << paths << " step " << i << " from " << before << " to " << gap;
        }
        before = gap;
      }
    }
  }
}

// Two bodies: while they are apart or overlap by little.
TEST(ContourPath, TheLeastGapOfTwoBodiesChangesByNoMoreThanTheMotionAllows) {
  RandomContours random(22);
  const ContourPool pool(random);
  for (const std::string& kind : contour_kinds()) {
    for (int paths = 0; paths < 1000; ++paths) {
      const auto& kinds = contour_kinds();
      const std::string other = kinds[static_cast<std::size_t>(random.integer(0, int(kinds.size()) - 1))];
      const ContourResult &a = pool.any(kind, random), &b = pool.any(other, random);
      if ((kind == "line" && other == "line") || (kind == "point" && other == "point")) continue;
      Motion motion = random.motion(2);
      if (kind == "line") motion.omega = 0;  // a half-plane that turns moves as fast as you like far away
      constexpr int kSteps = 25;
      const double step = 2.0 / kSteps, most = speed_of(motion, a.contour) * step * 1.01 + 1e-9;
      double before = 0;
      for (int i = 0; i <= kSteps; ++i) {
        const double gap = least_gap(contacts(a.contour, motion.at(i * step), b.contour, {}, kReach), kReach);
        if (i > 0 && std::abs(gap - before) > most && std::min(gap, before) > -kDeepest) {
          const auto is_deep = [&](double s) {
            return overlap_deeply(a.contour, motion.at(s), is_hole(kind), b.contour, {}, is_hole(other));
          };
          const bool excused = is_deep(i * step) || is_deep((i - 1) * step);
          ASSERT_TRUE(excused) << kind << " " << other << " path " << paths << " step " << i << " from " << before
                               << " to " << gap;
        }
        before = gap;
      }
    }
  }
}

// arc_end: a point goes up through the open side of a half disc at 45 mm from its centre. It meets the flat face.
TEST(ContourPath, APointMeetsTheEndFaceOfASolidArc) {
  const PlanarContour half = make_contour(ArcShape{Vec3::Zero(), 0.05, 0, kPi, false}).contour;
  const PlanarContour tip = make_contour(PointShape{}).contour;
  for (const double y : {-0.01, -0.001, 0.0, 0.001}) {
    const auto found = contacts(tip, placement(0.045, y, 0), half, {}, 1);
    EXPECT_NEAR(least_gap(found, 1), -y, 1e-15);
  }
}

// A point around the end of a hollow arc and of an edge, front to back, at a distance: always open.
TEST(ContourPath, AroundAnEndTheGapIsTheDistanceToIt) {
  const PlanarContour wall = make_contour(EdgeShape{{1, 0, 0}, {-1, 0, 0}}).contour;  // matter below, 0.2 deep
  const PlanarContour tip = make_contour(PointShape{}).contour;
  const auto gap = [&](double x, double y) { return least_gap(contacts(tip, placement(x, y, 0), wall, {}, 1), 1); };
  EXPECT_NEAR(gap(0.9, 0.1), 0.1, 1e-15);      // the front
  EXPECT_NEAR(gap(1.3, 0.4), 0.5, 1e-15);      // its end
  EXPECT_NEAR(gap(1.1, -0.1), 0.1, 1e-15);     // the end face
  EXPECT_NEAR(gap(1.03, -0.24), 0.05, 1e-15);  // the end of the back
  EXPECT_NEAR(gap(0.5, -0.25), 0.05, 1e-15);   // the back
  EXPECT_NEAR(gap(0.5, -0.05), -0.05, 1e-15);  // in the wall, nearer to the front
}

// A circle rolls all around closed smooth contours: one feature, so one key, whichever element it is on.
TEST(ContourPath, KeysStayWhileAContactSlidesAlongASmoothStretch) {
  RandomContours random(23);
  const PlanarContour ball = make_contour(CircleShape{Vec3::Zero(), 0.05}).contour;
  for (const std::string kind : {"circle", "ellipse", "superellipse", "cam", "parametric", "spline"}) {
    for (int draw = 0; draw < 20; ++draw) {
      const ContourResult body = random.contour(kind);
      if (!body.problem.empty()) continue;
      ASSERT_EQ(body.contour.feature_count(), 1) << kind;
      const ContourPair pair(ball, body.contour);
      // Above every sample of the contour in turn, at a small height over it.
      const auto samples = body.contour.samples(8);
      std::vector<ContourContact> before;
      for (std::size_t i = 0; i < samples.size(); ++i) {
        const ContourElement& e = body.contour.elements()[static_cast<std::size_t>(samples[i].element)];
        const Vec2 next = samples[(i + 1) % samples.size()].x;
        if (e.length_m == 0 || (next - samples[i].x).norm() < 1e-9) continue;  // between two smooth neighbours
        const Vec2 n = normal_of_tangent((next - samples[i].x).normalized());
        const Vec2 at = samples[i].x + 0.0501 * n;
        std::vector<ContourContact> now = contacts(ball, placement(at.x(), at.y(), 0), body.contour, {}, 0.01);
        ASSERT_FALSE(now.empty()) << kind;
        keep_numbers(ball, body.contour, before, now);
        if (before.size() == 1 && now.size() == 1) {
          EXPECT_EQ(now[0].key, before[0].key) << kind << " " << i;
        }
        before = now;
      }
    }
  }
}

// Two flanks of one groove are two contacts of one stretch. When one of them goes, the other keeps its number.
TEST(ContourPath, TheNumberOfAContactStaysWhenItsTwinGoes) {
  const SplineShape vee{{{-40, 30, 0},
                         {-40, -30, 0},
                         {40, -30, 0},
                         {40, 30, 0},
                         {30, 30, 0},
                         {20, 20, 0},
                         {15, 15, 0},
                         {10, 10, 0},
                         {5, 5, 0},
                         {2.5, 2.5, 0},
                         {0, 0, 0},
                         {-2.5, 2.5, 0},
                         {-5, 5, 0},
                         {-10, 10, 0},
                         {-15, 15, 0},
                         {-20, 20, 0},
                         {-30, 30, 0}},
                        true};
  const PlanarContour groove = make_contour(vee).contour, ball = make_contour(CircleShape{Vec3::Zero(), 10}).contour;
  const double rest = 10 * std::sqrt(2.0);
  std::vector<ContourContact> both = contacts(ball, placement(0, rest, 0), groove, {}, 0.5);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_NEAR(both[0].gap, both[1].gap, 1e-9);
  EXPECT_NE(both[0].key, both[1].key);
  for (const double x : {1.0, -1.0}) {
    std::vector<ContourContact> one = contacts(ball, placement(x, rest + 1, 0), groove, {}, 0.5);
    ASSERT_EQ(one.size(), 1u);
    keep_numbers(ball, groove, both, one);
    const ContourContact& same = (both[0].normal - one[0].normal).norm() < 0.1 ? both[0] : both[1];
    EXPECT_EQ(one[0].key, same.key);
  }
}

}  // namespace
}  // namespace freeplay::test::contour_path_test
