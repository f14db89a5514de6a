// Bushings against closed forms: oscillators, the limit of an ideal joint, conservation of energy.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test {
namespace {

constexpr double kPi = std::numbers::pi;

ModelRun run_text(const std::string& text, const Overrides& overrides = {}) {
  return run_model(parse_model(text, "bushing.yaml", overrides));
}

// A block of 2 kg and 0.05 kg m^2 on a bushing off the origin, without gravity.
std::string block_on(
    const std::string& bushing, const std::string& initial,
    const std::string& simulate = "integrator: dopri5, tolerance: 1e-11, step: 1 ms, duration: 0.5 s") {
  return "freeplay: 1\nname: block\nspace: planar\n"
         "bodies: {block: {mass: 2 kg, inertia: 0.05 kg m^2, initial: {" +
         initial +
         "}}}\n"
         "joints: {mount: {type: fixed, model: bushing, parent: ground, at_parent: [0.3 m, 0.1 m], child: block,\n"
         "  bushing: {" +
         bushing +
         "}}}\n"
         "simulate: {" +
         simulate + "}\n";
}

double period_of(const std::vector<double>& crossings) {
  return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

// omega = sqrt(k/m) in each direction by itself, sqrt(k/J) for turning.
TEST(BushingOscillator, HasItsOwnFrequencyInEveryDirection) {
  const ModelRun run = run_text(
      block_on("stiffness: [20 kN/m, 45 kN/m], torsional_stiffness: 800 N m", "x: 301 mm, y: 102 mm, angle: 0.4 rad"));
  const double wx = std::sqrt(20e3 / 2), wy = std::sqrt(45e3 / 2), wz = std::sqrt(800 / 0.05);
  Worst error;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run.time()[i];
    error((run["mount.eccentricity_x"][i] - 0.001 * std::cos(wx * t)) / 0.001);
    error((run["block.y"][i] - 0.1 - 0.002 * std::cos(wy * t)) / 0.002);
    error((run["block.angle"][i] - 0.4 * std::cos(wz * t)) / 0.4);
    error((run["mount.force_x"][i] + 20 * std::cos(wx * t)) / 20);
    error((run["mount.moment"][i] + 320 * std::cos(wz * t)) / 320);
  }
  EXPECT_LT(error.value, 1e-7);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-7);
}

// x'' + 2 D w x' + w^2 x = 0: one period later the amplitude is exp(-2 pi D / sqrt(1 - D^2)) of what it was.
TEST(BushingOscillator, DecaysByTheLogarithmicDecrement) {
  const double w = 100, D = 0.05, damping = 2 * D * w * 2;
  const ModelRun run = run_text(
      block_on(fmt::format("stiffness: 20 kN/m, damping: {} N s/m, torsional_stiffness: 0", damping), "x: 310 mm"));
  const double wd = w * std::sqrt(1 - D * D);
  Worst error;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run.time()[i];
    const double x = 0.01 * std::exp(-D * w * t) * (std::cos(wd * t) + D * w / wd * std::sin(wd * t));
    error((run["mount.eccentricity_x"][i] - x) / 0.01);
  }
  EXPECT_LT(error.value, 1e-8);
  const double lost = run["energy.damping_loss"].back();
  EXPECT_NEAR(lost, run["energy.total"].front() - run["energy.total"].back(), 1e-9);
  EXPECT_GT(lost, 0.99);  // of 1 J
}

