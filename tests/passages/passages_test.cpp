// Parts that would fly through each other within one step: integrators that choose their steps shorten them before
// parts of any shape arrive, and rules with fixed steps take such a step in pieces.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "physics/model_run.h"

namespace freeplay::test::passages_test {
namespace {

namespace fs = std::filesystem;

// A box as a mesh, half its edges in mm.
std::string box_obj(double x, double y, double z) {
  std::string text;
  for (int i = 0; i < 8; ++i) text += fmt::format("v {} {} {}\n", i & 4 ? x : -x, i & 2 ? y : -y, i & 1 ? z : -z);
  return text + "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
}

// Runs a model that may name the meshes plate.obj (upright, 2 mm thick), floor.obj (lying, 20 mm) and cube.obj (20 mm).
class Passages : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              fmt::format("passages_{}", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    std::ofstream(folder_ / "plate.obj") << box_obj(1, 500, 500);
    std::ofstream(folder_ / "floor.obj") << box_obj(100, 100, 10);
    std::ofstream(folder_ / "cube.obj") << box_obj(10, 10, 10);
  }
  void TearDown() override { fs::remove_all(folder_); }

  ModelRun run(const std::string& model) {
    std::ofstream(folder_ / "model.yaml") << "freeplay: 1\n" + model;
    return run_model(load_model(folder_ / "model.yaml"));
  }

