#include "freeplay/study/compare/cause.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/study/synthetic_run.h"

namespace freeplay::test::cause_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Everything that a cause is decided by; what a test does not set differs in nothing.
struct Case {
  StudyRun reference = run_with({{1, 2, 3}, {2, 1, 1.5}});
  StudyRun other = reference;
  StudyRun refined_reference = run_with({{1, 2, 3}, {2, 1, 1.5}}, 5e-5);
  StudyRun refined_other = refined_reference;
  PerturbationGrowth twin;

  CauseFinding find() {
    const MatchResult match = match_impacts(reference, other);
    EXPECT_TRUE(match.parting) << "the case is none";
    if (!match.parting) return {};
    CauseInput input;
    input.reference = &reference;
    input.other = &other;
    input.match = &match;
    input.refined_reference = &refined_reference;
    input.refined_other = &refined_other;
    input.twin = &twin;
    return find_cause(input);
  }
};

// The other run is another rule, 10 % too fast at the second impact.
Case fast_second_impact() {
  Case given;
  given.other = run_with({{1, 2, 3}, {2, 1.1, 1.65}});
  given.other.options.integrator = "moreau-jean";
  return given;
}

TEST(Cause, ADisagreementThatHalfOfTheStepRemovesIsTheStep) {
  Case given = fast_second_impact();
  const CauseFinding finding = given.find();
  EXPECT_EQ(finding.cause, Cause::kStep);
  EXPECT_THAT(finding.sentence, HasSubstr("50 us"));
}

TEST(Cause, ADisagreementThatShrinksWithTheStepIsTheStep) {
  Case given = fast_second_impact();
  given.refined_other = run_with({{1, 2, 3}, {2, 1.05, 1.575}}, 5e-5);
  const CauseFinding finding = given.find();
  EXPECT_EQ(finding.cause, Cause::kStep);
  EXPECT_THAT(finding.sentence, HasSubstr("is 0.1 m/s, then 0.05"));
}

TEST(Cause, ADisagreementNoLargerThanWhatTheStepChangesInOneRunIsTheStep) {
  // Both are 0.1 m/s faster with half of the step, so that their difference stays.
  Case given = fast_second_impact();
  given.refined_reference = run_with({{1, 2, 3}, {2, 1.1, 1.65}}, 5e-5);
  given.refined_other = run_with({{1, 2, 3}, {2, 1.2, 1.8}}, 5e-5);
  const CauseFinding finding = given.find();
  EXPECT_EQ(finding.cause, Cause::kStep);
  EXPECT_THAT(finding.sentence, HasSubstr("moves the reference by 0.1 and the other run by 0.1"));
}

TEST(Cause, AnImpactThatComesAndGoesWithTheStepIsTheStep) {
  Case given;
  given.other = run_with({{1, 2, 3}});
  given.other.options.integrator = "moreau-jean";
  given.refined_reference = run_with({{1, 2, 3}, {1.5, 1, 1}, {2, 1, 1.5}}, 5e-5);
  given.refined_other = run_with({{1, 2, 3}}, 5e-5);
  EXPECT_EQ(given.find().cause, Cause::kStep);
  given.refined_reference = run_with({{1, 2, 3}, {2, 1, 1.5}}, 5e-5);
  EXPECT_EQ(given.find().cause, Cause::kUndecided);
}

TEST(Cause, ADisagreementThatStaysAtHalfOfTheStepIsUndecided) {
  Case given = fast_second_impact();
  given.refined_other = run_with({{1, 2, 3}, {2, 1.1, 1.65}}, 5e-5);
  const CauseFinding finding = given.find();
  EXPECT_EQ(finding.cause, Cause::kUndecided);
  EXPECT_EQ(finding.tests.size(), 5U);
}

