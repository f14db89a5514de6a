// Around the gap function of docs/develop/shape.md (tests/project/snippets_test.py).
#include <cmath>

#include "freeplay/geometry/curves/planar_outline.h"
#include "freeplay/geometry/pairs/planar_gap_families.h"

namespace freeplay::geometry {

namespace {

class EllipseLineGap final : public PlanarGap {
 public:
  EllipseLineGap(const EllipseShape& a, const LineShape& b)
      : centre_(in_plane(a.at_m)),
        axis_(std::cos(a.angle), std::sin(a.angle)),
        a_(a.semi_axis_x_m),
        b_(a.semi_axis_y_m),
        at_(in_plane(b.at_m)),
        normal_(in_plane(b.normal)) {}

  int point_count() const override { return 1; }
  // here

 private:
  Vec2 centre_, axis_;
  double a_, b_;
  Vec2 at_, normal_;
};

}  // namespace

PlanarGapPtr make_gap(const EllipseShape& a, const LineShape& b) {
  return std::make_unique<EllipseLineGap>(a, b);
}

}  // namespace freeplay::geometry
