// The broad phase against all pairs one by one.
#include "freeplay/geometry/broadphase/broad_phase.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "allocation/allocation_counter.h"

namespace freeplay::geometry {
void PrintTo(const BroadPhase::Pair& pair, std::ostream* out) {
  *out << pair.first << "-" << pair.second;
}
}  // namespace freeplay::geometry

namespace freeplay::test {
namespace {

using Balls = std::vector<BoundingSphere>;
using Members = std::vector<BroadPhase::Member>;
using Pairs = std::vector<BroadPhase::Pair>;

Members every_ball_a_body(std::size_t count) {
  Members members;
  for (std::size_t i = 0; i < count; ++i) members.push_back({static_cast<std::int32_t>(i)});
  return members;
}

Pairs found(BroadPhase& broad_phase, const Balls& balls) {
  const std::span<const BroadPhase::Pair> pairs = broad_phase.find_pairs(balls);
  return {pairs.begin(), pairs.end()};
}

Pairs found(const Balls& balls) {
  BroadPhase broad_phase(every_ball_a_body(balls.size()));
  return found(broad_phase, balls);
}

// In the order that is promised. Written without the functions of the broad phase.
Pairs one_by_one(const Balls& balls, const Members& members) {
  Pairs pairs;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      const double reach = balls[i].radius_m + balls[j].radius_m;
      const bool apart = (balls[i].centre_m - balls[j].centre_m).squaredNorm() > reach * reach;
      const bool asked = (members[i].groups & members[j].against) != 0 || (members[j].groups & members[i].against) != 0;
      if (!apart && asked && members[i].body != members[j].body)
        pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
    }
  }
  return pairs;
}

struct Random {
  explicit Random(std::uint64_t seed) : generator(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(generator); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(generator); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  std::mt19937_64 generator;
};

// ---- clouds ----

struct Cloud {
  std::string name;
  std::function<BoundingSphere(Random&)> ball;
};

std::vector<Cloud> clouds() {
  return {{"similar",
           [](Random& r) {
             return BoundingSphere{r.vector(5), r.uniform(0.4, 0.6)};
           }},
          {"equal_radii_on_a_lattice",
           [](Random& r) {
             return BoundingSphere{Vec3(r.integer(-4, 4), r.integer(-4, 4), r.integer(-4, 4)), 0.5};
           }},
          {"lattice_of_powers_of_two",
           [](Random& r) {
             return BoundingSphere{0.25 * Vec3(r.integer(-9, 9), r.integer(-9, 9), r.integer(-9, 9)), 0.125};
           }},
          {"planar",
           [](Random& r) {
             return BoundingSphere{Vec3(r.uniform(-9, 9), r.uniform(-9, 9), 0), 0.5};
           }},
          {"planar_off_zero",
           [](Random& r) {
             return BoundingSphere{Vec3(r.uniform(-9, 9), r.uniform(-9, 9), -0.3), 0.5};
           }},
          {"mixed_sizes",
           [](Random& r) {
             return BoundingSphere{r.vector(5), std::pow(10.0, r.uniform(-6, 0.7))};
           }},
          {"huge_and_tiny",
           [](Random& r) {
             return BoundingSphere{r.vector(1), r.integer(0, 1) == 0 ? 1e-30 : 1e30};
           }},
          {"points",
           [](Random& r) {
             return BoundingSphere{Vec3(r.integer(0, 9), r.integer(0, 9), 0), 0};
           }},
          {"all_at_the_origin",
           [](Random& r) {
             return BoundingSphere{Vec3::Zero(), r.uniform(0, 1)};
           }},
          {"far_away",
           [](Random& r) {
             return BoundingSphere{Vec3(Vec3(1e6, -1e6, 1e6) + r.vector(5)), r.uniform(0.4, 0.6)};
           }},
          {"far_away_and_small",
           [](Random& r) {
             return BoundingSphere{Vec3(Vec3(1e6, -1e6, 1e6) + r.vector(1e-8)), 1e-9};
           }},
          {"near_and_very_far",
           [](Random& r) {
             return BoundingSphere{r.vector(std::pow(10.0, r.uniform(-3, 20))), r.uniform(0, 1)};
           }},
          {"chain", [](Random& r) {
             return BoundingSphere{Vec3(r.uniform(0, 200), 0, 0), 0.6};
           }}};
}

class EveryCloud : public testing::TestWithParam<Cloud> {};

TEST_P(EveryCloud, HasThePairsThatAreFoundOneByOne) {
  std::size_t pairs = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Balls balls(static_cast<std::size_t>(random.integer(0, 300)));
    for (BoundingSphere& ball : balls) ball = GetParam().ball(random);
    const Pairs expected = one_by_one(balls, every_ball_a_body(balls.size()));
    EXPECT_EQ(found(balls), expected) << "seed " << seed;
    pairs += expected.size();
  }
  EXPECT_GT(pairs, 100u) << "hardly any pair to find";
}

