// The contact problem of one velocity step, from the active points to what they did: rows (RowStore) -> G (Delassus) ->
// sets and constants (write_velocity_laws) -> certified impulses (ImpulseSolver) -> velocities -> memory
// (book_contacts). The parts know nothing of each other; this is the order in which a step needs them.
#pragma once

#include <string>
#include <vector>

#include "freeplay/complementarity/iterative/self_stress.h"
#include "freeplay/contact/points/contact_model.h"
#include "freeplay/contact/problem/delassus.h"
#include "freeplay/contact/problem/impact.h"
#include "freeplay/contact/problem/impulse_solver.h"
#include "freeplay/contact/problem/law_writer.h"
#include "freeplay/contact/problem/load_bounds.h"

namespace freeplay::contact {

struct ContactStepOptions {
  std::string solver = "auto";
  double tolerance_m_s = 1e-9;  // on the natural residual
  RFactor r_factor = RFactor::kSpectral;
  int threads = 1;              // of the solver
  double bilateral_weight = 0;  // a bilateral row ends the step with  gamma_E + weight gamma_A = 0
  // Where contacts contradict each other (nearest_data.h). The report says that it happened, and the user is told.
  bool may_change_data = false;
  ImpactEnergy impact_energy = ImpactEnergy::kWarn;
  // Very many contacts are solved without a matrix, from the impulses of the step before (docs/theory/piles.md).
  bool may_sweep = false;
  // Every step is an instant in which parts strike, so that impacts of Newton's law alone can be limited as well.
  bool is_instant = false;
};

struct ContactStepReport {
  bool solved = true;
  double residual_m_s = 0;
  double limit_m_s = 0;  // up to which a residual counts as solved
  int iterations = 0;
  int worst_row = -1;          // of the problem; see row_name()
  bool used_fallback = false;  // another solver than the chosen one delivered
  bool lowered_restitution = false;
  bool kept_gaps = false;         // what may still have closed did not
  double impact_gain_J = 0;       // an impact by Poisson's law that gained energy, before it was limited
  bool is_contradictory = false;  // not solved, and a self-stress speaks against the velocities that are asked for
};

class ContactStep {
 public:
  // The bilateral rows of the system come first in the problem. Points are places in the set of `kinematics`, which
  // must outlive this.
  ContactStep(const System& system, const ContactModel& contacts, const ContactKinematics& kinematics,
              const ContactStepOptions& options);

  // The active set of the next solve.
  void clear_active();
  void activate(const Activation& activation);
  bool is_empty() const { return bilateral_count_ == 0 && active_.empty(); }
  const std::vector<Activation>& active() const { return active_; }
  bool is_active(int point) const;
  // Whether impacts may have phases, in which every active contact takes part.
  bool knows_poisson() const { return knows_poisson_; }
  // Between solves of the same rows: another approach of an active point, by its place in active(), and velocities
  // with which bilateral rows are to end the step,  gamma_E = -approach  (zero until set).
  void set_approach(std::size_t k, double approach_m_s) { active_[k].approach_m_s = approach_m_s; }
  // After collect() or assemble(): the drift of an active point (Activation), zero until set.
  void set_drift(std::size_t k, double drift_m_s) { active_[k].drift_m_s = drift_m_s; }
  VecRef bilateral_approach() { return bilateral_approach_; }

  // Rows and velocities before of the bilateral rows and of the active points, at the position set in the dynamics and,
  // for the kinematics, after update_gaps; then G. M must be factored.
  void assemble(Dynamics& dynamics, ContactKinematics& kinematics, const MassMatrix& M, const ConstVecRef& u_A);
  // u_E = u_free + M^-1 W Lambda. May be called again with another u_free after one assemble(), then with the answer
  // before as a guess. A first solve takes the modes of the step before, which the state remembers, and only if these
  // lead to nothing its impulses: what redundant contacts once pressed on each other should not last. In the plane it
  // is told which joints with play were loaded, and no more. (A pile is the exception: its first solve starts from the
  // impulses themselves.)
  enum class Guess : std::uint8_t { kNone, kLastAnswer };
  [[nodiscard]] ContactStepReport solve(const MassMatrix& M, const ConstVecRef& u_free, double dt, VecRef u_E,
                                        Guess guess);
  // The same for rules whose velocities respond to impulses through another matrix Mhat than M: collect() the rows,
  // turn the columns of open_response(), which hold W, into Mhat^-1 W, and close_response(). Then solve,
  // u_E = u_free + Mhat^-1 W Lambda.
  void collect(Dynamics& dynamics, ContactKinematics& kinematics, const ConstVecRef& u_A);
  void reserve_response();  // so that these allocate nothing
  // While Mhat is M: G of the rows collected, for solve() with M. Pays off where G is sparse.
  void assemble_collected(const MassMatrix& M);
  bool has_many_trees() const { return G_.is_sparse(); }
  Eigen::Ref<MatX> open_response() {
    is_pile_ = false;
    return G_.open_response(rows_);
  }
  void close_response() { G_.close_response(rows_); }
  // An impact by Poisson's law takes no time, and no force acts in it: such rules call this after collect() and
  // set_drift(), so that the impact is solved with W^T M^-1 W. M must be factored.
  void assemble_impact(const MassMatrix& M);
  [[nodiscard]] ContactStepReport solve(const ConstVecRef& u_free, double dt, VecRef u_E, Guess guess);

