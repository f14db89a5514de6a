#include <gmock/gmock.h>

#include <sstream>

#include "cli/command_test.h"
#include "freeplay/io/result/result_reader.h"
#include "freeplay/io/result/result_writer.h"

namespace freeplay::test {

namespace {

using testing::HasSubstr;

class ExportCommand : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    write("links.yaml", kPendulum);
    ASSERT_EQ(freeplay({"run", "links.yaml", "--quiet"}).exit_code, 0);
  }
};

TEST_F(ExportCommand, WritesTimeAndTheChannelsInTheOrderAsked) {
  const CommandResult result =
      freeplay({"export", "results/links/result.h5", "--csv", "out.csv", "--channels", "energy.total,upper.x"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  std::istringstream lines(read("out.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "time,energy.total,upper.x");
  std::getline(lines, line);
  EXPECT_THAT(line, testing::StartsWith("0,"));
  EXPECT_THAT(line, testing::EndsWith(",0.5"));
}

// As a run leaves it that was killed before its first row.
TEST_F(ExportCommand, OfAResultWithoutRowsIsAnError) {
  {
    RecordLayout layout;
    layout.channels = {{"arm.x", "m"}};
    ResultWriter(folder_ / "begun.h5").begin(layout);
  }
  const CommandResult result = freeplay({"export", "begun.h5", "--csv", "out.csv"});
  EXPECT_EQ(result.exit_code, 6);
  EXPECT_THAT(result.err, HasSubstr("no rows: its run is running or killed"));
  EXPECT_FALSE(exists("out.csv"));
}

TEST_F(ExportCommand, WritesTheTableOfImpacts) {
  write("ball.yaml", kBallOnFloor);
  ASSERT_EQ(freeplay({"run", "ball.yaml", "--quiet"}).exit_code, 0);
  const CommandResult result = freeplay({"export", "results/ball", "--impacts", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::istringstream lines(result.out);
  std::string header, first;
  std::getline(lines, header);
  std::getline(lines, first);
  EXPECT_THAT(header, testing::StartsWith("time,contact,normal_impulse"));
  EXPECT_THAT(first, HasSubstr(",bounce,"));
  EXPECT_EQ(freeplay({"export", "results/ball"}).exit_code, 2) << "nothing to write";
}

TEST_F(ExportCommand, WritesFramesForParaView) {
  const CommandResult result = freeplay({"export", "results/links", "--vtk", "film", "--frames", "7"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "film/motion.pvd  7 frames\n");
  EXPECT_TRUE(exists("film/bodies_00006.vtu"));
  EXPECT_FALSE(exists("film/bodies_00007.vtu"));
  EXPECT_THAT(read("film/motion.pvd"), HasSubstr("timestep=\"2\"")) << "the end of the run";
  EXPECT_EQ(freeplay({"export", "results/links", "--frames", "7", "--csv", "-"}).exit_code, 2) << "frames of nothing";
  EXPECT_EQ(freeplay({"export", "results/links", "--vtk", "film", "--frames", "0"}).exit_code, 2);
  EXPECT_EQ(freeplay({"export", "results/links", "--vtk", "links.yaml/film"}).exit_code, 6);
}

TEST_F(ExportCommand, NumbersReadBackAsTheSameDouble) {
  const CommandResult result = freeplay({"export", "results/links", "--csv", "-", "--channels", "upper.omega"});
  std::istringstream lines(result.out);
  std::string line;
  std::getline(lines, line);
  const std::vector<double> recorded = ResultReader(folder_ / "results/links/result.h5").read_channel("upper.omega");
  std::size_t longest = 0, row = 0;
  while (std::getline(lines, line)) {
    const std::string number = line.substr(line.find(',') + 1);
    ASSERT_LT(row, recorded.size());
    EXPECT_EQ(std::stod(number), recorded[row++]);
    longest = std::max(longest, number.size());
  }
  EXPECT_EQ(row, recorded.size());
  EXPECT_GE(longest, 17u) << "some doubles need them all";
}

TEST_F(ExportCommand, WithoutChannelsAllAreWritten) {
  const CommandResult result = freeplay({"export", "results/links", "--csv", "-"});
  const std::string header = result.out.substr(0, result.out.find('\n'));
  EXPECT_THAT(header, testing::StartsWith("time,upper.x,upper.y,"));
  EXPECT_THAT(header, HasSubstr("energy.drift"));
}

TEST_F(ExportCommand, UnknownChannelIsAUsageErrorAndWritesNothing) {
  const CommandResult result = freeplay({"export", "results/links", "--csv", "out.csv", "--channels", "upper.omgea"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("upper.omega"));
  EXPECT_FALSE(exists("out.csv"));
}

TEST_F(ExportCommand, FilesThatCannotBeReadOrWrittenAreInputOutputErrors) {
  EXPECT_EQ(freeplay({"export", "missing.h5", "--csv", "-"}).exit_code, 6);
  EXPECT_EQ(freeplay({"export", "links.yaml", "--csv", "-"}).exit_code, 6) << "a model is no result";
  EXPECT_EQ(freeplay({"export", "results/links", "--csv", "links.yaml/x.csv"}).exit_code, 6);
}

}  // namespace

}  // namespace freeplay::test
