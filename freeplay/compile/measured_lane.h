// Measures of a run that lanes compute themselves: functions that need no list of all values.
#pragma once

#include <string>
#include <vector>

#include "freeplay/compile/family_code.h"

namespace freeplay::compile {

// The measures of a model. Throws ModelError.
MeasureProgram measure_program_of(const ModelSpec& spec, const Model& model);
// Whether lanes can compute all of them; if not, `reason` says which one needs more.
bool are_lane_measures(const MeasureProgram& measures, std::string& reason);
// Requires that lanes can compute them.
std::vector<LaneMeasure> lane_measures(const MeasureProgram& measures, const ContactModel& contacts);

// What a lane starts with, and the measures of one that has come to its end.
std::vector<double> first_measured(const MeasureProgram& measures);
std::vector<double> measured_values(const MeasureProgram& measures, const LaneData& lane);

}  // namespace freeplay::compile