// m x'' + k x + k3 x^3 = 0 from rest at A:  x = A cn(W t, m),  W^2 = (k + k3 A^2)/mass,  m = k3 A^2 / (2 (k + k3 A^2)),
// so the period is 4 K(m) / W. The same for turning.
TEST(BushingOscillator, CubicPeriodIsTheEllipticIntegral) {
  const auto period = [](double k, double k3, double inertia, double amplitude) {
    const double stiff = k + k3 * amplitude * amplitude;
    const double parameter = k3 * amplitude * amplitude / (2 * stiff);
    return 4 * std::comp_ellint_1(std::sqrt(parameter)) / std::sqrt(stiff / inertia);
  };
  const ModelRun run =
      run_text(block_on("stiffness: [20 kN/m, 0], cubic_stiffness: [3e8 N/m^3, 5e8 N/m^3],\n"
                        "  torsional_stiffness: 200 N m, torsional_cubic_stiffness: 900 N m",
                        "x: 310 mm, y: 120 mm, angle: 0.7 rad"));
  std::vector<double> y = run["mount.eccentricity_y"];
  EXPECT_NEAR(period_of(upward_crossings(run.time(), run["mount.eccentricity_x"], run["block.vx"])) /
                  period(20e3, 3e8, 2, 0.01),
              1, 1e-7);
  EXPECT_NEAR(period_of(upward_crossings(run.time(), y, run["block.vy"])) / period(0, 5e8, 2, 0.02), 1, 1e-6);
  EXPECT_NEAR(
      period_of(upward_crossings(run.time(), run["block.angle"], run["block.omega"])) / period(200, 900, 0.05, 0.7), 1,
      1e-6);
}

// A channel at the times k step, which are ends of steps.
std::vector<double> at_multiples(const ModelRun& run, const std::string& channel, double step) {
  std::vector<double> values;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    if (std::abs(run.time()[i] - static_cast<double>(values.size()) * step) < 1e-9 * step)
      values.push_back(run[channel][i]);
  }
  return values;
}

class EveryIntegrator : public testing::TestWithParam<const char*> {};

