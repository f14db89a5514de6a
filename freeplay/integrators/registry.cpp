#include "freeplay/integrators/cvode_integrator.h"
#include "freeplay/integrators/dopri5.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/moreau_jean.h"
#include "freeplay/integrators/moreau_midpoint.h"
#include "freeplay/integrators/nlp_variable_step.h"

namespace freeplay {

const std::vector<IntegratorEntry>& integrator_registry() {
  static const std::vector<IntegratorEntry> entries = {
      {"dopri5", "Dormand-Prince 5(4), embedded error control, dense output; smooth motion, compliant contacts", true,
       nullptr, &make_dopri5},
      {"cvode-bdf", "CVODE of SUNDIALS, BDF of orders 1 to 5; stiff smooth motion, compliant contacts", true,
       &cvode_bdf_takes, &make_cvode_bdf},
      {"cvode-adams", "CVODE of SUNDIALS, Adams of orders 1 to 12; smooth motion, compliant contacts", true,
       &cvode_adams_takes, &make_cvode_adams},
      {"moreau-midpoint", "Moreau's midpoint rule, fixed step, contacts and impacts as set-valued laws; first order",
       false, nullptr, &make_moreau_midpoint},
      {"moreau-jean",
       "theta method of Moreau and Jean, fixed step, stiff forces implicitly, contacts and impacts as set-valued laws",
       false, nullptr, &make_moreau_jean},
      {"nlp-variable-step",
       "nonlinear program of Chaturvedi, Sandu, Sandu with variable step; contacts without restitution", false, nullptr,
       &make_nlp_variable_step, true},
  };
  return entries;
}

const IntegratorEntry* find_integrator(const std::string& name) {
  for (const IntegratorEntry& entry : integrator_registry()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace freeplay
