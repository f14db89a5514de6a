// Couplings with play against closed forms, an event-driven map of their own, and the limit of no play.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "couplings/gear_pair.h"

namespace freeplay::test::backlash_test {
namespace {

constexpr double kPi = std::numbers::pi;
const std::string kPlastic = ", model: backlash, contact: {impact: newton, restitution: 0}";

double fitted_order(double coarse, double fine, double ratio) {
  return std::log(coarse / fine) / std::log(ratio);
}

// A torque T on wheel 1 from rest in the middle of the play j. J1 q1 - (J2/i) q2 = T t^2/2 at all times, and once the
// flanks have met without rebound q1 + i q2 = j/(2 r1):  q1 is ahead of the ideal one by  J2/i^2 / (J1 + J2/i^2) j/(2
// r1).
TEST(Backlash, TendsToTheIdealGearWithOrderOne) {
  const std::string motor = "forces: {motor: {type: torque, on: wheel_1, value: 3 N m}}\n";
  const double ahead_per_play = 4e-3 / 6e-3 / (2 * 0.04), t = 0.1;
  const std::vector<double> plays_mm = {0.4, 0.2, 0.1, 0.05};
  for (const std::string integrator : {"event-driven", "moreau-midpoint", "moreau-jean", "nlp-variable-step"}) {
    const std::string simulate = simulate_by(integrator, t, 2e-5);
    const bool is_exact = integrator == "event-driven";
    // By the same steps, whose own error is beside the point.
    const double ideal = run_text(gear_pair("", motor, simulate))["shaft_1.q"].back();
    std::vector<double> errors;
    for (const double play_mm : plays_mm) {
      const ModelRun run = run_text(gear_pair(fmt::format("{}, backlash: {} mm", kPlastic, play_mm), motor, simulate));
      errors.push_back(run["shaft_1.q"].back() - ideal);
      const double ahead = ahead_per_play * play_mm * 1e-3;
      EXPECT_NEAR(errors.back(), ahead, is_exact ? 1e-9 : 0.05 * ahead) << integrator << play_mm;
      EXPECT_NEAR(run["shaft_1.u"].back(), 3 / 6e-3 * t, 1e-7) << integrator << play_mm;
      if (is_exact) {
        EXPECT_NEAR(run["mesh.position"].back(), play_mm * 0.5e-3, 1e-12);
      }
    }
    EXPECT_NEAR(fitted_order(errors.front(), errors.back(), 8), 1, is_exact ? 1e-6 : 0.05) << integrator;
  }
}

// What the plastic impact of the test above takes:  1/2 m_s v^2,  v^2 = 2 (r1 T/J1) j/2,  1/m_s = r1^2/J1 + r2^2/J2.
TEST(Backlash, LosesAtTheFlanksWhatAPlasticImpactTakes) {
  const ModelRun run = run_text(gear_pair(kPlastic + ", backlash: 0.2 mm",
                                          "forces: {motor: {type: torque, on: wheel_1, value: 3 N m}}\n",
                                          simulate_by("event-driven", 0.05)));
  const double mass = 1 / (0.04 * 0.04 / 2e-3 + 0.06 * 0.06 / 9e-3), square = 2 * 0.04 * 3 / 2e-3 * 0.1e-3;
  ASSERT_EQ(run.record.impacts.size(), 1u);
  EXPECT_EQ(run.record.layout.contacts[static_cast<std::size_t>(run.record.impacts[0].contact)], "mesh_upper");
  EXPECT_NEAR(run.record.impacts[0].normal_velocity_before, -std::sqrt(square), 1e-9);
  EXPECT_NEAR(run.record.impacts[0].normal_impulse, mass * std::sqrt(square), 1e-9);
  EXPECT_NEAR(run["energy.impact_loss"].back(), 0.5 * mass * square, 1e-9);
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-9);
  EXPECT_NEAR(run["mesh.normal_force_upper"].back(), 50, 1e-5);  // as the ideal mesh
}

// Impacts of two wheels on each other while a torque A cos(w t) shakes the first: between impacts
//   q1 = q + v t - A/(J1 w^2) cos(w t) and q2 turn by closed forms, an impact changes r1 q1' + r2 q2' to -e times
//   itself.
class RattleMap {
 public:
  struct Impact {
    double time, speed;
  };
  RattleMap(double torque, double frequency, double play, double restitution)
      : a_(torque / 2e-3), w_(frequency), half_(play / 2), e_(restitution) {}

