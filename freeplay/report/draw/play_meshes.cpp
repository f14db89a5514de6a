#include "freeplay/report/draw/play_meshes.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "freeplay/contact/play/slot_walls.h"
#include "freeplay/geometry/contours/shape_contour.h"
#include "freeplay/math/frame.h"
#include "freeplay/report/draw/joint_frames.h"

namespace freeplay::report {

namespace {

using Json = nlohmann::ordered_json;
using std::numbers::pi;

constexpr int kCorners = 48;
constexpr int kSleeveLines = 8;

std::vector<Vec3> circle(const Frame& frame, const Vec3& centre, const Vec3& a, const Vec3& b) {
  std::vector<Vec3> points;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2 * pi * i / kCorners;
    points.push_back(frame.point(centre + std::cos(angle) * a + std::sin(angle) * b));
  }
  return points;
}

// The part of an endless thing along `axis` of the parent that lies around the scene: its middle and half its length.
struct Stretch {
  double middle = 0, half = 0;
};
Stretch shown_part(const Frame& on_parent, int axis, const SceneExtent& extent) {
  return {on_parent.R.col(axis).dot(extent.centre - on_parent.p), extent.size_m / 2};
}

PlayMeshes block_in_guide(const Json& joint, const JointFrames& frames, const SceneExtent& extent) {
  PlayMeshes meshes;
  const double a = joint.at("length").get<double>() / 2, b = joint.at("width").get<double>() / 2;
  const Frame& child = frames.on_child;
  meshes.on_child.add_outline(
      {child.point({-a, -b, 0}), child.point({a, -b, 0}), child.point({a, b, 0}), child.point({-a, b, 0})}, true);
  meshes.on_child.add_cell(CellType::kQuad, {0, 1, 2, 3});
  const Stretch part = shown_part(frames.on_parent, 0, extent);
  const double wall = b + joint.at("clearance").get<double>();
  for (const double y : {-wall, wall}) {
    meshes.on_parent.add_outline({frames.on_parent.point({part.middle - part.half, y, 0}),
                                  frames.on_parent.point({part.middle + part.half, y, 0})},
                                 false);
  }
  return meshes;
}

PlayMeshes journal_in_bore(const Json& joint, const JointFrames& frames) {
  PlayMeshes meshes;
  const double journal = joint.value("journal_radius", 0.0), bore = journal + joint.at("clearance").get<double>();
  const auto round = [](const Frame& frame, double radius) {
    return circle(frame, Vec3::Zero(), radius * Vec3::UnitX(), radius * Vec3::UnitY());
  };
  if (journal > 0) meshes.on_child.add_outline(round(frames.on_child, journal), true);
  meshes.on_parent.add_outline(round(frames.on_parent, bore), true);
  return meshes;
}

// The walls of a slot in its own axes.
std::vector<Vec2> walls_of_slot(const Json& joint) {
  const std::string sides = joint.value("sides", "both");
  const SlotSize slot{joint.at("length").get<double>(),
                      joint.value("journal_radius", 0.0) + joint.at("clearance").get<double>(),
                      joint.value("slot_radius", 0.0), sides != "right", sides != "left"};
  return contour_outline(slot_walls(slot, {}));
}

std::vector<Vec3> walls_at(const std::vector<Vec2>& walls, const Frame& frame, double z) {
  std::vector<Vec3> points;
  for (const Vec2& point : walls) points.push_back(frame.point({point.x(), point.y(), z}));
  return points;
}

PlayMeshes pin_in_slot(const Json& joint, const JointFrames& frames) {
  PlayMeshes meshes;
  const double pin = joint.value("journal_radius", 0.0);
  meshes.on_child.add_outline(circle(frames.on_child, Vec3::Zero(), pin * Vec3::UnitX(), pin * Vec3::UnitY()), true);
  meshes.on_parent.add_outline(walls_at(walls_of_slot(joint), frames.on_parent, 0), true);
  return meshes;
}

// The pin and its heads as rings and lines, the walls between the two faces of the plate likewise.
PlayMeshes pin_in_plate(const Json& joint, const JointFrames& frames) {
  PlayMeshes meshes;
  const double half = joint.at("width").get<double>() / 2, pin = joint.value("journal_radius", 0.0);
  const double to_head = half + joint.value("axial_clearance", joint.at("clearance").get<double>());
  for (const double side : {-1.0, 1.0}) {
    for (const double radius : {pin, joint.value("head_radius", 0.0)}) {
      const Vec3 centre = side * to_head * Vec3::UnitZ();
      meshes.on_child.add_outline(circle(frames.on_child, centre, radius * Vec3::UnitX(), radius * Vec3::UnitY()),
                                  true);
    }
  }
  for (int i = 0; i < kSleeveLines; ++i) {
    const double angle = 2 * pi * i / kSleeveLines;
    const Vec3 at(pin * std::cos(angle), pin * std::sin(angle), 0), end = to_head * Vec3::UnitZ();
    meshes.on_child.add_outline({frames.on_child.point(at - end), frames.on_child.point(at + end)}, false);
  }
  const std::vector<Vec2> walls = walls_of_slot(joint);
  const std::vector<Vec3> low = walls_at(walls, frames.on_parent, -half),
                          high = walls_at(walls, frames.on_parent, half);
  meshes.on_parent.add_outline(low, true);
  meshes.on_parent.add_outline(high, true);
  for (std::size_t i = 0; i < low.size(); ++i) meshes.on_parent.add_outline({low[i], high[i]}, false);
  return meshes;
}

// The sleeve as rings and lines, so that the rod inside is seen.
PlayMeshes sleeve_on_rod(const Json& joint, const JointFrames& frames, const SceneExtent& extent) {
  PlayMeshes meshes;
  const double half = joint.at("length").get<double>() / 2, clearance = joint.at("clearance").get<double>();
  const double radius = joint.value("journal_radius", 0.0);
  const Vec3 x = (radius + clearance) * Vec3::UnitX(), y = (radius + clearance) * Vec3::UnitY();
  for (const double z : {-half, half})
    meshes.on_child.add_outline(circle(frames.on_child, z * Vec3::UnitZ(), x, y), true);
  for (int i = 0; i < kSleeveLines; ++i) {
    const double angle = 2 * pi * i / kSleeveLines;
    const Vec3 at = std::cos(angle) * x + std::sin(angle) * y;
    meshes.on_child.add_outline(
        {frames.on_child.point(at - half * Vec3::UnitZ()), frames.on_child.point(at + half * Vec3::UnitZ())}, false);
  }
  // The rod of a revolute joint ends at its collars.
  const Stretch part = joint.at("type") == "revolute" ? Stretch{0, half + joint.value("axial_clearance", clearance)}
                                                      : shown_part(frames.on_parent, 2, extent);
  const Vec3 middle = frames.on_parent.point(part.middle * Vec3::UnitZ()), axis = frames.on_parent.R.col(2);
  if (radius > 0) {
    meshes.on_parent = mesh_of_shape({{"type", "cylinder"},
                                      {"at", {middle.x(), middle.y(), middle.z()}},
                                      {"axis", {axis.x(), axis.y(), axis.z()}},
                                      {"radius", radius},
                                      {"length", 2 * part.half}},
                                     {});
  } else {
    meshes.on_parent.add_outline({middle - part.half * axis, middle + part.half * axis}, false);
  }
  return meshes;
}

PlayMeshes ball_in_socket(const Json& joint, const JointFrames& frames) {
  PlayMeshes meshes;
  const double ball = joint.value("journal_radius", 0.0), socket = ball + joint.at("clearance").get<double>();
  const Vec3& at = frames.on_child.p;
  if (ball > 0)
    meshes.on_child =
        mesh_of_shape({{"type", "sphere"}, {"at", {at.x(), at.y(), at.z()}}, {"radius", ball}}, SceneExtent());
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 a = socket * Vec3::Unit(axis), b = socket * Vec3::Unit((axis + 1) % 3);
    meshes.on_parent.add_outline(circle(frames.on_parent, Vec3::Zero(), a, b), true);
  }
  return meshes;
}

