// Many joints that are constraints: the sparse solver against the dense one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "freeplay/core/error.h"
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
void add_twin(MechanismSpec& spec) {
  JointSpec twin = spec.joints[7];
  twin.name = "twin";
  spec.joints.push_back(twin);
}

TEST_P(SparseRows, RedundantRowsAreNamedAndShareTheirEfforts) {
  add_twin(rows_);
  const auto mechanism = Mechanism::build(rows_);
  ASSERT_TRUE(SparseBilateral::serves(*mechanism));
  const int added = GetParam() == Space::kPlanar ? 2 : 5;
  EXPECT_EQ(mechanism->row_rank(), mechanism->row_count() - added);
  ASSERT_EQ(mechanism->redundant_rows().size(), static_cast<std::size_t>(added));
  for (const std::string& row : mechanism->redundant_rows()) EXPECT_EQ(row.substr(0, 5), "twin.");

  const auto dynamics = mechanism->make_dynamics();
  const int n = mechanism->velocity_count(), m = mechanism->row_count();
  dynamics->set_position(0, mechanism->initial_state().q);
  dynamics->set_velocity(random_.velocities(*mechanism, 1));
  BilateralWorkspace workspace(*mechanism);
  ASSERT_TRUE(workspace.update(*dynamics));
  EXPECT_TRUE(workspace.is_sparse());
  EXPECT_EQ(workspace.rank(), mechanism->row_rank());
  VecX h(n), zeta(m), du(n), lambda(m), du_dense(n), lambda_dense(m);
  dynamics->forces(h);
  dynamics->row_bias(zeta);
  EXPECT_LT(workspace.accelerations(h, zeta, du, lambda), 1e-8 * zeta.cwiseAbs().maxCoeff());
  BilateralRows rows;
  rows.resize(n, m);
  dynamics->row_jacobian(rows);
  BilateralSolver dense(n, m);
  dense.factor(workspace.M, rows.W);
  dense.accelerations(workspace.M, h, zeta, du_dense, lambda_dense);
  EXPECT_LT((du - du_dense).norm(), 1e-8 * du_dense.norm());
  EXPECT_LT((lambda - lambda_dense).norm(), 1e-8 * lambda_dense.norm());

  zeta[m - 1] += 1;  // of the twin alone
  EXPECT_GT(workspace.accelerations(h, zeta, du, lambda), 0.1);
  EXPECT_GE(workspace.contradicting_row(), 0);
}

TEST_P(SparseRows, RedundantRowsStayRedundantWhereLoopsHaveOpened) {
  add_twin(rows_);
  const auto mechanism = Mechanism::build(rows_);
  BilateralWorkspace workspace(*mechanism);
  const auto dynamics = mechanism->make_dynamics();
  State state = mechanism->initial_state();
  ASSERT_EQ(workspace.project(*dynamics, state).status, StepStatus::kOk);
  dynamics->displace(state.q, random_.velocities(*mechanism, 1e-5));
  dynamics->set_position(0, state.q);
  ASSERT_TRUE(workspace.update(*dynamics));
  EXPECT_TRUE(workspace.is_sparse());
  EXPECT_EQ(workspace.rank(), mechanism->row_rank());
  const ProjectionReport report = workspace.project(*dynamics, state);
  EXPECT_EQ(report.status, StepStatus::kOk);
  EXPECT_LT(report.position_residual, 1e-12);
  EXPECT_TRUE(workspace.is_sparse());
  EXPECT_EQ(workspace.rank(), mechanism->row_rank());
}

