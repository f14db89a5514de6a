// Integrator "nlp-variable-step": the nonlinear program of nlp_step.h with its choice of step sizes.
//
//   objective   the longest of all h in [h_min, h_max] that minimise the program's objective J, as in the paper. J
//               measures contact forces, not accuracy: it lands on contacts and takes impacts with h_max
//   land        h_max, or shorter where a contact closes, so that the step ends there
//   fixed       h_max
//
// Velocities belong to the middle of a step, positions to its end: q_n = q_{n-1} + h v_n, where v_n has the forces at
// q_{n-1}. Impacts are without restitution.
#pragma once

#include "freeplay/integrators/nlp/nlp_step.h"

namespace freeplay::integrators {

class NlpVariableStep final : public Integrator {
 public:
  NlpVariableStep(const System& system, const ContactModel& contacts, const IntegratorOptions& options);

  StepReport start(State& state, StepRecord* record = nullptr) override;
  StepReport step(State& state, double t_limit, StepRecord* record = nullptr) override;
  const IntegratorCounts& counts() const override { return counts_; }
  bool fits(const State& state) const override { return state.method.size() == 6 && step_.has_points_of(state); }
  StepStatus resume(const State& state, const IntegratorCounts& counts) override;
  std::optional<LocalProblem> contact_problem() const override;
  std::string take_warning() override;
  std::string failure_details() const override { return failure_details_; }

 private:
  // The step of the size that the rule chooses, attempted.
  [[nodiscard]] StepStatus attempt_chosen(const State& state, double shortest_s, double longest_s);
  [[nodiscard]] StepStatus minimise_objective(const State& state, double shortest_s, double longest_s);
  [[nodiscard]] StepStatus land(const State& state, double shortest_s, double longest_s);
  [[nodiscard]] StepStatus attempt(const State& state, double h);
  void watch_stability();
  void note_warnings();
  void write_record(const State& state, StepRecord& record);
  // The size of the last step, which the end of a run asks for, and the watch over its stability.
  void write_method(State& state) const;
  void read_method(const State& state);
  void book(State& state);
  bool has_own_end(const State& state, double remaining_s);
  void cut_back(State& state, double share, double previous_s);

  IntegratorOptions options_;
  NlpStep step_;
  IntegratorCounts counts_;

  double h_ = 0, dt_ = 0;  // of the last attempt; of the last step, 0 before the first
  double t_A_ = 0;
  VecX q_A_, u_A_, q_middle_, q_last_, delta_, row_effort_;
  EnergyAccount account_;  // before the last step
  int unstable_steps_ = 0;
  double critical_step_s_ = 0, critical_at_s_ = 0;
  bool has_told_of_instability_ = false, has_told_of_disc_steps_ = false;
  std::string failure_details_;
  std::vector<std::string> warnings_;  // that nobody has taken yet
};

std::unique_ptr<Integrator> make_nlp_variable_step(const System& system, const ContactModel& contacts,
                                                   const IntegratorOptions& options);

}  // namespace freeplay::integrators
