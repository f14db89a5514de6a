// What is measured in the axes of a joint with play: how far its two sides are apart, and where a contact wears them.
// Private to contact/points.
#pragma once

#include <cmath>
#include <vector>

#include "freeplay/contact/play/worn_contact.h"
#include "freeplay/contact/points/mechanism_contacts.h"

namespace freeplay::contact {

// From the parent side to the centre of the child side. `frames`: of the markers that carry shapes.
inline Vec3 eccentricity_of(const MechanismContacts::Eccentricity& joint, const std::vector<Frame>& frames) {
  const Frame& child = frames[static_cast<std::size_t>(joint.placement_child)];
  const Frame& parent = frames[static_cast<std::size_t>(joint.placement_parent)];
  const Vec3 e = child.point(joint.on_child.p) - parent.point(joint.on_parent.p);
  return (parent.R * joint.on_parent.R).transpose() * e;
}

// Along a track, or about the axis of a round surface, of a contact at `point` with this normal (world axes).
inline double wear_coordinate_of(const MechanismContacts::Eccentricity& sides, const WornSurface& surface,
                                 const std::vector<Frame>& frames, const Vec3& point, const Vec3& normal) {
  const int marker = surface.is_on_child ? sides.placement_child : sides.placement_parent;
  const Frame& body = frames[static_cast<std::size_t>(marker)];
  const Frame& joint = surface.is_on_child ? sides.on_child : sides.on_parent;
  const Mat3 to_joint = (body.R * joint.R).transpose();
  if (surface.kind == WornSurface::Kind::kTrack) return (to_joint * (point - body.point(joint.p))).x();
  // The normal points at the centre of the bore.
  const Vec3 outward = -to_joint * normal;
  return std::atan2(outward.y(), outward.x());
}

}  // namespace freeplay::contact
