// Wrong runs that once ended in silence: each is completed with a warning that names the reason and the cure.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/command_test.h"

namespace freeplay::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Warnings : public CommandTest {
 protected:
  // The warnings of a run that was completed.
  std::vector<std::string> of(const std::string& model) {
    write("model.yaml", "freeplay: 1\nspace: planar\n" + model);
    const CommandResult result = freeplay({"run", "model.yaml", "--json", "--strict"});
    const json report = json::parse(result.out);
    EXPECT_EQ(report["status"], "completed");
    const std::vector<std::string> warnings = report["warnings"];
    EXPECT_EQ(result.exit_code, warnings.empty() ? 0 : 5);
    EXPECT_EQ(report["exit_code"], result.exit_code);
    return warnings;
  }
};

// The force of the brake changes by its whole size within 5 mm/s: explicit steps of 50 us swing about its zero.
constexpr const char* kBrake =
    "gravity: [0, -9.81 m/s^2]\n"
    "bodies: {ram: {mass: 20 kg, inertia: 1 kg m^2}}\n"
    "joints: {guide: {type: prismatic, parent: ground, child: ram, axis: [0, 1]}}\n"
    "forces: {brake: {type: force, on: ram, value: [0, \"-20 kN*tanh(ram.vy/(5 mm/s))\"]}}\n";

TEST_F(Warnings, EnergyThatAppearsWithoutASource) {
  const std::vector<std::string> warnings =
      of(std::string(kBrake) +
         "simulate: {integrator: moreau-midpoint, velocity_forces: midpoint, step: 50 us, duration: 0.2 s}\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("J have appeared without a source"));
  EXPECT_THAT(warnings[0], HasSubstr("take a smaller step, or 'integrator: moreau-jean'"));
  EXPECT_TRUE(of(std::string(kBrake) + "simulate: {integrator: moreau-jean, step: 50 us, duration: 0.2 s}\n").empty())
      << "the cure";
}

// A pendulum 1 km above the zero of the potential, with steps as long as its period.
TEST_F(Warnings, EnergyDoesNotHideBehindTheZeroOfThePotential) {
  const std::string pendulum =
      "gravity: [0, -9.81 m/s^2]\n"
      "bodies: {a: {mass: 1 kg, inertia: 0.1 kg m^2}}\n"
      "joints: {j: {type: revolute, parent: ground, child: a, at_parent: [0, 1 km], at_child: [-1 m, 0]}}\n";
  const std::vector<std::string> warnings =
      of(pendulum + "simulate: {integrator: moreau-midpoint, step: 1 s, duration: 1000 s}\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("without a source"));
  EXPECT_TRUE(of(pendulum + "simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 10 s}\n").empty());
}

// A driver whose speed jumps at every turn asks for impulses that no ledger knows.
TEST_F(Warnings, EnergyThatDisappears) {
  const std::vector<std::string> warnings =
      of("bodies: {a: {mass: 1 kg, inertia: 0.1 kg m^2}}\n"
         "joints: {j: {type: prismatic, parent: ground, child: a}}\n"
         "drivers: {d: {on: j, motion: \"1 m*abs(sin(5 Hz*t))\"}}\n"
         "simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 2 s}\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("J have disappeared without a source"));
}

TEST_F(Warnings, EnergiesThatAreNoNumbers) {
  const std::vector<std::string> warnings =
      of("bodies: {ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {y: 1 m, vy: -1e155 m/s}}}\n"
         "simulate: {integrator: moreau-midpoint, step: 1 us, duration: 5 us}\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("beyond what a number can hold"));
}

}  // namespace
}  // namespace freeplay::test
