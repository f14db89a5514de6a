#include "freeplay/contact/points/contact_finder.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace freeplay::contact {

namespace {

constexpr std::size_t kFewPairs = 16;
constexpr double kRoom = 0.1;  // of a ball's radius: how far it may go, beyond what it is fast for, before a new list
constexpr double kAllowance_m_s =
    0.3;                         // by which a surface that moves may get faster before it must be looked for anew
constexpr int kMostGroups = 63;  // bits of the broad phase; groups beyond share the last one, which proposes too much
constexpr std::uint64_t kNamedBit = std::uint64_t{1} << 63;

std::uint64_t bit_of(int group) {
  return std::uint64_t{1} << std::min(group, kMostGroups - 1);
}

std::vector<int> ball_surfaces(const MechanismContacts& model) {
  std::vector<int> balls;
  for (std::size_t i = 0; i < model.surfaces.size(); ++i) {
    if (model.surfaces[i].bound.kind == Bound::Kind::kBall) balls.push_back(static_cast<int>(i));
  }
  return balls;
}

std::vector<BroadPhase::Member> members_of(const MechanismContacts& model, const std::vector<int>& balls) {
  std::vector<std::uint64_t> groups(model.surfaces.size(), 0), against(model.surfaces.size(), 0);
  for (int pair = 0; pair < model.pair_count(); ++pair) {
    const auto [a, b] = model.surfaces_of(pair);
    for (const int surface : {a, b}) {
      if (surface < 0) continue;
      groups[static_cast<std::size_t>(surface)] |= kNamedBit;
      against[static_cast<std::size_t>(surface)] |= kNamedBit;
    }
  }
  for (std::size_t g = 0; g < model.surface_groups.size(); ++g) {
    const std::uint64_t bit = bit_of(static_cast<int>(g));
    for (const int member : model.surface_groups[g].members) {
      groups[static_cast<std::size_t>(member)] |= bit;
      against[static_cast<std::size_t>(member)] |= bit;
    }
    for (const int partner : model.surface_groups[g].against) against[static_cast<std::size_t>(partner)] |= bit;
  }
  std::vector<BroadPhase::Member> members;
  for (const int ball : balls) {
    const std::size_t i = static_cast<std::size_t>(ball);
    members.push_back({to_int(model.surfaces[i].body), groups[i], against[i]});
  }
  return members;
}

}  // namespace

ContactFinder::ContactFinder(const MechanismContacts& model)
    : model_(model),
      balls_(ball_surfaces(model)),
      broad_phase_(members_of(model, balls_)),
      spheres_(balls_.size()),
      placed_(model.surfaces.size()),
      reach_m_(model.surfaces.size(), 0.0),
      reaching_(model.surfaces.size()) {
  for (int pair = 0; pair < model.pair_count(); ++pair) {
    const auto [a, b] = model.surfaces_of(pair);
    if (a < 0 || b < 0)
      always_.push_back(pair);
    else
      (is_ball(a) && is_ball(b) ? named_ : named_without_ball_).push_back({std::max(a, b), std::min(a, b), pair});
  }
  std::sort(named_.begin(), named_.end(), [](const NamedPair& x, const NamedPair& y) {
    return std::tie(x.a, x.b, x.pair) < std::tie(y.a, y.b, y.pair);
  });
  finds_all_ = model.surface_groups.empty() && named_.size() + named_without_ball_.size() <= kFewPairs;
}

bool ContactFinder::is_ball(int surface) const {
  return model_.surfaces[static_cast<std::size_t>(surface)].bound.kind == Bound::Kind::kBall;
}

// A point of a surface moves no faster than the centre of its ball and the turning of the ball about it. What has no
// ball may have points anywhere: it has a reach only where its body rests. A shape that turns by itself moves faster
// than its body.
double ContactFinder::reach_of(std::size_t surface, const Bound& placed, std::span<const Frame> frames,
                               std::span<const MarkerVelocity> velocities, double horizon_s) const {
  const std::size_t at = static_cast<std::size_t>(model_.surfaces[surface].placement);
  const MarkerVelocity& body = velocities[at];
  if (model_.surfaces[surface].turns) return std::numeric_limits<double>::infinity();
  const double turning = body.w.norm();
  if (placed.kind == Bound::Kind::kBall) {
    const Vec3 centre = body.v + body.w.cross(placed.ball.centre_m - frames[at].p);
    return horizon_s * (centre.norm() + turning * placed.ball.radius_m);
  }
  return turning > 0 || body.v.squaredNorm() > 0 ? std::numeric_limits<double>::infinity() : 0;
}

void ContactFinder::place(std::span<const Frame> frames, std::span<const MarkerVelocity> velocities, double horizon_s) {
  for (std::size_t i = 0; i < model_.surfaces.size(); ++i) {
    const std::size_t at = static_cast<std::size_t>(model_.surfaces[i].placement);
    placed_[i] = placed(model_.surfaces[i].bound, frames[at]);
    reach_m_[i] = horizon_s > 0 ? reach_of(i, placed_[i], frames, velocities, horizon_s) : 0;
    if (reach_m_[i] > 0) reach_m_[i] += horizon_s * kAllowance_m_s;
    const Vec3& centre = placed_[i].ball.centre_m;
    reaching_[i] = {centre.x(), centre.y(), centre.z(), reach_m_[i] + placed_[i].ball.radius_m + placed_[i].rounding_m};
  }
}

bool ContactFinder::has_covered(std::span<const Frame> frames, std::span<const MarkerVelocity> velocities,
                                double horizon_s) const {
  const auto is_same = [](const Frame& a, const Frame& b) { return a.p == b.p && a.R == b.R; };
  if (!std::equal(frames.begin(), frames.end(), found_at_.begin(), found_at_.end(), is_same)) return false;
  for (std::size_t i = 0; i < model_.surfaces.size(); ++i) {
    if (!(reach_of(i, placed_[i], frames, velocities, horizon_s) <= reach_m_[i])) return false;
  }
  return true;
}

