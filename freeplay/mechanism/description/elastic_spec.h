// An elastic body as plain data: a straight beam along the x axis of its body, whose deformation is a sum of shape
// functions in a floating frame (docs/theory/elastic.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::mechanism {

// Shape functions of bending: the vibration modes of a beam that is held in this way in the floating frame.
enum class BendingShapes : std::uint8_t { kNone, kCantilever, kSimplySupported, kClampedClamped, kFreeFree };
// Shape functions along the axis: those of a bar that stretches, or of a shaft that twists.
enum class AxialShapes : std::uint8_t { kNone, kFixedFree, kFreeFree };

struct ElasticSpec {
  double length_m = 0;
  double mass_per_length_kg_m = 0;
  double polar_inertia_per_length_kg_m = 0;  // about the axis; needed in space where the beam may turn about it
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
  // Whether a bent axis draws its points together along x. Left out, a beam that turns fast is too soft.
  bool foreshortening = true;
  // Where the axis begins, in body axes; otherwise at (-length/2, 0, 0), so that the origin is its centre of mass.
  std::optional<Vec3> start_m;
  // Places along the axis, from its beginning on, that have channels of their own.
  std::vector<double> stations_m;
  double section_modulus_m3 = 0;  // of bending in xy, for the stress at stations; 0: no such channels
  // Of the section, along y and z, as pictures show it; 0: what suits the other numbers (drawn_height, drawn_width).
  double height_m = 0, width_m = 0;
  // Of the modes, in their order (bending in xy, in xz, axial, torsion): m and m/s, rad and rad/s. Missing ones are 0.
  std::vector<double> initial_q, initial_u;

  int bending_planes() const { return bending == BendingShapes::kNone ? 0 : (bending_stiffness_xz_Nm2 > 0 ? 2 : 1); }
  int axial_mode_count() const { return axial == AxialShapes::kNone ? 0 : axial_modes; }
  int torsion_mode_count() const { return torsion == AxialShapes::kNone ? 0 : torsion_modes; }
  int mode_count() const { return bending_planes() * bending_modes + axial_mode_count() + torsion_mode_count(); }
  Vec3 start() const { return start_m.value_or(Vec3(-0.5 * length_m, 0, 0)); }
  double drawn_height() const;
  double drawn_width() const;
};

}  // namespace freeplay::mechanism
