// The two parts of a joint with play, at their true sizes.
#include "freeplay/report/draw/play_meshes.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace freeplay::test::play_meshes {
namespace {

using Json = nlohmann::ordered_json;

Json joint(const char* type, const char* sizes) {
  Json json = {
      {"name", "j"},           {"type", type},      {"parent", "ground"},      {"child", "b"}, {"at_parent", {1, 2, 0}},
      {"at_child", {0, 0, 0}}, {"axis", {0, 0, 1}}, {"rotation", {1, 0, 0, 0}}};
  json.update(Json::parse(sizes));
  return json;
}

// Largest and smallest component of all points along a direction.
std::pair<double, double> range(const Mesh& mesh, const Vec3& direction) {
  std::pair<double, double> found{1e9, -1e9};
  for (const Vec3& point : mesh.points) {
    found.first = std::min(found.first, direction.dot(point));
    found.second = std::max(found.second, direction.dot(point));
  }
  return found;
}

void expect_range(const Mesh& mesh, const Vec3& direction, double low, double high) {
  EXPECT_NEAR(range(mesh, direction).first, low, 1e-12);
  EXPECT_NEAR(range(mesh, direction).second, high, 1e-12);
}

// A guide at 30 degrees on the ground; the child is mounted at 90 degrees to it.
TEST(PlayMeshes, ABlockLiesInItsGuideWithTheClearanceOnEitherSide) {
  Json guide = joint("prismatic", R"({"length": 0.4, "width": 0.2, "clearance": 0.01})");
  const Vec3 along(std::sqrt(0.75), 0.5, 0), across(-0.5, std::sqrt(0.75), 0);
  guide["axis"] = {along.x(), along.y(), 0};
  guide["rotation"] = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  const PlayMeshes meshes = report::play_meshes(guide, true, {Vec3(1, 2, 0) + 5 * along, 8});
  const Vec3 at(1, 2, 0);
  expect_range(meshes.on_parent, across, across.dot(at) - 0.11, across.dot(at) + 0.11);
  expect_range(meshes.on_parent, along, along.dot(at) + 1, along.dot(at) + 9);
  // In the child's axes the guide points 90 degrees less far.
  expect_range(meshes.on_child, Vec3(0.5, -std::sqrt(0.75), 0), -0.2, 0.2);
  expect_range(meshes.on_child, Vec3(std::sqrt(0.75), 0.5, 0), -0.1, 0.1);
}

// A slot of 0.4 m along y, its walls 0.11 m to either side of the pin's way; the ends are round.
TEST(PlayMeshes, ASlotLiesAlongItsAxis) {
  Json slot = joint("pin_in_slot", R"({"length": 0.4, "clearance": 0.01, "journal_radius": 0.1, "sides": "both"})");
  slot["axis"] = {0, 1, 0};
  const PlayMeshes meshes = report::play_meshes(slot, true, {});
  expect_range(meshes.on_parent, Vec3::UnitX(), 1 - 0.11, 1 + 0.11);
  const auto [low, high] = range(meshes.on_parent, Vec3::UnitY());
  EXPECT_NEAR(low, 2 - 0.31, 2e-3);  // corners of an arc
  EXPECT_NEAR(high, 2 + 0.31, 2e-3);
  expect_range(meshes.on_child, Vec3::UnitX(), -0.1, 0.1);
}

// In space, the slot along y and the pin along x: the plate is 0.2 m thick, the heads 0.03 m away from its faces.
TEST(PlayMeshes, APinWithHeadsGoesThroughItsPlate) {
  Json slot = joint("pin_in_slot", R"({"length": 0.4, "clearance": 0.01, "journal_radius": 0.1, "sides": "both",
                                       "width": 0.2, "head_radius": 0.25, "axial_clearance": 0.03})");
  slot["axis"] = {0, 1, 0};
  slot["second_axis"] = {1, 0, 0};
  const PlayMeshes meshes = report::play_meshes(slot, false, {});
  expect_range(meshes.on_parent, Vec3::UnitX(), 1 - 0.1, 1 + 0.1);
  expect_range(meshes.on_parent, Vec3::UnitZ(), -0.11, 0.11);
  const auto [low, high] = range(meshes.on_parent, Vec3::UnitY());
  EXPECT_NEAR(low, 2 - 0.31, 2e-3);
  EXPECT_NEAR(high, 2 + 0.31, 2e-3);
  expect_range(meshes.on_child, Vec3::UnitX(), -0.13, 0.13);
  expect_range(meshes.on_child, Vec3::UnitY(), -0.25, 0.25);
}

