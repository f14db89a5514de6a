// What a run writes is what a reader gets back.
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "freeplay/core/error.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::result_file_test {
namespace {

using namespace result_test;
using testing::ElementsAre;
using testing::HasSubstr;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

RunSummary distinct_summary() {
  RunSummary summary;
  summary.status = RunStatus::kInterrupted;
  summary.message = "stopped by the user";
  summary.warnings = {"the first", "the second: ü"};
  summary.time_s = 1;
  summary.steps = 2;
  summary.rejected_steps = 3;
  summary.evaluations = 4;
  summary.rows = 5;
  summary.impacts = 6;
  summary.max_penetration_m = 7;
  summary.worst_residual_m_s = 8;
  summary.worst_position_residual_m = 9;
  summary.energy_initial_J = 10;
  summary.energy_final_J = 11;
  summary.energy_drift_J = 12;
  summary.max_energy_drift_J = 13;
  summary.wall_seconds = 14;
  summary.events = 15;
  summary.worst_residual_m_s2 = 16;
  return summary;
}

TEST(ResultFile, GivesBackEveryRowWhateverTheChunkSize) {
  constexpr std::int64_t kRows = 5000;
  for (const int rows_per_chunk : {1, 7, 1024, 100000}) {
    const TemporaryFolder folder;
    ResultWriter writer(folder / "result.h5", {.rows_per_chunk = rows_per_chunk});
    writer.begin(layout_with_channels(3));
    write_rows(writer, 3, 0, kRows);
    writer.end({});
    const ResultReader reader(folder / "result.h5");
    EXPECT_EQ(reader.rows(), kRows);
    expect_known_rows(reader);
  }
}

TEST(ResultFile, KeepsWhatTheModelMeasures) {
  const TemporaryFolder folder;
  RecordLayout layout = layout_with_channels(1);
  const std::string long_name(300, 'n');
  layout.measures = {{"rate", "m/s"}, {"a/b", "1"}, {long_name, "N"}};
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout);
  writer.row(0, std::vector{1.0});
  writer.flush();
  EXPECT_FALSE(ResultReader(folder / "result.h5").summary()) << "a run that goes on has none";
  RunSummary summary;
  summary.measures = {
      {"rate", -0.1, "m/s"}, {"a/b", 2, "1"}, {long_name, std::numeric_limits<double>::quiet_NaN(), "N"}};
  writer.end(summary);
  const ResultReader reader(folder / "result.h5");
  ASSERT_TRUE(reader.summary());
  const std::vector<MeasuredValue>& found = reader.summary()->measures;
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].name, layout.measures[i].name);
    EXPECT_EQ(found[i].unit, layout.measures[i].unit);
  }
  EXPECT_EQ(found[0].value, -0.1);
  EXPECT_EQ(found[1].value, 2);
  EXPECT_TRUE(std::isnan(found[2].value));
}

TEST(ResultFile, KeepsValuesThatAreNotFiniteAndSignedZero) {
  const TemporaryFolder folder;
  const double infinity = std::numeric_limits<double>::infinity();
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout_with_channels(1));
  for (const double value : {-0.0, infinity, std::numeric_limits<double>::quiet_NaN(), 5e-324}) {
    writer.row(0, std::vector{value});
  }
  writer.end({});
  const std::vector<double> values = ResultReader(folder / "result.h5").read_channel("body_0.x");
  ASSERT_EQ(values.size(), 4u);
  EXPECT_TRUE(values[0] == 0 && std::signbit(values[0]));
  EXPECT_EQ(values[1], infinity);
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_EQ(values[3], 5e-324);
}

TEST(ResultFile, ReadsAnyRangeOfRows) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5", {.rows_per_chunk = 10});
  writer.begin(layout_with_channels(2));
  write_rows(writer, 2, 0, 100);
  writer.end({});
  const ResultReader reader(folder / "result.h5");
  std::vector<double> part(25);
  reader.read_channel("body_1.x", 37, part);
  EXPECT_EQ(part.front(), expected_value(37, 1));
  EXPECT_EQ(part.back(), expected_value(61, 1));
  reader.read_time(75, part);
  EXPECT_EQ(part.back(), expected_time(99));
}

TEST(ResultFile, OfARunWithoutRowsHasNoRowsAndNoImpacts) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout_with_channels(2));
  writer.end({});
  const ResultReader reader(folder / "result.h5");
  EXPECT_EQ(reader.rows(), 0);
  EXPECT_TRUE(reader.read_time().empty());
  EXPECT_TRUE(reader.read_channel("body_1.x").empty());
  EXPECT_TRUE(reader.impacts().empty());
  EXPECT_TRUE(reader.events().empty());
  EXPECT_EQ(reader.status(), "completed");
}

