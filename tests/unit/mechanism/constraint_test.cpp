// Bilateral rows against finite differences, and the constraint formulation against the tree.
#include <gtest/gtest.h>

#include "freeplay/mechanism/rows/projection.h"
#include "random_mechanism.h"

namespace freeplay::test::constraint_test {
namespace {

constexpr double kStep = 1e-5;

// The same mechanism with every joint as bilateral rows, standing where the tree stands in `state`.
MechanismSpec as_constraints(MechanismSpec spec, const Mechanism& tree, const State& state) {
  const auto dynamics = tree.make_dynamics();
  const ChannelProbe probe(tree, *dynamics);
  dynamics->set_position(state.t, state.q);
  dynamics->set_velocity(state.u);
  for (BodySpec& body : spec.bodies) {
    for (int k = 0; k < 3; ++k) {
      body.initial.position_m[static_cast<std::size_t>(k)] = probe.position(body.name)[k];
      body.initial.velocity_m_s[static_cast<std::size_t>(k)] = probe.velocity(body.name)[k];
    }
    if (spec.space == Space::kPlanar) {
      body.initial.position_m[2].reset(), body.initial.velocity_m_s[2].reset();
      body.initial.angle = probe(body.name + ".angle");
      body.initial.angular_velocity[2] = probe(body.name + ".omega");
    } else {
      body.initial.quaternion =
          Vec4(probe(body.name + ".e0"), probe(body.name + ".e1"), probe(body.name + ".e2"), probe(body.name + ".e3"));
      body.initial.angular_velocity = {probe(body.name + ".omega_x"), probe(body.name + ".omega_y"),
                                       probe(body.name + ".omega_z")};
    }
  }
  for (JointSpec& joint : spec.joints) joint.as_constraint = true;
  return spec;
}

struct Solution {
  VecX du, lambda;
};

Solution constrained_accelerations(const Mechanism& mechanism, Dynamics& dynamics, const State& state) {
  Solution solution{VecX::Zero(mechanism.velocity_count()), VecX::Zero(mechanism.row_count())};
  BilateralWorkspace workspace(mechanism);
  VecX h(mechanism.velocity_count());
  dynamics.set_position(state.t, state.q);
  dynamics.set_velocity(state.u);
  EXPECT_TRUE(workspace.update(dynamics));
  dynamics.forces(h);
  dynamics.row_bias(workspace.rows.zeta);
  workspace.solver.accelerations(workspace.M, h, workspace.rows.zeta, solution.du, solution.lambda);
  dynamics.set_accelerations(solution.du, solution.lambda);
  return solution;
}

struct Wrench {
  Vec3 force, moment, point;  // world axes, about the point
};

Wrench world_wrench(const Mechanism& mechanism, const ChannelProbe& probe, std::size_t index) {
  const Mechanism::Joint& joint = mechanism.joints[index];
  const std::string& child = mechanism.bodies[to_size(joint.child)].name;
  const std::string& parent = mechanism.bodies[to_size(joint.parent)].name;
  const auto rotation = [&](const std::string& body) {
    return body == "ground" ? Mat3(Mat3::Identity()) : probe.rotation(body);
  };
  const auto position = [&](const std::string& body) {
    return body == "ground" ? Vec3(Vec3::Zero()) : probe.position(body);
  };
  const Mat3 axes = rotation(parent) * mechanism.marker(joint.parent_marker).place.R;
  const bool planar = mechanism.space == Space::kPlanar;
  return {axes * probe.vector(joint.name, ".force_x", ".force_y", ".force_z"),
          planar ? Vec3(0, 0, probe(joint.name + ".moment"))
                 : Vec3(axes * probe.vector(joint.name, ".moment_x", ".moment_y", ".moment_z")),
          position(child) + rotation(child) * mechanism.marker(joint.child_marker).place.p};
}

class Constraints : public testing::TestWithParam<Space> {};

// A random tree whose joints are constraints, all that have one degree of freedom driven from where they are.
std::shared_ptr<const Mechanism> driven_constraints(Space space, std::uint64_t draw, RandomMechanism& random) {
  MechanismSpec spec = random.tree(random.integer(1, 4));
  const double rate = random.uniform(-2, 2), frequency = random.uniform(1, 3);
  const SymbolScope scope{[&](std::string_view name) -> std::optional<Symbol> {
                            if (name != "t") return std::nullopt;
                            return Symbol{Symbol::Kind::kVariable, {}, 0, dimensions::kTime};
                          },
                          [] { return std::vector<std::string>{"t"}; }};
  const auto tree = Mechanism::build(spec);
  spec = as_constraints(spec, *tree, random.state(*tree));
  if (draw % 2 == 1) {
    // Half of the draws keep their first joint as a tree edge, driven by its own coordinate.
    spec.joints.front().as_constraint = false;
  }
  const auto mechanism = Mechanism::build(spec);
  MechanismSpec driven = spec;
  for (const JointSpec& joint : spec.joints) {
    if (joint_coordinates(joint.type, space)->u != 1) continue;
    const auto dynamics = mechanism->make_dynamics();
    const State start = mechanism->initial_state();
    dynamics->set_position(0, start.q);
    dynamics->set_velocity(start.u);
    const ChannelProbe probe(*mechanism, *dynamics);
    const std::string unit = joint.type == "prismatic" ? " m" : " rad";
    // Starts at the present value and rate of the joint.
    const double q0 = probe(joint.name + ".q"), u0 = probe(joint.name + ".u");
    driven.drivers.push_back({"d" + joint.name, joint.name,
                              Expression::parse(fmt::format("({:.17g}{}) + {:.17g}{}/s*t + {}{}*(1 - cos({} Hz*t))", q0,
                                                            unit, u0, unit, rate, unit, frequency),
                                                scope),
                              std::nullopt});
  }
  return Mechanism::build(driven);
}

// The rows of a mechanism along its motion at constant velocity through a state.
class RowsAlongMotion {
 public:
  RowsAlongMotion(const Mechanism& mechanism, Dynamics& dynamics, const State& state)
      : dynamics_(dynamics), state_(state), count_(mechanism.row_count()) {
    rows_.resize(mechanism.velocity_count(), count_);
  }
  VecX positions(double h) {
    go(h);
    VecX g(count_);
    dynamics_.row_positions(g);
    return g;
  }
  VecX velocities(double h) {
    go(h);
    dynamics_.row_jacobian(rows_);
    return rows_.W.transpose() * state_.u + rows_.w_tilde;
  }

