// The block `elastic` of a body, and what may be attached to such a body.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "freeplay/io/model/model_build.h"
#include "freeplay/mechanism/mechanism.h"
#include "unit/io/model_test_support.h"

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
