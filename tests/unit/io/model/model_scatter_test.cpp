// Parameters that scatter: their mean is their value, and expressions of others may be in them.
#include "unit/io/model/model_test_support.h"

namespace freeplay::test::model_scatter_test {
namespace {

const ModelParameter& parameter_of(const ModelFile& file, const std::string& name) {
  for (const ModelParameter& each : file.parameters) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(name);
}

std::string model_with(const std::string& parameters) {
  return "freeplay: 1\nspace: planar\nparameters:\n" + parameters +
         "bodies:\n  arm: {mass: 1 kg, inertia: 0.1 kg m^2}\nsimulate: {duration: 1 s}\n";
}

ModelFile parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_model(text, "model.yaml", overrides);
}

TEST(ScatteredParameters, AFitIsItsMeanClearancePerSide) {
  const ModelFile file = parse(model_with("  c: {fit: H7/g6, diameter: 2*r}\n  r: 12.5 mm\n  twice: 2*c\n"));
  const ModelParameter& c = parameter_of(file, "c");
  EXPECT_NEAR(c.value.value, 12e-6, 1e-15);  // from 7 um to 41 um between the diameters
  EXPECT_EQ(c.value.dimension, dimensions::kLength);
  ASSERT_TRUE(c.distribution.has_value());
  EXPECT_NEAR(c.distribution->mean(), 12e-6, 1e-15);
  EXPECT_NEAR(c.distribution->standard_deviation(), std::hypot(21e-6, 13e-6) / 12, 1e-15);
  EXPECT_NEAR(parameter_of(file, "twice").value.value, 24e-6, 1e-15);
  EXPECT_FALSE(parameter_of(file, "twice").distribution.has_value());
}

// H7 of 25 mm: 0 to 21 um; k6: 2 um to 15 um. The thickest pin is 15 um thicker than the smallest hole.
TEST(ScatteredParameters, ATransitionFitSaysThatItMayInterfere) {
  const ModelFile transition = parse(model_with("  c: {fit: H7/k6, diameter: 25 mm}\n"));
  EXPECT_NEAR(parameter_of(transition, "c").value.value, 1e-6, 1e-15);
  EXPECT_EQ(parameter_of(transition, "c").text, "fit H7/k6, 25 mm, may interfere by 15 um");
  const ModelFile clearance = parse(model_with("  c: {fit: H7/g6, diameter: 25 mm}\n"));
  EXPECT_EQ(parameter_of(clearance, "c").text, "fit H7/g6, 25 mm");
}

TEST(ScatteredParameters, AreTheirMeanInARun) {
  const ModelFile file = parse(
      model_with("  m: {normal: [1 kg, 50 g]}\n  mu: {uniform: [0.1, 0.3]}\n  l: {triangular: [1 m, 1.5 m, 5 m]}\n"));
  EXPECT_NEAR(parameter_of(file, "m").value.value, 1, 1e-15);
  EXPECT_NEAR(parameter_of(file, "m").distribution->standard_deviation(), 0.05, 1e-15);
  EXPECT_NEAR(parameter_of(file, "mu").value.value, 0.2, 1e-15);
  EXPECT_NEAR(parameter_of(file, "l").value.value, 2.5, 1e-15);
}

TEST(ScatteredParameters, AValueOnTheCommandLineTakesTheirPlace) {
  const ModelFile file = parse(model_with("  c: {fit: H7/g6, diameter: 25 mm}\n"), {"c=0.1 mm"});
  EXPECT_NEAR(parameter_of(file, "c").value.value, 1e-4, 1e-18);
  EXPECT_FALSE(parameter_of(file, "c").distribution.has_value());
}

}  // namespace
}  // namespace freeplay::test::model_scatter_test
