#include "freeplay/contact/laws/cylinder_laws.h"

#include <cmath>
#include <numbers>

namespace freeplay::contact {

namespace {

// All three read  delta = A F (B - ln F),  A = 1/(pi E* L). The force at which they cease to rise is f_0 = e^(B-1), its
// penetration delta_0 = A f_0, and with these  delta/delta_0 = (F/f_0)(1 - ln(F/f_0)).
ElasticLaw from_limit_force(const CylinderPair& pair, double f_0) {
  return ElasticLaw::logarithmic(f_0, f_0 / (std::numbers::pi * pair.modulus_Pa * pair.length_m));
}

}  // namespace

// e^B = 4 pi E* DeltaR L/e
ElasticLaw johnson_law(const CylinderPair& pair) {
  const double e_B = 4 * std::numbers::pi * pair.modulus_Pa * pair.radius_sum_m() * pair.length_m / std::numbers::e;
  return from_limit_force(pair, e_B / std::numbers::e);
}

// 4 D_a D_b/b^2 = 4 (D_a + D_b) E* L/(1.60^2 F), since K_D cancels the product of the diameters
ElasticLaw radzimovsky_law(const CylinderPair& pair) {
  const double diameter_sum = 2 * pair.radius_sum_m();
  const double e_B = std::exp(2.0 / 3) * 4 * diameter_sum * pair.modulus_Pa * pair.length_m / (1.60 * 1.60);
  return from_limit_force(pair, e_B / std::numbers::e);
}

// e^B = e L^3 DeltaR pi E*/(R_a R_b)
ElasticLaw dubowsky_freudenstein_law(const CylinderPair& pair) {
  const double L = pair.length_m;
  const double f_0 = L * L * L * pair.radius_sum_m() * std::numbers::pi * pair.modulus_Pa /
                     std::abs(pair.radius_a_m * pair.radius_b_m);
  return from_limit_force(pair, f_0);
}

}  // namespace freeplay::contact