bool ContactFinder::is_in_reach(int a, int b) const {
  const std::size_t i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
  // Written so that what is not a number is in reach.
  return !(gap_bound(placed_[i], placed_[j]) > reach_m_[i] + reach_m_[j]);
}

// The same of two balls, which are asked for most. Squares lose some of the last digits, which is made good.
bool ContactFinder::are_balls_in_reach(int a, int b) const {
  constexpr double kRoundingOfSquares = 1e-14;
  const ReachingBall &of_a = reaching_[static_cast<std::size_t>(a)], &of_b = reaching_[static_cast<std::size_t>(b)];
  const double x = of_a.x - of_b.x, y = of_a.y - of_b.y, z = of_a.z - of_b.z, reach = of_a.reach_m + of_b.reach_m;
  return !(x * x + y * y + z * z > (1 + kRoundingOfSquares) * reach * reach);
}

bool ContactFinder::is_ball_in_reach_of_plane(int ball, int plane) const {
  const ReachingBall& of_ball = reaching_[static_cast<std::size_t>(ball)];
  const Bound& of_plane = placed_[static_cast<std::size_t>(plane)];
  const Vec3 centre(of_ball.x, of_ball.y, of_ball.z);
  return !(of_plane.normal.dot(centre - of_plane.at_m) >
           of_ball.reach_m + of_plane.rounding_m + reach_m_[static_cast<std::size_t>(plane)]);
}

// Two balls that may meet: the named contacts between them, or the pair of their group.
void ContactFinder::add_candidates(int a, int b) {
  if (a < b) std::swap(a, b);
  if (model_.group_of(a, b) >= 0) candidates_.push_back({a, b, MechanismContacts::key_of_surfaces(a, b)});
  auto named = std::lower_bound(named_.begin(), named_.end(), std::tie(a, b),
                                [](const NamedPair& pair, const auto& key) { return std::tie(pair.a, pair.b) < key; });
  for (; named != named_.end() && named->a == a && named->b == b; ++named)
    candidates_.push_back({a, b, static_cast<std::uint64_t>(named->pair)});
}

// A pair in reach now had its balls within their radii, their reaches and what they have moved since the list was made:
// the list has it as long as each ball's reach and way stay within the room that it was given then.
bool ContactFinder::candidates_suffice() const {
  if (room_m_.size() != balls_.size()) return false;
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    const std::size_t surface = static_cast<std::size_t>(balls_[i]);
    const Bound& now = placed_[surface];
    const double moved = (now.ball.centre_m - spheres_[i].centre_m).norm();
    if (!(moved + reach_m_[surface] + now.rounding_m <= room_m_[i])) return false;
  }
  return true;
}

void ContactFinder::list_candidates() {
  room_m_.resize(balls_.size());
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    const std::size_t surface = static_cast<std::size_t>(balls_[i]);
    spheres_[i] = placed_[surface].ball;
    room_m_[i] = kRoom * spheres_[i].radius_m + 2 * reach_m_[surface] + placed_[surface].rounding_m;
    spheres_[i].radius_m += room_m_[i];
  }
  const std::span<const BroadPhase::Pair> pairs = broad_phase_.find_pairs(spheres_);
  // Lists are made at other instants each time: some room, so that the next one allocates nothing.
  if (pairs.size() > candidates_.capacity()) {
    candidates_.reserve(2 * pairs.size());
    found_balls_.reserve(2 * pairs.size());
  }
  candidates_.clear();
  for (const BroadPhase::Pair& pair : pairs)
    add_candidates(balls_[static_cast<std::size_t>(pair.first)], balls_[static_cast<std::size_t>(pair.second)]);
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& x, const Candidate& y) { return x.key < y.key; });
}

std::span<const std::uint64_t> ContactFinder::find(std::span<const Frame> frames,
                                                   std::span<const MarkerVelocity> velocities, double horizon_s) {
  place(frames, velocities, horizon_s);
  found_at_.assign(frames.begin(), frames.end());
  found_.clear();
  for (const int pair : always_) found_.push_back(static_cast<std::uint64_t>(pair));
  for (const NamedPair& pair : named_without_ball_) {
    if (is_in_reach(pair.a, pair.b)) found_.push_back(static_cast<std::uint64_t>(pair.pair));
  }
  for (const MechanismContacts::Group& group : model_.surface_groups) {
    for (const int partner : group.against) {
      if (is_ball(partner)) continue;
      const bool is_plane = placed_[static_cast<std::size_t>(partner)].kind == Bound::Kind::kHalfSpace;
      for (const int member : group.members) {
        if (is_plane && is_ball(member) && !is_ball_in_reach_of_plane(member, partner)) continue;
        const bool is_own = model_.surfaces[static_cast<std::size_t>(member)].body ==
                            model_.surfaces[static_cast<std::size_t>(partner)].body;
        if (!is_own && is_in_reach(member, partner))
          found_.push_back(MechanismContacts::key_of_surfaces(std::max(member, partner), std::min(member, partner)));
      }
    }
  }
  std::sort(found_.begin(), found_.end());
  if (!candidates_suffice()) list_candidates();
  found_balls_.clear();
  for (const Candidate& pair : candidates_) {
    if (are_balls_in_reach(pair.a, pair.b)) found_balls_.push_back(pair.key);
  }
  found_.swap(others_);
  found_.resize(others_.size() + found_balls_.size());
  std::merge(others_.begin(), others_.end(), found_balls_.begin(), found_balls_.end(), found_.begin());
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  return found_;
}

}  // namespace freeplay::contact
