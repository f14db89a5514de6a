// Surfaces of every kind: derivatives, curvatures, and what is refused.
#include <gtest/gtest.h>

#include "surface_cases.h"

namespace freeplay::test::surface_shapes_test {
namespace {

using Kind = SpatialSurface::Kind;

// x_u, x_v, n_u, n_v of every patch against central differences, and normals that are unit and perpendicular.
TEST(SurfaceShapes, DerivativesOfEveryPatchAgreeWithDifferences) {
  RandomSurfaces random(3);
  const SurfacePool pool(random, 5);
  for (const std::string& kind : surface_kinds()) {
    for (int i = 0; i < 20; ++i) {
      const SpatialSurface& surface = pool.any(kind, random);
      for (int p = 0; p < surface.patch_count(); ++p) {
        const SurfacePatch& patch = surface.patch(p);
        const double u = random.uniform(patch.u_from, patch.u_to), v = random.uniform(patch.v_from, patch.v_to);
        if (!patch.contains(u, v, -0.05)) continue;
        const double h = 1e-4 * (patch.u_to - patch.u_from), k = 1e-4 * (patch.v_to - patch.v_from);
        const SurfacePlace at = patch.place(u, v);
        const SurfacePlace east = patch.place(u + h, v), west = patch.place(u - h, v);
        const SurfacePlace north = patch.place(u, v + k), south = patch.place(u, v - k);
        constexpr double kError = 2e-6;
        ASSERT_LT((at.x_u - (east.x - west.x) / (2 * h)).norm(), kError * (1 + at.x_u.norm())) << kind << p;
        ASSERT_LT((at.x_v - (north.x - south.x) / (2 * k)).norm(), kError * (1 + at.x_v.norm())) << kind << p;
        ASSERT_LT((at.n_u - (east.n - west.n) / (2 * h)).norm(), kError * (1 + at.n_u.norm())) << kind << p;
        ASSERT_LT((at.n_v - (north.n - south.n) / (2 * k)).norm(), kError * (1 + at.n_v.norm())) << kind << p;
        ASSERT_NEAR(at.n.norm(), 1, 1e-14) << kind << p;
        ASSERT_NEAR(at.n.dot(at.x_u), 0, 1e-13) << kind << p;
        ASSERT_NEAR(at.n.dot(at.x_v), 0, 1e-13) << kind << p;
        ASSERT_EQ(patch.dimension() < 2, at.x_v.norm() == 0) << kind << p;
      }
    }
  }
}

// A ball of the inner radius stays inside of the other samples only if normals point outwards.
TEST(SurfaceShapes, NormalsPointOutOfTheMatter) {
  RandomSurfaces random(4);
  const SurfacePool pool(random, 3);
  for (const std::string& kind : surface_kinds()) {
    if (kind == "plane" || kind == "sphere") continue;
    const SpatialSurface& surface = pool.any(kind, random);
    // The divergence theorem for the solid angle: seen from a place just below a sample, everything around is boundary.
    const std::vector<SurfacePlace> places = surface.samples(0.03);
    ASSERT_GT(places.size(), 100u) << kind;
    for (std::size_t i = 0; i < places.size(); i += 97) {
      const double outward = surface.inner_radius(places[i].x, -places[i].n, 10);
      const double inward = surface.inner_radius(places[i].x, places[i].n, 10);
      EXPECT_LT(inward, 1.0) << kind;  // bodies are bounded
      EXPECT_GT(outward, 0) << kind;
    }
  }
}

// The torus in closed form: 1/tube across, cos/(R + tube cos) around.
TEST(SurfaceShapes, ATorusHasItsCurvatures) {
  const SurfaceResult torus = make_surface(TorusShape{Vec3::Zero(), Vec3::UnitZ(), 2, 0.5});
  ASSERT_TRUE(torus.problem.empty());
  const SurfacePatch& patch = torus.surface.patch(0);
  for (const double angle : {0.0, 0.3, 2.0, 3.0, 5.0}) {
    const Bend bend = bend_of(patch.place(0.7, angle), 2);
    EXPECT_NEAR(bend.curvature_2, 2, 1e-12);
    EXPECT_NEAR(bend.curvature_1, std::cos(angle) / (2 + 0.5 * std::cos(angle)), 1e-12);
    const FundamentalForms form = fundamental_forms(patch.place(0.7, angle));
    const double around = 2 + 0.5 * std::cos(angle);
    EXPECT_NEAR(form.E, around * around, 1e-12);
    EXPECT_NEAR(form.G, 0.25, 1e-12);
    EXPECT_NEAR(form.F, 0, 1e-12);
    EXPECT_NEAR(form.L, -around * std::cos(angle), 1e-12);
    EXPECT_NEAR(form.M, 0, 1e-12);
    EXPECT_NEAR(form.N, -0.5, 1e-12);
  }
}

// An ellipsoid at the end of an axis a: curvatures a/b^2 and a/c^2. By its patches and by its support function.
TEST(SurfaceShapes, AnEllipsoidHasItsCurvatures) {
  const SurfaceResult ellipsoid = make_surface(EllipsoidShape{Vec3::Zero(), {0.5, 0.7, 1.1}});
  const Bend by_support = ellipsoid.surface.convex().bend(Vec3::UnitX());
  const Bend by_patch = bend_of(ellipsoid.surface.patch(0).place(0, 0), 2);
  for (const Bend& bend : {by_support, by_patch}) {
    EXPECT_NEAR(bend.curvature_1, 0.5 / (1.1 * 1.1), 1e-13);
    EXPECT_NEAR(bend.curvature_2, 0.5 / (0.7 * 0.7), 1e-13);
    EXPECT_NEAR(std::abs(bend.direction_1.z()), 1, 1e-13);
  }
}

// Vertex radius of a paraboloid: R^2/(2 h), in the chart that is regular on the axis.
TEST(SurfaceShapes, AParaboloidIsRegularAtItsVertex) {
  const SurfaceResult paraboloid = make_surface(ParaboloidShape{Vec3::Zero(), Vec3::UnitZ(), 0.6, 0.9});
  ASSERT_TRUE(paraboloid.problem.empty()) << paraboloid.problem.message;
  const SurfaceResult floor = make_surface(PlaneShape{});
  const auto found = contacts_of(paraboloid.surface, frame({0, 0, 0.1}), floor.surface, kWorld, 0.5);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].gap, 0.1, 1e-15);
  EXPECT_NEAR(found[0].bend_a.curvature_1, 2 * 0.9 / 0.36, 1e-12);
  EXPECT_NEAR(found[0].bend_a.curvature_2, 2 * 0.9 / 0.36, 1e-12);
}

