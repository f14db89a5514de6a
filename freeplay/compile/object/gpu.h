// Which GPU there is, by the library of NVIDIA's driver, if that is there.
#pragma once

#include <string>

#include "freeplay/core/layers.h"

namespace freeplay::compile {

struct Gpu {
  std::string name;
  std::string architecture;  // such as "sm_90"
};

// The first one. Throws CompileError that says what is missing.
Gpu find_gpu();

}  // namespace freeplay::compile
