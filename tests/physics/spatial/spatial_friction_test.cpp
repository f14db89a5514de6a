// Coulomb friction in space against closed forms: both tangents, any direction.
#include <cmath>
#include <numbers>

#include "physics/model_run.h"

namespace freeplay::test::spatial_friction_test {
namespace {

constexpr double kGravity = 9.81, kDegree = std::numbers::pi / 180;

ModelRun run_text(const std::string& text) {
  return run_model(parse_model(text, "friction.yaml", {}));
}

// ---- rolling_ball: slides with -mu g until v = omega R; 5/7 of the velocity are left. ------------------------------

TEST(RollingBall, KeepsFiveSeventhsOfItsVelocityInAnyDirection) {
  for (const double side : {0.0, 1.0, -3.5}) {
    const ModelRun run = run_example("rolling_ball", {fmt::format("side={} m/s", side), "duration=1.2 s"});
    EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
    const double R = 0.03;
    EXPECT_NEAR(run["ball.vx"].back(), 5. / 7 * 2, 1e-12);
    EXPECT_NEAR(run["ball.vy"].back(), 5. / 7 * side, 1e-12);
    EXPECT_NEAR(run["ball.vx"].back(), run["ball.omega_y"].back() * R, 1e-9);  // body axes have turned about y only
    EXPECT_LT(run.summary.max_penetration_m, 1e-12);
  }
}

TEST(RollingBall, SlidesWithTheDecelerationOfCoulombUntilItRolls) {
  const double v0 = 2, mu = 0.2, rolls_from = 2 * v0 / (7 * mu * kGravity), step = 5e-4;
  const ModelRun run = run_example("rolling_ball");
  Worst velocity;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run.time()[i];
    if (t <= rolls_from) velocity(run["ball.vx"][i] - (v0 - mu * kGravity * t));
    if (i > 0 && std::abs(t - rolls_from) > step) {
      EXPECT_EQ(run["cloth.mode"][i], t < rolls_from ? 1 : 2) << t;
    }
  }
  EXPECT_LT(velocity.value, 1e-12);
  // 2/7 of the energy goes into friction.
  EXPECT_NEAR(run.summary.account.friction_loss, 0.2 * v0 * v0 / 2 * 2 / 7, 1e-10);
}

// ---- a block on an incline, in a general direction -----------------------------------------------------------------

// The incline is the plane z = 0; gravity leans towards (cos(way), sin(way)).
std::string block(double tilt_deg, double way_deg, double mu, double vx, double vy) {
  return fmt::format(R"(freeplay: 1
space: spatial
parameters: {{tilt: {} deg, way: {} deg}}
gravity: [9.81 m/s^2*sin(tilt)*cos(way), 9.81 m/s^2*sin(tilt)*sin(way), -9.81 m/s^2*cos(tilt)]
bodies:
  block:
    mass: 2 kg
    inertia: [0.01 kg m^2, 0.01 kg m^2, 0.012 kg m^2]
    initial: {{z: 1 mm, vx: {} m/s, vy: {} m/s}}
    shapes: {{skin: {{type: box, size: [200 mm, 200 mm, 2 mm]}}}}
ground: {{shapes: {{incline: {{type: plane, normal: [0, 0, 1]}}}}}}
contacts: {{slide: {{between: [block.skin, ground.incline], impact: newton, restitution: 0, friction: {}}}}}
simulate: {{integrator: moreau-midpoint, activation: anticipated, step: 0.5 ms, duration: 0.5 s}}
)",
                     tilt_deg, way_deg, vx, vy, mu);
}

TEST(BlockOnAnIncline, SlidesAlongTheSteepestWayOrSticks) {
  for (const double way : {0.0, 37.0, 155.0, 290.0}) {
    const Vec2 down(std::cos(way * kDegree), std::sin(way * kDegree));
    const double tilt = 25, steep = std::tan(tilt * kDegree);
    const ModelRun slides = run_text(block(tilt, way, 0.8 * steep, 0, 0));
    const double a = 0.2 * kGravity * std::sin(tilt * kDegree);
    EXPECT_NEAR(slides["block.vx"].back(), a * 0.5 * down.x(), 1e-9) << way;
    EXPECT_NEAR(slides["block.vy"].back(), a * 0.5 * down.y(), 1e-9) << way;
    const ModelRun sticks = run_text(block(tilt, way, 1.01 * steep, 0, 0));
    EXPECT_NEAR(sticks["block.x"].back(), 0, 1e-12) << way;
    EXPECT_NEAR(sticks["block.y"].back(), 0, 1e-12) << way;
  }
}

