#include "freeplay/study/formulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freeplay::test::formulation_test {

using testing::ElementsAre;
using testing::HasSubstr;

ModelFile ball(const std::string& contact, const std::string& simulate) {
  return parse_model(R"(freeplay: 1
name: Ball
space: planar
parameters: {law: {word: hertz}, step: 1 ms}
bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 1 m}, shapes: {skin: {type: circle, radius: 100 mm}}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts: {bounce: {between: [ball.skin, ground.floor], )" +
                         contact + "}}\nsimulate: {" + simulate + "}\n",
                     "ball.yaml");
}
ModelFile ball() {
  return ball("impact: newton, restitution: 0.5", "integrator: moreau-midpoint, step: step, duration: 1 s");
}

Formulation one(const std::string& text) {
  return parse_formulations(std::vector<std::string>{text}, ball()).at(0);
}

TEST(Formulation, ShortKeysAreThoseOfSimulateThenParameters) {
  EXPECT_THAT(
      one("integrator=moreau-jean, solver=lemke,law=hertz,bodies.ball.mass=2 kg").overrides,
      ElementsAre("simulate.integrator=moreau-jean", "simulate.solver=lemke", "law=hertz", "bodies.ball.mass=2 kg"));
  EXPECT_THAT(one("step=1us").overrides, ElementsAre("simulate.step=1us"));  // not the parameter of that name
  EXPECT_THAT(one("parameters.step=1us").overrides, ElementsAre("parameters.step=1us"));
}

TEST(Formulation, AWordAloneIsAnIntegratorOrASolver) {
  EXPECT_THAT(one("moreau-jean, lemke").overrides,
              ElementsAre("simulate.integrator=moreau-jean", "simulate.solver=lemke"));
}

TEST(Formulation, TheLabelStandsBeforeAColonOrIsMadeOfTheValues) {
  EXPECT_EQ(one("stiff one: integrator=dopri5").label, "stiff one");
  EXPECT_EQ(one("integrator=moreau-jean,solver=lemke,step=1us").label, "moreau-jean, lemke, step=1us");
  EXPECT_EQ(one("stiff one: dopri5").folder, "stiff_one");
}

TEST(Formulation, CommasInBracketsBelongToTheValue) {
  EXPECT_THAT(one("gravity.x=[0, 1], lemke").overrides, ElementsAre("gravity.x=[0, 1]", "simulate.solver=lemke"));
}

TEST(Formulation, LabelsAndFoldersAreUniqueAndFoldersAreTame) {
  const std::vector<std::string> texts = {"lemke", "lemke", "../<script>: lemke", "\xf0\x9f\x98\x80: nsgs"};
  const std::vector<Formulation> list = parse_formulations(texts, ball());
  EXPECT_EQ(list[1].label, "lemke (2)");
  EXPECT_NE(list[0].folder, list[1].folder);
  for (const Formulation& formulation : list) {
    EXPECT_EQ(formulation.folder.find_first_of("/<> "), std::string::npos) << formulation.folder;
    EXPECT_FALSE(formulation.folder.empty() || formulation.folder.starts_with("."));
  }
}

TEST(Formulation, UnknownKeysAndNamesGetAProposal) {
  const std::pair<const char*, const char*> cases[] = {{"sovler=lemke", "solver"},
                                                       {"solver=lemk", "lemke"},
                                                       {"integrator=moreau-jeans", "moreau-jean"},
                                                       {"semismoth-newton", "semismooth-newton"}};
  for (const auto& [text, meant] : cases) {
    try {
      one(text);
      FAIL() << text;
    } catch (const ModelError& error) {
      EXPECT_THAT(error.diagnostics().at(0).hint, HasSubstr(meant)) << text;
      EXPECT_EQ(error.diagnostics().at(0).mark.file, "--with");
    }
  }
}

TEST(Formulation, TextsOfAnotherFormAreRefused) {
  for (const char* text : {"", "lemke,,", "solver=", "=lemke", ": lemke"})
    EXPECT_THROW(one(text), FormulationError) << text;
}

std::vector<std::string> default_labels(const ModelFile& file) {
  std::vector<std::string> labels;
  for (const Formulation& formulation : default_formulations(file)) labels.push_back(formulation.label);
  return labels;
}

TEST(Formulation, WithoutAForceLawNoSmoothIntegratorIsProposed) {
  EXPECT_THAT(default_labels(ball()),
              ElementsAre("moreau-midpoint, auto", "moreau-midpoint, lemke", "moreau-midpoint, prox-gauss-seidel",
                          "moreau-midpoint, semismooth-newton", "moreau-jean, auto", "event-driven"));
}

TEST(Formulation, OfAFileForEventsTimeSteppingTakesAHundredthOfTheRows) {
  const ModelFile file =
      ball("impact: newton, restitution: 0.5", "integrator: event-driven, step: 2 ms, duration: 100 s");
  const std::vector<Formulation> list = default_formulations(file);
  ASSERT_EQ(list.size(), 5U);
  EXPECT_EQ(list[0].label, "event-driven, auto");
  for (std::size_t i = 1; i < list.size(); ++i)
    EXPECT_THAT(list[i].overrides, testing::Contains("simulate.step=2e-05 s"));
}

// Poisson's law is for these two rules only.
TEST(Formulation, WhatARuleDoesNotKnowKeepsItAway) {
  const ModelFile file =
      ball("impact: poisson, restitution: 0.5", "integrator: moreau-midpoint, step: step, duration: 1 s");
  EXPECT_THAT(default_labels(file),
              ElementsAre("moreau-midpoint, auto", "moreau-midpoint, lemke", "moreau-midpoint, prox-gauss-seidel",
                          "moreau-midpoint, semismooth-newton", "moreau-jean, auto", "event-driven"));
}

// `theta` belongs to moreau-jean alone; the others run without it.
TEST(Formulation, AKeyOfTheFilesOwnIntegratorDoesNotKeepTheOthersAway) {
  const ModelFile file =
      ball("impact: newton, restitution: 0.5", "integrator: moreau-jean, theta: 0.7, step: step, duration: 1 s");
  EXPECT_THAT(default_labels(file), testing::Contains("moreau-midpoint, lemke"));
}

TEST(Formulation, WithoutAnImpactLawNoTimeSteppingIsProposed) {
  const ModelFile file =
      ball("restitution: 0.5, force: {law: hertz, stiffness: 1e8 N/m^1.5}", "integrator: cvode-bdf, duration: 1 s");
  EXPECT_THAT(default_labels(file), ElementsAre("cvode-bdf", "dopri5"));
  ModelFile with_dopri5 = file;
  with_dopri5.simulate.integrator = "dopri5";
  EXPECT_THAT(default_labels(with_dopri5), ElementsAre("dopri5", "cvode-bdf"));
}

TEST(Formulation, ATimeSteppingRuleGetsAStepIfTheFileHasNone) {
  const ModelFile file = ball("impact: newton, restitution: 0.5, force: {law: hertz, stiffness: 1e8 N/m^1.5}",
                              "integrator: dopri5, duration: 1 s");
  const std::vector<Formulation> list = default_formulations(file);
  ASSERT_EQ(list.size(), 6U);
  EXPECT_EQ(list[0].label, "dopri5");
  EXPECT_THAT(list[1].overrides, testing::Contains("simulate.step=5e-05 s"));
}

}  // namespace freeplay::test::formulation_test
