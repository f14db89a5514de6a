// A LocalProblem in the form that the direct solvers work on: one record per row, impulses scaled against velocities.
//
//   H = D G D,  h = D c,  Lambda = D Lambda~,  xi~ = D xi,   D = diag(2^-k) with 2^2k ~ |G_ii|_2 of the row's contact
//
// In these variables (both in the square root of an energy) H has entries of about 1 and the bounds keep their form. D
// is made of powers of two, so that scaling commits no rounding error: the scaled problem is the original one.
#pragma once

#include <cstdint>
#include <vector>

#include "freeplay/complementarity/problem/contact_groups.h"
#include "freeplay/complementarity/problem/local_problem.h"

namespace freeplay::complementarity {

enum class RowKind : std::uint8_t {
  kFree,         // also an interval without any bound
  kNonNegative,  //
  kFixed,        // lo = hi for every Lambda_N: Lambda is known
  kBelow,        // lo finite, hi infinite
  kAbove,        // hi finite, lo infinite
  kBetween       // both finite
};

// What a row does in a solution.
enum class RowMode : std::uint8_t {
  kLower,  // Lambda at its lower bound: open contact, sliding in positive direction
  kUpper,  // Lambda at its upper bound: sliding in negative direction
  kHeld    // xi = 0: closed, sticking, bilateral
};

struct ScaledRow {
  RowKind kind = RowKind::kFree;
  int normal = -1;                            // row that the bounds depend on
  double lo0 = 0, lo1 = 0, hi0 = 0, hi1 = 0;  // of the scaled impulse
  double scale = 1, inverse_scale = 1;        // D and 1/D
  double norm = 1;                            // |G_ii|_2: what an impulse is worth in xi
};

struct ScaledProblem {
  int size = 0;
  std::vector<double> H;  // size x size, column major
  std::vector<double> h;
  std::vector<ScaledRow> rows;

  // Only what is piecewise linear and has entries: no discs, no matrix-free G, and at most `largest` rows, bilateral
  // ones not counted. Asked before anything is copied: a chain of solvers may offer a problem of any size.
  static bool takes(const LocalProblem& problem, int largest);

  void reserve(int n);
  // False if an entry is not finite (nothing can be solved then). With unit_scale, D = 1.
  bool assign(const LocalProblem& problem, bool unit_scale = false);
  // Whether H and the scales are those of the assign() before. A step poses several problems with one matrix, and what
  // was made from it serves all of them.
  bool has_same_matrix() const { return has_same_matrix_; }
  // A contact with lo0 = hi0 has no choice of friction while it is open.
  bool is_pinned_when_open(int row) const { return rows[row].normal >= 0 && rows[row].lo0 == rows[row].hi0; }

 private:
  // What scales are made from, besides the matrix.
  struct BlockShape {
    ImpulseSet set;
    int row, size, normal_row;
    bool operator==(const BlockShape&) const = default;
  };

  void write_column(const double* column, int j);
  [[nodiscard]] bool is_known(const LocalProblem& problem, bool unit_scale) const;
  void keep(const LocalProblem& problem, bool unit_scale);
  [[nodiscard]] bool write_matrix(const LocalProblem& problem, bool unit_scale);
  [[nodiscard]] bool write_rows(const LocalProblem& problem);
  void scale_row(const LocalProblem& problem, int b, int r, bool unit_scale);
  [[nodiscard]] bool write_bounds(const ImpulseBlock& block, ScaledRow& row) const;
  static void set_scale(ScaledRow& row, double norm, bool unit_scale);

  bool stand_together_ = false;  // the contacts of the problem that was assigned last
  ContactGroups groups_;         // of these, where they do not
  std::vector<double> scales_, sizes_;
  // The matrix that H was made from, column by column, and the blocks; none if it was large, not dense or not finite.
  std::vector<double> kept_;
  std::vector<BlockShape> kept_blocks_;
  int kept_size_ = -1;
  bool kept_unit_scale_ = false;
  bool has_same_matrix_ = false;
};

}  // namespace freeplay::complementarity
