#include "freeplay/contact/force_law.h"

#include <algorithm>
#include <cmath>

namespace freeplay {

double NormalForceLaw::elastic_force(double delta_m) const {
  return delta_m > 0 ? stiffness_ * std::pow(delta_m, exponent_) : 0;
}

double NormalForceLaw::elastic_energy(double delta_m) const {
  return delta_m > 0 ? stiffness_ * std::pow(delta_m, exponent_ + 1) / (exponent_ + 1) : 0;
}

double NormalForceLaw::force(double delta_m, double rate_m_s, const ContactOnset& onset) const {
  return std::max(0.0, elastic_force(delta_m) * (1 + damping_factor_ * rate_m_s / onset.speed_m_s));
}

double NormalForceLaw::expected_depth(const ContactOnset& onset) const {
  const double energy_J = 0.5 * onset.mass_kg * onset.speed_m_s * onset.speed_m_s;
  return std::pow((exponent_ + 1) * energy_J / stiffness_, 1 / (exponent_ + 1));
}

// For f = K delta^n:  T = 2 delta_m/v * integral of (1 - x^(n+1))^(-1/2) over 0..1, a quotient of gamma functions.
double NormalForceLaw::expected_time(const ContactOnset& onset) const {
  const double p = 1 / (exponent_ + 1);
  const double integral = std::sqrt(std::acos(-1.0)) * std::tgamma(1 + p) / std::tgamma(0.5 + p);
  return 2 * expected_depth(onset) / onset.speed_m_s * integral;
}

double SlidingForceLaw::force(double normal_N, double sliding_m_s) const {
  return sliding_m_s > 0 ? -friction_ * normal_N : friction_ * normal_N;
}

}  // namespace freeplay
