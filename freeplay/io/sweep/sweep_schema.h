// Names in a sweep file, for its writer and its reader. Internal to freeplay/io.
#pragma once

#include "freeplay/core/layers.h"

namespace freeplay::io::sweep_schema {

inline constexpr int kFormatVersion = 1;
inline constexpr const char* kFormatAttribute = "freeplay_sweep";
inline constexpr const char* kRunsAttribute = "runs";
inline constexpr const char* kIndex = "index";
inline constexpr const char* kStatus = "status";
inline constexpr const char* kWarnings = "warnings";
inline constexpr const char* kLeftToEngine = "left_to_engine";  // of studies by compiled code
inline constexpr const char* kLeftBecause = "left_because";     // of studies by compiled code
inline constexpr const char* kMessage = "message";
inline constexpr const char* kParameters = "parameters";
inline constexpr const char* kMeasures = "measures";
inline constexpr const char* kSection = "section";      // a row per crossing, in the order of the runs in the file
inline constexpr const char* kCrossings = "crossings";  // how many each run has
inline constexpr const char* kCrossingRuns = "crossing_run";  // the number of the run, of each crossing
inline constexpr const char* kFinalState = "final_state";
inline constexpr const char* kNameAttribute = "name";
inline constexpr const char* kUnitAttribute = "unit";
inline constexpr const char* kWordsAttribute = "words";  // JSON, a list

}  // namespace freeplay::io::sweep_schema
