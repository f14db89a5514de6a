// A run whose outcome depends on a choice about contacts says so, and is silent once the file has chosen.
#include "cli/warnings/warnings_fixture.h"

namespace freeplay::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TouchingWarnings : public WarningsOfARun {
 protected:
  // The first of three balls strikes the second; the third is `gap` away from that one.
  std::vector<std::string> of_cradle(const std::string& gap, const std::string& more, const std::string& e = "0.9") {
    return of(
        "bodies:\n"
        "  a: {mass: 1 kg, inertia: 1e-3 kg m^2, initial: {x: -101 mm, vx: 1 m/s}, shapes: {c: {type: circle, "
        "radius: 50 mm}}}\n"
        "  b: {mass: 1 kg, inertia: 1e-3 kg m^2, shapes: {c: {type: circle, radius: 50 mm}}}\n"
        "  c: {mass: 1 kg, inertia: 1e-3 kg m^2, initial: {x: 100 mm + " +
        gap +
        "}, shapes: {c: {type: circle, radius: 50 mm}}}\n"
        "contacts:\n"
        "  first: {between: [b.c, a.c], impact: newton, restitution: " +
        e +
        "}\n"
        "  second: {between: [c.c, b.c], impact: newton, restitution: " +
        e +
        "}\n"
        "simulate: {integrator: moreau-midpoint, step: 10 us, duration: 3 ms" +
        more + "}\n");
  }
};

TEST_F(TouchingWarnings, SayThatTheOutcomeIsAChoiceAndWhatTheOtherOneIs) {
  for (const char* rule : {"", ", activation: anticipated"}) {
    EXPECT_THAT(of_cradle("0 m", rule),
                ElementsAre(testing::AllOf(HasSubstr("'first' strikes while 'second' touches, within 5e-11 m"),
                                           HasSubstr("struck one after the other they would separate differently"),
                                           HasSubstr("'simultaneous: 1e-09'"))));
    EXPECT_THAT(of_cradle("0 m", std::string(rule) + ", simultaneous: 1e-9"), IsEmpty()) << "the file has chosen";
    EXPECT_THAT(of_cradle("0 m", rule, "0"), IsEmpty()) << "without restitution both ways end alike";
  }
  EXPECT_THAT(of_cradle("1 mm", ""), IsEmpty()) << "it is struck later";
}

TEST_F(TouchingWarnings, SayThatRoundingDecidesUnderTheExactComparison) {
  EXPECT_THAT(
      of_cradle("1e-15 m", ", simultaneous: 0"),
      ElementsAre(testing::AllOf(HasSubstr("rounding of that gap decides"), HasSubstr("'simultaneous: 1e-09'"))));
}

// Stops 1 nm apart, struck at 100 m/s: the body is 4 mm behind them after each step of 0.1 ms.
// The paper knows no tolerance and no choice: what its rule does to a gap of zero is that rule, not rounding.
TEST_F(TouchingWarnings, AreSilentUnderTheRuleOfThePaper) {
  EXPECT_THAT(of_cradle("0 m", ", lasting_contacts: paper"), IsEmpty());
}

TEST_F(TouchingWarnings, NameStopsThatAStepJumpsOver) {
  EXPECT_THAT(of("bodies: {a: {mass: 1 kg, inertia: 0.1 kg m^2}, b: {mass: 1 kg, inertia: 0.1 kg m^2}}\n"
                 "joints:\n"
                 "  ja: {type: prismatic, parent: ground, child: a, axis: [0, 1], stops: {lower: 0, upper: 1 mm, "
                 "restitution: 1}}\n"
                 "  jb: {type: prismatic, parent: a, child: b, axis: [0, 1], stops: {lower: 0, upper: 1e-9 m, "
                 "restitution: 1}, initial: {u: 100 m/s}}\n"
                 "simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 0.1 s, simultaneous: 1e-9}\n"),
              testing::Contains(HasSubstr("penetrates its wall by more than a tenth of the clearance")));
}

}  // namespace
}  // namespace freeplay::test
