#include "freeplay/contact/problem/contact_step.h"

#include <algorithm>
#include <cmath>

#include "freeplay/contact/problem/contact_ledger.h"
#include "freeplay/contact/problem/lasting_guess.h"
#include "freeplay/contact/problem/nearest_data.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/trees/tied_trees.h"

namespace freeplay::contact {

namespace {

constexpr std::size_t kManyContacts = 64;  // from here on they make a pile: sweeps beat a matrix
constexpr int kFirstRows = 256;            // room for rows at first: of all that may ever touch, few do at a time

// All rows that there can be, if the model names them.
int possible_rows(const ContactModel& contacts) {
  if (!contacts.groups().empty()) return kFirstRows;
  int rows = 0;
  for (const ContactPoint& point : contacts.points()) rows += point.rows();
  return rows;
}

constexpr int kFewRows = 48;  // up to here a solver tries the modes of a guess before it searches

}  // namespace

ContactStep::ContactStep(const System& system, const ContactModel& contacts, const ContactKinematics& kinematics,
                         const ContactStepOptions& options)
    : system_(system),
      kinematics_(kinematics),
      options_(options),
      solver_(options.solver,
              {.tolerance = options.tolerance_m_s, .r_factor = options.r_factor, .threads = options.threads}),
      bilateral_count_(system.row_count()),
      tied_(tied_trees(system)),
      rows_(system.mass_structure()),
      G_(system.mass_structure()),
      change_(VecX::Zero(system.velocity_count())),
      limits_newton_(options.is_instant && options.impact_energy == ImpactEnergy::kLimit),
      knows_poisson_(limits_newton_ ||
                     std::ranges::any_of(contacts.descriptions(),
                                         [](const ContactPoint* p) { return p->law.impact == ImpactLaw::kPoisson; })),
      impact_G_(system.mass_structure()),
      bilateral_approach_(VecX::Zero(bilateral_count_)) {
  impact_.set_energy_rule(options.impact_energy);
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
  load_bounds_.reserve(room);
  if (knows_poisson_) {
    impact_.reserve(room_, bilateral_count_);
    impact_contacts_.reserve(room);
    for (VecX* v : {&impact_velocities_, &impact_impulses_}) v->setZero(room_);
    if (responds_otherwise_) impact_G_.reserve(room_);
  }
  for (VecX* v : {&c_, &gamma_A_, &Lambda_, &remembered_}) {
    const Eigen::Index before = v->size();
    v->conservativeResize(room_);
    v->tail(room_ - before).setZero();
  }
}

void ContactStep::clear_active() {
  for (const Activation& before : active_) is_active_[static_cast<std::size_t>(before.point)] = 0;
  active_.clear();
  first_row_.clear();
  answered_rows_ = 0;
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
  assemble_collected(M);
}

void ContactStep::assemble_collected(const MassMatrix& M) {
  is_pile_ = options_.may_sweep && options_.solver == "auto" && !knows_poisson_ && bilateral_count_ == 0 &&
             active_.size() >= kManyContacts && G_.is_sparse() &&
             kinematics_.set()[active_.front().point].tangents == 2;  // in the plane many contacts are chains and belts
  if (is_pile_) {
    G_.assemble_factors(M, rows_, first_row_);
    return;
  }
  find_block_begins();
  G_.assemble(M, rows_, block_begin_);
}

void ContactStep::find_block_begins() {
  block_begin_.clear();
  for (int i = 0; i < bilateral_count_; ++i) block_begin_.push_back(i);
  block_begin_.insert(block_begin_.end(), first_row_.begin(), first_row_.end());
  block_begin_.push_back(rows_.size());
}

void ContactStep::reserve_response() {
  responds_otherwise_ = true;
  G_.reserve_response(room_);
  if (knows_poisson_) impact_G_.reserve(room_);
}

void ContactStep::assemble_impact(const MassMatrix& M) {
  if (!knows_poisson_ || !strikes()) return;
  find_block_begins();
  impact_G_.assemble(M, rows_, block_begin_);
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
          .dt = dt,
          .follows_impact = has_impact_,
          .stick_speed_m_s = 10 * options_.tolerance_m_s,
          .kinematics = &kinematics_};
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
  ContactStepReport report;
  // The impact knows nothing of forces: it is the same in every solve after one assemble().
  if (guess == Guess::kNone) impact_report_ = find_impact();
  if (has_impact_) {
    note(impact_report_.compression, report);
    if (report.solved) note(impact_report_.expansion, report);
    if (guess == Guess::kLastAnswer) report.iterations = 0;  // they have been counted
    report.impact_gain_J = impact_report_.gained_J;
  }
  for (int i = 0; i < count; ++i) c_[i] = rows_.velocity(i, u_free);
  if (has_impact_) {
    if (guess == Guess::kLastAnswer) Lambda_.head(count) -= impact_impulses_.head(count);
    G_.view().apply(impact_impulses_.head(count), impact_velocities_.head(count));
    c_.head(count) += impact_velocities_.head(count);
  }
  write_velocity_laws(law_rows(dt), c_.head(count), blocks_);
  if (!report.solved) {  // the impact has no solution: the problem is that of the step after it, for those who look
    Lambda_.head(count).setZero();
    return report;
  }
  // That nothing acts is no more than no guess would say.
  const bool is_known = guess == Guess::kLastAnswer && !Lambda_.head(count).isZero(0);
  const bool is_guessed = !is_known && !is_pile_ && count <= kFewRows && options_.solver == "auto" &&
                          guess_lasting(law_rows(dt), first_row_, blocks_, c_.head(count), Lambda_.head(count));
  const bool knows_modes = !is_known && !is_guessed && recall_for_guess();
  const ImpulseGuess known = is_known || is_guessed ? ImpulseGuess::from(Lambda_)
                             : is_pile_             ? ImpulseGuess::from(remembered_)
                             : knows_modes          ? ImpulseGuess::modes_of(remembered_)
                                                    : ImpulseGuess::none();
  load_bounds_.find(law_rows(dt), first_row_, blocks_);
  is_known ? load_bounds_.begin_at(Lambda_.head(count)) : load_bounds_.begin();
  ImpulseSolver::Outcome outcome;
  // Sweeps improve whatever they start from. The answer to nearly the same forces is kept as it is while it solves
  // them, or the forces of the step, which depend on it, would never settle.
  if (is_pile_ && is_known) outcome.report = solver_.certify(problem(), Lambda_.head(count), "auto", 0);
  if (outcome.report.status != SolveStatus::kSolved) outcome = solver_.solve(problem(), known, Lambda_.head(count));
  if (outcome.report.status != SolveStatus::kSolved && load_bounds_.release()) {
    outcome = solver_.solve(problem(), ImpulseGuess::none(), Lambda_.head(count));
  }
  if (outcome.report.status != SolveStatus::kSolved && options_.may_change_data) {
    solve_after_failure(dt, report, outcome);
  }
  if (!load_bounds_.is_empty()) outcome = load_bounds_.settle(solver_, problem(), outcome, Lambda_.head(count));
  note(outcome, report);
  answered_rows_ = count;
  if (has_impact_) Lambda_.head(count) += impact_impulses_.head(count);
  return report;
}