TEST(ResultFile, OfARunWithoutChannelsStillHasTheTime) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin({});
  write_rows(writer, 0, 0, 3);
  writer.end({});
  EXPECT_THAT(ResultReader(folder / "result.h5").read_time(),
              ElementsAre(expected_time(0), expected_time(1), expected_time(2)));
}

TEST(ResultFile, KeepsOrderAndUnitsOfChannels) {
  const TemporaryFolder folder;
  RecordLayout layout;
  layout.channels = {{"z.omega", "1/s"}, {"a.x", "m"}, {"m.force_x", "N"}, {"b.count", "1"}};
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout);
  writer.end({});
  const ResultReader reader(folder / "result.h5");
  ASSERT_EQ(reader.channels().size(), layout.channels.size());
  for (std::size_t c = 0; c < layout.channels.size(); ++c) {
    EXPECT_EQ(reader.channels()[c].name, layout.channels[c].name);
    EXPECT_EQ(reader.channels()[c].unit, layout.channels[c].unit);
  }
}

TEST(ResultFile, KeepsAttributesContactsAndGeometryOfAnySize) {
  const TemporaryFolder folder;
  RecordLayout layout;
  layout.attributes = {{"model", std::string(3000000, 'm')}, {"parameters", "{\"e\": 0.5}"}, {"empty", ""}};
  for (int i = 0; i < 50; ++i) layout.attributes["attribute " + std::to_string(i)] = "größer";
  layout.contacts = {"pin", "", "guide.2"};
  layout.geometry_json = "{\"bodies\": [" + std::string(200000, ' ') + "]}";
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout);
  writer.end({});
  const ResultReader reader(folder / "result.h5");
  EXPECT_EQ(reader.attributes(), layout.attributes);
  EXPECT_EQ(reader.contacts(), layout.contacts);
  EXPECT_EQ(reader.geometry_json(), layout.geometry_json);
}

TEST(ResultFile, GivesBackEveryEventInTheOrderWritten) {
  constexpr int kEvents = 1000;  // several chunks
  const auto kind_of = [](int i) {
    return kContactEventKinds[static_cast<std::size_t>(i) % kContactEventKinds.size()];
  };
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  RecordLayout layout;
  layout.contacts.assign(kEvents, "pin");
  writer.begin(layout);
  // Times that go back are kept as they are: the end of infinitely many rebounds is told before it comes.
  for (int i = 0; i < kEvents; ++i) writer.event({kEvents - i + 0.5, i, kind_of(i)});
  writer.end({});
  const std::vector<EventRecord> events = ResultReader(folder / "result.h5").events();
  ASSERT_EQ(events.size(), static_cast<std::size_t>(kEvents));
  for (int i = 0; i < kEvents; ++i) {
    const EventRecord& event = events[static_cast<std::size_t>(i)];
    EXPECT_EQ(event.time_s, kEvents - i + 0.5);
    EXPECT_EQ(event.contact, i);
    EXPECT_EQ(event.kind, kind_of(i));
  }
}

TEST(ResultFile, GivesBackEveryFieldOfEveryImpact) {
  constexpr int kImpacts = 1000;  // several chunks
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  RecordLayout layout = layout_with_channels(1);
  layout.contacts.assign(kImpacts, "pin");
  writer.begin(layout);
  for (int i = 0; i < kImpacts; ++i)
    writer.impact({i + 0.5, i, i + 1., i + 2., i + 3., i + 4., i + 5., i + 6., i + 7., i + 8.});
  writer.end({});
  const std::vector<ImpactRecord> impacts = ResultReader(folder / "result.h5").impacts();
  ASSERT_EQ(impacts.size(), static_cast<std::size_t>(kImpacts));
  for (int i = 0; i < kImpacts; ++i) {
    const ImpactRecord& impact = impacts[static_cast<std::size_t>(i)];
    EXPECT_EQ(impact.time_s, i + 0.5);
    EXPECT_EQ(impact.contact, i);
    EXPECT_EQ(impact.normal_impulse, i + 1.);
    EXPECT_EQ(impact.tangential_impulse_1, i + 2.);
    EXPECT_EQ(impact.tangential_impulse_2, i + 3.);
    EXPECT_EQ(impact.normal_velocity_before, i + 4.);
    EXPECT_EQ(impact.normal_velocity_after, i + 5.);
    EXPECT_EQ(impact.tangential_velocity_before, i + 6.);
    EXPECT_EQ(impact.tangential_velocity_after, i + 7.);
    EXPECT_EQ(impact.energy_lost_J, i + 8.);
  }
}

