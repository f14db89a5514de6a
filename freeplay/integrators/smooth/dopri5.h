// Dormand and Prince's embedded Runge-Kutta pair of orders 5 and 4 with dense output of order 4 (Dormand, Prince 1980;
// Hairer, Norsett, Wanner, Solving ODEs I, section II.5 and II.6).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/smooth/hidden_contacts.h"
#include "freeplay/integrators/smooth/smooth_dynamics.h"

namespace freeplay::integrators {

// Of the coefficients of the continuous extension at a part s of the step.
inline std::array<double, 5> dense_weights(double s) {
  return {1.0, s, s * (1 - s), s * s * (1 - s), s * s * (1 - s) * (1 - s)};
}

class Dopri5 final : public Integrator {
 public:
  Dopri5(const System& system, const ContactModel& contacts, const IntegratorOptions& options);
  Dopri5(const System& system, const IntegratorOptions& options) : Dopri5(system, no_contacts(), options) {}

  StepReport start(State& state, StepRecord* record = nullptr) override;
  StepReport step(State& state, double t_limit, StepRecord* record = nullptr) override;
  const IntegratorCounts& counts() const override { return counts_; }
  bool fits(const State& state) const override { return state.method.size() == 8 && dynamics_.has_points_of(state); }
  StepStatus resume(const State& state, const IntegratorCounts& counts) override;

  // The state inside the last accepted step, t in [t_start, t_end] of it. Loops are closed to the order of the
  // interpolation only.
  void interpolate(double t, State& state) const;

 private:
  struct PlannedStep {
    double size = 0;
    bool ends_at_limit = false;
  };
  PlannedStep plan_step(double t, double t_limit) const;
  StepReport take_step(State& state, double t_limit);
  // What the next step depends on beside position, velocity and contacts, to and from State::method.
  void write_method(State& state);
  void read_method(const State& state);
  // Whether `state` is the end of the last step; otherwise y_, its derivative and the contacts have to be found anew.
  [[nodiscard]] bool is_at(const State& state);
  [[nodiscard]] StepStatus go_to(const State& state);
  StepReport try_step(const State& state, const PlannedStep& plan, double t_limit, double& error);
  void accept(State& state, const PlannedStep& plan);
  // Unit quaternions, loops and the derivative at the end of a step, which is in moved_.
  void settle_end(StepReport& report, double largest_correction);
  // What the contacts say to a step that passed the error test. kInterpolate has moved the end when it returns.
  OnsetControl::Verdict judge_contacts(const State& state, PlannedStep& plan, StepReport& report);
  // Where in the step, as a part of it, a contact is closed that is open at both ends.
  std::optional<double> find_hidden_contact(const State& state, double size);
  [[nodiscard]] StepStatus begin_touching(State& state);
  // At the end of a step that is taken, in moved_: contacts end and begin.
  [[nodiscard]] StepStatus settle_contacts(const State& state, double size);
  void size_after_contacts();
  double correction_norm();
  [[nodiscard]] StepStatus rate(double t, const VecX& y, VecX& k);
  template <std::size_t stage, std::size_t... before>
  [[nodiscard]] StepStatus take_stage(double t, double size, std::index_sequence<before...> stages_before);
  [[nodiscard]] StepStatus take_stages(double t, double size);
  double error_norm(double size) const;
  // dense_ for a step of this size from y_ to y_new_.
  void interpolate_step(double size);
  double guess_first_size(double t);
  double smallest_size(double t) const;

  SmoothDynamics dynamics_;
  IntegratorOptions options_;
  IntegratorCounts counts_;
  double next_size_ = 0;
  bool is_exact_size_ = false;  // next_size_ leads to where a gap closes: it must not be stretched
  double previous_error_ = 1e-4;
  double t_ = 0;  // of y_
  double t_begin_ = 0, last_size_ = 0;
  VecX y_, y_new_, y_stage_;
  State moved_;    // end of a step before it is accepted
  VecX absolute_;  // tolerances of y
  std::array<VecX, 7> k_;
  VecX next_k_;                 // derivative at the end of a step before it is accepted
  std::vector<double> method_;  // of the state at t_
  std::array<VecX, 5> dense_;   // coefficients of the interpolation over the last accepted step
  OnsetControl onset_control_;
  std::optional<HiddenContacts> hidden_contacts_;  // if there are contacts
  VecX gap_rates_, gap_speeds_, start_speeds_;     // at the end of a step; at its start
  bool is_interpolated_ = false;                   // the end of this step was taken from its chord
  double size_before_hunt_ = 0;                    // step size before steps were cut to end where a gap closes
};

std::unique_ptr<Integrator> make_dopri5(const System& system, const ContactModel& contacts,
                                        const IntegratorOptions& options);

}  // namespace freeplay::integrators
