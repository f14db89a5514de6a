#include "freeplay/contact/laws/force_law.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "freeplay/contact/laws/restitution_damping.h"

namespace freeplay::contact {

NormalForceLaw::NormalForceLaw(const ElasticLaw& elastic, double damping_factor, double largest_depth_m)
    : elastic_(elastic), damping_(damping_factor), largest_depth_(std::min(largest_depth_m, elastic.largest_depth())) {}

NormalForceLaw NormalForceLaw::kelvin_voigt(double stiffness_N_m, double damping_Ns_m) {
  NormalForceLaw law(stiffness_N_m, 1, damping_Ns_m);
  law.is_kelvin_voigt_ = true;
  return law;
}

NormalForceLaw NormalForceLaw::kelvin_voigt_by_ratio(double stiffness_N_m, double damping_ratio) {
  NormalForceLaw law = kelvin_voigt(stiffness_N_m, damping_ratio);
  law.has_ratio_ = true;
  return law;
}

NormalForceLaw NormalForceLaw::function(const ElasticLaw& elastic, DampingForceFunction damping) {
  NormalForceLaw law(elastic, 0);
  law.damping_function_ = std::make_shared<const DampingForceFunction>(std::move(damping));
  return law;
}

double NormalForceLaw::damping_Ns_m(const ContactOnset& onset) const {
  return has_ratio_ ? 2 * damping_ * std::sqrt(elastic_.stiffness_N_mn() * onset.mass_kg) : damping_;
}

double NormalForceLaw::force(double delta_m, double rate_m_s, const ContactOnset& onset) const {
  if (is_kelvin_voigt_) {
    // The damper acts at delta = 0 already: the force of this law begins with a jump to D v0.
    if (!(delta_m >= 0)) return 0;
    return std::max(0.0, elastic_.stiffness_N_mn() * delta_m + damping_Ns_m(onset) * rate_m_s);
  }
  const double f = elastic_.force(delta_m);
  if (damping_function_ != nullptr && delta_m > 0) {
    const double force = f + (*damping_function_)(delta_m, rate_m_s, onset.speed_m_s);
    return force < 0 ? 0 : force;  // what is not a number stays so: the run has to say it
  }
  return damping_ == 0 ? f : std::max(0.0, f * (1 + damping_ * rate_m_s / onset.speed_m_s));
}

double NormalForceLaw::expected_depth(const ContactOnset& onset) const {
  return elastic_.depth_of(0.5 * onset.mass_kg * onset.speed_m_s * onset.speed_m_s);
}

double NormalForceLaw::expected_time(const ContactOnset& onset) const {
  return elastic_.impact_time(expected_depth(onset), onset.speed_m_s);
}

double NormalForceLaw::delivered_restitution(const ContactOnset& onset) const {
  if (damping_function_ != nullptr) return std::numeric_limits<double>::quiet_NaN();
  if (!is_kelvin_voigt_) return contact::delivered_restitution(damping_);
  if (has_ratio_) return kelvin_voigt_restitution(damping_);
  return kelvin_voigt_restitution(damping_ / (2 * std::sqrt(elastic_.stiffness_N_mn() * onset.mass_kg)));
}

}  // namespace freeplay::contact
