// The rows.
#include "freeplay/simulation/option_table.h"

#include <fmt/format.h>

#include <string>
#include <type_traits>

namespace freeplay::simulation {

namespace {

using enum ContactTreatment;
using enum StepRule;
using dimensions::kTime;
using dimensions::kVelocity;
using ranges::kInsideZeroOne;
using ranges::kNotNegative;
using ranges::kPositive;
using Options = SimulationOptions;

// The one place where a word of a file and an enumerator meet.
template <auto kMember>
WordMember choice(
    const std::vector<std::pair<const char*, std::remove_cvref_t<decltype(std::declval<Options&>().*kMember)>>>&
        words) {
  using Enum = std::remove_cvref_t<decltype(std::declval<Options&>().*kMember)>;
  WordMember member{{},
                    [](const Options& options) { return static_cast<int>(options.*kMember); },
                    [](Options& options, int value) { options.*kMember = static_cast<Enum>(value); }};
  for (const auto& [word, value] : words) member.words.emplace_back(word, static_cast<int>(value));
  return member;
}

std::vector<std::string> integrator_names() {
  std::vector<std::string> names;
  for (const IntegratorEntry& entry : integrator_registry()) names.push_back(entry.name);
  return names;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_registry()) names.push_back(entry.name);
  return names;
}

// Numbers that stand with the integrators, as text for the table.
std::string_view min_step_by_default() {
  static const std::string text =
      fmt::format("no bound; {:g} us for contacts", 1e6 * IntegratorOptions{}.onset_control.min_step_s);
  return text;
}
std::string_view theta_by_default() {
  static const std::string text = fmt::format("{}", IntegratorOptions{}.theta);
  return text;
}

std::vector<Option> general_options() {
  return {
      {.key = "integrator",
       .member = NameMember{&Options::integrator, &integrator_names},
       .meaning = "Time integration; `freeplay list integrators` tells which this version has."},
      {.key = "solver",
       .member = NameMember{&Options::solver, &solver_names},
       .users = {.treatments = {kImpulses, kAccelerations}},
       .meaning = "Solver of the contact problem of one step; `freeplay list solvers` says what each one does."},
      {.key = "duration",
       .member = &Options::duration_s,
       .dimension = kTime,
       .range = kPositive,
       .is_required = true,
       .meaning = "Length of the run."},
      {.key = "step",
       .member = &Options::step_s,
       .dimension = kTime,
       .range = kPositive,
       .otherwise = "chosen by the integrator",
       .users = {.step_rules = {kFixed, kErrorControlled}},
       .meaning = "Step size. With error control no step is longer, and every multiple is the end of a step."},
      {.key = "min_step",
       .member = &Options::min_step_s,
       .dimension = kTime,
       .range = kPositive,
       .otherwise = min_step_by_default(),
       .users = {.step_rules = {kErrorControlled, kWithinBounds}},
       .meaning = "Smallest step size. With force laws of contacts: the size at which a step is no longer refused for "
                  "them; the error control goes on below it."},
      {.key = "max_step",
       .member = &Options::max_step_s,
       .dimension = kTime,
       .range = kPositive,
       .otherwise = "no bound",
       .users = {.step_rules = {kErrorControlled, kWithinBounds}},
       .meaning = "Largest step size."},
      {.key = "impact_threshold",
       .member = &Options::impact_threshold_m_s,
       .dimension = kVelocity,
       .range = kNotNegative,
       .meaning = "A slower approach is not an impact: it is left out of the table of impacts, and with `activation: "
                  "anticipated` it gets no restitution."},
      {.key = "initial_overlap",
       .member = &Options::initial_overlap_m,
       .dimension = dimensions::kLength,
       .range = kNotNegative,
       .meaning = "Depth by which parts may overlap at the start, as published starts do that were rounded or computed "
                  "with force laws; a deeper overlap is an error. Stops of revolute joints, whose depth is an angle, "
                  "must not overlap."},
      {.key = "initial_overlap_is",
       .member = choice<&Options::initial_overlap_is>(
           {{"kept", OverlapTreatment::kKept}, {"projected", OverlapTreatment::kProjected}}),
       .meaning = "What becomes of it: `kept`, the parts start as deep as they are (closed, and pushed apart by force "
                  "laws only); or `projected`, they are moved apart to touch before the first row, by the smallest "
                  "displacement in the norm of the masses. Velocities stay."},
  };
}

std::vector<Option> smooth_options() {
  return {
      {.key = "tolerance",
       .member = ShorthandMember{{&Options::relative_tolerance, &Options::absolute_tolerance}},
       .range = kInsideZeroOne,
       .users = {.step_rules = {kErrorControlled}},
       .meaning = "Relative and absolute tolerance of the error control."},
      {.key = "relative_tolerance",
       .member = &Options::relative_tolerance,
       .range = kInsideZeroOne,
       .otherwise = "`tolerance`",
       .users = {.step_rules = {kErrorControlled}},
       .meaning = "Instead of `tolerance`."},
      {.key = "absolute_tolerance",
       .member = &Options::absolute_tolerance,
       .range = kInsideZeroOne,
       .otherwise = "`tolerance`",
       .users = {.step_rules = {kErrorControlled}},
       .meaning = "Instead of `tolerance`, in SI units."},
      {.key = "velocity_tolerance",
       .member = &Options::velocity_tolerance,
       .range = kInsideZeroOne,
       .otherwise = "`absolute_tolerance`",
       .users = {.step_rules = {kErrorControlled}},
       .meaning = "Absolute tolerance of velocities, in SI units."},
      {.key = "baumgarte",
       .member = &Options::baumgarte_per_s,
       .dimension = dimensions::kAngularVelocity,
       .range = kPositive,
       .otherwise = "projection",
       .users = {.treatments = {kForces}},
       .meaning = "Rate at which loops are drawn back, after Baumgarte (1972), instead of being projected."},
      {.key = "penetration_control",
       .member = choice<&Options::penetration_control>({{"roots", PenetrationControl::kRoots},
                                                        {"procedure-1", PenetrationControl::kProcedure1},
                                                        {"procedure-2", PenetrationControl::kProcedure2},
                                                        {"secant", PenetrationControl::kSecant},
                                                        {"none", PenetrationControl::kNone}}),
       .users = {.treatments = {kForces}},
       .meaning = "How the start of a contact with a force law is found."},
      {.key = "max_initial_penetration",
       .member = &Options::max_initial_penetration_m,
       .dimension = dimensions::kLength,
       .range = kPositive,
       .users = {.treatments = {kForces}},
       .meaning = "Largest penetration at which a contact may begin, for `procedure-1`, `procedure-2` and `secant`."},
  };
}

// How the rules of steps with impacts and contacts differ.
std::vector<Option> nonsmooth_step_options() {
  return {
      {.key = "velocity_forces",
       .member = choice<&Options::velocity_forces>({{"start", VelocityForces::kStart},
                                                    {"midpoint", VelocityForces::kMidpoint},
                                                    {"implicit", VelocityForces::kImplicit}}),
       .users = {.integrators = {"moreau-midpoint"}},
       .meaning = "Where forces that depend on velocities are taken."},
      {.key = "activation",
       .member =
           choice<&Options::activation>({{"gap", ActivationRule::kGap}, {"anticipated", ActivationRule::kAnticipated}}),
       .users = {.integrators = {"moreau-midpoint"}},
       .meaning = "When a contact is taken as closed."},
      {.key = "lasting_contacts",
       .member =
           choice<&Options::lasting_contacts>({{"kept", LastingContacts::kKept}, {"paper", LastingContacts::kPaper}}),
       .users = {.integrators = {"moreau-midpoint", "moreau-jean"}},
       .meaning = "How a contact goes on from one step to the next: `kept` in the contact problem while it carries an "
                  "impulse, with restitution on true approaches only; or, as in the paper of Flores, Leine and Glocker "
                  "(2010), closed or open by the gap at the midpoint alone."},
      {.key = "impact_energy",
       .member = choice<&Options::impact_energy>(
           {{"warn", ImpactEnergy::kWarn}, {"limit", ImpactEnergy::kLimit}, {"stop", ImpactEnergy::kStop}}),
       .users = {.integrators = {"moreau-midpoint", "moreau-jean", "event-driven"}},
       .meaning = "What happens when an impact with Poisson's law gains energy: it is reported, or its contacts give "
                  "back less until nothing is gained, or the run ends."},
      {.key = "simultaneous",
       .member = &Options::simultaneous,
       .range = kNotNegative,
       .otherwise = "1e-9; 0 with `lasting_contacts: paper`",
       .users = {.integrators = {"moreau-midpoint", "moreau-jean", "event-driven"}},
       .meaning = "When a contact strikes, others of the same bodies whose gaps are no larger than this share of the "
                  "size of the smaller part are closed with it, in the same instant. Of a joint with play the size is "
                  "the clearance, of two stops half of their range. 0: those alone whose gap is not positive."},
      {.key = "rest_speed",
       .member = &Options::rest_speed_m_s,
       .dimension = kVelocity,
       .range = kNotNegative,
       .users = {.integrators = {"event-driven"}},
       .meaning = "A part that would leave its partner no faster has come to rest on it: infinitely many rebounds are "
                  "not computed one by one, but their end is."},
      {.key = "smooth",
       .member = choice<&Options::smooth_method>({{"dopri5", SmoothMethod::kDopri5},
                                                  {"cvode-bdf", SmoothMethod::kCvodeBdf},
                                                  {"cvode-adams", SmoothMethod::kCvodeAdams}}),
       .users = {.integrators = {"event-driven"}},
       .meaning =
           "What integrates the motion between events: `dopri5`; or CVODE, which begins anew at every event, with "
           "`cvode-bdf` for stiff springs and dampers, `cvode-adams` for long smooth stretches."},
      {.key = "theta",
       .member = &Options::theta,
       .range = ranges::kAboveZeroToOne,
       .otherwise = theta_by_default(),
       .users = {.integrators = {"moreau-jean"}},
       .meaning = "Weight of the forces and velocities at the end of a step."},
      {.key = "constraint",
       .member = choice<&Options::step_constraint>({{"plain", StepConstraint::kPlain},
                                                    {"corrected", StepConstraint::kCorrected},
                                                    {"disc", StepConstraint::kDisc}}),
       .users = {.integrators = {"nlp-variable-step"}},
       .meaning = "Which gap is kept open at the end of a step: to first order, the gap itself, or the gap itself with "
                  "the normals of the end."},
      {.key = "step_choice",
       .member = choice<&Options::step_choice>(
           {{"objective", StepChoice::kObjective}, {"land", StepChoice::kLand}, {"fixed", StepChoice::kFixed}}),
       .users = {.integrators = {"nlp-variable-step"}},
       .meaning = "How steps between `min_step` and `max_step` are chosen: by the objective, to end where contacts "
                  "close, or always the longest."},
  };
}

std::vector<Option> contact_problem_options() {
  return {
      {.key = "projection",
       .member = &Options::projection_m,
       .dimension = dimensions::kLength,
       .range = kNotNegative,
       .otherwise = "no projection",
       .users = {.integrators = {"moreau-midpoint", "moreau-jean"}},
       .meaning = "Penetration from which positions are projected back."},
      {.key = "r_factor",
       .member = choice<&Options::r_factor>(
           {{"spectral", RFactor::kSpectral}, {"row-sum", RFactor::kRowSum}, {"diagonal", RFactor::kDiagonal}}),
       .users = {.treatments = {kImpulses, kAccelerations}, .solver = "prox-jacobi"},
       .meaning = "How the factor r of the prox equation is chosen."},
      {.key = "solver_tolerance",
       .member = &Options::solver_tolerance_m_s,
       .dimension = kVelocity,
       .range = kPositive,
       .users = {.treatments = {kImpulses, kAccelerations}},
       .meaning = "Largest residual of the contact problem of one step that counts as solved."},
      {.key = "threads",
       .member = &Options::threads,
       .range = {.min = 0, .max = 1024, .is_whole = true},
       .users = {.integrators = {"moreau-midpoint", "moreau-jean"}},
       .meaning = "How many threads work together on the contacts of a pile that has thousands of them; 0: one per "
                  "core. The results have the same bits with any number."},
      {.key = "force_window",
       .member = &Options::force_window_s,
       .dimension = kTime,
       .range = kPositive,
       .otherwise = "one degree of the fastest turn",
       .users = {.treatments = {kImpulses}, .step_rules = {kFixed}},
       .meaning = "Forces of contacts, reactions of joints and efforts of drivers are means over this time, rounded to "
                  "whole steps. Unless given it is the time in which the fastest part, at the start or by its driver, "
                  "turns by one degree; where nothing turns by ten degrees, a thousandth of the duration. In a model "
                  "without contacts, one step."},
  };
}

}  // namespace

const std::vector<Option>& option_table() {
  static const std::vector<Option> table = [] {
    std::vector<Option> all;
    for (const auto& part :
         {general_options(), smooth_options(), nonsmooth_step_options(), contact_problem_options()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return table;
}

}  // namespace freeplay::simulation
