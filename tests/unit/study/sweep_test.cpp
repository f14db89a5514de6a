// Families of runs, by the library: values, bits, failures, and what is left to do.
#include "freeplay/study/sweep/sweep.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/study/sweep/workers/rank_messages.h"
#include "support/few_threads.h"

namespace freeplay::test::sweep_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr double kFall_m_s2 = 9.81;

// A ball falls from the height h onto a floor.
constexpr const char* kBall = R"(freeplay: 1
name: A ball
space: planar
parameters: {h: 1 m, e: 0.5, radius: 100 mm}
gravity: [0, -9.81 m/s^2]
bodies:
  ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {y: h + radius}, shapes: {skin: {type: circle, radius: radius}}}
ground: {shapes: {floor: {type: line, at: [0, 0], normal: [0, 1]}}}
contacts:
  bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: e, friction: 0}
simulate: {integrator: event-driven, duration: 1 s, max_step: 1 ms}
)";

// Of machines from a shop: the height is drawn, too.
std::string scattered_ball() {
  std::string text = kBall;
  text.replace(text.find("h: 1 m"), 6, "h: {normal: [1 m, 50 mm]}");
  return text;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::int64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::int64_t all = 0, resident = 0;
  statm >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

class Sweep : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              fmt::format("sweep_{}", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    plan_.model = folder_ / "ball.yaml";
    std::ofstream(plan_.model) << kBall;
    plan_.over = {"h=0.2 m:0.6 m:5", "e=0.3,0.6"};
    plan_.measures = {"speed=max(abs(ball.vy))", "hits=count(bounce.impact)"};
  }
  void TearDown() override { fs::remove_all(folder_); }

  SweepOutcome run(const std::string& name, int workers = 1, const SweepHooks& hooks = {}) const {
    SweepOptions options;
    options.out = folder_ / name;
    options.workers = workers;
    return run_sweep(plan_, options, hooks);
  }

  fs::path folder_;
  SweepPlan plan_;
};

// The ball meets the floor with sqrt(2 g h), for the first time at sqrt(2 h/g).
// Speeds of impact of 200 drawn heights: v = sqrt(2 g h), and with equal shares the mean height is that of the file.
TEST_F(Sweep, SamplesAreDrawnFromParametersThatScatter) {
  std::ofstream(plan_.model) << scattered_ball();
  plan_.over = {"e=0.3:0.6"};
  plan_.sample = "lhs:200";
  run("drawn");
  const SweepTable table = read_sweep(folder_ / "drawn" / "sweep.h5");
  ASSERT_EQ(table.header.parameters.size(), 2U);
  EXPECT_EQ(table.header.parameters[1].name, "h");
  double mean = 0, square = 0;
  for (const SweepRow& row : table.rows) {
    const double h = row.values[1];
    mean += h / 200;
    square += (h - 1) * (h - 1) / 200;
    EXPECT_NEAR(row.values[2], std::sqrt(2 * kFall_m_s2 * h), kFall_m_s2 * 1e-3);  // rows are up to 1 ms before it
  }
  EXPECT_NEAR(mean, 1, 1e-3);
  EXPECT_NEAR(std::sqrt(square), 0.05, 2e-3);
}

TEST_F(Sweep, MeasuresEveryRun) {
  const SweepOutcome outcome = run("out");
  ASSERT_EQ(outcome.table.rows.size(), 10U);
  for (const SweepRow& row : outcome.table.rows) {
    EXPECT_EQ(row.status, SweepStatus::kCompleted) << row.message;
    EXPECT_NEAR(row.values[2], std::sqrt(2 * kFall_m_s2 * row.values[0]), 1e-2 * row.values[2]);
    EXPECT_GE(row.values[3], 1);
  }
  EXPECT_DOUBLE_EQ(outcome.table.rows[3].values[0], 0.3);
  EXPECT_EQ(outcome.table.rows[3].values[1], 0.6);
  EXPECT_EQ(outcome.table.header.measures[0].unit, "m/s");
  EXPECT_EQ(outcome.progress.done, 10);
}

