#include "freeplay/simulation/integrator_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/simulation/option_table.h"

namespace freeplay::simulation {

std::string cure_for_load_friction() {
  std::string names;
  for (const IntegratorEntry& known : integrator_registry()) {
    if (known.traits.takes_load_friction) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", known.name);
  }
  return fmt::format("use 'dry_friction', a bound that does not depend on the load, or one of the integrators {}",
                     names);
}

namespace {

[[noreturn]] void reject(const std::string& path, std::string message, std::string hint) {
  throw ModelError(path, std::move(message), std::move(hint));
}

const IntegratorEntry& entry_of(const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  if (entry != nullptr) return *entry;
  std::vector<std::string> names;
  for (const IntegratorEntry& known : integrator_registry()) names.push_back(known.name);
  reject("simulate.integrator", fmt::format("there is no integrator '{}'", options.integrator),
         did_you_mean(options.integrator, names));
}

// What the reader has checked in a file, and a C++ program may get wrong.
void check_range(const Option& option, const SimulationOptions& options) {
  const OptionValue value = option.value(options);
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr || option.range.contains(*number)) return;
  reject(fmt::format("simulate.{}", option.key), fmt::format("{} is {}", option.key, *number),
         fmt::format("give a number that is {}", option.range.describe()));
}

// Not every solver knows friction, and few know it in space.
void check_solver(const std::string& name, const ContactModel& contacts) {
  const SolverEntry* entry = find_solver(name);
  if (entry == nullptr) {
    std::vector<std::string> names;
    for (const SolverEntry& known : solver_registry()) names.push_back(known.name);
    reject("simulate.solver", fmt::format("the solver '{}' is not available in this version", name),
           did_you_mean(name, names));
  }
  const SolverTraits traits = entry->make()->traits();
  for (const ContactPoint* each : contacts.descriptions()) {
    const ContactPoint& point = *each;
    const bool has_disc = point.friction_rows() == 2;
    if (!point.has_friction() || (has_disc ? traits.takes_discs : traits.takes_friction)) continue;
    reject("simulate.solver",
           fmt::format("'{}' takes no friction{}, and '{}' has some", name,
                       has_disc && traits.takes_friction ? " in space" : "", point.name()),
           "use 'solver: auto', or 'nsgs' or 'semismooth-newton'");
  }
}

// Of an integrator that chooses its steps between two bounds.
void check_step_range(const SimulationOptions& options) {
  if (!options.max_step_s) {
    reject("simulate", fmt::format("'{}' needs the range of its steps", options.integrator),
           "add 'min_step: 1 ms' and 'max_step: 10 ms'");
  }
  if (options.step_s) {
    reject("simulate.step", fmt::format("'{}' chooses its steps between 'min_step' and 'max_step'", options.integrator),
           "delete the key; with 'step_choice: fixed' every step is 'max_step' long");
  }
}

void check_restitution(const IntegratorEntry& entry, const ContactModel& contacts) {
  if (entry.traits.knows_restitution) return;
  for (const ContactPoint* each : contacts.descriptions()) {
    const ContactPoint& point = *each;
    if (point.law.restitution == 0 && point.law.tangential_restitution == 0) continue;
    reject("simulate.integrator", fmt::format("'{}' knows no restitution, and '{}' has some", entry.name, point.name()),
           "set 'restitution: 0', or use 'integrator: moreau-midpoint' with a step");
  }
}

bool is_angular_play(const System& system, const std::string& name) {
  const auto* mechanism = dynamic_cast<const mechanism::Mechanism*>(&system);
  return mechanism != nullptr && std::ranges::any_of(mechanism->couplings, [&](const auto& coupling) {
           return coupling.is_angle && coupling.name == name;
         });
}

void check_force_laws(const IntegratorEntry& entry, const System& system, const ContactModel& contacts) {
  if (!entry.traits.has_force_laws()) return;
  for (const ContactPoint* each : contacts.descriptions()) {
    const ContactPoint& point = *each;
    if (point.force_law) continue;
    if (is_angular_play(system, point.contact)) {
      reject("simulate.integrator",
             fmt::format("'{}' takes no impacts, and the play of '{}' is an angle", entry.name, point.contact),
             "use 'model: compliant' for that coupling, or 'integrator: moreau-midpoint' with a step");
    }
    reject("simulate.integrator",
           fmt::format("'{}' takes no impacts, and '{}' has no force law", entry.name, point.name()),
           "give the contact or the stops a 'force:' block, or use 'integrator: moreau-midpoint' with a step");
  }
}

void check_load_friction(const IntegratorEntry& entry, const ContactModel& contacts) {
  const auto is_poissons = [](const ContactPoint* point) { return point->law.impact == ImpactLaw::kPoisson; };
  const std::vector<const ContactPoint*> all = contacts.descriptions();
  for (const ContactPoint& point : contacts.points()) {
    if (!point.rubs_by_load()) continue;
    if (!entry.traits.takes_load_friction) {
      reject("simulate.integrator",
             fmt::format("'{}' does not know friction by load, and the joint '{}' has it", entry.name, point.contact),
             cure_for_load_friction());
    }
    if (entry.traits.solves_contact_problems() && std::ranges::any_of(all, is_poissons)) {
      reject("simulate.integrator",
             fmt::format("'impact: poisson' does not go together with the friction by load of '{}'", point.contact),
             "use 'impact: newton'");
    }
  }
}

}  // namespace

