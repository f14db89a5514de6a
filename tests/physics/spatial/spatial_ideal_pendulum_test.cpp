// The planar pendulum of Chaturvedi, Sandu, Sandu (2024), section 5.4, on an ideal pin and on one with play: how far
// steps of first order drift, and that they do not drift further and further.
#include "physics/spatial/spatial_play.h"

namespace freeplay::test::spatial_ideal_pendulum_test {
namespace {

constexpr double kMass = 2, kGravity = 9.81, kLever = 30.9, kLargestRate = 0.7374902;  // rad/s, at the bottom
constexpr const char* kExample = "ideal_pendulum_spatial";
const std::vector<std::string> kMotion = {
    "pendulum.x",  "pendulum.y",  "pendulum.z",  "pendulum.vy",  "pendulum.e0", "pendulum.e1",           "pendulum.e2",
    "pendulum.e3", "pin.force_x", "pin.force_y", "energy.total", "step.size",   "step.equation_residual"};

// The bob centred on the arm's plane: a planar pendulum.
const Overrides kWithPlay = {
    "bodies.pendulum.inertia=[175.2671559633 kg m^2, 494.9804892966 kg m^2, 319.7133333333 kg m^2]",
    "bodies.pendulum.initial={x: 30.9 m}", "joints.pin.at_child=[-30.9 m, 0, 0]"};

std::vector<double> pivot_errors(const ModelRun& run) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < run.rows(); ++i)
    errors.push_back((run.vector("pendulum", i, ".") - run.rotation("pendulum", i) * Vec3(kLever, 0, 0)).norm());
  return errors;
}

TEST(IdealPendulumInSpace, PlainStepsAreThoseOfTheReference) {
  const CsvTable reference = read_csv("spatial/ideal_pendulum_fixed_1e-3.csv");
  const Overrides overrides = joined(fixed_step("plain", 1e-3), {"duration=0.196 s"});
  const ModelRun run = run_example(kExample, overrides);
  const std::vector<State> states = states_of_steps(load_example(kExample, overrides));
  ASSERT_EQ(states.size(), run.rows());
  const char* coordinates[] = {"x", "y", "z", "p0", "p1", "p2", "p3"};
  for (std::size_t i = 0; i < reference.at("t").size(); ++i) {
    const std::size_t row = row_at(run.time(), reference.at("t")[i]);
    for (int k = 0; k < 7; ++k) {
      const std::vector<double>& column = reference.at(coordinates[k]);
      EXPECT_NEAR(states[row].q[k], column[i], 1e-9 * largest(column) + 1e-30) << coordinates[k];
    }
    // Their lambda acts the other way round.
    EXPECT_NEAR(run["pin.force_x"][row], -reference.at("lx")[i], 1e-7 * 2.8);
    EXPECT_NEAR(run["pin.force_y"][row], -reference.at("ly")[i], 1e-7 * 2.8);
  }
  EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9);
}

struct Drift {
  double h, position, position_at_middle;
};
class PlainPendulum : public testing::TestWithParam<Drift> {};

TEST_P(PlainPendulum, DriftsAsFarAsOneStepAndNoFurther) {
  const auto [h, position, position_at_middle] = GetParam();
  const ModelFile file = load_example(kExample, fixed_step("plain", h));
  const ModelRun run = run_model(file, {kMotion, 1});
  const std::vector<double> pivot = pivot_errors(run);
  const double expected = kLever * std::pow(h * kLargestRate, 2) / 2;
  EXPECT_NEAR(largest(pivot), expected, 0.01 * expected);
  // It passes the bottom at 3.6 s and is on its way back there at 10 s: no growth from one swing to the next.
  EXPECT_LE(largest({pivot.begin() + static_cast<std::ptrdiff_t>(pivot.size() / 2), pivot.end()}), 1.001 * expected);

  double stretch = 0;
  for (const State& state : states_of_steps(file)) stretch = std::max(stretch, state.q.tail<4>().squaredNorm() - 1);
  const double stretched = std::pow(h * kLargestRate, 2) / 4;
  EXPECT_NEAR(stretch, stretched, 0.01 * stretched);

  Worst off_plane, at_end, at_middle;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const Vec3 axis = run.rotation("pendulum", i) * Vec3::UnitZ();
    off_plane(axis.x());
    off_plane(axis.y());
    off_plane(run["pendulum.z"][i]);
  }
  EXPECT_LT(off_plane.value, 1e-14);

  const CsvTable truth = read_csv("spatial/ideal_pendulum.csv");
  for (std::size_t i = 1; i < truth.at("t").size(); ++i) {
    const double t = truth.at("t")[i];
    const auto distance = [&](double at) {
      return std::hypot(value_at(run.time(), run["pendulum.x"], at) - truth.at("x_ideal")[i],
                        value_at(run.time(), run["pendulum.y"], at) - truth.at("y_ideal")[i]);
    };
    at_end(distance(t));
    at_middle(distance(t - h / 2));
  }
  EXPECT_NEAR(at_end.value, position, 0.05 * position);
  EXPECT_NEAR(at_middle.value, position_at_middle, 0.05 * position_at_middle);

  double strongest = 0;
  for (std::size_t i = 0; i < run.rows(); ++i)
    strongest = std::max(strongest, std::hypot(run["pin.force_x"][i], run["pin.force_y"][i]));
  EXPECT_NEAR(std::hypot(run["pin.force_x"][0], run["pin.force_y"][0]), 2.813745, 1e-6);
  if (h < 1e-3) {
    EXPECT_NEAR(strongest, 53.232510, 1e-6) << "at the bottom, which no row meets with longer steps";
  }
  EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9);
}
INSTANTIATE_TEST_SUITE_P(Steps, PlainPendulum,
                         testing::Values(Drift{2e-4, 2.28e-3, 9.0e-7}, Drift{1e-3, 1.14e-2, 2.24e-5},
                                         Drift{2e-3, 2.27e-2, 8.97e-5}),
                         [](const auto& drift) { return fmt::format("h{}us", std::lround(drift.param.h * 1e6)); });

