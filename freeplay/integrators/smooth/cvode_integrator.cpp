#include "freeplay/integrators/smooth/cvode_integrator.h"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "freeplay/core/error.h"
#include "freeplay/integrators/smooth/smooth_dynamics.h"

namespace freeplay::integrators {

namespace {

constexpr double kOfContactTime = 0.002;  // first step of a contact: the order begins anew at 1
constexpr int kMaxRefusals = 100;
// The energy account is a quadrature beside the motion: the error control does not watch it.
constexpr double kUnwatched = 1e30;
// Closing the loops may move the end of a step by this much, in units of the tolerated error, before CVODE is told.
constexpr double kLargestDrift = 0.1;

struct Context {
  Context() { SUNContext_Create(nullptr, &handle); }
  ~Context() { SUNContext_Free(&handle); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  SUNContext handle = nullptr;
};

Eigen::Map<VecX> view(N_Vector v) {
  return {N_VGetArrayPointer(v), static_cast<Eigen::Index>(N_VGetLength(v))};
}

void say_nothing(int, const char*, const char*, char*, void*) {}

class CvodeIntegrator final : public Integrator {
 public:
  CvodeIntegrator(const System& system, const ContactModel& contacts, const IntegratorOptions& options, int method)
      : dynamics_(system, contacts, options.baumgarte_per_s),
        options_(options),
        control_(options.onset_control.control),
        n_(dynamics_.size()),
        points_(contacts.point_count()),
        y_(N_VNew_Serial(n_, context_.handle)),
        tolerance_(N_VNew_Serial(n_, context_.handle)),
        memory_(CVodeCreate(method, context_.handle)),
        y_state_(VecX::Zero(n_)),
        y_left_(VecX::Zero(n_)),
        scratch_(VecX::Zero(n_)),
        gaps_(VecX::Zero(points_)),
        trial_gaps_(VecX::Zero(points_)),
        rates_(VecX::Zero(points_)),
        is_touching_(static_cast<std::size_t>(points_), 0),
        root_(static_cast<std::size_t>(points_), 0) {
    FREEPLAY_ASSERT(y_ != nullptr && tolerance_ != nullptr && memory_ != nullptr);
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
    expect(CVodeSetErrHandlerFn(memory_, &say_nothing, nullptr));
    if (method == CV_BDF) {
      matrix_ = SUNDenseMatrix(n_, n_, context_.handle);
      linear_ = SUNLinSol_Dense(y_, matrix_, context_.handle);
      expect(CVodeSetLinearSolver(memory_, linear_, matrix_));
    } else {
      nonlinear_ = SUNNonlinSol_FixedPoint(y_, 0, context_.handle);
      expect(CVodeSetNonlinearSolver(memory_, nonlinear_));
    }
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

  ~CvodeIntegrator() override {
    CVodeFree(&memory_);
    SUNLinSolFree(linear_);
    SUNMatDestroy(matrix_);
    SUNNonlinSolFree(nonlinear_);
    N_VDestroy(tolerance_);
    N_VDestroy(y_);
  }
  CvodeIntegrator(const CvodeIntegrator&) = delete;
  CvodeIntegrator& operator=(const CvodeIntegrator&) = delete;

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
    dynamics_.unpack(view(y_), end);
    const bool has_moved = dynamics_.settle(end, report);
    if (report.status != StepStatus::kOk) return report;
    report.size_s = end.t - begin;
    bool must_restart = has_moved && drift(end) > kLargestDrift;
    double first_size = 0;
    if (points_ > 0) {
      report.status = look(end);
      if (report.status == StepStatus::kOk) report.status = change_contacts(flag, end, report.size_s, first_size);
      if (report.status != StepStatus::kOk) return report;
      must_restart = must_restart || first_size > 0;
      report.active_points = static_cast<int>(dynamics_.contacts().touching().size());
    }
    state = end;
    if (must_restart) {
      restart(state, first_size);
    } else {
      dynamics_.pack(state, y_left_);
      t_left_ = state.t;
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
  static void expect(int flag) { FREEPLAY_ASSERT(flag >= 0); }
  static CvodeIntegrator& self(void* data) { return *static_cast<CvodeIntegrator*>(data); }

  // ---- What CVODE calls ----

  static int rate(double t, N_Vector y, N_Vector y_rate, void* data) {
    CvodeIntegrator& me = self(data);
    me.failure_ = me.dynamics_.rate(t, view(y), view(y_rate));
    if (me.failure_ == StepStatus::kOk && !view(y_rate).allFinite()) me.failure_ = StepStatus::kNotFinite;
    return me.failure_ == StepStatus::kOk ? 0 : 1;  // 1: perhaps a shorter step helps
  }
  // A point that touches has no root: its function is 1.
  static int gap_roots(double t, N_Vector y, double* values, void* data) {
    CvodeIntegrator& me = self(data);
    me.dynamics_.gaps_at(t, view(y), me.trial_gaps_);
    for (int i = 0; i < me.points_; ++i) {
      values[i] = me.is_touching_[static_cast<std::size_t>(i)] ? 1 : me.trial_gaps_[i];
    }
    return 0;
  }
  // Procedure 2 of Flores and Ambrosio (2010): 1 refuses the step, which is then halved.
  static int refuse_deep_contacts(double t, N_Vector y, N_Vector correction, double, N_Vector, void* data) {
    CvodeIntegrator& me = self(data);
    N_VConst(0, correction);
    me.dynamics_.gaps_at(t, view(y), me.trial_gaps_);
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

  // ---- The rest ----

  // How far settling moved the end of the step, in units of the tolerated error.
  double drift(const State& end) {
    dynamics_.pack(end, y_state_);
    double sum = 0;
    const int n = dynamics_.controlled_size();
    for (int i = 0; i < n; ++i) {
      const double scale = view(tolerance_)[i] + options_.relative_tolerance * std::abs(y_state_[i]);
      const double ratio = (y_state_[i] - view(y_)[i]) / scale;
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
    dynamics_.pack(state, y_state_);
    const StepStatus status = dynamics_.rate(state.t, y_state_, scratch_);
    ++own_evaluations_;
    gaps_ = dynamics_.gaps();
    if (points_ > 0) dynamics_.open_gap_rates(state, rates_);
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
    if (control_ != PenetrationControl::kNone) counts_.deep_starts += deep_starts(gaps_);
    starting_.clear();
    for (int i = 0; i < points_; ++i) {
      const std::size_t point = static_cast<std::size_t>(i);
      if (is_touching_[point]) continue;
      // Closing the loops may have moved a gap past its zero, where no root will be found any more.
      const bool is_past = gaps_[i] < 0 && (control_ != PenetrationControl::kRoots || rates_[i] < 0);
      if (!is_past && !(is_root && root_[point] != 0)) continue;
      starting_.push_back(i);
      dynamics_.begin_contact(i, end);
      const double time = contacts.expected_time(i, end.contacts[point]);
      const double first = std::isfinite(time) ? kOfContactTime * time : size;
      first_size = first_size > 0 ? std::min(first_size, first) : first;
    }
    take_flags(end);
    if (starting_.empty()) return StepStatus::kOk;
    const StepStatus status = look(end);
    contacts.remember_forces(end);
    dynamics_.count_starts(starting_, end, counts_);
    return status;
  }

  // Whether `state` is where the last step ended or began anew.
  bool is_at(const State& state) {
    if (state.t != t_left_) return false;
    dynamics_.pack(state, y_state_);
    return y_state_ == y_left_;
  }
  // Begins anew at a state that another integrator has saved, or at one from earlier in this run.
  StepStatus go_to(const State& state) {
    const bool is_saved = state.method.size() == 2;
    if (is_saved) dynamics_.set_closed_rank(static_cast<int>(state.method[1]));
    take_flags(state);
    const StepStatus status = look(state);
    --own_evaluations_;
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
    if (linear_ != nullptr) CVodeGetNumLinRhsEvals(memory_, &for_jacobian);
    CVodeGetNumErrTestFails(memory_, &by_error);
    CVodeGetNumStepSolveFails(memory_, &by_iteration);
    now_ = {evaluations + for_jacobian, by_error + by_iteration};
    counts_.evaluations = earlier_.evaluations + now_.evaluations + own_evaluations_;
    counts_.rejected = earlier_.rejected + now_.rejected + counts_.rejected_by_contact;
  }

  Context context_;
  SmoothDynamics dynamics_;
  IntegratorOptions options_;
  PenetrationControl control_;
  int n_, points_;
  N_Vector y_, tolerance_;
  void* memory_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver nonlinear_ = nullptr;
  StepStatus failure_ = StepStatus::kOk;
  IntegratorCounts counts_;
  Counts earlier_, now_;
  std::int64_t own_evaluations_ = 0;
  double t_last_ = 0, t_left_ = 0;  // the last step's begin; the end of it
  int last_flag_ = 0;
  State moved_;
  VecX y_state_, y_left_, scratch_, gaps_, trial_gaps_, rates_;
  std::vector<int> starting_;
  std::vector<char> is_touching_;
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
