// The elastic part f(delta) of a compliant contact, in one of three forms:
//
//   f = K delta^n                              power law; Hertz: n = 3/2, a linear spring: n = 1
//   delta/delta_0 = (f/f_0)(1 - ln(f/f_0))     two long cylinders; cylinder_laws.h has f_0 and delta_0 of each law
//   a function of somebody else                for trying things; its energy is found by quadrature
//
// The second gives the penetration for a force and is inverted here, to rounding. It rises only as far as f_0, where a
// finite step of the force would cost no penetration at all. From the depth at which its stiffness has become four
// times f_0/delta_0 on (delta = 0.9735 delta_0, f = 0.7788 f_0), the law goes on along its tangent, a line: force,
// energy and stiffness stay continuous, and `freeplay check` warns of an impact that gets there.
#pragma once

#include <cstdint>
#include <memory>

#include "freeplay/contact/laws/law_functions.h"

namespace freeplay::contact {

class ElasticLaw {
 public:
  ElasticLaw() = default;  // no force at all
  static ElasticLaw power(double stiffness_N_mn, double exponent);
  static ElasticLaw logarithmic(double limit_force_N, double limit_depth_m);
  // Requires a function that rises from f(0) = 0.
  static ElasticLaw function(ElasticForceFunction force);

  // f(delta); 0 without penetration. Allocates nothing.
  double force(double delta_m) const;
  // The integral of f from 0 to delta.
  double energy(double delta_m) const;
  // df/d delta.
  double stiffness(double delta_m) const;

  // The penetration that stores this energy.
  double depth_of(double energy_J) const;
  // How long a mass takes from the first touch at `speed_m_s` to `depth_m`, where it turns, and back.
  double impact_time(double depth_m, double speed_m_s) const;

  bool is_power() const { return kind_ < Kind::kLogarithmic; }
  double stiffness_N_mn() const { return stiffness_; }  // K and n of a power law
  double exponent() const { return exponent_; }
  // Up to here the force is that of the law; infinity unless the law is logarithmic.
  double largest_depth() const;

 private:
  // n = 1 and n = 3/2 need no power function: they are evaluated several times per microsecond.
  enum class Kind : std::uint8_t { kLinear, kHertz, kPower, kLogarithmic, kFunction } kind_ = Kind::kLinear;
  double stiffness_ = 0, exponent_ = 1;
  double limit_force_ = 0, limit_depth_ = 0;  // f_0 and delta_0
  std::shared_ptr<const ElasticForceFunction> function_{};
};

}  // namespace freeplay::contact
