#include "freeplay/simulation/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "freeplay/core/error.h"
#include "freeplay/simulation/integrator_choice.h"
#include "freeplay/simulation/run_end.h"
#include "freeplay/simulation/watch/not_finite.h"

namespace freeplay::simulation {

namespace {

constexpr auto kProgressInterval = std::chrono::milliseconds(100);
constexpr std::int64_t kStepsPerLookAtTheClock = 64;

ContactTreatment treatment_of(const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  return entry != nullptr ? entry->traits.contact_treatment : ContactTreatment::kImpulses;
}

bool anticipates(const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  return entry != nullptr && entry->traits.penetration_rule == PenetrationRule::kAnticipation &&
         options.activation == ActivationRule::kAnticipated;
}

bool is_error_controlled(const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  return entry != nullptr && entry->traits.step_rule == StepRule::kErrorControlled;
}

// What can be wrong before the parts of a simulation are made.
const SimulationOptions& checked(const SimulationOptions& options, const RecordOptions& record) {
  if (!(options.duration_s > 0) || !std::isfinite(options.duration_s)) {
    throw ModelError("simulate.duration", fmt::format("the duration is {} s", options.duration_s),
                     "give a time greater than 0");
  }
  if (options.step_s && (!(*options.step_s > 0) || *options.step_s > options.duration_s)) {
    throw ModelError("simulate.step", fmt::format("the step is {} s", *options.step_s),
                     "give a time between 0 and the duration");
  }
  if (record.every < 1)
    throw ModelError("record.every", fmt::format("is {}", record.every), "give a whole number of at least 1");
  return options;
}

}  // namespace

Simulation::Simulation(const System& system, const SimulationOptions& options, const RecordOptions& record)
    : Simulation(system, no_contacts(), options, record) {}

Simulation::Simulation(const System& system, const ContactModel& contacts, const SimulationOptions& options,
                       const RecordOptions& record)
    : system_(system),
      contacts_(contacts),
      options_(checked(options, record)),
      window_(force_window(system, !contacts.is_empty(), options_)),
      every_(record.every),
      contact_forces_(contacts.is_empty() ? 0 : record.contact_forces),
      names_channels_(!record.channels.empty()),
      end_time_(end_time_of(options)),
      limits_(system, is_error_controlled(options)),
      dynamics_(system.make_dynamics()),
      integrator_(make_integrator(system, contacts, options)),
      contact_recorder_(contacts, *dynamics_,
                        {options.impact_threshold_m_s, window_, treatment_of(options), anticipates(options)}),
      rows_(system, contacts, options.integrator, record, contact_recorder_, window_),
      // Only steps that do not look inside themselves can pass a part.
      passed_parts_(treatment_of(options) != ContactTreatment::kImpulses ? nullptr
                                                                         : PassedParts::make(system, contacts)),
      stability_(system, options_),
      deflections_(system),
      advice_(system, contacts, options_),
      no_channel_memory_(dynamics_->channel_memory()) {}

void Simulation::observe_checkpoints(std::int64_t every_steps, CheckpointObserver observer,
                                     std::function<bool()> is_due) {
  FREEPLAY_ASSERT(every_steps >= 1);
  checkpoint_every_ = every_steps;
  checkpoint_observer_ = std::move(observer);
  checkpoint_is_due_ = std::move(is_due);
}

RunSummary Simulation::run(RecordSink& sink, const RunContext& context, RecordLayout layout) {
  return run(system_.initial_state(), sink, context, std::move(layout));
}

RunContext Simulation::listening(const RunContext& context) {
  RunContext heard = context;
  heard.log = [this, log = context.log](LogLevel level, std::string_view text) {
    // A run that goes on says again what there was to say before it began.
    const bool is_new = std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end();
    if (level == LogLevel::kWarning && is_new) warnings_.emplace_back(text);
    if (log) log(level, text);
  };
  return heard;
}

RunSummary Simulation::run(const State& start, RecordSink& sink, const RunContext& context, RecordLayout layout) {
  open(start, sink, context, std::move(layout));
  while (advance()) {
  }
  return close();
}

void Simulation::open(RecordSink& sink, const RunContext& context, RecordLayout layout) {
  open(system_.initial_state(), sink, context, std::move(layout));
}

void Simulation::open(const State& start, RecordSink& sink, const RunContext& context, RecordLayout layout) {
  sink_.emplace(sink, measures_);
  context_ = listening(context);
  warnings_.clear();
  has_measures_ = true;
  begin(*sink_, context_, std::move(layout));
  start_at(start, context_);
  if (has_started_ && options_.step_s && stability_.is_due(0, 0)) look_at_stability(*options_.step_s, context_);
  if (has_started_) record_events(*sink_);  // what is closed from the start
  if (has_started_ && !first_row_waits_) record_first_row(*sink_);
}

RunSummary Simulation::resume(const Checkpoint& checkpoint, RecordSink& sink, const RunContext& context,
                              RecordLayout layout) {
  context_ = listening(context);
  // Before anything of an earlier result is overwritten.
  start_from(checkpoint);
  has_measures_ = measures_.fits(checkpoint.measures);
  sink_.emplace(sink, measures_);
  begin(*sink_, context_, std::move(layout));
  has_measures_ ? measures_.go_on(checkpoint.measures) : Advice::on_lost_measures(context_);
  while (advance()) {
  }
  return close();
}

void Simulation::begin(RecordSink& sink, const RunContext& context, RecordLayout layout) {
  begin_ = Clock::now();
  next_progress_ = begin_ + kProgressInterval;
  layout.channels = rows_.channels();
  layout.motion_channels = rows_.motion_channels();
  layout.contact_forces = contact_forces_;
  // Whoever reads the forces later needs to know what they are means over; the model may leave that to freeplay.
  layout.attributes["force_window"] = fmt::format("{}", window_.length_s);
  for (const ContactPoint* point : contacts_.descriptions()) layout.contacts.push_back(point->name());
  if (has_measures_) layout.measures = measures_.labels();
  for (const SurfaceWear& surface : contact_recorder_.wear().results())
    layout.worn_surfaces.push_back({surface.name(), surface.unit});
  sink.begin(layout);
  advice_.before_run(context);
  tell_of_another_end(end_time_, options_, context);
}

double Simulation::end_of_grid_step() const {
  // k * step, not a running sum: the grid does not drift.
  return options_.step_s ? std::min(static_cast<double>(grid_index_) * *options_.step_s, end_time_) : end_time_;
}

// After a step that has reached it.
void Simulation::pass_limit(const StepLimit& limit) {
  state_.t = limit.lands_on;
  if (limit.is_grid) ++grid_index_;
  if (limit.is_sample) dynamics_->take_samples(state_);
}

bool Simulation::advance() {
  if (report_.status != StepStatus::kOk || !(state_.t < end_time_)) return false;
  if (context_.should_stop()) {
    if (context_.stopping) context_.stopping();
    summary_.status = RunStatus::kInterrupted;
    return false;
  }
  // Pieces of a divided step are no rows, and shift none.
  const bool is_row = (summary_.steps - summary_.divided_steps + 1) % every_ == 0;
  take_step(is_row, *sink_);
  if (report_.status != StepStatus::kOk) return false;
  finish_step((is_row && !is_divided_) || state_.t >= end_time_, *sink_, context_);
  const bool has_observer = checkpoint_observer_ && summary_.steps % checkpoint_every_ == 0;
  if (has_observer && (!checkpoint_is_due_ || checkpoint_is_due_())) checkpoint_observer_(save());
  if (context_.progress && summary_.steps % kStepsPerLookAtTheClock == 0 && Clock::now() >= next_progress_) {
    context_.progress(state_.t / end_time_, summary_.steps);
    next_progress_ = Clock::now() + kProgressInterval;
  }
  return true;
}

RunSummary Simulation::close() {
  RunSummary summary = finish(*sink_, context_);
  sink_.reset();
  context_ = {};
  return summary;
}

// report_ says how it went.
void Simulation::take_step(bool is_row, RecordSink& sink) {
  StepLimit limit = limits_.next(state_.t, end_of_grid_step());
  const double start_s = state_.t;
  // The last row is always there, whatever `every` says.
  const bool may_be_row = is_row || limit.lands_on >= end_time_ || first_row_waits_ || rows_.reads_every_step() ||
                          advice_.memory().told_stiff;
  const std::int64_t handed_over = integrator_->counts().handed_over;
  StepRecord* record = may_be_row ? &record_ : nullptr;
  is_divided_ = false;
  if (passed_parts_ && !advice_.memory().told_wall)
    step_without_passage(limit, record);
  else
    report_ = integrator_->step(state_, limit.t, record);
  is_handed_over_ = integrator_->counts().handed_over != handed_over;
  if (first_row_waits_) record_first_row(sink);
  if (problem_observer_) show_contact_problem(start_s);
  if (report_.status != StepStatus::kOk) return;
  if (state_.t >= limit.t) pass_limit(limit);
  ++summary_.steps;
  if (is_divided_) ++summary_.divided_steps;
}

// Everything that wants to know of an accepted step.
void Simulation::finish_step(bool is_row, RecordSink& sink, const RunContext& context) {
  book(report_);
  ledger_.follow_losses(state_.account);
  contact_recorder_.add_wear(state_, report_.size_s, is_handed_over_);
  // First the reactions, since they take the dynamics away to where the forces acted.
  if (is_row || rows_.reads_every_step()) rows_.read_reactions(record_, state_.t, report_.size_s, *dynamics_);
  if (is_row || !report_.gaps_are_open || contact_recorder_.looks_at_every_step()) {
    dynamics_->set_position(state_.t, state_.q);
    contact_recorder_.update_gaps(state_);
    contact_recorder_.look_at_gaps(state_, summary_.steps, report_.size_s, summary_);
  }
  if (deflections_.has_bodies() && !advice_.memory().told_deflection) {
    if (const auto finding = deflections_.look(state_)) advice_.on_deflection(state_.t, *finding, context);
  }
  contact_recorder_.after_step(state_, report_.size_s, report_.active_points, sink, summary_);
  record_events(sink);
  if (advice_.is_asked_for(report_, contact_recorder_.has_findings())) {
    advice_.after_step(state_, report_, contact_recorder_.findings(), integrator_->take_warning(), context);
  }
  if (report_.used_fallback) ++summary_.fallback_steps;
  if (report_.lowered_restitution) ++summary_.lowered_restitution_steps;
  if (report_.kept_gaps) ++summary_.kept_gap_steps;
  if (report_.impact_gain_J > 0) ++summary_.gaining_impacts;
  summary_.impact_gain_J += report_.impact_gain_J;
  if (is_row) record_row(state_, report_, sink);
  const bool has_record = is_row || advice_.memory().told_stiff;  // as take_step() has asked for it
  if (stability_.is_due(summary_.steps, ledger_.memory().worst_drift_J)) look_at_stability(report_.size_s, context);
  if (has_record && advice_.memory().told_stiff) look_at_explosion(is_row);
}

// Once a step was told to be too long, the ledger is kept in every step: what is unstable grows beyond all numbers
// between two rows.
void Simulation::look_at_explosion(bool is_booked) {
  if (!is_booked) {
    dynamics_->set_position(state_.t, state_.q);
    dynamics_->set_velocity(state_.u);
    ledger_.book(*dynamics_, state_, record_, summary_);
  }
  if (!explosion_.is_exploding(ledger_, state_.account)) return;
  const double step_s = report_.size_s;
  // Over what this motion changes in a step: a force that saturates is not stiff any more.
  const std::optional<StepStability::Finding> now = stability_.look(state_, step_s, ledger_.memory().worst_drift_J);
  if (!now || !(step_s > now->limit_s)) {
    explosion_.go_on_from(ledger_);
    return;
  }
  // What was found before the motion was lost names the element better.
  if (!too_long_ || !(step_s > too_long_->limit_s)) too_long_ = now;
  report_.status = StepStatus::kUnstable;
}

void Simulation::look_at_stability(double step_s, const RunContext& context) {
  too_long_ = stability_.look(state_, step_s, ledger_.memory().worst_drift_J);
  if (too_long_) advice_.on_stiffness(state_.t, step_s, *too_long_, context);
}

void Simulation::record_events(RecordSink& sink) const {
  for (const ContactEvent& event : integrator_->events())
    sink.event({event.time_s, static_cast<std::int32_t>(contacts_.entry_of(event.key)), event.kind});
}

void Simulation::record_first_row(RecordSink& sink) {
  const State& state = first_row_waits_ ? first_state_ : state_;
  first_row_waits_ = false;
  rows_.read_reactions(record_, state.t, 0, *dynamics_);
  dynamics_->set_position(state.t, state.q);
  contact_recorder_.update_gaps(state);
  record_row(state, first_report_, sink);
}

// The dynamics and the contact recorder stand at the position of the row, its reactions have been read.
void Simulation::record_row(const State& state, const StepReport& report, RecordSink& sink) {
  dynamics_->set_velocity(state.u);
  contact_recorder_.prepare_row(state);
  ledger_.book(*dynamics_, state, record_, summary_);
  if (contact_forces_ > 0)
    sink.contact_forces(contact_recorder_.strongest_forces(state, report.size_s, contact_forces_));
  rows_.write_row(state, report, *dynamics_, ledger_, sink);
  ++summary_.rows;
}

void Simulation::book(const StepReport& report) {
  summary_.worst_residual_m_s = std::max(summary_.worst_residual_m_s, report.residual_m_s);
  summary_.worst_residual_m_s2 = std::max(summary_.worst_residual_m_s2, report.residual_m_s2);
  summary_.worst_position_residual_m = std::max(summary_.worst_position_residual_m, report.position_residual_m);
  summary_.time_s = state_.t;
}

void Simulation::show_contact_problem(double start_s) const {
  // Any other failure may have come before the problem was posed.
  if (report_.status != StepStatus::kOk && report_.status != StepStatus::kSolverFailed) return;
  if (const std::optional<LocalProblem> problem = integrator_->contact_problem()) {
    problem_observer_({*problem, report_, summary_.steps + 1, start_s});
  }
}

void Simulation::take_counts() {
  const IntegratorCounts& counts = integrator_->counts();
  summary_.rejected_steps = counts.rejected;
  summary_.evaluations = counts.evaluations;
  summary_.events = counts.events;
  summary_.handed_over_steps = counts.handed_over;
  if (treatment_of(options_) != ContactTreatment::kForces) return;
  summary_.contacts_begun = counts.contacts_begun;
  summary_.rejected_by_contact = counts.rejected_by_contact;
  summary_.interpolated_starts = counts.interpolated_starts;
  summary_.deep_starts = counts.deep_starts;
  summary_.largest_initial_penetration_m = counts.largest_start_m;
  summary_.injected_energy_J = counts.injected_J;
}

std::string Simulation::failure_details() {
  if (report_.status == StepStatus::kUnstable)
    return Advice::on_instability(report_.size_s, *too_long_, ledger_.memory().worst_drift_J, explosion_.doubtful_J());
  std::string details = integrator_->failure_details();
  if (!details.empty()) return details;
  constexpr double kShareOfDuration = 1e-3;  // of methods that choose their steps
  return not_finite_effort(system_, *dynamics_, state_,
                           options_.step_s.value_or(kShareOfDuration * options_.duration_s));
}

RunSummary Simulation::finish(RecordSink& sink, const RunContext& context) {
  if (report_.status != StepStatus::kOk) {
    summary_.status = RunStatus::kFailed;
    summary_.failure = report_.status;
    const std::string details = failure_details();
    summary_.message = advice_.failure_message(state_.t, report_, details);
  }
  // Before the energies at the end are booked, which a run that goes on may never see.
  std::optional<Checkpoint> checkpoint;
  if (has_started_) checkpoint = save();
  if (every_ > 1) {
    dynamics_->set_position(state_.t, state_.q);
    dynamics_->set_velocity(state_.u);
    ledger_.book(*dynamics_, state_, record_, summary_);
  }
  take_counts();
  advice_.after_run(summary_, ledger_.memory(), context);
  advice_.look_at_forces(contact_recorder_.findings(), names_channels_, window_, context);
  summary_.peak_forces.clear();
  rows_.peaks().append_to(summary_.peak_forces);
  contact_recorder_.peaks().append_to(summary_.peak_forces);
  summary_.wear = contact_recorder_.wear().results();
  dynamics_->set_position(state_.t, state_.q);
  advice_.look_at_rounding(*dynamics_, context);
  if (has_measures_) {
    // Behind the checkpoint: a run that goes on may come far enough.
    for (const std::string& shortfall : measures_.shortfalls()) context.warn(shortfall);
    summary_.measures = measures_.values();
  }
  summary_.warnings = warnings_;
  summary_.wall_seconds = earlier_seconds_ + std::chrono::duration<double>(Clock::now() - begin_).count();
  if (checkpoint) {
    checkpoint->summary.wall_seconds = summary_.wall_seconds;
    sink.checkpoint(*checkpoint);
  }
  sink.end(summary_);
  return summary_;
}

}  // namespace freeplay::simulation