// Across the slope with mu = tan(tilt): the friction takes as much speed as gravity gives down the slope, so that
// |v| + v_down stays what it was, and all of it ends up down the slope: v -> v0/2.
TEST(BlockOnAnIncline, ThrownAcrossItKeepsTheSumOfSpeedAndDownwardSpeed) {
  const double way = 37, tilt = 25, v0 = 0.6;
  const Vec2 down(std::cos(way * kDegree), std::sin(way * kDegree)), across(-down.y(), down.x());
  const ModelRun run = run_text(block(tilt, way, std::tan(tilt * kDegree), v0 * across.x(), v0 * across.y()));
  Worst sum;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const Vec2 v(run["block.vx"][i], run["block.vy"][i]);
    sum(v.norm() + v.dot(down) - v0);
  }
  EXPECT_LT(sum.value, 2e-3 * v0);  // first order in the step
  EXPECT_NEAR(Vec2(run["block.vx"].back(), run["block.vy"].back()).dot(down), v0 / 2, 0.01 * v0);
}

// ---- box_stack ------------------------------------------------------------------------------------------------------

TEST(BoxStack, TipsBeyondTheAngleAtWhichItsWeightPassesTheEdge) {
  // Half the width against the height of the centre of mass of all three: atan(a/(3 b)).
  const double limit = std::atan(0.1 / (3 * 0.06)) / kDegree;
  const ModelRun stands = run_example("box_stack", {fmt::format("tilt={} deg", limit - 0.2)});
  EXPECT_EQ(stands.summary.status, RunStatus::kCompleted);
  EXPECT_NEAR(stands["high.x"].back(), 0, 1e-9);
  EXPECT_NEAR(stands["high.z"].back(), 0.15, 1e-9);
  const ModelRun tips = run_example("box_stack", {fmt::format("tilt={} deg", limit + 0.2)});
  EXPECT_EQ(tips.summary.status, RunStatus::kCompleted);
  EXPECT_GT(tips["high.x"].back(), 1e-3);
}

TEST(BoxStack, SlidesBeforeItTipsWhereFrictionIsLow) {
  const double tilt = 20, mu = 0.3, a = kGravity * (std::sin(tilt * kDegree) - mu * std::cos(tilt * kDegree));
  const ModelRun run = run_example("box_stack", {fmt::format("tilt={} deg", tilt), fmt::format("friction={}", mu)});
  for (const char* body : {"low", "middle", "high"})
    EXPECT_NEAR(run[std::string(body) + ".x"].back(), a / 2, 2e-3 * a) << body;
}

// ---- a disc that spins on its rim
// ------------------------------------------------------------------------------------

// All points of contact are on the rim: the moment is mu m g R however the weight is shared, omega' = -2 mu g/R.
TEST(SpinningDisc, IsBrakedByTheMomentOfItsRim) {
  const double mu = 0.15, R = 0.05, omega0 = 40;
  const ModelRun run = run_text(fmt::format(R"(freeplay: 1
space: spatial
gravity: [0, 0, -9.81 m/s^2]
parameters: {{m1: 0.3 kg, R: {} m, h: 10 mm}}
bodies:
  disc:
    mass: m1
    inertia: [m1*(3*R^2 + h^2)/12, m1*(3*R^2 + h^2)/12, m1*R^2/2]
    initial: {{z: h/2, omega_z: {} rad/s}}
    shapes: {{skin: {{type: cylinder, radius: R, length: h}}}}
ground: {{shapes: {{table: {{type: plane, normal: [0, 0, 1]}}}}}}
contacts: {{face: {{between: [disc.skin, ground.table], impact: newton, restitution: 0, friction: {}}}}}
simulate: {{integrator: moreau-midpoint, activation: anticipated, step: 0.1 ms, duration: 0.8 s}}
)",
                                            R, omega0, mu));
  const double stops = omega0 * R / (2 * mu * kGravity);
  ASSERT_LT(stops, 0.8);
  Worst omega;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const double t = run.time()[i];
    omega(run["disc.omega_z"][i] - std::max(0.0, omega0 - 2 * mu * kGravity / R * t));
  }
  EXPECT_LT(omega.value, 1e-3 * omega0);
  EXPECT_NEAR(run["disc.omega_z"].back(), 0, 1e-9);
  EXPECT_NEAR(run["disc.x"].back(), 0, 1e-6);
}

// ---- tippe_top
// -------------------------------------------------------------------------------------------------------

