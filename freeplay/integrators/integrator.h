// The seam between integrators and the run loop. An integrator advances a State; it knows no recorder and no law.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/complementarity/problem/local_problem.h"
#include "freeplay/contact/points/contact_model.h"
#include "freeplay/core/status.h"
#include "freeplay/integrators/contact_event.h"
#include "freeplay/integrators/integrator_options.h"
#include "freeplay/integrators/integrator_traits.h"
#include "freeplay/integrators/step_record.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::integrators {

struct StepReport {
  StepStatus status = StepStatus::kOk;
  double size_s = 0;         // of the step taken
  double residual_m_s = 0;   // largest velocity residual of any row at its end
  double residual_m_s2 = 0;  // of a contact problem on the level of accelerations
  double position_residual_m = 0;
  int iterations = 0;                // of the solver or the projection
  int worst_row = -1;                // bilateral row behind a failure, or -1
  int row_rank = 0;                  // independent bilateral rows at its end
  int active_points = 0;             // contact points whose rows the contact problem had
  bool gaps_are_open = false;        // no contact point can penetrate at the end: gaps need no check
  bool used_fallback = false;        // the contact problem was handed to a more robust solver
  bool lowered_restitution = false;  // contacts that contradict each other got less than their law asks for
  bool kept_gaps = false;            // contacts that could not close their gaps together did not
  bool has_warning = false;          // Integrator::take_warning() has something to tell
  double impact_gain_J = 0;          // by an impact whose law gains energy
  // Of M du = h dt + W Lambda, by rules that measure it.
  double equation_residual_N = std::numeric_limits<double>::quiet_NaN();
};

// Counts since the start.
struct IntegratorCounts {
  std::int64_t accepted = 0, rejected = 0;  // rejected: for any reason
  std::int64_t evaluations = 0;             // all that were made: a run that goes on makes one where it begins
  std::int64_t events = 0;                  // that were located
  std::int64_t handed_over = 0;             // steps of time stepping where events could not be told apart
  // Of contacts with a force law.
  std::int64_t contacts_begun = 0;
  std::int64_t rejected_by_contact = 0;
  std::int64_t interpolated_starts = 0;  // procedure-1
  std::int64_t deep_starts = 0;          // deeper than allowed, since the step could not be shorter
  double largest_start_m = 0;            // deepest penetration at which a contact began
  double injected_J = 0;                 // elastic energy of such contacts: energy from nowhere
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  // Prepares for a start at `state` (first step size, evaluation at the start). `record`, if somebody wants one: what
  // acts there, as far as the method knows.
  virtual StepReport start(State& state, StepRecord* record = nullptr) = 0;
  // One accepted step that ends at t_limit at the latest, and exactly there if it gets that far. On failure `state` is
  // what it was. `record`, if somebody wants one: what acted in the step. Allocates nothing, except where there are
  // more contact points or rows than ever before.
  virtual StepReport step(State& state, double t_limit, StepRecord* record = nullptr) = 0;
  virtual const IntegratorCounts& counts() const = 0;

  // The same state gives the same step, bit for bit, wherever the state came from: going back in time is an assignment.
  // save() makes that true where a method has a past that no numbers can tell (the history of a multistep method): it
  // begins anew at `state`. Called before a state is written down.
  virtual void save(State&) {}
  // Whether a state can be one that an integrator of this kind, with these options and this model, has left.
  [[nodiscard]] virtual bool fits(const State& state) const = 0;
  // Instead of start(): goes on from a state that an integrator of the same kind and options has left, with its counts.
  [[nodiscard]] virtual StepStatus resume(const State& state, const IntegratorCounts& counts) = 0;

  // The contact problem that the last step solved, or failed to solve; valid until the next step. None if there was
  // none.
  virtual std::optional<LocalProblem> contact_problem() const { return {}; }
  // The events of the last step, in their order; valid until the next one.
  virtual std::span<const ContactEvent> events() const { return {}; }
  // Something that the user should know about the run so far, in words, once: after a step that has said so. Empty if
  // there is nothing new.
  virtual std::string take_warning() { return {}; }
  // What stood in the way of a failed step, in words; empty if there is no more to say than its status.
  virtual std::string failure_details() const { return {}; }
};

struct IntegratorEntry {
  std::string name;
  std::string description;
  IntegratorTraits traits;
  bool (*takes)(PenetrationControl) = nullptr;  // of contacts with a force law; null: any
  // The system and its contacts must outlive the integrator.
  std::unique_ptr<Integrator> (*make)(const System&, const ContactModel&, const IntegratorOptions&) = nullptr;
};
// Every integrator there is; `freeplay list integrators` prints it.
const std::vector<IntegratorEntry>& integrator_registry();
const IntegratorEntry* find_integrator(const std::string& name);

}  // namespace freeplay::integrators
