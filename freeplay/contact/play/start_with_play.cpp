#include "freeplay/contact/play/start_with_play.h"

#include "freeplay/mechanism/building/start_as_ideal.h"

namespace freeplay::contact {

namespace {

std::vector<JointSpec> joints_of(const std::vector<ClearanceJointSpec>& clearance_joints) {
  std::vector<JointSpec> joints;
  for (const ClearanceJointSpec& play : clearance_joints) joints.push_back(play.joint);
  return joints;
}

}  // namespace

MechanismSpec with_play(MechanismSpec spec, const std::vector<ClearanceJointSpec>& clearance_joints) {
  spec.joints_with_play = joints_of(clearance_joints);
  return spec;
}

std::shared_ptr<const Mechanism> build_mechanism_with_play(const MechanismSpec& spec,
                                                           const std::vector<ClearanceJointSpec>& clearance_joints) {
  return build_started_as_ideal(with_play(spec, clearance_joints));
}

}  // namespace freeplay::contact
