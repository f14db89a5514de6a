// Mass matrix, bias forces, articulated-body accelerations and joint wrenches of a forest (Featherstone 2008,
// chapters 5 to 7), in world axes about one point per tree: the backward passes only add.
#pragma once

#include "freeplay/mechanism/dynamics/tree_data.h"
#include "freeplay/mechanism/dynamics/tree_sections.h"

namespace freeplay::mechanism {

// M by composite inertias. Reads inertia, S.
template <class Algebra>
void composite_mass_matrix(const TreeModel<Algebra>& model, TreeData<Algebra>& data, MassMatrix& M) {
  if (model.is_elastic()) return elastic_mass_matrix(model, data, M);
  const std::vector<int>& parent_velocity = M.structure().parent;
  for (std::size_t i = 1; i < model.nodes.size(); ++i) data.composite[i] = data.inertia[i];
  for (std::size_t i = model.nodes.size() - 1; i >= 1; --i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    for (int k = node.u_end - 1; k >= node.u; --k) {
      const typename Algebra::Force F = Algebra::apply(data.composite[i], data.S[static_cast<std::size_t>(k)]);
      double* row = M.row(k);
      for (int j = k; j >= 0; j = parent_velocity[static_cast<std::size_t>(j)]) {
        row[j] = Algebra::dot(data.S[static_cast<std::size_t>(j)], F);
      }
    }
    if (node.parent > 0) data.composite[static_cast<std::size_t>(node.parent)] += data.composite[i];
  }
}

// Inertial minus applied force of one body:  I a + v x* (I v) - f_ext,  a minus gravity.
template <class Algebra>
inline typename Algebra::Force body_force(const TreeData<Algebra>& data, std::size_t i,
                                          const typename Algebra::Motion& a) {
  typename Algebra::Force f = Algebra::inertial_force(data.inertia[i], data.v[i], a);
  f -= data.external[i];
  return f;
}

// h by recursive Newton-Euler at du/dt = 0. Reads S, inertia, v, bias, external, effort.
template <class Algebra>
void generalised_forces(const TreeModel<Algebra>& model, TreeData<Algebra>& data, VecRef h) {
  const bool is_elastic = model.is_elastic();
  if (is_elastic) begin_modal_forces(model, data, h);
  for (std::size_t i = 1; i < model.nodes.size(); ++i) data.f[i] = body_force(data, i, data.bias[i]);
  for (std::size_t i = model.nodes.size() - 1; i >= 1; --i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    for (int k = node.u; k < node.u_end; ++k) {
      h[k] = data.effort[k] - Algebra::dot(data.S[static_cast<std::size_t>(k)], data.f[i]);
    }
    if (is_elastic && node.section >= 0) subtract_section_force(model, i, data, h);
    if (node.parent > 0) data.f[static_cast<std::size_t>(node.parent)] += data.f[i];
  }
}

// Articulated inertias: what is left of a body's inertia when the velocities behind and at its joint are free. Depends
// on positions only. The three axes of a ball and the axes of a free joint are eliminated one at a time, as if massless
// bodies stood between them: that is the same elimination as with blocks, and needs scalars only. False if a pivot is
// not positive. Rigid bodies only. Reads inertia, S. Writes articulated, U, D_inverse.
template <class Algebra>
[[nodiscard]] bool articulate(const TreeModel<Algebra>& model, TreeData<Algebra>& data) {
  for (std::size_t i = 1; i < model.nodes.size(); ++i) data.articulated[i] = Algebra::articulated(data.inertia[i]);
  bool positive = true;
  for (std::size_t i = model.nodes.size() - 1; i >= 1; --i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    typename Algebra::ArticulatedInertia& A = data.articulated[i];
    for (int k = node.u_end - 1; k >= node.u; --k) {
      const std::size_t kk = static_cast<std::size_t>(k);
      data.U[kk] = Algebra::apply(A, data.S[kk]);
      const double D = Algebra::dot(data.S[kk], data.U[kk]);
      positive = positive && D > 0;
      data.D_inverse[kk] = 1 / D;
      A.subtract_dyad(data.U[kk], data.D_inverse[kk]);
    }
    if (node.parent > 0) data.articulated[static_cast<std::size_t>(node.parent)] += A;
  }
  return positive;
}

// du/dt of the forest without bilateral rows, in time proportional to the number of bodies. After articulate(), at any
// velocity of that position. Reads articulated, U, D_inverse, S, inertia, v, c, external, effort.
template <class Algebra>
void articulated_accelerations(const TreeModel<Algebra>& model, TreeData<Algebra>& data, VecRef du) {
  for (std::size_t i = 1; i < model.nodes.size(); ++i) {
    data.f[i] = Algebra::cross_force(data.v[i], Algebra::apply(data.inertia[i], data.v[i]));
    data.f[i] -= data.external[i];
  }
  for (std::size_t i = model.nodes.size() - 1; i >= 1; --i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    typename Algebra::Force& p = data.f[i];
    for (int k = node.u_end - 1; k >= node.u; --k) {
      const std::size_t kk = static_cast<std::size_t>(k);
      data.residual[kk] = data.effort[k] - Algebra::dot(data.S[kk], p);
      p += Algebra::scaled(data.U[kk], data.residual[kk] * data.D_inverse[kk]);
    }
    if (node.parent > 0) {
      const std::size_t parent = static_cast<std::size_t>(node.parent);
      data.f[parent] += p;
      data.f[parent] += Algebra::apply(data.articulated[i], data.c[i]);
    }
  }
  for (std::size_t i = 1; i < model.nodes.size(); ++i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    typename Algebra::Motion a = data.acceleration[static_cast<std::size_t>(node.parent)];
    a += data.c[i];
    for (int k = node.u; k < node.u_end; ++k) {
      const std::size_t kk = static_cast<std::size_t>(k);
      du[k] = (data.residual[kk] - Algebra::dot(a, data.U[kk])) * data.D_inverse[kk];
      a += Algebra::scaled(data.S[kk], du[k]);
    }
    data.acceleration[i] = a;
  }
}

// f[i]: the wrench that the joint of node i passes from its parent to it, for given du/dt. row_force: what the
// bilateral rows exert on each node.
template <class Algebra>
void joint_wrenches(const TreeModel<Algebra>& model, const ConstVecRef& du,
                    const std::vector<typename Algebra::Force>& row_force, TreeData<Algebra>& data) {
  for (std::size_t i = 1; i < model.nodes.size(); ++i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    typename Algebra::Motion a = data.acceleration[static_cast<std::size_t>(node.parent)];
    a += data.c[i];
    for (int k = node.u; k < node.u_end; ++k) a += Algebra::scaled(data.S[static_cast<std::size_t>(k)], du[k]);
    if (node.section >= 0) a += section_acceleration(model, i, du, data);
    data.acceleration[i] = a;
    data.f[i] = body_force(data, i, a);
    data.f[i] -= row_force[i];
  }
  for (std::size_t i = model.nodes.size() - 1; i >= 1; --i) {
    const int parent = model.nodes[i].parent;
    if (parent > 0) data.f[static_cast<std::size_t>(parent)] += data.f[i];
  }
}

}  // namespace freeplay::mechanism
