// The group `wear` of result files: what was written is read, and models without wear have no such group.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/io/result/result_test_support.h"

namespace freeplay::test::result_test {
namespace {

SurfaceWear bore() {
  SurfaceWear wear{"pin", "bearing", "rad"};
  for (int i = 0; i < 300; ++i) {  // more than a chunk
    const double depth = 1e-9 * (i == 200 ? 1000 : i);
    wear.cells.push_back({0.01 * i, 0.01 * (i + 1), 2e-12 * i, depth});
    wear.volume_m3 += 2e-12 * i;
  }
  wear.max_depth_m = 1e-6;
  wear.max_at = 2.005;
  return wear;
}

TEST(ResultWear, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  RecordLayout layout = layout_with_channels(1);
  layout.worn_surfaces = {{"pin.bearing", "rad"}, {"floor.a", ""}, {"guide.upper_wall", "m"}};
  RunSummary summary;
  summary.wear = {bore(), {"floor", "a", "", 3e-9}, {"guide", "upper_wall", "m"}};
  {
    ResultWriter writer(folder / "result.h5");
    writer.begin(layout);
    write_rows(writer, 1, 0, 3);
    writer.end(summary);
  }
  const ResultReader reader(folder / "result.h5");
  expect_known_rows(reader);
  ASSERT_TRUE(reader.summary());
  const std::vector<SurfaceWear>& wear = reader.summary()->wear;
  ASSERT_EQ(wear.size(), 3U);
  EXPECT_EQ(wear[0].name(), "pin.bearing");
  EXPECT_EQ(wear[0].unit, "rad");
  EXPECT_NEAR(wear[0].volume_m3, bore().volume_m3, 1e-15 * bore().volume_m3);
  EXPECT_DOUBLE_EQ(wear[0].max_depth_m, 1e-6);
  EXPECT_NEAR(wear[0].max_at, 2.005, 1e-12);
  ASSERT_EQ(wear[0].cells.size(), 300U);
  for (std::size_t i = 0; i < 300; ++i) {
    EXPECT_EQ(wear[0].cells[i].from, bore().cells[i].from);
    EXPECT_EQ(wear[0].cells[i].to, bore().cells[i].to);
    EXPECT_EQ(wear[0].cells[i].volume_m3, bore().cells[i].volume_m3);
    EXPECT_EQ(wear[0].cells[i].depth_m, bore().cells[i].depth_m);
  }
  EXPECT_EQ(wear[1].surface, "a");
  EXPECT_EQ(wear[1].volume_m3, 3e-9);
  EXPECT_EQ(wear[1].max_depth_m, 0);
  EXPECT_TRUE(wear[1].cells.empty());
  EXPECT_TRUE(wear[2].cells.empty());
}

TEST(ResultWear, IsAbsentWhereNothingWears) {
  const TemporaryFolder folder;
  {
    ResultWriter writer(folder / "result.h5");
    writer.begin(layout_with_channels(1));
    writer.end({});
  }
  EXPECT_TRUE(ResultReader(folder / "result.h5").summary()->wear.empty());
}

}  // namespace
}  // namespace freeplay::test::result_test