  // The problem of the last solve(), for those who collect them; valid until the next assemble() or solve().
  LocalProblem problem() const { return {G_.view(), c_.head(rows_.size()), blocks_}; }
  // After solve(): what every contact point did. Adds the losses to the account.
  void remember(const ContactKinematics& kinematics, const ConstVecRef& u_E, State& state) const;

  // The rows. A rule may replace those of a point between collect() and open_response(); then the velocities before
  // belong to other rows, until they are asked for anew.
  RowStore& rows() { return rows_; }
  const RowStore& rows() const { return rows_; }
  int first_row(std::size_t k) const { return first_row_[k]; }
  void update_velocities_before(const ConstVecRef& u_A);
  double velocity_before(int row) const { return gamma_A_[row]; }

  // After solve(): impulses of the bilateral rows, and of the normal row of an active point by its place in active().
  // Of all rows, bilateral ones first.
  ConstVecRef impulses() const { return Lambda_.head(rows_.size()); }
  ConstVecRef bilateral_impulses() const { return Lambda_.head(bilateral_count_); }
  double normal_impulse(std::size_t k) const { return Lambda_[first_row_[k]]; }
  double normal_velocity_before(std::size_t k) const { return gamma_A_[first_row_[k]]; }
  double normal_velocity(std::size_t k, const ConstVecRef& u) const { return rows_.velocity(first_row_[k], u); }
  // Lambda^T G Lambda, and W Lambda.
  // Whether the rows were assembled as those of a pile, without a matrix.
  bool is_pile() const { return is_pile_; }
  double impulse_energy() const { return G_.energy(Lambda_.head(rows_.size())); }
  void generalised_impulse(VecRef sum) const;
  // After solve(): whether the impulse of a normal row moves the velocities of each tree, be it through bilateral rows;
  // in the order of trees. What gives its own row no more than the solver's tolerance is rounding, not an impulse.
  std::span<const char> pushed_trees();
  // "guide_2" or the name of a bilateral row.
  std::string row_name(int row) const;

 private:
  void make_room(int rows);
  void make_room_for_points();
  LawRows law_rows(double dt) const;
  // From the impulses of the step before, then with the nearest data that do not contradict each other.
  void solve_after_failure(double dt, ContactStepReport& report, ImpulseSolver::Outcome& outcome);
  // recalled_: the impulses of the step before. Only after a failure: they may hold what rough walls have once pressed
  // on, which is a solution, but not the only one. False if there are none.
  bool recall_impulses();
  // remembered_: the answer before for the rows that had one in this step, and the impulses of the step before for all
  // others. False if all are zero, which says no more than no guess would.
  bool recall_for_guess();
  // Poisson's law has phases, which forces have no part in: an impact at the velocities before comes first, and the
  // step goes on from there without restitution. Finds impact_impulses_ and has_impact_.
  ImpactReport find_impact();
  bool strikes() const;
  void find_block_begins();
  bool takes_part_in_impact(std::size_t k) const;
  void note(const ImpulseSolver::Outcome& outcome, ContactStepReport& report) const;
  // Lambda, certified.
  ContactStepReport find_impulses(const ConstVecRef& u_free, double dt, Guess guess);

  const System& system_;
  const ContactKinematics& kinematics_;
  ContactStepOptions options_;
  ImpulseSolver solver_;
  int bilateral_count_;
  std::vector<int> tied_;  // trees, by bilateral rows
  int room_ = 0;
  std::vector<Activation> active_;
  std::vector<int> first_row_, block_begin_;
  bool is_pile_ = false;
  int answered_rows_ = 0;        // of the present active set, which has been solved before it grew
  std::vector<char> is_active_;  // per point of the set
  RowStore rows_;
  Delassus G_;
  VecX c_, gamma_A_, Lambda_, change_;
  Impact impact_;
  bool limits_newton_, knows_poisson_;
  bool responds_otherwise_ = false;  // than by M: G_ is not that of an impact
  Delassus impact_G_;                // of these rules
  bool has_impact_ = false;
  ImpactReport impact_report_;
  std::vector<ImpactContact> impact_contacts_;
  VecX impact_velocities_, impact_impulses_;  // before, then by it
  SelfStress self_stress_;
  VecX targets_, stress_, recalled_;  // of contradictory problems only
  VecX remembered_;
  VecX bilateral_approach_;
  std::vector<ImpulseBlock> blocks_;
  LoadBounds load_bounds_;
  std::vector<char> is_pushed_;  // per tree
};

}  // namespace freeplay::contact
