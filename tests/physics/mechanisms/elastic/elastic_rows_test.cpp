// Where the shapes of a beam end: rows of beams that bend far, against an elastica, and moments that shapes carry or
// not.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "physics/model_run.h"

namespace freeplay::test::elastic_rows_test {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;

// Deflection of the tip of a cantilever of 1 m and E I = 1 N m^2 under a force across its first direction:
// theta'' = -F cos(theta), theta(0) = 0, theta'(1) = 0. The moment at the root is found by bisection.
double tip_of_elastica(double force_N) {
  struct End {
    double moment, y;
  };
  const auto shoot = [&](double root_moment) {
    constexpr int kSteps = 2000;
    const double h = 1.0 / kSteps;
    double angle = 0, moment = root_moment, y = 0;
    for (int i = 0; i < kSteps; ++i) {  // the midpoint rule, of second order
      const double half_angle = angle + h / 2 * moment, half_moment = moment - h / 2 * force_N * std::cos(angle);
      y += h * std::sin(half_angle);
      angle += h * half_moment;
      moment -= h * force_N * std::cos(half_angle);
    }
    return End{moment, y};
  };
  double low = 0, high = force_N;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (shoot(middle).moment > 0 ? high : low) = middle;
  }
  return shoot(low).y;
}

// A cantilever of 1 m as elastic bodies in a row, at rest in the end.
ModelRun row_of(int pieces, double force_N, const std::string& shapes) {
  const double length = 1.0 / pieces;
  std::string text = "freeplay: 1\nspace: planar\nparameters: {l: " + fmt::format("{} m", length) + "}\nbodies:\n";
  for (int i = 0; i < pieces; ++i) {
    text += fmt::format(
        "  b{}: {{elastic: {{length: l, mass_per_length: 1 kg/m, start: [0, 0], bending: cantilever, {}, "
        "bending_stiffness: 1 N m^2, damping_ratio: 0.7, stations: [l]}}}}\n",
        i, shapes);
  }
  text += "joints:\n  root: {type: fixed, parent: ground, child: b0}\n";
  for (int i = 1; i < pieces; ++i)
    text += fmt::format("  c{}: {{type: fixed, parent: b{}, at_parent: [l, 0], child: b{}}}\n", i, i - 1, i);
  const std::string last = fmt::format("b{}", pieces - 1);
  text += "forces:\n  pull: {type: force, on: " + last + ", at: [l, 0], value: [0, " + fmt::format("{}", force_N) +
          " N]}\n  air: {type: force, on: " + last + ", at: [l, 0], value: [-0.5 N s/m*" + last + ".vx, -0.5 N s/m*" +
          last + ".vy]}\nsimulate: {integrator: moreau-jean, theta: 1, step: 5 ms, duration: 8 s}\n";
  return run_model(parse_model(text, "row.yaml"));
}

double tip_of(const ModelRun& run, int pieces) {
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  return run[fmt::format("b{}.y_1", pieces - 1)].back();
}

double tip_of_row(int pieces, double force_N, const std::string& shapes) {
  return tip_of(row_of(pieces, force_N, shapes), pieces);
}

TEST(ElasticRows, OfPiecesWithSplinesBendAsAnElasticaDoes) {
  EXPECT_NEAR(tip_of_elastica(1), 0.3017, 1e-4) << "Bisshopp and Drucker 1945";
  EXPECT_NEAR(tip_of_elastica(10), 0.8106, 1e-4);
  const std::string splines = "knots: [0 m, l], bending_modes: 2";
  const double one = tip_of_elastica(1), ten = tip_of_elastica(10);
  const double coarse = tip_of_row(4, 1, splines) - one, fine = tip_of_row(8, 1, splines) - one;
  EXPECT_LT(std::abs(fine), 1e-3 * one);
  EXPECT_GT(coarse / fine, 3) << "of second order in the length of a piece";
  EXPECT_NEAR(tip_of_row(8, 10, splines), ten, 3e-3 * ten);
}

