// What is refused in the data of a cam, and why.
#include "freeplay/geometry/shapes/cam_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cam_shapes.h"

namespace freeplay::test {
namespace {

using testing::HasSubstr;

const LineShape kFace{{0, 0, 0}, Vec3::UnitY()};

TEST(CamChecks, ALiftMayDropButNotJumpUp) {
  EXPECT_TRUE(cam_problem(cam_by_lift(1, "0.3*phi", kPi / 3)).empty());
  EXPECT_TRUE(lift_has_a_drop(cam_by_lift(1, "0.3*phi", kPi / 3)));
  EXPECT_FALSE(lift_has_a_drop(cam_by_lift(1, "0.3*cos(phi)")));
  const ShapeProblem at_end = cam_problem(cam_by_lift(1, "0.3*(1 - phi)", kPi / 3));
  EXPECT_EQ(at_end.key, "lift");
  EXPECT_THAT(at_end.message, HasSubstr("jumps up by 314.159 mm at phi = 60 deg, from the end of its period"));
  EXPECT_THAT(cam_problem(cam_by_lift(1, "0.2*step(phi - 1)")).message,
              HasSubstr("jumps up by 200 mm at phi = 57.3 deg"));
  EXPECT_TRUE(cam_problem(cam_by_lift(1, "0.2*(1 - step(phi - 1)) + 0.2*phi/(2*pi)")).empty()) << "it drops inside";
  EXPECT_TRUE(cam_problem(cam_by_lift(1, "0.2*sqrt(abs(sin(phi)) + 1e-9)")).empty()) << "steep is no jump";
}

TEST(CamChecks, ALiftStaysFiniteAndOutOfTheCentre) {
  EXPECT_THAT(cam_problem(cam_by_lift(1, "-1.5*sin(phi)^2")).message, HasSubstr("reaches the centre"));
  EXPECT_THAT(cam_problem(cam_by_lift(1, "1/(phi - pi/2)")).message, testing::Not(testing::IsEmpty()));
  EXPECT_THAT(cam_problem(cam_by_lift(1, "0*phi", 1)).message, HasSubstr("does not divide a full turn"));
}

TEST(CamChecks, AContourIsClosedAndSmooth) {
  EXPECT_TRUE(cam_problem(cam_by_radius("1 + 0.1*cos(phi)")).empty());
  const ShapeProblem open = cam_problem(cam_by_radius("1 + 0.1*phi"));
  EXPECT_EQ(open.key, "radius");
  EXPECT_THAT(open.message, HasSubstr("not closed: its radius is 1000 mm at phi = 0, but 1628.32 mm at phi = 360 deg"));
  EXPECT_THAT(cam_problem(cam_by_radius("1 + step(phi - 1) - step(phi - 2)")).message, HasSubstr("its radius jumps"));
  EXPECT_THAT(cam_problem(cam_by_radius("1 + 0.1*abs(sin(phi))")).message, HasSubstr("has a corner"));
  EXPECT_THAT(cam_problem(cam_by_radius("0.5 - cos(phi)")).message, HasSubstr("the radius is -500 mm at phi = 0"));
}

TEST(CamChecks, AFlatFaceBridgesTheHollowsOfAContourButNeedsALawOfLiftThatHasNone) {
  EXPECT_FALSE(are_contours(cam_by_radius("1 + 0.1*cos(2*phi)"), kFace));
  EXPECT_TRUE(planar_pair_problem(cam_by_radius("1 + 0.3*cos(2*phi)"), kFace).empty());
  EXPECT_GT(make_planar_gap(cam_by_radius("1 + 0.3*cos(2*phi)"), kFace)->point_count(), 1);
  EXPECT_TRUE(planar_pair_problem(PointShape{}, cam_by_radius("1 + 0.3*cos(2*phi)")).empty());
  // H + H'' = 1 + 0.4 (1 - cos 2 phi) + 1.6 cos 2 phi = 1.4 + 1.2 cos 2 phi.
  EXPECT_TRUE(planar_pair_problem(cam_by_lift(1, "0.4*(1 - cos(2*phi))"), kFace).empty());
  const PairProblem hollow = planar_pair_problem(kFace, cam_by_lift(0.7, "0.4*(1 - cos(2*phi))"));
  EXPECT_THAT(hollow.message, HasSubstr("at phi = 90 deg, where its radius of curvature would be -100 mm"));
  EXPECT_THAT(hollow.hint, HasSubstr("enlarge base_radius by 100 mm"));
  EXPECT_THAT(planar_pair_problem(cam_by_lift(1, "0.3*phi/(2*pi)"), kFace).message,
              HasSubstr("its lift drops by 300 mm"));
  SplineShape dented = spline_through_circle(12, 1);
  dented.points_m[3] *= 0.8;
  EXPECT_TRUE(planar_pair_problem(dented, kFace).empty());
  EXPECT_TRUE(are_contours(dented, kFace));
  EXPECT_TRUE(planar_pair_problem(spline_through_circle(12, 1), kFace).empty());
}

}  // namespace
}  // namespace freeplay::test
