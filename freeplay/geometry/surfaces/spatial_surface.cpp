#include "freeplay/geometry/surfaces/spatial_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace freeplay::geometry {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kSamples = 5;         // per side of a rectangle
constexpr double kSafety = 1.15;    // of bounds that come from samples
constexpr double kBetween = 1.06;   // the same for distances, of which samples have the corners
constexpr double kLeafAngle = 0.3;  // rad: half the spread of normals on a leaf
constexpr int kDeepest = 14;        // halvings of one patch
constexpr double kSpacing = 0.05;   // of the size: points that tell how thick the matter is
constexpr int kMostSamples = 200;   // along a side of a leaf
constexpr double kTiny = 1e-12;
constexpr double kTooNear = 1e-12;  // squares of distances, of that of the size: rounding decides the direction

double angle_between(const Vec3& one, const Vec3& two) {
  return std::atan2(one.cross(two).norm(), one.dot(two));
}

// One face of a cube, blown up to the ellipsoid: d = (1, u, v)/|(1, u, v)| in cyclic order, x = c + A d, and the normal
// is along A^-1 d. No parametrisation by two angles does without poles.
class EllipsoidFace final : public SurfacePatch {
 public:
  EllipsoidFace(const Vec3& centre, const Vec3& semi_axes, const Mat3& rotation, int axis, double sign)
      : centre_(centre), axes_(semi_axes), rotation_(rotation), axis_(axis), sign_(sign) {
    u_from = v_from = -1;
  }
  SurfacePlace place(double u, double v) const override {
    Vec3 c = Vec3::Zero(), c_u = Vec3::Zero(), c_v = Vec3::Zero();
    const int j = (axis_ + 1) % 3, k = (axis_ + 2) % 3;
    c[axis_] = sign_;
    c[j] = u;
    c[k] = sign_ * v;
    c_u[j] = 1;
    c_v[k] = sign_;
    const double length = c.norm();
    const Vec3 d = c / length, d_u = (c_u - d * d.dot(c_u)) / length, d_v = (c_v - d * d.dot(c_v)) / length;
    const Vec3 m = d.cwiseQuotient(axes_), m_u = d_u.cwiseQuotient(axes_), m_v = d_v.cwiseQuotient(axes_);
    const double size = m.norm();
    const Vec3 n = m / size;
    return {centre_ + rotation_ * d.cwiseProduct(axes_), rotation_ * n,
            rotation_ * d_u.cwiseProduct(axes_),         rotation_ * d_v.cwiseProduct(axes_),
            rotation_ * (m_u - n * n.dot(m_u)) / size,   rotation_ * (m_v - n * n.dot(m_v)) / size};
  }

 private:
  Vec3 centre_, axes_;
  Mat3 rotation_;
  int axis_;
  double sign_;
};

// Places come in the order of the tree: those before and after one are near it, and bound the ball inside of the matter
// before the tree is asked, which takes long where a surface has very many waves.
double room_beside(const std::vector<SurfacePlace>& places, std::size_t i, double limit_m) {
  constexpr std::size_t kBeside = 8;
  const std::size_t from = i - std::min(i, kBeside), to = std::min(places.size(), i + kBeside + 1);
  double radius = limit_m;
  for (std::size_t k = from; k < to; ++k) {
    const Vec3 way = places[k].x - places[i].x;
    const double inward = -2 * places[i].n.dot(way), square = way.squaredNorm();
    if (square >= kTooNear * limit_m * limit_m && inward * radius > square) radius = square / inward;
  }
  return radius;
}

}  // namespace

SurfaceBound join_bounds(const SurfaceBound& one, const SurfaceBound& two) {
  SurfaceBound both;
  const Vec3 D = two.centre - one.centre;
  const double distance = D.norm();
  if (distance + two.radius_m <= one.radius_m) {
    both.centre = one.centre, both.radius_m = one.radius_m;
  } else if (distance + one.radius_m <= two.radius_m) {
    both.centre = two.centre, both.radius_m = two.radius_m;
  } else {
    both.radius_m = (distance + one.radius_m + two.radius_m) / 2;
    both.centre = one.centre + D * ((both.radius_m - one.radius_m) / distance);
  }
  const double apart = angle_between(one.axis, two.axis);
  const double half = (apart + one.half_angle + two.half_angle) / 2;
  if (apart + two.half_angle <= one.half_angle) {
    both.axis = one.axis, both.half_angle = one.half_angle;
  } else if (apart + one.half_angle <= two.half_angle) {
    both.axis = two.axis, both.half_angle = two.half_angle;
  } else if (half >= kPi || apart > kPi - 1e-6) {
    both.axis = one.axis, both.half_angle = kPi;
  } else {
    const double turn = half - one.half_angle, s = std::sin(apart);
    both.axis = apart < kTiny ? one.axis
                              : Vec3((std::sin(apart - turn) * one.axis + std::sin(turn) * two.axis) / s).normalized();
    both.half_angle = half + 1e-9;
  }
  return both;
}

