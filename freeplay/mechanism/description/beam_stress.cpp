#include "freeplay/mechanism/description/beam_stress.h"

#include <cmath>

namespace freeplay::mechanism {

double StressFactors::largest(double moment_Nm, double moment_xz_Nm, double axial_N) const {
  return std::abs(moment_Nm) * moment_1_m3 + std::abs(moment_xz_Nm) * moment_xz_1_m3 + std::abs(axial_N) * axial_1_m2;
}

std::optional<StressFactors> stress_factors(const ElasticSpec& beam) {
  const int planes = beam.bending_planes();
  if (beam.nodes || planes == 0 || !(beam.section_modulus_m3 > 0)) return std::nullopt;
  StressFactors factors;
  factors.moment_1_m3 = 1 / beam.section_modulus_m3;
  const bool knows_material = beam.knots.empty() && beam.height_m > 0;
  const double E = knows_material ? 2 * beam.bending_stiffness_Nm2 / (beam.section_modulus_m3 * beam.height_m) : 0;
  if (planes > 1) {
    if (!knows_material || !(beam.width_m > 0)) return std::nullopt;
    factors.moment_xz_1_m3 = E * beam.width_m / (2 * beam.bending_stiffness_xz_Nm2);
  }
  if (knows_material && beam.axial_mode_count() > 0) factors.axial_1_m2 = E / beam.axial_stiffness_N;
  return factors;
}

}  // namespace freeplay::mechanism
