#include "freeplay/integrators/smooth/cvode_integrator.h"

#include <cvode/cvode_proj.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>

#include "freeplay/integrators/smooth/cvode_handles.h"
#include "freeplay/integrators/smooth/hidden_contacts.h"
#include "freeplay/integrators/smooth/smooth_dynamics.h"

namespace freeplay::integrators {

namespace {

constexpr double kOfContactTime = 0.002;  // first step of a contact: the order begins anew at 1
constexpr int kMaxRefusals = 100;
// The energy account is a quadrature beside the motion: the error control does not watch it.
constexpr double kUnwatched = 1e30;
// Closing the loops may move the end of a step by this much, in units of the tolerated error, before the solution that
// CVODE follows is shifted. To begin anew instead would mean order 1, whose errors open the loops by as much again.
constexpr double kLargestDrift = 0.1;

class CvodeIntegrator final : public Integrator {
 public:
  CvodeIntegrator(const System& system, const ContactModel& contacts, const IntegratorOptions& options, int method)
      : dynamics_(system, contacts, options.baumgarte_per_s),
        options_(options),
        control_(options.onset_control.control),
        n_(dynamics_.size()),
        points_(contacts.point_count()),
        handles_(n_, method),
        trial_gaps_(VecX::Zero(points_)),
        is_touching_(static_cast<std::size_t>(points_), 0),
        is_watched_(static_cast<std::size_t>(points_)),
        root_(static_cast<std::size_t>(points_), 0) {
    for (VecX* y : {&y_state_, &y_left_, &scratch_, &shift_, &y_now_, &y_asked_}) *y = VecX::Zero(n_);
    seen_ = HiddenContacts::GapMotion(points_);
    if (points_ > 0 && control_ != PenetrationControl::kNone) hidden_contacts_.emplace(system, contacts);
    starting_.reserve(static_cast<std::size_t>(points_));
    view(tolerance_).setConstant(kUnwatched);
    view(tolerance_).head(dynamics_.controlled_size()).setConstant(options.absolute_tolerance);
    if (options.velocity_tolerance > 0) {
      const int q = dynamics_.coordinate_count();
      view(tolerance_).segment(q, dynamics_.controlled_size() - q).setConstant(options.velocity_tolerance);
    }
    expect(CVodeInit(memory_, &rate, 0, y_));
    expect(CVodeSVtolerances(memory_, options.relative_tolerance, tolerance_));
    expect(CVodeSetUserData(memory_, this));
    if (method == CV_BDF)
      expect(CVodeSetLinearSolver(memory_, handles_.linear, handles_.matrix));
    else
      expect(CVodeSetNonlinearSolver(memory_, handles_.nonlinear));
    if (options.max_step_s > 0) expect(CVodeSetMaxStep(memory_, options.max_step_s));
    if (points_ > 0 && control_ == PenetrationControl::kRoots) {
      expect(CVodeRootInit(memory_, points_, &gap_roots));
      std::vector<int> closing(static_cast<std::size_t>(points_), -1);
      expect(CVodeSetRootDirection(memory_, closing.data()));
      expect(CVodeSetNoInactiveRootWarn(memory_));
    }
    if (points_ > 0 && control_ == PenetrationControl::kProcedure2) {
      expect(CVodeSetProjFn(memory_, &refuse_deep_contacts));
      expect(CVodeSetProjErrEst(memory_, SUNFALSE));
      expect(CVodeSetMaxNumProjFails(memory_, kMaxRefusals));
      expect(CVodeSetProjFailEta(memory_, 0.5));
    }
  }

  StepReport start(State& state, StepRecord* record) override {
    StepReport report;
    counts_ = {};
    own_evaluations_ = 0;
    dynamics_.settle(state, report);
    if (report.status != StepStatus::kOk) return report;
    dynamics_.start_contacts(state);
    take_flags(state);
    report.status = look(state);
    if (report.status != StepStatus::kOk) return report;
    if (points_ > 0) report.status = dynamics_.begin_closed_contacts(state);
    if (report.status != StepStatus::kOk) return report;
    take_flags(state);
    state.method.clear();
    restart(state, options_.first_step_s);
    earlier_ = {};
    report.row_rank = dynamics_.row_rank();
    if (record != nullptr) report.status = dynamics_.write_record(state, *record);
    return report;
  }

  // The past of a multistep method is in CVODE and cannot be taken out: it begins anew, with the step it would take.
  void save(State& state) override {
    double size = 0;
    expect(CVodeGetCurrentStep(memory_, &size));
    state.method.assign({size, static_cast<double>(dynamics_.closed_rank())});
    restart(state, size);
  }

