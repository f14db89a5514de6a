// Force laws of model files: where their stiffness comes from, and what an impact would do.
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/contact/laws/contact_stiffness.h"
#include "freeplay/contact/laws/impact_estimate.h"
#include "freeplay/contact/laws/restitution_damping.h"
#include "freeplay/io/model/model_build.h"

namespace freeplay::test {

namespace {

const std::string kSteel = "young: 207 GPa, poisson: 0.3";

Model built(const std::string& text) {
  return build_model(parse_model("freeplay: 1\nspace: planar\n" + text + "simulate: {duration: 1 s}\n", "model.yaml"));
}

// A shape of a body at (0, 1 m) and one of the ground, far from it.
Model ball(const std::string& shape, const std::string& other, const std::string& force) {
  return built("bodies: {ball: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 1 m}, shapes: {skin: " + shape +
               "}}}\nground: {shapes: {floor: " + other +
               "}}\ncontacts: {bounce: {between: [ball.skin, ground.floor], restitution: 0.9, friction: 0.2, force: {" +
               force + "}}}\n");
}

Model bearing(const std::string& radii, const std::string& force) {
  return built("bodies: {arm: {mass: 1 kg, inertia: 1 kg m^2}}\njoints: {pin: {type: revolute, parent: ground, " +
               std::string("child: arm, model: clearance, ") + radii + ", contact: {restitution: 0.9, force: {" +
               force + "}}}}\n");
}

const ForceLaw& law_of(const Model& model) {
  return model.contacts->points().at(0).force_law.value();
}

double stiffness_of(const Model& model) {
  return law_of(model).normal.elastic().stiffness_N_mn();
}

const std::string kCircle = "{type: circle, radius: 100 mm}", kFloor = "{type: line, normal: [0, 1]}";

TEST(ForceLawOfAModel, StiffnessFollowsFromMaterialAndRadii) {
  const std::string hertz = "law: hertz, " + kSteel;
  EXPECT_NEAR(stiffness_of(ball("{type: circle, radius: 50 mm}", kFloor, hertz)), 3.39096023e10, 1e2);
  EXPECT_NEAR(stiffness_of(ball(kCircle, kFloor, hertz)), 4.795541946e10, 1e2);
  EXPECT_NEAR(stiffness_of(ball(kCircle, "{type: circle, radius: 100 mm}", hertz)), 3.39096023e10, 1e2);
  EXPECT_NEAR(stiffness_of(ball(kCircle, "{type: polygon, vertices: [[-1 m, -1 m], [1 m, -1 m], [0, 0]]}", hertz)),
              4.795541946e10, 1e2);
  const std::string socket = "{type: arc, at: [0, 1 m], radius: 110 mm, from: -180 deg, to: 0, side: inside}";
  const double expected = hertz_stiffness_N_m32(1.13736263736e11, 0.1 * 0.11 / 0.01);
  EXPECT_NEAR(stiffness_of(ball(kCircle, socket, hertz)), expected, 1e-9 * expected);
  for (const char* radii : {"journal_radius: 9.5 mm, bearing_radius: 10 mm", "clearance: 0.5 mm, bearing_radius: 10 mm",
                            "clearance: 0.5 mm, journal_radius: 9.5 mm"})
    EXPECT_NEAR(stiffness_of(bearing(radii, hertz)), 6.610198398e10, 1e2) << radii;
}

TEST(ForceLawOfAModel, ThePartnersMayHaveDifferentMaterials) {
  const double expected =
      hertz_stiffness_N_m32(contact_modulus_Pa({207e9, 0.3}, {70e9, 0.33}), effective_radius_m(9.5e-3, -10e-3));
  EXPECT_NEAR(stiffness_of(bearing("journal_radius: 9.5 mm, bearing_radius: 10 mm",
                                   "law: flores, " + kSteel + ", young_b: 70 GPa, poisson_b: 0.33")),
              expected, 1e-12 * expected);
}

TEST(ForceLawOfAModel, GivenStiffnessNeedsNoRadii) {
  EXPECT_EQ(stiffness_of(bearing("clearance: 1 mm", "law: flores, stiffness: 3e9 N/m^1.5")), 3e9);
  EXPECT_EQ(stiffness_of(ball("{type: point}", kFloor, "law: hertz, exponent: 1.25, stiffness: 2e8 N/m^1.25")), 2e8);
  EXPECT_EQ(stiffness_of(ball("{type: point}", kFloor, "law: kelvin-voigt, stiffness: 2e6 N/m")), 2e6);
}

TEST(ForceLawOfAModel, EveryLawCanBeNamed) {
  for (const ForceLawEntry& law : force_law_registry()) {
    const bool is_linear = law.elastic == ForceLawEntry::Elastic::kLinear;
    const Model model =
        bearing("journal_radius: 9.5 mm, bearing_radius: 10 mm",
                "law: " + std::string(law.name) + (is_linear ? ", stiffness: 1e6 N/m" : ", length: 15 mm, " + kSteel));
    const ContactOnset onset{0.5, 2};
    const NormalForceLaw& normal = law_of(model).normal;
    EXPECT_GT(normal.force(1e-6, 0, onset), 0) << law.name;
    if (law.name != "hertz") {
      EXPECT_GT(normal.force(1e-6, 0.1, onset), normal.force(1e-6, -0.1, onset)) << law.name;
    }
    EXPECT_FALSE(model.contacts->points()[0].has_friction());
  }
}

TEST(ForceLawOfAModel, FrictionTakesTheKeysOfTheForce) {
  const SlidingForceLaw usual = law_of(ball(kCircle, kFloor, "law: hertz, " + kSteel)).sliding;
  EXPECT_NEAR(usual.force(10, 0.5e-3), -1, 1e-14) << "half of the default slip speed";
  const SlidingForceLaw stribeck = law_of(ball(kCircle, kFloor,
                                               "law: hertz, friction_law: stribeck, friction_shape: threlfall, "
                                               "static_friction: 0.3, stribeck_speed: 1 m/s, slip_speed: 1 mm/s, " +
                                                   kSteel))
                                       .sliding;
  EXPECT_NEAR(stribeck.force(10, 1), -2 - std::exp(-1.0), 1e-12);
}

// A bar on a pivot: 1/(w^T M^-1 w) is the moment of inertia about the pivot over the square of the arm, whether the
// pivot is a joint of the tree or a constraint.
TEST(ImpactEstimate, MassIsWhatTheContactFeels) {
  for (const char* as : {"tree", "constraint"}) {
    const Model model = built(
        "bodies: {bar: {mass: 3 kg, inertia: 0.2 kg m^2, initial: {x: 0.5 m, omega: -2 rad/s, vy: -1 m/s}, "
        "shapes: {tip: {type: circle, at: [0.5 m, 0], radius: 10 mm}}}}\n"
        "ground: {shapes: {floor: {type: line, at: [0, -1 m], normal: [0, 1]}}}\n"
        "joints: {pivot: {type: revolute, parent: ground, child: bar, at_child: [-0.5 m, 0], as: " +
        std::string(as) +
        "}}\n"
        "contacts: {tap: {between: [bar.tip, ground.floor], restitution: 0.9, force: {law: hertz, " +
        kSteel + "}}}\n");
    const std::vector<ImpactEstimate> estimates = estimate_impacts(*model.system, *model.contacts);
    ASSERT_EQ(estimates.size(), 1u);
    EXPECT_NEAR(estimates[0].onset.mass_kg, 0.2 + 3 * 0.25, 1e-12) << as;
    EXPECT_NEAR(estimates[0].onset.speed_m_s, 2, 1e-12) << as;
    EXPECT_FALSE(estimates[0].speed_is_assumed);
    EXPECT_EQ(estimates[0].delivered_restitution, 1);
  }
}

TEST(ImpactEstimate, APointThatCannotMoveHasInfiniteMass) {
  const Model model = built(
      "bodies: {block: {mass: 1 kg, inertia: 1 kg m^2, shapes: {nose: {type: circle, radius: 10 mm}}}}\n"
      "ground: {shapes: {wall: {type: line, at: [0, -1 m], normal: [0, 1]}}}\n"
      "joints: {guide: {type: prismatic, parent: ground, child: block, as: constraint}}\n"
      "contacts: {tap: {between: [block.nose, ground.wall], restitution: 0.9, force: {law: hertz, " +
      kSteel + "}}}\n");
  const std::vector<ImpactEstimate> estimates = estimate_impacts(*model.system, *model.contacts);
  ASSERT_EQ(estimates.size(), 1u);
  EXPECT_TRUE(std::isinf(estimates[0].onset.mass_kg));
  EXPECT_TRUE(estimates[0].speed_is_assumed);
}

}  // namespace

}  // namespace freeplay::test
