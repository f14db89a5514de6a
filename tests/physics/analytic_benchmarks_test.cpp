// No closed form of the reference file is left out.
#include "physics/analytic_benchmarks.h"

#include <filesystem>
#include <sstream>

namespace freeplay::test {
namespace {

TEST(AnalyticBenchmarks, EachIsNamedByATest) {
  std::string sources;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(FREEPLAY_TEST_DIR) + "/physics")) {
    if (entry.path().extension() != ".cpp") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    sources += text.str();
  }
  const nlohmann::json checks = analytic_benchmarks();
  ASSERT_EQ(checks.size(), 56u);
  for (const nlohmann::json& check : checks) {
    const std::string name = check["name"].get<std::string>();
    EXPECT_NE(sources.find('"' + name + '"'), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace freeplay::test
