#include "bench/peers/ode_peer.h"

#include <ode/ode.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>

#include "bench/measure.h"

#ifndef dDOUBLE
#error "the numbers are compared at double precision"
#endif

namespace freeplay::bench {

namespace {

// Table 1 of Flores, Leine, Glocker (2010); clearance per side, crank and rod stretched out along x at the start.
constexpr double kCrankLength_m = 0.153, kRodLength_m = 0.306;
constexpr double kHalfLength_m = 0.05, kHalfWidth_m = 0.025, kClearance_m = 0.001;
constexpr double kDepth_m = 0.05;  // of the box, across the plane of motion; it changes nothing
constexpr double kRestitution = 0.4, kFriction = 0.01;
constexpr double kGravity_m_s2 = 9.81;
constexpr int kBodies = 3;
constexpr int kSlider = 2;

constexpr double kCrankSpeed_rad_s = 150, kRodSpeed_rad_s = -75;
constexpr double kCrankEnd_m = kCrankLength_m, kRodEnd_m = kCrankLength_m + kRodLength_m;
constexpr double kCrankEndSpeed_m_s = kCrankSpeed_rad_s * kCrankLength_m;
constexpr double kRodEndSpeed_m_s = kCrankEndSpeed_m_s + kRodSpeed_rad_s * kRodLength_m;

struct Part {
  double mass_kg, inertia_kg_m2;
  double x_m;        // of its centre
  double joint_x_m;  // of the joint to the part before it, or to the ground
  double vy_m_s, omega_rad_s;
};
constexpr std::array<Part, kBodies> kParts = {{
    {0.038, 7.4e-5, kCrankEnd_m / 2, 0, kCrankEndSpeed_m_s / 2, kCrankSpeed_rad_s},
    {0.038, 5.9e-4, (kCrankEnd_m + kRodEnd_m) / 2, kCrankEnd_m, (kCrankEndSpeed_m_s + kRodEndSpeed_m_s) / 2,
     kRodSpeed_rad_s},
    {0.076, 2.7e-6, kRodEnd_m, kRodEnd_m, kRodEndSpeed_m_s, 0},
}};

class OdeSliderCrank {
 public:
  explicit OdeSliderCrank(OdeModel model)
      : has_geoms_(model == OdeModel::kBoxInGuide || model == OdeModel::kBoxAsFound),
        is_in_plane_(model == OdeModel::kBoxInGuide) {
    dInitODE2(0);
    if (dCheckConfiguration("ODE_double_precision") == 0) throw std::runtime_error("this ODE is not in doubles");
    world_ = dWorldCreate();
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, -kGravity_m_s2, 0);
    // Joints: 0.8 is the stiffest correction that ODE's manual recommends. It has no cost; the default 0.2 lets the
    // hinges drift four times as far and makes the error of the crank speed half as large again. Softness (CFM) is not
    // needed: the rows are independent as long as the contacts slide, and they always do.
    dWorldSetERP(world_, 0.8);
    dWorldSetCFM(world_, 0);
    for (int i = 0; i < kBodies; ++i) add(model, i);
    if (has_geoms_) add_geoms();
    prepare_contact();
  }
  ~OdeSliderCrank() {
    for (const dGeomID geom : {box_, walls_[0], walls_[1]}) {
      if (geom != nullptr) dGeomDestroy(geom);
    }
    dJointGroupDestroy(contacts_);
    dWorldDestroy(world_);
    dCloseODE();
  }
  OdeSliderCrank(const OdeSliderCrank&) = delete;
  OdeSliderCrank& operator=(const OdeSliderCrank&) = delete;

  // dWorldStep is the exact one, by Dantzig's pivoting; dWorldQuickStep would iterate.
  void step(double step_s) {
    dJointGroupEmpty(contacts_);
    if (has_geoms_)
      collide();
    else
      find_contacts();
    dWorldStep(world_, step_s);
  }

  double crank_speed_rad_s() const { return dBodyGetAngularVel(bodies_[0])[2]; }
  double max_penetration_m() const { return max_penetration_m_; }