 private:
  void go(double h) {
    State s = state_;
    dynamics_.displace(s.q, h * state_.u);
    dynamics_.set_position(s.t + h, s.q);
  }
  Dynamics& dynamics_;
  const State state_;
  const int count_;
  BilateralRows rows_;
};

TEST_P(Constraints, RowsAndTheirBiasAreDerivativesOfThePositionResidual) {
  for (std::uint64_t draw = 0; draw < 1000; ++draw) {
    SCOPED_TRACE(draw);
    RandomMechanism random(GetParam(), 5000 + draw);
    const auto system = driven_constraints(GetParam(), draw, random);
    if (system->row_count() == 0) continue;
    const auto dynamics = system->make_dynamics();
    // Away from the constraint manifold: the rows are exact there too.
    State state = system->initial_state();
    dynamics->displace(state.q, random.velocities(*system, 0.1));
    state.u += random.velocities(*system, 1);
    state.t = 0.3;

    RowsAlongMotion rows(*system, *dynamics, state);
    const VecX gamma = rows.velocities(0);
    const VecX slope = (rows.positions(kStep) - rows.positions(-kStep)) / (2 * kStep);
    const double scale = 1 + state.u.squaredNorm();
    for (int r = 0; r < system->row_count(); ++r) {
      // A driven rotation off the manifold: the angle about an axis that the child no longer shares.
      const bool relative_angle =
          system->rows[static_cast<std::size_t>(r)].kind == Mechanism::Row::Kind::kRelativeRotation;
      if (relative_angle && GetParam() == Space::kSpatial) continue;
      EXPECT_NEAR(slope[r], gamma[r], 1e-7 * scale) << system->row_name(r);
    }
    const VecX gamma_rate = (rows.velocities(kStep) - rows.velocities(-kStep)) / (2 * kStep);
    VecX zeta(system->row_count());
    dynamics->set_position(state.t, state.q);
    dynamics->set_velocity(state.u);
    dynamics->row_bias(zeta);
    EXPECT_LT((gamma_rate - zeta).norm(), 1e-6 * scale * scale);
  }
}

TEST_P(Constraints, TreeAndConstraintFormulationGiveTheSameReactionsAndAccelerations) {
  for (std::uint64_t draw = 0; draw < 300; ++draw) {
    SCOPED_TRACE(draw);
    RandomMechanism random(GetParam(), 9000 + draw);
    MechanismSpec spec = random.tree(random.integer(1, 6));
    random.add_springs(spec, 2);
    // In space a constraint starts within half a turn, and these trees do not.
    if (GetParam() == Space::kSpatial) spec.torsional_springs.clear();
    const auto tree = Mechanism::build(spec);
    const State tree_state = random.state(*tree);
    const auto free = Mechanism::build(as_constraints(spec, *tree, tree_state));
    const State free_state = free->initial_state();

    const auto tree_dynamics = tree->make_dynamics(), free_dynamics = free->make_dynamics();
    VecX du(tree->velocity_count());
    tree_dynamics->set_position(0, tree_state.q);
    tree_dynamics->set_velocity(tree_state.u);
    ASSERT_TRUE(tree_dynamics->free_accelerations(du));
    tree_dynamics->set_accelerations(du, VecX());
    const Solution solution = constrained_accelerations(*free, *free_dynamics, free_state);

    const ChannelProbe in_tree(*tree, *tree_dynamics), in_rows(*free, *free_dynamics);
    double scale = 1;
    for (const ChannelDescription& channel : tree->channels()) {
      if (channel.needs_accelerations) scale = std::max(scale, std::abs(in_tree(channel.name)));
    }
    for (const ChannelDescription& channel : tree->channels()) {
      if (!channel.needs_accelerations) continue;
      EXPECT_NEAR(in_tree(channel.name), in_rows(channel.name), 1e-10 * scale) << channel.name;
    }
    // A body's acceleration follows from the forces of its joints and loads; equal reactions on every body with equal
    // loads mean equal accelerations. That the rows' own du/dt obeys them is checked here.
    const VecX residual_rate = [&] {
      BilateralRows rows;
      rows.resize(free->velocity_count(), free->row_count());
      free_dynamics->row_jacobian(rows);
      free_dynamics->row_bias(rows.zeta);
      return VecX(rows.W.transpose() * solution.du + rows.zeta);
    }();
    EXPECT_LT(residual_rate.lpNorm<1>(), 1e-10 * (1 + solution.du.norm()));
  }
}

// The same joint declared from child to parent: coordinates and reactions change sign, the motion does not.
TEST_P(Constraints, AJointWalkedBackwardsMovesTheSame) {
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    SCOPED_TRACE(draw);
    RandomMechanism random(GetParam(), 12000 + draw);
    const MechanismSpec forward = random.tree(random.integer(2, 6), true);
    MechanismSpec backward = forward;
    for (JointSpec& joint : backward.joints) {
      const Mat3 R = joint.rotation.toRotationMatrix();
      std::swap(joint.parent, joint.child);
      std::swap(joint.at_parent_m, joint.at_child_m);
      if (joint.axis) joint.axis = R.transpose() * *joint.axis;
      joint.rotation = joint.rotation.conjugate();
    }
    const auto a = Mechanism::build(forward), b = Mechanism::build(backward);
    for (const Mechanism::Joint& joint : b->joints) ASSERT_EQ(joint.role, Mechanism::JointRole::kReversed);
    State state_a = random.state(*a), state_b = state_a;
    state_b.q = -state_a.q;
    state_b.u = -state_a.u;
    const auto dynamics_a = a->make_dynamics(), dynamics_b = b->make_dynamics();
    VecX du_a(a->velocity_count()), du_b(b->velocity_count());
    dynamics_a->set_position(0, state_a.q), dynamics_a->set_velocity(state_a.u);
    dynamics_b->set_position(0, state_b.q), dynamics_b->set_velocity(state_b.u);
    ASSERT_TRUE(dynamics_a->free_accelerations(du_a));
    ASSERT_TRUE(dynamics_b->free_accelerations(du_b));
    EXPECT_LT((du_a + du_b).norm(), 1e-9 * (1 + du_a.norm()));
    dynamics_a->set_accelerations(du_a, VecX());
    dynamics_b->set_accelerations(du_b, VecX());
    const ChannelProbe probe_a(*a, *dynamics_a), probe_b(*b, *dynamics_b);
    for (std::size_t i = 0; i < forward.bodies.size(); ++i) {
      EXPECT_LT((probe_a.position(forward.bodies[i].name) - probe_b.position(forward.bodies[i].name)).norm(), 1e-12);
      // What the parent exerts on the child is the opposite of what the child, now called parent, exerts on it.
      const JointSpec& joint = forward.joints[i];
      const Wrench on_child = world_wrench(*a, probe_a, i), on_parent = world_wrench(*b, probe_b, i);
      const double scale = 1 + on_child.force.norm() + on_child.moment.norm();
      EXPECT_LT((on_child.force + on_parent.force).norm(), 1e-9 * scale) << joint.name;
      const Vec3 arm = on_parent.point - on_child.point;
      EXPECT_LT((on_child.moment + on_parent.moment + arm.cross(on_parent.force)).norm(), 1e-9 * scale) << joint.name;
    }
  }
}

// Accelerations of the bodies: from the rows' own du/dt, and from the reactions of the tree by Newton's and Euler's
// law.
TEST_P(Constraints, TreeAndConstraintFormulationAccelerateEveryBodyAlike) {
  for (std::uint64_t draw = 0; draw < 1000; ++draw) {
    SCOPED_TRACE(draw);
    RandomMechanism random(GetParam(), 20000 + draw);
    const MechanismSpec spec = random.tree(random.integer(1, 10));
    const auto tree = Mechanism::build(spec);
    const State tree_state = random.state(*tree);
    const auto free = Mechanism::build(as_constraints(spec, *tree, tree_state));
    const auto tree_dynamics = tree->make_dynamics(), free_dynamics = free->make_dynamics();
    VecX du(tree->velocity_count());
    tree_dynamics->set_position(0, tree_state.q);
    tree_dynamics->set_velocity(tree_state.u);
    ASSERT_TRUE(tree_dynamics->free_accelerations(du));
    tree_dynamics->set_accelerations(du, VecX());
    const Solution solution = constrained_accelerations(*free, *free_dynamics, free->initial_state());
    const ChannelProbe probe(*tree, *tree_dynamics);
    const double scale = 1 + solution.du.norm();
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
      const BodySpec& body = spec.bodies[i];
      Vec3 force = body.mass_kg * spec.gravity_m_s2, moment = Vec3::Zero();
      for (std::size_t j = 0; j < spec.joints.size(); ++j) {
        const double sign = spec.joints[j].child == body.name ? 1 : spec.joints[j].parent == body.name ? -1 : 0;
        const Wrench wrench = world_wrench(*tree, probe, j);
        force += sign * wrench.force;
        moment += sign * (wrench.moment + (wrench.point - probe.position(body.name)).cross(wrench.force));
      }
      const Mat3 R = probe.rotation(body.name);
      const Vec3 omega = R.transpose() * probe.omega(body.name);
      const Vec3 gyroscopic = omega.cross(body.inertia_kg_m2 * omega);
      const int u = free->nodes[static_cast<std::size_t>(free->node_of_body[i + 1])].u;
      if (GetParam() == Space::kPlanar) {
        EXPECT_LT((force.head<2>() / body.mass_kg - solution.du.segment<2>(u)).norm(), 1e-10 * scale);
        EXPECT_NEAR(moment.z() / body.inertia_kg_m2(2, 2), solution.du[u + 2], 1e-10 * scale);
      } else {
        EXPECT_LT((force / body.mass_kg - solution.du.segment<3>(u)).norm(), 1e-10 * scale);
        const Vec3 alpha = body.inertia_kg_m2.inverse() * (R.transpose() * moment - gyroscopic);
        EXPECT_LT((alpha - solution.du.segment<3>(u + 3)).norm(), 1e-10 * scale);
      }
    }
  }
}