// A second pin a micrometre beside the first one: one row says nothing new, the other one that the two links do not
// turn against each other. Elimination leaves 1e-12 of its diagonal, which is no rounding.
TEST(SparseRowsInDoubt, RowsThatHardlyDifferAreIndependentAllTheSame) {
  RandomMechanism random(Space::kPlanar, 5);
  const MechanismSpec tree_spec = chain(Space::kPlanar, random);
  const auto tree = Mechanism::build(tree_spec);
  MechanismSpec spec = as_rows(tree_spec, *tree, random.state(*tree));
  JointSpec twin = spec.joints[7];
  twin.name = "twin";
  const auto shift = [&](Vec3& at, const std::string& body) {
    for (const BodySpec& b : spec.bodies) {
      if (b.name == body) at += 1e-6 * Vec3(std::cos(*b.initial.angle), -std::sin(*b.initial.angle), 0);
    }
  };
  shift(twin.at_parent_m, twin.parent);
  shift(twin.at_child_m, twin.child);
  spec.joints.push_back(twin);
  const auto mechanism = Mechanism::build(spec);
  EXPECT_EQ(mechanism->row_rank(), mechanism->row_count() - 1);
  const auto dynamics = mechanism->make_dynamics();
  dynamics->set_position(0, mechanism->initial_state().q);
  dynamics->set_velocity(VecX::Zero(mechanism->velocity_count()));
  BilateralWorkspace workspace(*mechanism);
  ASSERT_TRUE(workspace.update(*dynamics));
  ASSERT_TRUE(workspace.is_sparse());
  const int n = mechanism->velocity_count(), m = mechanism->row_count();
  VecX h(n), zeta = VecX::Zero(m), du(n), lambda(m), du_dense(n), lambda_dense(m);
  dynamics->forces(h);
  workspace.accelerations(h, zeta, du, lambda);
  BilateralRows rows;
  rows.resize(n, m);
  dynamics->row_jacobian(rows);
  BilateralSolver dense(n, m);
  dense.factor(workspace.M, rows.W);
  dense.accelerations(workspace.M, h, zeta, du_dense, lambda_dense);
  EXPECT_LT((du - du_dense).norm(), 1e-6 * du_dense.norm());
}

// Links at angles that do not repeat, in a ring that closes but for the rounding of 17 digits: 5e-14 m.
TEST(LongChains, OfConstraintsAreBuiltAndKnowTheirRank) {
  for (const int links : {504, 1000}) {
    MechanismSpec spec;
    spec.space = Space::kPlanar;
    const double pi = 3.14159265358979, radius_m = 0.01 * links / (2 * pi), half_m = radius_m * std::sin(pi / links);
    for (int i = 0; i < links; ++i) {
      BodySpec body;
      body.name = fmt::format("b{}", i);
      body.mass_kg = 0.012;
      body.inertia_kg_m2 = 1e-7 * Mat3::Identity();
      const double angle = 2 * pi * i / links, out_m = radius_m * std::cos(pi / links) + 5e-14 * std::sin(7.0 * i);
      body.initial.position_m = {out_m * std::cos(angle), out_m * std::sin(angle), std::nullopt};
      body.initial.angle = std::remainder(angle + pi / 2, 2 * pi);
      spec.bodies.push_back(body);
      JointSpec joint;
      joint.name = fmt::format("j{}", i);
      joint.type = "revolute";
      joint.parent = body.name;
      joint.child = fmt::format("b{}", (i + 1) % links);
      joint.at_parent_m = {half_m, 0, 0};
      joint.at_child_m = {-half_m, 0, 0};
      joint.as_constraint = true;
      spec.joints.push_back(joint);
    }
    EXPECT_EQ(Mechanism::build(spec)->row_rank(), 2 * links);
    spec.joints.push_back(spec.joints[5]);
    spec.joints.back().name = "twin";
    const auto with_twin = Mechanism::build(spec);
    EXPECT_EQ(with_twin->row_rank(), 2 * links);
    EXPECT_THAT(with_twin->redundant_rows(), testing::ElementsAre("twin.force_x", "twin.force_y"));
  }
}

TEST_P(SparseRows, ValuesRoundedByHandAreMovedALittleAndOthersAreRefused) {
  const auto mechanism = Mechanism::build(rows_);
  BodySpec& body = rows_.bodies[20];
  *body.initial.position_m[0] += 1e-6;
  const auto moved = Mechanism::build(rows_);
  ASSERT_EQ(moved->assembly_notes().size(), 1u);
  EXPECT_THAT(moved->assembly_notes().front(), testing::StartsWith("initial positions moved by up to "));
  EXPECT_LT((moved->initial_state().q - mechanism->initial_state().q).cwiseAbs().maxCoeff(), 1e-5);
  *body.initial.position_m[0] += 0.1;
  EXPECT_THAT([&] { Mechanism::build(rows_); },
              testing::ThrowsMessage<freeplay::core::ModelError>(testing::HasSubstr("cannot be assembled")));
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
