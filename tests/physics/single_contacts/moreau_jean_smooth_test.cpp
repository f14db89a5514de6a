// moreau-jean on linear springs and dampers, where the theta method has closed forms, and on stiff ones.
#include <numbers>

#include "physics/single_contacts/analytic_benchmarks.h"
#include "support/places.h"

namespace freeplay::test {
namespace {

// One step of  m dv/dt = -k x - d v,  dx/dt = v:  with y = theta y_E + (1 - theta) y_A on the right-hand sides.
struct Oscillator {
  double m, k, d, x, v;
  void step(double theta, double dt) {
    const double b = theta * dt, r = (1 - theta) * dt;
    const double right = m * v - b * k * (x + r * v) - r * (k * x + d * v);
    const double v_E = right / (m + b * d + b * b * k);
    x += b * v_E + r * v;
    v = v_E;
  }
};

TEST(MoreauJeanOscillator, FollowsTheThetaMethodStepByStep) {
  for (const double theta : {0.25, 0.5, 0.75, 1.0}) {
    const ModelRun run = run_test_model("oscillator", {fmt::format("theta={}", theta), "damping=3 N s/m"});
    Oscillator expected{1, 100, 3, 0.1, 0};
    Worst worst;
    for (std::size_t i = 1; i < run.rows(); ++i) {
      expected.step(theta, 0.01);
      worst(run["guide.q"][i] - expected.x);
      worst(run["guide.u"][i] - expected.v);
    }
    EXPECT_LT(worst.value, 1e-12) << theta;
  }
}

TEST(MoreauJeanOscillator, KeepsItsEnergyWithThetaOneHalf) {
  const ModelRun run = run_test_model("oscillator", {"duration=100 s"});
  ASSERT_EQ(run.rows(), 10001u);
  const double E = run["energy.total"].front();
  Worst worst;
  for (const double value : run["energy.total"]) worst(value / E - 1);
  EXPECT_LT(worst.value, 1e-10);
}

// |amplification|^2 = 1/(1 + (omega dt)^2) per step of implicit Euler.
TEST(MoreauJeanOscillator, LosesEnergyWithThetaOne) {
  const ModelRun run = run_test_model("oscillator", {"theta=1"});
  const double per_step = 1 / (1 + 100 * 1e-4);
  Worst worst;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double expected = std::pow(per_step, static_cast<double>(i));
    worst(run["energy.total"][i] / run["energy.total"].front() / expected - 1);
  }
  EXPECT_LT(worst.value, 1e-11);
  EXPECT_LT(run["energy.drift"].back(), 0) << "no damper takes it: the ledger blames the integrator";
}

// k dt^2/m = 1e4. The trapezoidal rule goes round the ellipse of constant energy in nearly half turns; the mean of two
// neighbours, all that it resolves, stays near the position of rest.
TEST(MoreauJeanStiffSpring, StaysBoundedWhereAnExplicitRuleBlowsUp) {
  const Overrides stiff = {"stiffness=1e8 N/m", "duration=10 s"};
  const ModelRun run = run_test_model("oscillator", stiff);
  const double E = run["energy.total"].front();
  Worst worst;
  for (const double value : run["energy.total"]) worst(value / E - 1);
  EXPECT_LT(worst.value, 1e-9);
  EXPECT_LE(largest(run["guide.q"]), 0.1 * (1 + 1e-9));

  ModelFile file = load_model(test_dir() + "/models/physics/oscillator.yaml", std::vector<std::string>(stiff));
  file.simulate.integrator = "moreau-midpoint";
  file.simulate.theta.reset();
  const Model model = build_model(file);
  MemorySink sink;
  Simulation simulation(*model.system, *model.contacts, file.simulate);
  const RunSummary summary = simulation.run(sink, {});
  const bool has_blown_up = summary.status == RunStatus::kFailed || largest(sink.channel("guide.q")) > 1e6;
  EXPECT_TRUE(has_blown_up);
}

// Thirty bodies on springs with k dt^2/m = 1e5, and a rotor that nothing connects with them. However far that has
// turned, they move as without it, and no step leaves more than the tolerance.
TEST(MoreauJeanStiffSpring, ALargeAngleElsewhereIsNoExcuse) {
  const auto run_chain = [](double turned) {
    std::string bodies = "bodies:\n  rotor: {mass: 1 kg, inertia: 1 kg m^2}\n", springs = "forces:\n";
    for (int i = 0; i < 30; ++i) {
      bodies += fmt::format("  b{}: {{mass: 10 g, inertia: 1e-6 kg m^2, initial: {{x: {} m, y: 0 m, vx: {} m/s}}}}\n",
                            i, 0.1 * (i + 1), 0.1 * (i % 3));
      springs += fmt::format(
          "  s{}: {{type: spring, parent: {}, child: b{}, stiffness: 1e9 N/m, damping: 1 N s/m, "
          "free_length: 0.1 m}}\n",
          i, i == 0 ? "ground" : fmt::format("b{}", i - 1), i);
    }
    return run_model(parse_model(
        "freeplay: 1\nspace: planar\n" + bodies + "joints:\n  axle: {type: revolute, parent: ground, child: rotor, " +
            fmt::format("initial: {{q: {} rad, u: 1 rad/s}}}}\n", turned) + springs +
            "simulate: {integrator: moreau-jean, step: 1 ms, duration: 20 ms, solver_tolerance: 1e-9 m/s}\n",
        "chain.yaml"));
  };
  const ModelRun alone = run_chain(0), beside = run_chain(1e4);
  ASSERT_EQ(alone.summary.status, RunStatus::kCompleted) << alone.summary.message;
  ASSERT_EQ(beside.summary.status, RunStatus::kCompleted) << beside.summary.message;
  EXPECT_LE(largest(beside["step.residual"]), 1e-9);
  for (const char* body : {"b0", "b15", "b29"})
    EXPECT_LT(largest_difference(alone[std::string(body) + ".vx"], beside[std::string(body) + ".vx"]), 1e-7) << body;
}

// theta = 1 takes the stiff mode out within a few steps: q = q_0/(k dt^2/m) after the first.
TEST(MoreauJeanStiffSpring, ImplicitEulerComesToRestAtOnce) {
  const ModelRun run = run_test_model("oscillator", {"stiffness=1e8 N/m", "theta=1"});
  EXPECT_NEAR(run["guide.q"][1], 0.1 / (1 + 1e4), 1e-15);
  EXPECT_LT(std::abs(run["guide.q"][5]), 1e-11) << "the residual that a step may leave, times the step";
}

// d dt/m = 1e4: u_E = u_A/(1 + d dt/m). The ledger sees where the energy went, in one step.
TEST(MoreauJeanStiffDamper, LedgerHoldsForAnyTheta) {
  const ModelRun run = run_test_model("oscillator", {"stiffness=0 N/m", "damping=1e6 N s/m", "speed=2 m/s", "theta=1"});
  EXPECT_NEAR(run["guide.u"][1], 2 / (1 + 1e4), 1e-12);
  for (const double theta : {0.5, 0.7, 1.0}) {
    const ModelRun soft = run_test_model(
        "oscillator", {"stiffness=0 N/m", "damping=300 N s/m", "speed=2 m/s", fmt::format("theta={}", theta)});
    EXPECT_NEAR(soft["energy.damping_loss"].back() + soft["energy.kinetic"].back(), 2, 1e-10) << theta;
    EXPECT_NEAR(soft["energy.drift"].back(), 0, 1e-10) << theta;
  }
}

// A load that changes much in a step of 50 ms: what it put in is the work of the forces that the rule took, at both
// ends of the step, on the mean velocity.
TEST(MoreauJeanLoad, LedgerClosesToRoundingWhateverTheStep) {
  for (const double theta : {0.5, 0.7, 1.0}) {
    const ModelRun run = run_test_model("oscillator", {"stiffness=0 N/m", "damping=2 N s/m", "load=3 N", "step=50 ms",
                                                       "duration=5 s", fmt::format("theta={}", theta)});
    EXPECT_GT(std::abs(run["energy.input"].back()), 0.05);
    Worst worst;
    for (const double drift : run["energy.drift"]) worst(drift);
    EXPECT_LT(worst.value, 1e-13) << theta;
  }
}

// The reaction of the guide and the force of the spring are those that moved the mass: F = m (u_E - u_A)/dt.
TEST(MoreauJeanStiffSpring, ReactionsBelongToTheForcesOfTheStep) {
  const ModelRun run = run_test_model("oscillator", {"stiffness=1e6 N/m", "damping=20 N s/m"});
  Worst worst;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    const double mean = (run["guide.u"][i] - run["guide.u"][i - 1]) / 0.01;
    worst((run["guide.force_x"][i]) / std::max(1.0, std::abs(mean)));
  }
  EXPECT_LT(worst.value, 1e-7) << "nothing acts along the axis of the guide but the spring";
}

