#include "freeplay/integrators/smooth/cvode_motion.h"

#include <algorithm>
#include <utility>

#include "freeplay/integrators/smooth/cvode_handles.h"

namespace freeplay::integrators {

struct CvodeMotion::Calls {
  static int rate(double t, N_Vector y, N_Vector y_rate, void* self) {
    CvodeMotion& me = *static_cast<CvodeMotion*>(self);
    me.y_asked_ = view(y) + me.shift_;
    me.failure_ = me.rate_(t, me.y_asked_, me.k_asked_);
    if (me.failure_ == StepStatus::kOk && !me.k_asked_.allFinite()) me.failure_ = StepStatus::kNotFinite;
    view(y_rate) = me.k_asked_;
    return me.failure_ == StepStatus::kOk ? 0 : 1;  // 1: perhaps a shorter step helps
  }
};

CvodeMotion::CvodeMotion(const VecX& absolute, const Options& options, Rate rate)
    : handles_(std::make_unique<CvodeHandles>(static_cast<int>(absolute.size()),
                                              options.formula == Formula::kBdf ? CV_BDF : CV_ADAMS)),
      rate_(std::move(rate)),
      shift_(VecX::Zero(absolute.size())),
      y_(shift_),
      y_asked_(shift_),
      k_asked_(shift_) {
  void* memory = handles_->memory;
  view(handles_->tolerance) = absolute;
  expect(CVodeInit(memory, &Calls::rate, 0, handles_->y));
  expect(CVodeSVtolerances(memory, options.relative_tolerance, handles_->tolerance));
  expect(CVodeSetUserData(memory, this));
  if (options.formula == Formula::kBdf)
    expect(CVodeSetLinearSolver(memory, handles_->linear, handles_->matrix));
  else
    expect(CVodeSetNonlinearSolver(memory, handles_->nonlinear));
  if (options.min_step_s > 0) expect(CVodeSetMinStep(memory, options.min_step_s));
  if (options.max_step_s > 0) expect(CVodeSetMaxStep(memory, options.max_step_s));
}

CvodeMotion::~CvodeMotion() = default;

void CvodeMotion::begin(double t, const VecX& y, double first_size_s) {
  rejected_before_ = rejected();
  view(handles_->y) = y_ = y;
  shift_.setZero();
  expect(CVodeReInit(handles_->memory, t, handles_->y));
  expect(CVodeSetInitStep(handles_->memory, first_size_s));
  t_ = t;
}

StepStatus CvodeMotion::step(double t_limit) {
  expect(CVodeSetStopTime(handles_->memory, t_limit));
  double t = t_;
  failure_ = StepStatus::kOk;
  const int flag = CVode(handles_->memory, t_limit, handles_->y, &t, CV_ONE_STEP);
  if (flag < 0) return failure_ != StepStatus::kOk ? failure_ : StepStatus::kStepTooSmall;
  t_ = t;
  y_ = view(handles_->y) + shift_;
  return StepStatus::kOk;
}

void CvodeMotion::displace_to(const VecX& y) {
  shift_ += y - y_;
  y_ = y;
}

void CvodeMotion::inside(double t, VecRef y) {
  // The polynomial is that of CVODE's last step, whose length is rounded.
  double now = 0, last_size = 0;
  expect(CVodeGetCurrentTime(handles_->memory, &now));
  expect(CVodeGetLastStep(handles_->memory, &last_size));
  expect(CVodeGetDky(handles_->memory, std::clamp(t, now - last_size, now), 0, handles_->between));
  y = view(handles_->between).head(y.size()) + shift_.head(y.size());
}

double CvodeMotion::next_size_s() const {
  double size = 0;
  expect(CVodeGetCurrentStep(handles_->memory, &size));
  return size;
}

std::int64_t CvodeMotion::rejected_since_begin() const {
  long by_error = 0, by_iteration = 0;
  CVodeGetNumErrTestFails(handles_->memory, &by_error);
  CVodeGetNumStepSolveFails(handles_->memory, &by_iteration);
  return by_error + by_iteration;
}

}  // namespace freeplay::integrators
