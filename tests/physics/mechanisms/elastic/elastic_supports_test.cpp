// Beams between two supports: what lets them bend, and what a user is told where nothing does.
#include <gmock/gmock.h>

#include <cmath>

#include "physics/model_run.h"

namespace freeplay::test::elastic_supports_test {
namespace {

using testing::HasSubstr;

// 1 m, 1 kg/m, E I = 100 N m^2, hinged at its beginning, under its weight; strongly damped.
std::string beam_on(const std::string& support, const std::string& shapes = "", const std::string& duration = "0.6 s") {
  return "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\nbodies:\n"
         "  beam: {elastic: {length: 1 m, mass_per_length: 1 kg/m, start: [0, 0], bending: simply-supported, "
         "bending_modes: 4, bending_stiffness: 100 N m^2, damping_ratio: 0.7, stations: [0.5 m]" +
         shapes +
         "}}\n  shoe: {mass: 0.1 kg, inertia: 1e-5 kg m^2}\njoints:\n"
         "  root: {type: revolute, parent: ground, child: beam}\n"
         "  pin: {type: revolute, parent: beam, at_parent: [1 m, 0], child: shoe}\n"
         "  support: {type: " +
         support +
         ", parent: ground, at_parent: [1 m, 0], child: shoe}\n"
         "simulate: {integrator: cvode-bdf, tolerance: 1e-9, step: 1 ms, duration: " +
         duration + "}\n";
}

constexpr double kSag = 5 * 9.81 / (384 * 100);  // 5 q L^4/(384 E I)

TEST(ElasticSupports, ABeamOnOneThatSlidesSagsAsBeamTheorySays) {
  const ModelRun run = run_model(parse_model(beam_on("prismatic"), "beam.yaml"));
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_TRUE(run.summary.warnings.empty());
  EXPECT_NEAR(run["beam.deflection_1"].back(), -kSag, 1e-3 * kSag);
}

// Both ends held: it has to stretch. With a force S along the axis the sag is that of beam theory over about
// 1 + S L^2/(pi^2 E I), and S = E A (pi w/L)^2/4: w (1 + E A w^2/(4 E I)) = kSag.
TEST(ElasticSupports, ABeamBetweenTwoThatDoNotIsPulledStraight) {
  const ModelRun run = run_model(
      parse_model(beam_on("fixed", ", axial: fixed-free, axial_modes: 6, axial_stiffness: 1e8 N"), "beam.yaml"));
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  EXPECT_TRUE(run.summary.warnings.empty());
  double sag = kSag;
  for (int i = 0; i < 100; ++i) sag -= (sag * (1 + 1e8 * sag * sag / 400) - kSag) / (1 + 3e8 * sag * sag / 400);
  EXPECT_LT(sag, 0.9 * kSag);
  EXPECT_NEAR(run["beam.deflection_1"].back(), -sag, 0.02 * sag);
}

TEST(ElasticSupports, ABeamThatCannotStretchBetweenThemIsToldToBeLocked) {
  const ModelFile locked = parse_model(beam_on("fixed", "", "2 ms"), "beam.yaml"),
                  linear = parse_model(beam_on("fixed", ", foreshortening: false", "2 ms"), "beam.yaml");
  const ModelRun run = run_model(locked);
  ASSERT_FALSE(run.summary.warnings.empty());
  EXPECT_THAT(run.summary.warnings[0], HasSubstr("the joints hold places of 'beam' at fixed distances"));
  EXPECT_THAT(run.summary.warnings[0], HasSubstr("'axial' shapes"));
  EXPECT_TRUE(run_model(linear).summary.warnings.empty());
}

}  // namespace
}  // namespace freeplay::test::elastic_supports_test
