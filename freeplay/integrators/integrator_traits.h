// What the rest of the program needs to know about an integrator without knowing which one it is.
#pragma once

#include <cstdint>

#include "freeplay/core/layers.h"

namespace freeplay::integrators {

// As what a contact acts on the motion.
enum class ContactTreatment : std::uint8_t {
  kForces,        // a force law (`force:`) gives a load; an impact lasts as long as the bodies are in each other
  kImpulses,      // set-valued laws (`impact:`) between the velocities and the impulses of a step
  kAccelerations  // set-valued laws: impacts at events, between them accelerations and forces
};

// Who chooses the length of a step.
enum class StepRule : std::uint8_t {
  kFixed,            // the model, by `step`
  kErrorControlled,  // an estimate of the error, by `tolerance`; multiples of `step` are ends of steps
  kWithinBounds      // the rule itself, between `min_step` and `max_step`
};

// What keeps parts out of each other.
enum class PenetrationRule : std::uint8_t {
  kForceLaw,        // the stiffness of their force law
  kClosedContacts,  // contacts act once they are closed: the parts come as deep as a step takes them
  kAnticipation,    // the same, or contacts that would close in the step: by `activation`
  kEvents,          // the instant at which they touch is located: they never come into each other
  kEndOfStep        // gaps at the end of the step must not be negative: how exactly, by `constraint`
};

struct IntegratorTraits {
  ContactTreatment contact_treatment = ContactTreatment::kImpulses;
  StepRule step_rule = StepRule::kFixed;
  PenetrationRule penetration_rule = PenetrationRule::kClosedContacts;
  bool is_stable_with_stiff_forces = false;  // takes the forces of springs and dampers implicitly, by `theta`
  bool knows_restitution = true;             // otherwise contacts with restitution are refused
  bool measures_equation_residual = false;   // StepReport::equation_residual_N
  bool takes_poisson = false;                // impacts in two phases, `impact: poisson`
  bool takes_load_friction = false;          // friction of ideal joints by what they carry
  bool takes_groups = false;                 // looks for contacts where bodies are near, not at all that there may be

  bool has_force_laws() const { return contact_treatment == ContactTreatment::kForces; }
  // Integrator::events() tells what happens at contacts, and when.
  bool locates_events() const { return contact_treatment == ContactTreatment::kAccelerations; }
  // Contacts ask for a solver of the contact problem.
  bool solves_contact_problems() const { return contact_treatment != ContactTreatment::kForces; }
};

}  // namespace freeplay::integrators
