// ContactKinematics::row_bias: dgamma/dt of all rows against differences of W^T u + w~ along the motion at constant u,
// for contacts of random mechanisms, joints with play, stops and dry friction in trees and in loops, and shapes that
// turn.
#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "allocation/allocation_counter.cpp"
#include "freeplay/contact/play/start_with_play.h"
#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/core/error.h"
#include "unit/mechanism/random_mechanism.h"

namespace freeplay::test::row_bias_test {
namespace {

constexpr int kPlaces = 7;

struct Count {
  int compared = 0, left_out = 0;
  std::size_t allocations = 0;

  ~Count() {
#if !defined(__SANITIZE_ADDRESS__)  // its own malloc cannot be counted
    EXPECT_EQ(allocations, 0u);
#endif
  }
};

ContactLawSpec rough() {
  ContactLawSpec law;
  law.impact = "newton";
  law.friction = 0.3;
  return law;
}

// The velocities of all rows, those along tangents with the tangents of the middle place carried along without turning
// about the normal.
class Rows {
 public:
  Rows(const MechanismSpec& spec, const ContactModelSpec& contacts)
      : mechanism_(build_mechanism_with_play(spec, contacts.clearance_joints)),
        contacts_(MechanismContacts::build(mechanism_, spec, contacts)),
        dynamics_(mechanism_->make_dynamics()),
        kinematics_(contacts_->make_kinematics(*dynamics_)) {}

  const Mechanism& mechanism() const { return *mechanism_; }
  const std::vector<ContactPoint>& points() const { return contacts_->points(); }

  void set(const State& state, double s) {
    VecX q = state.q;
    dynamics_->displace(q, s * state.u);
    dynamics_->set_position(state.t + s, q);
    dynamics_->set_velocity(state.u);
    kinematics_->recall(state);
    VecX g(contacts_->point_count());
    kinematics_->update_gaps(g);
    kinematics_->update_velocities();
    gaps_ = g;
  }

  // World directions of the rows of a point.
  std::array<Vec3, 3> directions(int point) const {
    return {kinematics_->in_world(point, 1, Vec2::Zero()), kinematics_->in_world(point, 0, Vec2::UnitX()),
            kinematics_->in_world(point, 0, Vec2::UnitY())};
  }

  // At a state where surfaces may not say how their contact points travel.
  void expect_finite(const State& state) {
    set(state, 0);
    kinematics_->settle_normals();
    for (std::size_t i = 0; i < points().size(); ++i) {
      std::array<double, 3> zeta{};
      kinematics_->row_bias(static_cast<int>(i), zeta);
      for (const double value : zeta) EXPECT_LT(std::abs(value), 1e4) << points()[i].name();
    }
  }

  void check(const State& state, double h, const std::string& name, Count& count) {
    set(state, 0);
    const std::size_t number = points().size();
    std::vector<std::array<Vec3, 3>> middle(number);
    for (std::size_t i = 0; i < number; ++i) {
      if (points()[i].has_place) middle[i] = directions(static_cast<int>(i));
    }
    std::vector<std::array<std::array<double, kPlaces>, 3>> gamma(number);
    std::vector<bool> is_there(number, true);
    for (int k = 0; k < kPlaces; ++k) {
      set(state, (k - 3) * h);
      RowStore rows(mechanism_->mass_structure());
      for (std::size_t i = 0; i < number; ++i) {
        const int first = rows.size(), added = kinematics_->add_rows(static_cast<int>(i), rows);
        std::array<double, 3> values{};
        for (int r = 0; r < added; ++r) values[static_cast<std::size_t>(r)] = rows.velocity(first + r, state.u);
        is_there[i] = is_there[i] && !(gaps_[static_cast<Eigen::Index>(i)] == std::numeric_limits<double>::infinity());
        if (added == 3) values = carried(values, middle[i], directions(static_cast<int>(i)));
        for (std::size_t r = 0; r < 3; ++r) gamma[i][r][static_cast<std::size_t>(k)] = values[r];
      }
    }
    set(state, 0);
    for (std::size_t i = 0; i < number; ++i) {
      if (!is_there[i]) continue;
      std::array<double, 3> zeta{};
      count.allocations += allocations_during([&] { kinematics_->row_bias(static_cast<int>(i), zeta); });
      for (int r = 0; r < points()[i].rows(); ++r) {
        const std::size_t row = static_cast<std::size_t>(r);
        const std::array<double, kPlaces>& f = gamma[i][row];
        const double fourth = (8 * (f[4] - f[2]) - (f[5] - f[1])) / (12 * h);
        const double sixth = (45 * (f[4] - f[2]) - 9 * (f[5] - f[1]) + (f[6] - f[0])) / (60 * h);
        if (!(std::abs(sixth - fourth) < 2e-8 * (1 + std::abs(sixth)))) {
          ++count.left_out;
          continue;
        }
        EXPECT_NEAR(zeta[row], sixth, 1e-7 * (1 + std::abs(sixth)))
            << name << " " << points()[i].name() << " row " << r;
        ++count.compared;
      }
    }
  }

