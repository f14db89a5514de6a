#include "freeplay/contact/problem/contact_ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace freeplay::contact {

void forget_last_step(State& state) {
  for (ContactMemory& memory : state.contacts) {
    // Most points were open and have nothing to forget.
    if (memory.mode == ContactMode::kOpen && memory.normal_velocity_after == 0 && memory.normal_drift == 0) continue;
    const ContactMemory before = memory;
    memory = {};
    memory.key = before.key;
    memory.impact_loss = before.impact_loss;
    memory.friction_loss = before.friction_loss;
  }
}

void book_contacts(const LedgerEntry& step, const ContactKinematics& kinematics, State& state) {
  forget_last_step(state);
  int row = step.laws.bilateral;
  for (const Activation& activation : step.laws.active) {
    const ContactPoint& point = step.laws.points[activation.point];
    ContactMemory& memory = state.contacts[static_cast<std::size_t>(activation.point)];
    const auto gamma_A = [&](int i) { return step.laws.gamma_A[static_cast<std::size_t>(i)]; };
    bool is_closed = !point.has_normal;
    // With M and W at the midpoint, an impulse gives the kinetic energy Lambda W^T (u_A + u_E) / 2, exactly. Of that,
    // Lambda (gamma_A + gamma_E) / 2 is lost in the contact, and -Lambda w~ comes from the drive of a moving surface.
    if (point.has_normal) {
      const double Lambda = step.Lambda[row];
      memory.normal_impulse = Lambda;
      memory.normal_drift = activation.drift_m_s;
      memory.normal_velocity_before = activation.start_velocity(gamma_A(row));
      const double after = step.rows.velocity(row, step.u_E);
      memory.normal_velocity_after = after + memory.normal_drift;
      memory.step_impact_loss = -Lambda * (gamma_A(row) + after) / 2;
      state.account.input -= Lambda * step.rows.w_tilde(row);
      is_closed = Lambda > 0;
      ++row;
    }
    bool sticks = false;
    if (point.has_friction()) {
      double slip = 0;
      for (int k = 0; k < point.tangents; ++k, ++row) {
        const double after = step.rows.velocity(row, step.u_E), Lambda = step.Lambda[row];
        memory.tangential_impulse[k] = Lambda;
        memory.tangential_velocity_before[k] = gamma_A(row);
        memory.tangential_velocity_after[k] = after;
        memory.step_friction_loss -= Lambda * (gamma_A(row) + after) / 2;
        state.account.input -= Lambda * step.rows.w_tilde(row);
        slip = std::max(slip, std::abs(after + step.laws.tangential_restitution(activation) * gamma_A(row)));
      }
      sticks = slip <= step.laws.stick_speed_m_s;
    } else {
      memory.tangential_velocity_before[0] = memory.tangential_velocity_after[0] =
          std::numeric_limits<double>::quiet_NaN();
    }
    if (point.has_place)
      memory.impulse = kinematics.in_world(activation.point, memory.normal_impulse, memory.tangential_impulse);
    memory.mode = !is_closed ? ContactMode::kOpen : sticks ? ContactMode::kStick : ContactMode::kSlip;
    memory.impact_loss += memory.step_impact_loss;
    memory.friction_loss += memory.step_friction_loss;
    state.account.impact_loss += memory.step_impact_loss;
    state.account.friction_loss += memory.step_friction_loss;
  }
}

}  // namespace freeplay::contact
