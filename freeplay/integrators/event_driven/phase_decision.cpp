#include "freeplay/integrators/event_driven/phase_decision.h"

#include <algorithm>
#include <cmath>

#include "freeplay/contact/problem/law_sets.h"

namespace freeplay::integrators {

namespace {

// Accelerations below this part of those at work are rounding, and so are distances of friction from its limit.
constexpr double kUndecided = 1e-10;
constexpr int kMostRoundsOfLoads = 200;
constexpr double kSettledEffort = 1e-13;  // relative change

}  // namespace

PhaseDecision::PhaseDecision(const System& system, const IntegratorOptions& options)
    : G_(system.mass_structure()),
      solver_(options.solver, {.tolerance = options.solver_tolerance_m_s, .r_factor = options.r_factor}) {}

void PhaseDecision::write_friction(const PhaseDynamics& dynamics, std::size_t k, int normal_row) {
  const int i = dynamics.closed()[k];
  const ContactPoint& point = dynamics.points()[i];
  const PointPhase& phase = dynamics.phase(i);
  const int row = dynamics.first_row(k) + (point.has_normal ? 1 : 0), rows = point.friction_rows();
  const double mu = dynamics.forces()[k].friction;
  if (phase.mode == ContactMode::kStick) {
    if (point.rubs_by_load()) loaded_.push_back({blocks_.size(), k, 0});
    blocks_.push_back(normal_row >= 0 ? coulomb_set(rows, mu, row, normal_row)
                                      : effort_set(dynamics.effort_limit(k), row));
    return;
  }
  for (int j = 0; j < rows; ++j) {
    const double along = -dynamics.sliding_direction(k)[j];
    ImpulseBlock block = sliding_set(normal_row < 0 ? 0 : mu, along, row + j, normal_row);
    if (normal_row < 0) write_effort(block, along, dynamics.effort_limit(k));
    if (point.rubs_by_load()) loaded_.push_back({blocks_.size(), k, along});
    blocks_.push_back(block);
  }
}

void PhaseDecision::write_effort(ImpulseBlock& block, double along, double effort) {
  block.lo0 = along == 0 ? -effort : along * effort;
  block.hi0 = along == 0 ? effort : along * effort;
}

// As in time stepping (contact/problem/load_bounds.h): a joint that rests is taken to rest on if it can, with the
// effort that it takes, and any other one begins without load. The bounds of the answer are then those of the next
// problem.
ImpulseSolver::Outcome PhaseDecision::solve_with_loads(const PhaseDynamics& dynamics) {
  auto lambda = lambda_.head(size_);
  const auto write_tried = [&] {
    for (std::size_t i = 0; i < loaded_.size(); ++i)
      write_effort(blocks_[loaded_[i].block], loaded_[i].along, loads_.tried(i));
  };
  const auto begin = [&](double of_resting) {
    loads_.begin();
    for (const LoadedBlock& loaded : loaded_) {
      const double dry = dynamics.points()[dynamics.closed()[loaded.closed]].law.dry_effort;
      loads_.add(loaded.along == 0 ? std::max(dry, of_resting) : dry, dry);
    }
    write_tried();
    return solver_.solve(problem(), ImpulseGuess::none(), lambda);
  };
  ImpulseSolver::Outcome outcome = begin(kInfinity);
  if (outcome.report.status != SolveStatus::kSolved && !loaded_.empty()) outcome = begin(0);
  while (outcome.report.status == SolveStatus::kSolved && !loaded_.empty()) {
    for (std::size_t i = 0; i < loaded_.size(); ++i)
      loads_.set_found(i, dynamics.effort_limit(loaded_[i].closed, lambda));
    if (loads_.has_settled(kSettledEffort, dynamics.forces_at_work())) break;
    // What is accepted is the law itself: the residual with the bounds of these same forces.
    if (loads_.round() == kMostRoundsOfLoads) {
      for (std::size_t i = 0; i < loaded_.size(); ++i)
        write_effort(blocks_[loaded_[i].block], loaded_[i].along, dynamics.effort_limit(loaded_[i].closed, lambda));
      outcome.report = solver_.certify(problem(), lambda, outcome.report.solver, outcome.report.iterations);
      break;
    }
    loads_.go_on();
    write_tried();
    outcome = solver_.solve(problem(), ImpulseGuess::from(lambda), lambda);
  }
  return outcome;
}

void PhaseDecision::write_problem(const PhaseDynamics& dynamics) {
  blocks_.clear();
  loaded_.clear();
  block_begin_.clear();
  size_ = dynamics.rows().size();
  if (c_.size() < size_) {
    for (VecX* v : {&c_, &lambda_, &acceleration_}) v->setZero(size_);
    G_.reserve(size_);
    solver_.reserve(size_);
    loaded_.reserve(static_cast<std::size_t>(size_));
    loads_.reserve(static_cast<std::size_t>(size_));
  }
  for (int i = 0; i < size_; ++i) c_[i] = dynamics.rows().dot(i, dynamics.free_accelerations()) + dynamics.bias(i);
  for (int i = 0; i < dynamics.bilateral_count(); ++i) {
    block_begin_.push_back(i);
    blocks_.push_back({ImpulseSet::kFree, i});
  }
  for (std::size_t k = 0; k < dynamics.closed().size(); ++k) {
    const ContactPoint& point = dynamics.points()[dynamics.closed()[k]];
    block_begin_.push_back(dynamics.first_row(k));
    const int normal_row = point.has_normal ? dynamics.first_row(k) : -1;
    if (point.has_normal) blocks_.push_back({ImpulseSet::kNonNegative, normal_row});
    if (point.has_friction()) write_friction(dynamics, k, normal_row);
  }
  block_begin_.push_back(size_);
  G_.assemble(dynamics.M(), dynamics.rows(), block_begin_);
}

void PhaseDecision::find_painleve(const PhaseDynamics& dynamics, Report& report) const {
  const LocalOperator G = G_.view();
  for (std::size_t k = 0; k < dynamics.closed().size(); ++k) {
    const int i = dynamics.closed()[k];
    const ContactPoint& point = dynamics.points()[i];
    if (!point.has_normal || !point.has_friction() || dynamics.phase(i).mode != ContactMode::kSlip) continue;
    const int row = dynamics.first_row(k);
    double own = G.entry(row, row);
    for (int j = 0; j < point.friction_rows(); ++j)
      own -= dynamics.forces()[k].friction * dynamics.sliding_direction(k)[j] * G.entry(row, row + 1 + j);
    if (own > 0) continue;
    report.painleve_point = i;
    // Pushed together there is no force that could hold them apart; drawn apart, opening is one of two solutions.
    report.has_several = c_[row] > 0;
    return;
  }
}

PhaseDecision::Report PhaseDecision::decide(PhaseDynamics& dynamics, const State& state,
                                            std::vector<PointPhase>& phases) {
  Report report;
  size_ = 0;
  if (dynamics.closed().empty()) return report;
  report.status = dynamics.collect(state.u);
  if (report.status != StepStatus::kOk) return report;
  write_problem(dynamics);
  find_painleve(dynamics, report);
  auto lambda = lambda_.head(size_);
  const ImpulseSolver::Outcome outcome = solve_with_loads(dynamics);
  report.residual_m_s2 = outcome.report.residual;
  report.iterations = outcome.report.iterations;
  report.used_fallback = outcome.used_fallback;
  if (outcome.report.status != SolveStatus::kSolved) {
    report.status = StepStatus::kSolverFailed;
    return report;
  }
  G_.view().apply(lambda, acceleration_.head(size_));
  acceleration_.head(size_) += c_.head(size_);
  read_answer(dynamics, phases);
  return report;
}

double PhaseDecision::rounding_m_s2() const {
  return kUndecided * std::max(max_abs(c_.head(size_)), 1e-6);
}

// Redundant contacts may share a load in many ways. The accelerations are those of all rows that are kept, as long as
// there is one way that the laws allow; if there is none, some row gives way.
bool PhaseDecision::find_forces(PhaseDynamics& dynamics) {
  constexpr double kClearly = 10;  // more than decide() asks for
  write_problem(dynamics);
  auto lambda = lambda_.head(size_);
  if (solve_with_loads(dynamics).report.status != SolveStatus::kSolved) return false;
  G_.view().apply(lambda, acceleration_.head(size_));
  acceleration_.head(size_) += c_.head(size_);
  const double clearly = kClearly * rounding_m_s2();
  constexpr double kDiffers = 1e4;  // than rounding: accelerations by other forces
  undecided_point_ = -1;
  bool gives_way = false;
  for (std::size_t k = 0; k < dynamics.closed().size(); ++k) {
    const int i = dynamics.closed()[k];
    const ContactPoint& point = dynamics.points()[i];
    PointForces forces = dynamics.forces()[k];
    int row = dynamics.first_row(k);
    if (point.has_normal) {
      forces.normal_N = lambda_[row];
      forces.opens_m_s2 = acceleration_[row] > clearly ? acceleration_[row] : 0;
      ++row;
    }
    forces.limit_N = point.has_normal ? forces.friction * forces.normal_N : dynamics.effort_limit(k, lambda);
    double slips = 0;
    for (int j = 0; j < point.friction_rows(); ++j) {
      forces.tangential_N[j] = lambda_[row + j];
      slips = std::hypot(slips, acceleration_[row + j]);
    }
    const bool sticks = dynamics.phase(i).mode == ContactMode::kStick;
    for (int j = 0; j < point.friction_rows() && !sticks; ++j) {
      const double in_motion = dynamics.rows().dot(row + j, dynamics.accelerations()) + dynamics.bias(row + j);
      if (std::abs(acceleration_[row + j] - in_motion) > kDiffers * rounding_m_s2()) undecided_point_ = i;
    }
    forces.slips_m_s2 = sticks && slips > clearly ? slips : 0;
    if (forces.opens_m_s2 > 0 || forces.slips_m_s2 > 0) gives_way = true;
    dynamics.set_forces(k, forces);
  }
  if (gives_way) undecided_point_ = -1;  // then the motion is about to become another one
  return true;
}

void PhaseDecision::read_answer(const PhaseDynamics& dynamics, std::vector<PointPhase>& phases) const {
  const double of_accelerations = rounding_m_s2();
  for (std::size_t k = 0; k < dynamics.closed().size(); ++k) {
    const int i = dynamics.closed()[k];
    const ContactPoint& point = dynamics.points()[i];
    PointPhase& phase = phases[static_cast<std::size_t>(i)];
    int row = dynamics.first_row(k);
    double normal = 0;
    if (point.has_normal) {
      normal = lambda_[row];
      if (acceleration_[row] > of_accelerations) {
        phase = {};
        continue;
      }
      ++row;
    }
    if (!point.has_friction() || phase.mode != ContactMode::kStick) continue;
    const int rows = point.friction_rows();
    const double limit =
        point.has_normal ? dynamics.forces()[k].friction * normal : dynamics.effort_limit(k, lambda_.head(size_));
    const double force = lambda_.segment(row, rows).norm();
    Vec2 rate = Vec2::Zero();
    for (int j = 0; j < rows; ++j) rate[j] = acceleration_[row + j];
    // At its limit, and it gives way.
    if (force < limit * (1 - kUndecided) || !(rate.norm() > of_accelerations)) continue;
    phase.mode = ContactMode::kSlip;
    phase.direction = rate.normalized();
  }
}

}  // namespace freeplay::integrators
