// Friction of a compliant contact: a function of the sliding speed v, continuous at zero,
//
//   F_T = -sign(v) mu(|v|) r(|v|) F_N
//
// r is what replaces the jump of Coulomb's law, from 0 at rest to 1 (`regularised-coulomb`):
//   ambrosio   r = (|v| - v0)/(v1 - v0), not below 0 and not above 1; v0: rest speed, v1: slip speed (Ambrosio 2003)
//   threlfall  r = 1 - exp(-3 |v|/v1)   (Threlfall 1978, who ends it at v1 and r = 0.95; here it goes on to 1)
// mu is Coulomb's coefficient, or falls from a static value with the speed (`stribeck`):
//   mu(|v|) = mu + (mu_s - mu) exp(-(v/v_s)^2)
// or is the mu(v) that the contact has for its set-valued law (friction_law.h).
// A body on a slope creeps down with a part of v1: there is no sticking in these laws.
#pragma once

#include <cstdint>
#include <memory>

#include "freeplay/contact/laws/friction_law.h"

namespace freeplay::contact {

struct SlidingParameters {
  enum class Ramp : std::uint8_t { kAmbrosio, kThrelfall };

  double friction = 0;  // mu
  Ramp ramp = Ramp::kAmbrosio;
  double slip_speed_m_s = 1e-3;                       // v1 > rest speed
  double rest_speed_m_s = 0;                          // v0, of ambrosio
  double static_friction = 0;                         // mu_s of stribeck; 0: mu does not depend on the speed
  double stribeck_speed_m_s = 0;                      // v_s
  std::shared_ptr<const FrictionLaw> friction_law{};  // mu(v), in place of the three; null: there is none
};

class SlidingForceLaw {
 public:
  SlidingForceLaw() = default;
  explicit SlidingForceLaw(const SlidingParameters& parameters) : p_(parameters) {}

  // Against the sliding speed; |F_T| <= mu F_N, with stribeck <= mu_s F_N. Allocates nothing.
  double force(double normal_N, double sliding_m_s) const;
  const SlidingParameters& parameters() const { return p_; }

 private:
  double ramp(double speed_m_s) const;

  SlidingParameters p_;
};

}  // namespace freeplay::contact
