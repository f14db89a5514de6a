// Places of many bodies: they do not overlap, lie where they should, and are the same wherever they are made.
#include "freeplay/model/body_fill.h"

#include <gmock/gmock.h>

#include <numbers>

#include "freeplay/geometry/shapes/mass_properties.h"
#include "freeplay/geometry/shapes/scaled_shape.h"
#include "freeplay/model/body_copies.h"

namespace freeplay::test::body_fill_test {
namespace {

using testing::HasSubstr;

constexpr double kReach = 0.05;

FillSpec unit_box(int count) {
  FillSpec fill;
  fill.count = count;
  fill.to_m = Vec3::Ones();
  return fill;
}

Places filled(const FillSpec& spec, Space space = Space::kSpatial) {
  BallGrid taken;
  return fill_places(spec, space, kReach, taken);
}

void expect_apart(const std::vector<BodyPlace>& places, double gap = 0) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      ASSERT_GE((places[i].shift_m - places[j].shift_m).norm(),
                kReach * (places[i].size + places[j].size) + gap - 1e-15)
          << i << ' ' << j;
    }
  }
}

void expect_within(const std::vector<BodyPlace>& places, const FillSpec& spec, int axes = 3) {
  for (const BodyPlace& place : places) {
    for (int k = 0; k < axes; ++k) {
      EXPECT_GE(place.shift_m[k], spec.from_m[k] + kReach * place.size);
      EXPECT_LE(place.shift_m[k], spec.to_m[k] - kReach * place.size);
    }
  }
}

TEST(Fill, KeepsBodiesApartAndInTheRegionOnTheLatticeAndAtRandom) {
  for (const auto arrangement : {FillSpec::Arrangement::kLattice, FillSpec::Arrangement::kRandom}) {
    FillSpec spec = unit_box(300);
    spec.arrangement = arrangement;
    spec.size_spread = Distribution::uniform(0.5, 1);
    const Places made = filled(spec);
    ASSERT_TRUE(made.problem.empty()) << made.problem.message;
    ASSERT_EQ(made.places.size(), 300u);
    expect_apart(made.places);
    expect_within(made.places, spec);
  }
}

TEST(Fill, InThePlaneLeavesZAlone) {
  FillSpec spec = unit_box(40);
  spec.is_turned = true;
  const Places made = filled(spec, Space::kPlanar);
  ASSERT_EQ(made.places.size(), 40u) << made.problem.message;
  expect_apart(made.places);
  expect_within(made.places, spec, 2);
  for (const BodyPlace& place : made.places) {
    EXPECT_EQ(place.shift_m.z(), 0);
    EXPECT_EQ(place.turn.x(), 0);
    EXPECT_EQ(place.turn.y(), 0);
  }
}

TEST(Fill, IsTheSameForOneSeedAndAnotherForAnother) {
  for (const auto arrangement : {FillSpec::Arrangement::kLattice, FillSpec::Arrangement::kRandom}) {
    FillSpec spec = unit_box(50);
    spec.arrangement = arrangement;
    spec.is_turned = true;
    const Places first = filled(spec), again = filled(spec);
    spec.seed = 2;
    const Places other = filled(spec);
    int equal = 0;
    for (std::size_t i = 0; i < 50; ++i) {
      EXPECT_EQ(first.places[i].shift_m, again.places[i].shift_m);
      EXPECT_EQ(first.places[i].turn.coeffs(), again.places[i].turn.coeffs());
      equal += first.places[i].shift_m == other.places[i].shift_m ? 1 : 0;
    }
    EXPECT_EQ(equal, 0);
  }
}

// Without a count the lattice is filled: cells of 2.1 reaches, 9 along each edge of the box.
TEST(Fill, WithoutACountTakesAllPlacesOfTheLattice) {
  FillSpec spec = unit_box(0);
  spec.count.reset();
  EXPECT_EQ(filled(spec).places.size(), 9u * 9u * 9u);
  spec.radius_m = 0.5;
  spec.centre_m = Vec3::Constant(0.5);
  const Places in_ball = filled(spec);
  EXPECT_GT(in_ball.places.size(), 200u);
  for (const BodyPlace& place : in_ball.places) EXPECT_LE((place.shift_m - spec.centre_m).norm(), 0.5 - kReach + 1e-15);
}

TEST(Fill, GoesOnUpwardsWhereTheRegionIsOpen) {
  FillSpec spec = unit_box(200);
  spec.to_m.z() = 0;
  spec.is_open_above = true;
  const Places made = filled(spec);
  ASSERT_EQ(made.places.size(), 200u) << made.problem.message;
  expect_apart(made.places);
  double highest = 0;
  for (const BodyPlace& place : made.places) highest = std::max(highest, place.shift_m.z());
  EXPECT_NEAR(highest, 2.5 * 2.1 * kReach, 0.05 * kReach) << "81 in a layer: the third one";
}

