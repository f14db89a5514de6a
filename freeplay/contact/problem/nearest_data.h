// Data that redundant contacts cannot have at once, moved to the nearest that they can: restitution first, then gaps.
//
// Newton's law prescribes each contact's velocity for itself: gamma_E = -e gamma_A. Where contacts are redundant these
// may contradict each other: a ball that exactly fits between two walls cannot leave the one without entering the
// other. The contradiction has a witness, a self-stress d with c^T d < 0 (complementarity/iterative/self_stress.h). The
// nearest data that it does not speak against are those of least squares: the targets of restitution move along d until
// c^T d = 0, none further than to zero. Where all are zero nothing contradicts: c = W^T u, plus gaps that may still
// close, has c^T d >= 0 for every self-stress, unless moving walls squeeze. What then is still not found is looked for
// without those gaps. docs/theory/contact.md.
#pragma once

#include "freeplay/contact/problem/law_writer.h"

namespace freeplay::contact {

// What the laws of impacts have put into c, row by row: e_N (gamma_NA - eta) + eta, e_T gamma_TA, and zero elsewhere.
void write_targets(const LawRows& rows, VecRef targets);

// Moves targets, and c with them, along the self-stress d. Returns how many rows have been moved.
int lower_restitution(const ConstVecRef& d, VecRef targets, VecRef c);
// The last resort: no restitution at all.
void drop_restitution(VecRef targets, VecRef c);
// And where that is not it: gaps that may still close stay as they are for this step. Returns how many rows that is.
int keep_gaps(const LawRows& rows, VecRef c);

}  // namespace freeplay::contact
