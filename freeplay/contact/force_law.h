// Compliant contact: the force that a penetration delta causes,
//
//   F_N = f(delta) (1 + a delta'/v0)     hysteretic damping; v0: speed at which the contact began, a: from the law
//   F_N = K delta + D delta'             kelvin-voigt
//
// and never tension: F_N >= 0. A law is made once per contact; to evaluate it takes a few operations.
// Flores, Ambrosio 2010, eqs (1)-(6) as corrected: the printed eq. (6) with a squared speed would dissipate nothing.
#pragma once

namespace freeplay {

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
      : stiffness_(stiffness_N_mn), exponent_(exponent), damping_factor_(damping_factor) {}

  // f(delta); 0 without penetration.
  double elastic_force(double delta_m) const;
  // The integral of f from 0 to delta.
  double elastic_energy(double delta_m) const;
  double force(double delta_m, double rate_m_s, const ContactOnset& onset) const;

  // Largest penetration and duration of an undamped impact.
  double expected_depth(const ContactOnset& onset) const;
  double expected_time(const ContactOnset& onset) const;

 private:
  double stiffness_ = 0, exponent_ = 1.5;
  double damping_factor_ = 0;  // a
};

// Friction of a compliant contact: a function of the sliding speed, continuous at zero.
class SlidingForceLaw {
 public:
  SlidingForceLaw() = default;

  // Against the sliding speed; |F_T| <= mu F_N.
  double force(double normal_N, double sliding_m_s) const;

 private:
  double friction_ = 0;
};

struct ForceLaw {
  NormalForceLaw normal;
  SlidingForceLaw sliding;
};

}  // namespace freeplay
