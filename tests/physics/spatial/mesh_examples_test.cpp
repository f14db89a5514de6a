// Meshes in motion: a ball on the mesh of a ball, a peg that rattles in a hole, a bolt that falls.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::mesh_examples_test {
namespace {

namespace fs = std::filesystem;

// The mesh of a ball with its corners on the radius 1: `bands` from pole to pole and twice as many around.
std::string ball_obj(int bands) {
  const int sides = 2 * bands;
  std::string text = "v 0 0 -1\nv 0 0 1\n";
  const auto at = [&](int band, int side) {  // numbers of OBJ files begin at 1
    return band == 0 ? 1 : band == bands ? 2 : 3 + (band - 1) * sides + side % sides;
  };
  for (int band = 1; band < bands; ++band) {
    const double down = std::numbers::pi * band / bands;
    for (int side = 0; side < sides; ++side) {
      const double around = 2 * std::numbers::pi * side / sides;
      text += fmt::format("v {} {} {}\n", std::sin(down) * std::cos(around), std::sin(down) * std::sin(around),
                          -std::cos(down));
    }
  }
  for (int band = 0; band < bands; ++band) {
    for (int side = 0; side < sides; ++side) {
      if (band > 0) text += fmt::format("f {} {} {}\n", at(band, side), at(band, side + 1), at(band + 1, side));
      if (band < bands - 1)
        text += fmt::format("f {} {} {}\n", at(band, side + 1), at(band + 1, side + 1), at(band + 1, side));
    }
  }
  return text;
}

// A small ball that slides over a large one without friction, around its equator: the large one as a mesh, or as a
// sphere.
class BallOnABall : public testing::Test {
 protected:
  BallOnABall() {
    folder_ = fs::path(testing::TempDir()) / "freeplay_ball_on_a_ball";
    fs::create_directories(folder_);
  }
  ~BallOnABall() override { fs::remove_all(folder_); }

  ModelRun run(const std::string& shape) const {
    const fs::path file = folder_ / "model.yaml";
    std::ofstream(file) << "freeplay: 1\nspace: spatial\ngravity: [-9.81 m/s^2, 0, 0]\n"
                           "bodies: {ball: {mass: 1 kg, inertia: from-shape, initial: {x: 1.1 m, vy: 0.6 m/s}, "
                           "shapes: {skin: {type: sphere, radius: 0.1 m}}}}\n"
                           "ground: {shapes: {dome: "
                        << shape
                        << "}}\n"
                           "contacts: {slide: {between: [ball.skin, ground.dome], impact: newton, restitution: 0}}\n"
                           "simulate: {integrator: moreau-midpoint, activation: anticipated, step: 0.1 ms, duration: "
                           "0.3 s}\n";
    return run_model(load_model(file));
  }

