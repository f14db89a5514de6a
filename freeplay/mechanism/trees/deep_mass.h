// M of a deep tree, factored in time proportional to its velocities. M is never written down: along a branch its entry
// (k, j) is S_j . F_k, F_k = I_k S_k with the inertia I_k of all that velocity k moves, and the entry of L in
// M = L^T L is S_j . U_k / sqrt(D_k), where U_k = A_k S_k and D_k = S_k . U_k come from articulated inertias
// (Featherstone 2008, section 7.3; Rodriguez, Jain and Kreutz-Delgado 1991). So L^-T and L^-1 are one pass towards the
// root and one away from it. Vectors are about points that move along the tree.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "freeplay/math/planar_algebra.h"
#include "freeplay/math/spatial_algebra.h"
#include "freeplay/math/types.h"

namespace freeplay::mechanism {

// Where the passes over a deep tree keep a vector per open branch. Two velocities have the same place where one passes
// its vector on to the other.
inline constexpr int kMostBranches = 32;

template <class Algebra>
struct DeepMass {
  using Motion = typename Algebra::Motion;
  using Force = typename Algebra::Force;

  explicit DeepMass(std::size_t velocities)
      : S(velocities),
        F(velocities),
        U(velocities),
        D(velocities),
        inverse_root(velocities),
        offset(velocities),
        is_moved(velocities, 0) {}

  // Per velocity; written by composite_mass_matrix(), D > 0 is asked for by MassMatrix::factor().
  std::vector<Motion> S;
  std::vector<Force> F, U;
  std::vector<double> D, inverse_root;           // D_k, 1/sqrt(D_k)
  std::vector<typename Algebra::Offset> offset;  // from the reference point of the parent velocity, where is_moved
  std::vector<char> is_moved;

  // Towards the root: `vector` is given about the point of k, and comes back about that of its parent.
  Force towards_root(std::size_t k, const Force& vector) const {
    return is_moved[k] != 0 ? Algebra::shifted(vector, Algebra::opposite(offset[k])) : vector;
  }
  double product(std::size_t k, const Force& force) const { return Algebra::dot(S[k], force); }
  Motion from_parent(std::size_t k, const Motion& vector) const {
    return is_moved[k] != 0 ? Algebra::shifted(vector, offset[k]) : vector;
  }

  // Velocities `first` to `end` - 1 with their parents and places; x: the first of them.
  void half_solve(std::span<const int> parent, std::span<const int> place, int first, int end, double* x) const;
  void finish_solve(std::span<const int> parent, std::span<const int> place, int first, int end, double* x) const;
  // y = M x.
  void multiply(std::span<const int> parent, std::span<const int> place, int first, int end, const double* x,
                double* y) const;
};

extern template struct DeepMass<math::PlanarAlgebra>;
extern template struct DeepMass<math::SpatialAlgebra>;

}  // namespace freeplay::mechanism