void ContactStep::note(const ImpulseSolver::Outcome& outcome, ContactStepReport& report) const {
  report.solved = outcome.report.status == SolveStatus::kSolved;
  report.residual_m_s = std::max(report.residual_m_s, outcome.report.residual);
  report.limit_m_s = outcome.report.limit;
  report.iterations += outcome.report.iterations;
  report.worst_row = outcome.report.worst_row;
  report.used_fallback |= outcome.used_fallback;
}

bool ContactStep::takes_part_in_impact(std::size_t k) const {
  const Activation& contact = active_[k];
  return kinematics_.set()[contact.point].has_normal && (contact.was_loaded_before() || !(contact.approach_m_s > 0));
}

// Whether a contact strikes where one with Poisson's law takes part. What was loaded in the step before does not strike
// now, since its row has turned, and what approaches too slowly for restitution (Activation) does not either.
bool ContactStep::strikes() const {
  bool is_poissons = false, strikes = false;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    if (!takes_part_in_impact(k)) continue;
    const PointLaw& law = kinematics_.set()[active_[k].point].law;
    is_poissons = is_poissons || law.impact == ImpactLaw::kPoisson;
    const bool rebounds = active_[k].restitution > 0 || law.restitution == 0;
    strikes = strikes ||
              (rebounds && !active_[k].was_loaded_before() && active_[k].start_velocity(gamma_A_[first_row_[k]]) < 0);
  }
  return (is_poissons || limits_newton_) && strikes;
}

