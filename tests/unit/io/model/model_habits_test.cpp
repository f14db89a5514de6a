// What people write who come from other programs: each is refused with a hint that says how it is written here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "freeplay/io/model/model_file.h"

namespace freeplay::test::model_habits_test {
namespace {

using testing::HasSubstr;

struct Draft {
  std::string gravity = "[0, -9.81 m/s^2]", arm = "{mass: 1 kg, inertia: 1 kg m^2}",
              driver = "{on: pin, torque: 1 N m}";
  std::string bodies = "bodies", q = "0";

  std::string text() const {
    return "freeplay: 1\nspace: planar\ngravity: " + gravity + "\n" + bodies + ":\n  arm: " + arm +
           "\njoints: {pin: {type: revolute, parent: ground, child: arm, initial: {q: " + q +
           "}}}\ndrivers: {engine: " + driver + "}\nsimulate: {duration: 1 s}\n";
  }
};

// All that is said about it.
std::string mistakes_in(const Draft& model) {
  try {
    parse_model(model.text(), "model.yaml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST(Habits, TheModelWithoutThemIsRight) {
  EXPECT_EQ(mistakes_in({}), "none");
}

TEST(Habits, AnExponentWithoutCaret) {
  EXPECT_THAT(mistakes_in({.gravity = "[0, -9.81 m/s2]"}), HasSubstr("write `s^2`"));
  EXPECT_THAT(mistakes_in({.arm = "{mass: 1 kg, inertia: 1 kg m2}"}), HasSubstr("write `m^2`"));
}

TEST(Habits, ADecimalComma) {
  EXPECT_THAT(mistakes_in({.gravity = "[0, -9,81 m/s^2]"}), HasSubstr("hint: decimals are written with a point"));
  EXPECT_THAT(mistakes_in({.gravity = "[0, 0, -9.81 m/s^2]"}), HasSubstr("hint: a planar model has vectors of 2"));
  EXPECT_THAT(mistakes_in({.arm = "{mass: 1,5 kg, inertia: 1 kg m^2}"}),
              HasSubstr("hint: decimals are written with a point"));
  EXPECT_THAT(mistakes_in({.arm = "\n    mass: 1,5 kg\n    inertia: 1 kg m^2"}),
              HasSubstr("hint: decimals are written with a point"));
}

TEST(Habits, NoBlankAfterTheColon) {
  const std::string mistakes = mistakes_in({.arm = "{mass:1 kg, inertia: 1 kg m^2}"});
  EXPECT_THAT(mistakes, HasSubstr("hint: a blank belongs after the colon: 'mass: 1 kg'"));
  EXPECT_THAT(mistakes, testing::Not(HasSubstr("is missing")));
  EXPECT_THAT(mistakes_in({.arm = "\n    mass:1 kg\n    inertia: 1 kg m^2"}), HasSubstr("blank after the colon"));
}

TEST(Habits, ARateInsteadOfAMotion) {
  EXPECT_THAT(mistakes_in({.driver = "{on: pin, motion: 3 rad/s}"}), HasSubstr("'3 rad/s*t'"));
  EXPECT_EQ(mistakes_in({.driver = "{on: pin, motion: 3 rad/s*t}"}), "none");
  EXPECT_THAT(mistakes_in({.driver = "{on: pin, motion: 3 rad/s + 1 rpm}"}), HasSubstr("'(3 rad/s + 1 rpm)*t'"));
  EXPECT_EQ(mistakes_in({.driver = "{on: pin, motion: (3 rad/s + 1 rpm)*t}"}), "none");
}

TEST(Habits, AnotherWordForAKey) {
  const std::string mistakes = mistakes_in({.bodies = "bodys"});
  EXPECT_THAT(mistakes, HasSubstr("did you mean 'bodies'?"));
}

TEST(Habits, SignsThatHaveAPlainSpelling) {
  EXPECT_THAT(mistakes_in({.q = "30\u00b0"}), HasSubstr("write `deg`"));
  EXPECT_THAT(mistakes_in({.q = "2\u00d73"}), HasSubstr("write `*`"));
  EXPECT_THAT(mistakes_in({.gravity = "[0, -9.81 m/s\u00b2]"}), HasSubstr("write `^2`"));
}

}  // namespace
}  // namespace freeplay::test::model_habits_test