// Corners in the joint's y and z axes, counter-clockwise seen against x.
std::vector<Vec2> section_of(const Json& joint) {
  std::vector<Vec2> corners;
  for (const Json& corner : joint.at("section"))
    corners.emplace_back(corner.at(0).get<double>(), corner.at(1).get<double>());
  double area = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 &a = corners[i], &b = corners[(i + 1) % corners.size()];
    area += a.x() * b.y() - a.y() * b.x();
  }
  if (area < 0) std::reverse(corners.begin(), corners.end());
  return corners;
}

// A convex counter-clockwise polygon with all edges moved outwards: a corner moves by c (n1 + n2) / (1 + n1 . n2).
std::vector<Vec2> moved_outwards(const std::vector<Vec2>& corners, double c) {
  std::vector<Vec2> moved;
  const std::size_t n = corners.size();
  const auto normal = [&](std::size_t i) {
    const Vec2 edge = (corners[(i + 1) % n] - corners[i % n]).normalized();
    return Vec2(edge.y(), -edge.x());
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 before = normal(i + n - 1), after = normal(i);
    moved.emplace_back(corners[i] + c * (before + after) / (1 + before.dot(after)));
  }
  return moved;
}

PlayMeshes prism_in_channel(const Json& joint, const JointFrames& frames, const SceneExtent& extent) {
  PlayMeshes meshes;
  const std::vector<Vec2> section = section_of(joint);
  const auto ring = [](const Frame& frame, double x, const std::vector<Vec2>& corners) {
    std::vector<Vec3> points;
    for (const Vec2& corner : corners) points.push_back(frame.point({x, corner.x(), corner.y()}));
    return points;
  };
  const double half = joint.at("length").get<double>() / 2;
  meshes.on_child = prism(ring(frames.on_child, -half, section), ring(frames.on_child, half, section));
  const Stretch part = shown_part(frames.on_parent, 0, extent);
  const std::vector<Vec2> channel = moved_outwards(section, joint.at("clearance").get<double>());
  const std::vector<Vec3> from = ring(frames.on_parent, part.middle - part.half, channel),
                          to = ring(frames.on_parent, part.middle + part.half, channel);
  meshes.on_parent.add_outline(from, true);
  meshes.on_parent.add_outline(to, true);
  for (std::size_t i = 0; i < from.size(); ++i) meshes.on_parent.add_outline({from[i], to[i]}, false);
  return meshes;
}

}  // namespace

PlayMeshes play_meshes(const nlohmann::ordered_json& joint, bool is_planar, const SceneExtent& parent_extent) {
  const JointFrames frames = joint_frames(joint, is_planar);
  const std::string type = joint.at("type").get<std::string>();
  if (is_planar) {
    if (type == "revolute") return journal_in_bore(joint, frames);
    if (type == "prismatic" && joint.contains("length") && joint.contains("width"))
      return block_in_guide(joint, frames, parent_extent);
    if (type == "pin_in_slot" && joint.contains("length")) return pin_in_slot(joint, frames);
    return {};
  }
  if (type == "spherical") return ball_in_socket(joint, frames);
  if (type == "prismatic" && joint.contains("section") && joint.contains("length"))
    return prism_in_channel(joint, frames, parent_extent);
  if (type == "pin_in_slot" && joint.contains("length") && joint.contains("width")) return pin_in_plate(joint, frames);
  if ((type == "revolute" || type == "cylindrical") && joint.contains("length"))
    return sleeve_on_rod(joint, frames, parent_extent);
  return {};
}

}  // namespace freeplay::report
