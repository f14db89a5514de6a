// A LocalProblem without discs as a linear complementarity problem,
//
//   y = A x + b,   0 <= x  _|_  y >= 0,   x = (P_N, P_R, xi_L),   y = (xi_N, xi_R, P_L)
//
// (Flores, Leine, Glocker 2010, eqs (73)-(76), (79), (85)), generalised to  lo <= Lambda_T <= hi:
//   Lambda_T = lo + P_R,   P_L = hi - Lambda_T = (hi0 - lo0) + (hi1 - lo1) Lambda_N - P_R,   xi_T = xi_R - xi_L.
// A row with one bound needs one pair: (P_R, xi_T) above a lower bound, (P_L, -xi_T) below an upper one; a row with
// lo = hi needs none. Bilateral rows are eliminated first, Lambda_f = -H_ff^+ (h_f + H_fc Lambda_c), redundant ones by
// minimum norm; contradictory ones stay violated and are seen by the natural residual.
#pragma once

#include <span>
#include <vector>

#include "freeplay/complementarity/linear/rank_revealing_solver.h"
#include "freeplay/complementarity/pivoting/scaled_problem.h"

namespace freeplay::complementarity {

class LinearComplementarity {
 public:
  // Room for problems of up to `rows` rows, that is up to 2 rows unknowns; build() then allocates nothing.
  void reserve(int rows);
  void build(const ScaledProblem& problem);

  int size() const { return size_; }
  // The first rows of y are velocities (xi_N, xi_R); the others are impulses (P_L).
  int velocity_rows() const { return velocity_rows_; }
  // size x size, row major; scaled as the problem is.
  std::span<const double> A() const { return {A_.data(), static_cast<std::size_t>(size_) * size_}; }
  std::span<const double> b() const { return {b_.data(), static_cast<std::size_t>(size_)}; }

  // What the rows do in a basis in which the x_j with is_basic[j] are basic. Writes one mode per row.
  void modes(const ScaledProblem& problem, std::span<const char> is_basic, std::span<RowMode> modes) const;
  // Back-substitution: the impulses of a solution x, of the bilateral rows too. Unscaled.
  void impulses(const ScaledProblem& problem, std::span<const double> x, VecRef Lambda);

 private:
  struct Pair {
    int pair = -1;    // index of (P_N, xi_N), (P_R, xi_R) or (P_L, xi_L)
    int limit = -1;   // index of (xi_L, P_L) of a row with two bounds
    double sign = 1;  // Lambda = offset + slope Lambda_N + sign x_pair
    double offset = 0, slope = 0;
  };
  void number_pairs(const ScaledProblem& problem);
  void eliminate_free_rows(const ScaledProblem& problem);

  int size_ = 0, velocity_rows_ = 0;
  int free_count_ = 0, kept_count_ = 0;
  std::vector<double> A_, b_;
  std::vector<Pair> pairs_;       // per row
  std::vector<int> free_, kept_;  // rows
  RankRevealingSolver free_solver_;
  std::vector<double> H_ff_, X_;  // X = H_ff^+ [H_fc h_f], free x (kept + 1)
  std::vector<double> S_, s_;     // H_cc - H_cf X, kept x kept, and h_c - H_cf x; S_ only with free rows
  std::vector<double> rhs_, Lambda_;
};

}  // namespace freeplay::complementarity
