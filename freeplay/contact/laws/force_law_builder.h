// From the words and numbers of a `force:` block to a law that can be evaluated.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/contact/laws/force_law.h"
#include "freeplay/core/error.h"
#include "freeplay/geometry/shapes/shape_spec.h"

namespace freeplay::contact {

// What a force law has to know of the surface of a partner.
struct ContactSurface {
  std::string what;  // "a circle", for messages
  // At the contact: > 0 convex, infinite for a plane, < 0 for a bore; none where it is sharp or varies.
  std::optional<double> radius_m;
};
// `partner` decides whether a polygon touches with an edge or with a corner.
ContactSurface surface_of(const ShapeGeometry& shape, const ShapeGeometry& partner);

// Requires law.force. `friction`: mu(v) of the contact (friction_law_builder.h), null for Coulomb's law. `path`: of the
// contact block, "contacts.bounce" or "joints.pin.contact". Adds to `mistakes` what stands in the way, and returns
// nothing then.
std::optional<ForceLaw> make_force_law(const ContactLawSpec& law, const std::shared_ptr<const FrictionLaw>& friction,
                                       const ContactSurface& a, const ContactSurface& b, const std::string& path,
                                       std::vector<Diagnostic>& mistakes);

}  // namespace freeplay::contact
