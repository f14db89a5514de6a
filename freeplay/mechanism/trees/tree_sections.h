// Sections of elastic bodies in the recursions over a forest. A section P is a node behind the floating frame F of its
// body. Seen from F it is displaced along the axes of F and then turned, both by the modal coordinates q_j:
//
//   p_P = p_F + R_F (rest + shapes q - 1/2 (q^T G q) e_x),   G_ij(s) = integral of W_i' W_j' from 0 to s
//
// (G: a bent axis keeps its length, so its points come nearer by as much). With the unit motions e_d of its directions
// and the coefficients C_dj = dp_d/dq_j the column of the modal velocity j is  S_Pj = sum_d C_dj e_d:  each section has
// columns of its own, and what hangs on it inherits them. Mass points are sections too, so that all terms of inertia
// follow from the kinematics, exactly. Where the body's joint sits on a section that moves in F, the body's node is
// that section, and F is a node behind it, by the inverse of the section's motion.
#pragma once

#include <array>

#include "freeplay/mechanism/trees/tree_data.h"

namespace freeplay::mechanism {

// C_dj, j = 0, 1, ... at the position set.
template <class Algebra>
const double* section_row(const TreeSection& section, const TreeData<Algebra>& data, int direction) {
  if (direction == 0) return data.along.data() + section.along;
  return section.shapes.data() + direction * section.count;
}

// sum_j C_dj x_j per direction, x the velocities or accelerations of the whole system.
template <class Algebra, class Vector>
std::array<double, Algebra::kDegrees> section_rates(const TreeSection& section, const TreeData<Algebra>& data,
                                                    const Vector& x) {
  std::array<double, Algebra::kDegrees> rates{};
  for (int d = 0; d < Algebra::kDegrees; ++d) {
    const double* row = section_row(section, data, d);
    double sum = 0;
    for (int j = 0; j < section.count; ++j) sum += row[j] * x[section.u + j];
    rates[static_cast<std::size_t>(d)] = sum;
  }
  return rates;
}

// function(velocity, sum_d C_dj values_d) for every mode j.
template <class Algebra, class Function>
void for_each_mode(const TreeSection& section, const TreeData<Algebra>& data,
                   const std::array<double, Algebra::kDegrees>& values, Function&& function) {
  for (int j = 0; j < section.count; ++j) {
    double sum = 0;
    for (int d = 0; d < Algebra::kDegrees; ++d) {
      sum += section_row(section, data, d)[j] * values[static_cast<std::size_t>(d)];
    }
    function(section.u + j, sum);
  }
}

// e_d . F per direction: with for_each_mode, S_Pj . F.
template <class Algebra>
std::array<double, Algebra::kDegrees> section_components(const TreeSection& section, const TreeData<Algebra>& data,
                                                         const typename Algebra::Force& F) {
  std::array<double, Algebra::kDegrees> components{};
  for (std::size_t d = 0; d < components.size(); ++d) {
    components[d] = Algebra::dot(data.section_unit[section.unit + d], F);
  }
  return components;
}

// The rest is compiled by itself, in tree_sections.cpp: in the same source the compiler would inline less of what rigid
// bodies need.

// M by composite inertias, of a forest with elastic bodies.
template <class Algebra>
void elastic_mass_matrix(const TreeModel<Algebra>& model, TreeData<Algebra>& data, MassMatrix& M);

// h[j] of the modes of elastic bodies, before the walk backwards takes the sections' forces off; and that for section
// i.
template <class Algebra>
void begin_modal_forces(const TreeModel<Algebra>& model, const TreeData<Algebra>& data, VecRef h);
template <class Algebra>
void subtract_section_force(const TreeModel<Algebra>& model, std::size_t i, const TreeData<Algebra>& data, VecRef h);

// sum_j S_Pj du_j of section i.
template <class Algebra>
typename Algebra::Motion section_acceleration(const TreeModel<Algebra>& model, std::size_t i, const ConstVecRef& du,
                                              const TreeData<Algebra>& data);

}  // namespace freeplay::mechanism
