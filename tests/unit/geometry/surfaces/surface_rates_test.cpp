// First and second order of contacts of surfaces: the reference of Pfeiffer's equations, and central differences.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/places.h"
#include "surface_rates_check.h"

namespace freeplay::test::surface_rates_test {
namespace {

Vec3 vec3(const nlohmann::json& v) {
  return Vec3(double(v[0]), double(v[1]), double(v[2]));
}
Mat3 mat3(const nlohmann::json& m) {
  Mat3 R;
  for (int i = 0; i < 3; ++i) R.row(i) = vec3(m[size_t(i)]).transpose();
  return R;
}

// r = (a cos u cos v, b sin u cos v, c sin v), the chart of the reference.
SurfaceJet reference_jet(const Vec3& a, double u, double v) {
  const double cu = std::cos(u), su = std::sin(u), cv = std::cos(v), sv = std::sin(v);
  const auto scaled = [&](double x, double y, double z) { return Vec3(a[0] * x, a[1] * y, a[2] * z); };
  return {scaled(cu * cv, su * cv, sv),  scaled(-su * cv, cu * cv, 0), scaled(-cu * sv, -su * sv, cv),
          scaled(-cu * cv, -su * cv, 0), scaled(su * sv, -cu * sv, 0), scaled(-cu * cv, -su * cv, -sv)};
}

// The reference's body 1 is our A with the opposite sign: g_S = s1 . (v2 - v1), and its normal points from 1 to 2. Its
// tangents are those of body 1's chart, not of unit length; their rates follow from how the point travels.
TEST(SurfaceRates, AgreeWithTheReferenceOfPfeiffersSpatialEquations) {
  std::ifstream file(test_dir() + "/reference/unilateral/contour_reference.json");
  const nlohmann::json reference = nlohmann::json::parse(file);
  ASSERT_GE(reference["spatial"].size(), 3u);
  const Vec3 axes_1(1.2, 0.8, 0.6), axes_2(0.9, 0.5, 0.7);
  const SurfaceResult first = make_surface(EllipsoidShape{Vec3::Zero(), axes_1});
  const SurfaceResult ellipsoid = make_surface(EllipsoidShape{Vec3::Zero(), axes_2});
  const SurfaceResult plane = make_surface(PlaneShape{});
  for (const nlohmann::json& one : reference["spatial"]) {
    const std::string name = one["name"];
    const SurfaceResult& second = name.find("plane") != std::string::npos ? plane : ellipsoid;
    const Frame at_1{mat3(one["R1"]), vec3(one["x1"])}, at_2{mat3(one["R2"]), vec3(one["x2"])};
    const SpatialBodyMotion move_1{at_1.p, vec3(one["v1"]), vec3(one["Omega1"])};
    const SpatialBodyMotion move_2{at_2.p, vec3(one["v2"]), vec3(one["Omega2"])};
    const auto found = contacts_of(first.surface, at_1, second.surface, at_2, 5);
    ASSERT_EQ(found.size(), 1u) << name;
    const SurfaceContact& c = found[0];
    const SurfaceRates rates = surface_rates(c, move_1, move_2);
    ASSERT_TRUE(rates.is_regular) << name;
    const double u = one["params"][0], v = one["params"][1];
    const SurfaceJet jet = reference_jet(axes_1, u, v);
    EXPECT_LT((at_1.point(jet.x) - c.point_a).norm(), 1e-12) << name;
    EXPECT_NEAR(c.gap, double(one["gN"]), 1e-12) << name;
    EXPECT_NEAR(rates.gap_rate, double(one["dgN"]), 1e-12) << name;
    const Vec3 apart = move_2.velocity_at(c.point_b) - move_1.velocity_at(c.point_a);
    const Vec3 s = at_1.R * jet.x_u, t = at_1.R * jet.x_v;
    EXPECT_NEAR(s.dot(apart), double(one["dgS"]), 1e-12) << name;
    EXPECT_NEAR(t.dot(apart), double(one["dgT"]), 1e-12) << name;
    // Rates of the parameters of body 1, from the velocity of the point over it.
    const Vec3 travel = at_1.R.transpose() * rates.travel_a;
    Eigen::Matrix<double, 3, 2> X;
    X << jet.x_u, jet.x_v;
    const Vec2 p = (X.transpose() * X).inverse() * (X.transpose() * travel);
    EXPECT_NEAR(p[0], double(one["param_rates"][0]), 1e-11) << name;
    EXPECT_NEAR(p[1], double(one["param_rates"][1]), 1e-11) << name;
    // Accelerations of the bodies belong to J q'': they are added here.
    const auto acceleration = [](const Vec3& a, const Vec3& alpha, const Vec3& arm) {
      return Vec3(a + alpha.cross(arm));
    };
    const Vec3 own = acceleration(vec3(one["a2"]), vec3(one["dOmega2"]), c.point_b - at_2.p) -
                     acceleration(vec3(one["a1"]), vec3(one["dOmega1"]), c.point_a - at_1.p);
    EXPECT_NEAR(-c.normal.dot(own) + rates.normal_bias, double(one["ddgN"]), 1e-11) << name;
    const Vec3 s_rate = move_1.omega.cross(s) + at_1.R * (jet.x_uu * p[0] + jet.x_uv * p[1]);
    const Vec3 t_rate = move_1.omega.cross(t) + at_1.R * (jet.x_uv * p[0] + jet.x_vv * p[1]);
    EXPECT_NEAR(s.dot(own - rates.velocity_bias) + s_rate.dot(apart), double(one["ddgS"]), 1e-11) << name;
    EXPECT_NEAR(t.dot(own - rates.velocity_bias) + t_rate.dot(apart), double(one["ddgT"]), 1e-11) << name;
  }
}

TEST(SurfaceRates, AgreeWithCentralDifferencesForSomePosesOfEveryPair) {
  RandomSurfaces random(31);
  const SurfacePool pool(random, 5);
  check_all_pairs_by_differences(pool, 4);
}

// Flat faces in contact have no single point: nothing is determined, and it is said.
TEST(SurfaceRates, TwoFlatFacesAreNotRegular) {
  SurfaceContact contact;
  EXPECT_FALSE(surface_rates(contact, {Vec3::Zero(), Vec3::Zero(), Vec3::UnitX()}, {}).is_regular);
}

}  // namespace
}  // namespace freeplay::test::surface_rates_test
