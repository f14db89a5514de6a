// Lubricated joints in motion: where a loaded journal comes to rest, how an unloaded one whirls, what the ledger says,
// and how the contact takes over.
#include <complex>
#include <numbers>

#include "freeplay/core/error.h"
#include "physics/model_run.h"

namespace freeplay::test::lubricated_joint_test {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;
constexpr double kViscosity = 0.05, kRadius = 0.01, kLength = 0.01, kClearance = 1e-4, kSpeed = 100;

// A rotor that turns at a given speed in a lubricated bore.
std::string rotor(double mass_kg, const std::string& gravity, const std::string& initial, const std::string& bearing,
                  const std::string& simulate) {
  return fmt::format(
      "freeplay: 1\nspace: planar\ngravity: [0, {}]\n"
      "bodies: {{rotor: {{mass: {:.17g} kg, inertia: 1e-4 kg m^2, initial: {{omega: 100 rad/s, {}}}}}}}\n"
      "joints:\n  main: {{type: revolute, parent: ground, child: rotor, model: clearance, clearance: 0.1 mm,\n"
      "    journal_radius: 10 mm, lubricant: {{viscosity: 50 mPa s, length: 10 mm, bearing: {}}},\n"
      "    contact: {{restitution: 0.5, friction: 0.05, force: {{law: hunt-crossley, stiffness: 1e9 N/m^1.5}}}}}}\n"
      "drivers: {{motor: {{on: main, motion: 100 rad/s * t}}}}\n"
      "simulate: {{{}}}\n",
      gravity, mass_kg, initial, bearing, simulate);
}

ModelRun run_rotor(const std::string& text, const Overrides& overrides = {}) {
  return run_model(parse_model(text, "rotor.yaml", overrides));
}

// The load that Ocvirk's bearing carries at an eccentricity, and Sommerfeld's (half film).
double short_load(double eps) {
  const double rest = 1 - eps * eps;
  return kViscosity * kRadius * kSpeed * std::pow(kLength, 3) / (4 * kClearance * kClearance) * eps / (rest * rest) *
         std::sqrt(16 * eps * eps + kPi * kPi * rest);
}
double long_load(double eps) {
  const double rest = 1 - eps * eps;
  return 6 * kViscosity * kRadius * kRadius * kRadius * kLength * kSpeed / (kClearance * kClearance) * eps /
         ((2 + eps * eps) * rest) * std::sqrt(kPi * kPi * rest + 4 * eps * eps);
}

struct LoadCase {
  std::string bearing, integrator;
  double eps;
};
class LoadedJournal : public testing::TestWithParam<LoadCase> {};
INSTANTIATE_TEST_SUITE_P(Bearings, LoadedJournal,
                         testing::Values(LoadCase{"short", "cvode-bdf", 0.5}, LoadCase{"short", "dopri5", 0.8},
                                         LoadCase{"long", "cvode-bdf", 0.5}, LoadCase{"long", "dopri5", 0.7}),
                         [](const auto& each) {
                           return fmt::format("{}{:.0f}", each.param.bearing, 100 * each.param.eps);
                         });

TEST_P(LoadedJournal, SettlesAtTheEccentricityAndAttitudeOfItsSommerfeldNumber) {
  const auto& [bearing, integrator, eps] = GetParam();
  const bool is_long = bearing == "long";
  const double load_N = is_long ? long_load(eps) : short_load(eps);
  const ModelRun run = run_rotor(rotor(load_N / kGravity, "-9.81 m/s^2", "x: 10 um, y: -20 um", bearing,
                                       "integrator: " + integrator + ", tolerance: 1e-9, step: 2 ms, duration: 1.5 s"));
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_NEAR(run["main.eccentricity_ratio"].back(), eps, 1e-5);
  // The journal turns against the clock about the load: it lies to the right of it.
  const double x = run["main.eccentricity_x"].back(), y = run["main.eccentricity_y"].back();
  const double root = std::sqrt(1 - eps * eps);
  const double attitude = std::atan((is_long ? kPi / 2 : kPi / 4) * root / eps);
  EXPECT_NEAR(std::atan2(x, -y), attitude, 1e-4);
  EXPECT_NEAR(run["main.film_force_y"].back(), load_N, 1e-4 * load_N);
  EXPECT_NEAR(run["main.film_force_x"].back(), 0, 1e-4 * load_N);
  // The reaction of the joint is the film's.
  EXPECT_NEAR(run["main.force_y"].back(), run["main.film_force_y"].back(), 1e-9 * load_N);
  // What the motor puts in goes into the oil: torque of the shear, and half of e F_t.
  const double shear = 2 * kPi * kViscosity * std::pow(kRadius, 3) * kLength * kSpeed / (kClearance * root);
  const double wedge = eps * kClearance * load_N * std::sin(attitude) / 2;
  EXPECT_NEAR(run["motor.torque"].back(), shear + wedge, 2e-4 * shear);
  EXPECT_NEAR(run["main.film_power"].back(), run["motor.torque"].back() * kSpeed, 1e-4 * shear * kSpeed);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-6 * run.summary.account.input);
}

