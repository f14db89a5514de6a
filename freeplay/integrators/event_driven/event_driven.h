// Smooth motion between events that are located (Pfeiffer 1999): a contact closes, opens, sticks or slides. Between two
// of them the phases of all points are fixed (PhaseDynamics), and an embedded Runge-Kutta pair with dense output
// integrates, or CVODE; at an event an impact changes the velocities if parts strike, and the accelerations decide what
// the closed points do next (PhaseDecision). There is no error of a step at contacts, and no penetration but rounding.
//
// Order at one instant: everything that is closed takes part in one impact; while anything still approaches, impacts
// follow each other (each is a step of length zero); then one decision for all points. Of several events within one
// step the first in time is taken, of simultaneous ones all, by that decision.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/contact/problem/contact_step.h"
#include "freeplay/integrators/event_driven/phase_decision.h"
#include "freeplay/integrators/event_driven/phase_dynamics.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/integrators/moreau/moreau_midpoint.h"
#include "freeplay/integrators/smooth/cvode_motion.h"
#include "freeplay/integrators/smooth/embedded_pair.h"
#include "freeplay/integrators/smooth/hidden_contacts.h"

namespace freeplay::integrators {

class EventDriven final : public Integrator, private EmbeddedPair {
 public:
  EventDriven(const System& system, const ContactModel& contacts, const IntegratorOptions& options);

  StepReport start(State& state, StepRecord* record = nullptr) override;
  StepReport step(State& state, double t_limit, StepRecord* record = nullptr) override;
  const IntegratorCounts& counts() const override { return counts_; }
  void save(State& state) override;
  bool fits(const State& state) const override;
  StepStatus resume(const State& state, const IntegratorCounts& counts) override;
  std::optional<LocalProblem> contact_problem() const override;
  std::span<const ContactEvent> events() const override { return events_; }
  std::string take_warning() override { return std::exchange(warning_, {}); }
  std::string failure_details() const override { return failure_details_; }

 private:
  // A function of the motion that stays positive until something happens to a point.
  enum class Trigger : std::uint8_t {
    kGapCloses,       // g_N of an open point
    kForceVanishes,   // lambda_N of a closed one
    kFrictionIsFull,  // mu_0 lambda_N - |lambda_T| of one that sticks
    kSlidingStops,    // gamma_T along its direction, of one that slides
    kSurfaceEnds      // how far a closed point may be off its surface: where that has a kink or an end
  };
  struct Watch {
    int point = 0;
    Trigger trigger{};
    friend bool operator==(const Watch&, const Watch&) = default;
  };
  // A watch whose function is negative at a part of the step.
  struct Dip {
    Watch watch;
    double part = 1;
  };
  struct Found {
    double part = 1;
    Watch watch;
    bool is_known = false;
  };

  // ---- State::method: step size, last error, whether something still approaches, the hand-over, what has been told,
  // how the run crawls, the phases
  static constexpr std::size_t kSharedNumbers = 16, kNumbersPerPoint = 3;
  void write_method(State& state);
  void read_method(const State& state);
  [[nodiscard]] bool is_at(const State& state);
  [[nodiscard]] StepStatus go_to(const State& state);

  // ---- A step
  [[nodiscard]] StepStatus rate(double t, const VecX& y, VecX& k);
  enum class Trial : std::uint8_t { kAccepted, kShorter, kDone };  // kDone: the report says how it ended
  [[nodiscard]] Trial try_stages(double t, double size, int& cuts, double& error, StepStatus& status);
  [[nodiscard]] Trial end_step(State& state, PlannedStep plan, double t_limit, const std::optional<Found>& found,
                               StepReport& report);
  StepReport move(State& state, double t_limit);
  // The solution at a part of the step just taken: its first numbers.
  void inside_of_step(double part, VecRef y);

  // ---- The same by CVODE (multistep_motion.cpp)
  std::unique_ptr<CvodeMotion> make_multistep();
  bool is_near_surface() const;
  bool multistep_goes_on() const { return multistep_goes_on_ && multistep_->t() == t_; }
  bool multistep_has_room(double t_limit) const;
  [[nodiscard]] StepStatus look_inside(double t, double size);
  StepReport move_by_multistep(State& state, double t_limit);

