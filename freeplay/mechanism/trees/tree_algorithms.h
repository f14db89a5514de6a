// Mass matrix, bias forces, articulated-body accelerations and joint wrenches of a forest (Featherstone 2008,
// chapters 5 to 7), in world axes about one point per tree: the backward passes only add, except in deep trees, whose
// point moves on from node to node.
#pragma once

#include <cmath>

#include "freeplay/mechanism/trees/tree_data.h"
#include "freeplay/mechanism/trees/tree_sections.h"

namespace freeplay::mechanism {

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
      const typename Algebra::Scalar D = Algebra::dot(data.S[kk], data.U[kk]);
      positive = positive && D > 0;
      data.D_inverse[kk] = 1 / D;
      A.subtract_dyad(data.U[kk], data.D_inverse[kk]);
    }
    add_to_parent(model, data, i, A, data.articulated);
  }
  return positive;
}

// What deep trees have beside F: S, U, D and how the origin moves. D <= 0 where something moves without inertia.
template <class Algebra>
void begin_deep_mass(const TreeModel<Algebra>& model, TreeData<Algebra>& data, MassMatrix& M) {
  static_cast<void>(articulate(model, data));  // MassMatrix::factor() asks for D
  DeepMass<Algebra>& deep = M.template deep<Algebra>();
  for (std::size_t i = 1; i < model.nodes.size(); ++i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    for (int u = node.u; u < node.u_end; ++u) {
      const std::size_t k = static_cast<std::size_t>(u);
      deep.S[k] = data.S[k];
      deep.U[k] = data.U[k];
      deep.D[k] = 1 / data.D_inverse[k];
      deep.inverse_root[k] = std::sqrt(data.D_inverse[k]);
      deep.is_moved[k] = u == node.u && node.moves_origin ? 1 : 0;
      deep.offset[k] = data.offset[i];
    }
  }
}

// One row of M, of the velocity k of node i, along the way to the root.
template <class Algebra>
void write_mass_row(const TreeModel<Algebra>& model, const TreeData<Algebra>& data, std::size_t i, int k,
                    typename Algebra::Force F, typename Algebra::Scalar* row) {
  int last = k;
  for (std::size_t at = i; at > 0; at = static_cast<std::size_t>(model.nodes[at].parent)) {
    const TreeNode<Algebra>& node = model.nodes[at];
    for (int j = at == i ? last : node.u_end - 1; j >= node.u; --j)
      row[j] = Algebra::dot(data.S[static_cast<std::size_t>(j)], F);
    if (node.moves_origin) F = Algebra::shifted(F, Algebra::opposite(data.offset[at]));
  }
}

// M by composite inertias. Reads inertia, S. Of deep trees also what articulate() writes. Mass: MassMatrix, or whatever
// has the rows of one.
template <class Algebra, class Mass>
void composite_mass_matrix(const TreeModel<Algebra>& model, TreeData<Algebra>& data, Mass& M) {
  if constexpr (kIsPlain<Algebra>) {
    if (model.is_elastic()) return elastic_mass_matrix(model, data, M);
  }
  const MassStructure& structure = M.structure();
  const bool has_deep_trees = structure.deep != DeepTrees::kNone;
  if constexpr (kIsPlain<Algebra>) {
    if (has_deep_trees) begin_deep_mass(model, data, M);
  }
  const std::vector<int>& parent_velocity = structure.parent;
  for (std::size_t i = 1; i < model.nodes.size(); ++i) data.composite[i] = data.inertia[i];
  for (std::size_t i = model.nodes.size() - 1; i >= 1; --i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    for (int k = node.u_end - 1; k >= node.u; --k) {
      const typename Algebra::Force F = Algebra::apply(data.composite[i], data.S[static_cast<std::size_t>(k)]);
      if constexpr (kIsPlain<Algebra>) {
        if (has_deep_trees) {
          const std::size_t block = static_cast<std::size_t>(structure.block_of[static_cast<std::size_t>(k)]);
          if (structure.blocks[block].is_deep) {
            M.template deep<Algebra>().F[static_cast<std::size_t>(k)] = F;
            continue;
          }
        }
      }
      typename Algebra::Scalar* row = M.row(k);
      if (node.moves_origin) {
        write_mass_row(model, data, i, k, F, row);
        continue;
      }
      for (int j = k; j >= 0; j = parent_velocity[static_cast<std::size_t>(j)]) {
        row[j] = Algebra::dot(data.S[static_cast<std::size_t>(j)], F);
      }
    }
    add_to_parent(model, data, i, data.composite[i], data.composite);
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
void generalised_forces(const TreeModel<Algebra>& model, TreeData<Algebra>& data, Eigen::Ref<VectorOf<Algebra>> h) {
  const bool is_elastic = model.is_elastic();
  if constexpr (kIsPlain<Algebra>) {
    if (is_elastic) begin_modal_forces(model, data, h);
  }
  for (std::size_t i = 1; i < model.nodes.size(); ++i) data.f[i] = body_force(data, i, data.bias[i]);
  for (std::size_t i = model.nodes.size() - 1; i >= 1; --i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    for (int k = node.u; k < node.u_end; ++k) {
      h[k] = data.effort[k] - Algebra::dot(data.S[static_cast<std::size_t>(k)], data.f[i]);
    }
    if constexpr (kIsPlain<Algebra>) {
      if (is_elastic && node.section >= 0) subtract_section_force(model, i, data, h);
    }
    add_to_parent(model, data, i, data.f[i], data.f);
  }
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
      add_to_parent(model, data, i, p, data.f);
      add_to_parent(model, data, i, Algebra::apply(data.articulated[i], data.c[i]), data.f);
    }
  }
  for (std::size_t i = 1; i < model.nodes.size(); ++i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    typename Algebra::Motion a = from_parent(model, data, data.acceleration, i);
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
    typename Algebra::Motion a = from_parent(model, data, data.acceleration, i);
    a += data.c[i];
    for (int k = node.u; k < node.u_end; ++k) a += Algebra::scaled(data.S[static_cast<std::size_t>(k)], du[k]);
    if (node.section >= 0) a += section_acceleration(model, i, du, data);
    data.acceleration[i] = a;
    data.f[i] = body_force(data, i, a);
    data.f[i] -= row_force[i];
  }
  for (std::size_t i = model.nodes.size() - 1; i >= 1; --i) {
    add_to_parent(model, data, i, data.f[i], data.f);
  }
}

}  // namespace freeplay::mechanism
