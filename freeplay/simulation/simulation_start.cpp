// Where a simulation begins: at a state, or at a checkpoint of an earlier run; and the checkpoints that it leaves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/contact/problem/gap_projection.h"
#include "freeplay/core/error.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::simulation {

// Moves state_.q so that nothing overlaps, as `initial_overlap_is: projected` asks.
StepStatus Simulation::part_overlaps(const RunContext& context) {
  if (options_.initial_overlap_is == OverlapTreatment::kKept || !(options_.initial_overlap_m > 0)) {
    return StepStatus::kOk;
  }
  const std::unique_ptr<ContactKinematics> points = contacts_.make_kinematics(*dynamics_);
  const VecX before = state_.q;
  const StepStatus status = GapProjection(system_, contacts_, 0).project(*dynamics_, *points, state_);
  if (status == StepStatus::kOk && state_.q != before)
    context.info("parts that overlapped at the start have been moved apart ('initial_overlap_is: projected')");
  return status;
}

void Simulation::start_at(const State& start, const RunContext& context) {
  state_ = start;
  summary_ = {};
  grid_index_ = options_.step_s ? static_cast<std::int64_t>(std::max(0.0, std::floor(state_.t / *options_.step_s))) : 0;
  do {
    ++grid_index_;
  } while (options_.step_s && end_of_grid_step() <= state_.t && state_.t < end_time_);
  limits_.forget();
  if (passed_parts_) passed_parts_->forget();
  earlier_seconds_ = 0;
  contact_recorder_.forget();
  rows_.windows().forget();
  dynamics_->set_channel_memory(no_channel_memory_);
  record_.is_known = false;
  const StepStatus parted = part_overlaps(context);
  dynamics_->take_samples(state_);
  report_ = integrator_->start(state_, &record_);
  if (report_.status == StepStatus::kOk) report_.status = parted;
  contact_recorder_.start_wear(state_);
  advice_.set_memory({report_.row_rank});
  stability_.go_on(0, false);
  explosion_ = {};
  too_long_.reset();
  dynamics_->set_position(state_.t, state_.q);
  dynamics_->set_velocity(state_.u);
  ledger_.open(*dynamics_, state_, summary_);
  book(report_);
  ledger_.book(*dynamics_, state_, record_, summary_);
  has_started_ = report_.status == StepStatus::kOk;
  first_row_waits_ = has_started_ && !record_.is_known && rows_.has_reactions();
  first_report_ = report_;
  if (first_row_waits_) first_state_ = state_;
}

void Simulation::start_from(const Checkpoint& checkpoint) {
  const State& state = checkpoint.state;
  const bool fits = checkpoint.integrator == options_.integrator && state.q.size() == system_.coordinate_count() &&
                    state.u.size() == system_.velocity_count() &&
                    std::all_of(state.contacts.begin(), state.contacts.end(),
                                [&](const ContactMemory& memory) { return contacts_.has_point(memory.key); }) &&
                    integrator_->fits(state) && checkpoint.channels.size() == no_channel_memory_.size() &&
                    contact_recorder_.set_memory(checkpoint.contacts) &&
                    rows_.windows().set_memory(checkpoint.reactions);
  if (!fits) {
    throw ModelError("simulate", fmt::format("the checkpoint at t = {:.9g} s is not one of this model", state.t),
                     "go on with the model, the integrator and the recorded channels of the run that has left it");
  }
  state_ = state;
  summary_ = checkpoint.summary;
  warnings_ = std::move(summary_.warnings);
  summary_.status = RunStatus::kCompleted;
  summary_.failure = StepStatus::kOk;
  summary_.message.clear();
  earlier_seconds_ = summary_.wall_seconds;
  grid_index_ = checkpoint.grid_index;
  limits_.forget();
  if (passed_parts_) passed_parts_->set_memory(checkpoint.passages);
  dynamics_->set_channel_memory(checkpoint.channels);
  record_.is_known = false;
  advice_.set_memory(checkpoint.advice);
  stability_.go_on(checkpoint.drift_at_look_J, checkpoint.advice.told_stiff);
  explosion_.set_doubtful_J(checkpoint.doubtful_J);
  too_long_.reset();
  ledger_.set_memory(checkpoint.ledger);
  report_ = first_report_ = checkpoint.report;
  report_.status = integrator_->resume(state_, checkpoint.counts);
  has_started_ = report_.status == StepStatus::kOk;
  first_row_waits_ = checkpoint.first_row_waits;
  if (first_row_waits_) first_state_ = state_;
}

Checkpoint Simulation::save() {
  integrator_->save(state_);
  Checkpoint checkpoint;
  checkpoint.integrator = options_.integrator;
  checkpoint.state = state_;
  checkpoint.counts = integrator_->counts();
  checkpoint.report = report_;
  checkpoint.summary = summary_;
  checkpoint.summary.warnings = warnings_;
  checkpoint.grid_index = grid_index_;
  checkpoint.first_row_waits = first_row_waits_;
  checkpoint.ledger = ledger_.memory();
  checkpoint.advice = advice_.memory();
  checkpoint.drift_at_look_J = stability_.drift_at_look_J();
  checkpoint.doubtful_J = explosion_.doubtful_J();
  checkpoint.contacts = contact_recorder_.memory();
  checkpoint.reactions = rows_.windows().memory();
  checkpoint.channels = dynamics_->channel_memory();
  if (passed_parts_) checkpoint.passages = passed_parts_->memory();
  checkpoint.measures = measures_.memory();
  return checkpoint;
}

}  // namespace freeplay::simulation
