#include "freeplay/integrators/dopri5.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/moreau_jean.h"
#include "freeplay/integrators/moreau_midpoint.h"

namespace freeplay {

const std::vector<IntegratorEntry>& integrator_registry() {
  static const std::vector<IntegratorEntry> entries = {
      {"dopri5", "Dormand-Prince 5(4), embedded error control, dense output; smooth motion", true, &make_dopri5},
      {"moreau-midpoint", "Moreau's midpoint rule, fixed step, contacts and impacts as set-valued laws; first order",
       false, &make_moreau_midpoint},
      {"moreau-jean",
       "theta method of Moreau and Jean, fixed step, stiff forces implicitly, contacts and impacts as set-valued laws",
       false, &make_moreau_jean},
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
