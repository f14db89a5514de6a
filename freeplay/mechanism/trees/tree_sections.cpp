#include "freeplay/mechanism/trees/tree_sections.h"

#include <array>

namespace freeplay::mechanism {

namespace {

// Writes along, and returns by how much the section is drawn back by the foreshortening.
template <class Algebra>
double update_along(const TreeSection& section, const double* modal, TreeData<Algebra>& data) {
  double* along = data.along.data() + section.along;
  double shortened = 0;
  for (int j = 0; j < section.count; ++j) along[j] = section.shapes[static_cast<std::size_t>(j)];
  if (section.foreshortening.empty()) return 0;
  for (int j = 0; j < section.count; ++j) {
    const double* G_j = section.foreshortening.data() + j * section.count;
    double sum = 0;
    for (int k = 0; k < section.count; ++k) sum += G_j[k] * modal[k];
    along[j] -= sum;
    shortened += 0.5 * modal[j] * sum;
  }
  return shortened;
}

// Displacements along the axes of the floating frame, `rest` included, and angles.
template <class Algebra>
std::array<double, Algebra::kDegrees> section_place(const TreeSection& section, const double* modal, double shortened) {
  std::array<double, Algebra::kDegrees> place{};
  for (int d = 0; d < Algebra::kDegrees; ++d) {
    const double* shapes = section.shapes.data() + d * section.count;
    double value = d < Algebra::kTranslations ? section.rest[d] : 0;
    for (int j = 0; j < section.count; ++j) value += shapes[j] * modal[j];
    place[static_cast<std::size_t>(d)] = d == 0 ? value - shortened : value;
  }
  return place;
}

// The section seen from `frame`, and the unit motions of its directions.
template <class Algebra>
typename Algebra::Pose pose_of_section(const typename Algebra::Pose& frame, const typename Algebra::Pose& O,
                                       const std::array<double, Algebra::kDegrees>& place,
                                       typename Algebra::Motion* unit) {
  typename Algebra::Pose pose = frame;
  for (int d = 0; d < Algebra::kDegrees; ++d) {
    const double value = place[static_cast<std::size_t>(d)];
    if (d < Algebra::kTranslations) {
      unit[d] = Algebra::translation(frame, O, d);
      Algebra::shift(pose, d, value);
    } else {
      const int axis = 2 - (d - Algebra::kTranslations);
      unit[d] = Algebra::rotation(pose, O, axis);
      pose.rotation = Algebra::compose(pose.rotation, Algebra::rotation_about_axis(axis, value));
    }
  }
  return pose;
}

// Writes pose, inertia, section_unit, along.
template <class Algebra>
void place_section(const TreeModel<Algebra>& model, std::size_t i, const VecX& q, TreeData<Algebra>& data) {
  using Pose = typename Algebra::Pose;
  const TreeNode<Algebra>& node = model.nodes[i];
  const TreeSection& section = model.sections[static_cast<std::size_t>(node.section)];
  const double* modal = q.data() + section.q;
  const double shortened = update_along(section, modal, data);
  const std::array<double, Algebra::kDegrees> place = section_place<Algebra>(section, modal, shortened);
  const Pose& parent = data.pose[static_cast<std::size_t>(node.parent)];
  const Pose& O = data.pose[static_cast<std::size_t>(node.origin)];
  typename Algebra::Motion* unit = data.section_unit.data() + section.unit;
  Pose& pose = data.pose[i];
  if (section.is_inverse) {
    const Pose seen_from_frame = pose_of_section<Algebra>(Pose{}, Pose{}, place, unit);
    const Mat3 R_inverse = Algebra::matrix(seen_from_frame.rotation).transpose();
    Algebra::compose(parent, Algebra::pose(R_inverse, -R_inverse * Algebra::position(seen_from_frame)), true, pose);
    pose_of_section<Algebra>(pose, O, place, unit);  // for the unit motions
    for (int d = 0; d < Algebra::kDegrees; ++d) unit[d] = Algebra::scaled(unit[d], -1);
  } else {
    pose = pose_of_section<Algebra>(parent, O, place, unit);
  }
  data.inertia[i] = Algebra::inertia(node.mass, node.inertia, pose, O);
}

// What a section adds to the velocity v of the floating frame, and to its acceleration at du/dt = 0. As in a joint,
// each motion is carried along by those before it; the translations of the section stand in the axes of the frame and
// are carried along together. sign: of the unit motions.
template <class Algebra>
void add_section_motion(const TreeSection& section, const TreeData<Algebra>& data, const VecX& u, double sign,
                        typename Algebra::Motion& v, typename Algebra::Motion& c) {
  using Motion = typename Algebra::Motion;
  const Motion* unit = data.section_unit.data() + section.unit;
  const std::array<double, Algebra::kDegrees> rates = section_rates(section, data, u);
  Motion added{};
  for (int d = 0; d < Algebra::kTranslations; ++d)
    added += Algebra::scaled(unit[d], sign * rates[static_cast<std::size_t>(d)]);
  c += Algebra::cross(v, added);
  v += added;
  if (!section.foreshortening.empty()) {
    double faster = 0;  // u^T G u
    for (int j = 0; j < section.count; ++j) {
      const double* G_j = section.foreshortening.data() + j * section.count;
      double sum = 0;
      for (int k = 0; k < section.count; ++k) sum += G_j[k] * u[section.u + k];
      faster += sum * u[section.u + j];
    }
    c += Algebra::scaled(unit[0], -sign * faster);
  }
  for (int d = Algebra::kTranslations; d < Algebra::kDegrees; ++d) {
    added = Algebra::scaled(unit[d], sign * rates[static_cast<std::size_t>(d)]);
    c += Algebra::cross(v, added);
    v += added;
  }
}

// Writes v, c, bias. Of a frame that follows from its section: v_F = v_P - (v_P - v_F), and c alike, with the section's
// motion as the frame sees it.
template <class Algebra>
void move_section(const TreeModel<Algebra>& model, std::size_t i, const VecX& u, TreeData<Algebra>& data) {
  using Motion = typename Algebra::Motion;
  const TreeNode<Algebra>& node = model.nodes[i];
  const TreeSection& section = model.sections[static_cast<std::size_t>(node.section)];
  Motion v = data.v[static_cast<std::size_t>(node.parent)], c{};
  if (section.is_inverse) {
    const std::array<double, Algebra::kDegrees> rates = section_rates(section, data, u);
    for (std::size_t d = 0; d < rates.size(); ++d) v += Algebra::scaled(data.section_unit[section.unit + d], rates[d]);
    Motion v_of_section = v;
    add_section_motion(section, data, u, -1, v_of_section, c);
    c = Algebra::scaled(c, -1);
  } else {
    add_section_motion(section, data, u, 1, v, c);
  }
  data.v[i] = v;
  data.c[i] = c;
  c += data.bias[static_cast<std::size_t>(node.parent)];
  data.bias[i] = c;
}

// Entries of a row of M for the velocities of `node` and of all nodes before it: F is the momentum of the row's
// velocity.
template <class Algebra>
void write_row_from(const TreeModel<Algebra>& model, const TreeData<Algebra>& data, int node,
                    const typename Algebra::Force& F, double* row) {
  for (; node > 0; node = model.nodes[static_cast<std::size_t>(node)].parent) {
    const TreeNode<Algebra>& at = model.nodes[static_cast<std::size_t>(node)];
    if (at.section >= 0) {
      // A section, and then perhaps the frame behind a section: modes have entries of both.
      const TreeSection& section = model.sections[static_cast<std::size_t>(at.section)];
      const bool is_second = section.is_inverse;
      for_each_mode(section, data, section_components(section, data, F),
                    [&](int j, double value) { row[j] = is_second ? row[j] + value : value; });
    }
    for (int j = at.u; j < at.u_end; ++j) row[j] = Algebra::dot(data.S[static_cast<std::size_t>(j)], F);
  }
}

// What a section and all behind it add to the rows of its modes: the momentum that the walk to the root then needs, and
// the entries among the modes. The frame behind a section moves all sections once more: with S of the frame and the
// momenta F so far,  M_jk += S_j . I S_k + S_k . F_j + S_j . F_k.
template <class Algebra>
void add_section_inertia(const TreeModel<Algebra>& model, std::size_t i, TreeData<Algebra>& data, MassMatrix& M) {
  using Force = typename Algebra::Force;
  const TreeSection& section = model.sections[static_cast<std::size_t>(model.nodes[i].section)];
  const auto add_to_rows = [&](int j, const Force& F, bool is_both_ways) {
    for_each_mode(section, data, section_components(section, data, F), [&](int k, double value) {
      if (k <= j) M.at(j, k) += value;
      if (is_both_ways && k >= j) M.at(k, j) += value;
    });
  };
  if (section.is_inverse) {
    for (int j = section.u; j < section.u + section.count; ++j) {
      add_to_rows(j, data.modal_momentum[static_cast<std::size_t>(j)], true);
    }
  }
  std::array<Force, Algebra::kDegrees> momentum;
  for (std::size_t d = 0; d < momentum.size(); ++d) {
    momentum[d] = Algebra::apply(data.composite[i], data.section_unit[section.unit + d]);
  }
  for (int j = 0; j < section.count; ++j) {
    Force F{};
    for (int d = 0; d < Algebra::kDegrees; ++d) {
      F += Algebra::scaled(momentum[static_cast<std::size_t>(d)], section_row(section, data, d)[j]);
    }
    data.modal_momentum[static_cast<std::size_t>(section.u + j)] += F;
    add_to_rows(section.u + j, F, false);
  }
}

}  // namespace

template <class Algebra>
void update_elastic_positions(const TreeModel<Algebra>& model, const VecX& q, TreeData<Algebra>& data) {
  update_positions_of<Algebra>(model, q, data, [&](std::size_t section) { place_section(model, section, q, data); });
}

template <class Algebra>
void update_elastic_velocities(const TreeModel<Algebra>& model, const VecX& u, TreeData<Algebra>& data) {
  update_velocities_of<Algebra>(model, u, data, [&](std::size_t section) { move_section(model, section, u, data); });
}

// M by composite inertias, of a forest with elastic bodies. Sections stand behind their body's node, so that the rows
// of its modes are complete when the walk backwards reaches it.
template <class Algebra>
void elastic_mass_matrix(const TreeModel<Algebra>& model, TreeData<Algebra>& data, MassMatrix& M) {
  for (std::size_t i = 1; i < model.nodes.size(); ++i) data.composite[i] = data.inertia[i];
  for (const Mechanism::ElasticBody& body : model.elastic_bodies) {
    for (int k = body.u; k < body.u + body.count; ++k) {
      data.modal_momentum[static_cast<std::size_t>(k)] = {};
      for (int j = body.u; j <= k; ++j) M.at(k, j) = 0;
    }
  }
  for (std::size_t i = model.nodes.size() - 1; i >= 1; --i) {
    const TreeNode<Algebra>& node = model.nodes[i];
    if (node.section >= 0) add_section_inertia(model, i, data, M);
    if (node.elastic >= 0) {
      const Mechanism::ElasticBody& body = model.elastic_bodies[static_cast<std::size_t>(node.elastic)];
      for (int k = body.u; k < body.u + body.count; ++k) {
        write_row_from(model, data, static_cast<int>(i), data.modal_momentum[static_cast<std::size_t>(k)], M.row(k));
      }
    }
    for (int k = node.u_end - 1; k >= node.u; --k) {
      const typename Algebra::Force F = Algebra::apply(data.composite[i], data.S[static_cast<std::size_t>(k)]);
      double* row = M.row(k);
      for (int j = k; j >= node.u; --j) row[j] = Algebra::dot(data.S[static_cast<std::size_t>(j)], F);
      write_row_from(model, data, node.parent, F, row);
    }
    if (node.parent > 0) data.composite[static_cast<std::size_t>(node.parent)] += data.composite[i];
  }
}

template <class Algebra>
void begin_modal_forces(const TreeModel<Algebra>& model, const TreeData<Algebra>& data, VecRef h) {
  for (const Mechanism::ElasticBody& body : model.elastic_bodies) {
    for (int k = body.u; k < body.u + body.count; ++k) h[k] = data.effort[k];
  }
}

template <class Algebra>
void subtract_section_force(const TreeModel<Algebra>& model, std::size_t i, const TreeData<Algebra>& data, VecRef h) {
  const TreeSection& section = model.sections[static_cast<std::size_t>(model.nodes[i].section)];
  for_each_mode(section, data, section_components(section, data, data.f[i]),
                [&](int k, double value) { h[k] -= value; });
}

template <class Algebra>
typename Algebra::Motion section_acceleration(const TreeModel<Algebra>& model, std::size_t i, const ConstVecRef& du,
                                              const TreeData<Algebra>& data) {
  const TreeSection& section = model.sections[static_cast<std::size_t>(model.nodes[i].section)];
  const std::array<double, Algebra::kDegrees> rates = section_rates(section, data, du);
  typename Algebra::Motion sum{};
  for (std::size_t d = 0; d < rates.size(); ++d) {
    sum += Algebra::scaled(data.section_unit[section.unit + d], rates[d]);
  }
  return sum;
}

template void update_elastic_positions(const TreeModel<PlanarAlgebra>&, const VecX&, TreeData<PlanarAlgebra>&);
template void update_elastic_velocities(const TreeModel<PlanarAlgebra>&, const VecX&, TreeData<PlanarAlgebra>&);
template void elastic_mass_matrix(const TreeModel<PlanarAlgebra>&, TreeData<PlanarAlgebra>&, MassMatrix&);
template void begin_modal_forces(const TreeModel<PlanarAlgebra>&, const TreeData<PlanarAlgebra>&, VecRef);
template void subtract_section_force(const TreeModel<PlanarAlgebra>&, std::size_t, const TreeData<PlanarAlgebra>&,
                                     VecRef);
template PlanarAlgebra::Motion section_acceleration(const TreeModel<PlanarAlgebra>&, std::size_t, const ConstVecRef&,
                                                    const TreeData<PlanarAlgebra>&);

template void update_elastic_positions(const TreeModel<SpatialAlgebra>&, const VecX&, TreeData<SpatialAlgebra>&);
template void update_elastic_velocities(const TreeModel<SpatialAlgebra>&, const VecX&, TreeData<SpatialAlgebra>&);
template void elastic_mass_matrix(const TreeModel<SpatialAlgebra>&, TreeData<SpatialAlgebra>&, MassMatrix&);
template void begin_modal_forces(const TreeModel<SpatialAlgebra>&, const TreeData<SpatialAlgebra>&, VecRef);
template void subtract_section_force(const TreeModel<SpatialAlgebra>&, std::size_t, const TreeData<SpatialAlgebra>&,
                                     VecRef);
template SpatialAlgebra::Motion section_acceleration(const TreeModel<SpatialAlgebra>&, std::size_t, const ConstVecRef&,
                                                     const TreeData<SpatialAlgebra>&);

}  // namespace freeplay::mechanism
