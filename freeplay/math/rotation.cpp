#include "freeplay/math/rotation.h"

namespace freeplay {

// Not in the header: for opposite vectors Eigen takes the axis from a singular value decomposition, which costs
// whoever compiles this several seconds.
Mat3 rotation_between(const Vec3& from, const Vec3& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to).toRotationMatrix();
}

}  // namespace freeplay
