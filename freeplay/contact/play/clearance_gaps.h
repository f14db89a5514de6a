// The gap functions of planar joints with play. A is the child (block, journal), B the parent (guide, bearing).
#pragma once

#include "freeplay/contact/contact_spec.h"
#include "freeplay/geometry/pairs/planar_gap.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::contact {

// A block between two parallel walls that have no ends. Four corners in the axes of the joint, as Flores, Leine,
// Glocker 2010 number them: 1 (-a, +b) and 2 (+a, +b) on the upper wall, 3 (-a, -b) and 4 (+a, -b) on the lower one.
// The tangent of all four runs along the guide.
class PrismaticPlay final : public PlanarGap {
 public:
  // Frames of the joint on the two bodies; length 2a, width 2b, walls at +-(b + clearance).
  PrismaticPlay(const Frame& on_child, const Frame& on_parent, double length_m, double width_m, double clearance_m);
  int point_count() const override { return 4; }
  void evaluate(const PlanarPlacement& child, const PlanarPlacement& parent,
                std::span<PlanarContactPoint> points) const override;
  bool record(const RecordedPlacement& child, const RecordedPlacement& parent,
              std::span<RecordedContactPoint> points) const override;

 private:
  template <class S>
  void find(const PlacementOf<S>& child, const PlacementOf<S>& parent, std::span<ContactPointOf<S>> points) const;

  Vec2 corners_[4];  // in the child's axes
  Vec2 at_parent_, along_, across_;
  double half_height_;
};

// A journal on the child in a bore of the parent: g = c - |e|, e from the bore's centre to the journal's centre.
class RevolutePlay final : public PlanarGap {
 public:
  // Without a journal radius the surfaces are taken at the centres: enough where there is no friction, since a normal
  // force passes through both centres whatever the radius.
  RevolutePlay(const Vec2& at_child, const Vec2& at_parent, double clearance_m, double journal_radius_m);
  int point_count() const override { return 1; }
  void evaluate(const PlanarPlacement& child, const PlanarPlacement& parent,
                std::span<PlanarContactPoint> points) const override;
  bool record(const RecordedPlacement& child, const RecordedPlacement& parent,
              std::span<RecordedContactPoint> points) const override;
  double to_centre() const override { return journal_radius_; }

 private:
  template <class S>
  void find(const PlacementOf<S>& child, const PlacementOf<S>& parent, ContactPointOf<S>& point) const;

  Vec2 at_child_, at_parent_;
  double clearance_, journal_radius_;
};

}  // namespace freeplay::contact
