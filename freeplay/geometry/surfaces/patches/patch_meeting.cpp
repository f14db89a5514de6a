#include "freeplay/geometry/surfaces/patches/patch_meeting.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "freeplay/geometry/pairs/spatial_gap.h"

namespace freeplay::geometry {

namespace {

constexpr int kMostIterations = 25;
constexpr double kConverged = 1e-14;  // angles, and lengths as a share of the size
constexpr double kAccepted = 1e-11;   // where rounding stops it earlier
constexpr double kBeyond = 0.3;       // how far outside of a patch it may wander, of its range
constexpr double kLongest = 0.35;     // the longest step, of the range of a parameter
constexpr double kSingular = 1e-11;   // of a matrix: smallest against largest pivot
constexpr double kTolerance = 1e-9;   // of ranges: patches meet without a seam

// Moves the parameters by a step, cut to a share of their ranges. False outside of where the patch may be asked.
bool move(PatchPoint& p, double du, double dv, double share) {
  const SurfacePatch& patch = *p.patch;
  const double range_u = patch.u_to - patch.u_from, range_v = patch.v_to - patch.v_from;
  const double u = p.u + share * du, v = p.v + share * dv;
  if (patch.period_u == 0 && (u < patch.u_from - kBeyond * range_u || u > patch.u_to + kBeyond * range_u)) return false;
  if (patch.period_v == 0 && (v < patch.v_from - kBeyond * range_v || v > patch.v_to + kBeyond * range_v)) return false;
  p.set(patch, u, v);
  return true;
}

double share_of_step(const PatchPoint& p, double du, double dv) {
  const double range_u = p.patch->u_to - p.patch->u_from, range_v = p.patch->v_to - p.patch->v_from;
  const double longest = std::max(std::abs(du) / range_u, std::abs(dv) / range_v);
  return longest > kLongest ? kLongest / longest : 1;
}

// Solves a 2 x 2 system. Where it is singular the contacts fill a line, such as the circle around a ball on the axis of
// a torus: the shortest step leads to one of them. False if nothing is determined.
bool solve(const Mat2& J, const Vec2& f, Vec2& step) {
  const double det = J(0, 0) * J(1, 1) - J(0, 1) * J(1, 0), square = J.squaredNorm();
  if (!(square > 0)) return false;
  if (!(std::abs(det) > kSingular * square)) {
    step = J.transpose() * f / square;  // the pseudo-inverse of a matrix of rank 1
    return true;
  }
  step = {(J(1, 1) * f[0] - J(0, 1) * f[1]) / det, (J(0, 0) * f[1] - J(1, 0) * f[0]) / det};
  return true;
}

// Newton's method in the two parameters of one patch. `residual_of(e1, e2)` gives f in units of `scale`,
// `jacobian_of(e1, e2)` the matrix with J step = f.
template <class Residual, class Jacobian>
MeetingOutcome iterate(PatchPoint& p, double scale, const Vec2& limits, Residual residual_of, Jacobian jacobian_of) {
  double last = kInfinity;
  for (int i = 0; i < kMostIterations; ++i) {
    const Vec3 e1 = tangent_to(p.at.n), e2 = p.at.n.cross(e1);
    const Vec2 f = residual_of(e1, e2);
    const double size = f.norm() / scale;
    if (size <= kConverged || (size <= kAccepted && size >= last)) return MeetingOutcome::kFound;
    last = size;
    Vec2 step;
    if (!solve(jacobian_of(e1, e2), f, step)) return MeetingOutcome::kLost;
    if (i == 0 && (step.cwiseAbs().array() > limits.array()).any()) return MeetingOutcome::kFar;
    if (!move(p, step[0], step[1], share_of_step(p, step[0], step[1]))) return MeetingOutcome::kLost;
  }
  return last <= kAccepted ? MeetingOutcome::kFound : MeetingOutcome::kLost;
}

Mat2 projected(const Vec3& e1, const Vec3& e2, const Vec3& u, const Vec3& v) {
  Mat2 m;
  m << e1.dot(u), e1.dot(v), e2.dot(u), e2.dot(v);
  return m;
}

// As above: the shortest step where the contacts fill a line.
Vec4 solve(const Eigen::Matrix4d& J, const Vec4& f) {
  const Eigen::PartialPivLU<Eigen::Matrix4d> factors(J);
  const Vec4 pivots = factors.matrixLU().diagonal().cwiseAbs();
  if (pivots.minCoeff() > kSingular * pivots.maxCoeff()) return factors.solve(f);
  Eigen::CompleteOrthogonalDecomposition<Eigen::Matrix4d> singular;
  singular.setThreshold(kSingular);
  singular.compute(J);
  return singular.solve(f);
}

}  // namespace

void PatchPoint::set(const SurfacePatch& on, double to_u, double to_v) {
  patch = &on;
  u = on.period_u > 0 ? to_u - on.period_u * std::floor((to_u - on.u_from) / on.period_u) : to_u;
  v = on.period_v > 0 ? to_v - on.period_v * std::floor((to_v - on.v_from) / on.period_v) : to_v;
  at = on.place(u, v);
}

bool PatchPoint::is_inside() const {
  const double du = kTolerance * (patch->u_to - patch->u_from), dv = kTolerance * (patch->v_to - patch->v_from);
  return u >= patch->u_from - du && u <= patch->u_to + du && v >= patch->v_from - dv && v <= patch->v_to + dv &&
         patch->contains(u, v, kTolerance);
}

MeetingOutcome meet_plane(const Vec3& m, const Vec2& limits, PatchPoint& point) {
  const MeetingOutcome met = iterate(
      point, 1, limits, [&](const Vec3& e1, const Vec3& e2) { return Vec2(-e1.dot(m), -e2.dot(m)); },
      [&](const Vec3& e1, const Vec3& e2) { return projected(e1, e2, point.at.n_u, point.at.n_v); });
  return met == MeetingOutcome::kFound && point.at.n.dot(m) > 0 ? MeetingOutcome::kFar : met;
}

// T^T (c - x) = 0; its derivative is -T^T (X + h N) with h = n . (c - x).
MeetingOutcome meet_centre(const Vec3& centre, double size_m, const Vec2& limits, PatchPoint& point) {
  return iterate(
      point, size_m, limits,
      [&](const Vec3& e1, const Vec3& e2) {
        const Vec3 to = centre - point.at.x;
        return Vec2(e1.dot(to), e2.dot(to));
      },
      [&](const Vec3& e1, const Vec3& e2) {
        const double h = point.at.n.dot(centre - point.at.x);
        return projected(e1, e2, point.at.x_u + h * point.at.n_u, point.at.x_v + h * point.at.n_v);
      });
}

// With t along the line and r = x - at: n . t = 0 and r . (t x n) = 0. Where t x N stands for its columns, the
// derivative is  (t . N;  (t x n) . X + (r x t) . N).
MeetingOutcome meet_line(const Vec3& at, const Vec3& along, double size_m, const Vec2& limits, PatchPoint& point) {
  const auto across = [&] { return Vec3(along.cross(point.at.n) / size_m); };
  return iterate(
      point, 1, limits,
      [&](const Vec3&, const Vec3&) { return Vec2(-point.at.n.dot(along), -across().dot(point.at.x - at)); },
      [&](const Vec3&, const Vec3&) {
        const Vec3 side = across(), turn = (point.at.x - at).cross(along) / size_m;
        Mat2 J;
        J << along.dot(point.at.n_u), along.dot(point.at.n_v), side.dot(point.at.x_u) + turn.dot(point.at.n_u),
            side.dot(point.at.x_v) + turn.dot(point.at.n_v);
        return J;
      });
}

// With T the tangent plane of B: f = (T^T (x_A - x_B), T^T n_A), and where normals are opposite
//   df = [X_A  -(X_B + g N_B); N_A  N_B] (dp_A, dp_B),   the matrix of the rates as well (surface_rates.h).
MeetingOutcome meet_patches(const Frame& view, double size_m, const Vec4& limits, PatchPoint& a, PatchPoint& b) {
  double last = kInfinity;
  for (int i = 0; i < kMostIterations; ++i) {
    const Vec3 n = b.at.n, e1 = tangent_to(n), e2 = n.cross(e1);
    const Vec3 apart = view.point(a.at.x) - b.at.x, n_a = view.R * a.at.n;
    Vec4 f(e1.dot(apart) / size_m, e2.dot(apart) / size_m, e1.dot(n_a), e2.dot(n_a));
    const double size = f.norm();
    if (size <= kConverged || (size <= kAccepted && size >= last))
      return n.dot(n_a) < 0 ? MeetingOutcome::kFound : MeetingOutcome::kFar;
    last = size;
    const double g = n.dot(apart);
    Eigen::Matrix4d J;
    J.block<2, 2>(0, 0) = projected(e1, e2, view.R * a.at.x_u, view.R * a.at.x_v) / size_m;
    J.block<2, 2>(0, 2) = -projected(e1, e2, b.at.x_u + g * b.at.n_u, b.at.x_v + g * b.at.n_v) / size_m;
    J.block<2, 2>(2, 0) = projected(e1, e2, view.R * a.at.n_u, view.R * a.at.n_v);
    J.block<2, 2>(2, 2) = projected(e1, e2, b.at.n_u, b.at.n_v);
    const Vec4 step = solve(J, -f);
    if (!step.allFinite()) return MeetingOutcome::kLost;
    if (i == 0 && (step.cwiseAbs().array() > limits.array()).any()) return MeetingOutcome::kFar;
    const double share = std::min(share_of_step(a, step[0], step[1]), share_of_step(b, step[2], step[3]));
    if (!(share > 1e-3)) return MeetingOutcome::kLost;
    if (!move(a, step[0], step[1], share) || !move(b, step[2], step[3], share)) return MeetingOutcome::kLost;
  }
  return last <= kAccepted && b.at.n.dot(view.R * a.at.n) < 0 ? MeetingOutcome::kFound : MeetingOutcome::kLost;
}

// k/(1 + d k) is the curvature of the parallel surface at the distance d; of an edge, k infinite, 1/d.
bool is_minimum(const Bend& a, const Bend& b, double gap, double depth_a, double depth_b, const Vec3& n) {
  constexpr double kSharp = 1e200;  // instead of infinity: no inf - inf
  const auto parallel = [](double k, double d, double& out) {
    out = std::isinf(k) ? (d > 0 ? 1 / d : kSharp) : k / (1 + d * k);
    return std::isinf(k) || 1 + d * k > 0;
  };
  const double move_a = gap > 0 ? 0 : -depth_a, move_b = gap > 0 ? gap : -depth_b;
  double b1 = 0, b2 = 0;
  if (!parallel(b.curvature_1, move_b, b1) || !parallel(b.curvature_2, move_b, b2)) return false;
  if (std::isinf(a.curvature_1)) return true;  // a tip
  double a1 = 0, a2 = 0;
  if (!parallel(a.curvature_1, move_a, a1)) return false;
  const Vec3 d2 = n.cross(b.direction_1);
  const double c = a.direction_1.dot(b.direction_1), s = a.direction_1.dot(d2);
  // Lines of contact count: a rim that lies on a plane, a ball on the axis of a torus. Areas do not.
  constexpr double kLevel = 1e-9;
  if (std::isinf(a.curvature_2)) {  // along an edge
    const double bend_b = b1 * c * c + b2 * s * s;
    return a1 + bend_b >= -kLevel * (std::abs(a1) + std::abs(bend_b));
  }
  if (!parallel(a.curvature_2, move_a, a2)) return false;
  // The sum in the principal directions of B, where its large entry, if any, stands alone.
  const double m11 = a1 * c * c + a2 * s * s + b1, m22 = a1 * s * s + a2 * c * c + b2, m12 = (a1 - a2) * c * s;
  const double others = std::abs(a1) + std::abs(a2) + std::abs(b1), size = others + std::abs(b2);
  if (others < kLevel * b2) return m11 >= -kLevel * others;  // sharp against all else
  return m11 + m22 > kLevel * size && m11 * m22 - m12 * m12 >= -kLevel * size * size;
}

}  // namespace freeplay::geometry
