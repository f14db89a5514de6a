// Surfaces that run along themselves: which way they run, which rows they enter, and how fast they speed up.
#include "freeplay/contact/play/belts.h"

#include <gtest/gtest.h>

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::test::belts_test {
namespace {

Expression of_time(const std::string& text) {
  SymbolScope scope;
  scope.lookup = [&](std::string_view name) -> std::optional<Symbol> {
    if (name != "t") return std::nullopt;
    Symbol symbol;
    symbol.kind = Symbol::Kind::kVariable;
    symbol.dimension = dimensions::kTime;
    return symbol;
  };
  return Expression::parse(text, scope);
}

ContactLawSpec rough() {
  ContactLawSpec law;
  law.impact = "newton";
  law.friction = 0.3;
  return law;
}

// A part at rest on the ground's surface, seen from both sides: the rows of `part against belt` and of the reverse.
struct Rig {
  Rig(Space space, const ShapeSpec& part, const ShapeSpec& belt, const Vec3& at) {
    spec.space = space;
    spec.bodies.push_back({"part", 1, Mat3(Mat3::Identity()), {}});
    for (int k = 0; k < 3; ++k) spec.bodies[0].initial.position_m[static_cast<std::size_t>(k)] = at[k];
    if (space == Space::kPlanar) spec.bodies[0].initial.position_m[2] = std::nullopt;
    contacts.shapes = {part, belt};
    contacts.contacts = {{"ride", "part", part.name, "ground", belt.name, rough()},
                         {"mirror", "ground", belt.name, "part", part.name, rough()}};
    mechanism = Mechanism::build(spec);
    model = MechanismContacts::build(mechanism, spec, contacts);
    dynamics = mechanism->make_dynamics();
    kinematics = model->make_kinematics(*dynamics);
  }
  // Impulses along +gamma_T: what the rows' w~ say about the part's velocity against the belt, in the world.
  Vec3 slip(int point, double t) {
    VecX g(model->point_count());
    dynamics->set_position(t, mechanism->initial_state().q);
    dynamics->set_velocity(VecX::Zero(mechanism->velocity_count()));
    kinematics->update_gaps(g);
    RowStore rows(mechanism->mass_structure());
    const int count = kinematics->add_rows(point, rows);
    EXPECT_EQ(rows.w_tilde(0), 0) << "belts open no gaps";
    Vec2 gamma_T = Vec2::Zero();
    for (int k = 1; k < count; ++k) gamma_T[k - 1] = rows.w_tilde(k);
    kinematics->update_velocities();
    const PointVelocity velocity = kinematics->velocity_of(point);
    EXPECT_EQ(velocity.normal, 0);
    EXPECT_EQ(velocity.tangential, gamma_T);
    EXPECT_EQ(velocity.driven_tangential, gamma_T);
    EXPECT_EQ(velocity.belt, gamma_T);
    EXPECT_EQ(velocity.shape_speed(), 0);
    return kinematics->in_world(point, 0, gamma_T);
  }

  MechanismSpec spec;
  ContactModelSpec contacts;
  std::shared_ptr<const Mechanism> mechanism;
  std::shared_ptr<const MechanismContacts> model;
  std::unique_ptr<Dynamics> dynamics;
  std::unique_ptr<ContactKinematics> kinematics;
};

ShapeSpec running(ShapeSpec shape, std::vector<std::string> velocity) {
  for (const std::string& component : velocity) shape.surface_velocity.push_back(of_time(component));
  return shape;
}

ShapeSpec ball_in_plane() {
  return {"part", "skin", "circle", CircleShape{Vec3::Zero(), 0.5}};
}

// A floor whose outward normal is +y carries towards +x: the part, at rest, slides towards -x on it.
TEST(Belt, InThePlaneRunsTowardsPlusXWhereTheOutwardNormalIsPlusY) {
  Rig rig(Space::kPlanar, ball_in_plane(),
          running({"ground", "floor", "line", LineShape{Vec3::Zero(), Vec3::UnitY()}}, {"2 m/s + 3 m/s^2*t"}),
          {0, 0.5, 0});
  for (const double t : {0.0, 1.5}) {
    EXPECT_EQ(rig.slip(0, t), Vec3(-(2 + 3 * t), 0, 0));
    EXPECT_EQ(rig.slip(1, t), Vec3(2 + 3 * t, 0, 0)) << "the belt's slip on the part";
  }
}

TEST(Belt, InThePlaneTurnsWithItsShape) {
  Rig wall(Space::kPlanar, ball_in_plane(),
           running({"ground", "wall", "line", LineShape{Vec3::Zero(), Vec3::UnitX()}}, {"2 m/s"}), {0.5, 0, 0});
  EXPECT_TRUE(wall.slip(0, 0).isApprox(Vec3(0, 2, 0))) << "outward +x runs towards -y";
  // A roller below the part turns clockwise: its top runs towards +x.
  Rig roller(Space::kPlanar, ball_in_plane(),
             running({"ground", "roller", "circle", CircleShape{{0, -1, 0}, 1}}, {"2 m/s"}), {0, 0.5, 0});
  EXPECT_TRUE(roller.slip(0, 0).isApprox(Vec3(-2, 0, 0)));
}

// The lower side of the part has the outward normal -y: a tread of its own there runs towards -x.
TEST(Belt, OfThePartItselfRunsTheOtherWayOnItsLowerSide) {
  Rig rig(Space::kPlanar, running(ball_in_plane(), {"2 m/s"}),
          {"ground", "floor", "line", LineShape{Vec3::Zero(), Vec3::UnitY()}}, {0, 0.5, 0});
  EXPECT_EQ(rig.slip(0, 0), Vec3(-2, 0, 0));
  EXPECT_EQ(rig.slip(1, 0), Vec3(2, 0, 0));
}

TEST(Belt, InSpaceCountsWithItsTangentialPart) {
  Rig rig(Space::kSpatial, {"part", "skin", "sphere", SphereShape{Vec3::Zero(), 0.5}},
          running({"ground", "floor", "plane", PlaneShape{Vec3::Zero(), Vec3::UnitZ()}},
                  {"2 m/s", "-1 m/s + 1 m/s^2*t", "7 m/s"}),
          {0, 0, 0.5});
  EXPECT_TRUE(rig.slip(0, 3).isApprox(Vec3(-2, -2, 0), 1e-15));
  EXPECT_TRUE(rig.slip(1, 3).isApprox(Vec3(2, 2, 0), 1e-15));
}

// On a body that turns, by differences in time; the belt has a normal part, which shows as the normal turns.
TEST(Belt, AccelerationAndBiasAreTheRatesOfItsVelocityAndOfItsPartAlongATangent) {
  Rig rig(Space::kSpatial, {"part", "skin", "sphere", SphereShape{Vec3::Zero(), 0.5}},
          running({"ground", "floor", "plane", PlaneShape{Vec3::Zero(), Vec3::UnitZ()}},
                  {"2 m/s*sin(3 rad/s*t)", "1 m/s", "1 m/s + 1 m/s^2*t"}),
          {0, 0, 0.5});
  Belts<InSpace> belts(*rig.model);
  LivePairs<InSpace>::Pair pair;
  pair.placement_a = 0;
  pair.placement_b = 1;
  pair.belt_a = 0;
  const double t0 = 0.4;
  const Vec3 w(0.3, -0.7, 0.4), w_normal(0.6, 0.9, 0);  // of the body; of the normal, across it at t0
  const MarkerVelocity velocities[2] = {{Vec3::Zero(), w}, {}};
  const auto turned = [](const Vec3& rate, double t) {
    return Mat3(Eigen::AngleAxisd(rate.norm() * t, rate.normalized()).toRotationMatrix());
  };
  struct Instant {
    Frame frames[2];
    SpatialContactPoint at;
    Vec3 velocity;
  };
  const auto instant = [&](double t) {
    Instant now;
    now.frames[0].R = turned(w, t);
    now.at.normal = turned(w_normal, t - t0) * Vec3::UnitZ();
    now.at.tangent = turned(w_normal, t - t0) * Vec3::UnitX();
    belts.update(t);
    now.velocity = belts.velocity(pair, now.at, now.frames);
    return now;
  };
  constexpr double h = 1e-5;
  const Instant before = instant(t0 - h), after = instant(t0 + h), now = instant(t0);
  const Vec3 rate = (after.velocity - before.velocity) / (2 * h);
  EXPECT_LT((belts.acceleration(pair, now.at, now.frames, velocities) - rate).norm(), 1e-8);
  const Vec3 normal_rate = w_normal.cross(now.at.normal);
  for (int k = 0; k < 2; ++k) {
    const double along_after = InSpace::tangent(after.at, k).dot(after.velocity);
    const double along_before = InSpace::tangent(before.at, k).dot(before.velocity);
    EXPECT_NEAR(belts.bias(pair, now.at, InSpace::tangent(now.at, k), normal_rate, now.frames, velocities),
                (along_after - along_before) / (2 * h), 1e-8);
  }
}

// In the plane the tangent turns with the normal: the rate of the speed remains.
TEST(Belt, BiasInThePlaneIsTheRateOfTheSpeed) {
  Rig rig(Space::kPlanar, ball_in_plane(),
          running({"ground", "floor", "line", LineShape{Vec3::Zero(), Vec3::UnitY()}}, {"2 m/s + 3 m/s^2*t"}),
          {0, 0.5, 0});
  Belts<InPlane> belts(*rig.model);
  LivePairs<InPlane>::Pair pair;
  pair.placement_b = 1;
  pair.belt_b = 0;
  PlanarContactPoint at;
  at.normal = Vec2(0.6, 0.8);
  at.tangent = tangent_of(at.normal);
  const MarkerVelocity velocities[2] = {};
  const Frame frames[2] = {};
  belts.update(1);
  EXPECT_NEAR(at.tangent.dot(belts.velocity(pair, at, frames)), -5, 1e-14);
  EXPECT_NEAR(belts.bias(pair, at, at.tangent, 7 * at.tangent, frames, velocities), -3, 1e-14);
}

}  // namespace
}  // namespace freeplay::test::belts_test
