// Many bodies like one: how a region is filled with them (`fill`) and how they stand in rows (`pattern`). Only places
// come from here; body_copies.h makes the bodies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/math/quantities/distribution.h"
#include "freeplay/mechanism/description/mechanism_spec.h"
#include "freeplay/model/ball_grid.h"

namespace freeplay::model {

// A body of more than these is asked for by a slip.
inline constexpr int kMostCopies = 1'000'000;

// Where a copy is: turned about the world's origin, then shifted; of another size than the body it is a copy of.
struct BodyPlace {
  Vec3 shift_m = Vec3::Zero();
  Eigen::Quaterniond turn{1, 0, 0, 0};
  double size = 1;
  bool turns_velocity = false;  // the copy is the whole template turned, not only its attitude
};

// What keeps a fill or a pattern from being made, in words for a user; `key` is that of the block.
struct PlacingProblem {
  std::string key, message, hint;
  bool empty() const { return message.empty(); }
};

struct Places {
  std::vector<BodyPlace> places;
  PlacingProblem problem;
};

// Bodies at places that do not overlap: balls about their origins, each large enough to hold its body however it is
// turned, keep apart, lie in the region, and keep clear of bodies that earlier fills and patterns have placed.
struct FillSpec {
  std::optional<int> count;    // otherwise as many as the lattice has places for
  Vec3 from_m = Vec3::Zero();  // corners of the region: a box with edges along the axes,
  Vec3 to_m = Vec3::Zero();
  bool is_open_above = false;      // without an upper end: as many layers along the last axis as `count` needs
  std::optional<double> radius_m;  // and the ball, in the plane the disc, of this radius about
  Vec3 centre_m = Vec3::Zero();
  enum class Arrangement : std::uint8_t {
    kLattice,  // layer by layer, each body a little out of its place
    kRandom    // each at a place that is drawn until it is free (random sequential addition)
  };
  Arrangement arrangement = Arrangement::kLattice;
  std::optional<double> gap_m;              // between neighbours; otherwise a twentieth of the largest diameter
  std::vector<double> sizes = {1};          // drawn from with equal chances, unless there is
  std::optional<Distribution> size_spread;  // a distribution; a normal one is cut off at three deviations
  bool is_turned = false;                   // each by a random angle, in space by a random rotation
  std::uint64_t seed = 1;
};

// `reach_m`: how far the body reaches from its origin at the size 1. Adds the balls to `taken`. The same spec gives the
// same places: the n-th number of each kind is a function of the seed and n (math/philox.h).
Places fill_places(const FillSpec& spec, Space space, double reach_m, BallGrid& taken);

// Copies in a row, rows above each other, layers behind each other: the copy (i, j, k) is turned by i times `turn`
// about an axis, and shifted by  i shift + j row_shift + k layer_shift,  and where j is odd by `stagger`.
struct PatternSpec {
  int count = 1, rows = 1, layers = 1;
  Vec3 shift_m = Vec3::Zero(), row_shift_m = Vec3::Zero(), layer_shift_m = Vec3::Zero();
  Vec3 stagger_m = Vec3::Zero();
  bool is_shorter = false;  // rows with an odd j have one copy less
  double turn = 0;          // rad, about
  Vec3 at_m = Vec3::Zero();
  Vec3 axis = Vec3::UnitZ();  // unit length
};

Places pattern_places(const PatternSpec& spec);

}  // namespace freeplay::model