  std::vector<Impact> impacts(std::size_t count) {
    std::vector<Impact> found;
    double t = 0, s = 0, rate = 0;  // of the position at the last impact
    while (found.size() < count) {
      const auto position = [&](double later) {
        const double drift = rate - kR1 * a_ / w_ * std::sin(w_ * t);
        return s + drift * (later - t) - kR1 * a_ / (w_ * w_) * (std::cos(w_ * later) - std::cos(w_ * t));
      };
      const auto room = [&](double later) { return half_ - std::abs(position(later)); };
      // Away from the flank, where the room begins at rounding, then to the first place without any.
      double low = t, high = t + 1e-5;
      while (!(room(high) < 0 && room(low) > 0)) {
        low = high;
        high += 1e-5;
      }
      for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        (room(middle) > 0 ? low : high) = middle;
      }
      const double before = rate + kR1 * a_ / w_ * (std::sin(w_ * low) - std::sin(w_ * t));
      s = std::copysign(half_, position(low));
      t = low;
      rate = -e_ * before;
      found.push_back({t, std::abs(before)});
    }
    return found;
  }

 private:
  static constexpr double kR1 = 0.04;
  double a_, w_, half_, e_;
};

TEST(GearRattle, ImpactsAreThoseOfAnEventDrivenMap) {
  const double torque = 4, frequency = 2 * kPi * 50, play = 0.3e-3, e = 0.6;
  const std::vector<RattleMap::Impact> expected = RattleMap(torque, frequency, play, e).impacts(20);
  const ModelRun run = run_text(gear_pair(
      fmt::format(", model: backlash, backlash: {} m, contact: {{impact: newton, restitution: {}}}", play, e),
      fmt::format("forces: {{shake: {{type: torque, on: wheel_1, value: {} N m * cos({}/s * t)}}}}\n", torque,
                  frequency),
      fmt::format("integrator: event-driven, tolerance: 1e-12, duration: {} s", expected.back().time + 1e-4)));
  ASSERT_GE(run.record.impacts.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(run.record.impacts[i].time_s, expected[i].time, 1e-8) << i;
    EXPECT_NEAR(-run.record.impacts[i].normal_velocity_before, expected[i].speed, 1e-6) << i;
  }
  EXPECT_LT(run.summary.max_energy_drift_J, 1e-8);
}

// Time stepping knows the same impacts up to its steps. Only the first ones: the fourth merely grazes the flank, and
// what comes after it depends on that.
TEST(GearRattle, TimeSteppingTendsToTheMap) {
  const double torque = 4, frequency = 2 * kPi * 50, play = 0.3e-3, e = 0.6;
  const std::vector<RattleMap::Impact> expected = RattleMap(torque, frequency, play, e).impacts(3);
  for (const std::string integrator : {"moreau-midpoint", "moreau-jean"}) {
    for (const double step : {4e-5, 4e-6, 4e-7}) {
      const ModelRun run = run_text(gear_pair(
          fmt::format(", model: backlash, backlash: {} m, contact: {{impact: newton, restitution: {}}}", play, e),
          fmt::format("forces: {{shake: {{type: torque, on: wheel_1, value: {} N m * cos({}/s * t)}}}}\n", torque,
                      frequency),
          simulate_by(integrator, expected.back().time + 1e-4, step)));
      ASSERT_GE(run.record.impacts.size(), expected.size()) << integrator;
      Worst late;
      for (std::size_t i = 0; i < expected.size(); ++i) late(run.record.impacts[i].time_s - expected[i].time);
      EXPECT_LT(late.value, 8 * step) << integrator;
    }
  }
}

