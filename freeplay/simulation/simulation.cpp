#include "freeplay/simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/core/error.h"
#include "freeplay/simulation/integrator_choice.h"
#include "freeplay/simulation/option_table.h"

namespace freeplay::simulation {

namespace {

using Clock = std::chrono::steady_clock;

enum EnergyColumn {
  kKinetic,
  kPotential,
  kTotal,
  kImpactLoss,
  kFrictionLoss,
  kDampingLoss,
  kInput,
  kDrift,
  kEnergyCount
};
constexpr std::array<const char*, kEnergyCount> kEnergyChannels = {
    "energy.kinetic",       "energy.potential",    "energy.total", "energy.impact_loss",
    "energy.friction_loss", "energy.damping_loss", "energy.input", "energy.drift"};

// The last one only of integrators that measure it.
enum StepColumn { kSize, kResidual, kIterations, kPositionResidual, kEquationResidual, kStepCount };
constexpr std::array<const char*, kStepCount> kStepChannels = {"step.size", "step.residual", "step.iterations",
                                                               "step.position_residual", "step.equation_residual"};
constexpr std::array<const char*, kStepCount> kStepUnits = {"s", "m/s", "1", "m", "N"};

constexpr std::size_t kMostChannels = 20000;  // a file of more is of no use to anybody
constexpr double kNoticeable = 1e-3;          // of the largest kinetic energy
constexpr auto kProgressInterval = std::chrono::milliseconds(100);

[[noreturn]] void reject(const std::string& path, std::string message, std::string hint) {
  throw ModelError(path, std::move(message), std::move(hint));
}

}  // namespace

std::vector<ChannelInfo> available_channels(const System& system, const ContactModel& contacts,
                                            const std::string& integrator) {
  std::vector<ChannelInfo> channels;
  for (const ChannelDescription& channel : system.channels()) channels.push_back({channel.name, channel.unit()});
  for (ChannelInfo& channel : ContactRecorder::channels(contacts)) channels.push_back(std::move(channel));
  for (const char* name : kEnergyChannels) channels.push_back({name, "J"});
  const IntegratorEntry* entry = find_integrator(integrator);
  const bool measures_equation = entry != nullptr && entry->traits.measures_equation_residual;
  const std::size_t steps = measures_equation ? kStepCount : kStepCount - 1;
  for (std::size_t i = 0; i < steps; ++i) channels.push_back({kStepChannels[i], kStepUnits[i]});
  return channels;
}

namespace {

bool has_force_laws(const std::string& integrator) {
  const IntegratorEntry* entry = find_integrator(integrator);
  return entry != nullptr && entry->traits.has_force_laws();
}

int window_steps(const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  // Steps of different lengths: the force of each one.
  if (entry != nullptr && entry->traits.step_rule != StepRule::kFixed) return 1;
  constexpr double kDefaultSteps = 10, kMostSteps = 1e6;
  const double steps =
      options.force_window_s && options.step_s ? std::round(*options.force_window_s / *options.step_s) : kDefaultSteps;
  return static_cast<int>(std::clamp(steps, 1.0, kMostSteps));
}

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

}  // namespace

Simulation::Simulation(const System& system, const SimulationOptions& options, const RecordOptions& record)
    : Simulation(system, no_contacts(), options, record) {}

Simulation::Simulation(const System& system, const ContactModel& contacts, const SimulationOptions& options,
                       const RecordOptions& record)
    : system_(system),
      contacts_(contacts),
      options_(options),
      every_(record.every),
      dynamics_(system.make_dynamics()),
      contact_recorder_(contacts, *dynamics_,
                        {options.impact_threshold_m_s, window_steps(options), has_force_laws(options.integrator)}),
      energy_(kEnergyCount, 0.0) {
  if (!(options.duration_s > 0) || !std::isfinite(options.duration_s)) {
    reject("simulate.duration", fmt::format("the duration is {} s", options.duration_s), "give a time greater than 0");
  }
  if (options.step_s && (!(*options.step_s > 0) || *options.step_s > options.duration_s)) {
    reject("simulate.step", fmt::format("the step is {} s", *options.step_s), "give a time between 0 and the duration");
  }
  if (every_ < 1) reject("record.every", fmt::format("is {}", every_), "give a whole number of at least 1");
  integrator_ = make_integrator(system, contacts, options);
  end_time_ = options.step_s ? std::round(options.duration_s / *options.step_s) * *options.step_s : options.duration_s;
  choose_channels(record);
}

void Simulation::choose_channels(const RecordOptions& record) {
  const std::vector<ChannelInfo> available = available_channels(system_, contacts_, options_.integrator);
  std::vector<std::string> names;
  for (const ChannelInfo& channel : available) names.push_back(channel.name);
  const std::vector<std::string>& wanted = record.channels.empty() ? names : record.channels;

  if (record.channels.empty() && names.size() > kMostChannels) {
    reject("record", fmt::format("the model has {} channels, too many to record all of them", names.size()),
           "name those that you want: 'record: [energy.total, step.residual]'");
  }
  std::unordered_map<std::string, std::size_t> index_of;
  for (std::size_t i = 0; i < names.size(); ++i) index_of.emplace(names[i], i);

  std::vector<Diagnostic> unknown;
  for (const std::string& name : wanted) {
    const auto found = index_of.find(name);
    if (found == index_of.end()) {
      const std::string close = closest_match(name, names);
      unknown.push_back(
          {{},
           "record",
           fmt::format("there is no channel '{}'", name),
           close.empty() ? "`freeplay info` lists the channels of a model" : fmt::format("did you mean '{}'?", close),
           {}});
      continue;
    }
    const std::size_t index = found->second;
    channels_.push_back(available[index]);
    columns_.push_back(column_of(index));
  }
  if (!unknown.empty()) throw ModelError(unknown);
  if (record.motion && !record.channels.empty()) add_motion(available, wanted);
  system_values_.assign(system_channels_.size(), 0.0);
  reaction_values_.assign(reaction_channels_.size(), 0.0);
  values_.assign(columns_.size(), 0.0);
}

void Simulation::add_motion(const std::vector<ChannelInfo>& available, const std::vector<std::string>& wanted) {
  const std::unordered_set<std::string> recorded(wanted.begin(), wanted.end());
  for (std::size_t i = 0; i < system_.channels().size(); ++i) {
    if (!system_.channels()[i].is_pose || recorded.contains(system_.channels()[i].name)) continue;
    channels_.push_back(available[i]);
    columns_.push_back(column_of(i));
    ++motion_channels_;
  }
}

// Where the values of a channel come from; `channel` counts as available_channels() does.
Simulation::Column Simulation::column_of(std::size_t channel) {
  const std::size_t system_count = system_.channels().size();
  if (channel < system_count) {
    const bool is_reaction = system_.channels()[channel].needs_accelerations;
    std::vector<int>& list = is_reaction ? reaction_channels_ : system_channels_;
    list.push_back(static_cast<int>(channel));
    return {is_reaction ? Source::kReaction : Source::kSystem, static_cast<int>(list.size()) - 1};
  }
  channel -= system_count;
  // Listing them takes long where there are thousands of contact points.
  if (contact_channels_ == 0) contact_channels_ = ContactRecorder::channels(contacts_).size();
  if (channel < contact_channels_) {
    contact_recorder_.need_channel(static_cast<int>(channel));
    return {Source::kContact, static_cast<int>(channel)};
  }
  channel -= contact_channels_;
  if (channel < kEnergyCount) return {Source::kEnergy, static_cast<int>(channel)};
  return {Source::kStep, static_cast<int>(channel - kEnergyCount)};
}

double Simulation::limit_of_step(std::int64_t grid_index) const {
  // k * step, not a running sum: the grid does not drift.
  return options_.step_s ? std::min(static_cast<double>(grid_index) * *options_.step_s, end_time_) : end_time_;
}

void Simulation::set_dynamics(const State& state, const VecX& q) {
  dynamics_->set_position(state.t, q);
  dynamics_->set_velocity(state.u);
}

// The ledger at the state that `dynamics_` stands at.
void Simulation::read_energy(const State& state) {
  // The velocity of row 0 belongs to its own position, whatever the first step did.
  const bool is_elsewhere = record_.is_known && record_.position_of_velocity.size() > 0 && state.t > record_.t;
  if (is_elsewhere) set_dynamics(state, record_.position_of_velocity);
  const Energies energies = dynamics_->energies();
  if (is_elsewhere) set_dynamics(state, state.q);
  const EnergyAccount& account = state.account;
  energy_[kKinetic] = energies.kinetic;
  energy_[kPotential] = energies.potential;
  for (const ContactMemory& contact : state.contacts) energy_[kPotential] += contact.elastic_energy;
  energy_[kTotal] = energy_[kKinetic] + energy_[kPotential];
  energy_[kImpactLoss] = account.impact_loss;
  energy_[kFrictionLoss] = account.friction_loss;
  energy_[kDampingLoss] = account.damping_loss;
  energy_[kInput] = account.input;
  // What no source or sink explains: the integrator's error and the projection of drift.
  energy_[kDrift] = energy_[kTotal] - initial_energy_ - account.input + account.impact_loss + account.friction_loss +
                    account.damping_loss;
}

void Simulation::record_row(const State& state, const StepReport& report, RecordSink& sink, RunSummary& summary) {
  if (!reaction_channels_.empty() && record_.is_known) {
    set_reactions(record_, *dynamics_);
    dynamics_->read_channels(reaction_channels_, reaction_values_);
  } else {
    std::fill(reaction_values_.begin(), reaction_values_.end(), std::numeric_limits<double>::quiet_NaN());
  }
  dynamics_->set_position(state.t, state.q);
  dynamics_->set_velocity(state.u);
  dynamics_->read_channels(system_channels_, system_values_);
  contact_recorder_.prepare_row();
  book_energy(state, summary);
  const std::array<double, kStepCount> step = {report.size_s, report.residual_m_s,
                                               static_cast<double>(report.iterations), report.position_residual_m,
                                               report.equation_residual_N};
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t index = static_cast<std::size_t>(columns_[i].index);
    switch (columns_[i].source) {
      case Source::kSystem:
        values_[i] = system_values_[index];
        break;
      case Source::kReaction:
        values_[i] = reaction_values_[index];
        break;
      case Source::kContact:
        values_[i] = contact_recorder_.value(columns_[i].index, state);
        break;
      case Source::kEnergy:
        values_[i] = energy_[index];
        break;
      case Source::kStep:
        values_[i] = step[index];
        break;
    }
  }
  sink.row(state.t, values_);
  ++summary.rows;
}

