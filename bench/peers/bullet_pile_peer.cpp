#include "bench/peers/bullet_pile_peer.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>

#ifndef BT_USE_DOUBLE_PRECISION
#error "the numbers are compared at double precision"
#endif

namespace freeplay::bench {

namespace {

Vector vector_of(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}

class BulletPile final : public PilePeer {
 public:
  BulletPile(const PileScene& scene, int iterations)
      : scene_(scene),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        sphere_(scene.radius_m) {
    world_.setGravity({0, 0, -scene.gravity_m_s2});
    btContactSolverInfo& options = world_.getSolverInfo();
    options.m_numIterations = iterations;
    options.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;  // one alone stops sliding in one direction only
    options.m_erp2 = kPushedOut;
    const double half = scene.box_m / 2;
    add_wall({0, 0, 1}, 0);
    for (const double side : {-1.0, 1.0}) {
      add_wall({side, 0, 0}, -half);
      add_wall({0, side, 0}, -half);
    }
    for (const Vector& centre : scene.centres_m) add_sphere(centre);
  }
  ~BulletPile() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletPile(const BulletPile&) = delete;
  BulletPile& operator=(const BulletPile&) = delete;

  void step() override {
    before_.clear();
    for (const auto& body : bodies_) before_.push_back(body->getCenterOfMassPosition());
    world_.stepSimulation(scene_.step_s, 0);  // one step of just this size
  }

  std::vector<PileContact> contacts() override {
    std::vector<PileContact> all;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(i);
      for (int k = 0; k < manifold.getNumContacts(); ++k) all.push_back(contact_of(manifold, k));
    }
    return all;
  }

  std::vector<Vector> centres_m() const override {
    std::vector<Vector> centres;
    for (const auto& body : bodies_) {
      if (!body->isStaticObject()) centres.push_back(vector_of(body->getCenterOfMassPosition()));
    }
    return centres;
  }

 private:
  PileContact contact_of(const btPersistentManifold& manifold, int k) const {
    const btManifoldPoint& point = manifold.getContactPoint(k);
    PileContact contact;
    contact.normal = vector_of(point.m_normalWorldOnB);
    contact.tangents = {vector_of(point.m_lateralFrictionDir1), vector_of(point.m_lateralFrictionDir2)};
    contact.velocity_m_s = add(velocity(manifold.getBody0(), point.getPositionWorldOnA()), -1,
                               velocity(manifold.getBody1(), point.getPositionWorldOnB()));
    contact.impulse_N_s = vector_of(point.m_appliedImpulse * point.m_normalWorldOnB +
                                    point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1 +
                                    point.m_appliedImpulseLateral2 * point.m_lateralFrictionDir2);
    const double gap = point.getDistance();
    contact.aim_m_s = (gap > 0 ? -gap : -kPushedOut * gap) / scene_.step_s;
    contact.has_wall = manifold.getBody0()->isStaticObject() || manifold.getBody1()->isStaticObject();
    return contact;
  }

  // Of the point of a body that the solver knew: the body has moved on since then.
  Vector velocity(const btCollisionObject* object, const btVector3& point) const {
    const btRigidBody& body = *btRigidBody::upcast(object);
    return velocity_at(vector_of(body.getLinearVelocity()), vector_of(body.getAngularVelocity()),
                       vector_of(before_[static_cast<std::size_t>(body.getUserIndex())]), vector_of(point));
  }

  void add_wall(const btVector3& normal, double offset) {
    walls_.push_back(std::make_unique<btStaticPlaneShape>(normal, offset));
    add_body(0, walls_.back().get(), btTransform::getIdentity(), {0, 0, 0});
  }
  void add_sphere(const Vector& centre) {
    btVector3 inertia;
    sphere_.calculateLocalInertia(scene_.mass_kg, inertia);
    btTransform at = btTransform::getIdentity();
    at.setOrigin({centre[0], centre[1], centre[2]});
    add_body(scene_.mass_kg, &sphere_, at, inertia);
  }
  void add_body(double mass_kg, btCollisionShape* shape, const btTransform& at, const btVector3& inertia) {
    btRigidBody::btRigidBodyConstructionInfo info(mass_kg, nullptr, shape, inertia);
    info.m_startWorldTransform = at;
    info.m_friction = std::sqrt(scene_.friction);  // Bullet multiplies those of the two bodies
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);  // nobody sleeps
    bodies_.back()->setUserIndex(static_cast<int>(bodies_.size()) - 1);
    world_.addRigidBody(bodies_.back().get());
  }

  PileScene scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btSphereShape sphere_;
  std::vector<std::unique_ptr<btStaticPlaneShape>> walls_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<btVector3> before_;  // centres at the start of the last step
};

}  // namespace

std::unique_ptr<PilePeer> make_bullet_pile(const PileScene& scene, int iterations) {
  return std::make_unique<BulletPile>(scene, iterations);
}

}  // namespace freeplay::bench
