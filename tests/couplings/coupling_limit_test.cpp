// Play to zero and stiffness to infinity: every type of coupling tends to its ideal self, in motion and in forces.
#include <cmath>

#include "couplings/gear_pair.h"
#include "couplings/three_wheels.h"
#include "physics/grid_rows.h"

namespace freeplay::test::coupling_limit_test {
namespace {

constexpr double kGrid_s = 1e-3;

struct CouplingCase {
  std::string name, keys;
  bool is_angle = false;
  std::string model{};
};

std::vector<CouplingCase> all_couplings() {
  const std::vector<CouplingCase> types = {
      {"gear_of_shafts", "type: gear, first: a, second: b, ratio: 1.5", true},
      {"gear", "type: gear, first: a, second: b, ratio: 1.5, pitch_radius: 40 mm"},
      {"gear_with_teeth", "type: gear, first: a, second: b, ratio: 1.5, pitch_radius: 40 mm, pressure_angle: 20 deg"},
      {"rack", "type: rack, pinion: a, rack: x, pitch_radius: 30 mm"},
      {"rack_with_teeth", "type: rack, pinion: a, rack: x, pitch_radius: 30 mm, pressure_angle: 20 deg"},
      {"screw", "type: screw, turn: a, shift: x, lead: 60 mm"},
      {"belt", "type: belt, first: a, second: b, radius_1: 40 mm, radius_2: 60 mm"},
      {"differential", "type: differential, ring: a, left: b, right: c", true},
      {"clutch", "type: clutch, first: a, second: b", true},
      {"coupler", "type: coupler, joints: {a: {factor: 20 mm}, b: {factor: -10 mm}, x: {factor: 2}}"},
  };
  std::vector<CouplingCase> cases;
  for (const CouplingCase& type : types) {
    for (const char* model : {"backlash", "compliant"}) {
      cases.push_back(type);
      cases.back().model = model;
    }
  }
  return cases;
}

// The motor's couple falls with its angle, so that forces feel where the wheels are. `size`: of the play, or of the
// compliance.
ModelRun run_coupling(const CouplingCase& one, const std::string& model, double size) {
  std::string coupling = one.keys + ", model: " + model;
  if (model == "backlash")
    coupling += fmt::format(", backlash: {:.17g} {}, contact: {{impact: newton, restitution: 0}}",
                            one.is_angle ? 0.02 * size : 0.4 * size, one.is_angle ? "rad" : "mm");
  if (model == "compliant")
    coupling += one.is_angle
                    ? fmt::format(", stiffness: {:.17g} N m/rad, damping: {:.17g} N m s/rad", 2e3 / size, 2 / size)
                    : fmt::format(", stiffness: {:.17g} N/m, damping: {:.17g} N s/m", 1e6 / size, 1e3 / size);
  return run_text(three_wheels(coupling) +
                  "drivers: {motor: {on: a, torque: 3 N m - 2 N m * a.q}}\n"
                  "simulate: {" +
                  simulate_by(model == "compliant" ? "cvode-bdf" : "event-driven", 0.04, 1e-3) + "}\n");
}

class CouplingLimit : public testing::TestWithParam<CouplingCase> {};
INSTANTIATE_TEST_SUITE_P(Types, CouplingLimit, testing::ValuesIn(all_couplings()),
                         [](const auto& one) { return one.param.name + "_" + one.param.model; });

// Once the flanks have met, both wheels are off by a share of the play, and their accelerations with it.
TEST_P(CouplingLimit, IsReachedWithOrderOne) {
  const CouplingCase& one = GetParam();
  const ModelRun ideal = run_coupling(one, "ideal", 1);
  std::vector<double> motions, forces;
  for (const double size : {1.0, 0.125}) {
    const ModelRun run = run_coupling(one, one.model, size);
    const std::vector<std::size_t> rows = rows_at_multiples(run.time(), kGrid_s),
                                   of_ideal = rows_at_multiples(ideal.time(), kGrid_s);
    ASSERT_EQ(rows.size(), 41u);
    ASSERT_EQ(of_ideal.size(), 41u);
    Worst motion, force;
    for (std::size_t i = 30; i < 40; ++i) {
      motion(run["a.q"][rows[i]] - ideal["a.q"][of_ideal[i]]);
      // What the coupling bears, by what it does in a millisecond: the couple on a less what turns wheel a.
      const auto borne = [&](const ModelRun& of, std::size_t from, std::size_t to) {
        return 3 - of["a.q"][from] - of["a.q"][to] - 2e-3 * (of["a.u"][to] - of["a.u"][from]) / kGrid_s;
      };
      force(borne(run, rows[i], rows[i + 1]) - borne(ideal, of_ideal[i], of_ideal[i + 1]));
    }
    motions.push_back(motion.value);
    forces.push_back(force.value);
  }
  EXPECT_NEAR(std::log(motions[0] / motions[1]) / std::log(8), 1, 0.1) << motions[0] << " " << motions[1];
  EXPECT_NEAR(std::log(forces[0] / forces[1]) / std::log(8), 1, 0.1) << forces[0] << " " << forces[1];
}

}  // namespace
}  // namespace freeplay::test::coupling_limit_test
