// What a run hands out: rows of named channels with units, tables, a summary. Sinks (HDF5, memory) implement
// RecordSink.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/core/status.h"
#include "freeplay/integrators/contact_event.h"
#include "freeplay/math/quantities/dimension.h"
#include "freeplay/mechanism/state.h"

namespace freeplay::simulation {

struct ChannelInfo {
  std::string name;  // "crank.omega"
  std::string unit;  // SI, as Dimension::si_unit() writes it; "1" for a number
};

// One impact: written by nonsmooth integrators.
struct ImpactRecord {
  double time_s = 0;
  std::int32_t contact = 0;                                                       // index into RecordLayout::contacts
  double normal_impulse = 0, tangential_impulse_1 = 0, tangential_impulse_2 = 0;  // N s
  double normal_velocity_before = 0, normal_velocity_after = 0;                   // m/s, negative = approaching
  double tangential_velocity_before = 0, tangential_velocity_after = 0;
  double energy_lost_J = 0;
};

// What happened to a contact at one instant: written by integrators that locate such instants. Records come in the
// order of the steps that tell of them, those of one instant in the order in which they were decided. That is the order
// of time, with one exception: a contact that comes to rest is told of at the last rebound that is computed, with the
// later time at which the infinitely many that follow end.
struct EventRecord {
  double time_s = 0;
  std::int32_t contact = 0;  // index into RecordLayout::contacts
  ContactEventKind kind{};
};

// A contact that carries load at a row. World axes; single precision, as it is for pictures.
struct ContactForce {
  std::int32_t first = 0, second = 0;  // partners: 0 the ground, then bodies in the order of the model file; larger
                                       // numbers are sections of elastic bodies
  float x_m = 0, y_m = 0, z_m = 0;     // on the surface of the first partner
  float fx_N = 0, fy_N = 0, fz_N = 0;  // on the first partner
};

// Everything that is known before the first row.
struct RecordLayout {
  std::vector<ChannelInfo> channels;              // the columns after `time`
  std::size_t motion_channels = 0;                // the last ones of them, not asked for: poses of bodies for pictures
  std::vector<std::string> contacts;              // names of contact points, for impacts and events
  std::vector<ChannelInfo> measures;              // RunSummary::measures, without their values
  std::vector<ChannelInfo> worn_surfaces;         // SurfaceWear::name() of RunSummary::wear, with the unit of places
  std::map<std::string, std::string> attributes;  // model text, parameters (JSON), version, integrator, solver, ...
  std::string geometry_json;                      // bodies and shapes for a viewer
  int contact_forces = 0;                         // how many a row has at most (RecordOptions); 0: the run has none
};

enum class RunStatus : std::uint8_t { kCompleted, kInterrupted, kFailed };
constexpr std::string_view name_of(RunStatus status) {
  constexpr std::string_view kNames[] = {"completed", "interrupted", "failed"};
  return kNames[static_cast<std::size_t>(status)];
}

// A number that the model wants to know of the run (measures.h).
struct MeasuredValue {
  std::string name;
  double value = 0;  // SI; not a number if the run has not come far enough
  std::string unit;
};

// The largest force of a joint, a driver or a contact: of the mean over a window that ends at `time_s`. Whatever the
// force was within the window, it has given `impulse()`.
struct PeakForce {
  std::string name;  // of the element
  std::string unit;  // "N", or "N m" of a torque
  double value = 0;
  double window_s = 0;  // 0: of the values at the rows
  double time_s = 0;
  double impulse() const { return value * window_s; }
};

// What a surface has lost by wear (contact/play/worn_contact.h).
struct WearCell {
  double from = 0, to = 0;  // rad of a sector, m along a guide
  double volume_m3 = 0;
  double depth_m = 0;
};
struct SurfaceWear {
  std::string contact, surface;        // "pin", "bearing"
  std::string unit;                    // of places on it: "rad", "m", or "" if it has none, and no depth
  double volume_m3 = 0;                // of all cells
  double max_depth_m = 0, max_at = 0;  // the deepest cell and its middle
  std::vector<WearCell> cells{};       // none where there are no places

  std::string name() const { return contact + "." + surface; }
};

struct RunSummary {
  RunStatus status = RunStatus::kCompleted;
  std::string message;                   // why it failed; empty otherwise
  StepStatus failure = StepStatus::kOk;  // what ended a failed run
  double time_s = 0;                     // reached
  std::int64_t steps = 0;                // accepted
  std::int64_t rejected_steps = 0;
  std::int64_t evaluations = 0;  // of the right-hand side
  std::int64_t rows = 0;         // recorded
  std::int64_t impacts = 0;
  std::int64_t events = 0;                     // instants that were located; several contacts may share one
  std::int64_t handed_over_steps = 0;          // of time stepping, where events could not be told apart
  std::int64_t fallback_steps = 0;             // steps whose contact problem was handed to a more robust solver
  std::int64_t lowered_restitution_steps = 0;  // in which contacts got the nearest restitution that they can have
  std::int64_t kept_gap_steps = 0;             // in which contacts could not close their gaps together
  std::int64_t gaining_impacts = 0;            // by Poisson's law, and the energy gained or not, if it was limited
  double impact_gain_J = 0;
  // Contacts with a force law.
  std::int64_t contacts_begun = 0, rejected_by_contact = 0, interpolated_starts = 0, deep_starts = 0;
  double largest_initial_penetration_m = 0;
  double injected_energy_J = 0;  // elastic energy of contacts that began inside; part of the drift
  double max_penetration_m = 0;
  double worst_residual_m_s = 0;         // largest velocity residual of any row after a step
  double worst_residual_m_s2 = 0;        // of the contact problems on the level of accelerations
  double worst_position_residual_m = 0;  // of the bilateral rows, after projection
  double energy_initial_J = 0, energy_final_J = 0;
  EnergyAccount account;          // final
  double energy_drift_J = 0;      // final value of energy.drift
  double max_energy_drift_J = 0;  // largest |energy.drift|
  double wall_seconds = 0;
  std::vector<MeasuredValue> measures;  // of all rows; none if the run goes on from one that had others
  std::vector<PeakForce> peak_forces;   // of all elements whose forces are recorded
  std::vector<SurfaceWear> wear;        // of all surfaces that wear
  std::vector<std::string> warnings;    // each with its cure (simulation/advice.h)
  std::int64_t divided_steps = 0;       // of `steps`: cut short, so that no part flies through another one

  double steps_per_second() const { return wall_seconds > 0 ? static_cast<double>(steps) / wall_seconds : 0; }
};

struct Checkpoint;  // checkpoint.h

class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual void begin(const RecordLayout& layout) = 0;
  // `values` has one entry per channel of the layout.
  virtual void row(double time_s, std::span<const double> values) = 0;
  virtual void impact(const ImpactRecord& record) = 0;
  virtual void event(const EventRecord& /*record*/) {}
  // Of the row that comes next, if the layout has some.
  virtual void contact_forces(std::span<const ContactForce> /*forces*/) {}
  // Before end(), if the run has come as far as to a state to go on from.
  virtual void checkpoint(const Checkpoint& /*checkpoint*/) {}
  // Called exactly once, also after an interrupt or a failed step, so that the file is closed whole.
  virtual void end(const RunSummary& summary) = 0;
};

}  // namespace freeplay::simulation
