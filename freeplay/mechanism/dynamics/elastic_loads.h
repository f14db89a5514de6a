// The largest loads along the axis of a beam. Private to the dynamics of mechanisms.
#pragma once

#include "freeplay/mechanism/mechanism.h"

namespace freeplay::mechanism {

// Of both planes of bending together: the largest sqrt(M_xy^2 + M_xz^2). `q`: all coordinates of the mechanism.
double largest_moment(const Mechanism::ElasticBody& body, const ConstVecRef& q);

// Of a node whose stresses are known: by von Mises, of what the modes add up to.
double node_stress(const Mechanism::ElasticBody& body, std::size_t place, const ConstVecRef& q);

// |M_xy|/W_xy + |M_xz|/W_xz + |N|/A (description/beam_stress.h), or that of the nodes; 0 where neither is known.
double largest_stress(const Mechanism::ElasticBody& body, const ConstVecRef& q);

}  // namespace freeplay::mechanism
