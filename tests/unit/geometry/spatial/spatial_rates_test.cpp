// Second order of every spatial pair: solids, surfaces and meshes.
#include "freeplay/geometry/pairs/spatial_rates.h"

#include <gtest/gtest.h>

#include "allocation/allocation_counter.h"
#include "freeplay/geometry/meshes/mesh_gap.h"
#include "freeplay/geometry/surfaces/surface_gap.h"
#include "unit/geometry/meshes/mesh_cases.h"
#include "unit/geometry/rates_check.h"
#include "unit/geometry/surfaces/surface_cases.h"

namespace freeplay::test::spatial_rates_test {
namespace {

constexpr double kStep = 5e-4;

class SpatialRatesOfEveryPair : public testing::TestWithParam<SpatialPair> {};

TEST_P(SpatialRatesOfEveryPair, BiasIsTheRateOfTheVelocitiesAtConstantVelocitiesOfTheBodies) {
  RatesCount count;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomSolids random(seed);
    const ShapeGeometry a = random.shape(GetParam().a), b = random.shape(GetParam().b);
    const auto gap = make_spatial_gap(a, b);
    check_rates(*gap, random.motion(1.2), random.motion(1.2), kStep,
                GetParam().name() + ", seed " + std::to_string(seed), count);
  }
  EXPECT_GE(count.compared, 900);
  EXPECT_LE(count.left_out, count.compared / 5);
  EXPECT_GE(count.negative, 50);
}

INSTANTIATE_TEST_SUITE_P(SpatialRates, SpatialRatesOfEveryPair, testing::ValuesIn(all_spatial_pairs()),
                         [](const auto& pair) { return pair.param.name(); });

TEST(SpatialRates, OfSomePosesOfEveryPairOfSurfaces) {
  RandomSurfaces random(51);
  const SurfacePool pool(random, 5);
  RatesCount all;
  for (const std::string& kind_a : surface_kinds()) {
    for (const std::string& kind_b : surface_kinds()) {
      if (kind_a == "plane" && kind_b == "plane") continue;
      for (int tries = 0; tries < 6; ++tries) {
        const SurfaceGap gap(pool.any(kind_a, random), pool.any(kind_b, random));
        check_rates(gap, random.motion(1), random.motion(1), kStep, kind_a + " " + kind_b, all);
      }
    }
  }
  EXPECT_GE(all.compared, 300);
  EXPECT_LE(all.left_out, all.compared);
  EXPECT_GE(all.negative, 30);
}

// Bodies that nearly touch: meshes know nothing that is farther away than a part of their size.
TEST(SpatialRates, OfMeshesAreThoseOfDifferences) {
  const auto shared = [](const TriangleSoup& soup) { return std::make_shared<const TriangleMesh>(built(soup)); };
  const MeshPtr ball = shared(ball_soup(0.6, 6, 9)), box = shared(box_soup({0.9, 0.7, 0.5})),
                angle = shared(angle_soup());
  struct Named {
    std::string name;
    std::unique_ptr<const SpatialGap> gap;
  };
  std::vector<Named> pairs;
  for (const auto& [name, mesh] : {std::pair<std::string, MeshPtr>("ball", ball), {"box", box}, {"angle", angle}}) {
    pairs.push_back(
        {name + " plane", make_spatial_gap(MeshShape{mesh, ""}, PlaneShape{Vec3::Zero(), Vec3(0, 0.6, 0.8)})});
    pairs.push_back(
        {"plane " + name, make_spatial_gap(PlaneShape{Vec3::Zero(), Vec3(0, 0.6, 0.8)}, MeshShape{mesh, ""})});
    pairs.push_back({"sphere " + name, make_spatial_gap(SphereShape{Vec3(0.1, 0, 0), 0.4}, MeshShape{mesh, ""})});
    pairs.push_back(
        {"box " + name, make_spatial_gap(BoxShape{Vec3::Zero(), Vec3(0.4, 0.6, 0.8), Eigen::Quaterniond::Identity()},
                                         MeshShape{mesh, ""})});
    pairs.push_back({"cylinder " + name,
                     make_spatial_gap(CylinderShape{Vec3::Zero(), Vec3(0.6, 0, 0.8), 0.3, 0.9}, MeshShape{mesh, ""})});
    pairs.push_back({"capsule " + name,
                     make_spatial_gap(CapsuleShape{Vec3::Zero(), Vec3(0.6, 0, 0.8), 0.3, 0.7}, MeshShape{mesh, ""})});
    pairs.push_back({"mesh " + name, make_spatial_gap(MeshShape{box, ""}, MeshShape{mesh, ""})});
  }
  for (const Named& pair : pairs) {
    RatesCount count;
    for (std::uint64_t seed = 0; seed < 10'000 && count.compared < 300; ++seed) {
      RandomSolids random(seed);
      check_rates(*pair.gap, random.motion(0.7), random.motion(0.7), 1e-4, pair.name, count, true);
    }
    EXPECT_GE(count.compared, 200) << pair.name;
    EXPECT_LE(count.left_out, count.compared / 2) << pair.name;
  }
}

// A face on a face does not say where they touch; as long as they stay parallel any place will do.
TEST(SpatialRates, FlatOnFlatIsFiniteAndExactWhileParallel) {
  SpatialContactPoint at;
  at.gap = 0.1;
  at.point_a = {0.4, 0.3, 0.1};
  at.point_b = {0.4, 0.3, 0};
  const Vec3 omega(0.4, -0.7, 0.3);
  SpatialBodyMotion a{{0.2, 0.5, 0.1}, {0.7, -0.3, 0.2}, omega, Vec3::Zero(), Vec3::Zero()};
  const SpatialBodyMotion b{{-0.1, -0.2, 0.3}, {0.1, 0.2, -0.4}, omega, Vec3::Zero(), Vec3::Zero()};
  a.omega.z() = -1.1;  // A spins on B
  const SpatialRates flat = spatial_rates(at, a, b);
  EXPECT_FALSE(flat.is_regular);
  SpatialContactPoint corner = at;
  corner.bend_a = Bend::tip();
  const SpatialRates regular = spatial_rates(corner, a, b);
  EXPECT_TRUE(regular.is_regular);
  EXPECT_NEAR(flat.normal_bias, regular.normal_bias, 1e-14);
}

// Across its axis a cylinder on a plane says where it touches, along it it does not.
TEST(SpatialRates, ACylinderThatRollsOnAPlaneHasTheBiasOfItsAxis) {
  SpatialContactPoint at;
  at.point_a = at.point_b = {0.2, 0.7, 0};
  at.bend_a = Bend::cylinder(0.5, Vec3::UnitY());
  const SpatialBodyMotion a{{0.2, 0.1, 0.5}, {0.5 * 3, 0, 0}, {0, 3, 0}, Vec3::Zero(), Vec3::Zero()}, b;
  const SpatialRates rates = spatial_rates(at, a, b);
  EXPECT_FALSE(rates.is_regular);
  EXPECT_NEAR(rates.normal_bias, 0, 1e-14);
  EXPECT_NEAR(rates.tangential_bias.norm(), 0, 1e-14) << "the point goes along with the axis";
  EXPECT_NEAR(rates.travel_b.x(), 1.5, 1e-14);
}

TEST(SpatialRates, RegularOrNotTheyAllocateNothing) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  SpatialContactPoint flat, tip;
  tip.bend_a = Bend::tip();
  const SpatialBodyMotion a{Vec3::Zero(), {0.7, -0.3, 0.2}, {0.4, -0.7, 0.3}, Vec3::Zero(), Vec3::Zero()}, b;
  double sum = 0;
  EXPECT_EQ(
      allocations_during([&] { sum += spatial_rates(flat, a, b).normal_bias + spatial_rates(tip, a, b).normal_bias; }),
      0u);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace freeplay::test::spatial_rates_test
