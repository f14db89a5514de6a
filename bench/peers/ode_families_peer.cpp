#include "bench/peers/ode_families_peer.h"

#include <ode/ode.h>

#include <cmath>
#include <numbers>

#include "bench/measure.h"

namespace freeplay::bench {

namespace {

constexpr double kFamilyGravity_m_s2 = 9.81, kFamilyRestitution = 0.4;

// A world with the settings of ode_peer.cpp, where they are explained.
class OdeFamilyWorld {
 public:
  OdeFamilyWorld() {
    dInitODE2(0);
    world = dWorldCreate();
    contacts = dJointGroupCreate(0);
    dWorldSetGravity(world, 0, -kFamilyGravity_m_s2, 0);
    dWorldSetERP(world, 0.8);
    dWorldSetCFM(world, 0);
    contact.surface.mode = dContactMu2 | dContactFDir1 | dContactBounce | dContactApprox1 | dContactSoftERP;
    contact.surface.bounce = kFamilyRestitution;
  }
  ~OdeFamilyWorld() {
    dJointGroupDestroy(contacts);
    dWorldDestroy(world);
    dCloseODE();
  }
  OdeFamilyWorld(const OdeFamilyWorld&) = delete;
  OdeFamilyWorld& operator=(const OdeFamilyWorld&) = delete;

  dBodyID add_body(double mass_kg, double inertia_kg_m2, double x_m, double y_m, double angle) const {
    const dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetParameters(&mass, mass_kg, 0, 0, 0, inertia_kg_m2, inertia_kg_m2, inertia_kg_m2, 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, x_m, y_m, 0);
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 0, 0, 1, angle);
    dBodySetRotation(body, rotation);
    dBodySetGyroscopicMode(body, 0);
    return body;
  }
  void add_contact(dBodyID first, dBodyID second) {
    dJointAttach(dJointCreateContact(world, contacts, &contact), first, second);
  }

  dWorldID world;
  dJointGroupID contacts;
  dContact contact{};
};

struct Place {
  double x = 0, y = 0;
};

class OdeFourBar {
 public:
  OdeFourBar() {
    // The triangle of coupler, rocker and what the crank leaves of the base, which lies along x at the start.
    const double rest = kBase_m - kCrank_m;
    const double coupler =
        std::acos((kCoupler_m * kCoupler_m + rest * rest - kRocker_m * kRocker_m) / (2 * kCoupler_m * rest));
    const double rocker = std::numbers::pi - std::acos((kRocker_m * kRocker_m + rest * rest - kCoupler_m * kCoupler_m) /
                                                       (2 * kRocker_m * rest));
    const Place pin{kCrank_m + kCoupler_m * std::cos(coupler), kCoupler_m * std::sin(coupler)};
    // Velocities as without play: that of the rocker's pin from both sides.
    const double along = std::cos(coupler) * std::sin(rocker) - std::sin(coupler) * std::cos(rocker);
    const double coupler_omega = -kCrank_m * kSpeed_rad_s * std::sin(rocker) / (kCoupler_m * along);
    const double rocker_omega = kCoupler_m * coupler_omega * std::sin(coupler) / (kRocker_m * std::sin(rocker));
    crank_ = scene_.add_body(0.4, 3.3e-2, kCrank_m / 2, 0, 0);
    coupler_ = scene_.add_body(1.2, 8.0e-3, (kCrank_m + pin.x) / 2, pin.y / 2, coupler);
    rocker_ = scene_.add_body(0.8, 2.7e-3, (kBase_m + pin.x) / 2, pin.y / 2, rocker);
    set_motion(crank_, {0, 0}, kSpeed_rad_s, {kCrank_m / 2, 0});
    set_motion(coupler_, {0, kCrank_m * kSpeed_rad_s}, coupler_omega, {(pin.x - kCrank_m) / 2, pin.y / 2});
    set_motion(rocker_, {0, 0}, rocker_omega, {(pin.x - kBase_m) / 2, pin.y / 2});
    const dJointID hinge = dJointCreateHinge(scene_.world, nullptr);
    dJointAttach(hinge, crank_, nullptr);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    for (const dBodyID body : {coupler_, rocker_})
      dJointAttach(dJointCreatePlane2D(scene_.world, nullptr), body, nullptr);
    scene_.contact.surface.mu = 0.05;
  }

  void step(double step_s) {
    dJointGroupEmpty(scene_.contacts);
    add_pin(crank_, point_of(crank_, kCrank_m / 2), coupler_, point_of(coupler_, -kCoupler_m / 2));
    add_pin(coupler_, point_of(coupler_, kCoupler_m / 2), rocker_, point_of(rocker_, kRocker_m / 2));
    add_pin(nullptr, {kBase_m, 0}, rocker_, point_of(rocker_, -kRocker_m / 2));
    dWorldStep(scene_.world, step_s);
  }
  double crank_speed_rad_s() const { return dBodyGetAngularVel(crank_)[2]; }

