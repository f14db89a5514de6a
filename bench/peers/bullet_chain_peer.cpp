#include "bench/peers/bullet_chain_peer.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>

#ifndef BT_USE_DOUBLE_PRECISION
#error "the numbers are compared at double precision"
#endif

namespace freeplay::bench {

namespace {

constexpr double kRoller_m = 1e-3;  // radius of a roller; the pulleys are smaller by as much
constexpr double kWidth_m = 0.01;
// Links do not touch each other, and pulleys neither.
enum Group : int { kLinkGroup = 1, kPulleyGroup = 2 };

class BulletChain final : public ChainPeer {
 public:
  BulletChain(const ChainScene& scene, int iterations)
      : scene_(scene),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        roller_(kRoller_m),
        pulley_({scene.pulley_radius_m - kRoller_m, scene.pulley_radius_m - kRoller_m, kWidth_m}) {
    world_.setGravity({0, 0, 0});
    world_.getSolverInfo().m_numIterations = iterations;
    btTransform at_start = btTransform::getIdentity();
    at_start.setOrigin({-scene.pitch_m / 2, 0, 0});
    link_.addChildShape(at_start, &roller_);
    add_pulley(0, true);
    add_pulley(scene.centre_distance_m, false);
    for (const ChainLink& link : scene.links) add_link(link);
    const std::size_t count = scene.links.size();
    for (std::size_t i = 0; i < count; ++i) add_pin(link_body(i), link_body((i + 1) % count));
  }
  ~BulletChain() override {
    for (const auto& pin : pins_) world_.removeConstraint(pin.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletChain(const BulletChain&) = delete;
  BulletChain& operator=(const BulletChain&) = delete;

  void step() override { world_.stepSimulation(scene_.step_s, 0); }

  double driven_speed() const override { return bodies_[1]->getAngularVelocity().z(); }

  double widest_pin_m() const override {
    double widest = 0;
    for (const auto& pin : pins_) {
      const btVector3 a = pin->getRigidBodyA().getCenterOfMassTransform() * pin->getPivotInA();
      const btVector3 b = pin->getRigidBodyB().getCenterOfMassTransform() * pin->getPivotInB();
      widest = std::max(widest, (a - b).length());
    }
    return widest;
  }

 private:
  btRigidBody& link_body(std::size_t i) { return *bodies_[2 + i]; }

  btRigidBody& add_body(double mass_kg, btCollisionShape* shape, const btTransform& at, const btVector3& inertia,
                        Group group, Group touches) {
    btRigidBody::btRigidBodyConstructionInfo info(mass_kg, nullptr, shape, inertia);
    info.m_startWorldTransform = at;
    info.m_friction = std::sqrt(scene_.friction);  // Bullet multiplies those of the two bodies
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& body = *bodies_.back();
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setAngularFactor({0, 0, 1});
    world_.addRigidBody(&body, group, touches);
    return body;
  }

  // The driver moves as prescribed: a kinematic body would be moved by its transform, so it is given an inertia that no
  // chain can change.
  void add_pulley(double x, bool is_driver) {
    btTransform at = btTransform::getIdentity();
    at.setOrigin({x, 0, 0});
    const double inertia = (is_driver ? 1e9 : 1.0) * scene_.pulley_inertia_kg_m2;
    btRigidBody& body = add_body(1, &pulley_, at, {inertia, inertia, inertia}, kPulleyGroup, kLinkGroup);
    body.setLinearFactor({0, 0, 0});
    body.setAngularVelocity({0, 0, scene_.speed});
  }

  void add_link(const ChainLink& link) {
    btTransform at = btTransform::getIdentity();
    at.setOrigin({link.x_m, link.y_m, 0});
    at.setRotation(btQuaternion({0, 0, 1}, link.angle));
    const double J = scene_.inertia_kg_m2;
    btRigidBody& body = add_body(scene_.mass_kg, &link_, at, {J, J, J}, kLinkGroup, kPulleyGroup);
    body.setLinearFactor({1, 1, 0});
    body.setLinearVelocity({link.vx_m_s, link.vy_m_s, 0});
    body.setAngularVelocity({0, 0, link.omega});
  }

  void add_pin(btRigidBody& link, btRigidBody& next) {
    const btVector3 end(scene_.pitch_m / 2, 0, 0);
    pins_.push_back(std::make_unique<btPoint2PointConstraint>(link, next, end, -end));
    world_.addConstraint(pins_.back().get(), true);
  }

  ChainScene scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btSphereShape roller_;
  btCylinderShapeZ pulley_;
  btCompoundShape link_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;  // driver, driven pulley, links
  std::vector<std::unique_ptr<btPoint2PointConstraint>> pins_;
};

}  // namespace

std::unique_ptr<ChainPeer> make_bullet_chain(const ChainScene& scene, int iterations) {
  return std::make_unique<BulletChain>(scene, iterations);
}

}  // namespace freeplay::bench
