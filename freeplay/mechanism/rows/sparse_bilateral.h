// Bilateral rows of a system of many trees, each row kept to the trees that it acts on, and W^T M^-1 W in blocks of the
// rows of one joint: a chain of joints that are constraints costs what it has links. Which rows follow from others is
// asked in every position. Elimination leaves little of those that do, and of the last ones of a long chain:
// DoubtfulRows looks at these few. Where they are many, BilateralSolver takes over.
#pragma once

#include <vector>

#include "freeplay/math/sparse_block_lu.h"
#include "freeplay/mechanism/rows/doubtful_rows.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::mechanism {

class SparseBilateral {
 public:
  // Whether the system has so many trees and rows, and so few couplings, that this pays.
  static bool serves(const System& system);
  explicit SparseBilateral(const System& system);

  // Rows at the position set; w_tilde is written.
  void write_rows(Dynamics& dynamics, VecX& w_tilde);
  // W^T M^-1 W of these rows. M must be factored. False where too many rows may follow from others. `opening`,
  // `closed_rank`: as BilateralSolver judges rows by them.
  [[nodiscard]] bool factor(const MassMatrix& M, double opening, int closed_rank);

  int row_count() const { return static_cast<int>(rows_.size()); }
  int velocity_count() const { return velocities_; }
  double longest_row() const { return longest_; }  // of L^-T W
  int rank() const { return row_count() - doubtful_.redundant_count(); }
  std::vector<int> redundant_rows() const { return doubtful_.redundant_rows(); }

  // out = W^T u.
  void velocities(const ConstVecRef& u, VecRef out) const;
  // With B = L^-T W: out = B^T x, and sum += B lambda.
  void half_velocities(const ConstVecRef& x, VecRef out) const;
  void add_half_response(const ConstVecRef& lambda, VecRef sum) const;
  // lambda <- (W^T M^-1 W)^-1 lambda, with 0 for rows that are doubtful.
  void solve_in_place(VecRef lambda) const { G_.solve_in_place(lambda.data()); }
  // The same of all rows, of minimum norm where some are redundant. Returns the largest contradiction in these, 0 at
  // positions that are not closed; contradicting_row() is the one behind it.
  double solve_all_in_place(VecRef lambda);
  int contradicting_row() const { return contradicting_row_; }  // -1 if there was none

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

  bool is_closed_ = true;
  int velocities_ = 0, contradicting_row_ = -1;
  double longest_ = 0;
  DoubtfulRows doubtful_;
  std::vector<Row> rows_;
  std::vector<double> W_, B_;
  std::vector<int> group_begin_;  // rows of one joint; and the number of rows
  std::vector<Coupling> couplings_;
  SparseBlockLu G_;
};

}  // namespace freeplay::mechanism
