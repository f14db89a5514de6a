// Deep trees, whose mass matrix is not written down and whose reference point moves along: against the matrix with its
// entries, and against the articulated-body recursion.
#include <gtest/gtest.h>

#include "random_mechanism.h"
#include "support/linear_algebra.h"

namespace freeplay::test::deep_tree_test {
namespace {

constexpr int kDrawsOfTree = 40, kBodies = 60;

// A long branch with some shorter ones on it.
MechanismSpec deep_tree(RandomMechanism& random) {
  MechanismSpec spec = random.tree(kBodies);
  for (int i = 1; i < kBodies; ++i) {
    JointSpec& joint = spec.joints[static_cast<std::size_t>(i)];
    if (i % 12 != 0 || joint.parent == "ground") joint.parent = fmt::format("b{}", i);
  }
  return spec;
}

class DeepTree : public testing::TestWithParam<Space> {
 protected:
  template <class Check>
  void for_each_tree(Check check) {
    for (int draw = 0; draw < kDrawsOfTree; ++draw) {
      SCOPED_TRACE(draw);
      RandomMechanism random(GetParam(), 77 + static_cast<std::uint64_t>(draw));
      const auto mechanism = Mechanism::build(deep_tree(random));
      ASSERT_NE(mechanism->mass_structure().deep, DeepTrees::kNone);
      const State state = random.state(*mechanism);
      const auto dynamics = mechanism->make_dynamics();
      dynamics->set_position(0, state.q);
      dynamics->set_velocity(state.u);
      check(random, *mechanism, *dynamics);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_P(DeepTree, HasTheMassMatrixOfItsEntries) {
  for_each_tree([](RandomMechanism& random, const Mechanism& mechanism, Dynamics& dynamics) {
    MassMatrix M(mechanism.mass_structure()), entries(mechanism.mass_structure().with_entries());
    dynamics.mass_matrix(M);
    dynamics.mass_matrix(entries);
    const MatX dense = entries.to_dense();
    const double size = dense.cwiseAbs().maxCoeff();
    EXPECT_LT((M.to_dense() - dense).cwiseAbs().maxCoeff(), 1e-13 * size);
    const VecX x = random.velocities(mechanism, 1);
    VecX y(x.size());
    M.multiply(x, y);
    EXPECT_LT((y - dense * x).cwiseAbs().maxCoeff(), 1e-12 * size);
  });
}

// The factor is the same as that of the entries, entry by entry: M = L^T L has one with a positive diagonal.
TEST_P(DeepTree, SolvesWithTheFactorOfItsEntries) {
  for_each_tree([](RandomMechanism& random, const Mechanism& mechanism, Dynamics& dynamics) {
    MassMatrix M(mechanism.mass_structure()), entries(mechanism.mass_structure().with_entries());
    dynamics.mass_matrix(M);
    dynamics.mass_matrix(entries);
    const MatX dense = entries.to_dense();
    ASSERT_TRUE(M.factor());
    ASSERT_TRUE(entries.factor());
    const VecX x = random.velocities(mechanism, 1);
    VecX half = x, half_of_entries = x, whole = x;
    M.half_solve_in_place(half);
    entries.half_solve_in_place(half_of_entries);
    EXPECT_LT((half - half_of_entries).norm(), 1e-7 * half_of_entries.norm());
    M.solve_in_place(whole);
    // By what is left of the equation: the forward error of the entries is that of a matrix of condition 1e6 and more.
    EXPECT_LT((dense * whole - x).norm(), 1e-9 * x.norm());
    M.finish_solve_in_place(half);
    EXPECT_EQ(half, whole);
  });
}

// Also rows that act on one body only: the velocities behind it take no part.
TEST_P(DeepTree, AHalfSolveOfAUnitEffortIsAColumnOfTheInverse) {
  for_each_tree([](RandomMechanism&, const Mechanism& mechanism, Dynamics& dynamics) {
    MassMatrix M(mechanism.mass_structure());
    dynamics.mass_matrix(M);
    ASSERT_TRUE(M.factor());
    const int n = M.size();
    VecX a = VecX::Unit(n, n / 3), b = VecX::Unit(n, n - 1 - n / 4);
    VecX inverse_b = b, half_a = a, half_b = b;
    M.solve_in_place(inverse_b);
    M.half_solve_in_place(half_a);
    M.half_solve_in_place(half_b);
    EXPECT_NEAR(half_a.dot(half_b), a.dot(inverse_b), 1e-9 * half_a.norm() * half_b.norm());
  });
}

TEST_P(DeepTree, ForcesAndAccelerationsFitTogether) {
  for_each_tree([](RandomMechanism&, const Mechanism& mechanism, Dynamics& dynamics) {
    VecX du(mechanism.velocity_count()), h(mechanism.velocity_count()), Mdu(mechanism.velocity_count());
    MassMatrix M(mechanism.mass_structure());
    ASSERT_TRUE(dynamics.free_accelerations(du));
    dynamics.forces(h);
    dynamics.mass_matrix(M);
    M.multiply(du, Mdu);
    EXPECT_LT((Mdu - h).norm(), 1e-9 * (h.norm() + Mdu.norm()));
  });
}

INSTANTIATE_TEST_SUITE_P(Spaces, DeepTree, testing::Values(Space::kPlanar, Space::kSpatial),
                         [](const auto& space) { return space.param == Space::kPlanar ? "Planar" : "Spatial"; });

}  // namespace
}  // namespace freeplay::test::deep_tree_test
