// A relative rotation as three numbers, and the derivative that turns moments of a potential into torques.
#pragma once

#include "freeplay/math/types.h"

namespace freeplay::math {

// R takes the axes of a frame P to those of a frame C, both given in P. With dR/dt = [omega]x R the measure changes by
// dphi/dt = A omega. So a potential V(phi) acts with the torque -A^T dV/dphi on C and the opposite one on P, in the
// axes of P, and its power is exactly -dV/dt.
struct RotationMeasure {
  Vec3 phi = Vec3::Zero();
  Mat3 A = Mat3::Identity();
};

// Axis times angle, at most half a turn; A is the inverse of the left Jacobian of SO(3). No direction is preferred. At
// half a turn phi changes its sign.
RotationMeasure rotation_vector_of(const Mat3& R);

// First the turn phi_z about the z axis, then the tilt (phi_x, phi_y) that takes z of P the shortest way to z of C. The
// tilt does not depend on the turn: it stays smooth over any number of turns, which a rotation vector does not. phi_z
// jumps from pi to -pi. Undefined where the z axes are opposite.
RotationMeasure tilt_and_turn_of(const Mat3& R);

// The angles of a cross with an arm along x of P and one along y of C:  R = Rx(phi_x) Rz(phi_z) Ry(phi_y).  phi_z is
// what the arms lack of a right angle; it does not depend on how far either of them has turned. phi_x and phi_y jump
// from pi to -pi. Where the arms are parallel they are undefined, phi_z is not.
RotationMeasure cross_angles_of(const Mat3& R);

}  // namespace freeplay::math
