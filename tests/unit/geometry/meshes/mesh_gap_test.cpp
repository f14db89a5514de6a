// Meshes behind the interface of the engine, and cylinders against meshes.
#include "freeplay/geometry/meshes/mesh_gap.h"

#include <gtest/gtest.h>

#include <map>

#include "freeplay/geometry/shapes/shape_bound.h"
#include "mesh_cases.h"
#include "unit/geometry/spatial/spatial_gap_cases.h"

namespace freeplay::test {
namespace {

MeshPtr shared(const TriangleSoup& soup) {
  return std::make_shared<const TriangleMesh>(built(soup));
}

TEST(MeshGap, HasTheContactsOfTheSearchAndInfinityElsewhere) {
  const MeshPtr peg = shared(peg_soup(10e-3, 30e-3, 32)), hole = shared(ring_soup(10.1e-3, 20e-3, 20e-3, 32));
  const auto gap = make_mesh_gap(peg, hole);
  const Frame at = frame({9e-5, 3e-5, 1e-3}, Vec3::UnitX(), 1e-3);
  const auto points = evaluate(*gap, at, kWorld);
  std::vector<double> gaps;
  for (const SpatialContactPoint& p : points) {
    if (p.gap < kInfinity) gaps.push_back(p.gap);
  }
  std::sort(gaps.begin(), gaps.end());
  std::vector<MeshContact> contacts(kMeshPoints);
  const MeshContacts found = find_mesh_contacts(*peg, *hole, at, kWorld, kMeshReach * peg->size_m(), contacts);
  ASSERT_EQ(gaps.size(), static_cast<std::size_t>(found.count));
  contacts.resize(gaps.size());
  EXPECT_EQ(gaps.front(), least_gap(contacts));
}

// Follows the contacts of a pair along a motion of A.
class Follower {
 public:
  explicit Follower(const SpatialGap& gap) : gap_(gap), features_(static_cast<std::size_t>(gap.point_count()), 0) {}

  // Which points have a contact.
  std::vector<std::size_t> step(const Frame& a) {
    std::vector<SpatialContactPoint> points(features_.size());
    std::vector<std::uint64_t> now(features_.size());
    is_crowded = gap_.follow(a, kWorld, features_, points, now);
    features_ = now;
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points[i].gap < kInfinity, now[i] != 0);
      if (now[i] != 0) used.push_back(i);
    }
    return used;
  }
  bool is_crowded = false;

 private:
  const SpatialGap& gap_;
  std::vector<std::uint64_t> features_;
};

TEST(MeshGap, ABallThatRollsOverFacesAndEdgesStaysInItsPoint) {
  const auto gap = make_mesh_gap(SphereShape{Vec3::Zero(), 0.1}, shared(ball_soup(1, 24, 48)));
  Follower follower(*gap);
  for (int i = 0; i <= 400; ++i) {
    const double angle = 0.3 + 0.002 * i;
    const Vec3 out(std::cos(angle) * std::cos(1.7 * angle), std::sin(angle) * std::cos(1.7 * angle),
                   std::sin(1.7 * angle));
    ASSERT_EQ(follower.step(frame(1.1 * out)), std::vector<std::size_t>{0}) << i;
  }
}

TEST(MeshGap, TheDeepestContactsStayAndALostOneIsTold) {
  // A box that is pressed flat onto a plate has four contacts.
  const auto gap = make_mesh_gap(BoxShape{Vec3::Zero(), {0.2, 0.3, 0.1}, Eigen::Quaterniond::Identity()},
                                 shared(box_soup({2, 2, 0.2})), 3);
  Follower follower(*gap);
  EXPECT_EQ(follower.step(frame({0, 0, 0.1501})).size(), 3u);
  EXPECT_FALSE(follower.is_crowded);
  EXPECT_EQ(follower.step(frame({0, 0, 0.1499})).size(), 3u);
  EXPECT_TRUE(follower.is_crowded);
}

TEST(MeshGap, ABodyThatIsAllInsideOfAnotherIsNotOpen) {
  const MeshPtr block = shared(box_soup({2, 2, 2})), peg = shared(peg_soup(0.1, 0.3, 12));
  const auto least = [](const SpatialGap& gap, const Frame& a) { return nearest_of(evaluate(gap, a, kWorld)).gap; };
  const Frame inside = frame({0.5, 0, 0});
  // A corner x of the peg, 0.4 to 0.6 beside the middle of the block, is (1/0.6 - 1) |x| from its surface, or deeper.
  EXPECT_LT(least(*make_mesh_gap(peg, block), inside), -0.4);
  EXPECT_LT(least(*make_mesh_gap(block, peg), inside), -0.1);
  EXPECT_NEAR(least(*make_mesh_gap(SphereShape{Vec3::Zero(), 0.1}, block), inside), -0.5, 1e-12);
  EXPECT_EQ(least(*make_mesh_gap(peg, block), frame({3, 0, 0})), kInfinity);
  // Inside of a hole is outside.
  EXPECT_EQ(least(*make_mesh_gap(peg, shared(ring_soup(0.5, 1, 1, 24))), kWorld), kInfinity);
}