// Stiff springs at a mass that swings and turns, at steps far above their periods: with theta = 1 it comes to rest
// where springs and weight are in balance, whatever the step.
TEST(MoreauJeanStiffSpring, ComesToRestInTheBalanceOfForces) {
  const double k = 2e6;
  for (const char* step : {"step=5 ms", "step=1 ms"}) {
    const ModelRun run = run_test_model(
        "mass_on_springs", {"stiffness=2e6 N/m", "damping=2e3 N s/m", "simulate.theta=1", "duration=3 s", step});
    for (const char* rate : {"mass.vx", "mass.vy", "mass.omega"}) EXPECT_LT(std::abs(run[rate].back()), 1e-9) << rate;
    const Vec2 centre(run["mass.x"].back(), run["mass.y"].back());
    const double angle = run["mass.angle"].back();
    const Vec2 arm = 0.1 * Vec2(std::cos(angle), std::sin(angle));
    Vec2 force(0, -9.81);
    double moment = 0;
    const auto pull = [&](const Vec2& from, const Vec2& lever, double stiffness, double free_length) {
      const Vec2 way = centre + lever - from;
      const Vec2 F = -stiffness * (way.norm() - free_length) * way.normalized();
      force += F;
      moment += lever.x() * F.y() - lever.y() * F.x();
    };
    pull(Vec2(-1, 0), -arm, k, 0.6);
    pull(Vec2(1, 0.2), arm, 2 * k, 0.7);
    EXPECT_LT(force.norm(), 1e-6 * k) << step;
    EXPECT_LT(std::abs(moment), 1e-7 * k) << step;
    EXPECT_LT(run.summary.worst_residual_m_s, 1e-9);
  }
}

}  // namespace
}  // namespace freeplay::test
