#include "freeplay/contact/problem/contact_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "freeplay/contact/problem/delassus.h"
#include "freeplay/core/error.h"

namespace freeplay::contact {

namespace {

constexpr std::size_t kManyTrees = 16;  // from here on most of a whole column of W is zero
constexpr int kFirstRows = 256;         // room for compact rows at first

}  // namespace

ContactStep::ContactStep(const System& system, const ContactModel& contacts, const ContactStepOptions& options)
    : system_(system), contacts_(contacts), options_(options), bilateral_count_(system.row_count()) {
  const SolverEntry* entry = find_solver(options.solver);
  FREEPLAY_ASSERT(entry != nullptr);
  solver_ = entry->make();
  // A relaxed solver has no exact fallback: a run with exact impulses in some steps would be neither relaxed nor exact.
  if (options.solver != "auto" && !solver_->traits().is_relaxed) fallback_ = find_solver("auto")->make();
  const int velocities = system.velocity_count();
  int rows = bilateral_count_ + contacts.row_count();
  const std::vector<MassStructure::Block>& trees = system.mass_structure().blocks;
  const bool is_compact =
      options.may_be_compact && contacts.has_compact_rows() && bilateral_count_ == 0 && trees.size() >= kManyTrees;
  is_active_.assign(contacts.points().size(), 0);
  active_.reserve(static_cast<std::size_t>(contacts.point_count()));
  active_points_.reserve(active_.capacity());
  first_row_.reserve(active_.capacity());
  bilateral_.resize(velocities, bilateral_count_);
  z_ = VecX::Zero(velocities);
  if (is_compact) {
    rows_.is_compact = true;
    for (std::size_t tree = 0; tree < trees.size(); ++tree)
      tree_of_velocity_.insert(tree_of_velocity_.end(), static_cast<std::size_t>(trees[tree].size),
                               static_cast<int>(tree));
    rows = std::min(rows, kFirstRows);
  } else {
    rows_.resize(velocities, rows);
    B_ = MatX::Zero(velocities, rows);
    G_ = MatX::Zero(rows, rows);
  }
  make_room(rows);
  bilateral_approach_ = VecX::Zero(bilateral_count_);
  clear_active();
}

void ContactStep::clear_active() {
  for (const int point : active_points_) is_active_[static_cast<std::size_t>(point)] = 0;
  active_.clear();
  active_points_.clear();
  first_row_.clear();
}

void ContactStep::activate(const Activation& activation) {
  const auto rows_of = [&](int point) { return contacts_.points()[static_cast<std::size_t>(point)].rows(); };
  first_row_.push_back(active_.empty() ? bilateral_count_ : first_row_.back() + rows_of(active_.back().point));
  active_.push_back(activation);
  active_points_.push_back(activation.point);
  is_active_[static_cast<std::size_t>(activation.point)] = 1;
}

void ContactStep::assemble(Dynamics& dynamics, ContactKinematics& kinematics, const MassMatrix& M,
                           const ConstVecRef& u_A) {
  collect(dynamics, kinematics, u_A);
  B_.leftCols(count_) = rows_.W.leftCols(count_);
  if (rows_.is_compact)
    assemble_sparse(M);
  else
    delassus(M, count_, B_, G_);
}

void ContactStep::collect(Dynamics& dynamics, ContactKinematics& kinematics, const ConstVecRef& u_A) {
  if (bilateral_count_ > 0) {
    dynamics.row_jacobian(bilateral_);
    rows_.W.leftCols(bilateral_count_) = bilateral_.W;
    rows_.w_tilde.head(bilateral_count_) = bilateral_.w_tilde;
  }
  if (rows_.is_compact && !active_.empty()) {
    const int last = contacts_.points()[static_cast<std::size_t>(active_.back().point)].rows();
    make_room(first_row_.back() + last);
  }
  count_ = bilateral_count_ + kinematics.update_rows(active_points_, rows_, bilateral_count_);
  update_velocities_before(u_A);
}

void ContactStep::update_velocities_before(const ConstVecRef& u_A) {
  for (int i = 0; i < count_; ++i) gamma_A_[i] = row_velocity(i, u_A);
}

Eigen::Ref<MatX> ContactStep::response() {
  B_.leftCols(count_) = rows_.W.leftCols(count_);
  return B_.leftCols(count_);
}

void ContactStep::accept_response() {
  for (int j = 0; j < count_; ++j) {
    for (int i = 0; i < count_; ++i) G_(i, j) = rows_.W.col(i).dot(B_.col(j));
  }
}

// Newton's impact law and Coulomb's friction as sets (Flores, Leine, Glocker 2010, eqs 32 to 37):
//   xi_N = gamma_NE + e_N gamma_NA,   0 <= Lambda_N _|_ xi_N >= 0
//   xi_T = gamma_TE + e_T gamma_TA,   |Lambda_T| <= mu Lambda_N, against the sliding; in space a disc
// The coefficients of gamma_A and the approach rates have been put into c.
void ContactStep::make_blocks(double dt) {
  blocks_.clear();
  for (int i = 0; i < bilateral_count_; ++i) {
    c_[i] += options_.bilateral_weight * gamma_A_[i] + bilateral_approach_[i];
    blocks_.push_back({ImpulseSet::kFree, i});
  }
  int row = bilateral_count_;
  for (const Activation& activation : active_) {
    const ContactPoint& point = contacts_.points()[static_cast<std::size_t>(activation.point)];
    int normal_row = -1;
    if (point.has_normal) {
      normal_row = row;
      c_[row] += activation.restitution * gamma_A_[row] + activation.approach_m_s;
      blocks_.push_back({ImpulseSet::kNonNegative, row++});
    }
    if (point.has_friction()) {
      const int tangents = point.friction_rows();
      c_.segment(row, tangents) += point.law.tangential_restitution * gamma_A_.segment(row, tangents);
      ImpulseBlock block{tangents == 2 ? ImpulseSet::kDisc : ImpulseSet::kInterval, row, tangents, normal_row};
      row += tangents;
      if (tangents == 2) {
        block.mu = point.law.friction;
      } else if (normal_row >= 0) {
        block.lo1 = -point.law.friction;
        block.hi1 = point.law.friction;
      } else {
        block.lo0 = -point.law.dry_effort * dt;
        block.hi0 = point.law.dry_effort * dt;
      }
      blocks_.push_back(block);
    }
  }
}

ContactStepReport ContactStep::solve(const MassMatrix& M, const ConstVecRef& u_free, double dt, VecRef u_E,
                                     Guess guess) {
  const ContactStepReport report = find_impulses(u_free, dt, guess);
  M.finish_solve_in_place(z_);
  u_E = u_free + z_;
  return report;
}

ContactStepReport ContactStep::solve(const ConstVecRef& u_free, double dt, VecRef u_E, Guess guess) {
  const ContactStepReport report = find_impulses(u_free, dt, guess);
  u_E = u_free + z_;
  return report;
}

ContactStepReport ContactStep::find_impulses(const ConstVecRef& u_free, double dt, Guess guess) {
  for (int i = 0; i < count_; ++i) c_[i] = row_velocity(i, u_free);
  make_blocks(dt);
  const LocalProblem problem = this->problem();
  if (guess == Guess::kNone) Lambda_.head(count_).setZero();
  ContactStepReport report;
  const SolveReport solution = run_solver(problem, report.used_fallback);
  report.solved = solution.status == SolveStatus::kSolved;
  report.residual_m_s = solution.residual;
  report.iterations = solution.iterations;
  report.worst_row = solution.worst_row;

  z_.setZero();
  for (int i = 0; i < count_; ++i) {
    if (Lambda_[i] != 0) rows_.add(i, Lambda_[i], B_, z_);
  }
  return report;
}

SolveReport ContactStep::run_solver(const LocalProblem& problem, bool& used_fallback) {
  const SolverOptions options{.tolerance = options_.tolerance_m_s, .r_factor = options_.r_factor};
  SolveReport report = solver_->solve(problem, options, Lambda_.head(count_));
  if (report.status == SolveStatus::kSolved || !fallback_) return report;
  used_fallback = true;
  Lambda_.head(count_).setZero();
  return fallback_->solve(problem, options, Lambda_.head(count_));
}

double ContactStep::impulse_energy() const {
  double sum = 0;
  for (int i = 0; i < count_; ++i) {
    if (Lambda_[i] != 0) sum += Lambda_[i] * G_.col(i).head(count_).dot(Lambda_.head(count_));
  }
  return sum;
}

void ContactStep::generalised_impulse(VecRef sum) const {
  sum.setZero();
  for (int i = 0; i < count_; ++i) {
    if (Lambda_[i] != 0) rows_.add(i, Lambda_[i], rows_.W, sum);
  }
}

namespace {

// Most points were open and have nothing to forget.
void forget_step(ContactMemory& memory) {
  if (memory.mode == ContactMode::kOpen && memory.normal_velocity_after == 0) return;
  const double impact_loss = memory.impact_loss, friction_loss = memory.friction_loss;
  memory = {};
  memory.impact_loss = impact_loss;
  memory.friction_loss = friction_loss;
}

}  // namespace

void ContactStep::remember_open(State& state) {
  for (ContactMemory& memory : state.contacts) forget_step(memory);
}

void ContactStep::remember(const ContactKinematics& kinematics, const ConstVecRef& u_E, State& state) const {
  for (ContactMemory& memory : state.contacts) forget_step(memory);
  int row = bilateral_count_;
  for (const Activation& activation : active_) {
    const ContactPoint& point = contacts_.points()[static_cast<std::size_t>(activation.point)];
    ContactMemory& memory = state.contacts[static_cast<std::size_t>(activation.point)];
    const auto gamma_E = [&](int i) { return row_velocity(i, u_E); };
    bool is_closed = !point.has_normal;
    // With M and W at the midpoint, an impulse gives the kinetic energy Lambda W^T (u_A + u_E) / 2, exactly. Of that,
    // Lambda (gamma_A + gamma_E) / 2 is lost in the contact, and -Lambda w~ comes from the drive of a moving surface.
    if (point.has_normal) {
      memory.normal_impulse = Lambda_[row];
      memory.normal_velocity_before = gamma_A_[row];
      memory.normal_velocity_after = gamma_E(row);
      memory.step_impact_loss = -Lambda_[row] * (gamma_A_[row] + memory.normal_velocity_after) / 2;
      state.account.input -= Lambda_[row] * rows_.w_tilde[row];
      is_closed = Lambda_[row] > 0;
      ++row;
    }
    bool sticks = false;
    if (point.has_friction()) {
      double slip = 0;
      for (int k = 0; k < point.tangents; ++k, ++row) {
        const double after = gamma_E(row), xi_T = after + point.law.tangential_restitution * gamma_A_[row];
        memory.tangential_impulse[k] = Lambda_[row];
        memory.tangential_velocity_before[k] = gamma_A_[row];
        memory.tangential_velocity_after[k] = after;
        memory.step_friction_loss -= Lambda_[row] * (gamma_A_[row] + after) / 2;
        state.account.input -= Lambda_[row] * rows_.w_tilde[row];
        slip = std::max(slip, std::abs(xi_T));
      }
      sticks = slip <= 10 * options_.tolerance_m_s;
    } else {
      memory.tangential_velocity_before[0] = memory.tangential_velocity_after[0] =
          std::numeric_limits<double>::quiet_NaN();
    }
    if (point.has_place)
      memory.impulse = kinematics.in_world(activation.point, memory.normal_impulse, memory.tangential_impulse);
    memory.mode = !is_closed ? ContactMode::kOpen : sticks ? ContactMode::kStick : ContactMode::kSlip;
    memory.impact_loss += memory.step_impact_loss;
    memory.friction_loss += memory.step_friction_loss;
    state.account.impact_loss += memory.step_impact_loss;
    state.account.friction_loss += memory.step_friction_loss;
  }
}

bool ContactStep::is_active(int point) const {
  return is_active_[static_cast<std::size_t>(point)] != 0;
}

bool ContactStep::has_normal_rows() const {
  for (const Activation& activation : active_) {
    if (contacts_.points()[static_cast<std::size_t>(activation.point)].has_normal) return true;
  }
  return false;
}

bool ContactStep::acts_on(int row, const MassStructure::Block& tree) const {
  if (!rows_.is_compact) return !rows_.W.col(row).segment(tree.first, tree.size).isZero(0);
  const std::array<RowPart, 2>& parts = rows_.parts[static_cast<std::size_t>(row)];
  return std::any_of(parts.begin(), parts.end(),
                     [&](const RowPart& part) { return part.size > 0 && part.first == tree.first; });
}

bool ContactStep::touches(const MassStructure::Block& block) const {
  if (!has_normal_rows()) return false;
  if (bilateral_count_ > 0) return true;  // rows tie trees together
  int row = 0;
  for (const Activation& activation : active_) {
    const ContactPoint& point = contacts_.points()[static_cast<std::size_t>(activation.point)];
    if (point.has_normal && acts_on(row, block)) return true;
    row += point.rows();
  }
  return false;
}

std::string ContactStep::row_name(int row) const {
  if (row < 0) return {};
  if (row < bilateral_count_) return system_.row_name(row);
  int next = bilateral_count_;
  for (const Activation& activation : active_) {
    const ContactPoint& point = contacts_.points()[static_cast<std::size_t>(activation.point)];
    next += point.rows();
    if (row < next) return point.name();
  }
  return {};
}

}  // namespace freeplay::contact
