#include "freeplay/contact/problem/contact_step.h"

#include <algorithm>

#include "freeplay/contact/problem/contact_ledger.h"
#include "freeplay/contact/problem/restitution_limit.h"
#include "freeplay/mechanism/dynamics/tied_trees.h"

namespace freeplay::contact {

namespace {

constexpr int kFirstRows = 256;  // room for rows at first: of all that may ever touch, few do at a time

// All rows that there can be, if the model names them.
int possible_rows(const ContactModel& contacts) {
  if (!contacts.groups().empty()) return kFirstRows;
  int rows = 0;
  for (const ContactPoint& point : contacts.points()) rows += point.rows();
  return rows;
}

}  // namespace

ContactStep::ContactStep(const System& system, const ContactModel& contacts, const ContactKinematics& kinematics,
                         const ContactStepOptions& options)
    : system_(system),
      kinematics_(kinematics),
      options_(options),
      solver_(options.solver, {.tolerance = options.tolerance_m_s, .r_factor = options.r_factor}),
      bilateral_count_(system.row_count()),
      tied_(tied_trees(system)),
      rows_(system.mass_structure()),
      G_(system.mass_structure()),
      change_(VecX::Zero(system.velocity_count())),
      bilateral_approach_(VecX::Zero(bilateral_count_)) {
  is_pushed_.assign(tied_.size(), 0);
  make_room(bilateral_count_ + std::min(possible_rows(contacts), kFirstRows));
}

void ContactStep::make_room(int rows) {
  if (rows <= room_ && room_ > 0) return;
  room_ = std::max({rows, 2 * room_, 1});
  const std::size_t room = static_cast<std::size_t>(room_);
  solver_.reserve(room_);
  rows_.reserve(room_);
  G_.reserve(room_);
  blocks_.reserve(room);
  active_.reserve(room);
  first_row_.reserve(room);
  block_begin_.reserve(room + 1);
  for (VecX* v : {&c_, &gamma_A_, &Lambda_}) {
    const Eigen::Index before = v->size();
    v->conservativeResize(room_);
    v->tail(room_ - before).setZero();
  }
}

void ContactStep::clear_active() {
  for (const Activation& before : active_) is_active_[static_cast<std::size_t>(before.point)] = 0;
  active_.clear();
  first_row_.clear();
  make_room_for_points();
}

void ContactStep::make_room_for_points() {
  const std::size_t points = static_cast<std::size_t>(kinematics_.set().size());
  if (is_active_.size() < points) is_active_.resize(points, 0);
}

void ContactStep::activate(const Activation& activation) {
  const ContactSet& set = kinematics_.set();
  first_row_.push_back(active_.empty() ? bilateral_count_ : first_row_.back() + set[active_.back().point].rows());
  active_.push_back(activation);
  make_room_for_points();  // some may have joined
  is_active_[static_cast<std::size_t>(activation.point)] = 1;
}

bool ContactStep::is_active(int point) const {
  const std::size_t i = static_cast<std::size_t>(point);
  return i < is_active_.size() && is_active_[i] != 0;
}

void ContactStep::assemble(Dynamics& dynamics, ContactKinematics& kinematics, const MassMatrix& M,
                           const ConstVecRef& u_A) {
  collect(dynamics, kinematics, u_A);
  block_begin_.clear();
  for (int i = 0; i < bilateral_count_; ++i) block_begin_.push_back(i);
  block_begin_.insert(block_begin_.end(), first_row_.begin(), first_row_.end());
  block_begin_.push_back(rows_.size());
  G_.assemble(M, rows_, block_begin_);
}

void ContactStep::collect(Dynamics& dynamics, ContactKinematics& kinematics, const ConstVecRef& u_A) {
  rows_.clear();
  for (int i = 0; i < bilateral_count_; ++i) {
    const int row = rows_.add(0);
    rows_.w_tilde(row) = dynamics.row_parts(i, rows_.parts(row), rows_.values(row));
  }
  for (const Activation& activation : active_) kinematics.add_rows(activation.point, rows_);
  make_room(rows_.size());
  update_velocities_before(u_A);
}

void ContactStep::update_velocities_before(const ConstVecRef& u_A) {
  for (int i = 0; i < rows_.size(); ++i) gamma_A_[i] = rows_.velocity(i, u_A);
}

LawRows ContactStep::law_rows(double dt) const {
  const std::size_t count = static_cast<std::size_t>(rows_.size());
  return {.points = kinematics_.set(),
          .active = active_,
          .gamma_A = {gamma_A_.data(), count},
          .bilateral = bilateral_count_,
          .bilateral_weight = options_.bilateral_weight,
          .bilateral_approach = {bilateral_approach_.data(), static_cast<std::size_t>(bilateral_count_)},
          .dt = dt};
}

ContactStepReport ContactStep::solve(const MassMatrix& M, const ConstVecRef& u_free, double dt, VecRef u_E,
                                     Guess guess) {
  const ContactStepReport report = find_impulses(u_free, dt, guess);
  G_.respond(M, Lambda_, change_);
  u_E = u_free + change_;
  return report;
}

ContactStepReport ContactStep::solve(const ConstVecRef& u_free, double dt, VecRef u_E, Guess guess) {
  const ContactStepReport report = find_impulses(u_free, dt, guess);
  G_.respond(Lambda_, change_);
  u_E = u_free + change_;
  return report;
}

ContactStepReport ContactStep::find_impulses(const ConstVecRef& u_free, double dt, Guess guess) {
  const int count = rows_.size();
  for (int i = 0; i < count; ++i) c_[i] = rows_.velocity(i, u_free);
  write_laws(LawPhase::kVelocityStep, law_rows(dt), c_.head(count), blocks_);
  // That nothing acts is no more than no guess would say.
  const bool is_known = guess == Guess::kLastAnswer && !Lambda_.head(count).isZero(0);
  const ImpulseGuess known = is_known ? ImpulseGuess::from(Lambda_) : ImpulseGuess::none();
  ImpulseSolver::Outcome outcome = solver_.solve(problem(), known, Lambda_.head(count));
  ContactStepReport report;
  if (outcome.report.status != SolveStatus::kSolved && options_.may_lower_restitution) {
    solve_contradictory(dt, report, outcome);
  }
  report.solved = outcome.report.status == SolveStatus::kSolved;
  report.residual_m_s = outcome.report.residual;
  report.limit_m_s = outcome.report.limit;
  report.iterations = outcome.report.iterations;
  report.worst_row = outcome.report.worst_row;
  report.used_fallback = outcome.used_fallback;
  return report;
}

bool ContactStep::recall_impulses() {
  recalled_.setZero(rows_.size());
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const ContactPoint& point = kinematics_.set()[active_[k].point];
    if (!point.has_normal || !active_[k].was_loaded_before()) continue;
    const LastContact& last = *active_[k].last;
    recalled_[first_row_[k]] = last.normal_impulse;
    for (int i = 0; i < point.friction_rows(); ++i) recalled_[first_row_[k] + 1 + i] = last.tangential_impulse[i];
  }
  return !recalled_.isZero(0);
}

