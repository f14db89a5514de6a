// What differs between plane and space in the kinematics of contacts. Private to contact/points.
#pragma once

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay::contact {

// The types of a gap function, and how its vectors go to world axes.
struct InPlane {
  using Gap = PlanarGap;
  using Placement = PlanarPlacement;
  using Point = PlanarContactPoint;
  using Vector = Vec2;
  using Motion = PlanarBodyMotion;

  static const auto& pairs(const MechanismContacts& model) { return model.planar_pairs; }
  static auto make_gap(const ShapeGeometry& a, const ShapeGeometry& b) { return make_planar_gap(a, b); }
  static Placement placement(const Frame& at) { return {at.R(0, 0), at.R(1, 0), at.p.x(), at.p.y()}; }
  static Vec3 in_world(const Vec2& v) { return {v.x(), v.y(), 0}; }
  static Vec2 tangent(const Point& at, int) { return at.tangent; }
  static Vec2 velocity(const MarkerVelocity& body, const Placement& at, const Vec2& point) {
    return {body.v.x() - body.w.z() * (point.y() - at.y), body.v.y() + body.w.z() * (point.x() - at.x)};
  }
  static Motion motion(const Placement& at, const MarkerVelocity& body, const MarkerBias& bias) {
    return {{at.x, at.y},
            {body.v.x(), body.v.y()},
            body.w.z(),
            {bias.acceleration.x(), bias.acceleration.y()},
            bias.angular_acceleration.z()};
  }
  static double tangential_bias(const PlanarRates& rates, int) { return rates.tangential_bias; }
  static Vec2 normal_rate(const PlanarRates& rates, const Point& at) {
    return rates.normal_turn * Vec2(-at.normal.y(), at.normal.x());
  }
};

struct InSpace {
  using Gap = SpatialGap;
  using Placement = Frame;
  using Point = SpatialContactPoint;
  using Vector = Vec3;
  using Motion = SpatialBodyMotion;

  static const auto& pairs(const MechanismContacts& model) { return model.spatial_pairs; }
  static auto make_gap(const ShapeGeometry& a, const ShapeGeometry& b) { return make_spatial_gap(a, b); }
  static const Placement& placement(const Frame& at) { return at; }
  static const Vec3& in_world(const Vec3& v) { return v; }
  static Vec3 tangent(const Point& at, int k) { return k == 0 ? at.tangent : at.second_tangent(); }
  static Vec3 velocity(const MarkerVelocity& body, const Placement& at, const Vec3& point) {
    return body.v + body.w.cross(point - at.p);
  }
  static Motion motion(const Placement& at, const MarkerVelocity& body, const MarkerBias& bias) {
    return {at.p, body.v, body.w, bias.acceleration, bias.angular_acceleration};
  }
  static double tangential_bias(const SpatialRates& rates, int k) { return rates.tangential_bias[k]; }
  static Vec3 normal_rate(const SpatialRates& rates, const Point&) { return rates.normal_rate; }
};

}  // namespace freeplay::contact
