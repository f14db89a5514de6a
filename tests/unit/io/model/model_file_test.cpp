// The model files of the design page, number by number, and the parts of the format that they do not use.
#include "freeplay/io/model/model_file.h"
#include "freeplay/geometry/contours/planar_contour.h"
#include "freeplay/io/model/model_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/places.h"
#include "unit/io/model/model_test_support.h"

namespace freeplay::test {
namespace {

using std::numbers::pi;
using testing::ElementsAre;

ModelFile load_example(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return load_model(test_dir() + "/models/examples/" + name, overrides);
}

TEST(ModelFile, SliderCrankGivesItsNumbersInSiUnits) {
  const ModelFile model = load_example("slider_crank_clearance.yaml");
  EXPECT_EQ(model.name, "Slider-crank with a clearance joint");
  EXPECT_EQ(model.reference, "Flores, Leine, Glocker (2010), section 6");
  const MechanismSpec& mechanism = model.mechanism;
  EXPECT_EQ(mechanism.space, Space::kPlanar);
  EXPECT_EQ(mechanism.gravity_m_s2, Vec3(0, -9.81, 0));

  ASSERT_EQ(model.parameters.size(), 5U);
  EXPECT_EQ(model.parameters[0].name, "l1");
  EXPECT_EQ(model.parameters[0].text, "153 mm");
  EXPECT_DOUBLE_EQ(model.parameters[0].value.value, 0.153);
  EXPECT_EQ(model.parameters[0].value.dimension, dimensions::kLength);
  EXPECT_DOUBLE_EQ(model.parameters[3].value.value, 0.4);

  ASSERT_EQ(mechanism.bodies.size(), 3U);
  const BodySpec& crank = mechanism.bodies[0];
  EXPECT_EQ(crank.name, "crank");
  EXPECT_DOUBLE_EQ(crank.mass_kg, 0.038);
  EXPECT_DOUBLE_EQ(crank.inertia_kg_m2(2, 2), 7.4e-5);
  EXPECT_EQ(crank.initial.angular_velocity[2], 150.0);
  EXPECT_FALSE(crank.initial.angle.has_value());
  EXPECT_EQ(mechanism.bodies[1].initial.angular_velocity[2], -75.0);
  EXPECT_EQ(mechanism.bodies[2].initial.angular_velocity[2], 0.0);

  ASSERT_EQ(mechanism.joints.size(), 3U);
  const JointSpec& crankpin = mechanism.joints[1];
  EXPECT_EQ(crankpin.name, "crankpin");
  EXPECT_EQ(crankpin.type, "revolute");
  EXPECT_EQ(crankpin.parent, "crank");
  EXPECT_EQ(crankpin.child, "rod");
  EXPECT_EQ(crankpin.at_parent_m, Vec3(0.153 / 2, 0, 0));
  EXPECT_EQ(crankpin.at_child_m, Vec3(-0.306 / 2, 0, 0));
  EXPECT_FALSE(crankpin.as_constraint);
  EXPECT_EQ(mechanism.joints[0].parent, "ground");
  EXPECT_EQ(mechanism.joints[2].at_child_m, Vec3::Zero());

  ASSERT_EQ(model.clearance_joints.size(), 1U);
  const ClearanceJointSpec& guide = model.clearance_joints[0];
  EXPECT_EQ(guide.joint.name, "guide");
  EXPECT_EQ(guide.joint.type, "prismatic");
  EXPECT_DOUBLE_EQ(guide.clearance_m, 1e-3);
  EXPECT_DOUBLE_EQ(guide.length_m.value(), 0.1);
  EXPECT_DOUBLE_EQ(guide.width_m.value(), 0.05);
  EXPECT_EQ(guide.law.impact, "newton");
  EXPECT_DOUBLE_EQ(guide.law.restitution, 0.4);
  EXPECT_DOUBLE_EQ(guide.law.friction, 0.01);
  EXPECT_EQ(guide.law.tangential_restitution, 0);

  EXPECT_EQ(model.simulate.integrator, "moreau-midpoint");
  EXPECT_EQ(model.simulate.solver, "lemke");
  EXPECT_DOUBLE_EQ(model.simulate.step_s.value(), 1e-5);
  EXPECT_DOUBLE_EQ(model.simulate.duration_s, 0.1376);
  EXPECT_EQ(model.record.every, 1);
  EXPECT_THAT(model.record.channels, ElementsAre("crank.omega", "rod.omega", "slider.angle", "guide.gap_1",
                                                 "guide.normal_impulse_1", "bearing.force_x", "energy.total"));
}

TEST(ModelFile, BallOnTheFloorGivesShapesContactAndWind) {
  const ModelFile model = load_example("ball_on_floor.yaml");
  EXPECT_EQ(model.mechanism.bodies[0].initial.position_m[1], 1.0);
  EXPECT_FALSE(model.mechanism.bodies[0].initial.position_m[0].has_value());

  ASSERT_EQ(model.shapes.size(), 2U);
  EXPECT_EQ(model.shapes[0].body, "ball");
  EXPECT_EQ(model.shapes[0].name, "skin");
  EXPECT_EQ(std::get<CircleShape>(model.shapes[0].geometry).radius_m, 0.1);
  EXPECT_EQ(model.shapes[1].body, "ground");
  EXPECT_EQ(std::get<LineShape>(model.shapes[1].geometry).normal, Vec3(0, 1, 0));

  ASSERT_EQ(model.contacts.size(), 1U);
  const ContactSpec& bounce = model.contacts[0];
  EXPECT_EQ(bounce.body_a + "." + bounce.shape_a, "ball.skin");
  EXPECT_EQ(bounce.body_b + "." + bounce.shape_b, "ground.floor");
  EXPECT_EQ(bounce.law.restitution, 0.7);
  EXPECT_EQ(bounce.law.friction, 0.3);
  EXPECT_FALSE(bounce.law.force.has_value());

  ASSERT_EQ(model.mechanism.loads.size(), 1U);
  const AppliedLoadSpec& wind = model.mechanism.loads[0];
  EXPECT_EQ(wind.kind, AppliedLoadSpec::Kind::kForce);
  EXPECT_EQ(wind.body, "ball");
  EXPECT_FALSE(wind.in_body_axes);
  const double quarter_period_s[] = {0.25};  // variable 0 is t
  EXPECT_NEAR(wind.value[0].evaluate(quarter_period_s), 0.1, 1e-15);
  EXPECT_EQ(wind.value[1].evaluate(quarter_period_s), 0);
  EXPECT_EQ(wind.value[2].evaluate(quarter_period_s), 0);
  EXPECT_TRUE(model.record.channels.empty());
}

TEST(ModelFile, DrivenPendulumGivesAxisAngleAndMotion) {
  const ModelFile model = load_example("driven_pendulum.yaml");
  const MechanismSpec& mechanism = model.mechanism;
  EXPECT_EQ(mechanism.space, Space::kSpatial);
  EXPECT_EQ(mechanism.bodies[0].inertia_kg_m2, Mat3(Vec3(0.02, 0.3, 0.3).asDiagonal()));
  const JointSpec& pivot = mechanism.joints[0];
  EXPECT_EQ(pivot.axis.value(), Vec3::UnitZ());
  EXPECT_EQ(pivot.at_child_m, Vec3(-0.5, 0, 0));
  ASSERT_EQ(pivot.initial_q.size(), 1U);
  EXPECT_DOUBLE_EQ(pivot.initial_q[0].value(), pi / 6);
  ASSERT_EQ(mechanism.drivers.size(), 1U);
  EXPECT_EQ(mechanism.drivers[0].joint, "pivot");
  const double t_s[] = {0.1};
  const TimeJet motion = mechanism.drivers[0].motion.value().evaluate_jet(t_s);
  const double amplitude = pi / 18, w = 4 * pi;  // 10 deg, 2 Hz
  EXPECT_NEAR(motion.value, amplitude * std::sin(w * 0.1), 1e-15);
  EXPECT_NEAR(motion.rate, amplitude * w * std::cos(w * 0.1), 1e-13);
  EXPECT_NEAR(motion.acceleration, -amplitude * w * w * std::sin(w * 0.1), 1e-11);
  EXPECT_EQ(model.simulate.integrator, "dopri5");
  EXPECT_EQ(model.simulate.relative_tolerance, 1e-9);
  EXPECT_EQ(model.simulate.absolute_tolerance, 1e-9);
  EXPECT_FALSE(model.simulate.step_s.has_value());
}

TEST(ModelFile, OneWordMakesAJointIdeal) {
  const ModelFile model = load_example("slider_crank_clearance.yaml", {"joints.guide.model=ideal"});
  EXPECT_TRUE(model.clearance_joints.empty());
  ASSERT_EQ(model.mechanism.joints.size(), 4U);
  EXPECT_EQ(model.mechanism.joints[3].name, "guide");
}

TEST(ModelFile, ChannelsInExpressionsBecomeVariables) {
  const ModelFile model = parse_model(kSmallModel + R"(
forces:
  brake: {type: torque, on: arm, value: -0.1 N m s * arm.omega - 2 N m * sin(arm.angle)}
  drag: {type: force, on: arm, value: [-1 N s/m * arm.vx, 0], frame: body}
)",
                                      "model.yaml");
  std::vector<std::string> channels;
  for (const VariableSpec& variable : model.mechanism.variables) channels.push_back(variable.channel);
  EXPECT_THAT(channels, ElementsAre("t", "arm.omega", "arm.angle", "arm.vx"));
  const double values[] = {0, 3, pi / 2, 5};
  EXPECT_NEAR(model.mechanism.loads[0].value[2].evaluate(values), -0.3 - 2, 1e-15);
  EXPECT_NEAR(model.mechanism.loads[1].value[0].evaluate(values), -5, 1e-15);
  EXPECT_TRUE(model.mechanism.loads[1].in_body_axes);
}

TEST(ModelFile, SpringsTakeTheirDefaults) {
  const ModelFile model = parse_model(kSmallModel + R"(
forces:
  s: {type: spring, parent: ground, at_parent: [0, 1 m], child: arm, stiffness: 2 kN/m, damping: 3 N s/m, preload: 5 N}
  r: {type: torsional_spring, on: pin, stiffness: 4 N m, free_angle: 30 deg}
)",
                                      "model.yaml");
  const SpringSpec& spring = model.mechanism.springs.at(0);
  EXPECT_EQ(spring.stiffness_N_m, 2000);
  EXPECT_EQ(spring.damping_Ns_m, 3);
  EXPECT_EQ(spring.preload_N, 5);
  EXPECT_FALSE(spring.free_length_m.has_value());
  EXPECT_EQ(spring.at_parent_m, Vec3(0, 1, 0));
  const TorsionalSpringSpec& torsion = model.mechanism.torsional_springs.at(0);
  EXPECT_EQ(torsion.joint, "pin");
  EXPECT_EQ(torsion.stiffness_Nm_rad, 4);
  EXPECT_DOUBLE_EQ(torsion.free_angle, pi / 6);
}

