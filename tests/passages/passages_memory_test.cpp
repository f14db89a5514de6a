// Among many pairs most steps are not looked at; which ones, a run that goes on from a checkpoint has to know.
#include <string>

#include "freeplay/simulation/watch/passed_parts.h"
#include "physics/model_run.h"

namespace freeplay::test::passages_memory_test {
namespace {

using simulation::PassedParts;

constexpr double kStep_s = 1e-3;

// A ball of 20 mm on the x axis, one like it at the origin, and 19 more that are far away.
class PassedAmongManyBalls : public testing::Test {
 protected:
  explicit PassedAmongManyBalls(int balls = 20) : balls_(balls) {}
  void SetUp() override {
    std::string balls, contacts;
    for (int k = 0; k < balls_; ++k) {
      balls += fmt::format("    w{}: {{type: sphere, radius: 10 mm, at: [0, {} m, 0]}}\n", k, 10 * k);
      contacts += fmt::format("  c{}: {{between: [b.s, ground.w{}], impact: newton, restitution: 0.5}}\n", k, k);
    }
    model_ = build_model(parse_model(
        "freeplay: 1\nspace: spatial\nbodies: {b: {mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2], "
        "initial: {x: -1 m}, shapes: {s: {type: sphere, radius: 10 mm}}}}\nground:\n  shapes:\n" +
            balls + "contacts:\n" + contacts + "simulate: {duration: 20 ms, step: 1 ms, integrator: moreau-midpoint}\n",
        "passages.yaml"));
  }

  std::unique_ptr<PassedParts> watch() const { return PassedParts::make(*model_.system, *model_.contacts); }

  State state(double t_s, double x_m, double vx_m_s) const {
    State state = model_.system->initial_state();
    state.contacts.resize(model_.contacts->points().size());
    state.t = t_s;
    state.q[0] = x_m;
    state.u[0] = vx_m_s;
    return state;
  }

  // 4 mm in the step, less than a quarter of the ball: nothing is looked at in the next steps.
  void survey(PassedParts& watch) const {
    watch.note_start(state(0, -10e-3, 4));
    ASSERT_EQ(watch.look(state(kStep_s, -6e-3, 4)), -1);
  }

  // 8 mm in the step, through the middle of the other ball: a watch that looks sees it.
  int look_at_passage(PassedParts& watch) const {
    watch.note_start(state(kStep_s, -6e-3, 8));
    return watch.look(state(2 * kStep_s, 2e-3, 8));
  }

  int balls_;
  Model model_;
};

// Few pairs are looked at unless the last look has seen that nothing can come near for some steps.
class PassedAmongFewBalls : public PassedAmongManyBalls {
 protected:
  PassedAmongFewBalls() : PassedAmongManyBalls(1) {}
  void look_from_afar(PassedParts& watch) const {
    watch.note_start(state(0, -1, 4));
    ASSERT_EQ(watch.look(state(kStep_s, -0.996, 4)), -1);
  }
};

TEST_F(PassedAmongFewBalls, AreTakenUpFromTheMemoryOfTheRunBefore) {
  const std::unique_ptr<PassedParts> before = watch(), after = watch(), begins = watch();
  look_from_afar(*before);
  ASSERT_FALSE(before->memory().empty());
  after->set_memory(before->memory());
  EXPECT_EQ(after->memory(), before->memory());
  EXPECT_EQ(look_at_passage(*before), -1);
  EXPECT_EQ(look_at_passage(*after), -1);
  EXPECT_GE(look_at_passage(*begins), 0);
}

TEST_F(PassedAmongFewBalls, AreLookedAtAnewByAMemoryOfAnotherModel) {
  const std::unique_ptr<PassedParts> before = watch(), after = watch();
  look_from_afar(*before);
  std::vector<double> longer = before->memory();
  longer.push_back(0);
  after->set_memory(longer);
  EXPECT_TRUE(after->memory().empty());
  EXPECT_GE(look_at_passage(*after), 0);
}

TEST_F(PassedAmongManyBalls, AreNotLookedAtAfterAQuietSurvey) {
  const std::unique_ptr<PassedParts> goes_on = watch(), begins = watch();
  survey(*goes_on);
  EXPECT_EQ(look_at_passage(*goes_on), -1);
  EXPECT_GE(look_at_passage(*begins), 0);
}

TEST_F(PassedAmongManyBalls, AreTakenUpFromTheMemoryOfTheRunBefore) {
  const std::unique_ptr<PassedParts> before = watch(), after = watch();
  survey(*before);
  after->set_memory(before->memory());
  EXPECT_EQ(after->memory(), before->memory());
  EXPECT_EQ(look_at_passage(*after), -1);
  EXPECT_EQ(look_at_passage(*before), -1);
  EXPECT_EQ(after->memory(), before->memory());
}

TEST_F(PassedAmongManyBalls, AreLookedAtAnewByAMemoryOfAnotherModel) {
  const std::unique_ptr<PassedParts> before = watch(), after = watch();
  survey(*before);
  std::vector<double> shorter = before->memory(), impossible = shorter;
  shorter.pop_back();
  impossible[0] = 1e9;
  for (const std::vector<double>& memory : {shorter, impossible, {}}) {
    after->set_memory(memory);
    EXPECT_TRUE(after->memory().empty());
    EXPECT_GE(look_at_passage(*after), 0);
  }
}

}  // namespace
}  // namespace freeplay::test::passages_memory_test
