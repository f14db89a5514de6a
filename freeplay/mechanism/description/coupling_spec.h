// Couplings of joint coordinates: gears, racks, screws, belts, differentials, clutches. Each of them is one linear
// relation
//
//   s = offset + sum_i factor_i q_i        (m along a pitch line, or rad at the first joint)
//
// which is kept exactly (ideal, s = 0), up to play (backlash, |s| <= play/2), or by an elastic element (compliant).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/math/expressions/expression.h"

namespace freeplay::mechanism {

struct CouplingTerm {
  std::string joint;
  int coordinate = 0;  // of a joint with several, such as the angle of a cylindrical one
  double factor = 0;   // 1 or m/rad: what the coordinate adds to s
};

// The teeth of two wheels, involutes of a circle, or of a pinion and a rack, whose second radius is 0. They are the
// children of the first two terms' joints.
struct GearMeshSpec {
  double first_radius_m = 0, second_radius_m = 0;  // of the pitch circles
  double pressure_angle = 0;                       // rad, > 0
  bool is_internal = false;                        // the second wheel is a ring around the first
};

struct CouplingSpec {
  enum class Model : std::uint8_t { kIdeal, kBacklash, kCompliant };
  std::string name;
  Model model = Model::kIdeal;
  std::vector<CouplingTerm> terms;
  double offset = 0;
  bool is_angle = false;  // s is in rad, and its effort in N m
  double play = 0;        // from flank to flank, along s
  Expression stiffness;   // compliant: N/m or N m/rad, of t and channels; with a mesh along the line of action
  double damping = 0;     // compliant: N s/m or N m s/rad, the same
  // Forces act at the pitch point along the line of action, between the wheels. Without: as efforts inside the joints.
  std::optional<GearMeshSpec> mesh{};
};

}  // namespace freeplay::mechanism