// Jellett's integral, L . (from the centre of mass to the contact point): friction has no moment along that arm but
// what the arm itself takes out of it. It holds for every law of friction at one point.
double jellett(const ModelRun& run, std::size_t row) {
  const double R = 0.015, offset = 0.003;
  const Vec3 inertia(8e-7, 8e-7, 7e-7);
  const Mat3 A = run.rotation("top", row);
  const Vec3 L = A * inertia.cwiseProduct(run.vector("top.omega", row));
  const Vec3 arm = offset * A.col(2) - R * Vec3::UnitZ();
  return L.dot(arm);
}

double time_of_rising_above(const ModelRun& run, double height) {
  for (std::size_t i = 0; i < run.rows(); ++i) {
    if (run["top.z"][i] > height) return run.time()[i];
  }
  return 0;
}

double drift_of_jellett(const ModelRun& run) {
  Worst drift;
  for (std::size_t i = 0; i < run.rows(); ++i) drift(jellett(run, i) / jellett(run, 0) - 1);
  return drift.value;
}

TEST(TippeTop, TurnsOver) {
  const ModelRun run = run_example("tippe_top");
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted);
  EXPECT_LT(run["top.z"].front(), 0.0121);
  EXPECT_GT(run["top.z"].back(), 0.017);  // the centre of mass has risen above that of the sphere
  EXPECT_LT(largest(run["energy.drift"]), 1e-5 * run["energy.total"].front());
}

TEST(TippeTop, KeepsJellettsIntegralToFirstOrderInTheStep) {
  const double coarse = drift_of_jellett(run_example("tippe_top"));
  const double fine = drift_of_jellett(run_example("tippe_top", {"simulate.step=0.05 ms", "record.every=20"}));
  EXPECT_LT(coarse, 3e-3);
  EXPECT_NEAR(fine / coarse, 0.5, 0.03);
}

// That it turns over, and when, is no matter of the step.
TEST(TippeTop, RisesAtTheSameTimeForAShorterStep) {
  const double coarse = time_of_rising_above(run_example("tippe_top", {"duration=1 s"}), 0.015);
  const double fine = time_of_rising_above(
      run_example("tippe_top", {"duration=1 s", "simulate.step=0.05 ms", "record.every=20"}), 0.015);
  EXPECT_NEAR(coarse, 0.751, 2e-3);
  EXPECT_NEAR(coarse, fine, 1.01e-3);  // rows are 1 ms apart
}

// ---- the same contact by a force law
// ----------------------------------------------------------------------------------

// A sphere on a plane has Hertz' stiffness of its own radius, and its restitution is that of the law, as in the plane.
TEST(SphereOnAPlane, BouncesByAForceLawAsADiscDoes) {
  const auto model = [](const char* head, const char* inertia, const char* place, const char* shape,
                        const char* floor) {
    return fmt::format(R"(freeplay: 1
{}
bodies:
  ball: {{mass: 1 kg, inertia: {}, initial: {{{}}}, shapes: {{skin: {{type: {}, radius: 100 mm}}}}}}
ground: {{shapes: {{table: {}}}}}
contacts:
  bounce: {{between: [ball.skin, ground.table], restitution: 0.7, friction: 0.3,
            force: {{law: lankarani-nikravesh, young: 207e9 Pa, poisson: 0.3}}}}
simulate: {{integrator: dopri5, tolerance: 1e-11, duration: 0.5 s, step: 10 ms}}
)",
                       head, inertia, place, shape, floor);
  };
  const ModelRun solid =
      run_text(model("space: spatial\ngravity: [0, 0, -9.81 m/s^2]", "[4e-3 kg m^2, 4e-3 kg m^2, 4e-3 kg m^2]",
                     "z: 0.3 m, vy: 0.8 m/s, vx: 0.6 m/s", "sphere", "{type: plane, normal: [0, 0, 1]}"));
  const ModelRun disc = run_text(model("space: planar\ngravity: [0, -9.81 m/s^2]", "4e-3 kg m^2", "y: 0.3 m, vx: 1 m/s",
                                       "circle", "{type: line, normal: [0, 1]}"));
  EXPECT_NEAR(solid["ball.z"].back(), disc["ball.y"].back(), 1e-7);
  EXPECT_NEAR(solid["ball.vx"].back(), 0.6 * disc["ball.vx"].back(), 1e-6);
  EXPECT_NEAR(solid["ball.vy"].back(), 0.8 * disc["ball.vx"].back(), 1e-6);
  EXPECT_NEAR(solid.summary.account.friction_loss, disc.summary.account.friction_loss, 1e-6);
  EXPECT_GT(disc.summary.account.friction_loss, 0.01);
}

}  // namespace
}  // namespace freeplay::test::spatial_friction_test