// One broad phase that has seen other clouds, and a new one.
TEST_P(EveryCloud, HasPairsThatDoNotDependOnWhatWasAskedBefore) {
  constexpr std::size_t kCount = 150;
  BroadPhase seasoned(every_ball_a_body(kCount));
  Random random(11);
  for (const Cloud& before : clouds()) {
    Balls balls(kCount);
    for (BoundingSphere& ball : balls) ball = before.ball(random);
    found(seasoned, balls);
    for (BoundingSphere& ball : balls) ball = GetParam().ball(random);
    EXPECT_EQ(found(seasoned, balls), found(balls)) << "after " << before.name;
  }
}

INSTANTIATE_TEST_SUITE_P(BroadPhase, EveryCloud, testing::ValuesIn(clouds()),
                         [](const auto& cloud) { return cloud.param.name; });

// ---- who may meet whom ----

TEST(BroadPhase, ProposesOnlyBallsOfDifferentBodiesOfWhichOneAsksForTheOther) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    Balls balls(200);
    Members members(200);
    for (std::size_t i = 0; i < balls.size(); ++i) {
      balls[i] = {random.vector(2), random.uniform(0.1, 0.6)};
      members[i] = {random.integer(0, 40), static_cast<std::uint64_t>(random.integer(0, 15)),
                    static_cast<std::uint64_t>(random.integer(0, 3))};
    }
    BroadPhase broad_phase(members);
    EXPECT_EQ(found(broad_phase, balls), one_by_one(balls, members)) << "seed " << seed;
  }
}

TEST(BroadPhase, AsksWithEitherOfTwo) {
  const Balls both = {{Vec3::Zero(), 1}, {Vec3::UnitX(), 1}};
  for (const auto& [a, b, expected] : {std::tuple{1, 2, 0u}, {2, 0, 1u}, {0, 1, 1u}, {2, 1, 1u}, {0, 0, 0u}}) {
    BroadPhase broad_phase({{0, 1, static_cast<std::uint64_t>(a)}, {1, 2, static_cast<std::uint64_t>(b)}});
    EXPECT_EQ(broad_phase.find_pairs(both).size(), expected) << a << ", " << b;
  }
}

// ---- odd input ----

TEST(BroadPhase, ProposesEveryPairOfABallThatIsUndefinedOrInfinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const Balls odd = {{{nan, 0, 0}, 1},      {{0, nan, 0}, 1},      {{0, 0, nan}, 1},      {{0, 0, 0}, nan},
                     {{0, 0, 0}, infinity}, {{infinity, 0, 0}, 1}, {{0, -infinity, 0}, 1}};
  for (const BoundingSphere& ball : odd) {
    const Balls balls = {{{0, 0, 0}, 1}, {{1, 0, 0}, 1}, ball, {{100, 0, 0}, 1}, ball, {{-100, 0, 0}, 1}};
    const Pairs expected = {{0, 1}, {0, 2}, {0, 4}, {1, 2}, {1, 4}, {2, 3}, {2, 4}, {2, 5}, {3, 4}, {4, 5}};
    EXPECT_EQ(found(balls), expected) << ball.centre_m.transpose() << ", " << ball.radius_m;
  }
}

TEST(BroadPhase, OfNothingOrOneBallProposesNothing) {
  EXPECT_TRUE(found(Balls{}).empty());
  EXPECT_TRUE(found(Balls{{Vec3::Zero(), 1}}).empty());
}

// Two balls whose centres are one cell apart and a rounding more, with radii that fill the cells.
TEST(BroadPhase, SeesBallsThatTouchAcrossCells) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const double radius : {0.5, 0.5 * (1 - 0x1p-53), 0.499, 0.25 * (1 + 0x1p-52)}) {
    for (const double from : {0.0, -tiny, -1e-17, 1 - 0x1p-53, 7.0}) {
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 a = Vec3::Zero(), b = Vec3::Zero();
        a[axis] = from;
        b[axis] = from + 2 * radius;
        const Balls balls = {{a, radius}, {b, radius}};
        EXPECT_EQ(found(balls), one_by_one(balls, every_ball_a_body(2))) << radius << ", " << from << ", " << axis;
      }
    }
  }
}

// ---- cost ----

// Balls that just touch on a lattice, more or less shaken.
Balls pile(int edge, double shake, std::uint64_t seed) {
  Random random(seed);
  Balls balls;
  for (int x = 0; x < edge; ++x) {
    for (int y = 0; y < edge; ++y) {
      for (int z = 0; z < edge; ++z) balls.push_back({Vec3(x, y, z) + random.vector(shake), 0.5});
    }
  }
  return balls;
}

TEST(BroadPhase, AllocatesNothingOnceItHasSeenAsManyPairs) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc cannot be counted";
#endif
  const Balls first = pile(8, 0.1, 1), second = pile(8, 0.2, 2);  // the more they are shaken, the fewer overlap
  BroadPhase broad_phase(every_ball_a_body(first.size()));
  const std::size_t pairs = broad_phase.find_pairs(first).size();
  ASSERT_GT(pairs, broad_phase.find_pairs(second).size());
  EXPECT_EQ(allocations_during([&] {
              broad_phase.find_pairs(second);
              broad_phase.find_pairs(first);
            }),
            0u);
}

}  // namespace
}  // namespace freeplay::test
