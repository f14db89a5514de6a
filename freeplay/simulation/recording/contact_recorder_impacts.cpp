// The table of impacts.
#include <algorithm>
#include <cmath>

#include "freeplay/simulation/recording/contact_recorder.h"

namespace freeplay::simulation {

namespace {

// Of the threshold: an approach that is nearer to it than this is decided by rounding.
constexpr double kRounding = 1e-9;

double size_in_table(const Vec2& v, const ContactPoint& point) {
  return point.tangents == 2 ? v.norm() : v[0];
}

// The impact of a point, as far as it is the same for all kinds.
ImpactRecord velocities_of(std::size_t point, const ContactPoint& description, const ContactMemory& memory) {
  ImpactRecord record;
  record.contact = static_cast<std::int32_t>(point);
  record.normal_velocity_before = memory.normal_velocity_before;
  record.normal_velocity_after = memory.normal_velocity_after;
  record.tangential_velocity_before = size_in_table(memory.tangential_velocity_before, description);
  record.tangential_velocity_after = size_in_table(memory.tangential_velocity_after, description);
  return record;
}

}  // namespace

void ContactRecorder::record_impacts(const State& state, double dt, RecordSink& sink, RunSummary& summary) {
  const bool steps_over_time = options_.treatment == ContactTreatment::kImpulses;
  if (steps_over_time) loads_.after_step(state, dt);
  for (const ContactMemory& memory : state.contacts) {
    if (doubtful_point_ < 0 && memory.normal_impulse > 0 && is_doubtful(memory))
      doubtful_point_ = contacts_.entry_of(memory.key);
    if (!(memory.normal_impulse > 0 && memory.normal_velocity_before < -options_.impact_threshold_m_s)) continue;
    if (steps_over_time && loads_.goes_on(memory, options_.impact_threshold_m_s)) continue;
    const int index = contacts_.entry_of(memory.key);
    ImpactRecord record = velocities_of(static_cast<std::size_t>(index), entry(index), memory);
    // The midpoint, where the contact was found closed, or the event that the step has led to.
    record.time_s = steps_over_time ? state.t - dt / 2 : state.t;
    record.normal_impulse = memory.normal_impulse;
    record.tangential_impulse_1 = memory.tangential_impulse[0];
    record.tangential_impulse_2 = memory.tangential_impulse[1];
    record.energy_lost_J = memory.step_impact_loss + memory.step_friction_loss;
    sink.impact(record);
    ++summary.impacts;
    note_hardest(index, memory.normal_impulse);
  }
}

void ContactRecorder::note_hardest(int index, double impulse_N_s) {
  if (!(impulse_N_s > hardest_impact_N_s_)) return;
  if (!std::binary_search(force_points_.begin(), force_points_.end(), index)) return;
  hardest_impact_N_s_ = impulse_N_s;
  struck_point_ = index;
}

bool ContactRecorder::is_doubtful(const ContactMemory& memory) const {
  if (!options_.threshold_decides) return false;
  const double margin = -memory.normal_velocity_before - options_.impact_threshold_m_s;
  return std::abs(margin) < kRounding * options_.impact_threshold_m_s &&
         entry(contacts_.entry_of(memory.key)).law.restitution > 0;
}

void ContactRecorder::record_ended_impacts(const State& state, RecordSink& sink, RunSummary& summary) {
  for (const ContactMemory& memory : state.contacts) {
    if (!memory.is_touching && !memory.has_just_ended) continue;
    const int index = contacts_.entry_of(memory.key);
    const std::optional<ForceImpacts::Values> impact =
        force_impacts_->after_step(static_cast<std::size_t>(index), memory, state.t);
    if (!impact || !(memory.normal_velocity_before < -options_.impact_threshold_m_s)) continue;
    ImpactRecord record = velocities_of(static_cast<std::size_t>(index), entry(index), memory);
    record.normal_velocity_after = impact->normal_velocity;
    record.tangential_velocity_after = size_in_table(impact->tangential_velocity, entry(index));
    record.time_s = memory.onset_time_s;
    record.normal_impulse = impact->normal_impulse;
    record.tangential_impulse_1 = impact->tangential_impulse[0];
    record.tangential_impulse_2 = impact->tangential_impulse[1];
    record.energy_lost_J = impact->loss_J;
    sink.impact(record);
    ++summary.impacts;
  }
}

}  // namespace freeplay::simulation
