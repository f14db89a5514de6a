// From the words and numbers of a model to a FrictionLaw.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/contact/laws/friction_law.h"
#include "freeplay/core/error.h"

namespace freeplay::contact {

// Null for Coulomb's law, whose one number is `friction`, and after a mistake. `path`: of the block of the law.
std::shared_ptr<const FrictionLaw> make_friction_law(const ContactLawSpec& law, const std::string& path,
                                                     std::vector<Diagnostic>& mistakes);

}  // namespace freeplay::contact
