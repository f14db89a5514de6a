#include "freeplay/simulation/integrator_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/core/error.h"

namespace freeplay::simulation {

namespace {

constexpr int kMostWholeRows = 6000;  // of contacts, in rules that keep a square matrix of all of them

[[noreturn]] void reject(const std::string& path, std::string message, std::string hint) {
  throw ModelError(path, std::move(message), std::move(hint));
}

// ---- words of the file ----

VelocityForces velocity_forces_of(const std::string& word) {
  if (word == "start") return VelocityForces::kStart;
  if (word == "midpoint") return VelocityForces::kMidpoint;
  if (word == "implicit") return VelocityForces::kImplicit;
  reject("simulate.velocity_forces", fmt::format("there is no choice '{}'", word), "start, midpoint or implicit");
}

PenetrationControl penetration_control_of(const std::string& word) {
  if (word == "roots") return PenetrationControl::kRoots;
  if (word == "procedure-1") return PenetrationControl::kProcedure1;
  if (word == "procedure-2") return PenetrationControl::kProcedure2;
  if (word == "secant") return PenetrationControl::kSecant;
  if (word == "none") return PenetrationControl::kNone;
  reject("simulate.penetration_control", fmt::format("there is no choice '{}'", word),
         "roots, procedure-1, procedure-2, secant or none");
}

ActivationRule activation_of(const std::string& word) {
  if (word == "gap") return ActivationRule::kGap;
  if (word == "anticipated") return ActivationRule::kAnticipated;
  reject("simulate.activation", fmt::format("there is no choice '{}'", word), "gap or anticipated");
}

StepConstraint constraint_of(const std::string& word) {
  if (word == "plain") return StepConstraint::kPlain;
  if (word == "corrected") return StepConstraint::kCorrected;
  if (word == "disc") return StepConstraint::kDisc;
  reject("simulate.constraint", fmt::format("there is no choice '{}'", word), "plain, corrected or disc");
}

StepChoice step_choice_of(const std::string& word) {
  if (word == "objective") return StepChoice::kObjective;
  if (word == "land") return StepChoice::kLand;
  if (word == "fixed") return StepChoice::kFixed;
  reject("simulate.step_choice", fmt::format("there is no choice '{}'", word), "objective, land or fixed");
}

RFactor r_factor_of(const std::string& word) {
  if (word == "spectral") return RFactor::kSpectral;
  if (word == "row-sum") return RFactor::kRowSum;
  if (word == "diagonal") return RFactor::kDiagonal;
  reject("simulate.r_factor", fmt::format("there is no choice '{}'", word), "spectral, row-sum or diagonal");
}

// ---- what does not fit together ----

void check_theta(const SimulationOptions& options) {
  if (!options.theta) return;
  if (options.integrator != "moreau-jean") {
    reject("simulate.theta", fmt::format("'{}' has no theta", options.integrator),
           "use 'integrator: moreau-jean', or delete the key");
  }
  if (!(*options.theta > 0 && *options.theta <= 1)) {
    reject("simulate.theta", fmt::format("theta is {}", *options.theta), "give a number greater than 0 and at most 1");
  }
}

// Not every solver knows friction, and few know it in space.
void check_solver_takes(const std::string& name, const ContactModel& contacts) {
  const SolverTraits traits = find_solver(name)->make()->traits();
  for (const ContactPoint& point : contacts.points()) {
    const bool has_disc = point.friction_rows() == 2;
    if (!point.has_friction() || (has_disc ? traits.takes_discs : traits.takes_friction)) continue;
    reject("simulate.solver",
           fmt::format("'{}' takes no friction{}, and '{}' has some", name,
                       has_disc && traits.takes_friction ? " in space" : "", point.name()),
           "use 'solver: auto', or 'nsgs' or 'semismooth-newton'");
  }
}

// Of an integrator that chooses its steps between two bounds, and has no restitution.
void check_step_range(const SimulationOptions& options, const ContactModel& contacts) {
  if (!options.max_step_s) {
    reject("simulate", fmt::format("'{}' needs the range of its steps", options.integrator),
           "add 'min_step: 1 ms' and 'max_step: 10 ms'");
  }
  if (options.step_s) {
    reject("simulate.step", fmt::format("'{}' chooses its steps between 'min_step' and 'max_step'", options.integrator),
           "delete the key; with 'step_choice: fixed' every step is 'max_step' long");
  }
  for (const ContactPoint& point : contacts.points()) {
    if (point.law.restitution == 0 && point.law.tangential_restitution == 0) continue;
    reject("simulate.integrator",
           fmt::format("'{}' knows no restitution, and '{}' has some", options.integrator, point.name()),
           "set 'restitution: 0', or use 'integrator: moreau-midpoint' with a step");
  }
}

const IntegratorEntry& entry_of(const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  if (entry != nullptr) return *entry;
  std::vector<std::string> names;
  for (const IntegratorEntry& known : integrator_registry()) names.push_back(known.name);
  reject("simulate.integrator", fmt::format("there is no integrator '{}'", options.integrator),
         did_you_mean(options.integrator, names));
}

void check(const IntegratorEntry& entry, const ContactModel& contacts, const SimulationOptions& options) {
  if (!entry.is_smooth && find_solver(options.solver) == nullptr) {
    std::vector<std::string> names;
    for (const SolverEntry& known : solver_registry()) names.push_back(known.name);
    reject("simulate.solver", fmt::format("the solver '{}' is not available in this version", options.solver),
           did_you_mean(options.solver, names));
  }
  if (!entry.is_smooth) check_solver_takes(options.solver, contacts);
  if (!entry.is_smooth && !entry.takes_many_contacts && contacts.row_count() > kMostWholeRows) {
    reject("simulate.integrator",
           fmt::format("'{}' takes no model with {} contact rows", entry.name, contacts.row_count()),
           "use 'integrator: moreau-midpoint', which keeps only those of contacts that are closed");
  }
  if (entry.chooses_steps) {
    check_step_range(options, contacts);
  } else if (!entry.is_smooth && !options.step_s) {
    reject("simulate", fmt::format("'{}' needs a fixed step", entry.name), "add 'step: 10 us'");
  }
  for (const ContactPoint& point : contacts.points()) {
    if (!entry.is_smooth || point.force_law) continue;
    reject("simulate.integrator",
           fmt::format("'{}' takes no impacts, stops or dry friction, and '{}' has no force law", entry.name,
                       point.name()),
           "give the contact a 'force:' block, or use 'integrator: moreau-midpoint' with a step");
  }
  check_theta(options);
  if (options.baumgarte_per_s && !entry.is_smooth) {
    reject("simulate.baumgarte", fmt::format("'{}' projects its loops", entry.name),
           "delete the key, or use a smooth integrator such as dopri5");
  }
}

IntegratorOptions options_of(const IntegratorEntry& entry, const ContactModel& contacts,
                             const SimulationOptions& options) {
  IntegratorOptions chosen;
  chosen.relative_tolerance = options.relative_tolerance;
  chosen.absolute_tolerance = options.absolute_tolerance;
  chosen.velocity_tolerance = options.velocity_tolerance.value_or(0);
  chosen.baumgarte_per_s = options.baumgarte_per_s.value_or(0);
  chosen.onset_control.control = penetration_control_of(options.penetration_control);
  chosen.onset_control.max_penetration_m = options.max_initial_penetration_m;
  if (options.min_step_s) chosen.onset_control.min_step_s = *options.min_step_s;
  // With contacts it bounds what is refused for them; the error control must be free to follow a stiff impact.
  if (contacts.point_count() == 0) chosen.min_step_s = options.min_step_s.value_or(0);
  chosen.max_step_s = options.max_step_s.value_or(options.step_s.value_or(0));
  chosen.first_step_s = options.step_s.value_or(0);
  chosen.solver = options.solver;
  chosen.solver_tolerance_m_s = options.solver_tolerance_m_s;
  chosen.r_factor = r_factor_of(options.r_factor);
  chosen.impact_threshold_m_s = options.impact_threshold_m_s;
  chosen.velocity_forces = velocity_forces_of(options.velocity_forces);
  chosen.activation = activation_of(options.activation);
  if (entry.chooses_steps) {
    chosen.max_step_s = *options.max_step_s;
    chosen.min_step_s =
        options.step_choice == "fixed" ? *options.max_step_s : options.min_step_s.value_or(*options.max_step_s);
  }
  chosen.step_constraint = constraint_of(options.constraint);
  chosen.step_choice = step_choice_of(options.step_choice);
  chosen.theta = options.theta.value_or(chosen.theta);
  chosen.projection_m = options.projection_m;
  return chosen;
}

}  // namespace

std::unique_ptr<Integrator> make_integrator(const System& system, const ContactModel& contacts,
                                            const SimulationOptions& options) {
  const IntegratorEntry& entry = entry_of(options);
  check(entry, contacts, options);
  const IntegratorOptions chosen = options_of(entry, contacts, options);
  if (entry.takes != nullptr && contacts.point_count() > 0 && !entry.takes(chosen.onset_control.control)) {
    reject("simulate.penetration_control",
           fmt::format("'{}' cannot find the starts of contacts by '{}'", entry.name, options.penetration_control),
           "use 'roots', or 'integrator: dopri5', which knows all of them");
  }
  return entry.make(system, contacts, chosen);
}

std::vector<std::string> keys_without_effect(const SimulationOptions& options) {
  const SimulationOptions defaults;
  const std::pair<const char*, bool> keys[] = {
      {"velocity_forces", options.velocity_forces != defaults.velocity_forces},
      {"activation", options.activation != defaults.activation},
      {"constraint", options.constraint != defaults.constraint},
      {"step_choice", options.step_choice != defaults.step_choice},
      {"projection", options.projection_m.has_value()},
      {"force_window", options.force_window_s.has_value()},
  };
  const std::vector<std::string>& unused = entry_of(options).unused_keys;
  std::vector<std::string> names;
  for (const auto& [name, is_set] : keys) {
    if (is_set && std::find(unused.begin(), unused.end(), name) != unused.end()) names.emplace_back(name);
  }
  return names;
}

}  // namespace freeplay::simulation
