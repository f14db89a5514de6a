// Few contacts among many joints that are constraints, as in a chain on its pulleys: the bilateral rows are eliminated
// once, by a sparse factorisation, and what remains is a small problem of the contacts alone.
//
//   xi_f = 0:   Lambda_f = -G_ff^-1 (c_f + G_fc Lambda_c)
//   G' = G_cc - G_cf G_ff^-1 G_fc,   c' = c_c - G_cf G_ff^-1 c_f
//
// The alternative, Newton's method on all rows, factorises as many rows in each of its iterations, and has to find out
// in each which contacts hold.
#pragma once

#include <utility>
#include <vector>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/math/sparse_block_lu.h"

namespace freeplay::complementarity {

class BilateralReduction {
 public:
  // Whether most rows are bilateral, and the others few enough for a dense G'.
  static bool takes(const LocalProblem& problem);

  // False where many bilateral rows depend on each other, or nearly so, and where too many of them are coupled for a
  // sparse factorisation. Rows that seem to follow from others are left out; whether they hold all the same is for the
  // certificate to say, and where they do, expand() shares the impulses by least norm. Allocates where couplings, or
  // the number of rows of either kind, differ from those of the problem before.
  [[nodiscard]] bool reduce(const LocalProblem& problem);
  // The contacts; a view of this object, good until the next reduce().
  LocalProblem reduced() const { return {G_, c_, blocks_}; }
  ImpulseGuess reduced(const ImpulseGuess& guess);
  // From the impulses of the contacts to all. `problem`: that was reduced.
  void expand(const LocalProblem& problem, const ConstVecRef& Lambda_c, VecRef Lambda);

 private:
  struct Place {
    bool is_free = false;
    int row = 0;     // among its kind
    int block = -1;  // of a free row
  };

  void number_rows(const LocalProblem& problem);
  [[nodiscard]] bool find_couplings(const LocalProblem& problem);
  void write_free_matrix(const LocalProblem& problem);
  void write_reduced(const LocalProblem& problem);
  void find_null_vectors(const LocalProblem& problem);

  std::vector<Place> places_;          // by row of the problem
  std::vector<int> free_rows_, rows_;  // of the problem, by number among the free ones and among the others
  std::vector<int> free_sizes_, first_free_;
  std::vector<std::pair<int, int>> couplings_, known_couplings_;
  std::vector<int> known_sizes_;
  math::SparseBlockLu G_ff_;
  MatX X_, G_;  // X = G_ff^-1 (G_fc, c_f)
  MatX N_;      // G_ff N = 0, columns of unit length across each other: one for each row left out
  VecX c_, guess_, correction_;
  std::vector<ImpulseBlock> blocks_;
};

}  // namespace freeplay::complementarity
