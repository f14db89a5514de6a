// A bifurcation diagram has the same bytes however it was made: workers, ranks, kills.
#include <gmock/gmock.h>
#include <unistd.h>

#include "cli/command_test.h"
#include "cli/studies/ranks.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "support/places.h"

namespace freeplay::test::sweep_bits {

namespace {

using DiagramWords = std::vector<std::string>;

class Diagram : public CommandTest {
 protected:
  // The slider-crank over its clearance: a point of every turn behind the first ones.
  static DiagramWords words(const std::string& out, int turns, const DiagramWords& more = {}) {
    DiagramWords all = {"sweep",     examples_dir() + "/slider_crank_driven.yaml",
                        "--over",    "c=0.2 mm:1 mm:10",
                        "--set",     fmt::format("duration={}*turn", turns),
                        "--section", "every(turn)",
                        "--skip",    "1",
                        "--point",   "y=slider.y",
                        "--point",   "angle=slider.angle",
                        "--out",     out,
                        "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::size_t rows_so_far(const std::string& study) const {
    return exists(study + "/sweep.h5") ? read_sweep(folder_ / study / "sweep.h5").rows.size() : 0;
  }
};

TEST_F(Diagram, OfTheSliderCrankHasTheSameBytesWithWorkersAndOnRanks) {
  ASSERT_EQ(freeplay(words("one", 4, {"--workers", "1"})).exit_code, 0);
  const std::string bytes = read("one/sweep.h5");
  EXPECT_EQ(rows_so_far("one"), 10U);
  for (const SweepRow& row : read_sweep(folder_ / "one/sweep.h5").rows)
    EXPECT_GE(row.crossings.size(), 2U * 3U) << "two turns or more, with time, place and angle";
  ASSERT_EQ(freeplay(words("two", 4, {"--workers", "2"})).exit_code, 0);
  EXPECT_TRUE(read("two/sweep.h5") == bytes);
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  for (const int ranks : {1, 2, 3}) {
    const std::string out = fmt::format("ranks{}", ranks);
    EXPECT_EQ(std::system(command_on_ranks(folder_, ranks, words(out, 4)).c_str()), 0) << read("mpi.log");
    EXPECT_TRUE(read(out + "/sweep.h5") == bytes) << ranks;
  }
}

// The study ends with the rank, as mpirun has it; what was done is on the disk.
TEST_F(Diagram, GoesOnAfterARankWasKilled) {
  if (!has_mpirun()) GTEST_SKIP() << "mpirun is not installed";
  constexpr int kTurns = 60;
  ASSERT_EQ(freeplay(words("whole", kTurns)).exit_code, 0);
  const std::string command = command_on_ranks(folder_, 3, words("killed", kTurns));
  ASSERT_EQ(std::system(fmt::format("({}; echo $? > ended) &", command).c_str()), 0);
  wait_until([&] { return rows_so_far("killed") >= 1 || exists("ended"); });
  ASSERT_FALSE(exists("ended")) << "the study was over too soon to tell anything: " << read("mpi.log");
  // The newest of its processes is the last rank; the brackets keep the shell that looks for it out.
  const std::string kill = fmt::format("pkill -KILL -n -f '{}.*--out [k]illed '", command_path());
  EXPECT_EQ(std::system(kill.c_str()), 0);
  wait_until([&] { return exists("ended"); });
  EXPECT_NE(read("ended"), "0\n");
  const std::size_t rows = rows_so_far("killed");
  EXPECT_GE(rows, 1U);
  EXPECT_LT(rows, 10U);
  const CommandResult rest = freeplay(words("killed", kTurns, {"--resume"}));
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_TRUE(read("killed/sweep.h5") == read("whole/sweep.h5"));
}

}  // namespace

}  // namespace freeplay::test::sweep_bits
