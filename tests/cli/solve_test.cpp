#include <gmock/gmock.h>
#include <hdf5.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/command_test.h"
#include "freeplay/io/problem/contact_problem_file.h"
#include "support/places.h"
#include "unit/io/contact_problem_examples.h"

namespace freeplay::test {

namespace {

using namespace contact_test;
using nlohmann::json;
using testing::HasSubstr;

class SolveCommand : public CommandTest {
 protected:
  void put(const std::string& name, const ContactProblem& problem) const {
    write_contact_problem(folder_ / name, problem);
  }
  std::vector<double> dataset(const std::string& file, const char* name) const {
    const hid_t id = H5Fopen((folder_ / file).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(id, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(id);
    return values;
  }
};

TEST_F(SolveCommand, PrintsATableOfTheProblemAndItsSolution) {
  put("three.hdf5", open_stick_slip());
  const CommandResult result = freeplay({"solve", "three.hdf5"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* text :
       {"three.hdf5", "solved", "auto", "contacts", "3 islands", "rows", "entries", "iterations", "residual",
        "relative residual", "tolerance 1e-08", "open", "stick", "slip", "CPU time", "wall time"}) {
    EXPECT_THAT(result.out, HasSubstr(text));
  }
  EXPECT_EQ(result.err, "");
}

TEST_F(SolveCommand, JsonHasTheResidualsAndTheModesOfTheContacts) {
  put("three.hdf5", open_stick_slip());
  const CommandResult result = freeplay({"solve", "three.hdf5", "--json", "--tol", "1e-10"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["status"], "solved");
  EXPECT_EQ(summary["exit_code"], 0);
  EXPECT_LE(summary["residual"], 4e-10);
  EXPECT_LE(summary["relative_residual"], 1e-10);
  EXPECT_EQ(summary["tolerance"], 1e-10);
  EXPECT_TRUE(summary["iterations"].is_number_integer());
  EXPECT_GE(summary["cpu_seconds"], 0.0);
  EXPECT_GE(summary["wall_seconds"], 0.0);
  EXPECT_EQ(summary["contacts"], 3);
  EXPECT_EQ(summary["open"], 1);
  EXPECT_EQ(summary["stick"], 1);
  EXPECT_EQ(summary["slip"], 1);
  EXPECT_EQ(summary["solver"], "auto");
  EXPECT_EQ(summary["message"], "");
  EXPECT_EQ(summary["worst_contacts"], json::array());
}

TEST_F(SolveCommand, TheSolutionFileHasImpulsesAndVelocitiesInTheOrderOfTheProblem) {
  put("three.hdf5", open_stick_slip());
  ASSERT_EQ(freeplay({"solve", "three.hdf5", "--solution", "out/solution.hdf5"}).exit_code, 0);
  const std::vector<double> r = {0, 0, 0.5, -0.1, 1, -0.5}, u = {1, 4, 0, 0, 0, 2};
  EXPECT_THAT(dataset("out/solution.hdf5", "/r"), testing::Pointwise(testing::DoubleNear(1e-8), r));
  EXPECT_THAT(dataset("out/solution.hdf5", "/u"), testing::Pointwise(testing::DoubleNear(1e-8), u));
}

TEST_F(SolveCommand, TakesContactsInSpace) {
  put("space.hdf5", sliding_in_space());
  const CommandResult result =
      freeplay({"solve", "space.hdf5", "--json", "--solver", "semismooth-newton", "--solution", "solution.hdf5"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["slip"], 1);
  const std::vector<double> r = {1, -0.3, -0.4};
  EXPECT_THAT(dataset("solution.hdf5", "/r"), testing::Pointwise(testing::DoubleNear(1e-8), r));
}

TEST_F(SolveCommand, TakesBilateralRows) {
  put("tied.hdf5", with_bilateral_row());
  const CommandResult result = freeplay({"solve", "tied.hdf5", "--json", "--solution", "solution.hdf5"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["bilateral_rows"], 1);
  const std::vector<double> r = {0.75, -0.25};
  EXPECT_THAT(dataset("solution.hdf5", "/r"), testing::Pointwise(testing::DoubleNear(1e-8), r));
  EXPECT_NEAR(dataset("solution.hdf5", "/l")[0], -0.5, 1e-8);
}

TEST_F(SolveCommand, AFailureExitsWith4AndStillPrintsItsJson) {
  put("impossible.hdf5", unsolvable());
  const CommandResult result = freeplay({"solve", "impossible.hdf5", "--json", "--solution", "best.hdf5"});
  EXPECT_EQ(result.exit_code, 4);
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["exit_code"], 4);
  EXPECT_NEAR(summary["relative_residual"], 1, 1e-12) << "the contact goes on approaching";
  EXPECT_EQ(summary["worst_contacts"][0]["contact"], 0);
  EXPECT_THAT(summary["message"], HasSubstr("above the tolerance"));
  EXPECT_THAT(result.err, HasSubstr("above the tolerance"));
  EXPECT_EQ(dataset("best.hdf5", "/u").size(), 2u) << "the best that was found";
}

TEST_F(SolveCommand, ASolverThatDoesNotTakeTheProblemFails) {
  put("space.hdf5", sliding_in_space());
  const CommandResult result = freeplay({"solve", "space.hdf5", "--json", "--solver", "lemke"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(json::parse(result.out)["status"], "failed");
  EXPECT_THAT(result.err, HasSubstr("lemke does not take"));
}

TEST_F(SolveCommand, MistakesInTheCommandLineAreUsageErrors) {
  put("three.hdf5", open_stick_slip());
  const CommandResult misspelt = freeplay({"solve", "three.hdf5", "--solver", "lemka"});
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_THAT(misspelt.err, HasSubstr("did you mean 'lemke'?"));
  EXPECT_EQ(freeplay({"solve"}).exit_code, 2);
  EXPECT_EQ(freeplay({"solve", "three.hdf5", "--solution", "./three.hdf5"}).exit_code, 2) << "would be overwritten";
  for (const char* tolerance : {"0", "-1", "nan", "2", "small"}) {
    EXPECT_EQ(freeplay({"solve", "three.hdf5", "--tol", tolerance}).exit_code, 2) << tolerance;
  }
}

TEST_F(SolveCommand, BadInputExitsWith3AndNamesThePlace) {
  ContactProblem problem = open_stick_slip();
  problem.mu[1] = -1;
  put("negative.hdf5", problem);
  const CommandResult result = freeplay({"solve", "negative.hdf5", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("negative.hdf5: error: fclib_local/vectors/mu[1]: is -1"));
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["status"], "error");
  EXPECT_EQ(summary["errors"][0]["path"], "fclib_local/vectors/mu[1]");

  write("empty.hdf5", "");
  EXPECT_EQ(freeplay({"solve", "empty.hdf5"}).exit_code, 3);
  write("model.yaml", kBallOnFloor);
  EXPECT_EQ(freeplay({"solve", "model.yaml"}).exit_code, 3);
  EXPECT_EQ(freeplay({"solve", "missing.hdf5"}).exit_code, 6);
  EXPECT_EQ(freeplay({"solve", "."}).exit_code, 6);
}

TEST_F(SolveCommand, ADamagedFileIsRefusedOrSolvedButNeverCrashes) {
  put("whole.hdf5", sliding_in_space());
  const std::string whole = read("whole.hdf5");
  std::mt19937 random(9);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole;
    if (round % 3 == 0)
      damaged.resize(random() % whole.size());
    else
      for (int k = 0; k < 1 + round % 7; ++k) damaged[random() % whole.size()] ^= static_cast<char>(1 + random() % 255);
    write("damaged.hdf5", damaged);
    const CommandResult result = freeplay({"solve", "damaged.hdf5", "--json"});
    ASSERT_EQ(result.signal, 0) << "round " << round;
    const json summary = json::parse(result.out);
    // 4: a number has changed, and the problem that came out has no solution.
    ASSERT_THAT(result.exit_code, testing::AnyOf(0, 3, 4)) << "round " << round << ": " << result.err;
    EXPECT_EQ(summary["status"], result.exit_code == 0 ? "solved" : result.exit_code == 3 ? "error" : "failed");
    EXPECT_THAT(result.err, testing::Not(HasSubstr("HDF5-DIAG"))) << "the library's own messages are kept away";
  }
}

class DumpProblems : public SolveCommand {};

// A pile is solved without its matrix, which is formed for the file.
TEST_F(DumpProblems, OfAPileCanBeSolved) {
  const CommandResult result =
      freeplay({"run", examples_dir() + "/spheres_in_box.yaml", "--json", "--set", "N=80", "--set", "box=0.4 m",
                "--set", "simulate.duration=0.3 s", "--out", "pile", "--dump-problems=40"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::string last;
  std::size_t largest = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "pile/problems")) {
    const std::size_t size = read_contact_problem(entry.path()).q.size();
    if (size > largest) last = entry.path().string();
    largest = std::max(largest, size);
  }
  EXPECT_GE(largest, 3 * 64u) << "as many contacts as a pile has";
  EXPECT_EQ(freeplay({"solve", last, "--tol", "1e-6"}).exit_code, 0);
}

TEST_F(DumpProblems, OfARunCanBeSolved) {
  write("ball.yaml", kBallOnFloor);
  const CommandResult result = freeplay({"run", "ball.yaml", "--json", "--dump-problems"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["problems_left_out"], 0);
  int files = 0;
  std::string last;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "results/ball/problems")) {
    EXPECT_EQ(entry.path().extension(), ".hdf5");
    last = std::max(last, entry.path().string());
    ++files;
  }
  EXPECT_GT(files, 3) << "a ball that bounces more than three times";
  EXPECT_EQ(summary["problems_written"], files);
  EXPECT_THAT(summary["notes"].back(), HasSubstr("contact problems written to results/ball/problems"));
  EXPECT_EQ(freeplay({"solve", last}).exit_code, 0);
  EXPECT_THAT(read_contact_problem(last).title, HasSubstr("A ball on the floor, step "));

  const CommandResult every = freeplay({"run", "ball.yaml", "--json", "--dump-problems=3"});
  EXPECT_EQ(json::parse(every.out)["problems_written"], (files + 2) / 3) << "the first, the fourth, ...";
  const auto folder = std::filesystem::directory_iterator(folder_ / "results/ball/problems");
  EXPECT_EQ(std::distance(begin(folder), end(folder)), (files + 2) / 3) << "those of the earlier run are gone";

  const CommandResult hard = freeplay({"run", "ball.yaml", "--json", "--dump-problems=hard"});
  EXPECT_EQ(json::parse(hard.out)["problems_written"], 0) << "one contact is easy";
}

TEST_F(DumpProblems, ThatHaveNoPlaceInTheFileAreCounted) {
  write("brake.yaml", R"(freeplay: 1
name: A slider with dry friction
space: planar
bodies: {slider: {mass: 1 kg, inertia: 1 kg m^2}}
joints:
  guide: {type: prismatic, parent: ground, child: slider, dry_friction: 2 N, initial: {u: 1 m/s}}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 10 ms}
)");
  const CommandResult result = freeplay({"run", "brake.yaml", "--json", "--dump-problems"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json summary = json::parse(result.out);
  EXPECT_EQ(summary["problems_written"], 0);
  EXPECT_EQ(summary["problems_left_out"], 10);
  EXPECT_THAT(summary["notes"].back(), HasSubstr("dry friction"));
}

TEST_F(DumpProblems, TakesACountOrTheWordHard) {
  write("ball.yaml", kBallOnFloor);
  for (const char* option : {"--dump-problems=0", "--dump-problems=often", "--dump-problems=2x"}) {
    const CommandResult result = freeplay({"run", "ball.yaml", option});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_THAT(result.err, HasSubstr("--dump-problems=hard"));
  }
  EXPECT_FALSE(exists("results"));
}

}  // namespace

}  // namespace freeplay::test
