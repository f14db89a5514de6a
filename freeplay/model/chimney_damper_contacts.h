// What touches in the system "chimney_damper" (mechanism/systems/chimney_damper.h).
#pragma once

#include <memory>
#include <span>

#include "freeplay/contact/points/contact_model.h"

namespace freeplay::model {

// Null without plates. `values`: as for make_coded_contacts().
std::shared_ptr<const ContactModel> chimney_damper_contacts(std::span<const double> values);

}  // namespace freeplay::model
