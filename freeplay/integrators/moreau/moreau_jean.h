// The theta method of Moreau and Jean: smooth forces implicitly, contacts as set-valued laws between velocities, with a
// fixed step that does not look for impacts (Jean and Moreau 1987; Jean 1999). One step:
//
//   q_M = q_A + dt/2 T u_A          prediction;  M, W, w_tilde there
//   active: g_N(q_M) <= 0           no tolerance
//   M (u_E - u_A) = dt (theta h(t_E, q_E, u_E) + (1 - theta) h(t_A, q_A, u_A)) + W Lambda
//   q_E = q_A + dt T (theta u_E + (1 - theta) u_A)
//   -xi in N_C(Lambda),   xi = gamma_E + e gamma_A
//
// Contacts that last: as in moreau_midpoint.h. An impact by Poisson's law comes first, solved with M alone: it is an
// instant, in which no spring acts, however stiff. Its impulses are among Lambda, and the forces follow.
// By Newton's method, with the contact problem inside each iteration: G = W^T Mhat^-1 W with
// Mhat = M - dt theta dh/du - dt^2 theta^2 dh/dq T. Second order for theta = 1/2 where nothing touches, first order
// otherwise; unconditionally stable on linear springs and dampers for theta >= 1/2.
#pragma once

#include "freeplay/integrators/moreau/iteration_matrix.h"
#include "freeplay/integrators/moreau/moreau_stepping.h"

namespace freeplay::integrators {

class MoreauJean final : public MoreauStepping {
 public:
  MoreauJean(const System& system, const ContactModel& contacts, const IntegratorOptions& options);
  bool fits(const State& state) const override {
    const std::size_t own = state.method.size() - std::min(state.method.size(), kSharedNumbers);
    return state.method.size() >= kSharedNumbers && (own == 0 || own == 1 + P_.entries()) && has_points_of(state);
  }
  StepStatus resume(const State& state, const IntegratorCounts& counts) override;

 private:
  [[nodiscard]] StepStatus velocity_step(const State& state, double dt, StepReport& report) override;
  void book_powers(const State& state, double dt, EnergyAccount& account) override;
  void advance_positions(State& state, double dt) override;
  void go_to_forces(bool has_moved, StepRecord& record) override;
  void write_method(State& state) const override { P_.write(state.method, kSharedNumbers); }
  void read_method(const State& state) override { P_.read(state.method, kSharedNumbers); }

  void forces_at_start(const State& state);
  // Sets q_E_, and `acceleration` to M^-1 h at the end of a step that ends with u. h_E_ is that h.
  void acceleration_at_end(const State& state, double dt, const ConstVecRef& u, VecRef acceleration);
  // The residual of the smooth equation of motion at u_E_, as a velocity.
  [[nodiscard]] bool smooth_residual(const State& state, double dt);
  [[nodiscard]] StepStatus iterate(const State& state, double dt, StepReport& report);
  double rounding(double dt, bool has_new_matrix);
  double coordinate_rounding();
  void renew_matrix(const State& state, double dt);
  void respond_to_impulses();
  Powers powers_on_mean(double t, const VecX& q, const VecX& u);
  [[nodiscard]] StepStatus newton_step(double dt, ContactStep::Guess guess, StepReport& report);

  double theta_;
  IterationMatrix P_;
  bool is_deep_;                // some tree
  bool responds_by_M_ = false;  // the velocities of the present contact problem, instead of by Mhat

  // Ends of the step. h_E of one step is h_A of the next where nothing moves the state in between.
  double t_h_ = 0;
  VecX q_h_, u_h_, h_E_;
  bool has_h_ = false;
  VecX h_A_, a_A_, a_E_, q_E_;

  VecX residual_;  // P^-1 of the smooth residual
  VecX u_free_, jump_, change_, u_before_;

  // Where the forces of the step acted: the theta point.
  double t_theta_ = 0;
  VecX q_theta_, u_theta_;
  VecX u_mean_;  // of the ends of the step
};

std::unique_ptr<Integrator> make_moreau_jean(const System& system, const ContactModel& contacts,
                                             const IntegratorOptions& options);

}  // namespace freeplay::integrators
