// Every pair, over random shapes: distances against sampled outlines, rates against finite differences, symmetries.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "planar_gap_cases.h"

namespace freeplay::test {
namespace {

class EveryPair : public testing::TestWithParam<PairCase> {
 protected:
  // Shapes of a draw, and bodies that move.
  struct Draw {
    ShapeGeometry a, b;
    Motion body_a, body_b;
  };
  Draw draw(std::uint64_t seed, double range) const {
    RandomShapes random(seed);
    return {random.shape(GetParam().a, GetParam().hollow_a), random.shape(GetParam().b, GetParam().hollow_b),
            random.motion(range), random.motion(range)};
  }
};

// ---- the key test: points and normals belong to the gap ----

// Central differences with steps h and 2h, and their combination of order four. Where the gap is smooth they agree to
// h^2 times its third derivative; where a feature changes within the stencil, or a corner is too near, they do not, and
// the draw is left out. For a kink in the second derivative the combination errs by less than what they differ by.
TEST_P(EveryPair, RateOfTheGapIsThatOfItsMaterialPoints) {
  const double h = 1e-5;
  int checked = 0, left_out = 0, negative = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Draw d = draw(seed, 1.5);
    const auto gap = make_planar_gap(d.a, d.b);
    const auto at = [&](double s) { return evaluate(*gap, d.body_a.at(s), d.body_b.at(s)); };
    const auto now = at(0), m2 = at(-2 * h), m1 = at(-h), p1 = at(h), p2 = at(2 * h);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double fine = (p1[i].gap - m1[i].gap) / (2 * h), coarse = (p2[i].gap - m2[i].gap) / (4 * h);
      const double crooked = std::abs(fine - coarse);
      if (crooked > 1e-6) {
        ++left_out;
        continue;
      }
      const Vec2 v = d.body_a.velocity(now[i].point_a) - d.body_b.velocity(now[i].point_b);
      EXPECT_NEAR((4 * fine - coarse) / 3, now[i].normal.dot(v), 1e-9 + crooked) << "seed " << seed << ", point " << i;
      ++checked;
      if (now[i].gap < 0) ++negative;
    }
  }
  EXPECT_GE(checked, 1000 - 10);
  EXPECT_LE(left_out, checked / 100);
  EXPECT_GE(negative, 50) << "too few of them penetrate";
}

TEST_P(EveryPair, GapLiesBetweenItsPointsAlongTheNormal) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Draw d = draw(seed, 2);
    for (const PlanarContactPoint& p : evaluate(d.a, d.body_a.at(0), d.b, d.body_b.at(0))) {
      EXPECT_NEAR(p.normal.norm(), 1, 1e-15);
      EXPECT_EQ(p.tangent, tangent_of(p.normal));
      EXPECT_NEAR((p.point_a - p.point_b - p.gap * p.normal).norm(), 0, 1e-14) << "seed " << seed;
    }
  }
}

TEST_P(EveryPair, SwappingTheShapesSwapsPointsAndNegatesNormals) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Draw d = draw(seed, 2);
    const auto there = evaluate(d.a, d.body_a.at(0), d.b, d.body_b.at(0));
    auto back = evaluate(d.b, d.body_b.at(0), d.a, d.body_a.at(0));
    ASSERT_EQ(there.size(), back.size());
    // Two polygons: the corners of the first come first.
    if (const auto* b = std::get_if<PolygonShape>(&d.b); b != nullptr && GetParam().a == "polygon")
      std::rotate(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(b->vertices_m.size()), back.end());
    for (std::size_t i = 0; i < there.size(); ++i) {
      EXPECT_NEAR(there[i].gap, back[i].gap, 4e-15);
      EXPECT_LT((there[i].point_a - back[i].point_b).norm(), 1e-14);
      EXPECT_LT((there[i].point_b - back[i].point_a).norm(), 1e-14);
      EXPECT_LT((there[i].normal + back[i].normal).norm(), 1e-13);
      EXPECT_LT((there[i].tangent + back[i].tangent).norm(), 1e-13);
    }
  }
}

TEST_P(EveryPair, CommonRigidMotionMovesThePointsAndKeepsTheGap) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Draw d = draw(seed, 2);
    RandomShapes random(seed + 1000);
    const double x = random.uniform(-5, 5), y = random.uniform(-5, 5), angle = random.uniform(-kPi, kPi);
    const PlanarPlacement whole = placement(x, y, angle);
    const auto moved = [&](const Motion& m) {
      const Vec2 p = whole.point({m.x, m.y});
      return placement(p.x(), p.y(), m.angle + angle);
    };
    const auto before = evaluate(d.a, d.body_a.at(0), d.b, d.body_b.at(0));
    const auto after = evaluate(d.a, moved(d.body_a), d.b, moved(d.body_b));
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_NEAR(before[i].gap, after[i].gap, 1e-14);
      EXPECT_LT((whole.point(before[i].point_a) - after[i].point_a).norm(), 2e-14);
      EXPECT_LT((whole.point(before[i].point_b) - after[i].point_b).norm(), 2e-14);
      EXPECT_LT((whole.direction(before[i].normal) - after[i].normal).norm(), 1e-12);
    }
  }
}

