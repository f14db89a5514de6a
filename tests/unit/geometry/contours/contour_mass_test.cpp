// Mass of planar shapes by Green's theorem against closed forms.
#include "freeplay/geometry/contours/contour_mass.h"

#include <gtest/gtest.h>

#include "freeplay/geometry/contours/shape_contour.h"
#include "unit/geometry/pi.h"

namespace freeplay::test {
namespace {

PlanarMass mass_of(const auto& shape) {
  const ContourResult made = make_contour(shape);
  EXPECT_TRUE(made.problem.empty()) << made.problem.message;
  const std::optional<PlanarMass> mass = mass_properties(made.contour, 3);
  EXPECT_TRUE(mass.has_value());
  return mass.value_or(PlanarMass{});
}

void expect_mass(const PlanarMass& mass, double area, const Vec2& centre, double polar, double accuracy) {
  EXPECT_NEAR(mass.mass_kg / (3 * area), 1, accuracy);
  EXPECT_LE((mass.centre_m - centre).norm(), accuracy * (1 + centre.norm()));
  EXPECT_NEAR(mass.inertia_kg_m2 / (3 * polar), 1, accuracy);
}

TEST(ContourMass, OfACircleAnEllipseAndARectangleIsThatOfTheClosedForms) {
  const double r = 0.3;
  expect_mass(mass_of(CircleShape{{5, -7, 0}, r}), kPi * r * r, {5, -7}, kPi * r * r * r * r / 2, 1e-12);
  EllipseShape ellipse;
  ellipse.at_m = {1, 2, 0};
  ellipse.semi_axis_x_m = 0.5;
  ellipse.semi_axis_y_m = 0.2;
  ellipse.angle = 0.4;
  expect_mass(mass_of(ellipse), kPi * 0.1, {1, 2}, kPi * 0.1 * (0.25 + 0.04) / 4, 1e-9);
  const PolygonShape rectangle{{{1, 1, 0}, {3, 1, 0}, {3, 2, 0}, {1, 2, 0}}};
  expect_mass(mass_of(rectangle), 2, {2, 1.5}, 2 * (4 + 1) / 12.0, 1e-13);
}

// An L of two rectangles: reflex corners and their hidden edges add nothing.
TEST(ContourMass, OfAHollowPolygonIsTheSumOfItsParts) {
  const PolygonShape angle{{{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 4, 0}, {0, 4, 0}}};
  const Vec2 first(1.5, 0.5), second(0.5, 2.5), centre = (first + second) / 2;  // 3 x 1 and 1 x 3, the same area
  const double polar =
      2 * (3 * (9 + 1) / 12.0) + 3 * ((first - centre).squaredNorm() + (second - centre).squaredNorm());
  expect_mass(mass_of(angle), 6, centre, polar, 1e-12);
}

TEST(ContourMass, OfASectorIsThatOfTheClosedForm) {
  ArcShape sector;
  sector.radius_m = 2;
  sector.from = 0;
  sector.to = kPi / 2;
  const double area = kPi, out = 4 * 2 / (3 * kPi);
  expect_mass(mass_of(sector), area, {out, out}, area * 4 / 2 - area * 2 * out * out, 1e-11);
}

TEST(ContourMass, OfWhatEnclosesNoAreaThereIsNone) {
  EXPECT_FALSE(mass_properties(make_contour(LineShape{}).contour, 1).has_value());
  EXPECT_FALSE(mass_properties(make_contour(PointShape{}).contour, 1).has_value());
  const PolygonShape hole{{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}};
  EXPECT_FALSE(mass_properties(make_contour(hole).contour, 1).has_value());
}

}  // namespace
}  // namespace freeplay::test