TEST(Cause, ConvergedRunsThatPartElsewhereWhenRefinedAreNotTheStep) {
  Case given = fast_second_impact();
  // Refined, the two diverge at another contact, but at this impact they are what they were.
  given.refined_reference = run_with({{1, 2, 3}, {1.5, 1, 1, 1}, {2, 1, 1.5}}, 5e-5);
  given.refined_other = run_with({{1, 2, 3}, {1.5, 1.1, 1, 1}, {2, 1.1, 1.65}}, 5e-5);
  EXPECT_EQ(given.find().cause, Cause::kUndecided);
}

TEST(Cause, AnotherAnswerToTheSameApproachIsTheLaw) {
  Case given;
  given.other = run_with({{1, 2, 3.6, 0, 0.8}, {2, 1, 1.5}});
  given.other.traits.contact_treatment = ContactTreatment::kForces;
  given.refined_other = given.other;
  const CauseFinding finding = given.find();
  EXPECT_EQ(finding.cause, Cause::kLaw);
  EXPECT_THAT(finding.sentence, HasSubstr("delivered restitution 0.500 and 0.800"));
}

TEST(Cause, LawsThatAnswerAlikeAreNotToBlame) {
  Case given = fast_second_impact();
  given.other.other_settings = {"law=hertz"};
  const CauseFinding finding = given.find();
  EXPECT_EQ(finding.cause, Cause::kStep);
}

TEST(Cause, WhatTheStepAloneChangesIsNoLaw) {
  Case given;
  given.other = run_with({{1, 2, 3.2}, {2, 1, 1.5}});
  given.other.other_settings = {"law=hertz"};
  // At half of the step the other run answers as the reference does: 6 % were its own error.
  const CauseFinding finding = given.find();
  EXPECT_EQ(finding.cause, Cause::kStep);
}

TEST(Cause, APartingInTheUnresolvedTailOfAnAccumulationIsZeno) {
  Case given;
  // Intervals 1, 1/2, ..., 1/32 s; steps of 10 ms. The other run misses the last two impacts.
  given.reference = run_with(bounces(0.5, 7), 1e-2);
  given.other = run_with(bounces(0.5, 5), 1e-2);
  given.other.options.integrator = "moreau-jean";
  given.refined_reference = run_with(bounces(0.5, 8), 5e-3);
  given.refined_other = run_with(bounces(0.5, 6), 5e-3);
  const CauseFinding finding = given.find();
  EXPECT_EQ(finding.cause, Cause::kZeno);
  EXPECT_THAT(finding.sentence, HasSubstr("towards 3 s"));
}

TEST(Cause, APartingInTheResolvedPartOfAnAccumulationIsNotZeno) {
  Case given;
  given.reference = run_with(bounces(0.5, 7), 1e-5);
  given.other = run_with(bounces(0.5, 7, 0.1), 1e-5);
  given.refined_reference = given.refined_other = run_with(bounces(0.5, 7), 5e-6);
  EXPECT_EQ(given.find().cause, Cause::kStep);
}

TEST(Cause, OnlyAnotherSolverIsTheSolver) {
  Case given;
  given.other = run_with({{1, 2, 3}, {2, 1.1, 1.65}});
  given.other.options.solver = "nsgs";
  given.reference.has_friction = true;
  given.reference.summary.worst_residual_m_s = given.other.summary.worst_residual_m_s = 1e-10;
  EXPECT_EQ(given.find().cause, Cause::kSolver);
  EXPECT_THAT(given.find().sentence, HasSubstr("more than one solution"));
  given.other.summary.worst_residual_m_s = 1e-3;
  EXPECT_THAT(given.find().sentence, HasSubstr("misses the tolerance"));
}

