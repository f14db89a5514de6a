#include "freeplay/simulation/watch/step_stability.h"

#include <algorithm>
#include <cmath>

#include "freeplay/integrators/integrator.h"
#include "freeplay/simulation/option_table.h"

namespace freeplay::simulation {

namespace {

constexpr double kStable = 2;                   // eigenvalue times step
constexpr double kShareOfStabilityLimit = 0.5;  // a longer step is worth a warning
// Steps between two looks. A look costs about thirty evaluations of all forces: one in a hundred of the run. Where
// only geometry changes stiffness and damping, it changes slowly.
constexpr std::int64_t kStepsPerLook = 256, kStepsPerLookAtLinear = 4096;
constexpr int kPowerIterations = 6;  // of a power iteration, from the same start at every look: a run has no past here
// Once something is found: a long chain has many eigenvalues near the largest, which six do not tell apart.
constexpr int kFinerIterations = 60;
constexpr double kLeast = 1e-6;  // m/s or rad/s: differences are taken over at least this much,
constexpr double kShare = 1e-6;  // and over this share of the velocities

// Rules that take forces from where a step begins or from its middle.
bool is_explicit(const SimulationOptions& options) {
  const IntegratorEntry* entry = find_integrator(options.integrator);
  return entry != nullptr && entry->traits.step_rule != StepRule::kErrorControlled &&
         !entry->traits.is_stable_with_stiff_forces;
}

// Of an element that is stiff and damps the same motion. With u' = u - dt (d u + w q_M) and q_M = q + dt/2 u, u and q
// have the characteristic polynomial  z^2 - (2 - d dt - w dt^2) z + 1 - d dt,  whose roots leave the circle at z = -1,
// where d dt + w dt^2/2 = 2.
double longest_step(double d, double w) {
  return 2 * kStable / (d + std::sqrt(d * d + 2 * kStable * w));
}

}  // namespace

StepStability::StepStability(const System& system, const SimulationOptions& options)
    : mechanism_(dynamic_cast<const Mechanism*>(&system)) {
  if (mechanism_ == nullptr || !is_explicit(options)) return;
  elements_ = force_elements(*mechanism_);
  if (elements_.empty()) return;
  has_elements_ = looks_ = true;
  velocities_are_implicit_ =
      find_option("velocity_forces").is_used(options) && options.velocity_forces == VelocityForces::kImplicit;
  const bool is_linear = std::none_of(elements_.begin(), elements_.end(), [](const auto& e) { return e.is_nonlinear; });
  interval_ = is_linear ? kStepsPerLookAtLinear : kStepsPerLook;
  whole_dynamics_ = mechanism_->make_dynamics();
  leave_out(elements_);
  M_.emplace(mechanism_->mass_structure());
  factored_.emplace(mechanism_->mass_structure());
  const int n = mechanism_->velocity_count(), m = mechanism_->row_count();
  rows_.resize(n, m);
  if (m > 0) bilateral_.emplace(n, m);
  for (VecX* v : {&h_, &h_bare_, &h_0_, &a_, &Mv_}) *v = VecX::Zero(n);
  lambda_ = zeta_ = VecX::Zero(m);
  q_ = VecX::Zero(mechanism_->coordinate_count());
  start_ = VecX::Zero(n);
  for (int i = 0; i < n; ++i) start_[i] = 1 + 0.3 * std::sin(1.7 * i + 1);
  damping_.v = stiffness_.v = start_;
}

void StepStability::go_on(double drift_at_look_J, bool was_found) {
  drift_at_look_J_ = drift_at_look_J;
  looks_ = has_elements_ && !was_found;
}

void StepStability::leave_out(const std::vector<ForceElement>& elements) {
  bare_ = without(*mechanism_, elements);
  bare_dynamics_ = bare_->make_dynamics();
}

// The forces of the elements alone.
void StepStability::forces(const State& state, const VecX* displacement, const VecX* velocity, VecX& h) {
  set(*whole_dynamics_, state, displacement, velocity);
  whole_dynamics_->forces(h);
  set(*bare_dynamics_, state, displacement, velocity);
  bare_dynamics_->forces(h_bare_);
  h -= h_bare_;
}

void StepStability::set(Dynamics& dynamics, const State& state, const VecX* displacement, const VecX* velocity) {
  q_ = state.q;
  if (displacement != nullptr) dynamics.displace(q_, *displacement);
  dynamics.set_position(state.t, q_);
  a_ = state.u;
  if (velocity != nullptr) a_ += *velocity;
  dynamics.set_velocity(a_);
}

// M and rows at the state, the forces of the elements in h_0_, their acceleration in a_. False if M is not positive.
bool StepStability::prepare(const State& state) {
  forces(state, nullptr, nullptr, h_0_);
  whole_dynamics_->mass_matrix(*M_);
  *factored_ = *M_;
  if (!factored_->factor()) return false;
  if (bilateral_) {
    whole_dynamics_->row_jacobian(rows_);
    bilateral_->factor(*factored_, rows_.W);
  }
  accelerate(h_0_, a_);
  return true;
}

void StepStability::accelerate(const VecX& h, VecX& a) {
  if (bilateral_) {
    bilateral_->accelerations(*factored_, h, zeta_, a, lambda_);
    return;
  }
  a = h;
  factored_->solve_in_place(a);
}

double StepStability::size_of(const VecX& v) {
  M_->multiply(v, Mv_);
  return std::sqrt(std::max(0.0, v.dot(Mv_)));
}

// Power iteration in the norm of the kinetic energy, in which -M^-1 dh of a passive element is symmetric.
void StepStability::iterate(const State& state, bool is_velocity, double size, int iterations, Direction& direction) {
  VecX& v = direction.v;
  for (int i = 0; i < iterations; ++i) {
    const double length = size_of(v);
    if (!(length > 0)) return;
    v *= size / length;
    forces(state, is_velocity ? nullptr : &v, is_velocity ? &v : nullptr, h_);
    h_ = h_0_ - h_;
    accelerate(h_, a_);
    M_->multiply(v, Mv_);
    const double eigenvalue = a_.dot(Mv_) / (size * size);
    if (!std::isfinite(eigenvalue)) break;
    direction.eigenvalue = std::max(direction.eigenvalue, eigenvalue);
    // To the other side: a force may act on one side only.
    if (size_of(a_) > 0) v = a_;
    v = -v;
  }
}

std::optional<StepStability::Finding> StepStability::look(const State& state, double dt, double worst_drift_J) {
  drift_at_look_J_ = std::abs(worst_drift_J);
  if (!(dt > 0) || !prepare(state)) return {};
  const double moving = size_of(state.u);
  h_ = VecX::Constant(h_.size(), kLeast);
  const double least = std::max(size_of(h_), kShare * moving);
  const double change = std::max(dt * size_of(a_), least);
  if (!std::isfinite(change) || !(change > 0)) return {};
  const double displacement = dt * std::max({moving, change, least});
  damping_.v = stiffness_.v = start_;
  damping_.eigenvalue = stiffness_.eigenvalue = 0;
  iterate(state, true, change, kPowerIterations, damping_);
  iterate(state, false, displacement, kPowerIterations, stiffness_);
  const double by_damping = velocities_are_implicit_ ? 0 : damping_.eigenvalue;
  const double by_stiffness = std::sqrt(stiffness_.eigenvalue);
  const bool is_by_damping = by_damping > by_stiffness;
  const double rate = std::max(by_damping, by_stiffness);
  if (!(rate * dt > kShareOfStabilityLimit * kStable)) return {};
  looks_ = false;  // said once
  Direction& direction = is_by_damping ? damping_ : stiffness_;
  const double size = is_by_damping ? change : displacement;
  iterate(state, is_by_damping, size, kFinerIterations, direction);
  Direction other = {direction.v, 0};
  iterate(state, !is_by_damping, is_by_damping ? displacement : change, 1, other);
  const double damping = is_by_damping ? direction.eigenvalue : velocities_are_implicit_ ? 0 : other.eigenvalue;
  const double squared = is_by_damping ? other.eigenvalue : direction.eigenvalue;
  direction.v *= size / size_of(direction.v);
  return Finding{strongest(state, is_by_damping, direction.v), is_by_damping, longest_step(damping, squared)};
}

// The element that contributes most to the change of force along v, or against it.
std::string StepStability::strongest(const State& state, bool is_velocity, const VecX& v) {
  const VecX back = -v;
  double most = -1;
  std::string name;
  for (const ForceElement& element : elements_) {
    leave_out({element});
    forces(state, nullptr, nullptr, h_0_);
    for (const VecX* side : {&v, &back}) {
      forces(state, is_velocity ? nullptr : side, is_velocity ? side : nullptr, h_);
      const double share = std::abs(v.dot(h_ - h_0_));
      if (!(share > most)) continue;
      most = share;
      name = element.name;
    }
  }
  leave_out(elements_);
  return name;
}

}  // namespace freeplay::simulation