ImpactReport ContactStep::find_impact() {
  has_impact_ = knows_poisson_ && strikes();
  if (!has_impact_) return {};
  const int count = rows_.size();
  impact_contacts_.clear();
  const LawRows laws = law_rows(0);
  impact_velocities_.head(count) = gamma_A_.head(count);
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const ContactPoint& point = kinematics_.set()[active_[k].point];
    const int row = first_row_[k];
    if (point.has_normal) impact_velocities_[row] = active_[k].start_velocity(gamma_A_[row]);
    ImpactContact contact{.row = row,
                          .friction_rows = point.friction_rows(),
                          .law = point.law,
                          .takes_part = takes_part_in_impact(k),
                          .has_normal = point.has_normal};
    // The phases of an impact take the friction of its start.
    if (point.has_normal && point.has_friction()) contact.law.friction = laws.friction(active_[k], row + 1);
    // Newton's restitution is on true approaches only; Poisson's on whatever impulse passes through.
    if (point.law.impact == ImpactLaw::kNewton) {
      contact.law.restitution = active_[k].restitution;
      if (active_[k].was_loaded_before()) contact.law.tangential_restitution = 0;
    }
    impact_contacts_.push_back(contact);
  }
  const LocalOperator G = responds_otherwise_ ? impact_G_.view() : G_.view();
  FREEPLAY_ASSERT(G.size() == count);
  return impact_.solve(G, impact_velocities_.head(count), bilateral_count_, impact_contacts_, solver_,
                       impact_impulses_.head(count));
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

bool ContactStep::recall_for_guess() {
  const int count = rows_.size(), answered = std::min(answered_rows_, count);
  remembered_.head(count).setZero();
  remembered_.head(answered) = Lambda_.head(answered);
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const int row = first_row_[k];
    if (row < answered || !active_[k].was_loaded_before()) continue;
    const ContactPoint& point = kinematics_.set()[active_[k].point];
    if (!point.has_normal) continue;
    const LastContact& last = *active_[k].last;
    remembered_[row] = last.normal_impulse;
    for (int i = 0; i < point.friction_rows(); ++i) {
      // The tangents have turned since: what counts is the impulse in the world.
      remembered_[row + 1 + i] = point.has_place && point.friction_rows() == 2
                                     ? last.impulse.dot(kinematics_.in_world(active_[k].point, 0, Vec2::Unit(i)))
                                     : last.tangential_impulse[i];
    }
  }
  return !remembered_.head(count).isZero(0);
}

void ContactStep::solve_after_failure(double dt, ContactStepReport& report, ImpulseSolver::Outcome& outcome) {
  constexpr int kRounds = 8;  // self-stresses that may speak against the targets one after the other
  const int count = rows_.size();
  auto c = c_.head(count);
  int iterations = outcome.report.iterations;
  const auto is_solved = [&] { return outcome.report.status == SolveStatus::kSolved; };
  const auto solve_again = [&](const ImpulseGuess& guess) {
    outcome = solver_.solve(problem(), guess, Lambda_.head(count));
    outcome.report.iterations = iterations += outcome.report.iterations;
  };
  if (recall_impulses()) solve_again(ImpulseGuess::from(recalled_));
  targets_.resize(count);
  stress_.resize(count);
  write_targets(law_rows(dt), targets_);
  for (int k = 0; k <= kRounds && !is_solved() && !targets_.isZero(0); ++k) {
    const bool is_explained = k < kRounds && self_stress_.find(problem(), outcome.report.limit, stress_);
    if (!is_explained || lower_restitution(stress_, targets_, c) == 0) drop_restitution(targets_, c);
    report.lowered_restitution = true;
    solve_again(ImpulseGuess::none());
  }
  if (!is_solved() && keep_gaps(law_rows(dt), c) > 0) {
    report.kept_gaps = true;
    solve_again(ImpulseGuess::none());
    if (!is_solved() && recall_impulses()) solve_again(ImpulseGuess::from(recalled_));
  }
  report.is_contradictory = !is_solved() && self_stress_.find(problem(), outcome.report.limit, stress_);
}

void ContactStep::remember(const ContactKinematics& kinematics, const ConstVecRef& u_E, State& state) const {
  const LawRows laws = law_rows(0);
  book_contacts({laws, rows_, Lambda_, u_E}, kinematics, state);
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
    if (!(Lambda_[row] * G_.diagonal(row) > options_.tolerance_m_s)) continue;
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