// Near the middle m z'' + d z' - i d w/2 z = 0, z = x + i y, d = pi mu R L^3/(2 c^3) (short): the journal spirals
// outwards and whirls with nearly half the speed of the shaft. The film's own nonlinearity is of the order of |z|/c.
TEST(LubricatedJoint, AnUnloadedJournalWhirlsAtHalfTheSpeed) {
  const double m = 0.5, d = kPi / 2 * kViscosity * kRadius * std::pow(kLength / kClearance, 3);
  const std::complex<double> root = (-d + std::sqrt(std::complex<double>(d * d, 2 * m * d * kSpeed))) / (2 * m);
  EXPECT_NEAR(root.imag(), kSpeed / 2, 0.01 * kSpeed);
  EXPECT_GT(root.real(), 0);
  const double start = 1e-8;
  const ModelRun run = run_rotor(rotor(
      m, "0", fmt::format("x: {} m, vx: {:.17g} m/s, vy: {:.17g} m/s", start, start * root.real(), start * root.imag()),
      "short", "integrator: dopri5, tolerance: 1e-12, velocity_tolerance: 1e-14, step: 1 ms, duration: 1 s"));
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
  Worst of_path;
  for (std::size_t row = 0; row < run.rows(); ++row) {
    const std::complex<double> z(run["main.eccentricity_x"][row], run["main.eccentricity_y"][row]);
    const std::complex<double> expected = start * std::exp(root * run.time()[row]);
    of_path(std::abs(z - expected) / std::abs(expected));
  }
  EXPECT_LT(of_path.value, 2e-3);  // it grows to |z|/c = 5e-4
  EXPECT_GT(run["main.eccentricity_ratio"].back(), 4.5 * run["main.eccentricity_ratio"].front());
}

// Far from the middle as well: the whirl goes on towards half of the speed while it grows.
TEST(LubricatedJoint, AWhirlGrowsUntilItIsNearTheWall) {
  const ModelRun run = run_rotor(rotor(2, "0", "x: 20 um, vy: 1 mm/s", "short",
                                       "integrator: cvode-bdf, tolerance: 1e-8, step: 1 ms, duration: 1.5 s"));
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
  const auto angle = [&](std::size_t row) {
    return std::atan2(run["main.eccentricity_y"][row], run["main.eccentricity_x"][row]);
  };
  const std::size_t last = run.rows() - 1;
  std::size_t first = 0;
  while (run.time()[first] < 1.3) ++first;
  double turned = 0;
  for (std::size_t row = first; row < last; ++row) turned += std::remainder(angle(row + 1) - angle(row), 2 * kPi);
  EXPECT_NEAR(turned / (run.time()[last] - run.time()[first]), kSpeed / 2, 1e-3 * kSpeed);
  EXPECT_GT(run["main.eccentricity_ratio"][last], 0.5);
}

