// Lemke's complementary pivoting:  y = A x + b + d z0,  0 <= x _|_ y >= 0,  z0 from a large value down to 0.
// Finds a basis; who wants digits solves for the basic variables from A itself.
//
// Hardened against degeneracy, which is the rule in planar contact (equal tangents of a flat face): lexicographic ratio
// test from the first pivot on, z0 leaves as soon as it can, and the tableau can be recomputed from A every few pivots.
#pragma once

#include <span>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::complementarity {

class LemkeTableau {
 public:
  enum class Cover { kOnes, kVelocities, kSpread };
  struct Options {
    Cover cover = Cover::kOnes;
    int variant = 0;        // of kSpread
    int refresh_every = 0;  // pivots between recomputations of the tableau; 0: never
    int velocity_rows = 0;  // kVelocities: only these, the first rows, have d = 1
  };

  void reserve(int unknowns);
  // A: m x m row major. True if z0 left the basis; false on a ray or after too many pivots. Allocates nothing.
  bool run(std::span<const double> A, std::span<const double> b, const Options& options);

  int pivots() const { return pivots_; }
  // Of the last run, successful or not: which x_j are basic, and the values of x.
  std::span<const char> is_basic() const { return is_basic_; }
  std::span<const double> x() const { return x_; }

 private:
  void start(const Options& options);
  void pivot(int row, int column);
  bool refresh();
  bool choose_row(int column, int& chosen) const;
  double inverse_entry(int row, int k) const;
  void read_solution();

  int m_ = 0, width_ = 0;  // width: m + 1 nonbasic columns and the right-hand side
  int pivots_ = 0;
  double b_scale_ = 1;
  const double* A_ = nullptr;
  const double* b_ = nullptr;
  std::vector<double> T_;                // m x width, row major:  v_B = q - T v_N
  std::vector<double> d_;                // covering vector
  std::vector<int> basic_, nonbasic_;    // variable of a row, of a column; y_j = j, x_j = m + j, z0 = 2 m
  std::vector<int> row_of_, column_of_;  // or -1
  std::vector<double> basis_;            // scratch of refresh(): the basis and what stands beside it
  std::vector<char> is_basic_;
  std::vector<double> x_;
};

}  // namespace freeplay::complementarity
