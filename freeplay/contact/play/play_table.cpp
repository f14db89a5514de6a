#include "freeplay/contact/play/play_table.h"

#include <utility>

#include "freeplay/contact/play/clearance_gaps.h"
#include "freeplay/contact/play/slot_play.h"
#include "freeplay/contact/play/slot_walls.h"
#include "freeplay/contact/play/spatial_clearance_gaps.h"
#include "freeplay/geometry/contours/contour_gap.h"
#include "freeplay/geometry/contours/shape_contour.h"

namespace freeplay::contact {

namespace {

// Of a journal and its bearing.
template <class Gap>
Play<Gap> journal_and_bearing(const ClearanceJointSpec& play) {
  Play<Gap> made;
  made.on_child = {play.journal_radius_m ? "a journal" : "a journal without 'journal_radius'", play.journal_radius_m};
  made.on_parent = {play.bearing_radius_m ? "a bearing" : "a bearing without 'bearing_radius'", {}};
  if (play.bearing_radius_m) made.on_parent.radius_m = -*play.bearing_radius_m;
  return made;
}

SlotSize slot_of(const ClearanceJointSpec& play) {
  using Sides = ClearanceJointSpec::SlotSides;
  return {play.length_m.value_or(0), play.journal_radius_m.value_or(0) + play.clearance_m,
          play.joint.slot_radius_m.value_or(0), play.slot_sides != Sides::kRight, play.slot_sides != Sides::kLeft};
}

std::unique_ptr<const PlanarGap> pin_between_walls(const ClearanceJointSpec& play, const PlacedJoint& joint) {
  ContourResult pin = make_contour(CircleShape{joint.child_frame.p, play.journal_radius_m.value_or(0)});
  ContourResult slot = make_contour(slot_walls(slot_of(play), joint.parent_frame));
  if (!pin.problem.empty() || !slot.problem.empty()) return nullptr;
  return std::make_unique<ContourGap>(std::move(pin.contour), std::move(slot.contour));
}

}  // namespace

PlacedJoint placed(const Mechanism& mechanism, const Mechanism::Joint& joint) {
  return {joint.parent, joint.child, mechanism.marker(joint.parent_marker).place,
          mechanism.marker(joint.child_marker).place};
}

Play<PlanarGap> make_planar_play(const ClearanceJointSpec& play, const PlacedJoint& joint) {
  Play<PlanarGap> made = journal_and_bearing<PlanarGap>(play);
  if (play.joint.type == "prismatic") {
    made.on_child = {"the corner of a block", {}};
    made.on_parent = {"a guide", {}};
    made.gap = std::make_unique<PrismaticPlay>(joint.child_frame, joint.parent_frame, play.length_m.value_or(0),
                                               play.width_m.value_or(0), play.clearance_m);
  } else if (play.joint.type == "revolute") {
    made.gap = std::make_unique<RevolutePlay>(joint.child_frame.p.head<2>(), joint.parent_frame.p.head<2>(),
                                              play.clearance_m, play.journal_radius_m.value_or(0));
  } else if (play.joint.type == "pin_in_slot") {
    made.on_child = {"a pin", play.journal_radius_m};
    made.on_parent = {"a slot", {}};
    made.gap = pin_between_walls(play, joint);
  }
  return made;
}

Play<SpatialGap> make_spatial_play(const ClearanceJointSpec& play, const PlacedJoint& joint) {
  const std::string& type = play.joint.type;
  const double radius_m = play.journal_radius_m.value_or(0), length_m = play.length_m.value_or(0);
  Play<SpatialGap> made = journal_and_bearing<SpatialGap>(play);
  if (type == "cylindrical" || type == "revolute") {
    std::swap(made.on_child, made.on_parent);  // the rod is the parent's
    made.gap = std::make_unique<SleevePlay>(joint.child_frame, joint.parent_frame,
                                            SleevePlay::Size{length_m, play.clearance_m, radius_m, type == "revolute",
                                                             play.axial_clearance_m.value_or(play.clearance_m)});
  } else if (type == "spherical") {
    made.gap = std::make_unique<SphericalPlay>(joint.child_frame.p, joint.parent_frame.p, play.clearance_m, radius_m);
  } else if (type == "prismatic") {
    made.on_child = {"the corner of a prism", {}};
    made.on_parent = {"a wall", {}};
    made.gap = std::make_unique<ChannelPlay>(joint.child_frame, joint.parent_frame, play.section_m, length_m,
                                             play.clearance_m);
  } else if (type == "pin_in_slot") {
    made.on_child = {"a pin", play.journal_radius_m};
    made.on_parent = {"a slot", {}};
    made.gap =
        std::make_unique<SlotPlay>(joint.child_frame, joint.parent_frame,
                                   SlotPlay::Size{slot_of(play), radius_m, play.clearance_m, play.width_m.value_or(0),
                                                  play.section_m, play.axial_clearance_m.value_or(play.clearance_m)});
  }
  return made;
}

}  // namespace freeplay::contact
