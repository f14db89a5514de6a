// A block on a rod with play (Chaturvedi, Sandu, Sandu 2024, section 5.1): steps against those of an independent
// program, and what is known in closed form. Point 1 is the end at -z, point 2 the one at +z, which goes down.
#include <numbers>

#include "physics/spatial/spatial_play.h"

namespace freeplay::test::spatial_cylindrical_test {
namespace {

constexpr double kClearance = 1e-4, kMass = 3.2, kGravity = 9.81;
constexpr const char* kExample = "cylindrical_clearance";
const Overrides kSkew = {"arm_angle=20 deg"};

void expect_steps(const ModelRun& run, const CsvTable& reference, double state_tolerance, double force_tolerance) {
  std::vector<double> angle(run.rows());
  for (std::size_t i = 0; i < run.rows(); ++i) angle[i] = angle_about_x(run, "slider", i);
  EXPECT_LT(relative_difference(after_start(run.time()), reference.at("t")), state_tolerance);
  EXPECT_LT(relative_difference(after_start(angle), reference.at("theta_x")), state_tolerance);
  const std::pair<const char*, const char*> states[] = {{"step.size", "h"},  {"slider.y", "y"},
                                                        {"slider.z", "z"},   {"slider.vy", "vy"},
                                                        {"slider.vz", "vz"}, {"slider.omega_x", "wx"}};
  for (const auto& [channel, column] : states)
    EXPECT_LT(relative_difference(after_start(run[channel]), reference.at(column)), state_tolerance) << column;
  for (const char* point : {"1", "2"}) {
    EXPECT_LT(relative_difference(after_start(run[std::string("sleeve.normal_force_") + point]),
                                  reference.at(std::string("lambda") + point)),
              force_tolerance);
    std::vector<double> depth = after_start(run[std::string("sleeve.gap_") + point]);
    for (double& value : depth) value = -value;
    EXPECT_LT(largest_difference(depth, reference.at(std::string("phi") + point)), state_tolerance * kClearance);
  }
}

TEST(CylindricalPlay, PlainStepsAreThoseOfTheReference) {
  const ModelRun run = run_example(kExample, joined(fixed_step("plain", 1e-3), {"duration=40 ms"}));
  expect_steps(run, read_csv("spatial/cylindrical_fixed_1e-3.csv"), 1e-9, 1e-7);
  EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9);
}

TEST(CylindricalPlay, ObjectiveChoosesTheStepsOfTheReference) {
  const ModelRun run = run_example(kExample, step_rule("plain", "objective", 1e-3, 1e-2));
  const CsvTable reference = read_csv("spatial/cylindrical_nlp_1e-3_1e-2.csv");
  ASSERT_EQ(run.rows(), 53u);
  // Where nothing touches, every h up to the contact is as good: the tie is decided to 1e-4 only.
  expect_steps(run, reference, 1e-4, 1e-4);
  const double h[] = {2.919825e-3, 1e-2, 1e-2, 1e-3, 7.0621e-3};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(run["step.size"][i + 1], h[i], 1e-4 * h[i]);
  EXPECT_NEAR(-run["sleeve.gap_1"][2], 2.095e-4, 1e-7) << "through the whole play in one step";
  EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9);
}

TEST(CylindricalPlay, SlidesAlongTheRodAsIfItWereFree) {
  for (const char* constraint : {"plain", "corrected", "disc"}) {
    for (const double h : {1e-3, 2e-3, 1e-2}) {
      const ModelRun run = run_example(kExample, fixed_step(constraint, h), {"slider.z", "slider.vz"});
      EXPECT_NEAR(run["slider.vz"].back(), 7.8125, 7.8125e-12) << constraint << " " << h;
      // Positions are half a step ahead of velocities.
      EXPECT_NEAR(run["slider.z"].back(), 1.953125 + h / 2 * 7.8125, 1e-10) << constraint << " " << h;
    }
  }
}

