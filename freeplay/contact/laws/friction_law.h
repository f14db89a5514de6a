// How Coulomb's coefficient depends on the sliding speed v >= 0: the set-valued laws take mu(v) where a point slides,
// and the static limit mu(0) where it sticks.
//
//   coulomb    mu(v) = mu
//   stribeck   mu(v) = mu_k + (mu_s - mu_k) exp(-(v/v_s)^delta) + c v,   mu(0) = mu_s
//   table      straight from entry to entry, the first one at v = 0; constant beyond the last one
//   function   of somebody else (law_functions.h)
#pragma once

#include <cstdint>
#include <vector>

#include "freeplay/contact/laws/law_functions.h"
#include "freeplay/math/types.h"

namespace freeplay::contact {

class FrictionLaw {
 public:
  struct Stribeck {
    double static_friction = 0;   // mu_s >= mu_k
    double kinetic_friction = 0;  // mu_k >= 0, of fast sliding
    double speed_m_s = 1e-2;      // v_s > 0
    double exponent = 2;          // delta > 0
    double viscous_s_m = 0;       // c >= 0
  };

  static FrictionLaw coulomb(double mu) { return FrictionLaw(mu); }
  static FrictionLaw stribeck(const Stribeck& parameters);
  // (v, mu): at least one entry, the first with v = 0, then increasing; mu >= 0.
  static FrictionLaw table(std::vector<Vec2> entries);
  static FrictionLaw function(FrictionFunction mu);

  // mu(v). Allocates nothing.
  double at(double speed_m_s) const;
  double static_limit() const { return static_limit_; }

 private:
  enum class Kind : std::uint8_t { kCoulomb, kStribeck, kTable, kFunction };

  explicit FrictionLaw(double static_limit) : static_limit_(static_limit) {}

  Kind kind_ = Kind::kCoulomb;
  double static_limit_ = 0;
  Stribeck stribeck_;
  std::vector<Vec2> entries_;
  FrictionFunction function_;
};

}  // namespace freeplay::contact
