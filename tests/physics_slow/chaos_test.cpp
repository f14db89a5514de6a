// Chaos: the largest Lyapunov exponent against an exact map with its own tangent, and of the quick-return mechanism.
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/model/model.h"
#include "freeplay/study/dynamics/lyapunov.h"
#include "freeplay/study/dynamics/parting.h"
#include "physics/model_run.h"

namespace freeplay::test::chaos_test {
namespace {

LyapunovExponent exponent_of(const ModelFile& file, const LyapunovOptions& options) {
  const Model model = build_model(file);
  return largest_lyapunov_exponent(file, model, options);
}

// A ball on a table z = A sin(w t): flights are parabolas, so that the motion is a map of instants and speeds, whose
// tangent is known.
struct BallOnTable {
  double A, w, e, g;
  double t = 0, v = 0;             // after an impact; v: of the ball
  double dt = 1, dv = 0, sum = 0;  // a neighbour, and the sum of the logarithms of its growth

  double table(double at) const { return A * std::sin(w * at); }
  double speed(double at) const { return A * w * std::cos(w * at); }
  double height(double flight) const { return table(t) + v * flight - g / 2 * flight * flight - table(t + flight); }

  void strike() {
    constexpr double kStep = 2e-4;
    double low = kStep;
    while (height(low) <= 0) low += kStep;
    double high = low;
    while (height(high) > 0) high += kStep;
    low = high - kStep;
    for (int k = 0; k < 50; ++k) {
      const double middle = (low + high) / 2;
      (height(middle) > 0 ? low : high) = middle;
    }
    const double flight = high, t1 = t + flight, arrival = v - g * flight, fall = arrival - speed(t1);
    const double d_flight = -((speed(t) - speed(t1)) * dt + flight * dv) / fall;
    const double dt1 = dt + d_flight, d_arrival = dv - g * d_flight;
    const double dv1 = -(1 + e) * A * w * w * std::sin(w * t1) * dt1 - e * d_arrival;
    t = t1;
    v = (1 + e) * speed(t1) - e * arrival;
    const double size = std::hypot(g * dt1, dv1);
    sum += std::log(size / std::hypot(g * dt, dv));
    dt = dt1 / size;
    dv = dv1 / size;
  }
};

TEST(Chaos, ABallOnAShakenTableMagnifiesAsItsExactMap) {
  constexpr double kFrequency = 60, kRestitution = 0.95, kGravity = 9.81, kAmplitude = 2 * kGravity / 3600;
  BallOnTable map{kAmplitude, kFrequency, kRestitution, kGravity};
  map.v = 1.2345;
  for (int k = 0; k < 200; ++k) map.strike();
  map.sum = 0;
  const double begin_s = map.t;
  for (int k = 0; k < 20000; ++k) map.strike();
  const double expected = map.sum / (map.t - begin_s);

  const ModelFile file = parse_model(
      fmt::format("freeplay: 1\nspace: planar\ngravity: [0, -{} m/s^2]\n"
                  "bodies:\n  ball: {{mass: 1 kg, inertia: 1e-3 kg m^2, initial: {{y: 0.1 m}}, shapes: {{tip: {{type: "
                  "point}}}}}}\n"
                  "  table: {{mass: 1 kg, inertia: 1e-3 kg m^2, shapes: {{top: {{type: line, normal: [0, 1]}}}}}}\n"
                  "joints:\n  up: {{type: prismatic, parent: ground, axis: [0, 1], child: table}}\n"
                  "  fall: {{type: prismatic, parent: ground, axis: [0, 1], child: ball, initial: {{q: 0.1 m}}}}\n"
                  "drivers:\n  shaker: {{on: up, motion: {} m*sin({} rad/s*t)}}\n"
                  "contacts:\n  hit: {{between: [ball.tip, table.top], impact: newton, restitution: {}}}\n"
                  "simulate: {{integrator: event-driven, duration: 400 s}}\n",
                  kGravity, kAmplitude, kFrequency, kRestitution),
      "table.yaml");
  const LyapunovExponent found = exponent_of(file, {.transient_s = 20, .interval_s = 0.05});
  ASSERT_TRUE(found.is_complete) << found.message;
  EXPECT_GT(expected, 1);
  EXPECT_NEAR(found.per_s, expected, 4 * found.error_per_s);
  EXPECT_LT(found.error_per_s, 0.1 * expected);
}

// "Two runs that start 1e-9 m apart separate as exp(110 t/s)" until they differ by as much as the clearance of 0.5 mm
// allows: the reference's own definition, as `freeplay lyapunov --members` measures it over the quarter of a second in
// which double precision follows a motion at all. The rate of one machine scatters by a fifth; that is what members are
// for.
TEST(Chaos, TheQuickReturnMechanismWithPlayMagnifiesBy110PerSecond) {
  const ModelFile file = load_example("quick_return", {"duration=0.25 s"});
  const PartingRate found = measure_parting(file, build_model(file), {.apart = 1e-9, .until = 1e-4, .members = 24});
  ASSERT_TRUE(found.is_complete) << found.message;
  EXPECT_NEAR(found.per_s, 110, 22);
  EXPECT_LT(found.error_per_s, 11);
  EXPECT_GE(found.partings, 24) << "each has parted at least once";
}

}  // namespace
}  // namespace freeplay::test::chaos_test
