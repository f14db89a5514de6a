// Closed forms of impact and friction with the tolerance that Moreau's midpoint rule must meet, as an independent
// implementation wrote them down (reference/planar/analytic_benchmarks.json). Every entry is named by a test here.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "physics/model_run.h"

namespace freeplay::test {

inline nlohmann::json analytic_benchmarks() {
  std::ifstream file(std::string(FREEPLAY_TEST_DIR) + "/reference/planar/analytic_benchmarks.json");
  return nlohmann::json::parse(file)["checks"];
}

// `exact` is the closed form as the test derives it, so the file cannot be wrong alone; it has 13 digits.
inline void expect_benchmark(const std::string& name, double exact, double value) {
  for (const nlohmann::json& check : analytic_benchmarks()) {
    if (check["name"] != name) continue;
    EXPECT_NEAR(exact, check["exact"].get<double>(), 1e-12 * (1 + std::abs(exact))) << name << ", closed form";
    EXPECT_NEAR(value, exact, check["tol"].get<double>()) << name;
    return;
  }
  ADD_FAILURE() << "no benchmark '" << name << "'";
}

// Models that only tests need.
inline ModelRun run_test_model(const std::string& name, const Overrides& overrides = {}) {
  return run_model(load_model(std::string(FREEPLAY_TEST_DIR) + "/models/physics/" + name + ".yaml", overrides));
}

}  // namespace freeplay::test
