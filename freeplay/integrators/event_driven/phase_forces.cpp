// The forces of closed points: noted, compared with each other, written down.
#include <algorithm>
#include <cmath>

#include "freeplay/integrators/event_driven/phase_dynamics.h"

namespace freeplay::integrators {

void PhaseDynamics::note_forces() {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const KeptRow& kept = kept_[i];
    const double force = x_[static_cast<Eigen::Index>(i)];
    if (kept.closed < 0) {
      lambda_[kept.row] = force;
      continue;
    }
    const std::size_t k = static_cast<std::size_t>(kept.closed);
    const int of_normal = points()[closed_[k]].has_normal ? 1 : 0;
    if (kept.is_normal)
      forces_[k].normal_N = force;
    else
      forces_[k].tangential_N[kept.row - first_row_[k] - of_normal] = force;
  }
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const ContactPoint& point = points()[closed_[k]];
    PointForces& forces = forces_[k];
    const bool slides = phase(closed_[k]).mode == ContactMode::kSlip;
    forces.limit_N = point.has_normal ? forces.friction * forces.normal_N : slides ? efforts_[k] : effort_limit(k);
    if (!slides || !point.has_friction()) continue;
    forces.tangential_N = -forces.limit_N * sliding_direction(k);
  }
}

double PhaseDynamics::sliding_acceleration(int point) const {
  const auto place = std::find(closed_.begin(), closed_.end(), point);
  if (place == closed_.end()) return 0;
  const std::size_t k = static_cast<std::size_t>(place - closed_.begin());
  const ContactPoint& description = points()[point];
  const int first = first_row_[k] + (description.has_normal ? 1 : 0);
  double sum = 0;
  for (int i = 0; i < description.friction_rows(); ++i)
    sum += phase(point).direction[i] * (rows_.dot(first + i, du_) + zeta_[first + i]);
  return sum;
}

double PhaseDynamics::largest_force() const {
  double largest = 0;
  for (const PointForces& force : forces_) largest = std::max({largest, std::abs(force.normal_N), force.limit_N});
  return largest;
}

void PhaseDynamics::forces_nearby(std::span<double> per_point) {
  tree_force_N_.assign(static_cast<std::size_t>(velocities_), 0);
  const auto for_each_tree = [&](std::size_t k, const auto& function) {
    for (const RowPart& part : rows_.parts(first_row_[k])) {
      if (part.size > 0) function(tree_force_N_[static_cast<std::size_t>(part.first)]);
    }
  };
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const PointForces& force = forces_[k];
    const double size = std::max({std::abs(force.normal_N), force.limit_N, force.tangential_N.norm()});
    for_each_tree(k, [&](double& largest) { largest = std::max(largest, size); });
  }
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    double& own = per_point[static_cast<std::size_t>(closed_[k])] = 0;
    for_each_tree(k, [&](double largest) { own = std::max(own, largest); });
  }
}

StepStatus PhaseDynamics::write_record(const State& state, StepRecord& record) {
  record.is_known = false;
  const StepStatus status = accelerations(state.t, state.q, state.u);
  if (status != StepStatus::kOk) return status;
  begin_record(state, du_, lambda_, record);
  record.contact_forces.reserve(phases_.size());
  for (const PointForces& force : forces_)
    kinematics_->write_force(force.point, force.normal_N, force.tangential_N, record.contact_forces);
  return StepStatus::kOk;
}

void PhaseDynamics::write_forces(State& state) const {
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    ContactMemory& memory = state.contacts[i];
    memory.mode = phases_[i].mode;
    memory.is_touching = phases_[i].is_closed();
    memory.normal_force = 0;
    memory.tangential_force.setZero();
    memory.force.setZero();
  }
  for (const PointForces& force : forces_) {
    ContactMemory& memory = state.contacts[static_cast<std::size_t>(force.point)];
    memory.normal_force = force.normal_N;
    memory.tangential_force = force.tangential_N;
    if (points()[force.point].has_place)
      memory.force = kinematics_->in_world(force.point, force.normal_N, force.tangential_N);
  }
}

}  // namespace freeplay::integrators