SurfaceBound bound_of_cell(const SpatialSurface& surface, const SurfaceCell& cell) {
  const double du = (cell.u_to - cell.u_from) / 2, dv = (cell.v_to - cell.v_from) / 2;
  const SurfacePlace middle = surface.patch(cell.patch).place(cell.u_from + du, cell.v_from + dv);
  return {middle.x, cell.x_u * du + cell.x_v * dv, middle.n, cell.n_u * du + cell.n_v * dv};
}

SpatialSurface SpatialSurface::plane(const Vec3& at, const Vec3& normal) {
  SpatialSurface surface;
  surface.kind_ = Kind::kPlane;
  surface.convex_.centre = surface.centre_ = at;
  surface.normal_ = normal;
  surface.size_m_ = kInfinity;
  return surface;
}

SpatialSurface SpatialSurface::ball(const Vec3& centre, double radius_m) {
  SpatialSurface surface;
  surface.kind_ = Kind::kBall;
  surface.convex_ = ConvexBody::ball(centre, radius_m);
  surface.centre_ = centre;
  surface.size_m_ = surface.thickest_m_ = radius_m;
  return surface;
}

SpatialSurface SpatialSurface::ellipsoid(const Vec3& centre, const Vec3& semi_axes_m, const Mat3& rotation) {
  std::vector<std::shared_ptr<const SurfacePatch>> faces;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double sign : {1.0, -1.0})
      faces.push_back(std::make_shared<EllipsoidFace>(centre, semi_axes_m, rotation, axis, sign));
  }
  SpatialSurface surface = of_patches(std::move(faces));
  surface.kind_ = Kind::kEllipsoid;
  surface.centre_ = centre;
  surface.size_m_ = semi_axes_m.maxCoeff();
  surface.convex_ = ConvexBody::ellipsoid(centre, semi_axes_m, rotation);
  return surface;
}

SpatialSurface SpatialSurface::of_patches(std::vector<std::shared_ptr<const SurfacePatch>> patches) {
  SpatialSurface surface;
  surface.patches_ = std::move(patches);
  surface.freeze();
  return surface;
}

void SpatialSurface::freeze() {
  nodes_.emplace_back();  // the root's place
  std::vector<std::int32_t> roots;
  for (int i = 0; i < patch_count(); ++i) {
    const SurfacePatch& p = patch(i);
    const int root = add_patch_tree(i, p.u_from, p.u_to, p.v_from, p.v_to, 0);
    if (root >= 0) roots.push_back(root);
    p.add_feet(feet_);
  }
  const int top = join(roots, 0, roots.size());
  nodes_[0] = nodes_[static_cast<std::size_t>(top)];
  centre_ = nodes_[0].bound.centre;
  size_m_ = nodes_[0].bound.radius_m;
  std::vector<SurfacePlace> places;
  for (const SurfaceNode& node : nodes_) {
    first_point_.push_back(static_cast<std::int32_t>(places.size()));
    if (node.left < 0) add_samples(node.cell, kSpacing * size_m_, places);
  }
  first_point_.push_back(static_cast<std::int32_t>(places.size()));
  for (const SurfacePlace& place : places) points_.push_back(place.x);
  double thickest = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double limit = room_beside(places, i, size_m_);
    if (limit > thickest) thickest = std::max(thickest, inner_radius(places[i].x, places[i].n, limit));
  }
  thickest_m_ = std::min(kSafety * thickest, size_m_);
}

int SpatialSurface::join(std::vector<std::int32_t>& roots, std::size_t first, std::size_t count) {
  if (count == 1) return roots[first];
  SurfaceNode node;
  node.left = join(roots, first, count / 2);
  node.right = join(roots, first + count / 2, count - count / 2);
  node.bound = join_bounds(nodes_[static_cast<std::size_t>(node.left)].bound,
                           nodes_[static_cast<std::size_t>(node.right)].bound);
  nodes_.push_back(node);
  return static_cast<int>(nodes_.size()) - 1;
}

