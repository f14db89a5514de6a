// The laws of force elements, for whatever numbers the kinematics are computed with.
#pragma once

#include "freeplay/mechanism/trees/marker_evaluation.h"

namespace freeplay::mechanism {

// What a spring between two markers does at the position and velocity set: pull > 0 draws them together.
template <class Algebra>
struct SpringState {
  using Scalar = typename Algebra::Scalar;
  typename Algebra::Vector3 p_parent, p_child, n;  // n from parent to child
  Scalar length = 0, rate = 0, pull = 0;
};

// False where the length is 0 and the direction is undefined: a spring without free length and preload has no force
// there either.
template <class Algebra>
bool find_spring(const Mechanism::Spring& spring, const MarkerEvaluation<Algebra>& markers,
                 SpringState<Algebra>& state) {
  state.p_parent = markers.position(spring.parent);
  state.p_child = markers.position(spring.child);
  const typename Algebra::Vector3 r = state.p_child - state.p_parent;
  state.length = r.norm();
  if (state.length == 0) return false;
  state.n = r / state.length;
  state.rate =
      state.n.dot(markers.velocity(spring.child, state.p_child) - markers.velocity(spring.parent, state.p_parent));
  state.pull = spring.preload + spring.stiffness * (state.length - spring.free_length) + spring.damping * state.rate;
  return true;
}

// Adds the force of a spring to the forces on the nodes.
template <class Algebra>
void add_spring(const Mechanism::Spring& spring, const MarkerEvaluation<Algebra>& markers,
                const SpringState<Algebra>& state, std::vector<typename Algebra::Force>& on_nodes) {
  using Vector3 = typename Algebra::Vector3;
  const Vector3 force = state.pull * state.n;
  markers.add(spring.child, {force, Vector3::Zero(), state.p_child}, -1, on_nodes);
  markers.add(spring.parent, {force, Vector3::Zero(), state.p_parent}, 1, on_nodes);
}

template <class S>
S torsional_law(const Mechanism::TorsionalSpring& spring, const S& angle, const S& rate) {
  const S twist = angle - spring.free_angle;
  return spring.preload + spring.stiffness * twist + spring.damping * rate;
}

}  // namespace freeplay::mechanism
