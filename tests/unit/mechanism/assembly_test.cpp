// Initial states: what the file gives, what loops demand, and what cannot be had.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "freeplay/core/error.h"
#include "freeplay/math/least_squares.h"
#include "freeplay/mechanism/rows/projection.h"
#include "random_mechanism.h"
#include "support/linear_algebra.h"

namespace freeplay::test {
namespace {

using testing::HasSubstr;
constexpr double kDegree = std::numbers::pi / 180;

BodySpec body(const std::string& name) {
  BodySpec spec;
  spec.name = name;
  spec.mass_kg = 1;
  spec.inertia_kg_m2 = 0.1 * Mat3::Identity();
  return spec;
}

JointSpec revolute(const std::string& name, const std::string& parent, const Vec3& at_parent, const std::string& child,
                   const Vec3& at_child) {
  JointSpec spec;
  spec.name = name;
  spec.type = "revolute";
  spec.parent = parent;
  spec.child = child;
  spec.at_parent_m = at_parent;
  spec.at_child_m = at_child;
  return spec;
}

// Crank 1, coupler 2.5, rocker 2, ground 3: Grashof, the crank turns round.
MechanismSpec four_bar(double rocker = 2) {
  MechanismSpec spec;
  spec.bodies = {body("crank"), body("coupler"), body("rocker")};
  spec.joints = {revolute("a", "ground", {0, 0, 0}, "crank", {-0.5, 0, 0}),
                 revolute("b", "crank", {0.5, 0, 0}, "coupler", {-1.25, 0, 0}),
                 revolute("d", "ground", {3, 0, 0}, "rocker", {-rocker / 2, 0, 0}),
                 revolute("c", "coupler", {1.25, 0, 0}, "rocker", {rocker / 2, 0, 0})};
  return spec;
}

std::string error_of(const MechanismSpec& spec) {
  try {
    Mechanism::build(spec);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

double value(const Mechanism& mechanism, const std::string& channel) {
  const auto dynamics = mechanism.make_dynamics();
  const State state = mechanism.initial_state();
  dynamics->set_position(0, state.q);
  dynamics->set_velocity(state.u);
  return ChannelProbe(mechanism, *dynamics)(channel);
}

Expression of_time(const std::string& text) {
  const SymbolScope scope{[](std::string_view name) -> std::optional<Symbol> {
                            if (name != "t") return std::nullopt;
                            return Symbol{Symbol::Kind::kVariable, {}, 0, dimensions::kTime};
                          },
                          [] { return std::vector<std::string>{"t"}; }};
  return Expression::parse(text, scope);
}

TEST(Assembly, LoopsCloseAroundTheGivenCoordinate) {
  MechanismSpec spec = four_bar();
  spec.joints[0].initial_q = {60 * kDegree};
  spec.joints[0].initial_u = {10.0};
  const auto mechanism = Mechanism::build(spec);
  EXPECT_NEAR(value(*mechanism, "a.q"), 60 * kDegree, 1e-14);
  EXPECT_NEAR(value(*mechanism, "a.u"), 10, 1e-12);
  EXPECT_EQ(mechanism->joints[3].role, Mechanism::JointRole::kConstraint);
  EXPECT_TRUE(mechanism->joints[3].closes_loop);
  EXPECT_EQ(mechanism->row_rank(), 2);
  EXPECT_EQ(mechanism->degrees_of_freedom(), 1);
  // The coupler's end and the rocker's end are one point, at the rocker's length from its bearing.
  const double x = value(*mechanism, "coupler.x") + 1.25 * std::cos(value(*mechanism, "coupler.angle"));
  const double y = value(*mechanism, "coupler.y") + 1.25 * std::sin(value(*mechanism, "coupler.angle"));
  EXPECT_NEAR(std::hypot(x - 3, y), 2, 1e-12);
  // Velocity along the coupler is the same at both ends (rigid link): crank end moves with 10 rad/s times 1 m.
  const double direction = value(*mechanism, "coupler.angle");
  const double along =
      -10 * std::sin(60 * kDegree) * std::cos(direction) + 10 * std::cos(60 * kDegree) * std::sin(direction);
  const double rocker_rate = value(*mechanism, "rocker.omega");
  EXPECT_NEAR(-rocker_rate * y * std::cos(direction) + rocker_rate * (x - 3) * std::sin(direction), along, 1e-11);
}

TEST(Assembly, ValuesRoundedByHandAreMovedALittleAndReported) {
  MechanismSpec exact = four_bar();
  exact.joints[0].initial_q = {60 * kDegree};
  const auto reference = Mechanism::build(exact);
  MechanismSpec spec = exact;
  const auto rounded = [&](const char* channel) { return std::round(value(*reference, channel) * 1e3) / 1e3; };
  spec.joints[1].initial_q = {rounded("b.q")};
  spec.joints[2].initial_q = {rounded("d.q")};
  const auto mechanism = Mechanism::build(spec);
  EXPECT_EQ(mechanism->assembly_notes().size(), 1u);
  EXPECT_NEAR(value(*mechanism, "a.q"), 60 * kDegree, 1e-3);
  EXPECT_TRUE(reference->assembly_notes().empty());
}

TEST(Assembly, ANearlyConsistentValueStaysOnItsBranch) {
  MechanismSpec spec = four_bar();
  spec.joints[0].initial_q = {60 * kDegree};
  const auto reference = Mechanism::build(spec);
  // The rocker's centre, wrong in the seventh digit; nothing is said about the coupler.
  spec.bodies[2].initial.position_m[0] = value(*reference, "rocker.x");
  spec.bodies[2].initial.position_m[1] = value(*reference, "rocker.y") + 1.3e-7;
  const auto mechanism = Mechanism::build(spec);
  EXPECT_NEAR(value(*mechanism, "coupler.angle"), value(*reference, "coupler.angle"), 1e-5);
  EXPECT_NEAR(value(*mechanism, "a.q"), 60 * kDegree, 1e-5);
}

// A slider-crank closed by its guide: the guide's rows also hold with the slider upside down and behind the crank.
TEST(Assembly, AGuideIsNeverClosedUpsideDown) {
  for (int degrees = 0; degrees < 360; degrees += 10) {
    MechanismSpec spec = four_bar();
    spec.joints[0].initial_q = {degrees * kDegree};
    spec.joints.resize(2);
    spec.joints.push_back(revolute("c", "coupler", {1.25, 0, 0}, "rocker", {0, 0, 0}));
    JointSpec guide;
    guide.name = "guide";
    guide.type = "prismatic";
    guide.parent = "ground";
    guide.child = "rocker";
    spec.joints.push_back(guide);
    const auto mechanism = Mechanism::build(spec);
    EXPECT_NEAR(std::cos(value(*mechanism, "rocker.angle")), 1, 1e-9) << degrees;
    EXPECT_NEAR(value(*mechanism, "a.q"), degrees * kDegree, 1e-9);
  }
}

TEST(Assembly, AMechanismThatCannotCloseNamesTheGap) {
  // The rocker reaches 0.5 m, crank and coupler at least 1.5 m from their bearing: the ends miss by 3 - 0.5 - ... > 0.
  MechanismSpec spec = four_bar(0.4);
  spec.joints[0].initial_q = {180 * kDegree};
  // Crank end at x = -1; coupler reaches x = 1.5; the rocker's circle begins at 2.6: open by 1.1 m.
  const std::string text = error_of(spec);
  EXPECT_THAT(text, HasSubstr("cannot be assembled"));
  EXPECT_THAT(text, HasSubstr("stays open by"));
}

TEST(Assembly, AnAbsoluteValueOfABodyWinsOverItsJoint) {
  MechanismSpec spec;
  spec.bodies = {body("arm")};
  spec.joints = {revolute("pin", "ground", {0, 0, 0}, "arm", {-0.5, 0, 0})};
  spec.joints[0].initial_q = {10 * kDegree};
  spec.joints[0].initial_u = {1.0};
  spec.bodies[0].initial.angle = 370 * kDegree;
  spec.bodies[0].initial.angular_velocity[2] = -4;
  const auto mechanism = Mechanism::build(spec);
  EXPECT_NEAR(value(*mechanism, "pin.q"), 370 * kDegree, 1e-13);
  EXPECT_NEAR(value(*mechanism, "pin.u"), -4, 1e-13);
}

TEST(Assembly, AbsoluteVelocitiesOfAChainBecomeRelativeOnes) {
  MechanismSpec spec = four_bar();
  spec.joints.resize(2);
  spec.bodies.resize(2);
  spec.bodies[0].initial.angular_velocity[2] = 150;
  spec.bodies[1].initial.angular_velocity[2] = -75;
  const auto mechanism = Mechanism::build(spec);
  EXPECT_NEAR(value(*mechanism, "b.u"), -225, 1e-11);
}

TEST(Assembly, ABodyBeyondTheReachOfItsJointIsAnError) {
  MechanismSpec spec;
  spec.bodies = {body("arm")};
  spec.joints = {revolute("pin", "ground", {0, 0, 0}, "arm", {-0.5, 0, 0})};
  spec.bodies[0].initial.position_m[0] = 0.9;
  EXPECT_THAT(error_of(spec), HasSubstr("bodies.arm.initial.x"));
}

TEST(Assembly, ContradictingVelocitiesAreAnError) {
  MechanismSpec spec = four_bar();
  spec.joints[0].initial_q = {60 * kDegree};
  spec.joints[0].initial_u = {10.0};
  spec.joints[2].initial_u = {-50.0};
  EXPECT_THAT(error_of(spec), testing::AnyOf(HasSubstr("contradict"), HasSubstr("need")));
}

TEST(Assembly, ADriverDecidesWhereItsJointStarts) {
  MechanismSpec spec = four_bar();
  spec.drivers.push_back({"motor", "a", of_time("30 deg + 2 rad/s * t"), std::nullopt});
  const auto mechanism = Mechanism::build(spec);
  EXPECT_NEAR(value(*mechanism, "a.q"), 30 * kDegree, 1e-13);
  EXPECT_NEAR(value(*mechanism, "a.u"), 2, 1e-13);
  EXPECT_EQ(mechanism->degrees_of_freedom(), 0);
  EXPECT_TRUE(mechanism->assembly_notes().empty());
  spec.joints[0].initial_q = {0.0};
  const auto overruled = Mechanism::build(spec);
  EXPECT_NEAR(value(*overruled, "a.q"), 30 * kDegree, 1e-13);
  ASSERT_EQ(overruled->assembly_notes().size(), 1u);
  EXPECT_THAT(overruled->assembly_notes().front(), HasSubstr("overruled by driver 'motor'"));
}

TEST(Assembly, TwoDriversThatFightAreAnError) {
  MechanismSpec spec = four_bar();
  spec.drivers.push_back({"motor", "a", of_time("30 deg + 2 rad/s * t"), std::nullopt});
  spec.drivers.push_back({"second", "d", of_time("5 rad + 1 rad/s*t"), std::nullopt});
  EXPECT_THAT(error_of(spec), HasSubstr("cannot be assembled"));
}

TEST(Assembly, ABodyThatTurnsWithoutInertiaIsNamed) {
  MechanismSpec spec;
  spec.bodies = {body("arm"), body("wheel"), body("tip")};
  spec.bodies[1].inertia_kg_m2 = Mat3::Zero();  // pinned at its centre of mass, and nothing hangs on it
  spec.joints = {revolute("a", "ground", {0, 0, 0}, "arm", {-0.5, 0, 0}),
                 revolute("b", "arm", {0.5, 0, 0}, "wheel", {0, 0, 0}),
                 revolute("c", "arm", {0.5, 0, 0}, "tip", {-0.5, 0, 0})};
  EXPECT_THAT(error_of(spec), HasSubstr("'wheel' moves without inertia"));
}

// A weight on two equal fixed joints: the load is statically indeterminate, the minimum-norm answer is half each.
TEST(Redundancy, EqualSupportsShareTheLoad) {
  for (const Space space : {Space::kPlanar, Space::kSpatial}) {
    MechanismSpec spec;
    spec.space = space;
    spec.gravity_m_s2 = {0, -10, 0};
    spec.bodies = {body("weight")};
    for (const char* name : {"left", "right"}) {
      JointSpec joint;
      joint.name = name;
      joint.type = "fixed";
      joint.parent = "ground";
      joint.child = "weight";
      joint.as_constraint = true;
      spec.joints.push_back(joint);
    }
    const auto mechanism = Mechanism::build(spec);
    const int rows = space == Space::kPlanar ? 3 : 6;
    EXPECT_EQ(mechanism->row_count(), 2 * rows);
    EXPECT_EQ(mechanism->row_rank(), rows);
    ASSERT_EQ(mechanism->redundant_rows().size(), static_cast<std::size_t>(rows));
    EXPECT_EQ(mechanism->redundant_rows().front(), "right.force_x");

    const auto dynamics = mechanism->make_dynamics();
    const State state = mechanism->initial_state();
    BilateralWorkspace workspace(*mechanism);
    VecX h(mechanism->velocity_count()), du(h.size()), lambda(mechanism->row_count());
    dynamics->set_position(0, state.q);
    dynamics->set_velocity(state.u);
    ASSERT_TRUE(workspace.update(*dynamics));
    dynamics->forces(h);
    dynamics->row_bias(workspace.rows.zeta);
    EXPECT_LT(workspace.solver.accelerations(workspace.M, h, workspace.rows.zeta, du, lambda), 1e-12);
    dynamics->set_accelerations(du, lambda);
    const ChannelProbe probe(*mechanism, *dynamics);
    EXPECT_NEAR(probe("left.force_y"), 5, 1e-12);
    EXPECT_NEAR(probe("right.force_y"), 5, 1e-12);
    EXPECT_LT(du.norm(), 1e-13);
  }
}

TEST(Redundancy, ContradictingRowsAreSeen) {
  MassMatrix M(MassStructure::dense(2));
  M.at(0, 0) = 2, M.at(1, 0) = 0.5, M.at(1, 1) = 1;
  ASSERT_TRUE(M.factor());
  BilateralSolver solver(2, 3);
  MatX W(2, 3);
  W << 1, 2, 0, 1, 2, 0;  // the second row is twice the first, the third moves nothing
  solver.factor(M, W);
  EXPECT_EQ(solver.rank(), 1);
  VecX lambda(3);
  EXPECT_LT(solver.solve(Vec3(1, 2, 0), lambda), 1e-14);
  // Unit columns tie, so the first row is the pivot and the second one must be twice it: 2.5 misses by 0.5.
  EXPECT_NEAR(solver.solve(Vec3(1, 2.5, 0), lambda), 0.5, 1e-13);
  EXPECT_EQ(solver.contradicting_row(), 1);
}

// Random G = W^T M^-1 W of every rank: the answer is the pseudo-inverse's.
TEST(Redundancy, EffortsAreThePseudoInverse) {
  RandomMechanism random(Space::kSpatial, 3);
  for (int draw = 0; draw < 300; ++draw) {
    SCOPED_TRACE(draw);
    const int n = random.integer(1, 8), m = random.integer(1, 10), rank = random.integer(0, std::min(n, m));
    const auto matrix = [&](int rows, int columns) {
      MatX result(rows, columns);
      for (Eigen::Index i = 0; i < result.size(); ++i) result.data()[i] = random.uniform(-1, 1);
      return result;
    };
    const MatX A = matrix(n, n);
    const MatX dense = A * A.transpose() + 0.5 * MatX::Identity(n, n);
    MassMatrix M(MassStructure::dense(n));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) M.at(i, j) = dense(i, j);
    }
    ASSERT_TRUE(M.factor());
    const MatX W = matrix(n, rank) * matrix(rank, m);
    BilateralSolver solver(n, m);
    solver.factor(M, W);
    ASSERT_EQ(solver.rank(), rank);
    MatX inverse_W(n, m);  // M^-1 W
    for (int column = 0; column < m; ++column) inverse_W.col(column) = least_squares(dense, W.col(column));
    const MatX G = W.transpose() * inverse_W;
    const VecX rhs = G * matrix(m, 1);
    VecX lambda(m), delta(n);
    EXPECT_LT(solver.solve(rhs, lambda), 1e-9);
    EXPECT_LT((G * lambda - rhs).norm(), 1e-10 * (1 + rhs.norm()));
    if (rank == std::min(n, m) && rank == m) {
      EXPECT_LT((lambda - solve_dense(G, rhs)).norm(), 1e-7 * (1 + lambda.norm()));
    }
    // Minimum norm: nothing of lambda lies in the null space of W.
    EXPECT_LT((lambda - least_squares(W, W * lambda)).norm(), 1e-9 * (1 + lambda.norm()));
    solver.displacement(M, rhs, delta);
    EXPECT_LT((W.transpose() * delta - rhs).norm(), 1e-10 * (1 + rhs.norm()));
  }
}

}  // namespace
}  // namespace freeplay::test
