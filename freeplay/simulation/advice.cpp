#include "freeplay/simulation/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/simulation/integrator_choice.h"
#include "freeplay/simulation/option_table.h"
#include "freeplay/simulation/watch/beam_supports.h"

namespace freeplay::simulation {

namespace {

constexpr double kNoticeable = 1e-3;   // of the largest kinetic energy
constexpr double kEnergyShare = 0.05;  // of the exchanged energy: a larger error is worth a warning
constexpr double kShareOfLimit = 0.2;  // of the longest stable step: short enough to be accurate, too

IntegratorTraits traits_of(const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  return entry != nullptr ? entry->traits : IntegratorTraits{};
}

// What keeps parts out of their walls, other than smaller steps; empty where it is in use already.
std::string advice_on_depth(const SimulationOptions& options) {
  switch (traits_of(options).penetration_rule) {
    case PenetrationRule::kEndOfStep:
      return options.step_constraint == StepConstraint::kPlain ? ", or 'constraint: corrected'" : "";
    case PenetrationRule::kAnticipation:
      return options.activation == ActivationRule::kAnticipated ? "" : ", or 'activation: anticipated'";
    case PenetrationRule::kEvents:
      return "";
    case PenetrationRule::kClosedContacts:
    case PenetrationRule::kForceLaw:
      break;
  }
  return ", or 'integrator: moreau-midpoint' with 'activation: anticipated'";
}

// What makes the error of an integrator smaller.
std::string advice_on_energy(const SimulationOptions& options) {
  const IntegratorTraits traits = traits_of(options);
  if (traits.step_rule == StepRule::kErrorControlled) return "take a smaller 'relative_tolerance'";
  if (!traits.is_stable_with_stiff_forces) {
    const bool is_of_start =
        find_option("velocity_forces").is_used(options) && options.velocity_forces == VelocityForces::kStart;
    const bool is_anticipated =
        find_option("activation").is_used(options) && options.activation == ActivationRule::kAnticipated;
    return fmt::format(
        "take a smaller step{}{}, or 'integrator: moreau-jean' where springs or dampers are stiff",
        is_anticipated ? " ('activation: anticipated' errs in proportion to it where contacts push)" : "",
        is_of_start ? ", 'velocity_forces: midpoint' where bodies turn fast or forces depend on velocities" : "");
  }
  constexpr double kMidpoint = 0.5;  // a weight at which nothing is damped
  return options.theta.value_or(IntegratorOptions{}.theta) > kMidpoint
             ? "take a smaller step, or 'theta: 0.5', which loses least"
             : "take a smaller step";
}

bool has_contact_solver(const ContactModel& contacts, const SimulationOptions& options) {
  return !contacts.is_empty() && traits_of(options).solves_contact_problems();
}

}  // namespace

Advice::Advice(const System& system, const ContactModel& contacts, const SimulationOptions& options)
    : system_(system), contacts_(contacts), options_(options) {}

void Advice::before_run(const RunContext& context) const {
  if (has_contact_solver(contacts_, options_) && find_solver(options_.solver)->make()->traits().is_relaxed) {
    context.warn(fmt::format(
        "the solver '{}' replaces Coulomb's law by a relaxed one: what it gives is for comparison only, and "
        "the worst residual tells how far from the law it is",
        options_.solver));
  }
  warn_of_regularised_friction(context);
  for (const std::string& warning : warnings_on_unused_options(options_)) context.warn(warning);
  for (const std::string& warning : warnings_on_held_ends(system_)) context.warn(warning);
  for (const std::string& warning : warnings_on_momentless_ends(system_)) context.warn(warning);
  for (const std::string& warning : warnings_on_locked_beams(system_)) context.warn(warning);
  warn_of_kinks(context);
}

// Event-driven motion meets the jump as an event of its own; a step of time stepping takes it as any other impulse, but
// at the rates of its midpoint.
void Advice::warn_of_kinks(const RunContext& context) const {
  if (traits_of(options_).contact_treatment != ContactTreatment::kImpulses) return;
  const std::optional<MotionJump> jump = system_.next_motion_jump(0);
  if (!jump || jump->t >= options_.duration_s) return;
  context.warn(fmt::format(
      "the rate of the motion '{}' jumps by {:.4g} at t = {:.6g} s, and with it velocities: forces are infinite there, "
      "and the work of the jump is not all in 'energy.input'. Give a motion without kinks, of a table 'interpolation: "
      "cubic', or use 'integrator: event-driven'",
      jump->driver, jump->size, jump->t));
}

// Contacts have a force law because somebody wrote one; dry friction of joints gets its ramp from the integrator.
void Advice::warn_of_regularised_friction(const RunContext& context) const {
  if (!traits_of(options_).has_force_laws()) return;
  for (const ContactPoint& point : contacts_.points()) {
    if (point.has_normal) continue;
    context.warn(fmt::format(
        "'{}' makes a ramp of the dry friction of '{}': it has its full value from {:.3g} {} on, and below that the "
        "joint creeps where it would stick. 'friction_velocity' says where; 'integrator: moreau-midpoint' with a step "
        "takes Coulomb's law as it is",
        options_.integrator, point.contact, point.force_law->sliding.parameters().slip_speed_m_s,
        point.gap_dimension == dimensions::kAngle ? "rad/s" : "m/s"));
    return;
  }
}

void Advice::tell_of_contacts(double t, const ContactRecorder::Findings& contacts, const RunContext& context) {
  if (contacts.passed != nullptr && !memory_.told_wall) {
    memory_.told_wall = memory_.told_depth = true;  // it is deep, too
    context.warn(fmt::format(
        "at t = {:.6g} s '{}' is inside its wall without having come through the surface: the gap has jumped by more "
        "than the parts can have moved in the step. The part went around the end of a shape, over a step of its "
        "outline, or so deep that another side is nearest: close the shape, give its end a shape of its own, round the "
        "step of the outline, or take a smaller step; from here on the motion is not to be trusted",
        t, contacts.passed->name()));
  }
  if (contacts.deep != nullptr && !memory_.told_depth) {
    memory_.told_depth = true;
    const bool is_soft = traits_of(options_).has_force_laws();
    const bool is_angle = contacts.deep->gap_dimension == dimensions::kAngle;
    const char* measure = is_angle && contacts.deep->size > 0 ? "a tenth of half the range of its stops"
                          : is_angle                          ? "0.05 rad"
                          : contacts.deep->clearance_m > 0    ? "a tenth of the clearance"
                          : contacts.deep->tangents == 0      ? "a twentieth of its longest way from there so far"
                          : is_soft                           ? "a tenth of the smaller part's diameter"
                                                              : "a hundredth of the smaller part's diameter";
    context.warn(fmt::format("at t = {:.6g} s '{}' penetrates its wall by more than {}: take {}", t,
                             contacts.deep->name(), measure,
                             is_soft ? "a stiffer force law, since its formulas hold for small depths only"
                                     : "a smaller step" + advice_on_depth(options_)));
  }
  if (contacts.crowded != nullptr && !memory_.told_crowd) {
    memory_.told_crowd = true;
    context.warn(fmt::format(
        "at t = {:.6g} s '{}' has more contacts than points: the deepest have been kept, the others pass unseen; give "
        "it more by 'points', or split the shapes",
        t, contacts.crowded->contact));
  }
  if (contacts.doubtful != nullptr && !memory_.told_doubt) {
    memory_.told_doubt = true;
    context.warn(fmt::format(
        "at t = {:.6g} s rounding has decided whether '{}' rebounds: it approaches as fast as 'impact_threshold', and "
        "below that there is no restitution; take another threshold, and see by `freeplay compare` what changes",
        t, contacts.doubtful->name()));
  }
}

void Advice::on_deflection(double t, const DeflectionWatch::Finding& finding, const RunContext& context) {
  memory_.told_deflection = true;
  context.warn(fmt::format(
      "at t = {:.6g} s the elastic body '{}' is displaced in its frame by {:.4g} m, more than a tenth of its size of "
      "{:.4g} m, which ends what linear shapes describe: divide it into several elastic bodies in a row, joined by "
      "'fixed' joints, each with 'knots: [0 m, its length]' and all its splines, or make it stiffer",
      t, finding.body, finding.deflection_m, finding.size_m));
}

void Advice::on_passage(double t, int entry, const RunContext& context) {
  if (entry < 0 || memory_.told_wall) return;
  memory_.told_wall = true;
  context.warn(fmt::format(
      "in the step to t = {:.6g} s the parts of '{}' have flown through each other: they are apart at both ends of the "
      "step, and overlap in between, also in the shortest piece of it. Take a step in which no part moves by its own "
      "thickness; from here on the motion is not to be trusted",
      t, contacts_.descriptions()[static_cast<std::size_t>(entry)]->name()));
}

void Advice::on_division(double t, int entry, const RunContext& context) {
  if (memory_.told_division) return;
  memory_.told_division = true;
  context.warn(fmt::format(
      "in the step to t = {:.6g} s the parts of '{}' would have flown through each other: it is taken in pieces, and "
      "so "
      "is every other such step (the summary counts how often). Take a step in which no part moves by its own "
      "thickness",
      t, contacts_.descriptions()[static_cast<std::size_t>(entry)]->name()));
}

void Advice::on_lost_measures(const RunContext& context) {
  context.warn(
      "the measures are left out: the run that this one goes on from had others, or none, and its rows are gone. Go on "
      "with its block 'measure', or run the model from the start");
}

void Advice::on_stiffness(double t, double step_s, const StepStability::Finding& finding, const RunContext& context) {
  if (memory_.told_stiff) return;
  memory_.told_stiff = true;
  context.warn(fmt::format(
      "at t = {:.6g} s the step of {:.3g} s is too long for the {} of '{}': {} {:.3g} s{}; take a step of {:.1g} s, or "
      "'integrator: moreau-jean', which is stable for stiff springs and dampers",
      t, step_s, finding.is_by_damping ? "damping" : "stiffness", finding.element,
      step_s > finding.limit_s ? "the motion is unstable beyond" : "the motion becomes unstable at", finding.limit_s,
      step_s > finding.limit_s ? "" : ", and is inexact well below", kShareOfLimit * finding.limit_s));
}

std::string Advice::on_instability(double step_s, const StepStability::Finding& finding, double without_source_J,
                                   double exchanged_before_J) {
  return fmt::format(
      "the {} of '{}' allows steps up to {:.3g} s, this one has {:.3g} s; take {:.1g} s. {:.3g} J have appeared "
      "without a source; {:.3g} J were exchanged before",
      finding.is_by_damping ? "damping" : "stiffness", finding.element, finding.limit_s, step_s,
      kShareOfLimit * finding.limit_s, without_source_J, exchanged_before_J);
}

void Advice::after_step(const State& state, const StepReport& report, const ContactRecorder::Findings& contacts,
                        const std::string& from_integrator, const RunContext& context) {
  tell_of_contacts(state.t, contacts, context);
  if (report.used_fallback && !memory_.told_fallback) {
    memory_.told_fallback = true;
    context.warn(fmt::format("at t = {:.6g} s the solver '{}' did not reach its tolerance; a more robust one did",
                             state.t, options_.solver));
  }
  if (report.lowered_restitution && !memory_.told_restitution) {
    memory_.told_restitution = true;
    context.warn(
        fmt::format("at t = {:.6g} s contacts would have to rebound into each other: there, and in steps like it, they "
                    "got the nearest restitution that they can have together; a smaller step or more clearance gives "
                    "them room",
                    state.t));
  }
  if (report.kept_gaps && !memory_.told_kept_gaps) {
    memory_.told_kept_gaps = true;
    context.warn(
        fmt::format("at t = {:.6g} s contacts could not close their gaps together: there, and in steps like it, gaps "
                    "that would have closed within the step stayed as they were; a smaller step makes that smaller",
                    state.t));
  }
  if (report.impact_gain_J > 0 && !memory_.told_gain) {
    memory_.told_gain = true;
    context.warn(
        fmt::format("at t = {:.6g} s an impact by Poisson's law gains {:.3g} J; this is said once, the summary counts "
                    "all of them. {}; "
                    "'tangential_law: safe' and 'glocker' gain nothing with a single contact in the impact",
                    state.t, report.impact_gain_J,
                    options_.impact_energy == ImpactEnergy::kLimit
                        ? "Its contacts gave back less, until nothing was gained"
                        : "'impact_energy: limit' lowers the restitution until nothing is gained"));
  }
  if (!from_integrator.empty()) context.warn(from_integrator);
  if (report.row_rank != memory_.first_rank && !memory_.told_rank) {
    memory_.told_rank = true;
    context.warn(
        fmt::format("at t = {:.6g} s the rank of the bilateral rows changed from {} to {}: reactions of redundant rows "
                    "are shared differently from there on",
                    state.t, memory_.first_rank, report.row_rank));
  }
}

void Advice::after_run(const RunSummary& summary, const EnergyLedger::Memory& ledger, const RunContext& context) const {
  if (summary.deep_starts > 0) {
    context.warn(
        fmt::format("{} began deeper than 'max_initial_penetration', since steps of 'min_step' are not refused",
                    summary.deep_starts == 1 ? "1 contact" : fmt::format("{} contacts", summary.deep_starts)));
  }
  if (summary.injected_energy_J > kNoticeable * ledger.largest_kinetic_J) {
    context.warn(fmt::format(
        "contacts that were noticed late, up to {:.3g} m deep, have added {:.3g} J of spurious energy to the "
        "motion: use 'penetration_control: roots', or a smaller 'max_initial_penetration' or step",
        summary.largest_initial_penetration_m, summary.injected_energy_J));
    return;
  }
  look_at_energy(summary, ledger, context);
}

void Advice::look_at_energy(const RunSummary& summary, const EnergyLedger::Memory& ledger,
                            const RunContext& context) const {
  const double drift = ledger.worst_drift_J, exchanged = ledger.exchanged_J(summary.account);
  if (!std::isfinite(drift) || !std::isfinite(exchanged)) {
    context.warn(
        "the energies of the run are beyond what a number can hold, and its results mean nothing: look for "
        "values of the wrong unit or size");
    return;
  }
  if (std::abs(drift) > std::max(kEnergyShare * exchanged, ledger.rounding_J())) {
    context.warn(
        fmt::format("{:.3g} J have {} without a source, {:.2g} times the {:.3g} J that were exchanged: this "
                    "is the error of the integrator; {}",
                    std::abs(drift), drift > 0 ? "appeared" : "disappeared", std::abs(drift) / exchanged, exchanged,
                    advice_on_energy(options_)));
  }
  const double gain = std::max(-ledger.least_impact_loss_J, ledger.largest_gain_J);
  if (gain > std::max(kEnergyShare * exchanged, ledger.rounding_J())) {
    context.warn(
        fmt::format("impacts have added {:.3g} J to the motion, {:.2g} times the {:.3g} J that were exchanged: "
                    "take a smaller step; where it stays, the restitutions of contacts that strike together do "
                    "not fit each other, or friction turns the sliding back within an impact ('impact: poisson' with "
                    "'tangential_law: safe' gains nothing there)",
                    gain, gain / exchanged, exchanged));
  }
}

// Gaps are differences of positions. The play counts as known if the rounding of these is a millionth of it.
void Advice::look_at_rounding(Dynamics& dynamics, const RunContext& context) {
  constexpr double kFineEnough = 1e-6;
  if (memory_.told_doubt) return;
  const ContactPoint* narrowest = nullptr;
  for (const ContactPoint& point : contacts_.points()) {
    const bool is_narrower = narrowest == nullptr || point.clearance_m < narrowest->clearance_m;
    if (point.clearance_m > 0 && is_narrower) narrowest = &point;
  }
  if (narrowest == nullptr) return;
  std::vector<int> places;
  for (std::size_t i = 0; i < system_.channels().size(); ++i) {
    const ChannelDescription& channel = system_.channels()[i];
    if (channel.is_pose && channel.dimension == dimensions::kLength) places.push_back(static_cast<int>(i));
  }
  std::vector<double> values(places.size(), 0.0);
  dynamics.read_channels(places, values);
  double farthest_m = 0;
  for (const double value : values) farthest_m = std::max(farthest_m, std::abs(value));
  const double rounding_m = std::numeric_limits<double>::epsilon() * farthest_m;
  if (!(rounding_m > kFineEnough * narrowest->clearance_m)) return;
  memory_.told_doubt = true;
  context.warn(fmt::format(
      "the motion depends on rounding: {:.3g} m from the origin, positions are known to {:.2g} m, and the clearance of "
      "'{}' is {:.3g} m: move the origin to the mechanism, or let it go less far",
      farthest_m, rounding_m, narrowest->contact, narrowest->clearance_m));
}

void Advice::look_at_forces(const ContactRecorder::Findings& contacts, bool are_named, const ForceWindow& window,
                            const RunContext& context) const {
  if (contacts.struck == nullptr || options_.force_window_s || !options_.step_s) return;
  if (!find_option("force_window").is_used(options_)) return;
  const std::string text = fmt::format(
      "the largest force of '{}' is the impulse of an impact divided by the force window, {:.3g} s{}: rigid bodies do "
      "not tell how long an impact takes. Set 'force_window' to that time, or look at impulses",
      contacts.struck->name(), window.length_s, window.steps == 1 ? ", a single step" : "");
  are_named ? context.warn(text) : context.info(text);
}

std::string Advice::failure_message(double t, const StepReport& report, const std::string& details) const {
  const std::string row =
      report.worst_row >= 0 ? fmt::format(" (worst row: {})", system_.row_name(report.worst_row)) : "";
  return fmt::format("at t = {:.9g} s: {}{}{}", t, to_string(report.status), row,
                     details.empty() ? "" : " (" + details + ")");
}

}  // namespace freeplay::simulation