TEST_F(Sweep, HasTheSameBytesWithAnyNumberOfWorkers) {
  run("one", 1);
  const std::string bytes = bytes_of(folder_ / "one/sweep.h5");
  EXPECT_GT(bytes.size(), 1000U);
  for (const int workers : {2, 3, 8}) {
    const std::string name = fmt::format("w{}", workers);
    run(name, workers);
    EXPECT_TRUE(bytes_of(folder_ / name / "sweep.h5") == bytes) << workers;
  }
}

TEST_F(Sweep, TakesAsManyWorkersAsTheSystemGives) {
  if (!kHasFewThreads) GTEST_SKIP() << "a sanitizer needs the address space";
  run("one", 1);
  for (const std::size_t threads : {1U, 2U}) {
    const std::string name = fmt::format("few{}", threads);
    {
      const FewThreads few(threads);
      EXPECT_EQ(run(name, 8).progress.done, 10);
    }
    EXPECT_TRUE(bytes_of(folder_ / name / "sweep.h5") == bytes_of(folder_ / "one/sweep.h5")) << threads;
  }
  const FewThreads none(0);
  EXPECT_THROW(run("none", 8), std::system_error);
}

TEST_F(Sweep, GoesOnAfterAnInterruptWithTheSameBytes) {
  run("whole");
  const std::string bytes = bytes_of(folder_ / "whole/sweep.h5");
  for (const std::int64_t after : {1, 4, 9}) {
    const std::string name = fmt::format("cut{}", after);
    std::atomic<bool> stop = false;
    SweepHooks hooks;
    hooks.stop_requested = &stop;
    hooks.progress = [&](const SweepProgress& now) { stop = stop || now.done >= after; };
    const SweepOutcome cut = run(name, 1, hooks);
    if (cut.was_interrupted) {
      EXPECT_LT(cut.progress.done, 10);
      EXPECT_EQ(read_sweep(folder_ / name / "sweep.h5").rows.size(), static_cast<std::size_t>(cut.progress.done));
    }
    const SweepOutcome rest = run(name, 2);
    EXPECT_EQ(rest.progress.earlier, cut.progress.done);
    EXPECT_EQ(rest.progress.done, 10);
    EXPECT_TRUE(bytes_of(folder_ / name / "sweep.h5") == bytes) << after;
  }
}

TEST_F(Sweep, JoinsPartsWithTheSameBytes) {
  run("whole");
  SweepOptions options;
  options.out = folder_ / "parts";
  for (const char* part : {"0/3", "2/3"}) {
    options.part = parse_sweep_part(part);
    EXPECT_EQ(run_sweep(plan_, options, {}).progress.runs, *part == '0' ? 4 : 3);
  }
  EXPECT_TRUE(fs::exists(folder_ / "parts/part-0-of-3.h5"));
  const SweepOutcome joined = run("parts");
  EXPECT_EQ(joined.progress.earlier, 7);
  EXPECT_TRUE(bytes_of(folder_ / "parts/sweep.h5") == bytes_of(folder_ / "whole/sweep.h5"));
  EXPECT_FALSE(fs::exists(folder_ / "parts/part-0-of-3.h5"));
  for (const char* text : {"3/3", "-1/3", "1", "a/b", "0/0"}) EXPECT_THROW(parse_sweep_part(text), ModelError) << text;
}

TEST_F(Sweep, KeepsRunsThatCannotBeMadeAsRows) {
  plan_.over = {"radius=50mm,-1mm,100mm"};
  const SweepOutcome outcome = run("out");
  ASSERT_EQ(outcome.table.rows.size(), 3U);
  EXPECT_EQ(outcome.table.rows[0].status, SweepStatus::kCompleted);
  EXPECT_EQ(outcome.table.rows[1].status, SweepStatus::kRefused);
  EXPECT_THAT(outcome.table.rows[1].message, HasSubstr("radius"));
  EXPECT_TRUE(std::isnan(outcome.table.rows[1].values[1]));
  EXPECT_EQ(outcome.table.rows[2].status, SweepStatus::kCompleted);
  EXPECT_EQ(outcome.progress.without_measures, 1);
  EXPECT_THAT(sweep_csv(outcome.table), HasSubstr("\n-0.001,nan,nan\n"));
}

