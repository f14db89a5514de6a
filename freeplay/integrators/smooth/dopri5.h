// Dormand and Prince's embedded pair (embedded_pair.h) for smooth motion and for contacts with a force law.
#pragma once

#include <optional>

#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/smooth/embedded_pair.h"
#include "freeplay/integrators/smooth/hidden_contacts.h"
#include "freeplay/integrators/smooth/smooth_dynamics.h"

namespace freeplay::integrators {

class Dopri5 final : public Integrator, private EmbeddedPair {
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
  [[nodiscard]] StepStatus take_stages(double t, double size);
  // The same where the end of the step was taken from its chord.
  void interpolate_step(double size);
  double guess_first_size(double t);
  double smallest_size(double t) const { return EmbeddedPair::smallest_size(t, options_.min_step_s); }

  SmoothDynamics dynamics_;
  IntegratorOptions options_;
  IntegratorCounts counts_;
  double next_size_ = 0;
  bool is_exact_size_ = false;  // next_size_ leads to where a gap closes: it must not be stretched
  double previous_error_ = 1e-4;
  double t_ = 0;  // of y_
  double t_begin_ = 0, last_size_ = 0;
  State moved_;                 // end of a step before it is accepted
  VecX next_k_;                 // derivative there
  std::vector<double> method_;  // of the state at t_
  OnsetControl onset_control_;
  std::optional<HiddenContacts> hidden_contacts_;  // if there are contacts
  VecX gap_rates_, gap_speeds_, start_speeds_;     // at the end of a step; at its start
  bool is_interpolated_ = false;                   // the end of this step was taken from its chord
  double size_before_hunt_ = 0;                    // step size before steps were cut to end where a gap closes
};

std::unique_ptr<Integrator> make_dopri5(const System& system, const ContactModel& contacts,
                                        const IntegratorOptions& options);

}  // namespace freeplay::integrators
