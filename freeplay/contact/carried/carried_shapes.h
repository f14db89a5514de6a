// Shapes and joints with play on elastic bodies: each has a marker that a section of the beam carries along.
#pragma once

#include <vector>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/geometry/shapes/shape_spec.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::contact {

bool has_elastic_bodies(const MechanismSpec& spec);

// The description with a marker (MarkerSpec::owner) for every point, circle and ball on an elastic body, and for each
// side of a joint with play there. Other shapes get none: they would have to bend with the beam.
MechanismSpec with_carried_markers(MechanismSpec spec, const std::vector<ShapeSpec>& shapes,
                                   const std::vector<ClearanceJointSpec>& clearance_joints);

// The marker that stands for a body to `owner` ("shapes.NAME", "joints.NAME"): that of the body itself, or the one from
// above. nullopt: the body is elastic, and there is none.
std::optional<MarkerIndex> carrying_marker(const Mechanism& mechanism, const MechanismSpec& spec, BodyIndex body,
                                           const std::string& owner);

}  // namespace freeplay::contact
