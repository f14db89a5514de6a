// Impacts by Poisson's law in time stepping, against event-driven reference values (Pfeiffer 1999).
#include "physics/model_run.h"
#include "physics/rod_on_rough_floor.h"

namespace freeplay::test::poisson_impact_test {
namespace {

// ---- a rod that falls on a rough floor and comes to rest ----

ModelRun rod(const std::string& law, const std::string& tangential, const std::string& step) {
  return fall_of_rod(law, tangential, "integrator: moreau-midpoint, activation: anticipated, step: " + step);
}

TEST(PoissonImpact, AFallingRodComesToRestWhereItsLawBringsIt) {
  for (const auto& [law, tangential, x_m] : kRodsAtRest) {
    const ModelRun run = rod(law, tangential, "50 us");
    // The laws are 0.012 m apart; the step leaves some 1e-4 m.
    EXPECT_NEAR(run["rod.x"].back(), x_m, 2e-4) << law << ' ' << tangential;
    EXPECT_NEAR(run["rod.angle"].back(), 0, 1e-9);
    EXPECT_NEAR(run["rod.vx"].back(), 0, 1e-9);
  }
}

TEST(PoissonImpact, TheErrorOfTheRodsPlaceFallsWithTheStep) {
  const double coarse = std::abs(rod("poisson", "beitelschmidt", "100 us")["rod.x"].back() - 0.2667562);
  const double fine = std::abs(rod("poisson", "beitelschmidt", "20 us")["rod.x"].back() - 0.2667562);
  EXPECT_LT(fine, coarse / 2);
}

// ---- Newton's cradle ----

std::vector<double> cradle(const std::string& law, double v3, double e12, double e23, const std::string& more = "") {
  const ModelRun run = run_model(parse_model(fmt::format(R"(freeplay: 1
name: Three balls in a row
space: planar
bodies:
  a: {{mass: 1 kg, inertia: 1e-4 kg m^2, initial: {{x: -20.5 mm, vx: 1 m/s}}, shapes: {{skin: {{type: circle, radius: 10 mm}}}}}}
  b: {{mass: 1 kg, inertia: 1e-4 kg m^2, shapes: {{skin: {{type: circle, radius: 10 mm}}}}}}
  c: {{mass: 1 kg, inertia: 1e-4 kg m^2, initial: {{x: {4} mm, vx: {1} m/s}}, shapes: {{skin: {{type: circle, radius: 10 mm}}}}}}
contacts:
  ab: {{between: [a.skin, b.skin], impact: {0}, restitution: {2}}}
  bc: {{between: [b.skin, c.skin], impact: {0}, restitution: {3}}}
simulate: {{integrator: moreau-midpoint, activation: anticipated, simultaneous: 1e-9, step: 0.1 ms, duration: 1 ms{5}}}
)",
                                                         law, v3, e12, e23, 20, more),
                                             "cradle.yaml"));
  return {run["a.vx"].back(), run["b.vx"].back(), run["c.vx"].back()};
}

TEST(PoissonImpact, ABallThatTouchesGivesBackItsOwnShare) {
  const auto expect = [](const std::vector<double>& u, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(u[i], values[i], 1e-9) << "ball " << i;
  };
  const double third = 1.0 / 3;
  expect(cradle("newton", 0, 1, 1), {-third, 2 * third, 2 * third});
  expect(cradle("poisson", 0, 1, 1), {-third, 2 * third, 2 * third});
  expect(cradle("newton", 0, 0.5, 1), {0, 0.5, 0.5});
  expect(cradle("poisson", 0, 0.5, 1), {0, third, 2 * third});
}

// The law of the contact that strikes is Newton's; the ball that is struck through has Poisson's, and gives back.
TEST(PoissonImpact, AContactIsStruckThroughByOneWithNewtonsLaw) {
  const ModelRun run = run_model(parse_model(R"(freeplay: 1
name: Three balls in a row
space: planar
bodies:
  a: {mass: 1 kg, inertia: 1e-4 kg m^2, initial: {x: -20.5 mm, vx: 1 m/s}, shapes: {skin: {type: circle, radius: 10 mm}}}
  b: {mass: 1 kg, inertia: 1e-4 kg m^2, shapes: {skin: {type: circle, radius: 10 mm}}}
  c: {mass: 1 kg, inertia: 1e-4 kg m^2, initial: {x: 20 mm}, shapes: {skin: {type: circle, radius: 10 mm}}}
contacts:
  ab: {between: [a.skin, b.skin], impact: newton, restitution: 0.5}
  bc: {between: [b.skin, c.skin], impact: poisson, restitution: 1}
simulate: {integrator: moreau-midpoint, activation: anticipated, simultaneous: 1e-9, step: 0.1 ms, duration: 1 ms}
)",
                                             "cradle.yaml"));
  // The compression leaves (0, 1/2, 1/2), through bc goes 1/2; it is given back, and Newton's contact still parts at
  // 1/2.
  EXPECT_NEAR(run["b.vx"].back() - run["a.vx"].back(), 0.5, 1e-9);
  EXPECT_NEAR(run["c.vx"].back(), 1, 1e-9);
  EXPECT_NEAR(run["a.vx"].back() + run["b.vx"].back() + run["c.vx"].back(), 1, 1e-12);
}

// ---- what is too slow, and what rests ----

