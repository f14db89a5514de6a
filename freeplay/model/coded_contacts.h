// What can touch in systems that are given as code.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "freeplay/contact/points/contact_model.h"

namespace freeplay::model {

bool has_coded_contacts(const std::string& system);
// `values`: those of the system's parameters, SI, which the system has accepted. Null if nothing can
// touch in it.
std::shared_ptr<const ContactModel> make_coded_contacts(const std::string& system, std::span<const double> values);

}  // namespace freeplay::model
