// Joints with play by type: the gap function of each, and the surfaces that touch. A new joint with play is a branch
// here, planar or spatial, and its gap function beside the others.
#pragma once

#include <memory>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/contact/laws/force_law_builder.h"
#include "freeplay/geometry/pairs/planar_gap.h"
#include "freeplay/geometry/pairs/spatial_gap.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::contact {

// The frames of a joint on its two bodies.
struct PlacedJoint {
  BodyIndex parent{}, child{};
  Frame parent_frame, child_frame;
};
PlacedJoint placed(const Mechanism& mechanism, const Mechanism::Joint& joint);

template <class Gap>
struct Play {
  std::unique_ptr<const Gap> gap;  // null: joints of this type cannot have play
  ContactSurface on_child, on_parent;
};
Play<PlanarGap> make_planar_play(const ClearanceJointSpec& play, const PlacedJoint& joint);
Play<SpatialGap> make_spatial_play(const ClearanceJointSpec& play, const PlacedJoint& joint);

}  // namespace freeplay::contact
