#include "freeplay/simulation/advice.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/simulation/integrator_choice.h"
#include "freeplay/simulation/option_table.h"

namespace freeplay::simulation {

namespace {

constexpr double kNoticeable = 1e-3;  // of the largest kinetic energy

// What keeps parts out of their walls, other than smaller steps; empty where it is in use already.
std::string advice_on_depth(const SimulationOptions& options) {
  if (find_option("constraint").is_used(options))
    return options.step_constraint == StepConstraint::kPlain ? ", or 'constraint: corrected'" : "";
  if (!find_option("activation").is_used(options))
    return ", or 'integrator: moreau-midpoint' with 'activation: anticipated'";
  return options.activation == ActivationRule::kAnticipated ? "" : ", or 'activation: anticipated'";
}

// Ten times more energy at the end than there ever was to explain it, and not by rounding: no mechanism does that, an
// unstable step does.
bool has_exploded(const RunSummary& summary, double largest_kinetic_J) {
  const EnergyAccount& account = summary.account;
  const double known = std::abs(summary.energy_initial_J) + std::abs(account.input) + std::abs(account.damping_loss) +
                       std::abs(account.impact_loss) + std::abs(account.friction_loss);
  const double drift = std::abs(summary.energy_drift_J);
  return drift > 10 * known && drift > 0.1 * largest_kinetic_J;
}

bool has_contact_solver(const ContactModel& contacts, const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  return !contacts.is_empty() && entry != nullptr && entry->traits.solves_contact_problems();
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
  for (const std::string& warning : warnings_on_unused_options(options_)) context.warn(warning);
}

void Advice::after_step(const State& state, const StepReport& report, const ContactPoint* deep_point,
                        const std::string& from_integrator, const RunContext& context) {
  if (deep_point != nullptr && !memory_.told_depth) {
    memory_.told_depth = true;
    context.warn(fmt::format(
        "at t = {:.6g} s '{}' penetrates its wall by more than a tenth of the clearance: take a smaller step{}",
        state.t, deep_point->name(), advice_on_depth(options_)));
  }
  if (report.used_fallback && !memory_.told_fallback) {
    memory_.told_fallback = true;
    context.warn(fmt::format("at t = {:.6g} s the solver '{}' did not reach its tolerance; a more robust one did",
                             state.t, options_.solver));
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

void Advice::after_run(const RunSummary& summary, double largest_kinetic_J, const RunContext& context) const {
  if (summary.deep_starts > 0) {
    context.warn(
        fmt::format("{} contacts began deeper than 'max_initial_penetration', since steps of 'min_step' are "
                    "not refused",
                    summary.deep_starts));
  }
  if (summary.injected_energy_J > kNoticeable * largest_kinetic_J) {
    context.warn(fmt::format(
        "contacts that were noticed late, up to {:.3g} m deep, have added {:.3g} J of spurious energy to the "
        "motion: use 'penetration_control: roots', or a smaller 'max_initial_penetration' or step",
        summary.largest_initial_penetration_m, summary.injected_energy_J));
  } else if (has_exploded(summary, largest_kinetic_J)) {
    context.warn(
        fmt::format("the energy has grown to {:.3g} J without a source: this is the error of the integrator, and "
                    "the motion means nothing. Take a smaller step",
                    summary.energy_final_J));
  }
}

std::string Advice::failure_message(double t, const StepReport& report, const std::string& details) const {
  const std::string row =
      report.worst_row >= 0 ? fmt::format(" (worst row: {})", system_.row_name(report.worst_row)) : "";
  return fmt::format("at t = {:.9g} s: {}{}{}", t, to_string(report.status), row,
                     details.empty() ? "" : " (" + details + ")");
}

}  // namespace freeplay::simulation
