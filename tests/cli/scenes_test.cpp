// Scenes that cannot be: exit code 3 with place and cure, in a moment.
#include <gmock/gmock.h>

#include <chrono>

#include "cli/command_test.h"

namespace freeplay::test::scenes_command_test {

namespace {

using testing::HasSubstr;

constexpr const char* kScene = R"(freeplay: 1
space: spatial
parameters: {count: 20, radius: 20 mm}
gravity: [0, 0, -9.81 m/s^2]
bodies:
  pebble:
    density: 2600 kg/m^3
    inertia: from-shape
    shapes: {skin: {type: sphere, radius: radius}}
    fill: {count: count, from: [-0.2 m, -0.2 m, 0], to: [0.2 m, 0.2 m, 0.4 m]}
  block:
    density: 2600 kg/m^3
    inertia: from-shape
    initial: {z: 1 m}
    shapes: {skin: {type: box, size: [0.1 m, 0.1 m, 0.1 m]}}
    pattern: {count: 3, shift: [0.2 m, 0, 0]}
ground: {shapes: {floor: {type: plane, normal: [0, 0, 1]}}}
groups: {heap: {members: [pebble, block], against: ground, restitution: 0, friction: 0.5}}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 2 ms}
record: [heap.contacts]
)";

class ScenesCommand : public CommandTest {};

TEST_F(ScenesCommand, RefusesWhatCannotBeInAMomentWithPlaceAndCure) {
  write("heap.yaml", kScene);
  EXPECT_EQ(freeplay({"check", "heap.yaml"}).exit_code, 0);
  EXPECT_EQ(freeplay({"run", "heap.yaml", "--quiet"}).exit_code, 0);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"count=1e9", "heap.yaml:10:19: error: bodies.pebble.fill.count: must be from 0 to 1000000"},
      {"count=1000000", "bodies.pebble.fill.count: "},  // a full region, or too much for the memory
      {"count=5000", "bodies.pebble.fill.count: the region is full after"},
      {"radius=0 mm", "bodies.pebble.shapes.skin.radius: must be greater than 0"},
      {"radius=-1 mm", "bodies.pebble.shapes.skin.radius: must be greater than 0"},
      {"radius=1 m", "bodies.pebble.fill.to: the region is 0.4 m wide along x, and a body needs 2 m"},
      {"bodies.block.pattern.shift=[50 mm, 0, 0]", "penetrate by 0.05 m in the initial state"},
      {"bodies.block.initial.z=20 mm", "penetrate by 0.03 m in the initial state"},
      {"bodies.block.pattern.count=1e9", "bodies.block.pattern.count: must be from 1 to 1000000"},
      {"bodies.block.material=stone", "there is no material 'stone'"},
  };
  for (const auto& [change, message] : cases) {
    const auto start = std::chrono::steady_clock::now();
    const CommandResult result = freeplay({"check", "heap.yaml", "--set", change});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_EQ(result.exit_code, 3) << change;
    EXPECT_THAT(result.err, HasSubstr(message)) << change;
    EXPECT_THAT(result.err, HasSubstr("hint: ")) << change;
    EXPECT_LT(taken.count(), 20) << change;
  }
}

}  // namespace

}  // namespace freeplay::test::scenes_command_test