 private:
  void add(OdeModel model, int i) {
    const Part& part = kParts[static_cast<std::size_t>(i)];
    const dBodyID body = dBodyCreate(world_);
    bodies_[static_cast<std::size_t>(i)] = body;
    // The other two moments of inertia never matter: all motion is about z.
    const double inertia = part.inertia_kg_m2;
    dMass mass;
    dMassSetParameters(&mass, part.mass_kg, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, part.x_m, 0, 0);
    dBodySetLinearVel(body, 0, part.vy_m_s, 0);
    dBodySetAngularVel(body, 0, 0, part.omega_rad_s);
    dBodySetGyroscopicMode(body, 0);  // zero in the plane: saves 6 % of the step

    const dBodyID before = i > 0 ? bodies_[static_cast<std::size_t>(i - 1)] : nullptr;
    if (model != OdeModel::kBalls) {
      const dJointID hinge = dJointCreateHinge(world_, nullptr);
      dJointAttach(hinge, body, before);
      dJointSetHingeAnchor(hinge, part.joint_x_m, 0, 0);
      dJointSetHingeAxis(hinge, 0, 0, 1);
    } else {
      const dJointID ball = dJointCreateBall(world_, nullptr);
      dJointAttach(ball, body, before);
      dJointSetBallAnchor(ball, part.joint_x_m, 0, 0);
    }
  }

  // The planes' outer sides face each other: n . x = d with n into the guide.
  void add_geoms() {
    box_ = dCreateBox(nullptr, 2 * kHalfLength_m, 2 * kHalfWidth_m, kDepth_m);
    dGeomSetBody(box_, bodies_[kSlider]);
    for (const double up : {1.0, -1.0}) {
      walls_[up > 0 ? 0 : 1] = dCreatePlane(nullptr, 0, -up, 0, -(kHalfWidth_m + kClearance_m));
    }
  }

  void prepare_contact() {
    // Friction acts along x only (a second direction of strength 0 costs no row) and is bounded by the friction
    // coefficient times the normal force of the same solution. No push out of a penetration, which would add energy.
    contact_.surface.mode = dContactMu2 | dContactFDir1 | dContactBounce | dContactApprox1 | dContactSoftERP;
    contact_.surface.mu = kFriction;
    contact_.surface.mu2 = 0;
    contact_.surface.bounce = kRestitution;
    contact_.surface.bounce_vel = 0;
    contact_.surface.soft_erp = 0;
    contact_.fdir1[0] = 1;
  }

  // A face of the box has four corners, two in front and the same two behind. One contact is enough for each such pair:
  // the other would add dependent rows, which make the exact solver slow and, without softness, fail. In kBoxInGuide
  // it acts in the plane of motion; off it, every impact would tilt the bodies by a rounding error that the hinges then
  // make smaller from step to step, down to numbers so small that the processor takes twice as long for a step.
  void collide() {
    std::array<dContactGeom, 4> found;
    for (const dGeomID wall : walls_) {
      const int count = dCollide(box_, wall, static_cast<int>(found.size()), found.data(), sizeof(dContactGeom));
      for (int i = 0; i < count; ++i) {
        dContactGeom& at = found[static_cast<std::size_t>(i)];
        if (at.pos[2] < 0) continue;
        if (is_in_plane_) at.pos[2] = 0;
        add_contact(at);
      }
    }
  }

  // Four corners against two planes, by hand.
  void find_contacts() {
    const dBodyID slider = bodies_[kSlider];
    const dReal* centre = dBodyGetPosition(slider);
    const dReal* rotation = dBodyGetRotation(slider);  // rows of four
    const double cos = rotation[0], sin = rotation[4];
    for (const double up : {1.0, -1.0}) {
      for (const double along : {-1.0, 1.0}) {
        const double x = along * kHalfLength_m, y = up * kHalfWidth_m;
        const double corner_y = centre[1] + sin * x + cos * y;
        const double gap = kHalfWidth_m + kClearance_m - up * corner_y;
        if (gap > 0) continue;
        dContactGeom at{};
        at.pos[0] = centre[0] + cos * x - sin * y;
        at.pos[1] = corner_y;
        at.normal[1] = -up;
        at.depth = -gap;
        add_contact(at);
      }
    }
  }

  void add_contact(const dContactGeom& at) {
    max_penetration_m_ = std::max(max_penetration_m_, at.depth);
    contact_.geom = at;
    dJointAttach(dJointCreateContact(world_, contacts_, &contact_), bodies_[kSlider], nullptr);
  }

  dWorldID world_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  bool has_geoms_, is_in_plane_;
  dGeomID box_ = nullptr;
  std::array<dGeomID, 2> walls_{};
  std::array<dBodyID, kBodies> bodies_{};
  dContact contact_{};
  double max_penetration_m_ = 0;
};

}  // namespace

OdeRun run_ode_slider_crank(OdeModel model, double step_s, int steps) {
  OdeSliderCrank mechanism(model);
  const double cpu_start_s = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < steps; ++k) mechanism.step(step_s);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  return {elapsed.count(), cpu_seconds() - cpu_start_s, mechanism.crank_speed_rad_s(), mechanism.max_penetration_m()};
}

}  // namespace freeplay::bench
