// Poses of many bodies are one dataset, and read as channels are.
#include <gmock/gmock.h>

#include "unit/io/result/result_test_support.h"

namespace freeplay::test::motion_table_test {
namespace {

using namespace result_test;

constexpr std::size_t kAsked = 2;
constexpr std::size_t kMotionTableChannels = 2048;  // of io/result/motion_table.h, which needs HDF5

RecordLayout many_bodies(std::size_t motion) {
  RecordLayout layout = layout_with_channels(static_cast<int>(kAsked + motion));
  layout.motion_channels = motion;
  return layout;
}

TEST(MotionTable, GivesBackEveryRowOfEveryChannel) {
  constexpr std::int64_t kRows = 150;
  for (const std::size_t motion : {kMotionTableChannels - 1, kMotionTableChannels, std::size_t{3001}}) {
    for (const int rows_per_chunk : {1, 7, 1024}) {
      const TemporaryFolder folder;
      {
        ResultWriter writer(folder / "result.h5", {.rows_per_chunk = rows_per_chunk});
        writer.begin(many_bodies(motion));
        write_rows(writer, kAsked + motion, 0, 70);
        writer.flush();
        EXPECT_EQ(ResultReader(folder / "result.h5").rows(), 70) << "while the run goes on";
        write_rows(writer, kAsked + motion, 70, kRows - 70);
        writer.end({});
      }
      const ResultReader reader(folder / "result.h5");
      ASSERT_EQ(reader.rows(), kRows);
      ASSERT_EQ(reader.channels().size(), kAsked);
      ASSERT_EQ(reader.motion_channels().size(), motion);
      EXPECT_EQ(reader.motion_channels()[5].name, "body_7.x");
      EXPECT_EQ(reader.motion_channels()[5].unit, "m");
      for (const std::size_t channel : {std::size_t{0}, kAsked, kAsked + 17, kAsked + motion - 1}) {
        const std::vector<double> values = reader.read_channel("body_" + std::to_string(channel) + ".x");
        for (std::int64_t row = 0; row < kRows; ++row)
          ASSERT_EQ(values[static_cast<std::size_t>(row)], expected_value(row, channel)) << row << ' ' << channel;
      }
      std::vector<double> some(10);
      reader.read_channel("body_100.x", 33, some);
      EXPECT_EQ(some[9], expected_value(42, 100));
      EXPECT_THROW(reader.read_channel("body_99999.x"), UnknownChannel);
    }
  }
}

}  // namespace
}  // namespace freeplay::test::motion_table_test
