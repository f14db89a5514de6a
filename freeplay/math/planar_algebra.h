// Rigid-body algebra in the plane. Motions and forces are taken in world axes about one point O per tree, so that
// recursions over a tree only add and never transform; along a deep tree O moves on by an Offset. SpatialAlgebra has
// the same interface. A template over the number type: the engine computes with double, and the compiler of mechanisms
// runs the same text with numbers that record what is done with them (recording/recorded.h).
#pragma once

#include <cmath>

#include "freeplay/math/types.h"

namespace freeplay::math {

template <class S>
struct PlanarAlgebraOf {
  using Scalar = S;
  using Vector3 = Eigen::Matrix<S, 3, 1>;
  using Matrix3 = Eigen::Matrix<S, 3, 3>;

  static constexpr int kDegrees = 3;       // of a free body
  static constexpr int kTranslations = 2;  // the first axes of a frame; rotations are about axis 2

  struct Rotation {
    S cos = 1, sin = 0;
    S angle = 0;  // continuous, never wrapped
  };
  struct Pose {
    Rotation rotation;
    S x = 0, y = 0;
  };
  struct Motion {
    S w = 0, vx = 0, vy = 0;  // angular velocity; velocity of the body-fixed point at O
    Motion& operator+=(const Motion& b) {
      w += b.w, vx += b.vx, vy += b.vy;
      return *this;
    }
  };
  struct Force {
    S n = 0, fx = 0, fy = 0;  // moment about O; force
    Force& operator+=(const Force& b) {
      n += b.n, fx += b.fx, fy += b.fy;
      return *this;
    }
    Force& operator-=(const Force& b) {
      n -= b.n, fx -= b.fx, fy -= b.fy;
      return *this;
    }
  };
  // Rigid-body inertia about O: mass, first moment m r, second moment.
  struct Inertia {
    S m = 0, hx = 0, hy = 0, I = 0;
    Inertia& operator+=(const Inertia& b) {
      m += b.m, hx += b.hx, hy += b.hy, I += b.I;
      return *this;
    }
  };
  // From one reference point to another.
  struct Offset {
    S x = 0, y = 0;
  };
  // Articulated inertia: a symmetric matrix that maps a Motion to a Force; upper triangle, order (w, vx, vy).
  struct ArticulatedInertia {
    S ww = 0, wx = 0, wy = 0, xx = 0, xy = 0, yy = 0;
    ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
      ww += b.ww, wx += b.wx, wy += b.wy, xx += b.xx, xy += b.xy, yy += b.yy;
      return *this;
    }
    // this -= F F^T / D
    void subtract_dyad(const Force& F, S D_inverse) {
      const S n = F.n * D_inverse, x = F.fx * D_inverse, y = F.fy * D_inverse;
      ww -= F.n * n, wx -= F.n * x, wy -= F.n * y, xx -= F.fx * x, xy -= F.fx * y, yy -= F.fy * y;
    }
  };

  static S dot(const Motion& m, const Force& f) { return m.w * f.n + m.vx * f.fx + m.vy * f.fy; }
  static Motion scaled(const Motion& m, S s) { return {m.w * s, m.vx * s, m.vy * s}; }
  static Force scaled(const Force& f, S s) { return {f.n * s, f.fx * s, f.fy * s}; }
  // Rate of change of a motion vector b that is carried along by a.
  static Motion cross(const Motion& a, const Motion& b) {
    return {0, -a.w * b.vy + b.w * a.vy, a.w * b.vx - b.w * a.vx};
  }
  // Rate of change of a force vector f that is carried along by a.
  static Force cross_force(const Motion& a, const Force& f) {
    return {a.vx * f.fy - a.vy * f.fx, -a.w * f.fy, a.w * f.fx};
  }
  static Force apply(const Inertia& I, const Motion& a) {
    return {I.I * a.w + I.hx * a.vy - I.hy * a.vx, I.m * a.vx - a.w * I.hy, I.m * a.vy + a.w * I.hx};
  }
  static Force apply(const ArticulatedInertia& A, const Motion& a) {
    return {A.ww * a.w + A.wx * a.vx + A.wy * a.vy, A.wx * a.w + A.xx * a.vx + A.xy * a.vy,
            A.wy * a.w + A.xy * a.vx + A.yy * a.vy};
  }
  // I a + v x* (I v) of a body that moves with v and a. (ax - w vy, ay + w vx) is the acceleration of the material
  // point at O; with it the terms in m v v, which cancel, need not be computed.
  static Force inertial_force(const Inertia& I, const Motion& v, const Motion& a) {
    const S ax = a.vx - v.w * v.vy, ay = a.vy + v.w * v.vx, ww = v.w * v.w;
    return {I.I * a.w + I.hx * ay - I.hy * ax, I.m * ax - a.w * I.hy - ww * I.hx, I.m * ay + a.w * I.hx - ww * I.hy};
  }
  static ArticulatedInertia articulated(const Inertia& I) { return {I.I, -I.hy, I.hx, I.m, 0, I.m}; }

