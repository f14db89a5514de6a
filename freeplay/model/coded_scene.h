// Models with contacts given as code, for what a file would have to list a thousand times. Runnable by `system: NAME`,
// as systems are.
#pragma once

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/mechanism/systems/system_registry.h"

namespace freeplay::model {

struct Scene {
  MechanismSpec mechanism;
  ContactModelSpec contacts;
};

struct SceneEntry {
  std::string name;
  std::string description;
  std::vector<SystemParameter> parameters;
  // `values`: one per parameter, SI. Throws ModelError with the path "parameters.NAME" for a value out of range.
  Scene (*make)(std::span<const double> values);
};

const std::vector<SceneEntry>& scene_registry();
const SceneEntry* find_scene(const std::string& name);

}  // namespace freeplay::model