 private:
  static constexpr double kBase_m = 0.3, kCrank_m = 0.1, kCoupler_m = 0.25, kRocker_m = 0.2;
  static constexpr double kJournalRadius_m = 0.01, kClearance_m = 0.2e-3, kSpeed_rad_s = 20;

  // A body of which the point `arm` before its centre moves with v.
  static void set_motion(dBodyID body, Place v, double omega, Place arm) {
    dBodySetLinearVel(body, v.x - omega * arm.y, v.y + omega * arm.x, 0);
    dBodySetAngularVel(body, 0, 0, omega);
  }
  static Place point_of(dBodyID body, double along) {
    const dReal *centre = dBodyGetPosition(body), *rotation = dBodyGetRotation(body);
    return {centre[0] + rotation[0] * along, centre[1] + rotation[4] * along};
  }
  // The journal belongs to the second body. ODE's normal points into the first one of a pair.
  void add_pin(dBodyID bearing, Place centre, dBodyID journal, Place at) {
    const double ex = at.x - centre.x, ey = at.y - centre.y, distance = std::hypot(ex, ey);
    if (distance < kClearance_m) return;
    const double nx = ex / distance, ny = ey / distance;
    dContact& contact = scene_.contact;
    contact.geom.pos[0] = at.x + kJournalRadius_m * nx;
    contact.geom.pos[1] = at.y + kJournalRadius_m * ny;
    contact.geom.normal[0] = -nx;
    contact.geom.normal[1] = -ny;
    contact.fdir1[0] = -ny;
    contact.fdir1[1] = nx;
    contact.geom.depth = distance - kClearance_m;
    scene_.add_contact(journal, bearing);
  }

  OdeFamilyWorld scene_;
  dBodyID crank_ = nullptr, coupler_ = nullptr, rocker_ = nullptr;
};

class OdeCamFollower {
 public:
  OdeCamFollower() {
    follower_ = scene_.add_body(kMass_kg, 1e-4, 0, 0.017, 0);
    const dJointID guide = dJointCreateSlider(scene_.world, nullptr);
    dJointAttach(guide, follower_, nullptr);
    dJointSetSliderAxis(guide, 0, 1, 0);
    scene_.contact.surface.mode |= dContactMotionN;  // the cam lifts its surface
    scene_.contact.surface.mu = 0;
    scene_.contact.geom.normal[1] = 1;
    scene_.contact.fdir1[0] = 1;
  }

  void step(double step_s) {
    dJointGroupEmpty(scene_.contacts);
    const double y = height_m();
    dBodyAddForce(follower_, 0, -kStiffness_N_m * y, 0);
    const double phi = std::fmod(kSpeed_rad_s * t_s_, kLobe), share = 2 * std::numbers::pi * phi / kLobe;
    const double gap = y - kBase_m - kStroke_m * (phi / kLobe - std::sin(share) / (2 * std::numbers::pi));
    if (gap <= 0) {
      scene_.contact.surface.motionN = kStroke_m / kLobe * (1 - std::cos(share)) * kSpeed_rad_s;
      scene_.contact.geom.pos[1] = y;
      scene_.contact.geom.depth = -gap;
      scene_.add_contact(follower_, nullptr);
    }
    dWorldStep(scene_.world, step_s);
    t_s_ += step_s;
  }
  double height_m() const { return dBodyGetPosition(follower_)[1]; }

 private:
  static constexpr double kMass_kg = 1, kStiffness_N_m = 240e3, kSpeed_rad_s = 20;
  static constexpr double kBase_m = 0.003, kStroke_m = 0.017, kLobe = std::numbers::pi / 3;

  OdeFamilyWorld scene_;
  dBodyID follower_ = nullptr;
  double t_s_ = 0;
};

}  // namespace

OdeFamilyRun run_ode_four_bar(double step_s, int steps) {
  OdeFourBar mechanism;
  const double start_s = cpu_seconds();
  for (int k = 0; k < steps; ++k) mechanism.step(step_s);
  return {cpu_seconds() - start_s, mechanism.crank_speed_rad_s()};
}

OdeFamilyRun run_ode_cam_follower(double step_s, int steps) {
  OdeCamFollower mechanism;
  const double start_s = cpu_seconds();
  for (int k = 0; k < steps; ++k) mechanism.step(step_s);
  return {cpu_seconds() - start_s, mechanism.height_m()};
}

}  // namespace freeplay::bench
