#include "freeplay/contact/play/slot_walls.h"

#include <cmath>

namespace freeplay::contact {

// Matter lies to the left of the direction in which the outline is walked through: along the left wall forwards, around
// the end, back along the right one.
OutlineShape slot_walls(const SlotSize& slot, const Frame& frame) {
  const double half = slot.length_m / 2, radius = slot.radius_m, turn = radius > 0 ? half / radius : 0;
  const auto at = [&](double along, double left) {
    const Vec3 straight(along * half, left, 0);
    const Vec3 curved((radius - left) * std::sin(along * turn), radius - (radius - left) * std::cos(along * turn), 0);
    return frame.point(radius > 0 ? curved : straight);
  };
  const double bulge = std::tan(turn / 2);  // of an arc of 2 * turn
  constexpr double kHalfCircleToTheRight = -1;
  OutlineShape walls;
  walls.closed = slot.has_left && slot.has_right;
  if (slot.has_left)
    walls.corners.insert(walls.corners.end(),
                         {{at(-1, slot.reach_m), 0, bulge}, {at(1, slot.reach_m), 0, kHalfCircleToTheRight}});
  if (slot.has_right)
    walls.corners.insert(walls.corners.end(),
                         {{at(1, -slot.reach_m), 0, -bulge}, {at(-1, -slot.reach_m), 0, kHalfCircleToTheRight}});
  if (!walls.closed) walls.corners.back().bulge = 0;
  return walls;
}

}  // namespace freeplay::contact
