// Steps of the nonlinear program, one by one: recorded forces are those that changed the motion, friction stays in its
// cone whatever the normal does, the last step is no splinter, and centred parts find the wall on every side.
#include <algorithm>

#include "physics/spatial/spatial_play.h"

namespace freeplay::test::spatial_step_balance_test {
namespace {

constexpr double kGravity = 9.81;

// The channels of the force at a point, in world axes.
std::string force_channel(const ContactPoint& point, int axis) {
  return fmt::format("{}.{}_{}{}", point.contact, point.is_all_of_joint ? "contact_force" : "force", "xyz"[axis],
                     point.suffix);
}

// m dv/dt = forces of the points + load, in every step.
double worst_imbalance(const ModelRun& run, const std::string& body, double mass, const Vec3& load) {
  Worst worst;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    Vec3 force = load;
    for (const ContactPoint& point : run.contacts->points()) {
      for (int k = 0; k < 3; ++k) force[k] += run[force_channel(point, k)][i];
    }
    const Vec3 change = run.vector(body + ".v", i, "") - run.vector(body + ".v", i - 1, "");
    worst((mass * change / (run.time()[i] - run.time()[i - 1]) - force).norm());
  }
  return worst.value;
}

// Returns how much of the cone was used at most: 1 where something slides.
double expect_friction_in_cone(const ModelRun& run, const std::string& joint, double mu) {
  double used = 0;
  for (const ContactPoint& point : run.contacts->points()) {
    for (std::size_t i = 1; i < run.rows(); ++i) {
      const double normal = run[joint + ".normal_force" + point.suffix][i];
      const double tangential = run[joint + ".tangential_force" + point.suffix][i];
      EXPECT_LE(std::abs(tangential), mu * normal + 1e-5) << point.suffix << " in row " << i;
      if (mu * normal > 1) used = std::max(used, std::abs(tangential) / (mu * normal));
      // Across the normal: otherwise the sizes would not add up like this.
      const Vec3 force(run[force_channel(point, 0)][i], run[force_channel(point, 1)][i],
                       run[force_channel(point, 2)][i]);
      EXPECT_NEAR(force.norm(), std::hypot(normal, tangential), 1e-9 * (1 + normal)) << point.suffix << " in row " << i;
      if (testing::Test::HasFailure()) return used;  // one row is enough
    }
  }
  return used;
}

// The arm out of the plane of symmetry lets the block swing across its rod: normals turn, corrections fail, disc steps
// take over.
TEST(StepBalance, OfABlockThatSwingsOnItsRod) {
  const Vec3 load(0, -3.2 * kGravity, 50);
  const Overrides skew = {"arm_angle=20 deg"};
  struct Case {
    double mu;
    Overrides more;
  };
  const Case cases[] = {{0, {}},
                        {0, {"h_max=1e-3 s"}},
                        {0.3, {}},
                        {0.15, {"simulate.constraint=disc"}},
                        {0.34, {"simulate.constraint=disc", "h_max=2e-3 s"}}};
  for (const Case& one : cases) {
    const Overrides overrides = joined(joined(skew, {fmt::format("friction={}", one.mu)}), one.more);
    SCOPED_TRACE(fmt::format("{}", fmt::join(overrides, " ")));
    const ModelRun run = run_example("cylindrical_clearance", overrides);
    ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
    EXPECT_LT(worst_imbalance(run, "slider", 3.2, load), 1e-8);
    const auto tells = [](const std::string& text) { return text.find("are taken as disc steps") != text.npos; };
    const bool asks_for_them = std::ranges::count(one.more, "simulate.constraint=disc") > 0;
    EXPECT_NE(std::ranges::any_of(run.summary.warnings, tells), asks_for_them);
    const double used = expect_friction_in_cone(run, "sleeve", one.mu);
    EXPECT_NEAR(used, one.mu > 0 ? 1 : 0, 1e-3);  // it slides
  }
}

ModelRun run_ball(double mu) {
  return run_model(parse_model(fmt::format(R"(freeplay: 1
space: spatial
gravity: [0, 0, -9.81 m/s^2]
bodies:
  ball: {{mass: 1 kg, inertia: [1e-3 kg m^2, 1e-3 kg m^2, 1e-3 kg m^2], initial: {{x: 0.9 mm, vx: 0.4 m/s, vy: 0.4 m/s}}}}
joints:
  socket: {{type: spherical, model: clearance, parent: ground, child: ball, clearance: 1 mm, journal_radius: 5 mm,
           contact: {{impact: newton, restitution: 0, friction: {}}}}}
simulate: {{integrator: nlp-variable-step, constraint: disc, step_choice: fixed, max_step: 2 ms, duration: 20 ms}}
)",
                                           mu),
                               "ball.yaml", {}));
}