TEST(PoissonImpact, AnApproachBelowTheThresholdGetsNoRestitution) {
  const ModelRun run = run_model(parse_model(R"(freeplay: 1
name: A slow ball
space: planar
bodies:
  ball: {mass: 1 kg, inertia: 1e-4 kg m^2, initial: {y: 10 mm, vy: -0.5 mm/s}, shapes: {skin: {type: circle, radius: 10 mm}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  floor: {between: [ball.skin, ground.floor], impact: poisson, restitution: 0.8}
simulate: {integrator: moreau-midpoint, activation: anticipated, step: 0.1 ms, duration: 1 ms, impact_threshold: 1 mm/s}
)",
                                             "slow.yaml"));
  EXPECT_NEAR(run["ball.vy"].back(), 0, 1e-12);
}

// A disc rests in a hollow, where every step finds its gap a little open, and is struck from above: both ways of
// telling what is closed must have it take part in the impact.
TEST(PoissonImpact, AContactThatRestsTakesPartHoweverItIsFoundClosed) {
  const auto loss = [](const std::string& activation) {
    const ModelRun run = run_model(parse_model(R"(freeplay: 1
name: A disc in a hollow is struck
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  a: {mass: 1 kg, inertia: 5e-5 kg m^2, initial: {x: 1 mm, y: -80 mm, vx: 50 mm/s}, shapes: {skin: {type: circle, radius: 10 mm}}}
  b: {mass: 1 kg, inertia: 5e-5 kg m^2, initial: {x: 1 mm, y: -50 mm, vy: -0.5 m/s}, shapes: {skin: {type: circle, radius: 10 mm}}}
ground: {shapes: {hollow: {type: arc, radius: 100 mm, from: 180 deg, to: 360 deg, side: inside}}}
contacts:
  rest: {between: [a.skin, ground.hollow], impact: poisson, restitution: 0.8}
  hit: {between: [a.skin, b.skin], impact: poisson, restitution: 0.8}
simulate: {integrator: moreau-midpoint, step: 0.02 ms, duration: 60 ms, activation: )" +
                                                   activation + "}\n",
                                               "hollow.yaml"));
    return run.summary.account.impact_loss;
  };
  const double by_gap = loss("gap"), anticipated = loss("anticipated");
  EXPECT_GT(by_gap, 0.01);
  EXPECT_NEAR(anticipated, by_gap, 0.1 * by_gap);
}

// ---- energy ----

struct Fall {
  RunSummary summary;
  std::vector<std::string> warnings;
  double energy_J = 0;  // after the impact
};

// A slender rod falls on its end at 45 degrees: T_E/T_A = 1.3516 by the law of the paper.
Fall fall_on_end(const std::string& more) {
  const ModelFile file = parse_model(fmt::format(R"(freeplay: 1
name: A rod that falls on its end
space: planar
bodies:
  rod:
    mass: 1 kg
    inertia: 1 kg m^2/12
    initial: {{y: sqrt(0.125)*1 m + 0.1 mm, angle: 45 deg, vy: -1 m/s}}
    shapes: {{end: {{type: point, at: [-0.5 m, 0]}}}}
ground: {{shapes: {{floor: {{type: line, normal: [0, 1]}}}}}}
contacts:
  touch: {{between: [rod.end, ground.floor], impact: poisson, restitution: 1, friction: 0.7}}
simulate: {{integrator: moreau-midpoint, activation: anticipated, step: 20 us, duration: 0.4 ms{}}}
)",
                                                 more),
                                     "end.yaml");
  Fall fall;
  const Model model = build_model(file);
  Simulation simulation(*model.system, *model.contacts, file.simulate, {});
  RunContext context;
  context.log = [&](LogLevel level, std::string_view text) {
    if (level == LogLevel::kWarning) fall.warnings.emplace_back(text);
  };
  MemorySink record;
  fall.summary = simulation.run(record, context);
  fall.energy_J = fall.summary.energy_final_J;
  return fall;
}

bool warns_of_a_gain(const Fall& fall) {
  return std::any_of(fall.warnings.begin(), fall.warnings.end(), [](const std::string& text) {
    return text.find("an impact by Poisson's law gains 0.176 J") != std::string::npos;
  });
}

TEST(PoissonImpact, AnImpactThatGainsEnergyIsToldLimitedOrTheEnd) {
  const Fall as_it_is = fall_on_end("");
  EXPECT_EQ(as_it_is.summary.status, RunStatus::kCompleted);
  EXPECT_EQ(as_it_is.summary.gaining_impacts, 1);
  EXPECT_NEAR(as_it_is.summary.impact_gain_J, 0.5 * 0.3516, 1e-4);
  EXPECT_NEAR(as_it_is.energy_J, 0.5 * 1.3516, 1e-4);
  EXPECT_NEAR(as_it_is.summary.account.impact_loss + as_it_is.summary.account.friction_loss, -0.5 * 0.3516, 1e-4);
  EXPECT_TRUE(warns_of_a_gain(as_it_is));

  const Fall limited = fall_on_end(", impact_energy: limit");
  EXPECT_EQ(limited.summary.gaining_impacts, 1);
  EXPECT_LE(limited.energy_J, 0.5 + 1e-12);
  EXPECT_NEAR(limited.energy_J, 0.5, 1e-9) << "no more is taken than was gained";
  EXPECT_TRUE(warns_of_a_gain(limited));

  const Fall stopped = fall_on_end(", impact_energy: stop");
  EXPECT_EQ(stopped.summary.status, RunStatus::kFailed);
  EXPECT_EQ(stopped.summary.failure, StepStatus::kImpactGainsEnergy);
}

}  // namespace
}  // namespace freeplay::test::poisson_impact_test
