// How large the parts at a contact are: what a depth, or a gap, is compared with.
#pragma once

#include <span>
#include <vector>

#include "freeplay/contact/points/mechanism_contacts.h"

namespace freeplay::contact {

// The radius of the ball around a shape, of a bore that of the bore; of a point, which is a corner of its body, that of
// the ball about the body's centre which holds all of its shapes. Lines and planes have none, nor has what is given by
// an expression.
class PartRadii {
 public:
  explicit PartRadii(const std::vector<MechanismContacts::Surface>& surfaces);

  // Of two surfaces, in m: of those that have a radius the smaller one; 0 if neither has.
  double smaller(int surface_a, int surface_b) const { return smallest(std::vector{surface_a, surface_b}); }
  double smallest(std::span<const int> surfaces) const;

 private:
  std::vector<double> radius_m_;  // of each surface; 0: none
};

}  // namespace freeplay::contact
