// The hand-written part of every emitted source: step/*.inc, one behind the other.
#pragma once

#include "freeplay/core/layers.h"

namespace freeplay::compile {

const char* step_text();
// What sources for a device have besides.
const char* device_text();

}  // namespace freeplay::compile
