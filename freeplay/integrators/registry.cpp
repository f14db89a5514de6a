#include "freeplay/integrators/dopri5.h"
#include "freeplay/integrators/integrator.h"

namespace freeplay {

const std::vector<IntegratorEntry>& integrator_registry() {
  static const std::vector<IntegratorEntry> entries = {
      {"dopri5", "Dormand-Prince 5(4), embedded error control, dense output; smooth motion", true, &make_dopri5},
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
