// From the loads of a beam to the stress in its section, and from the stress at a node to one number.
#pragma once

#include <optional>

#include "freeplay/mechanism/description/elastic_spec.h"

namespace freeplay::mechanism {

// Stress per bending moment and per force along the axis: 1/W_xy, 1/W_xz and 1/A. What is not known is 0.
struct StressFactors {
  double moment_1_m3 = 0, moment_xz_1_m3 = 0, axial_1_m2 = 0;

  // In the corner of the section where all parts have the same sign.
  double largest(double moment_Nm, double moment_xz_Nm, double axial_N) const;
};

// Von Mises, of xx, yy, zz, xy, xz, yz.
double equivalent_stress(const Eigen::Matrix<double, 6, 1>& stress);

// W_xy, W_xz and A as they are given. Where W_xz or A is not, the height h along y and the width b along z of a uniform
// beam give it, since with them W_xy says what the material is:
//   E = E I_xy / (W_xy h/2),   1/W_xz = E (b/2) / E I_xz,   1/A = E / E A.
// None where the beam bends in a plane whose part is not known; of a bar that does not bend, none without an area. A
// beam of changing section has what is given everywhere.
std::optional<StressFactors> stress_factors(const ElasticSpec& beam);

}  // namespace freeplay::mechanism
