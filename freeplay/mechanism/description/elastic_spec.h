// An elastic body as plain data: a straight beam along the x axis of its body, or nodes with the modes of a
// finite-element program. Its deformation is a sum of shape functions in a floating frame (docs/theory/elastic.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/math/types.h"
#include "freeplay/mechanism/description/elastic_nodes.h"

namespace freeplay::mechanism {

// Shape functions of bending: the vibration modes of a beam that is held in this way in the floating frame.
enum class BendingShapes : std::uint8_t { kNone, kCantilever, kSimplySupported, kClampedClamped, kFreeFree };
// Shape functions along the axis: those of a bar that stretches, or of a shaft that twists.
enum class AxialShapes : std::uint8_t { kNone, kFixedFree, kFreeFree };

// What a beam is like at a place of its axis. Between two knots everything changes linearly.
struct BeamKnot {
  double s_m = 0;
  double mass_per_length_kg_m = 0, polar_inertia_per_length_kg_m = 0;
  double rotary_inertia_per_length_kg_m = 0, rotary_inertia_per_length_xz_kg_m = 0;
  double bending_stiffness_Nm2 = 0, bending_stiffness_xz_Nm2 = 0, axial_stiffness_N = 0, torsional_stiffness_Nm2 = 0;
};

// D = alpha M + beta K of the modes, in the frame held fast.
struct RayleighDamping {
  double alpha_1_s = 0, beta_s = 0;
};

struct ElasticSpec {
  double length_m = 0;
  double mass_per_length_kg_m = 0;
  double polar_inertia_per_length_kg_m = 0;      // about the axis; needed in space where the beam may turn about it
  double rotary_inertia_per_length_kg_m = 0;     // rho I of bending in xy: sections resist being turned
  double rotary_inertia_per_length_xz_kg_m = 0;  // of bending in xz
  // Two or more, from 0 to the length: the shapes are then the lowest modes among cubic splines on these knots, and the
  // knots say what the beam is like in place of the constants here. Empty: the modes of a uniform beam.
  std::vector<BeamKnot> knots;
  // A body of nodes and given modes instead of a beam. Nothing above and none of the kinds of shapes is then used.
  std::shared_ptr<const ElasticNodes> nodes;
  BendingShapes bending = BendingShapes::kNone;
  int bending_modes = 0;                // per plane
  double bending_stiffness_Nm2 = 0;     // E I, in the plane of x and y
  double bending_stiffness_xz_Nm2 = 0;  // E I, in the plane of x and z; 0: stiff. Of spatial models
  AxialShapes axial = AxialShapes::kNone;
  int axial_modes = 0;
  double axial_stiffness_N = 0;              // E A
  AxialShapes torsion = AxialShapes::kNone;  // of spatial models
  int torsion_modes = 0;
  double torsional_stiffness_Nm2 = 0;  // G I_t
  double damping_ratio = 0;            // of every mode, in the frame held fast
  std::optional<RayleighDamping> rayleigh;
  // Whether a bent axis draws its points together along x. Left out, a beam that turns fast is too soft.
  bool foreshortening = true;
  // Where the axis begins, in body axes; otherwise at (-length/2, 0, 0), so that the origin is its centre of mass.
  std::optional<Vec3> start_m;
  // Places along the axis, from its beginning on, that have channels of their own.
  std::vector<double> stations_m;
  std::vector<std::string> station_nodes;  // the same of a body of nodes: their names
  double section_modulus_m3 = 0;           // of bending in xy, for the stress at stations; 0: no such channels
  // For the largest stress; 0: from the other numbers, where they say it (beam_stress.h).
  double section_modulus_xz_m3 = 0, area_m2 = 0;
  // Of the section, along y and z, for pictures and the largest stress; 0: pictures show what suits the other numbers
  // (drawn_height, drawn_width).
  double height_m = 0, width_m = 0;
  // Of the modes, in their order (bending in xy, in xz, axial, torsion): m and m/s, rad and rad/s. Missing ones are 0.
  std::vector<double> initial_q, initial_u;

  int bending_planes() const {
    if (bending == BendingShapes::kNone) return 0;
    const double in_xz = knots.empty() ? bending_stiffness_xz_Nm2 : knots.front().bending_stiffness_xz_Nm2;
    return in_xz > 0 ? 2 : 1;
  }
  int axial_mode_count() const { return axial == AxialShapes::kNone ? 0 : axial_modes; }
  int torsion_mode_count() const { return torsion == AxialShapes::kNone ? 0 : torsion_modes; }
  int mode_count() const {
    if (nodes) return nodes->mode_count();
    return bending_planes() * bending_modes + axial_mode_count() + torsion_mode_count();
  }
  double mass_kg() const;
  // What the beam is like at its knots; at its two ends, if it is uniform.
  std::vector<BeamKnot> profile() const;
  Vec3 start() const { return start_m.value_or(Vec3(-0.5 * length_m, 0, 0)); }
  double drawn_height() const;
  double drawn_width() const;
};

}  // namespace freeplay::mechanism
