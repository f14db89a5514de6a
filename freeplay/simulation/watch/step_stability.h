// Whether a step is short enough for what is stiff: springs, dampers, bushings, torsional springs, forces and efforts
// that are given by expressions, under rules that take their forces explicitly.
//
// With a = M^-1 h of these elements alone, kept to what the bilateral rows let move, the largest eigenvalues
//   d of  -da/du  (damping),   omega^2 of  -da/dq  (stiffness)
// limit the step: moreau-midpoint is stable for  d dt < 2  and  omega dt < 2, where one element does both for
// d dt + omega^2 dt^2/2 < 2. Both are found by power iteration with
// differences of forces over what a step of that length changes, so that a force that saturates is seen as the step
// sees it. Nothing allocates after construction, until something is found.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/mechanism/building/force_elements.h"
#include "freeplay/mechanism/rows/bilateral_solver.h"
#include "freeplay/mechanism/state.h"
#include "freeplay/simulation/simulation_options.h"

namespace freeplay::simulation {

class StepStability {
 public:
  // Looks at nothing if the system is not a mechanism with such elements, or if the integrator of the options treats
  // them implicitly or controls its error.
  StepStability(const System& system, const SimulationOptions& options);

  // Whether to look after this many steps, with the largest energy drift so far: whenever that has grown noticeably,
  // what is unstable may be at work at this moment.
  bool is_due(std::int64_t step, double worst_drift_J) const {
    return looks_ && (step % interval_ == 0 || std::abs(worst_drift_J) > kGrowth * drift_at_look_J_);
  }

  // The largest drift at the last look: all that a run that goes on elsewhere has to know, beside whether something was
  // found already.
  double drift_at_look_J() const { return drift_at_look_J_; }
  void go_on(double drift_at_look_J, bool was_found);

  struct Finding {
    std::string element;         // the one that limits the step most
    bool is_by_damping = false;  // otherwise by its stiffness
    double limit_s = 0;          // longer steps are unstable
  };
  // At a state, for a step of size dt. Something is found if dt exceeds half of the limit.
  std::optional<Finding> look(const State& state, double dt, double worst_drift_J);

 private:
  // A velocity, or a displacement in velocity coordinates.
  struct Direction {
    VecX v;
    double eigenvalue = 0;  // -v^T df / v^T M v
  };

  void leave_out(const std::vector<ForceElement>& elements);
  void set(Dynamics& dynamics, const State& state, const VecX* displacement, const VecX* velocity);
  void forces(const State& state, const VecX* displacement, const VecX* velocity, VecX& h);
  bool prepare(const State& state);
  double size_of(const VecX& v);
  void accelerate(const VecX& h, VecX& a);
  void iterate(const State& state, bool is_velocity, double size, int iterations, Direction& direction);
  std::string strongest(const State& state, bool is_velocity, const VecX& v);

  const Mechanism* mechanism_ = nullptr;
  bool has_elements_ = false, looks_ = false;
  bool velocities_are_implicit_ = false;
  static constexpr double kGrowth = 1.5;  // few looks from rounding to any size
  std::int64_t interval_ = 1;
  double drift_at_look_J_ = 0;
  std::vector<ForceElement> elements_;
  std::shared_ptr<const Mechanism> bare_;  // without any of them, or without the one that is looked at
  std::unique_ptr<Dynamics> whole_dynamics_, bare_dynamics_;
  std::optional<MassMatrix> M_, factored_;
  BilateralRows rows_;
  std::optional<BilateralSolver> bilateral_;
  Direction damping_, stiffness_;
  VecX start_;  // not along any axis, and the same in every run
  VecX h_, h_bare_, h_0_, a_, lambda_, zeta_, q_, Mv_;
};

}  // namespace freeplay::simulation
