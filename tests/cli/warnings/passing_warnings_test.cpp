// Parts that would fly through each other within a step, where the model has more pairs than are all looked at.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include "cli/warnings/warnings_fixture.h"
#include "freeplay/simulation/advice.h"
#include "physics/model_run.h"

namespace freeplay::test {

namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class PassingWarnings : public WarningsOfARun {};

// Twenty posts of 40 mm in a row, 10 m apart; a ball of 20 mm moves by 0.2 m in a step of 2 ms along y = `y`.
std::string shot(const std::string& simulate, bool is_group, const std::string& y = "0 m") {
  std::string posts, contacts;
  for (int k = 0; k < 20; ++k) {
    posts += fmt::format("    post{}: {{type: circle, radius: 20 mm, at: [{} m, 0]}}\n", k, -10 * k);
    contacts += fmt::format("  c{}: {{between: [ball.p, ground.post{}], impact: newton, restitution: 0.5}}\n", k, k);
  }
  return "bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: 1.05 m, y: " + y +
         ", vx: -100 m/s}, shapes: {p: {type: circle, radius: 10 mm}}}}\nground:\n  shapes:\n" + posts +
         (is_group ? "groups: {all: {members: ball, against: ground, restitution: 0.5}}\n" : "contacts:\n" + contacts) +
         "simulate: {duration: 20 ms, integrator: " + simulate + "}\n";
}

TEST_F(PassingWarnings, ComeAlsoAmongManyPairs) {
  for (const std::string rule : {"moreau-midpoint", "moreau-jean", "moreau-midpoint, activation: anticipated"}) {
    SCOPED_TRACE(rule);
    EXPECT_THAT(
        of(shot(rule + ", step: 2 ms", false)),
        Contains(HasSubstr("in the step to t = 0.012 s the parts of 'c0' would have flown through each other")));
    EXPECT_THAT(of(shot(rule + ", step: 2 us", false)), IsEmpty());
    EXPECT_THAT(of(shot(rule + ", step: 2 ms", false, "31 mm")), IsEmpty()) << "it flies past";
  }
}

TEST_F(PassingWarnings, ComeAlsoInGroups) {
  EXPECT_THAT(of(shot("moreau-midpoint, step: 2 ms", true)),
              Contains(HasSubstr("the parts of 'all' would have flown through each other")));
  EXPECT_THAT(of(shot("moreau-midpoint, step: 2 us", true)), IsEmpty());
}

// No model is known in which 65 536 pieces of a step are not enough; these are the words for it, once and no more.
TEST_F(PassingWarnings, HaveWordsForPiecesThatAreNotShortEnough) {
  const ModelFile file = load_example("bouncing_ball", {});
  const Model model = build_model(file);
  Advice advice(*model.system, *model.contacts, file.simulate);
  std::vector<std::string> said;
  RunContext context;
  context.log = [&](LogLevel, std::string_view text) { said.emplace_back(text); };
  for (int k = 0; k < 2; ++k) advice.on_passage(0.5, 0, context);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("and overlap in between, also in the shortest piece of it"));
}

// It rests for the first steps, in which surveys find nothing fast, and is then pushed: between two of them it passes.
TEST_F(PassingWarnings, ComeAlsoWhereASlowPartBecomesFast) {
  std::string model = shot("moreau-midpoint, step: 1 ms", false);
  const auto replace = [&](const std::string& from, const std::string& to) {
    model.replace(model.find(from), from.size(), to);
  };
  replace("x: 1.05 m, y: 0 m, vx: -100 m/s", "x: 0.36 m, y: 0 m");
  replace("duration: 20 ms", "duration: 33 ms");
  model += "forces: {push: {type: force, on: ball, value: [\"-10000 N*step(t - 20.5 ms)*step(40.5 ms - t)\", 0 N]}}\n";
  EXPECT_THAT(of(model), Contains(HasSubstr("in the step to t = 0.029 s the parts of 'c0' would have flown through")));
}

}  // namespace

}  // namespace freeplay::test