  // Poses and frames.
  static Pose pose(const Mat3& R, const Vec3& p) {
    return {{R(0, 0), R(1, 0), std::atan2(R(1, 0), R(0, 0))}, p.x(), p.y()};
  }
  // out = a b, another object than these. is_turned: whether b has a rotation.
  static void compose(const Pose& a, const Pose& b, bool is_turned, Pose& out) {
    const S cos = a.rotation.cos, sin = a.rotation.sin;
    out.x = a.x + cos * b.x - sin * b.y;
    out.y = a.y + sin * b.x + cos * b.y;
    out.rotation.cos = is_turned ? cos * b.rotation.cos - sin * b.rotation.sin : cos;
    out.rotation.sin = is_turned ? sin * b.rotation.cos + cos * b.rotation.sin : sin;
    out.rotation.angle = is_turned ? a.rotation.angle + b.rotation.angle : a.rotation.angle;
  }
  static Rotation compose(const Rotation& a, const Rotation& b) {
    return {a.cos * b.cos - a.sin * b.sin, a.sin * b.cos + a.cos * b.sin, a.angle + b.angle};
  }
  static Rotation rotation_about_axis(int /*axis: always 2*/, S angle) {
    using std::cos, std::sin;
    return {cos(angle), sin(angle), angle};
  }
  static Vector3 axis(const Rotation& r, int k) {
    if (k == 0) return {r.cos, r.sin, 0};
    if (k == 1) return {-r.sin, r.cos, 0};
    return Vector3::UnitZ();
  }
  static Vector3 position(const Pose& pose) { return {pose.x, pose.y, 0}; }
  static void shift(Pose& pose, int k, S distance) {
    const Rotation& r = pose.rotation;
    pose.x += distance * (k == 0 ? r.cos : -r.sin);
    pose.y += distance * (k == 0 ? r.sin : r.cos);
  }
  static Matrix3 matrix(const Rotation& r) {
    Matrix3 R;
    R << r.cos, -r.sin, 0, r.sin, r.cos, 0, 0, 0, 1;
    return R;
  }

  // The pose as matrix and point, in place: a copy of what has just been written number by number is slow.
  static void place(const Pose& pose, Matrix3& R, Vector3& p) {
    R(0, 0) = R(1, 1) = pose.rotation.cos;
    R(1, 0) = pose.rotation.sin;
    R(0, 1) = -pose.rotation.sin;
    R(2, 0) = R(2, 1) = R(0, 2) = R(1, 2) = 0;
    R(2, 2) = 1;
    p[0] = pose.x, p[1] = pose.y, p[2] = 0;
  }

  // Unit motions about O: translation along axis k of the frame, rotation about axis 2 through the frame's origin.
  static Motion translation(const Pose& frame, const Pose& O, int k) {
    static_cast<void>(O);
    const Rotation& r = frame.rotation;
    return k == 0 ? Motion{0, r.cos, r.sin} : Motion{0, -r.sin, r.cos};
  }
  static Motion rotation(const Pose& frame, const Pose& O, int /*axis*/) {
    // v at O = w x (O - p), with w = e_z
    return {1, frame.y - O.y, -(frame.x - O.x)};
  }
  // The same motion seen from another reference point.
  static Motion moved(const Motion& m, const Pose& from, const Pose& to) {
    return {m.w, m.vx - m.w * (to.y - from.y), m.vy + m.w * (to.x - from.x)};
  }
  static Offset offset(const Pose& from, const Pose& to) { return {to.x - from.x, to.y - from.y}; }
  static Offset opposite(const Offset& r) { return {-r.x, -r.y}; }
  // Motion, force and inertias about O + r, r from the point that they are given about.
  static Motion shifted(const Motion& m, const Offset& r) { return {m.w, m.vx - m.w * r.y, m.vy + m.w * r.x}; }
  static Force shifted(const Force& f, const Offset& r) { return {f.n - (r.x * f.fy - r.y * f.fx), f.fx, f.fy}; }
  static Inertia shifted(const Inertia& I, const Offset& r) {
    const S hx = I.hx - I.m * r.x, hy = I.hy - I.m * r.y;
    return {I.m, hx, hy, I.I - r.x * (I.hx + hx) - r.y * (I.hy + hy)};
  }
  static ArticulatedInertia shifted(const ArticulatedInertia& A, const Offset& r) {
    // v about O is v - w x r about O + r, and the moment loses r x f.
    const S wx = A.wx + r.y * A.xx - r.x * A.xy, wy = A.wy + r.y * A.xy - r.x * A.yy;
    return {A.ww + r.y * (A.wx + wx) - r.x * (A.wy + wy), wx, wy, A.xx, A.xy, A.yy};
  }
  // World-frame inertia about O of a body with its centre of mass at `pose`.
  static Inertia inertia(double mass, const Mat3& about_centre, const Pose& pose, const Pose& O) {
    const S x = pose.x - O.x, y = pose.y - O.y;
    return {mass, mass * x, mass * y, about_centre(2, 2) + mass * (x * x + y * y)};
  }

  // Conversions at the seam to code that is written once for plane and space.
  static Vector3 angular(const Motion& m) { return {0, 0, m.w}; }
  static Vector3 velocity_at(const Motion& m, const Vector3& point, const Pose& O) {
    return {m.vx - m.w * (point.y() - O.y), m.vy + m.w * (point.x() - O.x), 0};
  }
  static Force force_at(const Vector3& force, const Vector3& torque, const Vector3& point, const Pose& O) {
    const S x = point.x() - O.x, y = point.y() - O.y;
    return {torque.z() + x * force.y() - y * force.x(), force.x(), force.y()};
  }
  static Vector3 force(const Force& f) { return {f.fx, f.fy, 0}; }
  static Vector3 moment_at(const Force& f, const Vector3& point, const Pose& O) {
    const S x = point.x() - O.x, y = point.y() - O.y;
    return {0, 0, f.n - (x * f.fy - y * f.fx)};
  }
  static Motion uniform_acceleration(const Vec3& a) { return {0, a.x(), a.y()}; }
};

using PlanarAlgebra = PlanarAlgebraOf<double>;

}  // namespace freeplay::math
