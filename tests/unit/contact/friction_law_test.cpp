// mu(v): values, limits, and which of them a step takes.
#include "freeplay/contact/laws/friction_law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/contact/laws/friction_law_builder.h"
#include "freeplay/contact/problem/law_writer.h"

namespace freeplay::test::friction_law_test {
namespace {

FrictionLaw a_stribeck_law() {
  return FrictionLaw::stribeck(
      {.static_friction = 0.4, .kinetic_friction = 0.25, .speed_m_s = 0.01, .exponent = 2, .viscous_s_m = 0.05});
}
FrictionLaw a_table() {
  return FrictionLaw::table({{0, 0.4}, {0.1, 0.3}, {0.5, 0.3}, {1, 0.35}});
}

TEST(FrictionLaw, CoulombsCoefficientIsTheSameAtEverySpeed) {
  const FrictionLaw law = FrictionLaw::coulomb(0.3);
  EXPECT_EQ(law.static_limit(), 0.3);
  for (const double v : {0.0, 1e-9, 1.0, 100.0}) EXPECT_EQ(law.at(v), 0.3);
}

TEST(FrictionLaw, StribecksFallsFromTheStaticLimitAndRisesAgain) {
  const FrictionLaw law = a_stribeck_law();
  EXPECT_EQ(law.static_limit(), 0.4);
  EXPECT_EQ(law.at(0), 0.4);
  EXPECT_NEAR(law.at(0.01), 0.25 + 0.15 * std::exp(-1.0) + 0.05 * 0.01, 1e-15);
  EXPECT_NEAR(law.at(0.02), 0.25 + 0.15 * std::exp(-4.0) + 0.05 * 0.02, 1e-15);
  EXPECT_NEAR(law.at(1), 0.25 + 0.05, 1e-15);
}

TEST(FrictionLaw, StribecksExponentIsFree) {
  const FrictionLaw law =
      FrictionLaw::stribeck({.static_friction = 0.4, .kinetic_friction = 0.2, .speed_m_s = 0.1, .exponent = 0.5});
  EXPECT_NEAR(law.at(0.4), 0.2 + 0.2 * std::exp(-2.0), 1e-15);  // sqrt(0.4/0.1) = 2
}

TEST(FrictionLaw, ATableIsStraightBetweenItsEntriesAndConstantBeyond) {
  const FrictionLaw law = a_table();
  EXPECT_EQ(law.static_limit(), 0.4);
  EXPECT_EQ(law.at(0), 0.4);
  EXPECT_NEAR(law.at(0.025), 0.375, 1e-15);
  EXPECT_EQ(law.at(0.1), 0.3);
  EXPECT_EQ(law.at(0.3), 0.3);
  EXPECT_NEAR(law.at(0.75), 0.325, 1e-15);
  EXPECT_EQ(law.at(1), 0.35);
  EXPECT_EQ(law.at(50), 0.35);
}

TEST(FrictionLaw, ATableOfOneEntryIsCoulombs) {
  const FrictionLaw law = FrictionLaw::table({{0, 0.2}});
  for (const double v : {0.0, 1.0}) EXPECT_EQ(law.at(v), 0.2);
}

// ---- What a time step takes

class StepFriction : public testing::Test {
 protected:
  StepFriction() {
    point_.law.friction_law = std::make_shared<const FrictionLaw>(a_table());
    point_.law.friction = point_.law.friction_law->static_limit();
    const LivePoint live{{0, 0}, &point_};
    set_.assign({&live, 1});
  }
  ImpulseBlock friction_block(const Activation& activation, std::vector<double> gamma_A) const {
    VecX c = VecX::Zero(static_cast<Eigen::Index>(gamma_A.size()));
    std::vector<ImpulseBlock> blocks;
    const LawRows rows{.points = set_,
                       .active = {&activation, 1},
                       .gamma_A = gamma_A,
                       .bilateral_approach = {},
                       .stick_speed_m_s = 1e-8};
    write_velocity_laws(rows, c, blocks);
    return blocks.back();
  }

