// The linear system of one semismooth Newton step, and who solves it: plain elimination where it is small, which
// allocates nothing; where it is large, elimination contact by contact (block_elimination.h), or Eigen's factorisations
// where the couplings are dense or that elimination loses its digits.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/complementarity/iterative/grouped_problem.h"

namespace freeplay::complementarity {

// Generalised derivative of  F(z) = z - prox_C(z - v),  v = (H + alpha) z + ...,  contact by contact:
//
//   dF = (I - A - B) dz + A (H + alpha) dz
//
// A: derivative of prox in its argument; B: that in z_N directly, where the bounds are taken at z_N (natural map).
// Column major, rows and columns of the contact. A = 0 says that the contact is open: then dz is known beforehand.
struct ProxDerivative {
  double A[GroupedProblem::kMaxContactRows * GroupedProblem::kMaxContactRows];
  double B[GroupedProblem::kMaxContactRows];  // first column; all others are zero
  bool is_open = false;
};

class NewtonSystem {
 public:
  NewtonSystem();
  ~NewtonSystem();

  void reserve(int rows);
  // dF dz = -F. False where a pivot is zero or dz is not finite.
  bool solve(const GroupedProblem& problem, const std::vector<ProxDerivative>& derivative, double alpha,
             const ConstVecRef& F, VecRef dz);

 private:
  struct LargeSolver;

  void number_unknowns(const GroupedProblem& problem, const std::vector<ProxDerivative>& derivative);
  // take(row, column, rows, columns, block of H in the same place, values) for each block of the matrix of the closed
  // contacts; also fills the right-hand side.
  template <class Take>
  void assemble(const GroupedProblem& problem, const std::vector<ProxDerivative>& derivative, double alpha,
                const ConstVecRef& F, const ConstVecRef& dz, Take&& take);
  bool eliminate();
  bool eliminate_contacts(const GroupedProblem& problem);
  void assemble_sparse(const GroupedProblem& problem);

  int unknowns_ = 0;
  std::size_t entries_ = 0;
  std::vector<int> position_;    // of a contact's first row among the unknowns, or -1 if it is open
  std::vector<double> K_, rhs_;  // column major; K_ only of small systems
  std::unique_ptr<LargeSolver> large_;
};

}  // namespace freeplay::complementarity
