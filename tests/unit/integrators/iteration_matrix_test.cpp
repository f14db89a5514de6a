#include "freeplay/integrators/moreau/iteration_matrix.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "freeplay/mechanism/dynamics/force_couplings.h"
#include "freeplay/mechanism/mechanism.h"
#include "support/linear_algebra.h"

namespace freeplay::test::iteration_matrix_test {
namespace {

// Free bodies in a ring, each joined to the next by a spring.
std::shared_ptr<const Mechanism> ring_of_springs(int bodies) {
  MechanismSpec spec;
  for (int i = 0; i < bodies; ++i) {
    BodySpec body;
    body.name = fmt::format("b{}", i);
    body.mass_kg = 1;
    body.inertia_kg_m2 = Mat3::Identity();
    body.initial.position_m = {static_cast<double>(i), 0.0, std::nullopt};
    spec.bodies.push_back(body);
    SpringSpec spring;
    spring.name = fmt::format("s{}", i);
    spring.parent = body.name;
    spring.child = fmt::format("b{}", (i + 1) % bodies);
    spring.stiffness_N_m = 1;
    spec.springs.push_back(spring);
  }
  return Mechanism::build(spec);
}

// Accelerations that are linear in the velocities of a body and of its neighbours: P^-1 is known.
TEST(IterationMatrix, OfManyTreesIsTheFullOneInAFewEvaluations) {
  constexpr int kBodies = 20;
  constexpr double kScale = 0.3;
  const auto mechanism = ring_of_springs(kBodies);
  const auto couplings = force_couplings(*mechanism);
  ASSERT_TRUE(couplings.has_value());
  EXPECT_EQ(couplings->size(), static_cast<std::size_t>(kBodies));
  const int n = mechanism->velocity_count();
  MatX A = MatX::Zero(n, n);
  const auto fill = [&](int i, int j) {
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c)
        A(3 * i + r, 3 * j + c) = std::sin(1.7 * (3 * i + r) + 0.9 * (3 * j + c)) - (i == j && r == c ? 3 : 0);
    }
  };
  for (int i = 0; i < kBodies; ++i) fill(i, i);
  for (const auto& [i, j] : *couplings) fill(i, j), fill(j, i);

  IterationMatrix P(*mechanism);
  ASSERT_TRUE(P.is_sparse());
  EXPECT_TRUE(P.is_identity());
  VecX u(n), x(n);
  for (int i = 0; i < n; ++i) u[i] = std::cos(0.3 * i), x[i] = std::sin(2.1 * i + 1);
  const VecX u_before = u, a = A * u;
  int evaluations = 0;
  P.differentiate(
      [&](const VecX& at, VecX& acceleration) {
        acceleration = A * at;
        ++evaluations;
      },
      u, a, 1e-3, kScale);
  EXPECT_LE(evaluations, 5 * 3) << "bodies that have no neighbour in common are moved together";
  EXPECT_EQ(u, u_before);
  const VecX expected = solve_dense(MatX::Identity(n, n) - kScale * A, x);
  VecX found = x;
  P.solve_in_place(found);
  EXPECT_LT((found - expected).norm(), 1e-10 * expected.norm());

  EXPECT_NEAR(P.largest_row_sum(), A.cwiseAbs().rowwise().sum().maxCoeff(), 1e-9 * A.norm());

  // Through a state, and with another step.
  std::vector<double> method = {1, 2};
  P.write(method, 2);
  IterationMatrix other(*mechanism);
  other.read(method, 2);
  VecX again = x;
  other.solve_in_place(again);
  EXPECT_EQ(again, found);
  other.rescale(2 * kScale);
  other.solve_in_place(again = x);
  EXPECT_LT((again - solve_dense(MatX::Identity(n, n) - 2 * kScale * A, x)).norm(), 1e-10 * again.norm());
}

TEST(IterationMatrix, OfFewTreesIsFull) {
  EXPECT_FALSE(IterationMatrix(*ring_of_springs(4)).is_sparse());
}

}  // namespace
}  // namespace freeplay::test::iteration_matrix_test
