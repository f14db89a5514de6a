#include "bench/peers/bullet_shapes_peer.h"

#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <limits>

#ifndef BT_USE_DOUBLE_PRECISION
#error "the numbers are compared at double precision"
#endif

namespace freeplay::bench {

namespace {

std::unique_ptr<btConvexShape> shape_of(Solid kind, const std::array<double, 3>& half) {
  std::unique_ptr<btConvexShape> shape;
  if (kind == Solid::kBox) {
    shape = std::make_unique<btBoxShape>(btVector3(half[0], half[1], half[2]));
  } else {
    const btVector3 centre(0, 0, 0);
    const btScalar radius = 1;
    shape = std::make_unique<btMultiSphereShape>(&centre, &radius, 1);
    shape->setLocalScaling(btVector3(half[0], half[1], half[2]));
  }
  shape->setMargin(0);
  return shape;
}

btTransform transform_of(const SolidPose& pose) {
  const std::array<double, 9>& R = pose.R;
  return btTransform(btMatrix3x3(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]),
                     btVector3(pose.x[0], pose.x[1], pose.x[2]));
}

class BulletShapes final : public ShapePeer {
 public:
  explicit BulletShapes(const SolidPair& pair)
      : a_(shape_of(pair.kind, pair.half_a)), b_(shape_of(pair.kind, pair.half_b)) {}

  double gap(const PoseOfTwo& pose) override {
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = transform_of(pose.a);
    input.m_transformB = transform_of(pose.b);
    btPointCollector nearest;
    btGjkPairDetector detector(a_.get(), b_.get(), &simplex_, &depth_);
    detector.getClosestPoints(input, nearest, nullptr);
    return nearest.m_hasResult ? nearest.m_distance : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  std::unique_ptr<btConvexShape> a_, b_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver depth_;
};

}  // namespace

std::unique_ptr<ShapePeer> make_bullet_shapes(const SolidPair& pair) {
  return std::make_unique<BulletShapes>(pair);
}

}  // namespace freeplay::bench