  bool fits(const State& state) const override {
    return (state.method.empty() || state.method.size() == 2) && dynamics_.has_points_of(state);
  }

  StepStatus resume(const State& state, const IntegratorCounts& counts) override {
    counts_ = counts;
    earlier_ = {counts.evaluations, counts.rejected - counts.rejected_by_contact};
    now_ = {};
    own_evaluations_ = 0;
    return go_to(state);
  }

  StepReport step(State& state, double t_limit, StepRecord* record) override {
    StepReport report;
    if (!is_at(state)) {
      report.status = go_to(state);
      if (report.status != StepStatus::kOk) return report;
    }
    dynamics_.recall_contacts(state);
    const double begin = t_last_ = state.t;
    expect(CVodeSetStopTime(memory_, t_limit));
    double t = begin;
    const int flag = CVode(memory_, t_limit, y_, &t, CV_ONE_STEP);
    read_counts();
    if (flag < 0) {
      last_flag_ = flag;
      report.status = failure_ != StepStatus::kOk ? failure_ : StepStatus::kStepTooSmall;
      if (report.status == StepStatus::kInconsistentRows) report.worst_row = dynamics_.contradicting_row();
      return report;
    }
    State& end = moved_;
    end = state;
    end.t = t;
    end.method.clear();
    dynamics_.unpack(y_now_ = solution(y_), end);
    const bool has_drifted = dynamics_.settle(end, report) && drift(end) > kLargestDrift;
    if (report.status != StepStatus::kOk) return report;
    report.size_s = end.t - begin;
    double first_size = 0;
    if (points_ > 0) {
      at_start_ = seen_;
      report.status = look(end);
      if (report.status != StepStatus::kOk) return report;
      if (const double part = hidden_contact(state, end); part > 0) return repeat(state, part * report.size_s, record);
      report.status = change_contacts(flag, end, report.size_s, first_size);
      if (report.status != StepStatus::kOk) return report;
      dynamics_.remember_contacts(end);
      report.active_points = static_cast<int>(dynamics_.contacts().touching().size());
    }
    state = end;
    if (first_size > 0) {
      restart(state, first_size);
    } else {
      dynamics_.pack(state, y_left_);
      t_left_ = state.t;
      if (has_drifted) shift_.head(dynamics_.controlled_size()) += (y_left_ - y_now_).head(dynamics_.controlled_size());
    }
    ++counts_.accepted;
    report.row_rank = dynamics_.row_rank();
    if (record != nullptr) report.status = dynamics_.write_record(state, *record);
    return report;
  }

  const IntegratorCounts& counts() const override { return counts_; }
  std::string failure_details() const override {
    if (last_flag_ >= 0) return {};
    char* name = CVodeGetReturnFlagName(last_flag_);
    std::string text = name == nullptr ? "CVODE" : std::string("CVODE: ") + name;
    std::free(name);
    return text;
  }

 private:
  static CvodeIntegrator& self(void* data) { return *static_cast<CvodeIntegrator*>(data); }
  const VecX& solution(N_Vector y) { return y_asked_ = view(y) + shift_; }
  // ---- What CVODE calls ----

  static int rate(double t, N_Vector y, N_Vector y_rate, void* data) {
    CvodeIntegrator& me = self(data);
    me.failure_ = me.dynamics_.rate(t, me.solution(y), view(y_rate));
    if (me.failure_ == StepStatus::kOk && !view(y_rate).allFinite()) me.failure_ = StepStatus::kNotFinite;
    return me.failure_ == StepStatus::kOk ? 0 : 1;  // 1: perhaps a shorter step helps
  }
  // A point that touches has no root: its function is 1.
  static int gap_roots(double t, N_Vector y, double* values, void* data) {
    CvodeIntegrator& me = self(data);
    me.dynamics_.gaps_at(t, me.solution(y), me.trial_gaps_);
    for (int i = 0; i < me.points_; ++i) {
      values[i] = me.is_touching_[static_cast<std::size_t>(i)] ? 1 : me.trial_gaps_[i];
    }
    return 0;
  }
  // Procedure 2 of Flores and Ambrosio (2010): 1 refuses the step, which is then halved.
  static int refuse_deep_contacts(double t, N_Vector y, N_Vector correction, double, N_Vector, void* data) {
    CvodeIntegrator& me = self(data);
    N_VConst(0, correction);
    me.dynamics_.gaps_at(t, me.solution(y), me.trial_gaps_);
    if (me.deep_starts(me.trial_gaps_) == 0 || t - me.t_last_ <= me.options_.onset_control.min_step_s) return 0;
    ++me.counts_.rejected_by_contact;
    return 1;
  }

