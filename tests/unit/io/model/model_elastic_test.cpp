// The block `elastic` of a body, and what may be attached to such a body.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "freeplay/io/model/model_build.h"
#include "freeplay/mechanism/mechanism.h"
#include "unit/io/model/model_test_support.h"

namespace freeplay::test::model_elastic_test {
namespace {

using testing::HasSubstr;

const std::string kBeam =
    "length: 2 m, mass_per_length: 3 kg/m, bending: cantilever, bending_modes: 2, bending_stiffness: 50 N m^2";

std::string model_with(const std::string& elastic, const std::string& rest = "", const std::string& shapes = "{}") {
  return "freeplay: 1\nspace: planar\nbodies:\n  beam:\n    elastic: {" + elastic + "}\n    shapes: " + shapes +
         "\njoints: {root: {type: fixed, parent: ground, child: beam, at_child: [-1 m, 0]}}\n" + rest +
         "\nsimulate: {duration: 1 s}\n";
}

TEST(ElasticBlock, IsReadWithItsDefaults) {
  const ModelFile model = parse_model(model_with(kBeam + ", stations: [0 m, 2 m], initial_modes: 1 mm"), "model.yaml");
  const BodySpec& body = model.mechanism.bodies.at(0);
  ASSERT_TRUE(body.elastic);
  EXPECT_EQ(body.mass_kg, 6);
  EXPECT_EQ(body.elastic->length_m, 2);
  EXPECT_EQ(body.elastic->bending, BendingShapes::kCantilever);
  EXPECT_EQ(body.elastic->mode_count(), 2);
  EXPECT_EQ(body.elastic->bending_stiffness_Nm2, 50);
  EXPECT_EQ(body.elastic->axial, AxialShapes::kNone);
  EXPECT_TRUE(body.elastic->foreshortening);
  EXPECT_EQ(body.elastic->start(), Vec3(-1, 0, 0));
  EXPECT_EQ(body.elastic->stations_m, (std::vector<double>{0, 2}));
  EXPECT_EQ(body.elastic->initial_q, std::vector<double>{1e-3});
  const auto system = build_system(model);
  EXPECT_EQ(system->velocity_count(), 2);
  EXPECT_EQ(system->initial_state().q[0], 1e-3);
  for (const char* name :
       {"beam.modal_2", "beam.modal_2_rate", "beam.strain_energy", "beam.deflection_1", "beam.moment_2"})
    EXPECT_GE(find_channel(*system, name), 0) << name;
}

TEST(ElasticBlock, RefusesWhatARigidBodyHas) {
  std::string text = model_with(kBeam);
  text.insert(text.find("    shapes"), "    mass: 1 kg\n");
  const std::vector<Diagnostic> mistakes = mistakes_in(text);
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_EQ(mistakes[0].path, "bodies.beam.mass");
  EXPECT_THAT(mistakes[0].message, HasSubstr("elastic"));
}

TEST(ElasticBlock, MistakesAreToldWithTheirPlace) {
  EXPECT_THAT(mistakes_in(model_with("length: 1 m")).at(0).message, HasSubstr("mass_per_length"));
  try {
    build_system(parse_model(model_with("length: 1 m, mass_per_length: 1 kg/m, bending: free-free"), "model.yaml"));
    ADD_FAILURE() << "a beam without stiffness was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().at(0).path, "bodies.beam.elastic.bending_stiffness");
  }
}

TEST(ElasticBlock, KnotsAndDampingAreRead) {
  const std::string tapered =
      "length: 1 m, knots: [0 m, 500 mm, 1 m], mass_per_length: [3 kg/m, 2 kg/m, 1 kg/m], bending: cantilever, "
      "bending_modes: 2, bending_stiffness: [50 N m^2, 40 N m^2, 10 N m^2], start: [-1 m, 0], "
      "rotary_inertia_per_length: 1e-3 kg m, rayleigh: {alpha: 0.5/s, beta: 1 ms}";
  const ModelFile model = parse_model(model_with(tapered), "model.yaml");
  const ElasticSpec& beam = *model.mechanism.bodies.at(0).elastic;
  ASSERT_EQ(beam.knots.size(), 3U);
  EXPECT_EQ(beam.knots[1].s_m, 0.5);
  EXPECT_EQ(beam.knots[1].bending_stiffness_Nm2, 40);
  EXPECT_EQ(beam.knots[2].mass_per_length_kg_m, 1);
  EXPECT_EQ(beam.knots[2].rotary_inertia_per_length_kg_m, 1e-3);
  EXPECT_EQ(model.mechanism.bodies.at(0).mass_kg, 2);
  ASSERT_TRUE(beam.rayleigh);
  EXPECT_EQ(beam.rayleigh->alpha_1_s, 0.5);
  EXPECT_EQ(beam.rayleigh->beta_s, 1e-3);
  EXPECT_EQ(build_system(model)->velocity_count(), 2);
}

// Each with the line, the key and a cure.
TEST(ElasticBlock, KnotsDampingAndPlacesThatDoNotFitAreRefused) {
  const auto mistake = [](const std::string& text) {
    try {
      build_model(parse_model(text, "model.yaml"));
    } catch (const ModelError& error) {
      EXPECT_GT(error.diagnostics().front().mark.line, 1);
      EXPECT_FALSE(error.diagnostics().front().hint.empty());
      return error.diagnostics().front().path + ": " + error.diagnostics().front().message;
    }
    return std::string();
  };
  const auto beam = [&](const std::string& more) { return mistake(model_with(kBeam + ", " + more)); };
  EXPECT_THAT(beam("knots: [0 m, 1.5 m, 1 m, 2 m]"), HasSubstr("elastic.knots: the knots do not increase: 1 m comes"));
  EXPECT_THAT(beam("knots: [0 m, 1 m, 1 m, 2 m]"), HasSubstr("elastic.knots: the knots do not increase"));
  EXPECT_THAT(beam("knots: [0 m, 1 m]"), HasSubstr("elastic.knots: the knots reach"));
  EXPECT_THAT(beam("knots: [0 m, 1 m, 2 m], axial: fixed-free, axial_stiffness: [1 N, 2 N]"),
              HasSubstr("elastic.axial_stiffness: there are 2 values for 3 knots"));
  EXPECT_THAT(beam("axial: fixed-free, axial_stiffness: [1 N, 2 N]"), HasSubstr("a uniform beam has one value"));
  EXPECT_THAT(beam("knots: [0 m, 1 m, 2 m], axial: fixed-free, axial_stiffness: [1 N, 2 N, 2 N], area: 1 m^2"),
              HasSubstr("elastic.area: is one value, but the stiffness changes along the beam"));
  const std::string knots =
      "length: 2 m, knots: [0 m, 2 m], mass_per_length: 3 kg/m, bending: cantilever, "
      "bending_modes: 2, section_modulus: 1e-6 m^3, bending_stiffness: ";
  EXPECT_THAT(mistake(model_with(knots + "[50 N m^2, 40 N m^2]")),
              HasSubstr("elastic.section_modulus: is one value, but the stiffness changes along the beam"));
  EXPECT_EQ(mistake(model_with(knots + "50 N m^2")), "");
  EXPECT_THAT(beam("damping_ratio: 0.1, rayleigh: {alpha: 1/s}"), HasSubstr("elastic.rayleigh: the damping is given"));
  EXPECT_THAT(beam("rayleigh: {alpha: -1/s}"), HasSubstr("elastic.rayleigh.alpha"));
  EXPECT_THAT(beam("modes: 3"), HasSubstr("elastic.modes"));
  EXPECT_THAT(mistake(model_with(kBeam, "forces: {pull: {type: force, on: beam, at: [1.1 m, 0], value: [0, 1 N]}}")),
              HasSubstr("forces.pull.at: x = 1.1 m is beyond the end"));
  EXPECT_THAT(mistake(model_with(kBeam,
                                 "ground: {shapes: {stop: {type: line, at: [0, -1 m], normal: [0, 1]}}}\n"
                                 "contacts: {hit: {between: [beam.tip, ground.stop], impact: newton, restitution: 0}}",
                                 "{tip: {type: point, at: [-1.2 m, 0]}}")),
              HasSubstr("bodies.beam.shapes.tip.at: x = -1.2 m is beyond the end"));
}

TEST(ElasticBlock, ABodyThatIsNotElasticStillNeedsItsInertia) {
  const std::vector<Diagnostic> mistakes =
      mistakes_in("freeplay: 1\nspace: planar\nbodies: {arm: {mass: 1 kg}}\nsimulate: {duration: 1 s}\n");
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_THAT(mistakes[0].message, HasSubstr("'inertia' is missing"));
}

// A point moves with the tip; an outline would have to bend.
TEST(ElasticBlock, OutlinesOnBeamsAreRefusedWithACure) {
  const std::string rest =
      "ground: {shapes: {stop: {type: line, at: [0, -1 m], normal: [0, 1]}}}\n"
      "contacts: {strike: {between: [beam.skin, ground.stop], impact: newton, restitution: 0}}";
  EXPECT_NO_THROW(build_model(parse_model(model_with(kBeam, rest, "{skin: {type: point, at: [1 m, 0]}}"), "m.yaml")));
  try {
    build_model(parse_model(
        model_with(kBeam, rest, "{skin: {type: polygon, vertices: [[0 m, 0 m], [1 m, 0 m], [0 m, 1 m]]}}"), "m.yaml"));
    ADD_FAILURE() << "a polygon on a beam was accepted";
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().at(0).path, "bodies.beam.shapes.skin");
    EXPECT_THAT(error.diagnostics().at(0).hint, HasSubstr("points, circles or spheres"));
  }
}

}  // namespace
}  // namespace freeplay::test::model_elastic_test