TEST(PlayMeshes, ABoreIsWiderThanItsJournal) {
  const PlayMeshes meshes =
      report::play_meshes(joint("revolute", R"({"clearance": 0.1, "journal_radius": 0.5})"), true, {});
  expect_range(meshes.on_child, Vec3::UnitX(), -0.5, 0.5);
  expect_range(meshes.on_parent, Vec3::UnitY(), 2 - 0.6, 2 + 0.6);
}

TEST(PlayMeshes, ASleeveSurroundsItsRod) {
  const char* sizes = R"({"length": 2, "clearance": 0.1, "journal_radius": 0.5, "axial_clearance": 0.3})";
  const PlayMeshes pin = report::play_meshes(joint("revolute", sizes), false, {Vec3::Zero(), 50});
  expect_range(pin.on_child, Vec3::UnitX(), -0.6, 0.6);
  expect_range(pin.on_child, Vec3::UnitZ(), -1, 1);
  expect_range(pin.on_parent, Vec3::UnitX(), 0.5, 1.5);
  expect_range(pin.on_parent, Vec3::UnitZ(), -1.3, 1.3);
  const PlayMeshes rod = report::play_meshes(joint("cylindrical", sizes), false, {Vec3(0, 0, 10), 50});
  expect_range(rod.on_parent, Vec3::UnitZ(), -15, 35);
}

TEST(PlayMeshes, ASocketIsWiderThanItsBall) {
  const PlayMeshes meshes =
      report::play_meshes(joint("spherical", R"({"clearance": 0.1, "journal_radius": 0.5})"), false, {});
  expect_range(meshes.on_child, Vec3::UnitZ(), -0.5, 0.5);
  for (const Vec3& point : meshes.on_parent.points) EXPECT_NEAR((point - Vec3(1, 2, 0)).norm(), 0.6, 1e-12);
}

// A square section of 2 x 2 whose corners run clockwise: the walls of the channel are 0.1 further out. The axis is z,
// so the joint's y is y, and its z is -x (examples/prismatic_clearance.yaml).
TEST(PlayMeshes, AChannelHasTheSectionOfItsPrismMovedOutwards) {
  const PlayMeshes meshes = report::play_meshes(
      joint("prismatic", R"({"length": 4, "clearance": 0.1, "section": [[-1, 3], [1, 3], [1, 1], [-1, 1]]})"), false,
      {Vec3::Zero(), 10});
  expect_range(meshes.on_child, Vec3::UnitX(), -3, -1);
  expect_range(meshes.on_child, Vec3::UnitY(), -1, 1);
  expect_range(meshes.on_child, Vec3::UnitZ(), -2, 2);
  expect_range(meshes.on_parent, Vec3::UnitX(), 1 - 3.1, 1 - 0.9);
  expect_range(meshes.on_parent, Vec3::UnitY(), 2 - 1.1, 2 + 1.1);
  expect_range(meshes.on_parent, Vec3::UnitZ(), -5, 5);
}

TEST(PlayMeshes, JointsWithoutSizesHaveNoPicture) {
  EXPECT_TRUE(report::play_meshes(joint("prismatic", R"({"clearance": 0.1})"), true, {}).on_child.points.empty());
  EXPECT_TRUE(report::play_meshes(joint("cylindrical", R"({"clearance": 0.1})"), false, {}).on_parent.points.empty());
}

}  // namespace
}  // namespace freeplay::test::play_meshes
