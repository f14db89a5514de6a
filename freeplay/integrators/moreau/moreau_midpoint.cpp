#include "freeplay/integrators/moreau/moreau_midpoint.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "freeplay/math/entrywise.h"

namespace freeplay::integrators {

namespace {

constexpr int kMaxNewton = 30;                // on the implicit velocity terms; 3 or 4 are usual
constexpr int kMaxContactIterations = 50;     // velocity terms and contacts in turn; contracts with dt
constexpr int kManyPoints = 64;               // from here on they are taken for a pile
constexpr double kMargin_m_s = 0.2;           // by which the impulses of a step may speed an approach up
constexpr double kVelocityTolerance = 1e-12;  // relative to the largest velocity

// b <- A^-1 b by elimination with partial pivoting. A is I - O(dt), and Eigen's factorisations allocate.
void solve_in_place(Eigen::Ref<MatX> A, VecRef b) {
  const Eigen::Index n = b.size();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = k;
    A.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    if (pivot != k) {
      A.row(k).swap(A.row(pivot));
      std::swap(b[k], b[pivot]);
    }
    for (Eigen::Index i = k + 1; i < n; ++i) {
      const double factor = A(i, k) / A(k, k);
      A.row(i).tail(n - k - 1) -= factor * A.row(k).tail(n - k - 1);
      b[i] -= factor * b[k];
    }
  }
  for (Eigen::Index k = n - 1; k >= 0; --k) b[k] = (b[k] - A.row(k).tail(n - k - 1).dot(b.tail(n - k - 1))) / A(k, k);
}

}  // namespace

MoreauMidpoint::MoreauMidpoint(const System& system, const ContactModel& contacts, const IntegratorOptions& options)
    : MoreauStepping(system, contacts, options),
      is_deep_(system.mass_structure().deep != DeepTrees::kNone),
      free_bodies_(dynamic_cast<FreeBodies*>(dynamics_.get())) {
  const int n = system.velocity_count();
  for (VecX* v : {&u_settling_, &u_h_, &u_free_, &residual_, &probe_, &slope_, &contact_change_, &u_start_})
    *v = VecX::Zero(n);
  g_A_ = gamma_N_ = gamma_NA_ = VecX::Zero(points().size());
  if (options.velocity_forces == VelocityForces::kImplicit) {
    int largest = 0;
    for (const MassStructure::Block& block : system.mass_structure().blocks) largest = std::max(largest, block.size);
    jacobian_ = MatX::Zero(n, largest);
  }
}

void MoreauMidpoint::choose_active(const State& state, double dt) {
  if (options_.activation == ActivationRule::kGap) {
    activate_closed_points(state, dt);
    return;
  }
  contact_step_.clear_active();
  look_at_start(state, dt);
  // What more does no harm: a contact that does not close carries nothing. Some close by the impulses of others in
  // nearly every step, and each round in which they join costs a solution: those that little more would close are in
  // from the start (joins_early).
  const bool is_pile = points().size() >= kManyPoints && points()[0].tangents == 2;
  const double margin = dt * kMargin_m_s;
  for (int i = 0; i < points().size(); ++i) {
    const double g_E = g_A_[i] + dt * gamma_NA_[i];
    if (g_E <= 0 || joins_early(i, g_E, margin, is_pile)) anticipate(i, dt);
  }
}

// Of a contact that does not close by itself: in a pile all that cannot strike, elsewhere those that carried an impulse
// in the step before; in space, where a round costs most, wherever their gap is now, in the plane those of joints with
// play (contacts of shapes may be redundant: how they share a load depends on which of them are in the problem). An
// impact would act at once, and Poisson's is one of all contacts of the problem.
bool MoreauMidpoint::joins_early(int point, double g_E_m, double margin_m, bool is_pile) const {
  const ContactPoint& at = points()[point];
  if (!at.has_normal) return false;
  if (is_pile && g_E_m <= margin_m && at.law.restitution == 0) return true;
  if (contact_step_.knows_poisson() || !was_loaded(point)) return false;
  return at.tangents == 2 ? !is_pile && std::isfinite(g_A_[point]) : at.clearance_m > 0 && g_E_m <= margin_m;
}

bool MoreauMidpoint::was_loaded(int point) const {
  const LastContact* last = last_contacts_.find(points().key(point));
  return last != nullptr && last->was_loaded;
}

// A point that ends the step closed has  g_M <= dt/2 |gamma_A| + dt |gamma_E|. The larger of dt |gamma_A| and
// 2 dt |gamma_E| is no less than that sum: points are looked for before the step and, with the other, after it. Twice
// as far before it, so that nothing is left to be found after it unless something got faster.
double MoreauMidpoint::horizon(double dt) const {
  return options_.activation == ActivationRule::kAnticipated ? 2 * dt : MoreauStepping::horizon(dt);
}

