// The slider-crank mechanism with an elastic connecting rod: its rigid limit, its ledger, its modes, its moments.
#include "convergence/fitted_order.h"
#include "physics/model_run.h"

namespace freeplay::test::elastic_slider_crank_test {
namespace {

constexpr double kRodMassPerLength = 0.038 / 0.306, kRodLength = 0.306, kGravity = 9.81;

// Without play and with tight tolerances: smooth motion.
Overrides smooth(const std::string& duration, Overrides more) {
  for (const char* word : {"joints.guide.model=ideal", "simulate.integrator=dopri5", "simulate.tolerance=1e-11"})
    more.emplace_back(word);
  more.push_back("duration=" + duration);
  return more;
}

// The rod of the paper has an inertia of its own; a beam has that of a uniform one.
ModelRun rigid_run(Overrides more) {
  more.emplace_back("J2=m2*l2^2/12");
  more.emplace_back("simulate.lasting_contacts=kept");
  more.emplace_back("simulate.solver=auto");
  more.emplace_back("step=50us");
  return run_example("slider_crank", more);
}

std::string stiffer(int factor) {
  return fmt::format("young={} GPa", 70.0 * factor);
}

std::string modes(int count) {
  return fmt::format("bodies.rod.elastic.bending_modes={}", count);
}

double row_rate(const std::vector<double>& time, const std::vector<double>& x, std::size_t i) {
  const double before = time[i] - time[i - 1], after = time[i + 1] - time[i];
  return (x[i + 1] * before * before - x[i - 1] * after * after + x[i] * (after * after - before * before)) /
         (before * after * (before + after));
}

// The rod's deflection is proportional to 1/EI, and with it what the crank feels.
TEST(ElasticSliderCrank, TendsToTheRigidOneWithTheInverseOfItsStiffness) {
  const double rigid = rigid_run(smooth("20 ms", {}))["crank.angle"].back();
  std::vector<double> softness, errors;
  for (const int factor : {256, 1024, 4096}) {
    const ModelRun run = run_example("elastic_slider_crank",
                                     smooth("20 ms", {stiffer(factor), modes(1), "damping=0.05"}), {"crank.angle"});
    softness.push_back(1.0 / factor);
    errors.push_back(std::abs(run["crank.angle"].back() - rigid));
  }
  EXPECT_NEAR(fitted_order(softness, errors), 1, 0.1);
  EXPECT_LT(errors.back(), 3e-6);
}

// A contact that gives way lasts longer than a stiff rod's vibration: the rod's modes do not take part.
TEST(ElasticSliderCrank, StrikesAsTheRigidOneWhereTheContactIsSofterThanTheRod) {
  const Overrides compliant = {"simulate.integrator=dopri5", "simulate.tolerance=1e-10", "duration=4 ms"};
  const ModelRun rigid = rigid_run(compliant);
  ASSERT_FALSE(rigid.record.impacts.empty());
  std::vector<double> errors;
  for (const int factor : {1000, 100000}) {
    Overrides words = compliant;
    words.insert(words.end(), {stiffer(factor), modes(1)});
    const ModelRun run = run_example("elastic_slider_crank", words);
    errors.push_back(std::abs(run["rod.omega"].back() / rigid["rod.omega"].back() - 1));
  }
  EXPECT_LT(errors[1], 0.05 * errors[0]);
  EXPECT_LT(errors[1], 1e-4);
}

// Newton's law strikes at once, before any stiffness can answer: the modes take their share of the impulse however
// stiff they are. So the impulse of one impact has no rigid limit.
TEST(ElasticSliderCrank, TheImpulseOfOneImpactDoesNotDependOnTheStiffness) {
  const Overrides until_struck = {"simulate.integrator=event-driven", "simulate.tolerance=1e-10", "duration=3.3 ms"};
  const auto impulse_over_approach = [](const ModelRun& run) {
    double impulse = 0, approach = 0;
    const double first = run.record.impacts.front().time_s;
    for (const ImpactRecord& impact : run.record.impacts) {
      if (impact.time_s > first) continue;
      impulse += impact.normal_impulse;
      approach = impact.normal_velocity_before;
    }
    return -impulse / approach;
  };
  std::vector<double> effective_mass;
  for (const int factor : {100, 10000}) {
    Overrides words = until_struck;
    words.insert(words.end(), {stiffer(factor), modes(2)});
    effective_mass.push_back(impulse_over_approach(run_example("elastic_slider_crank", words)));
  }
  const double rigid = impulse_over_approach(rigid_run(until_struck));
  EXPECT_NEAR(effective_mass[1] / effective_mass[0], 1, 1e-3);
  EXPECT_LT(effective_mass[1], 0.97 * rigid);
}

TEST(ElasticSliderCrank, ClosesItsLedgerThroughAllImpacts) {
  const ModelRun run = run_example("elastic_slider_crank");
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_GT(run.record.impacts.size(), 60U);
  const double start = run["energy.total"].front();
  EXPECT_LT(largest(run["energy.drift"]), 2e-9 * start);
  for (const char* loss : {"energy.impact_loss", "energy.friction_loss", "energy.damping_loss"})
    EXPECT_GT(run[loss].back(), 0.01 * start) << loss;
  // The bending is seen, and small enough for the theory.
  EXPECT_GT(largest(run["rod.deflection_1"]), 0.02 * kRodLength);
  EXPECT_LT(largest(run["rod.deflection_1"]), 0.05 * kRodLength);
}

// Slow against its own frequency, the rod carries its inertia and weight as a static load p(s), which is linear in s:
// the moment in the middle is p(L/2) L^2/8 in size, with E I w'' = +rho A a_n L^2/8.
// The modes have it as a sine series whose terms fall with the third power of their odd numbers.
TEST(ElasticSliderCrank, TheMomentOfAStiffRodIsThatOfItsRigidInertia) {
  const ModelRun rigid = rigid_run(smooth("30 ms", {"simulate.max_step=20us"}));
  const ModelRun run = run_example("elastic_slider_crank",
                                   smooth("30 ms", {stiffer(1024), modes(7), "damping=0.1", "simulate.max_step=20us"}));
  const auto estimate = [&](std::size_t i) {
    const double ax = row_rate(rigid.time(), rigid["rod.vx"], i);
    const double ay = row_rate(rigid.time(), rigid["rod.vy"], i) + kGravity;
    const double angle = rigid["rod.angle"][i];
    return kRodMassPerLength * (std::cos(angle) * ay - std::sin(angle) * ax) * kRodLength * kRodLength / 8;
  };
  double most = 0, worst = 0;
  std::size_t row = 0;
  for (std::size_t i = 1; i + 1 < rigid.rows(); ++i) {
    if (rigid.time()[i] < 0.006) continue;  // until the vibration of the start has died away
    while (run.time()[row + 1] < rigid.time()[i]) ++row;
    const double share = (rigid.time()[i] - run.time()[row]) / (run.time()[row + 1] - run.time()[row]);
    const double moment = (1 - share) * run["rod.moment_1"][row] + share * run["rod.moment_1"][row + 1];
    most = std::max(most, std::abs(estimate(i)));
    worst = std::max(worst, std::abs(moment - estimate(i)));
  }
  EXPECT_GT(most, 1);
  EXPECT_LT(worst, 0.003 * most);
}

struct RowOfModes {
  int modes;
  double deflection_mm, moment_Nm, angle_rad;
};

// The table of docs/examples/elastic_slider_crank.md.
TEST(ElasticSliderCrank, ConvergesInTheNumberOfModesAsThePageSays) {
  const RowOfModes page[] = {{1, 12.094, 5.472, 4.587376}, {2, 12.072, 5.462, 4.587450}, {3, 12.060, 5.425, 4.587489},
                             {4, 12.060, 5.425, 4.587496}, {6, 12.061, 5.431, 4.587498}, {8, 12.060, 5.429, 4.587499}};
  for (const RowOfModes& row : page) {
    const ModelRun run = run_example("elastic_slider_crank", smooth("50 ms", {modes(row.modes)}),
                                     {"rod.deflection_1", "rod.moment_1", "crank.angle"});
    EXPECT_NEAR(1e3 * largest(run["rod.deflection_1"]), row.deflection_mm, 1.5e-3) << row.modes;
    EXPECT_NEAR(largest(run["rod.moment_1"]), row.moment_Nm, 3e-3) << row.modes;
    EXPECT_NEAR(run["crank.angle"].back(), row.angle_rad, 1e-6) << row.modes;
  }
}

}  // namespace
}  // namespace freeplay::test::elastic_slider_crank_test