std::string cure_for_poisson() {
  std::string names;
  for (const IntegratorEntry& known : integrator_registry()) {
    if (known.traits.takes_poisson) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", known.name);
  }
  return fmt::format("use 'impact: newton', or one of the integrators {}", names);
}

namespace {

// The model layer finds this with the place in the file; whoever builds contacts in C++ comes here.
void check_impact_laws(const IntegratorEntry& entry, const ContactModel& contacts) {
  if (!entry.traits.solves_contact_problems()) return;
  for (const ContactPoint* point : contacts.descriptions()) {
    if (point->law.impact == ImpactLaw::kNewton) continue;
    if (!entry.traits.takes_poisson) {
      reject("simulate.integrator",
             fmt::format("'{}' does not know the impact law 'poisson' of '{}'", entry.name, point->name()),
             cure_for_poisson());
    }
  }
}

void check_lubricants(const IntegratorEntry& entry, const ContactModel& contacts) {
  if (entry.traits.has_force_laws() || contacts.lubricated().empty()) return;
  reject("simulate.integrator",
         fmt::format("'{}' takes no lubricants, and '{}' has one", entry.name, contacts.lubricated()[0]),
         "use 'integrator: cvode-bdf' or 'dopri5', or 'bearing: dry' for a joint without oil");
}

void check(const IntegratorEntry& entry, const System& system, const ContactModel& contacts,
           const SimulationOptions& options) {
  const IntegratorTraits& traits = entry.traits;
  if (traits.solves_contact_problems()) check_solver(options.solver, contacts);
  if (!traits.takes_groups && !contacts.groups().empty()) {
    reject("simulate.integrator",
           fmt::format("'{}' takes no groups of bodies, and '{}' is one", entry.name, contacts.groups()[0].name()),
           "use 'integrator: moreau-midpoint', which looks for contacts where bodies are near");
  }
  if (traits.step_rule == StepRule::kWithinBounds) check_step_range(options);
  if (traits.step_rule == StepRule::kFixed && !options.step_s) {
    reject("simulate", fmt::format("'{}' needs a fixed step", entry.name), "add 'step: 10 us'");
  }
  check_impact_laws(entry, contacts);
  check_lubricants(entry, contacts);
  check_restitution(entry, contacts);
  check_force_laws(entry, system, contacts);
  check_load_friction(entry, contacts);
  for (const Option& option : option_table()) check_range(option, options);
}

// Jumps of motions ask for infinite forces. Impulses follow a jump of the rate, and so does event-driven motion.
void check_motions(const IntegratorEntry& entry, const System& system, const SimulationOptions& options) {
  const bool takes_rates = !entry.traits.has_force_laws();
  std::optional<MotionJump> jump = system.next_motion_jump(0);
  while (jump && jump->t < options.duration_s && !jump->is_of_value && takes_rates)
    jump = system.next_motion_jump(jump->t);
  if (!jump || jump->t >= options.duration_s) return;
  const std::string path = fmt::format("drivers.{}.motion", jump->driver);
  if (jump->is_of_value) {
    reject(path, fmt::format("the motion jumps by {:.4g} at t = {:.6g} s: no force can follow", jump->size, jump->t),
           "give a motion without jumps: of a table 'interpolation: cubic'");
  }
  reject(path,
         fmt::format("the rate of the motion jumps by {:.4g} at t = {:.6g} s: '{}' would need an infinite force",
                     jump->size, jump->t, entry.name),
         "give a motion without kinks: of a table 'interpolation: cubic'; or use 'integrator: event-driven'");
}

// A step that is as long as the period of a force would see the same value everywhere.
double longest_step_within(double period_s, double longest_s) {
  constexpr double kShareOfPeriod = 0.25;
  const double longest_by_period_s = kShareOfPeriod * period_s;
  if (!std::isfinite(longest_by_period_s)) return longest_s;
  return longest_s > 0 ? std::min(longest_s, longest_by_period_s) : longest_by_period_s;
}

IntegratorOptions options_of(const IntegratorEntry& entry, const System& system, const ContactModel& contacts,
                             const SimulationOptions& options) {
  IntegratorOptions chosen;
  static_cast<RuleOptions&>(chosen) = static_cast<const RuleOptions&>(options);
  chosen.velocity_tolerance = options.velocity_tolerance.value_or(0);
  chosen.baumgarte_per_s = options.baumgarte_per_s.value_or(0);
  chosen.theta = options.theta.value_or(chosen.theta);
  chosen.onset_control.control = options.penetration_control;
  chosen.onset_control.max_penetration_m = options.max_initial_penetration_m;
  if (options.min_step_s) chosen.onset_control.min_step_s = *options.min_step_s;
  chosen.max_step_s = options.max_step_s.value_or(options.step_s.value_or(0));
  if (const std::optional<double> longest_s = longest_step_by_duration(options)) chosen.max_step_s = *longest_s;
  if (entry.traits.step_rule == StepRule::kErrorControlled)
    chosen.max_step_s = longest_step_within(system.shortest_period(), chosen.max_step_s);
  chosen.first_step_s = options.step_s.value_or(0);
  if (entry.traits.step_rule == StepRule::kWithinBounds) {
    const bool is_fixed = options.step_choice == StepChoice::kFixed;
    chosen.min_step_s = is_fixed ? chosen.max_step_s : options.min_step_s.value_or(chosen.max_step_s);
  } else if (contacts.is_empty()) {
    // With contacts it bounds what is refused for them; the error control must be free to follow a stiff impact.
    chosen.min_step_s = options.min_step_s.value_or(0);
  }
  return chosen;
}

}  // namespace