  // The step of this size that leads to the event; y_new_ then stands there.
  [[nodiscard]] StepStatus move_to_event(double t, double& size, const Found& found);
  [[nodiscard]] StepStatus step_anew(double t, double whole, double& size);
  bool is_smooth_beyond(Trigger trigger) const;
  [[nodiscard]] StepStatus go_inside_step(double t, double whole, double part);
  double correction_s(const Watch& watch, double t);
  void pack(const State& state);
  void unpack(const VecX& y, State& state) const;
  bool is_storm(double t);
  void pass_end(int point);
  // A velocity that jumps by itself: a drive, a belt, the direction of a surface. Contacts meet it as an impact.
  [[nodiscard]] StepStatus meet_jump(State& state, const std::optional<Found>& found, StepReport& report);
  double most_drift_m_s(const State& state) const;
  // Whether the forces of closed contacts change about evenly in the step just taken: otherwise events between its
  // stages may have been missed.
  bool forces_change_evenly();
  bool is_far_from_end(const Found& found, double size) const;
  bool has_come_unseen(const Found& found, double t, double size);
  void expect_flights(const State& state);
  void follow_sliding();
  [[nodiscard]] StepStatus rate_at_end(const State& state);
  void measure_start(const State& state);
  StepReport finish(State& state, StepReport report, StepRecord* record);

  StepReport step_by_events(State& state, double t_limit, StepRecord* record);

  // ---- Time stepping where it must be (hand_over.cpp)
  bool may_hand_over(StepStatus failure, const State& state) const;
  // Why the next step must be one of time stepping although none by events has failed; empty: it need not. Counts
  // steps.
  std::string reason_to_hand_over(const State& state);
  double stepping_size() const;
  bool holds_too_much() const;
  [[nodiscard]] StepStatus begin_hand_over(State& state, std::string_view reason);
  StepReport step_in_time(State& state, double t_limit, StepRecord* record);
  void log_modes(const State& before, const State& after);
  [[nodiscard]] StepStatus take_back(State& state, StepReport& report);

  // ---- Events (event_search.cpp)
  void note_stage(double part);
  std::optional<Found> find_event(double t, double size);
  std::span<const Trigger> triggers_of(int point) const;
  double margin(const Watch& watch) const;  // from the forces at the last rate()
  double margin(const Watch& watch, const PointForces& forces) const;
  double off_surface_m(int point) const;
  void set_scales(const State& state);
  double longest_step() const;
  double value_at(const Watch& watch, double t, double size, double part);
  double noise_of(const Watch& watch) const;
  double gap_at_end(const Watch& watch, double t, double size, double part);
  struct Guess {
    double part = std::numeric_limits<double>::quiet_NaN(), slope = part;
  };
  Guess guess_closing(const Watch& watch, double size, double low) const;
  double locate(const Watch& watch, double t, double size, double last_part);
  struct Within {
    double start_s = 0, size_s = 0, noise = 0;
  };
  struct Bracket {
    double low = 0, high = 1, at_low = 0, at_high = 0;
  };
  double close_in(const Watch& watch, const Within& step, Bracket bracket, Guess guess);
  void look_at_gaps(double t, double size, Found& first);
  void note_closing_levels(double t);
  std::optional<double> find_hidden(double t, double size);

