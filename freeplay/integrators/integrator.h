// The seam between integrators and the run loop. An integrator advances a State; it knows no recorder and no law.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/complementarity/problem/local_problem.h"
#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/contact/points/contact_model.h"
#include "freeplay/core/status.h"
#include "freeplay/integrators/smooth/onset_control.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::integrators {

struct StepReport {
  StepStatus status = StepStatus::kOk;
  double size_s = 0;        // of the step taken
  double residual_m_s = 0;  // largest velocity residual of any row at its end
  double position_residual_m = 0;
  int iterations = 0;          // of the solver or the projection
  int worst_row = -1;          // bilateral row behind a failure, or -1
  int row_rank = 0;            // independent bilateral rows at its end
  int active_points = 0;       // contact points that were closed
  bool gaps_are_open = false;  // no contact point can penetrate at the end: gaps need no check
  bool used_fallback = false;  // the contact problem was handed to a more robust solver
  // Of M du = h dt + W Lambda, by rules that measure it.
  double equation_residual_N = std::numeric_limits<double>::quiet_NaN();
};

// Counts since the start.
struct IntegratorCounts {
  std::int64_t accepted = 0, rejected = 0, evaluations = 0;  // rejected: for any reason
  // Of contacts with a force law.
  std::int64_t contact_starts = 0;
  std::int64_t rejected_by_contact = 0;
  std::int64_t interpolated_starts = 0;  // procedure-1
  std::int64_t deep_starts = 0;          // deeper than allowed, since the step could not be shorter
  double largest_start_m = 0;            // deepest penetration at which a contact began
  double injected_J = 0;                 // elastic energy of such contacts: energy from nowhere
};

class Integrator {
 public:
  virtual ~Integrator() = default;
  // Prepares for a start at `state` (first step size, evaluation at the start).
  virtual StepReport start(State& state) = 0;
  // One accepted step that ends at t_limit at the latest, and exactly there if it gets that far. On failure `state` is
  // what it was. Allocates nothing.
  virtual StepReport step(State& state, double t_limit) = 0;
  virtual const IntegratorCounts& counts() const = 0;
  // Sets the reactions of all joints in `dynamics`: those at `state`, or for time stepping their means over the step
  // that led to it (before the first step: over that one). `dynamics` stands where they belong afterwards, which need
  // not be `state`.
  [[nodiscard]] virtual StepStatus evaluate(const State& state, Dynamics& dynamics, ContactKinematics& contacts) = 0;
  // The contact problem that the last step solved, or failed to solve; valid until the next step. None if there was
  // none.
  virtual std::optional<LocalProblem> contact_problem() const { return {}; }
  // The position that the velocity of the state belongs to, where it is not the state's own: some rules have their
  // velocities in the middle of a step. Energies are taken there.
  virtual const VecX* position_of_velocity() const { return nullptr; }
  // Something that the user should know about the run so far, in words, once; empty if there is nothing new.
  virtual std::string take_warning() { return {}; }
  // What stood in the way of a failed step, in words; empty if there is no more to say than its status.
  virtual std::string failure_details() const { return {}; }
};

// Where moreau-midpoint takes forces that depend on velocities (design of the option: docs/theory).
enum class VelocityForces : std::uint8_t { kStart, kMidpoint, kImplicit };
// When it takes a contact as closed.
enum class ActivationRule : std::uint8_t { kGap, kAnticipated };
// Of nlp-variable-step: which gap must not be negative at the end of a step, and how long a step is (nlp_step.h).
enum class StepConstraint : std::uint8_t { kPlain, kCorrected, kDisc };
enum class StepChoice : std::uint8_t { kObjective, kLand, kFixed };

struct IntegratorOptions {
  double relative_tolerance = 1e-9, absolute_tolerance = 1e-9;
  double velocity_tolerance = 0;        // absolute, of velocities; 0: as absolute_tolerance
  double first_step_s = 0;              // 0: chosen by the integrator
  double min_step_s = 0;                // 0: a few rounding units of t
  double max_step_s = 0;                // 0: no bound
  double baumgarte_per_s = 0;           // 0: bilateral rows are projected
  OnsetControl::Options onset_control;  // of contacts with a force law
  // Of nonsmooth integrators.
  std::string solver = "auto";
  double solver_tolerance_m_s = 1e-9;
  RFactor r_factor = RFactor::kSpectral;  // of prox-jacobi
  double impact_threshold_m_s = 1e-3;
  VelocityForces velocity_forces = VelocityForces::kStart;
  ActivationRule activation = ActivationRule::kGap;
  std::optional<double> projection_m;
  StepConstraint step_constraint = StepConstraint::kCorrected;
  StepChoice step_choice = StepChoice::kLand;
  double theta = 0.5;  // of moreau-jean: weight of the end of a step, in (0, 1]
};

struct IntegratorEntry {
  std::string name;
  std::string description;
  bool is_smooth = true;                        // takes compliant or contact-free models
  bool (*takes)(PenetrationControl) = nullptr;  // null: any
  // The system and its contacts must outlive the integrator.
  std::unique_ptr<Integrator> (*make)(const System&, const ContactModel&, const IntegratorOptions&) = nullptr;
  bool chooses_steps = false;              // between `min_step` and `max_step`; a nonsmooth one otherwise needs `step`
  bool takes_many_contacts = false;        // keeps rows of closed contacts only, not of all that there may be
  std::vector<std::string> unused_keys{};  // of `simulate`, that say nothing to it
};
// Every integrator there is; `freeplay list integrators` prints it.
const std::vector<IntegratorEntry>& integrator_registry();
const IntegratorEntry* find_integrator(const std::string& name);

}  // namespace freeplay::integrators
