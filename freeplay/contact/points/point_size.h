// How large the parts of a contact are: what a depth is to be compared with.
#pragma once

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/geometry/shapes/shape_bound.h"

namespace freeplay::contact {

// The diameter of the smaller one of the two parts, in m, as far as they have one: that of the shape; of a point, which
// is a corner of its body, that of the ball about the body's centre that holds all of its shapes. Lines and planes have
// none, nor has what is hollow or given by an expression. 0 if neither has one; also for joints with play and for
// stops.
double smaller_part_m(const ContactModel& contacts, ContactKey key);

// The radius of the ball around the smaller of two shapes, of a bore that of the bore. A half-space and a point have no
// size; where neither partner has one it is 1 m.
double smaller_size_m(const Bound& a, const Bound& b);

}  // namespace freeplay::contact
