// A ball between two walls that stand closer than it can rebound within a step. Newton's law would have it leave one
// wall at e v, and it would end in the other: no impulses give both (docs/theory/contact.md). It gets the nearest
// velocity that both allow, and the run says so.
#include "physics/model_run.h"

namespace freeplay::test::tight_slot_test {
namespace {

constexpr double kSpeed = 1, kStep = 1e-4, kSlot = 2e-5;  // m/s, s, m between ball and walls, on both sides together

struct Outcome {
  RunSummary summary;
  MemorySink record;
  std::vector<std::string> warnings;
};

Outcome run_in_slot(double restitution_of_right, double step_s, double friction = 0) {
  const ModelFile file = parse_model(fmt::format(R"(freeplay: 1
name: A ball in a slot
space: planar
bodies:
  ball: {{mass: 2 kg, inertia: 1e-4 kg m^2, initial: {{vx: {} m/s}}, shapes: {{skin: {{type: circle, radius: 10 mm}}}}}}
ground:
  shapes:
    left: {{type: line, at: [{} m, 0], normal: [1, 0]}}
    right: {{type: line, at: [{} m, 0], normal: [-1, 0]}}
contacts:
  a: {{between: [ball.skin, ground.left], impact: newton, restitution: 0.8, friction: {}}}
  b: {{between: [ball.skin, ground.right], impact: newton, restitution: {}, friction: {}}}
simulate: {{integrator: moreau-midpoint, activation: anticipated, step: {} s, duration: {} s}}
)",
                                                 kSpeed, -0.01 - kSlot / 2, 0.01 + kSlot / 2, friction,
                                                 restitution_of_right, friction, step_s, 20 * kStep),
                                     "slot.yaml");
  Outcome outcome;
  const Model model = build_model(file);
  Simulation simulation(*model.system, *model.contacts, file.simulate, {});
  RunContext context;
  context.log = [&](LogLevel level, std::string_view text) {
    if (level == LogLevel::kWarning) outcome.warnings.emplace_back(text);
  };
  outcome.summary = simulation.run(outcome.record, context);
  return outcome;
}

// The first step: the right wall is struck at 1 m/s and asks for -0.8 m/s, the left one is kSlot/2 away and allows
// -kSlot/2/kStep = -0.1 m/s. What is moved beyond is 1e-6 of the 0.7 m/s by which the two differ.
TEST(BallInATightSlot, ReboundsAsFastAsTheOtherWallAllowsAndSaysSo) {
  for (const double friction : {0.0, 0.3}) {
    const Outcome outcome = run_in_slot(0.8, kStep, friction);
    ASSERT_EQ(outcome.summary.status, RunStatus::kCompleted) << outcome.summary.message;
    EXPECT_NEAR(outcome.record.channel("ball.vx")[1], -kSlot / 2 / kStep, 2e-6 * 0.7);
    EXPECT_LE(outcome.summary.worst_residual_m_s, 1e-9);
    EXPECT_LE(outcome.summary.max_penetration_m, 1e-12);
    EXPECT_GE(outcome.summary.lowered_restitution_steps, 1);
    ASSERT_EQ(outcome.warnings.size(), 1u);
    EXPECT_NE(outcome.warnings[0].find("contacts would have to rebound into each other"), std::string::npos);
  }
}

TEST(BallInATightSlot, KeepsItsRestitutionWhereTheStepIsShortEnough) {
  const Outcome outcome = run_in_slot(0.8, kStep / 10);  // 8 um to go, with 10 um of room
  ASSERT_EQ(outcome.summary.status, RunStatus::kCompleted) << outcome.summary.message;
  EXPECT_TRUE(outcome.warnings.empty());
  EXPECT_EQ(outcome.summary.lowered_restitution_steps, 0);
  const std::vector<double>& v = outcome.record.channel("ball.vx");
  std::size_t impact = 1;
  while (impact < v.size() && v[impact] == kSpeed) ++impact;
  ASSERT_LT(impact, v.size());
  EXPECT_NEAR(v[impact], -0.8 * kSpeed, 1e-9);
}

}  // namespace
}  // namespace freeplay::test::tight_slot_test
