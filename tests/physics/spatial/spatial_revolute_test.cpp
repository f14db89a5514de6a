// A pendulum on a pin with radial and axial play (Chaturvedi, Sandu, Sandu 2024, section 5.3). Points 1 and 2: the ends
// of the sleeve at -z and +z against the pin; 3 and 4: against its collars.
//
// Velocities of a step belong to its middle, positions to its end: q_n is the position at t_n + h/2 if v_n is the
// velocity at t_n. Energies are taken in the middle of the step.
#include "physics/spatial/spatial_play.h"

namespace freeplay::test::spatial_revolute_test {
namespace {

constexpr double kClearance = 0.1, kMass = 2, kGravity = 9.81, kLever = 30.9;
constexpr double kInertia = 2229.3333333;  // about the pin
constexpr double kFirstAcceleration = kMass * kGravity * kLever / kInertia;
constexpr const char* kExample = "revolute_clearance";

TEST(RevolutePlayInSpace, PlainStepsAreThoseOfTheReference) {
  const CsvTable reference = read_csv("spatial/revolute_fixed_1e-3.csv");
  const Overrides overrides = joined(fixed_step("plain", 1e-3), {"duration=0.397 s"});
  const ModelRun run = run_example(kExample, overrides);
  const std::vector<State> states = states_of_steps(load_example(kExample, overrides));
  ASSERT_EQ(states.size(), run.rows());
  const char* coordinates[] = {"x", "y", "z", "p0", "p1", "p2", "p3"};
  for (int k = 0; k < 7; ++k) {
    Worst worst;
    for (std::size_t i = 0; i < reference.at("t").size(); ++i) {
      const std::size_t row = row_at(run.time(), reference.at("t")[i]);
      worst(states[row].q[k] - reference.at(coordinates[k])[i]);
    }
    EXPECT_LT(worst.value, 1e-9 * largest(reference.at(coordinates[k])) + 1e-30) << coordinates[k];
  }
  for (const char* point : {"1", "2", "3", "4"}) {
    const std::vector<double>& column = reference.at(std::string("l") + point);
    Worst worst;
    for (std::size_t i = 0; i < column.size(); ++i) {
      const std::size_t row = row_at(run.time(), reference.at("t")[i]);
      worst(run[std::string("pin.normal_force_") + point][row] - column[i]);
    }
    EXPECT_LE(worst.value, 1e-7 * largest(column)) << point;
  }
  EXPECT_LT(largest(after_start(run["step.equation_residual"])), 1e-9);
}

TEST(RevolutePlayInSpace, FallsOntoThePin) {
  EXPECT_NEAR(kFirstAcceleration, 0.2719458732, 1e-9);
  const CsvTable truth = read_csv("spatial/revolute_truth.csv");
  for (const char* constraint : {"plain", "corrected", "disc"}) {
    const double h = 1e-3;
    const ModelRun run = run_example(kExample, joined(fixed_step(constraint, h), {"duration=0.55 s"}));
    std::size_t first = 1;
    while (!(run["pin.normal_force_1"][first] > 0)) ++first;
    const double contact = std::sqrt(2 * kClearance / kGravity);
    EXPECT_NEAR(run.time()[first], contact, h) << constraint;
    EXPECT_NEAR(run["pendulum.vy"][first - 1], -kGravity * run.time()[first - 1], 1e-12) << constraint;
    // The impact takes two steps; at their end the static forces have acted since the contact began.
    const std::size_t after = first + 1;
    const double since = run.time()[after] - contact;
    const double impulse_1 = run["pin.normal_impulse_1"][first] + run["pin.normal_impulse_1"][after];
    const double impulse_2 = run["pin.normal_impulse_2"][first] + run["pin.normal_impulse_2"][after];
    EXPECT_NEAR(impulse_1 - since * 2.68507, 0.383386006, 2e-6) << constraint;
    EXPECT_NEAR(impulse_2 - since * 0.12867, 0.018372644, 2e-6) << constraint;
    EXPECT_NEAR(run["energy.total"][after], -0.281374504, 1e-8) << constraint;
    EXPECT_NEAR(run["pendulum.omega_z"][after], -kFirstAcceleration * run.time()[after], 1e-6) << constraint;
    EXPECT_NEAR(run["pin.normal_force_1"][after + 1], 2.68507, 1e-3) << constraint;
    EXPECT_NEAR(run["pin.normal_force_2"][after + 1], 0.12867, 1e-3) << constraint;
    // The angle that the ideal pendulum is ahead, and the time that it takes for that.
    const auto angle_lag = [&](std::size_t row, double ideal) { return angle_about_z(run, "pendulum", row) - ideal; };
    const double middle = run.time()[after] + h / 2;
    EXPECT_NEAR(angle_lag(after, -kFirstAcceleration * middle * middle / 2), 2.77213e-3, 1e-6) << constraint;
    for (const auto& [t, lag] : {std::pair{0.2, 0.05097}, std::pair{0.5, 0.02013}}) {
      const std::size_t row = row_at(run.time(), t);
      const double rate = run["pendulum.omega_z"][row];
      const double ideal = truth.at("theta_ideal")[row_at(truth.at("t"), t)];
      EXPECT_NEAR((angle_lag(row, ideal) - rate * h / 2) / -rate, lag, 1e-4) << constraint << " " << t;
    }
  }
}

TEST(RevolutePlayInSpace, FollowsTheEventDrivenMotion) {
  const CsvTable truth = read_csv("spatial/revolute_truth.csv");
  const double h = 1e-3;
  const ModelRun run = run_example(kExample, joined(fixed_step("plain", h), {"duration=4 s"}),
                                   {"pendulum.x", "pendulum.y", "pendulum.z", "energy.total"});
  // As they stand positions differ by v h/2; moved by half a step, by the second order in h.
  const auto largest_until = [&](double end, double shift) {
    Worst worst;
    for (std::size_t i = 0; i < truth.at("t").size() && truth.at("t")[i] <= end + 1e-9; ++i) {
      for (const char* axis : {"x", "y", "z"})
        worst(value_at(run.time(), run[std::string("pendulum.") + axis], truth.at("t")[i] - shift) - truth.at(axis)[i]);
    }
    return worst.value;
  };
  EXPECT_NEAR(largest_until(1, 0), 4.1e-3, 0.2 * 4.1e-3);
  EXPECT_NEAR(largest_until(2, 0), 7e-3, 0.2 * 7e-3);
  EXPECT_NEAR(largest_until(4, 0), 1.1e-2, 0.2 * 1.1e-2);
  EXPECT_LT(largest_until(0.9, h / 2), 2 * 6.5e-6);
  EXPECT_LT(largest_until(2, h / 2), 2 * 2.9e-4);
  EXPECT_LT(largest_until(4, h / 2), 2 * 3.4e-3);
}

// After about 5 s the histories of small impacts are no longer the same; the pendulum does not notice much.
TEST(RevolutePlayInSpace, StaysNearTheEventDrivenMotionForTenSeconds) {
  const CsvTable truth = read_csv("spatial/revolute_truth.csv");
  for (const Overrides& rule :
       {fixed_step("plain", 1e-3), fixed_step("corrected", 1e-3), step_rule("plain", "objective", 1e-3, 2e-3)}) {
    const ModelRun run = run_example(kExample, rule, {"pendulum.x", "pendulum.y", "pendulum.z", "energy.total"});
    Worst worst;
    for (std::size_t i = 0; i < truth.at("t").size(); ++i) {
      for (const char* axis : {"x", "y", "z"})
        worst(value_at(run.time(), run[std::string("pendulum.") + axis], truth.at("t")[i]) - truth.at(axis)[i]);
    }
    EXPECT_LT(worst.value, 0.17) << rule[0] << rule[1];
    EXPECT_GT(run["energy.total"].back(), -1.32) << rule[0] << rule[1];
    EXPECT_LT(run["energy.total"].back(), -0.96) << rule[0] << rule[1];
  }
}

// What the first order of the gap misses on a circle: h^2 v_t^2/(2 c).
TEST(RevolutePlayInSpace, PlainStepsPenetrateAndCorrectedOnesDoNot) {
  const std::vector<std::string> channels = {"step.equation_residual", "energy.total", "pendulum.x"};
  for (const auto& [h, depth] : {std::pair{1e-3, 9.6e-6}, std::pair{2e-3, 3.8e-5}}) {
    const ModelRun plain = run_example(kExample, joined(fixed_step("plain", h), {"duration=5 s"}), channels);
    EXPECT_NEAR(plain.summary.max_penetration_m, depth, 0.1 * depth);
    EXPECT_LT(largest(after_start(plain["step.equation_residual"])), 1e-9);
    const ModelRun corrected = run_example(kExample, joined(fixed_step("corrected", h), {"duration=5 s"}), channels);
    EXPECT_LT(corrected.summary.max_penetration_m, 1e-10 * kClearance);
    EXPECT_LT(largest(after_start(corrected["step.equation_residual"])), 1e-9);
  }
}

// Moreau's rule knows velocities only: what it has penetrated once stays. With velocities at the midpoint a sleeve that
// slides round its rod sinks in for as long as it slides; with those at the ends of the steps it is no deeper than what
// an impact leaves.
TEST(RevolutePlayInSpace, OnlyTheRuleOfThePaperDriftsByEightPercentOfThePlay) {
  const auto penetration = [](const std::string& rule) {
    return run_example(
               kExample,
               {"simulate={integrator: moreau-midpoint, lasting_contacts: " + rule + ", step: 0.2 ms, duration: 10 s}"},
               {"pin.gap_1", "pin.gap_2"})
        .summary.max_penetration_m;
  };
  EXPECT_NEAR(penetration("paper"), 7.9e-3, 5e-5);
  EXPECT_LT(penetration("kept"), 2e-3 * kClearance);
}

TEST(RevolutePlayInSpace, EnergyOfTheMiddleOfTheStepIsThatOfTheReference) {
  const CsvTable reference = read_csv("spatial/revolute_energy.csv");
  const std::pair<double, double> ranges[] = {{1e-3, 2e-3}, {5e-4, 2e-3}, {5e-4, 1e-3}, {2.5e-4, 1e-3}};
  for (const auto& [shortest, longest_step] : ranges) {
    const ModelRun run =
        run_example(kExample, joined(step_rule("plain", "objective", shortest, longest_step), {"duration=3.6 s"}),
                    {"energy.total", "pendulum.vy", "step.size"});
    const std::vector<double>& expected = reference.at(fmt::format("Emid_{}_{}", shortest, longest_step));
    const std::vector<double>& of_the_end = reference.at(fmt::format("E_{}_{}", shortest, longest_step));
    // With the height at the end of the step, what a step's fall is worth is missing.
    std::vector<double> end_energy(run.rows());
    for (std::size_t i = 0; i < run.rows(); ++i)
      end_energy[i] = run["energy.total"][i] + kMass * kGravity * run["pendulum.vy"][i] * run["step.size"][i] / 2;
    Worst from_reference, from_reference_at_end, from_truth;
    for (std::size_t i = 0; reference.at("t")[i] < 3.55; ++i) {
      const double t = reference.at("t")[i], energy = value_at(run.time(), run["energy.total"], t);
      from_reference(energy - expected[i]);
      from_reference_at_end(value_at(run.time(), end_energy, t) - of_the_end[i]);
      from_truth(energy - reference.at("E_truth")[i]);
    }
    EXPECT_LT(from_reference.value, 1e-6) << shortest << " " << longest_step;
    EXPECT_LT(from_reference_at_end.value, 1e-6) << shortest << " " << longest_step;
    EXPECT_LT(from_truth.value, 1.8e-3) << shortest << " " << longest_step;
    if (shortest == 1e-3) {
      const std::size_t row = row_at(run.time(), 2);
      EXPECT_NEAR(run["energy.total"][row], -0.7189, 5e-5);
      EXPECT_NEAR(end_energy[row], -0.9929, 5e-5);
    }
  }
}

TEST(RevolutePlayInSpace, ObjectiveTakesTheLongestStepNearlyAlways) {
  const std::pair<double, double> ranges[] = {{1e-3, 2e-3}, {5e-4, 1e-3}};
  for (const auto& [shortest, longest_step] : ranges) {
    const ModelRun run =
        run_example(kExample, step_rule("plain", "objective", shortest, longest_step), {"step.size", "energy.total"});
    const double limit = longest_step * (1 - 1e-9);
    const auto longest_ones =
        std::count_if(run["step.size"].begin(), run["step.size"].end(), [&](double h) { return h >= limit; });
    const double share = static_cast<double>(longest_ones) / static_cast<double>(run.summary.steps);
    EXPECT_GT(share, 0.9785) << shortest;
    EXPECT_LT(share, 0.9965) << shortest;
    EXPECT_GT(run["energy.total"].back(), -1.32) << shortest;
    EXPECT_LT(run["energy.total"].back(), -0.96) << shortest;
  }
}

}  // namespace
}  // namespace freeplay::test::spatial_revolute_test
