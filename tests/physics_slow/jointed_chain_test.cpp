// A closed chain of 63 links with ordinary joints on two pulleys, all pins in contact with friction: as one tree that a
// loop closes, and with all joints as constraints.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::jointed_chain_test {
namespace {

constexpr int kLinks = 63;
constexpr double kRadius = 0.05, kDistance = 0.1598, kMass = 0.012;
constexpr double kSlack = 10e-6;  // between pins and rims at the start: rigid links that are tight could not move
constexpr int kBisections = 80;

// The pins lie on a way around both pulleys, at equal distances of each other: `pitch`, with which the chain closes.
class Layout {
 public:
  Layout() {
    double shorter = 0.99 * way() / kLinks, longer = 1.01 * way() / kLinks;
    for (int k = 0; k < kBisections; ++k) {
      pitch = (shorter + longer) / 2;
      (lay() >= way() ? longer : shorter) = pitch;
    }
    lay();
  }

  const Vec2& pin(int i) const { return pins_[static_cast<std::size_t>(i % kLinks)]; }
  double angle(int link) const {
    const Vec2 along = pin(link + 1) - pin(link);
    return std::atan2(along.y(), along.x());
  }

  double pitch = 0;

 private:
  static constexpr double kWayRadius = kRadius + kSlack;
  static double way() { return 2 * kDistance + 2 * std::numbers::pi * kWayRadius; }

  // Counter-clockwise from below the driver.
  static Vec2 place(double s) {
    const double half_turn = std::numbers::pi * kWayRadius;
    const auto on_pulley = [](double centre, double angle) {
      return Vec2(centre + kWayRadius * std::cos(angle), kWayRadius * std::sin(angle));
    };
    if (s < kDistance) return {s, -kWayRadius};
    if (s < kDistance + half_turn) return on_pulley(kDistance, (s - kDistance) / kWayRadius - std::numbers::pi / 2);
    if (s < 2 * kDistance + half_turn) return {2 * kDistance + half_turn - s, kWayRadius};
    return on_pulley(0, (s - 2 * kDistance - half_turn) / kWayRadius + std::numbers::pi / 2);
  }

  // Link after link; how far along the way the last one ends.
  double lay() {
    pins_.clear();
    double s = 0;
    for (int i = 0; i < kLinks; ++i) {
      pins_.push_back(place(s));
      double near = s, far = s + 1.1 * pitch;
      for (int k = 0; k < kBisections; ++k) {
        const double middle = (near + far) / 2;
        ((place(middle) - pins_.back()).norm() < pitch ? near : far) = middle;
      }
      s = far;
    }
    return s;
  }