TEST(MeshGap, SwappedShapesHaveTheSameContactsWithTheOtherNormal) {
  const MeshShape plate{shared(box_soup({2, 2, 0.2})), ""};
  const SphereShape ball{Vec3::Zero(), 0.1};
  const Frame at = frame({0.3, 0.2, 0.201});
  const auto one = make_spatial_gap(ball, plate), other = make_spatial_gap(plate, ball);
  EXPECT_TRUE(other->follows_contacts());
  const SpatialContactPoint a = nearest_of(evaluate(*one, at, kWorld)), b = nearest_of(evaluate(*other, kWorld, at));
  EXPECT_NEAR(a.gap, 0.001, 1e-12);
  EXPECT_EQ(a.gap, b.gap);
  EXPECT_EQ(a.normal, Vec3(-b.normal));
  EXPECT_EQ(a.point_a, b.point_b);
}

TEST(MeshGap, NoGapIsBelowTheBoundOfThePair) {
  RandomSolids random(5);
  const MeshShape torus{shared(torus_soup(0.4, 0.15, 12, 24)), ""};
  int near = 0;
  for (int i = 0; i < 2000; ++i) {
    const Frame a = random.motion(0.8).at(0), b = random.motion(0.8).at(0);
    const double least = nearest_of(evaluate(torus, a, torus, b)).gap;
    EXPECT_GE(least, gap_bound(placed(bound_of(torus), a), placed(bound_of(torus), b)));
    near += least < kInfinity ? 1 : 0;
  }
  EXPECT_GT(near, 50);
}

// A box that slides and turns on a plate: each corner stays at its place among the points.
TEST(MeshGap, ContactsKeepTheirPlacesWhileABodySlides) {
  const auto gap = make_mesh_gap(BoxShape{Vec3::Zero(), {0.2, 0.3, 0.1}, Eigen::Quaterniond::Identity()},
                                 shared(refined(box_soup({2, 2, 0.2}), 3)));
  Follower follower(*gap);
  std::vector<std::size_t> places;
  for (int i = 0; i < 200; ++i) {
    const auto now = follower.step(frame({-0.5 + 0.005 * i, 0.1, 0.15}, Vec3::UnitZ(), 0.01 * i));
    if (i > 0) {
      ASSERT_EQ(now, places) << i;
    }
    places = now;
  }
  EXPECT_EQ(places.size(), 4u);
}

TEST(MeshGap, ACylinderBesideABoxHasTheDistanceOfTheClosedForm) {
  RandomSolids random(21);
  int near = 0;
  for (int i = 0; i < 1500; ++i) {
    const BoxShape box{random.vector(0.1),
                       {random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)},
                       Eigen::Quaterniond(random.rotation())};
    const CylinderShape cylinder{random.vector(0.1), random.direction(), random.uniform(0.1, 0.4),
                                 random.uniform(0.2, 0.8)};
    const Frame a = random.motion(0.8).at(0), b = random.motion(0.8).at(0);
    const double exact = nearest_of(evaluate(cylinder, a, box, b)).gap;
    if (exact < 1e-6 || exact > 0.4) continue;
    EXPECT_NEAR(least_gap(contacts_of(solid::of(cylinder), mesh_of(box), a, b, 0.5)), exact, 1e-9) << i;
    ++near;
  }
  EXPECT_GT(near, 300);
}

TEST(MeshGap, ACylinderStandsAndLiesOnAPlateWithoutRocking) {
  const TriangleMesh plate = built(refined(box_soup({2, 2, 0.2}), 3));
  const solid::Cylinder cylinder = solid::of(CylinderShape{Vec3::Zero(), Vec3::UnitZ(), 0.1, 0.4});
  for (const double gap : {1e-4, 0.0, -1e-4}) {
    const auto standing = contacts_of(cylinder, plate, frame({0.13, 0.2, 0.3 + gap}), kWorld, 1e-3);
    EXPECT_EQ(standing.size(), 4u);  // three fixed points and the lowest
    const auto lying =
        contacts_of(cylinder, plate, frame({0.13, 0.2, 0.2 + gap}, Vec3::UnitX(), kPi / 2), kWorld, 1e-3);
    EXPECT_EQ(lying.size(), 2u);
    for (const auto& contacts : {standing, lying}) {
      for (const MeshContact& c : contacts) {
        EXPECT_NEAR(c.gap, gap, 1e-12);
        EXPECT_LE((c.normal - Vec3::UnitZ()).norm(), 1e-12);
      }
    }
  }
}

TEST(MeshGap, ACylinderInAHoleHasThePlayOfTheHole) {
  const int sides = 48;
  const TriangleMesh hole = built(ring_soup(10.1e-3, 20e-3, 20e-3, sides));
  const double apothem = 10.1e-3 * std::cos(kPi / sides);
  const solid::Cylinder peg = solid::of(CylinderShape{Vec3::Zero(), Vec3::UnitZ(), 10e-3, 10e-3});
  EXPECT_NEAR(least_gap(contacts_of(peg, hole, kWorld, kWorld, 1e-3, 1024)), apothem - 10e-3, 1e-12);
}

}  // namespace
}  // namespace freeplay::test
