// A comparison as one page that needs nothing beside it: no network, no script.
#pragma once

#include <string>

#include "freeplay/study/compare/comparison.h"

namespace freeplay::study {

std::string comparison_html(const Comparison& comparison);

}  // namespace freeplay::study
