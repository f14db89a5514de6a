// The contact problem of one velocity step: active set -> W -> G = W^T M^-1 W -> local problem -> certified Lambda.
// Laws become data here; the solver knows none, and the time stepping knows neither.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "freeplay/complementarity/problem/solver.h"
#include "freeplay/contact/points/contact_model.h"

namespace freeplay::contact {

struct ContactStepOptions {
  std::string solver = "auto";
  double tolerance_m_s = 1e-9;  // on the natural residual
  RFactor r_factor = RFactor::kSpectral;
  double bilateral_weight = 0;  // a bilateral row ends the step with  gamma_E + weight gamma_A = 0
  bool may_be_compact = false;  // for systems of many trees: rows and G sparse; no response(), no normal_row()
};

// How the normal row of an active point is to end the step:  gamma_NE >= -restitution gamma_NA - approach.
struct Activation {
  int point = 0;
  double restitution = 0;   // e_N of Newton's impact law
  double approach_m_s = 0;  // > 0: it may still close an open gap at this rate; < 0: it must open a closed one
};

struct ContactStepReport {
  bool solved = true;
  double residual_m_s = 0;
  int iterations = 0;
  int worst_row = -1;          // of the problem; see worst_name()
  bool used_fallback = false;  // another solver than the chosen one delivered
};

class ContactStep {
 public:
  // The bilateral rows of the system come first in the problem.
  ContactStep(const System& system, const ContactModel& contacts, const ContactStepOptions& options);

  // The active set of the next solve.
  void clear_active();
  void activate(const Activation& activation);
  bool is_empty() const { return bilateral_count_ == 0 && active_.empty(); }
  const std::vector<Activation>& active() const { return active_; }
  // Between solves of the same rows: another approach of an active point, by its place in active(), and velocities
  // with which bilateral rows are to end the step,  gamma_E = -approach  (zero until set).
  void set_approach(std::size_t k, double approach_m_s) { active_[k].approach_m_s = approach_m_s; }
  VecRef bilateral_approach() { return bilateral_approach_; }

  // W and gamma_A of the bilateral rows and of the active points, at the position set in the dynamics and, for the
  // kinematics, after update_gaps. M must be factored.
  void assemble(Dynamics& dynamics, ContactKinematics& kinematics, const MassMatrix& M, const ConstVecRef& u_A);
  // u_E = u_free + M^-1 W Lambda. May be called again with another u_free after one assemble(), then with the answer
  // before as a guess. A first solve takes none: which of several solutions is found must not depend on the past.
  enum class Guess : std::uint8_t { kNone, kLastAnswer };
  [[nodiscard]] ContactStepReport solve(const MassMatrix& M, const ConstVecRef& u_free, double dt, VecRef u_E,
                                        Guess guess);
  // The same for rules whose velocities respond to impulses through another matrix Mhat than M: collect() the rows,
  // turn the columns of response(), which hold W, into Mhat^-1 W, and accept_response() makes G = W^T Mhat^-1 W of
  // them, unsymmetric in general. Then solve, u_E = u_free + Mhat^-1 W Lambda.
  void collect(Dynamics& dynamics, ContactKinematics& kinematics, const ConstVecRef& u_A);
  Eigen::Ref<MatX> response();
  void accept_response();
  [[nodiscard]] ContactStepReport solve(const ConstVecRef& u_free, double dt, VecRef u_E, Guess guess);

  // The problem of the last solve(), for those who collect them; valid until the next assemble() or solve().
  LocalProblem problem() const {
    if (rows_.is_compact) return {sparse_G_, c_.head(count_), blocks_};
    return {G_.topLeftCorner(count_, count_), c_.head(count_), blocks_};
  }
  // After solve(): what every contact point did. Adds the losses to the account.
  void remember(const ContactKinematics& kinematics, const ConstVecRef& u_E, State& state) const;
  // A step without any row: all points open.
  static void remember_open(State& state);

  // Impulses of the bilateral rows, after solve().
  ConstVecRef bilateral_impulses() const { return Lambda_.head(bilateral_count_); }
  // Of an active point with a normal row, by its place in active(): its impulse after solve(), its velocity before and
  // for other velocities.
  double normal_impulse(std::size_t k) const { return Lambda_[first_row_[k]]; }
  double normal_velocity_before(std::size_t k) const { return gamma_A_[first_row_[k]]; }
  double normal_velocity(std::size_t k, const ConstVecRef& u) const { return row_velocity(first_row_[k], u); }
  double row_velocity(int row, const ConstVecRef& u) const { return rows_.dot(row, u) + rows_.w_tilde[row]; }
  // Its row of W: may be replaced between assemble() and response(). Then the velocities before belong to other rows,
  // until they are asked for anew.
  void update_velocities_before(const ConstVecRef& u_A);
  VecRef normal_row(std::size_t k) { return row_of(k, 0); }
  VecRef row_of(std::size_t k, int row) { return rows_.W.col(first_row_[k] + row); }
  double row_velocity_before(int row) const { return gamma_A_[row]; }
  // Lambda^T G Lambda, after solve().
  double impulse_energy() const;
  // W Lambda, after solve().
  void generalised_impulse(VecRef sum) const;
  // Whether a closed normal row moves the velocities of a block of the mass matrix, be it through bilateral rows.
  bool touches(const MassStructure::Block& block) const;
  bool is_active(int point) const;
  // "guide_2" or the name of a bilateral row.
  std::string row_name(int row) const;

 private:
  bool has_normal_rows() const;
  bool acts_on(int row, const MassStructure::Block& tree) const;
  void make_room(int rows);
  // G by contacts: two of them couple where they share a tree.
  void assemble_sparse(const MassMatrix& M);
  void make_blocks(double dt);
  // Lambda, certified, and z = the sum of Lambda times the columns of B.
  ContactStepReport find_impulses(const ConstVecRef& u_free, double dt, Guess guess);
  SolveReport run_solver(const LocalProblem& problem, Guess guess, bool& used_fallback);

  const System& system_;
  const ContactModel& contacts_;
  ContactStepOptions options_;
  std::unique_ptr<Solver> solver_, fallback_;
  int bilateral_count_;
  std::vector<Activation> active_;
  std::vector<int> active_points_, first_row_;
  BilateralRows bilateral_;
  ContactRows rows_;
  MatX B_;  // L^-T W, or Mhat^-1 W
  MatX G_;
  // Where rows are compact: the tree of each velocity, the active points at each tree one after the other.
  BlockSparseMatrix sparse_G_;
  std::vector<int> tree_of_velocity_, tree_begin_, points_at_tree_, contact_begin_, neighbours_;
  std::vector<char> is_active_;  // per point
  VecX c_, gamma_A_, Lambda_, z_;
  VecX bilateral_approach_;
  std::vector<ImpulseBlock> blocks_;
  int count_ = 0;  // rows of the problem
};

}  // namespace freeplay::contact
