// No closed form of the reference file is left out.
#include "physics/analytic_benchmarks.h"

#include <filesystem>
#include <fstream>
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
  const std::vector<std::string> names = benchmark_names();
  ASSERT_EQ(names.size(), 56u);
  for (const std::string& name : names) {
    EXPECT_NE(sources.find('"' + name + '"'), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace freeplay::test
