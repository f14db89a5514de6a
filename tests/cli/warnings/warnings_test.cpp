// Wrong runs that once ended in silence: each is completed with a warning that names the reason and the cure.
#include "cli/warnings/warnings_fixture.h"

namespace freeplay::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

using Warnings = WarningsOfARun;

// The force of the brake changes by its whole size within 5 mm/s: explicit steps of 50 us swing about its zero.
constexpr const char* kBrake =
    "gravity: [0, -9.81 m/s^2]\n"
    "bodies: {ram: {mass: 20 kg, inertia: 1 kg m^2}}\n"
    "joints: {guide: {type: prismatic, parent: ground, child: ram, axis: [0, 1]}}\n"
    "forces: {brake: {type: force, on: ram, value: [0, \"-20 kN*tanh(ram.vy/(5 mm/s))\"]}}\n";

TEST_F(Warnings, EnergyThatAppearsWithoutASource) {
  const std::vector<std::string> warnings =
      of(std::string(kBrake) +
         "simulate: {integrator: moreau-midpoint, velocity_forces: midpoint, step: 50 us, duration: 0.2 s}\n");
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[1], HasSubstr("J have appeared without a source"));
  EXPECT_THAT(warnings[1], HasSubstr("take a smaller step, or 'integrator: moreau-jean'"));
  EXPECT_TRUE(of(std::string(kBrake) + "simulate: {integrator: moreau-jean, step: 50 us, duration: 0.2 s}\n").empty())
      << "the cure";
}

