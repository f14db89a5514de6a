// `variants:` lets the word of a parameter choose parts of a model.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "freeplay/io/model/model_family.h"
#include "freeplay/io/model/model_file.h"
#include "unit/io/model/model_test_support.h"

namespace freeplay::test::variants_test {
namespace {

using testing::HasSubstr;

const std::string kParts = R"(freeplay: 1
space: planar
parameters:
  part: {word: light}
  m: 1 kg
bodies:
  arm: {mass: m, inertia: 0.1 kg m^2}
variants:
  part:
    light: {}
    heavy:
      parameters: {m: 10 kg, extra: 2 kg}
      bodies: {arm: {mass: m + extra}}
    spatial:
      space: spatial
      bodies: {arm: {inertia: [0.1 kg m^2, 0.1 kg m^2, 0.2 kg m^2]}}
simulate: {integrator: dopri5, duration: 1 s}
)";

double mass_of_arm(const std::vector<std::string>& overrides) {
  return parse_model(kParts, "parts.yaml", overrides).mechanism.bodies.at(0).mass_kg;
}

TEST(Variants, TheWordOfAParameterChoosesPartsOfTheModel) {
  EXPECT_EQ(mass_of_arm({}), 1);
  EXPECT_EQ(mass_of_arm({"part=heavy"}), 12);
  EXPECT_EQ(mass_of_arm({"parameters.part = heavy"}), 12);
  EXPECT_EQ(mass_of_arm({"part=heavy", "part=light"}), 1) << "the last one counts, as for any parameter";
  const ModelFile spatial = parse_model(kParts, "parts.yaml", std::vector<std::string>{"part=spatial"});
  EXPECT_EQ(spatial.mechanism.space, Space::kSpatial);
  EXPECT_EQ(spatial.mechanism.bodies.at(0).inertia_kg_m2(2, 2), 0.2);
}

TEST(Variants, OverridesReachWhatTheVariantBrings) {
  EXPECT_EQ(mass_of_arm({"part=heavy", "extra=5 kg"}), 15);
  EXPECT_EQ(mass_of_arm({"extra=5 kg", "part=heavy"}), 15) << "in any order";
  EXPECT_EQ(mass_of_arm({"part=heavy", "bodies.arm.mass=3 kg"}), 3);
  EXPECT_THAT(mistakes_in(kParts, {"extra=5 kg"}).at(0).message, HasSubstr("no parameter 'extra'"));
}

TEST(Variants, AFileThatIncludesThemChoosesByItsParameter) {
  const ScratchFolder folder;
  folder.write("parts.yaml", kParts);
  const auto path = folder.write("heavy.yaml", "include: parts.yaml\nparameters: {part: {word: heavy}}\n");
  EXPECT_EQ(load_model(path).mechanism.bodies.at(0).mass_kg, 12);
}

TEST(Variants, AFamilyHasMembersOfAllVariants) {
  const io::ModelFamily family(kParts, "parts.yaml", {});
  EXPECT_EQ(family.member(std::vector<std::string>{"part=heavy"}).mechanism.bodies.at(0).mass_kg, 12);
  EXPECT_EQ(family.member({}).mechanism.bodies.at(0).mass_kg, 1);
  EXPECT_THROW(family.check(std::vector<std::string>{"part=huge"}), ModelError);
}

TEST(Variants, MistakesAreToldWithPlaceAndCure) {
  const std::vector<Diagnostic> unknown = mistakes_in(kParts, {"part=hevy"});
  EXPECT_EQ(unknown.at(0).message, "the parameter 'part' is 'hevy', and there is no such variant");
  EXPECT_THAT(unknown.at(0).hint, HasSubstr("heavy"));
  EXPECT_EQ(unknown.at(0).mark.line, 9);

  const std::string rest =
      "space: planar\nbodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}\n"
      "simulate: {integrator: dopri5, duration: 1 s}\nfreeplay: 1\n";
  const auto first_of = [&](const std::string& text) { return mistakes_in(text + rest).at(0).message; };
  EXPECT_EQ(first_of("variants: {part: {a: {}}}\n"), "there is no parameter 'part' that is a word");
  EXPECT_EQ(first_of("parameters: {part: 1 kg}\nvariants: {part: {a: {}}}\n"),
            "there is no parameter 'part' that is a word");
  EXPECT_EQ(first_of("variants: [a]\n"), "must be a block, but is a list");
  EXPECT_EQ(first_of("parameters: {part: {word: a}}\nvariants: {part: {a: 5}}\n"),
            "must be a block, but is a single value");
  EXPECT_EQ(first_of("parameters: {part: {word: a}}\nvariants: {part: {a: {}, b: {bodyes: {}}}}\n"),
            "unknown key 'bodyes'")
      << "also in a variant that is not chosen";
  EXPECT_EQ(first_of("parameters: {part: {word: a}}\nvariants: {part: {a: {include: x.yaml}}}\n"),
            "'include' cannot be chosen by a word");
}

TEST(Variants, WhatWouldHaveNoEffectOrHangOnTheOrderIsRefused) {
  const std::vector<Diagnostic> below = mistakes_in(kParts, {"variants.part.light={bodies: {arm: {mass: 5 kg}}}"});
  EXPECT_THAT(below.at(0).message, HasSubstr("chosen before anything is set"));
  EXPECT_THAT(below.at(0).hint, HasSubstr("the word that chooses"));

  EXPECT_THAT(mistakes_in(kParts, {"variants.part=~"}).at(0).message, HasSubstr("chosen before anything is set"));

  const std::string two = R"(freeplay: 1
space: planar
parameters: {part: {word: light}, drive: {word: slow}}
bodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}
variants:
  part: {light: {}, heavy: {parameters: {drive: {word: fast}}}}
  drive: {slow: {}, fast: {bodies: {arm: {mass: 2 kg}}}}
simulate: {integrator: dopri5, duration: 1 s}
)";
  const std::vector<Diagnostic> changed = mistakes_in(two, {});
  EXPECT_EQ(changed.at(0).message, "'drive' chooses a variant itself, so no variant may change it");
  EXPECT_EQ(changed.at(0).mark.line, 6);
}

}  // namespace
}  // namespace freeplay::test::variants_test