 private:
  static std::array<double, 3> carried(const std::array<double, 3>& values, const std::array<Vec3, 3>& middle,
                                       const std::array<Vec3, 3>& now) {
    const Vec3 v = values[0] * now[0] + values[1] * now[1] + values[2] * now[2], &n = middle[0], &m = now[0];
    std::array<double, 3> result{m.dot(v)};
    for (const std::size_t k : {1u, 2u}) {
      result[k] = (middle[k] - (middle[k].dot(m) / (1 + n.dot(m))) * (n + m)).dot(v);
    }
    return result;
  }

  std::shared_ptr<const Mechanism> mechanism_;
  std::shared_ptr<const MechanismContacts> contacts_;
  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<ContactKinematics> kinematics_;
  VecX gaps_;
};

ContactSpec contact(std::string name, std::string body_a, std::string shape_a, std::string body_b,
                    std::string shape_b) {
  return {std::move(name), std::move(body_a), std::move(shape_a), std::move(body_b), std::move(shape_b), rough()};
}

// Stops and dry friction wherever a joint can have them, some of them in joints outside of the tree.
void add_joint_rows(MechanismSpec& spec, RandomMechanism& random) {
  for (JointSpec& joint : spec.joints) {
    if (joint.type != "revolute" && joint.type != "prismatic") continue;
    joint.as_constraint = random.uniform(0, 1) < 0.3;
    joint.dry_friction = 2;
    joint.stops = JointStopsSpec{-100.0, 100.0, 0.5};
  }
}

TEST(RowBias, OfBodiesInPlaneTreesIsTheRateOfTheVelocities) {
  Count count;
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    RandomMechanism random(Space::kPlanar, draw);
    MechanismSpec spec = random.tree(random.integer(2, 6));
    add_joint_rows(spec, random);
    const std::string last = spec.bodies.back().name, other = spec.bodies.front().name;
    ContactModelSpec model;
    model.initial_overlap_m = 100;
    model.shapes = {
        {last, "disc", "circle", CircleShape{random.vector(0.2), 0.2}},
        {other, "disc", "circle", CircleShape{random.vector(0.2), 0.1}},
        {last, "box", "polygon", PolygonShape{{{-0.1, -0.1, 0}, {0.2, -0.1, 0}, {0.2, 0.1, 0}, {-0.1, 0.1, 0}}}},
        {other, "egg", "ellipse", EllipseShape{random.vector(0.2), 0.3, 0.2, 0.4}},
        {"ground", "floor", "line", LineShape{Vec3(0, -2, 0), Vec3(0.6, 0.8, 0)}},
    };
    model.contacts = {
        contact("disc_floor", last, "disc", "ground", "floor"), contact("discs", last, "disc", other, "disc"),
        contact("box_floor", last, "box", "ground", "floor"), contact("egg_box", other, "egg", last, "box"),
        contact("egg_floor", other, "egg", "ground", "floor")};
    Rows rows(spec, model);
    State state = random.state(rows.mechanism());
    rows.check(state, 1e-4, "draw " + std::to_string(draw), count);
    if (HasFailure()) return;
  }
  EXPECT_GE(count.compared, 2500);
  EXPECT_LE(count.left_out, count.compared / 10);
}

TEST(RowBias, OfBodiesInSpatialTreesIsTheRateOfTheVelocities) {
  Count count;
  int built = 0;
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    RandomMechanism random(Space::kSpatial, draw);
    MechanismSpec spec = random.tree(random.integer(2, 6));
    add_joint_rows(spec, random);
    try {
      Mechanism::build(spec);
    } catch (const ModelError&) {
      continue;  // some of these loops do not close from any start
    }
    ++built;
    const std::string last = spec.bodies.back().name, other = spec.bodies.front().name;
    ContactModelSpec model;
    model.initial_overlap_m = 100;
    model.shapes = {
        {last, "ball", "sphere", SphereShape{random.vector(0.2), 0.2}},
        {other, "ball", "sphere", SphereShape{random.vector(0.2), 0.1}},
        {last, "box", "box", BoxShape{random.vector(0.2), {0.4, 0.3, 0.2}, Eigen::Quaterniond::Identity()}},
        {other, "egg", "ellipsoid", EllipsoidShape{random.vector(0.2), {0.3, 0.2, 0.4}}},
        {other, "can", "cylinder", CylinderShape{random.vector(0.2), Vec3::UnitX(), 0.2, 0.5}},
        {"ground", "floor", "plane", PlaneShape{Vec3(0, 0, -2), Vec3(0.6, 0, 0.8)}},
    };
    model.contacts = {
        contact("ball_floor", last, "ball", "ground", "floor"), contact("balls", last, "ball", other, "ball"),
        contact("box_floor", last, "box", "ground", "floor"),   contact("egg_floor", other, "egg", "ground", "floor"),
        contact("egg_ball", other, "egg", last, "ball"),        contact("can_box", other, "can", last, "box")};
    Rows rows(spec, model);
    State state = random.state(rows.mechanism());
    rows.check(state, 1e-4, "draw " + std::to_string(draw), count);
    if (HasFailure()) return;
  }
  EXPECT_GE(built, 150);
  EXPECT_GE(count.compared, 5000);
  EXPECT_LE(count.left_out, count.compared / 10);
}

