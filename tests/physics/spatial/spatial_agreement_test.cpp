// One file, three formulations: the nonlinear program, Moreau's midpoint rule without restitution, and a stiff force
// law. They differ in the transient; what they agree on are first contacts, mean forces after it, and the tilt.
#include "physics/spatial/spatial_play.h"

namespace freeplay::test::spatial_agreement_test {
namespace {

struct Formulation {
  std::string name;
  double step_s;  // that first contacts are resolved to
  Overrides overrides;
  bool is_smooth = false;
};

// With force laws parts bounce, but not for long.
std::vector<Formulation> formulations(const std::string& joint, const std::string& stiffness, double duration_s,
                                      double step_s) {
  const std::string contact =
      "joints." + joint + ".contact={impact: newton, restitution: 0.3, force: {law: flores, stiffness: " + stiffness +
      "}}";
  const auto smooth = [&](const char* integrator, double resolution_s) {
    return Formulation{
        integrator,
        resolution_s,
        {contact, fmt::format("simulate={{integrator: {}, tolerance: 1e-9, duration: {} s}}", integrator, duration_s)},
        true};
  };
  return {
      {"nlp-variable-step", 1e-3, joined(fixed_step("corrected", 1e-3), {fmt::format("duration={} s", duration_s)})},
      {"moreau-midpoint",
       step_s,
       {fmt::format("simulate={{integrator: moreau-midpoint, step: {} s, duration: {} s}}", step_s, duration_s)}},
      smooth("dopri5", 1e-8),
      smooth("cvode-bdf", 1e-6)};
}

// Time stepping: the middle of the first step with a force. Smooth integrators have a row where a contact begins.
double first_contact(const ModelRun& run, const Formulation& formulation, const std::string& channel) {
  for (std::size_t i = 1; i < run.rows(); ++i) {
    if (!(run[channel][i] > 0)) continue;
    return formulation.is_smooth ? run.time()[i] : (run.time()[i - 1] + run.time()[i]) / 2;
  }
  return -1;
}

// Moreau's rule ends a closing motion half a step too late, and stays where it is then. Steps as short as that keep
// what it penetrates below one part in a hundred of the play.
TEST(SpatialFormulations, AgreeOnTheBlockOnItsRod) {
  for (const Formulation& one : formulations("sleeve", "1e12 N/m^1.5", 0.3, 2e-5)) {
    const ModelRun run = run_example("cylindrical_clearance", one.overrides);
    EXPECT_NEAR(first_contact(run, one, "sleeve.normal_force_2"), 4.1292369e-3, one.step_s) << one.name;
    EXPECT_NEAR(mean_after(run, "sleeve.force_y_1", 0.1), -59.304, 0.01 * 59.304) << one.name;
    EXPECT_NEAR(mean_after(run, "sleeve.force_y_2", 0.1), 90.696, 0.01 * 90.696) << one.name;
    EXPECT_NEAR(2 * std::asin(mean_after(run, "slider.e1", 0.1)), 0.0100001667, 0.01 * 0.01) << one.name;
    EXPECT_NEAR(run["slider.vz"].back(), 15.625 * 0.3, 1e-9) << one.name;
  }
}

TEST(SpatialFormulations, AgreeOnThePrismInItsChannel) {
  for (const Formulation& one : formulations("sleeve", "1e12 N/m^1.5", 0.3, 2e-5)) {
    const ModelRun run = run_example("prismatic_clearance", one.overrides);
    EXPECT_NEAR(first_contact(run, one, "sleeve.normal_force_4"), 4.2203213e-3, one.step_s) << one.name;
    for (const char* on_bottom : {"4", "6"})
      EXPECT_NEAR(mean_after(run, std::string("sleeve.normal_force_") + on_bottom, 0.1), 37.90747505, 0.01 * 37.9)
          << one.name;
    for (const char* on_sides : {"9", "11"})
      EXPECT_NEAR(mean_after(run, std::string("sleeve.normal_force_") + on_sides, 0.1), 44.42295010, 0.01 * 44.4)
          << one.name;
    EXPECT_NEAR(2 * std::asin(mean_after(run, "slider.e1", 0.1)), 0.0151560248, 0.01 * 0.01516) << one.name;
    EXPECT_NEAR(run["slider.vz"].back(), 12.5 * 0.3, 1e-9) << one.name;
  }
}

// This one moves on; its mean force is that of the same part of the swing.
TEST(SpatialFormulations, AgreeOnThePendulumOnItsPin) {
  Vec3 expected = Vec3::Zero();
  for (const Formulation& one : formulations("pin", "1e9 N/m^1.5", 4, 2e-4)) {
    const ModelRun run = run_example("revolute_clearance", one.overrides);
    EXPECT_NEAR(first_contact(run, one, "pin.normal_force_1"), 0.14278431, one.step_s) << one.name;
    Vec3 resultant = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      for (const char* point : {"1", "2", "3", "4"})
        resultant[k] += mean_after(run, fmt::format("pin.force_{}_{}", "xyz"[k], point), 1);
    }
    if (one.name == "nlp-variable-step") expected = resultant;
    EXPECT_LT((resultant - expected).norm(), 0.01 * expected.norm()) << one.name;
    // What it weighs, and what its momentum has gained since.
    const std::size_t start = row_at(run.time(), 1), last = run.rows() - 1;
    const Vec3 gained = 2 * (run.vector("pendulum.v", last, "") - run.vector("pendulum.v", start, "")) / 3;
    EXPECT_LT((resultant - gained - Vec3(0, 2 * 9.81, 0)).norm(), 0.01 * expected.norm()) << one.name;
  }
  EXPECT_GT(expected.norm(), 30);
}

}  // namespace
}  // namespace freeplay::test::spatial_agreement_test
