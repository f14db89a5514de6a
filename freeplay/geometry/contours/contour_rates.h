// First and second order of a contact that was found on contours: pairs/planar_rates.h.
#pragma once

#include "freeplay/geometry/contours/contour_pair.h"
#include "freeplay/geometry/pairs/planar_rates.h"

namespace freeplay::geometry {

using ContourRates = PlanarRates;

// The second derivative of the gap is n . (a_A - a_B) + normal_bias, with a the accelerations that those of the bodies
// give the two points (a_O + alpha x r); tangentially likewise.
inline ContourRates contour_rates(const ContourContact& contact, const PlanarBodyMotion& a, const PlanarBodyMotion& b) {
  return planar_rates(contact.point(), a, b);
}

}  // namespace freeplay::geometry
