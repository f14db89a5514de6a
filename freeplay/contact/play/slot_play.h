// The gap function of a spatial pin in a slot with play. The child carries the pin, round and with a head at either
// end, the parent a plate with the slot: x along the slot, y to its left, z along the pin.
//
// As in all spatial joints with play, points on the axis of the child stand for its surface: either end of the pin is a
// ball of the pin's radius, so that a tilt changes no gap in the second order of the tilt. Walls have no ends along z;
// the faces of the plate have none at all. A slot with one wall only is endless.
#pragma once

#include <vector>

#include "freeplay/contact/play/slot_walls.h"
#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::contact {

// Points, in this order; E_1 and E_2 are the ends of the pin at -z and +z, v is how far an end is to the left of the
// way:
//   walls   g = c - v at the left one, g = c + v at the right one: E_1 left, E_1 right, E_2 left, E_2 right, without
//           those of a wall that is not there
//   ends    of a slot with both walls: g = c - |d|, d from the end of the way to E_1, then to E_2, beyond that end only
//   heads   the points of the one at E_1, then those of the one at E_2: g is the axial play where the pin is centred
// Some points stand for the rim of a head: they hold the pin upright, and turn with it.
class SlotPlay final : public SpatialGap {
 public:
  struct Size {
    SlotSize slot;
    double pin_radius_m = 0, clearance_m = 0;
    double width_m = 0;         // of the plate, along the pin
    std::vector<Vec2> heads_m;  // points of either head that lie on the plate, x and y of the child's frame
    double axial_clearance_m = 0;
  };
  SlotPlay(const Frame& on_child, const Frame& on_parent, const Size& size);
  int point_count() const override {
    return 2 * (wall_count_ + (has_ends() ? 1 : 0) + static_cast<int>(size_.heads_m.size()));
  }
  void evaluate(const Frame& child, const Frame& parent, std::span<SpatialContactPoint> points) const override;

 private:
  bool has_ends() const { return wall_count_ == 2; }
  // Axes of the slot in the world; p: from its origin to the end of the pin, in these axes.
  void touch_wall(const Mat3& axes, const Vec3& p, const Vec3& pin_end, double side, SpatialContactPoint& point) const;
  void touch_end(const Mat3& axes, const Vec3& p, const Vec3& pin_end, SpatialContactPoint& point) const;

  Size size_;
  int wall_count_;
  Vec3 pin_ends_[2];                  // in the child's axes
  std::vector<Vec3> head_points_[2];  // the same
  Frame on_parent_;
};

}  // namespace freeplay::contact
