// The natural map e(Lambda) of a problem of frictional contacts, whose largest block natural_residual() reports, with
// its derivative, and what follows from them: whether two answers with small residuals are the same solution.
#pragma once

#include <algorithm>
#include <cmath>

#include "freeplay/complementarity/problem/contact_groups.h"
#include "freeplay/complementarity/problem/natural_residual.h"
#include "solvers_random/rigid_contacts.h"
#include "support/linear_algebra.h"

namespace freeplay::test {

struct NaturalMap {
  VecX e;
  MatX J;  // de/dLambda; at a kink, that of one of the pieces that meet there
};

// With n = 1/rho_i and xi = G Lambda + c, as natural_residual.h defines it; N = max(0, Lambda_N):
//   normal row   e = min(n Lambda, xi),
//   interval     e = clamp(xi, n (Lambda - hi1 N), n (Lambda - lo1 N)),
//   disc         e = xi where |z| <= n mu N, z = n Lambda - xi, else n Lambda - n mu N z/|z|.
// Bounds that do not depend on a normal impulse (lo0, hi0, r0) do not occur in these problems.
inline NaturalMap natural_map(const ContactProblem& problem, const VecX& Lambda) {
  const LocalProblem view = problem.view();
  const VecX xi = problem.G * Lambda + problem.c;
  ContactGroups groups;
  groups.assign(view.blocks);
  NaturalMap map{xi, problem.G};  // the piece of closed and sticking contacts; the others are written over it
  for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
    const ImpulseBlock& block = problem.blocks[b];
    const int row = block.row, normal = block.normal_row;
    const double n = contact_norm(view, groups, groups.head(b));
    const double N = normal >= 0 ? std::max(0.0, Lambda[normal]) : 0, dN = N > 0 ? 1 : 0;
    // The row at a bound that is `slope` N.
    const auto write_at_bound = [&](double slope) {
      map.e[row] = n * (Lambda[row] - slope * N);
      map.J.row(row).setZero();
      map.J(row, row) = n;
      if (normal >= 0) map.J(row, normal) = -n * slope * dN;
    };
    if (block.set == ImpulseSet::kNonNegative && n * Lambda[row] <= xi[row]) write_at_bound(0);
    if (block.set == ImpulseSet::kInterval) {
      if (n * (Lambda[row] - block.hi1 * N) >= xi[row]) {
        write_at_bound(block.hi1);
      } else if (n * (Lambda[row] - block.lo1 * N) <= xi[row]) {
        write_at_bound(block.lo1);
      }
    }
    if (block.set == ImpulseSet::kDisc) {
      const VecX z = n * Lambda.segment(row, 2) - xi.segment(row, 2);
      const double radius = n * block.mu * N, length = z.norm();
      if (length <= radius) continue;
      const VecX t = z / length;
      MatX dz = -problem.G.middleRows(row, 2);
      dz.middleCols(row, 2) += n * MatX::Identity(2, 2);
      map.e.segment(row, 2) = n * Lambda.segment(row, 2) - radius * t;
      map.J.middleRows(row, 2) = -(radius / length) * (dz - t * (t.transpose() * dz));
      map.J.middleCols(row, 2).middleRows(row, 2) += n * MatX::Identity(2, 2);
      map.J.col(normal).segment(row, 2) -= n * block.mu * dN * t;
    }
  }
  return map;
}

// From Lambda by Newton's method, asked for more digits than there are.
inline VecX sharpened(const RigidContacts& item, const VecX& Lambda) {
  VecX sharp(Lambda.size());
  find_solver("semismooth-newton")
      ->make()
      ->solve(item.problem.view(), {.tolerance = 1e-13}, ImpulseGuess::from(Lambda), sharp);
  return sharp;
}

// Whether the velocities differ by what the residuals make of them: e(a) - e(b) = J (a - b), with J halfway between
// them, up to terms of third order where no contact changes its mode; hence
//   W (a - b) = W J^-1 (e(a) - e(b)).
// Two solutions differ although both residuals vanish.
inline bool residuals_explain(const RigidContacts& item, const VecX& a, const VecX& b, double unexplained) {
  const VecX of_residuals = solve_dense(natural_map(item.problem, 0.5 * (a + b)).J,
                                        natural_map(item.problem, a).e - natural_map(item.problem, b).e);
  return max_abs(item.W * (a - b - of_residuals)) <= unexplained;
}

// Whether a and b are the same solution in the velocities, each known as well as its residual tells. Where the impulses
// are not unique, the two may share the load between their contacts in different ways, with kinks of the natural map
// between them; then each is compared with what it is sharpened to, and these two have to agree.
inline bool are_one_solution(const RigidContacts& item, const VecX& a, const VecX& b, double agreement) {
  const double unexplained = 0.1 * max_abs(item.W * (a - b));  // J varies on the way
  if (residuals_explain(item, a, b, unexplained)) return true;
  const VecX sharp_a = sharpened(item, a), sharp_b = sharpened(item, b);
  return max_abs(item.W * (sharp_a - sharp_b)) <= std::min(agreement, unexplained) &&
         residuals_explain(item, a, sharp_a, unexplained) && residuals_explain(item, b, sharp_b, unexplained);
}

}  // namespace freeplay::test
