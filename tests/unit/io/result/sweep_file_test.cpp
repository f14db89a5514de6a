// The file of a family of runs: one of its runs alone.
#include "freeplay/io/sweep/sweep_file.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>

#include "freeplay/core/error.h"

namespace freeplay::test::sweep_file {

namespace {

TEST(SweepFile, OneRunAloneHasTheValuesThatItHasAmongAll) {
  SweepTable table;
  table.header.parameters = {{"c", "m", {}}};
  table.header.measures = {{"peak", "N", {}}, {"hits", "1", {}}};
  table.header.section = {{"t", "s", {}}, {"x", "m", {}}};
  table.header.final_state = {{"q_1", "SI", {}}};
  table.header.runs = 6;
  table.header.attributes = {{"study", "{}"}};
  for (const int run : {0, 1, 3, 5}) {
    SweepRow row;
    row.index = run;
    row.values = {0.1 * run, 10.0 * run, 100.0 * run, 1.0 / (run + 1)};
    row.crossings = {0.5, 1.0 * run};
    table.rows.push_back(row);
  }
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "one_run_alone.h5";
  write_sweep(path, table);
  const SweepTable all = read_sweep(path);
  for (const SweepRow& row : all.rows) {
    const SweepTable one = read_sweep_run(path, row.index);
    ASSERT_EQ(one.rows.size(), 1U);
    EXPECT_EQ(one.rows[0].index, row.index);
    EXPECT_EQ(one.rows[0].values, row.values);
    EXPECT_EQ(one.header.attributes, all.header.attributes);
    EXPECT_EQ(one.header.measures.size(), 2U);
  }
  EXPECT_TRUE(read_sweep_run(path, 2).rows.empty()) << "not run yet";
  EXPECT_TRUE(read_sweep_run(path, 77).rows.empty());
  std::filesystem::remove(path);
  EXPECT_THROW(static_cast<void>(read_sweep_run(path, 0)), IoError);
}

// Who has done a run is known of studies by compiled code; files of others are as they were before.
TEST(SweepFile, SaysWhichRunsCompiledCodeHasLeftToTheEngine) {
  SweepTable table;
  table.header.measures = {{"peak", "N", {}}};
  table.header.runs = 3;
  table.header.attributes = {{"study", "{}"}};
  for (const int run : {0, 1, 2}) {
    SweepRow& row = table.rows.emplace_back();
    row.index = run;
    row.values = {1.0 * run};
    if (run == 1) row.left_because = "it passed a wall";
  }
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "left_to_engine.h5";
  write_sweep(path, table);
  EXPECT_FALSE(read_sweep(path).header.is_compiled());
  for (const SweepRow& row : read_sweep(path).rows) EXPECT_FALSE(row.is_left_to_engine());
  table.header.attributes["backend"] = "compiled";
  write_sweep(path, table);
  const SweepTable compiled = read_sweep(path);
  EXPECT_TRUE(compiled.header.is_compiled());
  for (const SweepRow& row : compiled.rows) EXPECT_EQ(row.left_because, row.index == 1 ? "it passed a wall" : "");
  // Older files do not say why.
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  ASSERT_GE(H5Ldelete(file, "left_because", H5P_DEFAULT), 0);
  H5Fclose(file);
  for (const SweepRow& row : read_sweep(path).rows) EXPECT_EQ(row.left_because, row.index == 1 ? "unknown" : "");
  std::filesystem::remove(path);
}

}  // namespace

}  // namespace freeplay::test::sweep_file
