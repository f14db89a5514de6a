// Impacts by Poisson's law in moreau-jean: an instant, in which no spring acts, however stiff.
#include "physics/rod_on_rough_floor.h"

namespace freeplay::test::moreau_jean_poisson_test {
namespace {

// Two masses, 3 kg below 1 kg, with a spring between them that is at its free length, fall on a floor at 1 m/s without
// gravity. Momentum that they leave with.
double momentum_after(const std::string& law, double stiffness_N_m, double theta) {
  const ModelRun run = run_model(parse_model(fmt::format(R"(freeplay: 1
space: planar
bodies:
  low: {{mass: 3 kg, inertia: 1 kg m^2, initial: {{y: 10.05 mm, vy: -1 m/s}}, shapes: {{skin: {{type: circle, radius: 10 mm}}}}}}
  high: {{mass: 1 kg, inertia: 1 kg m^2, initial: {{y: 110.05 mm, vy: -1 m/s}}}}
forces:
  spring: {{type: spring, parent: low, child: high, stiffness: {1} N/m, free_length: 100 mm}}
ground: {{shapes: {{floor: {{type: line, normal: [0, 1]}}}}}}
contacts: {{touch: {{between: [low.skin, ground.floor], impact: {0}, restitution: 1}}}}
simulate: {{integrator: moreau-jean, theta: {2}, step: 0.1 ms, duration: 0.2 ms}}
)",
                                                         law, stiffness_N_m, theta),
                                             "masses.yaml"));
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  return 3 * run["low.vy"].back() + run["high.vy"].back();
}

// The floor turns the lower mass round, 6 N s, and knows nothing of the upper one: 6 - 4 is left, whatever the spring
// does to both afterwards. Had the spring a part in the impact, a stiff one would make one body of the two: 8 - 4.
TEST(MoreauJeanPoisson, AStiffSpringHasNoPartInTheInstant) {
  for (const double theta : {0.6, 1.0}) {
    for (const double stiffness : {1e2, 1e5, 1e8, 1e11})
      EXPECT_NEAR(momentum_after("poisson", stiffness, theta), 2, 1e-8) << stiffness;
  }
  EXPECT_NEAR(momentum_after("newton", 1e11, 1), 4, 1e-2) << "Newton's law is one for the velocities of the step";
}

// Where forces are constant, theta = 1/2 is the midpoint rule.
TEST(MoreauJeanPoisson, IsTheMidpointRuleUnderConstantForces) {
  for (const char* law : {"beitelschmidt", "glocker", "safe"}) {
    const Overrides shared = {"simulate.step=0.1 ms", std::string("law=") + law};
    Overrides midpoint = shared, jean = shared;
    midpoint.push_back("simulate.integrator=moreau-midpoint");
    jean.push_back("simulate.integrator=moreau-jean");
    const ModelRun a = run_example("superball", midpoint), b = run_example("superball", jean);
    ASSERT_GE(a.record.impacts.size(), 2u);
    ASSERT_EQ(a.record.impacts.size(), b.record.impacts.size());
    for (const char* channel : {"ball.x", "ball.y", "ball.vx", "ball.vy", "ball.omega"})
      EXPECT_LT(largest_difference(a[channel], b[channel]), 1e-9) << law << ' ' << channel;
  }
}

// The rod of Pfeiffer (1999) that falls on a rough floor, against the event-driven reference values.
TEST(MoreauJeanPoisson, AFallingRodComesToRestWhereItsLawBringsIt) {
  for (const RodAtRest& rod : kRodsAtRest) {
    const ModelRun run = fall_of_rod(rod.law, rod.tangential, "integrator: moreau-jean, step: 50 us");
    EXPECT_NEAR(run["rod.x"].back(), rod.x_m, 1e-4) << rod.law << ' ' << rod.tangential;
    EXPECT_NEAR(run["rod.vx"].back(), 0, 1e-6) << rod.law << ' ' << rod.tangential;
  }
}

}  // namespace
}  // namespace freeplay::test::moreau_jean_poisson_test
