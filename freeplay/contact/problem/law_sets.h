// The laws of one contact as sets. The same few stand in all local problems: of velocities (law_writer), of the two
// phases of an impact (impact), of accelerations (event-driven integration). Only the numbers in them differ.
#pragma once

#include "freeplay/complementarity/problem/local_problem.h"

namespace freeplay::contact {

// Coulomb's friction in one or two rows, bound to the normal row: |Lambda_T| <= mu Lambda_N, against the sliding.
ImpulseBlock coulomb_set(int tangents, double mu, int row, int normal_row);

// Dry friction of a joint, which no normal row bounds: |Lambda| <= most.
ImpulseBlock effort_set(double most, int row);

// Friction of a contact that slides, where the direction is known and only the normal force is not:
// Lambda_T = mu along Lambda_N. `along`: the part of the row, against the sliding.
ImpulseBlock sliding_set(double mu, double along, int row, int normal_row);

// What an expansion may do in tangential direction, bound to its normal impulse beyond the least one (Pfeiffer 1999,
// (81), (82)). Lambda_C: impulses of the compression, normal and tangential; `no_direction`: a tangential one that is
// no larger tells no direction. With sign(0) = 0, (81) would halve the friction cone.
struct Expansion {
  double mu = 0, e_N = 0, e_T = 0;
  const double* Lambda_C = nullptr;
  double no_direction = 0;
};
ImpulseBlock expansion_set(const Expansion& expansion, int tangents, int row, int normal_row);

}  // namespace freeplay::contact
