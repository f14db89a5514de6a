// Mass of curved solids against closed forms, and of one and the same solid given in several ways.
#include "freeplay/geometry/shapes/mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/geometry/surfaces/shape_surface.h"
#include "pi.h"

namespace freeplay::test::mass_properties_test {
namespace {

constexpr double kDensity = 3;
const Vec3 kAt(0.3, -0.2, 0.7);
const Vec3 kAxis = Vec3(1, 2, -2) / 3;

void expect_about_axis(const std::optional<SpatialMass>& mass, double volume, const Vec3& centre, const Vec3& axis,
                       double along, double across, double accuracy) {
  ASSERT_TRUE(mass.has_value());
  const Mat3 inertia = across * Mat3::Identity() + (along - across) * axis * axis.transpose();
  EXPECT_NEAR(mass->mass_kg / (kDensity * volume), 1, accuracy);
  EXPECT_LE((mass->centre_m - centre).norm(), accuracy);
  EXPECT_LE((mass->inertia_kg_m2 / (kDensity * volume) - inertia).norm(), accuracy * along);
}

// x in metres of the parameters u and v, which are numbers.
Expression of_u_and_v(const std::string& text) {
  SymbolScope scope;
  scope.lookup = [](std::string_view name) -> std::optional<Symbol> {
    if (name != "u" && name != "v") return std::nullopt;
    return Symbol{Symbol::Kind::kVariable, {}, name == "u" ? 0 : 1, {}, false};
  };
  scope.known_names = [] { return std::vector<std::string>{"u", "v"}; };
  return Expression::parse(text, scope);
}

// Pappus: V = 2 pi^2 R a^2;  along the axis R^2 + 3 a^2/4, across R^2/2 + 5 a^2/8.
constexpr double kRing = 0.4, kTube = 0.1;
const double kTorusVolume = 2 * kPi * kPi * kRing * kTube * kTube;
constexpr double kAlong = kRing * kRing + 0.75 * kTube * kTube, kAcross = kRing * kRing / 2 + 0.625 * kTube * kTube;

TEST(MassProperties, OfATorusAreThoseOfTheClosedFormHoweverItIsGiven) {
  TorusShape torus;
  torus.at_m = kAt;
  torus.axis = kAxis;
  torus.radius_m = kRing;
  torus.tube_radius_m = kTube;
  expect_about_axis(spatial_mass_properties(torus, kDensity), kTorusVolume, kAt, kAxis, kAlong, kAcross, 1e-13);

  RevolutionShape turned;
  turned.at_m = kAt;
  turned.axis = kAxis;
  turned.profile = std::make_shared<const PlanarContour>(make_contour(CircleShape{{kRing, 0, 0}, kTube}).contour);
  expect_about_axis(spatial_mass_properties(turned, kDensity), kTorusVolume, kAt, kAxis, kAlong, kAcross, 1e-11);

  ParametricSurfaceShape formula;
  formula.x_m = of_u_and_v("(0.4 m + 0.1 m*cos(v))*cos(u) + 0.3 m");
  formula.y_m = of_u_and_v("(0.4 m + 0.1 m*cos(v))*sin(u) - 0.2 m");
  formula.z_m = of_u_and_v("0.1 m*sin(v) + 0.7 m");
  formula.u_to = formula.v_to = 2 * kPi;
  formula.closed_u = formula.closed_v = true;
  expect_about_axis(spatial_mass_properties(formula, kDensity), kTorusVolume, kAt, Vec3::UnitZ(), kAlong, kAcross,
                    1e-12);

  // The spline through points of it is a torus but for its own error, of fourth order in their distance.
  SplinePatchShape points;
  constexpr int kCount = 48;
  points.closed_u = points.closed_v = true;
  for (int i = 0; i < kCount; ++i) {
    points.points_m.emplace_back();
    for (int k = 0; k < kCount; ++k) {
      const double u = 2 * kPi * i / kCount, v = 2 * kPi * k / kCount, r = kRing + kTube * std::cos(v);
      points.points_m.back().push_back(kAt + Vec3(r * std::cos(u), r * std::sin(u), kTube * std::sin(v)));
    }
  }
  expect_about_axis(spatial_mass_properties(points, kDensity), kTorusVolume, kAt, Vec3::UnitZ(), kAlong, kAcross, 1e-5);
}

TEST(MassProperties, OfAConeAndAParaboloidAreThoseOfTheClosedForms) {
  const double r = 0.3, h = 0.5;
  ConeShape cone;
  cone.at_m = kAt;
  cone.axis = kAxis;
  cone.radius_m = r;
  cone.height_m = h;
  expect_about_axis(spatial_mass_properties(cone, kDensity), kPi * r * r * h / 3, kAt + h / 4 * kAxis, kAxis,
                    0.3 * r * r, 0.15 * r * r + 0.0375 * h * h, 1e-13);
  RevolutionShape turned;
  turned.at_m = kAt;
  turned.axis = kAxis;
  turned.profile = std::make_shared<const PlanarContour>(
      make_contour(PolygonShape{{Vec3::Zero(), Vec3(r, 0, 0), Vec3(0, h, 0)}}).contour);
  expect_about_axis(spatial_mass_properties(turned, kDensity), kPi * r * r * h / 3, kAt + h / 4 * kAxis, kAxis,
                    0.3 * r * r, 0.15 * r * r + 0.0375 * h * h, 1e-12);
  // int z dV / V with a cross section pi r^2 z/h: 2h/3; int z^2 dV / V = h^2/2.
  ParaboloidShape bowl;
  bowl.at_m = kAt;
  bowl.axis = kAxis;
  bowl.radius_m = r;
  bowl.height_m = h;
  expect_about_axis(spatial_mass_properties(bowl, kDensity), kPi * r * r * h / 2, kAt + 2 * h / 3 * kAxis, kAxis,
                    r * r / 3, r * r / 6 + h * h / 2 - 4 * h * h / 9, 1e-13);
}

// Three different semi-axes, turned: products of inertia as well.
TEST(MassProperties, OfAClosedFormulaHaveProductsOfInertia) {
  ParametricSurfaceShape twisted;  // a torus whose ring is an ellipse with axes along x + y and x - y
  twisted.x_m = of_u_and_v("(0.4 m + 0.1 m*cos(v))*(cos(u) + 0.5*sin(u))");
  twisted.y_m = of_u_and_v("(0.4 m + 0.1 m*cos(v))*(0.5*cos(u) + sin(u))");
  twisted.z_m = of_u_and_v("0.1 m*sin(v)");
  twisted.u_to = twisted.v_to = 2 * kPi;
  twisted.closed_u = twisted.closed_v = true;
  const std::optional<SpatialMass> mass = spatial_mass_properties(twisted, kDensity);
  ASSERT_TRUE(mass.has_value());
  // It is the torus under x -> A x: V' = det A V, and int x x^T dV' = det A  A (int x x^T dV) A^T.
  Mat3 A = Mat3::Identity();
  A(0, 1) = A(1, 0) = 0.5;
  const double flat = kAlong / 2, high = kAcross - kAlong / 2;  // int x^2 dV / V, int z^2 dV / V
  const Mat3 squares = A * Vec3(flat, flat, high).asDiagonal() * A.transpose();
  const Mat3 inertia = squares.trace() * Mat3::Identity() - squares;
  EXPECT_NEAR(mass->mass_kg / (kDensity * 0.75 * kTorusVolume), 1, 1e-12);
  EXPECT_LE(mass->centre_m.norm(), 1e-13);
  EXPECT_LE((mass->inertia_kg_m2 / mass->mass_kg - inertia).norm(), 1e-12);
}

TEST(MassProperties, OfASheetThereAreNone) {
  ParametricSurfaceShape sheet;
  sheet.x_m = of_u_and_v("0.1 m*u");
  sheet.y_m = of_u_and_v("0.1 m*v");
  sheet.z_m = of_u_and_v("0 m");
  EXPECT_FALSE(spatial_mass_properties(sheet, kDensity).has_value());
}

// Its inner part is a lemon whose normals point inwards: inside out behind the two places on the axis.
TEST(MassProperties, OfATorusWhoseTubeIsLargerThanItsRingThereAreNone) {
  ParametricSurfaceShape spindle;
  spindle.x_m = of_u_and_v("(0.7 m + 0.9 m*cos(v))*cos(u)");
  spindle.y_m = of_u_and_v("(0.7 m + 0.9 m*cos(v))*sin(u)");
  spindle.z_m = of_u_and_v("0.9 m*sin(v)");
  spindle.u_to = spindle.v_to = 2 * kPi;
  spindle.closed_u = spindle.closed_v = true;
  EXPECT_NE(make_surface(spindle).problem.message.find("crosses itself"), std::string::npos);
  EXPECT_FALSE(spatial_mass_properties(spindle, kDensity).has_value());
}

// A rim of a hundredth of the size turns by half a turn between two samples, and is no crossing.
TEST(MassProperties, OfASurfaceWithASharpRimAreFound) {
  ParametricSurfaceShape disc;
  disc.x_m = of_u_and_v("(0.4 m + 0.3 m*cos(v))*cos(u)");
  disc.y_m = of_u_and_v("(0.4 m + 0.3 m*cos(v))*sin(u)");
  disc.z_m = of_u_and_v("0.003 m*sin(v)");
  disc.u_to = disc.v_to = 2 * kPi;
  disc.closed_u = disc.closed_v = true;
  EXPECT_TRUE(make_surface(disc).problem.empty()) << make_surface(disc).problem.message;
  const std::optional<SpatialMass> mass = spatial_mass_properties(disc, kDensity);
  ASSERT_TRUE(mass.has_value());
  EXPECT_NEAR(mass->mass_kg / (kDensity * 2 * kPi * 0.4 * kPi * 0.3 * 0.003), 1, 1e-12);
}

}  // namespace
}  // namespace freeplay::test::mass_properties_test
