// A result file can be read while it is written, and after its writer was killed at any moment.
#include <gmock/gmock.h>
#include <signal.h>

#include <cstring>
#include <random>

#include "unit/io/result/result_test_support.h"

namespace freeplay::test::result_survival_test {
namespace {

using namespace result_test;

constexpr int kChannels = 12;

// Writes rows without end and tells its parent, after each flush, how many of them must survive.
void write_until_killed(const std::filesystem::path& path, int rows_per_chunk, int pipe) {
  ResultWriter writer(path, {.rows_per_chunk = rows_per_chunk, .flush_interval_s = 0.001});
  RecordLayout layout = layout_with_channels(kChannels);
  layout.contacts = {"pin"};
  writer.begin(layout);
  std::int64_t announced = -1;
  for (std::int64_t row = 0;; ++row) {
    write_rows(writer, kChannels, row, 1);
    writer.impact({.time_s = expected_time(row), .normal_impulse = static_cast<double>(row)});
    writer.event({.time_s = expected_time(row), .kind = ContactEventKind::kSlip});
    if (writer.rows_flushed() == announced) continue;
    announced = writer.rows_flushed();
    tell(pipe, std::string(reinterpret_cast<const char*>(&announced), sizeof announced));
  }
}

std::int64_t last_announced(const std::string& told) {
  std::int64_t rows = 0;
  const std::size_t whole = told.size() / sizeof rows;
  if (whole > 0) std::memcpy(&rows, told.data() + (whole - 1) * sizeof rows, sizeof rows);
  return rows;
}

TEST(ResultSurvival, AKillAtAnyMomentLeavesEveryFlushedRowAndNoWrongOne) {
  const TemporaryFolder folder;
  std::mt19937 random(20);
  int files = 0;
  // At least twenty kills, and as many more as it takes on a busy machine until a dozen of them hit a file.
  for (int round = 0; round < 20 || files < 12; ++round) {
    ASSERT_LT(round, 500) << "kills come too early to test anything";
    const std::filesystem::path path = folder / ("result_" + std::to_string(round) + ".h5");
    const int rows_per_chunk = round % 2 == 0 ? 16 : 1024;
    ChildProcess child([&](int pipe) { write_until_killed(path, rows_per_chunk, pipe); });
    ::usleep(std::uniform_int_distribution<useconds_t>(1000, 60000)(random));
    ::kill(child.id(), SIGKILL);
    const std::int64_t flushed = last_announced(child.read_all());
    child.wait();
    if (!std::filesystem::exists(path)) {  // killed before the file had its name
      EXPECT_EQ(flushed, 0);
      continue;
    }
    ++files;
    const ResultReader reader(path);
    EXPECT_GE(reader.rows(), flushed);
    EXPECT_EQ(reader.channels().size(), static_cast<std::size_t>(kChannels));
    EXPECT_EQ(reader.status(), "running or killed");
    EXPECT_FALSE(reader.summary());
    expect_known_rows(reader);
    const std::vector<ImpactRecord> impacts = reader.impacts();
    EXPECT_GE(static_cast<std::int64_t>(impacts.size()), reader.rows() - 1);  // the last row's impact came after it
    for (std::size_t i = 0; i < impacts.size(); ++i) ASSERT_EQ(impacts[i].normal_impulse, static_cast<double>(i));
    const std::vector<EventRecord> events = reader.events();
    EXPECT_GE(static_cast<std::int64_t>(events.size()), reader.rows() - 1);
    for (std::size_t i = 0; i < events.size(); ++i) {
      ASSERT_EQ(events[i].time_s, expected_time(static_cast<std::int64_t>(i)));
      ASSERT_EQ(events[i].kind, ContactEventKind::kSlip);
    }
  }
}

TEST(ResultSurvival, AnotherProcessCanReadWhileRowsAreWritten) {
  constexpr std::int64_t kRows = 20000;
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "result.h5";
  ChildProcess child([&](int pipe) {
    ResultWriter writer(path, {.rows_per_chunk = 64});
    writer.begin(layout_with_channels(kChannels));
    tell(pipe, "begun");
    for (std::int64_t row = 0; row < kRows; row += 1000) {
      write_rows(writer, kChannels, row, 1000);
      ::usleep(5000);
    }
    writer.end({});
  });
  while (!std::filesystem::exists(path)) ::usleep(100);
  std::int64_t rows_before = 0;
  int looks_while_running = 0;
  for (bool finished = false; !finished;) {
    const ResultReader reader(path);
    finished = reader.summary().has_value();
    EXPECT_GE(reader.rows(), rows_before);
    if (finished) {
      EXPECT_EQ(reader.rows(), kRows) << "a summary vouches for all rows";
    }
    rows_before = reader.rows();
    looks_while_running += finished ? 0 : 1;
    expect_known_rows(reader);
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(looks_while_running, 3);
  EXPECT_EQ(child.wait(), 0);
}

TEST(ResultSurvival, TheWritingProcessItselfCanRead) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout_with_channels(2));
  write_rows(writer, 2, 0, 100);
  writer.flush();
  EXPECT_EQ(writer.rows_flushed(), 100);
  const ResultReader early(folder / "result.h5");
  write_rows(writer, 2, 100, 5000);
  EXPECT_EQ(early.rows(), 100);
  expect_known_rows(early);
  EXPECT_EQ(early.status(), "running or killed");
  writer.end({});
  const ResultReader late(folder / "result.h5");
  EXPECT_EQ(late.rows(), 5100);
  expect_known_rows(late);
}

TEST(ResultSurvival, RowsAreFlushedWhenTheIntervalIsOver) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5", {.flush_interval_s = 0.02});
  writer.begin(layout_with_channels(1));
  write_rows(writer, 1, 0, 1);
  ::usleep(50000);
  write_rows(writer, 1, 1, 1);
  EXPECT_EQ(writer.rows_flushed(), 2);
}

TEST(ResultSurvival, AWriterThatIsDestroyedWithoutAnEndKeepsItsRows) {
  const TemporaryFolder folder;
  {
    ResultWriter writer(folder / "result.h5");
    writer.begin(layout_with_channels(1));
    write_rows(writer, 1, 0, 10);
  }
  const ResultReader reader(folder / "result.h5");
  EXPECT_EQ(reader.rows(), 10);
  EXPECT_EQ(reader.status(), "running or killed");
}

}  // namespace
}  // namespace freeplay::test::result_survival_test
