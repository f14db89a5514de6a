#include "freeplay/math/normal_equations.h"

#include <gtest/gtest.h>

#include <random>

#include "freeplay/math/least_squares.h"

namespace freeplay::test::normal_equations_test {
namespace {

// Each row acts on four columns in a row; the last `empty` columns are not seen by any.
MatX banded(Eigen::Index rows, Eigen::Index columns, Eigen::Index empty) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> number(-1, 1);
  MatX A = MatX::Zero(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index k = 0; k < 4; ++k) A(i, i * (columns - empty - 4) / rows + k) = number(generator);
  }
  return A;
}

TEST(NormalEquations, OfManyAreThoseOfTheDenseMatrix) {
  const MatX A = banded(400, 200, 0);
  const VecX right = VecX::LinSpaced(200, -1, 2);
  NormalEquations equations(A);
  ASSERT_TRUE(equations.is_sparse());
  for (const double damping : {1e-2, 1e-6, 1.0}) {
    MatX square = A.transpose() * A;
    square.diagonal().array() += damping;
    const VecX x = equations.solve(right, damping);
    EXPECT_LT((square * x - right).norm(), 1e-11 * (square.norm() * x.norm())) << damping;
  }
  EXPECT_FALSE(NormalEquations(MatX::Ones(200, 200)).is_sparse());
  EXPECT_FALSE(NormalEquations(banded(40, 20, 0)).is_sparse());
}

// More equations than unknowns, and fewer; unknowns that no equation has stay zero.
TEST(LeastSquaresOfMany, AreThoseOfTheDenseMatrix) {
  for (const Eigen::Index rows : {150, 400}) {
    const MatX A = banded(rows, 250, 10);
    const VecX b = VecX::LinSpaced(rows, -1, 2), x = least_squares(A, b);
    ASSERT_TRUE(NormalEquations(A).is_sparse());
    const VecX of_many = least_squares_of_many(A, b);
    EXPECT_LT((of_many - x).norm(), 1e-8 * x.norm()) << rows;
    EXPECT_EQ(of_many.tail(10).norm(), 0);
  }
}

TEST(LeastSquaresOfMany, OfFewAreTheSame) {
  const MatX A = banded(30, 20, 2);
  const VecX b = VecX::LinSpaced(30, -1, 2);
  EXPECT_EQ(least_squares_of_many(A, b), least_squares(A, b));
}

}  // namespace
}  // namespace freeplay::test::normal_equations_test