TEST(CylindricalPlay, FirstContactsComeWhenTheyShould) {
  for (const char* constraint : {"plain", "corrected", "disc"}) {
    const double h = 1e-4;
    const ModelRun run = run_example(kExample, joined(fixed_step(constraint, h), {"duration=40 ms"}));
    const auto first = [&](const std::string& channel) {
      std::size_t i = 1;
      while (i + 1 < run.rows() && !(run[channel][i] > 0)) ++i;
      return i;
    };
    const std::size_t one = first("sleeve.normal_force_2"), two = first("sleeve.normal_force_1");
    EXPECT_NEAR(run.time()[one], 4.1292369e-3, h) << constraint;
    EXPECT_NEAR(run.time()[two], 1.14783786e-2, h) << constraint;
    EXPECT_NEAR(run["sleeve.normal_force_2"][(one + two) / 2], 36.058, 1e-2) << constraint;
    // Impulses of the impacts, without what the force while touching adds in the steps that they take.
    const auto impulse = [&](const std::string& channel, std::size_t from) {
      return run[channel][from - 1] + run[channel][from] + run[channel][from + 1];
    };
    EXPECT_NEAR(impulse("sleeve.normal_impulse_2", one), 0.148894249, 3 * h * 36.058) << constraint;
    EXPECT_NEAR(impulse("sleeve.normal_impulse_1", two), 0.680739661, 3 * h * 59.304) << constraint;
    EXPECT_NEAR(impulse("sleeve.normal_impulse_2", two), 0.627178408, 3 * h * 90.696) << constraint;
    EXPECT_NEAR(run["energy.impact_loss"][(one + two) / 2], 3.605853e-3, 1e-2 * 3.605853e-3) << constraint;
    EXPECT_NEAR(run["energy.impact_loss"].back(), 3.605853e-3 + 1.1394147e-2, 1e-2 * 1.5e-2) << constraint;
  }
}

// The sleeve jams: both ends touch on opposite sides. Forces follow from the balance of forces and moments alone.
TEST(CylindricalPlay, EndsTiltedWithTheForcesOfStatics) {
  Overrides landing = step_rule("corrected", "land", 1e-3, 1e-2);
  for (const Overrides& overrides :
       {fixed_step("plain", 1e-3), fixed_step("corrected", 1e-3), fixed_step("corrected", 2e-3),
        fixed_step("disc", 1e-3), fixed_step("disc", 1e-2), landing}) {
    const ModelRun run = run_example(kExample, overrides);
    const std::size_t last = run.rows() - 1;
    EXPECT_NEAR(run["sleeve.normal_force_1"][last], 59.304, 1e-6) << overrides[0];
    EXPECT_NEAR(run["sleeve.normal_force_2"][last], 90.696, 1e-6) << overrides[0];
    EXPECT_NEAR(run["sleeve.force_y_1"][last] + run["sleeve.force_y_2"][last], kMass * kGravity, 1e-6) << overrides[0];
    EXPECT_NEAR(angle_about_x(run, "slider", last), 0.0100001667, 1e-9) << overrides[0];
    EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9) << overrides[0];
    if (overrides[0] != "simulate.constraint=plain") {
      EXPECT_LT(run.summary.max_penetration_m, 1e-10 * kClearance) << overrides[0];
    }
  }
}

TEST(CylindricalPlay, HoldsASlantingPullWithTheForcesOfStatics) {
  const ModelRun disc = run_example(kExample, joined(fixed_step("disc", 1e-2), kSkew));
  const std::size_t last = disc.rows() - 1;
  EXPECT_NEAR(disc["sleeve.normal_force_1"][last], 60.4893, 0.1);
  EXPECT_NEAR(disc["sleeve.normal_force_2"][last], 89.9098, 0.1);
  // (-25.6515, -54.7809) and (25.6515, 86.1729) N while the arm stands at 20 degrees. It is free to roll, and does so
  // by a fifth of a degree in the half second.
  const double roll = angle_about_z(disc, "slider", last), arm = 20 * std::numbers::pi / 180 - roll;
  EXPECT_NEAR(roll, 0, 5e-3);
  const double couple = 50 * 0.03 / 0.02;
  EXPECT_NEAR(disc["sleeve.force_x_1"][last], -couple * std::sin(arm), 0.1);
  EXPECT_NEAR(disc["sleeve.force_y_1"][last], kMass * kGravity / 2 - couple * std::cos(arm), 0.1);
  EXPECT_NEAR(disc["sleeve.force_x_2"][last], couple * std::sin(arm), 0.1);
  EXPECT_NEAR(disc["sleeve.force_y_2"][last], kMass * kGravity / 2 + couple * std::cos(arm), 0.1);

  // The corrected step keeps swinging about these values.
  const ModelRun corrected = run_example(kExample, joined(fixed_step("corrected", 1e-2), kSkew));
  EXPECT_NEAR(mean_after(corrected, "sleeve.normal_force_1", 0.1), 60.4893, 3e-3 * 60.4893);
  EXPECT_NEAR(mean_after(corrected, "sleeve.normal_force_2", 0.1), 89.9098, 3e-3 * 89.9098);
  EXPECT_LT(corrected.summary.max_penetration_m, 1e-10 * kClearance);
  const ModelRun landing = run_example(kExample, joined(step_rule("corrected", "land", 1e-3, 1e-2), kSkew));
  EXPECT_EQ(landing.summary.steps, 52);
  EXPECT_NEAR(mean_after(landing, "sleeve.normal_force_1", 0.1), 60.4893, 3e-3 * 60.4893);
  EXPECT_NEAR(mean_after(landing, "sleeve.normal_force_2", 0.1), 89.9098, 3e-3 * 89.9098);
  EXPECT_LT(landing.summary.max_penetration_m, 1e-14);
}

