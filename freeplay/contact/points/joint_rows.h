// Stops and dry friction of joints: the points that act along the coordinate of a joint.
#pragma once

#include <string>
#include <vector>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/core/error.h"

namespace freeplay::contact {

struct JointRowPoint {
  MechanismContacts::JointRow row;  // but for its place among the points
  ContactPoint point;
  std::string path;  // in the model file
};

// Those of one joint. `law`: null where the model says no more than the JointSpec. A joint that cannot have what its
// description asks for is a diagnostic, and has none.
std::vector<JointRowPoint> make_joint_rows(const Mechanism& mechanism, const JointSpec& spec, const JointLawSpec* law,
                                           int index, std::vector<Diagnostic>& diagnostics);

// A motion with a limit: dry friction between the joint and what moves as prescribed. `joint`: its index.
JointRowPoint make_slipping_motion(const DriverSpec& driver, int joint, Dimension dimension);

}  // namespace freeplay::contact