void MoreauMidpoint::look_at_start(const State& state, double dt) {
  if (kinematics_->has_undefined_normals()) settle_normals(state, dt);
  for (VecX* v : {&g_A_, &gamma_N_, &gamma_NA_}) make_room_per_point(*v);
  // Anticipated: what would be closed at the end of the step. An impact obeys Newton's law, anything else may close
  // its gap and no more: the linearised gap at the end is never negative. The gap at the start is the one seen from the
  // midpoint, g_M - dt/2 gamma_A: solids in space touch in other points from one position to the next, and the rows
  // belong to those of the midpoint.
  dynamics_->set_velocity(state.u);
  kinematics_->normal_velocities(gamma_NA_);
  for (int i = 0; i < points().size(); ++i) g_A_[i] = g_M_[i] - (dt / 2) * gamma_NA_[i];
}

// Concentric parts have no normal yet; they take the direction in which they would move if nothing touched.
void MoreauMidpoint::settle_normals(const State& state, double dt) {
  if (free_velocities(state, dt) != StepStatus::kOk) return;  // the step itself will say so
  u_settling_ = u_E_;
  settle_normals();
}

void MoreauMidpoint::settle_normals() {
  dynamics_->set_velocity(u_settling_);
  kinematics_->update_velocities();
  kinematics_->settle_normals();
}

void MoreauMidpoint::anticipate(int point, double dt) {
  const ContactPoint& description = points()[point];
  // A gap that would take less than the solver's tolerance to close is closed: it is what the step before left of that
  // tolerance. Redundant contacts that stick would contradict each other by it, and their impulses would grow without
  // bound.
  const double closing_m_s = g_A_[point] / dt;
  // What carried an impulse in the step before does not strike now: its row has turned.
  const LastContact* last = last_contacts_.find(points().key(point));
  const bool is_impact = description.law.restitution > 0 && -gamma_NA_[point] > options_.impact_threshold_m_s &&
                         !(last != nullptr && last->was_loaded);
  contact_step_.activate(
      {.point = point,
       .restitution = is_impact ? description.law.restitution : 0,
       .approach_m_s =
           is_impact || !description.has_normal || closing_m_s <= options_.solver_tolerance_m_s ? 0 : closing_m_s,
       .last = last,
       .spans_step = true});
}

// Forces and impulses of the step may close points that were not expected to close. They join, and the step is solved
// again; the set only grows, so this ends.
bool MoreauMidpoint::anticipate_more(const State& state, double dt) {
  dynamics_->set_velocity(u_E_);
  if (kinematics_->has_far_points() && kinematics_->add_points(2 * dt)) {
    u_start_ = u_E_;  // settling normals asks for free velocities
    update_gaps();
    look_at_start(state, dt);
    u_E_ = u_start_;
    dynamics_->set_velocity(u_E_);
  }
  kinematics_->normal_velocities(gamma_N_);
  const std::size_t before = contact_step_.active().size();
  for (int i = 0; i < points().size(); ++i) {
    if (!contact_step_.is_active(i) && g_A_[i] + dt * gamma_N_[i] < -kClosedGap_m) anticipate(i, dt);
  }
  return contact_step_.active().size() > before;
}

StepStatus MoreauMidpoint::velocity_step(const State& state, double dt, StepReport& report) {
  has_mass_ = has_mass_ && free_bodies_ != nullptr;
  choose_active(state, dt);
  StepStatus status = velocities_with_active(state, dt, report);
  if (options_.activation == ActivationRule::kAnticipated) {
    while (status == StepStatus::kOk && anticipate_more(state, dt)) status = velocities_with_active(state, dt, report);
    if (status == StepStatus::kOk) find_touching_points(g_A_, gamma_NA_);
  }
  report.active_points = static_cast<int>(contact_step_.active().size());
  report.gaps_are_open = gaps_stay_open() && contact_step_.active().empty();
  return status;
}