TEST(ResultFile, GivesBackEveryFieldOfTheSummary) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin({});
  writer.end(distinct_summary());
  const ResultReader reader(folder / "result.h5");
  ASSERT_TRUE(reader.summary());
  const RunSummary& summary = *reader.summary();
  EXPECT_EQ(summary.status, RunStatus::kInterrupted);
  EXPECT_EQ(summary.message, "stopped by the user");
  EXPECT_EQ(summary.warnings, (std::vector<std::string>{"the first", "the second: ü"}));
  EXPECT_EQ(summary.time_s, 1);
  EXPECT_EQ(summary.steps, 2);
  EXPECT_EQ(summary.rejected_steps, 3);
  EXPECT_EQ(summary.evaluations, 4);
  EXPECT_EQ(summary.rows, 5);
  EXPECT_EQ(summary.impacts, 6);
  EXPECT_EQ(summary.events, 15);
  EXPECT_EQ(summary.worst_residual_m_s2, 16);
  EXPECT_EQ(summary.max_penetration_m, 7);
  EXPECT_EQ(summary.worst_residual_m_s, 8);
  EXPECT_EQ(summary.worst_position_residual_m, 9);
  EXPECT_EQ(summary.energy_initial_J, 10);
  EXPECT_EQ(summary.energy_final_J, 11);
  EXPECT_EQ(summary.energy_drift_J, 12);
  EXPECT_EQ(summary.max_energy_drift_J, 13);
  EXPECT_EQ(summary.wall_seconds, 14);
}

TEST(ResultFile, TellsHowTheRunEnded) {
  const TemporaryFolder folder;
  const std::pair<RunStatus, std::string> cases[] = {
      {RunStatus::kCompleted, "completed"}, {RunStatus::kInterrupted, "interrupted"}, {RunStatus::kFailed, "failed"}};
  for (const auto& [status, text] : cases) {
    ResultWriter writer(folder / "result.h5");
    writer.begin({});
    RunSummary summary;
    summary.status = status;
    writer.end(summary);
    EXPECT_EQ(ResultReader(folder / "result.h5").status(), text);
  }
}

TEST(ResultFile, CutsALongMessageBetweenCharacters) {
  const TemporaryFolder folder;
  RunSummary summary;
  summary.message = "x";
  while (summary.message.size() < 3000) summary.message += "ü";
  ResultWriter writer(folder / "result.h5");
  writer.begin({});
  writer.end(summary);
  const std::string message = ResultReader(folder / "result.h5").summary()->message;
  EXPECT_EQ(message.size(), 1023u);  // "x" and 511 characters of two bytes each
  EXPECT_EQ(message, summary.message.substr(0, message.size()));
}

TEST(ResultFile, CountsTheWarningsThatItHasNoRoomFor) {
  const TemporaryFolder folder;
  RunSummary summary;
  summary.warnings.assign(100, std::string(1000, 'w'));
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout_with_channels(1));
  writer.end(summary);
  const std::vector<std::string> kept = ResultReader(folder / "result.h5").summary()->warnings;
  ASSERT_EQ(kept.size(), 9u);
  EXPECT_EQ(kept[7], summary.warnings[7]);
  EXPECT_EQ(kept[8], "and 92 more");
}

TEST(ResultFile, KeepsHostileNamesExactly) {
  const TemporaryFolder folder;
  const std::vector<std::string> names = {"a/b",
                                          "a_b",
                                          "/",
                                          ".",
                                          "..",
                                          "",
                                          "</script><script>alert(1)</script>",
                                          "tab\tnewline\nbell\a",
                                          "größe.Ω",
                                          "\xFF\xFE not UTF-8",
                                          "quote \" comma , percent %s",
                                          std::string(10000, 'n'),
                                          std::string(10000, 'n') + "2",
                                          "long ü" + std::string(113, '-') + "üüü"};
  RecordLayout layout;
  for (const std::string& name : names) layout.channels.push_back({name, name});
  layout.contacts = names;
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout);
  write_rows(writer, names.size(), 0, 10);
  writer.end({});
  const ResultReader reader(folder / "result.h5");
  EXPECT_EQ(reader.contacts(), names);
  ASSERT_EQ(reader.channels().size(), names.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    EXPECT_EQ(reader.channels()[c].name, names[c]);
    EXPECT_EQ(reader.channels()[c].unit, names[c]);
  }
  expect_known_rows(reader);
}

