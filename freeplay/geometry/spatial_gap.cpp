#include "freeplay/geometry/spatial_gap.h"
namespace freeplay {
PairProblem spatial_pair_problem(const ShapeGeometry&, const ShapeGeometry&) {
  return {"none yet", ""};
}
std::unique_ptr<const SpatialGap> make_spatial_gap(const ShapeGeometry&, const ShapeGeometry&) {
  return {};
}
}  // namespace freeplay