// -1 if no sample of the rectangle belongs to the patch.
int SpatialSurface::add_patch_tree(int i, double u_from, double u_to, double v_from, double v_to, int depth) {
  const SurfacePatch& p = patch(i);
  SurfaceNode node;
  SurfaceCell& cell = node.cell;
  cell = {i, u_from, u_to, v_from, v_to, 0, 0, 0, 0};
  const double du = (u_to - u_from) / (kSamples - 1), dv = (v_to - v_from) / (kSamples - 1);
  node.middle = p.place((u_from + u_to) / 2, (v_from + v_to) / 2);
  node.bound = {node.middle.x, 0, node.middle.n, 0};
  bool belongs = false;
  for (int k = 0; k < kSamples * kSamples; ++k) {
    const int along = k % kSamples, across = k / kSamples;
    const double u = u_from + du * along, v = v_from + dv * across;
    const SurfacePlace at = p.place(u, v);
    belongs = belongs || p.contains(u, v, 1e-6);
    cell.x_u = std::max(cell.x_u, at.x_u.norm());
    cell.x_v = std::max(cell.x_v, at.x_v.norm());
    cell.n_u = std::max(cell.n_u, at.n_u.norm());
    cell.n_v = std::max(cell.n_v, at.n_v.norm());
    node.bound.radius_m = std::max(node.bound.radius_m, kBetween * (at.x - node.middle.x).norm());
    node.bound.half_angle = std::max(node.bound.half_angle, kBetween * angle_between(at.n, node.middle.n));
  }
  for (double* bound : {&cell.x_u, &cell.x_v, &cell.n_u, &cell.n_v}) *bound *= kSafety;
  const double spread_u = cell.n_u * (u_to - u_from) / 2, spread_v = cell.n_v * (v_to - v_from) / 2;
  if (!belongs && depth >= 4) return -1;
  if (spread_u + spread_v <= kLeafAngle || depth >= kDeepest) {
    if (!belongs) return -1;
    nodes_.push_back(node);
    return static_cast<int>(nodes_.size()) - 1;
  }
  const double u = (u_from + u_to) / 2, v = (v_from + v_to) / 2;
  const bool across_u = spread_u >= spread_v;
  const int left = add_patch_tree(i, u_from, across_u ? u : u_to, v_from, across_u ? v_to : v, depth + 1);
  const int right = add_patch_tree(i, across_u ? u : u_from, u_to, across_u ? v_from : v, v_to, depth + 1);
  if (left < 0 || right < 0) return std::max(left, right);
  node.left = left;
  node.right = right;
  node.bound = join_bounds(nodes_[static_cast<std::size_t>(left)].bound, nodes_[static_cast<std::size_t>(right)].bound);
  node.cell.patch = -1;
  nodes_.push_back(node);
  return static_cast<int>(nodes_.size()) - 1;
}

void SpatialSurface::add_samples(const SurfaceCell& cell, double spacing_m, std::vector<SurfacePlace>& places) const {
  const auto count_for = [&](double length) {
    return 1 + static_cast<int>(std::min(length / spacing_m, static_cast<double>(kMostSamples)));
  };
  const double range_u = cell.u_to - cell.u_from, range_v = cell.v_to - cell.v_from;
  const int count_u = count_for(cell.x_u * range_u), count_v = count_for(cell.x_v * range_v);
  for (int k = 0; k < count_u * count_v; ++k) {
    const double u = cell.u_from + range_u * (k % count_u + 0.5) / count_u;
    const int across = k / count_u;
    const double v = cell.v_from + range_v * (across + 0.5) / count_v;
    if (patch(cell.patch).contains(u, v, 0)) places.push_back(patch(cell.patch).place(u, v));
  }
}

std::vector<SurfacePlace> SpatialSurface::samples(double spacing_m) const {
  std::vector<SurfacePlace> places;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    if (nodes_[i].left < 0) add_samples(nodes_[i].cell, spacing_m, places);
  }
  return places;
}

// A ball of radius r at x - r n holds the point y where |y - x|^2 < -2 r n . (y - x).
double SpatialSurface::inner_radius(const Vec3& x, const Vec3& n, double limit_m) const {
  if (kind_ == Kind::kPlane) return limit_m;
  if (kind_ == Kind::kBall) return std::min(limit_m, convex_.radius_m);
  double radius = limit_m;
  const double nearest = kTooNear * size_m_ * size_m_;
  std::array<std::int32_t, 2 * kDeepest + 34> stack;  // of a patch, and over patches
  int top = 0;
  stack[0] = 0;
  while (top >= 0) {
    const std::size_t i = static_cast<std::size_t>(stack[static_cast<std::size_t>(top--)]);
    const SurfaceNode& node = nodes_[i];
    // Whether the ball may hold a point of the node.
    if ((node.bound.centre - (x - radius * n)).norm() > radius + node.bound.radius_m * (1 + kTiny)) continue;
    if (node.left >= 0) {
      stack[static_cast<std::size_t>(++top)] = node.right;
      stack[static_cast<std::size_t>(++top)] = node.left;
      continue;
    }
    for (std::int32_t k = first_point_[i]; k < first_point_[i + 1]; ++k) {
      const Vec3 to = points_[static_cast<std::size_t>(k)] - x;
      const double inward = -2 * n.dot(to), square = to.squaredNorm();
      if (square < nearest) continue;
      if (inward * radius > square) radius = square / inward;
    }
  }
  return radius;
}

}  // namespace freeplay::geometry