StepStatus MoreauMidpoint::velocities_with_active(const State& state, double dt, StepReport& report) {
  const bool is_implicit = options_.velocity_forces == VelocityForces::kImplicit;
  if (contact_step_.is_empty() && !is_implicit) return free_velocities(state, dt);

  if (!has_mass_) {  // the midpoint is the same in every round in which contacts join
    dynamics_->mass_matrix(M_);
    if (!M_.factor()) return StepStatus::kNotFinite;
    has_mass_ = true;
  }
  if (!contact_step_.is_empty()) contact_step_.assemble(*dynamics_, *kinematics_, M_, state.u);
  if (options_.activation == ActivationRule::kGap) find_drifts(state, dt);
  if (is_implicit) return implicit_velocities(state, dt, report);

  accelerate(state.u);
  add_scaled(state.u, dt, acceleration_, u_free_);
  const StepStatus status = contact_velocities(dt, ContactStep::Guess::kNone, report);
  if (status != StepStatus::kOk || options_.velocity_forces == VelocityForces::kStart) return status;
  // h at the mean of u_A and what the step just found. The impulses belong to it: without them the slider-crank's
  // error at dt = 1e-5 s is nine times as large.
  delta_ = 0.5 * (state.u + u_E_);
  accelerate(delta_);
  add_scaled(state.u, dt, acceleration_, u_free_);
  return contact_velocities(dt, ContactStep::Guess::kLastAnswer, report);
}

// du/dt at u, from h there. M must be factored.
void MoreauMidpoint::accelerate(const ConstVecRef& u) {
  copy_entries(u, u_h_);
  dynamics_->set_velocity(u_h_);
  if (free_bodies_ != nullptr) {  // each of them knows its own
    free_bodies_->free_accelerations_again(acceleration_);
    return;
  }
  dynamics_->forces(acceleration_);
  M_.solve_in_place(acceleration_);
}

// A step without rows needs no mass matrix.
StepStatus MoreauMidpoint::free_velocities(const State& state, double dt) {
  copy_entries(state.u, u_h_);
  dynamics_->set_velocity(u_h_);
  if (!dynamics_->free_accelerations(acceleration_)) return StepStatus::kNotFinite;
  if (options_.velocity_forces == VelocityForces::kMidpoint) {
    add_scaled(u_h_, dt / 2, acceleration_, u_h_);
    dynamics_->set_velocity(u_h_);
    dynamics_->free_accelerations_again(acceleration_);
  }
  add_scaled(state.u, dt, acceleration_, u_E_);
  return StepStatus::kOk;
}

StepStatus MoreauMidpoint::contact_velocities(double dt, ContactStep::Guess guess, StepReport& report) {
  return note_contact(contact_step_.solve(M_, u_free_, dt, u_E_, guess), report);
}

// h at the mean of u_A and u_E: Newton's method on the velocity terms, and the contact problem in turn.
StepStatus MoreauMidpoint::implicit_velocities(const State& state, double dt, StepReport& report) {
  contact_change_.setZero();
  u_E_ = state.u;
  double left_before = 0;
  for (int k = 0; k < kMaxContactIterations; ++k) {
    if (!solve_velocity_terms(state, dt)) return StepStatus::kVelocityTermsFailed;
    if (contact_step_.is_empty()) return StepStatus::kOk;
    u_free_ = u_E_ - contact_change_;
    const StepStatus status =
        contact_velocities(dt, k == 0 ? ContactStep::Guess::kNone : ContactStep::Guess::kLastAnswer, report);
    if (status != StepStatus::kOk) return status;
    residual_ = u_E_ - u_free_ - contact_change_;
    contact_change_ = u_E_ - u_free_;
    const double left = max_abs(residual_);
    if (is_settled(left, left_before)) return StepStatus::kOk;
    left_before = left;
  }
  return StepStatus::kVelocityTermsFailed;
}

// Along a deep tree rounding is larger than the tolerance: what does not shrink any more is as good as zero.
bool MoreauMidpoint::is_settled(double left, double left_before) const {
  if (left <= kVelocityTolerance * std::max(1.0, max_abs(u_E_))) return true;
  return is_deep_ && left > 0.5 * left_before && left_before > 0 && left <= options_.solver_tolerance_m_s;
}

// By the plain iteration u_E <- u_E - residual, which contracts with dt. The Jacobian of a deep tree would be full.
bool MoreauMidpoint::repeat_velocity_terms(const State& state, double dt) {
  double left_before = 0;
  for (int k = 0; k < kMaxNewton; ++k) {
    delta_ = 0.5 * (state.u + u_E_);
    accelerate(delta_);
    residual_ = u_E_ - state.u - contact_change_ - dt * acceleration_;
    const double left = max_abs(residual_);
    if (!std::isfinite(left)) return false;
    if (is_settled(left, left_before)) return true;
    if (left_before > 0 && left > 0.5 * left_before) return false;
    left_before = left;
    u_E_ -= residual_;
  }
  return false;
}