TEST(IdealPendulumInSpace, EnergyIsKeptInTheMiddleOfTheStep) {
  const ModelRun plain = run_example(kExample, fixed_step("plain", 1e-3), kMotion);
  EXPECT_NEAR(largest(plain["energy.total"]), 1.15e-4, 0.05 * 1.15e-4);
  std::vector<double> of_the_end;
  for (std::size_t i = 0; i < plain.rows(); ++i)
    of_the_end.push_back(plain["energy.total"][i] + kMass * kGravity * plain["pendulum.vy"][i] * 1e-3 / 2);
  EXPECT_NEAR(largest(of_the_end), 0.1387, 0.05 * 0.1387);

  const ModelRun corrected = run_example(kExample, fixed_step("corrected", 1e-3), kMotion);
  EXPECT_LT(largest(pivot_errors(corrected)), 1e-10);
  EXPECT_NEAR(largest(corrected["energy.total"]), 1.2e-4, 0.05 * 1.2e-4);
}

TEST(IdealPendulumInSpace, CorrectedStepsDoNotLoseEnergyInAHundredSeconds) {
  const auto fifths = [](const char* constraint) {
    const ModelRun run =
        run_example(kExample, joined(fixed_step(constraint, 1e-2), {"duration=100 s"}), {"energy.total"});
    std::vector<double> means(5);
    const std::size_t part = (run.rows() - 1) / 5;
    for (std::size_t k = 0; k < 5 * part; ++k)
      means[k / part] += run["energy.total"][k + 1] / static_cast<double>(part);
    return means;
  };
  const std::vector<double> plain = fifths("plain"), corrected = fifths("corrected");
  EXPECT_NEAR(plain.front(), -4.4e-3, 0.2 * 4.4e-3);
  EXPECT_NEAR(plain.back(), -7.4e-3, 0.2 * 7.4e-3);
  EXPECT_NEAR(corrected.front(), 4.3e-3, 0.2 * 4.3e-3);
  EXPECT_NEAR(corrected.back(), 4.2e-3, 0.2 * 4.2e-3);
}

TEST(IdealPendulumInSpace, ObjectiveTakesTheLongestStepAlways) {
  const ModelRun fixed = run_example(kExample, fixed_step("plain", 2e-3), kMotion);
  const ModelRun chosen = run_example(kExample, step_rule("plain", "objective", 1e-3, 2e-3), kMotion);
  for (const std::string& channel : kMotion) {
    if (channel == "step.equation_residual") continue;
    EXPECT_LT(largest_difference(fixed[channel], chosen[channel]), 1e-9 * (1 + largest(fixed[channel]))) << channel;
  }
}

// The ideal pendulum has its own clock: the time to the bottom, and the rate there.
TEST(IdealPendulumInSpace, SmoothIntegratorMeetsThePeriod) {
  const ModelRun run =
      run_example(kExample, {"simulate={integrator: dopri5, tolerance: 1e-12, step: 1 ms, duration: 14.3 s}"},
                  {"pendulum.x", "pendulum.vx", "pendulum.omega_z"});
  std::vector<double> x = run["pendulum.x"], vx = run["pendulum.vx"];
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = -x[i];
    vx[i] = -vx[i];
  }
  const std::vector<double> down = upward_crossings(run.time(), x, vx);
  ASSERT_FALSE(down.empty());
  EXPECT_NEAR(down[0], 3.5553797, 1e-7);
  EXPECT_NEAR(largest(run["pendulum.omega_z"]), 0.7374902, 1e-7);
  const std::vector<double> back = upward_crossings(run.time(), run["pendulum.x"], run["pendulum.vx"]);
  ASSERT_FALSE(back.empty());
  EXPECT_NEAR((back[0] - down[0]) * 2, 14.2215187, 1e-7 * 14.2);
}