// Every shape with every key it has; reading a key that the table lists but the reader forgets would abort.
TEST(ModelFile, EveryShapeIsRead) {
  const ModelFile planar = parse_model(R"(freeplay: 1
space: planar
bodies:
  arm:
    mass: 1 kg
    inertia: 1 kg m^2
    shapes:
      a: {type: point, at: [1 mm, 2 mm]}
      b: {type: line, at: [0, 0], normal: [0, 2]}
      c: {type: circle, at: [0, 0], radius: 1 mm}
      d: {type: arc, at: [0, 0], radius: 1 mm, from: 0, to: 90 deg, side: inside}
      e: {type: polygon, vertices: [[0, 0], [1 m, 0], [0, 1 m]]}
      f: {type: ellipse, at: [0, 0], semi_axis_x: 2 mm, semi_axis_y: 1 mm, angle: 10 deg}
      g: {type: spline, points: [[0, 0], [1 m, 0], [0, 1 m]], closed: false}
      h: {type: cam, at: [1 mm, 0], base_radius: 5 mm, lift: 1 mm * (1 - cos(3*phi)), period: 120 deg, turn: 2/s * t}
      i: {type: edge, from: [1 m, 0], to: [0, 0], depth: 1 mm}
      j: {type: outline, points: [[0, 0], {at: [1 m, 0], radius: 1 mm}, {at: [0, 1 m], arc: 10 deg}]}
      k: {type: superellipse, semi_axis_x: 2 mm, semi_axis_y: 1 mm, exponent: 3}
      l: {type: parametric, x: 1 m*cos(s), y: 1 m*sin(s), to: 2*pi, closed: true}
      m: {type: involute, module: 2 mm, teeth: 20, thinning: 0.1 mm}
simulate: {duration: 1 s}
)",
                                       "model.yaml");
  ASSERT_EQ(planar.shapes.size(), planar_shape_names().size());
  EXPECT_EQ(std::get<LineShape>(planar.shapes[1].geometry).normal, Vec3(0, 1, 0));
  EXPECT_TRUE(std::get<ArcShape>(planar.shapes[3].geometry).hollow);
  EXPECT_FALSE(std::get<SplineShape>(planar.shapes[6].geometry).closed);
  EXPECT_EQ(std::get<EdgeShape>(planar.shapes[8].geometry).depth_m, 1e-3);
  EXPECT_EQ(std::get<OutlineShape>(planar.shapes[9].geometry).corners.at(1).radius_m, 1e-3);
  EXPECT_EQ(std::get<SuperellipseShape>(planar.shapes[10].geometry).exponent, 3);
  EXPECT_TRUE(std::get<ParametricShape>(planar.shapes[11].geometry).closed);
  EXPECT_EQ(std::get<InvoluteShape>(planar.shapes[12].geometry).thinning_m, 1e-4);
  const CamShape& cam = std::get<CamShape>(planar.shapes[7].geometry);
  const double angle = std::numbers::pi / 3, time = 0.5;
  EXPECT_NEAR(cam.lift_m->evaluate({&angle, 1}), 2e-3, 1e-15);
  EXPECT_EQ(cam.follower, Vec3::UnitY());
  EXPECT_EQ(planar.shapes[7].turn->angle.evaluate({&time, 1}), 1);
  EXPECT_EQ(planar.shapes[7].turn->about_m, Vec3(1e-3, 0, 0));

  const ModelFile spatial = parse_model(R"(freeplay: 1
space: spatial
bodies:
  arm:
    mass: 1 kg
    inertia: [[2 kg m^2, 0.1 kg m^2, 0], [0.1 kg m^2, 2 kg m^2, 0], [0, 0, 2 kg m^2]]
    shapes:
      a: {type: sphere, at: [0, 0, 1 mm], radius: 1 mm}
      b: {type: plane, at: [0, 0, 0], normal: [0, 0, 2]}
      c: {type: box, at: [0, 0, 0], size: [1 mm, 2 mm, 3 mm], rotation: [1, 0, 0, 0]}
      d: {type: cylinder, at: [0, 0, 0], radius: 1 mm, length: 2 mm, axis: [1, 0, 0]}
      e: {type: capsule, at: [0, 0, 0], radius: 1 mm, length: 2 mm, axis: [1, 0, 0]}
      f: {type: ellipsoid, at: [0, 0, 0], semi_axes: [1 mm, 2 mm, 3 mm], rotation: {axis: [1, 0, 0], angle: 1 deg}}
      g: {type: torus, radius: 3 mm, tube_radius: 1 mm, axis: [0, 1, 0]}
      h: {type: cone, at: [0, 0, 1 mm], radius: 2 mm, height: 4 mm}
      i: {type: paraboloid, radius: 2 mm, height: 4 mm, axis: [0, 0, -3]}
      j: {type: revolution, profile: {type: circle, at: [5 mm, 0], radius: 2 mm}}
      k: {type: parametric, x: 1 m*u, y: 1 m*v, z: 1 m*u*v^2, u_to: 1, v_from: -1, v_to: 1, thickness: 1 mm}
      l:
        type: patch
        points:
          - [[0, 0, 0], [1 m, 0, 0], [2 m, 0, 0], [3 m, 0, 0]]
          - [[0, 1 m, 0], [1 m, 1 m, 0], [2 m, 1 m, 0], [3 m, 1 m, 0]]
          - [[0, 2 m, 0], [1 m, 2 m, 1 m], [2 m, 2 m, 0], [3 m, 2 m, 0]]
          - [[0, 3 m, 0], [1 m, 3 m, 0], [2 m, 3 m, 0], [3 m, 3 m, 0]]
simulate: {duration: 1 s}
)",
                                        "model.yaml");
  ASSERT_EQ(spatial.shapes.size() + 1, spatial_shape_names().size());  // meshes: mesh_model_test.cpp
  EXPECT_EQ(std::get<BoxShape>(spatial.shapes[2].geometry).size_m, Vec3(1e-3, 2e-3, 3e-3));
  EXPECT_EQ(std::get<TorusShape>(spatial.shapes[6].geometry).axis, Vec3::UnitY());
  EXPECT_EQ(std::get<ConeShape>(spatial.shapes[7].geometry).height_m, 4e-3);
  EXPECT_EQ(std::get<ParaboloidShape>(spatial.shapes[8].geometry).axis, -Vec3::UnitZ());
  EXPECT_TRUE(std::get<RevolutionShape>(spatial.shapes[9].geometry).profile->is_loop());
  const auto& surface = std::get<ParametricSurfaceShape>(spatial.shapes[10].geometry);
  const double uv[2] = {2, 3};
  EXPECT_EQ(surface.z_m.evaluate(uv), 18);
  EXPECT_EQ(surface.v_from, -1);
  EXPECT_EQ(surface.thickness_m, 1e-3);
  EXPECT_EQ(std::get<SplinePatchShape>(spatial.shapes[11].geometry).points_m.at(2).at(1), Vec3(1, 2, 1));
  EXPECT_EQ(spatial.mechanism.bodies[0].inertia_kg_m2(0, 1), 0.1);
}

