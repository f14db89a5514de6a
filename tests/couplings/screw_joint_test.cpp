// A screw and its nut on one cylindrical joint, whatever the model of the joint and of the thread is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <vector>

#include "physics/model_run.h"

namespace freeplay::test::screw_joint_test {
namespace {

constexpr double kMass = 10, kInertia = 0.02, kLead = 0.05, kForce = 1000;
constexpr double kPerWay = 2 * std::numbers::pi / kLead;
// Along the rod the nut has the mass m + J (2 pi/p)^2.
constexpr double kAcceleration = kForce / (kMass + kInertia * kPerWay * kPerWay);

// A nut without friction on a rod along z, pushed along it for half a second.
ModelRun run_nut(const std::string& joint, const std::string& thread,
                 const std::string& simulate = "integrator: moreau-midpoint, step: 0.1 ms") {
  return run_model(parse_model(
      fmt::format(
          "freeplay: 1\nspace: spatial\n"
          "bodies: {{nut: {{mass: 10 kg, inertia: [0.1 kg m^2, 0.1 kg m^2, 0.02 kg m^2]}}}}\n"
          "joints:\n  rod: {{type: cylindrical, parent: ground, child: nut, length: 100 mm, clearance: 0.05 mm,\n"
          "    journal_radius: 10 mm, contact: {{impact: newton, restitution: 0}}, bushing: {{stiffness: 1e6 N/m,\n"
          "    damping: 100 N s/m, torsional_stiffness: 1e4 N m, torsional_damping: 1 N m s}}, {}}}\n"
          "couplings: {{thread: {{type: screw, turn: rod, lead: 50 mm, {}}}}}\n"
          "forces: {{push: {{type: force, on: nut, value: [0, 0, 1 kN]}}}}\n"
          "simulate: {{{}, duration: 0.5 s}}\n",
          joint, thread, simulate),
      "nut.yaml"));
}

const std::vector<std::string> kJoints = {"model: ideal", "as: constraint", "model: clearance", "model: bushing"};

// It turns by 48 rad: turns are counted.
TEST(ScrewJoint, AnIdealThreadMovesByItsReducedMass) {
  for (const std::string& joint : kJoints) {
    const ModelRun run = run_nut(joint, "model: ideal");
    EXPECT_NEAR(run["nut.z"].back(), kAcceleration * 0.125, 1e-8) << joint;
    EXPECT_NEAR(run["nut.vz"].back(), kAcceleration * 0.5, 1e-8) << joint;
    EXPECT_NEAR(run["nut.omega_z"].back(), kPerWay * kAcceleration * 0.5, 1e-6) << joint;
    EXPECT_NEAR(run["thread.force"].back(), kForce - kMass * kAcceleration, 1e-6) << joint;
    EXPECT_LT(largest(run["thread.position"]), 1e-12) << joint;
  }
}

// The flank is met after half of the play, and plastic impacts let it go no more.
TEST(ScrewJoint, AThreadWithPlayLiesOnItsFlank) {
  for (const std::string& joint : kJoints) {
    const ModelRun run = run_nut(joint, "model: backlash, backlash: 10 um, contact: {impact: newton, restitution: 0}",
                                 "integrator: event-driven, step: 1 ms");
    EXPECT_NEAR(run["thread.position"].back(), -5e-6, 1e-10) << joint;
    EXPECT_NEAR(run["nut.vz"].back(), kAcceleration * 0.5, 2e-3) << joint;
  }
}

TEST(ScrewJoint, AnElasticThreadGivesWayByItsForce) {
  for (const std::string& joint : kJoints) {
    const ModelRun run = run_nut(joint, "model: compliant, stiffness: 1e7 N/m, damping: 10 kN s/m");
    EXPECT_NEAR(run["thread.position"].back(), -(kForce - kMass * kAcceleration) / 1e7, 1e-8) << joint;
    EXPECT_NEAR(run["nut.vz"].back(), kAcceleration * 0.5, 1e-3) << joint;
  }
}

}  // namespace
}  // namespace freeplay::test::screw_joint_test