// ---- distances by brute force ----

// The outline in body axes, `step` apart or less. A line is sampled as far as the random bodies reach.
std::vector<Vec2> sampled_outline(const ShapeGeometry& shape, double step) {
  std::vector<Vec2> points;
  const auto arc = [&](const Vec3& at, double radius, double from, double to) {
    const int count = static_cast<int>(std::ceil(radius * (to - from) / step)) + 1;
    for (int i = 0; i <= count; ++i) {
      const double angle = from + (to - from) * i / count;
      points.emplace_back(at.x() + radius * std::cos(angle), at.y() + radius * std::sin(angle));
    }
  };
  const auto segment = [&](const Vec3& from, const Vec3& to) {
    const int count = static_cast<int>(std::ceil((to - from).norm() / step));
    for (int i = 0; i <= count; ++i) {
      const Vec3 p = from + (to - from) * (double(i) / count);
      points.emplace_back(p.x(), p.y());
    }
  };
  if (const auto* s = std::get_if<PointShape>(&shape)) points.emplace_back(s->at_m.x(), s->at_m.y());
  if (const auto* s = std::get_if<CircleShape>(&shape)) arc(s->at_m, s->radius_m, 0, 2 * kPi);
  if (const auto* s = std::get_if<ArcShape>(&shape)) arc(s->at_m, s->radius_m, s->from, s->to);
  if (const auto* s = std::get_if<LineShape>(&shape)) {
    const Vec3 along(-s->normal.y(), s->normal.x(), 0);
    segment(s->at_m - 15 * along, s->at_m + 15 * along);
  }
  if (const auto* s = std::get_if<PolygonShape>(&shape)) {
    for (std::size_t i = 0; i < s->vertices_m.size(); ++i)
      segment(s->vertices_m[i], s->vertices_m[(i + 1) % s->vertices_m.size()]);
  }
  return points;
}

double sampled_distance(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  double squared = std::numeric_limits<double>::infinity();
  for (const Vec2& p : a) {
    for (const Vec2& q : b) squared = std::min(squared, (p - q).squaredNorm());
  }
  return std::sqrt(squared);
}

std::vector<Vec2> moved(std::vector<Vec2> points, const PlanarPlacement& body) {
  for (Vec2& p : points) p = body.point(p);
  return points;
}

std::vector<Vec2> seen_from_body(std::vector<Vec2> points, const PlanarPlacement& body) {
  for (Vec2& p : points) {
    const Vec2 e = p - Vec2(body.x, body.y);
    p = {body.cos * e.x() + body.sin * e.y(), body.cos * e.y() - body.sin * e.x()};
  }
  return points;
}

// Bars that cross like a plus have no corner inside one another.
bool has_point_inside(const std::vector<Vec2>& points, const ShapeGeometry& shape) {
  const auto* polygon = std::get_if<PolygonShape>(&shape);
  if (polygon == nullptr) return false;
  return std::any_of(points.begin(), points.end(), [&](const Vec2& p) {
    const std::size_t count = polygon->vertices_m.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 from = polygon->vertices_m[i], edge = polygon->vertices_m[(i + 1) % count] - from;
      if (edge.cross(Vec3(p.x(), p.y(), 0) - from).z() < 0) return false;
    }
    return true;
  });
}

// Where the smallest gap is positive the shapes are apart, and it is their distance. Samples lie within step / 2 of the
// nearest points; off them by t, a straight outline is t^2 / (2 gap) farther away, one of radius r another t^2 / (2 r).
TEST_P(EveryPair, PositiveGapIsTheDistanceOfTheOutlines) {
  const double step = 0.02, least_radius = 0.1;
  int checked = 0;
  for (std::uint64_t seed = 0; checked < 200; ++seed) {
    ASSERT_LT(seed, 20000u) << "only " << checked << " draws are apart";
    const Draw d = draw(seed, GetParam().hollow_a || GetParam().hollow_b ? 0.5 : 2.5);
    const PlanarPlacement at_a = d.body_a.at(0), at_b = d.body_b.at(0);
    double gap = std::numeric_limits<double>::infinity();
    for (const PlanarContactPoint& p : evaluate(d.a, at_a, d.b, at_b)) gap = std::min(gap, p.gap);
    if (gap < 0.05) continue;
    const std::vector<Vec2> a = moved(sampled_outline(d.a, step), at_a), b = moved(sampled_outline(d.b, step), at_b);
    if (GetParam().a == "polygon" && has_point_inside(seen_from_body(a, at_b), d.b)) continue;
    ++checked;
    const double distance = sampled_distance(a, b);
    EXPECT_LE(gap, distance + 1e-12) << "seed " << seed;
    EXPECT_GE(gap, distance - step * step * (0.5 / gap + 0.25 / least_radius)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(PlanarGap, EveryPair, testing::ValuesIn(all_pairs()),
                         [](const auto& pair) { return pair.param.name(); });

}  // namespace
}  // namespace freeplay::test
