// The entries of the registry, one function per system.
#pragma once

#include "freeplay/mechanism/systems/system_registry.h"

namespace freeplay::mechanism {

SystemEntry chimney_damper_entry();
SystemEntry double_pendulum_entry();
SystemEntry woodpecker_entry();

}  // namespace freeplay::mechanism
