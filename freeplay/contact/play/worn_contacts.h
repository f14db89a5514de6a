// From what a model says about wear to the surfaces that wear.
#pragma once

#include <string>
#include <vector>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/contact/play/worn_contact.h"
#include "freeplay/core/error.h"

namespace freeplay::contact {

// Of two shapes. `points`: how many the contact has.
WornContact worn_pair(const std::string& name, const WearSpec& wear, int points);

// Of a joint with play. What is missing is added to `diagnostics`.
WornContact worn_joint(const ClearanceJointSpec& play, Space space, int points, std::vector<Diagnostic>& diagnostics);

}  // namespace freeplay::contact
