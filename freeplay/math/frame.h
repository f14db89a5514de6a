// Axes with an origin: where a body is, or a frame that is fixed in it.
#pragma once

#include "freeplay/math/types.h"

namespace freeplay::math {

// x -> p + R x. Of a body: from its axes to the world's, p its centre of mass. Of a joint: from its axes to a body's.
struct Frame {
  Mat3 R = Mat3::Identity();
  Vec3 p = Vec3::Zero();

  Vec3 point(const Vec3& local) const { return p + R * local; }
};

}  // namespace freeplay::math
