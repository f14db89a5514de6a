#include <ode/ode.h>

#include <algorithm>
#include <vector>

#include "bench/peers/habits_peer.h"

#ifndef dDOUBLE
#error "the numbers are compared at double precision"
#endif

namespace freeplay::bench {

namespace {

constexpr double kStep_s = 1e-3;

class OdeScene {
 public:
  explicit OdeScene(int iterations) : iterations_(iterations) {
    dInitODE2(0);
    world_ = dWorldCreate();
    space_ = dSimpleSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, -9.81, 0);
    if (iterations > 0) dWorldSetQuickStepNumIterations(world_, iterations);
    dCreatePlane(space_, 0, 1, 0, 0);
  }
  ~OdeScene() {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }
  OdeScene(const OdeScene&) = delete;
  OdeScene& operator=(const OdeScene&) = delete;

  dBodyID add(dGeomID geom, dMass mass, double mass_kg, double y_m) {
    const dBodyID body = dBodyCreate(world_);
    dMassAdjust(&mass, mass_kg);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, 0, y_m, 0);
    dGeomSetBody(geom, body);
    return body;
  }
  dSpaceID space() const { return space_; }
  void step() {
    dJointGroupEmpty(contacts_);
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<OdeScene*>(self)->touch(a, b); });
    if (iterations_ > 0)
      dWorldQuickStep(world_, kStep_s);
    else
      dWorldStep(world_, kStep_s);
  }

 private:
  void touch(dGeomID a, dGeomID b) {
    dContact contact[8];
    const int count = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      contact[i].surface = {};
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = 0.5;
      dJointAttach(dJointCreateContact(world_, contacts_, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
  }

  int iterations_;  // of dWorldQuickStep; 0: dWorldStep, which is exact
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
};

}  // namespace

double ode_lift_m_s(bool by_iterations) {
  OdeScene scene(by_iterations ? 20 : 0);
  dMass mass;
  dMassSetBox(&mass, 1, 0.2, 0.1, 0.1);
  const dBodyID body = scene.add(dCreateBox(scene.space(), 0.2, 0.1, 0.1), mass, 1, 0.05);
  dBodySetLinearVel(body, 5, 0, 0);
  double lift = 0;
  for (int i = 0; i < 1000; ++i) {
    scene.step();
    lift = std::max<double>(lift, dBodyGetLinearVel(body)[1]);
  }
  return lift;
}

double ode_sink_m(double top_kg, int iterations) {
  constexpr int kBoxes = 10;
  constexpr double kSide_m = 0.1;
  OdeScene scene(iterations);
  dMass mass;
  dMassSetBox(&mass, 1, kSide_m, kSide_m, kSide_m);
  dBodyID top = nullptr;
  for (int i = 0; i < kBoxes; ++i)
    top = scene.add(dCreateBox(scene.space(), kSide_m, kSide_m, kSide_m), mass, i + 1 < kBoxes ? 1 : top_kg,
                    kSide_m * (i + 0.5));
  for (int i = 0; i < 1000; ++i) scene.step();
  return kSide_m * (kBoxes - 0.5) - dBodyGetPosition(top)[1];
}

}  // namespace freeplay::bench
