// Long chains of ordinary joints: tensions, frequencies and energy in closed form, as trees and as constraints.
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::long_chain_test {
namespace {

constexpr double kPitch = 0.01, kMass = 0.012, kInertia = kMass * kPitch * kPitch / 12, kGravity = 9.81;

// Links and joints as text; a test adds where they are.
struct ChainText {
  std::string bodies = "bodies:\n", joints = "joints:\n";

  void link(int i, const std::string& initial = "") {
    bodies += fmt::format("  l{}: {{mass: {} kg, inertia: {:.17g} kg m^2{}}}\n", i, kMass, kInertia,
                          initial.empty() ? "" : ", initial: {" + initial + "}");
  }
  // Between the end of link `from` and the start of link `to`.
  void pin(int from, int to, const std::string& more = "") {
    joints +=
        fmt::format("  j{}: {{type: revolute, parent: l{}, at_parent: [{} m, 0], child: l{}, at_child: [{} m, 0]{}}}\n",
                    to, from, kPitch / 2, to, -kPitch / 2, more);
  }
  // Link 0 on the ground.
  void hang(const std::string& more) {
    joints +=
        fmt::format("  j0: {{type: revolute, parent: ground, child: l0, at_child: [{} m, 0]{}}}\n", -kPitch / 2, more);
  }
  ModelRun run(const std::string& gravity, const std::string& simulate, const std::string& channels) const {
    return run_model(parse_model(fmt::format("freeplay: 1\nname: chain\nspace: planar\ngravity: [0, {}]\n{}{}simulate: "
                                             "{{{}}}\nrecord: [energy.total, energy.drift, {}]\n",
                                             gravity, bodies, joints, simulate, channels),
                                 "chain.yaml"));
  }
};

double force(const ModelRun& run, const std::string& joint, std::size_t row) {
  return std::hypot(run[joint + ".force_x"][row], run[joint + ".force_y"][row]);
}

// At rest, straight down: joint k carries the n - k links below it. Digits must not be lost along 500 links.
TEST(LongChain, AHangingChainCarriesTheWeightBelowEachJoint) {
  constexpr int kLinks = 500;
  for (const char* simulate :
       {"integrator: moreau-midpoint, step: 0.1 ms, duration: 2 ms", "integrator: dopri5, step: 1 ms, duration: 2 ms",
        "integrator: moreau-jean, step: 0.1 ms, duration: 2 ms"}) {
    SCOPED_TRACE(simulate);
    ChainText chain;
    for (int i = 0; i < kLinks; ++i) chain.link(i);
    chain.hang(fmt::format(", initial: {{q: {:.17g} rad}}", -std::numbers::pi / 2));
    for (int i = 1; i < kLinks; ++i) chain.pin(i - 1, i);
    const ModelRun run = chain.run(fmt::format("{} m/s^2", -kGravity), simulate,
                                   "j0.force_x, j0.force_y, j250.force_x, j250.force_y, j499.force_x, j499.force_y");
    ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
    const double weight = kMass * kGravity;
    const std::size_t last = run.rows() - 1;
    EXPECT_NEAR(force(run, "j0", last), kLinks * weight, 1e-11 * kLinks * weight);
    EXPECT_NEAR(force(run, "j250", last), 250 * weight, 1e-11 * 250 * weight);
    EXPECT_NEAR(force(run, "j499", last), weight, 1e-9 * weight);
    EXPECT_LT(run.summary.max_energy_drift_J, 1e-12 * kLinks * weight * kLinks * kPitch);
  }
}

// Small swings of a hanging chain: x(s) = J_0(j sqrt(s/L)), s from the free end, omega = j/2 sqrt(g/L) (Bernoulli,
// Euler). Rods instead of a chain that bends everywhere: the difference shrinks as the square of their length.
TEST(LongChain, SwingsAtTheFrequenciesOfBesselsFunction) {
  const std::vector<double> zeros = {2.404825557695773, 5.520078110286311, 8.653727912911012};
  for (std::size_t mode = 0; mode < zeros.size(); ++mode) {
    std::vector<double> errors;
    for (const int links : {100, 200, 400}) {
      const double length = links * kPitch, expected = zeros[mode] / 2 * std::sqrt(kGravity / length);
      const double amplitude = 1e-6 * length;
      const auto x = [&](int joint) {  // of the start of a link
        return amplitude * std::cyl_bessel_j(0.0, zeros[mode] * std::sqrt(1 - static_cast<double>(joint) / links));
      };
      ChainText chain;
      for (int i = 0; i < links; ++i) chain.link(i);
      double before = 0;
      for (int i = 0; i < links; ++i) {
        const double angle = (x(i + 1) - x(i)) / kPitch;
        const std::string start =
            fmt::format(", initial: {{q: {:.17g} rad}}", i == 0 ? angle - std::numbers::pi / 2 : angle - before);
        i == 0 ? chain.hang(start) : chain.pin(i - 1, i, start);
        before = angle;
      }
      const double quarter = std::numbers::pi / 2 / expected;
      const ModelRun run =
          chain.run(fmt::format("{} m/s^2", -kGravity),
                    fmt::format("integrator: dopri5, tolerance: 1e-10, step: {:.17g} s, duration: {:.17g} s",
                                quarter / 50, 1.2 * quarter),
                    fmt::format("l{0}.x, l{0}.vx", links - 1));
      ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
      // The first zero of the tip's motion is a quarter of the period.
      const std::vector<double>&tip = run[fmt::format("l{}.x", links - 1)],
            &speed = run[fmt::format("l{}.vx", links - 1)];
      std::vector<double> down(tip.size()), rate(tip.size());
      const double sign = tip[0] > 0 ? -1 : 1;
      for (std::size_t i = 0; i < tip.size(); ++i) down[i] = sign * tip[i], rate[i] = sign * speed[i];
      const std::vector<double> crossings = upward_crossings(run.time(), down, rate);
      ASSERT_FALSE(crossings.empty());
      errors.push_back(std::abs(quarter / crossings[0] - 1));
    }
    EXPECT_LT(errors[2], 1e-4) << mode;
    EXPECT_NEAR(errors[1] / errors[2], 4, 0.4) << mode;
  }
}

// A straight chain that turns about its middle in free fall: joint k pulls the links beyond it around,
// m omega^2 p ((n - 1)/2 + ... ). The tree begins at one end; the far end is as exact as the near one.
TEST(LongChain, AStraightChainThatTurnsInFreeFallIsPulledAlikeAtBothEnds) {
  constexpr int kLinks = 500;
  constexpr double kOmega = 20;
  ChainText chain;
  const double half = (kLinks - 1) / 2.0 * kPitch;
  chain.link(0, fmt::format("x: {:.17g} m, y: 0 m, angle: 0 rad, vx: 0 m/s, vy: {:.17g} m/s, omega: {} rad/s", -half,
                            -kOmega * half, kOmega));
  for (int i = 1; i < kLinks; ++i) {
    chain.link(i);
    chain.pin(i - 1, i, ", initial: {q: 0 rad, u: 0 rad/s}");
  }
  const ModelRun run = chain.run(fmt::format("{} m/s^2", -kGravity), "integrator: dopri5, step: 1 ms, duration: 10 ms",
                                 "j1.force_x, j1.force_y, j250.force_x, j250.force_y, j499.force_x, j499.force_y, "
                                 "l0.vx, l0.vy, l499.vx, l499.vy");
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  const auto tension = [&](int joint) {  // of the links joint, ..., n - 1
    double sum = 0;
    for (int i = joint; i < kLinks; ++i) sum += kMass * kOmega * kOmega * (i * kPitch - half);
    return sum;
  };
  const std::size_t last = run.rows() - 1;
  EXPECT_NEAR(force(run, "j250", last), tension(250), 1e-10 * tension(250));
  EXPECT_NEAR(force(run, "j499", last), tension(499), 1e-8 * tension(499));
  EXPECT_NEAR(force(run, "j1", last), tension(499), 1e-8 * tension(499)) << "the first link is pulled as the last one";
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-11 * run["energy.total"][0]);
  // Momentum: the mean of the two ends falls freely.
  const double t = run.time()[last];
  EXPECT_NEAR(run["l0.vy"][last] + run["l499.vy"][last], -2 * kGravity * t, 1e-11);
  EXPECT_NEAR(run["l0.vx"][last] + run["l499.vx"][last], 0, 1e-11);
}

enum class Kind { kTree, kConstraint };

// A ring of links that turns about its centre; `wave`: joints of a tree also bend, in the third mode.
ChainText ring(int links, Kind kind, double speed, double wave = 0) {
  const double angle = 2 * std::numbers::pi / links, radius = kPitch / 2 / std::tan(angle / 2), omega = speed / radius;
  ChainText chain;
  for (int i = 0; i < links; ++i) {
    const double at = i * angle, x = radius * std::sin(at), y = -radius * std::cos(at);
    const bool is_placed = kind == Kind::kConstraint || i == 0;
    chain.link(i, is_placed ? fmt::format("x: {:.17g} m, y: {:.17g} m, angle: {:.17g} rad, vx: {:.17g} m/s, vy: "
                                          "{:.17g} m/s, omega: {:.17g} rad/s",
                                          x, y, at, -omega * y, omega * x, omega)
                            : "");
  }
  for (int i = 1; i <= links; ++i) {
    const bool is_edge = kind == Kind::kTree && i < links;
    const std::string start =
        fmt::format(", initial: {{q: {:.17g} rad, u: {:.17g} rad/s}}", angle, wave * std::cos(3 * angle * i));
    chain.pin(i - 1, i % links, is_edge ? start : kind == Kind::kConstraint ? ", as: constraint" : "");
  }
  return chain;
}

// Every link, of which each joint holds an end along the tangent there, is pulled towards the centre with
// 2 F sin(psi/2) = m omega^2 r.
TEST(LongChain, ARingThatTurnsHasTheTensionOfItsSpeed) {
  constexpr double kSpeed = 5;
  for (const Kind kind : {Kind::kTree, Kind::kConstraint}) {
    for (const int links : {63, 126, 252}) {
      SCOPED_TRACE(fmt::format("{} {}", links, kind == Kind::kTree ? "tree" : "constraint"));
      const ModelRun run = ring(links, kind, kSpeed)
                               .run("0 m/s^2", "integrator: dopri5, step: 0.1 ms, duration: 0.5 ms",
                                    "j0.force_x, j0.force_y, j1.force_x, j1.force_y, j30.force_x, j30.force_y");
      ASSERT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
      const double psi = 2 * std::numbers::pi / links, radius = kPitch / 2 / std::tan(psi / 2);
      const double expected = kMass * kSpeed * kSpeed / radius / (2 * std::sin(psi / 2));
      for (const char* joint : {"j0", "j1", "j30"})
        EXPECT_NEAR(force(run, joint, run.rows() - 1), expected, 1e-8 * expected) << joint;
      EXPECT_LT(run.summary.max_energy_drift_J, 1e-11 * run["energy.total"][0]);
    }
  }
}

// Velocities relative to the link before make large forces. Taken at the start of a step, the default, they add energy
// in proportion to the step; at the middle of it what is left shrinks as its square; moreau-jean takes them implicitly.
// None of it is rounding: dopri5 keeps the energy of the same tree to 1e-12.
TEST(LongChain, TheEnergyOfARingThatBendsIsKeptAsTheRuleOfItsForcesSays) {
  constexpr int kLinks = 126;
  const auto drift = [](const std::string& simulate) {
    const ModelRun run = ring(kLinks, Kind::kTree, 5, 10).run("0 m/s^2", simulate, "l0.x");
    EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
    return run.summary.max_energy_drift_J / run["energy.total"][0];
  };
  const auto stepped = [&](const char* forces, const char* step) {
    return drift(
        fmt::format("integrator: moreau-midpoint, velocity_forces: {}, step: {}, duration: 1 ms", forces, step));
  };
  const double start = stepped("start", "10 us"), start_fine = stepped("start", "5 us");
  const double middle = stepped("midpoint", "10 us"), middle_fine = stepped("midpoint", "5 us");
  EXPECT_NEAR(start / start_fine, 2, 0.3);
  EXPECT_GT(middle / middle_fine, 3);
  EXPECT_LT(middle_fine, 1e-2 * start_fine);
  EXPECT_GT(stepped("implicit", "10 us") / stepped("implicit", "5 us"), 3);
  EXPECT_GT(drift("integrator: moreau-jean, step: 10 us, duration: 1 ms") /
                drift("integrator: moreau-jean, step: 5 us, duration: 1 ms"),
            3);
  EXPECT_LT(drift("integrator: dopri5, tolerance: 1e-10, step: 50 us, duration: 1 ms"), 1e-12);
}

}  // namespace
}  // namespace freeplay::test::long_chain_test