void Simulation::book(const StepReport& report, RunSummary& summary) {
  summary.worst_residual_m_s = std::max(summary.worst_residual_m_s, report.residual_m_s);
  summary.worst_position_residual_m = std::max(summary.worst_position_residual_m, report.position_residual_m);
  summary.time_s = state_.t;
}

// At the state that the dynamics stands at. Only recorded rows pay for it.
void Simulation::book_energy(const State& state, RunSummary& summary) {
  read_energy(state);
  summary.energy_final_J = energy_[kTotal];
  largest_kinetic_J_ = std::max(largest_kinetic_J_, energy_[kKinetic]);
  summary.account = state.account;
  summary.energy_drift_J = energy_[kDrift];
  summary.max_energy_drift_J = std::max(summary.max_energy_drift_J, std::abs(energy_[kDrift]));
}

void Simulation::show_contact_problem(const StepReport& report, std::int64_t step, double start_s) const {
  // Any other failure may have come before the problem was posed.
  if (report.status != StepStatus::kOk && report.status != StepStatus::kSolverFailed) return;
  if (const std::optional<LocalProblem> problem = integrator_->contact_problem()) {
    problem_observer_({*problem, report, step, start_s});
  }
}

void Simulation::take_counts(RunSummary& summary) const {
  const IntegratorCounts& counts = integrator_->counts();
  summary.rejected_steps = counts.rejected;
  summary.evaluations = counts.evaluations;
  summary.contact_starts = counts.contact_starts;
  summary.rejected_by_contact = counts.rejected_by_contact;
  summary.interpolated_starts = counts.interpolated_starts;
  summary.deep_starts = counts.deep_starts;
  summary.largest_initial_penetration_m = counts.largest_start_m;
  summary.injected_energy_J = counts.injected_J;
}

