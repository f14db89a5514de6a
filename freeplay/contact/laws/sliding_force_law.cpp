#include "freeplay/contact/laws/sliding_force_law.h"

#include <algorithm>
#include <cmath>

namespace freeplay::contact {

double SlidingForceLaw::ramp(double speed_m_s) const {
  if (p_.ramp == SlidingParameters::Ramp::kThrelfall) return -std::expm1(-3 * speed_m_s / p_.slip_speed_m_s);
  return std::clamp((speed_m_s - p_.rest_speed_m_s) / (p_.slip_speed_m_s - p_.rest_speed_m_s), 0.0, 1.0);
}

double SlidingForceLaw::force(double normal_N, double sliding_m_s) const {
  if (p_.friction == 0 && p_.friction_law == nullptr) return 0;
  const double speed_m_s = std::abs(sliding_m_s);
  double mu = p_.friction;
  if (p_.friction_law != nullptr) {
    mu = p_.friction_law->at(speed_m_s);
  } else if (p_.static_friction > 0) {
    const double ratio = speed_m_s / p_.stribeck_speed_m_s;
    mu += (p_.static_friction - p_.friction) * std::exp(-ratio * ratio);
  }
  return std::copysign(mu * ramp(speed_m_s) * normal_N, -sliding_m_s);
}

}  // namespace freeplay::contact
