#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/moreau/moreau_jean.h"
#include "freeplay/integrators/moreau/moreau_midpoint.h"
#include "freeplay/integrators/nlp/nlp_variable_step.h"
#include "freeplay/integrators/smooth/cvode_integrator.h"
#include "freeplay/integrators/smooth/dopri5.h"

namespace freeplay::integrators {

namespace {

// Keys of `simulate` that say something to nonsmooth integrators only.
std::vector<std::string> nonsmooth_keys() {
  return {"velocity_forces", "activation", "constraint", "step_choice", "projection", "force_window"};
}

}  // namespace

const std::vector<IntegratorEntry>& integrator_registry() {
  static const std::vector<IntegratorEntry> entries = {
      {.name = "dopri5",
       .description = "Dormand-Prince 5(4), embedded error control, dense output; smooth motion, compliant contacts",
       .make = &make_dopri5,
       .unused_keys = nonsmooth_keys()},
      {.name = "cvode-bdf",
       .description = "CVODE of SUNDIALS, BDF of orders 1 to 5; stiff smooth motion, compliant contacts",
       .takes = &cvode_bdf_takes,
       .make = &make_cvode_bdf,
       .unused_keys = nonsmooth_keys()},
      {.name = "cvode-adams",
       .description = "CVODE of SUNDIALS, Adams of orders 1 to 12; smooth motion, compliant contacts",
       .takes = &cvode_adams_takes,
       .make = &make_cvode_adams,
       .unused_keys = nonsmooth_keys()},
      {.name = "moreau-midpoint",
       .description = "Moreau's midpoint rule, fixed step, contacts and impacts as set-valued laws; first order",
       .is_smooth = false,
       .make = &make_moreau_midpoint,
       .takes_many_contacts = true,
       .unused_keys = {"constraint", "step_choice"}},
      {.name = "moreau-jean",
       .description = "theta method of Moreau and Jean, fixed step, stiff forces implicitly, contacts and impacts as "
                      "set-valued laws",
       .is_smooth = false,
       .make = &make_moreau_jean,
       .unused_keys = {"velocity_forces", "activation", "constraint", "step_choice"}},
      {.name = "nlp-variable-step",
       .description = "nonlinear program of Chaturvedi, Sandu, Sandu with variable step; contacts without restitution",
       .is_smooth = false,
       .make = &make_nlp_variable_step,
       .chooses_steps = true,
       .unused_keys = {"velocity_forces", "activation", "projection", "force_window"}},
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
