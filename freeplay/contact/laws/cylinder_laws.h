// Elastic laws of two long cylinders with parallel axes: a journal in its bearing, or two rollers. Their penetration
// grows almost in proportion to the force; a logarithm holds what is left of the shape of the bodies.
#pragma once

#include "freeplay/contact/laws/elastic_law.h"

namespace freeplay::contact {

struct CylinderPair {
  double modulus_Pa = 0;                  // E*, of both partners (contact_stiffness.h)
  double radius_a_m = 0, radius_b_m = 0;  // a bore has a negative radius
  double length_m = 0;                    // of the line of contact

  bool is_internal() const { return radius_a_m * radius_b_m < 0; }
  // Delta R: the difference of the radii of a journal and its bore, the sum of those of two rollers.
  double radius_sum_m() const {
    return radius_a_m + radius_b_m < 0 ? -radius_a_m - radius_b_m : radius_a_m + radius_b_m;
  }
};

// K. L. Johnson, Contact Mechanics (1985), which is ESDU 78035 too; f = F/L:
//   delta = f/(pi E*) [ln(4 pi E* DeltaR/f) - 1]
ElasticLaw johnson_law(const CylinderPair& pair);

// Radzimovsky (1953) as in Roark's tables, D the diameters; b is the width of contact:
//   delta = f/(pi E*) [2/3 + ln(2 D_a/b) + ln(2 D_b/b)],   b = 1.60 sqrt(f K_D/E*),   K_D = D_a D_b/(D_a + D_b)
ElasticLaw radzimovsky_law(const CylinderPair& pair);

// Dubowsky, Freudenstein (1971), a journal in its bearing only; s = 1/(pi E*):
//   delta = F s/L [ln(L^3 DeltaR/(F R_a R_b s)) + 1]
ElasticLaw dubowsky_freudenstein_law(const CylinderPair& pair);

}  // namespace freeplay::contact
