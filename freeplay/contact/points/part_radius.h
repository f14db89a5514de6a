// How large the parts at a contact are: what a depth, or a gap, is compared with.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "freeplay/contact/points/mechanism_contacts.h"

namespace freeplay::contact {

// The radius of the ball around a shape, of a bore that of the bore; of a point, which is a corner of its body, that of
// the ball about the body's centre which holds all of its shapes. Lines and planes have none, nor has what is given by
// an expression.
class PartRadii {
 public:
  // `of_body_m`: the ball about each body's centre that holds all of its shapes.
  PartRadii(const std::vector<MechanismContacts::Surface>& surfaces, const std::map<BodyIndex, double>& of_body_m);

  // Of two surfaces, in m: of those that have a radius the smaller one; 0 if neither has.
  double smaller(int surface_a, int surface_b) const { return smallest(std::vector{surface_a, surface_b}); }
  double smallest(std::span<const int> surfaces) const;

 private:
  std::vector<double> radius_m_;  // of each surface; 0: none
};

// How far a shape reaches from the centre of its body; 0 if it has no end.
double reach_from_centre_m(const Bound& bound);

}  // namespace freeplay::contact