// A mean over n numbers scatters by their deviation over the root of n: four of these are allowed.
TEST(Fill, DrawsSizesAsItIsTold) {
  constexpr int kCount = 2000;
  FillSpec spec = unit_box(kCount);
  spec.to_m *= 4;
  spec.sizes = {0.5, 1, 1};
  int large = 0;
  for (const BodyPlace& place : filled(spec).places) {
    EXPECT_TRUE(place.size == 0.5 || place.size == 1);
    large += place.size == 1 ? 1 : 0;
  }
  EXPECT_NEAR(large, kCount * 2 / 3.0, 4 * std::sqrt(kCount * 2 / 9.0));
  for (const Distribution& spread :
       {Distribution::uniform(0.5, 1), Distribution::normal(0.8, 0.05), Distribution::triangular(0.4, 0.9, 1)}) {
    spec.size_spread = spread;
    double sum = 0, least = 1, most = 0;
    for (const BodyPlace& place : filled(spec).places) {
      sum += place.size;
      least = std::min(least, place.size);
      most = std::max(most, place.size);
    }
    EXPECT_NEAR(sum / kCount, spread.mean(), 4 * spread.standard_deviation() / std::sqrt(kCount));
    EXPECT_GT(most - least, 2 * spread.standard_deviation());
    EXPECT_LE(most, 1.0000001);
    EXPECT_GE(least, 0.4);
  }
}

// The mean of an even distribution of rotations is the zero matrix; an entry has the variance 1/3.
TEST(Fill, TurnsBodiesEvenly) {
  constexpr int kCount = 2000;
  FillSpec spec = unit_box(kCount);
  spec.to_m *= 4;
  spec.is_turned = true;
  Mat3 mean = Mat3::Zero();
  for (const BodyPlace& place : filled(spec).places) {
    EXPECT_NEAR(place.turn.norm(), 1, 1e-14);
    mean += place.turn.toRotationMatrix() / kCount;
  }
  EXPECT_LT(mean.cwiseAbs().maxCoeff(), 4 / std::sqrt(3.0 * kCount));
}

TEST(Fill, KeepsClearOfWhatIsThereAlready) {
  BallGrid taken;
  const Vec3 centre = Vec3::Constant(0.5);
  taken.add(centre, 0.2);
  for (const auto arrangement : {FillSpec::Arrangement::kLattice, FillSpec::Arrangement::kRandom}) {
    FillSpec spec = unit_box(100);
    spec.arrangement = arrangement;
    BallGrid own = taken;
    for (const BodyPlace& place : fill_places(spec, Space::kSpatial, kReach, own).places)
      EXPECT_GE((place.shift_m - centre).norm(), 0.2 + kReach);
  }
}

TEST(Fill, SaysWhyItCannotBe) {
  const auto problem_of = [](auto change) {
    FillSpec spec = unit_box(10);
    change(spec);
    const PlacingProblem problem = filled(spec).problem;
    EXPECT_FALSE(problem.hint.empty()) << problem.message;
    return problem.key + ": " + problem.message;
  };
  using Arrangement = FillSpec::Arrangement;
  EXPECT_EQ(problem_of([](FillSpec& s) { s.count = 1000; }), "count: the region is full after 729 of 1000 bodies");
  EXPECT_THAT(problem_of([](FillSpec& s) {
                s.count = 800;
                s.arrangement = Arrangement::kRandom;
              }),
              HasSubstr("800 bodies fill more than 38 % of the region"));
  EXPECT_THAT(problem_of([](FillSpec& s) {
                s.count = 700;
                s.arrangement = Arrangement::kRandom;
                s.gap_m = 0.05;
              }),
              HasSubstr("the region is full after"));
  EXPECT_THAT(problem_of([](FillSpec& s) { s.to_m.y() = 0.09; }), HasSubstr("to: the region is 0.09 m wide along y"));
  EXPECT_THAT(problem_of([](FillSpec& s) { s.to_m.y() = -1; }), HasSubstr("to: the region is -1 m wide"));
  EXPECT_THAT(problem_of([](FillSpec& s) { s.sizes = {1, 0}; }), HasSubstr("size: a body could get a size of 0"));
  EXPECT_THAT(problem_of([](FillSpec& s) { s.size_spread = Distribution::normal(1, 0.4); }), HasSubstr("size"));
  EXPECT_THAT(problem_of([](FillSpec& s) {
                s.count.reset();
                s.arrangement = Arrangement::kRandom;
              }),
              HasSubstr("count"));
  EXPECT_THAT(problem_of([](FillSpec& s) {
                s.count.reset();
                s.to_m *= 100;
              }),
              HasSubstr("room for"));
  EXPECT_THAT(problem_of([](FillSpec& s) {
                s.is_open_above = true;
                s.radius_m = 0.01;
              }),
              HasSubstr("full after 0 of 10"));
  BallGrid taken;
  EXPECT_FALSE(
      fill_places(unit_box(1), Space::kSpatial, std::numeric_limits<double>::infinity(), taken).problem.empty());
}

