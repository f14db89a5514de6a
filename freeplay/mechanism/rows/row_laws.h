// Bilateral rows of joints, for whatever numbers the kinematics are computed with.
#pragma once

#include "freeplay/core/error.h"
#include "freeplay/mechanism/trees/marker_evaluation.h"

namespace freeplay::mechanism {

// Where the two frames of a joint are in the world.
template <class Algebra>
struct JointPlacementOf {
  typename Algebra::Matrix3 R_parent, R_child;
  typename Algebra::Vector3 p_parent, p_child;
};

template <class Algebra>
JointPlacementOf<Algebra> placement_of(const Mechanism::Joint& joint, const MarkerEvaluation<Algebra>& markers) {
  return {markers.axes(joint.parent_marker), markers.axes(joint.child_marker), markers.position(joint.parent_marker),
          markers.position(joint.child_marker)};
}

// The wrench on the child, of the effort 1, of a row that holds two points or directions together.
template <class Algebra>
void place_row(const Mechanism::Row& row, const JointPlacementOf<Algebra>& at,
               WrenchOf<typename Algebra::Scalar>& wrench) {
  wrench.point = at.p_child;
  if (row.kind == Mechanism::Row::Kind::kDot) {
    // d(a.b)/dt = (b x a) . (w_child - w_parent), a on the parent, b on the child.
    wrench.torque = at.R_child.col(row.axis_child).cross(at.R_parent.col(row.axis_parent));
  } else {
    wrench.force = at.R_parent.col(row.axis_parent);
  }
}

// g of such a row, without the motion that it may follow.
template <class Algebra>
typename Algebra::Scalar row_position(const Mechanism::Row& row, const JointPlacementOf<Algebra>& at) {
  if (row.kind == Mechanism::Row::Kind::kDot)
    return at.R_parent.col(row.axis_parent).dot(at.R_child.col(row.axis_child));
  return at.R_parent.col(row.axis_parent).dot(at.p_child - at.p_parent);
}

}  // namespace freeplay::mechanism
