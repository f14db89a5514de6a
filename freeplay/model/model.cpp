#include "freeplay/model/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/contact/carried/carried_shapes.h"
#include "freeplay/contact/play/start_with_play.h"
#include "freeplay/contact/points/initial_gaps.h"
#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/mechanism/building/start_as_ideal.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/model/coded_contacts.h"
#include "freeplay/model/coded_system.h"
#include "freeplay/model/group_pairs.h"
#include "freeplay/simulation/integrator_choice.h"

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
void add_law_obstacle(const ContactLawSpec& law, const std::string& path, const IntegratorEntry& entry,
                      std::vector<Diagnostic>& obstacles) {
  const std::string integrator = entry.name;
  if (entry.traits.has_force_laws()) {
    if (law.force) return;
    const std::string given = law.impact ? fmt::format(", and takes no 'impact: {}'", *law.impact) : "";
    obstacles.push_back(obstacle(path, fmt::format("'{}' needs a force law{}", integrator, given),
                                 "add 'force: {law: hertz, stiffness: 1e9 N/m^1.5}', or use 'integrator: "
                                 "moreau-midpoint' with a step"));
  } else if (!law.impact) {
    obstacles.push_back(obstacle(path, fmt::format("'{}' needs an impact law", integrator), "add 'impact: newton'"));
  } else if (*law.impact != "newton" && !(*law.impact == "poisson" && entry.traits.takes_poisson)) {
    obstacles.push_back(obstacle(path + ".impact",
                                 fmt::format("'{}' does not know the impact law '{}'", integrator, *law.impact),
                                 *law.impact == "poisson" ? cure_for_poisson() : "use 'impact: newton'"));
  }
}

// Force laws of contacts are those of lengths.
void add_backlash_obstacle(const ModelSpec& spec, const BacklashSpec& backlash, const IntegratorEntry& entry,
                           std::vector<Diagnostic>& obstacles) {
  const std::string path = "couplings." + backlash.coupling;
  const bool is_angle = std::ranges::any_of(spec.mechanism.couplings, [&](const CouplingSpec& coupling) {
    return coupling.name == backlash.coupling && coupling.is_angle;
  });
  if (!is_angle || !entry.traits.has_force_laws())
    return add_law_obstacle(backlash.law, path + ".contact", entry, obstacles);
  obstacles.push_back(
      obstacle(path + ".model", fmt::format("'{}' takes no impacts, and this play is an angle", entry.name),
               "use 'model: compliant' with a 'stiffness' in N m/rad, or 'integrator: moreau-midpoint' with a step"));
}

// Contacts that are given as code have laws of impact only, and a file has no place to add others.
void add_coded_obstacle(const std::string& code, const IntegratorEntry& entry, const char* cure,
                        std::vector<Diagnostic>& obstacles) {
  obstacles.push_back(
      obstacle("simulate.integrator",
               fmt::format("the contacts of '{}' have no force laws, which '{}' needs", code, entry.name), cure));
}

bool is_scene_without_force_laws(const ModelSpec& spec) {
  const auto lacks_force = [](const auto& contact) { return !contact.law.force; };
  return !spec.scene.empty() &&
         (std::ranges::any_of(spec.groups, lacks_force) || std::ranges::any_of(spec.contacts, lacks_force));
}

const JointLawSpec* law_of_joint(const ModelSpec& spec, const std::string& joint) {
  const auto is_it = [&](const JointLawSpec& law) { return law.joint == joint; };
  const auto found = std::find_if(spec.joint_laws.begin(), spec.joint_laws.end(), is_it);
  return found == spec.joint_laws.end() ? nullptr : &*found;
}

void add_joint_obstacles(const ModelSpec& spec, const JointSpec& joint, const IntegratorEntry& entry,
                         std::vector<Diagnostic>& obstacles) {
  const JointLawSpec* law = law_of_joint(spec, joint.name);
  const std::string path = "joints." + joint.name;
  const bool has_stops = joint.stops || joint.second_stops;
  if (entry.traits.has_force_laws() && has_stops && (law == nullptr || !law->stop_force)) {
    const bool is_slot = joint.type == "pin_in_slot";
    obstacles.push_back(obstacle(
        path + (is_slot ? ".length" : ".stops"),
        fmt::format("'{}' needs a force law of the {}", entry.name, is_slot ? "ends of the slot" : "stops"),
        fmt::format("add 'force: {{law: kelvin-voigt, stiffness: ...}}' to {}, or use 'integrator: moreau-midpoint' "
                    "with a step",
                    is_slot ? "its 'contact', leave 'length' out" : "them")));
  }
  if (law == nullptr || !law->friction) return;
  if (!entry.traits.takes_load_friction) {
    obstacles.push_back(obstacle(path + ".friction", fmt::format("'{}' does not know friction by load", entry.name),
                                 cure_for_load_friction()));
  }
  if (!entry.traits.solves_contact_problems()) return;
  for (const ContactSpec& contact : spec.contacts) {
    if (contact.law.impact != "poisson") continue;
    obstacles.push_back(obstacle("contacts." + contact.name + ".impact",
                                 fmt::format("'poisson' does not go together with the friction by load of the joint "
                                             "'{}'",
                                             joint.name),
                                 "use 'impact: newton'"));
  }
}

