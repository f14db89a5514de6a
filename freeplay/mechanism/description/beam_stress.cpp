#include "freeplay/mechanism/description/beam_stress.h"

#include <cmath>

namespace freeplay::mechanism {

double StressFactors::largest(double moment_Nm, double moment_xz_Nm, double axial_N) const {
  return std::abs(moment_Nm) * moment_1_m3 + std::abs(moment_xz_Nm) * moment_xz_1_m3 + std::abs(axial_N) * axial_1_m2;
}

double equivalent_stress(const Eigen::Matrix<double, 6, 1>& s) {
  const auto square = [](double value) { return value * value; };
  return std::sqrt(0.5 * (square(s[0] - s[1]) + square(s[1] - s[2]) + square(s[2] - s[0])) +
                   3 * (square(s[3]) + square(s[4]) + square(s[5])));
}

std::optional<StressFactors> stress_factors(const ElasticSpec& beam) {
  if (beam.nodes) return std::nullopt;
  const int planes = beam.bending_planes();
  const bool is_stretched = beam.axial_mode_count() > 0, has_area = beam.area_m2 > 0;
  StressFactors factors;
  if (is_stretched && has_area) factors.axial_1_m2 = 1 / beam.area_m2;
  if (planes == 0) return is_stretched && has_area ? std::optional(factors) : std::nullopt;
  if (!(beam.section_modulus_m3 > 0)) return std::nullopt;
  factors.moment_1_m3 = 1 / beam.section_modulus_m3;
  const bool knows_material = beam.knots.empty() && beam.height_m > 0;
  const double E = knows_material ? 2 * beam.bending_stiffness_Nm2 / (beam.section_modulus_m3 * beam.height_m) : 0;
  if (planes > 1) {
    const bool has_modulus = beam.section_modulus_xz_m3 > 0;
    if (!has_modulus && !(knows_material && beam.width_m > 0)) return std::nullopt;
    factors.moment_xz_1_m3 =
        has_modulus ? 1 / beam.section_modulus_xz_m3 : E * beam.width_m / (2 * beam.bending_stiffness_xz_Nm2);
  }
  if (is_stretched && !has_area && knows_material) factors.axial_1_m2 = E / beam.axial_stiffness_N;
  return factors;
}

}  // namespace freeplay::mechanism
