// Numbers and models at the edge of what can be computed end with a message and the documented exit code.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/command_test.h"
#include "support/places.h"

namespace freeplay::test {

namespace {

using nlohmann::json;
using testing::HasSubstr;

class LimitsOfNumbers : public CommandTest {
 protected:
  static std::string example(const std::string& name) { return examples_dir() + "/" + name; }
  static std::string bad_file(const std::string& name) { return test_dir() + "/reference/bad/" + name; }
};

TEST_F(LimitsOfNumbers, ARunWhoseVelocitiesGrowBeyondAllBoundsFailsInsteadOfCrashing) {
  const CommandResult result =
      freeplay({"run", example("cam_roller.yaml"), "--set", "simulate.step=50ms", "--set", "simulate.duration=10s",
                "--set", "simulate.lasting_contacts=paper", "--out", "r", "--json"});
  EXPECT_EQ(result.exit_code, 4) << result.err << " signal " << result.signal;
  EXPECT_THAT(result.err, HasSubstr("the motion has become unstable (the stiffness of 'spring' allows steps up to"));
  EXPECT_THAT(result.err, HasSubstr("take the step that is named"));
  EXPECT_EQ(json::parse(result.out)["status"], "failed");
  EXPECT_EQ(freeplay({"info", "r"}).exit_code, 0) << "the rows up to there can be read";
}

TEST_F(LimitsOfNumbers, AnInitialVelocityWhoseDistancesOverflowFailsTheFirstStep) {
  write("fast.yaml", kBallOnFloor);
  const CommandResult result = freeplay({"run", "fast.yaml", "--set", "bodies.ball.initial.vx=1e300 m/s"});
  EXPECT_EQ(result.exit_code, 4) << result.err;
  EXPECT_THAT(result.err, HasSubstr("at t = 0 s: a value is not finite"));
}

TEST_F(LimitsOfNumbers, AContactProblemWithASubnormalDiagonalIsRefusedWithTheCure) {
  const CommandResult result = freeplay({"solve", bad_file("solve_denormal_W.hdf5")});
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_THAT(result.err, HasSubstr("too small for double precision"));
  EXPECT_THAT(result.err, HasSubstr("units of mass"));
}

}  // namespace

}  // namespace freeplay::test