TEST(ElasticRows, OfVibrationModesAreToldToCarryNoMoment) {
  const ModelRun modes = row_of(8, 1, "bending_modes: 4");
  EXPECT_LT(tip_of(modes, 8), 0.95 * tip_of_elastica(1));
  ASSERT_EQ(modes.summary.warnings.size(), 7U) << "of each piece but the last";
  EXPECT_THAT(modes.summary.warnings, Each(HasSubstr("carry no moment at its end")));
  EXPECT_THAT(modes.summary.warnings[0], HasSubstr("take 'knots: [0 m, 0.125 m]' with 'bending_modes: 2'"));
  EXPECT_THAT(row_of(8, 1, "knots: [0 m, l], bending_modes: 2").summary.warnings, IsEmpty());
}

// 1 m, E I = 100 N m^2, W = 1e-6 m^3, at rest under a load at its tip.
ModelRun loaded(const std::string& shapes, const std::string& load) {
  return run_model(parse_model(
      "freeplay: 1\nspace: planar\nbodies:\n  beam: {elastic: {length: 1 m, mass_per_length: 1 kg/m, "
      "start: [0, 0], bending: cantilever, bending_stiffness: 100 N m^2, damping_ratio: 0.7, "
      "stations: [0 m, 0.5 m, 1 m], section_modulus: 1e-6 m^3, " +
          shapes + "}}\njoints: {root: {type: fixed, parent: ground, child: beam}}\nforces: {load: " + load +
          "}\nsimulate: {integrator: moreau-jean, theta: 1, step: 1 ms, duration: 2 s}\n",
      "beam.yaml"));
}

TEST(ElasticMoments, OfSplinesAreExactUnderLoadsAtTheTip) {
  const std::string splines = "knots: [0 m, 1 m], bending_modes: 2";
  const ModelRun force = loaded(splines, "{type: force, on: beam, at: [1 m, 0], value: [0, 2 N]}");
  EXPECT_NEAR(force["beam.moment_1"].back(), 2, 1e-6);
  EXPECT_NEAR(force["beam.moment_2"].back(), 1, 1e-6);
  EXPECT_NEAR(force["beam.moment_3"].back(), 0, 1e-6);
  EXPECT_NEAR(force["beam.max_stress"].back(), 2e6, 1);
  const ModelRun couple = loaded(splines, "{type: torque, on: beam, at: [1 m, 0], value: 1 N m}");
  for (const char* channel : {"beam.moment_1", "beam.moment_2", "beam.moment_3", "beam.max_moment"})
    EXPECT_NEAR(couple[channel].back(), 1, 1e-6) << channel;
}

// The limit that docs/theory/elastic.md states.
TEST(ElasticMoments, OfVibrationModesStayZeroAtAFreeEndAndShootOverBesideIt) {
  for (const int modes : {4, 12}) {
    const ModelRun run =
        loaded(fmt::format("bending_modes: {}", modes), "{type: torque, on: beam, at: [1 m, 0], value: 1 N m}");
    EXPECT_NEAR(run["beam.moment_3"].back(), 0, 1e-9);
    EXPECT_GT(run["beam.max_moment"].back(), 1.15);
    EXPECT_LT(run["beam.max_moment"].back(), 1.25);
  }
  // A force at the tip leaves the free end without a moment: there the modes converge.
  double error = 1;
  for (const int modes : {4, 8, 16}) {
    const ModelRun run =
        loaded(fmt::format("bending_modes: {}", modes), "{type: force, on: beam, at: [1 m, 0], value: [0, 1 N]}");
    const double now = std::abs(run["beam.moment_1"].back() - 1);
    EXPECT_LT(now, 0.6 * error) << modes;
    error = now;
  }
}

}  // namespace
}  // namespace freeplay::test::elastic_rows_test
