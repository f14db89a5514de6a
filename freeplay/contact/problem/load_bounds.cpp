#include "freeplay/contact/problem/load_bounds.h"

#include <algorithm>
#include <cmath>

#include "freeplay/core/error.h"

namespace freeplay::contact {

namespace {

constexpr int kMostRounds = 200;  // 3 to 10 are usual

}  // namespace

void LoadBounds::reserve(std::size_t points) {
  bounds_.reserve(points);
}

void LoadBounds::find(const LawRows& rows, std::span<const int> first_row, std::span<ImpulseBlock> blocks) {
  bounds_.clear();
  for (std::size_t k = 0; k < rows.active.size(); ++k) {
    const ContactPoint& point = rows.points[rows.active[k].point];
    if (!point.rubs_by_load()) continue;
    const auto block = std::lower_bound(blocks.begin(), blocks.end(), first_row[k],
                                        [](const ImpulseBlock& of, int row) { return of.row < row; });
    FREEPLAY_ASSERT(block != blocks.end() && block->row == first_row[k] && block->set == ImpulseSet::kInterval);
    const bool rests = std::abs(rows.gamma_A[static_cast<std::size_t>(first_row[k])]) <= rows.stick_speed_m_s;
    bounds_.push_back({&*block, &*point.law.load, point.law.dry_effort * rows.dt, rests});
  }
}

void LoadBounds::write(Bound& bound, double value) {
  bound.tried = value;
  bound.block->lo0 = -value;
  bound.block->hi0 = value;
}

void LoadBounds::begin() {
  for (Bound& bound : bounds_) write(bound, bound.rests ? kInfinity : bound.dry);
}

bool LoadBounds::release() {
  bool has_changed = false;
  for (Bound& bound : bounds_) {
    if (std::isfinite(bound.tried)) continue;
    write(bound, bound.dry);
    has_changed = true;
  }
  return has_changed;
}

void LoadBounds::begin_at(const ConstVecRef& Lambda) {
  for (Bound& bound : bounds_) write(bound, bound.dry + bound.law->limit(Lambda));
}

// The secant of the last two rounds through all bounds at once (Anderson's acceleration with one step of memory): exact
// in two rounds where one joint slides and its load depends on its friction linearly. A bound is no less than what the
// joint has without load.
void LoadBounds::choose_next(bool has_past) {
  double product = 0, square = 0;
  for (const Bound& bound : bounds_) {
    const double error = bound.found - bound.tried, before = bound.found_before - bound.tried_before;
    product += error * (error - before);
    square += (error - before) * (error - before);
  }
  const double share = has_past && square > 0 ? product / square : 0;
  for (Bound& bound : bounds_) {
    const double next = bound.found - share * (bound.found - bound.found_before);
    bound.tried_before = bound.tried;
    bound.found_before = bound.found;
    write(bound, std::isfinite(next) ? std::max(next, bound.dry) : bound.found);
  }
}

ImpulseSolver::Outcome LoadBounds::settle(ImpulseSolver& solver, const LocalProblem& problem,
                                          const ImpulseSolver::Outcome& first, VecRef Lambda) {
  constexpr int kPlainEvery = 5;  // a secant that has gone astray is forgotten after some rounds
  ImpulseSolver::Outcome outcome = first;
  int iterations = first.report.iterations;
  bool used_fallback = first.used_fallback;
  for (int round = 0; outcome.report.status == SolveStatus::kSolved; ++round) {
    for (Bound& bound : bounds_) {
      const double tried = bound.tried;
      bound.found = bound.dry + bound.law->limit(Lambda);
      write(bound, bound.found);
      bound.tried = tried;
    }
    outcome.report = solver.certify(problem, Lambda, outcome.report.solver, iterations);
    if (outcome.report.status == SolveStatus::kSolved || round == kMostRounds) break;
    choose_next(round % kPlainEvery != 0);
    outcome = solver.solve(problem, ImpulseGuess::from(Lambda), Lambda);
    outcome.report.iterations = iterations += outcome.report.iterations;
    used_fallback = used_fallback || outcome.used_fallback;
  }
  outcome.used_fallback = used_fallback;
  return outcome;
}

}  // namespace freeplay::contact
