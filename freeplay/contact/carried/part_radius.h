// How large the parts at a contact are: what a depth, or a gap, is compared with.
#pragma once

#include <map>
#include <vector>

#include "freeplay/contact/points/mechanism_contacts.h"

namespace freeplay::contact {

// How far a shape reaches from the centre of its body; 0 if it has no end.
double reach_from_centre_m(const Bound& bound);

// Surface::part_radius_m: the radius of the ball around a shape, of a bore that of the bore; of a point, which is a
// corner of its body, that of the ball about the body's centre which holds all of its shapes, `of_body_m`. Lines and
// planes have none, nor has what is given by an expression.
void set_part_radii(std::vector<MechanismContacts::Surface>& surfaces, const std::map<BodyIndex, double>& of_body_m);

// Of those that have a radius the smaller one; 0 if neither has.
double smaller_radius(double a_m, double b_m);

}  // namespace freeplay::contact
