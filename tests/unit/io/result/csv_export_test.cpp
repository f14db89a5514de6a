// CSV text that every reader of CSV understands, with numbers that are exactly those of the result file.
#include "freeplay/io/export/csv_export.h"

#include <gmock/gmock.h>

#include <clocale>
#include <cmath>
#include <fstream>
#include <limits>
#include <locale>
#include <sstream>

#include "freeplay/core/error.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test {
namespace {

using namespace result_test;
using testing::HasSubstr;
using testing::StartsWith;

void write_table(const std::filesystem::path& path, const std::vector<std::string>& names,
                 const std::vector<std::vector<double>>& rows) {
  RecordLayout layout;
  for (const std::string& name : names) layout.channels.push_back({name, "1"});
  ResultWriter writer(path);
  writer.begin(layout);
  for (std::size_t i = 0; i < rows.size(); ++i) writer.row(0.25 * static_cast<double>(i), rows[i]);
  writer.end({});
}

std::string csv_of(const std::filesystem::path& path, const std::vector<std::string>& channels = {}) {
  std::ostringstream text;
  write_csv(ResultReader(path), channels, text);
  return text.str();
}

TEST(CsvExport, WritesTimeAndAllChannelsByDefault) {
  const TemporaryFolder folder;
  write_table(folder / "result.h5", {"b.x", "a.y"}, {{1, -2}, {0.1, 1e300}});
  EXPECT_EQ(csv_of(folder / "result.h5"), "time,b.x,a.y\n0,1,-2\n0.25,0.1,1e+300\n");
}

TEST(CsvExport, WritesTheChannelsInTheOrderAsked) {
  const TemporaryFolder folder;
  write_table(folder / "result.h5", {"a", "b", "c"}, {{1, 2, 3}});
  EXPECT_EQ(csv_of(folder / "result.h5", {"c", "a", "c"}), "time,c,a,c\n0,3,1,3\n");
}

TEST(CsvExport, OfNoRowsIsTheHeader) {
  const TemporaryFolder folder;
  write_table(folder / "result.h5", {"a"}, {});
  EXPECT_EQ(csv_of(folder / "result.h5"), "time,a\n");
}

TEST(CsvExport, NumbersComeBackBitForBit) {
  const TemporaryFolder folder;
  const std::vector<double> numbers = {1. / 3,     std::nextafter(1, 2), 5e-324, std::numeric_limits<double>::max(),
                                       -0.0,       6.02214076e23,        1e22,   123456789012345678.,
                                       M_PI * 1e-5};
  std::vector<std::vector<double>> rows;
  for (const double number : numbers) rows.push_back({number});
  write_table(folder / "result.h5", {"a"}, rows);
  std::istringstream lines(csv_of(folder / "result.h5"));
  std::string line;
  std::getline(lines, line);
  for (const double number : numbers) {
    std::getline(lines, line);
    const double read = std::strtod(line.c_str() + line.find(',') + 1, nullptr);
    EXPECT_EQ(read, number) << line;
    EXPECT_EQ(std::signbit(read), std::signbit(number)) << line;
  }
}

TEST(CsvExport, WritesInfinityAndNanInTheUsualWords) {
  const TemporaryFolder folder;
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
  write_table(folder / "result.h5", {"a", "b", "c", "d"}, {{infinity, -infinity, nan, -nan}});
  EXPECT_EQ(csv_of(folder / "result.h5"), "time,a,b,c,d\n0,inf,-inf,nan,nan\n");
}

TEST(CsvExport, QuotesNamesByTheRules) {
  const TemporaryFolder folder;
  write_table(folder / "result.h5", {"a,b", "say \"x\"", "two\nlines", "plain name"}, {});
  EXPECT_EQ(csv_of(folder / "result.h5"), "time,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",plain name\n");
}

struct CommaForThePoint : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(CsvExport, DoesNotDependOnTheLocale) {
  const TemporaryFolder folder;
  write_table(folder / "result.h5", {"a"}, {{1234567.5}});
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new CommaForThePoint));
  const std::string text = csv_of(folder / "result.h5");
  std::locale::global(before);
  EXPECT_EQ(text, "time,a\n0,1234567.5\n");
}

TEST(CsvExport, WritesMoreRowsThanABlockHolds) {
  constexpr std::int64_t kRows = 40000;
  const TemporaryFolder folder;
  ResultWriter writer(folder / "result.h5");
  writer.begin(layout_with_channels(2));
  write_rows(writer, 2, 0, kRows);
  writer.end({});
  std::istringstream lines(csv_of(folder / "result.h5"));
  std::string line;
  std::getline(lines, line);
  for (std::int64_t row = 0; row < kRows; ++row) {
    double time = 0, first = 0, second = 0;
    char comma = 0;
    ASSERT_TRUE(lines >> time >> comma >> first >> comma >> second) << "row " << row;
    ASSERT_EQ(time, expected_time(row));
    ASSERT_EQ(first, expected_value(row, 0));
    ASSERT_EQ(second, expected_value(row, 1));
  }
  EXPECT_FALSE(lines >> line) << "more rows than were recorded";
}

TEST(CsvExport, AnUnknownChannelLeavesAnExistingFileAlone) {
  const TemporaryFolder folder;
  write_table(folder / "result.h5", {"crank.omega"}, {{1}});
  std::ofstream(folder / "table.csv") << "precious";
  const ResultReader reader(folder / "result.h5");
  EXPECT_THROW(write_csv(reader, {"crank.omegas"}, folder / "table.csv"), UnknownChannel);
  std::ifstream file(folder / "table.csv");
  std::string text;
  file >> text;
  EXPECT_EQ(text, "precious");
}

TEST(CsvExport, NamesTheFileItCannotWriteAndTheReason) {
  const TemporaryFolder folder;
  write_table(folder / "result.h5", {"a"}, std::vector<std::vector<double>>(10000, {1. / 3}));
  const ResultReader reader(folder / "result.h5");
  const auto message = [&](const std::filesystem::path& path) -> std::string {
    try {
      write_csv(reader, {}, path);
    } catch (const IoError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("/dev/full"), "cannot write /dev/full: No space left on device");
  EXPECT_THAT(message(folder / "none/table.csv"), HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace freeplay::test
