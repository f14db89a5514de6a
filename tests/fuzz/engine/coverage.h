// Which branches an input has taken, and whether any is new. Known only in the preset `fuzz`; elsewhere nothing is.
#pragma once

#include <cstddef>

#include "freeplay/core/layers.h"

namespace freeplay::test::fuzz {

// Once, before the first fork: what a child process reaches counts as reached here.
void count_for_children_too();
void forget_last_input();
// Whether the input since forget_last_input() took a branch, or took one about so often, for the first time.
bool has_reached_something_new();
std::size_t branches_reached();  // by all inputs so far

}  // namespace freeplay::test::fuzz
