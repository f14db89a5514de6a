// The top of the page of a comparison: a short answer, and a table with a line for each formulation.
#pragma once

#include <string>

#include "freeplay/study/compare/comparison.h"

namespace freeplay::study {

// "step: 1e-06 s instead of 1e-05 s": what tells a run from the reference, keys of `simulate` with their values, then
// parameters and paths.
std::vector<std::string> differences(const StudyRun& reference, const StudyRun& run);

// In a sentence or two: who leaves whom, when, and why.
std::string short_answer(const Comparison& comparison);

std::string overview_html(const Comparison& comparison);

}  // namespace freeplay::study
