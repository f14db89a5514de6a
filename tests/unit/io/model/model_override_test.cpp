// Parameters, and `--set`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "freeplay/io/model/model_file.h"
#include "unit/io/model/model_test_support.h"

namespace freeplay::test {
namespace {

using testing::HasSubstr;

double parameter(const ModelFile& model, const std::string& name) {
  for (const ModelParameter& candidate : model.parameters) {
    if (candidate.name == name) return candidate.value.value;
  }
  ADD_FAILURE() << "no parameter " << name;
  return 0;
}

ModelFile with(const std::vector<std::string>& overrides) {
  return parse_model(kSmallModel, "model.yaml", overrides);
}
Diagnostic mistake_with(const std::vector<std::string>& overrides) {
  const std::vector<Diagnostic> mistakes = mistakes_in(kSmallModel, overrides);
  EXPECT_EQ(mistakes.size(), 1U);
  return mistakes.empty() ? Diagnostic{} : mistakes.front();
}

TEST(Parameters, MayReferToLaterOnes) {
  const ModelFile model = parse_model("parameters: {a: 2*b, b: c/4, c: 8 mm}\n" + kSmallModel.substr(0, 26) +
                                          "bodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}\nsimulate: {duration: 1 s}\n",
                                      "model.yaml");
  EXPECT_NEAR(parameter(model, "a"), 0.004, 1e-18);
  EXPECT_EQ(model.parameters[0].name, "a") << "the order of the file is kept";
}

TEST(Parameters, APlainZeroFitsWhereItIsUsed) {
  const std::string text = "freeplay: 1\nspace: planar\nparameters: {x0: 0}\nsimulate: {duration: 1 s}\n";
  const ModelFile model =
      parse_model(text + "bodies: {arm: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: x0, omega: x0}}}\n", "model.yaml");
  EXPECT_EQ(model.mechanism.bodies[0].initial.position_m[0], 0.0);
}

// One mistake in a parameter is one message, however often it is used.
TEST(Parameters, UsesOfABrokenOneAreNotReported) {
  std::string text = kSmallModel;
  text.replace(text.find("200 mm"), 6, "200 mmm");
  EXPECT_EQ(mistakes_in(text).size(), 1U);
}

TEST(Parameters, AWordStandsWhereANameIsExpected) {
  const std::string text = kSmallModel + R"(
contacts: {c: {between: [arm.tip, ground.floor], impact: law, restitution: 0.5}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
)";
  const std::string with_shape = [&] {
    std::string changed = text;
    changed.insert(changed.find("inertia: 0.1 kg m^2") + 19, ", shapes: {tip: {type: point}}");
    return changed;
  }();
  EXPECT_EQ(parse_model(with_shape, "m").contacts.at(0).law.impact, "newton");
  EXPECT_EQ(parse_model(with_shape, "m", std::vector<std::string>{"law=poisson"}).contacts.at(0).law.impact, "poisson");
  const Diagnostic mistake = mistakes_in(with_shape, {"law=newtn"}).front();
  EXPECT_THAT(mistake.message, HasSubstr("unknown impact 'newtn'"));
  EXPECT_THAT(mistake.hint, HasSubstr("did you mean 'newton'"));
}

TEST(Overrides, ReplaceAParameterAndWhatFollowsFromIt) {
  const ModelFile model = with({"l=1m"});
  EXPECT_EQ(parameter(model, "l"), 1);
  EXPECT_EQ(parameter(model, "half"), 0.5);
  EXPECT_EQ(model.mechanism.joints[0].at_child_m.x(), -0.5);
  EXPECT_THAT(model.overrides, testing::ElementsAre("l=1m"));
}

TEST(Overrides, MayBeExpressionsAndTheLastOneWins) {
  EXPECT_DOUBLE_EQ(parameter(with({"l=3*half", "half=10 mm"}), "l"), 0.03);
  EXPECT_DOUBLE_EQ(parameter(with({"l=1 m", " l = 2 m "}), "l"), 2);
  EXPECT_EQ(parameter(with({"l=0"}), "half"), 0) << "a plain 0 fits every dimension";
  EXPECT_DOUBLE_EQ(parameter(with({"parameters.l=3 m"}), "l"), 3);
}

TEST(Overrides, ReachEveryValueByItsPath) {
  const ModelFile model = with({"simulate.step=1us", "bodies.arm.mass=2 kg", "gravity=[0, -1.62 m/s^2]",
                                "joints.pin.initial.q=30 deg", "record=[arm.x]", "name=Moon: a test"});
  EXPECT_DOUBLE_EQ(model.simulate.step_s.value(), 1e-6);
  EXPECT_EQ(model.mechanism.bodies[0].mass_kg, 2);
  EXPECT_EQ(model.mechanism.gravity_m_s2.y(), -1.62);
  EXPECT_NEAR(model.mechanism.joints[0].initial_q.at(0).value(), 0.5235987755982988, 1e-15);
  EXPECT_EQ(model.record.channels.size(), 1U);
  EXPECT_EQ(model.name, "Moon: a test");
}

TEST(Overrides, MistakesPointIntoTheOption) {
  const Diagnostic mistake = mistake_with({"bodies.arm.mass=2 * 3 mm"});
  EXPECT_EQ(mistake.mark.file, "--set");
  EXPECT_EQ(mistake.mark.line, 1);
  EXPECT_EQ(mistake.mark.column, 17);
  EXPECT_EQ(mistake.excerpt, "bodies.arm.mass=2 * 3 mm");
  EXPECT_EQ(mistake.path, "bodies.arm.mass");
}

TEST(Overrides, KeepTheDimensionOfAParameter) {
  const Diagnostic mistake = mistake_with({"l=3 kg"});
  EXPECT_EQ(mistake.mark.file, "--set");
  EXPECT_THAT(mistake.message, HasSubstr("is a length in the file, but '3 kg' is a mass"));
  EXPECT_THAT(mistake.hint, HasSubstr("m or a unit of the same kind"));
}

// Of two values for one parameter, as of --set and --over, only the one that counts is looked at: '2 m' is a length.
TEST(Overrides, OfTwoForOneParameterOnlyTheLastCanHaveTheWrongDimension) {
  const Diagnostic mistake = mistake_with({"l=2 m", "l=0.5"});
  EXPECT_THAT(mistake.message, HasSubstr("is a length in the file, but '0.5' is a plain number"));
  EXPECT_DOUBLE_EQ(parameter(with({"l=0.5", "l=2 m"}), "l"), 2);
  EXPECT_EQ(mistakes_in(kSmallModel, {"l=0.5", "half=3 kg", "l=0.6"}).size(), 2U);
}

TEST(Overrides, ANumberWithoutUnitIsShownWithTheUnitThatItLacks) {
  EXPECT_EQ(mistake_with({"l=0.5"}).hint, "write l=0.5m if SI units are meant: a number needs its unit here");
}

TEST(Overrides, KeepAQuantityAQuantity) {
  EXPECT_THAT(mistake_with({"l={word: long}"}).message, HasSubstr("is a length in the file"));
}

TEST(Overrides, UnknownNamesGetASuggestion) {
  EXPECT_THAT(mistake_with({"haf=3 mm"}).hint, HasSubstr("did you mean 'half'"));
  EXPECT_THAT(mistake_with({"bodies.amr.mass=3 kg"}).hint, HasSubstr("did you mean 'arm'"));
  EXPECT_THAT(mistake_with({"simulat.step=3 s"}).hint, HasSubstr("did you mean 'simulate'"));
  EXPECT_THAT(mistake_with({"simulate.stp=3 s"}).hint, HasSubstr("did you mean 'step'"));
  EXPECT_THAT(mistake_with({"simulate.step.size=3 s"}).message, HasSubstr("must be a single value"));
  EXPECT_THAT(mistake_with({"simulate.duration.size=3 s"}).message, HasSubstr("not a block"));
}

TEST(Overrides, MalformedTextsAreNamed) {
  EXPECT_THAT(mistake_with({"l"}).message, HasSubstr("not of the form key=value"));
  EXPECT_THAT(mistake_with({"=3"}).message, HasSubstr("not of the form key=value"));
  EXPECT_THAT(mistake_with({"l= "}).message, HasSubstr("is given no value"));
  EXPECT_THAT(mistake_with({"gravity=[0, "}).message, HasSubstr("not valid YAML"));
  EXPECT_THAT(mistake_with({std::string("l=1\0 m", 6)}).message, HasSubstr("unexpected character"));
}

TEST(Overrides, ASystemMayBeGivenParametersThatItsFileLeavesOut) {
  const std::string text = "freeplay: 1\nsystem: double_pendulum\nsimulate: {duration: 1 s}\n";
  const ModelFile model = parse_model(text, "model.yaml", std::vector<std::string>{"l1=2 m"});
  EXPECT_EQ(model.system->parameters.at(0).value.value, 2);
  const ModelError error = model.located(ModelError("parameters.l1", "is too long", "make it shorter"));
  EXPECT_EQ(error.diagnostics()[0].mark.file, "--set");
}

}  // namespace
}  // namespace freeplay::test