// A disc step takes its normals from the end of the step: forces and losses that are recorded must be those, too. The
// ball runs a good part of the way around its socket in one step.
TEST(StepBalance, OfABallInItsSocket) {
  for (const double mu : {0.0, 0.3, 0.8}) {
    const ModelRun run = run_ball(mu);
    ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
    EXPECT_LT(worst_imbalance(run, "ball", 1, {0, 0, -kGravity}), 1e-6) << mu;
    if (mu > 0) expect_friction_in_cone(run, "socket", mu);
    EXPECT_GT(run.summary.account.impact_loss, 0.05) << mu;
    EXPECT_LT(largest(run["energy.drift"]), 1e-12) << mu;
  }
}

// The last row lies within a step: its position keeps the gaps all the same, and its energy is that of the rows before.
TEST(LastStep, OfCorrectedStepsKeepsGapsClosed) {
  const ModelRun run = run_example("revolute_clearance");
  EXPECT_EQ(run.time().back(), 10);
  EXPECT_LT(run.summary.max_penetration_m, 1e-10 * 0.1);
  const std::size_t last = run.rows() - 1;
  EXPECT_LT(run["step.size"][last], 2e-3);  // otherwise there is nothing to see
  EXPECT_NEAR(run["energy.drift"][last], run["energy.drift"][last - 1], 2e-3);
}

// A plain step that is cut throws the velocities about (spec 3.5). At the end of the run a whole one is interpolated.
TEST(LastStep, OfPlainStepsIsNotCut) {
  const ModelRun run =
      run_example("revolute_clearance", joined(step_rule("plain", "land", 1e-4, 2e-3), {"duration=3.5 s"}));
  const std::size_t last = run.rows() - 1;
  EXPECT_EQ(run.time().back(), 3.5);
  EXPECT_LT(run["step.size"][last], 2e-3);  // otherwise there is nothing to see
  const auto rate = [&](std::size_t i) {
    return (run["pendulum.vy"][i] - run["pendulum.vy"][i - 1]) / (run.time()[i] - run.time()[i - 1]);
  };
  EXPECT_NEAR(rate(last), rate(last - 1), 0.1 * std::abs(rate(last - 1)));
}

// From rest in the middle of its play a part has no normal until it moves: it must find the wall on every side.
TEST(CentredParts, FindTheWallInEveryDirection) {
  for (const double angle : {0.0, 0.7, 1.5, 2.5, 3.1, 4.0, 5.5}) {
    const Overrides gravity = {
        fmt::format("gravity=[{} m/s^2, {} m/s^2, 0]", kGravity * std::cos(angle), kGravity * std::sin(angle))};
    const ModelRun sleeve = run_example(
        "cylindrical_clearance",
        joined(gravity,
               {"forces.pull.value=[0, 0, 0]",
                "simulate={integrator: moreau-midpoint, step: 10 ms, activation: anticipated, duration: 0.1 s}"}));
    EXPECT_LT(sleeve.summary.max_penetration_m, 1e-12) << angle;
    EXPECT_NEAR(sleeve["sleeve.gap_1"].back(), 0, 1e-12) << angle;
    const ModelRun pin = run_model(parse_model(fmt::format(R"(freeplay: 1
space: planar
gravity: [{} m/s^2, {} m/s^2]
bodies: {{journal: {{mass: 1 kg, inertia: 1e-3 kg m^2}}}}
joints:
  pin: {{type: revolute, model: clearance, parent: ground, child: journal, clearance: 0.1 mm, contact: {{impact: newton, restitution: 0}}}}
simulate: {{integrator: moreau-midpoint, step: 10 ms, activation: anticipated, duration: 0.1 s}}
)",
                                                           kGravity * std::cos(angle), kGravity * std::sin(angle)),
                                               "pin.yaml", {}));
    EXPECT_LT(pin.summary.max_penetration_m, 1e-15) << angle;
    EXPECT_NEAR(pin["pin.gap"].back(), 0, 1e-15) << angle;
    EXPECT_NEAR(pin["pin.normal_force"].back(), kGravity, 1e-9) << angle;
  }
}

}  // namespace
}  // namespace freeplay::test::spatial_step_balance_test