TEST_P(EveryIntegrator, RunsAnOscillator) {
  const ModelRun run =
      run_text(block_on("stiffness: 20 kN/m, damping: 40 N s/m, torsional_stiffness: 100 N m", "x: 310 mm",
                        fmt::format("integrator: {}, step: 20 us, duration: 0.1 s", GetParam())));
  const double w = 100, D = 0.1, wd = w * std::sqrt(1 - D * D), t = 0.1;
  const double x = 0.01 * std::exp(-D * w * t) * (std::cos(wd * t) + D * w / wd * std::sin(wd * t));
  EXPECT_NEAR(run["mount.eccentricity_x"].back(), x, 2e-5 * 0.01 * 100);
  EXPECT_NEAR(run["energy.drift"].back(), 0, 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Names, EveryIntegrator, testing::Values("dopri5", "moreau-midpoint", "moreau-jean"),
                         [](const auto& name) {
                           std::string word = name.param;
                           std::replace(word.begin(), word.end(), '-', '_');
                           return word;
                         });

// A step of moreau-jean as long as thirty periods of the bushing: the swing of the rod is still that of an ideal pin,
// up to the first order of theta = 1.
TEST(StiffBushing, IsTreatedImplicitly) {
  const std::string text =
      "freeplay: 1\nname: rod\nspace: planar\nparameters: {word: {word: bushing}}\ngravity: [0, -9.81 m/s^2]\n"
      "bodies: {rod: {mass: 1 kg, inertia: 1 kg m^2/12}}\n"
      "joints: {pin: {type: revolute, model: word, parent: ground, child: rod, at_child: [-0.5 m, 0],\n"
      "  bushing: {stiffness: 1e10 N/m, damping: 1e5 N s/m}}}\n"
      "simulate: {integrator: dopri5, step: 1 ms, duration: 1 s}\n";
  const ModelRun exact = run_text(text, {"word=ideal"});
  std::vector<double> error;
  for (const char* step : {"1 ms", "0.5 ms"}) {
    const ModelRun run =
        run_text(text, {"simulate.integrator=moreau-jean", "simulate.theta=1", fmt::format("simulate.step={}", step)});
    error.push_back(std::abs(run["rod.angle"].back() - exact["rod.angle"].back()));
  }
  EXPECT_LT(error[0], 0.03);
  EXPECT_NEAR(error[0] / error[1], 2, 0.2);
}

// What acts on the coordinate of an ideal joint acts on that of a bushing: a motor, dry friction, a stop.
TEST(BushingJoint, TakesMotorFrictionAndStops) {
  const std::string text =
      "freeplay: 1\nname: rod\nspace: planar\nparameters: {word: {word: bushing}}\n"
      "bodies: {rod: {mass: 1 kg, inertia: 0.1 kg m^2}}\n"
      "joints: {pin: {type: revolute, model: word, parent: ground, child: rod, dry_friction: 0.5 N m,\n"
      "  stops: {upper: 0.3 rad, restitution: 0.5}, bushing: {stiffness: 1 kN/m, damping: 10 N s/m}}}\n"
      "drivers: {motor: {on: pin, torque: 2 N m}}\n"
      "simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 1 s}\n";
  // The torque has no force: the rod turns about its centre of mass, which rests in the bushing.
  const ModelRun elastic = run_text(text), ideal = run_text(text, {"word=ideal"});
  EXPECT_LT(largest_difference(elastic["pin.q"], ideal["pin.q"]), 1e-9);
  EXPECT_LT(largest_difference(elastic["pin.moment"], ideal["pin.moment"]), 1e-4);
  EXPECT_NEAR(elastic["energy.friction_loss"].back(), ideal["energy.friction_loss"].back(), 1e-9);
  EXPECT_GT(elastic.summary.impacts, 1);
  EXPECT_NEAR(elastic["pin.q"].back(), 0.3, 1e-3);
}

// The same file, one word apart. Released slowly enough the deviation is that of a static load: F/k, so ten times the
// stiffness leaves a tenth of it.
TEST(BushingPendulum, TendsToTheIdealPendulumWithTheCompliance) {
  const auto text = [](const std::string& word, double stiffness) {
    return fmt::format(
        "freeplay: 1\nname: pendulum\nspace: spatial\ngravity: [0, -9.81 m/s^2, 0]\n"
        "bodies: {{rod: {{mass: 1 kg, inertia: [1e-3 kg m^2, 0.08 kg m^2, 0.08 kg m^2]}}}}\n"
        "joints: {{pin: {{type: revolute, model: {}, parent: ground, child: rod, at_child: [-0.5 m, 0, 0.1 m],\n"
        "  initial: {{q: -40 deg}},\n"
        "  bushing: {{stiffness: {} N/m, damping: {} N s/m, torsional_stiffness: {} N m, torsional_damping: {} N m "
        "s}}}}}}\n"
        "simulate: {{integrator: dopri5, tolerance: 1e-9, step: 5 ms, duration: 0.8 s}}\n",
        word, stiffness, 2 * std::sqrt(stiffness), stiffness, 0.4 * std::sqrt(stiffness));
  };
  const ModelRun ideal = run_text(text("ideal", 1e4));
  EXPECT_EQ(ideal.mechanism().degrees_of_freedom(), 1);
  std::vector<double> deviation, force;
  for (const double stiffness : {1e4, 1e5, 1e6}) {
    const ModelRun elastic = run_text(text("bushing", stiffness));
    EXPECT_EQ(elastic.mechanism().degrees_of_freedom(), 6);
    EXPECT_EQ(elastic["rod.y"].front(), ideal["rod.y"].front());
    deviation.push_back(largest_difference(at_multiples(elastic, "rod.y", 5e-3), at_multiples(ideal, "rod.y", 5e-3)));
    // The end, after the vibrations: the reaction is that of the ideal pin.
    force.push_back(std::abs(elastic["pin.force_y"].back() / ideal["pin.force_y"].back() - 1));
  }
  EXPECT_NEAR(deviation[0] / deviation[1], 10, 1.5);
  EXPECT_NEAR(deviation[1] / deviation[2], 10, 1.5);
  EXPECT_LT(force[2], 2e-3);
  EXPECT_LT(force[2], force[1]);
}

// A tumbling body on a bushing of six directions, all different, with large rotations: nothing is lost. Also those that
// turn round and round with a tilted axis, and the cross of a universal joint, whose two arms turn freely.
TEST(SpatialBushing, ConservesEnergy) {
  for (const std::string type : {"fixed", "revolute", "cylindrical", "planar", "universal", "spherical", "prismatic"}) {
    const bool turns = type == "revolute" || type == "cylindrical" || type == "planar", is_cross = type == "universal";
    const ModelRun run = run_text(
        "freeplay: 1\nname: tumbler\nspace: spatial\ngravity: [0, 0, -9.81 m/s^2]\n"
        "bodies:\n"
        "  frame: {mass: 3 kg, inertia: [0.2 kg m^2, 0.3 kg m^2, 0.25 kg m^2]}\n"
        "  body: {mass: 1 kg, inertia: [0.02 kg m^2, 0.03 kg m^2, 0.04 kg m^2], initial: {omega_x: 2 rad/s, omega_y: "
        "-3 "
        "rad/s, omega_z: " +
        std::string(turns ? "25" : "4") +
        " rad/s}}\n"
        "joints:\n"
        "  base: {type: spherical, parent: ground, child: frame, at_child: [0, 0, -0.3 m]}\n"
        "  mount: {type: " +
        type +
        ", model: bushing, parent: frame, at_parent: [0.2 m, 0, 0.1 m], child: body,\n"
        "    at_child: [0.05 m, 0.1 m, 0], axis: [1, 2, 3], rotation: {axis: [1, 1, 0], angle: 20 deg},\n"
        "    bushing: {stiffness: [900 N/m, 700 N/m, 1100 N/m], cubic_stiffness: 2e4 N/m^3,\n"
        "      torsional_stiffness: [" +
        (is_cross ? "0, 0, " : "3 N m, 2 N m, ") + (turns ? "0" : "4 N m") +
        "], torsional_cubic_stiffness: 1 N m}}\n"
        "simulate: {integrator: dopri5, tolerance: 1e-11, step: 10 ms, duration: 3 s}\n");
    EXPECT_LT(run.summary.max_energy_drift_J, 1e-7) << type;
    EXPECT_EQ(run["energy.damping_loss"].back(), 0) << type;
    const auto [low, high] = std::minmax_element(run["energy.kinetic"].begin(), run["energy.kinetic"].end());
    EXPECT_GT(*high - *low, 0.5) << type << ": it does exchange energy";
  }
}

// A torque of M and a force of F at rest: the deflections are M/k and F/k, whatever the joint's frame.
TEST(SpatialBushing, DeflectsInItsOwnAxes) {
  const ModelRun run = run_text(
      "freeplay: 1\nname: loaded\nspace: spatial\n"
      "bodies: {body: {mass: 1 kg, inertia: [0.02 kg m^2, 0.03 kg m^2, 0.04 kg m^2]}}\n"
      "joints: {mount: {type: prismatic, model: bushing, parent: ground, child: body, axis: [0, 1, 0],\n"
      "  bushing: {stiffness: [200 N/m, 1000 N/m, 2000 N/m], damping: [30 N s/m, 60 N s/m, 90 N s/m],\n"
      "    torsional_stiffness: 10 N m, torsional_damping: 1 N m s}}}\n"
      "forces: {push: {type: force, on: body, value: [0 N, 3 N, 5 N]}, twist: {type: torque, on: body, value: [0 N m, "
      "0.2 N m, 0 N m]}}\n"
      "simulate: {integrator: dopri5, tolerance: 1e-10, step: 10 ms, duration: 6 s}\n");
  // x of the joint's frame is y of the world; z stays z.
  EXPECT_NEAR(run["mount.eccentricity_x"].back(), 3.0 / 200, 1e-9);
  EXPECT_NEAR(run["mount.eccentricity_y"].back(), 0, 1e-9);
  EXPECT_NEAR(run["mount.eccentricity_z"].back(), 5.0 / 2000, 1e-9);
  EXPECT_NEAR(run["mount.force_x"].back(), -3, 1e-7);
  EXPECT_NEAR(run["mount.force_z"].back(), -5, 1e-7);
  EXPECT_NEAR(run["mount.moment_x"].back(), -0.2, 1e-8);
  EXPECT_NEAR(2 * std::asin(run["body.e2"].back()), 0.02, 1e-9);
}

}  // namespace
}  // namespace freeplay::test
