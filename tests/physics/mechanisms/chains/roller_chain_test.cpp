// A chain on two pulleys: its start, its balances of momentum, and what a user is told. The steady state takes longer
// and is in physics_slow.
#include <gmock/gmock.h>

#include <numbers>

#include "freeplay/core/error.h"
#include "freeplay/model/coded_system.h"
#include "physics/model_run.h"

namespace freeplay::test::roller_chain_test {
namespace {

constexpr int kLinks = 63;
constexpr double kPitch = 0.01, kMass = 0.012, kInertia = kMass * kPitch * kPitch / 12;
constexpr double kPulleyInertia = 2e-3, kRadius = 0.05, kDistance = 0.1598, kStiffness = 2e7, kStep = 5e-6;

std::string link(int i) {
  return fmt::format("link_{}", (i + kLinks) % kLinks + 1);
}

// Of a run that may fail.
RunSummary summary_of(const Overrides& overrides) {
  const ModelFile file = load_example("roller_chain", overrides);
  const Model model = build_model(file);
  MemorySink rows;
  return build_simulation(file, model)->run(rows, {});
}

// 2 a + 2 pi R is 633.76 mm for 63 links of 10 mm: on a strand each is stretched to 1/63 of it, on a pulley to the
// chord of an arc of that length.
TEST(RollerChain, StartsStretchedAlongTheWayAroundThePulleys) {
  const ModelRun run = run_example("roller_chain", {"simulate.duration=5 us"});
  const double spacing = (2 * kDistance + 2 * std::numbers::pi * kRadius) / kLinks;
  EXPECT_EQ(run.system->velocity_count(), 3 * kLinks + 2);
  EXPECT_EQ(run.mechanism().degrees_of_freedom(), 3 * kLinks + 1);
  EXPECT_NEAR(run["slack.tension"][0], kStiffness * (spacing - kPitch), 0.01 * kStiffness * (spacing - kPitch));
  const auto stretch = [&](int pin) {
    return std::hypot(run[fmt::format("pin_{}.eccentricity_x", pin)][0],
                      run[fmt::format("pin_{}.eccentricity_y", pin)][0]);
  };
  EXPECT_NEAR(stretch(3), spacing - kPitch, 1e-14);                                           // on the lower strand
  EXPECT_NEAR(stretch(22), 2 * kRadius * std::sin(spacing / (2 * kRadius)) - kPitch, 1e-14);  // on the driven pulley
  // Every start of a link moves along the way at the speed of the rims, 5 m/s.
  for (int i = 0; i < kLinks; ++i) {
    const double angle = run[link(i) + ".angle"][0], omega = run[link(i) + ".omega"][0];
    const double vx = run[link(i) + ".vx"][0] + omega * kPitch / 2 * std::sin(angle);
    const double vy = run[link(i) + ".vy"][0] - omega * kPitch / 2 * std::cos(angle);
    EXPECT_NEAR(std::hypot(vx, vy), 5, 1e-12) << link(i);
  }
}

// Momentum changes by the forces of the two bearings, angular momentum about the driver's axis by motor, load and the
// other bearing: in every step, since r_E x u_E - r_A x u_A = r_M x (u_E - u_A) where positions advance by the mean of
// the two velocities.
TEST(RollerChain, MomentumIsThatOfTheBearingsInEveryStep) {
  const ModelRun run =
      run_example("roller_chain", {"simulate.duration=2 ms", fmt::format("simulate.force_window={} s", kStep)});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  struct Momentum {
    double x = 0, y = 0, turning = 0;
  };
  const auto momentum = [&](std::size_t row) {
    Momentum sum;
    for (int i = 0; i < kLinks; ++i) {
      const auto of = [&](const char* channel) { return run[link(i) + channel][row]; };
      sum.x += kMass * of(".vx");
      sum.y += kMass * of(".vy");
      sum.turning += kMass * (of(".x") * of(".vy") - of(".y") * of(".vx")) + kInertia * of(".omega");
    }
    sum.turning += kPulleyInertia * (run["driver.omega"][row] + run["driven.omega"][row]);
    return sum;
  };
  Worst x, y, turning;
  Momentum before = momentum(0);
  for (std::size_t row = 1; row < run.rows(); ++row) {
    const Momentum after = momentum(row);
    const double load = -20 * (run.time()[row] - kStep / 2) / 0.1;
    x(after.x - before.x - kStep * (run["driver_bearing.force_x"][row] + run["driven_bearing.force_x"][row]));
    y(after.y - before.y - kStep * (run["driver_bearing.force_y"][row] + run["driven_bearing.force_y"][row]));
    turning(after.turning - before.turning -
            kStep * (run["motor.torque"][row] + load + kDistance * run["driven_bearing.force_y"][row]));
    before = after;
  }
  // Of bearing forces of 2 kN in a step, 1e-2 N s.
  EXPECT_LT(x.value, 1e-12);
  EXPECT_LT(y.value, 1e-12);
  // Friction acts on a link at its pin and on the rim at the rim's nearest point, which are as far apart as the pin is
  // deep. The normal forces of both half turns are 2 pi T together, T < 1200 N.
  const double friction_N = 0.4 * 2 * std::numbers::pi * 1200;
  EXPECT_LT(run.summary.max_penetration_m, 1e-5);
  EXPECT_LT(turning.value, kStep * friction_N * run.summary.max_penetration_m);
}

TEST(RollerChain, EnergyThatNothingExplainsShrinksWithTheStep) {
  const auto drift = [](const char* step) {
    const ModelRun run =
        run_example("roller_chain", {"simulate.duration=2 ms", std::string("simulate.step=") + step}, {"energy.drift"});
    EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
    return run.summary.max_energy_drift_J;
  };
  const double coarse = drift("4 us"), fine = drift("2 us");
  EXPECT_LT(fine, 0.6 * coarse);
  EXPECT_LT(coarse, 1e-4 * 31);  // of 29.4 J of motion and 1.7 J in the pins
}

TEST(RollerChain, AStepThatIsTooLongIsToldOfBeforeItExplodes) {
  const RunSummary summary = summary_of({"simulate.duration=2 ms", "simulate.step=20 us"});
  ASSERT_FALSE(summary.warnings.empty());
  EXPECT_THAT(summary.warnings[0], testing::HasSubstr("at t = 0 s the step of 2e-05 s is too long for the"));
  EXPECT_THAT(summary.warnings[0], testing::HasSubstr("of 'pin_"));
  // Where all links tilt against each other, d = 12 c/m = 2e5/s and omega^2 = 12 k/m = 2e10/s^2 act together:
  // d dt + omega^2 dt^2/2 = 2 at 7.32 us.
  const std::size_t limit = summary.warnings[0].find("beyond ");
  ASSERT_NE(limit, std::string::npos);
  EXPECT_NEAR(std::stod(summary.warnings[0].substr(limit + 7)), 7.32e-6, 0.01 * 7.32e-6);
}

TEST(RollerChain, TheLimitOfTheStepIsWhereTheWarningSaysItIs) {
  const auto status_with = [](const char* step) {
    return summary_of({"simulate.duration=4.2 ms", std::string("simulate.step=") + step}).status;
  };
  EXPECT_EQ(status_with("7 us"), RunStatus::kCompleted);
  EXPECT_EQ(status_with("8 us"), RunStatus::kFailed);
}

// What is unstable would reach 1e170 J before a number overflows. Beside 31 J of the chain the run ends when energy
// without a source has grown ten thousand times, within one step, and names the pin and a step that would do.
TEST(RollerChain, AnUnstableRunEndsEarlyAndSaysWhichStepWouldDo) {
  for (const char* step : {"8 us", "20 us"}) {
    const RunSummary summary = summary_of({"simulate.duration=4.2 ms", std::string("simulate.step=") + step});
    EXPECT_EQ(summary.status, RunStatus::kFailed) << step;
    EXPECT_EQ(summary.failure, StepStatus::kUnstable) << step;
    EXPECT_THAT(summary.message, testing::HasSubstr("the step is too long, and the motion has become unstable"));
    EXPECT_THAT(summary.message, testing::ContainsRegex("of 'pin_[0-9]+' allows steps up to 7\\.[0-9]+e-06 s"));
    EXPECT_THAT(summary.message, testing::HasSubstr("take 1e-06 s"));
    EXPECT_LT(summary.max_energy_drift_J, 1e9) << step;
  }
}

// The same motion by another rule with twice the step, which takes the pins implicitly.
TEST(RollerChain, MoreauJeanMovesItTheSameWay) {
  const std::vector<std::string> channels = {"tight.tension", "slack.tension", "driven.omega"};
  const ModelRun explicit_run = run_example("roller_chain", {"simulate.duration=1 ms"}, channels);
  const ModelRun implicit_run = run_example(
      "roller_chain", {"simulate.duration=1 ms", "simulate.integrator=moreau-jean", "simulate.step=10 us"}, channels);
  const auto last = [](const ModelRun& run, const char* channel) { return run[channel].back(); };
  for (const char* strand : {"tight.tension", "slack.tension"})
    EXPECT_NEAR(last(implicit_run, strand), last(explicit_run, strand), 0.01 * last(explicit_run, strand)) << strand;
  EXPECT_NEAR(last(implicit_run, "driven.omega"), last(explicit_run, "driven.omega"), 0.01);
}

// 252 links reach 1.1 m, and a link is so light and its pins so stiff that the last digit of such a coordinate turns it
// by more than 1e-9 rad/s: forces settle no further, and that is no failure.
TEST(RollerChain, ALongOneIsMovedByMoreauJeanToTheRoundingOfItsPlaces) {
  const Overrides overrides = {"links=252", "centre_distance=1110.44 mm", "simulate.integrator=moreau-jean",
                               "simulate.step=10 us", "simulate.duration=0.4 ms"};
  const RunSummary summary = summary_of(overrides);
  EXPECT_EQ(summary.status, RunStatus::kCompleted) << summary.message;
}

TEST(RollerChain, AChainThatDoesNotCloseIsRefusedWithADistanceThatFits) {
  const auto mistake = [](const Overrides& overrides) {
    try {
      static_cast<void>(build_model(load_example("roller_chain", overrides)));
    } catch (const ModelError& error) {
      return error.diagnostics()[0];
    }
    return Diagnostic{};
  };
  const Diagnostic tight = mistake({"links=60"}), loose = mistake({"links=70"}),
                   near = mistake({"centre_distance=90 mm"});
  for (const Diagnostic& found : {tight, loose, near}) EXPECT_EQ(found.path, "parameters.centre_distance");
  EXPECT_THAT(tight.message, testing::HasSubstr("too short to be closed: 60 links of 10 mm are 600 mm long"));
  EXPECT_THAT(loose.message, testing::HasSubstr("hangs loose"));
  EXPECT_THAT(near.message, testing::HasSubstr("overlap at 90 mm"));
  // (700 mm (1 + 3.759/630) - 314.159 mm)/2
  EXPECT_EQ(loose.hint, "70 links fit a distance of 195.01 mm");
  EXPECT_EQ(near.hint, "63 links fit a distance of 159.8 mm");
  EXPECT_EQ(mistake({"links=70", "centre_distance=195.01 mm"}).message, "");
  EXPECT_EQ(mistake({"links=10"}).hint, "take more links: 63 fit a distance of 159.8 mm");
  EXPECT_EQ(mistake({"links=62.5"}).path, "parameters.links");
}

// A file has no place to write a force law of contacts that are given as code.
TEST(RollerChain, AnIntegratorThatNeedsForceLawsIsRefusedWithACureThatCanBeFollowed) {
  for (const char* integrator : {"dopri5", "cvode-bdf"}) {
    const std::vector<Diagnostic> obstacles =
        run_obstacles(load_example("roller_chain", {std::string("simulate.integrator=") + integrator}));
    ASSERT_EQ(obstacles.size(), 1u);
    EXPECT_EQ(obstacles[0].path, "simulate.integrator");
    EXPECT_THAT(obstacles[0].message, testing::HasSubstr("the contacts of 'roller_chain' have no force laws"));
    EXPECT_EQ(obstacles[0].hint, "use 'integrator: moreau-midpoint' with a step");
  }
}

TEST(RollerChain, ANumberWithoutAUnitIsATorqueInNewtonMetres) {
  const ModelFile bare = load_example("roller_chain", {"torque=12"}),
                  full = load_example("roller_chain", {"torque=12 N m"});
  ModelSpec a = bare, b = full;
  unfold_scene(a);
  unfold_scene(b);
  EXPECT_EQ(a.mechanism.loads.at(0).value[2].text(), b.mechanism.loads.at(0).value[2].text());
  EXPECT_THROW(static_cast<void>(build_model(load_example("roller_chain", {"torque=12 N"}))), ModelError);
}

}  // namespace
}  // namespace freeplay::test::roller_chain_test
