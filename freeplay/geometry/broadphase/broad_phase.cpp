// Grids with cells by size class instead of sweep and prune: of a pile in space a sweep sees, for every ball, all balls
// of a slice through the pile, and its cost grows with N^(5/3). A grid sees a few cells around a ball however large the
// pile is. The cells are the buckets of a hash table, so that far coordinates and empty space cost nothing.
#include "freeplay/geometry/broadphase/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "freeplay/core/error.h"

namespace freeplay::geometry {

namespace {

// Beyond this, products of two lengths are infinite.
constexpr double kLargestLength_m = 1e150;
// A cell is no narrower than this part of the coordinates of the balls in it: 40 bits number the cells exactly, the
// other 12 of a double place a ball within its cell.
constexpr double kFinestCell = 0x1p-40;
// Of a cell: more than what rounding moves the reach of a ball by, 2^-12.
constexpr double kMargin = 0x1p-10;

bool fits_into_a_grid(const BoundingSphere& ball) {
  return ball.centre_m.cwiseAbs().maxCoeff<Eigen::PropagateNaN>() <= kLargestLength_m &&
         std::abs(ball.radius_m) <= kLargestLength_m;
}

// Of a width of 0 (a point at the origin) the least that there is.
int exponent_of(const BoundingSphere& ball, int lowest) {
  const double width = std::max(2 * ball.radius_m, kFinestCell * ball.centre_m.lpNorm<Eigen::Infinity>());
  int exponent = lowest;
  if (width > 0) std::frexp(width, &exponent);
  return std::max(exponent, lowest);
}

std::int64_t cell_of(double coordinate) {
  return static_cast<std::int64_t>(std::floor(coordinate));
}

}  // namespace

BroadPhase::BroadPhase(std::vector<Member> members) : members_(std::move(members)) {
  const std::size_t count = members_.size();
  std::size_t buckets = 16;
  while (buckets < 2 * count) buckets *= 2;
  entries_.reserve(count);
  buckets_.resize(buckets);
  next_in_level_.resize(count);
  undefined_.reserve(count);
  starts_.resize(count + 1);
  levels_.reserve(level_of_exponent_.size());
  level_of_exponent_.fill(-1);
}

// Every ball looks for the balls that are in the grid already, in its own level and in the coarser ones, and is then
// put into the grid itself: each pair is found once.
std::span<const BroadPhase::Pair> BroadPhase::find_pairs(std::span<const BoundingSphere> balls) {
  FREEPLAY_ASSERT(balls.size() == members_.size());
  found_.clear();
  entries_.clear();
  std::fill(buckets_.begin(), buckets_.end(), -1);
  sort_into_levels(balls);
  for (std::size_t own = 0; own < levels_.size(); ++own) {
    for (std::int32_t i = levels_[own].first; i >= 0; i = next_in_level_[static_cast<std::size_t>(i)]) {
      const BoundingSphere& ball = balls[static_cast<std::size_t>(i)];
      for (std::size_t level = 0; level <= own; ++level) propose_neighbours(ball, i, levels_[level]);
      insert(ball, i, levels_[own].exponent);
    }
  }
  // Against all that are in the grid, then against each other.
  for (std::size_t k = 0; k < undefined_.size(); ++k) {
    for (const Entry& entry : entries_) propose(undefined_[k], entry.index);
    for (std::size_t other = 0; other < k; ++other) propose(undefined_[k], undefined_[other]);
  }
  sort_pairs();
  return pairs_;
}

void BroadPhase::sort_into_levels(std::span<const BoundingSphere> balls) {
  for (const Level& level : levels_)
    level_of_exponent_[static_cast<std::size_t>(level.exponent - kLowestExponent)] = -1;
  levels_.clear();
  undefined_.clear();
  is_flat_ = std::all_of(balls.begin(), balls.end(),
                         [&](const BoundingSphere& ball) { return ball.centre_m.z() == balls[0].centre_m.z(); });
  // From the last to the first, so that the chain of a level ascends.
  for (std::size_t i = balls.size(); i-- > 0;) {
    const auto index = static_cast<std::int32_t>(i);
    if (!fits_into_a_grid(balls[i])) {
      undefined_.push_back(index);
      continue;
    }
    const int exponent = exponent_of(balls[i], kLowestExponent);
    std::int32_t& place = level_of_exponent_[static_cast<std::size_t>(exponent - kLowestExponent)];
    if (place < 0) {
      place = static_cast<std::int32_t>(levels_.size());
      levels_.push_back({exponent, -1, 0});
    }
    Level& level = levels_[static_cast<std::size_t>(place)];
    next_in_level_[i] = std::exchange(level.first, index);
    level.widest_radius = std::max(level.widest_radius, balls[i].radius_m);
  }
  std::sort(levels_.begin(), levels_.end(), [](const Level& a, const Level& b) { return a.exponent > b.exponent; });
}

// The cells of a level in which the centre of a ball that overlaps may lie. No ball of it or of a finer level is wider
// than its cells, so there are no more than three in a direction.
void BroadPhase::propose_neighbours(const BoundingSphere& ball, std::int32_t index, const Level& level) {
  const double per_cell = std::ldexp(1.0, -level.exponent);
  const double reach = (ball.radius_m + level.widest_radius) * per_cell + kMargin;
  const Vec3 centre = ball.centre_m * per_cell;  // exact: a power of two
  const std::int64_t x0 = cell_of(centre.x() - reach), x1 = cell_of(centre.x() + reach);
  const std::int64_t y0 = cell_of(centre.y() - reach), y1 = cell_of(centre.y() + reach);
  const std::int64_t z0 = cell_of(centre.z() - (is_flat_ ? 0 : reach));
  const std::int64_t z1 = cell_of(centre.z() + (is_flat_ ? 0 : reach));
  for (std::int64_t z = z0; z <= z1; ++z) {
    for (std::int64_t y = y0; y <= y1; ++y) {
      for (std::int64_t x = x0; x <= x1; ++x) look_into({x, y, z, level.exponent}, ball, index);
    }
  }
}

void BroadPhase::look_into(const Cell& cell, const BoundingSphere& ball, std::int32_t index) {
  for (std::int32_t k = buckets_[bucket_of(cell)]; k >= 0;) {
    const Entry& entry = entries_[static_cast<std::size_t>(k)];
    if (overlap(entry.ball, ball) && entry.cell == cell) propose(index, entry.index);
    k = entry.next;
  }
}

void BroadPhase::insert(const BoundingSphere& ball, std::int32_t index, int exponent) {
  const Vec3 centre = ball.centre_m * std::ldexp(1.0, -exponent);
  const Cell cell{cell_of(centre.x()), cell_of(centre.y()), cell_of(centre.z()), exponent};
  std::int32_t& head = buckets_[bucket_of(cell)];
  entries_.push_back({ball, cell, index, head});
  head = static_cast<std::int32_t>(entries_.size()) - 1;
}

void BroadPhase::propose(std::int32_t a, std::int32_t b) {
  if (may_meet(a, b)) found_.push_back({std::min(a, b), std::max(a, b)});
}

// By counting: the pairs of every first ball get their place, and of these there are few to sort.
void BroadPhase::sort_pairs() {
  std::fill(starts_.begin(), starts_.end(), 0);
  for (const Pair& pair : found_) ++starts_[static_cast<std::size_t>(pair.first) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  pairs_.resize(found_.size());
  for (const Pair& pair : found_)
    pairs_[static_cast<std::size_t>(starts_[static_cast<std::size_t>(pair.first)]++)] = pair;
  // Every start has moved to the end of its pairs, where the next one's were to begin.
  std::int32_t from = 0;
  for (const std::int32_t to : starts_) {
    std::sort(pairs_.begin() + from, pairs_.begin() + to,
              [](const Pair& a, const Pair& b) { return a.second < b.second; });
    from = to;
  }
}

// Which bucket it is does not matter, only that neighbours rarely share one. Those in a row along x have buckets in a
// row: they are asked for one after the other.
std::size_t BroadPhase::bucket_of(const Cell& cell) const {
  std::uint64_t hash = static_cast<std::uint64_t>(cell.y) * 0xC2B2AE3D27D4EB4Fu;
  hash ^= static_cast<std::uint64_t>(cell.z) * 0x165667B19E3779F9u;
  hash ^= static_cast<std::uint64_t>(static_cast<std::int64_t>(cell.exponent)) * 0x27D4EB2F165667C5u;
  hash ^= hash >> 32;
  hash = (hash * 0xD6E8FEB86659FD93u) >> 32;
  return static_cast<std::size_t>(hash + static_cast<std::uint64_t>(cell.x)) & (buckets_.size() - 1);
}

}  // namespace freeplay::geometry