  // ---- What happens then (event_resolution.cpp)
  // At `state`, with what triggered it, if it is known.
  // Before the first step the energy of the start is not known yet: impacts are left to that step.
  enum class Impacts : std::uint8_t { kNow, kLater };
  [[nodiscard]] StepStatus resolve(State& state, const std::optional<Watch>& trigger, StepReport& report,
                                   Impacts impacts = Impacts::kNow);
  [[nodiscard]] StepStatus resolve_at(State& state, const std::optional<Watch>& trigger, StepReport& report,
                                      Impacts impacts);
  void find_closed(const State& state, const std::optional<Watch>& trigger);
  bool is_due(const Watch& trigger, int point) const;
  double gain_of_impact(const VecX& u_A) const;
  bool is_drawn_back(const State& state, int point);
  // Approaches slower than this are rounding.
  double still_m_s() const { return 2 * options_.solver_tolerance_m_s; }
  bool anything_approaches() const;
  [[nodiscard]] StepStatus strike(State& state, StepReport& report);
  void choose_phases(const State& state, const std::optional<Watch>& trigger);
  [[nodiscard]] StepStatus decide(State& state, StepReport& report, Impacts impacts);
  [[nodiscard]] StepStatus strike_without_collision(State& state, int point, StepReport& report);
  void log_changes(double t);
  bool is_turning(int point) const;
  void log(double t, int point, ContactEventKind kind);
  void log_rests(const State& state);
  // How long a part would still bounce that leaves its partner at this speed.
  double rebound_time(const State& state, int point, double speed_m_s);
  double touching_m(int point) const;

  const System& system_;
  const ContactModel& contacts_;
  IntegratorOptions options_;
  IntegratorCounts counts_;
  PhaseDynamics dynamics_;
  PhaseDecision decision_;
  ContactStep contact_step_;
  HiddenContacts hidden_contacts_;
  HiddenContacts::GapMotion start_motion_, end_motion_;

  double t_ = 0;  // of y_
  double next_size_ = 0, previous_error_ = 1e-4;
  bool still_approaches_ = false;
  std::vector<double> method_;  // of the state at t_
  State moved_;
  double end_rate_at_s_ = std::numeric_limits<double>::quiet_NaN();  // where k_[6] is the rate at y_new_
  double end_motion_at_s_ = end_rate_at_s_;                          // where end_motion_ is that of q_end_ and u_end_
  VecX k_scratch_, gamma_N_, gaps_, gaps_at_end_, gaps_at_first_, closing_level_m_, u_E_, q_end_, u_end_, delta_;
  std::vector<PointPhase> phases_, phases_before_, released_;
  std::vector<char> is_closed_, is_struck_;
  std::vector<double> slow_rebound_m_s_;  // of points that were struck too slowly to leave their partner
  std::vector<bool> is_watched_;
  std::vector<PointForces> end_forces_;
  double force_scale_N_ = 0, speed_scale_m_s_ = 0, gap_noise_m_ = 0, tolerated_m_ = 0;
  std::vector<double> own_force_N_;     // per point, at the start of the step: the largest on its trees
  std::array<VecX, 7> held_;            // per stage: what contacts and loops hold back
  std::vector<Dip> dips_, candidates_;  // dips: that were seen at stages inside of the step
  bool notes_stages_ = false;
  double t_begin_ = 0, last_size_ = 0;
  VecX offset_;                             // of CVODE's polynomial where a step begins
  std::unique_ptr<CvodeMotion> multistep_;  // null: the embedded pair
  bool moves_by_multistep_ = false;         // the step that is being taken
  bool multistep_goes_on_ = false;          // otherwise it begins anew
  std::vector<ContactEvent> events_;
  std::string warning_, failure_details_;
  bool was_redundant_ = false;           // where the last motion ended
  std::unique_ptr<Integrator> stepper_;  // null until it is needed
  std::array<double, 2> stepping_method_{};
  int steps_left_ = 0, stretch_ = 0;  // of time stepping, in steps
  double stretch_end_s_ = 0;
  int crawling_steps_ = 0;  // since crawl_start_s_
  double crawl_start_s_ = 0;
  bool has_told_of_stepping_ = false, has_told_of_undecided_ = false, is_storm_ = false;
  int storm_events_ = 0;
  double storm_start_s_ = 0;
  bool is_paradox_ = false;  // the last failure is Painleve's
  int idle_events_ = 0;      // in a row, without any time between them
};

std::unique_ptr<Integrator> make_event_driven(const System& system, const ContactModel& contacts,
                                              const IntegratorOptions& options);

}  // namespace freeplay::integrators
