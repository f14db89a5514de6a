#include "freeplay/mechanism/trees/deep_mass.h"

namespace freeplay::mechanism {

template <class Algebra>
void DeepMass<Algebra>::half_solve(std::span<const int> parent, std::span<const int> place, int first, int end,
                                   double* x) const {
  std::array<Force, kMostBranches> forces{};
  int last = end - 1;
  while (last >= first && x[last - first] == 0) --last;  // a row acts on what is before its body
  for (int i = last; i >= first; --i) {
    const std::size_t k = static_cast<std::size_t>(i);
    Force& force = forces[static_cast<std::size_t>(place[k])];
    const double value = (x[i - first] - Algebra::dot(S[k], force)) * inverse_root[k];
    x[i - first] = value;
    if (parent[k] < 0) continue;
    force += Algebra::scaled(U[k], value * inverse_root[k]);
    force = towards_root(k, force);
    const int onto = place[static_cast<std::size_t>(parent[k])];
    if (onto == place[k]) continue;
    forces[static_cast<std::size_t>(onto)] += force;
    force = Force{};
  }
}

template <class Algebra>
void DeepMass<Algebra>::finish_solve(std::span<const int> parent, std::span<const int> place, int first, int end,
                                     double* x) const {
  std::array<Motion, kMostBranches> motions{};
  for (int i = first; i < end; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    Motion motion{};
    if (parent[k] >= 0)
      motion = from_parent(k, motions[static_cast<std::size_t>(place[static_cast<std::size_t>(parent[k])])]);
    double& value = x[i - first];
    value = (value - Algebra::dot(motion, U[k]) * inverse_root[k]) * inverse_root[k];
    motion += Algebra::scaled(S[k], value);
    motions[static_cast<std::size_t>(place[k])] = motion;
  }
}

template <class Algebra>
void DeepMass<Algebra>::multiply(std::span<const int> parent, std::span<const int> place, int first, int end,
                                 const double* x, double* y) const {
  std::array<Motion, kMostBranches> motions{};
  for (int i = first; i < end; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    Motion motion{};
    if (parent[k] >= 0)
      motion = from_parent(k, motions[static_cast<std::size_t>(place[static_cast<std::size_t>(parent[k])])]);
    motion += Algebra::scaled(S[k], x[i - first]);
    motions[static_cast<std::size_t>(place[k])] = motion;
    y[i - first] = Algebra::dot(motion, F[k]);
  }
  std::array<Force, kMostBranches> forces{};
  for (int i = end - 1; i >= first; --i) {
    const std::size_t k = static_cast<std::size_t>(i);
    Force& force = forces[static_cast<std::size_t>(place[k])];
    y[i - first] += Algebra::dot(S[k], force);
    if (parent[k] < 0) continue;
    force += Algebra::scaled(F[k], x[i - first]);
    force = towards_root(k, force);
    const int onto = place[static_cast<std::size_t>(parent[k])];
    if (onto == place[k]) continue;
    forces[static_cast<std::size_t>(onto)] += force;
    force = Force{};
  }
}

template struct DeepMass<math::PlanarAlgebra>;
template struct DeepMass<math::SpatialAlgebra>;

}  // namespace freeplay::mechanism
