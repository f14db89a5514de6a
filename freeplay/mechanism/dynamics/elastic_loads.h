// The largest loads along the axis of a beam. Private to the dynamics of mechanisms.
#pragma once

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

// Of both planes of bending together: the largest sqrt(M_xy^2 + M_xz^2). `q`: all coordinates of the mechanism.
double largest_moment(const Mechanism::ElasticBody& body, const ConstVecRef& q);

// |M_xy|/W_xy + |M_xz|/W_xz + |N|/A (description/beam_stress.h); 0 where the section is not known.
double largest_stress(const Mechanism::ElasticBody& body, const ConstVecRef& q);

}  // namespace freeplay::mechanism
