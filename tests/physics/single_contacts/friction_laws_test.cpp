// Friction that depends on the sliding speed: braking by mu(v) in closed form, the static limit, impacts; in the plane
// and in space, in joints with play, in every integrator.
#include <cmath>

#include "physics/model_run.h"

namespace freeplay::test::friction_laws_test {
namespace {

constexpr double kGravity = 9.81;
constexpr double kMu0 = 0.2, kSlope = 0.1;  // mu(v) = kMu0 + kSlope v, up to 10 m/s

// A block on the floor, thrown at 3 m/s or pulled; `block` and `contact` are the parts that differ.
struct Scene {
  std::string space = "planar";
  std::string friction = "friction_law: table, friction_table: [[0 m/s, 0.2], [10 m/s, 1.2]]";
  std::string speed = "3 m/s", pull = "0 N";
  std::string simulate = "integrator: moreau-midpoint, step: 1 ms, duration: 1 s";
  std::string law = "impact: newton, restitution: 0";
};

std::string text_of(const Scene& scene) {
  const bool is_planar = scene.space == "planar";
  const std::string body =
      is_planar ? fmt::format("mass: 1 kg, inertia: 1 kg m^2, initial: {{vx: {}}}, shapes: {{foot: {{type: point}}}}",
                              scene.speed)
                : fmt::format(
                      "mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2], initial: {{vx: 0.6*{0}, vy: "
                      "0.8*{0}, z: 0.05 m}}, shapes: {{foot: {{type: box, size: [1 m, 1 m, 0.1 m]}}}}",
                      scene.speed);
  const std::string floor = is_planar ? "type: line, normal: [0, 1]" : "type: plane, normal: [0, 0, 1]";
  return fmt::format(
      R"(freeplay: 1
space: {}
gravity: {}
bodies: {{block: {{{}}}}}
ground: {{shapes: {{floor: {{{}}}}}}}
contacts: {{slide: {{between: [block.foot, ground.floor], {}, {}}}}}
forces: {{pull: {{type: force, on: block, value: {}}}}}
simulate: {{{}}}
)",
      scene.space, is_planar ? "[0, -9.81 m/s^2]" : "[0, 0, -9.81 m/s^2]", body, floor, scene.law, scene.friction,
      is_planar ? fmt::format("[{}, 0 N]", scene.pull) : fmt::format("[0.6*{0}, 0.8*{0}, 0 N]", scene.pull),
      scene.simulate);
}

std::string steps(const std::string& integrator, double step_ms, double duration_s) {
  const bool is_nlp = integrator == "nlp-variable-step";
  return fmt::format("integrator: {}, {} {} ms, duration: {} s", integrator,
                     is_nlp ? "step_choice: fixed, max_step:" : "step:", step_ms, duration_s);
}

ModelRun run_scene(const Scene& scene) {
  return run_model(parse_model(text_of(scene), "scene"));
}

double end_speed(const ModelRun& run, const std::string& body = "block") {
  return std::hypot(run[body + ".vx"].back(), run[body + ".vy"].back());
}

// v' = -g (mu0 + k v):  v(t) = (v0 + mu0/k) exp(-g k t) - mu0/k.
double braked_speed(double v0, double t) {
  return (v0 + kMu0 / kSlope) * std::exp(-kGravity * kSlope * t) - kMu0 / kSlope;
}

// The coefficient is that of the start of a step: errors are of first order.
TEST(FrictionOfTheSpeed, BrakesByTheClosedFormWithOrderOneInEveryTimeStepping) {
  for (const char* integrator : {"moreau-midpoint", "moreau-jean", "nlp-variable-step"}) {
    for (const char* space : {"planar", "spatial"}) {
      double before = 0;
      for (const double step_ms : {8.0, 4.0, 2.0}) {
        Scene scene;
        scene.space = space;
        scene.simulate = steps(integrator, step_ms, 0.4);
        const double error = std::abs(end_speed(run_scene(scene)) - braked_speed(3, 0.4));
        EXPECT_LT(error, 1.2 * step_ms * 1e-3) << integrator << ' ' << space;
        if (before > 0) {
          EXPECT_NEAR(before / error, 2, 0.1) << integrator << ' ' << space;
        }
        before = error;
      }
    }
  }
}

TEST(FrictionOfTheSpeed, BrakesASliderWithPlayInItsGuide) {
  const std::string text = R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies: {slider: {mass: 1 kg, inertia: 1 kg m^2, initial: {vx: 3 m/s, y: -1 mm}}}
joints:
  guide: {type: prismatic, model: clearance, parent: ground, child: slider, clearance: 1 mm, length: 1 m, width: 1 mm,
          contact: {impact: newton, restitution: 0, friction_law: table,
                    friction_table: [[0 m/s, 0.2], [10 m/s, 1.2]]}}
simulate: {integrator: moreau-midpoint, step: 0.5 ms, duration: 0.4 s}
)";
  EXPECT_NEAR(end_speed(run_model(parse_model(text, "guide")), "slider"), braked_speed(3, 0.4), 2e-3);
}

