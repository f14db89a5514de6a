// Stops and dry friction of joints, and flanks of couplings: points without a place, whose rows act along coordinates
// of joints.
#pragma once

#include <optional>
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
// The two flanks of a coupling with play, with the laws as numbers.
std::vector<JointRowPoint> make_flanks(const Mechanism& mechanism, const BacklashSpec& spec, int coupling,
                                       const PointLaw& law, const std::optional<ForceLaw>& force);

}  // namespace freeplay::contact
