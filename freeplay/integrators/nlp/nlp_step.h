// One step of the nonlinear program of Chaturvedi, Sandu, Sandu (2024), eqs (25) and (31), at a given size h:
//
//   min |T|^2 in the metric M^-1   with   M (v - v_A) = h (Q - S) + T,   q = q_A + h T(q_A) v,   g(q) >= 0,
//
// all matrices at q_A. For fixed h this is a convex quadratic program in v. Its multipliers are the contact forces, and
// its optimality conditions are complementarity between them and the gaps at the end of the step; (25) as printed
// leaves that out, and lets open contacts push (docs/theory/nonlinear_program.md). With friction the cone solvers take
// the same rows.
//
//   plain       g_A + h W^T v >= 0: the gap to first order, as in the paper
//   corrected   the gap itself: the program is repeated with what the first order has missed, until that settles
//   disc        the gap itself with the normals at the end of the step, for round play; stable at any h, and damped
#pragma once

#include <Eigen/LU>
#include <vector>

#include "freeplay/contact/problem/contact_step.h"
#include "freeplay/integrators/integrator.h"

namespace freeplay::integrators {

class NlpStep {
 public:
  NlpStep(const System& system, const ContactModel& contacts, const IntegratorOptions& options);

  Dynamics& dynamics() { return *dynamics_; }
  ContactKinematics& kinematics() { return *kinematics_; }
  bool has_points_of(const State& state) const { return kinematics_->set().is_aligned(state); }
  ContactStep& contact_step() { return contact_step_; }
  const ContactStep& contact_step() const { return contact_step_; }

  // At the state from which steps of up to `longest_s` are tried.
  [[nodiscard]] StepStatus linearise(const State& state, double longest_s);
  // The end of a step of size h from there.
  [[nodiscard]] StepStatus attempt(const State& state, double h);

  // After the attempt that counts: what contacts did belongs to the normals that it took, which a disc step has from
  // the end. They stay in `kinematics()` until the next linearise(); turn_normals() gives them to another one at q_A.
  void finish(const State& state);
  void turn_normals(ContactKinematics& kinematics) const;

  // After attempt():
  const VecX& velocities() const { return u_E_; }
  const VecX& position() const { return q_E_; }
  bool is_disc_step() const { return rows_are_replaced_; }
  double residual_m_s() const { return residual_m_s_; }
  double position_residual_m() const;  // deepest gap, largest residual of a bilateral row
  double equation_residual_N(const State& state);
  int iterations() const { return iterations_; }
  bool used_fallback() const { return used_fallback_; }
  // J = T^T M^-1 T and dJ/ds, s = 1/h.
  double objective() const;
  double objective_slope() const;
  // A point that was open at the start ends the step loaded or violated.
  bool lands() const;
  // After linearise(): the longest step in [shortest, longest] in which nothing would touch to first order; 0 if there
  // is none.
  double longest_free_step(double shortest_s, double longest_s);
  // The largest frequency of points that slide in round play under their forces, rad/s: plain and corrected steps are
  // stable for h < 2/omega. 0 if it is below `relevant` for sure.
  double lateral_frequency(double relevant);

 private:
  // Active points in round play: rows of their centres across the normal.
  struct RoundPoint {
    std::size_t active = 0;
    int first_row = 0, rows = 0;  // of centre_rows_
    double clearance_m = 0;
    Vec3 normal = Vec3::UnitX();  // that a disc step took, along the normal at the start and the centre rows
  };

  void begin_attempt(const State& state, double h);
  void assemble(const State& state);
  [[nodiscard]] StepStatus solve(const State& state, double h);
  [[nodiscard]] StepStatus solve_disc(const State& state, double h);
  void begin_disc(const State& state);
  void write_disc_program(double h, bool has_impulses);
  [[nodiscard]] StepStatus solve_disc_program(double h);
  bool correct_disc(double h);
  // What the linearised gap has missed at the end of the step. True if that is what was expected.
  bool correct(int point, double expected_gap_m);
  bool correct_rows(double h);
  bool appears_closed() const;
  void find_round_points();
  void turn_to_end(std::size_t index, double h, bool has_impulse);
  void turn_tangents(const RoundPoint& round);
  // How far the centre of a round part is from the middle of its play at the end of a step that ends with u, in the
  // basis of the normal at the start and the centre rows.
  Vec3 offset_of_centre(const RoundPoint& round, std::size_t index, double h, const ConstVecRef& u) const;
  void activate_candidates(const State& state, double longest_s);
  // True if a point that was left out would end the step closed: it joins, and everything has to be solved again.
  bool add_missed(double h);
  double tolerance_m(int point) const;
  void evaluate_end(const State& state, double h);

  const ContactModel& contacts_;
  IntegratorOptions options_;
  int rows_;
  bool has_friction_ = false;
  std::unique_ptr<Dynamics> dynamics_, probe_;  // at q_A, and at the end of a step
  std::unique_ptr<ContactKinematics> kinematics_, probe_kinematics_;
  MassMatrix M_, factored_;
  ContactStep contact_step_;

  double h_ = 0;       // of the last attempt
  double size_m_ = 0;  // of the largest coordinate: gaps are rounded to a few units of its last place
  VecX acceleration_, u_free_, u_E_, q_E_, delta_, forces_;
  VecX g_A_, g_E_, gamma_A_, gamma_free_;  // per point
  VecX row_g_A_, row_g_E_;                 // of the bilateral rows
  VecX error_, row_error_;                 // what the first order misses: g_E - (g_A + h gamma)
  bool rows_are_replaced_ = false;         // by those of a disc step
  std::vector<RoundPoint> round_;
  RowStore centre_rows_, point_rows_;
  RowStore normal_rows_;  // of the round points, in their order, as they were at the start
  MatX lateral_, hessian_;
  Eigen::PartialPivLU<MatX> factored_hessian_;
  VecX lateral_vector_, u_before_;
  double residual_m_s_ = 0;
  int iterations_ = 0;
  bool used_fallback_ = false;
};

}  // namespace freeplay::integrators
