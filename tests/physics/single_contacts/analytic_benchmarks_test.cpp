// No closed form of the reference file is left out.
#include "physics/single_contacts/analytic_benchmarks.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace freeplay::test {
namespace {

// The tests that compare closed forms run in a process of their own and write down what they compared.
TEST(AnalyticBenchmarks, EachIsComparedByATest) {
  if (std::getenv(kBenchmarkLog) != nullptr) return;  // this is that process
  const std::filesystem::path log = std::filesystem::path(testing::TempDir()) / "compared_benchmarks.txt";
  std::filesystem::remove(log);
  const std::string command = fmt::format(
      "{}='{}' '{}' "
      "--gtest_filter='BouncingBall*:SphereTangential*:TwoBlocks*:ThreeBalls*:BlockOnIncline*:SlidingBlock*:"
      "StackedBlocks*:*Rod.*' > '{}.out' 2>&1",
      kBenchmarkLog, log.string(), std::filesystem::read_symlink("/proc/self/exe").string(), log.string());
  EXPECT_EQ(std::system(command.c_str()), 0) << "a test that compares closed forms fails by itself";
  std::set<std::string> compared;
  std::ifstream file(log);
  for (std::string name; std::getline(file, name);) compared.insert(name);
  const std::vector<std::string> names = benchmark_names();
  ASSERT_EQ(names.size(), 56u);
  for (const std::string& name : names) EXPECT_TRUE(compared.contains(name)) << name << " is compared by no test";
}

}  // namespace
}  // namespace freeplay::test
