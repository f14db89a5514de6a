// Random planar contact problems, from harmless to degenerate.
#pragma once

#include <cmath>
#include <random>

#include "unit/complementarity/contact_problem.h"

namespace freeplay::test {

struct RandomContacts {
  ContactProblem problem;
  double c_size = 0;  // |c|_inf
  bool is_consistent =
      false;  // c = W^T u: the contacts can be kept apart by some motion, however they oppose each other
  bool is_deficient = false;  // fewer degrees of freedom than rows, or a contact that is there twice
};

// mu up to mu_most; W from bodies whose masses, lever arms and velocities range over many decades.
inline RandomContacts random_contacts(std::mt19937_64& random, int contacts, double mu_most) {
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  RandomContacts result;
  const int rows = 2 * contacts;
  const int freedoms = 1 + static_cast<int>(uniform(random) * (rows + 3));
  MatX W(freedoms, rows);
  const double mass_decades = 2 * uniform(random);
  for (int i = 0; i < freedoms; ++i) {
    const double row_scale = std::pow(10, mass_decades * (uniform(random) - 0.5));
    for (int j = 0; j < rows; ++j) W(i, j) = row_scale * normal(random);
  }
  const double kind = uniform(random);
  result.is_deficient = freedoms < rows;
  if (contacts > 1 && kind < 0.1) {  // the same contact twice
    W.rightCols(2) = W.leftCols(2);
    result.is_deficient = true;
  } else if (contacts > 1 && kind < 0.2) {  // a flat face: equal tangents, exactly or nearly
    W.col(3) = W.col(1) * (uniform(random) < 0.5 ? 1 : 1 + 1e-10);
    result.is_deficient = true;
  } else if (contacts > 1 && kind < 0.25) {  // opposite faces
    W.col(2) = -W.col(0);
    result.is_deficient = true;
  }
  result.problem.G = W.transpose() * W;
  const double speed = std::pow(10, 12 * uniform(random) - 6);
  result.is_consistent = uniform(random) < 0.5;
  if (result.is_consistent) {
    const VecX u = VecX::NullaryExpr(freedoms, [&] { return speed * normal(random); });
    result.problem.c = W.transpose() * u;
  } else {
    result.problem.c = VecX::NullaryExpr(rows, [&] { return uniform(random) < 0.1 ? 0 : speed * normal(random); });
  }
  result.c_size = max_abs(result.problem.c);
  for (int k = 0; k < contacts; ++k) result.problem.contact(mu_most * uniform(random));
  return result;
}

}  // namespace freeplay::test
