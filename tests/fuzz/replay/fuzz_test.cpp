// What fuzzing has found stays found: every file of the corpus is run again, and each target for a moment on changed
// inputs. `./dev fuzz` does the same with sanitizers, counted branches and as much time as one likes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "fuzz/engine/hdf5_headers.h"
#include "fuzz/engine/mutator.h"
#include "fuzz/engine/runner.h"

namespace freeplay::test::fuzz {

namespace {

class Fuzz : public testing::TestWithParam<FuzzTarget> {};

TEST_P(Fuzz, EveryFileOfTheCorpusIsTakenWithoutAFinding) {
  const FuzzTarget& target = GetParam();
  const std::vector<Seed> seeds = seeds_of(target);
  ASSERT_FALSE(seeds.empty());
  for (const Seed& seed : seeds) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      ::dup2(::open("/dev/null", O_WRONLY), STDOUT_FILENO);
      ::alarm(60);
      target.one(reinterpret_cast<const std::uint8_t*>(seed.bytes.data()), seed.bytes.size());
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << target.name << ": " << seed.name;
  }
}

TEST_P(Fuzz, AMomentOfChangedInputsHasNoFinding) {
  const FuzzTarget& target = GetParam();
  FuzzPlan plan;
  const bool is_slow = target.kind != InputKind::kText;  // files of HDF5, each tried in a process of its own first
  plan.executions = is_slow ? 400 : 3000;
  plan.findings = testing::TempDir() + "freeplay-findings-" + std::to_string(::getpid());
  const FuzzOutcome outcome = fuzz(target, plan);
  EXPECT_GE(outcome.executions, plan.executions);
  EXPECT_TRUE(outcome.findings.empty()) << outcome.findings.front();
  if (outcome.findings.empty()) std::filesystem::remove_all(plan.findings);
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz, testing::ValuesIn(fuzz_targets().begin(), fuzz_targets().end()),
                         [](const auto& target) { return std::string(target.param.name); });

// ---- The engine itself -------------------------------------------------------------------------------------------

int crash_on_an_x(const std::uint8_t* data, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == 'x') report_finding("an x");
  }
  return 0;
}
int never_end_on_an_x(const std::uint8_t* data, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    while (data[i] == 'x') static_cast<void>(::getpid());
  }
  return 0;
}
int throw_on_an_x(const std::uint8_t* data, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == 'x') throw std::logic_error("an x");
  }
  return 0;
}
std::vector<std::string> letters() {
  return {"abc def ghi"};
}
std::vector<std::string> an_x() {
  return {"x"};
}

TEST(FuzzEngine, KeepsTheInputOfACrashOfAnEndlessLoopAndOfAnUnknownException) {
  for (const auto& one : {&crash_on_an_x, &never_end_on_an_x, &throw_on_an_x}) {
    const FuzzTarget target{"planted", InputKind::kText, one, &letters, &an_x, 100};
    FuzzPlan plan;
    plan.executions = 200;
    plan.most_cpu_seconds = 0.3;
    plan.findings = testing::TempDir() + "freeplay-planted-" + std::to_string(::getpid());
    const FuzzOutcome outcome = fuzz(target, plan);
    ASSERT_FALSE(outcome.findings.empty());
    for (const std::filesystem::path& path : outcome.findings) {
      std::string text(std::filesystem::file_size(path), '\0');
      std::FILE* file = std::fopen(path.c_str(), "rb");
      ASSERT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
      std::fclose(file);
      EXPECT_NE(text.find('x'), std::string::npos) << text;
      EXPECT_TRUE(std::filesystem::exists(path.string() + ".txt"));
    }
    std::filesystem::remove_all(plan.findings);
  }
}

TEST(FuzzEngine, TheSameSeedGivesTheSameInputs) {
  for (const FuzzTarget& target : fuzz_targets()) {
    std::vector<std::string> inputs;
    for (const Seed& seed : seeds_of(target)) inputs.push_back(seed.bytes);
    Mutator first(target, 7), second(target, 7), other(target, 8);
    int differences = 0;
    for (int i = 0; i < 20; ++i) {
      const std::string input = first.next(inputs);
      EXPECT_EQ(input, second.next(inputs)) << target.name;
      EXPECT_LE(input.size(), target.most_bytes);
      differences += input == other.next(inputs) ? 0 : 1;
    }
    EXPECT_GT(differences, 10) << target.name;
  }
}

TEST(FuzzEngine, KnowsTheHeadersOfAResultFileAndTheirChecksums) {
  for (const Seed& seed : seeds_of(*find_fuzz_target("results"))) {
    const std::vector<Hdf5Header> headers = hdf5_headers(seed.bytes);
    EXPECT_GT(headers.size(), 10U) << seed.name;
    std::string repaired = seed.bytes;
    for (const Hdf5Header& header : headers) repair_checksum(repaired, header);
    EXPECT_TRUE(repaired == seed.bytes) << seed.name << ": a checksum that HDF5 wrote is taken for wrong";
  }
}

}  // namespace

}  // namespace freeplay::test::fuzz
