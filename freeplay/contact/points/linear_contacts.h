// Contacts of a LinearSystem (mechanism/systems/linear_system.h): gaps and sliding are linear in the coordinates,
// g_N = g_0 + w_N . q and gamma_T = w_T . u, so rows are constant and have no bias.
// Dry friction between two parts whose normal force does not change is a point without a normal row.
#pragma once

#include "freeplay/contact/points/contact_model.h"

namespace freeplay::contact {

struct LinearContact {
  ContactPoint description;
  double gap_at_zero = 0;
  VecX normal;   // empty for a point without normal row
  VecX tangent;  // empty for a point that has no tangents
};

class LinearContacts final : public ContactModel {
 public:
  // Each contact is a pair of its own, with one point.
  explicit LinearContacts(std::vector<LinearContact> contacts);
  const std::vector<LinearContact>& contacts() const { return contacts_; }

  bool has_point(ContactKey key) const override;
  int entry_of(ContactKey key) const override { return static_cast<int>(key.pair); }
  // `dynamics` must be a LinearDynamics.
  std::unique_ptr<ContactKinematics> make_kinematics(Dynamics& dynamics) const override;

 private:
  std::vector<LinearContact> contacts_;
};

}  // namespace freeplay::contact
