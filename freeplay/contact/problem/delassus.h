// G = W^T M^-1 W, Delassus' operator: what unit impulses in some rows do to the velocities of all rows. Dense where few
// trees couple everything with everything, otherwise in blocks: two contacts couple only where they share a tree. Of
// very many contacts it is not formed at all: its factors, row by row, are enough for solvers that sweep over them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/complementarity/problem/local_operator.h"
#include "freeplay/complementarity/problem/row_factors.h"
#include "freeplay/contact/problem/row_store.h"

namespace freeplay::contact {

class Delassus {
 public:
  // `structure` must outlive this.
  explicit Delassus(const MassStructure& structure);
  void reserve(int rows);
  bool is_sparse() const { return is_sparse_; }  // after assemble()
  // The same for open_response(), whose columns are whole.
  void reserve_response(int rows);

  // Of the rows of W. M must be factored (M = L^T L): with B = L^-T W, G = B^T B is symmetric to the last bit.
  // block_begin: the first row of each contact, or of a row that is alone, and at the end the number of rows.
  void assemble(const MassMatrix& M, const RowStore& W, std::span<const int> block_begin);
  // The same without a matrix: view() then has the rows of B alone. first_row: of each contact.
  void assemble_factors(const MassMatrix& M, const RowStore& W, std::span<const int> first_row);
  // The velocities that impulses cause, after assemble(): du = M^-1 W Lambda.
  void respond(const MassMatrix& M, const ConstVecRef& Lambda, VecRef du) const;

  // For rules whose velocities respond through another matrix Mhat than M: open_response() holds W, whole columns; turn
  // them into Mhat^-1 W; close_response() makes G = W^T Mhat^-1 W of them, unsymmetric in general.
  Eigen::Ref<MatX> open_response(const RowStore& W);
  void close_response(const RowStore& W);
  void respond(const ConstVecRef& Lambda, VecRef du) const;

  // G of what was assembled last; valid until the next time.
  LocalOperator view() const;
  // Lambda^T G Lambda.
  double energy(const ConstVecRef& Lambda) const;
  // G_ii
  double diagonal(int row) const;

 private:
  void assemble_blocks(std::span<const int> block_begin);
  void assemble_dense();
  void add_factor(const MassMatrix& M, const RowStore& W, int row);
  bool add_factors_of_free_bodies(const MassMatrix& M, const RowStore& W, int first);
  void invert_diagonals(const MassMatrix& M);
  std::array<RowFactors::Part, 2> parts_of(const RowStore& W, int row) const;

  // The part of a row at a tree, and the one before it there, -1 if there is none.
  struct PartAtTree {
    const double* values;
    int row, before;
  };

  const MassStructure& structure_;
  bool is_sparse_;  // for which form G has after assemble()
  enum class Form : std::uint8_t { kDense, kBlocks, kFactors };
  Form form_ = Form::kDense;  // of what was assembled last
  int count_ = 0;
  RowStore B_;  // L^-T W
  RowFactors factors_;
  std::vector<double> inverse_;    // of the diagonal of L, per velocity of a free body; else 0
  std::vector<char> is_diagonal_;  // per tree: a free body with nothing beside that diagonal
  bool all_are_diagonal_ = false;
  MatX response_, dense_;
  std::vector<PartAtTree> parts_at_tree_;
  std::vector<int> last_at_tree_;  // into these, per tree
  BlockSparseMatrix blocks_;
  // The blocks at each tree, one tree after the other.
  std::vector<int> tree_begin_, blocks_at_tree_, neighbours_;
};

}  // namespace freeplay::contact
