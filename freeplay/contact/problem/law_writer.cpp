#include "freeplay/contact/problem/law_writer.h"

namespace freeplay::contact {

namespace {

// Coulomb's friction of a point, behind its normal row; of a joint's dry friction, without one.
ImpulseBlock friction_set(const ContactPoint& point, int row, int normal_row, double dt) {
  const int tangents = point.friction_rows();
  ImpulseBlock block{tangents == 2 ? ImpulseSet::kDisc : ImpulseSet::kInterval, row, tangents, normal_row};
  if (tangents == 2) {
    block.mu = point.law.friction;
  } else if (normal_row >= 0) {
    block.lo1 = -point.law.friction;
    block.hi1 = point.law.friction;
  } else {
    block.lo0 = -point.law.dry_effort * dt;
    block.hi0 = point.law.dry_effort * dt;
  }
  return block;
}

// Newton's impact law and Coulomb's friction as sets (Flores, Leine, Glocker 2010, eqs 32 to 37):
//   xi_N = gamma_NE + e_N gamma_NA,   0 <= Lambda_N _|_ xi_N >= 0
//   xi_T = gamma_TE + e_T gamma_TA,   |Lambda_T| <= mu Lambda_N, against the sliding; in space a disc
// gamma_N without the drift of the row, if that is known (Activation). Tangential restitution belongs to the impact: a
// contact that lasts has none. The coefficients of gamma_A and the approach rates go into c.
void write_velocity_step(const LawRows& rows, VecRef c, std::vector<ImpulseBlock>& blocks) {
  const std::span<const double> gamma_A = rows.gamma_A;
  for (int i = 0; i < rows.bilateral; ++i) {
    const std::size_t row = static_cast<std::size_t>(i);
    c[i] += rows.bilateral_weight * gamma_A[row] + rows.bilateral_approach[row];
    blocks.push_back({ImpulseSet::kFree, i});
  }
  int row = rows.bilateral;
  for (const Activation& activation : rows.active) {
    const ContactPoint& point = rows.points[activation.point];
    int normal_row = -1;
    if (point.has_normal) {
      normal_row = row;
      const double drift = activation.drift_m_s;
      c[row] +=
          activation.restitution * (gamma_A[static_cast<std::size_t>(row)] - drift) + drift + activation.approach_m_s;
      blocks.push_back({ImpulseSet::kNonNegative, row++});
    }
    if (!point.has_friction()) continue;
    blocks.push_back(friction_set(point, row, normal_row, rows.dt));
    const double e_T = tangential_restitution(point, activation);
    for (int k = 0; k < point.friction_rows(); ++k, ++row) c[row] += e_T * gamma_A[static_cast<std::size_t>(row)];
  }
}

}  // namespace

double tangential_restitution(const ContactPoint& point, const Activation& activation) {
  return activation.was_loaded_before() ? 0 : point.law.tangential_restitution;
}

void write_laws(LawPhase phase, const LawRows& rows, VecRef c, std::vector<ImpulseBlock>& blocks) {
  blocks.clear();
  switch (phase) {
    case LawPhase::kVelocityStep:
      write_velocity_step(rows, c, blocks);
      break;
  }
}

}  // namespace freeplay::contact
