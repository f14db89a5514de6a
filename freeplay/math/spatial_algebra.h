// Rigid-body algebra in space (Featherstone's spatial vectors), with the interface of PlanarAlgebra: world axes, all
// vectors of a tree about one point O.
#pragma once

#include "freeplay/math/rotation.h"
#include "freeplay/math/types.h"

namespace freeplay::math {

struct SpatialAlgebra {
  using Scalar = double;
  using Vector3 = Vec3;
  using Matrix3 = Mat3;

  static constexpr int kDegrees = 6;
  static constexpr int kTranslations = 3;

  using Rotation = Mat3;
  struct Pose {
    Mat3 rotation = Mat3::Identity();
    Vec3 p = Vec3::Zero();
  };
  struct Motion {
    Vec3 w = Vec3::Zero(), v = Vec3::Zero();  // angular velocity; velocity of the body-fixed point at O
    Motion& operator+=(const Motion& b) {
      w += b.w, v += b.v;
      return *this;
    }
  };
  struct Force {
    Vec3 n = Vec3::Zero(), f = Vec3::Zero();  // moment about O; force
    Force& operator+=(const Force& b) {
      n += b.n, f += b.f;
      return *this;
    }
    Force& operator-=(const Force& b) {
      n -= b.n, f -= b.f;
      return *this;
    }
  };
  // Rigid-body inertia about O: mass, first moment m r, second moment (symmetric).
  struct Inertia {
    double m = 0;
    Vec3 h = Vec3::Zero();
    Mat3 I = Mat3::Zero();
    Inertia& operator+=(const Inertia& b) {
      m += b.m, h += b.h, I += b.I;
      return *this;
    }
  };
  using Offset = Vec3;  // from one reference point to another
  // Articulated inertia [[A, B], [B^T, C]] in the order (angular, linear).
  struct ArticulatedInertia {
    Mat3 A = Mat3::Zero(), B = Mat3::Zero(), C = Mat3::Zero();
    ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
      A += b.A, B += b.B, C += b.C;
      return *this;
    }
    // this -= F F^T / D
    void subtract_dyad(const Force& F, double D_inverse) {
      const Vec3 n = F.n * D_inverse, f = F.f * D_inverse;
      A.noalias() -= F.n * n.transpose();
      B.noalias() -= F.n * f.transpose();
      C.noalias() -= F.f * f.transpose();
    }
  };

  static double dot(const Motion& m, const Force& f) { return m.w.dot(f.n) + m.v.dot(f.f); }
  static Motion scaled(const Motion& m, double s) { return {m.w * s, m.v * s}; }
  static Force scaled(const Force& f, double s) { return {f.n * s, f.f * s}; }
  static Motion cross(const Motion& a, const Motion& b) { return {a.w.cross(b.w), a.w.cross(b.v) + a.v.cross(b.w)}; }
  static Force cross_force(const Motion& a, const Force& f) {
    return {a.w.cross(f.n) + a.v.cross(f.f), a.w.cross(f.f)};
  }
  static Force apply(const Inertia& I, const Motion& a) {
    return {I.I * a.w + I.h.cross(a.v), I.m * a.v - I.h.cross(a.w)};
  }
  static Force apply(const ArticulatedInertia& I, const Motion& a) {
    return {I.A * a.w + I.B * a.v, I.B.transpose() * a.w + I.C * a.v};
  }
  static Force inertial_force(const Inertia& I, const Motion& v, const Motion& a) {
    Force f = apply(I, a);
    f += cross_force(v, apply(I, v));
    return f;
  }
  static ArticulatedInertia articulated(const Inertia& I) { return {I.I, skew(I.h), I.m * Mat3::Identity()}; }

  static Pose pose(const Mat3& R, const Vec3& p) { return {R, p}; }
  // out = a b, another object than these. is_turned: whether b has a rotation.
  static void compose(const Pose& a, const Pose& b, bool is_turned, Pose& out) {
    out.p = a.p + a.rotation * b.p;
    if (is_turned)
      out.rotation.noalias() = a.rotation * b.rotation;
    else
      out.rotation = a.rotation;
  }
  static Rotation compose(const Rotation& a, const Rotation& b) { return a * b; }
  static Rotation rotation_about_axis(int axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    Mat3 R = Mat3::Identity();
    R(j, j) = c, R(j, k) = -s, R(k, j) = s, R(k, k) = c;
    return R;
  }
  static Vec3 axis(const Rotation& r, int k) { return r.col(k); }
  static Vec3 position(const Pose& pose) { return pose.p; }
  static void shift(Pose& pose, int k, double distance) { pose.p += distance * pose.rotation.col(k); }
  static Mat3 matrix(const Rotation& r) { return r; }
  static void place(const Pose& pose, Mat3& R, Vec3& p) {
    R = pose.rotation;
    p = pose.p;
  }

  static Motion translation(const Pose& frame, const Pose& /*O*/, int k) {
    return {Vec3::Zero(), frame.rotation.col(k)};
  }
  static Motion rotation(const Pose& frame, const Pose& O, int k) {
    const Vec3 axis = frame.rotation.col(k);
    return {axis, (frame.p - O.p).cross(axis)};
  }
  static Motion moved(const Motion& m, const Pose& from, const Pose& to) {
    return {m.w, m.v + m.w.cross(to.p - from.p)};
  }
  static Offset offset(const Pose& from, const Pose& to) { return to.p - from.p; }
  static Offset opposite(const Offset& r) { return -r; }
  static Motion shifted(const Motion& m, const Offset& r) { return {m.w, m.v + m.w.cross(r)}; }
  static Force shifted(const Force& f, const Offset& r) { return {f.n - r.cross(f.f), f.f}; }
  static Inertia shifted(const Inertia& I, const Offset& r) {
    Inertia result;
    result.m = I.m;
    result.h = I.h - I.m * r;
    // With skew matrices: I + [r] [h] + [h'] [r], h' = h - m r.
    result.I = I.I;
    result.I.noalias() += skew(r) * skew(I.h);
    result.I.noalias() += skew(result.h) * skew(r);
    return result;
  }
  static ArticulatedInertia shifted(const ArticulatedInertia& I, const Offset& r) {
    // v about O is v' + [r] w, and the moment loses [r] f.
    const Mat3 R = skew(r);
    ArticulatedInertia result;
    result.C = I.C;
    result.B = I.B;
    result.B.noalias() -= R * I.C;
    result.A = I.A;
    result.A.noalias() -= R * I.B.transpose();
    result.A.noalias() += result.B * R;
    return result;
  }
  static Inertia inertia(double mass, const Mat3& about_centre, const Pose& pose, const Pose& O) {
    const Vec3 r = pose.p - O.p;
    Inertia result;
    result.m = mass;
    result.h = mass * r;
    result.I.noalias() = pose.rotation * about_centre * pose.rotation.transpose();
    result.I += mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    return result;
  }

  static Vec3 angular(const Motion& m) { return m.w; }
  static Vec3 velocity_at(const Motion& m, const Vec3& point, const Pose& O) { return m.v + m.w.cross(point - O.p); }
  static Force force_at(const Vec3& force, const Vec3& torque, const Vec3& point, const Pose& O) {
    return {torque + (point - O.p).cross(force), force};
  }
  static Vec3 force(const Force& f) { return f.f; }
  static Vec3 moment_at(const Force& f, const Vec3& point, const Pose& O) { return f.n - (point - O.p).cross(f.f); }
  static Motion uniform_acceleration(const Vec3& a) { return {Vec3::Zero(), a}; }
};

}  // namespace freeplay::math
