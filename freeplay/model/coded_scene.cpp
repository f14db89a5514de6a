#include "freeplay/model/coded_scene.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "freeplay/core/error.h"
#include "freeplay/model/belt_drive.h"
#include "freeplay/model/roller_chain.h"

namespace freeplay::model {

namespace {

// ---- spheres_in_box: solids that fall into a box without a lid and settle ----

enum PileParameter { kSpheres, kBoxes, kRadius, kBox, kDensity, kFriction, kRestitution, kGravity, kSeed };

void check_pile(std::span<const double> v) {
  const auto demand = [](bool is_met, const char* parameter, std::string message, const char* hint) {
    if (!is_met) throw ModelError(fmt::format("parameters.{}", parameter), std::move(message), hint);
  };
  for (const auto& [index, name] : {std::pair{kSpheres, "N"}, std::pair{kBoxes, "boxes"}}) {
    demand(v[index] >= 0 && v[index] == std::floor(v[index]) && v[index] <= 1e6, name,
           fmt::format("must be a whole number from 0 to 1000000, but is {}", v[index]), "for example 200");
  }
  demand(v[kSpheres] + v[kBoxes] > 0, "N", "there is nothing to fall", "give a number of spheres or of boxes");
  demand(v[kRadius] > 0, "radius", "must be greater than 0", "for example 40 mm");
  demand(v[kBox] >= 6 * v[kRadius], "box", "has no room for two solids beside each other",
         "make it at least 6 radii wide");
  demand(v[kDensity] > 0, "density", "must be greater than 0", "for example 2000 kg/m^3");
  demand(v[kFriction] >= 0, "friction", "must not be negative", "for example 0.5");
  demand(v[kRestitution] >= 0 && v[kRestitution] <= 1, "restitution", "must lie between 0 and 1", "for example 0");
}

// Solids on a lattice over the floor, each a little out of its place, so that no two meet head on.
class Pile {
 public:
  explicit Pile(std::span<const double> values)
      : v_(values), random_(static_cast<std::uint64_t>(std::abs(values[kSeed]))) {}

  Scene make() {
    scene_.mechanism.space = Space::kSpatial;
    scene_.mechanism.gravity_m_s2 = {0, 0, -v_[kGravity]};
    add_walls();
    const int spheres = static_cast<int>(v_[kSpheres]), boxes = static_cast<int>(v_[kBoxes]);
    for (int i = 0; i < spheres + boxes; ++i) add_solid(i, i < spheres);
    add_group();
    return std::move(scene_);
  }

 private:
  void add_walls() {
    const double half = v_[kBox] / 2;
    const auto add = [&](const char* name, const Vec3& at, const Vec3& normal) {
      scene_.contacts.shapes.push_back({"ground", name, "plane", PlaneShape{at, normal}});
      walls_.emplace_back(name);
    };
    add("bottom", Vec3::Zero(), Vec3::UnitZ());
    add("left", {-half, 0, 0}, Vec3::UnitX());
    add("right", {half, 0, 0}, -Vec3::UnitX());
    add("front", {0, -half, 0}, Vec3::UnitY());
    add("back", {0, half, 0}, -Vec3::UnitY());
  }

  void add_solid(int index, bool is_sphere) {
    const double R = v_[kRadius];
    BodySpec body;
    body.name = fmt::format("{}_{}", is_sphere ? "ball" : "box", solids_.size() + 1);
    if (is_sphere) {
      body.mass_kg = v_[kDensity] * 4 / 3 * std::numbers::pi * R * R * R;
      body.inertia_kg_m2 = 0.4 * body.mass_kg * R * R * Mat3::Identity();
      scene_.contacts.shapes.push_back({body.name, "skin", "sphere", SphereShape{Vec3::Zero(), R}});
    } else {
      body.mass_kg = v_[kDensity] * 8 * R * R * R;  // R is half an edge
      body.inertia_kg_m2 = body.mass_kg * 4 * R * R / 6 * Mat3::Identity();
      scene_.contacts.shapes.push_back({body.name, "skin", "box", BoxShape{Vec3::Zero(), Vec3::Constant(2 * R)}});
    }
    const double spacing = (v_[kBoxes] > 0 ? 3.6 : 2.3) * R;  // a turned box needs more room
    const double jitter = 0.05 * R;
    const int across = std::max(1, static_cast<int>((v_[kBox] - 2 * jitter) / spacing));
    const double first = -0.5 * (across - 1) * spacing;
    const int layer = index / (across * across);
    body.initial.position_m[0] = first + index % across * spacing + shift(jitter);
    body.initial.position_m[1] = first + index / across % across * spacing + shift(jitter);
    body.initial.position_m[2] = spacing / 2 + layer * spacing + shift(jitter);
    if (!is_sphere) {
      Vec4 e(1, 0, 0, 0);
      for (int k = 0; k < 4; ++k) e[k] += shift(0.3);
      body.initial.quaternion = e.normalized();
    }
    solids_.push_back(body.name);
    scene_.mechanism.bodies.push_back(std::move(body));
  }

  void add_group() {
    ContactGroupSpec group;
    group.name = "pile";
    for (const std::string& solid : solids_) group.members.push_back({solid, "skin"});
    for (const std::string& wall : walls_) group.against.push_back({"ground", wall});
    group.law.impact = "newton";
    group.law.friction = v_[kFriction];
    group.law.restitution = v_[kRestitution];
    scene_.contacts.groups.push_back(std::move(group));
  }

  // Not a distribution of the library: those differ between libraries.
  double shift(double size) { return size * (static_cast<double>(random_() >> 11) * 0x1p-52 - 1); }

  std::span<const double> v_;
  std::mt19937_64 random_;
  Scene scene_;
  std::vector<std::string> walls_, solids_;
};

Scene make_pile(std::span<const double> values) {
  check_pile(values);
  return Pile(values).make();
}

SceneEntry spheres_in_box() {
  return {"spheres_in_box",
          "spheres, boxes or both fall into a box without a lid",
          {
              {"N", dimensions::kNone, 200, "number of spheres"},
              {"boxes", dimensions::kNone, 0, "number of boxes"},
              {"radius", dimensions::kLength, 0.04, "of a sphere; half an edge of a box"},
              {"box", dimensions::kLength, 1, "edge of the floor"},
              {"density", dimensions::kMass / (dimensions::kLength * dimensions::kLength * dimensions::kLength), 2000,
               "of all solids"},
              {"friction", dimensions::kNone, 0.5, "Coulomb's coefficient"},
              {"restitution", dimensions::kNone, 0, "of all contacts"},
              {"g", dimensions::kAcceleration, 9.81, "gravity, along -z"},
              {"seed", dimensions::kNone, 1, "of the small irregularities of the start"},
          },
          &make_pile};
}

}  // namespace

const std::vector<SceneEntry>& scene_registry() {
  static const std::vector<SceneEntry> entries = {spheres_in_box(), roller_chain(), belt_drive()};
  return entries;
}

const SceneEntry* find_scene(const std::string& name) {
  for (const SceneEntry& entry : scene_registry()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace freeplay::model