// An elastic flank by a force law of contacts, under a smooth integrator: it rebounds with the restitution it was made
// for.
TEST(Backlash, TakesAForceLawUnderSmoothIntegrators) {
  for (const std::string integrator : {"dopri5", "cvode-bdf", "cvode-adams"}) {
    const ModelRun run =
        run_text(gear_pair(", model: backlash, backlash: 0.2 mm, "
                           "contact: {restitution: 0.7, force: {law: exact-restitution, stiffness: 1e11 N/m^1.5}}",
                           "", "integrator: " + integrator + ", tolerance: 1e-11, max_step: 0.01 ms, duration: 0.6 ms",
                           ", initial: {u: 10 rad/s}"));
    // Away from the flank after one impact: -e times the rate of 0.4 m/s that the wheels had.
    EXPECT_NEAR(run["mesh.rate"].back(), -0.7 * 0.4, 1e-6) << integrator;
    EXPECT_LT(run.summary.max_energy_drift_J, 1e-6) << integrator;
    ASSERT_EQ(run.record.impacts.size(), 1u) << integrator;
    EXPECT_NEAR(run.record.impacts[0].normal_velocity_before, -0.4, 1e-6) << integrator;
  }
}

TEST(Backlash, FollowsPoissonsImpactLaw) {
  const ModelRun run =
      run_text(gear_pair(", model: backlash, backlash: 0.2 mm, contact: {impact: poisson, restitution: 0.5}", "",
                         simulate_by("event-driven", 0.4e-3), ", initial: {u: 10 rad/s}"));
  ASSERT_EQ(run.record.impacts.size(), 1u);
  EXPECT_NEAR(run.record.impacts[0].normal_velocity_before, -0.4, 1e-10);
  EXPECT_NEAR(run.record.impacts[0].normal_velocity_after, 0.2, 1e-10);
}

// The statics of the ideal mesh, by one flank.
TEST(Backlash, LoadsItsBearingsAlongTheLineOfAction) {
  for (const double torque : {12.0, -12.0}) {
    for (const std::string integrator : {"event-driven", "moreau-midpoint"}) {
      const ModelRun run =
          run_text(gear_pair(kPlastic + ", backlash: 0.1 mm, pressure_angle: 20 deg",
                             fmt::format("forces: {{load: {{type: torque, on: wheel_2, value: {} N m}}}}\n"
                                         "drivers: {{motor: {{on: shaft_1, motion: 30 rad/s * t}}}}\n",
                                         torque),
                             simulate_by(integrator, 0.03), "", ", initial: {u: -20 rad/s}"));
      const double tangential = torque / 0.06, radial = std::abs(tangential) * std::tan(20 * kPi / 180);
      const std::size_t last = run.rows() - 1;
      EXPECT_NEAR(run["shaft_2.force_x"][last], -radial, 1e-5) << integrator;
      EXPECT_NEAR(run["shaft_2.force_y"][last], -tangential, 1e-5) << integrator;
      EXPECT_NEAR(run["shaft_1.force_x"][last], radial, 1e-5) << integrator;
      const std::string flank = torque > 0 ? "mesh.normal_force_upper" : "mesh.normal_force_lower";
      EXPECT_NEAR(run[flank][last], std::hypot(radial, tangential), 1e-5) << integrator;
      EXPECT_NEAR(run["shaft_2.u"][last], -20, 1e-9) << integrator;
    }
  }
}

