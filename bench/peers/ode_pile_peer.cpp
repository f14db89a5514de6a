#include "bench/peers/ode_pile_peer.h"

#include <ode/ode.h>

#include <deque>
#include <stdexcept>

#ifndef dDOUBLE
#error "the numbers are compared at double precision"
#endif

namespace freeplay::bench {

namespace {

Vector vector_of(const dReal* v) {
  return {v[0], v[1], v[2]};
}

class OdePile final : public PilePeer {
 public:
  OdePile(const PileScene& scene, int iterations) : scene_(scene) {
    dInitODE2(0);
    if (dCheckConfiguration("ODE_double_precision") == 0) throw std::runtime_error("this ODE is not in doubles");
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    joints_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -scene.gravity_m_s2);
    dWorldSetERP(world_, kPushedOut);
    dWorldSetQuickStepNumIterations(world_, iterations);
    for (const Vector& centre : scene.centres_m) add_sphere(centre);
    add_walls();
    contact_.surface.mode = dContactApprox1;  // friction is bounded by mu times the normal force
    contact_.surface.mu = scene.friction;
  }
  ~OdePile() override {
    dJointGroupDestroy(joints_);
    dSpaceDestroy(space_);  // and the shapes in it
    dWorldDestroy(world_);
    dCloseODE();
  }
  OdePile(const OdePile&) = delete;
  OdePile& operator=(const OdePile&) = delete;

  void step() override {
    dJointGroupEmpty(joints_);
    found_.clear();
    dSpaceCollide(space_, this, &OdePile::collide);
    dWorldQuickStep(world_, scene_.step_s);
  }

  std::vector<PileContact> contacts() override {
    std::vector<PileContact> all;
    for (const Found& found : found_) {
      PileContact contact;
      contact.normal = vector_of(found.at.normal);
      contact.tangents = tangents(found);
      contact.velocity_m_s =
          add(velocity(found.a, found.centre_a, found), -1, velocity(found.b, found.centre_b, found));
      // Where the first is a wall, ODE exchanges the two, and the force is that on the second.
      const double sign = found.a != nullptr ? 1 : -1;
      contact.impulse_N_s = add({}, sign * scene_.step_s, vector_of(found.feedback.f1));
      contact.aim_m_s = kPushedOut * found.at.depth / scene_.step_s;
      contact.has_wall = found.a == nullptr || found.b == nullptr;
      all.push_back(contact);
    }
    return all;
  }

  std::vector<Vector> centres_m() const override {
    std::vector<Vector> centres;
    for (const dBodyID body : bodies_) centres.push_back(vector_of(dBodyGetPosition(body)));
    return centres;
  }

 private:
  struct Found {
    dContactGeom at;
    dBodyID a, b;               // null: a wall
    Vector centre_a, centre_b;  // before the step moves them
    dJointFeedback feedback;
  };

  void add_sphere(const Vector& centre) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetSphereTotal(&mass, scene_.mass_kg, scene_.radius_m);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, centre[0], centre[1], centre[2]);
    dBodySetGyroscopicMode(body, 0);  // a sphere has no such torque
    dGeomSetBody(dCreateSphere(space_, scene_.radius_m), body);
    bodies_.push_back(body);
  }

  void add_walls() {
    const double half = scene_.box_m / 2;
    dCreatePlane(space_, 0, 0, 1, 0);
    for (const double side : {-1.0, 1.0}) {
      dCreatePlane(space_, side, 0, 0, -half);
      dCreatePlane(space_, 0, side, 0, -half);
    }
  }

  static Vector centre(dBodyID body) { return body == nullptr ? Vector{} : vector_of(dBodyGetPosition(body)); }
  static Vector velocity(dBodyID body, const Vector& centre, const Found& found) {
    if (body == nullptr) return {};
    return velocity_at(vector_of(dBodyGetLinearVel(body)), vector_of(dBodyGetAngularVel(body)), centre,
                       vector_of(found.at.pos));
  }

  // As ODE chooses them.
  static std::array<Vector, 2> tangents(const Found& found) {
    dVector3 normal, first, second;
    for (int k = 0; k < 3; ++k) normal[k] = found.a != nullptr ? found.at.normal[k] : -found.at.normal[k];
    dPlaneSpace(normal, first, second);
    return {vector_of(first), vector_of(second)};
  }

  static void collide(void* data, dGeomID first, dGeomID second) {
    OdePile& pile = *static_cast<OdePile*>(data);
    const dBodyID a = dGeomGetBody(first), b = dGeomGetBody(second);
    if (a == nullptr && b == nullptr) return;
    if (dCollide(first, second, 1, &pile.contact_.geom, sizeof(dContactGeom)) == 0) return;
    pile.found_.push_back({pile.contact_.geom, a, b, centre(a), centre(b), {}});
    const dJointID joint = dJointCreateContact(pile.world_, pile.joints_, &pile.contact_);
    dJointAttach(joint, a, b);
    dJointSetFeedback(joint, &pile.found_.back().feedback);
  }

  PileScene scene_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID joints_ = nullptr;
  std::vector<dBodyID> bodies_;
  dContact contact_{};
  std::deque<Found> found_;  // ODE keeps addresses of the feedback
};

}  // namespace

std::unique_ptr<PilePeer> make_ode_pile(const PileScene& scene, int iterations) {
  return std::make_unique<OdePile>(scene, iterations);
}

}  // namespace freeplay::bench
