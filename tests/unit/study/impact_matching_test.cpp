#include "freeplay/study/compare/impact_matching.h"

#include <gtest/gtest.h>

#include "unit/study/synthetic_run.h"

namespace freeplay::test::impact_matching_test {

TEST(ImpactMatching, RunsWithTheSameImpactsNeverPart) {
  const StudyRun run = run_with({{1, 2, 3}, {2, 1, 1.5}, {2.5, 1, 1, 1}});
  const MatchResult match = match_impacts(run, run);
  EXPECT_FALSE(match.parting);
  EXPECT_EQ(match.matched, 3);
  EXPECT_EQ(match.largest_time_difference_s, 0);
}

TEST(ImpactMatching, DifferencesBelowOnePercentAndTwoStepsAreNone) {
  const StudyRun a = run_with({{1, 2, 3}, {2, 1, 1.5}}), b = run_with({{1.0002, 2.01, 3.02}, {2.0001, 1.005, 1.51}});
  const MatchResult match = match_impacts(a, b);
  EXPECT_FALSE(match.parting);
  EXPECT_NEAR(match.largest_time_difference_s, 2e-4, 1e-12);
  EXPECT_NEAR(match.largest_speed_difference_m_s, 0.01, 1e-12);
}

TEST(ImpactMatching, TheFirstPartingOfAnyContactIsReportedWithWhatDiffers) {
  const StudyRun a = run_with({{1, 2, 3}, {2, 1, 1.5, 1}, {3, 1, 1}});
  const StudyRun late = run_with({{1, 2, 3}, {2.5, 1, 1.5, 1}, {3, 1, 1}});
  const StudyRun fast = run_with({{1, 2, 3}, {2, 1.1, 1.5, 1}, {3, 1, 1}});
  const StudyRun hard = run_with({{1, 2, 3}, {2, 1, 1.6, 1}, {3, 1, 1.3}});
  const std::pair<const StudyRun*, PartingKind> cases[] = {
      {&late, PartingKind::kTime}, {&fast, PartingKind::kSpeed}, {&hard, PartingKind::kImpulse}};
  for (const auto& [other, kind] : cases) {
    const MatchResult match = match_impacts(a, *other);
    ASSERT_TRUE(match.parting);
    EXPECT_EQ(match.parting->kind, kind);
    EXPECT_EQ(match.parting->contact, 1);
    EXPECT_EQ(match.parting->order, 1);
    EXPECT_EQ(match.parting->time_s, 2);
    EXPECT_EQ(match.matched, 1);
  }
}

TEST(ImpactMatching, AnImpactThatOnlyOneRunHasIsMissingAndNotLate) {
  const StudyRun a = run_with({{1, 2, 3}, {2, 1, 1.5}, {3, 1, 1}}), b = run_with({{1, 2, 3}, {3, 1, 1}});
  const MatchResult match = match_impacts(a, b);
  ASSERT_TRUE(match.parting);
  EXPECT_EQ(match.parting->kind, PartingKind::kMissing);
  EXPECT_EQ(match.parting->time_s, 2);
  EXPECT_TRUE(match.parting->reference);
  EXPECT_FALSE(match.parting->other);
  const MatchResult other_way = match_impacts(b, a);
  ASSERT_TRUE(other_way.parting);
  EXPECT_FALSE(other_way.parting->reference);
}

TEST(ImpactMatching, AVerySlowImpactMayLackAPartner) {
  // 0.9 % of the fastest: below twice the limit of 0.5 %.
  const StudyRun a = run_with({{1, 2, 3}, {2, 0.018, 0.02}, {3, 1, 1}}), b = run_with({{1, 2, 3}, {3, 1, 1}});
  EXPECT_FALSE(match_impacts(a, b).parting);
  EXPECT_FALSE(match_impacts(b, a).parting);
}

TEST(ImpactMatching, AContactHeldByTimeSteppingIsOneImpact) {
  std::vector<GivenImpact> held = {{1, 2, 3}};
  for (int i = 1; i < 50; ++i) held.push_back({1 + 1e-4 * i, 0.1, 0.1});
  const StudyRun a = run_with(held), b = run_with({{1, 2, 3}});
  EXPECT_EQ(impact_sequences(a)[0].size(), 1U);
  EXPECT_FALSE(match_impacts(a, b).parting);
}

TEST(ImpactMatching, WhereEventsAreLocatedImpactsAtOneInstantAreSeveral) {
  StudyRun run = run_with({{1, 2, 3}, {1, 1, 1.5}, {1 + 1e-9, 0.5, 0.7}});
  run.traits.contact_treatment = ContactTreatment::kAccelerations;
  run.traits.step_rule = StepRule::kErrorControlled;
  EXPECT_EQ(impact_sequences(run)[0].size(), 3U);
  const MatchResult match = match_impacts(run, run);
  EXPECT_FALSE(match.parting);
  EXPECT_EQ(match.matched, 3);
}

TEST(ImpactMatching, WhatTheShorterRunCouldNotSeeIsNoParting) {
  const StudyRun a = run_with({{1, 2, 3}, {5, 2, 3}}), b = run_with({{1, 2, 3}}, 1e-4, 4.0);
  EXPECT_FALSE(match_impacts(a, b).parting);
}

TEST(ImpactMatching, ABallsImpactsAccumulateWhereTheSeriesEnds) {
  // Impacts from 1 s on, intervals 1, e, e^2, ...: the limit is 1 + 1/(1 - e) = 3 s.
  const StudyRun run = run_with(bounces(0.5, 10));
  const std::vector<Accumulation> found = accumulations(impact_sequences(run));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].impacts, 10);
  EXPECT_NEAR(found[0].ratio, 0.5, 1e-9);
  EXPECT_NEAR(found[0].limit_s, 3, 1e-9);
}

TEST(ImpactMatching, RegularImpactsDoNotAccumulate) {
  const StudyRun run = run_with({{1, 2, 3}, {2, 2, 3}, {3, 2, 3}, {4, 2, 3}, {5, 2, 3}, {6, 2, 3}});
  EXPECT_TRUE(accumulations(impact_sequences(run)).empty());
}

}  // namespace freeplay::test::impact_matching_test
