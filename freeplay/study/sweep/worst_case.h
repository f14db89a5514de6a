// The values within their ranges at which a measure is largest or least: `freeplay sweep MODEL --worst max:peak`.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "freeplay/study/sweep/sweep.h"

namespace freeplay::study {

inline constexpr std::int64_t kWorstCaseRuns = 1000;

struct WorstCaseGoal {
  bool is_largest = true;
  std::string measure;
  std::int64_t most_runs = kWorstCaseRuns;
};
// "max:peak", "min:gap:5000". Throws ModelError with the place "--worst".
WorstCaseGoal parse_worst_case(const std::string& text);

// The runs of a search (search/box_search.h) over the ranges of --over and of the parameters that scatter. Rows come in
// the order of the search; the file is a study's, with the answer in its attribute `worst`. The same plan gives the
// same runs, so that an interrupted search goes on. Throws as run_sweep() does.
SweepOutcome run_worst_case(const SweepPlan& plan, const SweepOptions& options, const SweepHooks& hooks);

}  // namespace freeplay::study
