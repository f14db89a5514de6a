#include "freeplay/io/model_build.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/contact/clearance_start.h"
#include "freeplay/contact/mechanism_contacts.h"
#include "freeplay/contact/scene.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/mechanism/systems/system_registry.h"

namespace freeplay {

namespace {

[[noreturn]] void refuse_unknown_system(const std::string& name) {
  std::vector<std::string> names;
  for (const SystemEntry& known : system_registry()) names.push_back(known.name);
  for (const SceneEntry& known : scene_registry()) names.push_back(known.name);
  throw ModelError("system", fmt::format("there is no system '{}'", name), did_you_mean(name, names));
}

// Adds what is wrong with one parameter of the file, or puts its value where the system expects it.
void place_parameter(const std::string& system, const std::vector<SystemParameter>& parameters,
                     const ModelParameter& given, std::vector<double>& values, std::vector<Diagnostic>& mistakes) {
  const std::string path = "parameters." + given.name;
  const auto mistake = [&](std::string message, std::string hint) {
    mistakes.push_back({{}, path, std::move(message), std::move(hint), {}});
  };
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const SystemParameter& parameter) { return parameter.name == given.name; });
  if (found == parameters.end()) {
    std::vector<std::string> names;
    for (const SystemParameter& parameter : parameters) names.push_back(parameter.name);
    mistake(fmt::format("the system '{}' has no parameter '{}'", system, given.name), did_you_mean(given.name, names));
  } else if (given.word) {
    mistake(fmt::format("must be {}, but is the word '{}'", found->dimension.describe(), *given.word),
            fmt::format("give a value in {}", found->dimension.si_unit()));
  } else if (given.value.dimension != found->dimension && !given.is_bare_zero) {
    mistake(fmt::format("must be {}, but is {}", found->dimension.describe(), given.value.dimension.describe()),
            fmt::format("{}: give a value in {}", found->description, found->dimension.si_unit()));
  } else {
    values[static_cast<std::size_t>(found - parameters.begin())] = given.value.value;
  }
}

std::vector<double> parameter_values(const SystemSpec& spec, const std::vector<SystemParameter>& parameters) {
  std::vector<double> values;
  for (const SystemParameter& parameter : parameters) values.push_back(parameter.default_value);
  std::vector<Diagnostic> mistakes;
  for (const ModelParameter& given : spec.parameters) place_parameter(spec.name, parameters, given, values, mistakes);
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return values;
}

// A system given as code, or the bodies of a scene.
std::shared_ptr<const System> build_coded_system(const SystemSpec& spec) {
  if (const SystemEntry* entry = find_system(spec.name)) return entry->make(parameter_values(spec, entry->parameters));
  if (const SceneEntry* entry = find_scene(spec.name))
    return Mechanism::build(entry->make(parameter_values(spec, entry->parameters)).mechanism);
  refuse_unknown_system(spec.name);
}

std::vector<std::string> available_integrators() {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : integrator_registry()) names.push_back(entry.name);
  return names;
}

Diagnostic obstacle(std::string path, std::string message, std::string hint) {
  return {{}, std::move(path), std::move(message), std::move(hint), {}};
}

// An integrator takes the part of a contact that it needs: `impact` or `force`.
void add_law_obstacle(const ContactLawSpec& law, const std::string& path, bool is_smooth, const std::string& integrator,
                      std::vector<Diagnostic>& obstacles) {
  if (is_smooth) {
    if (law.force) return;
    obstacles.push_back(obstacle(path, fmt::format("'{}' needs a force law", integrator),
                                 "add 'force: {law: hertz, stiffness: 1e9 N/m^1.5}', or use 'integrator: "
                                 "moreau-midpoint' with a step"));
  } else if (!law.impact) {
    obstacles.push_back(obstacle(path, fmt::format("'{}' needs an impact law", integrator), "add 'impact: newton'"));
  } else if (*law.impact != "newton") {
    obstacles.push_back(obstacle(path + ".impact",
                                 fmt::format("'{}' does not know the impact law '{}'", integrator, *law.impact),
                                 "use 'impact: newton'"));
  }
}

void add_contact_obstacles(const ModelFile& file, bool is_smooth, std::vector<Diagnostic>& obstacles) {
  const std::string& integrator = file.simulate.integrator;
  for (const ContactSpec& contact : file.contacts) {
    const std::string path = "contacts." + contact.name;
    add_law_obstacle(contact.law, path, is_smooth, integrator, obstacles);
  }
  for (const ClearanceJointSpec& play : file.clearance_joints) {
    const std::string path = "joints." + play.joint.name;
    add_law_obstacle(play.law, path + ".contact", is_smooth, integrator, obstacles);
  }
  for (const JointSpec& joint : file.mechanism.joints) {
    if (!is_smooth || (joint.dry_friction == 0 && !joint.stops)) continue;
    obstacles.push_back(obstacle("joints." + joint.name + (joint.stops ? ".stops" : ".dry_friction"),
                                 fmt::format("'{}' takes no stops and no dry friction", integrator),
                                 "use 'integrator: moreau-midpoint' with a step"));
  }
}

template <class Action>
auto located(const ModelFile& file, Action action) {
  try {
    return action();
  } catch (const ModelError& error) {
    throw file.located(error);
  }
}

}  // namespace

std::shared_ptr<const System> build_system(const ModelFile& file) {
  return located(file, [&]() -> std::shared_ptr<const System> {
    if (file.system) return build_coded_system(*file.system);
    return build_mechanism_with_play(file.mechanism, file.clearance_joints);
  });
}

Model build_model(const ModelFile& file) {
  Model model{build_system(file), {}};
  model.contacts = located(file, [&]() -> std::shared_ptr<const ContactModel> {
    const auto mechanism = std::dynamic_pointer_cast<const Mechanism>(model.system);
    if (!mechanism) return {&no_contacts(), [](const ContactModel*) {}};
    if (file.system) {
      const SceneEntry& entry = *find_scene(file.system->name);
      const Scene scene = entry.make(parameter_values(*file.system, entry.parameters));
      return MechanismContacts::build(mechanism, scene.mechanism, scene.contacts);
    }
    return MechanismContacts::build(mechanism, file.mechanism, {file.shapes, file.contacts, file.clearance_joints});
  });
  return model;
}

std::vector<Diagnostic> run_obstacles(const ModelFile& file) {
  std::vector<Diagnostic> obstacles;
  // The reader knows every name of the format; the registries know what this version can do.
  const IntegratorEntry* integrator = find_integrator(file.simulate.integrator);
  if (integrator == nullptr) {
    obstacles.push_back(obstacle("simulate.integrator",
                                 fmt::format("'{}' is not available in this version", file.simulate.integrator),
                                 fmt::format("available: {}", fmt::join(available_integrators(), ", "))));
  } else {
    add_contact_obstacles(file, integrator->is_smooth, obstacles);
  }
  if (obstacles.empty()) return {};
  return file.located(ModelError(std::move(obstacles))).diagnostics();
}

std::unique_ptr<Simulation> build_simulation(const ModelFile& file, const Model& model) {
  std::vector<Diagnostic> obstacles = run_obstacles(file);
  if (!obstacles.empty()) throw ModelError(std::move(obstacles));
  return located(
      file, [&] { return std::make_unique<Simulation>(*model.system, *model.contacts, file.simulate, file.record); });
}

}  // namespace freeplay
