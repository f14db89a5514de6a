// Moreau's midpoint rule: contacts as set-valued laws between velocities, with a fixed step that does not look for
// impacts (Moreau 1988; Flores, Leine, Glocker 2010, section 5). One step:
//
//   q_M = q_A + dt/2 T u_A          midpoint;  M, W, w_tilde, g there
//   active: g_N(q_M) <= 0           no tolerance
//   M (u_E - u_A) = h dt + W Lambda,   -xi in N_C(Lambda),   xi = gamma_E + e gamma_A     (eqs 76 to 85)
//   q_E = q_M + dt/2 T u_E
//
// First order. Options: velocity forces h(q_M, u_A) as in the paper, at the midpoint, or implicit; activation by the
// gap as in the paper, or anticipated from gap and approach velocity; projection of penetrations.
#pragma once

#include <optional>

#include "freeplay/contact/contact_step.h"
#include "freeplay/contact/gap_projection.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/mechanism/projection.h"

namespace freeplay {

class MoreauMidpoint final : public Integrator {
 public:
  MoreauMidpoint(const System& system, const ContactModel& contacts, const IntegratorOptions& options);

  StepReport start(State& state) override;
  StepReport step(State& state, double t_limit) override;
  const IntegratorCounts& counts() const override { return counts_; }
  StepStatus evaluate(const State& state, Dynamics& dynamics, ContactKinematics& contacts) override;
  std::optional<LocalProblem> contact_problem() const override {
    return contact_step_.active().empty() ? std::nullopt : std::optional(contact_step_.problem());
  }
  std::string failure_details() const override { return failure_details_; }

 private:
  double size_of_step(double t, double t_limit) const;
  // From state.q to q_M, with the gaps there.
  void go_to_midpoint(const State& state, double dt);
  void choose_active(const State& state, double dt);
  void anticipate(int point, double dt);
  [[nodiscard]] bool anticipate_more(double dt);
  // Velocities u_E with contacts and bilateral rows.
  [[nodiscard]] StepStatus velocity_step(const State& state, double dt, StepReport& report);
  [[nodiscard]] StepStatus velocities_with_active(const State& state, double dt, StepReport& report);
  [[nodiscard]] StepStatus contact_velocities(double dt, ContactStep::Guess guess, StepReport& report);
  [[nodiscard]] bool gaps_stay_open();
  void accelerate(const ConstVecRef& u);
  [[nodiscard]] StepStatus free_velocities(const State& state, double dt);
  [[nodiscard]] StepStatus implicit_velocities(const State& state, double dt, StepReport& report);
  [[nodiscard]] bool solve_velocity_terms(const State& state, double dt);
  void book_powers(const State& state, double dt, EnergyAccount& account);
  void book_projection(State& state, double dt);
  void advance_positions(State& state, double dt);
  [[nodiscard]] StepStatus remove_drift(State& state, StepReport& report);

  const System& system_;
  const ContactModel& contacts_;
  IntegratorOptions options_;
  IntegratorCounts counts_;
  int rows_;

  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<ContactKinematics> kinematics_;
  MassMatrix M_;
  ContactStep contact_step_;
  BilateralWorkspace bilateral_;
  std::optional<GapProjection> gap_projection_;

  // The last step, for evaluate().
  double t_M_ = 0, dt_ = 0;
  VecX q_M_;
  VecX u_h_;  // the velocity at which h was taken
  VecX u_A_, u_E_;
  VecX row_impulses_;                     // of the bilateral rows, the projection at the end of the step included
  VecX normal_force_, tangential_force_;  // per point, means over the step

  VecX g_A_, g_M_, g_previous_, gamma_N_, gamma_NA_;
  bool gaps_are_known_ = false;  // g_previous_
  VecX acceleration_, u_free_, delta_, row_effort_;
  VecX residual_, probe_, contact_change_;  // implicit velocity terms
  MatX jacobian_;
  Eigen::PartialPivLU<MatX> factored_;
  State before_, trial_;
  std::string failure_details_;
};

std::unique_ptr<Integrator> make_moreau_midpoint(const System& system, const ContactModel& contacts,
                                                 const IntegratorOptions& options);

}  // namespace freeplay
