// Gap functions of joints with play: closed forms, and rates against finite differences of the gap.
#include "freeplay/contact/play/clearance_gaps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace freeplay::test {
namespace {

struct PlanarMotion {
  double x, y, angle, vx, vy, omega;
  PlanarPlacement at(double t) const {
    const double phi = angle + omega * t;
    return {std::cos(phi), std::sin(phi), x + vx * t, y + vy * t};
  }
  Vec2 velocity_of(const Vec2& point) const { return {vx - omega * (point.y() - y), vy + omega * (point.x() - x)}; }
};

class Draw {
 public:
  double operator()(double scale) { return scale * std::uniform_real_distribution<double>(-1, 1)(engine_); }
  PlanarMotion motion() { return {(*this)(1), (*this)(1), (*this)(3), (*this)(2), (*this)(2), (*this)(4)}; }
  Frame frame() {
    return {Eigen::AngleAxisd((*this)(3), Vec3::UnitZ()).toRotationMatrix(), Vec3((*this)(0.5), (*this)(0.5), 0)};
  }

 private:
  std::mt19937_64 engine_{7};
};

// dg/dt by central differences against n . (v_A - v_B) at the contact's points.
void expect_rates(const PlanarGap& gap, const PlanarMotion& a, const PlanarMotion& b) {
  const std::size_t count = static_cast<std::size_t>(gap.point_count());
  std::vector<PlanarContactPoint> now(count), before(count), after(count);
  constexpr double h = 1e-5;
  gap.evaluate(a.at(0), b.at(0), now);
  gap.evaluate(a.at(-h), b.at(-h), before);
  gap.evaluate(a.at(h), b.at(h), after);
  for (std::size_t i = 0; i < count; ++i) {
    const double rate = now[i].normal.dot(a.velocity_of(now[i].point_a) - b.velocity_of(now[i].point_b));
    EXPECT_NEAR(rate, (after[i].gap - before[i].gap) / (2 * h), 1e-7) << "point " << i;
    EXPECT_NEAR(now[i].normal.norm(), 1, 1e-14);
    EXPECT_NEAR(now[i].normal.dot(now[i].tangent), 0, 1e-14);
    EXPECT_NEAR(now[i].normal.dot(now[i].point_a - now[i].point_b), now[i].gap, 1e-13);
  }
}

TEST(PrismaticPlay, CornersAreNumberedAsInThePaper) {
  const double a = 0.05, b = 0.025, c = 1e-3;
  const PrismaticPlay gap({}, {}, 2 * a, 2 * b, c);
  const double y = 2e-4, theta = 0.01;
  std::vector<PlanarContactPoint> points(4);
  gap.evaluate({std::cos(theta), std::sin(theta), 0.3, y}, {}, points);
  // Flores 2010, eqs (98), (100), (102), (104) with d/2 = b + c and y the height of the slider's centre.
  EXPECT_NEAR(points[0].gap, b + c - y + a * std::sin(theta) - b * std::cos(theta), 1e-16);
  EXPECT_NEAR(points[1].gap, b + c - y - a * std::sin(theta) - b * std::cos(theta), 1e-16);
  EXPECT_NEAR(points[2].gap, b + c + y - a * std::sin(theta) - b * std::cos(theta), 1e-16);
  EXPECT_NEAR(points[3].gap, b + c + y + a * std::sin(theta) - b * std::cos(theta), 1e-16);
  for (const PlanarContactPoint& point : points) EXPECT_EQ(point.tangent, Vec2::UnitX()) << "along the guide";
}

TEST(PrismaticPlay, RatesMeetFiniteDifferences) {
  Draw draw;
  for (int i = 0; i < 200; ++i) {
    const PrismaticPlay gap(draw.frame(), draw.frame(), 0.1, 0.05, 1e-3);
    expect_rates(gap, draw.motion(), draw.motion());
  }
}

TEST(RevolutePlay, GapIsTheClearanceLessTheEccentricity) {
  const RevolutePlay gap(Vec2(0.1, 0), Vec2(0, 0), 1e-3, 0.02);
  std::vector<PlanarContactPoint> points(1);
  gap.evaluate({1, 0, -0.1 + 3e-4, -4e-4}, {}, points);
  EXPECT_NEAR(points[0].gap, 1e-3 - 5e-4, 1e-17);
  EXPECT_NEAR(points[0].normal.x(), -0.6, 1e-12) << "the bearing pushes the journal back to its centre";
  EXPECT_NEAR(points[0].normal.y(), 0.8, 1e-12);
  EXPECT_NEAR((points[0].point_a - Vec2(3e-4, -4e-4)).norm(), 0.02, 1e-15) << "on the journal's surface";
  EXPECT_NEAR(points[0].point_b.norm(), 0.021, 1e-15) << "on the bore";
}

TEST(RevolutePlay, CentredJournalIsOpenByTheWholeClearance) {
  const RevolutePlay gap(Vec2::Zero(), Vec2::Zero(), 1e-3, 0.02);
  std::vector<PlanarContactPoint> points(1);
  gap.evaluate({}, {}, points);
  EXPECT_EQ(points[0].gap, 1e-3);
  EXPECT_EQ(points[0].normal.norm(), 1);
}

TEST(RevolutePlay, RatesMeetFiniteDifferences) {
  Draw draw;
  for (int i = 0; i < 200; ++i) {
    const RevolutePlay gap(Vec2(draw(0.5), draw(0.5)), Vec2(draw(0.5), draw(0.5)), 1e-3, 0.02);
    const PlanarMotion child = draw.motion(), parent = draw.motion();
    std::vector<PlanarContactPoint> points(1);
    gap.evaluate(child.at(0), parent.at(0), points);
    if (points[0].gap > -0.2) continue;  // the error of the differences grows with 1/|e|^2
    expect_rates(gap, child, parent);
  }
}

}  // namespace
}  // namespace freeplay::test
