// Runs of elastic bodies by the command: damping in closed form, warnings, files of modes.
#include <fmt/format.h>

#include <cmath>

#include "cli/warnings/warnings_fixture.h"

namespace freeplay::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// A cantilever of 1 m, 1 kg/m and E I = 100 N m^2: w_1 = 35.160153 rad/s, w_2 = 220.344916 rad/s.
std::string cantilever(const std::string& more, const std::string& joint = "type: fixed", const char* mass = "1 kg/m") {
  return fmt::format(
      "bodies:\n  beam:\n    elastic: {{length: 1 m, mass_per_length: {}, start: [0, 0], bending: cantilever, "
      "bending_modes: 2,\n      bending_stiffness: 100 N m^2, {}}}\n"
      "joints: {{root: {{{}, parent: ground, child: beam}}}}\n",
      mass, more, joint);
}

using ElasticRuns = WarningsOfARun;

// Each mode is an oscillator by itself:  q = q_0 exp(-d t) (cos w_d t + d/w_d sin w_d t),  2 d = alpha + beta w^2.
TEST_F(ElasticRuns, RayleighDampingDecaysAsTheClosedFormDoesAndIsInTheLedger) {
  write("model.yaml", "freeplay: 1\nspace: planar\n" +
                          cantilever("foreshortening: false, rayleigh: {alpha: 2/s, beta: 1 ms}, "
                                     "initial_modes: [1 mm, 1 mm]") +
                          "measure:\n  first: final(beam.modal_1)\n  second: at(beam.modal_2, 20 ms)\n"
                          "  drift: max(abs(energy.drift))\n  lost: final(energy.damping_loss)\n"
                          "  start: initial(energy.total)\n  end: final(energy.total)\n"
                          "simulate: {integrator: dopri5, tolerance: 1e-11, step: 1 ms, duration: 0.3 s}\n");
  const json report = json::parse(freeplay({"run", "model.yaml", "--json"}).out);
  const auto measured = [&](const char* name) { return report["measures"][name].get<double>(); };
  const auto closed_form = [](double w, double t) {
    const double d = 0.5 * (2 + 1e-3 * w * w), damped = std::sqrt(w * w - d * d);
    return 1e-3 * std::exp(-d * t) * (std::cos(damped * t) + d / damped * std::sin(damped * t));
  };
  EXPECT_NEAR(measured("first"), closed_form(35.160153, 0.3), 1e-9);
  EXPECT_NEAR(measured("second"), closed_form(220.344916, 0.02), 1e-9);
  EXPECT_NEAR(measured("lost"), measured("start") - measured("end"), 1e-9 * measured("start"));
  EXPECT_LT(measured("drift"), 1e-8 * measured("start"));
}

// Under thirty times its weight the tip would sink by 0.37 m.
TEST_F(ElasticRuns, ABodyThatBendsFarIsToldWithItsSizeAndTheTime) {
  const std::string rest = "simulate: {integrator: dopri5, step: 1 ms, duration: 0.1 s}\n";
  const std::vector<std::string> warnings = of("gravity: [0, -294 m/s^2]\n" + cantilever("damping_ratio: 0.1") + rest);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("at t = 0.0"));
  EXPECT_THAT(warnings[0], HasSubstr("the elastic body 'beam' is displaced in its frame by 0.1"));
  EXPECT_THAT(warnings[0], HasSubstr("several elastic bodies in a row, joined by 'fixed' joints"));
  EXPECT_TRUE(of("gravity: [0, -29.4 m/s^2]\n" + cantilever("damping_ratio: 0.1") + rest).empty());
}

TEST_F(ElasticRuns, ShapesThatHoldAFreeEndAreTold) {
  const auto beam = [](const char* shapes, const std::string& joints) {
    return fmt::format(
        "bodies:\n  beam: {{elastic: {{length: 1 m, mass_per_length: 1 kg/m, start: [0, 0], bending: {}, "
        "bending_stiffness: 100 N m^2, foreshortening: false}}}}\njoints: {{{}}}\n"
        "simulate: {{integrator: dopri5, step: 1 ms, duration: 1 ms}}\n",
        shapes, joints);
  };
  const std::string root = "root: {type: fixed, parent: ground, child: beam}",
                    end = ", end: {type: fixed, parent: ground, child: beam, at_parent: [1 m, 0], at_child: [1 m, 0]}",
                    hinge =
                        ", end: {type: revolute, parent: ground, child: beam, at_parent: [1 m, 0], "
                        "at_child: [1 m, 0]}";
  for (const std::string& free_end : {std::string(), hinge}) {
    const std::vector<std::string> warnings = of(beam("clamped-clamped", root + free_end));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_THAT(warnings[0], HasSubstr("the shapes of 'beam' hold its end against turning"));
    EXPECT_THAT(freeplay({"check", "model.yaml"}).out, HasSubstr("hold its end against turning"));
  }
  EXPECT_TRUE(of(beam("clamped-clamped", root + end)).empty());
  EXPECT_TRUE(of(beam("cantilever", root)).empty());
}

TEST_F(ElasticRuns, AFileOfModesIsRunAndAWrongOneRefusedWithItsPlace) {
  const std::string modes =
      "nodes\nnode,x,y,mass\n1,0,0,0.5\n2,1,0,0.5\nmodes\nmode,node,ux,uy,rz\n1,1,0,0,0\n1,2,0,1,1.5\n"
      "frequencies\n5\n";
  const std::string model =
      "freeplay: 1\nspace: planar\nbodies:\n  beam: {elastic: {file: modes.csv, initial_modes: 1 mm}}\n"
      "joints: {root: {type: fixed, parent: ground, child: beam}}\nmeasure: {end: final(beam.modal_1)}\n"
      "simulate: {integrator: dopri5, tolerance: 1e-10, step: 1 ms, duration: 1 s}\n";
  write("modes.csv", modes);
  write("model.yaml", model);
  const CommandResult run = freeplay({"run", "model.yaml", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const json value = json::parse(run.out)["measures"]["end"];  // five whole periods
  EXPECT_NEAR(value.get<double>(), 1e-3, 1e-9);
  write("modes.csv", "nodes\nnode,x,y,mass\n1,0,0,nan\n");
  const CommandResult refused = freeplay({"check", "model.yaml"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.err, HasSubstr("model.yaml:4:26"));
  EXPECT_THAT(refused.err, HasSubstr("line 3 of 'modes.csv': 'nan' is not a finite number"));
}

}  // namespace
}  // namespace freeplay::test
