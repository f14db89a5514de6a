// Compliant contact: the force that a penetration delta causes,
//
//   F_N = f(delta) (1 + a delta'/v0)     hysteretic damping; v0: speed at which the contact began, a: from the law
//   F_N = K delta + D delta'             kelvin-voigt
//   F_N = f(delta) + d(delta, delta', v0)   where d is a function of somebody else
//
// and never tension: F_N >= 0. A law is made once per contact; to evaluate it takes a few operations.
// Flores, Ambrosio 2010, eqs (1)-(6) as corrected: the printed eq. (6) with a squared speed would dissipate nothing.
#pragma once

#include <limits>
#include <memory>

#include "freeplay/contact/laws/elastic_law.h"
#include "freeplay/contact/laws/sliding_force_law.h"

namespace freeplay::contact {

// What a contact remembers of the moment at which it began.
struct ContactOnset {
  double speed_m_s = 0;  // of approach, > 0
  double mass_kg = 0;    // 1 / (w^T M^-1 w): what the contact feels of the bodies
};

class NormalForceLaw {
 public:
  NormalForceLaw() = default;
  // f = K delta^n.
  NormalForceLaw(double stiffness_N_mn, double exponent, double damping_factor)
      : NormalForceLaw(ElasticLaw::power(stiffness_N_mn, exponent), damping_factor) {}
  // `largest_depth_m`: beyond it the assumptions behind f fail, though f goes on.
  NormalForceLaw(const ElasticLaw& elastic, double damping_factor,
                 double largest_depth_m = std::numeric_limits<double>::infinity());
  // Kelvin and Voigt, with D given or with D = 2 zeta sqrt(K m), m the mass at the onset.
  static NormalForceLaw kelvin_voigt(double stiffness_N_m, double damping_Ns_m);
  static NormalForceLaw kelvin_voigt_by_ratio(double stiffness_N_m, double damping_ratio);
  // F_N = f(delta) + d(delta, delta', v0).
  static NormalForceLaw function(const ElasticLaw& elastic, DampingForceFunction damping);

  // f(delta); 0 without penetration.
  double elastic_force(double delta_m) const { return elastic_.force(delta_m); }
  // The integral of f from 0 to delta.
  double elastic_energy(double delta_m) const { return elastic_.energy(delta_m); }
  double force(double delta_m, double rate_m_s, const ContactOnset& onset) const;

  // Largest penetration and duration of an undamped impact.
  double expected_depth(const ContactOnset& onset) const;
  double expected_time(const ContactOnset& onset) const;
  // Of a free impact; only kelvin-voigt with a given D looks at the onset. NaN for damping by a function.
  double delivered_restitution(const ContactOnset& onset) const;

  const ElasticLaw& elastic() const { return elastic_; }
  double damping_factor() const { return is_kelvin_voigt_ ? 0 : damping_; }  // a
  // The law means what it says up to this penetration.
  double largest_depth() const { return largest_depth_; }

 private:
  double damping_Ns_m(const ContactOnset& onset) const;  // D

  ElasticLaw elastic_;
  bool is_kelvin_voigt_ = false, has_ratio_ = false;
  double damping_ = 0;  // a, or D, or zeta
  double largest_depth_ = std::numeric_limits<double>::infinity();
  std::shared_ptr<const DampingForceFunction> damping_function_{};
};

struct ForceLaw {
  NormalForceLaw normal;
  SlidingForceLaw sliding;
};

}  // namespace freeplay::contact
