// What there is to draw of a result: the parts of bodies as meshes in body axes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/math/frame.h"
#include "freeplay/report/draw/mesh.h"

namespace freeplay::report {

struct ScenePart {
  int body = 0;  // index into Scene::bodies
  Mesh mesh;
  std::optional<Expression> turn{};  // of t: a rotation about z, before that of the body
  Vec3 turn_about = Vec3::Zero();
  std::optional<Vec3> carried_by{};  // on an elastic body: the section next to this place, in body axes, carries it
};

struct Scene {
  std::vector<std::string> bodies;  // the ground first, if there is one
  std::vector<ScenePart> parts;
  std::vector<std::string> notes;  // what could not be drawn as it is
};

// A box around everything that has an end, in world axes.
struct WorldBox {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  bool is_empty = true;
  void include(const Vec3& point, double radius_m = 0);
};

// How far each body reaches from its origin, lines and planes left out. `bodies`: names, in the order of the answer.
std::vector<double> reaches(const nlohmann::ordered_json& geometry, const std::vector<std::string>& bodies);

// Shapes; the parts of joints with play (play_meshes.h); of a rigid body without a shape lines between its
// joints and a point at its centre of mass; of the ground points where it holds bodies. Lines and planes are shown as
// far as `around` reaches.
Scene make_scene(const nlohmann::ordered_json& geometry, std::vector<std::string> bodies,
                 const std::string& parameters_json, const WorldBox& around);

}  // namespace freeplay::report
