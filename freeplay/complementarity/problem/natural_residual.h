// The project's only definition of "solved" (a solver never grades itself).
#pragma once

#include <limits>

#include "freeplay/complementarity/problem/contact_groups.h"
#include "freeplay/complementarity/problem/local_problem.h"

namespace freeplay::complementarity {

// rho_i = 1 / |G_ii|_2, G_ii the diagonal block of the whole contact (its normal and tangent rows together; an unbound
// row is its own block), one rho for all its rows. e_i = (Lambda_i - prox_{C_i}(Lambda_i - rho_i xi_i)) / rho_i; the
// bounds of a friction set are taken at max(0, Lambda_N) of the same iterate. |e| of a disc is the Euclidean norm of
// its two rows, so that a rotation of the tangents changes nothing. A set that is empty (lo > hi, or a disc that is cut
// off) adds what is missing, (lo - hi) / rho.
struct NaturalResidual {
  double absolute = 0;  // largest |e|, in the unit of xi
  double scale = 0;     // max(|c|_inf, |G Lambda|_inf)
  int worst_row = -1;

  // Infinite where the residual is (what is not finite has no scale).
  double relative() const {
    return scale > 0 && absolute <= std::numeric_limits<double>::max() ? absolute / scale : absolute;
  }
};

// Largest |c_i| + sum_j |G_ij Lambda_j| of a row: the numbers that a velocity is the sum of. Impulses that hold each
// other in balance make it much larger than the velocities. A matrix-free G does not tell: there it is
// |c_i| + |(G Lambda)_i|. Takes time in proportion to the entries of G.
double velocity_magnitude(const LocalProblem& problem, const ConstVecRef& Lambda);

// The |e| of one block: norm = 1/rho, Lambda and xi its rows, Lambda_N the impulse that its bounds depend on. Infinite
// where a number is not finite or a bound is none.
double block_residual(const ImpulseBlock& block, double norm, double Lambda_N, const double* Lambda, const double* xi);

// Takes time in proportion to the entries of G and the blocks. Allocates nothing, but once per thread for a G that is
// not dense and for contacts whose rows do not stand together. NaN or infinity in Lambda, G or c gives an infinite
// residual.
NaturalResidual natural_residual(const LocalProblem& problem, const ConstVecRef& Lambda);

// |G_ii|_2 = 1 / rho_i of the contact with the given head; the groups are those of problem.blocks. Where the diagonal
// block is zero (a contact that its own impulses do not move) the largest |G_ij| of its rows stands in, and 1 where
// these are zero too (or G is matrix-free): rho is always finite. A contact of more than three rows gets the Frobenius
// norm, an upper bound.
double contact_norm(const LocalProblem& problem, const ContactGroups& groups, int head);
// The same without groups, where every block stands right behind its head or behind another block of the same contact,
// as it nearly always does: the rows of a contact are then found without a search.
bool contacts_stand_together(std::span<const ImpulseBlock> blocks);
double contact_norm(const LocalProblem& problem, int head);

// Whether Lambda = 0 is a solution, without any arithmetic on c: the cheap and exact way out of most calls, since a
// contact that separates stays active for a while (W^T u_free + eps gamma_A >= 0).
bool zero_solves(const LocalProblem& problem);

}  // namespace freeplay::complementarity