BodySpec free_body(const std::string& name) {
  BodySpec body;
  body.name = name;
  body.mass_kg = 1;
  body.inertia_kg_m2 = Mat3::Identity();
  return body;
}

// With stops and dry friction where it has one coordinate.
ClearanceJointSpec play(const std::string& name, const std::string& type) {
  ClearanceJointSpec spec;
  spec.joint.name = name;
  spec.joint.type = type;
  spec.joint.parent = "base";
  spec.joint.child = "part";
  spec.clearance_m = 0.1;
  spec.law = rough();
  if (type == "revolute" || type == "prismatic") {
    spec.joint.dry_friction = 2;
    spec.joint.stops = JointStopsSpec{-100.0, 100.0, 0.5};
  }
  return spec;
}

// Joints with wide play between two free bodies, each of which moves in any way.
TEST(RowBias, OfJointsWithPlayInThePlane) {
  Count count;
  for (const bool has_radius : {true, false}) {
    ClearanceJointSpec pin = play("pin", "revolute"), guide = play("guide", "prismatic");
    pin.joint.at_parent_m = {0.2, 0.1, 0};
    pin.joint.at_child_m = {-0.1, 0.3, 0};
    if (has_radius) pin.journal_radius_m = 0.2;
    pin.law.friction = has_radius ? 0.3 : 0;
    guide.joint.at_parent_m = {-0.2, 0.1, 0};
    guide.joint.axis = Vec3(0.6, 0.8, 0);
    guide.length_m = 0.3;
    guide.width_m = 0.2;
    MechanismSpec spec;
    spec.space = Space::kPlanar;
    spec.gravity_m_s2 = {1, -9, 0};
    spec.bodies = {free_body("base"), free_body("part")};
    ContactModelSpec model;
    model.clearance_joints = {pin, guide};
    model.initial_overlap_m = 100;
    Rows rows(spec, model);
    for (std::uint64_t draw = 0; draw < 300; ++draw) {
      RandomMechanism random(Space::kPlanar, draw);
      rows.check(random.state(rows.mechanism()), 1e-4, "planar play", count);
    }
    // Journal and bearing are concentric at the start.
    State start = rows.mechanism().initial_state();
    RandomMechanism random(Space::kPlanar, 1);
    start.u = random.velocities(rows.mechanism(), 3);
    rows.expect_finite(start);
  }
  EXPECT_GE(count.compared, 4000);
  EXPECT_LE(count.left_out, count.compared / 20);
}