// Off its plane of symmetry by a nanometre it swings across its play, since these steps are longer than the critical
// one. Corrections and the disc step behind them keep it where it belongs.
TEST(CylindricalPlay, LandingStepsStandADisturbance) {
  const ModelRun run =
      run_example(kExample, joined(step_rule("corrected", "land", 1e-3, 1e-2), {"bodies.slider.initial={x: 1 nm}"}));
  EXPECT_EQ(run["slider.x"][0], 1e-9);
  EXPECT_EQ(run.summary.steps, 52);
  EXPECT_LT(run.summary.max_penetration_m, 1e-14);
  EXPECT_NEAR(mean_after(run, "sleeve.normal_force_1", 0.1), 59.304, 3e-3 * 59.304);
  EXPECT_NEAR(mean_after(run, "sleeve.normal_force_2", 0.1), 90.696, 3e-3 * 90.696);
}

TEST(CylindricalPlay, FollowsTheEventDrivenMotionOfASlantingPull) {
  const CsvTable truth = read_csv("spatial/cylindrical_skew_truth.csv");
  for (const auto& [h, bound] : {std::pair{1e-4, 6e-6}, std::pair{5e-5, 3e-6}}) {
    const ModelRun run = run_example(kExample, joined(joined(fixed_step("plain", h), kSkew), {"duration=50 ms"}));
    // z, which nothing touches, is half a step ahead.
    Worst worst;
    for (std::size_t i = 0; i < truth.at("t").size(); ++i) {
      const double t = truth.at("t")[i];
      for (const char* axis : {"x", "y", "z"})
        worst(value_at(run.time(), run[std::string("slider.") + axis], t - h / 2) - truth.at(axis)[i]);
    }
    EXPECT_LT(worst.value, bound);
  }
}

// A point in round play that carries lambda swings across it with omega^2 = lambda/(c m_effective); explicit steps
// follow that up to h = 2/omega.
TEST(CylindricalPlay, SwingsBeyondTheCriticalStep) {
  const auto off_the_plane = [](double h) {
    const std::vector<State> states =
        states_of_steps(load_example(kExample, fixed_step("plain", h)), [](State& state) { state.q[0] += 1e-9; });
    Worst worst;
    for (const State& state : states) worst(state.q[0]);
    return worst.value;
  };
  EXPECT_LT(off_the_plane(2.5e-3), 1e-7);
  EXPECT_GT(off_the_plane(5e-3), 1e-4);
}

TEST(CylindricalPlay, RunWarnsOfStepsBeyondTheCriticalOne) {
  const auto warnings = [](const Overrides& overrides) {
    const ModelFile file = load_example(kExample, overrides);
    const Model model = build_model(file);
    std::string text;
    RunContext context;
    context.log = [&](LogLevel level, std::string_view message) {
      if (level == LogLevel::kWarning) text += message;
    };
    MemorySink sink;
    EXPECT_EQ(Simulation(*model.system, *model.contacts, file.simulate).run(sink, context).status,
              RunStatus::kCompleted);
    return text;
  };
  const std::string text = warnings({});
  const std::size_t found = text.find("h_crit = ");
  ASSERT_NE(found, std::string::npos) << text;
  EXPECT_NEAR(std::stod(text.substr(found + 9)), 2.9156e-3, 1e-7);
  EXPECT_NE(warnings(fixed_step("plain", 5e-3)).find("is longer than h_crit"), std::string::npos);
  EXPECT_EQ(warnings(fixed_step("plain", 2.5e-3)), "");
  EXPECT_EQ(warnings(fixed_step("corrected", 2.5e-3)), "");
  EXPECT_EQ(warnings(fixed_step("disc", 1e-2)), "");
}

}  // namespace
}  // namespace freeplay::test::spatial_cylindrical_test
