// A propped cantilever: clamped at one end, under its own weight w per length, with the other end on a rigid support
// that it touches. Beam theory: the support carries 3/8 w L, the clamp 5/8 w L and the moment w L^2 / 8, and the axis
// is at  y = -w s^2 (3 L^2 - 5 L s + 2 s^2) / 48 E I.
#include <array>
#include <cmath>

#include "physics/model_run.h"

namespace freeplay::test::elastic_prop_test {
namespace {

constexpr double kWeight = 9.81;     // w, N/m, of 1 kg/m
constexpr double kStiffness = 10e3;  // E I, N m^2; the length is 1 m
constexpr std::array kPlaces = {0.1, 0.3, 0.5, 0.7, 0.9, 0.5125, 0.8875};
constexpr std::size_t kAtKnots = 5;  // so many of them are knots if there are 20 or 40 intervals

// Let go in its straight form, with the end touching, and strongly damped. With theta 1 whatever still moves falls by a
// factor with every step, however stiff it is, and the state of rest is that of the equations without any error of the
// step:  K q = f + w N.
std::string propped(int modes, int intervals) {
  std::string knots, stations;
  for (int k = 0; k <= intervals && intervals > 0; ++k)
    knots += fmt::format("{}{} m", k == 0 ? "" : ", ", static_cast<double>(k) / intervals);
  for (const double place : kPlaces) stations += fmt::format("{} m, ", place);
  return fmt::format(
      "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
      "bodies:\n"
      "  beam:\n"
      "    elastic: {{length: 1 m, mass_per_length: 1 kg/m, start: [0, 0], bending: cantilever, bending_modes: {}, "
      "bending_stiffness: 10 kN m^2, damping_ratio: 0.7, stations: [{}1 m]{}}}\n"
      "    shapes: {{tip: {{type: point, at: [1 m, 0]}}}}\n"
      "joints: {{clamp: {{type: fixed, parent: ground, child: beam}}}}\n"
      "ground: {{shapes: {{support: {{type: line, normal: [0, 1]}}}}}}\n"
      "contacts: {{prop: {{between: [beam.tip, ground.support], impact: newton, restitution: 0}}}}\n"
      "simulate: {{integrator: moreau-jean, theta: 1, step: 1 ms, duration: 60 ms}}\n",
      modes, stations, intervals > 0 ? ", knots: [" + knots + "]" : "");
}

struct Errors {
  // Relative; those of the line: the worst of the places at knots, and of all, of the deflection at the place.
  double support = 0, at_knots = 0, line = 0;
};

Errors errors_of(int modes, int intervals) {
  const ModelRun run = run_model(parse_model(propped(modes, intervals), "propped.yaml"));
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_LT(std::abs(run["prop.gap"].back()), 1e-15);
  // Forces and moments about the clamp are in equilibrium, with any shapes.
  const double N = run["prop.normal_force"].back();
  EXPECT_NEAR(std::abs(run["clamp.force_y"].back()), kWeight - N, 1e-9 * kWeight);
  EXPECT_NEAR(std::abs(run["clamp.moment"].back()), kWeight / 2 - N, 1e-9 * kWeight);
  Worst at_knots, worst;
  for (std::size_t i = 0; i < kPlaces.size(); ++i) {
    const double s = kPlaces[i], exact = -kWeight * s * s * (3 - 5 * s + 2 * s * s) / (48 * kStiffness);
    const double error = run[fmt::format("beam.deflection_{}", i + 1)].back() / exact - 1;
    if (i < kAtKnots) at_knots(error);
    worst(error);
  }
  return {std::abs(N / (3 * kWeight / 8) - 1), at_knots.value, worst.value};
}

// What a force at a knot does to the axis is a cubic on both sides of it with two continuous derivatives, which all
// splines on the knots have among them. So the deflection at a knot is exact under every load (the error is orthogonal
// to that spline), and with the deflection of the end the force of the support. Only between the knots there is an
// error, of the fourth power of their distance.
TEST(ProppedCantilever, WithAllSplinesOfItsKnotsHasTheForceAndTheLineOfBeamTheory) {
  const Errors coarse = errors_of(5, 4), fine = errors_of(21, 20), finest = errors_of(41, 40);
  for (const Errors& errors : {coarse, fine, finest}) EXPECT_LT(errors.support, 1e-9);
  for (const Errors& errors : {fine, finest}) EXPECT_LT(errors.at_knots, 1e-9);
  EXPECT_LT(finest.line, 1e-6) << "41 modes on 40 intervals";
}

// Modes of the cantilever have no shear force at the end, where the support pushes: the force converges with the third
// power of their number, and is exact to 1e-6 with 40 of them.
TEST(ProppedCantilever, WithModesOfTheCantileverConvergesWithTheThirdPowerOfTheirNumber) {
  const Errors few = errors_of(10, 0), more = errors_of(20, 0), many = errors_of(40, 0);
  EXPECT_NEAR(std::log2(few.support / more.support), 3, 0.3) << few.support << ' ' << more.support;
  EXPECT_NEAR(std::log2(more.support / many.support), 3, 0.3) << more.support << ' ' << many.support;
  EXPECT_LT(many.support, 1e-6);
  // Of the line itself they give a few digits less: beside the support its deflection is small.
  EXPECT_LT(many.line, 4e-5) << "40 modes";
}

}  // namespace
}  // namespace freeplay::test::elastic_prop_test
