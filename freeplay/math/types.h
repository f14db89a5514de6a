// Short names for the Eigen types that the project uses.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>

#include "freeplay/core/layers.h"

namespace freeplay::math {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using VecX = Eigen::VectorXd;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;
using MatX = Eigen::MatrixXd;

// Function parameters of dynamic size. Always contiguous: a strided argument would be copied.
using ConstVecRef = Eigen::Ref<const VecX>;
using VecRef = Eigen::Ref<VecX>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Largest absolute entry; 0 for an empty vector, where Eigen's maxCoeff is undefined.
inline double max_abs(const ConstVecRef& v) {
  return v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff();
}

}  // namespace freeplay::math
