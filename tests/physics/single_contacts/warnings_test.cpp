// What a run warns of, on the smallest models that give a reason, and that the cure ends it.
#include <gmock/gmock.h>

#include "physics/model_run.h"

namespace freeplay::test::warnings_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> warnings_of(const std::string& text, const Overrides& overrides = {}) {
  const ModelRun run = run_model(parse_model(text, "model.yaml", overrides));
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  return run.summary.warnings;
}

TEST(Warnings, DryFrictionIsARampUnderASmoothIntegrator) {
  const std::string arm = R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies: {arm: {mass: 1 kg, inertia: 0.1 kg m^2}}
joints: {pin: {type: revolute, parent: ground, child: arm, at_child: [-0.5 m, 0], dry_friction: 0.1 N m}}
simulate: {integrator: dopri5, duration: 0.1 s}
)";
  EXPECT_THAT(warnings_of(arm), Contains(HasSubstr("'dopri5' makes a ramp of the dry friction of 'pin'")));
  EXPECT_THAT(warnings_of(arm, {"simulate.integrator=moreau-midpoint", "simulate.step=1 ms"}), IsEmpty());
  EXPECT_THAT(warnings_of(arm, {"simulate.integrator=event-driven"}), IsEmpty());
}

TEST(Warnings, TheStepDoesNotDivideTheDuration) {
  const std::string mass = R"(freeplay: 1
space: planar
bodies: {a: {mass: 1 kg, inertia: 0.1 kg m^2}}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 10.4 ms}
)";
  EXPECT_THAT(warnings_of(mass),
              Contains(HasSubstr("is not a multiple of the step, 0.001 s: the run ends at t = 0.01 s")));
  EXPECT_THAT(warnings_of(mass, {"simulate.step=0.1 ms"}), IsEmpty());
}

// A parallelogram whose bars lie on one line: there its loop has one independent row, and two everywhere else.
TEST(Warnings, TheRankOfTheLoopsChanges) {
  const std::string parallelogram = R"(freeplay: 1
space: planar
bodies:
  a: {mass: 1 kg, inertia: 0.1 kg m^2, initial: {omega: 1 rad/s}}
  b: {mass: 1 kg, inertia: 0.1 kg m^2, initial: {omega: 0 rad/s}}
  c: {mass: 1 kg, inertia: 0.1 kg m^2, initial: {omega: 1 rad/s}}
joints:
  p: {type: revolute, parent: ground, child: a, at_child: [-0.5 m, 0]}
  q: {type: revolute, parent: a, at_parent: [0.5 m, 0], child: b, at_child: [-1 m, 0]}
  r: {type: revolute, parent: b, at_parent: [1 m, 0], child: c, at_child: [0.5 m, 0]}
  s: {type: revolute, parent: ground, at_parent: [2 m, 0], child: c, at_child: [-0.5 m, 0]}
simulate: {integrator: dopri5, duration: 0.1 s}
)";
  EXPECT_THAT(warnings_of(parallelogram), Contains(HasSubstr("the rank of the bilateral rows changed from 1 to 2")));
}

// A slender rod at 45 degrees strikes with its end, e = 1, and slides slowly against its turning. Per unit of mass and
// length G_NN = G_TT = 2.5 and |G_NT| = 1.5. Sticking asks for Lambda_T = (2 |G_NT| |gamma_N| - G_NN gamma_T)/det,
// which points along gamma_T: dT = gamma_T Lambda_T/2 = 0.6 (3 - 1.5)/4/2 = 0.1125 J.
TEST(Warnings, AnImpactByNewtonsLawGainsEnergyWhereFrictionTurnsTheSlidingBack) {
  const std::string rod = R"(freeplay: 1
space: planar
parameters: {vx: 0.6 m/s, law: {word: newton}}
bodies:
  rod:
    mass: 1 kg
    inertia: 1 kg m^2/12
    initial: {y: 0.5 m*sin(45 deg) + 1 mm, angle: 45 deg, vx: vx, vy: -1 m/s}
    shapes: {tip: {type: point, at: [-0.5 m, 0]}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts: {c: {between: [rod.tip, ground.floor], impact: law, tangential_law: safe, restitution: 1, friction: 0.7}}
simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 5 ms}
)";
  EXPECT_THAT(warnings_of(rod), Contains(HasSubstr("impacts have added 0.11")));
  EXPECT_THAT(warnings_of(rod, {"law=poisson"}), Not(Contains(HasSubstr("impacts have added")))) << "the cure";
  EXPECT_THAT(warnings_of(rod, {"vx=-0.6 m/s"}), IsEmpty()) << "friction that only slows down";
}

// The heat of another part, 0.17 J in the millisecond before the impact, must not hide what the impact gains.
TEST(Warnings, AGainOfAnImpactIsToldWhateverWasLostBefore) {
  const std::string rod_and_sledge = R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  rod:
    mass: 1 kg
    inertia: 1 kg m^2/12
    initial: {y: 0.5 m*sin(45 deg) + 1 mm, angle: 45 deg, vx: 0.6 m/s, vy: -1 m/s}
    shapes: {tip: {type: point, at: [-0.5 m, 0]}}
  sledge:
    mass: 2000 kg
    inertia: 200 kg m^2
    initial: {x: 10 m, y: 10 mm, vx: 20 mm/s}
    shapes: {left: {type: point, at: [-1 m, -10 mm]}, right: {type: point, at: [1 m, -10 mm]}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  c: {between: [rod.tip, ground.floor], impact: newton, restitution: 1, friction: 0.7}
  left: {between: [sledge.left, ground.floor], impact: newton, restitution: 0, friction: 0.5}
  right: {between: [sledge.right, ground.floor], impact: newton, restitution: 0, friction: 0.5}
simulate: {integrator: moreau-midpoint, step: 0.01 ms, duration: 3 ms}
)";
  EXPECT_THAT(warnings_of(rod_and_sledge), Contains(HasSubstr("impacts have added 0.1")));
  EXPECT_THAT(warnings_of(rod_and_sledge, {"record.every=100"}), Contains(HasSubstr("impacts have added 0.1")))
      << "between rows, too";
}

// A ball in a groove touches two flanks of one spline.
TEST(Warnings, APairHasMoreContactsThanPoints) {
  const std::string groove = R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
parameters: {count: 1}
bodies:
  ball: {mass: 1 kg, inertia: 5e-5 kg m^2, initial: {y: 15 mm}, shapes: {skin: {type: circle, radius: 10 mm}}}
ground:
  shapes:
    vee:
      type: spline
      points: [[-40 mm, 30 mm], [-40 mm, -30 mm], [40 mm, -30 mm], [40 mm, 30 mm], [30 mm, 30 mm], [20 mm, 20 mm],
               [10 mm, 10 mm], [5 mm, 5 mm], [2.5 mm, 2.5 mm], [0, 0], [-2.5 mm, 2.5 mm], [-5 mm, 5 mm],
               [-10 mm, 10 mm], [-20 mm, 20 mm], [-30 mm, 30 mm]]
contacts: {c: {between: [ball.skin, ground.vee], points: count, impact: newton, restitution: 0, friction: 0.2}}
simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 60 ms, impact_threshold: 10 mm/s}
)";
  EXPECT_THAT(warnings_of(groove), Contains(HasSubstr("'c' has more contacts than points")));
  EXPECT_THAT(warnings_of(groove, {"count=2"}), Not(Contains(HasSubstr("more contacts than points")))) << "the cure";
}

}  // namespace
}  // namespace freeplay::test::warnings_test
