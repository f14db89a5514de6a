#include "freeplay/integrators/event_driven/event_driven.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/moreau/moreau_jean.h"
#include "freeplay/integrators/moreau/moreau_midpoint.h"
#include "freeplay/integrators/nlp/nlp_variable_step.h"
#include "freeplay/integrators/smooth/cvode_integrator.h"
#include "freeplay/integrators/smooth/dopri5.h"

namespace freeplay::integrators {

namespace {

constexpr IntegratorTraits kSmooth{.contact_treatment = ContactTreatment::kForces,
                                   .step_rule = StepRule::kErrorControlled,
                                   .penetration_rule = PenetrationRule::kForceLaw,
                                   .takes_load_friction = true};

}  // namespace

const std::vector<IntegratorEntry>& integrator_registry() {
  static const std::vector<IntegratorEntry> entries = {
      {.name = "dopri5",
       .description = "Dormand-Prince 5(4), embedded error control, dense output; smooth motion, compliant contacts",
       .traits = kSmooth,
       .make = &make_dopri5},
      {.name = "cvode-bdf",
       .description = "CVODE of SUNDIALS, BDF of orders 1 to 5; stiff smooth motion, compliant contacts",
       .traits = kSmooth,
       .takes = &cvode_bdf_takes,
       .make = &make_cvode_bdf},
      {.name = "cvode-adams",
       .description = "CVODE of SUNDIALS, Adams of orders 1 to 12; smooth motion, compliant contacts",
       .traits = kSmooth,
       .takes = &cvode_adams_takes,
       .make = &make_cvode_adams},
      {.name = "moreau-midpoint",
       .description = "Moreau's midpoint rule, fixed step, contacts and impacts as set-valued laws; first order",
       .traits = {.contact_treatment = ContactTreatment::kImpulses,
                  .step_rule = StepRule::kFixed,
                  .penetration_rule = PenetrationRule::kAnticipation,
                  .takes_poisson = true,
                  .takes_load_friction = true,
                  .takes_groups = true},
       .make = &make_moreau_midpoint},
      {.name = "moreau-jean",
       .description = "theta method of Moreau and Jean, fixed step, stiff forces implicitly, contacts and impacts as "
                      "set-valued laws",
       .traits = {.contact_treatment = ContactTreatment::kImpulses,
                  .step_rule = StepRule::kFixed,
                  .is_stable_with_stiff_forces = true,
                  .takes_poisson = true,
                  .takes_load_friction = true,
                  .takes_groups = true},
       .make = &make_moreau_jean},
      {.name = "event-driven",
       .description =
           "Dormand-Prince 5(4) or CVODE between located events, contacts by the accelerations, impacts as set-valued "
           "laws (Newton, Poisson); no error of a step at contacts",
       .traits = {.contact_treatment = ContactTreatment::kAccelerations,
                  .step_rule = StepRule::kErrorControlled,
                  .penetration_rule = PenetrationRule::kEvents,
                  .takes_poisson = true,
                  .takes_load_friction = true},
       .make = &make_event_driven},
      {.name = "nlp-variable-step",
       .description = "nonlinear program of Chaturvedi, Sandu, Sandu with variable step; contacts without restitution",
       .traits = {.contact_treatment = ContactTreatment::kImpulses,
                  .step_rule = StepRule::kWithinBounds,
                  .penetration_rule = PenetrationRule::kEndOfStep,
                  .knows_restitution = false,
                  .measures_equation_residual = true,
                  .takes_load_friction = true},
       .make = &make_nlp_variable_step},
  };
  return entries;
}

const IntegratorEntry* find_integrator(const std::string& name) {
  for (const IntegratorEntry& entry : integrator_registry()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace freeplay::integrators
