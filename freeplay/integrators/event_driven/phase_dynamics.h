// Motion between two events: which contacts are closed and which of them stick is fixed, so that the equations of
// motion are ordinary ones,
//   M du/dt = h + W_B lambda_B + (W_N - mu W_T d) lambda_N + W_T lambda_T,   dgamma/dt = 0 in all rows that are kept
// (Pfeiffer 1999, eqs 72 and 73, with the index sets I_N of closed contacts and I_T of those that stick; d is the
// direction in which a contact slides).
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "freeplay/complementarity/linear/rank_revealing_solver.h"
#include "freeplay/contact/points/contact_model.h"
#include "freeplay/integrators/event_driven/load_rounds.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/smooth/packed_state.h"

namespace freeplay::integrators {

// What a contact point does until the next event.
struct PointPhase {
  ContactMode mode = ContactMode::kOpen;
  Vec2 direction = Vec2::Zero();  // in which it slides or begins to, a unit vector; in the plane (1, 0) or (-1, 0)

  bool is_closed() const { return mode != ContactMode::kOpen; }
  friend bool operator==(const PointPhase&, const PointPhase&) = default;
};

// Of a closed point at one state.
struct PointForces {
  int point = 0;
  double normal_N = 0;
  Vec2 tangential_N = Vec2::Zero();
  Vec2 sliding_m_s = Vec2::Zero();
  double friction = 0;  // mu: of sticking where it sticks, otherwise at its speed
  double limit_N = 0;   // of the tangential force
  // Where forces are not unique: by how much the normal row, and the friction rows, give way if nothing else than the
  // laws of the contacts holds them, m/s^2; 0 otherwise.
  double opens_m_s2 = 0, slips_m_s2 = 0;
};

class PhaseDynamics : public PackedState {
 public:
  // Quadratures of y: the friction loss of each point. System and contacts must outlive this. `standing_m_s`: a sliding
  // speed that is an error of the motion, see sliding_direction().
  PhaseDynamics(const System& system, const ContactModel& contacts, double standing_m_s);

  int point_count() const { return static_cast<int>(phases_.size()); }
  const ContactSet& points() const { return kinematics_->set(); }
  const PointPhase& phase(int point) const { return phases_[static_cast<std::size_t>(point)]; }
  void set_phases(std::span<const PointPhase> phases);
  // The same phases with other directions.
  void set_directions(std::span<const PointPhase> phases) { std::copy(phases.begin(), phases.end(), phases_.begin()); }
  // Where the last rate() was taken a step begins: what slides much slower within it is about to stop. Until then, and
  // after set_phases(), nothing is.
  void begin_step();
  // The points that are closed, increasing.
  std::span<const int> closed() const { return closed_; }

  // dy/dt. Allocates nothing once the phases have been set.
  [[nodiscard]] StepStatus rate(double t, const ConstVecRef& y, VecRef y_rate);
  // At the last rate(), in the order of closed().
  std::span<const PointForces> forces() const { return forces_; }
  double largest_force() const;
  // Per closed point the largest force at one of the trees that it acts on: a machine elsewhere says nothing of a
  // grain.
  void forces_nearby(std::span<double> per_point);
  // Whether there are more rows than they can be told apart by: accelerations are unique, forces are not. They are then
  // what is told by set_forces(), of closed()[k].
  bool is_redundant() const { return is_redundant_; }
  void set_forces(std::size_t k, const PointForces& forces) { forces_[k] = forces; }

  // Draws a state onto g = 0 of loops and closed contacts and onto gamma = 0 of these and of what sticks, by the
  // smallest displacement and change of velocity in the norm of the masses. True if the state changed.
  // Velocities that are off by more than `most_m_s` are no drift, but a jump: of a drive, of a belt, or of the
  // direction of a surface. They stay as they are then, and has_jumped().
  bool settle(State& state, StepReport& report, double most_m_s = std::numeric_limits<double>::infinity());
  bool has_jumped() const { return has_jumped_; }
  // What moving drives and surfaces have put in by the last change of velocity.
  double settling_input_J() const { return settling_input_J_; }
  // Gaps of all points at a position.
  void gaps_at(double t, const ConstVecRef& q, VecRef gaps);
  // Brings dynamics and kinematics to a state; then gaps(), normal_velocities() and rows are those there.
  void stand_at(const State& state);
  const VecX& gaps() const { return gaps_; }
  void normal_velocities(VecRef gamma_N) { kinematics_->normal_velocities(gamma_N); }
  // M, the rows of loops and closed points, their bias and the accelerations without their forces, where it stands.
  [[nodiscard]] StepStatus collect(const ConstVecRef& u);
  const MassMatrix& M() const { return M_; }
  const RowStore& rows() const { return rows_; }
  int bilateral_count() const { return bilateral_; }
  int kept_row_count() const { return static_cast<int>(kept_.size()); }
  int first_row(std::size_t k) const { return first_row_[k]; }  // of closed()[k]
  const VecX& free_accelerations() const { return a_free_; }
  const VecX& accelerations() const { return du_; }  // of the last rate()
  // What the forces of loops and closed points do to du/dt, at the last rate(): du/dt minus it is what they hold back.
  void held_accelerations(VecRef held) const {
    if (bilateral_ == 0 && closed_.empty())
      held.setZero();
    else
      held = a_free_ - du_;
  }
  double bias(int row) const { return zeta_[row]; }
  // The velocity of a closed point, by its place in closed().
  double normal_velocity(std::size_t k, const ConstVecRef& u) const;
  Vec2 tangential_velocity(std::size_t k, const ConstVecRef& u) const;

