#include "physics/single_contacts/analytic_benchmarks.h"
#include "support/places.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

namespace freeplay::test {

namespace {

nlohmann::json analytic_benchmarks() {
  std::ifstream file(test_dir() + "/reference/planar/analytic_benchmarks.json");
  return nlohmann::json::parse(file)["checks"];
}

}  // namespace

std::vector<std::string> benchmark_names() {
  std::vector<std::string> names;
  for (const nlohmann::json& check : analytic_benchmarks()) names.push_back(check["name"].get<std::string>());
  return names;
}

void expect_benchmark(const std::string& name, double exact, double value) {
  for (const nlohmann::json& check : analytic_benchmarks()) {
    if (check["name"] != name) continue;
    EXPECT_NEAR(exact, check["exact"].get<double>(), 1e-12 * (1 + std::abs(exact))) << name << ", closed form";
    EXPECT_NEAR(value, exact, check["tol"].get<double>()) << name;
    if (const char* log = std::getenv(kBenchmarkLog)) std::ofstream(log, std::ios::app) << name << '\n';
    return;
  }
  ADD_FAILURE() << "no benchmark '" << name << "'";
}

ModelRun run_test_model(const std::string& name, const Overrides& overrides) {
  return run_model(load_model(test_dir() + "/models/physics/" + name + ".yaml", overrides));
}

}  // namespace freeplay::test
