// The cam-follower at the step of the paper, against an independent implementation of the scheme, step by step.
#include "physics/mechanisms/cam_follower.h"
#include "support/places.h"

#include <fstream>
#include <sstream>

namespace freeplay::test::cam_follower_test {
namespace {

using namespace cam;

TEST(CamFollower, EveryListedStepIsThatOfAnIndependentImplementation) {
  const ModelRun run = run_example("cam_follower");
  std::ifstream file(test_dir() + "/reference/planar/cam_follower.csv");
  std::string line;
  std::getline(file, line);
  ASSERT_TRUE(line.starts_with("step,t,y,v,gap,P,")) << line;
  int compared = 0;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<double> values;
    for (std::string cell; std::getline(cells, cell, ',');) values.push_back(std::stod(cell));
    const std::size_t step = static_cast<std::size_t>(values[0]);
    EXPECT_NEAR(run["follower.y"][step], values[2], 1e-10) << "step " << step;
    EXPECT_NEAR(run["follower.vy"][step], values[3], 1e-8) << "step " << step;
    EXPECT_NEAR(run["contact.gap"][step], values[4], 1e-7) << "step " << step;  // six digits in the file
    EXPECT_NEAR(run["contact.normal_impulse"][step], values[5], 1e-5) << "step " << step;
    ++compared;
  }
  EXPECT_EQ(compared, 301);
}

TEST(CamFollower, NamedStepsHaveTheirTwelveDigits) {
  const ModelRun run = run_example("cam_follower");
  EXPECT_NEAR(run["follower.y"][28], .003327000294779, 1e-14);
  EXPECT_NEAR(run["follower.vy"][28], -8.186081356806, 1e-11);
  EXPECT_NEAR(run["follower.y"][29], .003082927118393, 1e-14);
  EXPECT_NEAR(run["follower.vy"][29], 3.304617829097, 1e-11);
  EXPECT_NEAR(run["follower.y"][100], .004019126715032, 1e-14);
  EXPECT_NEAR(run["follower.vy"][100], -.8543874665719, 1e-11);
  EXPECT_NEAR(run["follower.y"][1000], .01999921306627, 1e-13);
  EXPECT_NEAR(run.record.impacts.at(0).time_s, 2.850e-3, 1e-12);
  EXPECT_NEAR(mean_force(run, 24e-3, 26e-3), 2766.7, 0.05);
  EXPECT_NEAR(run.summary.max_penetration_m, 3.6e-4, 0.05e-4);
}

// The drop of the lift opens the gap by the stroke and does nothing else.
TEST(CamFollower, TheDropProducesNoImpulse) {
  const ModelRun run = run_example("cam_follower");
  for (int lobe = 1; lobe < 6; ++lobe) {
    const std::size_t after = static_cast<std::size_t>(std::ceil(lobe * kLobeTime / 1e-4 + 0.5));
    EXPECT_GT(run["contact.gap"][after], 0.9 * kStroke);
    EXPECT_EQ(run["contact.normal_impulse"][after], 0);
  }
}

// What the moving surface puts in is booked: no step with contact leaves a difference. Without contact the follower is
// an oscillator, whose energy the midpoint rule keeps up to second order in the step.
TEST(CamFollower, TheCamsWorkIsInTheLedger) {
  const ModelRun run = run_example("cam_follower");
  EXPECT_GT(run["energy.input"].back(), 280);
  EXPECT_NEAR(run["energy.drift"].back(), 0, 1e-11);
  EXPECT_LT(run.summary.max_energy_drift_J, 0.03);  // of 35 J: omega_0 dt = 0.05
  const ModelRun fine = run_example("cam_follower", {"step=10us", "duration=50ms"});
  EXPECT_LT(fine.summary.max_energy_drift_J, 0.03 / 90);
}

// ---- the same cam as a body that a motor turns ----

std::string driven_cam(const std::string& friction) {
  return R"(freeplay: 1
name: The cam as a body
space: planar
parameters: {beta: 2*pi/6, stroke: 17 mm, friction: )" +
         friction + R"(}
gravity: [0, -9.81 m/s^2]
bodies:
  cam:
    mass: 2 kg
    inertia: 3e-4 kg m^2
    shapes: {profile: {type: cam, base_radius: 3 mm, period: beta,
                       lift: stroke*(phi/beta - sin(2*pi*phi/beta)/(2*pi))}}
  follower: {mass: 1 kg, inertia: 1e-4 kg m^2, initial: {y: 17 mm}, shapes: {tip: {type: point}}}
joints:
  shaft: {type: revolute, parent: ground, child: cam}
  guide: {type: prismatic, parent: ground, axis: [0, 1], child: follower}
drivers:
  motor: {on: shaft, motion: 20.94 rad/s * t}
forces:
  spring: {type: spring, parent: ground, child: follower, stiffness: 240 N/mm, free_length: 0 m}
contacts:
  contact: {between: [follower.tip, cam.profile], impact: newton, restitution: 0.4, friction: friction}
simulate: {integrator: moreau-midpoint, lasting_contacts: paper, step: 0.1 ms, duration: 0.3 s}
)";
}

