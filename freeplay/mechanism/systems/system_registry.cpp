#include "freeplay/mechanism/systems/system_registry.h"

#include "freeplay/mechanism/systems/systems.h"

namespace freeplay::mechanism {

const std::vector<SystemEntry>& system_registry() {
  static const std::vector<SystemEntry> entries = {chimney_damper_entry(), double_pendulum_entry(), woodpecker_entry()};
  return entries;
}

const SystemEntry* find_system(const std::string& name) {
  for (const SystemEntry& entry : system_registry()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace freeplay::mechanism