  std::vector<Vec2> pins_;
};

enum class Joints { kTree, kConstraints };

std::string bodies_of(const Layout& layout, Joints joints) {
  std::string text;
  for (const char* pulley : {"driver", "driven"})
    text += fmt::format("  {}: {{mass: 1 kg, inertia: 2e-3 kg m^2, shapes: {{rim: {{type: circle, radius: {} m}}}}}}\n",
                        pulley, kRadius);
  for (int i = 0; i < kLinks; ++i) {
    const Vec2 middle = (layout.pin(i) + layout.pin(i + 1)) / 2;
    const std::string start = fmt::format(", initial: {{x: {:.17g} m, y: {:.17g} m, angle: {:.17g} rad}}", middle.x(),
                                          middle.y(), layout.angle(i));
    text += fmt::format(
        "  l{}: {{mass: {} kg, inertia: {:.17g} kg m^2{}, shapes: {{pin: {{type: point, at: [{:.17g} m, 0]}}}}}}\n", i,
        kMass, kMass * layout.pitch * layout.pitch / 12, joints == Joints::kConstraints || i == 0 ? start : "",
        -layout.pitch / 2);
  }
  return text;
}

std::string joints_of(const Layout& layout, Joints joints) {
  std::string text = fmt::format(
      "  driver_bearing: {{type: revolute, parent: ground, child: driver}}\n"
      "  driven_bearing: {{type: revolute, parent: ground, child: driven, at_parent: [{} m, 0]}}\n",
      kDistance);
  for (int i = 1; i <= kLinks; ++i) {
    const double bend = std::remainder(layout.angle(i % kLinks) - layout.angle(i - 1), 2 * std::numbers::pi);
    std::string more = joints == Joints::kConstraints ? ", as: constraint" : "";
    if (joints == Joints::kTree && i < kLinks) more = fmt::format(", initial: {{q: {:.17g} rad, u: 0 rad/s}}", bend);
    text += fmt::format(
        "  j{0}: {{type: revolute, parent: l{1}, at_parent: [{2:.17g} m, 0], child: l{0}, at_child: [{3:.17g} m, "
        "0]{4}}}\n",
        i % kLinks, i - 1, layout.pitch / 2, -layout.pitch / 2, more);
  }
  return text;
}

// At rest at first; gravity lays the chain on the pulleys, and the motor turns the driver under it.
ModelRun run_chain(Joints joints, const char* step) {
  const Layout layout;
  std::string pins;
  for (int i = 0; i < kLinks; ++i) pins += fmt::format("{}l{}.pin", i == 0 ? "" : ", ", i);
  return run_model(parse_model(
      "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\nbodies:\n" + bodies_of(layout, joints) + "joints:\n" +
          joints_of(layout, joints) + "forces: {motor: {type: torque, on: driver, value: 1 N m}}\n" +
          "groups: {rollers: {members: [driver.rim, driven.rim], against: [" + pins +
          "], restitution: 0, friction: 0.4}}\n"
          "simulate: {integrator: moreau-midpoint, velocity_forces: midpoint, duration: 3 ms, step: " +
          step + "}\n",
      "chain.yaml"));
}

// The two descriptions are the same mechanics, and differ by the error of the step only, which is of the first order:
// half the step, half the difference, in the positions of links and in the speeds of both pulleys.
TEST(JointedChain, MovesOnItsPulleysTheSameAsATreeAndAsConstraints) {
  struct Difference {
    double place = 0, speed = 0;
  };
  const auto difference = [](const char* step) {
    const ModelRun tree = run_chain(Joints::kTree, step), rows = run_chain(Joints::kConstraints, step);
    EXPECT_EQ(tree.summary.status, RunStatus::kCompleted) << tree.summary.message;
    EXPECT_EQ(rows.summary.status, RunStatus::kCompleted) << rows.summary.message;
    EXPECT_EQ(tree.mechanism().degrees_of_freedom(), rows.mechanism().degrees_of_freedom());
    EXPECT_GE(tree["rollers.contacts"].back(), 15);
    EXPECT_EQ(tree["rollers.contacts"].back(), rows["rollers.contacts"].back());
    EXPECT_GT(tree["driven.omega"].back(), 0.03) << "friction has brought the torque to the other pulley";
    Worst place, speed;
    for (int i = 0; i < kLinks; ++i) {
      for (const char* axis : {"x", "y"}) {
        const std::string channel = fmt::format("l{}.{}", i, axis);
        place(tree[channel].back() - rows[channel].back());
      }
    }
    for (const char* channel : {"driver.omega", "driven.omega"}) speed(tree[channel].back() - rows[channel].back());
    return Difference{place.value, speed.value};
  };
  const Difference coarse = difference("10 us"), fine = difference("5 us");
  EXPECT_LT(fine.place, 1e-8) << "m, after they have moved by 50 um";
  EXPECT_LT(fine.speed, 2e-5) << "rad/s of 1.4";
  EXPECT_NEAR(std::log2(coarse.place / fine.place), 1, 0.2) << coarse.place << ' ' << fine.place;
  EXPECT_NEAR(std::log2(coarse.speed / fine.speed), 1, 0.2) << coarse.speed << ' ' << fine.speed;
}

}  // namespace
}  // namespace freeplay::test::jointed_chain_test
