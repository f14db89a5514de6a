// What is said of couplings that cannot close, or whose wheels are told to turn in ways that do not fit together: by
// how much, in its unit, and what may be changed.
#include <gmock/gmock.h>

#include "couplings/gear_pair.h"
#include "freeplay/core/error.h"

namespace freeplay::test::coupling_messages_test {
namespace {

using testing::HasSubstr;
using testing::Not;

// Place, message and hint.
std::string error_of(const std::string& text) {
  try {
    build_system(parse_model(text, "wheels.yaml"));
  } catch (const ModelError& error) {
    const Diagnostic& first = error.diagnostics().front();
    return first.path + ": " + first.message + " | " + first.hint;
  }
  return "none";
}

// Two wheels, s = r1 q1 + r2 q2 or, without a radius, q1 + 1.5 q2.
std::string wheels(const std::string& radius, const std::string& joint_1, const std::string& joint_2,
                   const std::string& drivers = "") {
  return "freeplay: 1\nspace: planar\n"
         "bodies:\n"
         "  one: {mass: 1 kg, inertia: 2e-3 kg m^2}\n"
         "  two: {mass: 3 kg, inertia: 9e-3 kg m^2}\n"
         "joints:\n"
         "  first: {type: revolute, parent: ground, child: one" +
         joint_1 + "}\n  second: {type: revolute, parent: ground, at_parent: [100 mm, 0], child: two" + joint_2 +
         "}\ncouplings: {mesh: {type: gear, first: first, second: second, ratio: 1.5" + radius + "}}\n" + drivers +
         "simulate: {duration: 1 s}\n";
}

const std::string kRadius = ", pitch_radius: 40 mm";
const std::string kTurned = ", initial: {q: 0.1 rad}";

// 40 mm * 0.1 + 60 mm * 0.1, and 0.1 + 1.5 * 0.1 = 0.25 rad.
TEST(CouplingMessages, TellByHowMuchAPitchLineStaysOpenAsALength) {
  const std::string of_length = error_of(wheels(kRadius, kTurned, kTurned));
  EXPECT_THAT(of_length, HasSubstr("couplings.mesh: the mechanism cannot be assembled: 'mesh' stays open by 10 mm"));
  const std::string of_angle = error_of(wheels("", kTurned, kTurned));
  EXPECT_THAT(of_angle, HasSubstr("'mesh' stays open by 14.32 deg"));
}

// s = r1 q1 + r2 q2 would move by 40 mm * 3 rad/s + 60 mm * 1 rad/s, or without radii by 3 + 1.5 rad/s.
TEST(CouplingMessages, OfMotionsThatContradictEachOtherNameThemAndTheUnit) {
  const std::string drivers =
      "drivers:\n  run_1: {on: first, motion: \"3 rad/s*t\"}\n  run_2: {on: second, motion: \"1 rad/s*t\"}\n";
  for (const auto& [radius, unit] :
       {std::pair{kRadius, std::string(" m/s")}, std::pair{std::string(), std::string(" rad/s")}}) {
    const std::string text = error_of(wheels(radius, "", "", drivers));
    SCOPED_TRACE(text);
    EXPECT_THAT(text, HasSubstr("the prescribed velocities contradict each other"));
    EXPECT_THAT(text, Not(HasSubstr("initial")));
    EXPECT_THAT(text, HasSubstr(unit));
    EXPECT_THAT(text, HasSubstr("change or remove one of the motions 'run_1', 'run_2': "));
  }
}

TEST(CouplingMessages, OfInitialVelocitiesTellThoseThatTheyNeed) {
  // q2' = -q1'/1.5
  const std::string text = error_of(wheels(kRadius, ", initial: {u: 3 rad/s}", ", initial: {u: 1 rad/s}"));
  EXPECT_THAT(text, HasSubstr("initial.u: contradicts the loops and couplings: they need "));
  EXPECT_THAT(text, HasSubstr(" rad/s instead of "));
  EXPECT_THAT(text, HasSubstr(" rad/s | leave it out or correct it"));
}

TEST(CouplingMessages, OfAMotionBesideAnInitialVelocityTellTheOneThatItNeeds) {
  const std::string drivers = "drivers: {run: {on: first, motion: \"3 rad/s*t\"}}\n";
  EXPECT_EQ(error_of(wheels(kRadius, "", ", initial: {u: -2 rad/s}", drivers)), "none");
  EXPECT_THAT(error_of(wheels(kRadius, "", ", initial: {u: 1 rad/s}", drivers)),
              HasSubstr("joints.second.initial.u: contradicts the loops and couplings: they need -2 rad/s instead of "
                        "1 rad/s"));
}

}  // namespace
}  // namespace freeplay::test::coupling_messages_test
