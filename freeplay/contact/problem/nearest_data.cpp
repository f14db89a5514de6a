#include "freeplay/contact/problem/nearest_data.h"

#include <algorithm>
#include <cmath>

namespace freeplay::contact {

namespace {

// Beyond the contradiction, as a share of it: with c^T d > 0 a solution exists, with c^T d = 0 it may need impulses
// without bound.
constexpr double kMargin = 1e-6;

}  // namespace

void write_targets(const LawRows& rows, VecRef targets) {
  targets.setZero();
  int row = rows.bilateral;
  for (const Activation& activation : rows.active) {
    const ContactPoint& point = rows.points[activation.point];
    const auto gamma_A = [&](int i) { return rows.gamma_A[static_cast<std::size_t>(i)]; };
    if (point.has_normal) {
      const double drift = activation.drift_m_s;
      targets[row] = rows.restitution(activation) * (gamma_A(row) - drift) + drift;
      ++row;
    }
    if (!point.has_friction()) continue;
    const double e_T = rows.tangential_restitution(activation);
    for (int k = 0; k < point.friction_rows(); ++k, ++row) targets[row] = e_T * gamma_A(row);
  }
}

int lower_restitution(const ConstVecRef& d, VecRef targets, VecRef c) {
  // Only rows whose target speaks against d, and speaks less so when it becomes smaller.
  const auto may_move = [&](Eigen::Index i) { return targets[i] * d[i] < 0; };
  double square = 0;
  for (Eigen::Index i = 0; i < d.size(); ++i) {
    if (may_move(i)) square += d[i] * d[i];
  }
  const double contradiction = -c.dot(d);
  if (!(square > 0) || !(contradiction > 0)) return 0;
  const double length = (1 + kMargin) * contradiction / square;
  int moved = 0;
  for (Eigen::Index i = 0; i < d.size(); ++i) {
    if (!may_move(i)) continue;
    const double move = std::copysign(std::min(length * std::abs(d[i]), std::abs(targets[i])), d[i]);
    targets[i] += move;
    c[i] += move;
    ++moved;
  }
  return moved;
}

void drop_restitution(VecRef targets, VecRef c) {
  c -= targets;
  targets.setZero();
}

int keep_gaps(const LawRows& rows, VecRef c) {
  int kept = 0, row = rows.bilateral;
  for (const Activation& activation : rows.active) {
    if (activation.approach_m_s > 0) {
      c[row] -= activation.approach_m_s;
      ++kept;
    }
    row += rows.points[activation.point].rows();
  }
  return kept;
}

}  // namespace freeplay::contact