TEST_F(Sweep, WritesColumnsInTheOrderGiven) {
  plan_.over = {"e=0.5", "h=0.2m,300mm"};
  const std::string csv = sweep_csv(run("out").table);
  EXPECT_TRUE(csv.starts_with("e,h,speed,hits\n0.5,0.2,")) << csv;
  EXPECT_THAT(csv, HasSubstr("\n0.5,0.3,"));
  plan_.over = {"simulate.integrator=event-driven,moreau-midpoint"};
  plan_.overrides = {"simulate.step=1ms"};
  EXPECT_THAT(sweep_csv(run("words").table), HasSubstr("\nmoreau-midpoint,"));
}

std::string mistake(const SweepPlan& plan) {
  try {
    const SweepRunner runner(plan);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST_F(Sweep, TellsOfMistakesBeforeItRuns) {
  const auto with = [&](const std::string& over, const std::string& measure) {
    SweepPlan plan = plan_;
    plan.over = {over};
    plan.measures = {measure};
    return mistake(plan);
  };
  const std::string good = "v=max(ball.vy)";
  EXPECT_EQ(with("h=1m:2m:3", good), "none");
  EXPECT_THAT(with("hh=1m:2m:3", good), HasSubstr("did you mean 'h'"));
  EXPECT_THAT(with("hh=1m:2m:3", good), HasSubstr("--over"));
  EXPECT_THAT(with("h=1kg:2kg:3", good), HasSubstr("a mass"));
  EXPECT_THAT(with("h=1m:2m:3", "v=max(ball.vz)"), HasSubstr("ball.v"));
  EXPECT_THAT(with("h=1m:2m:3", "v=max(ball.vz)"), HasSubstr("--measure"));
  EXPECT_THAT(with("h=1m:2m:3", "=max(ball.vy)"), HasSubstr("NAME=EXPRESSION"));
  EXPECT_EQ(with("h=1m:2m:3", "max(ball.vy)"), "none") << "it is called max_ball_vy";
  EXPECT_THAT(with("h=1m:2m:3", "2v=max(ball.vy)"), HasSubstr("cannot be the name"));
  SweepPlan none = plan_;
  none.measures = {};
  EXPECT_THAT(mistake(none), HasSubstr("nothing is measured"));
}

TEST_F(Sweep, RefusesTheFolderOfAnotherStudy) {
  run("out");
  plan_.measures = {"speed=max(ball.vy)"};
  try {
    run("out");
    FAIL();
  } catch (const OtherStudy& error) {
    EXPECT_THAT(error.what(), HasSubstr("'measures' is"));
  }
  EXPECT_EQ(read_sweep(folder_ / "out/sweep.h5").rows.size(), 10U) << "it is as it was";
}

// A leak of a kilobyte per run would be nine megabytes here; the rows themselves are on the disk.
TEST_F(Sweep, TenThousandShortRunsTakeNoMoreMemoryThanAThousand) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer keeps what has been freed";
#endif
  plan_.over = {"h=0.2 m:0.6 m:10000"};
  plan_.overrides = {"simulate.duration=2 us", "simulate.max_step=1 us"};
  plan_.measures = {"y=final(ball.y)"};
  std::int64_t early = 0, late = 0;
  SweepHooks hooks;
  hooks.progress = [&](const SweepProgress& now) {
    if (early == 0 && now.done >= 1000) early = resident_bytes();
    late = std::max(late, resident_bytes());
  };
  const SweepOutcome outcome = run("many", 2, hooks);
  EXPECT_EQ(outcome.progress.done, 10000);
  EXPECT_EQ(outcome.progress.without_measures, 0);
  ASSERT_GT(early, 0);
  EXPECT_LT(late - early, 4'000'000);
  EXPECT_LT(resident_bytes() - early, 15'000'000) << "with the table, which is read when all runs are done";
}

// Rank 1 of two, with this test in the place of rank 0: it is given all runs at once, and is stopped when it has told
// of some of them twice.
class ScriptedRank final : public Ranks {
 public:
  explicit ScriptedRank(std::int64_t runs) {
    for (std::int64_t i = 0; i < runs; ++i) tasks_.push_back({i, 0, {}});
  }
  int rank() const override { return 1; }
  int size() const override { return 2; }
  void send(int /*to*/, std::span<const std::byte> bytes) override {
    reports.push_back(decode_report(bytes));
    stop = reports.size() >= 3;
  }
  Message receive() override { return {0, encode_tasks(std::exchange(tasks_, {}))}; }
  std::optional<Message> try_receive() override { return {}; }
  void finish() override {}

  std::vector<RankReport> reports;
  std::atomic<bool> stop = false;

 private:
  std::vector<SweepTask> tasks_;
};

TEST_F(Sweep, OfARankThatWorksForLongRowsComeOnTheWay) {
  constexpr std::int64_t kRuns = 500;
  plan_.overrides = {"simulate.max_step=10us", "simulate.duration=0.3 s"};
  plan_.over = {fmt::format("h=0.2 m:0.6 m:{}", kRuns)};
  ScriptedRank ranks(kRuns);
  SweepHooks hooks;
  hooks.ranks = &ranks;
  hooks.stop_requested = &ranks.stop;
  SweepOptions options;
  options.out = folder_ / "out";
  options.workers = 1;
  run_sweep(plan_, options, hooks);
  ASSERT_EQ(ranks.reports.size(), 4U);
  EXPECT_TRUE(ranks.reports.front().asks);
  EXPECT_TRUE(ranks.reports.front().rows.empty());
  for (const std::size_t i : {1U, 2U}) {
    EXPECT_FALSE(ranks.reports[i].asks) << "it still has work";
    EXPECT_FALSE(ranks.reports[i].rows.empty());
  }
  EXPECT_TRUE(ranks.reports.back().asks);
  std::int64_t next = 0;
  for (const RankReport& report : ranks.reports) {
    for (const SweepRow& row : report.rows) EXPECT_EQ(row.index, next++) << "each once";
  }
  EXPECT_LT(next, kRuns);
}

TEST_F(Sweep, RowsTravelAsTheyAre) {
  SweepRow a, b;
  a.index = 5;
  a.values = {1.5, NAN};
  a.crossings = {0.25, -3};
  b.status = SweepStatus::kFailed;
  b.warnings = 3;
  b.left_because = "it passed a wall";
  b.message = "why";
  const RankReport report = decode_report(encode_report({{a, b}, "no GPU"}));
  const std::vector<SweepRow>& got = report.rows;
  EXPECT_EQ(report.failure, "no GPU");
  EXPECT_TRUE(decode_report(encode_report({})).failure.empty());
  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].index, 5);
  EXPECT_EQ(got[0].values[0], 1.5);
  EXPECT_TRUE(std::isnan(got[0].values[1]));
  EXPECT_EQ(got[1].status, SweepStatus::kFailed);
  EXPECT_EQ(got[1].left_because, "it passed a wall");
  EXPECT_FALSE(got[0].is_left_to_engine());
  EXPECT_EQ(got[0].crossings, (std::vector<double>{0.25, -3}));
  EXPECT_EQ(got[1].warnings, 3);
  EXPECT_EQ(got[1].message, "why");
  const std::vector<SweepTask> tasks = decode_tasks(encode_tasks(std::vector<SweepTask>{{3, 0, {}}, {1, 2, {0.5, 7}}}));
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].chain, 3);
  EXPECT_TRUE(tasks[0].start.empty());
  EXPECT_EQ(tasks[1].place, 2);
  EXPECT_EQ(tasks[1].start, (std::vector<double>{0.5, 7}));
}

}  // namespace
}  // namespace freeplay::test::sweep_test
