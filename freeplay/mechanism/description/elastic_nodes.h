// An elastic body as a finite-element program describes it: nodes with their masses, and modes as motions of the nodes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "freeplay/math/types.h"

namespace freeplay::mechanism {

struct ElasticNode {
  std::string name;
  Vec3 at_m = Vec3::Zero();  // body axes, not deformed
  double mass_kg = 0;
  Vec3 inertia_kg_m2 = Vec3::Zero();  // about x, y and z through the node
  MatX shapes;                        // 6 x modes: displacements along x, y, z, rotations about x, y, z
  bool turns = true;                  // whether its rotations are known: only then may something be attached to it
  MatX stresses;                      // 6 x modes, Pa per modal coordinate: xx, yy, zz, xy, xz, yz; empty: not known
  MatX moments;  // 2 x modes, N m per modal coordinate: of bending in xy and in xz; empty: not known
};

struct ElasticNodes {
  std::vector<ElasticNode> nodes;
  // One of the two: the stiffness of the modes, or their angular frequencies in the frame held fast.
  MatX stiffness;
  VecX frequencies_rad_s;
  // The mass of the modes in the frame held fast, as the program has it: what frequencies are multiplied with, and what
  // the nodes' masses are held against. Empty: not known. It cannot take the place of the nodes' masses: these couple
  // the modes with the motion of the frame, and what is left of a mode beside that is a small difference.
  MatX mass;

  // The diagonal of the box around the nodes.
  double size_m() const;
  // Whether the nodes lie on a line along x: only then is it known how a bent body gets shorter.
  bool is_on_a_line() const;
  // By its name; null if there is none.
  const ElasticNode* find(std::string_view name) const;
  int mode_count() const { return nodes.empty() ? 0 : static_cast<int>(nodes.front().shapes.cols()); }
};

}  // namespace freeplay::mechanism
