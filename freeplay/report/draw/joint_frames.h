// Where the axes of a joint are on its two bodies, from the geometry of a result.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "freeplay/math/frame.h"

namespace freeplay::report {

struct JointFrames {
  Frame on_child, on_parent;
};
// `joint` is an entry of the result file's geometry.
JointFrames joint_frames(const nlohmann::ordered_json& joint, bool is_planar);

}  // namespace freeplay::report
