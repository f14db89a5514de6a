#include "freeplay/io/model_build.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/integrators/integrator.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/mechanism/systems/system_registry.h"

namespace freeplay {

namespace {

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  const std::string close = closest_match(word, known);
  return close.empty() ? fmt::format("available: {}", fmt::join(known, ", "))
                       : fmt::format("did you mean '{}'?", close);
}

const SystemEntry& entry_of(const SystemSpec& spec) {
  if (const SystemEntry* entry = find_system(spec.name)) return *entry;
  std::vector<std::string> names;
  for (const SystemEntry& known : system_registry()) names.push_back(known.name);
  throw ModelError("system", fmt::format("there is no system '{}'", spec.name), did_you_mean(spec.name, names));
}

// Adds what is wrong with one parameter of the file, or puts its value where the system expects it.
void place_parameter(const SystemEntry& entry, const ModelParameter& given, std::vector<double>& values,
                     std::vector<Diagnostic>& mistakes) {
  const std::string path = "parameters." + given.name;
  const auto mistake = [&](std::string message, std::string hint) {
    mistakes.push_back({{}, path, std::move(message), std::move(hint), {}});
  };
  const auto found = std::find_if(entry.parameters.begin(), entry.parameters.end(),
                                  [&](const SystemParameter& parameter) { return parameter.name == given.name; });
  if (found == entry.parameters.end()) {
    std::vector<std::string> names;
    for (const SystemParameter& parameter : entry.parameters) names.push_back(parameter.name);
    mistake(fmt::format("the system '{}' has no parameter '{}'", entry.name, given.name),
            did_you_mean(given.name, names));
  } else if (given.word) {
    mistake(fmt::format("must be {}, but is the word '{}'", found->dimension.describe(), *given.word),
            fmt::format("give a value in {}", found->dimension.si_unit()));
  } else if (given.value.dimension != found->dimension && !given.is_bare_zero) {
    mistake(fmt::format("must be {}, but is {}", found->dimension.describe(), given.value.dimension.describe()),
            fmt::format("{}: give a value in {}", found->description, found->dimension.si_unit()));
  } else {
    values[static_cast<std::size_t>(found - entry.parameters.begin())] = given.value.value;
  }
}

std::shared_ptr<const System> build_coded_system(const SystemSpec& spec) {
  const SystemEntry& entry = entry_of(spec);
  std::vector<double> values;
  for (const SystemParameter& parameter : entry.parameters) values.push_back(parameter.default_value);
  std::vector<Diagnostic> mistakes;
  for (const ModelParameter& given : spec.parameters) place_parameter(entry, given, values, mistakes);
  if (!mistakes.empty()) throw ModelError(std::move(mistakes));
  return entry.make(values);
}

std::vector<std::string> available_integrators() {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : integrator_registry()) names.push_back(entry.name);
  return names;
}

// The contact layer will take this over: it then asks each contact for the part that the integrator needs.
Diagnostic contact_obstacle(std::string path, std::string_view what) {
  std::vector<std::string> smooth;
  for (const IntegratorEntry& entry : integrator_registry()) {
    if (entry.is_smooth) smooth.push_back("'" + entry.name + "'");
  }
  return {{},
          std::move(path),
          fmt::format("{} needs a nonsmooth integrator, and this version has none", what),
          fmt::format("{} runs contact-free models only; `freeplay check` reads and checks this model",
                      fmt::join(smooth, ", ")),
          {}};
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
    return Mechanism::build(file.mechanism);
  });
}

std::vector<Diagnostic> run_obstacles(const ModelFile& file) {
  std::vector<Diagnostic> obstacles;
  // The reader knows every name of the format; the registry knows what this version can do.
  if (find_integrator(file.simulate.integrator) == nullptr) {
    obstacles.push_back({{},
                         "simulate.integrator",
                         fmt::format("'{}' is not available in this version", file.simulate.integrator),
                         fmt::format("available: {}", fmt::join(available_integrators(), ", ")),
                         {}});
  }
  for (const ContactSpec& contact : file.contacts)
    obstacles.push_back(contact_obstacle("contacts." + contact.name, "a contact"));
  for (const ClearanceJointSpec& play : file.clearance_joints)
    obstacles.push_back(contact_obstacle("joints." + play.joint.name + ".model", "a joint with play"));
  if (obstacles.empty()) return {};
  return file.located(ModelError(std::move(obstacles))).diagnostics();
}

std::unique_ptr<Simulation> build_simulation(const ModelFile& file, const System& system) {
  std::vector<Diagnostic> obstacles = run_obstacles(file);
  if (!obstacles.empty()) throw ModelError(std::move(obstacles));
  return located(file, [&] { return std::make_unique<Simulation>(system, file.simulate, file.record); });
}

}  // namespace freeplay
