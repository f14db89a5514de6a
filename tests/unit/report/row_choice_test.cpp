// Rows and impacts that stand for a long result.
#include "freeplay/report/rows/row_choice.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "freeplay/report/rows/impact_choice.h"
#include "unit/report/report_test_support.h"

namespace freeplay::test::row_choice {
namespace {

using namespace report_test;
using result_test::TemporaryFolder;
using testing::ElementsAre;

TEST(RowChoice, TakesAllRowsOfAShortResult) {
  EXPECT_THAT(choose_rows({3, 4}, {}, 4), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(choose_rows({0, 0}, {}, 4), ElementsAre());
  EXPECT_THAT(choose_rows({0, 1}, {}, 4), ElementsAre(0));
}

TEST(RowChoice, SpreadsRowsEvenlyAndKeepsBothEnds) {
  EXPECT_THAT(choose_rows({10, 101}, {}, 5), ElementsAre(10, 35, 60, 85, 110));
  EXPECT_THAT(choose_rows({0, 1'000'000'000'000}, {}, 2), ElementsAre(0, 999'999'999'999));
}

TEST(RowChoice, RowsOfInterestComeInTheOrderOfImportanceUpToHalfOfTheBudget) {
  const std::vector<std::int64_t> of_interest = {777, 778, 5'000, -1, 123, 124};
  const std::vector<std::int64_t> rows = choose_rows({0, 1000}, of_interest, 6);
  EXPECT_LE(rows.size(), 6u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_THAT(rows, testing::IsSupersetOf({0, 123, 777, 778, 999}));
  EXPECT_THAT(rows, testing::Not(testing::Contains(124))) << "three of six are taken";
}

TEST(RowChoice, APartOfTheTimeHasOneRowMoreOnEitherSide) {
  const TemporaryFolder folder;
  write_crank(folder / "result.h5", 500);
  const ResultReader result(folder / "result.h5");
  const RowRange part = rows_between(result, 1.0, 1.995);  // rows 100 to 199 lie within
  EXPECT_EQ(part.first, 99);
  EXPECT_EQ(part.end(), 201);
  EXPECT_EQ(rows_between(result, -5, 100).count, 500);
  EXPECT_EQ(rows_between(result, 100, 200).first, 499) << "beyond the end only the last row is near";
}

TEST(RowChoice, FindsTheFirstRowThatIsNotBeforeATime) {
  const TemporaryFolder folder;
  write_crank(folder / "result.h5", 70'000);  // more than one block of 65 536
  const ResultReader result(folder / "result.h5");
  const std::vector<double> times = {0, 0.005, 0.01, 655.355, 655.36, 699.99, 700};
  EXPECT_THAT(rows_at(result, {0, 70'000}, times), ElementsAre(0, 1, 1, 65'536, 65'536, 69'999, 70'000));
  EXPECT_THAT(rows_at(result, {50, 10}, std::vector<double>{0.0, 0.55, 9.0}), ElementsAre(50, 55, 60));
}

TEST(RowChoice, ValuesAreThoseOfTheRowsNearAndFar) {
  const TemporaryFolder folder;
  write_crank(folder / "result.h5", 70'000);
  const ResultReader result(folder / "result.h5");
  const std::vector<std::int64_t> rows = {0, 1, 7, 9'000, 40'000, 40'002, 69'999};
  const std::vector<double> time = read_time_at(result, rows), x = read_channel_at(result, "crank.x", rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(time[i], crank_time(rows[i]));
    EXPECT_EQ(x[i], crank_values(rows[i])[0]);
  }
}

// Steps ten times as short in the second half: a film by rows would spend ten eleventh of its frames there.
TEST(RowChoice, AFilmIsEvenInTimeAndNotInRows) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin(result_test::layout_with_channels(1));
  for (int i = 0; i < 1100; ++i) writer.row(i < 100 ? i * 0.01 : 1 + (i - 100) * 0.001, std::vector<double>{0.0});
  writer.end({});
  const ResultReader result(folder / "result.h5");
  const std::vector<std::int64_t> rows = rows_of_film(result, 21);
  ASSERT_EQ(rows.size(), 21u);
  EXPECT_EQ(rows.front(), 0);
  EXPECT_EQ(rows.back(), 1099);
  const std::vector<double> time = read_time_at(result, rows);
  for (std::size_t i = 0; i < time.size(); ++i) EXPECT_NEAR(time[i], 1.999 * static_cast<double>(i) / 20, 0.011);
  EXPECT_THAT(rows_of_film(result, 1), ElementsAre(0));
}

TEST(ImpactChoice, KeepsTheHardestInTheOrderOfTime) {
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  RecordLayout layout = crank_layout();
  writer.begin(layout);
  // More than one block of the reader; the impulses go up and down, two are no numbers.
  for (int i = 0; i < 20'000; ++i) {
    ImpactRecord impact;
    impact.time_s = i;
    impact.normal_impulse = i % 10'000 == 17 ? std::nan("") : (i * 7919) % 20'000;
    writer.impact(impact);
  }
  writer.row(0, crank_values(0));
  writer.end({});
  const ResultReader result(folder / "result.h5");
  const ImpactChoice choice = choose_impacts(result, 0, 1e9, 100);
  EXPECT_EQ(choice.total, 20'000);
  ASSERT_EQ(choice.shown.size(), 100u);
  for (std::size_t i = 0; i < choice.shown.size(); ++i) {
    EXPECT_GE(choice.shown[i].normal_impulse, 20'000 - 102) << "102: two of the hardest may be the lost ones";
    if (i > 0) {
      EXPECT_GT(choice.shown[i].time_s, choice.shown[i - 1].time_s);
    }
  }
  EXPECT_EQ(choose_impacts(result, 100, 199, 5000).shown.size(), 100u);
  EXPECT_EQ(choose_impacts(result, 100, 199, 5000).total, 100);
  const std::vector<std::size_t> order = hardest_first(choice.shown);
  EXPECT_GE(choice.shown[order[0]].normal_impulse, choice.shown[order[1]].normal_impulse);
}

}  // namespace
}  // namespace freeplay::test::row_choice
