// Hertz' stiffness of a contact from the material and the radii of its partners.
#pragma once

#include "freeplay/core/layers.h"

namespace freeplay::contact {

struct ElasticMaterial {
  double young_Pa = 0, poisson = 0;
};

// 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b
double contact_modulus_Pa(const ElasticMaterial& a, const ElasticMaterial& b);

// 1/R = 1/R_a + 1/R_b; a plane has the radius infinity, a socket or bore a negative one. Not positive or infinite: the
// inner body fills the outer one, and there is no point of contact.
double effective_radius_m(double radius_a_m, double radius_b_m);

// K = 4/3 E* sqrt(R) in N/m^1.5 (Flores, Ambrosio 2010, eqs 2 and 3).
double hertz_stiffness_N_m32(double modulus_Pa, double effective_radius_m);

}  // namespace freeplay::contact
