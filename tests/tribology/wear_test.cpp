// Archard's law under every kind of integrator, against wear by hand.
#include <algorithm>
#include <numbers>
#include <stdexcept>

#include "physics/model_run.h"

namespace freeplay::test::wear_test {
namespace {

constexpr double kPi = std::numbers::pi, kGravity = 9.81;
constexpr double kWear = 1e-13, kWearB = 3e-13;  // 1/Pa, of the child and of the parent
const std::string kWearText = "wear: {coefficient: 1e-13/Pa, coefficient_b: 3e-13/Pa, length: 20 mm";

const SurfaceWear& surface(const ModelRun& run, const std::string& name) {
  const auto found = std::find_if(run.summary.wear.begin(), run.summary.wear.end(),
                                  [&](const SurfaceWear& each) { return each.name() == name; });
  if (found == run.summary.wear.end()) throw std::runtime_error("there is no surface " + name);
  return *found;
}

double volume_of_cells(const SurfaceWear& wear) {
  double sum = 0;
  for (const WearCell& cell : wear.cells) sum += cell.volume_m3;
  return sum;
}

// A block of 2 kg on the lower wall of its guide, pushed off at 1 m/s.
std::string block(const std::string& law, const std::string& simulate) {
  return "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
         "bodies: {block: {mass: 2 kg, inertia: 0.01 kg m^2, initial: {y: -1 mm, vx: 1 m/s}}}\n"
         "joints:\n  guide: {type: prismatic, parent: ground, child: block, model: clearance, clearance: 1 mm,\n"
         "    length: 100 mm, width: 40 mm, contact: {" +
         law + ", " + kWearText + ", cell: 5 mm}}}\nsimulate: {" + simulate + "}\n";
}

struct Way {
  std::string name, simulate;
  double tolerance;
};
class WornGuide : public testing::TestWithParam<Way> {};
// Under force laws the block sinks into the wall first and swings there, which the trapezoids of the steps follow.
INSTANTIATE_TEST_SUITE_P(
    Integrators, WornGuide,
    testing::Values(Way{"moreau_midpoint", "integrator: moreau-midpoint, step: 1 ms, duration: 0.4 s", 1e-9},
                    Way{"moreau_jean", "integrator: moreau-jean, step: 1 ms, duration: 0.4 s", 1e-9},
                    Way{"event_driven", "integrator: event-driven, duration: 0.4 s", 1e-9},
                    Way{"nlp", "integrator: nlp-variable-step, min_step: 1 ms, max_step: 1 ms, duration: 0.4 s", 1e-6},
                    Way{"dopri5", "integrator: dopri5, tolerance: 1e-8, duration: 0.4 s", 2e-3},
                    Way{"cvode_bdf", "integrator: cvode-bdf, tolerance: 1e-8, duration: 0.4 s", 2e-3}),
    [](const auto& each) { return each.param.name; });

// Without friction the block slides 0.4 m under its weight: V = k m g s, and where both corners of a side have passed,
// each with its half of the load, the depth is k m g / L. Both swept 0.3 m.
TEST_P(WornGuide, HasTheDepthOfTheLoadThatHasPassed) {
  const ModelRun run = run_model(parse_model(
      block("impact: newton, restitution: 0, force: {law: kelvin-voigt, stiffness: 1e7 N/m, damping: 4e3 N s/m}",
            GetParam().simulate),
      "block.yaml"));
  ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
  const double tolerance = GetParam().tolerance, load = 2 * kGravity, way = 0.4;
  const SurfaceWear &lower = surface(run, "guide.lower_wall"), &own = surface(run, "guide.block");
  EXPECT_NEAR(lower.volume_m3, kWearB * load * way, tolerance * kWearB * load * way);
  EXPECT_NEAR(own.volume_m3, kWear * load * way, tolerance * kWear * load * way);
  EXPECT_TRUE(own.cells.empty());
  EXPECT_EQ(surface(run, "guide.upper_wall").volume_m3, 0);
  EXPECT_NEAR(volume_of_cells(lower), lower.volume_m3, 1e-12 * lower.volume_m3);
  const double once = kWearB * load / 2 / 0.02;
  for (const WearCell& cell : lower.cells) {
    const double middle = (cell.from + cell.to) / 2;
    if (middle < -0.04 || middle > 0.44) continue;  // the ends, where under force laws the block comes to rest
    const double passes = middle > 0.06 && middle < 0.34 ? 2 : middle < 0.04 || middle > 0.36 ? 1 : 0;
    if (passes == 0) continue;
    EXPECT_NEAR(cell.depth_m, passes * once, std::max(20 * tolerance, 1e-9) * once) << middle;
  }
  EXPECT_EQ(run["guide.wear_volume_lower_wall"].back(), lower.volume_m3);
  EXPECT_EQ(run["guide.wear_depth_lower_wall"].back(), lower.max_depth_m);
  EXPECT_EQ(run["guide.wear_volume_lower_wall"].front(), 0);
}

// With friction it comes to rest after v^2/(2 mu g): V = k m v^2/(2 mu), the energy lost by friction times k/mu.
TEST(Wear, OfABlockThatStopsIsItsFrictionLossTimesKOverMu) {
  for (const char* simulate : {"integrator: moreau-midpoint, step: 0.1 ms, duration: 0.5 s",
                               "integrator: event-driven, max_step: 1 ms, duration: 0.5 s"}) {
    const ModelRun run = run_model(parse_model(block("impact: newton, restitution: 0, friction: 0.4", simulate), "b"));
    ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
    const double expected = kWear * 2 * 1 / (2 * 0.4);
    EXPECT_NEAR(surface(run, "guide.block").volume_m3, expected, 1e-6 * expected) << simulate;
    EXPECT_NEAR(surface(run, "guide.block").volume_m3, kWear / 0.4 * run.summary.account.friction_loss, 1e-6 * expected)
        << simulate;
  }
}

// Forces at states are added up by trapezoids: the error of the volume falls with the square of the longest step.
TEST(Wear, ConvergesWithTheSquareOfTheStepWhereForcesAreKnownAtStates) {
  // A push along the guide that swings: the block slides to and fro, v = 1 + (1 - cos 20 t) m/s, s = 2 t - sin(20
  // t)/20; pressed down by m g + 5 N sin 20 t.
  const auto volume = [](const char* step) {
    std::string text = block("impact: newton, restitution: 0",
                             std::string("integrator: event-driven, step: ") + step + ", duration: 0.4 s");
    text += "forces: {push: {type: force, on: block, value: [40 N*sin(20 rad/s*t), -5 N*sin(20 rad/s*t)]}}\n";
    return surface(run_model(parse_model(text, "b")), "guide.block").volume_m3;
  };
  // Integral of (m g + 5 sin) (2 - cos) dt with x = 20 t from 0 to 8.
  const double w = 20, T = 0.4, x = w * T;
  const double exact = kWear * (2 * kGravity * (2 * T - std::sin(x) / w) +
                                5 * (2 * (1 - std::cos(x)) / w - std::sin(x) * std::sin(x) / (2 * w)));
  const double coarse = std::abs(volume("4 ms") - exact), fine = std::abs(volume("2 ms") - exact);
  EXPECT_LT(fine, 1e-3 * exact);
  EXPECT_NEAR(coarse / fine, 4, 0.2);
}

// A journal of 3 kg lies at the bottom of its bore and turns at 50 rad/s without friction. The bore is worn where the
// load is, the journal all around: depth k m g per turn and length.
std::string journal(const std::string& simulate) {
  return "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
         "bodies: {shaft: {mass: 3 kg, inertia: 0.01 kg m^2, initial: {y: -0.5 mm, omega: 50 rad/s}}}\n"
         "joints:\n  main: {type: revolute, parent: ground, child: shaft, model: clearance, clearance: 0.5 mm,\n"
         "    journal_radius: 10 mm, contact: {impact: newton, restitution: 0, " +
         kWearText +
         ", sectors: 36},\n"
         "      force: {law: kelvin-voigt, stiffness: 1e7 N/m, damping: 5e3 N s/m}}}\nsimulate: {" +
         simulate + "}\n";
}

TEST(Wear, OfAPinThatTurnsUnderAConstantLoadIsInOneSectorOfTheBoreAndAllAroundThePin) {
  const double turn_s = 2 * kPi / 50, load = 3 * kGravity;
  for (const char* simulate : {"integrator: moreau-midpoint, step: 2*pi/(50 rad/s)/720, duration: 8*pi/(50 rad/s)",
                               "integrator: event-driven, duration: 8*pi/(50 rad/s)"}) {
    const ModelRun run = run_model(parse_model(journal(simulate), "journal.yaml"));
    ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
    const SurfaceWear &bore = surface(run, "main.bearing"), &pin = surface(run, "main.journal");
    const double way = 50 * 4 * turn_s * 0.01, bore_volume = kWearB * load * way;
    ASSERT_EQ(bore.cells.size(), 36U);
    EXPECT_NEAR(bore.cells[27].volume_m3, bore_volume, 1e-6 * bore_volume) << simulate;
    EXPECT_NEAR(bore.max_depth_m, bore_volume / (0.0105 * 2 * kPi / 36 * 0.02), 1e-6 * bore.max_depth_m);
    EXPECT_NEAR(bore.max_at, 3 * kPi / 2, 1e-12);
    EXPECT_NEAR(volume_of_cells(bore), bore.volume_m3, 1e-12 * bore_volume);
    const double depth = kWear * load * 4 / 0.02;  // four turns
    for (const WearCell& cell : pin.cells) EXPECT_NEAR(cell.depth_m, depth, 1e-6 * depth) << simulate;
    EXPECT_NEAR(pin.volume_m3, kWear * load * way, 1e-6 * pin.volume_m3);
  }
}

// A ball that bounces on a smooth floor while it flies along at 2 m/s: every impact wears k m (1 + e) v_n v_t. All
// impulses together carry the weight, which the time of the flight tells.
TEST(Wear, OfImpactsIsTheirImpulseTimesTheSpeedOfSliding) {
  const std::string model =
      "freeplay: 1\nspace: planar\ngravity: [0, -9.81 m/s^2]\n"
      "bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 0.6 m, vx: 2 m/s}, shapes: {skin: {type: circle, "
      "radius: 0.1 m}}}}\n"
      "ground: {shapes: {floor: {type: line, normal: [0, 1]}}}\n"
      "contacts: {bounce: {between: [ball.skin, ground.floor], impact: newton, restitution: 0.5, wear: {archard: 1e-4, "
      "hardness: 1 GPa, hardness_b: 2 GPa}}}\n";
  const double v = std::sqrt(2 * kGravity * 0.5);   // falls 0.5 m in 0.319 s, bounces for as long, and again
  const double work = (1 + 0.5) * (v + v / 2) * 2;  // the first two impacts
  for (const char* simulate :
       {"integrator: event-driven, duration: 0.7 s", "integrator: moreau-midpoint, step: 0.1 ms, duration: 0.7 s"}) {
    const ModelRun run = run_model(parse_model(model + "simulate: {" + simulate + "}\n", "ball.yaml"));
    ASSERT_EQ(run.summary.impacts, 2) << simulate;
    const double tolerance = std::string(simulate).find("event") != std::string::npos ? 1e-9 : 1e-3;
    EXPECT_NEAR(surface(run, "bounce.a").volume_m3, 1e-13 * work, tolerance * 1e-13 * work) << simulate;
    EXPECT_NEAR(surface(run, "bounce.b").volume_m3, 0.5e-13 * work, tolerance * 1e-13 * work) << simulate;
    EXPECT_EQ(run["bounce.wear_volume_a"].back(), surface(run, "bounce.a").volume_m3);
  }
}

}  // namespace
}  // namespace freeplay::test::wear_test
