// Runs a target on changed inputs in a process of its own, watches that, and keeps what made it crash or hang.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/engine/fuzz_target.h"

namespace freeplay::test::fuzz {

struct FuzzPlan {
  std::int64_t executions = 0;  // 0: no limit
  double seconds = 0;           // 0: no limit
  std::uint64_t seed = 1;
  std::filesystem::path findings;                // folder; made when there is one
  double most_cpu_seconds = 20;                  // of one input
  std::function<void(const std::string&)> tell;  // progress, about every ten seconds; may be empty
};

struct FuzzOutcome {
  std::int64_t executions = 0;
  std::size_t inputs = 0;    // kept because they reached something new, and the seeds
  std::size_t branches = 0;  // reached; 0 where nobody counts them
  std::vector<std::filesystem::path> findings;
};

FuzzOutcome fuzz(const FuzzTarget& target, const FuzzPlan& plan);

}  // namespace freeplay::test::fuzz
