// The right-hand side of smooth motion: y = (q, u, energy account) and its rate. Bilateral rows are solved on
// acceleration level; the integrator removes the drift by projection after each accepted step.
#pragma once

#include <array>
#include <optional>

#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/smooth/compliant_contacts.h"
#include "freeplay/integrators/smooth/load_friction_efforts.h"
#include "freeplay/integrators/smooth/packed_state.h"
#include "freeplay/mechanism/rows/projection.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::integrators {

// y: impact_loss is the damping of contacts.
class SmoothDynamics : public PackedState {
 public:
  // `contacts` with force laws; they must outlive this. baumgarte_per_s > 0: bilateral rows are drawn back,
  //   dgamma/dt + 2 a gamma + a^2 g = 0  (Baumgarte 1972),  instead of being projected.
  SmoothDynamics(const System& system, const ContactModel& contacts, double baumgarte_per_s);

  // dy/dt. Allocates nothing.
  [[nodiscard]] StepStatus rate(double t, const ConstVecRef& y, VecRef y_rate);
  // The row behind StepStatus::kInconsistentRows.
  int contradicting_row() const { return workspace_.contradicting_row(); }
  // What evaluations at open loops depend on beside the state.
  int closed_rank() const { return workspace_.solver.closed_rank(); }
  void set_closed_rank(int rank) { workspace_.solver.set_closed_rank(rank); }
  int row_rank() const { return rows_ == 0 ? 0 : workspace_.rank(); }  // at the last evaluation
  // Unit quaternions and closed loops. `report` tells how that went, and the residuals. True if the state changed.
  bool settle(State& state, StepReport& report);

  // What acts at a state.
  [[nodiscard]] StepStatus write_record(const State& state, StepRecord& record);

  // ---- Contacts, all at the state of the last rate() ----
  bool has_contacts() const { return contacts_.point_count() > 0; }
  CompliantContacts& contacts() { return contacts_; }
  bool has_points_of(const State& state) const { return kinematics_->set().is_aligned(state); }
  // No point has touched yet.
  void start_contacts(State& state) const {
    state.contacts.clear();
    kinematics_->set().align(state);
  }
  // ContactKinematics::recall and remember: at the start of a step, and at its end.
  void recall_contacts(const State& state) { kinematics_->recall(state); }
  void remember_contacts(State& state) const { kinematics_->remember(state); }
  const VecX& gaps() const { return contacts_.gaps(); }
  // Gaps at another state, of which nothing else is evaluated.
  void gaps_at(double t, const ConstVecRef& y, VecRef gaps);
  // d gap/dt of every point that does not touch, and how fast the one surface moves against the other there.
  void open_gap_rates(const State& state, VecRef rates, VecRef speeds);
  // Contacts that are closed in the initial state and do not open begin there: rate() at `state` before and after.
  [[nodiscard]] StepStatus begin_closed_contacts(State& state);
  // Contacts that began at `state`.
  void count_starts(std::span<const int> starting, const State& state, IntegratorCounts& counts) const;
  // A contact begins at `state`. rate() must be asked again afterwards: it knows nothing of it yet.
  void begin_contact(int point, State& state);
  bool end_contacts(State& state);
  bool let_go_of_contacts(State& state);

 private:
  [[nodiscard]] StepStatus accelerations(double t, const ConstVecRef& q, const ConstVecRef& u);
  void measure_rows(const State& state, StepReport& report);
  // 1 / (w^T M^-1 w), the bilateral rows being kept: what a contact feels of the bodies.
  double effective_mass(int point);

  std::unique_ptr<Dynamics> dynamics_;
  int rows_;
  BilateralWorkspace workspace_;
  VecX h_, du_, lambda_;
  double baumgarte_per_s_;
  CompliantContacts contacts_;
  std::unique_ptr<ContactKinematics> kinematics_;
  LoadFrictionEfforts load_friction_;
  CompliantContacts::Losses losses_;
  MassMatrix M_;  // for effective_mass() without rows
  RowStore rows_of_point_;
  VecX column_;      // of its normal row
  VecX y_, y_rate_;  // of begin_closed_contacts()
};

}  // namespace freeplay::integrators