// Two rows of three and one of two, half a brick aside.
TEST(Pattern, OfBricksIsStaggered) {
  PatternSpec spec;
  spec.count = 3;
  spec.shift_m = {2, 0, 0};
  spec.rows = 3;
  spec.row_shift_m = {0, 1, 0};
  spec.stagger_m = {1, 0, 0};
  spec.is_shorter = true;
  std::vector<Vec3> expected = {{0, 0, 0}, {2, 0, 0}, {4, 0, 0}, {1, 1, 0}, {3, 1, 0}, {0, 2, 0}, {2, 2, 0}, {4, 2, 0}};
  const Places made = pattern_places(spec);
  ASSERT_EQ(made.places.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(made.places[i].shift_m, expected[i]);
}

// Copies on a circle: the k-th one is k quarter turns about (1, 0) away, whatever the first one's place is.
TEST(Pattern, TurnsAboutAnAxis) {
  PatternSpec spec;
  spec.count = 4;
  spec.turn = std::numbers::pi / 2;
  spec.at_m = {1, 0, 0};
  const Places made = pattern_places(spec);
  BodySpec body;
  body.mass_kg = 1;
  body.initial.position_m = {3, 0, std::nullopt};
  body.initial.velocity_m_s = {1, 0, std::nullopt};
  const std::vector<Vec3> expected = {{3, 0, 0}, {1, 2, 0}, {-1, 0, 0}, {1, -2, 0}};
  for (std::size_t k = 0; k < 4; ++k) {
    const BodySpec copy = copy_of(body, made.places[k], Space::kPlanar, "copy");
    EXPECT_NEAR(*copy.initial.position_m[0], expected[k].x(), 1e-15);
    EXPECT_NEAR(*copy.initial.position_m[1], expected[k].y(), 1e-15);
    EXPECT_NEAR(std::remainder(*copy.initial.angle - static_cast<double>(k) * spec.turn, 2 * std::numbers::pi), 0,
                1e-15);
    EXPECT_NEAR(*copy.initial.velocity_m_s[0], std::cos(static_cast<double>(k) * spec.turn), 1e-15);
  }
}

// A random attitude is that of the copy alone: what falls goes on falling downwards.
TEST(Fill, TurnsCopiesAndNotTheirVelocities) {
  BodySpec body;
  body.mass_kg = 1;
  body.initial.velocity_m_s = {0.0, 0.0, -2.0};
  BodyPlace place;
  place.turn = Eigen::Quaterniond(Eigen::AngleAxisd(1, Vec3::UnitX()));
  const BodySpec copy = copy_of(body, place, Space::kSpatial, "copy");
  EXPECT_EQ(*copy.initial.velocity_m_s[2], -2);
  EXPECT_NEAR((*copy.initial.quaternion)[0], std::cos(0.5), 1e-15);
}

TEST(Pattern, RefusesCopiesOnEachOtherAndTooMany) {
  PatternSpec spec;
  spec.count = 3;
  EXPECT_EQ(pattern_places(spec).problem.key, "shift");
  spec.shift_m = Vec3::UnitX();
  spec.rows = 2;
  EXPECT_EQ(pattern_places(spec).problem.key, "row_shift");
  spec.row_shift_m = Vec3::UnitY();
  EXPECT_TRUE(pattern_places(spec).problem.empty());
  spec.layers = 1'000'000;
  EXPECT_EQ(pattern_places(spec).problem.key, "count");
}

// Independent route: mass properties of the scaled shape at the same density.
TEST(Copies, OfAnotherSizeHaveTheDensityOfTheFirst) {
  const double factor = 1.7, density = 2000;
  const ShapeGeometry capsule = CapsuleShape{Vec3::Zero(), Vec3::UnitX(), 0.02, 0.05};
  const SpatialMass one = *spatial_mass_properties(capsule, density),
                    large = *spatial_mass_properties(*scaled_shape(capsule, factor), density);
  BodySpec body;
  body.mass_kg = one.mass_kg;
  body.inertia_kg_m2 = one.inertia_kg_m2;
  const BodySpec copy = copy_of(body, {Vec3(1, 2, 3), Eigen::Quaterniond::Identity(), factor}, Space::kSpatial, "copy");
  EXPECT_NEAR(copy.mass_kg, large.mass_kg, 1e-12 * large.mass_kg);
  EXPECT_LT((copy.inertia_kg_m2 - large.inertia_kg_m2).norm(), 1e-12 * large.inertia_kg_m2.norm());
  EXPECT_EQ(*copy.initial.position_m[2], 3);
  EXPECT_FALSE(scaled_shape(PlaneShape{}, factor).has_value()) << "it has no end";
}

TEST(Copies, MoreThanTheMemoryHoldsAreRefused) {
  EXPECT_TRUE(problem_of_memory(1000).empty());
  const PlacingProblem problem = problem_of_memory(1'000'000'000'000);
  EXPECT_EQ(problem.key, "count");
  EXPECT_THAT(problem.message, HasSubstr("GB"));
}

}  // namespace
}  // namespace freeplay::test::body_fill_test