// A pendulum 1 km above the zero of the potential, with steps as long as its period.
TEST_F(Warnings, EnergyDoesNotHideBehindTheZeroOfThePotential) {
  const std::string pendulum =
      "gravity: [0, -9.81 m/s^2]\n"
      "bodies: {a: {mass: 1 kg, inertia: 0.1 kg m^2}}\n"
      "joints: {j: {type: revolute, parent: ground, child: a, at_parent: [0, 1 km], at_child: [-1 m, 0]}}\n";
  const std::vector<std::string> warnings =
      of(pendulum + "simulate: {integrator: moreau-midpoint, step: 1 s, duration: 1000 s}\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("without a source"));
  EXPECT_TRUE(of(pendulum + "simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 10 s}\n").empty());
}

// A driver whose speed jumps at every turn asks for impulses that no ledger knows.
TEST_F(Warnings, EnergyThatDisappears) {
  const std::vector<std::string> warnings =
      of("bodies: {a: {mass: 1 kg, inertia: 0.1 kg m^2}}\n"
         "joints: {j: {type: prismatic, parent: ground, child: a}}\n"
         "drivers: {d: {on: j, motion: \"1 m*abs(sin(5 Hz*t))\"}}\n"
         "simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 2 s}\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("J have disappeared without a source"));
  EXPECT_THAT(warnings[0], HasSubstr("'velocity_forces: midpoint'")) << "forces are those of the start";
}

TEST_F(Warnings, EnergiesThatAreNoNumbers) {
  const std::vector<std::string> warnings =
      of("bodies: {ball: {mass: 1 kg, inertia: 0.004 kg m^2, initial: {y: 1 m, vy: -1e155 m/s}}}\n"
         "simulate: {integrator: moreau-midpoint, step: 1 us, duration: 5 us}\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("beyond what a number can hold"));
}

// dF/dv = 20 kN/(5 mm/s), so that steps of 2 m dv/dF = 10 us and more are unstable.
TEST_F(Warnings, StepsTooLongForADamper) {
  const std::string brake(kBrake);
  const std::vector<std::string> warnings =
      of(brake + "simulate: {integrator: moreau-midpoint, velocity_forces: midpoint, step: 50 us, duration: 1 ms}\n");
  ASSERT_FALSE(warnings.empty());
  EXPECT_THAT(
      warnings[0],
      HasSubstr("the step of 5e-05 s is too long for the damping of 'brake': the motion is unstable beyond 1e-05 s;"));
  EXPECT_THAT(warnings[0], HasSubstr("take a step of 2e-06 s, or 'integrator: moreau-jean'"));
  EXPECT_TRUE(
      of(brake + "simulate: {integrator: moreau-midpoint, velocity_forces: midpoint, step: 2 us, duration: 1 ms}\n")
          .empty())
      << "the cure";
}

// omega = sqrt(k/m) = 1000 rad/s: steps of 2/omega = 2 ms and more are unstable. The soft spring beside it is not
// named.
TEST_F(Warnings, StepsTooLongForASpring) {
  const std::string mass =
      "bodies: {a: {mass: 1 kg, inertia: 1 kg m^2}}\n"
      "joints: {guide: {type: prismatic, parent: ground, child: a, initial: {q: 1 m}}}\n"
      "forces:\n"
      "  soft: {type: spring, parent: ground, child: a, stiffness: 1 N/m, free_length: 1 m}\n"
      "  stiff: {type: spring, parent: ground, child: a, stiffness: 1e6 N/m, free_length: 1 m}\n";
  const std::vector<std::string> warnings =
      of(mass + "simulate: {integrator: moreau-midpoint, step: 1.5 ms, duration: 15 ms}\n");
  ASSERT_FALSE(warnings.empty());
  EXPECT_THAT(
      warnings[0],
      HasSubstr("too long for the stiffness of 'stiff': the motion becomes unstable at 0.002 s, and is inexact"));
  EXPECT_TRUE(of(mass + "simulate: {integrator: moreau-midpoint, step: 0.4 ms, duration: 16 ms}\n").empty())
      << "the cure";
  EXPECT_TRUE(of(mass + "simulate: {integrator: moreau-jean, step: 1.5 ms, duration: 15 ms}\n").empty())
      << "takes the spring implicitly";
}

// The lift of the cam drops by 10 mm. A wheel that turns back brings the step under the roller at once.
TEST_F(Warnings, APartThatPassedAWall) {
  const auto wheel = [](const std::string& start) {
    return "bodies:\n"
           "  wheel: {mass: 1 kg, inertia: 1 kg m^2, shapes: {cam: {type: cam, base_radius: 40 mm, period: pi/6, lift: "
           "\"10 mm*mod(phi, pi/6)/(pi/6)\"}}}\n"
           "  roller: {mass: 1 kg, inertia: 1 kg m^2, shapes: {skin: {type: circle, radius: 1 mm}}}\n"
           "joints:\n"
           "  axle: {type: revolute, parent: ground, child: wheel, initial: {" +
           start +
           "}}\n"
           "  guide: {type: prismatic, parent: ground, child: roller, axis: [0, 1], initial: {q: 46 mm}}\n"
           "contacts: {c: {between: [roller.skin, wheel.cam], impact: newton, restitution: 0.5}}\n"
           "simulate: {integrator: moreau-midpoint, activation: anticipated, step: 0.1 ms, duration: 10 ms}\n";
  };
  const std::vector<std::string> warnings = of(wheel("q: 0.01 rad, u: -5 rad/s"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("'c' is inside its wall without having come through"));
  EXPECT_THAT(warnings[0], HasSubstr("round the step"));
  EXPECT_TRUE(of(wheel("q: 0.2 rad, u: 5 rad/s")).empty()) << "a slope that is climbed";
}

// The point comes from below, where the half disc has its flat side.
TEST_F(Warnings, NothingIsSaidOfAnArcThatIsMetFromBehind) {
  const auto point = [](const std::string& start) {
    return "bodies: {p: {mass: 1 kg, inertia: 1e-3 kg m^2, initial: {" + start +
           "}, shapes: {tip: {type: point}}}}\n"
           "ground: {shapes: {half: {type: arc, radius: 50 mm, from: 0, to: 180 deg}}}\n"
           "contacts: {c: {between: [p.tip, ground.half], impact: newton, restitution: 0.5}}\n"
           "simulate: {integrator: moreau-midpoint, activation: anticipated, step: 0.1 ms, duration: 0.06 s}\n";
  };
  EXPECT_TRUE(of(point("x: 45 mm, y: -10 mm, vy: 1 m/s")).empty());
  EXPECT_TRUE(of(point("x: 10 mm, y: 80 mm, vy: -1 m/s")).empty());
}

// In one step the ball goes from one side of a thin plate to the other, where it has another contact.
TEST_F(Warnings, APartThatFliesThroughAThinWall) {
  const std::string shot =
      "bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: 50 mm, vx: -10 m/s}, shapes: {p: {type: circle, "
      "radius: 1 mm}}}}\n"
      "ground: {shapes: {plate: {type: edge, from: [0, -0.1 m], to: [0, 0.1 m], depth: 2 mm}}}\n"
      "contacts: {c: {between: [ball.p, ground.plate], impact: newton, restitution: 0.5}}\n"
      "simulate: {integrator: moreau-midpoint, duration: 20 ms, step: ";
  const std::vector<std::string> warnings = of(shot + "4 ms}\n");
  ASSERT_FALSE(warnings.empty());
  EXPECT_THAT(warnings[0], HasSubstr("would have flown through each other"));
  EXPECT_TRUE(of(shot + "1 us}\n").empty());
}

// A ball of 20 mm moves by 0.2 m in a step: it is on one side of a post of 40 mm, then on the other.
TEST_F(Warnings, PartsThatFlyThroughEachOther) {
  const auto shot = [](const std::string& simulate, const std::string& y = "0 m") {
    return "bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: 1.05 m, y: " + y +
           ", vx: -100 m/s}, shapes: {p: {type: circle, radius: 10 mm}}}}\n"
           "ground: {shapes: {post: {type: circle, radius: 20 mm}}}\n"
           "contacts: {c: {between: [ball.p, ground.post], impact: newton, restitution: 0.5}}\n"
           "simulate: {duration: 20 ms, integrator: " +
           simulate + "}\n";
  };
  for (const std::string rule : {"moreau-midpoint", "moreau-jean", "moreau-midpoint, activation: anticipated"}) {
    SCOPED_TRACE(rule);
    const std::vector<std::string> warnings = of(shot(rule + ", step: 2 ms"));
    ASSERT_FALSE(warnings.empty());
    EXPECT_THAT(warnings[0],
                HasSubstr("in the step to t = 0.012 s the parts of 'c' would have flown through each other"));
    EXPECT_THAT(warnings[0], HasSubstr("Take a step in which no part moves by its own thickness"));
    EXPECT_TRUE(of(shot(rule + ", step: 2 us")).empty());
    EXPECT_TRUE(of(shot(rule + ", step: 2 ms", "31 mm")).empty()) << "it flies past";
  }
}

// An arm at 20 rad/s turns by 0.2 rad in a step of 10 ms, and half of that brings it into its stop before it is
// noticed.
TEST_F(Warnings, AnArmDeepInItsStop) {
  const auto arm = [](const std::string& stops, const std::string& step) {
    return "bodies: {arm: {mass: 1 kg, inertia: 0.1 kg m^2, initial: {omega: 20 rad/s}}}\n"
           "joints: {pin: {type: revolute, parent: ground, child: arm, stops: {" +
           stops + ", restitution: 0}}}\nsimulate: {integrator: moreau-midpoint, step: " + step +
           ", duration: 0.1 s}\n";
  };
  const std::string both = "lower: -0.91 rad, upper: 0.91 rad", one = "upper: 0.91 rad";
  EXPECT_THAT(
      of(arm(both, "10 ms")),
      testing::ElementsAre(HasSubstr("'pin_upper' penetrates its wall by more than a tenth of half the range")));
  EXPECT_THAT(of(arm(one, "10 ms")), testing::ElementsAre(HasSubstr("penetrates its wall by more than 0.05 rad")));
  EXPECT_TRUE(of(arm(both, "0.1 ms")).empty());
  EXPECT_TRUE(of(arm(one, "0.1 ms")).empty());
}

// A slider comes from 99 mm away at 10 m/s. In steps of 1.5 ms the middle of the seventh, at 97.5 mm, is free, and its
// end is 6 mm deep; a twentieth of the longest way that was seen, 84 mm after the first step, are 4.2 mm.
TEST_F(Warnings, ASliderDeepInItsOnlyStop) {
  const auto slider = [](const std::string& step, const std::string& more = "") {
    return "bodies: {block: {mass: 1 kg, inertia: 1 kg m^2, initial: {vx: 10 m/s}}}\n"
           "joints: {rail: {type: prismatic, parent: ground, child: block, axis: [1, 0], stops: {upper: 99 mm, "
           "restitution: 0.5}}}\nsimulate: {integrator: moreau-midpoint, step: " +
           step + ", duration: 30 ms}\n" + more;
  };
  const auto is_told = testing::ElementsAre(
      HasSubstr("'rail_upper' penetrates its wall by more than a twentieth of its longest way from there so far"));
  EXPECT_THAT(of(slider("1.5 ms")), is_told);
  EXPECT_THAT(of(slider("1.5 ms", "record: {every: 100}\n")), is_told) << "also between rows";
  EXPECT_TRUE(of(slider("0.1 ms")).empty());
  EXPECT_TRUE(of(slider("0.1 ms", "record: {every: 100}\n")).empty()) << "the way is seen between rows, too";
}

// A point is as large as its body, also where no contact names the shape that says how large that is.
TEST_F(Warnings, ACornerDeepInAWall) {
  const auto body = [](const std::string& hull) {
    return "bodies: {b: {mass: 1 kg, inertia: 1e-4 kg m^2, initial: {y: 6 mm, vy: -10 m/s}, shapes: {tip: {type: "
           "point}" +
           hull +
           "}}}\nground: {shapes: {plate: {type: line, normal: [0, 1]}}}\n"
           "contacts: {c: {between: [b.tip, ground.plate], impact: newton, restitution: 0}}\n"
           "simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 10 ms}\n";
  };
  EXPECT_THAT(of(body(", hull: {type: circle, radius: 50 mm}")),
              testing::ElementsAre(HasSubstr("'c' penetrates its wall by more than a hundredth")));
  EXPECT_TRUE(of(body("")).empty()) << "nothing has a size";
}

// A spring of 1 kN/m stops a ball of 1 kg and 1 m/s after 32 mm, more than a tenth of its 100 mm.
TEST_F(Warnings, AForceLawThatIsTooSoft) {
  const auto ball = [](const std::string& stiffness) {
    return "bodies: {b: {mass: 1 kg, inertia: 1e-3 kg m^2, initial: {y: 51 mm, vy: -1 m/s}, shapes: {skin: {type: "
           "circle, radius: 50 mm}}}}\n"
           "ground: {shapes: {plate: {type: line, normal: [0, 1]}}}\n"
           "contacts: {c: {between: [b.skin, ground.plate], restitution: 1, force: {law: hertz, exponent: 1, "
           "stiffness: " +
           stiffness + "}}}\nsimulate: {integrator: dopri5, duration: 0.1 s}\n";
  };
  const std::vector<std::string> warnings = of(ball("1 kN/m"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("'c' penetrates its wall by more than a tenth of the smaller part's diameter"));
  EXPECT_THAT(warnings[0], HasSubstr("take a stiffer force law"));
  EXPECT_TRUE(of(ball("1 MN/m")).empty());
}

// A ball of 20 mm at 10 m/s: half of a step of 1 ms brings it 5 mm into the floor before it is noticed.
TEST_F(Warnings, APartDeepInAnother) {
  const std::string ball =
      "bodies: {b: {mass: 1 kg, inertia: 1e-4 kg m^2, initial: {y: 16 mm, vy: -10 m/s}, shapes: {skin: {type: circle, "
      "radius: 10 mm}}}}\n"
      "ground: {shapes: {plate: {type: line, normal: [0, 1]}}}\n"
      "contacts: {c: {between: [b.skin, ground.plate], impact: newton, restitution: 0.5}}\n";
  const std::vector<std::string> warnings =
      of(ball + "simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 10 ms}\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0],
              HasSubstr("'c' penetrates its wall by more than a hundredth of the smaller part's diameter"));
  EXPECT_THAT(warnings[0], HasSubstr("take a smaller step, or 'activation: anticipated'"));
  EXPECT_TRUE(
      of(ball + "simulate: {integrator: moreau-midpoint, activation: anticipated, step: 1 ms, duration: 10 ms}\n")
          .empty())
      << "the cure";
}

TEST_F(Warnings, AReboundThatRoundingDecides) {
  const auto ball = [](const std::string& speed) {
    return "bodies: {b: {mass: 1 kg, inertia: 1e-4 kg m^2, initial: {y: 10.001 mm, vy: -" + speed +
           "}, shapes: {skin: {type: circle, radius: 10 mm}}}}\n"
           "ground: {shapes: {plate: {type: line, normal: [0, 1]}}}\n"
           "contacts: {c: {between: [b.skin, ground.plate], impact: newton, restitution: 0.5}}\n"
           "simulate: {integrator: moreau-midpoint, activation: anticipated, step: 0.1 ms, duration: 10 ms}\n";
  };
  const std::vector<std::string> warnings = of(ball("1 mm/s"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("rounding has decided whether 'c' rebounds"));
  EXPECT_THAT(warnings[0], HasSubstr("take another threshold"));
  EXPECT_TRUE(of(ball("2 mm/s")).empty());
}

// Numbers of the size of 1e7 are known to 2e-9: in m, that is noticeable against a play of 0.1 mm.
TEST_F(Warnings, PlayThatIsSmallAgainstTheDistanceFromTheOrigin) {
  const auto pin = [](const std::string& place) {
    return "gravity: [0, -9.81 m/s^2]\n"
           "bodies: {arm: {mass: 1 kg, inertia: 0.1 kg m^2}}\n"
           "joints: {pin: {type: revolute, parent: ground, child: arm, at_parent: [" +
           place +
           ", 0], at_child: [-0.1 m, 0], model: clearance, clearance: 0.1 mm, journal_radius: 10 mm, "
           "contact: {impact: newton, restitution: 0.5}}}\n"
           "simulate: {integrator: moreau-midpoint, activation: anticipated, step: 0.1 ms, duration: 5 ms}\n";
  };
  const std::vector<std::string> warnings = of(pin("1e7 m"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("the motion depends on rounding: 1e+07 m from the origin"));
  EXPECT_THAT(warnings[0], HasSubstr("the clearance of 'pin'"));
  EXPECT_TRUE(of(pin("1 m")).empty());
}

TEST_F(Warnings, PeakForcesOfImpactsThatAreAskedForByName) {
  const auto ball = [](const std::string& more) {
    return "gravity: [0, -9.81 m/s^2]\n"
           "bodies: {b: {mass: 1 kg, inertia: 1e-2 kg m^2, initial: {y: 0.2 m}, shapes: {skin: {type: circle, radius: "
           "0.1 m}}}}\n"
           "ground: {shapes: {plate: {type: line, normal: [0, 1]}}}\n"
           "contacts: {c: {between: [b.skin, ground.plate], impact: newton, restitution: 0.5}}\n"
           "simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 0.3 s" +
           more;
  };
  const std::vector<std::string> warnings = of(ball("}\nrecord: [b.y, c.normal_force]\n"));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0],
              HasSubstr("the largest force of 'c' is the impulse of an impact divided by the force window"));
  EXPECT_THAT(warnings[0], HasSubstr("Set 'force_window'"));
  EXPECT_TRUE(of(ball(", force_window: 1 ms}\nrecord: [b.y, c.normal_force]\n")).empty()) << "the cure";
  EXPECT_TRUE(of(ball("}\n")).empty()) << "a note, where all channels are recorded";
  const json report = json::parse(freeplay({"run", "model.yaml", "--json"}).out);
  EXPECT_THAT(report["notes"].dump(), HasSubstr("the impulse of an impact divided by the force window"));
}

// Three balls of steel in a row with a solver that gives up: the other one delivers.
TEST_F(Warnings, ASolverThatIsRelieved) {
  const std::vector<std::string> warnings = of(
      "gravity: [0, -9.81 m/s^2]\n"
      "bodies: {a: {mass: 1 g, inertia: 1e-9 kg m^2, initial: {y: 1 mm}, shapes: {c: {type: circle, radius: 1 mm}}}, "
      "b: {mass: 1000 kg, inertia: 1e-3 kg m^2, initial: {y: 3 mm}, shapes: {c: {type: circle, radius: 1 mm}}}}\n"
      "ground: {shapes: {floor: {type: line, normal: [0, 1]}}}\n"
      "contacts: {low: {between: [a.c, ground.floor], impact: newton, restitution: 0}, high: {between: [b.c, a.c], "
      "impact: newton, restitution: 0}}\n"
      "simulate: {integrator: moreau-midpoint, solver: prox-jacobi, simultaneous: 1e-9, step: 1 ms, duration: 5 ms}\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("the solver 'prox-jacobi' did not reach its tolerance; a more robust one did"));
}

TEST_F(Warnings, ASolverThatRelaxesTheLaw) {
  const std::vector<std::string> warnings =
      of("gravity: [0, -9.81 m/s^2]\n"
         "bodies: {a: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 1 mm}, shapes: {c: {type: circle, radius: 1 mm}}}}\n"
         "ground: {shapes: {floor: {type: line, normal: [0, 1]}}}\n"
         "contacts: {low: {between: [a.c, ground.floor], impact: newton, restitution: 0, friction: 0.3}}\n"
         "simulate: {integrator: moreau-midpoint, solver: relaxed-cone, step: 1 ms, duration: 5 ms}\n");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("'relaxed-cone' replaces Coulomb's law by a relaxed one"));
}

// A step of 1 mm brings a ball as deep into the floor before it is noticed: its spring has never been compressed by
// anybody, and gives all the same.
TEST_F(Warnings, ContactsThatAreNoticedLate) {
  const auto ball = [](const std::string& control) {
    return "bodies: {b: {mass: 1 kg, inertia: 1e-3 kg m^2, initial: {y: 50.5 mm, vy: -1 m/s}, shapes: {skin: {type: "
           "circle, radius: 50 mm}}}}\n"
           "ground: {shapes: {plate: {type: line, normal: [0, 1]}}}\n"
           "contacts: {c: {between: [b.skin, ground.plate], restitution: 1, force: {law: hertz, stiffness: 1e9 "
           "N/m^1.5}}}\n"
           "simulate: {integrator: dopri5, duration: 10 ms, step: 1 ms, " +
           control + "}\n";
  };
  const std::vector<std::string> late = of(ball("penetration_control: none"));
  ASSERT_FALSE(late.empty());
  EXPECT_THAT(late[0], HasSubstr("J of spurious energy to the motion: use 'penetration_control: roots'"));
  const std::vector<std::string> deep =
      of(ball("penetration_control: procedure-2, max_initial_penetration: 1 nm, min_step: 0.1 ms"));
  ASSERT_FALSE(deep.empty());
  EXPECT_THAT(deep[0], HasSubstr("began deeper than 'max_initial_penetration'"));
  EXPECT_TRUE(of(ball("penetration_control: roots")).empty());
}

}  // namespace
}  // namespace freeplay::test
