#include "freeplay/report/plot/plot_sheet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freeplay::test::plot_sheet_test {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SheetPlan, TakesTheVelocitiesThatChange) {
  SheetFacts facts;
  facts.channels = {{"crank.vx", "m/s", 10},
                    {"crank.omega", "rad/s", 80},
                    {"slider.vx", "m/s", 20},
                    {"slider.vy", "m/s", 1e-12},
                    {"slider.omega", "rad/s", 0}};
  const SheetPlan plan = plan_sheet(facts);
  EXPECT_THAT(plan.angular, ElementsAre("crank.omega"));
  EXPECT_THAT(plan.linear, ElementsAre("crank.vx", "slider.vx"));
  EXPECT_FALSE(plan.has_modes || plan.has_impacts || plan.has_energy || plan.has_drift || plan.has_steps);
}

TEST(SheetPlan, OfManyBodiesTheBusiestFourInTheOrderOfTheFile) {
  SheetFacts facts;
  for (int i = 0; i < 8; ++i)
    facts.channels.push_back({"b" + std::to_string(i) + ".omega", "rad/s", i % 2 == 0 ? 10.0 + i : 1});
  EXPECT_THAT(plan_sheet(facts).angular, ElementsAre("b0.omega", "b2.omega", "b4.omega", "b6.omega"));
}

TEST(SheetPlan, OfManyVelocitiesOneOfEachBody) {
  SheetFacts facts;
  facts.channels = {{"a.vx", "m/s", 3}, {"a.vy", "m/s", 5}, {"b.vx", "m/s", 4}, {"b.vy", "m/s", 2}};
  EXPECT_THAT(plan_sheet(facts).linear, ElementsAre("a.vy", "b.vx"));
}

TEST(SheetPlan, ASystemWithoutBodiesShowsItsRates) {
  SheetFacts facts;
  facts.channels = {{"upper.angle", "rad", 1}, {"arm.u", "rad/s", 2}, {"step.residual", "m/s", 3}};
  const SheetPlan plan = plan_sheet(facts);
  EXPECT_THAT(plan.angular, ElementsAre("arm.u"));
  EXPECT_THAT(plan.linear, IsEmpty());
  EXPECT_TRUE(plan.has_steps);
}

TEST(SheetPlan, JournalsGapsModesAndImpactsAsFarAsThereAreAny) {
  SheetFacts facts;
  facts.channels = {{"pin.mode", "1", 0}, {"energy.total", "J", 0}, {"energy.drift", "J", 0}, {"step.size", "s", 0}};
  facts.journals = {"pin", "other"};
  facts.touching = {"floor"};
  facts.has_impacts = true;
  const SheetPlan plan = plan_sheet(facts);
  EXPECT_EQ(plan.journal, "pin");
  EXPECT_EQ(plan.gaps, "floor");
  EXPECT_TRUE(plan.has_modes && plan.has_impacts && plan.has_energy && plan.has_drift && plan.has_steps);
}

PlotPanel panel_of(std::vector<std::vector<double>> curves) {
  PlotPanel panel;
  for (const std::vector<double>& values : curves) {
    PlotCurve curve;
    for (std::size_t i = 0; i < values.size(); ++i) curve.points.push_back({static_cast<double>(i), values[i]});
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

TEST(SheetPlan, GapsHaveAPanelWhereTheyOpenOrWhereTheyCarry) {
  EXPECT_TRUE(tells_of_gaps(panel_of({{0.1, 0, 0.05}}), 1e-6));
  EXPECT_FALSE(tells_of_gaps(panel_of({{0, 1e-13, 0}}), 0)) << "rounding";
  EXPECT_FALSE(tells_of_gaps(panel_of({{0, -3e-8, -2e-7}}), 2.1e-7)) << "a rigid top that sinks in while it rolls";
  EXPECT_TRUE(tells_of_gaps(panel_of({{0, -0.04, -0.01}}), 0)) << "a tyre";
  EXPECT_FALSE(tells_of_gaps(panel_of({{0, 0, 0}, {0.1, 0.1, 0.1}}), 0)) << "a block that slides: its upper corners";
  PlotPanel walled = panel_of({{0, 1}});
  walled.curves.front().is_frame = true;
  EXPECT_FALSE(tells_of_gaps(walled, 0));
}

TEST(SheetPlan, ForcesHaveAPanelWhereThereAreAnyBetweenBlows) {
  EXPECT_TRUE(tells_of_forces(panel_of({{0, 0}, {0, 12}}), 15e3));
  EXPECT_FALSE(tells_of_forces(panel_of({{0, 1e-13}, {0, 0}}), 15e3));
  EXPECT_FALSE(tells_of_forces(panel_of({{0, 0}}), 0));
}

TEST(CommonName, IsWhatAllChannelsShare) {
  EXPECT_EQ(common_name({"crank.omega", "rod.omega"}), "omega");
  EXPECT_EQ(common_name({"bearing.force_x", "bearing.force_y"}), "bearing");
  EXPECT_EQ(common_name({"a.x", "b.y"}), "");
  EXPECT_EQ(common_name({"a.x", "2*a.x"}), "");
}

TEST(RunLabels, SayWhatDiffers) {
  RunFacts base;
  base.model = "crank";
  base.integrator = "moreau-midpoint";
  base.solver = "lemke";
  base.parameters = {{"c", "1 mm"}, {"e", "0.4"}};
  RunFacts half = base, stiff = base;
  half.overrides = {"c=0.5mm"};
  half.parameters[0].second = "0.5mm";
  stiff.overrides = {"simulate.solver=auto", "simulate.step=1us"};
  stiff.solver = "auto";
  EXPECT_THAT(run_labels({base}), ElementsAre(""));
  EXPECT_THAT(run_labels({base, half}), ElementsAre("c=1 mm", "c=0.5mm"));
  EXPECT_THAT(run_labels({base, stiff}), ElementsAre("lemke", "step=1us, auto"));
}

TEST(RunLabels, WhatAllHaveInCommonIsNotRepeatedAndTwinsAreToldByTheirPlace) {
  RunFacts a, b;
  a.overrides = b.overrides = {"simulate.duration=1 s"};
  a.path = "first", b.path = "second";
  EXPECT_THAT(run_labels({a, b}), ElementsAre("first", "second"));
  b.overrides.push_back("joints.pin.model=ideal");
  EXPECT_THAT(run_labels({a, b}), ElementsAre("as in the file", "joints.pin.model=ideal"));
}

}  // namespace freeplay::test::plot_sheet_test