void add_contact_obstacles(const ModelSpec& spec, const IntegratorEntry& entry, std::vector<Diagnostic>& obstacles) {
  const bool needs_force_laws = entry.traits.has_force_laws();
  if (needs_force_laws && spec.system && has_coded_contacts(spec.system->name))
    add_coded_obstacle(spec.system->name, entry, "use 'integrator: event-driven'", obstacles);
  if (needs_force_laws && is_scene_without_force_laws(spec))
    return add_coded_obstacle(spec.scene, entry, "use 'integrator: moreau-midpoint' with a step", obstacles);
  for (const ContactSpec& contact : spec.contacts) {
    const std::string path = "contacts." + contact.name;
    add_law_obstacle(contact.law, path, entry, obstacles);
  }
  if (!spec.groups.empty() && !entry.traits.takes_groups && !names_group_pairs(spec, entry)) {
    obstacles.push_back(
        obstacle("groups." + spec.groups.front().name,
                 fmt::format("'{}' follows every pair of shapes, and the groups have {} of them: at most {} are taken",
                             entry.name, group_pair_count(spec), kMostNamedPairs),
                 "use 'integrator: moreau-midpoint' with a step, which looks for contacts where bodies are near"));
  }
  for (const ContactGroupSpec& group : spec.groups) {
    const std::string path = "groups." + group.name;
    if (group.material_laws.empty()) add_law_obstacle(group.law, path, entry, obstacles);
    for (const ContactGroupSpec::MaterialLaw& pair : group.material_laws)
      add_law_obstacle(pair.law, path, entry, obstacles);
  }
  for (const ClearanceJointSpec& play : spec.clearance_joints) {
    const std::string path = "joints." + play.joint.name;
    add_law_obstacle(play.law, path + ".contact", entry, obstacles);
    if (play.has_film() && !entry.traits.has_force_laws()) {
      obstacles.push_back(obstacle(path + ".lubricant", fmt::format("'{}' takes no lubricants", entry.name),
                                   "use 'integrator: cvode-bdf' or 'dopri5', or 'bearing: dry' for a joint without "
                                   "oil"));
    }
  }
  for (const BacklashSpec& backlash : spec.backlashes) add_backlash_obstacle(spec, backlash, entry, obstacles);
  for (const DriverSpec& driver : spec.mechanism.drivers) {
    if (!entry.traits.has_force_laws() || !driver.motion || !driver.limit) continue;
    obstacles.push_back(
        obstacle("drivers." + driver.name,
                 fmt::format("'{}' takes no motion with a limit, which slips as dry friction does", entry.name),
                 "use 'integrator: moreau-midpoint' with a step, or drive by a 'torque', 'force' or "
                 "'pid' with the limit"));
  }
  for (const JointSpec& joint : spec.mechanism.joints) add_joint_obstacles(spec, joint, entry, obstacles);
  for (const ClearanceJointSpec& play : spec.clearance_joints) add_joint_obstacles(spec, play.joint, entry, obstacles);
}

// Of contacts that are given as code; those of a mechanism have been looked at when they were built.
void refuse_overlaps(const ModelSpec& spec, const Model& model) {
  for (const InitialOverlap& overlap :
       initial_overlaps(*model.system, *model.contacts, spec.simulate.initial_overlap_m)) {
    throw ModelError(
        "system", fmt::format("'{}' penetrates by {:.6g} m in the initial state", overlap.point->name(), overlap.depth),
        "give other initial values among the parameters; an `initial_overlap` in `simulate` allows for as much");
  }
}

// A reader has unfolded the scene; a C++ program need not know the difference between a system and a scene.
ModelSpec unfolded(ModelSpec spec) {
  unfold_scene(spec);
  return spec;
}

