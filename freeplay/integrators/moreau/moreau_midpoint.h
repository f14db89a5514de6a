// Moreau's midpoint rule: contacts as set-valued laws between velocities, with a fixed step that does not look for
// impacts (Moreau 1988; Flores, Leine, Glocker 2010, section 5). One step:
//
//   q_M = q_A + dt/2 T u_A          midpoint;  M, W, w_tilde, g there
//   active: g_N(q_M) <= 0           no tolerance
//   M (u_E - u_A) = h dt + W Lambda,   -xi in N_C(Lambda),   xi = gamma_E + e gamma_A     (eqs 76 to 85)
//   q_E = q_M + dt/2 T u_E
//
// Contacts that last stay active while they carry an impulse, and their velocities are those at the ends of the step,
// unless the paper's rule is chosen for them too (LastingContacts).
// First order. Options: velocity forces h(q_M, u_A) as in the paper, at the midpoint, or implicit; activation by the
// gap as in the paper, or anticipated from gap and approach velocity; projection of penetrations.
#pragma once

#include "freeplay/integrators/moreau/moreau_stepping.h"
#include "freeplay/mechanism/dynamics/free_bodies.h"

namespace freeplay::integrators {

class MoreauMidpoint final : public MoreauStepping {
 public:
  MoreauMidpoint(const System& system, const ContactModel& contacts, const IntegratorOptions& options);

 private:
  double horizon(double dt) const override;
  [[nodiscard]] StepStatus velocity_step(const State& state, double dt, StepReport& report) override;
  void book_powers(const State& state, double dt, EnergyAccount& account) override;
  void advance_positions(State& state, double dt) override;
  void go_to_forces(bool has_moved, StepRecord& record) override;

  void choose_active(const State& state, double dt);
  void settle_normals(const State& state, double dt);
  void settle_normals();
  bool joins_early(int point, double g_E_m, double margin_m, bool is_pile) const;
  bool was_loaded(int point) const;  // in the step before
  void anticipate(int point, double dt);
  void look_at_start(const State& state, double dt);
  [[nodiscard]] bool anticipate_more(const State& state, double dt);
  [[nodiscard]] StepStatus velocities_with_active(const State& state, double dt, StepReport& report);
  [[nodiscard]] StepStatus contact_velocities(double dt, ContactStep::Guess guess, StepReport& report);
  void accelerate(const ConstVecRef& u);
  [[nodiscard]] StepStatus free_velocities(const State& state, double dt);
  [[nodiscard]] StepStatus implicit_velocities(const State& state, double dt, StepReport& report);
  bool is_settled(double left, double left_before) const;
  [[nodiscard]] bool repeat_velocity_terms(const State& state, double dt);
  [[nodiscard]] bool solve_velocity_terms(const State& state, double dt);
  // Blocks: velocities that are taken as coupled among each other only.
  [[nodiscard]] bool newton_on_velocity_terms(const State& state, double dt,
                                              std::span<const MassStructure::Block> blocks);

  bool is_deep_;             // some tree
  FreeBodies* free_bodies_;  // the dynamics, where there is nothing else; or null
  bool has_mass_ = false;    // M_ is that of this step, factored; of free bodies that of every step
  VecX u_h_;                 // the velocity at which h was taken
  VecX u_settling_;          // that gave concentric parts their normals
  VecX g_A_, gamma_N_, gamma_NA_;
  VecX u_free_;
  VecX residual_, probe_, slope_, contact_change_, u_start_;  // implicit velocity terms
  MatX jacobian_;                                             // the blocks one below the other
};

std::unique_ptr<Integrator> make_moreau_midpoint(const System& system, const ContactModel& contacts,
                                                 const IntegratorOptions& options);

}  // namespace freeplay::integrators
