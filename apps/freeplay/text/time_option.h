// Times on the command line, such as `--from 20ms`.
#pragma once

#include <string>

#include "freeplay/core/layers.h"

namespace freeplay::app {

// In seconds: a quantity, or a number of seconds. Throws UsageError that names the option.
double time_of_option(const std::string& option, const std::string& text);

}  // namespace freeplay::app