void ContactStep::solve_contradictory(double dt, ContactStepReport& report, ImpulseSolver::Outcome& outcome) {
  constexpr int kRounds = 8;  // self-stresses that may speak against the targets one after the other
  const int count = rows_.size();
  auto c = c_.head(count);
  targets_.resize(count);
  stress_.resize(count);
  write_targets(law_rows(dt), targets_);
  int iterations = outcome.report.iterations;
  for (int k = 0; k <= kRounds && outcome.report.status != SolveStatus::kSolved; ++k) {
    if (targets_.isZero(0)) break;
    const bool is_explained = k < kRounds && self_stress_.find(problem(), outcome.report.limit, stress_);
    if (!is_explained || lower_restitution(stress_, targets_, c) == 0) drop_restitution(targets_, c);
    report.lowered_restitution = true;
    outcome = solver_.solve(problem(), ImpulseGuess::none(), Lambda_.head(count));
    iterations += outcome.report.iterations;
  }
  if (outcome.report.status != SolveStatus::kSolved && keep_gaps(law_rows(dt), c) > 0) {
    report.kept_gaps = true;
    outcome = solver_.solve(problem(), ImpulseGuess::none(), Lambda_.head(count));
    iterations += outcome.report.iterations;
  }
  if (outcome.report.status != SolveStatus::kSolved && recall_impulses()) {
    outcome = solver_.solve(problem(), ImpulseGuess::from(recalled_), Lambda_.head(count));
    iterations += outcome.report.iterations;
  }
  report.is_contradictory =
      outcome.report.status != SolveStatus::kSolved && self_stress_.find(problem(), outcome.report.limit, stress_);
  outcome.report.iterations = iterations;
}

void ContactStep::remember(const ContactKinematics& kinematics, const ConstVecRef& u_E, State& state) const {
  const LawRows laws = law_rows(0);
  book_contacts({laws, rows_, Lambda_, u_E, 10 * options_.tolerance_m_s}, kinematics, state);
}

void ContactStep::generalised_impulse(VecRef sum) const {
  sum.setZero();
  for (int i = 0; i < rows_.size(); ++i) {
    if (Lambda_[i] != 0) rows_.add_to(i, Lambda_[i], sum);
  }
}

std::span<const char> ContactStep::pushed_trees() {
  std::fill(is_pushed_.begin(), is_pushed_.end(), char{0});
  const std::vector<int>& tree_of = system_.mass_structure().block_of;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (!kinematics_.set()[active_[k].point].has_normal) continue;
    const int row = first_row_[k];
    if (!(Lambda_[row] * G_.view().entry(row, row) > options_.tolerance_m_s)) continue;
    for (const RowPart& part : rows_.parts(row)) {
      if (part.size == 0) continue;
      const std::size_t tree = static_cast<std::size_t>(tree_of[static_cast<std::size_t>(part.first)]);
      is_pushed_[static_cast<std::size_t>(tied_[tree])] = 1;
    }
  }
  // The first tree of each that are tied together knows; it comes before the others.
  for (std::size_t tree = 0; tree < is_pushed_.size(); ++tree) {
    is_pushed_[tree] = is_pushed_[static_cast<std::size_t>(tied_[tree])];
  }
  return is_pushed_;
}

std::string ContactStep::row_name(int row) const {
  if (row < 0) return {};
  if (row < bilateral_count_) return system_.row_name(row);
  const auto after = std::upper_bound(first_row_.begin(), first_row_.end(), row);
  if (after == first_row_.begin()) return {};
  return kinematics_.set()[active_[static_cast<std::size_t>(after - first_row_.begin()) - 1].point].name();
}

}  // namespace freeplay::contact
