// Closed forms of impact and friction with the tolerance that Moreau's midpoint rule must meet, as an independent
// implementation wrote them down (reference/planar/analytic_benchmarks.json). Every entry is compared by a test here.
#pragma once

#include <string>
#include <vector>

#include "physics/model_run.h"

namespace freeplay::test {

std::vector<std::string> benchmark_names();

// Names a file to which each comparison that is made adds its name, so that a test can tell which ones are missing.
inline constexpr const char* kBenchmarkLog = "FREEPLAY_TEST_BENCHMARK_LOG";

// `exact` is the closed form as the test derives it, so the file cannot be wrong alone; it has 13 digits.
void expect_benchmark(const std::string& name, double exact, double value);

// Models that only tests need.
ModelRun run_test_model(const std::string& name, const Overrides& overrides = {});

}  // namespace freeplay::test
