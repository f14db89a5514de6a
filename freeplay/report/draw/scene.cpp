#include "freeplay/report/draw/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "freeplay/report/draw/play_meshes.h"
#include "freeplay/report/draw/shape_turn.h"

namespace freeplay::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kGround = "ground";

bool has_no_end(const Json& shape) {
  return shape.at("type") == "line" || shape.at("type") == "plane";
}

// Where joints hold a body, in its axes.
std::vector<Vec3> joint_points(const Json& geometry, const std::string& body) {
  std::vector<Vec3> points;
  for (const Json& joint : geometry.at("joints")) {
    for (const auto& [role, place] : {std::pair{"parent", "at_parent"}, std::pair{"child", "at_child"}}) {
      if (joint.at(role) != body) continue;
      const Vec3 point = vector_of(joint.at(place));
      if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
    }
  }
  return points;
}

// Whether the origin is away from the line through two points by more than a hundredth of their distance.
bool is_off_line(const Vec3& a, const Vec3& b) {
  return a.cross(b).norm() > 0.01 * (b - a).squaredNorm();
}

bool is_elastic(const Json& geometry, const std::string& body) {
  return std::any_of(geometry.at("bodies").begin(), geometry.at("bodies").end(), [&](const Json& entry) {
    return entry.at("name") == body && (entry.contains("elastic") || entry.contains("stations"));
  });
}

class SceneMaker {
 public:
  SceneMaker(const Json& geometry, std::vector<std::string> bodies, const std::string& parameters,
             const WorldBox& around)
      : geometry_(geometry), parameters_(parameters), is_planar_(geometry.value("space", "") == "planar") {
    scene_.bodies = std::move(bodies);
    middle_ = around.is_empty ? Vec3(Vec3::Zero()) : Vec3(0.5 * (around.low + around.high));
    const double diagonal = (around.high - around.low).norm();
    size_m_ = diagonal > 0 ? 1.25 * diagonal : 1;
  }

  Scene make() {
    for (const Json& shape : geometry_.at("shapes")) add_shape(shape);
    for (const Json& joint : geometry_.at("joints")) {
      if (joint.at("model") == "clearance") add_play(joint);
    }
    for (std::size_t body = 0; body < scene_.bodies.size(); ++body) {
      if (scene_.bodies[body] == kGround)
        add_bearings(static_cast<int>(body));
      else if (!has_shape(scene_.bodies[body]) && !is_elastic(geometry_, scene_.bodies[body]))
        add_skeleton(static_cast<int>(body));
    }
    return std::move(scene_);
  }

 private:
  int index_of(const std::string& body) const {
    const auto found = std::find(scene_.bodies.begin(), scene_.bodies.end(), body);
    return found == scene_.bodies.end() ? -1 : static_cast<int>(found - scene_.bodies.begin());
  }
  bool has_shape(const std::string& body) const {
    return std::any_of(geometry_.at("shapes").begin(), geometry_.at("shapes").end(),
                       [&](const Json& shape) { return shape.at("body") == body && shape.at("type") != "point"; });
  }
  // The ground's lines and planes lie where things move; those of a body around its origin.
  SceneExtent extent_on(const std::string& body) const {
    return {body == kGround ? middle_ : Vec3(Vec3::Zero()), size_m_};
  }

  void add_shape(const Json& shape) {
    ScenePart part;
    const std::string body = shape.at("body").get<std::string>();
    const std::string name = fmt::format("{}.{}", body, shape.at("name").get<std::string>());
    part.body = index_of(body);
    part.mesh = mesh_of_shape(shape, extent_on(body));
    if (part.body < 0 || part.mesh.points.empty()) {
      scene_.notes.push_back(fmt::format("the shape {} is left out: its type or its body is not known", name));
      return;
    }
    if (shape.contains("turn")) {
      part.turn = parse_turn(shape.at("turn").get<std::string>(), parameters_);
      part.turn_about = vector_of(shape.at("at"));
      if (!part.turn)
        scene_.notes.push_back(fmt::format("the shape {} is drawn without its turn, which cannot be read", name));
    }
    if (is_elastic(geometry_, body) && shape.contains("at")) part.carried_by = vector_of(shape.at("at"));
    scene_.parts.push_back(std::move(part));
  }

