// Two runs of the same model give the same bits in every channel: in two processes, that is at other addresses, and
// with memory that is filled by other bytes before its first use.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "freeplay/io/result/result_reader.h"
#include "support/places.h"

namespace freeplay::test::same_bits_test {
namespace {

namespace fs = std::filesystem;

class SameBits : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    for (char& letter : name) letter = letter == '/' ? '_' : letter;
    folder_ = fs::path(testing::TempDir()) / ("same_bits_" + name);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // MALLOC_PERTURB_ is glibc's; the longer environment shifts the stack.
  ResultReader run(const std::string& example, const std::vector<std::string>& overrides, int fill) const {
    std::string options;
    for (const std::string& item : overrides) options += fmt::format(" --set '{}'", item);
    const fs::path out = folder_ / fmt::format("fill_{}", fill);
    const std::string command = fmt::format(
        "MALLOC_PERTURB_={0} FREEPLAY_TEST_PADDING={1} '{2}' run '{3}/{4}.yaml'{5} --quiet --out '{6}' > '{6}.log' "
        "2>&1",
        fill, std::string(static_cast<std::size_t>(fill), 'x'), command_path(), examples_dir(), example, options,
        out.string());
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return ResultReader(out / "result.h5");
  }

  // Returns the warnings of the run.
  std::vector<std::string> expect_same_bits(const std::string& example,
                                            const std::vector<std::string>& overrides) const {
    std::vector<std::string> warnings;
    compare_runs(example, overrides, warnings);
    return warnings;
  }

  void compare_runs(const std::string& example, const std::vector<std::string>& overrides,
                    std::vector<std::string>& warnings) const {
    const ResultReader first = run(example, overrides, 1), second = run(example, overrides, 254);
    ASSERT_GT(first.rows(), 3);
    ASSERT_TRUE(first.summary() && second.summary());
    warnings = first.summary()->warnings;
    EXPECT_EQ(warnings, second.summary()->warnings);
    ASSERT_EQ(first.rows(), second.rows());
    ASSERT_EQ(first.channels().size(), second.channels().size());
    const auto compare = [](const std::vector<double>& a, const std::vector<double>& b, const std::string& name) {
      EXPECT_EQ(0, std::memcmp(a.data(), b.data(), a.size() * sizeof(double))) << name;
    };
    compare(first.read_time(), second.read_time(), "time");
    for (const ChannelInfo& channel : first.channels())
      compare(first.read_channel(channel.name), second.read_channel(channel.name), channel.name);
    const std::vector<ImpactRecord> impacts = first.impacts(), again = second.impacts();
    ASSERT_EQ(impacts.size(), again.size());
    for (std::size_t i = 0; i < impacts.size(); ++i) {
      ASSERT_EQ(impacts[i].time_s, again[i].time_s) << i;
      ASSERT_EQ(impacts[i].contact, again[i].contact) << i;
      ASSERT_EQ(impacts[i].normal_impulse, again[i].normal_impulse) << i;
      ASSERT_EQ(impacts[i].energy_lost_J, again[i].energy_lost_J) << i;
    }
  }

  fs::path folder_;
};

class Determinism : public SameBits, public testing::WithParamInterface<std::string> {};

// All channels, and as long as the example is. The paper of cylindrical_clearance takes steps of 10 ms where its rod is
// stable for 3 ms.
TEST_P(Determinism, TwoProcessesGiveTheSameBitsAndNoWarningWithoutCause) {
#if defined(__SANITIZE_ADDRESS__)
  for (const char* longer : {"box_stack", "escapement", "gear_teeth", "geneva_drive", "peg_in_hole", "ratchet"}) {
    if (GetParam() == longer) GTEST_SKIP() << "minutes under the sanitizers; its other tests look at memory";
  }
#endif
  const std::vector<std::string> warnings = expect_same_bits(GetParam(), {"record={every: 1}"});
  EXPECT_EQ(warnings.size(), GetParam() == "cylindrical_clearance" ? 2u : 0u)
      << (warnings.empty() ? "" : warnings.front());
}

class NlpDeterminism : public Determinism {};

TEST_P(NlpDeterminism, TwoProcessesGiveTheSameBits) {
  for (const char* rule : {"simulate.constraint=plain", "simulate.constraint=disc", "simulate.step_choice=objective",
                           "simulate.step_choice=land", "friction=0.1"}) {
    SCOPED_TRACE(rule);
    expect_same_bits(GetParam(), {rule, "duration=0.5 s", "record={every: 1}"});
  }
}

// Many bodies whose contacts come and go: the whole example would take minutes.
TEST_F(SameBits, OfTwoProcessesWithAPile) {
  expect_same_bits("spheres_in_box", {"N=30", "boxes=10", "simulate.duration=0.3 s"});
}

TEST_F(SameBits, OfTwoProcessesWithAChain) {
  expect_same_bits("roller_chain", {"simulate.duration=10 ms"});
}

// Its motion is chaotic: the smallest difference would grow.
TEST_F(SameBits, OfTwoProcessesWithAFeeder) {
  for (const char* example : {"conveyor", "conveyor_block", "conveyor_spatial"})
    expect_same_bits(example, {"duration=3 s"});
}

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(examples_dir())) {
    const std::string name = entry.path().stem().string();
    const bool is_long =
        name == "spheres_in_box" || name == "roller_chain" || name == "belt_drive" || name.starts_with("conveyor");
    if (entry.path().extension() == ".yaml" && !is_long) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

const auto kName = [](const auto& example) { return example.param; };

INSTANTIATE_TEST_SUITE_P(Examples, Determinism, testing::ValuesIn(examples()), kName);

INSTANTIATE_TEST_SUITE_P(Examples, NlpDeterminism,
                         testing::Values("cylindrical_clearance", "prismatic_clearance", "revolute_clearance"), kName);

}  // namespace
}  // namespace freeplay::test::same_bits_test
