#include "freeplay/simulation/watch/gap_watch.h"

#include <algorithm>
#include <cmath>

#include "freeplay/core/error.h"
#include "freeplay/math/entrywise.h"

namespace freeplay::simulation {

namespace {

// Deeper than this is worth a warning: of the clearance, and of the diameter of the smaller part, where walls are rigid
// and where a force law lets parts into each other.
constexpr double kDeepInPlay = 0.1, kDeepInPart = 0.01, kDeepUnderForce = 0.1;
constexpr double kDeepInStop_rad = 0.05;  // of a revolute joint that stops on one side only
// Of a prismatic one: a share of its longest way from there, as two stops have a tenth of half of their range.
constexpr double kDeepOfWay = 0.05;
// A part has passed a wall if it is deeper in it than this times the way that it can have come in the step,
constexpr double kSlack = 2;
// and than this share of the clearance or of the smaller part, or than this length where there is neither: rounding and
// the removal of drift move parts, too.
constexpr double kNoticeableDepth = 1e-3;
constexpr double kNoticeable_m = 1e-6;

// The clearance, or the diameter of the smaller part; 0: none.
double extent_m(const ContactPoint& point, double size_m) {
  return point.clearance_m > 0 ? point.clearance_m : 2 * size_m;
}

// A stop without a second one: nothing in the model says how far the joint goes.
bool is_only_stop(const ContactPoint& point) {
  return point.has_normal && point.tangents == 0 && point.gap_dimension == dimensions::kLength &&
         point.clearance_m == 0;
}

}  // namespace

GapWatch::GapWatch(const ContactModel& contacts, Dynamics& dynamics) : contacts_(contacts), dynamics_(dynamics) {
  const std::vector<ContactPoint>& points = contacts.points();
  if (std::any_of(points.begin(), points.end(), is_only_stop)) ways_m_.assign(points.size(), 0.0);
  closed_.reserve(static_cast<std::size_t>(contacts.point_count()));
  closed_before_.reserve(static_cast<std::size_t>(contacts.point_count()));
}

GapWatch::Found GapWatch::look(ContactKinematics& kinematics, const VecX& gaps, const State& state, std::int64_t step,
                               double dt, bool walls_are_rigid) {
  Found found;
  const bool has_past = last_step_ >= 0;
  std::swap(closed_, closed_before_);
  closed_.clear();
  if (step != last_step_ + 1) closed_before_.clear();
  const ContactSet& points = kinematics.set();
  for (int i = 0; i < points.size(); ++i) {
    const double depth_m = -gaps[i];
    const ContactPoint& point = points[i];
    const ContactKey key = points.key(i);
    if (walls_are_rigid && follows_ways() && is_only_stop(point)) {
      const int entry = contacts_.entry_of(key);
      if (is_deep_in_only_stop(entry, gaps[i]) && found.deep_entry < 0) found.deep_entry = entry;
    }
    if (!(depth_m > 0)) continue;
    if (!point.has_normal) continue;
    if (point.gap_dimension != dimensions::kLength) {  // a stop of a revolute joint: -gap is an angle
      const bool is_deep = depth_m > (point.size > 0 ? kDeepInPlay * point.size : kDeepInStop_rad);
      if (is_deep && found.deep_entry < 0) found.deep_entry = contacts_.entry_of(key);
      continue;
    }
    closed_.push_back(key);
    found.max_penetration_m = std::max(found.max_penetration_m, depth_m);
    const double extent = extent_m(point, contacts_.size_of(key, point));
    if (found.deep_entry < 0 && is_deep(point, extent, depth_m, walls_are_rigid)) {
      found.deep_entry = contacts_.entry_of(key);
    }
    if (!has_past || !point.has_place || found.passed_entry >= 0 || depth_m < kNoticeable_m || was_closed(key))
      continue;
    if (depth_m < kNoticeableDepth * extent) continue;
    if (depth_m > kSlack * reach(kinematics, i, state, dt)) found.passed_entry = contacts_.entry_of(key);
  }
  std::sort(closed_.begin(), closed_.end());
  if (u_before_.size() != state.u.size()) u_before_.resize(state.u.size());
  copy_entries(state.u, u_before_);
  last_step_ = step;
  return found;
}

bool GapWatch::is_deep(const ContactPoint& point, double extent_m, double depth_m, bool walls_are_rigid) {
  // A force law lets parts into each other as deep as its force asks for: a clearance is no measure of that.
  if (point.clearance_m > 0) return walls_are_rigid && depth_m > kDeepInPlay * point.clearance_m;
  return extent_m > 0 && depth_m > (walls_are_rigid ? kDeepInPart : kDeepUnderForce) * extent_m;
}

bool GapWatch::is_deep_in_only_stop(int entry, double gap_m) {
  double& way_m = ways_m_[static_cast<std::size_t>(entry)];
  if (gap_m > way_m) way_m = gap_m;
  return -gap_m > std::max(kDeepOfWay * way_m, kNoticeable_m);
}

bool GapWatch::was_closed(ContactKey key) const {
  return std::binary_search(closed_before_.begin(), closed_before_.end(), key);
}

double GapWatch::reach(ContactKinematics& kinematics, int point, const State& state, double dt) {
  double fastest = 0;
  for (const VecX* u : {static_cast<const VecX*>(&u_before_), &state.u}) {
    dynamics_.set_velocity(*u);
    kinematics.update_velocities();
    fastest = std::max(fastest, kinematics.velocity_of(point).shape_speed());
  }
  return dt * fastest;
}

void GapWatch::forget() {
  last_step_ = -1;
  closed_.clear();
  closed_before_.clear();
  std::fill(ways_m_.begin(), ways_m_.end(), 0.0);
}

void GapWatch::set_ways_m(std::span<const double> ways_m) {
  FREEPLAY_ASSERT(ways_m.size() == ways_m_.size());
  std::copy(ways_m.begin(), ways_m.end(), ways_m_.begin());
}

}  // namespace freeplay::simulation