// u_E - u_A - contact_change - dt M^-1 h(q_M, (u_A + u_E)/2) = 0. Gyroscopic terms couple velocities of one tree only,
// so the trees are differentiated all at once, a velocity of each at a time. Where dampers between trees are too strong
// for that, the whole Jacobian follows.
bool MoreauMidpoint::solve_velocity_terms(const State& state, double dt) {
  u_start_ = u_E_;
  if (is_deep_) {
    if (repeat_velocity_terms(state, dt)) return true;
    u_E_ = u_start_;
  }
  if (newton_on_velocity_terms(state, dt, system_.mass_structure().blocks)) return true;
  if (system_.mass_structure().blocks.size() == 1) return false;
  u_E_ = u_start_;
  const MassStructure::Block whole{0, static_cast<int>(u_E_.size()), 0};
  jacobian_.resize(whole.size, whole.size);
  return newton_on_velocity_terms(state, dt, std::span(&whole, 1));
}

// The Jacobian by differences: h is quadratic in u, for which central differences are exact up to rounding.
bool MoreauMidpoint::newton_on_velocity_terms(const State& state, double dt,
                                              std::span<const MassStructure::Block> blocks) {
  int largest = 0;
  for (const MassStructure::Block& block : blocks) largest = std::max(largest, block.size);
  const auto residual_at = [&](const VecX& u) {
    delta_ = 0.5 * (state.u + u);
    accelerate(delta_);
    residual_ = u - state.u - contact_change_ - dt * acceleration_;
  };
  for (int k = 0; k < kMaxNewton; ++k) {
    residual_at(u_E_);
    if (!residual_.allFinite()) return false;
    if (max_abs(residual_) <= kVelocityTolerance * std::max(1.0, max_abs(u_E_))) return true;
    u_free_ = residual_;
    const double size = 1e-3 * std::max(1.0, max_abs(u_E_));
    for (int j = 0; j < largest; ++j) {
      const auto shift = [&](double by) {
        for (const MassStructure::Block& block : blocks) {
          if (j < block.size) probe_[block.first + j] += by;
        }
      };
      probe_ = u_E_;
      shift(size);
      residual_at(probe_);
      slope_ = residual_;
      shift(-2 * size);
      residual_at(probe_);
      slope_ = (slope_ - residual_) / (2 * size);
      for (const MassStructure::Block& block : blocks) {
        if (j < block.size) jacobian_.block(block.first, j, block.size, 1) = slope_.segment(block.first, block.size);
      }
    }
    for (const MassStructure::Block& block : blocks) {
      solve_in_place(jacobian_.block(block.first, 0, block.size, block.size), u_free_.segment(block.first, block.size));
    }
    u_E_ -= u_free_;
  }
  return false;
}

// Loads, drivers and dampers, at the mean velocity of the step.
void MoreauMidpoint::book_powers(const State& state, double dt, EnergyAccount& account) {
  delta_ = 0.5 * (state.u + u_E_);
  dynamics_->set_velocity(delta_);
  row_effort_ = row_impulses_ / dt;
  const Powers powers = dynamics_->powers(row_effort_);
  account.input += dt * powers.input;
  account.damping_loss += dt * powers.damping;
}

void MoreauMidpoint::advance_positions(State& state, double dt) {
  for (Eigen::Index i = 0; i < delta_.size(); ++i) delta_[i] = (dt / 2) * u_E_[i];
  if (options_.activation == ActivationRule::kAnticipated && !contact_step_.active().empty()) {
    // q_E = q_A + dt T(q_M) u_E where a contact pushes, so that its linearised gap at the end is what the contact
    // problem made it. Where it touches without an impulse, bodies move on as free ones do: in free fall the other rule
    // is g dt^2/2 ahead in each step.
    const std::span<const char> is_pushed = contact_step_.pushed_trees();
    for (std::size_t tree = 0; tree < is_pushed.size(); ++tree) {
      if (is_pushed[tree] == 0) continue;
      const MassStructure::Block& block = system_.mass_structure().blocks[tree];
      delta_.segment(block.first, block.size) =
          dt * u_E_.segment(block.first, block.size) - (dt / 2) * state.u.segment(block.first, block.size);
    }
  }
  copy_entries(q_M_, state.q);
  dynamics_->displace(state.q, delta_);
}

void MoreauMidpoint::go_to_forces(bool has_moved, StepRecord& record) {
  record.t = t_M_;
  record.q = q_M_;
  record.u = u_h_;
  if (has_moved) {
    dynamics_->set_position(t_M_, q_M_);
    kinematics_->update_gaps(g_M_);
    const bool is_anticipated = options_.activation == ActivationRule::kAnticipated;
    if (is_anticipated && kinematics_->has_undefined_normals()) settle_normals();
  }
  dynamics_->set_velocity(u_h_);
}

std::unique_ptr<Integrator> make_moreau_midpoint(const System& system, const ContactModel& contacts,
                                                 const IntegratorOptions& options) {
  return std::make_unique<MoreauMidpoint>(system, contacts, options);
}

}  // namespace freeplay::integrators
