#include "bench/peers/fcl_shapes_peer.h"

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <limits>

namespace freeplay::bench {

namespace {

std::shared_ptr<fcl::CollisionGeometryd> geometry_of(Solid kind, const std::array<double, 3>& half) {
  if (kind == Solid::kBox) return std::make_shared<fcl::Boxd>(2 * half[0], 2 * half[1], 2 * half[2]);
  return std::make_shared<fcl::Ellipsoidd>(half[0], half[1], half[2]);
}

fcl::Transform3d transform_of(const SolidPose& pose) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) transform.linear()(i, j) = pose.R[static_cast<std::size_t>(3 * i + j)];
    transform.translation()[i] = pose.x[static_cast<std::size_t>(i)];
  }
  return transform;
}

class FclShapes final : public ShapePeer {
 public:
  explicit FclShapes(const SolidPair& pair)
      : a_(geometry_of(pair.kind, pair.half_a)),
        b_(geometry_of(pair.kind, pair.half_b)),
        overlaps_(pair.overlaps),
        contacts_(8, true) {
    request_.enable_nearest_points = true;
    request_.gjk_solver_type = fcl::GST_LIBCCD;
    request_.distance_tolerance = 1e-10;
    contacts_.gjk_solver_type = fcl::GST_INDEP;
    contacts_.gjk_tolerance = 1e-10;
  }

  double gap(const PoseOfTwo& pose) override {
    if (overlaps_) {
      fcl::CollisionResultd found;
      fcl::collide(a_.get(), transform_of(pose.a), b_.get(), transform_of(pose.b), contacts_, found);
      double depth = -std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < found.numContacts(); ++i)
        depth = std::max(depth, found.getContact(i).penetration_depth);
      return found.numContacts() > 0 ? -depth : std::numeric_limits<double>::quiet_NaN();
    }
    fcl::DistanceResultd result;
    return fcl::distance(a_.get(), transform_of(pose.a), b_.get(), transform_of(pose.b), request_, result);
  }

 private:
  std::shared_ptr<fcl::CollisionGeometryd> a_, b_;
  bool overlaps_;
  fcl::DistanceRequestd request_;
  fcl::CollisionRequestd contacts_;
};

}  // namespace

std::unique_ptr<ShapePeer> make_fcl_shapes(const SolidPair& pair) {
  return std::make_unique<FclShapes>(pair);
}

}  // namespace freeplay::bench
