#include "freeplay/model/coded_system.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/core/error.h"
#include "freeplay/mechanism/systems/system_registry.h"
#include "freeplay/model/coded_contacts.h"
#include "freeplay/model/coded_scene.h"

namespace freeplay::model {

namespace {

[[noreturn]] void refuse_unknown_system(const std::string& name) {
  std::vector<std::string> names;
  for (const SystemEntry& known : system_registry()) names.push_back(known.name);
  for (const SceneEntry& known : scene_registry()) names.push_back(known.name);
  throw ModelError("system", fmt::format("there is no system '{}'", name), did_you_mean(name, names));
}

// Adds what is wrong with one parameter that was given, or puts its value where the system expects it.
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
  } else if (given.value.dimension != found->dimension && !given.is_bare_zero &&
             !(found->takes_bare_numbers && given.value.dimension.is_dimensionless())) {
    mistake(fmt::format("must be {}, but is {}", found->dimension.describe(), given.value.dimension.describe()),
            fmt::format("{}: give a value in {}", found->description, found->dimension.si_unit()));
  } else {
    values[static_cast<std::size_t>(found - parameters.begin())] = given.value.value;
  }
}

// What is given beside a parameter that takes its place would be without effect.
void refuse_idle_parameters(const SystemSpec& spec, const std::vector<SystemParameter>& parameters,
                            const std::vector<double>& values, std::vector<Diagnostic>& mistakes) {
  const auto is_given = [&](const std::string& name) {
    return std::ranges::any_of(spec.parameters, [&](const ModelParameter& given) { return given.name == name; });
  };
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const SystemParameter& parameter = parameters[k];
    if (parameter.instead_of.empty() || values[k] == 0 || !is_given(parameter.instead_of)) continue;
    mistakes.push_back({{},
                        "parameters." + parameter.instead_of,
                        fmt::format("has no effect: '{}' takes its place", parameter.name),
                        fmt::format("leave one of the two out, or give {}: 0", parameter.name),
                        {}});
  }
}

std::vector<double> parameter_values(const SystemSpec& spec, const std::vector<SystemParameter>& parameters) {
  std::vector<double> values;
  for (const SystemParameter& parameter : parameters) values.push_back(parameter.default_value);
  std::vector<Diagnostic> mistakes;
  for (const ModelParameter& given : spec.parameters) place_parameter(spec.name, parameters, given, values, mistakes);
  refuse_idle_parameters(spec, parameters, values, mistakes);
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return values;
}

}  // namespace

bool names_scene(const ModelSpec& spec) {
  return spec.system && find_scene(spec.system->name) != nullptr;
}

void unfold_scene(ModelSpec& spec) {
  if (!names_scene(spec)) return;
  const SceneEntry& entry = *find_scene(spec.system->name);
  Scene scene = entry.make(parameter_values(*spec.system, entry.parameters));
  spec.mechanism = std::move(scene.mechanism);
  spec.shapes = std::move(scene.contacts.shapes);
  spec.contacts = std::move(scene.contacts.contacts);
  spec.clearance_joints = std::move(scene.contacts.clearance_joints);
  spec.groups = std::move(scene.contacts.groups);
  spec.scene = entry.name;
  spec.system.reset();
}

std::shared_ptr<const System> build_coded_system(const SystemSpec& spec) {
  const SystemEntry* entry = find_system(spec.name);
  if (entry == nullptr) refuse_unknown_system(spec.name);
  return entry->make(parameter_values(spec, entry->parameters));
}

std::shared_ptr<const ContactModel> build_coded_contacts(const SystemSpec& spec) {
  const SystemEntry* entry = find_system(spec.name);
  if (entry == nullptr) refuse_unknown_system(spec.name);
  if (auto contacts = make_coded_contacts(spec.name, parameter_values(spec, entry->parameters))) return contacts;
  return {&no_contacts(), [](const ContactModel*) {}};
}

}  // namespace freeplay::model
