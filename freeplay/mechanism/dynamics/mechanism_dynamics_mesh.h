// The teeth of two wheels, or of a pinion and its rack: where they mesh, and along which line they push each other.
// Included by mechanism_dynamics_couplings.h only. docs/theory/couplings.md has the derivations.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "freeplay/mechanism/dynamics/mechanism_dynamics.h"
#include "freeplay/mechanism/dynamics/turn_axis.h"

namespace freeplay::mechanism {

inline double involute(double angle) {
  return std::tan(angle) - angle;
}

// A rack is a wheel without a radius. Its marker lies on its pitch line, where this touches the pitch circle in ideal
// bearings, with the axes of `reference`; `line` points from the pinion to it, across it, in these axes.
inline bool is_rack(const Mechanism::Mesh& mesh) {
  return mesh.distance == mesh.first_radius;
}

// In space, in bearings that give way: axes are not parallel for good. All other meshes act on their wheels alone.
inline bool tilts(const Mechanism::Coupling& coupling) {
  return coupling.mesh && !coupling.moved.empty();
}

// The angle of turn_axis.h. In the plane axes do not tilt.
template <class Algebra>
double turn_of(const Mat3& a, const Mat3& b) {
  if constexpr (std::is_same_v<Algebra, PlanarAlgebra>) {
    const Vec3 z = b.col(2), from = a.col(0), to = b.col(0);
    return std::atan2(z.dot(from.cross(to)), from.dot(to));
  } else {
    return turn_between(a, b);
  }
}

// The line of centres D from the first wheel to the second, its direction n, t = z x n, and the angle phi by which it
// is turned from where it is in ideal bearings. The pitch point divides it by the radii, P = C1 + (r1/a0) D; r2 and a0
// = r1 + r2 are negative where the second wheel is a ring. Involutes keep the ratio at any distance a; the pressure
// angle becomes  cos alpha' = |a0| cos(alpha) / a.
template <class Algebra>
typename MechanismDynamics<Algebra>::MeshPlace MechanismDynamics<Algebra>::mesh_place(
    const Mechanism::Mesh& mesh) const {
  if (is_rack(mesh)) return rack_place(mesh);
  MeshPlace at;
  const Mat3 R = markers_.axes(mesh.reference);
  const Vec3 z = R.col(2), first = markers_.position(mesh.first);
  Vec3 D = markers_.position(mesh.second) - first;
  D -= z.dot(D) * z;
  at.distance = D.norm();
  at.n = D / at.distance;
  at.t = z.cross(at.n);
  const Vec3 from = R * mesh.line;
  at.turn = std::atan2(z.dot(from.cross(at.n)), from.dot(at.n));
  at.pitch_point = first + (mesh.first_radius / mesh.distance) * D;
  const double cos_line = std::abs(mesh.distance) * std::cos(mesh.pressure_angle) / at.distance;
  at.line_angle = std::acos(std::min(cos_line, 1.0));
  return at;
}

// n and t are fixed to the rack, a = n . D reaches from the pinion's centre to the pitch line, and
//   phi = psi + t . D / r1,
// psi the angle by which the rack is turned, as joints with play measure it, so that s = r1 q - r1 phi. Its flanks are
// straight, so that the line of action has one direction, and the pitch circle does not change.
template <class Algebra>
typename MechanismDynamics<Algebra>::MeshPlace MechanismDynamics<Algebra>::rack_place(
    const Mechanism::Mesh& mesh) const {
  MeshPlace at;
  const Mat3 axes = markers_.axes(mesh.second);
  const Vec3 z = axes.col(2), first = markers_.position(mesh.first), D = markers_.position(mesh.second) - first;
  at.n = axes * mesh.line;
  at.t = z.cross(at.n);
  at.distance = at.n.dot(D);
  at.turn = turn_of<Algebra>(markers_.axes(mesh.reference), axes) + at.t.dot(D) / mesh.first_radius;
  at.pitch_point = first + mesh.first_radius * at.n;
  at.line_angle = mesh.pressure_angle;
  return at;
}

// The rates of phi and a as the reference sees them, or as the rack does.
template <class Algebra>
typename MechanismDynamics<Algebra>::MeshRate MechanismDynamics<Algebra>::mesh_rate(const Mechanism::Mesh& mesh,
                                                                                    const MeshPlace& at) const {
  const Vec3 first = markers_.position(mesh.first), second = markers_.position(mesh.second);
  const Vec3 omega = markers_.angular_velocity(is_rack(mesh) ? mesh.second : mesh.reference);
  const Vec3 moving =
      markers_.velocity(mesh.second, second) - markers_.velocity(mesh.first, first) - omega.cross(second - first);
  if (!is_rack(mesh)) return {at.n.dot(moving), at.t.dot(moving) / at.distance};
  const Vec3 turning = omega - markers_.angular_velocity(mesh.reference);
  Vec3 axis = at.n.cross(at.t);
  if (!std::is_same_v<Algebra, PlanarAlgebra>) axis = axis_between(markers_.axes(mesh.reference).col(2), axis);
  return {at.n.dot(moving), axis.dot(turning) + at.t.dot(moving) / mesh.first_radius};
}

// And their rates at du/dt = 0:  a'' = n . d'' + a phi'^2,  phi'' = (t . d'' - 2 a' phi') / a; n and t of a rack are at
// rest in its axes.
template <class Algebra>
typename MechanismDynamics<Algebra>::MeshRate MechanismDynamics<Algebra>::mesh_bias(const Mechanism::Mesh& mesh,
                                                                                    const MeshPlace& at,
                                                                                    const MeshRate& rate) const {
  const Vec3 first = markers_.position(mesh.first), second = markers_.position(mesh.second);
  const MarkerIndex frame = is_rack(mesh) ? mesh.second : mesh.reference;
  const Vec3 omega = markers_.angular_velocity(frame);
  const Vec3 D = second - first, D_rate = markers_.velocity(mesh.second, second) - markers_.velocity(mesh.first, first);
  const Vec3 moving = D_rate - omega.cross(D);
  const Vec3 bias = markers_.bias(mesh.second, second) - markers_.bias(mesh.first, first) -
                    markers_.angular_bias(frame).cross(D) - omega.cross(D_rate) - omega.cross(moving);
  if (is_rack(mesh)) {
    const Vec3 z = at.n.cross(at.t);
    const Vec3 turning = markers_.angular_bias(mesh.second) - markers_.angular_bias(mesh.reference);
    double turn = z.dot(turning);
    if (!std::is_same_v<Algebra, PlanarAlgebra>) {
      const Vec3 omega_reference = markers_.angular_velocity(mesh.reference);
      const Vec3 z_reference = markers_.axes(mesh.reference).col(2);
      turn = axis_between(z_reference, z).dot(turning) +
             axis_rate_between(z_reference, z, omega_reference.cross(z_reference), omega.cross(z))
                 .dot(omega - omega_reference);
    }
    return {at.n.dot(bias), turn + at.t.dot(bias) / mesh.first_radius};
  }
  return {at.n.dot(bias) + at.distance * rate.turn * rate.turn,
          (at.t.dot(bias) - 2 * rate.distance * rate.turn) / at.distance};
}

// On the first wheel, of a unit effort along s (side 0): (a0/a) t, of a rack t, or of a unit force that opens a flank:
//   -+cos(alpha) (a0/a) t - sign(a0) sin(alpha') n,
// a unit vector along the line of action. The opposite one is on the second wheel.
template <class Algebra>
Wrench MechanismDynamics<Algebra>::mesh_wrench(const Mechanism::Mesh& mesh, int side) const {
  const MeshPlace at = mesh_place(mesh);
  const Vec3 along_pitch = (is_rack(mesh) ? 1 : mesh.distance / at.distance) * at.t;
  if (side == 0) return {along_pitch, Vec3::Zero(), at.pitch_point};
  const Vec3 force = -side * std::cos(mesh.pressure_angle) * along_pitch -
                     std::copysign(std::sin(at.line_angle), mesh.distance) * at.n;
  return {force, Vec3::Zero(), at.pitch_point};
}

// In space, bearings that give way let the axes tilt. The angles q then turn about axes n_i beside z, and the gap is
// not that of the pitch points alone: the columns are derivatives of it with the couples
//   f_i (n_i - z)           between wheel and bearing (f_i along s, of a flank -+cos(alpha) f_i),
//   -(z . D) z x F          between the second wheel and `reference`, F the force on the first,
// of a rack -r1 (n - z) in place of the second. Calls add(on, against, torque) for each.
template <class Algebra>
template <class Add>
void MechanismDynamics<Algebra>::for_each_tilting_couple(const Mechanism::Coupling& coupling, int side,
                                                         const Vec3& force, const Add& add) const {
  const Mechanism::Mesh& mesh = *coupling.mesh;
  if (!tilts(coupling)) return;
  const MeshPlace at = mesh_place(mesh);
  const double along_s = side == 0 ? 1 : -side * std::cos(mesh.pressure_angle);
  const Vec3 z = at.n.cross(at.t);
  for (std::size_t k = 0; k < (is_rack(mesh) ? 1 : coupling.terms.size()); ++k) {
    const Mechanism::Coupling::Term& term = coupling.terms[k];
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(term.joint)];
    const Vec3 axis = coordinate_wrench(term.joint, term.coordinate).torque;
    add(joint.child_marker, joint.parent_marker, Vec3(along_s * term.factor * (axis - z)));
  }
  if (is_rack(mesh)) {
    const Vec3 axis = axis_between(markers_.axes(mesh.reference).col(2), z);
    add(mesh.second, mesh.reference, Vec3(-along_s * mesh.first_radius * (axis - z)));
  } else {
    const double apart = z.dot(markers_.position(mesh.second) - markers_.position(mesh.first));
    add(mesh.second, mesh.reference, Vec3(-apart * z.cross(force)));
  }
}

}  // namespace freeplay::mechanism
