// Friction of ideal joints by the load that they carry: against closed forms, statics, another integration and the
// balance of power.
#include <array>
#include <cmath>
#include <numbers>

#include "physics/single_contacts/analytic_benchmarks.h"

namespace freeplay::test::joint_friction_test {
namespace {

constexpr double kGravity = 9.81;
// Of journal_friction.yaml.
constexpr double kMass = 5, kGyration = 0.08, kMu = 0.1, kPin = 0.015, kSpeed = 100;

// Centred, the disc loads its pin by m g, whatever it does:  I omega' = -mu r m g.
TEST(JournalFriction, CentredDiscRunsOutAlongAStraightLineAndRests) {
  const double slowing = kMu * kPin * kGravity / (kGyration * kGyration);
  for (const std::string integrator : {"moreau-midpoint", "moreau-jean", "event-driven"}) {
    const ModelRun run = run_test_model(
        "journal_friction", {"speed=2 rad/s", "duration=1 s", "step=1 ms", "simulate.integrator=" + integrator});
    Worst moving, resting;
    for (std::size_t i = 0; i < run.rows(); ++i) {
      const double omega = 2 - slowing * run.time()[i];
      if (omega > 0) moving(run["disc.omega"][i] - omega);
      if (omega < -slowing * 1e-3) resting(run["disc.omega"][i]);
    }
    EXPECT_LT(moving.value, 1e-11) << integrator;
    // Coulomb's law: it sticks, and does not creep. By accelerations it stays at rest to rounding.
    EXPECT_LE(resting.value, integrator == "event-driven" ? 1e-15 : 0) << integrator;
    EXPECT_NEAR(run["energy.friction_loss"].back(), 0.5 * kMass * kGyration * kGyration * 4, 1e-10) << integrator;
    EXPECT_NEAR(run["bearing.force_y"].back(), kMass * kGravity, 1e-9) << integrator;
    EXPECT_LE(run.summary.worst_residual_m_s, 1e-9) << integrator;
  }
}

// With the centre of mass at a distance e from the pin, in polar coordinates about the pin:
//   (I + m e^2) omega' = -m g e cos phi - mu r |F|,   F = m (a_C + g e_y)
double eccentric_speed(double e, double duration) {
  constexpr int kSteps = 60000;
  const double inertia = kMass * (kGyration * kGyration + e * e), h = duration / kSteps;
  const auto rate = [&](double phi, double omega) {
    double alpha = 0;
    for (int k = 0; k < 60; ++k) {  // |F| depends on alpha, weakly
      const double ax = -e * (alpha * std::sin(phi) + omega * omega * std::cos(phi));
      const double ay = e * (alpha * std::cos(phi) - omega * omega * std::sin(phi));
      const double load = kMass * std::hypot(ax, ay + kGravity);
      alpha = -(kMass * kGravity * e * std::cos(phi) + kMu * kPin * load) / inertia;
    }
    return alpha;
  };
  double phi = 0, omega = kSpeed;
  for (int i = 0; i < kSteps; ++i) {  // Runge and Kutta
    const double k1 = rate(phi, omega), k2 = rate(phi + h / 2 * omega, omega + h / 2 * k1);
    const double k3 = rate(phi + h / 2 * (omega + h / 2 * k1), omega + h / 2 * k2);
    const double k4 = rate(phi + h * (omega + h / 2 * k2), omega + h * k3);
    phi += h * (omega + h / 6 * (k1 + k2 + k3));
    omega += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return omega;
}

TEST(JournalFriction, EccentricDiscFeelsItsCentrifugalLoad) {
  const Overrides eccentric = {"eccentricity=2 mm", "duration=1 s"};
  const double expected = eccentric_speed(2e-3, 1);
  // Without the centrifugal load, three times the weight, it would be faster by far.
  EXPECT_LT(expected, kSpeed - 1.5 * kMu * kPin * kGravity / (kGyration * kGyration));
  for (const std::string integrator : {"dopri5", "cvode-adams", "event-driven"}) {
    Overrides changes = eccentric;
    changes.push_back("simulate.integrator=" + integrator);
    EXPECT_NEAR(run_test_model("journal_friction", changes)["disc.omega"].back(), expected, 3e-6) << integrator;
  }
  for (const std::string integrator : {"moreau-midpoint", "moreau-jean"}) {
    double coarse = 0;
    for (const char* step : {"0.4 ms", "0.1 ms"}) {
      Overrides changes = eccentric;
      changes.push_back("simulate.integrator=" + integrator);
      changes.push_back(std::string("step=") + step);
      const double error = std::abs(run_test_model("journal_friction", changes)["disc.omega"].back() - expected);
      if (coarse > 0) {
        EXPECT_LT(error, coarse / 3.5) << integrator << ": at least of first order";
      }
      coarse = error;
    }
    EXPECT_LT(coarse, 1e-3) << integrator;
  }
}

// The disc of journal_friction.yaml; nlp-variable-step takes no 'step'.
ModelRun run_disc_by_nlp(double speed, double eccentricity, double step, double duration) {
  const std::string text = fmt::format(
      "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
      "bodies: {{disc: {{mass: 5 kg, inertia: 5 kg * (80 mm)^2}}}}\n"
      "joints: {{bearing: {{type: revolute, parent: ground, child: disc, at_child: [-{} m, 0], initial: {{u: {} "
      "rad/s}}, friction: {{mu: 0.1, pin_radius: 15 mm}}}}}}\n"
      "simulate: {{integrator: nlp-variable-step, step_choice: fixed, max_step: {} s, duration: {} s}}\n",
      eccentricity, speed, step, duration);
  return run_model(parse_model(text, "disc.yaml"));
}

// The load of a step is the impulse of its bilateral rows, which here keep the joint at the end of the step.
TEST(JournalFriction, TheNonlinearProgramKnowsTheLoadOfItsSteps) {
  const double slowing = kMu * kPin * kGravity / (kGyration * kGyration);
  const ModelRun centred = run_disc_by_nlp(2, 0, 1e-3, 1);
  Worst moving, resting;
  for (std::size_t i = 0; i < centred.rows(); ++i) {
    const double omega = 2 - slowing * centred.time()[i];
    if (omega > 0) moving(centred["disc.omega"][i] - omega);
    if (omega < -slowing * 1e-3) resting(centred["disc.omega"][i]);
  }
  EXPECT_LT(moving.value, 1e-10);
  EXPECT_LT(resting.value, 1e-12);
  const double expected = eccentric_speed(2e-3, 0.2);
  std::vector<double> errors;
  for (const double step : {4e-4, 1e-4}) {
    const ModelRun run = run_disc_by_nlp(kSpeed, 2e-3, step, 0.2);
    errors.push_back(std::abs(run["disc.omega"].back() - expected));
    EXPECT_LE(run.summary.worst_residual_m_s, 1e-9);
  }
  EXPECT_NEAR(std::log(errors[0] / errors[1]) / std::log(4), 2, 0.1) << errors[0] << " " << errors[1];
}

// Step by step, with the reactions that the run tells. These have what the projection behind a step adds, which
// friction does not know: a part of the order of the step.
TEST(JournalFriction, EveryStepObeysTheLawUpToTheProjection) {
  double coarse = 0;
  for (const double step : {1e-4, 5e-5}) {
    const ModelRun run =
        run_test_model("journal_friction", {"eccentricity=2 mm", "duration=50 ms", fmt::format("step={:.17g} s", step),
                                            fmt::format("simulate.force_window={:.17g} s", step)});
    Worst error;
    for (std::size_t i = 1; i < run.rows(); ++i) {
      const double load = std::hypot(run["bearing.force_x"][i], run["bearing.force_y"][i]);
      error(run["bearing.tangential_impulse_friction"][i] / (-kMu * kPin * load * step) - 1);
    }
    EXPECT_LT(error.value, 20 * step);
    if (coarse > 0) {
      EXPECT_NEAR(coarse / error.value, 2, 0.05);
    }
    coarse = error.value;
  }
}

// The instant at which it stops is an event: omega_0 / (mu r g / k^2).
TEST(JournalFriction, StopsAtAnInstantThatEventsLocate) {
  const ModelRun run = run_test_model(
      "journal_friction", {"speed=2 rad/s", "duration=1 s", "step=10 ms", "simulate.integrator=event-driven"});
  ASSERT_EQ(run.record.events.size(), 1U);
  EXPECT_EQ(run.record.events[0].kind, ContactEventKind::kStick);
  EXPECT_NEAR(run.record.events[0].time_s, 2 * kGyration * kGyration / (kMu * kPin * kGravity), 1e-9);
}

// The circle of friction: a pin at rest bears a weight that passes it at a distance of up to mu r.
TEST(JournalFriction, RestsWhileTheWeightPassesThroughTheCircleOfFriction) {
  for (const double factor : {0.999, 1.001}) {
    const double e = factor * kMu * kPin;
    const ModelRun events =
        run_test_model("journal_friction", {"speed=0 rad/s", "duration=0.1 s", fmt::format("eccentricity={:.17g} m", e),
                                            "simulate.integrator=event-driven"});
    EXPECT_EQ(std::abs(events["disc.omega"].back()) < 1e-12, factor < 1) << "also by its accelerations";
    const ModelRun run = run_test_model(
        "journal_friction", {"speed=0 rad/s", "duration=0.1 s", "step=1 ms", fmt::format("eccentricity={:.17g} m", e)});
    if (factor < 1) {
      EXPECT_LT(largest(run["disc.omega"]), 1e-9);
      EXPECT_NEAR(run["bearing.tangential_force_friction"].back(), kMass * kGravity * e, 1e-6);
      EXPECT_EQ(run["bearing.mode_friction"].back(), static_cast<double>(ContactMode::kStick));
    } else {
      EXPECT_LT(run["disc.omega"].back(), -1e-5);
    }
  }
}

// Axial thrust bears no part: mu r m g cos(tilt).
TEST(JournalFriction, SpatialPinRubsByItsRadialLoad) {
  const ModelRun run = run_test_model("shaft_friction_spatial");
  const double slowing = 0.15 * 0.012 * 3 * kGravity * std::cos(25 * std::numbers::pi / 180) / 0.02;
  EXPECT_NEAR(run["wheel.omega_z"].back(), 40 - slowing, 1e-9);
}

TEST(GuideFriction, BlockSlidesOrSticksByTheAngleOfFriction) {
  const ModelRun run = run_test_model("guide_friction");
  const double angle = std::numbers::pi / 6;
  const double a = kGravity * (std::sin(angle) - 0.3 * std::cos(angle));
  EXPECT_NEAR(run["guide.u"].back(), a, 1e-9);
  EXPECT_NEAR(run["energy.friction_loss"].back(), 0.3 * 2 * kGravity * std::cos(angle) * run["guide.q"].back(), 1e-9);
  for (const double factor : {0.99999, 1.00001}) {
    const double mu = factor * std::tan(angle);
    const ModelRun limit = run_test_model("guide_friction", {fmt::format("friction={:.17g}", mu)});
    EXPECT_NEAR(limit["guide.u"].back(), std::max(0.0, kGravity * std::sin(angle) * (1 - factor)), 1e-9) << factor;
  }
}

// A block with its weight at the height h above the guide bears it at both ends, N/2 +- h F_T/L, and as long as both
// press down the sum is N.
TEST(GuideFriction, MomentOfTheBlockChangesNothingWhileBothEndsPressDown) {
  const ModelRun flat = run_test_model("guide_friction"), high = run_test_model("guide_friction", {"offset=50 mm"});
  EXPECT_NEAR(high["guide.u"].back(), flat["guide.u"].back(), 1e-9);
}

// A collar on a vertical rod with its weight at the distance a from it: N_1 = -N_2 = W a/L hold it by 2 mu W a/L, and
// it jams for a > L/(2 mu), however heavy it is. Nearer to the rod it comes loose, and then falls freely: without a
// force along the rod there is none across it.
TEST(GuideFriction, CollarJamsBeyondTheSelfLockingDistance) {
  const double limit = 0.1 / (2 * 0.3);
  for (const double factor : {0.999, 1.001}) {
    const Overrides changes = {"incline=90 deg", fmt::format("offset={:.17g} m", factor * limit), "duration=0.2 s"};
    for (const std::string integrator : {"moreau-midpoint", "moreau-jean", "event-driven"}) {
      Overrides all = changes;
      all.push_back("simulate.integrator=" + integrator);
      const ModelRun run = run_test_model("guide_friction", all);
      EXPECT_NEAR(run["guide.u"].back(), factor > 1 ? 0 : kGravity * 0.2, 1e-6) << integrator << " " << factor;
    }
  }
}

TEST(GuideFriction, SpatialPrismRubsByItsWholeLateralLoad) {
  // |N| = m hypot(3, 4) m/s^2.
  EXPECT_NEAR(run_test_model("guide_friction_spatial")["guide.u"].back(), 0.5 * (6 - 0.3 * 5), 1e-9);
  // Of a moment in any direction, the limit is the same as in the plane.
  for (const double degrees : {0.0, 35.0, 90.0, 200.0}) {
    for (const double factor : {0.999, 1.001}) {
      const double a = factor * 0.1 / (2 * 0.3), angle = degrees * std::numbers::pi / 180;
      const ModelRun run =
          run_test_model("guide_friction_spatial", {"across_y=0 m/s^2", "across_z=0 m/s^2",
                                                    fmt::format("offset_y={:.17g} m", a * std::cos(angle)),
                                                    fmt::format("offset_z={:.17g} m", a * std::sin(angle))});
      EXPECT_NEAR(run["guide.u"].back(), factor > 1 ? 0 : 0.5 * 6, 1e-6) << degrees << " " << factor;
    }
  }
}

// What friction takes is mu r |F| |omega| of every pin and mu (|N_1| + |N_2|) |v| of the slider, from the reactions
// that the run tells; and the motor delivers it on top of the change of energy.
TEST(SliderCrankPinFriction, LossIsThatOfTheReactions) {
  const ModelRun run = run_test_model("slider_crank_pin_friction", {"simulate.integrator=dopri5"});
  const double mu = 0.12, pin = 0.02, length = 0.06;
  const auto power = [&](std::size_t i) {
    const auto load = [&](const std::string& joint) {
      return std::hypot(run[joint + ".force_x"][i], run[joint + ".force_y"][i]);
    };
    const double crank = run["crank.omega"][i], rod = run["rod.omega"][i];
    const double N = run["guide.force_y"][i], M = run["guide.moment"][i];
    const double ends = std::abs(N / 2 + M / length) + std::abs(N / 2 - M / length);
    return mu * (pin * load("main") * std::abs(crank) + pin * load("crankpin") * std::abs(rod - crank) +
                 pin / 2 * load("wrist") * std::abs(rod) + ends * std::abs(run["slider.vx"][i]));
  };
  double loss = 0;
  for (std::size_t i = 1; i < run.rows(); ++i)
    loss += 0.5 * (run.time()[i] - run.time()[i - 1]) * (power(i - 1) + power(i));
  const double booked = run["energy.friction_loss"].back();
  EXPECT_GT(booked, 1);
  EXPECT_NEAR(loss, booked, 2e-4 * booked);  // of the trapezoids, and of the ramp at the dead centres
  EXPECT_LT(largest(run["energy.drift"]), 1e-6 * booked);
}

TEST(SliderCrankPinFriction, TimeSteppingTendsToTheSmoothMotion) {
  const ModelRun smooth =
      run_test_model("slider_crank_pin_friction",
                     {"simulate.integrator=dopri5", "joints.main.friction_velocity=1e-3 rad/s",
                      "joints.wrist.friction_velocity=1e-3 rad/s", "joints.crankpin.friction_velocity=1e-3 rad/s",
                      "joints.guide.friction_velocity=0.1 mm/s"});
  const double expected = smooth["energy.friction_loss"].back();
  for (const std::string integrator : {"moreau-midpoint", "moreau-jean"}) {
    const ModelRun run = run_test_model("slider_crank_pin_friction", {"simulate.integrator=" + integrator});
    EXPECT_NEAR(run["energy.friction_loss"].back(), expected, 1e-3 * expected) << integrator;
    EXPECT_LE(run.summary.worst_residual_m_s, 1e-9) << integrator;
  }
}

// By events there is neither a ramp nor a step.
TEST(SliderCrankPinFriction, EventsGiveTheSmoothMotionWithANarrowRamp) {
  const auto loss = [](const Overrides& changes) {
    return run_test_model("slider_crank_pin_friction", changes)["energy.friction_loss"].back();
  };
  const auto ramp = [](double width) {
    Overrides changes = {"simulate.integrator=dopri5"};
    for (const char* joint : {"main", "wrist", "crankpin"})
      changes.push_back(fmt::format("joints.{}.friction_velocity={:g} rad/s", joint, width));
    changes.push_back(fmt::format("joints.guide.friction_velocity={:g} m/s", 0.1 * width));
    return changes;
  };
  const double by_events = loss({"simulate.integrator=event-driven"});
  EXPECT_NEAR(loss(ramp(0.01)), by_events, 1e-6 * by_events);
}

// A bushing carries its load by a force that is known before any reaction. Sagged by m g/k from the start, the disc
// loads it by m g, and runs out as on an ideal pin; so a block slides on its elastic guide.
TEST(BushingFriction, ActsByTheForceOfTheBushing) {
  for (const std::string integrator :
       {"moreau-midpoint", "moreau-jean", "event-driven", "dopri5", "cvode-bdf", "cvode-adams"}) {
    const ModelRun disc = run_model(parse_model(
        "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
        "bodies: {disc: {mass: 1 kg, inertia: 1e-2 kg m^2, initial: {y: -9.81e-6 m, vy: 0, omega: 10 rad/s}}}\n"
        "joints: {bearing: {type: revolute, model: bushing, parent: ground, child: disc, friction: {mu: 0.2, "
        "pin_radius: "
        "10 mm}, bushing: {stiffness: 1e6 N/m, damping: 100 N s/m}}}\n"
        "simulate: {tolerance: 1e-9, step: 0.1 ms, duration: 0.5 s, integrator: " +
            integrator + "}\n",
        "bushing.yaml"));
    EXPECT_NEAR(disc["disc.omega"].back(), 10 - 0.2 * 0.01 * kGravity / 1e-2 * 0.5, 1e-6) << integrator;
    EXPECT_NEAR(disc["energy.friction_loss"].back(), 0.5 * 1e-2 * (100 - std::pow(disc["disc.omega"].back(), 2)), 1e-6)
        << integrator;
    const ModelRun block = run_model(parse_model(
        "freeplay: 1\nspace: planar\ngravity: [3 m/s^2, -4 m/s^2]\n"
        "bodies: {block: {mass: 2 kg, inertia: 1e-2 kg m^2, initial: {y: -8e-6 m, vx: 0, vy: 0, omega: 0}}}\n"
        "joints: {guide: {type: prismatic, model: bushing, parent: ground, child: block, friction: {mu: 0.3}, bushing: "
        "{stiffness: 1e6 N/m, damping: 100 N s/m, torsional_stiffness: 1e3 N m, torsional_damping: 1 N m s}}}\n"
        "simulate: {tolerance: 1e-9, step: 0.1 ms, duration: 0.5 s, integrator: " +
            integrator + "}\n",
        "guide.yaml"));
    const bool has_ramp = integrator == "dopri5" || integrator.starts_with("cvode");
    EXPECT_NEAR(block["block.vx"].back(), 0.5 * (3 - 0.3 * 4), has_ramp ? 2e-3 : 1e-6) << integrator;
  }
}

// It sticks up to mu r F, and not beyond.
TEST(BushingFriction, HoldsUpToItsLimit) {
  for (const double factor : {0.99, 1.01}) {
    const ModelRun run = run_model(parse_model(
        fmt::format("freeplay: 1\nspace: planar\ngravity: [0, -10 m/s^2]\n"
                    "bodies: {{disc: {{mass: 1 kg, inertia: 1e-2 kg m^2, initial: {{y: -1e-5 m, vy: 0, omega: 0}}}}}}\n"
                    "joints: {{bearing: {{type: revolute, model: bushing, parent: ground, child: disc, friction: {{mu: "
                    "0.2, pin_radius: 10 mm}}, bushing: {{stiffness: 1e6 N/m, damping: 100 N s/m}}}}}}\n"
                    "drivers: {{motor: {{on: bearing, torque: {} N m}}}}\n"
                    "simulate: {{integrator: moreau-midpoint, step: 0.1 ms, duration: 0.1 s}}\n",
                    factor * 0.2 * 0.01 * 10),
        "limit.yaml"));
    EXPECT_NEAR(run["disc.omega"].back(), factor < 1 ? 0 : 0.01 * 0.02 / 1e-2 * 0.1, 1e-9) << factor;
  }
}

// Every solver certifies the same law.
TEST(SliderCrankPinFriction, SolversAgree) {
  const ModelRun by_auto = run_test_model("slider_crank_pin_friction", {"step=0.2 ms"});
  for (const std::string solver : {"lemke", "nsgs", "semismooth-newton", "prox-gauss-seidel"}) {
    const ModelRun run = run_test_model("slider_crank_pin_friction", {"step=0.2 ms", "simulate.solver=" + solver});
    EXPECT_NEAR(run["energy.friction_loss"].back(), by_auto["energy.friction_loss"].back(), 1e-6) << solver;
    EXPECT_LE(run.summary.worst_residual_m_s, 1e-9) << solver;
  }
}

}  // namespace
}  // namespace freeplay::test::joint_friction_test
