#include "freeplay/contact/laws/contact_stiffness.h"

#include <cmath>

namespace freeplay::contact {

double contact_modulus_Pa(const ElasticMaterial& a, const ElasticMaterial& b) {
  return 1 / ((1 - a.poisson * a.poisson) / a.young_Pa + (1 - b.poisson * b.poisson) / b.young_Pa);
}

double effective_radius_m(double radius_a_m, double radius_b_m) {
  return 1 / (1 / radius_a_m + 1 / radius_b_m);
}

double hertz_stiffness_N_m32(double modulus_Pa, double effective_radius_m) {
  return 4.0 / 3 * modulus_Pa * std::sqrt(effective_radius_m);
}

}  // namespace freeplay::contact