  // New contacts that would begin deeper than allowed.
  int deep_starts(const VecX& gaps) const {
    int count = 0;
    for (int i = 0; i < points_; ++i) {
      const bool is_new = !is_touching_[static_cast<std::size_t>(i)];
      count += is_new && -gaps[i] > options_.onset_control.max_penetration_m;
    }
    return count;
  }

  // ---- Contacts that close and open again within a step ----

  // The part of the step after which one is closed; 0: there is none. The dense output is that of the step just taken.
  double hidden_contact(const State& start, const State& end) {
    constexpr double kErrors = 10;  // of the interpolation, in tolerated errors
    const double size_s = end.t - start.t;
    if (!hidden_contacts_ || !(size_s > options_.onset_control.min_step_s)) return 0;
    for (std::size_t i = 0; i < is_touching_.size(); ++i) is_watched_[i] = is_touching_[i] == 0;
    // The polynomial is that of CVODE's last step, whose length is rounded.
    double now = 0, last_size = 0;
    expect(CVodeGetCurrentTime(memory_, &now));
    expect(CVodeGetLastStep(memory_, &last_size));
    const double earliest = now - last_size;
    const auto position = [&](double s, VecX& q) {
      expect(CVodeGetDky(memory_, std::max(start.t + s * size_s, earliest), 0, handles_.between));
      q = view(handles_.between).head(q.size()) + shift_.head(q.size());
    };
    const double error = options_.absolute_tolerance + options_.relative_tolerance * max_abs(start.q);
    return hidden_contacts_
        ->find({start.t, size_s, kErrors * error}, at_start_.ends(), seen_.ends(), is_watched_, std::cref(position))
        .value_or(0);
  }
  // The step is taken again so that it ends inside of the contact, which the root finder sees.
  StepReport repeat(State& state, double size_s, StepRecord* record) {
    ++counts_.rejected_by_contact;
    seen_ = at_start_;
    restart(state, size_s);
    return step(state, state.t + size_s, record);
  }

  // ---- The rest ----

  // How far settling moved the end of the step, in units of the tolerated error.
  double drift(const State& end) {
    dynamics_.pack(end, y_state_);
    double sum = 0;
    const int n = dynamics_.controlled_size();
    for (int i = 0; i < n; ++i) {
      const double scale = view(tolerance_)[i] + options_.relative_tolerance * std::abs(y_state_[i]);
      const double ratio = (y_state_[i] - y_now_[i]) / scale;
      sum += ratio * ratio;
    }
    return std::sqrt(sum / std::max(n, 1));
  }

  void take_flags(const State& state) {
    if (points_ > 0) dynamics_.contacts().set_touching(state);
    for (int i = 0; i < points_; ++i) {
      is_touching_[static_cast<std::size_t>(i)] = state.contacts[static_cast<std::size_t>(i)].is_touching;
    }
  }
  // Forces and gaps at the state.
  StepStatus look(const State& state) {
    ++own_evaluations_;
    dynamics_.pack(state, y_state_);
    const StepStatus status = dynamics_.rate(state.t, y_state_, scratch_);
    seen_.gaps = dynamics_.gaps();
    if (points_ > 0) dynamics_.open_gap_rates(state, seen_.rates, seen_.speeds);
    return status;
  }

  // Contacts end and begin at the end of a step. `first_size` > 0: they changed the right-hand side.
  StepStatus change_contacts(int flag, State& end, double size, double& first_size) {
    CompliantContacts& contacts = dynamics_.contacts();
    contacts.remember_step(end, size);
    if (!contacts.touching().empty()) {
      if (dynamics_.let_go_of_contacts(end)) first_size = std::max(size, 1e-9);  // its account has jumped
      dynamics_.end_contacts(end);
    }
    const bool is_root = flag == CV_ROOT_RETURN;
    if (is_root) expect(CVodeGetRootInfo(memory_, root_.data()));
    if (control_ != PenetrationControl::kNone) counts_.deep_starts += deep_starts(seen_.gaps);
    starting_.clear();
    for (int i = 0; i < points_; ++i) {
      const std::size_t point = static_cast<std::size_t>(i);
      if (is_touching_[point]) continue;
      // Closing the loops may have moved a gap past its zero, where no root will be found any more.
      const bool is_past = seen_.gaps[i] < 0 && (control_ != PenetrationControl::kRoots || seen_.rates[i] < 0);
      if (!is_past && !(is_root && root_[point] != 0)) continue;
      starting_.push_back(i);
      dynamics_.begin_contact(i, end);
      const double time = contacts.expected_time(i, end.contacts[point]);
      const double first = std::isfinite(time) ? kOfContactTime * time : size;
      first_size = first_size > 0 ? std::min(first_size, first) : first;
    }
    take_flags(end);
    if (starting_.empty()) {
      dynamics_.open_gap_rates(end, seen_.rates, seen_.speeds);  // of those that have ended, too
      return StepStatus::kOk;
    }
    const StepStatus status = look(end);
    contacts.remember_forces(end);
    dynamics_.count_starts(starting_, end, counts_);
    return status;
  }

