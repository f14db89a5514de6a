#include "freeplay/io/model/model_build.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/contact/points/start_with_play.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/io/model/coded_model.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::io {

namespace {

std::vector<std::string> available_integrators() {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : integrator_registry()) names.push_back(entry.name);
  return names;
}

Diagnostic obstacle(std::string path, std::string message, std::string hint) {
  return {{}, std::move(path), std::move(message), std::move(hint), {}};
}

// An integrator takes the part of a contact that it needs: `impact` or `force`.
void add_law_obstacle(const ContactLawSpec& law, const std::string& path, const IntegratorEntry& integrator,
                      std::vector<Diagnostic>& obstacles) {
  if (integrator.traits.has_force_laws()) {
    if (law.force) return;
    obstacles.push_back(obstacle(path, fmt::format("'{}' needs a force law", integrator.name),
                                 "add 'force: {law: hertz, stiffness: 1e9 N/m^1.5}', or use 'integrator: "
                                 "moreau-midpoint' with a step"));
  } else if (!law.impact) {
    obstacles.push_back(
        obstacle(path, fmt::format("'{}' needs an impact law", integrator.name), "add 'impact: newton'"));
  } else if (*law.impact != "newton") {
    obstacles.push_back(obstacle(path + ".impact",
                                 fmt::format("'{}' does not know the impact law '{}'", integrator.name, *law.impact),
                                 "use 'impact: newton'"));
  }
}

void add_contact_obstacles(const ModelFile& file, const IntegratorEntry& integrator,
                           std::vector<Diagnostic>& obstacles) {
  for (const ContactSpec& contact : file.contacts) {
    const std::string path = "contacts." + contact.name;
    add_law_obstacle(contact.law, path, integrator, obstacles);
  }
  for (const ClearanceJointSpec& play : file.clearance_joints) {
    const std::string path = "joints." + play.joint.name;
    add_law_obstacle(play.law, path + ".contact", integrator, obstacles);
  }
  for (const JointSpec& joint : file.mechanism.joints) {
    if (!integrator.traits.has_force_laws() || (joint.dry_friction == 0 && !joint.stops)) continue;
    obstacles.push_back(obstacle("joints." + joint.name + (joint.stops ? ".stops" : ".dry_friction"),
                                 fmt::format("'{}' takes no stops and no dry friction", integrator.name),
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
    add_contact_obstacles(file, *integrator, obstacles);
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

}  // namespace freeplay::io