  void add_part(const std::string& body, Mesh mesh, const Vec3& at) {
    const int index = index_of(body);
    if (index < 0 || mesh.points.empty()) return;
    ScenePart part;
    part.body = index;
    part.mesh = std::move(mesh);
    if (is_elastic(geometry_, body)) part.carried_by = at;
    scene_.parts.push_back(std::move(part));
  }

  void add_play(const Json& joint) {
    const std::string parent = joint.at("parent").get<std::string>();
    // What is held by a moving part is shown a little longer than what it holds.
    constexpr double kRoomToMove = 3;
    const SceneExtent on_body{vector_of(joint.at("at_parent")), kRoomToMove * joint.value("length", 0.0)};
    PlayMeshes meshes = play_meshes(joint, is_planar_, parent == kGround ? extent_on(parent) : on_body);
    add_part(joint.at("child").get<std::string>(), std::move(meshes.on_child), vector_of(joint.at("at_child")));
    add_part(parent, std::move(meshes.on_parent), vector_of(joint.at("at_parent")));
  }

  // Where the ground holds bodies.
  void add_bearings(int ground) {
    Mesh mesh;
    for (const Vec3& point : joint_points(geometry_, kGround)) mesh.add_outline({point}, false);
    if (!mesh.points.empty()) scene_.parts.push_back({ground, std::move(mesh)});
  }

  void add_skeleton(int body) {
    std::vector<Vec3> points = joint_points(geometry_, scene_.bodies[static_cast<std::size_t>(body)]);
    Mesh mesh;
    mesh.add_outline({Vec3::Zero()}, false);
    // A centre of mass beside the line of the joints belongs to the body as they do.
    if (points.size() == 1 ? points.front().norm() > 0 : points.size() == 2 && is_off_line(points[0], points[1]))
      points.emplace_back(Vec3::Zero());
    if (points.size() > 1) mesh.add_outline(points, points.size() > 2);
    scene_.parts.push_back({body, std::move(mesh)});
  }

  const Json& geometry_;
  const std::string& parameters_;
  bool is_planar_;
  Vec3 middle_;
  double size_m_ = 1;
  Scene scene_;
};

}  // namespace

void WorldBox::include(const Vec3& point, double radius_m) {
  if (!point.allFinite()) return;
  const Vec3 r = Vec3::Constant(radius_m);
  low = is_empty ? Vec3(point - r) : Vec3(low.cwiseMin(point - r));
  high = is_empty ? Vec3(point + r) : Vec3(high.cwiseMax(point + r));
  is_empty = false;
}

std::vector<double> reaches(const nlohmann::ordered_json& geometry, const std::vector<std::string>& bodies) {
  std::vector<double> all;
  for (const std::string& body : bodies) {
    double reach = 0;
    for (const Vec3& point : joint_points(geometry, body)) reach = std::max(reach, point.norm());
    for (const Json& entry : geometry.at("bodies")) {
      if (entry.at("name") == body && entry.contains("stations")) {
        for (const Json& place : entry.at("stations").at("places")) reach = std::max(reach, vector_of(place).norm());
      }
      if (entry.at("name") != body || !entry.contains("elastic")) continue;
      const Vec3 start = vector_of(entry.at("elastic").at("start"));
      const Vec3 end = start + Vec3(entry.at("elastic").at("length").get<double>(), 0, 0);
      reach = std::max({reach, start.norm(), end.norm()});
    }
    for (const Json& shape : geometry.at("shapes")) {
      if (shape.at("body") != body || has_no_end(shape)) continue;
      for (const Vec3& point : mesh_of_shape(shape, {}).points) reach = std::max(reach, point.norm());
    }
    all.push_back(reach);
  }
  return all;
}

Scene make_scene(const nlohmann::ordered_json& geometry, std::vector<std::string> bodies,
                 const std::string& parameters_json, const WorldBox& around) {
  return SceneMaker(geometry, std::move(bodies), parameters_json, around).make();
}

}  // namespace freeplay::report