// The tensor-product spline goes through its points and reproduces a plane.
TEST(SurfaceShapes, ASplinePatchInterpolatesAndReproducesPlanes) {
  SplinePatchShape shape;
  for (int i = 0; i < 5; ++i) {
    shape.points_m.emplace_back();
    for (int k = 0; k < 4; ++k) shape.points_m.back().emplace_back(i, k, 0.5 * i - 0.25 * k);
  }
  shape.thickness_m = 0.2;
  const SurfaceResult flat = make_surface(shape);
  ASSERT_TRUE(flat.problem.empty()) << flat.problem.message;
  const Vec3 n = Vec3(-0.5, 0.25, 1).normalized();
  for (const double u : {0.0, 0.4, 1.0, 2.7, 4.0}) {
    for (const double v : {0.0, 1.5, 3.0}) {
      const SurfacePlace place = flat.surface.patch(0).place(u, v);
      EXPECT_LT((place.x - 0.1 * n - Vec3(u, v, 0.5 * u - 0.25 * v)).norm(), 1e-13);
      EXPECT_LT(place.n_u.norm() + place.n_v.norm(), 1e-13);
    }
  }
  RandomSurfaces random(9);
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 4; ++k) shape.points_m[size_t(i)][size_t(k)].z() = random.uniform(-0.1, 0.1);
  }
  const SurfaceResult bent = make_surface(shape);
  ASSERT_TRUE(bent.problem.empty()) << bent.problem.message;
  const SurfacePlace place = bent.surface.patch(0).place(2, 3);
  EXPECT_LT((place.x - 0.1 * place.n - shape.points_m[2][3]).norm(), 1e-13);
}

ParametricSurfaceShape closed_surface(const std::string& x, const std::string& y, const std::string& z,
                                      double u_to = 2 * kPi) {
  return {expression_of_uv(x), expression_of_uv(y), expression_of_uv(z), 0, u_to, 0, 2 * kPi, true, true, 0};
}

// A tube around the figure eight (cos u, sin 2u), whose strands cross, or pass above each other where it rises.
ParametricSurfaceShape eight(double rise) {
  const std::string speed = "sqrt(sin(u)^2 + 4*cos(2*u)^2)", h = std::to_string(rise) + " m*sin(u)";
  return closed_surface("1 m*cos(u) + 0.1 m*cos(v)*2*cos(2*u)/" + speed, "1 m*sin(2*u) + 0.1 m*cos(v)*sin(u)/" + speed,
                        h + " + 0.1 m*sin(v)");
}

TEST(SurfaceShapes, ThatCrossThemselvesAreRefusedWithTheirPlace) {
  const auto message_of = [](const auto& shape) { return make_surface(shape).problem.message; };
  const auto crosses = [&](const auto& shape) {
    return message_of(shape).find("crosses itself at (") != std::string::npos;
  };
  EXPECT_TRUE(crosses(eight(0))) << message_of(eight(0));
  EXPECT_TRUE(crosses(eight(0.09))) << "the strands overlap by 2 cm";
  EXPECT_EQ(message_of(eight(0.11)), "") << "they pass each other at 2 cm";
  // A ring with a section like an eight. Grids that are laid out evenly meet the crossing in their joints.
  EXPECT_TRUE(crosses(closed_surface("(1 m + 0.3 m*sin(v))*cos(u)", "(1 m + 0.3 m*sin(v))*sin(u)", "0.2 m*sin(2*v)")));
  EXPECT_TRUE(crosses(closed_surface("(1 m + 0.3 m*sin(v + 0.1))*cos(u)", "(1 m + 0.3 m*sin(v + 0.1))*sin(u)",
                                     "0.2 m*sin(2*v + 0.2)")));
  // A ring that is run through more than once.
  for (const int turns : {2, 3, 5}) {
    EXPECT_NE(message_of(closed_surface("(1 m + 0.3 m*cos(v))*cos(u)", "(1 m + 0.3 m*cos(v))*sin(u)", "0.3 m*sin(v)",
                                        turns * 2 * kPi))
                  .find("run through " + std::to_string(turns) + " times as u goes round"),
              std::string::npos);
  }
}

