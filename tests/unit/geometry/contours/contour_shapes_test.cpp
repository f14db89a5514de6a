// Contours of shapes: what they are made of, and which shapes are refused with which words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "allocation/allocation_counter.h"
#include "contour_cases.h"

namespace freeplay::test::contour_shapes_test {
namespace {

using ::testing::HasSubstr;

double area_of(const PlanarContour& contour) {
  const auto points = contour.samples(400);
  double twice = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 &p = points[i].x, &q = points[(i + 1) % points.size()].x;
    twice += p.x() * q.y() - p.y() * q.x();
  }
  return twice / 2;
}

// The normals of a loop turn once; a hidden edge is not part of the boundary.
TEST(ContourShapes, EveryKindIsALoopThatTurnsOnce) {
  RandomContours random(41);
  const ContourPool pool(random);
  for (const std::string& kind : contour_kinds()) {
    if (kind == "line" || kind == "point") continue;
    for (int draw = 0; draw < 50; ++draw) {
      const PlanarContour& contour = pool.any(kind, random).contour;
      double turned = 0;
      Vec2 end = contour.elements().back().end;
      for (const ContourElement& e : contour.elements()) {
        if (e.hidden) continue;
        const bool is_reflex = !e.touches;
        turned += (e.hollow || is_reflex ? -1 : 1) * (e.normal_to - e.normal_from);
        EXPECT_LT((e.start - end).norm(), 1e-8) << kind;
        end = e.end;
      }
      const bool is_hole = kind == "ring" || kind == "bore";
      EXPECT_NEAR(turned, is_hole ? -2 * kPi : 2 * kPi, 1e-5) << kind;
      EXPECT_EQ(area_of(contour) > 0, !is_hole) << kind;
    }
  }
}

TEST(ContourShapes, AreasAreThoseOfTheShapes) {
  EXPECT_NEAR(area_of(make_contour(EllipseShape{Vec3::Zero(), 2, 1, 0.3}).contour), 2 * kPi, 1e-4);
  // Gamma(1 + 1/p)^2 / Gamma(1 + 2/p) * 4 a b
  const double p = 4, exact = 4 * 2 * std::pow(std::tgamma(1 + 1 / p), 2) / std::tgamma(1 + 2 / p);
  EXPECT_NEAR(area_of(make_contour(SuperellipseShape{Vec3::Zero(), 2, 1, p, 0.3}).contour), exact, 1e-4);
  EXPECT_NEAR(area_of(make_contour(ArcShape{Vec3::Zero(), 2, 0.1, 1.1, false}).contour), 0.5 * 4 * 1, 1e-4);
  // A wall a tenth of its length deep.
  EXPECT_NEAR(area_of(make_contour(EdgeShape{{0, 0, 0}, {2, 0, 0}}).contour), 0.4, 1e-12);
  OutlineShape rounded;  // a square with four corners of radius 0.5
  for (const auto& [x, y] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
    rounded.corners.push_back({{double(x), double(y), 0}, 0.5, 0});
  EXPECT_NEAR(area_of(make_contour(rounded).contour), 4 - (4 - kPi) * 0.25, 1e-4);
  OutlineShape stadium;  // two half circles as sides
  stadium.corners = {{{-1, -1, 0}, 0, 0}, {{1, -1, 0}, 0, 1}, {{1, 1, 0}, 0, 0}, {{-1, 1, 0}, 0, 1}};
  EXPECT_NEAR(area_of(make_contour(stadium).contour), 4 + kPi, 1e-4);
}

// Two equal gears on the distance of their pitch circles, without backlash: teeth touch on both flanks, along the line
// of action. With the distance enlarged, the play between flanks along that line is as the involute has it.
TEST(ContourShapes, TeethOfTwoGearsMeetOnTheLineOfAction) {
  InvoluteShape gear;
  gear.module_m = 0.01;
  gear.teeth = 20;
  const double a = gear.pressure_angle, pitch = gear.module_m * gear.teeth / 2;
  const PlanarContour one = make_contour(gear).contour;
  gear.angle = kPi + kPi / gear.teeth;  // a gap towards the other gear
  const PlanarContour two = make_contour(gear).contour;
  for (const double turn : {0.0, 0.03, 0.1, -0.07}) {
    const auto found = contacts(one, placement(0, 0, turn), two, placement(2 * pitch, 0, -turn), 1e-6);
    int on_line = 0;
    for (const ContourContact& contact : found) {
      EXPECT_NEAR(contact.gap, 0, 1e-14);
      // The line of action goes through the pitch point at the pressure angle.
      const Vec2 from_pitch = contact.point_b - Vec2(pitch, 0);
      EXPECT_NEAR(std::abs(contact.normal.x()), std::sin(a), 1e-9);
      EXPECT_NEAR(contact.normal.x() * from_pitch.y() - contact.normal.y() * from_pitch.x(), 0, 1e-9);
      ++on_line;
    }
    EXPECT_GE(on_line, 2) << turn;  // both flanks
  }
}

// As many pairs of teeth share the load, in the mean over a pitch, as base pitches fit between the places where the two
// circles of tips cut the line of action:
//   (sqrt(ra1^2 - rb1^2) + sqrt(ra2^2 - rb2^2) - a sin aw)/(pi m cos alpha),  cos aw = (rb1 + rb2)/a.
// The gears of examples/gear_teeth.
TEST(ContourShapes, PairsOfTeethInMeshOverAPitchAreTheContactRatio) {
  InvoluteShape gear;
  gear.module_m = 2e-3;
  gear.teeth = 20;
  const PlanarContour pinion = make_contour(gear).contour;
  gear.teeth = 30;
  gear.angle = kPi / 30;
  const PlanarContour wheel = make_contour(gear).contour;
  const double alpha = gear.pressure_angle, distance = 50.1e-3, base_1 = 20e-3 * std::cos(alpha),
               base_2 = 30e-3 * std::cos(alpha), at_work = std::acos((base_1 + base_2) / distance);
  const double ratio = (std::sqrt(22e-3 * 22e-3 - base_1 * base_1) + std::sqrt(32e-3 * 32e-3 - base_2 * base_2) -
                        distance * std::sin(at_work)) /
                       (kPi * gear.module_m * std::cos(alpha));
  EXPECT_NEAR(ratio, 1.556, 5e-4);
  // In the middle of the play both flanks are open by a (inv aw - inv alpha) cos aw.
  const auto inv = [](double angle) { return std::tan(angle) - angle; };
  const double open = distance * std::cos(at_work) * (inv(at_work) - inv(alpha));
  constexpr int kPlaces = 1000;
  int in_mesh = 0, fewest = 9, most = 0;
  for (int k = 0; k < kPlaces; ++k) {
    const double turn = (k + 0.5) / kPlaces * 2 * kPi / 20;
    const auto found =
        contacts(pinion, placement(0, 0, turn), wheel, placement(distance, 0, -turn * 20 / 30 + open / base_2), 1e-6);
    int pairs = 0;
    for (const ContourContact& contact : found) pairs += std::abs(contact.gap) < 1e-12;
    in_mesh += pairs;
    fewest = std::min(fewest, pairs);
    most = std::max(most, pairs);
  }
  EXPECT_EQ(fewest, 1);
  EXPECT_EQ(most, 2);
  EXPECT_NEAR(static_cast<double>(in_mesh) / kPlaces, ratio, 2.0 / kPlaces);
}

TEST(ContourShapes, ACamByItsLiftHasFacesWhereItDrops) {
  CamShape cam;
  cam.base_radius_m = 0.04;
  cam.period = 2 * kPi / 12;
  cam.lift_m = expression_of_s("10 mm*s/(2*pi/12)");
  const ContourResult result = make_contour(cam);
  ASSERT_TRUE(result.problem.empty()) << result.problem.message;
  int faces = 0;
  for (const ContourElement& e : result.contour.elements()) {
    if (e.kind != ElementKind::kEdge || e.hidden) continue;
    EXPECT_NEAR(e.length_m, 0.01, 1e-9);
    EXPECT_NEAR(e.along.dot(normal_of_tangent(Vec2(-e.start.y(), e.start.x()).normalized())), 1, 1e-9);
    ++faces;
  }
  EXPECT_EQ(faces, 12);
}

// ---- refused ----

void expect_problem(const ContourResult& result, const std::string& words) {
  EXPECT_THAT(result.problem.message, HasSubstr(words));
  EXPECT_FALSE(result.problem.hint.empty());
}

TEST(ContourShapes, BadContoursAreRefusedWithThePlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_problem(make_contour(PolygonShape{{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}}),
                 "crosses itself at (500, 500) mm");
  expect_problem(make_contour(SplineShape{{{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 2, 0}}, true}), "crosses itself at (");
  expect_problem(make_contour(SplineShape{{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}}, true}), "points 2 and 3");
  expect_problem(make_contour(SplineShape{{{0, 0, 0}, {1, nan, 0}, {0, 1, 0}}, true}), "point 2 is not finite");
  expect_problem(make_contour(PolygonShape{{{0, 0, 0}, {1, 0, 0}}}), "2 points");
  expect_problem(make_contour(EdgeShape{{1, 0, 0}, {1, 0, 0}}), "no length");
  expect_problem(make_contour(EllipseShape{Vec3::Zero(), 1, 0}), "semi-axes");
  expect_problem(make_contour(SuperellipseShape{Vec3::Zero(), 1, 1, 1.5}), "exponent of 1.5");
  expect_problem(make_contour(ArcShape{Vec3::Zero(), 1, 0, 7, false}), "spans 401");
  // A cusp: x' = y' = 0 at s = 0.
  expect_problem(make_contour(ParametricShape{expression_of_s("1 m*s^2"), expression_of_s("1 m*s^3"), -1, 1}),
                 "stands still at s = 0");
  expect_problem(make_contour(ParametricShape{expression_of_s("1 m*s"), expression_of_s("(1 m)/(s)"), -1, 1}),
                 "not finite at s = 0");
  // A hundred thousand waves at a thousand places.
  expect_problem(make_contour(ParametricShape{expression_of_s("1 m*cos(s)"),
                                              expression_of_s("1 m*sin(s) + 0.01 m*sin(100000*s)"), 0, 2 * kPi, true}),
                 "too many to be told apart");
  expect_problem(make_contour(ParametricShape{expression_of_s("1 m"), expression_of_s("2 m"), 0, 1}), "no length");
  expect_problem(
      make_contour(ParametricShape{expression_of_s("1 m*cos(s)"), expression_of_s("1 m*sin(s)"), 0, 3, true}),
      "not closed");
  expect_problem(
      make_contour(ParametricShape{expression_of_s("1 m*cos(s)"), expression_of_s("1 m*sin(2*s)"), 0, 2 * kPi, true}),
      "crosses itself at");
  OutlineShape tight;
  tight.corners = {{{0, 0, 0}, 2, 0}, {{1, 0, 0}, 0, 0}, {{0, 1, 0}, 0, 0}};
  expect_problem(make_contour(tight), "does not fit the corner at (0, 0) mm");
  InvoluteShape pointed;
  pointed.module_m = 0.01;
  pointed.teeth = 10;
  pointed.addendum = 3;
  expect_problem(make_contour(pointed), "pointed");
  expect_problem(make_contour(ShapeGeometry(SphereShape{})), "spatial");
}

TEST(ContourShapes, AKinkOfAnExpressionBecomesACorner) {
  // A roof: y = 0.5 - |s|, run through from right to left, matter below.
  const ContourResult roof =
      make_contour(ParametricShape{expression_of_s("-1 m*s"), expression_of_s("0.5 m - 1 m*abs(s)"), -1, 1});
  ASSERT_TRUE(roof.problem.empty()) << roof.problem.message;
  const PlanarContour tip = make_contour(PointShape{}).contour;
  const auto found = contacts(tip, placement(0, 0.7, 0), roof.contour, {}, 1);
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(least_gap(found, 1), 0.2, 1e-12);
}

// Absurd placements and overlaps: no crash, no hang, nothing that is not a number.
TEST(ContourShapes, AbsurdPlacementsAreSurvived) {
  RandomContours random(42);
  const ContourPool pool(random);
  std::vector<ContourContact> found(8);
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const std::string& kind_a : contour_kinds()) {
    for (const std::string& kind_b : contour_kinds()) {
      const PlanarContour &a = pool.any(kind_a, random).contour, &b = pool.any(kind_b, random).contour;
      for (const PlanarPlacement& at : {PlanarPlacement{}, placement(1e200, 0, 1), placement(nan, 0, 0),
                                        placement(inf, inf, 0), placement(1e-300, 0, kPi)}) {
        for (const double reach : {0.0, 1.0, inf}) ContourPair(a, b).find(at, {}, reach, found);
      }
    }
  }
}

TEST(ContourShapes, SearchAllocatesNothing) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  RandomContours random(43);
  const ContourPool pool(random);
  std::vector<ContourContact> found(64), before;
  for (const std::string& kind : contour_kinds()) {
    const PlanarContour &a = pool.any(kind, random).contour, &b = pool.any("spline", random).contour;
    const ContourPair pair(a, b);
    const auto search = [&] {
      for (int i = 0; i < 20; ++i) {
        const PlanarPlacement at = random.motion(1.5).at(0);
        const std::size_t count = std::size_t(std::min(pair.find(at, {}, 0.5, found), 64));
        ContourContact refined;
        if (count > 0) static_cast<void>(pair.refine(at, {}, found[0], refined));
        keep_numbers(a, b, before, {found.data(), count});
      }
    };
    EXPECT_EQ(allocations_during(search), 0u) << kind;
    before = found;
  }
}

}  // namespace
}  // namespace freeplay::test::contour_shapes_test