// Two bodies of a free pair: no momentum and no angular momentum comes from the film.
TEST(LubricatedJoint, ActsAndReactsWithoutMomentum) {
  const std::string text =
      "freeplay: 1\nspace: planar\ngravity: [0, 0]\n"
      "bodies:\n"
      "  ring: {mass: 1 kg, inertia: 2e-4 kg m^2, initial: {vx: 3 mm/s, omega: -40 rad/s}}\n"
      "  pin: {mass: 0.4 kg, inertia: 1e-4 kg m^2, initial: {x: 60 um, y: 30 um, vy: -2 mm/s, omega: 90 rad/s}}\n"
      "joints:\n  main: {type: revolute, parent: ring, child: pin, model: clearance, clearance: 0.1 mm,\n"
      "    journal_radius: 10 mm, lubricant: {viscosity: 50 mPa s, length: 10 mm},\n"
      "    contact: {restitution: 0.5, force: {law: hunt-crossley, stiffness: 1e9 N/m^1.5}}}\n"
      "simulate: {integrator: dopri5, tolerance: 1e-11, step: 1 ms, duration: 0.3 s}\n";
  const ModelRun run = run_rotor(text);
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
  const auto momentum = [&](std::size_t i) {
    const double p_x = run["ring.vx"][i] + 0.4 * run["pin.vx"][i], p_y = run["ring.vy"][i] + 0.4 * run["pin.vy"][i];
    const auto spin = [&](const std::string& body, double mass, double inertia) {
      return mass * (run[body + ".x"][i] * run[body + ".vy"][i] - run[body + ".y"][i] * run[body + ".vx"][i]) +
             inertia * run[body + ".omega"][i];
    };
    return Vec3(p_x, p_y, spin("ring", 1, 2e-4) + spin("pin", 0.4, 1e-4));
  };
  EXPECT_LT((momentum(run.rows() - 1) - momentum(0)).norm(), 1e-11);
  // All that is lost is lost in the oil.
  EXPECT_NEAR(run["energy.damping_loss"].back(), run.summary.energy_initial_J - run.summary.energy_final_J, 1e-9);
  EXPECT_GT(run["energy.damping_loss"].back(), 0.1);
  double by_power = 0;  // trapezoids
  for (std::size_t i = 1; i < run.rows(); ++i)
    by_power += (run["main.film_power"][i] + run["main.film_power"][i - 1]) / 2 * (run.time()[i] - run.time()[i - 1]);
  EXPECT_NEAR(by_power, run["energy.damping_loss"].back(), 2e-3 * by_power);
}

// A load that the film cannot carry at its thinnest, 12 kN, ends on the contact.
TEST(LubricatedJoint, AnOverloadedFilmHandsOverToTheContact) {
  const ModelRun run = run_rotor(rotor(2000, "-9.81 m/s^2", "y: -90 um", "short",
                                       "integrator: cvode-bdf, tolerance: 1e-8, step: 1 ms, duration: 1 s"),
                                 {"joints.main.contact.force.stiffness=1e12 N/m^1.5"});
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
  // It goes on swinging on the bore, hence means.
  const double load_N = 2000 * kGravity, depth_m = std::pow(load_N / 1e12, 2.0 / 3.0);
  double force_Ns = 0, gap_ms = 0, time_s = 0;
  for (std::size_t i = 1; i < run.rows(); ++i) {
    const double step_s = run.time()[i] - run.time()[i - 1];
    if (run.time()[i] < 0.5) continue;
    force_Ns += step_s * (run["main.force_y"][i] + run["main.force_y"][i - 1]) / 2;
    gap_ms += step_s * (run["main.gap"][i] + run["main.gap"][i - 1]) / 2;
    time_s += step_s;
  }
  EXPECT_NEAR(force_Ns / time_s, load_N, 1e-3 * load_N);
  EXPECT_NEAR(gap_ms / time_s, -depth_m, 0.01 * depth_m);
  EXPECT_EQ(run["main.film_force_y"].back(), 0);
  EXPECT_GT(run.summary.account.damping_loss, 0);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-4 * run.summary.account.friction_loss);
}

TEST(LubricatedJoint, WithoutAFilmIsTheDryJointBitForBit) {
  const std::string simulate = "integrator: dopri5, tolerance: 1e-9, step: 1 ms, duration: 0.1 s";
  const std::string text = rotor(0.5, "-9.81 m/s^2", "y: -50 um", "dry", simulate);
  std::string without = text;
  const std::size_t at = without.find("lubricant:");
  without.erase(at, without.find("},", at) + 2 - at);
  const ModelRun dry = run_rotor(text), other = run_rotor(without);
  EXPECT_EQ(dry["rotor.y"], other["rotor.y"]);
  EXPECT_GT(dry.summary.contacts_begun, 0);
}

TEST(LubricatedJoint, IsRefusedByIntegratorsWithoutForces) {
  for (const char* integrator : {"moreau-midpoint", "moreau-jean", "event-driven"}) {
    const std::string text =
        rotor(0.5, "0", "x: 0", "short", std::string("integrator: ") + integrator + ", step: 1 ms, duration: 0.1 s");
    std::string with_impact = text;
    with_impact.replace(with_impact.find("contact: {"), 10, "contact: {impact: newton, ");
    try {
      run_rotor(with_impact);
      FAIL() << "was accepted";
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("takes no lubricants"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("bearing: dry"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace freeplay::test::lubricated_joint_test
