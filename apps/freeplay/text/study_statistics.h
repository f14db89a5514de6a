// What a sample of runs says: distributions of its measures, and which parameters they depend on.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "freeplay/io/sweep/sweep_table.h"
#include "terminal/terminal.h"

namespace freeplay::app {

// Nothing of a grid.
void print_study_statistics(const SweepTable& table, const Painter& paint);
// The keys `distributions` and `sensitivity`, where the study has them.
void add_study_statistics(const SweepTable& table, nlohmann::ordered_json& object);

}  // namespace freeplay::app
