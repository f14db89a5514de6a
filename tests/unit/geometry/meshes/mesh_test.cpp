// Triangle meshes as solids: what is refused, facets and ridges, mass.
#include <gtest/gtest.h>

#include <set>

#include "freeplay/geometry/meshes/mesh_mass.h"
#include "mesh_cases.h"

namespace freeplay::test {
namespace {

double relative(const Mat3& a, const Mat3& b) {
  return (a - b).norm() / b.norm();
}

int count_of(const TriangleMesh& mesh, EdgeKind kind) {
  int count = 0;
  for (const MeshEdge& e : mesh.edges()) count += e.kind == kind ? 1 : 0;
  return count;
}

TEST(TriangleMesh, ABoxHasSixFacetsTwelveRidgesAndEightCornersHoweverFineItsTriangles) {
  for (const int times : {1, 2, 3}) {
    const TriangleMesh mesh = built(refined(box_soup({0.1, 0.2, 0.3}), times));
    EXPECT_EQ(mesh.facets().size(), 6u);
    EXPECT_EQ(count_of(mesh, EdgeKind::kReflex), 0);
    std::set<std::int32_t> ridges;
    int corners = 0;
    for (const MeshEdge& e : mesh.edges()) {
      if (e.kind == EdgeKind::kConvex) ridges.insert(e.ridge);
    }
    for (std::size_t v = 0; v < mesh.vertices().size(); ++v) corners += mesh.can_touch(static_cast<std::int32_t>(v));
    EXPECT_EQ(ridges.size(), 12u);
    EXPECT_EQ(corners, 8);
  }
}

TEST(TriangleMesh, AnInnerCornerIsAReflexEdge) {
  const TriangleMesh mesh = built(angle_soup());
  EXPECT_EQ(mesh.facets().size(), 8u);
  EXPECT_EQ(count_of(mesh, EdgeKind::kReflex), 1);
  EXPECT_TRUE(mesh.contains({-0.5, 0, 2}));
  EXPECT_FALSE(mesh.contains({1, 0, 1}));
}

TEST(TriangleMesh, CoordinatesInSinglePrecisionGiveTheSameFacets) {
  TriangleSoup soup = refined(box_soup({0.1, 0.2, 0.3}), 3);
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Vec3& x : soup.points_m) x = (turn * x).cast<float>().cast<double>();
  soup.relative_precision = 1e-7;
  EXPECT_EQ(built(soup).facets().size(), 6u);
}

TEST(TriangleMesh, SliversAndTrianglesWithoutAreaAreTakenIn) {
  TriangleSoup soup = box_soup({1, 1, 1});
  // Vertex 8 in the middle of an edge of the last triangle: a sliver closes what is left, and one triangle is a point.
  const auto t = soup.triangles.back();
  const auto middle = static_cast<std::int32_t>(soup.points_m.size());
  soup.points_m.push_back(
      (soup.points_m[static_cast<std::size_t>(t[0])] + soup.points_m[static_cast<std::size_t>(t[1])]) / 2);
  soup.triangles.back() = {t[0], middle, t[2]};
  soup.triangles.push_back({middle, t[1], t[2]});
  soup.triangles.push_back({t[0], t[1], middle});
  soup.triangles.push_back({t[0], t[0], t[0]});
  const MeshResult result = build_mesh(soup);
  ASSERT_TRUE(result.problem.empty()) << result.problem.message;
  EXPECT_EQ(result.dropped_triangles, 1);
  EXPECT_EQ(result.mesh.facets().size(), 6u);
}

struct BadMesh {
  const char* name;
  void (*spoil)(TriangleSoup&);
  const char* message;
};

TEST(TriangleMesh, WhatIsNotTheSurfaceOfASolidIsRefusedWithItsCure) {
  const BadMesh cases[] = {
      {"hole", [](TriangleSoup& s) { s.triangles.pop_back(); }, "holes"},
      {"inverted",
       [](TriangleSoup& s) {
         for (auto& t : s.triangles) std::swap(t[0], t[1]);
       },
       "inwards"},
      {"one turned", [](TriangleSoup& s) { std::swap(s.triangles[3][0], s.triangles[3][1]); }, "turned against"},
      {"NaN", [](TriangleSoup& s) { s.points_m[2].y() = std::nan(""); }, "finite"},
      {"infinite", [](TriangleSoup& s) { s.points_m[2].y() = kInfinity; }, "finite"},
      {"index", [](TriangleSoup& s) { s.triangles[0][0] = 1000; }, "point 1001"},
      {"negative index", [](TriangleSoup& s) { s.triangles[0][0] = -1; }, "point 0"},
      {"empty", [](TriangleSoup& s) { s.triangles.clear(); }, "no triangles"},
      {"one place",
       [](TriangleSoup& s) {
         for (Vec3& x : s.points_m) x.setZero();
       },
       "fall together"},
      {"twice",
       [](TriangleSoup& s) { s.triangles.insert(s.triangles.end(), s.triangles.begin(), s.triangles.begin() + 12); },
       "more than two"},
      {"10 million",
       [](TriangleSoup& s) {
         s.triangles.resize(10'000'000, {0, 1, 2});
       },
       "10000000 triangles"},
  };
  for (const BadMesh& bad : cases) {
    TriangleSoup soup = box_soup({1, 2, 3});
    bad.spoil(soup);
    const ShapeProblem problem = build_mesh(soup).problem;
    EXPECT_NE(problem.message.find(bad.message), std::string::npos) << bad.name << ": " << problem.message;
    EXPECT_FALSE(problem.hint.empty()) << bad.name;
  }
}

TEST(MeshMass, OfABoxIsThatOfTheClosedForm) {
  const BoxShape box{
      {0.3, -2, 5}, {0.1, 0.2, 0.3}, Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()))};
  const SpatialMass exact = mass_properties(box, 7850), mass = mass_properties(mesh_of(box), 7850);
  EXPECT_NEAR(mass.mass_kg / exact.mass_kg, 1, 1e-13);
  EXPECT_LE((mass.centre_m - exact.centre_m).norm(), 1e-14);
  EXPECT_LE(relative(mass.inertia_kg_m2, exact.inertia_kg_m2), 1e-12);
}