// 20 and 30 teeth of module 2 mm on shafts 50.1 mm apart, as in examples/gear_teeth.yaml, which has the teeth
// themselves as contours: 68.9168 um of play along the line of action (docs/examples/gear_teeth.md).
TEST(Backlash, OfWheelsThatAreTooFarApartIsThatOfTheirTeeth) {
  const std::string text =
      "freeplay: 1\nspace: planar\n"
      "bodies: {wheel_1: {mass: 1 kg, inertia: 1e-3 kg m^2}, wheel_2: {mass: 1 kg, inertia: 1e-3 kg m^2}}\n"
      "joints:\n"
      "  shaft_1: {type: revolute, parent: ground, child: wheel_1}\n"
      "  shaft_2: {type: revolute, parent: ground, at_parent: [50.1 mm, 0], child: wheel_2}\n"
      "couplings: {mesh: {type: gear, first: shaft_1, second: shaft_2, teeth_1: 20, teeth_2: 30, module: 2 mm,\n"
      "  pressure_angle: 20 deg, model: backlash, contact: {impact: newton, restitution: 0}}}\n"
      "simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 1 ms}\n";
  const ModelRun run = run_text(text);
  EXPECT_NEAR(run["mesh.gap_lower"].front() + run["mesh.gap_upper"].front(), 68.9168e-6, 1e-10);
}

// A shaft with a spline: the stop of a joint and the flank of a clutch on its own coordinate are one thing.
TEST(Clutch, OnOneJointIsAPairOfStops) {
  const std::string text =
      "freeplay: 1\nspace: planar\n"
      "bodies: {hub: {mass: 1 kg, inertia: 0.01 kg m^2}, shaft: {mass: 1 kg, inertia: 0.02 kg m^2}}\n"
      "joints:\n"
      "  bearing: {type: revolute, parent: ground, child: hub, initial: {u: 3 rad/s}}\n"
      "  spline: {type: revolute, parent: hub, child: shaft, initial: {u: 2 rad/s} STOPS}\n"
      "COUPLING"
      "simulate: {integrator: moreau-midpoint, step: 0.1 ms, duration: 0.2 s}\n";
  const auto with = [&](const std::string& stops, const std::string& coupling) {
    std::string model = text;
    model.replace(model.find(" STOPS"), 6, stops);
    model.replace(model.find("COUPLING"), 8, coupling);
    return run_text(model);
  };
  const ModelRun stops = with(", stops: {lower: -2 deg, upper: 2 deg, restitution: 0.8}", "");
  const ModelRun clutch = with("",
                               "couplings: {teeth: {type: clutch, first: spline, model: backlash, backlash: 4 deg,\n"
                               "  contact: {impact: newton, restitution: 0.8}}}\n");
  EXPECT_EQ(stops.record.impacts.size(), clutch.record.impacts.size());
  EXPECT_GT(stops.record.impacts.size(), 3u);
  EXPECT_LT(largest_difference(stops["spline.q"], clutch["spline.q"]), 1e-12);
  EXPECT_LT(largest_difference(stops["energy.total"], clutch["energy.total"]), 1e-12);
}

// A force law of contacts is one of lengths: what the message says must be what the file can have.
TEST(Backlash, AnAngularPlayUnderASmoothIntegratorIsToldOfStiffness) {
  const std::vector<Diagnostic> obstacles = run_obstacles(load_example("dog_clutch", {"simulate.integrator=dopri5"}));
  ASSERT_EQ(obstacles.size(), 1U);
  EXPECT_EQ(obstacles[0].path, "couplings.claws.model");
  EXPECT_NE(obstacles[0].hint.find("model: compliant"), std::string::npos) << obstacles[0].hint;
  EXPECT_EQ(obstacles[0].hint.find("force:"), std::string::npos) << obstacles[0].hint;
  EXPECT_TRUE(
      run_obstacles(load_example("dog_clutch", {"simulate.integrator=dopri5", "couplings.claws.model=compliant"}))
          .empty());
}

}  // namespace
}  // namespace freeplay::test::backlash_test