// The angle of a planar joint counts turns, tree edge or not: a coil spring wound up by several turns pulls back.
TEST(PlanarConstraint, AngleAndTorsionalSpringGoBeyondHalfATurn) {
  RandomMechanism random(Space::kPlanar, 1);
  MechanismSpec spec = random.tree(1, true);
  spec.joints[0].type = "revolute";
  spec.joints[0].axis.reset();
  spec.torsional_springs = {{"coil", "j1", 2, 0, 0, 0}};
  const auto tree = Mechanism::build(spec);
  for (const double angle : {-20.0, 3.5, 40.0}) {
    State state = tree->initial_state();
    state.q[0] = angle;
    const auto free = Mechanism::build(as_constraints(spec, *tree, state));
    const auto a = tree->make_dynamics(), b = free->make_dynamics();
    a->set_position(0, state.q), a->set_velocity(state.u);
    b->set_position(0, free->initial_state().q), b->set_velocity(free->initial_state().u);
    const ChannelProbe in_tree(*tree, *a), in_rows(*free, *b);
    EXPECT_NEAR(in_tree("coil.moment"), 2 * angle, 1e-12);
    EXPECT_NEAR(in_rows("coil.moment"), in_tree("coil.moment"), 1e-9);
    EXPECT_NEAR(in_rows("j1.q"), angle, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Spaces, Constraints, testing::Values(Space::kPlanar, Space::kSpatial),
                         [](const auto& space) { return space.param == Space::kPlanar ? "Planar" : "Spatial"; });

}  // namespace
}  // namespace freeplay::test::constraint_test