TEST(ModelFile, ASystemTakesTheParametersAsTheyAre) {
  const ModelFile model = parse_model(R"(freeplay: 1
system: double_pendulum
parameters: {l1: 1 m, l2: 2*l1}
simulate: {duration: 1 s}
record: [pendulum.angle_1]
)",
                                      "model.yaml");
  ASSERT_TRUE(model.system.has_value());
  EXPECT_EQ(model.system->name, "double_pendulum");
  EXPECT_EQ(model.system->parameters.at(1).value.value, 2);
}

TEST(ModelFile, OptionsOfContactProblemsHaveDefaultsAndUnits) {
  const SimulationOptions given =
      parse_model(kSmallModel, "model.yaml",
                  std::vector<std::string>{"simulate.solver_tolerance=0.1 um/s", "simulate.impact_threshold=0",
                                           "simulate.force_window=2 ms"})
          .simulate;
  EXPECT_DOUBLE_EQ(given.solver_tolerance_m_s, 1e-7);
  EXPECT_EQ(given.impact_threshold_m_s, 0);
  EXPECT_DOUBLE_EQ(given.force_window_s.value(), 2e-3);
  // What a file leaves out is what a C++ program gets that fills the struct by hand.
  const SimulationOptions left_out = parse_model(kSmallModel, "model.yaml").simulate, by_hand;
  EXPECT_EQ(left_out.solver_tolerance_m_s, by_hand.solver_tolerance_m_s);
  EXPECT_EQ(left_out.impact_threshold_m_s, by_hand.impact_threshold_m_s);
  EXPECT_FALSE(left_out.force_window_s.has_value());
}