// To the second: HDF5 notes in the extension of its superblock when a file was made, and cannot be told not to.
TEST(ResultFile, OfTheSameRunIsTheSameToTheLastByte) {
  const TemporaryFolder folder;
  const auto now_s = [] { return std::chrono::system_clock::now().time_since_epoch() / std::chrono::seconds(1); };
  for (int attempt = 0;; ++attempt) {
    const auto begin_s = now_s();
    for (const char* name : {"first.h5", "second.h5"}) {
      ResultWriter writer(folder / name, {.flush_interval_s = 1e9});  // flushes by the clock would shift the bytes
      writer.begin(layout_with_channels(5));
      write_rows(writer, 5, 0, 3000);
      writer.impact({.time_s = 1});
      writer.end(distinct_summary());
    }
    if (now_s() == begin_s) break;
    ASSERT_LT(attempt, 20) << "two files took longer than a second, twenty times";
  }
  EXPECT_TRUE(bytes_of(folder / "first.h5") == bytes_of(folder / "second.h5"));
}

TEST(ResultFile, OfAThousandChannelsIsWhole) {
  constexpr std::size_t kChannels = 1100;  // more than are flushed at once
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout_with_channels(static_cast<int>(kChannels)));
  write_rows(writer, kChannels, 0, 20);
  writer.end({});
  const ResultReader reader(folder / "result.h5");
  EXPECT_EQ(reader.rows(), 20);
  expect_known_rows(reader);
}

// No room for a second buffer: rows wait until those before them are written.
TEST(ResultFile, WhoseRowsFillTheMemoryForBuffersIsWhole) {
  constexpr std::size_t kChannels = 2100;
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout_with_channels(static_cast<int>(kChannels)));
  write_rows(writer, kChannels, 0, 1030);
  EXPECT_GE(writer.rows_flushed(), 1024) << "a full buffer was handed over and not waited for";
  writer.end({});
  const ResultReader reader(folder / "result.h5");
  EXPECT_EQ(reader.rows(), 1030);
  expect_known_rows(reader);
}

TEST(ResultFile, OfManyFullBuffersIsWholeAndKeepsItsImpacts) {
  constexpr std::int64_t kRows = 20000;
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5", {.rows_per_chunk = 16});
  RecordLayout layout = layout_with_channels(3);
  layout.contacts.assign(kRows, "pin");
  writer.begin(layout);
  for (std::int64_t row = 0; row < kRows; ++row) {
    write_rows(writer, 3, row, 1);
    if (row % 7 == 0) writer.impact({.time_s = expected_time(row), .contact = static_cast<std::int32_t>(row / 7)});
  }
  writer.end({});
  const ResultReader reader(folder / "result.h5");
  EXPECT_EQ(reader.rows(), kRows);
  expect_known_rows(reader);
  const std::vector<ImpactRecord> impacts = reader.impacts();
  ASSERT_EQ(impacts.size(), static_cast<std::size_t>((kRows + 6) / 7));
  for (std::size_t i = 0; i < impacts.size(); ++i) ASSERT_EQ(impacts[i].contact, static_cast<std::int32_t>(i));
}

TEST(ResultFile, ReplacesAnEarlierOneAndLeavesNothingBeside) {
  const TemporaryFolder folder;
  for (const std::int64_t rows : {100, 3}) {
    ResultWriter writer(folder / "deep/er/result.h5");
    writer.begin(layout_with_channels(1));
    write_rows(writer, 1, 0, rows);
    writer.end({});
  }
  EXPECT_EQ(ResultReader(folder / "deep/er/result.h5").rows(), 3);
  const std::filesystem::directory_iterator entries(folder / "deep/er");
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST(ResultFile, ThatIsReplacedStaysReadableForWhoHasItOpen) {
  const TemporaryFolder folder;
  {
    ResultWriter writer(folder / "result.h5");
    writer.begin(layout_with_channels(2));
    write_rows(writer, 2, 0, 2000);
    writer.end({});
  }
  const ResultReader reader(folder / "result.h5");
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout_with_channels(1));
  writer.end({});
  EXPECT_EQ(reader.rows(), 2000);
  expect_known_rows(reader);
}

TEST(ResultFile, ProposesTheNearestChannelForAnUnknownOne) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  RecordLayout layout;
  layout.channels = {{"crank.omega", "1/s"}, {"crank.angle", "1"}};
  writer.begin(layout);
  writer.end({});
  const ResultReader reader(folder / "result.h5");
  try {
    reader.read_channel("crank.omgea");
    FAIL() << "no exception";
  } catch (const UnknownChannel& error) {
    EXPECT_THAT(error.what(), HasSubstr("no channel \"crank.omgea\"; did you mean \"crank.omega\"?"));
  }
  EXPECT_THROW(reader.read_channel(std::string(100000, 'x')), UnknownChannel);
}

}  // namespace
}  // namespace freeplay::test::result_file_test
