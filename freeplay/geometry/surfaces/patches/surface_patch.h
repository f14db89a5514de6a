// A piece of a surface by two parameters: point, outward normal and their first derivatives.
//
// A patch carries its normal as data of its own, not only by x_u x x_v. So an edge is a patch whose points depend on
// one parameter and whose normals fill the wedge between the faces, and a tip is one whose points do not move at all:
// surfaces of no radius, as corners are in a contour. Contact-point equations and rates need nothing else:
// the normal's derivatives hold the second derivatives of the points, and no third ones occur
// (docs/theory/surfaces.md).
#pragma once

#include <cstdint>
#include <vector>

#include "freeplay/geometry/pairs/bend.h"
#include "freeplay/math/types.h"

namespace freeplay::geometry {

struct SurfacePlace {
  Vec3 x, n;
  Vec3 x_u, x_v, n_u, n_v;
};

// Value and derivatives of a parametrisation.
struct SurfaceJet {
  Vec3 x, x_u, x_v, x_uu, x_uv, x_vv;
};

// The place on a smooth surface with normal side * x_u x x_v / |x_u x x_v|, moved outwards by `offset_m`: a parallel
// surface.
SurfacePlace place_of_jet(const SurfaceJet& jet, double side, double offset_m);

// First and second fundamental form (Pfeiffer 1999, eqs 37 and 39). L, M, N are taken with the outward normal, so they
// are negative on a convex surface: L = n . x_uu = -n_u . x_u.
struct FundamentalForms {
  double E = 0, F = 0, G = 0, L = 0, M = 0, N = 0;
};
FundamentalForms fundamental_forms(const SurfacePlace& place);

// A place at the rim of a flat or straight part, such as the corners of a face or the two rims of a cylinder. It counts
// as a contact with a plane that the part nearly lies on, although it is no minimum of the distance unless it is the
// lowest: so a body that stands has more than one contact, however rounding turns it, and the next corner is known
// before it lands. A point of the body is above the plane wherever it is, so no such contact is ever wrong.
struct SurfaceFoot {
  Vec3 centre = Vec3::Zero();  // of a circle about `axis`; the foot is its place that is the lowest over the plane
  Vec3 axis = Vec3::UnitZ();
  double radius_m = 0;
  double radial = 0, axial = 1;  // the normal of the part there: radial * (outwards of the axis) + axial * axis
  std::int32_t feature = 0;

  // A fixed point at the rim of a flat face.
  static SurfaceFoot fixed(const Vec3& x, const Vec3& normal, std::int32_t feature) {
    return {x, normal, 0, 0, 1, feature};
  }
};

class SurfacePatch {
 public:
  virtual ~SurfacePatch() = default;
  virtual SurfacePlace place(double u, double v) const = 0;  // allocates nothing; goes on smoothly beyond the ends
  // 2: a face, 1: an edge (x_v = 0), 0: a tip.
  virtual int dimension() const { return 2; }
  // Whether a place in the rectangle of parameters belongs to the patch; `tolerance` as a share of its size.
  virtual bool contains(double /*u*/, double /*v*/, double /*tolerance*/) const { return true; }
  // Of a flat or straight patch.
  virtual void add_feet(std::vector<SurfaceFoot>& /*feet*/) const {}

  double u_from = 0, u_to = 1, v_from = 0, v_to = 1;
  double period_u = 0, period_v = 0;  // 0: none
  std::int32_t feature = 0;           // patches of one smooth stretch have the same
};

// `dimension` is that of the patch.
Bend bend_of(const SurfacePlace& place, int dimension);

}  // namespace freeplay::geometry