  ContactPoint point_;
  ContactSet set_;
};

TEST_F(StepFriction, IsThatOfTheSlidingSpeedAtTheStart) {
  const ImpulseBlock block = friction_block({.point = 0}, {-1, -0.05});
  EXPECT_EQ(block.hi1, point_.law.friction_law->at(0.05));
  EXPECT_EQ(block.lo1, -block.hi1);
}

TEST_F(StepFriction, IsTheStaticLimitAtAndBelowTheStickSpeed) {
  EXPECT_EQ(friction_block({.point = 0}, {-1, 1e-8}).hi1, 0.4);
  EXPECT_LT(friction_block({.point = 0}, {-1, 2e-8}).hi1, 0.4);
}

// The rows of a step are those of its midpoint: what stuck before may seem to slide by what they have turned since.
TEST_F(StepFriction, IsTheStaticLimitIfThePointStuckInTheStepBefore) {
  const LastContact last{.was_loaded = true, .stuck = true};
  EXPECT_EQ(friction_block({.point = 0, .last = &last}, {-1, 0.05}).hi1, 0.4);
  EXPECT_EQ(friction_block({.point = 0, .stuck = true}, {-1, 0.05}).hi1, 0.4);
  const LastContact slid{.was_loaded = true};
  EXPECT_LT(friction_block({.point = 0, .last = &slid}, {-1, 0.05}).hi1, 0.4);
}

TEST_F(StepFriction, InSpaceIsThatOfTheSpeedInBothDirections) {
  point_.tangents = 2;
  const ImpulseBlock block = friction_block({.point = 0}, {-1, 0.03, -0.04});
  EXPECT_EQ(block.set, ImpulseSet::kDisc);
  EXPECT_NEAR(block.mu, 0.35, 1e-15);
}

TEST_F(StepFriction, APointWithoutFrictionAtRestMayHaveSomeInMotion) {
  point_.law.friction_law = std::make_shared<const FrictionLaw>(FrictionLaw::table({{0, 0}, {1, 0.5}}));
  point_.law.friction = 0;
  EXPECT_TRUE(point_.has_friction());
  EXPECT_EQ(friction_block({.point = 0}, {-1, 0.5}).hi1, 0.25);
}

// ---- Mistakes

std::vector<Diagnostic> mistakes_of(const ContactLawSpec& law) {
  std::vector<Diagnostic> mistakes;
  EXPECT_EQ(make_friction_law(law, "contacts.a", mistakes), nullptr);
  return mistakes;
}

TEST(FrictionLawBuilder, CoulombsLawIsTheNumberAlone) {
  ContactLawSpec law;
  law.friction = 0.3;
  EXPECT_TRUE(mistakes_of(law).empty());
}

TEST(FrictionLawBuilder, RefusesTablesThatAreNoFunctionsOfTheSpeed) {
  const auto path_of_mistake = [](std::vector<Vec2> table) {
    ContactLawSpec law;
    law.friction_law.law = "table";
    law.friction_law.table = std::move(table);
    const std::vector<Diagnostic> mistakes = mistakes_of(law);
    EXPECT_EQ(mistakes.size(), 1u);
    return mistakes.empty() ? "" : mistakes.front().path;
  };
  EXPECT_EQ(path_of_mistake({}), "contacts.a.friction_law");
  EXPECT_EQ(path_of_mistake({{0.1, 0.3}}), "contacts.a.friction_table[0]");
  EXPECT_EQ(path_of_mistake({{0, 0.3}, {0.2, 0.2}, {0.1, 0.1}}), "contacts.a.friction_table[2]");
  EXPECT_EQ(path_of_mistake({{0, 0.3}, {0, 0.2}}), "contacts.a.friction_table[1]");
  EXPECT_EQ(path_of_mistake({{0, 0.3}, {0.1, -0.2}}), "contacts.a.friction_table[1]");
  EXPECT_EQ(path_of_mistake({{0, 0.3}, {std::nan(""), 0.2}}), "contacts.a.friction_table[1]");
}

TEST(FrictionLawBuilder, StribecksNeedsAStaticLimitThatIsNotLess) {
  ContactLawSpec law;
  law.friction = 0.3;
  law.friction_law.law = "stribeck";
  ASSERT_EQ(mistakes_of(law).size(), 1u);
  law.friction_law.static_friction = 0.2;
  ASSERT_EQ(mistakes_of(law).size(), 1u);
  EXPECT_EQ(mistakes_of(law).front().path, "contacts.a.static_friction");
  law.friction_law.static_friction = 0.3;
  std::vector<Diagnostic> none;
  EXPECT_NE(make_friction_law(law, "contacts.a", none), nullptr);
}

TEST(FrictionLaw, AFunctionIsAskedAboveRestAndOnceForItsStaticLimit) {
  int asked = 0;
  const FrictionLaw law = FrictionLaw::function([&asked](double v) {
    ++asked;
    return 0.2 + 0.1 * std::exp(-v);
  });
  EXPECT_EQ(law.static_limit(), 0.2 + 0.1);
  EXPECT_EQ(law.at(0), law.static_limit());
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(law.at(2), 0.2 + 0.1 * std::exp(-2.0));
}

}  // namespace
}  // namespace freeplay::test::friction_law_test
