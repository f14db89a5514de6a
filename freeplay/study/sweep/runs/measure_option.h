// What one `--measure` says: "peak=max(bearing.force)", or the expression alone.
#pragma once

#include <string>

#include "freeplay/simulation/measures.h"

namespace freeplay::study {

// "max(bearing.force)" is the measure max_bearing_force, unless it is given another name. Throws ModelError that shows
// the text, with the place "--measure"; the expression itself is not read.
MeasureSpec parse_measure_option(const std::string& asked);

}  // namespace freeplay::study