TEST(CamFollower, ADrivenBodyAndAPrescribedTurnAreTheSame) {
  for (const std::string friction : {"0", "0.1"}) {
    const ModelRun body = run_model(parse_model(driven_cam(friction), "driven.yaml"));
    const ModelRun turn = run_example(friction == "0" ? "cam_follower" : "cam_follower_friction");
    EXPECT_LT(largest_difference(body["follower.y"], turn["follower.y"]), 1e-12);
    EXPECT_LT(largest_difference(body["follower.vy"], turn["follower.vy"]), 1e-10);
    EXPECT_LT(largest_difference(body["contact.normal_impulse"], turn["contact.normal_impulse"]), 1e-10);
    EXPECT_LT(largest_difference(body["contact.tangential_impulse"], turn["contact.tangential_impulse"]), 1e-10);
    EXPECT_LT(largest_difference(body["energy.impact_loss"], turn["energy.impact_loss"]), 1e-8);
    EXPECT_LT(largest_difference(body["energy.friction_loss"], turn["energy.friction_loss"]), 1e-8);
    EXPECT_LT(largest_difference(body["energy.input"], turn["energy.input"]), 1e-8);
  }
}

// ---- against the event-driven solution ----

TEST(CamFollower, ImpactsTendToTheEventDrivenOnes) {
  const double dt = 1e-5;
  const ModelRun run = run_example("cam_follower", {"step=10us", "duration=0.1s"});
  const std::vector<Impact> impacts = impacts_faster_than(0.02, run);
  ASSERT_GE(impacts.size(), 7u);
  EXPECT_NEAR(impacts[0].time_s, 2.845e-3, 1e-12);
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(impacts[k].time_s, kImpacts[k].time_s, 4 * dt) << k;
  // A step changes the velocity by up to K_s y dt/m = 0.01 m/s, which is much for the last of them.
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(impacts[k].speed_m_s, kImpacts[k].speed_m_s, 0.035) << k;
  EXPECT_NEAR(start_of_sustained_contact(run), kZenoTime_s, kEarlySteps * dt);
  EXPECT_NEAR(mean_force(run, 24e-3, 26e-3), kForceAt25ms_N, 0.5);
  EXPECT_NEAR(run.summary.max_penetration_m, 4.4e-5, 0.1e-5);
}

// ---- friction ----

// On the cam the tip slides towards +x with respect to the surface, so that along n = (-p'/y, 1) and t = (1, p'/y)
//   m y'' = -m g - K_s y + lambda_N - mu lambda_N p'/y:     lambda_N = (m y'' + m g + K_s y)/(1 - mu p'/y)
TEST(CamFollowerFriction, TheForceOnTheRiseIsThatOfCoulomb) {
  const double mu = 0.1;
  const ModelRun run = run_example("cam_follower_friction", {"step=10us", "duration=49ms"});
  for (const double t : {20e-3, 25e-3, 30e-3, 35e-3}) {
    const Lift p = lift(kSpeed * t);
    const double y = kBase + p.value;
    const double force =
        (kMass * p.bend * kSpeed * kSpeed + kMass * kGravity + kStiffness * y) / (1 - mu * p.slope / y);
    EXPECT_NEAR(mean_force(run, t - 0.5e-3, t + 0.5e-3), force, 2e-3 * force) << t;
  }
  for (std::size_t i = 0; i < run.rows(); ++i)
    EXPECT_LE(std::abs(run["contact.tangential_impulse"][i]), mu * run["contact.normal_impulse"][i] + 1e-15);
  EXPECT_LT(run.summary.max_energy_drift_J, 0.03 / 90);
}

}  // namespace
}  // namespace freeplay::test::cam_follower_test
