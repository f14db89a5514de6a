// Small contact problems for the tests of files and of the command.
#pragma once

#include <initializer_list>

#include "freeplay/io/problem/contact_problem.h"

namespace freeplay::test::contact_test {

// Every entry is kept, zeros too.
inline CompressedColumns columns_of(const MatX& matrix) {
  CompressedColumns result;
  result.rows = static_cast<int>(matrix.rows());
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      result.row.push_back(static_cast<int>(i));
      result.value.push_back(matrix(i, j));
    }
    result.begin.push_back(static_cast<int>(result.row.size()));
  }
  return result;
}

inline ContactProblem problem_of(int dimension, const MatX& W, std::vector<double> q, std::vector<double> mu) {
  ContactProblem problem;
  problem.dimension = dimension;
  problem.W = columns_of(W);
  problem.q = std::move(q);
  problem.mu = std::move(mu);
  return problem;
}

// Three contacts of bodies of mass 1/2, mu = 0.5: one leaves, one sticks (r = 0.5, -0.1), one slides (r = 1, -0.5, and
// u_T = 3 - 2 * 0.5 = 2).
inline ContactProblem open_stick_slip() {
  return problem_of(2, 2 * MatX::Identity(6, 6), {1, 4, -1, 0.2, -2, 3}, {0.5, 0.5, 0.5});
}

// Approaches, and no impulse moves it: there is no solution.
inline ContactProblem unsolvable() {
  return problem_of(2, MatX::Zero(2, 2), {-1, 0}, {0.3});
}

// A contact in space that slides along (3, 4) with speed 5: r = (1, -0.3, -0.4), u_T = (2.7, 3.6).
inline ContactProblem sliding_in_space() {
  return problem_of(3, MatX::Identity(3, 3), {-1, 3, 4}, {0.5});
}

// The same contact in the plane on two bodies that a bilateral row ties together: lambda = -1/2 (s + V^T r).
inline ContactProblem with_bilateral_row() {
  ContactProblem problem = problem_of(2, 2 * MatX::Identity(2, 2), {-1, 0.5}, {0.5});
  problem.V = columns_of((MatX(2, 1) << 1, 0).finished());
  problem.R = columns_of((MatX(1, 1) << 2).finished());
  problem.s = {0.25};
  return problem;
}

}  // namespace freeplay::test::contact_test