std::optional<double> longest_step_by_duration(const SimulationOptions& options) {
  // Between events a part may rest for long; what begins then, by a force of time, must not be stepped over.
  constexpr double kLeastSteps = 100;
  const IntegratorEntry* entry = find_integrator(options.integrator);
  const bool has_own = options.max_step_s || options.step_s;
  if (entry == nullptr || !entry->traits.locates_events() || has_own) return std::nullopt;
  return options.duration_s / kLeastSteps;
}

std::unique_ptr<Integrator> make_integrator(const System& system, const ContactModel& contacts,
                                            const SimulationOptions& options) {
  const IntegratorEntry& entry = entry_of(options);
  check(entry, system, contacts, options);
  check_motions(entry, system, options);
  const IntegratorOptions chosen = options_of(entry, system, contacts, options);
  if (entry.takes != nullptr && !contacts.is_empty() && !entry.takes(options.penetration_control)) {
    const OptionValue control = find_option("penetration_control").value(options);
    reject("simulate.penetration_control",
           fmt::format("'{}' cannot find the starts of contacts by '{}'", entry.name, std::get<std::string>(control)),
           "use 'roots', or 'integrator: dopri5', which knows all of them");
  }
  return entry.make(system, contacts, chosen);
}

}  // namespace freeplay::simulation
