#include "freeplay/model/model.h"

#include <fmt/format.h>

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/contact/points/start_with_play.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/model/coded_system.h"

namespace freeplay::model {

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
void add_law_obstacle(const ContactLawSpec& law, const std::string& path, bool has_force_laws,
                      const std::string& integrator, std::vector<Diagnostic>& obstacles) {
  if (has_force_laws) {
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

void add_contact_obstacles(const ModelSpec& spec, bool has_force_laws, std::vector<Diagnostic>& obstacles) {
  const std::string& integrator = spec.simulate.integrator;
  for (const ContactSpec& contact : spec.contacts) {
    const std::string path = "contacts." + contact.name;
    add_law_obstacle(contact.law, path, has_force_laws, integrator, obstacles);
  }
  for (const ContactGroupSpec& group : spec.groups)
    add_law_obstacle(group.law, "groups." + group.name, has_force_laws, integrator, obstacles);
  for (const ClearanceJointSpec& play : spec.clearance_joints) {
    const std::string path = "joints." + play.joint.name;
    add_law_obstacle(play.law, path + ".contact", has_force_laws, integrator, obstacles);
  }
  for (const JointSpec& joint : spec.mechanism.joints) {
    if (!has_force_laws || (joint.dry_friction == 0 && !joint.stops)) continue;
    obstacles.push_back(obstacle("joints." + joint.name + (joint.stops ? ".stops" : ".dry_friction"),
                                 fmt::format("'{}' takes no stops and no dry friction", integrator),
                                 "use 'integrator: moreau-midpoint' with a step"));
  }
}

// A reader has unfolded the scene; a C++ program need not know the difference between a system and a scene.
ModelSpec unfolded(ModelSpec spec) {
  unfold_scene(spec);
  return spec;
}

}  // namespace

std::shared_ptr<const System> build_system(const ModelSpec& spec) {
  if (names_scene(spec)) return build_system(unfolded(spec));
  if (spec.system) return build_coded_system(*spec.system);
  return build_mechanism_with_play(spec.mechanism, spec.clearance_joints);
}

Model build_model(const ModelSpec& spec) {
  if (names_scene(spec)) return build_model(unfolded(spec));
  Model model{build_system(spec), {}};
  if (const auto mechanism = std::dynamic_pointer_cast<const Mechanism>(model.system)) {
    model.contacts = MechanismContacts::build(
        mechanism, spec.mechanism,
        {spec.shapes, spec.contacts, spec.clearance_joints, spec.groups, spec.simulate.initial_overlap_m});
  } else {
    model.contacts = {&no_contacts(), [](const ContactModel*) {}};
  }
  return model;
}

std::vector<Diagnostic> run_obstacles(const ModelSpec& spec) {
  if (names_scene(spec)) return run_obstacles(unfolded(spec));
  std::vector<Diagnostic> obstacles;
  // The format knows names of later versions; the registries know what this version can do.
  const IntegratorEntry* integrator = find_integrator(spec.simulate.integrator);
  if (integrator == nullptr) {
    obstacles.push_back(obstacle("simulate.integrator",
                                 fmt::format("'{}' is not available in this version", spec.simulate.integrator),
                                 fmt::format("available: {}", fmt::join(available_integrators(), ", "))));
  } else {
    add_contact_obstacles(spec, integrator->traits.has_force_laws(), obstacles);
  }
  return obstacles;
}

std::unique_ptr<Simulation> build_simulation(const ModelSpec& spec, const Model& model) {
  std::vector<Diagnostic> obstacles = run_obstacles(spec);
  if (!obstacles.empty()) throw ModelError(std::move(obstacles));
  return std::make_unique<Simulation>(*model.system, *model.contacts, spec.simulate, spec.record);
}

}  // namespace freeplay::model
