// Guesses choose the branch, from far away and without fitting each other; what does not close says by how much. All
// references are intersections of circles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "freeplay/core/error.h"
#include "random_mechanism.h"

namespace freeplay::test::assembly_guess_test {
namespace {

using testing::HasSubstr;
using Point = std::complex<double>;
constexpr double kDegree = std::numbers::pi / 180;

BodySpec rod(const std::string& name) {
  BodySpec spec;
  spec.name = name;
  spec.mass_kg = 1;
  spec.inertia_kg_m2 = 0.1 * Mat3::Identity();
  return spec;
}

JointSpec joint(const std::string& type, const std::string& name, const std::string& parent, const Vec3& at_parent,
                const std::string& child, const Vec3& at_child) {
  JointSpec spec;
  spec.name = name;
  spec.type = type;
  spec.parent = parent;
  spec.child = child;
  spec.at_parent_m = at_parent;
  spec.at_child_m = at_child;
  return spec;
}

JointSpec pin(const std::string& name, const std::string& parent, const Vec3& at_parent, const std::string& child,
              const Vec3& at_child) {
  return joint("revolute", name, parent, at_parent, child, at_child);
}

double turned_back(double angle) {
  return std::remainder(angle, 2 * std::numbers::pi);
}

std::string error_of(const MechanismSpec& spec) {
  try {
    Mechanism::build(spec);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

double value(const Mechanism& mechanism, const std::string& channel) {
  const auto dynamics = mechanism.make_dynamics();
  const State state = mechanism.initial_state();
  dynamics->set_position(0, state.q);
  dynamics->set_velocity(state.u);
  return ChannelProbe(mechanism, *dynamics)(channel);
}

// The third corner of a triangle over two points, with the lengths of the sides at the first and the second; `side`:
// +1 on the left of the way from the first to the second.
Point corner(Point first, Point second, double at_first, double at_second, int side) {
  const Point along = (second - first) / std::abs(second - first);
  const double d = std::abs(second - first), x = (d * d + at_first * at_first - at_second * at_second) / (2 * d);
  return first + along * Point(x, side * std::sqrt(at_first * at_first - x * x));
}

// mm throughout, so that lengths are small numbers beside angles: crank 40, coupler 120, rocker 80, ground 100.
constexpr double kCrank = 0.04, kCoupler = 0.12, kRocker = 0.08, kGround = 0.1;

MechanismSpec four_bar(double coupler = kCoupler, double rocker = kRocker) {
  MechanismSpec spec;
  spec.bodies = {rod("crank"), rod("coupler"), rod("rocker")};
  spec.joints = {pin("a", "ground", {0, 0, 0}, "crank", {-kCrank / 2, 0, 0}),
                 pin("b", "crank", {kCrank / 2, 0, 0}, "coupler", {-coupler / 2, 0, 0}),
                 pin("d", "ground", {kGround, 0, 0}, "rocker", {-rocker / 2, 0, 0}),
                 pin("c", "coupler", {coupler / 2, 0, 0}, "rocker", {rocker / 2, 0, 0})};
  return spec;
}

struct FourBarAngles {
  double coupler = 0, rocker = 0;
};

FourBarAngles closed_four_bar(double crank, int side) {
  const Point tip = std::polar(kCrank, crank), bearing = kGround;
  const Point end = corner(tip, bearing, kCoupler, kRocker, side);
  return {std::arg(end - tip), std::arg(end - bearing)};
}

// 30 degrees wrong, one in one direction and one in the other: no position has both.
TEST(AssemblyGuess, ChoosesTheBranchOfAFourBar) {
  for (const double crank : {-150.0, -70.0, 10.0, 40.0, 125.0}) {
    for (const int side : {1, -1}) {
      for (const double wrong : {30.0, -30.0}) {
        const FourBarAngles closed = closed_four_bar(crank * kDegree, side);
        MechanismSpec spec = four_bar();
        spec.joints[0].initial_q = {crank * kDegree};
        spec.bodies[1].guess.angle = closed.coupler + wrong * kDegree;
        spec.bodies[2].guess.angle = closed.rocker - wrong * kDegree;
        const auto mechanism = Mechanism::build(spec);
        EXPECT_NEAR(value(*mechanism, "a.q"), crank * kDegree, 1e-12) << "given, not guessed";
        EXPECT_NEAR(turned_back(value(*mechanism, "coupler.angle") - closed.coupler), 0, 1e-9) << crank << " " << side;
        EXPECT_NEAR(turned_back(value(*mechanism, "rocker.angle") - closed.rocker), 0, 1e-9) << crank << " " << side;
        ASSERT_EQ(mechanism->assembly_notes().size(), 1U);
        EXPECT_THAT(mechanism->assembly_notes()[0], HasSubstr("next to the guesses: 30 deg from bodies."));
      }
    }
  }
}

// Nothing given: the crank is free to turn, and stands where the squares of the three differences are least, as a
// search over all of its angles and both branches finds it. Guesses on joints, one of which closes the loop.
TEST(AssemblyGuess, WithoutInitialValuesTheNearestClosedPositionIsTaken) {
  for (const int side : {1, -1}) {
    const double crank = 40 * kDegree;
    const FourBarAngles closed = closed_four_bar(crank, side);
    const double guess_a = crank + 0.4, guess_d = closed.rocker - 0.5, guess_c = closed.rocker - closed.coupler + 0.3;
    MechanismSpec spec = four_bar();
    spec.joints[0].guess_q = {guess_a};
    spec.joints[2].guess_q = {guess_d};
    spec.joints[3].guess_q = {guess_c};
    const auto distance = [&](double a, const FourBarAngles& angles) {
      return std::hypot(turned_back(a - guess_a), turned_back(angles.rocker - guess_d),
                        turned_back(angles.rocker - angles.coupler - guess_c));
    };
    double least = 10;
    for (int i = 0; i < 360000; ++i) {
      for (const int branch : {1, -1})
        least = std::min(least, distance(i * 1e-3 * kDegree, closed_four_bar(i * 1e-3 * kDegree, branch)));
    }
    const auto mechanism = Mechanism::build(spec);
    EXPECT_EQ(mechanism->joints[3].role, Mechanism::JointRole::kConstraint);
    const FourBarAngles found = {value(*mechanism, "coupler.angle"), value(*mechanism, "rocker.angle")};
    EXPECT_NEAR(distance(value(*mechanism, "a.q"), found), least, 1e-8) << side;
  }
}

// x = r cos(phi) +- sqrt(l^2 - r^2 sin^2 phi): the slider before or behind the crank.
TEST(AssemblyGuess, PutsASliderOnEitherSideOfItsCrank) {
  for (const double crank : {20.0, 100.0, 170.0}) {
    for (const int side : {1, -1}) {
      MechanismSpec spec;
      spec.bodies = {rod("crank"), rod("rod"), rod("slider")};
      spec.joints = {pin("a", "ground", {0, 0, 0}, "crank", {-0.05, 0, 0}),
                     pin("b", "crank", {0.05, 0, 0}, "rod", {-0.15, 0, 0}),
                     pin("c", "rod", {0.15, 0, 0}, "slider", {0, 0, 0}),
                     joint("prismatic", "guide", "ground", {0, 0, 0}, "slider", {0, 0, 0})};
      spec.joints[0].initial_q = {crank * kDegree};
      spec.joints[3].guess_q = {side * 0.1};  // 0.2 to 0.4 m would be right
      const auto mechanism = Mechanism::build(spec);
      const double phi = crank * kDegree;
      const double x = 0.1 * std::cos(phi) + side * std::sqrt(0.09 - 0.01 * std::sin(phi) * std::sin(phi));
      EXPECT_NEAR(value(*mechanism, "slider.x"), x, 1e-10) << crank;
      EXPECT_NEAR(value(*mechanism, "slider.y"), 0, 1e-10);
    }
  }
}

// Crank about z, rocker about x at (0.3, 0.2, 0), a coupler between two balls: for each crank angle the rocker's end,
// in the plane x = 0.3, has the coupler's length from the crank's end: two circles in that plane.
TEST(AssemblyGuess, ChoosesTheBranchOfASpatialFourBarFromFarAway) {
  constexpr double r = 0.1, l = 0.4, R = 0.2;
  MechanismSpec spec;
  spec.space = Space::kSpatial;
  spec.bodies = {rod("crank"), rod("coupler"), rod("rocker")};
  spec.joints = {pin("a", "ground", {0, 0, 0}, "crank", {-r / 2, 0, 0}),
                 joint("spherical", "b", "crank", {r / 2, 0, 0}, "coupler", {-l / 2, 0, 0}),
                 pin("d", "ground", {0.3, 0.2, 0}, "rocker", {0, -R / 2, 0}),
                 joint("spherical", "c", "coupler", {l / 2, 0, 0}, "rocker", {0, R / 2, 0})};
  spec.joints[2].axis = Vec3(1, 0, 0);
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> any(-std::numbers::pi, std::numbers::pi);
  int right = 0;
  constexpr int kTrials = 60;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double phi = any(generator), guess = any(generator);
    const double x = r * std::cos(phi), y = r * std::sin(phi);
    const double reach = std::sqrt(l * l - (0.3 - x) * (0.3 - x));  // of the coupler in the plane x = 0.3
    const Point bearing(0.2, 0), foot(y, 0);
    const double upper = std::arg(corner(bearing, foot, R, reach, 1) - bearing);
    const double lower = std::arg(corner(bearing, foot, R, reach, -1) - bearing);
    const bool is_upper = std::abs(turned_back(upper - guess)) < std::abs(turned_back(lower - guess));
    spec.joints[0].initial_q = {phi};
    spec.joints[2].guess_q = {guess};
    const auto mechanism = Mechanism::build(spec);
    right += std::abs(turned_back(value(*mechanism, "d.q") - (is_upper ? upper : lower))) < 1e-8 ? 1 : 0;
  }
  EXPECT_EQ(right, kTrials);
}

// Stephenson's third: a four-bar, and two more links from a point beside its coupler to the ground. Two branches of the
// four-bar times two of the links: up to four positions for one angle of the crank.
struct SixBar {
  double coupler = 0, rocker = 0, link = 0, output = 0;
  double distance(const SixBar& other) const {
    return std::hypot(std::hypot(turned_back(coupler - other.coupler), turned_back(rocker - other.rocker)),
                      std::hypot(turned_back(link - other.link), turned_back(output - other.output)));
  }
};

const Point kSide(0.02, 0.05), kSecondBearing(0.08, 0.18);
constexpr double kLink = 0.12, kOutput = 0.1;

std::vector<SixBar> closed_six_bars(double crank) {
  std::vector<SixBar> all;
  for (const int branch : {1, -1}) {
    const FourBarAngles four = closed_four_bar(crank, branch);
    const Point middle = std::polar(kCrank, crank) + std::polar(kCoupler / 2, four.coupler);
    const Point side = middle + kSide * std::polar(1.0, four.coupler);
    const double d = std::abs(kSecondBearing - side);
    if (d > kLink + kOutput || d < std::abs(kLink - kOutput)) continue;
    for (const int second : {1, -1}) {
      const Point end = corner(side, kSecondBearing, kLink, kOutput, second);
      all.push_back({four.coupler, four.rocker, std::arg(end - side), std::arg(end - kSecondBearing)});
    }
  }
  return all;
}

TEST(AssemblyGuess, FindsTheNearestOfAllPositionsOfASixBarFromAnywhere) {
  MechanismSpec spec = four_bar();
  spec.bodies.insert(spec.bodies.end(), {rod("link"), rod("output")});
  spec.joints.push_back(pin("e", "coupler", {kSide.real(), kSide.imag(), 0}, "link", {-kLink / 2, 0, 0}));
  spec.joints.push_back(
      pin("f", "ground", {kSecondBearing.real(), kSecondBearing.imag(), 0}, "output", {-kOutput / 2, 0, 0}));
  spec.joints.push_back(pin("g", "link", {kLink / 2, 0, 0}, "output", {kOutput / 2, 0, 0}));
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> any(-std::numbers::pi, std::numbers::pi);
  int closed = 0, nearest = 0, trials = 0;
  std::size_t most = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const double crank = any(generator);
    const SixBar guess{any(generator), any(generator), any(generator), any(generator)};
    const std::vector<SixBar> all = closed_six_bars(crank);
    if (all.empty()) continue;
    ++trials;
    most = std::max(most, all.size());
    double least = 100;
    for (const SixBar& position : all) least = std::min(least, position.distance(guess));
    spec.joints[0].initial_q = {crank};
    const std::array<double, 4> angles = {guess.coupler, guess.rocker, guess.link, guess.output};
    for (std::size_t i = 0; i < 4; ++i) spec.bodies[1 + i].guess.angle = angles[i];
    const auto mechanism = Mechanism::build(spec);
    const SixBar found{value(*mechanism, "coupler.angle"), value(*mechanism, "rocker.angle"),
                       value(*mechanism, "link.angle"), value(*mechanism, "output.angle")};
    for (const SixBar& position : all) closed += position.distance(found) < 1e-7 ? 1 : 0;
    nearest += std::abs(found.distance(guess) - least) < 1e-7 ? 1 : 0;
  }
  EXPECT_GT(trials, 60);
  EXPECT_EQ(most, 4U);
  EXPECT_EQ(closed, trials);
  EXPECT_EQ(nearest, trials);
}

TEST(AssemblyGuess, OfAJointWithSeveralCoordinatesThatClosesALoopIsAnError) {
  MechanismSpec spec;
  spec.space = Space::kSpatial;
  spec.bodies = {rod("lower"), rod("upper")};
  spec.joints = {pin("a", "ground", {0, 0, 0}, "lower", {-0.1, 0, 0}),
                 pin("b", "lower", {0.1, 0, 0}, "upper", {-0.1, 0, 0}),
                 joint("spherical", "c", "ground", {0.3, 0, 0}, "upper", {0.1, 0, 0})};
  spec.joints[2].guess_q = {1.0, 0.0, 0.0, 0.0};
  EXPECT_THAT(error_of(spec), HasSubstr("joints.c.guess: this joint closes a loop and has no coordinates"));
}

// Coupler and rocker straight between the crank's end and the bearing: what is missing is the gap.
TEST(AssemblyGap, IsTheClosedFormWithItsUnitAndDirection) {
  // Crank end at (0, 40), bearing at (100, 0): 107.703 mm apart, 60 + 30 can be reached: 17.7033 mm are missing.
  MechanismSpec spec = four_bar(0.06, 0.03);
  spec.joints[0].initial_q = {90 * kDegree};
  std::string text = error_of(spec);
  EXPECT_THAT(text, HasSubstr("cannot be assembled"));
  EXPECT_THAT(text, HasSubstr("'c' stays open by 17.7 mm"));
  EXPECT_THAT(text, HasSubstr("in the direction [0.928, -0.371]"));  // (100, -40)/107.703
  // It would close from where the crank's end is 90 mm away: cos a = (40^2 + 100^2 - 90^2)/(2 40 100), 64.06 deg.
  const std::string before = "The nearest closed position has a ";
  ASSERT_THAT(text, HasSubstr(before));
  EXPECT_NEAR(std::stod(text.substr(text.find(before) + before.size())), 64.056, 0.05);
  // Nothing given: all four in a line, 100 - 40 - 30 - 20 = 10 mm.
  EXPECT_THAT(error_of(four_bar(0.03, 0.02)), HasSubstr("'c' stays open by 10 mm"));
  // A coupler that is too long: 300 - 100 - 40 - 80 = 80 mm.
  EXPECT_THAT(error_of(four_bar(0.3, 0.08)), HasSubstr("'c' stays open by 80 mm"));
}

TEST(AssemblyGap, OfInitialValuesThatContradictEachOtherNamesAPositionThatCloses) {
  const FourBarAngles closed = closed_four_bar(40 * kDegree, 1);
  MechanismSpec spec = four_bar();
  spec.joints[0].initial_q = {40 * kDegree};
  spec.joints[1].initial_q = {closed.coupler - 40 * kDegree};
  spec.joints[2].initial_q = {closed.rocker + 20 * kDegree};
  const std::string text = error_of(spec);
  EXPECT_THAT(text, HasSubstr("stays open by 27.78 mm"));  // 2 * 80 mm * sin(10 deg)
  EXPECT_THAT(text, HasSubstr("The nearest closed position has a "));
  EXPECT_THAT(text, HasSubstr("`guess`"));
}

}  // namespace
}  // namespace freeplay::test::assembly_guess_test
