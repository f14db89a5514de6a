// CVODE as the smooth part of another method: one step of its own choice at a time, and what lies inside of it.
//
// A method that removes drift moves the end of a step, and the history of a multistep method does not know it: to begin
// anew, with order 1, would be the end of all long steps. So CVODE integrates z = y - d,  dz/dt = f(t, z + d), and what
// is removed goes into d, which is constant during a step: z and its derivatives have no jump but that of f, which is
// as small as the drift.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "freeplay/core/status.h"
#include "freeplay/math/types.h"

namespace freeplay::integrators {

struct CvodeHandles;

class CvodeMotion {
 public:
  using Rate = std::function<StepStatus(double t, const VecX& y, VecX& y_rate)>;
  enum class Formula : std::uint8_t { kBdf, kAdams };
  struct Options {
    Formula formula = Formula::kBdf;
    double relative_tolerance = 0, min_step_s = 0, max_step_s = 0;  // steps: 0 is no bound
  };
  // `absolute`: tolerances of y.
  CvodeMotion(const VecX& absolute, const Options& options, Rate rate);
  ~CvodeMotion();
  CvodeMotion(const CvodeMotion&) = delete;
  CvodeMotion& operator=(const CvodeMotion&) = delete;

  // Begins anew, at order 1; what came before is forgotten. A first size of 0 is chosen by CVODE.
  void begin(double t, const VecX& y, double first_size_s);
  // One step that ends at t_limit at the latest, and exactly there if it gets that far.
  [[nodiscard]] StepStatus step(double t_limit);
  double t() const { return t_; }
  const VecX& y() const { return y_; }
  // The motion goes on from y, which is where it stands but for a small displacement.
  void displace_to(const VecX& y);
  // The solution at a time of the last step, by CVODE's polynomial: its first numbers.
  void inside(double t, VecRef y);
  double next_size_s() const;
  // Steps that were refused, since the object was made.
  std::int64_t rejected() const { return rejected_before_ + rejected_since_begin(); }

 private:
  struct Calls;  // what CVODE calls
  std::int64_t rejected_since_begin() const;

  std::unique_ptr<CvodeHandles> handles_;
  Rate rate_;
  VecX shift_, y_, y_asked_, k_asked_;
  StepStatus failure_ = StepStatus::kOk;
  double t_ = 0;
  std::int64_t rejected_before_ = 0;
};

}  // namespace freeplay::integrators
