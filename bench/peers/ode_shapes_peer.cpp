#include "bench/peers/ode_shapes_peer.h"

#include <ode/ode.h>

#include <algorithm>
#include <limits>

namespace freeplay::bench {

namespace {

constexpr int kMostContacts = 8;

class OdeShapes final : public ShapePeer {
 public:
  explicit OdeShapes(const SolidPair& pair) {
    dInitODE2(0);
    a_ = dCreateBox(nullptr, 2 * pair.half_a[0], 2 * pair.half_a[1], 2 * pair.half_a[2]);
    b_ = dCreateBox(nullptr, 2 * pair.half_b[0], 2 * pair.half_b[1], 2 * pair.half_b[2]);
  }
  ~OdeShapes() override {
    dGeomDestroy(a_);
    dGeomDestroy(b_);
  }

  double gap(const PoseOfTwo& pose) override {
    place(a_, pose.a);
    place(b_, pose.b);
    std::array<dContactGeom, kMostContacts> contacts;
    const int count = dCollide(a_, b_, kMostContacts, contacts.data(), sizeof(dContactGeom));
    double depth = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < count; ++i) depth = std::max<double>(depth, contacts[static_cast<std::size_t>(i)].depth);
    return count > 0 ? -depth : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  static void place(dGeomID geometry, const SolidPose& pose) {
    dMatrix3 R{};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) R[4 * i + j] = pose.R[static_cast<std::size_t>(3 * i + j)];
    }
    dGeomSetRotation(geometry, R);
    dGeomSetPosition(geometry, pose.x[0], pose.x[1], pose.x[2]);
  }

  dGeomID a_, b_;
};

}  // namespace

std::unique_ptr<ShapePeer> make_ode_shapes(const SolidPair& pair) {
  if (pair.kind != Solid::kBox) return nullptr;
  return std::make_unique<OdeShapes>(pair);
}

}  // namespace freeplay::bench