// 0.35 m g lies between the kinetic and the static limit: what rests stays, what slides goes on.
TEST(FrictionOfTheSpeed, ABlockSticksUpToTheStaticLimitAndSlidesOnBelowIt) {
  const char* laws[] = {
      "friction: 0.25, friction_law: stribeck, static_friction: 0.4, stribeck_speed: 10 um/s",
      "friction_law: table, friction_table: [[0 m/s, 0.4], [10 um/s, 0.25]]",
  };
  for (const char* law : laws) {
    for (const char* space : {"planar", "spatial"}) {
      for (const char* integrator : {"moreau-midpoint", "moreau-jean", "nlp-variable-step"}) {
        Scene scene;
        scene.space = space;
        scene.friction = law;
        scene.speed = "0 m/s";
        scene.pull = "0.35*9.81 N";
        scene.simulate = steps(integrator, 1, 0.1);
        const ModelRun at_rest = run_scene(scene);
        EXPECT_LT(end_speed(at_rest), 1e-9) << law << ' ' << space << ' ' << integrator;
        scene.speed = "1 m/s";
        EXPECT_NEAR(end_speed(run_scene(scene)), 1 + 0.1 * kGravity * (0.35 - 0.25), 1e-9)
            << law << ' ' << space << ' ' << integrator;
        scene.speed = "0 m/s";
        scene.pull = "0.41*9.81 N";  // breaks loose, in a step with the static limit
        EXPECT_NEAR(end_speed(run_scene(scene)), 0.1 * kGravity * (0.41 - 0.25), 2e-3)
            << law << ' ' << space << ' ' << integrator;
      }
    }
  }
}

TEST(FrictionOfTheSpeed, ALawThatIsConstantGivesTheBitsOfCoulombs) {
  Scene scene;
  scene.simulate = "integrator: moreau-midpoint, step: 1 ms, duration: 0.5 s";
  scene.friction = "friction: 0.3";
  const ModelRun coulomb = run_scene(scene);
  scene.friction = "friction_law: table, friction_table: [[0 m/s, 0.3]]";
  EXPECT_EQ(run_scene(scene)["block.vx"], coulomb["block.vx"]);
}

// A point that strikes at v_N and slides all along loses mu(v_T) (1 + e) v_N of its speed along the floor.
TEST(FrictionOfTheSpeed, AnImpactTakesTheCoefficientOfItsStart) {
  for (const char* impact : {"newton", "poisson"}) {
    const std::string text = fmt::format(R"(freeplay: 1
space: planar
bodies: {{point: {{mass: 1 kg, inertia: 1 kg m^2, initial: {{y: 10.5 mm, vx: 3 m/s, vy: -1 m/s}},
                   shapes: {{tip: {{type: point}}}}}}}}
ground: {{shapes: {{floor: {{type: line, normal: [0, 1]}}}}}}
contacts: {{strike: {{between: [point.tip, ground.floor], impact: {}, restitution: 0.5, friction_law: table,
                      friction_table: [[0 m/s, 0.2], [10 m/s, 1.2]]}}}}
simulate: {{integrator: moreau-midpoint, step: 1 ms, duration: 20 ms}}
)",
                                         impact);
    const ModelRun run = run_model(parse_model(text, "impact"));
    EXPECT_NEAR(run["point.vy"].back(), 0.5, 1e-12) << impact;
    EXPECT_NEAR(run["point.vx"].back(), 3 - (kMu0 + 3 * kSlope) * 1.5, 1e-12) << impact;
  }
}

// A compliant floor carries the weight from the start; beyond `slip_speed` friction is mu(v) N.
TEST(FrictionOfTheSpeed, IsTakenByForceLaws) {
  const std::string text = R"(freeplay: 1
space: planar
gravity: [0, -9.81 m/s^2]
bodies: {block: {mass: 1 kg, inertia: 1 kg m^2, initial: {vx: 3 m/s, y: -9.81e-6 m}, shapes: {foot: {type: point}}}}
ground: {shapes: {floor: {type: line, normal: [0, 1]}}}
contacts:
  slide: {between: [block.foot, ground.floor], restitution: 0.5, force: {law: kelvin-voigt, stiffness: 1e6 N/m},
          friction_law: table, friction_table: [[0 m/s, 0.2], [10 m/s, 1.2]]}
simulate: {integrator: dopri5, tolerance: 1e-10, duration: 0.4 s, initial_overlap: 10 um}
)";
  EXPECT_NEAR(end_speed(run_model(parse_model(text, "compliant"))), braked_speed(3, 0.4), 1e-8);
}

}  // namespace
}  // namespace freeplay::test::friction_laws_test
