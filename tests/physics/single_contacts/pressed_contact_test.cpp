// Impacts of a ball that a force presses on the floor, under force laws: what belongs to the impact, and what to the
// contact that lasts.
#include "freeplay/io/model/model_file.h"
#include "physics/model_run.h"

namespace freeplay::test::pressed_contact_test {
namespace {

constexpr double kMass_kg = 1, kPush_N = 5, kSpeed_m_s = 1;

// It strikes at once, is pressed on the floor until t = 0.4 s, and is drawn away then.
ModelRun pressed_ball(const std::string& law) {
  const std::string text = R"yaml(freeplay: 1
space: planar
bodies: {ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {y: 100.01 mm, vy: -1 m/s}, shapes: {skin: {type: circle, radius: 100 mm}}}}
ground: {shapes: {plate: {type: line, normal: [0, 1]}}}
forces: {push: {type: force, on: ball, value: [0, "-5 N + 10 N*max(0, min(1, (t - 400 ms)/(1 ms)))"]}}
simulate: {integrator: dopri5, tolerance: 1e-8, step: 0.1 ms, duration: 0.6 s}
)yaml";
  return run_model(
      parse_model(text + "contacts: {c: {between: [ball.skin, ground.plate], restitution: 0.3, force: " + law + "}}\n",
                  "pressed.yaml"));
}

// Each impact gives the ball its momentum there and back, and what the push adds while it lasts, pi sqrt(m/k) at most:
// a quarter of a millisecond. The contact that remains lasts for 0.2 s, and ends without being one.
TEST(PressedContact, DoesNotCountAsPartOfTheImpact) {
  const ModelRun run = pressed_ball("{law: exact-restitution, exponent: 1, stiffness: 2e8 N/m}");
  ASSERT_GE(run.record.impacts.size(), 3u);
  EXPECT_GT(run["c.gap"].back(), 0) << "it has left in the end";
  double speed = kSpeed_m_s;
  for (std::size_t i = 0; i < 3; ++i) {
    const ImpactRecord& impact = run.record.impacts[i];
    EXPECT_NEAR(-impact.normal_velocity_before, speed, 0.05 * speed);
    speed *= 0.3;
    EXPECT_NEAR(impact.normal_velocity_after, speed, 0.1 * speed);
  }
  for (const ImpactRecord& impact : run.record.impacts) {
    const double momentum = kMass_kg * 1.3 * -impact.normal_velocity_before;
    EXPECT_LT(impact.normal_impulse, 1.05 * momentum + kPush_N * 0.5e-3) << impact.time_s;
    EXPECT_LT(impact.time_s, 0.25) << "the end of the contact that lasts is no impact";
  }
}

// So much damping that the ball never comes back: the floor takes its momentum, and the push goes on for 0.4 s, 2 N s.
TEST(PressedContact, WithoutReboundTheImpactEndsWithTheCompression) {
  const ModelRun run = pressed_ball("{law: kelvin-voigt, stiffness: 1e6 N/m, damping: 1e5 N s/m}");
  EXPECT_GT(run["c.gap"].back(), 0) << "it has left in the end";
  ASSERT_EQ(run.record.impacts.size(), 1u);
  const ImpactRecord& impact = run.record.impacts[0];
  EXPECT_NEAR(impact.normal_velocity_before, -kSpeed_m_s, 1e-2);
  EXPECT_NEAR(impact.normal_velocity_after, 0, 0.0101 * kSpeed_m_s);
  EXPECT_NEAR(impact.normal_impulse, kMass_kg * kSpeed_m_s, 0.02);
}

}  // namespace
}  // namespace freeplay::test::pressed_contact_test