// A strip that leads back through itself, and one whose turns are as far apart as the sheet is thick.
TEST(SurfaceShapes, SheetsAndPatchesThatCrossThemselvesAreRefused) {
  SplinePatchShape strip;
  strip.thickness_m = 0.02;
  for (int i = 0; i < 16; ++i) {
    const double t = 0.2 + 5.8 * i / 15;
    strip.points_m.emplace_back();
    for (int k = 0; k < 4; ++k) strip.points_m.back().emplace_back(std::cos(t), std::sin(2 * t), 0.2 * k);
  }
  const SurfaceResult crossing = make_surface(strip);
  EXPECT_EQ(crossing.problem.key, "points");
  EXPECT_NE(crossing.problem.message.find("the sheet, 20 mm thick, crosses itself"), std::string::npos)
      << crossing.problem.message;
  for (std::size_t i = 0; i < 16; ++i) {  // it rises, and the strands pass each other
    for (Vec3& x : strip.points_m[i]) x.z() += 0.1 * static_cast<double>(i);
  }
  EXPECT_EQ(make_surface(strip).problem.message, "");
  // A ramp that comes near its beginning: the faces of a thin sheet stay clear, those of a thick one do not.
  ParametricSurfaceShape wave{expression_of_uv("1 m*cos(u)"),
                              expression_of_uv("1 m*sin(u)*(1 + 0.04*cos(3*v))"),
                              expression_of_uv("0.3 m*v + 0.05 m*u/6"),
                              -0.5,
                              2 * kPi - 0.2,
                              -1,
                              1,
                              false,
                              false,
                              0.02};
  EXPECT_NE(make_surface(wave).problem.message.find("crosses itself"), std::string::npos)
      << "the ends lie in each other";
  wave.u_to = 2 * kPi - 0.7;
  EXPECT_EQ(make_surface(wave).problem.message, "");
}

TEST(SurfaceShapes, WhatCannotBeASurfaceIsRefusedWithTheCure) {
  const auto key_of = [](const SurfaceResult& result) {
    EXPECT_TRUE(result.problem.empty() || !result.problem.hint.empty());
    return result.problem.key;
  };
  EXPECT_EQ(key_of(make_surface(EllipsoidShape{Vec3::Zero(), {1, 0, 1}})), "semi_axes");
  EXPECT_EQ(key_of(make_surface(EllipsoidShape{Vec3::Zero(), {1, std::nan(""), 1}})), "semi_axes");
  EXPECT_EQ(key_of(make_surface(TorusShape{Vec3::Zero(), Vec3::UnitZ(), 0.3, 0.4})), "tube_radius");
  EXPECT_EQ(key_of(make_surface(ConeShape{Vec3::Zero(), Vec3::UnitZ(), 0.3, -1})), "radius");
  // A sphere by two angles has poles.
  ParametricSurfaceShape sphere{expression_of_uv("1 m*cos(u)*cos(v)"),
                                expression_of_uv("1 m*sin(u)*cos(v)"),
                                expression_of_uv("1 m*sin(v)"),
                                0,
                                2 * kPi,
                                -kPi / 2,
                                kPi / 2,
                                true,
                                false,
                                0};
  EXPECT_EQ(key_of(make_surface(sphere)), "x");
  sphere.v_from = -1, sphere.v_to = 1;
  EXPECT_EQ(key_of(make_surface(sphere)), "");
  sphere.u_to = 6;
  EXPECT_NE(make_surface(sphere).problem.message.find("ends do not meet"), std::string::npos);
  sphere.closed_u = false, sphere.thickness_m = 3;
  EXPECT_EQ(key_of(make_surface(sphere)), "thickness");
  ParametricSurfaceShape inside_out = swollen_torus(0.2, 0.05);
  inside_out.z_m = expression_of_uv("-(0.2 m + 0.05 m*cos(3*u))*sin(v)");
  EXPECT_NE(make_surface(inside_out).problem.message.find("normals point into"), std::string::npos);
  SplinePatchShape ragged;
  ragged.points_m.assign(4, std::vector<Vec3>(4, Vec3::Zero()));
  ragged.points_m[2].pop_back();
  EXPECT_EQ(key_of(make_surface(ragged)), "points");
  RevolutionShape crossing{Vec3::Zero(), Vec3::UnitZ(),
                           std::make_shared<const PlanarContour>(make_contour(CircleShape{{0.1, 0, 0}, 0.3}).contour)};
  EXPECT_NE(make_surface(crossing).problem.message.find("crosses its axis"), std::string::npos);
}

}  // namespace
}  // namespace freeplay::test::surface_shapes_test