  // The largest effort of a closed point without normal row: dry friction, and what the reactions of the last solution
  // add to it (contact/laws/load_friction.h).
  double forces_at_work() const { return max_abs(h_); }
  double effort_limit(std::size_t k) const { return effort_limit(k, lambda_); }
  double effort_limit(std::size_t k, const ConstVecRef& reactions) const;
  // The direction in which a sliding point slides, by its place in closed().
  Vec2 sliding_direction(std::size_t k) const;

  [[nodiscard]] StepStatus write_record(const State& state, StepRecord& record);
  // The change of velocity that stops all rows that are kept, by impulses; what slides drags along, with its friction.
  // Then the impulses of a closed point, and the energy that moving drives and surfaces put in by them.
  void stop(State& state, StepReport& report);
  PointForces stopping_impulses(std::size_t k) const;
  double stopping_input_J() const;
  // ddg_N of any point at the accelerations of the last rate().
  double normal_acceleration(int point);
  // dgamma_T/dt of a closed point along the direction of its phase, at the last rate().
  double sliding_acceleration(int point) const;
  // What the closed points do at `state`, into its memory.
  void write_forces(State& state) const;

  Dynamics& dynamics() { return *dynamics_; }
  ContactKinematics& kinematics() { return *kinematics_; }
  int contradicting_row() const { return contradicting_row_; }

 private:
  // One row that is kept, and with it one unknown force.
  struct KeptRow {
    int row = 0;
    int closed = -1;  // place in closed(); -1: bilateral
    bool is_normal = false;
  };
  [[nodiscard]] StepStatus accelerations(double t, const ConstVecRef& q, const ConstVecRef& u);
  void list_kept_rows();
  void write_column(const KeptRow& kept, VecRef column) const;
  void find_loaded_accelerations();
  double solve_for_efforts();
  void begin_loads();
  bool loads_have_settled();
  void follow_loads();
  bool slides_under_load(std::size_t k) const {
    return points()[closed_[k]].rubs_by_load() && phase(closed_[k]).mode == ContactMode::kSlip;
  }
  void factor_rows(bool with_friction);
  void solve_rows();                  // x_ for rhs_
  Vec2 drag_of(std::size_t k) const;  // the friction impulse of a sliding point, per normal impulse
  void make_room(int rows);
  void note_forces();
  double closed_gap_residual(VecRef residual);
  void project_position(State& state, StepReport& report);
  void project_velocity(State& state, StepReport& report, double most_m_s);
  double measure_velocities(const VecX& u);  // of the rows that are kept, with the sign turned, into rhs_

  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<ContactKinematics> kinematics_;
  int bilateral_;
  MassMatrix M_;
  RowStore rows_, rows_of_point_;
  RankRevealingSolver solver_;
  std::vector<PointPhase> phases_;
  std::vector<int> closed_, first_row_;
  std::vector<KeptRow> kept_;
  std::vector<PointForces> forces_;
  double standing_m_s_;
  LoadRounds loads_;              // of joints that slide under load, in the order of closed()
  std::vector<double> efforts_;   // per closed point that slides without normal row
  std::vector<double> slow_m_s_;  // per point: slower ones keep the direction of the step's start
  VecX gaps_, h_, a_free_, a_loaded_, du_, lambda_, zeta_;
  MatX response_, A_;
  VecX rhs_, x_, delta_;
  std::vector<double> tree_force_N_;  // by the tree's first velocity
  VecX row_scale_;                    // 1 / sqrt of a row's own response: parts of very different masses in one system
  VecX q_before_, u_before_;          // settling
  int room_ = 0;
  int contradicting_row_ = -1;
  bool is_redundant_ = false, has_jumped_ = false;
  double settling_input_J_ = 0;
};

}  // namespace freeplay::integrators
