// The slider-crank with play at a constant speed of its crank: the motion after many turns.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "freeplay/study/dynamics/attractors.h"
#include "freeplay/study/sweep/runs/followed_start.h"
#include "freeplay/study/sweep/sweep.h"
#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::slider_crank_driven_test {
namespace {

SweepTable settled(const std::vector<std::string>& over, const std::vector<std::string>& overrides) {
  SweepPlan plan;
  plan.model = std::filesystem::path(examples_dir()) / "slider_crank_driven.yaml";
  plan.over = over;
  plan.overrides = overrides;
  plan.overrides.insert(plan.overrides.end(), {"duration=60*turn", "simulate.step=20 us"});
  plan.section.at = "rising(sin(crank.angle - 90 deg))";
  plan.section.points = {"place=slider.y/c", "speed=slider.vy"};
  plan.section.skip = 25;
  plan.section.turns = 12;
  const SweepRunner runner(plan);
  SweepTable table;
  table.header = runner.header();
  for (std::int64_t i = 0; i < runner.chains().size(); ++i) table.rows.push_back(*runner.run(i, {}, nullptr));
  return table;
}

// With the restitution of the paper the impacts of half a turn are over before the slider changes sides: it repeats
// itself every turn. With 0.8 they are not, and it does not.
TEST(DrivenSliderCrank, RepeatsItselfUnlessImpactsLast) {
  const SweepTable soft = settled({"c=0.7 mm,1 mm,1.3 mm"}, {});
  const Attractors calm = find_attractors(soft, 1e-2);
  for (const int place : calm.of_row) EXPECT_EQ(calm.list.at(static_cast<std::size_t>(place)).period, 1);
  const SweepTable hard = settled({"c=1 mm,1.3 mm"}, {"restitution=0.8"});
  const Attractors wild = find_attractors(hard, 1e-2);
  for (const int place : wild.of_row) EXPECT_EQ(wild.list.at(static_cast<std::size_t>(place)).period, 0);
  for (const SweepRow& row : hard.rows) {
    for (std::size_t i = 1; i < row.crossings.size(); i += 3)
      EXPECT_LE(std::abs(row.crossings[i]), 1.1) << "in the guide";
  }
}

// A run that follows another one begins in its last state, but for whole turns of the crank that the motor drives.
TEST(DrivenSliderCrank, IsFollowedAfterWholeTurns) {
  const ModelFile file = load_example("slider_crank_driven");
  const Model model = build_model(file);
  const State start = model.system->initial_state();
  std::vector<double> numbers(start.q.begin(), start.q.end());
  numbers.insert(numbers.end(), start.u.begin(), start.u.end());
  numbers[0] += 15 * 2 * std::numbers::pi;  // the crank's
  const State followed = followed_start(model, numbers);
  EXPECT_LT((followed.q - start.q).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(followed.u, start.u);
  numbers[0] += 1;
  EXPECT_THROW(followed_start(model, numbers), ModelError);
}

// Once it repeats itself, the motor puts in what impacts and friction take.
TEST(DrivenSliderCrank, TakesFromTheMotorWhatImpactsAndFrictionLose) {
  const ModelRun run = run_example("slider_crank_driven", {"duration=10*turn"}, {"crank.omega"});
  const EnergyAccount& account = run.summary.account;
  EXPECT_GT(account.impact_loss, 1);
  EXPECT_NEAR(account.input - account.impact_loss - account.friction_loss,
              run.summary.energy_final_J - run.summary.energy_initial_J - run.summary.energy_drift_J,
              1e-6 * account.input);
  EXPECT_NEAR(run["crank.omega"].back(), 150, 1e-6);
}

}  // namespace
}  // namespace freeplay::test::slider_crank_driven_test
