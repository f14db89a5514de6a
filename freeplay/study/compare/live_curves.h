// The curves of a comparison as numbers, for the part of its page that is alive.
#pragma once

#include <string>

#include "freeplay/study/compare/comparison.h"

namespace freeplay::study {

// Colour and dashes of a run: the reference is the first style, whichever run it is.
int style_of_run(const Comparison& comparison, std::size_t run);

// JSON that may stand in a script element: `runs` (label, style), `reference`, `channels` (name, unit, time, and a list
// of values for each run, null where it has none), `marks` (run, time) where runs leave the reference, and
// `shaded_from`. All runs are given at the same times: rows of each of them, thinned without losing an extreme, linear
// between rows.
std::string live_curves_json(const Comparison& comparison);

}  // namespace freeplay::study
