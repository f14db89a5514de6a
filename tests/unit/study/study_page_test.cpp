// The block of a study's page, read as docs/reference/view_data.md says.
#include "freeplay/study/sweep/pictures/study_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace freeplay::test::study_page {

namespace {

using nlohmann::json;

// Runs 0 to count - 1 with c = 1e-4 (i + 1/3), peak = 10 i and i % 3 crossings; run 1 failed.
SweepTable page_table(int count) {
  SweepTable table;
  table.header.parameters = {{"c", "m", {}}, {"law", "1", {"hertz", "<b>"}}};
  table.header.measures = {{"peak", "N", {}}};
  table.header.section = {{"t", "s", {}}, {"x", "m", {}}};
  table.header.runs = count + 1;  // one is missing
  table.header.attributes = {{"name", "A \xff study"}, {"model_file", "m.yaml"}, {"study", R"({"set": ["a=1"]})"}};
  for (int i = 0; i < count; ++i) {
    SweepRow row;
    row.index = i;
    row.values = {1e-4 * (i + 1.0 / 3), static_cast<double>(i % 2), i == 1 ? NAN : 10.0 * i};
    for (int k = 0; k < i % 3; ++k) row.crossings.insert(row.crossings.end(), {0.5 * k, 1.0 * i});
    if (i == 1) {
      row.status = SweepStatus::kFailed;
      row.message = "the run failed";
      row.crossings.clear();
    }
    table.rows.push_back(row);
  }
  return table;
}

struct ReadBlock {
  explicit ReadBlock(const std::string& block) : bytes(block) {
    std::memcpy(&length, block.data(), sizeof length);
    header = json::parse(block.substr(4, length));
  }
  template <class Number>
  std::vector<Number> column(const json& place, std::size_t count) const {
    std::vector<Number> values(count);
    const std::size_t from = 4 + length + place["offset"].get<std::size_t>();
    EXPECT_EQ(from % 8, 0U);
    EXPECT_LE(from + count * sizeof(Number), bytes.size());
    std::memcpy(values.data(), bytes.data() + from, count * sizeof(Number));
    return values;
  }
  std::string bytes;
  std::uint32_t length = 0;
  json header;
};

TEST(StudyPage, HoldsEveryRunWithAllDigitsOfItsParameters) {
  const SweepTable table = page_table(7);
  StudyPageOptions options;
  options.folder = "'a folder'";
  options.recorded = {3};
  const StudyPageData data = make_study_page(table, options);
  const ReadBlock block(data.block);
  EXPECT_EQ(block.header["freeplay_study"], 1);
  EXPECT_EQ(block.header["runs"], 8);
  EXPECT_EQ(block.header["rows"], 7);
  EXPECT_EQ(block.header["folder"], "'a folder'");
  EXPECT_EQ(block.header["recorded"], json::array({3}));
  EXPECT_EQ(block.header["study"]["set"][0], "a=1");
  EXPECT_EQ(block.header["parameters"][1]["words"][1], "<b>");
  const std::vector<double> c = block.column<double>(block.header["parameters"][0], 7);
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(c[i], table.rows[i].values[0]);
  EXPECT_TRUE(std::isnan(block.column<double>(block.header["measures"][0], 7)[1]));
  EXPECT_EQ(block.column<std::int32_t>(block.header["status"], 7), (std::vector<std::int32_t>{0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(block.column<std::int32_t>(block.header["message"], 7),
            (std::vector<std::int32_t>{-1, 0, -1, -1, -1, -1, -1}));
  EXPECT_EQ(block.header["messages"], json::array({"the run failed"}));
  // Runs 2 and 5 have two crossings, 4 has one, 1 has none because it failed.
  EXPECT_EQ(block.column<std::int32_t>(block.header["crossing_row"], 5), (std::vector<std::int32_t>{2, 2, 4, 5, 5}));
  EXPECT_EQ(block.column<float>(block.header["section"][1], 5), (std::vector<float>{2, 2, 4, 5, 5}));
}

TEST(StudyPage, IsThinnedToItsBytesAndSaysSo) {
  const SweepTable table = page_table(20'000);
  StudyPageOptions options;
  options.most_bytes = 100'000;
  const StudyPageData data = make_study_page(table, options);
  EXPECT_LT(data.block.size(), 140'000U);
  EXPECT_EQ(data.total_rows, 20'000);
  EXPECT_GT(data.rows, 1'000);
  EXPECT_LT(data.crossings, data.total_crossings);
  const ReadBlock block(data.block);
  EXPECT_EQ(block.header["total_rows"], 20'000);
  EXPECT_EQ(block.header["rows"].get<std::int64_t>(), data.rows);
}

// x jumps between -1 and 1 from crossing to crossing, in all of 2000 runs.
TEST(StudyPage, ShowsBothPointsOfAMotionOfPeriodTwo) {
  SweepTable table;
  table.header.parameters = {{"c", "m", {}}};
  table.header.section = {{"t", "s", {}}, {"x", "m", {}}};
  table.header.runs = 2000;
  for (int i = 0; i < 2000; ++i) {
    SweepRow row;
    row.index = i;
    row.values = {1e-4 * i};
    for (int k = 0; k < 100 + i % 3; ++k) row.crossings.insert(row.crossings.end(), {0.5 * k, k % 2 == 0 ? -1.0 : 1.0});
    table.rows.push_back(row);
  }
  for (const std::size_t most_bytes : {3'000'000U, 300'000U}) {
    StudyPageOptions options;
    options.most_bytes = most_bytes;
    const StudyPageData data = make_study_page(table, options);
    ASSERT_LT(data.crossings, data.total_crossings);
    EXPECT_GT(data.crossings * 12, static_cast<std::int64_t>(most_bytes / 2 / 3)) << "the place is used";
    EXPECT_LE(data.crossings * 12, static_cast<std::int64_t>(most_bytes / 2));
    const ReadBlock block(data.block);
    const auto count = static_cast<std::size_t>(data.crossings);
    const std::vector<std::int32_t> rows = block.column<std::int32_t>(block.header["crossing_row"], count);
    const std::vector<float> t = block.column<float>(block.header["section"][0], count);
    const std::vector<float> x = block.column<float>(block.header["section"][1], count);
    for (std::size_t k = 1; k < count; ++k) {
      if (rows[k] != rows[k - 1]) continue;
      EXPECT_EQ(x[k], -x[k - 1]);
      EXPECT_EQ(t[k], t[k - 1] + 0.5F);
    }
    // One more of one of them where a run has an odd number.
    EXPECT_NEAR(static_cast<double>(std::count(x.begin(), x.end(), 1.0F)) / static_cast<double>(count), 0.5, 0.02);
  }
}

// 201 x 201 runs are more than fit: fewer values of the parameters, but each with each.
TEST(StudyPage, OfAGridThatIsTooFineIsACoarserGrid) {
  SweepTable table;
  table.header.parameters = {{"a", "m", {}}, {"law", "1", {"hertz", "flores"}}, {"b", "m", {}}};
  table.header.measures = {{"peak", "N", {}}};
  table.header.runs = 201 * 2 * 101;
  for (int i = 0; i < 201 * 2 * 101; ++i) {
    SweepRow row;
    row.index = i;
    row.values = {1.0 * (i / 202), 1.0 * (i / 101 % 2), 1.0 * (i % 101), 0};  // NOLINT(bugprone-integer-division)
    table.rows.push_back(row);
  }
  const StudyPageData data = make_study_page(table, {});
  ASSERT_LT(data.rows, data.total_rows);
  EXPECT_GT(data.rows, data.total_rows / 3);
  const ReadBlock block(data.block);
  std::set<double> values[3];
  std::set<std::tuple<double, double, double>> shown;
  const auto count = static_cast<std::size_t>(data.rows);
  const std::vector<std::int32_t> index = block.column<std::int32_t>(block.header["index"], count);
  for (const std::int32_t i : index) {
    const std::vector<double>& row = table.rows[static_cast<std::size_t>(i)].values;
    for (std::size_t k = 0; k < 3; ++k) values[k].insert(row[k]);
    shown.emplace(row[0], row[1], row[2]);
  }
  EXPECT_EQ(values[1].size(), 2U);
  EXPECT_EQ(shown.size(), count);
  EXPECT_EQ(values[0].size() * values[1].size() * values[2].size(), count) << "no holes";
}

TEST(StudyPage, HoldsTheBandsOfAWaterfallRunByRun) {
  StudyPageOptions options;
  Waterfall fall;
  fall.parameter = {"c", "m", {}};
  fall.channel = "x";
  fall.unit = "m";
  fall.runs = {0, 2};
  fall.values = {1e-4, 3e-4};
  fall.band_Hz = 2;
  fall.bands = 3;
  fall.levels = {{1, 2, 3}, {4, 5, 6}};
  fall.largest = 6;
  options.waterfalls = {fall};
  const ReadBlock block(make_study_page(page_table(4), options).block);
  const json& found = block.header["waterfalls"][0];
  EXPECT_EQ(found["count"], 2);
  EXPECT_EQ(found["parameter"], "c");
  EXPECT_EQ(block.column<std::int32_t>(found["run"], 2), (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(block.column<double>(found["value"], 2), fall.values);
  EXPECT_EQ(block.column<float>(found["level"], 6), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

// Two wells: runs that begin left of 0 end at -1, the others at 1; one failed. Whichever speed they begin with.
TEST(StudyPage, OfAGridWithASectionSaysWhichMotionEachRunHasComeTo) {
  SweepTable table;
  table.header.parameters = {{"x0", "m", {}}, {"v0", "m/s", {}}};
  table.header.section = {{"t", "s", {}}, {"x", "m", {}}};
  table.header.runs = 12;
  for (int i = 0; i < 12; ++i) {
    SweepRow row;
    row.index = i;
    const double x0 = i / 3 - 1.5;  // NOLINT(bugprone-integer-division): rows of three
    row.values = {x0, 1.0 * (i % 3)};
    for (int k = 0; k < 4; ++k) row.crossings.insert(row.crossings.end(), {0.5 * k, x0 < 0 ? -1.0 : 1.0});
    if (i == 7) {
      row.status = SweepStatus::kFailed;
      row.crossings.clear();
    }
    table.rows.push_back(row);
  }
  const ReadBlock block(make_study_page(table, {}).block);
  const json& found = block.header["attractors"];
  EXPECT_EQ(found["texts"], (json{"period 1: x = -1 m", "period 1: x = 1 m"}));
  EXPECT_EQ(found["runs"], (json{6, 5}));
  EXPECT_EQ(block.column<std::int32_t>(found["of_row"], 12),
            (std::vector<std::int32_t>{0, 0, 0, 0, 0, 0, 1, -1, 1, 1, 1, 1}));
  table.header.parameters[1].words = {"slow", "middle", "fast"};
  EXPECT_FALSE(ReadBlock(make_study_page(table, {}).block).header.contains("attractors")) << "words have no neighbours";
}

}  // namespace

}  // namespace freeplay::test::study_page
