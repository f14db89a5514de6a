#include "freeplay/contact/problem/law_writer.h"

#include <cmath>

#include "freeplay/contact/problem/law_sets.h"

namespace freeplay::contact {

namespace {

ImpulseBlock friction_set(const ContactPoint& point, double mu, int row, int normal_row, double dry_impulse) {
  return normal_row >= 0 ? coulomb_set(point.friction_rows(), mu, row, normal_row) : effort_set(dry_impulse, row);
}

}  // namespace

// Newton's impact law and Coulomb's friction as sets (Flores, Leine, Glocker 2010, eqs 32 to 37):
//   xi_N = gamma_NE + e_N gamma_NA,   0 <= Lambda_N _|_ xi_N >= 0
//   xi_T = gamma_TE + e_T gamma_TA,   |Lambda_T| <= mu Lambda_N, against the sliding; in space a disc
// gamma_N without the drift of the row, if that is known (Activation). Tangential restitution belongs to the impact: a
// contact that lasts has none. The coefficients of gamma_A and the approach rates go into c.
void write_velocity_laws(const LawRows& rows, VecRef c, std::vector<ImpulseBlock>& blocks) {
  blocks.clear();
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
      c[row] += rows.restitution(activation) * (gamma_A[static_cast<std::size_t>(row)] - drift) + drift +
                activation.approach_m_s;
      blocks.push_back({ImpulseSet::kNonNegative, row++});
    }
    if (!point.has_friction()) continue;
    blocks.push_back(friction_set(point, rows.friction(activation, row), row, normal_row,
                                  point.has_normal ? 0 : rows.dry_effort(activation) * rows.dt));
    const double e_T = rows.tangential_restitution(activation);
    for (int k = 0; k < point.friction_rows(); ++k, ++row) c[row] += e_T * gamma_A[static_cast<std::size_t>(row)];
  }
}

double LawRows::tangential_restitution(const Activation& activation) const {
  const bool has_none = follows_impact || activation.was_loaded_before();
  return has_none ? 0 : points[activation.point].law.tangential_restitution;
}

// The speed at the end of the step is not known yet. With mu(v_E) the set of the tangential impulse would depend on the
// velocity that it causes: no set of a LocalProblem, and with a falling mu(v) not always one solution. Taken from the
// start, mu is a number of the step, and wrong by mu' dv, which is of the order of dt.
double LawRows::friction(const Activation& activation, int row) const {
  const ContactPoint& point = points[activation.point];
  if (point.law.friction_law == nullptr || activation.stuck_before()) return point.law.friction;
  const double* gamma_T = &gamma_A[static_cast<std::size_t>(row)];
  const double speed = point.friction_rows() == 2 ? std::hypot(gamma_T[0], gamma_T[1]) : std::abs(gamma_T[0]);
  return speed <= stick_speed_m_s ? point.law.friction : point.law.friction_law->at(speed);
}

double LawRows::dry_effort(const Activation& activation) const {
  return kinematics != nullptr ? kinematics->dry_effort(activation.point) : points[activation.point].law.dry_effort;
}

}  // namespace freeplay::contact
