// Many joints that are constraints: the sparse solver against the dense one.
#include <gtest/gtest.h>

#include "freeplay/mechanism/rows/projection.h"
#include "random_mechanism.h"

namespace freeplay::test::sparse_bilateral_test {
namespace {

constexpr int kLinks = 40;

// A chain of links that hangs on the ground, each turned against the one before. `space`: with revolute joints about
// axes that are not parallel.
MechanismSpec chain(Space space, RandomMechanism& random) {
  MechanismSpec spec = random.tree(kLinks, true);
  for (int i = 0; i < kLinks; ++i) {
    JointSpec& joint = spec.joints[static_cast<std::size_t>(i)];
    joint.type = "revolute";
    joint.parent = i == 0 ? "ground" : fmt::format("b{}", i);
    if (space == Space::kPlanar) joint.axis.reset();
  }
  return spec;
}

MechanismSpec as_rows(MechanismSpec spec, const Mechanism& tree, const State& state) {
  const auto dynamics = tree.make_dynamics();
  const ChannelProbe probe(tree, *dynamics);
  dynamics->set_position(state.t, state.q);
  dynamics->set_velocity(state.u);
  const bool planar = spec.space == Space::kPlanar;
  for (BodySpec& body : spec.bodies) {
    for (std::size_t k = 0; k < (planar ? 2u : 3u); ++k)
      body.initial.position_m[k] = probe.position(body.name)[static_cast<int>(k)];
    if (planar)
      body.initial.angle = probe(body.name + ".angle");
    else
      body.initial.quaternion =
          Vec4(probe(body.name + ".e0"), probe(body.name + ".e1"), probe(body.name + ".e2"), probe(body.name + ".e3"));
  }
  for (JointSpec& joint : spec.joints) joint.as_constraint = true;
  return spec;
}

class SparseRows : public testing::TestWithParam<Space> {
 protected:
  void SetUp() override {
    const MechanismSpec spec = chain(GetParam(), random_);
    const auto tree = Mechanism::build(spec);
    State state = random_.state(*tree);
    rows_ = as_rows(spec, *tree, state);
  }

  RandomMechanism random_{GetParam(), 5};
  MechanismSpec rows_;
};

TEST_P(SparseRows, AccelerationsAreThoseOfTheDenseSolver) {
  const auto mechanism = Mechanism::build(rows_);
  ASSERT_TRUE(SparseBilateral::serves(*mechanism));
  EXPECT_EQ(mechanism->row_rank(), mechanism->row_count());
  const auto dynamics = mechanism->make_dynamics();
  const int n = mechanism->velocity_count(), m = mechanism->row_count();
  const State state = mechanism->initial_state();
  dynamics->set_position(0, state.q);
  dynamics->set_velocity(random_.velocities(*mechanism, 1));
  BilateralWorkspace workspace(*mechanism);
  ASSERT_TRUE(workspace.update(*dynamics));
  VecX h(n), du(n), lambda(m), du_dense(n), lambda_dense(m);
  dynamics->forces(h);
  dynamics->row_bias(workspace.rows.zeta);
  workspace.accelerations(h, workspace.rows.zeta, du, lambda);

  BilateralRows rows;
  rows.resize(n, m);
  dynamics->row_jacobian(rows);
  BilateralSolver dense(n, m);
  dense.factor(workspace.M, rows.W);
  dense.accelerations(workspace.M, h, workspace.rows.zeta, du_dense, lambda_dense);
  EXPECT_LT((du - du_dense).norm(), 1e-9 * du_dense.norm());
  EXPECT_LT((lambda - lambda_dense).norm(), 1e-9 * lambda_dense.norm());
  EXPECT_LT((rows.W.transpose() * du + workspace.rows.zeta).cwiseAbs().maxCoeff(), 1e-9 * du.cwiseAbs().maxCoeff());

  VecX gamma(m);
  const VecX u = random_.velocities(*mechanism, 1);
  workspace.row_velocities(u, gamma);
  EXPECT_LT((gamma - rows.W.transpose() * u).cwiseAbs().maxCoeff(), 1e-14 * n);
}

// A second pin in the place of the first one adds rows that say nothing new.
TEST_P(SparseRows, RedundantRowsGoToTheDenseSolver) {
  JointSpec twin = rows_.joints[7];
  twin.name = "twin";
  rows_.joints.push_back(twin);
  const auto mechanism = Mechanism::build(rows_);
  ASSERT_TRUE(SparseBilateral::serves(*mechanism));
  const int added = GetParam() == Space::kPlanar ? 2 : 5;
  EXPECT_EQ(mechanism->row_rank(), mechanism->row_count() - added);
  EXPECT_EQ(mechanism->redundant_rows().size(), static_cast<std::size_t>(added));
  BilateralWorkspace workspace(*mechanism);
  const auto dynamics = mechanism->make_dynamics();
  State state = mechanism->initial_state();
  const ProjectionReport report = workspace.project(*dynamics, state);
  EXPECT_EQ(report.status, StepStatus::kOk);
  EXPECT_EQ(workspace.rank(), mechanism->row_rank());
}

TEST_P(SparseRows, ProjectionClosesWhatHasOpened) {
  const auto mechanism = Mechanism::build(rows_);
  const auto dynamics = mechanism->make_dynamics();
  State state = mechanism->initial_state();
  dynamics->displace(state.q, random_.velocities(*mechanism, 1e-4));
  state.u = random_.velocities(*mechanism, 1);
  BilateralWorkspace workspace(*mechanism);
  const ProjectionReport report = workspace.project(*dynamics, state);
  EXPECT_EQ(report.status, StepStatus::kOk);
  EXPECT_LT(report.position_residual, 1e-12);
  EXPECT_LT(report.velocity_residual, 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Spaces, SparseRows, testing::Values(Space::kPlanar, Space::kSpatial),
                         [](const auto& space) { return space.param == Space::kPlanar ? "Planar" : "Spatial"; });

}  // namespace
}  // namespace freeplay::test::sparse_bilateral_test
