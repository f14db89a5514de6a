// The law of a bushing. d: displacement of the joint's frame on the child against that on the parent, in the axes of
// the latter; phi: the relative rotation (math/rotation_measure.h). Direction by direction, without coupling:
//   V = 1/2 k d^2 + 1/4 k3 d^4,   F = dV/dd = k d + k3 d^3
#pragma once

#include "freeplay/mechanism/description/mechanism_spec.h"

namespace freeplay::mechanism {

inline Vec3 elastic_force(const Vec3& k, const Vec3& k3, const Vec3& d) {
  return (k.array() + k3.array() * d.array().square()) * d.array();
}

inline double elastic_energy(const Vec3& k, const Vec3& k3, const Vec3& d) {
  const Vec3 square = d.array().square();
  return 0.5 * k.dot(square) + 0.25 * k3.dot(Vec3(square.array().square()));
}

inline double bushing_energy(const BushingSpec& law, const Vec3& d, const Vec3& phi) {
  return elastic_energy(law.stiffness_N_m, law.cubic_stiffness_N_m3, d) +
         elastic_energy(law.torsional_stiffness_Nm_rad, law.torsional_cubic_stiffness_Nm_rad3, phi);
}

}  // namespace freeplay::mechanism