TEST(ModelFile, RecordTakesEveryNthRow) {
  const ModelFile model = parse_model(kSmallModel + "record: {every: 10, channels: [arm.x]}\n", "model.yaml");
  EXPECT_EQ(model.record.every, 10);
  EXPECT_THAT(model.record.channels, ElementsAre("arm.x"));
}

// Readers copy from the guide: its complete models (those that start with the version) must load.
TEST(ModelFile, EveryCompleteExampleOfTheGuideLoads) {
  std::ifstream file(test_dir() + "/../docs/guide/model_file.md");
  const std::string guide{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string begin = "```yaml\n";
  int loaded = 0;
  for (std::size_t at = guide.find(begin); at != std::string::npos; at = guide.find(begin, at + 1)) {
    const std::size_t first = at + begin.size();
    const std::string text = guide.substr(first, guide.find("```", first) - first);
    if (!text.starts_with("freeplay: 1")) continue;
    EXPECT_NO_THROW(parse_model(text, "guide.yaml")) << text;
    ++loaded;
  }
  EXPECT_GE(loaded, 4);
}

TEST(ModelFile, OfThousandsOfErrorsTwentyArePlacedAndTheRestIsCounted) {
  const ModelFile model = parse_model(kSmallModel, "model.yaml");
  const auto located = [&](std::size_t count) {
    return model.located(ModelError(std::vector<Diagnostic>(count, {{}, "bodies.arm.mass", "is wrong", "", {}})))
        .diagnostics();
  };
  EXPECT_EQ(located(20).size(), 20u);
  const std::vector<Diagnostic> all = located(3000);
  ASSERT_EQ(all.size(), 21u);
  EXPECT_EQ(all[19].mark.line, 8);
  EXPECT_EQ(all[20].message, "and 2980 more");
  EXPECT_EQ(all[20].mark.line, 8);
}

TEST(ModelFile, AnErrorWithAPathFindsItsPlace) {
  const ModelFile model = parse_model(kSmallModel, "model.yaml");
  const ModelError located = model.located(ModelError({{{}, "joints.pin.child", "is loose", "tighten it", ""},
                                                       {{}, "joints.pin.axis", "is bent", "", ""},
                                                       {{}, "joints.pin.at_child[0]", "is far", "", ""},
                                                       {{}, "nothing.of.this", "is odd", "", ""},
                                                       {{"other.yaml", 3, 4}, "x", "has a place", "", "kept"}}));
  const std::vector<Diagnostic>& diagnostics = located.diagnostics();
  const auto place = [&](std::size_t i) { return std::pair(diagnostics[i].mark.line, diagnostics[i].mark.column); };
  EXPECT_EQ(diagnostics[0].mark.file, "model.yaml");
  EXPECT_EQ(place(0), std::pair(10, 48));  // the word `arm`
  EXPECT_EQ(diagnostics[0].excerpt, "  pin: {type: revolute, parent: ground, child: arm, at_child: [-half, 0]}");
  EXPECT_EQ(place(1), std::pair(10, 3));   // no such key: the joint
  EXPECT_EQ(place(2), std::pair(10, 64));  // an item of a list
  EXPECT_EQ(place(3), std::pair(1, 1));
  EXPECT_EQ(diagnostics[4].mark.file, "other.yaml");
  EXPECT_EQ(diagnostics[4].excerpt, "kept");
}

// A call has its bracket and a channel its dot, so a body may be called as a function is.
TEST(ModelFile, NamesOfFunctionsMayBeNamesOfBodies) {
  const ModelFile file = parse_model(
      "freeplay: 1\nspace: planar\nbodies: {floor: {mass: floor(2.5)*1 kg, inertia: 1 kg m^2}}\n"
      "record: [floor.x]\nsimulate: {integrator: dopri5, duration: 1 s}\n",
      "floor.yaml");
  EXPECT_EQ(file.mechanism.bodies.at(0).name, "floor");
  EXPECT_EQ(file.mechanism.bodies.at(0).mass_kg, 2);
  EXPECT_TRUE(run_obstacles(file).empty());
}

}  // namespace
}  // namespace freeplay::test