// At the end of a run: energy from nowhere, and where it came from.
void Simulation::warn_of_energy(const RunSummary& summary, const RunContext& context) const {
  if (summary.deep_starts > 0) {
    context.warn(
        fmt::format("{} contacts began deeper than 'max_initial_penetration', since steps of 'min_step' are "
                    "not refused",
                    summary.deep_starts));
  }
  if (summary.injected_energy_J > kNoticeable * largest_kinetic_J_) {
    context.warn(fmt::format(
        "contacts that were noticed late, up to {:.3g} m deep, have added {:.3g} J of spurious energy to the "
        "motion: use 'penetration_control: roots', or a smaller 'max_initial_penetration' or step",
        summary.largest_initial_penetration_m, summary.injected_energy_J));
  } else if (has_exploded(summary, largest_kinetic_J_)) {
    context.warn(
        fmt::format("the energy has grown to {:.3g} J without a source: this is the error of the integrator, and "
                    "the motion means nothing. Take a smaller step",
                    summary.energy_final_J));
  }
}

RunSummary Simulation::run(RecordSink& sink, const RunContext& context, RecordLayout layout) {
  const Clock::time_point begin = Clock::now();
  RunSummary summary;
  layout.channels = channels_;
  layout.motion_channels = motion_channels_;
  for (const ContactPoint& point : contacts_.points()) layout.contacts.push_back(point.name());
  state_ = system_.initial_state();
  sink.begin(layout);
  const bool has_solver = contacts_.point_count() > 0 && !has_force_laws(options_.integrator);
  if (has_solver && find_solver(options_.solver)->make()->traits().is_relaxed) {
    context.warn(fmt::format(
        "the solver '{}' replaces Coulomb's law by a relaxed one: what it gives is for comparison only, and "
        "the worst residual tells how far from the law it is",
        options_.solver));
  }

  for (const std::string& warning : warnings_on_unused_options(options_)) context.warn(warning);

  record_.is_known = false;
  StepReport report = integrator_->start(state_, &record_);
  initial_energy_ = largest_kinetic_J_ = 0;
  dynamics_->set_position(state_.t, state_.q);
  dynamics_->set_velocity(state_.u);
  const Energies start = dynamics_->energies();
  initial_energy_ = start.kinetic + start.potential;
  for (const ContactMemory& contact : state_.contacts) initial_energy_ += contact.elastic_energy;
  summary.energy_initial_J = initial_energy_;
  book(report, summary);
  book_energy(state_, summary);
  StepStatus status = report.status;
  // Reactions that are means over steps: those of row 0 are the first step's, so that the row has to wait for it.
  const State first = state_;
  const StepReport first_report = report;
  bool first_row_waits = status == StepStatus::kOk && !record_.is_known && !reaction_channels_.empty();
  if (status == StepStatus::kOk && !first_row_waits) record_row(state_, report, sink, summary);

  const int first_rank = report.row_rank;
  bool rank_has_changed = false, has_warned_of_depth = false;
  std::int64_t grid_index = 1;
  Clock::time_point next_progress = begin + kProgressInterval;
  while (status == StepStatus::kOk && state_.t < end_time_) {
    if (context.should_stop()) {
      summary.status = RunStatus::kInterrupted;
      break;
    }
    const double limit = limit_of_step(grid_index);
    const double start_s = state_.t;
    // The last row is always there, whatever `every` says.
    const bool may_be_row = (summary.steps + 1) % every_ == 0 || limit >= end_time_ || first_row_waits;
    report = integrator_->step(state_, limit, may_be_row ? &record_ : nullptr);
    status = report.status;
    if (first_row_waits) {
      first_row_waits = false;
      record_row(first, first_report, sink, summary);
    }
    if (problem_observer_) show_contact_problem(report, summary.steps + 1, start_s);
    if (status != StepStatus::kOk) break;
    if (state_.t >= limit) ++grid_index;
    ++summary.steps;
    const bool is_row = summary.steps % every_ == 0 || state_.t >= end_time_;
    book(report, summary);
    if (is_row || !report.gaps_are_open) {
      dynamics_->set_position(state_.t, state_.q);
      contact_recorder_.look_at_gaps(summary);
      if (contact_recorder_.deep_point() >= 0 && !has_warned_of_depth) {
        has_warned_of_depth = true;
        context.warn(fmt::format(
            "at t = {:.6g} s '{}' penetrates its wall by more than a tenth of the clearance: take a smaller step{}",
            state_.t, contacts_.points()[static_cast<std::size_t>(contact_recorder_.deep_point())].name(),
            advice_on_depth(options_)));
      }
    }
    contact_recorder_.after_step(state_, report.size_s, report.active_points, sink, summary);
    if (report.used_fallback && summary.fallback_steps++ == 0) {
      context.warn(fmt::format("at t = {:.6g} s the solver '{}' did not reach its tolerance; a more robust one did",
                               state_.t, options_.solver));
    }
    if (const std::string warning = integrator_->take_warning(); !warning.empty()) context.warn(warning);
    if (report.row_rank != first_rank && !rank_has_changed) {
      rank_has_changed = true;
      context.warn(fmt::format(
          "at t = {:.6g} s the rank of the bilateral rows changed from {} to {}: reactions of redundant rows "
          "are shared differently from there on",
          state_.t, first_rank, report.row_rank));
    }
    if (is_row) record_row(state_, report, sink, summary);
    if (context.progress && (summary.steps & 63) == 0 && Clock::now() >= next_progress) {
      context.progress(state_.t / end_time_, summary.steps);
      next_progress = Clock::now() + kProgressInterval;
    }
  }
  if (status != StepStatus::kOk) {
    summary.status = RunStatus::kFailed;
    summary.failure = status;
    const std::string row =
        report.worst_row >= 0 ? fmt::format(" (worst row: {})", system_.row_name(report.worst_row)) : "";
    const std::string details = integrator_->failure_details();
    summary.message = fmt::format("at t = {:.9g} s: {}{}{}", state_.t, to_string(status), row,
                                  details.empty() ? "" : " (" + details + ")");
  }
  if (every_ > 1) {
    dynamics_->set_position(state_.t, state_.q);
    dynamics_->set_velocity(state_.u);
    book_energy(state_, summary);
  }
  take_counts(summary);
  warn_of_energy(summary, context);
  summary.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  sink.end(summary);
  return summary;
}

}  // namespace freeplay::simulation