// Gravity along the arm, but for a ten-thousandth.
TEST(IdealPendulumInSpace, SmoothIntegratorMeetsThePeriodOfSmallSwings) {
  const double angle = 1e-4;
  const ModelRun run = run_example(
      kExample,
      {fmt::format("gravity=[{} m/s^2, {} m/s^2, 0 m/s^2]", kGravity * std::cos(angle), -kGravity * std::sin(angle)),
       "simulate={integrator: dopri5, tolerance: 1e-12, step: 10 ms, duration: 22 s}"},
      {"pendulum.y", "pendulum.vy"});
  std::vector<double> above_rest = run["pendulum.y"];
  for (double& y : above_rest) y += kLever * std::sin(angle);
  const std::vector<double> up = upward_crossings(run.time(), above_rest, run["pendulum.vy"]);
  ASSERT_EQ(up.size(), 2u);
  EXPECT_NEAR(up[1] - up[0], 12.0486567, 1e-7 * 12.05);
}

// The gyroscopic term is taken at the start of a step: a body that tumbles about its middle axis gains energy, in
// proportion to h.
TEST(FreeBodyInSpace, GainsTheEnergyOfAnExplicitGyroscopicTerm) {
  for (const auto& [h, gain] : {std::pair{1e-2, 0.199}, std::pair{1e-3, 0.0176}}) {
    const std::string text = fmt::format(R"(
freeplay: 1
name: A tumbling body
space: spatial
bodies:
  body:
    mass: 1 kg
    inertia: [1 kg m^2, 2 kg m^2, 3 kg m^2]
    initial: {{omega_x: 0.3 rad/s, omega_y: 5 rad/s, omega_z: 0.2 rad/s}}
simulate: {{integrator: nlp-variable-step, min_step: {0} s, max_step: {0} s, duration: 10 s}}
)",
                                         h);
    const ModelRun run = run_model(parse_model(text, "body.yaml", {}), {{"energy.kinetic"}, 1});
    EXPECT_NEAR(run["energy.kinetic"].back() / run["energy.kinetic"].front() - 1, gain, 0.005 * gain) << h;
  }
}

struct EndEnergy {
  Overrides rule;
  double energy_J;
};

TEST(PendulumWithPlay, EndsWithTheEnergyOfTheReference) {
  const EndEnergy cases[] = {{fixed_step("plain", 2e-4), -0.30003},
                             {fixed_step("plain", 1e-3), -0.30053},
                             {fixed_step("corrected", 1e-3), -0.29834},
                             {fixed_step("corrected", 2e-3), -0.29409},
                             {step_rule("plain", "objective", 1e-3, 2e-3), -0.29355},
                             {fixed_step("disc", 1e-3), -0.939}};
  for (const EndEnergy& one : cases) {
    const ModelRun run =
        run_example("revolute_clearance", joined(one.rule, kWithPlay), {"energy.total", "step.equation_residual"});
    EXPECT_NEAR(run["energy.total"].back(), one.energy_J, 1e-3) << one.rule[0] << one.rule[3];
    EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9) << one.rule[0] << one.rule[3];
  }
}

TEST(PendulumWithPlay, StrikesThePinTwice) {
  const double h = 2e-4;
  const ModelRun run = run_example("revolute_clearance", joined(fixed_step("plain", h), kWithPlay),
                                   {"energy.total", "pin.normal_impulse_1", "pin.normal_force_1", "pin.gap_1"});
  const std::vector<double>& force = run["pin.normal_force_1"];
  const auto impact_after = [&](double t) {
    std::size_t i = row_at(run.time(), t);
    while (i + 1 < run.rows() && !(force[i] > 0)) ++i;
    return i;
  };
  const std::size_t first = impact_after(0), second = impact_after(7.9);
  EXPECT_NEAR(run.time()[first], 0.14278431, h);
  EXPECT_NEAR(run.time()[second], 7.98305, h);
  std::size_t open = second;
  while (!(force[open - 1] > 0)) --open;
  EXPECT_NEAR(run.time()[open], 7.88022, h) << "it has left the pin";
  // Two steps each, in which static forces act as well.
  const auto impulse = [&](std::size_t from) {
    const std::vector<double>& impulses = run["pin.normal_impulse_1"];
    return impulses[from] + impulses[from + 1];
  };
  EXPECT_NEAR(impulse(first), 0.200879325, 2 * h * 1.41);
  EXPECT_NEAR(impulse(second), 0.135496, 2 * h * force[second + 3]);
  EXPECT_NEAR(run["energy.total"][first + 2], -0.281374504, 1e-5);
  EXPECT_NEAR(run["energy.total"].back(), -0.299907, 2e-4);
}

}  // namespace
}  // namespace freeplay::test::spatial_ideal_pendulum_test
