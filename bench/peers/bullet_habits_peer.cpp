#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "bench/peers/habits_peer.h"

#ifndef BT_USE_DOUBLE_PRECISION
#error "the numbers are compared at double precision"
#endif

namespace freeplay::bench {

namespace {

constexpr double kStep_s = 1e-3;

class BulletScene {
 public:
  explicit BulletScene(const btVector3& gravity)
      : dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    world_.setGravity(gravity);
  }
  ~BulletScene() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletScene(const BulletScene&) = delete;
  BulletScene& operator=(const BulletScene&) = delete;

  btRigidBody& add(std::unique_ptr<btCollisionShape> shape, double mass_kg, const btVector3& at, double friction) {
    btVector3 inertia(0, 0, 0);
    if (mass_kg > 0) shape->calculateLocalInertia(mass_kg, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass_kg, nullptr, shape.get(), inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(at);
    info.m_friction = friction;
    shapes_.push_back(std::move(shape));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }
  void set_iterations(int iterations) { world_.getSolverInfo().m_numIterations = iterations; }
  void step() { world_.stepSimulation(kStep_s, 0); }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

std::unique_ptr<btCollisionShape> block(bool as_hull) {
  const btVector3 half(0.1, 0.05, 0.05);
  if (!as_hull) return std::make_unique<btBoxShape>(half);
  auto hull = std::make_unique<btConvexHullShape>();
  for (int corner = 0; corner < 8; ++corner)
    hull->addPoint({(corner & 1) != 0 ? half.x() : -half.x(), (corner & 2) != 0 ? half.y() : -half.y(),
                    (corner & 4) != 0 ? half.z() : -half.z()});
  return hull;
}

}  // namespace

double bullet_lift_m_s() {
  BulletScene scene({0, -9.81, 0});
  scene.add(std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), 0), 0, {0, 0, 0}, 0.5);
  btRigidBody& body = scene.add(block(false), 1, {0, 0.05, 0}, 1);  // Bullet multiplies the two coefficients
  body.setLinearVelocity({5, 0, 0});
  double lift = 0;
  for (int i = 0; i < 1000; ++i) {
    scene.step();
    lift = std::max<double>(lift, body.getLinearVelocity().y());
  }
  return lift;
}

double bullet_travel_m(bool as_hull) {
  constexpr double kPlay_m = 1e-3, kHalf_m = 0.05;
  BulletScene scene({0, 0, 0});
  scene.add(std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), -(kHalf_m + kPlay_m)), 0, {0, 0, 0}, 0);
  scene.add(std::make_unique<btStaticPlaneShape>(btVector3(0, -1, 0), -(kHalf_m + kPlay_m)), 0, {0, 0, 0}, 0);
  btRigidBody& body = scene.add(block(as_hull), 1, {0, 0, 0}, 0);
  double low = 0, high = 0;
  for (int i = 0; i < 4000; ++i) {
    body.applyCentralForce({0, i < 2000 ? 1.0 : -1.0, 0});
    scene.step();
    if (i % 2000 < 1500) continue;  // when it has come to rest
    low = std::min<double>(low, body.getCenterOfMassPosition().y());
    high = std::max<double>(high, body.getCenterOfMassPosition().y());
  }
  return high - low;
}

double bullet_sink_m(double top_kg, int iterations) {
  constexpr int kBoxes = 10;
  constexpr double kHalf_m = 0.05;
  BulletScene scene({0, -9.81, 0});
  scene.set_iterations(iterations);
  scene.add(std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), 0), 0, {0, 0, 0}, 0.5);
  btRigidBody* top = nullptr;
  for (int i = 0; i < kBoxes; ++i)
    top = &scene.add(std::make_unique<btBoxShape>(btVector3(kHalf_m, kHalf_m, kHalf_m)), i + 1 < kBoxes ? 1 : top_kg,
                     {0, kHalf_m * (2 * i + 1), 0}, 1);
  for (int i = 0; i < 1000; ++i) scene.step();
  return kHalf_m * (2 * kBoxes - 1) - top->getCenterOfMassPosition().y();
}

}  // namespace freeplay::bench
