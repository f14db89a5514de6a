// What an integrator can be told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/contact/points/contact_point.h"
#include "freeplay/integrators/smooth/onset_control.h"

namespace freeplay::integrators {

// Where moreau-midpoint takes forces that depend on velocities (design of the option: docs/theory).
enum class VelocityForces : std::uint8_t { kStart, kMidpoint, kImplicit };
// When it takes a contact as closed.
enum class ActivationRule : std::uint8_t { kGap, kAnticipated };
// Of both rules of Moreau's kind: what a contact that goes on from one step to the next obeys. Kept: the velocities at
// the ends of the step, and it stays in the problem for as long as it carries an impulse. Paper: those with the rows of
// the midpoint, and the gap there alone decides (Flores, Leine, Glocker 2010).
enum class LastingContacts : std::uint8_t { kKept, kPaper };
// Of nlp-variable-step: which gap must not be negative at the end of a step, and how long a step is (nlp_step.h).
enum class StepConstraint : std::uint8_t { kPlain, kCorrected, kDisc };
enum class StepChoice : std::uint8_t { kObjective, kLand, kFixed };

// Of event-driven: what integrates the motion between events.
enum class SmoothMethod : std::uint8_t { kDopri5, kCvodeBdf, kCvodeAdams };

// Options of `simulate:` that reach integrators as they stand. A new one is a member here and a row of the option table
// (simulation/option_table.cpp).
struct RuleOptions {
  double relative_tolerance = 1e-9, absolute_tolerance = 1e-9;  // of the error of a step
  std::string solver = "auto";                                  // of the contact problem
  double solver_tolerance_m_s = 1e-9;                           // on its natural residual
  RFactor r_factor = RFactor::kSpectral;
  double threads = 1;  // whole: how many may work on the contact problem of a large pile; 0: one per core
  // A slower approach is no impact: it is not in the table of impacts, and under ActivationRule::kAnticipated it gets
  // no restitution.
  double impact_threshold_m_s = 1e-3;
  // Of event-driven motion: a part that would leave its partner no faster has come to rest on it.
  double rest_speed_m_s = 1e-6;
  SmoothMethod smooth_method = SmoothMethod::kDopri5;
  VelocityForces velocity_forces = VelocityForces::kStart;
  ActivationRule activation = ActivationRule::kGap;
  LastingContacts lasting_contacts = LastingContacts::kKept;
  ImpactEnergy impact_energy = ImpactEnergy::kWarn;  // of impacts by Poisson's law
  // Contacts whose gaps are smaller than this share of the parts' size are closed together when one of them strikes;
  // 0: only what is closed. Otherwise 1e-9, and 0 under LastingContacts::kPaper.
  std::optional<double> simultaneous;
  std::optional<double> projection_m;  // threshold of the gap projection; off unless given
  StepConstraint step_constraint = StepConstraint::kCorrected;
  StepChoice step_choice = StepChoice::kLand;
};

// With step sizes and the like that follow from the model and its contacts (simulation/integrator_choice.cpp).
struct IntegratorOptions : RuleOptions {
  double velocity_tolerance = 0;        // absolute, of velocities; 0: as absolute_tolerance
  double first_step_s = 0;              // 0: chosen by the integrator
  double min_step_s = 0;                // 0: a few rounding units of t
  double max_step_s = 0;                // 0: no bound
  double baumgarte_per_s = 0;           // 0: bilateral rows are projected
  OnsetControl::Options onset_control;  // of contacts with a force law
  double theta = 0.5;                   // of moreau-jean: weight of the end of a step, in (0, 1]
};

}  // namespace freeplay::integrators