// Whoever changes the solver and how it is asked does not know which of the two made the difference.
TEST(Cause, AnotherSolverWithOtherOptionsIsNotTheSolverAlone) {
  Case given;
  given.other = run_with({{1, 2, 3}, {2, 1.1, 1.65}});
  given.other.options.solver = "prox-jacobi";
  ASSERT_EQ(given.find().cause, Cause::kSolver);
  EXPECT_THAT(differing_settings(given.reference, given.other), ElementsAre("solver"));
  const auto with = [&](auto change) {
    Case changed = given;
    change(changed.other.options);
    EXPECT_NE(changed.find().cause, Cause::kSolver);
    return differing_settings(changed.reference, changed.other);
  };
  EXPECT_THAT(with([](SimulationOptions& options) { options.solver_tolerance_m_s = 1e-6; }),
              ElementsAre("solver", "solver_tolerance"));
  EXPECT_THAT(with([](SimulationOptions& options) { options.r_factor = RFactor::kRowSum; }),
              ElementsAre("solver", "r_factor"));
  EXPECT_THAT(with([](SimulationOptions& options) { options.impact_threshold_m_s = 2e-3; }),
              ElementsAre("solver", "impact_threshold"));
}

TEST(Cause, AnOptionThatNeitherRunUsesIsNoDifference) {
  Case given;
  given.other.options.theta = 1;
  EXPECT_THAT(differing_settings(given.reference, given.other), IsEmpty());
  given.other.options.integrator = "moreau-jean";
  EXPECT_THAT(differing_settings(given.reference, given.other), ElementsAre("integrator", "theta"));
}

TEST(Cause, ParametersThatDifferAreNamed) {
  Case given;
  given.reference.other_settings = {"c=1 mm", "law=hertz"};
  given.other.other_settings = {"law=hertz", "c=2 mm"};
  EXPECT_THAT(differing_settings(given.reference, given.other), ElementsAre("c"));
}

TEST(Cause, AfterTheTwinHasDriftedAwayNothingElseIsToBlame) {
  Case given = fast_second_impact();
  given.twin.differs = true;
  given.twin.parted_at_s = 1.5;
  EXPECT_EQ(given.find().cause, Cause::kChaos);
  given.twin.parted_at_s = 2.5;  // after the parting
  EXPECT_EQ(given.find().cause, Cause::kStep);
}

// Envelope 1e-9 exp(5 t): ln(10)/5 = 0.4605 s for a factor of ten, ln(2)/5 = 138.6 ms for one of two.
TEST(Cause, WhereDifferencesGrowTheSentenceSaysHowLittleASmallerStepHelps) {
  Case given = fast_second_impact();
  given.twin.differs = true;
  given.twin.rate_per_s = 5;
  for (double t = 0; t < 2.9; t += 0.01) {
    given.twin.time.push_back(t);
    given.twin.envelope.push_back(1e-9 * std::exp(5 * t));
  }
  const CauseFinding finding = given.find();
  EXPECT_EQ(finding.cause, Cause::kStep);
  EXPECT_THAT(finding.sentence, HasSubstr("tenfold in 460.5 ms (a change of 1e-9 at the start has become 2e-05"));
  EXPECT_THAT(finding.sentence, HasSubstr("half the error delays the divergence by about 138.6 ms only"));
  given.twin.parted_at_s = 1.5;
  EXPECT_EQ(given.find().cause, Cause::kChaos);
  EXPECT_THAT(given.find().sentence, HasSubstr("tenfold in 460.5 ms"));
  EXPECT_THAT(given.find().sentence, HasSubstr("means, extremes and counts"));
  given.twin.rate_per_s = -1;  // what does not grow is not spoken of
  EXPECT_THAT(given.find().sentence, testing::Not(HasSubstr("tenfold")));
}

TEST(Cause, AForceLastsUntilItHasGone) {
  StudyRun run = run_with({{1, 2, 3}});
  run.traits.contact_treatment = ContactTreatment::kForces;
  run.trace.time = {0, 0.9, 1.1, 1.2, 1.3, 2};
  run.trace.channels = {{"floor.normal_force", "N"}};
  run.trace.columns = {{0, 0, 5, 4, 0, 0}};
  EXPECT_NEAR(contact_duration(run, 0, 1), 0.3, 1e-12);
  run.traits.contact_treatment = ContactTreatment::kImpulses;
  EXPECT_EQ(contact_duration(run, 0, 1), 0);
}

}  // namespace freeplay::test::cause_test