// The error of an inscribed mesh falls with the square of its edges: twice as many, a quarter of the error.
TEST(MeshMass, OfABallAndATorusTendsToTheClosedFormsWithOrderTwo) {
  const SpatialMass ball = mass_properties(SphereShape{Vec3::Zero(), 0.5}, 1000);
  const double large = 0.4, small = 0.1, pi = std::numbers::pi;
  SpatialMass torus;
  torus.mass_kg = 1000 * 2 * pi * pi * large * small * small;
  const double across = torus.mass_kg * (large * large / 2 + small * small * 5 / 8);
  const double along = torus.mass_kg * (large * large + small * small * 3 / 4);
  torus.inertia_kg_m2 = Vec3(across, across, along).asDiagonal();
  double ball_before = 0, torus_before = 0;
  for (const int n : {20, 40, 80}) {
    const SpatialMass of_ball = mass_properties(built(ball_soup(0.5, n, 2 * n)), 1000);
    const SpatialMass of_torus = mass_properties(built(torus_soup(large, small, n, 2 * n)), 1000);
    const double ball_error = relative(of_ball.inertia_kg_m2, ball.inertia_kg_m2);
    const double torus_error = relative(of_torus.inertia_kg_m2, torus.inertia_kg_m2);
    EXPECT_LE(of_ball.centre_m.norm() + of_torus.centre_m.norm(), 1e-12);
    if (n > 20) {
      EXPECT_NEAR(ball_before / ball_error, 4, 0.1);
      EXPECT_NEAR(torus_before / torus_error, 4, 0.1);
    }
    ball_before = ball_error;
    torus_before = torus_error;
  }
  EXPECT_LE(ball_before, 3e-3);
}

TEST(SpatialMassProperties, OfRoundSolidsAgreeWithFineMeshes) {
  const CylinderShape cylinder{Vec3::Zero(), Vec3::UnitZ(), 0.2, 0.5};
  const SpatialMass exact = mass_properties(cylinder, 2000),
                    mass = mass_properties(built(peg_soup(0.2, 0.5, 1000)), 2000);
  EXPECT_LE(relative(mass.inertia_kg_m2, exact.inertia_kg_m2), 2e-5);
  // A capsule by its profile.
  std::vector<std::pair<double, double>> profile;
  const double r = 0.2, l = 0.3;
  const int bands = 100;
  for (int i = 0; i <= bands; ++i) {
    const double angle = std::numbers::pi / 2 * i / bands;
    profile.emplace_back(i == 0 ? 0 : r * std::sin(angle), -l / 2 - r * std::cos(angle));
  }
  for (int i = bands; i >= 0; --i)
    profile.emplace_back(profile[static_cast<std::size_t>(i)].first, -profile[static_cast<std::size_t>(i)].second);
  const SpatialMass capsule = mass_properties(CapsuleShape{Vec3::Zero(), Vec3::UnitZ(), r, l}, 2000);
  const SpatialMass fine = mass_properties(built(revolved(profile, 200, false)), 2000);
  // Of 200 sides the area is too small by (2 pi / 200)^2 / 6 = 1.6e-4, second moments by twice that.
  EXPECT_NEAR(fine.mass_kg / capsule.mass_kg, 1, 3e-4);
  EXPECT_LE(relative(fine.inertia_kg_m2, capsule.inertia_kg_m2), 6e-4);
  TriangleSoup ellipsoid = ball_soup(1, 100, 200);
  for (Vec3& x : ellipsoid.points_m) x = x.cwiseProduct(Vec3(0.1, 0.2, 0.3));
  const SpatialMass closed =
      mass_properties(EllipsoidShape{Vec3::Zero(), {0.1, 0.2, 0.3}, Eigen::Quaterniond::Identity()}, 2000);
  EXPECT_LE(relative(mass_properties(built(ellipsoid), 2000).inertia_kg_m2, closed.inertia_kg_m2), 1e-3);
  EXPECT_FALSE(spatial_mass_properties(PlaneShape{}, 1).has_value());
  EXPECT_TRUE(spatial_mass_properties(cylinder, 1).has_value());
}

}  // namespace
}  // namespace freeplay::test
