// The walls of a slot that a pin runs in, as an outline: for contacts and for pictures.
#pragma once

#include "freeplay/geometry/contours/contour_shapes.h"
#include "freeplay/math/frame.h"

namespace freeplay::contact {

struct SlotSize {
  double length_m = 0;  // the way of the pin's centre, from end to end
  double reach_m = 0;   // from that way to either wall: the pin's radius and the play
  double radius_m = 0;  // of the way, which turns left; 0: it is straight
  bool has_left = true, has_right = true;
};

// In the axes in which `frame` is given; the way begins along its x axis, and its middle is in the origin.
OutlineShape slot_walls(const SlotSize& slot, const Frame& frame);

}  // namespace freeplay::contact
