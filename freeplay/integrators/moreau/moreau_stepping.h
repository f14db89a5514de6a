// What every rule of Moreau's kind shares: the frame of a step, the prediction of the midpoint, the points that are
// closed there, bilateral rows and their drift, the account of the contacts, and the reactions of a step. How the
// velocities follow from the forces is up to the rule.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "freeplay/contact/problem/contact_step.h"
#include "freeplay/contact/problem/gap_projection.h"
#include "freeplay/contact/problem/last_contacts.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/moreau/touching_contacts.h"
#include "freeplay/mechanism/rows/projection.h"

namespace freeplay::integrators {

inline constexpr double kClosedGap_m = 1e-14;  // rounding of a gap that the contact problem holds closed

class MoreauStepping : public Integrator {
 public:
  StepReport start(State& state, StepRecord* record = nullptr) override;
  StepReport step(State& state, double t_limit, StepRecord* record = nullptr) override;
  const IntegratorCounts& counts() const override { return counts_; }
  bool fits(const State& state) const override { return state.method.size() == kSharedNumbers && has_points_of(state); }
  StepStatus resume(const State& state, const IntegratorCounts& counts) override;
  std::optional<LocalProblem> contact_problem() const override {
    return contact_step_.active().empty() ? std::nullopt : std::optional(contact_step_.problem());
  }
  std::string take_warning() override { return std::exchange(warning_, {}); }
  std::string failure_details() const override { return failure_details_; }

 protected:
  // bilateral_weight: bilateral rows end a step with  gamma_E + weight gamma_A = 0, taken at the midpoint.
  MoreauStepping(const System& system, const ContactModel& contacts, const IntegratorOptions& options,
                 double bilateral_weight = 0);

  // ---- a rule says
  // How far ahead of the midpoint it looks for points, at the velocity of the start; 0: it asks for closed ones only.
  // A contact that is kept may stand open by rounding.
  virtual double horizon(double dt) const { return keeps_contacts() ? dt : 0; }
  // u_E_ with contacts and bilateral rows. The dynamics stands at the midpoint, g_M_ is known.
  [[nodiscard]] virtual StepStatus velocity_step(const State& state, double dt, StepReport& report) = 0;
  // Work of loads, drivers and dampers; `state` is still that of the start.
  virtual void book_powers(const State& state, double dt, EnergyAccount& account) = 0;
  // state.q from u_E_; state.u is still that of the start.
  virtual void advance_positions(State& state, double dt) = 0;
  // Where the forces of the last step acted: t, q and u of the record, and the contacts as they were there.
  // `has_moved`: dynamics and contacts have been elsewhere since.
  virtual void go_to_forces(bool has_moved, StepRecord& record) = 0;
  // What the next step depends on beside position, velocity and contacts: the first numbers of State::method are the
  // rank of the bilateral rows, and whether it was told of touching contacts; those of a rule follow.
  static constexpr std::size_t kSharedNumbers = 2;
  virtual void write_method(State&) const {}
  virtual void read_method(const State&) {}

  // ---- and uses
  // Whether the memory of a state is that of the points there are, where these are always the same.
  bool has_points_of(const State& state) const { return kinematics_->has_far_points() || points().is_aligned(state); }
  // From state.q to q_M = q_A + dt/2 T u_A, with the points that are near and their gaps there.
  void go_to_midpoint(const State& state, double dt);
  // The gaps at the midpoint, of whatever points there are by now.
  void update_gaps();
  const ContactSet& points() const { return kinematics_->set(); }
  // A number per point and perhaps more: the room only grows, since Eigen's resize() allocates for every other size.
  void make_room_per_point(VecX& numbers) const {
    if (numbers.size() < points().size()) numbers.resize(points().size());
  }
  // Active: g_N(q_M) <= 0, no tolerance, no margin; unless the paper's rule is chosen, also what carried an impulse in
  // the step before, and what touches while another contact strikes.
  void activate_closed_points(const State& state, double dt);
  // For rules that close what touches in any case: finds the active points that are struck, for the warning alone.
  void find_touching_points(const VecX& gaps, const VecX& gamma_N);
  // After the rows of the active points have been collected: how much their velocities drift in half of the step since
  // the rows turn. The paper's rule has none. Leaves dynamics and contacts at the midpoint.
  void find_drifts(const State& state, double dt);
  bool keeps_contacts() const { return options_.lasting_contacts == LastingContacts::kKept; }
  [[nodiscard]] bool gaps_stay_open();
  [[nodiscard]] StepStatus note_contact(const ContactStepReport& contact, StepReport& report);

  const System& system_;
  IntegratorOptions options_;
  IntegratorCounts counts_;
  int rows_;

  std::unique_ptr<Dynamics> dynamics_;
  std::unique_ptr<ContactKinematics> kinematics_;
  MassMatrix M_;
  ContactStep contact_step_;
  LastContacts last_contacts_;  // of the step before the present one; none under the paper's rule
  TouchingContacts touching_;   // that are struck in this step

  // The last step.
  double t_M_ = 0, t_E_ = 0, dt_ = 0;
  VecX q_M_;
  VecX u_A_, u_E_;
  VecX row_impulses_;  // of the bilateral rows, the projection at the end of the step included
  VecX g_M_;
  VecX acceleration_, delta_, row_effort_;  // workspace
  std::string failure_details_;

 private:
  double size_of_step(double t, double t_limit) const;
  // An impact that gains energy ends the run where the user has asked for that.
  [[nodiscard]] StepStatus judge_gain(const StepReport& report);
  void join_touching_points(const State& state);
  void tell_of_touching_points(double t);
  void measure_drifts(const State& state, double dt);
  void normal_velocities_at(const State& state, double shift_s, VecX& gamma);
  void book_projection(State& state, double dt);
  void write_record(const State& state, bool has_moved, StepRecord& record);
  [[nodiscard]] StepStatus remove_drift(State& state, StepReport& report);

  BilateralWorkspace bilateral_;
  // For the projection onto the bilateral rows: the other one then still stands at the midpoint, where the forces act.
  std::unique_ptr<Dynamics> end_dynamics_;  // null without rows
  std::optional<GapProjection> gap_projection_;
  std::unique_ptr<ContactKinematics> projected_points_;  // of the projection: it looks at the end of a step
  VecX gamma_A_, gamma_ahead_, g_elsewhere_;             // of measure_drifts()
  VecX q_elsewhere_;
  VecX g_previous_;
  bool gaps_are_known_ = false;  // g_previous_
  State before_;
  std::string warning_;  // not taken yet
  bool has_told_of_touching_ = false;
};

}  // namespace freeplay::integrators