 private:
  fs::path folder_;
};

const std::vector<std::string> kShapes = {
    "{type: sphere, radius: 10 mm}",
    "{type: ellipsoid, semi_axes: [20 mm, 15 mm, 10 mm]}",
    "{type: torus, radius: 20 mm, tube_radius: 5 mm}",
    "{type: cone, radius: 10 mm, height: 20 mm}",
    "{type: paraboloid, radius: 10 mm, height: 20 mm}",
    "{type: revolution, profile: {type: ellipse, semi_axis_x: 4 mm, semi_axis_y: 3 mm, at: [20 mm, 0]}}",
    "{type: parametric, x: \"(20 mm + 5 mm*cos(v))*cos(u)\", y: \"(20 mm + 5 mm*cos(v))*sin(u)\", z: \"5 mm*sin(v)\", "
    "u_from: 0, u_to: 2*pi, v_from: 0, v_to: 2*pi, closed_u: true, closed_v: true}",
    "{type: capsule, radius: 5 mm, length: 20 mm}",
    "{type: cylinder, radius: 10 mm, length: 20 mm}",
    "{type: box, size: [20 mm, 20 mm, 20 mm]}",
    "{type: mesh, file: cube.obj, unit: mm}"};

std::string dropped(const std::string& shape, const std::string& floor, const std::string& integrator,
                    const std::string& tilt = "10 deg") {
  return "space: spatial\ngravity: [0, 0, -9.81 m/s^2]\nbodies: {part: {mass: 0.5 kg, inertia: [1.2e-4 kg m^2, 1.2e-4 "
         "kg m^2, 1.3e-4 kg m^2], initial: {z: 1 m, rotation: {axis: [1, 0.3, 0], angle: " +
         tilt + "}}, shapes: {skin: " + shape + "}}}\nground: {shapes: {floor: " + floor +
         "}}\ncontacts: {hit: {between: [part.skin, ground.floor], force: {law: hunt-crossley, stiffness: 1e9 "
         "N/m^1.5}, "
         "restitution: 0.5}}\nrecord: [part.z, part.vz]\nsimulate: {duration: 0.5 s, integrator: " +
         integrator + "}\n";
}

const std::string kMeshFloor = "{type: mesh, file: floor.obj, unit: mm, at: [0, 0, -10 mm]}",
                  kBoxFloor = "{type: box, size: [200 mm, 200 mm, 20 mm], at: [0, 0, -10 mm]}";

class FallingParts : public Passages {
 protected:
  // From 1 m the floor is reached after 0.45 s, with 4.4 m/s.
  void expect_bounce(const std::string& shape, const std::string& floor, const std::string& integrator,
                     const std::string& tilt = "10 deg") {
    SCOPED_TRACE(integrator + " " + floor + " " + shape);
    const ModelRun bounce = run(dropped(shape, floor, integrator, tilt));
    ASSERT_EQ(bounce.summary.status, RunStatus::kCompleted) << bounce.summary.message;
    EXPECT_GE(bounce.summary.contacts_begun, 1);
    const std::vector<double>&z = bounce["part.z"], &vz = bounce["part.vz"];
    EXPECT_GT(*std::min_element(z.begin(), z.end()), -1e-3);
    EXPECT_GT(*std::max_element(vz.begin(), vz.end()), 0);
  }
};

TEST_F(FallingParts, OfAnyShapeBounceFromAMesh) {
  for (const std::string& shape : kShapes) expect_bounce(shape, kMeshFloor, "dopri5");
}

TEST_F(FallingParts, OfAnyShapeBounceFromABox) {
  for (const std::string& shape : kShapes) expect_bounce(shape, kBoxFloor, "dopri5");
}

TEST_F(FallingParts, BounceUnderCvode) {
  for (const std::string& shape : {kShapes[0], kShapes[1]}) {
    for (const std::string& floor : {kMeshFloor, kBoxFloor}) expect_bounce(shape, floor, "cvode-bdf", "0");
  }
}

std::string shot(const std::string& shape, const std::string& wall, const std::string& start,
                 const std::string& simulate) {
  return "space: spatial\nbodies: {b: {mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2], initial: {" + start +
         ", vx: 100 m/s}, shapes: {s: " + shape + "}}}\nground: {shapes: {wall: " + wall +
         "}}\ncontacts: {c: {between: [b.s, ground.wall], impact: newton, restitution: 0.5}}\n"
         "record: [b.x, b.vx]\nsimulate: {duration: 20 ms, integrator: " +
         simulate + "}\n";
}

struct ThinWall {
  std::string shape, wall;
  bool is_head_on = false;  // the normal is the direction of flight, wherever within each other the two are found
};
const std::vector<ThinWall> kThin = {
    {"{type: sphere, radius: 5 mm}", "{type: mesh, file: plate.obj, unit: mm}", true},
    {"{type: sphere, radius: 5 mm}", "{type: box, size: [2 mm, 1 m, 1 m]}", true},
    {"{type: sphere, radius: 5 mm}", "{type: ellipsoid, semi_axes: [1 mm, 0.5 m, 0.5 m]}", true},
    {"{type: mesh, file: cube.obj, unit: mm}", "{type: mesh, file: plate.obj, unit: mm}"},
    {"{type: ellipsoid, semi_axes: [6 mm, 5 mm, 4 mm]}", "{type: mesh, file: plate.obj, unit: mm}"},
    {"{type: torus, radius: 10 mm, tube_radius: 5 mm, axis: [1, 0, 0]}",
     "{type: ellipsoid, semi_axes: [1 mm, 0.5 m, 0.5 m]}"},
    {"{type: torus, radius: 10 mm, tube_radius: 5 mm, axis: [1, 0, 0]}", "{type: box, size: [2 mm, 1 m, 1 m]}"},
    {"{type: cone, radius: 10 mm, height: 20 mm, axis: [-1, 0, 0]}",
     "{type: torus, radius: 15 mm, tube_radius: 10 mm, axis: [1, 0, 0]}"}};

// Half a metre in a step of 5 ms, through walls of some millimetres, however the wall lies in the step.
TEST_F(Passages, OfFixedStepsAreTakenInPieces) {
  for (const std::string rule : {"moreau-midpoint", "moreau-jean", "moreau-midpoint, activation: anticipated"}) {
    for (const ThinWall& thin : kThin) {
      for (const std::string start : {"x: -0.52 m", "x: -0.53 m", "x: -0.7 m"}) {
        SCOPED_TRACE(rule + " " + thin.shape + " " + thin.wall + " " + start);
        const ModelRun thrown = run(shot(thin.shape, thin.wall, start, rule + ", step: 5 ms"));
        EXPECT_LT(thrown["b.vx"].back(), 99.9) << "it is struck";
        if (thin.is_head_on) {
          EXPECT_NEAR(thrown["b.vx"].back(), -50, 1e-3);
          EXPECT_GE(thrown.summary.divided_steps, 1);
        }
        ASSERT_FALSE(thrown.summary.warnings.empty());
        EXPECT_NE(thrown.summary.warnings.front().find("would have flown through each other"), std::string::npos);
        ASSERT_EQ(thrown.rows(), 5u) << "the pieces are no rows";
        for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(thrown.time()[k], 5e-3 * static_cast<double>(k));
      }
    }
  }
}

// The last step before and the first one behind the wall have their middles as far from it: their gaps are the same.
TEST_F(Passages, ThroughTheMiddleBetweenTwoMiddlesAreSeen) {
  for (const std::string rule : {"moreau-midpoint", "moreau-jean"}) {
    const ModelRun thrown = run(
        "space: planar\nbodies: {b: {mass: 1 kg, inertia: 1 kg m^2, initial: {x: -0.52 m, vx: 100 m/s}, shapes: {s: "
        "{type: circle, radius: 5 mm}}}}\nground: {shapes: {wall: {type: circle, radius: 1 mm}}}\n"
        "contacts: {c: {between: [b.s, ground.wall], impact: newton, restitution: 0.5}}\n"
        "simulate: {duration: 20 ms, step: 5 ms, integrator: " +
        rule + "}\n");
    EXPECT_NEAR(thrown["b.vx"].back(), -50, 1e-9) << rule;
  }
}

TEST_F(Passages, BesideAWallAreNone) {
  const std::string wall = "{type: torus, radius: 15 mm, tube_radius: 10 mm, axis: [1, 0, 0]}";
  for (const auto& [y, passes] : {std::pair{"31 mm", true}, {"29 mm", false}, {"0 mm", true}}) {
    const ModelRun thrown = run(shot("{type: ellipsoid, semi_axes: [4 mm, 4.5 mm, 4 mm]}", wall,
                                     fmt::format("x: -0.52 m, y: {}", y), "moreau-midpoint, step: 5 ms"));
    EXPECT_EQ(thrown.summary.warnings.empty(), passes) << y;
    EXPECT_EQ(thrown["b.vx"].back() == 100, passes) << y;
  }
}

// More than 16 pairs: those are looked at that come fast enough.
TEST_F(Passages, AmongManyPairsAreTakenInPieces) {
  std::string walls, contacts;
  for (int k = 0; k < 20; ++k) {
    walls += fmt::format(
        "    w{}: {{type: torus, radius: 15 mm, tube_radius: 10 mm, axis: [1, 0, 0], at: [{} m, 15 mm, "
        "0]}}\n",
        k, 10 * k);
    contacts += fmt::format("  c{}: {{between: [b.s, ground.w{}], impact: newton, restitution: 0.5}}\n", k, k);
  }
  const ModelRun thrown = run(
      "space: spatial\nbodies: {b: {mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2], initial: {x: -0.52 m, vx: 100 "
      "m/s}, shapes: {s: {type: ellipsoid, semi_axes: [4 mm, 4.5 mm, 4 mm]}}}}\nground:\n  shapes:\n" +
      walls + "contacts:\n" + contacts + "simulate: {duration: 20 ms, step: 5 ms, integrator: moreau-midpoint}\n");
  EXPECT_GE(thrown.summary.divided_steps, 1);
  EXPECT_LT(thrown["b.vx"].back(), 0);
}

}  // namespace
}  // namespace freeplay::test::passages_test
