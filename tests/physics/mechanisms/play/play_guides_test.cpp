// A block in a straight guide, ideal, with play or elastic: what acts along the guide is that of the ideal joint.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::play_guides_test {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81, kMass = 2;

// Along x; gravity presses it against the guide, whose contacts have no friction.
std::string block(const std::string& space, const std::string& on_the_joint, const std::string& more) {
  const bool planar = space == "planar";
  return fmt::format(
      "freeplay: 1\nname: block\nspace: {}\ngravity: [0, -9.81 m/s^2{}]\n"
      "parameters: {{word: {{word: clearance}}}}\n"
      "bodies: {{block: {{mass: 2 kg, inertia: {}}}}}\n"
      "joints:\n"
      "  slide: {{type: prismatic, parent: ground, child: block, model: word, clearance: 0.1 mm, length: 80 mm, {},\n"
      "    contact: {{impact: newton, restitution: 0}},\n"
      "    bushing: {{stiffness: 1e6 N/m, damping: 4e3 N s/m, torsional_stiffness: 1e4 N m, torsional_damping: 20 N m "
      "s}}{}}}\n"
      "{}\n"
      "simulate: {{integrator: moreau-midpoint, step: 0.1 ms, duration: 1 s, force_window: 0.1 ms}}\n",
      space, planar ? "" : ", 0", planar ? "0.03 kg m^2" : "[0.03 kg m^2, 0.03 kg m^2, 0.03 kg m^2]",
      planar ? "width: 40 mm" : "section: [[-20 mm, -20 mm], [20 mm, -20 mm], [20 mm, 20 mm], [-20 mm, 20 mm]]",
      on_the_joint, more);
}

struct GuideCase {
  std::string space, word;
};
class PlayGuides : public testing::TestWithParam<GuideCase> {
 protected:
  static ModelRun run_block(const std::string& on_the_joint, const std::string& more) {
    const Overrides word = {"word=" + GetParam().word};
    return run_model(parse_model(block(GetParam().space, on_the_joint, more), "block.yaml", word));
  }
};
INSTANTIATE_TEST_SUITE_P(Models, PlayGuides,
                         testing::Values(GuideCase{"planar", "ideal"}, GuideCase{"planar", "clearance"},
                                         GuideCase{"planar", "bushing"}, GuideCase{"spatial", "ideal"},
                                         GuideCase{"spatial", "clearance"}, GuideCase{"spatial", "bushing"}),
                         [](const auto& one) { return one.param.space + "_" + one.param.word; });

// F = m d2x/dt2 for x = 50 mm sin(2 pi t); the guide carries the weight.
TEST_P(PlayGuides, PrescribedMotionTakesTheForceOfTheMass) {
  const ModelRun run = run_block("", "drivers: {actuator: {on: slide, motion: 50 mm * sin(2*pi*1 Hz*t)}}");
  Worst position, force, weight;
  for (std::size_t i = run.rows() / 4; i < run.rows(); ++i) {
    const double t = run.time()[i], at_forces = t - 0.5e-4;
    position(run["slide.q"][i] - 0.05 * std::sin(2 * kPi * t));
    force(run["actuator.force"][i] + kMass * 4 * kPi * kPi * 0.05 * std::sin(2 * kPi * at_forces));
    weight(run["slide.force_y"][i] - kMass * kGravity);
  }
  EXPECT_LT(position.value, 1e-12);
  EXPECT_LT(force.value, 1e-6);
  EXPECT_LT(weight.value, 1e-10);
}

// 6 N against 2 N of dry friction from rest at 10 mm: x = 10 mm + (F - R) t^2 / (2 m) until the stop at 0.26 m, which
// it reaches at t = 1/2 s with 1 m/s; e = 0.5 sends it back with half of that. On its way back friction helps to stop
// it, so that it comes again with sqrt((F - R)/(F + R)) of its speed: every impact takes 1/8 of what the one before
// took. The first one takes 0.75 J. Where there is play, the block has fallen by its clearance before: m g c.
TEST_P(PlayGuides, ForceFrictionAndStopActAlongTheGuide) {
  const ModelRun run = run_block(", initial: {q: 10 mm}, dry_friction: 2 N, stops: {upper: 0.26 m, restitution: 0.5}",
                                 "drivers: {actuator: {on: slide, force: 6 N}}");
  EXPECT_NEAR(run["slide.q"].front(), 0.01, 1e-12);
  const std::size_t before = 4990, after = 5010;
  EXPECT_NEAR(run["slide.u"][before], 2 * run.time()[before], 1e-10);
  EXPECT_NEAR(run["slide.q"][before], 0.01 + run.time()[before] * run.time()[before], 1e-10);
  EXPECT_NEAR(run["slide.u"][after], -0.5, 1e-2);
  const double fall = GetParam().word == "clearance" ? kMass * kGravity * 1e-4 : 0;
  EXPECT_NEAR(run["energy.impact_loss"].back(), 0.75 / (1 - 1.0 / 8) + fall, 5e-4);
}

// A controller reads the joint's channels; what is left after 1 s is exp(-15).
TEST_P(PlayGuides, ControllerFindsItsPlace) {
  const std::string force = "-(400 N/m * (slide.q - 20 mm) + 60 N s/m * slide.u)";
  const std::string value = fmt::format("[\"{}\", 0{}]", force, GetParam().space == "planar" ? "" : ", 0");
  const ModelRun run = run_block("", fmt::format("forces: {{hold: {{type: force, on: block, value: {}}}}}", value));
  EXPECT_NEAR(run["slide.q"].back(), 0.02, 5e-6);
}

}  // namespace
}  // namespace freeplay::test::play_guides_test