TEST(RowBias, OfJointsWithPlayInSpace) {
  Count count;
  ClearanceJointSpec sleeve = play("sleeve", "cylindrical"), pin = play("pin", "revolute"),
                     ball = play("ball", "spherical"), prism = play("prism", "prismatic"),
                     slot = play("slot", "pin_in_slot"), arc = play("arc", "pin_in_slot");
  for (ClearanceJointSpec* joint : {&sleeve, &pin, &ball, &prism, &slot, &arc}) {
    joint->joint.at_parent_m = {0.2, 0.1, -0.1};
    joint->joint.at_child_m = {-0.1, 0.3, 0.2};
  }
  for (ClearanceJointSpec* joint : {&sleeve, &pin, &ball, &slot, &arc}) joint->journal_radius_m = 0.2;
  for (ClearanceJointSpec* joint : {&sleeve, &pin, &prism, &slot, &arc}) joint->length_m = 0.4;
  for (ClearanceJointSpec* joint : {&slot, &arc}) {
    joint->width_m = 0.3;
    joint->section_m = {{0.5, 0}, {0, 0.5}, {-0.5, 0}, {0, -0.5}};
  }
  arc.joint.slot_radius_m = 0.8;
  pin.axial_clearance_m = 0.1;
  prism.section_m = {{-0.1, -0.1}, {0.2, -0.1}, {0.1, 0.2}};
  MechanismSpec spec;
  spec.space = Space::kSpatial;
  spec.gravity_m_s2 = {1, 2, -9};
  spec.bodies = {free_body("base"), free_body("part")};
  ContactModelSpec model;
  model.clearance_joints = {sleeve, pin, ball, prism, slot, arc};
  model.initial_overlap_m = 100;
  Rows rows(spec, model);
  for (std::uint64_t draw = 0; draw < 300; ++draw) {
    RandomMechanism random(Space::kSpatial, draw);
    rows.check(random.state(rows.mechanism()), 1e-4, "spatial play", count);
  }
  // All parts are concentric at the start.
  State start = rows.mechanism().initial_state();
  RandomMechanism random(Space::kSpatial, 1);
  start.u = random.velocities(rows.mechanism(), 3);
  rows.expect_finite(start);
  EXPECT_GE(count.compared, 15000);
  EXPECT_LE(count.left_out, count.compared / 20);
}

Expression of_variable(const std::string& text, std::string_view variable, Dimension dimension) {
  SymbolScope scope;
  scope.lookup = [&](std::string_view name) -> std::optional<Symbol> {
    if (name != variable) return std::nullopt;
    Symbol symbol;
    symbol.kind = Symbol::Kind::kVariable;
    symbol.dimension = dimension;
    return symbol;
  };
  return Expression::parse(text, scope);
}

// A wheel that carries a shape that turns by itself, faster and faster, and a roller; both bodies are free.
TEST(RowBias, OfShapesThatTurnAsFunctionsOfTime) {
  for (const bool by_lift : {true, false}) {
    MechanismSpec spec;
    spec.space = Space::kPlanar;
    spec.bodies = {free_body("wheel"), free_body("roller")};
    spec.bodies[1].initial.position_m = {0.4, 2.0, std::nullopt};
    CamShape cam;
    cam.at_m = {0.2, -0.1, 0};
    cam.period = 2 * std::numbers::pi;
    cam.base_radius_m = by_lift ? 1 : 0;
    (by_lift ? cam.lift_m : cam.radius_m) = of_variable("1 m + 0.1 m*cos(2*phi) + 0.05 m*sin(phi)", "phi", {});
    const ShapeTurn turn{of_variable("0.3 + 2/s*t + 0.5/s^2*t^2 + 0.3*sin(3/s*t)", "t", dimensions::kTime),
                         {0.5, 0.3, 0}};
    ContactModelSpec model;
    model.initial_overlap_m = 100;
    model.shapes = {{"wheel", "cam", "cam", cam, turn},
                    {"roller", "skin", "circle", CircleShape{{0.1, 0, 0}, 0.2}, {}}};
    model.contacts = {contact("ride", "roller", "skin", "wheel", "cam"),
                      contact("mirror", "wheel", "cam", "roller", "skin")};
    Rows rows(spec, model);
    Count count;
    for (std::uint64_t draw = 0; draw < 200; ++draw) {
      RandomMechanism random(Space::kPlanar, draw);
      State state = random.state(rows.mechanism());
      state.t = random.uniform(0, 2);
      rows.check(state, 1e-4, by_lift ? "lift" : "contour", count);
    }
    EXPECT_GE(count.compared, 600);
    EXPECT_LE(count.left_out, count.compared / 10);
  }
}

}  // namespace
}  // namespace freeplay::test::row_bias_test
