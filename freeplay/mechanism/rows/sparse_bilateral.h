// Bilateral rows of a system of many trees, each row kept to the trees that it acts on, and W^T M^-1 W in blocks of the
// rows of one joint: a chain of joints that are constraints costs what it has links. For rows that are independent;
// whether they are is asked in every position, and where the answer is not clear, BilateralSolver takes over.
#pragma once

#include <vector>

#include "freeplay/math/sparse_block_lu.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::mechanism {

class SparseBilateral {
 public:
  // Whether the system has so many trees and rows, and so few couplings, that this pays.
  static bool serves(const System& system);
  explicit SparseBilateral(const System& system);

  // Rows at the position set; w_tilde is written. M must be factored. False where a row may follow from others.
  [[nodiscard]] bool update(Dynamics& dynamics, const MassMatrix& M, VecX& w_tilde);

  // out = W^T u.
  void velocities(const ConstVecRef& u, VecRef out) const;
  // With B = L^-T W: out = B^T x, and sum += B lambda.
  void half_velocities(const ConstVecRef& x, VecRef out) const;
  void add_half_response(const ConstVecRef& lambda, VecRef sum) const;
  // lambda <- (W^T M^-1 W)^-1 lambda.
  void solve_in_place(VecRef lambda) const { G_.solve_in_place(lambda.data()); }

 private:
  struct Row {
    std::array<RowPart, 2> parts;
    std::size_t begin = 0;  // of its values
    int group = 0, in_group = 0;
  };
  struct Coupling {
    int first = 0, second = 0;  // groups
    std::size_t place = 0, mirrored = 0;
  };
  void find_rows(const System& system);
  void find_couplings(const MassStructure& structure);
  double product(const Row& a, const Row& b) const;
  void half_solve(const MassMatrix& M);
  void write_matrix();

  std::vector<Row> rows_;
  std::vector<double> W_, B_;
  std::vector<int> group_begin_;  // rows of one joint; and the number of rows
  std::vector<Coupling> couplings_;
  SparseBlockLu G_;
};

}  // namespace freeplay::mechanism
