#include "freeplay/integrators/smooth/load_friction_efforts.h"

#include <algorithm>
#include <cmath>

namespace freeplay::integrators {

namespace {

constexpr int kMostRounds = 200;
// Of the largest effort: the error that the fixed point leaves is below that of any error control, and rounding lies
// below both.
constexpr double kSettled = 1e-14, kRoundedChange = 1e-12;

}  // namespace

LoadFrictionEfforts::LoadFrictionEfforts(const System& system, const ContactModel& contacts)
    : rows_(system.mass_structure()), free_(VecX::Zero(system.velocity_count())) {
  for (int i = 0; i < contacts.point_count(); ++i) {
    const ContactPoint& point = contacts.points()[static_cast<std::size_t>(i)];
    if (point.rubs_by_load()) joints_.push_back({i, &point.law, 0});
  }
  rows_.reserve(static_cast<int>(joints_.size()));
}

double LoadFrictionEfforts::accelerations(const Equations& on, CompliantContacts& contacts,
                                          ContactKinematics& kinematics) {
  rows_.clear();
  for (Joint& joint : joints_) {
    kinematics.add_rows(joint.point, rows_);
    joint.effort = 0;
  }
  free_ = on.h;
  const BilateralRows& rows = on.workspace.rows;
  double change_before = kInfinity;
  for (int round = 0; round < kMostRounds; ++round) {
    const double contradiction = on.workspace.accelerations(on.h, rows.zeta, on.du, on.lambda);
    double change = 0, largest = 0;
    on.h = free_;
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      Joint& joint = joints_[k];
      const double limit = joint.law->dry_effort + joint.law->load->limit(on.lambda);
      const double effort = contacts.set_friction_of_joint(joint.point, limit);
      change = std::max(change, std::abs(effort - joint.effort));
      largest = std::max(largest, std::abs(effort));
      joint.effort = effort;
      rows_.add_to(static_cast<int>(k), effort, on.h);
    }
    if (!std::isfinite(change)) return -1;
    const bool is_rounding = change <= kRoundedChange * largest && change >= change_before;
    if (change <= kSettled * largest || is_rounding) return contradiction;
    change_before = change;
  }
  return -1;
}

double LoadFrictionEfforts::power(const CompliantContacts& contacts) const {
  double sum = 0;
  for (const Joint& joint : joints_) sum += contacts.friction_power(joint.point);
  return sum;
}

}  // namespace freeplay::integrators