  fs::path folder_;
};

// Faces of edges h = pi/71 with their corners on the sphere lie below it by up to h^2/4, 0.49 mm. The surface on which
// the centre of the small ball moves is smooth, so energy is kept: the speed errs by no more than g h^2/4 / v, 8 mm/s,
// and the place after 0.3 s, with a speed that grows from 0.6 to 0.87 m/s, by 8 mm/s 0.3 s 0.87/0.6 = 3.5 mm.
TEST_F(BallOnABall, AsAMeshOfTwentyThousandTrianglesLeadsABallAsTheSphereDoes) {
  std::ofstream(folder_ / "dome.obj") << ball_obj(71);
  const ModelRun mesh = run("{type: mesh, file: dome.obj, unit: m}"), sphere = run("{type: sphere, radius: 1 m}");
  ASSERT_EQ(mesh.rows(), sphere.rows());
  const double below = std::pow(std::numbers::pi / 71, 2) / 4;
  Worst beside;
  for (std::size_t i = 0; i < mesh.rows(); ++i) {
    const auto at = [&](const ModelRun& of) { return Vec3(of["ball.x"][i], of["ball.y"][i], of["ball.z"][i]); };
    ASSERT_LE(at(mesh).norm(), 1.1 + 1e-6) << i;
    ASSERT_GE(at(mesh).norm(), 1.1 - below - 1e-6) << i;
    beside((at(mesh) - at(sphere)).norm());
  }
  EXPECT_GT(sphere["ball.y"].back(), 0.19);  // five faces further
  EXPECT_LT(beside.value, 3.5e-3);
  EXPECT_LT(mesh.summary.max_penetration_m, 1e-6);
}

// A ring falls flat onto a plate that is a mesh with its top at z = 10 mm: it rests with its axis 5 mm above, as the
// tube is thick, and what is left of its energy is m g z.
TEST(RingOnAMesh, FallsFlatAndRestsOnItsTube) {
  const fs::path folder = fs::path(testing::TempDir()) / "freeplay_ring_on_a_mesh";
  fs::create_directories(folder);
  std::ofstream obj(folder / "plate.obj");
  for (int i = 0; i < 8; ++i) {
    const auto side = [&](int bit) { return (i & bit) != 0 ? 1 : -1; };
    obj << fmt::format("v {} {} {}\n", 0.05 * side(1), 0.05 * side(2), 0.01 * side(4));
  }
  obj << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
  obj.close();
  std::ofstream(folder / "model.yaml")
      << "freeplay: 1\nspace: spatial\ngravity: [0, 0, -9.81 m/s^2]\n"
         "bodies: {ring: {mass: 0.1 kg, inertia: [1e-5 kg m^2, 1e-5 kg m^2, 2e-5 kg m^2], initial: {z: 25 mm}, "
         "shapes: {skin: {type: torus, radius: 20 mm, tube_radius: 5 mm}}}}\n"
         "ground: {shapes: {plate: {type: mesh, file: plate.obj, unit: m}}}\n"
         "contacts: {rest: {between: [ring.skin, ground.plate], impact: newton, restitution: 0.2, friction: 0.3}}\n"
         "simulate: {integrator: moreau-midpoint, activation: anticipated, velocity_forces: implicit, step: 50 us, "
         "duration: 0.1 s}\n"
         "record: [ring.z, energy.total]\n";
  const ModelRun run = run_model(load_model(folder / "model.yaml"));
  fs::remove_all(folder);
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_LT(run.summary.max_penetration_m, 1e-9);
  EXPECT_NEAR(run["ring.z"].back(), 15e-3, 1e-9);
  EXPECT_NEAR(run["energy.total"].back(), 0.1 * 9.81 * 15e-3, 1e-9);
}

TEST(PegInHole, RattlesInItsPlayWithoutPenetration) {
  const ModelRun run =
      run_example("peg_in_hole", {"duration=40 ms", "frequency=40 Hz"}, {"peg.x", "peg.y", "plate.x", "peg.z"});
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_LT(run.summary.max_penetration_m, 1e-6);
  EXPECT_GT(run.summary.impacts, 10);
  // Corners of the peg on 10 mm, faces of the hole at 10.1 mm: the play is between 0.1 mm and that with the faces of
  // both parts opposite to each other, where the peg has 10 mm cos(pi/32), and where it is between two corners of the
  // hole, at 10.1 mm/cos(pi/32).
  const double c = std::cos(std::numbers::pi / 32), widest = 10.1e-3 / c - 10e-3 * c;
  double left = 0, right = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double play = std::hypot(run["peg.x"][i] - run["plate.x"][i], run["peg.y"][i]);
    ASSERT_LE(play, widest + 1e-6);
    left = std::min(left, run["peg.x"][i] - run["plate.x"][i]);
    right = std::max(right, run["peg.x"][i] - run["plate.x"][i]);
    ASSERT_NEAR(run["peg.z"][i], 20e-3, 0.2e-3);
  }
  EXPECT_GT(right, 0.099e-3);
  EXPECT_LT(left, -0.099e-3);
}

// At rest a bolt lies on a face of its head, at the edge towards the shank, and on a corner of the shank's tip: 6.5 mm
// and 4 mm from its axis, 30 mm apart. Its centre of mass is that of two prisms, of 24 and of 6 sides.
TEST(BoltOnPlate, ComesToRestOnItsHeadAndTheTipOfItsShank) {
  const ModelRun run = run_example("bolt_on_plate");
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_LT(run.summary.max_penetration_m, 1e-6);
  EXPECT_LT(run["energy.kinetic"].back(), 1e-20);
  const double shank = 30e-3 * 12 * std::pow(4e-3, 2) * std::sin(std::numbers::pi / 12),
               head = 5.3e-3 * 2 * std::sqrt(3) * std::pow(6.5e-3, 2),
               centre = (shank * 15e-3 + head * 32.65e-3) / (shank + head), slope = 2.5 / 30;
  EXPECT_NEAR(run["bolt.z"].back(), (4e-3 + centre * slope) / std::hypot(1, slope), 1e-9);
  EXPECT_NEAR(load_example("bolt_on_plate").mechanism.bodies[0].mass_kg, 7850 * (shank + head), 1e-8);
}

TEST(BoltOnPlate, LosesWhatItHadInImpactsAndFriction) {
  const ModelRun run = run_example("bolt_on_plate");
  const double first = run["energy.total"].front();
  for (const double energy : run["energy.total"]) ASSERT_LE(energy, first * (1 + 1e-3));
}

}  // namespace
}  // namespace freeplay::test::mesh_examples_test
