// Where contact points are and which way their normals point, as channels.
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/math/types.h"
#include "physics/model_run.h"

namespace freeplay::test::contact_places {
namespace {

Vec3 vector_of(const ModelRun& run, const std::string& name, const std::string& suffix, std::size_t row) {
  return {run[name + "_x" + suffix][row], run[name + "_y" + suffix][row], run[name + "_z" + suffix][row]};
}

TEST(ContactPlaces, TheCornersOfABlockInItsGuide) {
  const ModelRun run = run_example("slider_crank", {"simulate.duration=20ms"});
  const double a = 0.05, b = 0.025, c = 1e-3;  // half length, half width, clearance
  int below = 0;
  for (std::size_t i = 0; i < run.time().size(); i += 50) {
    const double x = run["slider.x"][i], y = run["slider.y"][i], angle = run["slider.angle"][i];
    for (const char* suffix : {"_1", "_2", "_3", "_4"}) {
      const Vec2 at(run[std::string("guide.point_x") + suffix][i], run[std::string("guide.point_y") + suffix][i]);
      const double n = run[std::string("guide.normal_y") + suffix][i];
      const Vec2 r(at.x() - x, at.y() - y);
      // A corner, seen from the block.
      const Vec2 corner(std::cos(angle) * r.x() + std::sin(angle) * r.y(),
                        -std::sin(angle) * r.x() + std::cos(angle) * r.y());
      EXPECT_NEAR(std::abs(corner.x()), a, 1e-12);
      EXPECT_NEAR(std::abs(corner.y()), b, 1e-12);
      // Its normal points away from the nearer wall, its gap is the distance from it.
      EXPECT_EQ(run[std::string("guide.normal_x") + suffix][i], 0);
      EXPECT_EQ(n, at.y() > 0 ? -1 : 1);
      EXPECT_NEAR(run[std::string("guide.gap") + suffix][i], b + c - std::abs(at.y()), 1e-12);
      below += n > 0;
    }
  }
  EXPECT_GT(below, 0);
}

TEST(ContactPlaces, ForcesInThePlaneFollowNormalAndTangent) {
  const ModelRun run = run_example("quick_return", {"simulate.duration=50ms"});
  double strongest = 0;
  for (std::size_t i = 0; i < run.time().size(); ++i) {
    const Vec2 n(run["J2.normal_x"][i], run["J2.normal_y"][i]), t(n.y(), -n.x());
    const double N = run["J2.normal_force"][i], T = run["J2.tangential_force"][i];
    const Vec2 force = N * n + T * t;
    EXPECT_NEAR(n.norm(), 1, 1e-12);
    EXPECT_NEAR(run["J2.contact_force_x"][i], force.x(), 1e-9 * (1 + N));
    EXPECT_NEAR(run["J2.contact_force_y"][i], force.y(), 1e-9 * (1 + N));
    strongest = std::max(strongest, N);
  }
  EXPECT_GT(strongest, 1);
}

// Forces of a step of the nonlinear program act along the normals at its start, which is the row before.
TEST(ContactPlaces, ForcesInSpaceFollowTheNormalsOfTheirStep) {
  const ModelRun run = run_example("cylindrical_clearance", {"simulate.duration=0.1s", "simulate.constraint=plain"});
  double strongest = 0;
  for (std::size_t i = 2; i < run.time().size(); ++i) {
    for (const char* suffix : {"_1", "_2"}) {
      const double N = run[std::string("sleeve.normal_force") + suffix][i];
      const Vec3 n = vector_of(run, "sleeve.normal", suffix, i - 1);
      EXPECT_NEAR(n.norm(), 1, 1e-12);
      if (N == 0) continue;
      EXPECT_NEAR((vector_of(run, "sleeve.force", suffix, i) - N * n).norm(), 0, 1e-9 * N);
      // The sleeve of radius R touches its rod, which is thinner by the clearance.
      const Vec3 at = vector_of(run, "sleeve.point", suffix, i);
      EXPECT_NEAR(std::hypot(at.x(), at.y()), 0.005, 2e-4);
      strongest = std::max(strongest, N);
    }
  }
  EXPECT_GT(strongest, 10);
}

}  // namespace
}  // namespace freeplay::test::contact_places