  // Whether `state` is where the last step ended or began anew.
  bool is_at(const State& state) {
    if (state.t != t_left_ || (points_ > 0 && !dynamics_.contacts().are_those_of(state))) return false;
    dynamics_.pack(state, y_state_);
    return y_state_ == y_left_;
  }
  // Begins anew at a state that another integrator has saved, or at one from earlier in this run.
  StepStatus go_to(const State& state) {
    const bool is_saved = state.method.size() == 2;
    if (is_saved) dynamics_.set_closed_rank(static_cast<int>(state.method[1]));
    dynamics_.recall_contacts(state);
    take_flags(state);
    const StepStatus status = look(state);
    restart(state, is_saved ? state.method[0] : 0);
    return status;
  }

  void restart(const State& state, double first_size) {
    dynamics_.pack(state, y_left_);
    t_left_ = state.t;
    read_counts();
    earlier_ += now_;
    now_ = {};
    dynamics_.pack(state, view(y_));
    shift_.setZero();
    expect(CVodeReInit(memory_, state.t, y_));
    expect(CVodeSetInitStep(memory_, std::isfinite(first_size) ? first_size : 0));
  }

  // CVODE counts from its last start.
  struct Counts {
    std::int64_t evaluations = 0, rejected = 0;
    void operator+=(const Counts& other) {
      evaluations += other.evaluations;
      rejected += other.rejected;
    }
  };
  void read_counts() {
    long evaluations = 0, for_jacobian = 0, by_error = 0, by_iteration = 0;
    CVodeGetNumRhsEvals(memory_, &evaluations);
    if (handles_.linear != nullptr) CVodeGetNumLinRhsEvals(memory_, &for_jacobian);
    CVodeGetNumErrTestFails(memory_, &by_error);
    CVodeGetNumStepSolveFails(memory_, &by_iteration);
    now_ = {evaluations + for_jacobian, by_error + by_iteration};
    counts_.evaluations = earlier_.evaluations + now_.evaluations + own_evaluations_;
    counts_.rejected = earlier_.rejected + now_.rejected + counts_.rejected_by_contact;
  }

  SmoothDynamics dynamics_;
  IntegratorOptions options_;
  PenetrationControl control_;
  int n_, points_;
  CvodeHandles handles_;
  N_Vector y_ = handles_.y, tolerance_ = handles_.tolerance;
  void* memory_ = handles_.memory;
  StepStatus failure_ = StepStatus::kOk;
  IntegratorCounts counts_;
  Counts earlier_, now_;
  std::int64_t own_evaluations_ = 0;
  double t_last_ = 0, t_left_ = 0;  // the last step's begin; the end of it
  int last_flag_ = 0;
  State moved_;
  VecX y_state_, y_left_, scratch_, trial_gaps_;
  VecX shift_, y_now_, y_asked_;  // of the solution from what CVODE follows; the solution after a step, and where asked
  HiddenContacts::GapMotion seen_, at_start_;  // at the state of the last look(), and where the last step began
  std::optional<HiddenContacts> hidden_contacts_;
  std::vector<int> starting_;
  std::vector<char> is_touching_;
  std::vector<bool> is_watched_;  // those that do not touch
  std::vector<int> root_;
};

}  // namespace

bool cvode_bdf_takes(PenetrationControl control) {
  return control == PenetrationControl::kRoots || control == PenetrationControl::kProcedure2 ||
         control == PenetrationControl::kNone;
}
bool cvode_adams_takes(PenetrationControl control) {
  return control == PenetrationControl::kRoots || control == PenetrationControl::kNone;
}

std::unique_ptr<Integrator> make_cvode_bdf(const System& system, const ContactModel& contacts,
                                           const IntegratorOptions& options) {
  return std::make_unique<CvodeIntegrator>(system, contacts, options, CV_BDF);
}
std::unique_ptr<Integrator> make_cvode_adams(const System& system, const ContactModel& contacts,
                                             const IntegratorOptions& options) {
  return std::make_unique<CvodeIntegrator>(system, contacts, options, CV_ADAMS);
}

}  // namespace freeplay::integrators
