// What the contacts of a step did, into the state: memory of every point, losses, work of moving surfaces.
#pragma once

#include "freeplay/contact/points/contact_model.h"
#include "freeplay/contact/problem/law_writer.h"

namespace freeplay::contact {

// Forgets the last step of all points, but not what they have lost since the start.
void forget_last_step(State& state);

struct LedgerEntry {
  const LawRows& laws;
  const RowStore& rows;
  ConstVecRef Lambda;
  ConstVecRef u_E;
};
// `state` is aligned with the points. Adds losses to its account.
void book_contacts(const LedgerEntry& step, const ContactKinematics& kinematics, State& state);

}  // namespace freeplay::contact
