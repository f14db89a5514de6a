// Elastic mechanisms that several tests share.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "freeplay/mechanism/body_dynamics.h"
#include "random_mechanism.h"
#include "support/linear_algebra.h"

namespace freeplay::test {

// The beam of the reference: 1 m, 1 kg/m, E I = 100 N m^2; the body's origin at its beginning.
inline ElasticSpec reference_beam(int modes, BendingShapes shapes = BendingShapes::kCantilever) {
  ElasticSpec beam;
  beam.length_m = 1;
  beam.mass_per_length_kg_m = 1;
  beam.bending = shapes;
  beam.bending_modes = modes;
  beam.bending_stiffness_Nm2 = 100;
  beam.start_m = Vec3::Zero();
  return beam;
}

inline MechanismSpec held_beam(const ElasticSpec& beam, const std::string& joint_type) {
  MechanismSpec spec;
  BodySpec body;
  body.name = "beam";
  body.elastic = beam;
  spec.bodies.push_back(body);
  if (joint_type.empty()) return spec;
  JointSpec joint;
  joint.name = "root";
  joint.type = joint_type;
  joint.parent = "ground";
  joint.child = "beam";
  joint.at_child_m = beam.start();
  spec.joints.push_back(joint);
  return spec;
}

inline MatX mass_at(const Mechanism& mechanism, const VecX& q) {
  const auto dynamics = mechanism.make_dynamics();
  MassMatrix M(mechanism.mass_structure());
  dynamics->set_position(0, q);
  dynamics->mass_matrix(M);
  return M.to_dense();
}

inline VecX forces_at(const Mechanism& mechanism, const VecX& q, const VecX& u) {
  const auto dynamics = mechanism.make_dynamics();
  dynamics->set_position(0, q);
  dynamics->set_velocity(u);
  VecX h(mechanism.velocity_count());
  dynamics->forces(h);
  return h;
}

// Angular frequencies of  M q'' + K q = 0, ascending, for the dense symmetric K.
inline VecX frequencies(const MassStructure& structure, const MatX& M, MatX K) {
  MassMatrix factored(structure);
  for (int k = 0; k < M.rows(); ++k) {
    for (int j = 0; j <= k; ++j) factored.at(k, j) = M(k, j);
  }
  EXPECT_TRUE(factored.factor());
  for (int side = 0; side < 2; ++side) {  // L^-T K L^-1
    for (Eigen::Index c = 0; c < K.cols(); ++c) {
      VecX column = K.col(c);
      factored.half_solve_in_place(column);
      K.col(c) = column;
    }
    K.transposeInPlace();
  }
  return eigenvalues_of_symmetric(K).cwiseMax(0).cwiseSqrt();
}

inline VecX frequencies_at_rest(const Mechanism& mechanism) {
  const int n = mechanism.velocity_count();
  MatX K = MatX::Zero(n, n);
  for (const Mechanism::ElasticBody& body : mechanism.elastic_bodies) {
    K.block(body.u, body.u, body.count, body.count) = body.stiffness;
  }
  const VecX q = mechanism.initial_state().q;
  return frequencies(mechanism.mass_structure(), mass_at(mechanism, q), K);
}

// A hinged beam with a second beam and a rigid body on it, so that every coupling there is occurs.
inline MechanismSpec elastic_tree(bool with_foreshortening) {
  ElasticSpec first = reference_beam(3), second = reference_beam(2, BendingShapes::kCantilever);
  first.start_m.reset();  // the origin in the middle
  second.length_m = 0.7;
  second.mass_per_length_kg_m = 2;
  second.axial = AxialShapes::kFixedFree;
  second.axial_modes = 1;
  second.axial_stiffness_N = 500;
  first.foreshortening = second.foreshortening = with_foreshortening;
  MechanismSpec spec = held_beam(first, "revolute");
  spec.gravity_m_s2 = Vec3(1, -9.81, 0);
  BodySpec arm;
  arm.name = "arm";
  arm.elastic = second;
  spec.bodies.push_back(arm);
  BodySpec bob;
  bob.name = "bob";
  bob.mass_kg = 0.6;
  bob.inertia_kg_m2(2, 2) = 0.05;
  spec.bodies.push_back(bob);
  JointSpec elbow;
  elbow.name = "elbow";
  elbow.type = "revolute";
  elbow.parent = "beam";
  elbow.child = "arm";
  elbow.at_parent_m = Vec3(0.3, 0.05, 0);  // beside the axis
  elbow.at_child_m = Vec3::Zero();
  spec.joints.push_back(elbow);
  JointSpec slide;
  slide.name = "slide";
  slide.type = "prismatic";
  slide.parent = "arm";
  slide.child = "bob";
  slide.at_parent_m = Vec3(0.35, 0.4, 0);  // beside the axis
  slide.axis = Vec3(1, 2, 0);
  spec.joints.push_back(slide);
  spec.markers.push_back({"beam", {Mat3::Identity(), Vec3(0.2, -0.1, 0)}});
  spec.markers.push_back({"arm", {Mat3::Identity(), Vec3(0.3, 0.1, 0)}});
  spec.markers.push_back({"bob", {Mat3::Identity(), Vec3(0.1, 0.2, 0)}});
  SpringSpec spring;
  spring.name = "spring";
  spring.parent = "ground";
  spring.child = "arm";
  spring.at_parent_m = Vec3(2, 1, 0);
  spring.at_child_m = Vec3(0.25, 0, 0);
  spring.stiffness_N_m = 20;
  spring.free_length_m = 1;
  spec.springs.push_back(spring);
  return spec;
}

struct ElasticState {
  VecX q, u;
};
inline ElasticState random_elastic_state(const Mechanism& mechanism, std::uint64_t seed) {
  RandomMechanism random(Space::kPlanar, seed);
  const int n = mechanism.velocity_count();
  ElasticState state{VecX(n), VecX(n)};
  for (int k = 0; k < n; ++k) state.q[k] = random.uniform(-1.5, 1.5), state.u[k] = random.uniform(-2, 2);
  for (const Mechanism::ElasticBody& body : mechanism.elastic_bodies) state.q.segment(body.q, body.count) *= 0.2;
  return state;
}

}  // namespace freeplay::test