bool has_load_friction(const ModelSpec& spec) {
  return std::ranges::any_of(spec.joint_laws, [](const JointLawSpec& law) { return law.friction.has_value(); });
}

// What contacts attach to elastic bodies needs markers of its own.
MechanismSpec with_markers(const ModelSpec& spec) {
  return has_elastic_bodies(spec.mechanism) ? with_carried_markers(spec.mechanism, spec.shapes, spec.clearance_joints)
                                            : spec.mechanism;
}

// The reaction of a joint with friction by load is what bilateral rows do: in the tree there would be no such rows.
MechanismSpec with_additions(const ModelSpec& spec) {
  MechanismSpec mechanism = with_markers(spec);
  for (JointSpec& joint : mechanism.joints) {
    const JointLawSpec* law = law_of_joint(spec, joint.name);
    if (law != nullptr && law->friction && !joint.bushing) joint.as_constraint = true;
  }
  return mechanism;
}

bool needs_additions(const ModelSpec& spec) {
  return has_elastic_bodies(spec.mechanism) || has_load_friction(spec);
}

}  // namespace

std::shared_ptr<const System> build_system(const ModelSpec& spec) {
  if (names_scene(spec)) return build_system(unfolded(spec));
  if (spec.system) return build_coded_system(*spec.system);
  if (has_load_friction(spec)) {
    return build_started_as(with_play(with_additions(spec), spec.clearance_joints),
                            with_play(with_markers(spec), spec.clearance_joints));
  }
  if (has_elastic_bodies(spec.mechanism)) return build_mechanism_with_play(with_markers(spec), spec.clearance_joints);
  return build_mechanism_with_play(spec.mechanism, spec.clearance_joints);
}

Model build_model(const ModelSpec& spec) {
  if (names_scene(spec)) return build_model(unfolded(spec));
  const IntegratorEntry* integrator = find_integrator(spec.simulate.integrator);
  if (integrator != nullptr && names_group_pairs(spec, *integrator)) return build_model(with_named_pairs(spec));
  Model model{build_system(spec), {}};
  if (const auto mechanism = std::dynamic_pointer_cast<const Mechanism>(model.system)) {
    const ContactModelSpec contacts{
        spec.shapes,     spec.contacts,  spec.clearance_joints, spec.groups, spec.simulate.initial_overlap_m,
        spec.joint_laws, spec.backlashes};
    model.contacts = needs_additions(spec) ? MechanismContacts::build(mechanism, with_additions(spec), contacts)
                                           : MechanismContacts::build(mechanism, spec.mechanism, contacts);
  } else {
    model.contacts = build_coded_contacts(*spec.system);
    refuse_overlaps(spec, model);
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
    add_contact_obstacles(spec, *integrator, obstacles);
  }
  return obstacles;
}

Measures measures_of(const ModelSpec& spec, const Model& model) {
  if (spec.measures.empty()) return {};
  std::vector<NamedQuantity> constants;
  for (const ModelParameter& parameter : spec.parameters) {
    if (!parameter.word) constants.push_back({parameter.name, parameter.value});
  }
  std::vector<MeasuredContact> contacts;
  for (const ContactPoint* point : model.contacts->descriptions()) contacts.push_back({point->contact, point->name()});
  return {spec.measures, constants, available_channels(*model.system, *model.contacts, spec.simulate.integrator),
          contacts};
}

std::unique_ptr<Simulation> build_simulation(const ModelSpec& spec, const Model& model) {
  std::vector<Diagnostic> obstacles = run_obstacles(spec);
  if (!obstacles.empty()) throw ModelError(std::move(obstacles));
  RecordOptions record = spec.record;
  Measures measures = measures_of(spec, model);
  if (!record.channels.empty()) {
    for (const std::string& channel : measures.channels()) {
      if (std::find(record.channels.begin(), record.channels.end(), channel) == record.channels.end())
        record.channels.push_back(channel);
    }
  }
  SimulationOptions options = spec.simulate;
  // Measures see rows, and between events there may be few of them.
  constexpr double kLeastMeasuredSteps = 1000;
  const IntegratorEntry* integrator = find_integrator(options.integrator);
  const bool has_bound = options.step_s || options.max_step_s;
  if (!spec.measures.empty() && !has_bound && integrator->traits.locates_events())
    options.max_step_s = options.duration_s / kLeastMeasuredSteps;
  auto simulation = std::make_unique<Simulation>(*model.system, *model.contacts, options, record);
  simulation->measure(std::move(measures));
  return simulation;
}

}  // namespace freeplay::model
