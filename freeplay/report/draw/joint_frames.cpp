#include "freeplay/report/draw/joint_frames.h"

#include <nlohmann/json.hpp>

#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/description/joint_axes.h"
#include "freeplay/report/draw/mesh.h"

namespace freeplay::report {

JointFrames joint_frames(const nlohmann::ordered_json& joint, bool is_planar) {
  JointFrames frames;
  const Vec3 axis = vector_of(joint.at("axis"));
  const JointType* type =
      find_joint_type(joint.at("type").get<std::string>(), is_planar ? Space::kPlanar : Space::kSpatial);
  const int main = type == nullptr ? 2 : type->main_axis;
  if (is_planar && main == 0)
    frames.on_parent.R << axis.x(), -axis.y(), 0, axis.y(), axis.x(), 0, 0, 0, 1;
  else if (!is_planar && type != nullptr && type->second_axis >= 0 && joint.contains("second_axis"))
    frames.on_parent.R = joint_axes(*type, axis, vector_of(joint.at("second_axis")));
  else if (!is_planar)
    frames.on_parent.R = rotation_between(Vec3::Unit(main), axis);
  frames.on_parent.p = vector_of(joint.at("at_parent"));
  const nlohmann::ordered_json& e = joint.at("rotation");  // of the child's axes in the parent's
  frames.on_child.R = rotation_from_quaternion(
                          {e.at(0).get<double>(), e.at(1).get<double>(), e.at(2).get<double>(), e.at(3).get<double>()})
                          .transpose() *
                      frames.on_parent.R;
  frames.on_child.p = vector_of(joint.at("at_child"));
  return frames;
}

}  // namespace freeplay::report
