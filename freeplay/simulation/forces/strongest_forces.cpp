#include "freeplay/simulation/forces/strongest_forces.h"

#include <algorithm>
#include <cmath>

namespace freeplay::simulation {

std::span<const ContactForce> StrongestForces::find(const ContactKinematics& points, const State& state,
                                                    std::optional<double> step_s, int most) {
  found_.clear();
  if (step_s && !(*step_s > 0)) return {};  // no step yet: no force
  loaded_.clear();
  for (std::size_t i = 0; i < state.contacts.size(); ++i) {
    const ContactMemory& memory = state.contacts[i];
    if ((step_s ? memory.normal_impulse : memory.normal_force) > 0) loaded_.emplace_back(memory.key, i);
  }
  std::sort(loaded_.begin(), loaded_.end());
  for (int point = 0; point < points.set().size() && !loaded_.empty(); ++point) {
    const ContactKey key = points.set().key(point);
    const auto place = std::lower_bound(loaded_.begin(), loaded_.end(), std::pair(key, std::size_t{0}));
    if (place != loaded_.end() && place->first == key) add(points, point, state.contacts[place->second], step_s);
  }
  keep_strongest(static_cast<std::size_t>(most));
  return found_;
}

void StrongestForces::add(const ContactKinematics& points, int point, const ContactMemory& memory,
                          std::optional<double> step_s) {
  forces_.clear();
  if (step_s)
    points.write_force(point, memory.normal_impulse / *step_s, memory.tangential_impulse / *step_s, forces_);
  else
    points.write_force(point, memory.normal_force, memory.tangential_force, forces_);
  if (forces_.between_bodies.empty()) return;  // a stop, or friction of a joint: it has no place
  const Interaction& at = forces_.between_bodies.front();
  const Eigen::Vector3f place = at.point_a.cast<float>();
  // In space the two tangents of a point are chosen anew at every position, so a force is what the step has kept.
  const bool is_kept = step_s ? !memory.impulse.isZero(0) : !memory.force.isZero(0);
  const Vec3 kept = step_s ? Vec3(memory.impulse / *step_s) : memory.force;
  const Eigen::Vector3f force = (is_kept ? kept : at.direction).cast<float>();
  if (!place.allFinite() || !force.allFinite()) return;
  found_.push_back(
      {to_int(at.a.marker), to_int(at.b.marker), place.x(), place.y(), place.z(), force.x(), force.y(), force.z()});
}

// Of equal ones those that come first.
void StrongestForces::keep_strongest(std::size_t most) {
  if (found_.size() <= most) return;
  sizes_.clear();
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const ContactForce& force = found_[i];
    sizes_.emplace_back(-std::hypot(force.fx_N, force.fy_N, force.fz_N), i);
  }
  std::nth_element(sizes_.begin(), sizes_.begin() + static_cast<std::ptrdiff_t>(most), sizes_.end());
  sizes_.resize(most);
  std::sort(sizes_.begin(), sizes_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  kept_.clear();
  for (const auto& [size, place] : sizes_) kept_.push_back(found_[place]);
  found_.swap(kept_);
}

}  // namespace freeplay::simulation
