// Initial positions: each body by its own joint, then all loops together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "freeplay/math/least_squares.h"
#include "freeplay/math/normal_equations.h"
#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/building/assembly.h"

namespace freeplay::mechanism {

namespace {

constexpr double kMet = 1e-14;        // of loops and wishes after Newton's method
constexpr double kLongestStep = 0.5;  // of one Newton step in any coordinate (rad or m)
constexpr int kMaxIterations = 200;
constexpr int kMaxLocalIterations = 50;
constexpr double kBetter = 0.5;
constexpr int kRestarts = 24;  // from disturbed coordinates: a start in a dead point has no direction to go
constexpr int kRestartsOfMany = 4;
// Of the sum of squares in one iteration: many that stay open creep towards the least one.
constexpr double kHardlyLessOfMany = 1e-4;
constexpr int kMostCreepingSteps = 8;

}  // namespace

double Assembler::value_of(const Wish& wish) {
  using Kind = Mechanism::Channel::Kind;
  if (wish.kind == Wish::Kind::kPosition) return read(Kind::kBodyPosition, wish.body, wish.component) - wish.value;
  if (wish.kind == Wish::Kind::kAngle) return read(Kind::kBodyAngle, wish.body, 0) - wish.value;
  Vec4 e;
  for (int k = 0; k < 4; ++k) e[k] = read(Kind::kBodyQuaternion, wish.body, k);
  // Rotation vector from the wanted attitude to the present one, in body axes: its rate is the body's omega.
  return rotation_vector_from_rotation(wish.attitude.transpose() * rotation_from_quaternion(e))[wish.component];
}

VecX Assembler::position_residual(const VecX& q, bool with_wishes) {
  const Eigen::Index wishes = with_wishes ? static_cast<Eigen::Index>(position_wishes_.size()) : 0;
  VecX residual(rows_ + wishes);
  dynamics_->set_position(state_.t, q);
  dynamics_->row_positions(residual.head(rows_));
  for (Eigen::Index i = 0; i < wishes; ++i) {
    residual[rows_ + i] = value_of(position_wishes_[static_cast<std::size_t>(i)]);
  }
  return residual;
}

// Halves the step until the residual falls. False if it cannot make it fall, which ends a search.
bool Assembler::step_downhill(const VecX& step, bool with_wishes, VecX& q, VecX& residual) {
  constexpr int kMostHalvings = 20;  // to a millionth
  for (int halvings = 0; halvings < kMostHalvings; ++halvings) {
    VecX trial = q;
    dynamics_->displace(trial, VecX(std::ldexp(1.0, -halvings) * step));
    const VecX trial_residual = position_residual(trial, with_wishes);
    if (!(trial_residual.norm() < residual.norm())) continue;
    q = trial;
    residual = trial_residual;
    return true;
  }
  return false;
}

double Assembler::solve_positions(const std::vector<bool>& held, bool with_wishes, VecX& q) {
  VecX residual = position_residual(q, with_wishes);
  if (residual.size() == 0) return 0;
  // Without loops each body stands where its own joint can put it. Rounding that is left there is not worth one system
  // of all bodies, whose matrix is dense.
  if (rows_ == 0 && max_abs(residual) <= kClosed) return max_abs(residual);
  const std::vector<Wish> none;
  const std::vector<Wish>& wishes = with_wishes ? position_wishes_ : none;
  const Together on = together(wishes, residual.tail(residual.size() - rows_), kMet);
  int times_hardly_less = 0;
  for (int iteration = 0; iteration < kMaxIterations && max_abs(residual) > kMet; ++iteration) {
    dynamics_->set_position(state_.t, q);
    MatX J = jacobian(wishes, on);
    for (std::size_t k = 0; k < on.velocities.size(); ++k) {
      if (held[static_cast<std::size_t>(on.velocities[k])]) J.col(static_cast<Eigen::Index>(k)).setZero();
    }
    VecX missing(J.rows());
    missing.head(rows_) = -residual.head(rows_);
    missing.tail(J.rows() - rows_) = -residual.tail(residual.size() - rows_)(on.wishes);
    VecX step = VecX::Zero(velocities_);
    step(on.velocities) = least_squares_of_many(J, missing);
    const double longest = max_abs(step);
    if (longest > kLongestStep) step *= kLongestStep / longest;
    const double before = residual.squaredNorm();
    if (!step_downhill(step, with_wishes, q, residual)) break;
    const bool is_hardly_less = before - residual.squaredNorm() < kHardlyLessOfMany * before;
    times_hardly_less = is_hardly_less ? times_hardly_less + 1 : 0;
    if (on.velocities.size() > kMany && times_hardly_less > kMostCreepingSteps) break;
  }
  return max_abs(residual);
}

// Each body by its own joint, parents first: a good start, and exact where there are no loops. It also keeps ten
// thousand free bodies away from one big system of equations.
void Assembler::meet_position_wishes_of_each_body() {
  for (std::vector<BodyWishes>& level : by_level(position_wishes_)) {
    for (int iteration = 0; iteration < kMaxLocalIterations; ++iteration) {
      dynamics_->set_position(state_.t, state_.q);
      std::vector<VecX> residuals;
      bool is_met = true;
      for (BodyWishes& body : level) {
        VecX& residual = residuals.emplace_back(static_cast<Eigen::Index>(body.wishes.size()));
        for (std::size_t i = 0; i < body.wishes.size() && !body.is_met; ++i) {
          residual[static_cast<Eigen::Index>(i)] = value_of(*body.wishes[i]);
        }
        body.is_met = body.is_met || max_abs(residual) <= 1e-15;
        is_met = is_met && body.is_met;
      }
      if (is_met) break;
      const std::vector<MatX> rates = own_rates(level);
      VecX delta = VecX::Zero(velocities_);
      for (std::size_t b = 0; b < level.size(); ++b) {
        if (level[b].is_met) continue;
        const VecX step = least_squares(rates[b], -residuals[b]);
        const int u = level[b].node->u;
        delta.segment(u, step.size()) = step;
        // An absolute value wins over the joint's own.
        for (Eigen::Index k = 0; k < step.size(); ++k) {
          if (std::abs(step[k]) > 1e-12) held_q_[static_cast<std::size_t>(u + k)] = false;
        }
        level[b].is_met = max_abs(step) < 1e-16;
      }
      dynamics_->displace(state_.q, delta);
    }
  }
}

// Perpendicular axes are also perpendicular after half a turn: the rows alone cannot tell a guide from its mirror
// image.
int Assembler::turned_joint() {
  const bool is_planar = mechanism_.space == Space::kPlanar;
  for (std::size_t j = 0; j < mechanism_.joints.size(); ++j) {
    const Mechanism::Joint& joint = mechanism_.joints[j];
    if (joint.role != Mechanism::JointRole::kConstraint) continue;
    bool locks_x = false, locks_y = false, locks_z = false;  // turning about these axes
    for (const LockedDirection& locked : joint.type->locked) {
      if (locked.kind != LockedDirection::Kind::kDot) continue;
      locks_x = locks_x || (locked.axis_parent == 1 && locked.axis_child == 2);
      locks_y = locks_y || (locked.axis_parent == 0 && locked.axis_child == 2);
      locks_z = locks_z || (locked.axis_parent == 0 && locked.axis_child == 1);
    }
    const std::array<MarkerIndex, 2> markers{joint.parent_marker, joint.child_marker};
    std::array<Frame, 2> frames;
    dynamics_->placements(markers, frames);
    const Mat3 R = frames[0].R.transpose() * frames[1].R;
    // A universal joint, which locks z alone, may turn over: its two axes carry it there.
    const bool locks_tilt = locks_x && locks_y, locks_turn = locks_z && (locks_tilt || is_planar);
    if ((locks_tilt && R(2, 2) < 0) || (locks_turn && R(0, 0) < 0)) return static_cast<int>(j);
  }
  return -1;
}

double Assembler::largest_move(const VecX& given, const VecX& moved) {
  double largest = max_abs(position_residual(moved, true).tail(static_cast<Eigen::Index>(position_wishes_.size())));
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (node.type == nullptr) continue;
    int q = node.q, u = node.u;
    for (const ElementaryMotion& motion : node.type->motions) {
      if (held_q_[static_cast<std::size_t>(u)]) {
        largest = std::max(largest, max_abs((moved - given).segment(q, motion.q_count())));
      }
      q += motion.q_count();
      u += motion.u_count();
    }
  }
  return largest;
}

double Assembler::largest_modal_move(const VecX& given, const VecX& moved) const {
  double largest = 0;
  for (const Mechanism::ElasticBody& body : mechanism_.elastic_bodies)
    largest = std::max(largest, max_abs((moved - given).segment(body.q, body.count)));
  return largest;
}

// Many coordinates that are all disturbed do not meet where few would, and each attempt takes long. Where they are open
// by as little as values rounded by hand leave, there is nothing to be found far away.
int Assembler::restarts_of(std::size_t velocities, double open) {
  if (velocities <= kMany) return kRestarts;
  return open <= kSmallMove ? 0 : kRestartsOfMany;
}

// From the given values first, then from disturbed ones. A closure with a joint turned by half a turn is none, but the
// error message remembers it.
Assembler::Closure Assembler::search_closure(const VecX& given) {
  Closure best{given, 0, -1, given, std::numeric_limits<double>::infinity()};
  int turned = -1;
  const auto attempt = [&](VecX& position) {
    const double open = solve_positions(held_q_, true, position);
    dynamics_->set_position(state_.t, position);
    const int joint = open <= kClosed ? turned_joint() : -1;
    if (joint < 0 && open < best.least) best.least = open, best.least_open = position;
    if (joint < 0) return open;
    turned = joint;
    return std::numeric_limits<double>::infinity();
  };
  best.residual = attempt(best.q);
  if (best.residual > kClosed) {
    // Newton's method has left the way or has got stuck: a damped one from the same place.
    VecX damped = given;
    close_damped(free_velocities(), damped);
    const double residual = attempt(damped);
    if (residual < kBetter * best.residual) best.residual = residual, best.q = damped;
  }
  const VecX start = position_residual(given, true);
  const Together on = together(position_wishes_, start.tail(start.size() - rows_), kMet);
  std::mt19937_64 generator(20100101);  // fixed: the same file always assembles in the same way
  std::uniform_real_distribution<double> disturbance(-1, 1);
  const int restarts = restarts_of(on.velocities.size(), best.residual);
  for (int restart = 0; restart < restarts && best.residual > kClosed; ++restart) {
    VecX delta = VecX::Zero(velocities_);
    for (const int k : on.velocities) {
      const double size = 0.2 * (1 + restart % 16);  // up to half a turn
      if (!held_q_[static_cast<std::size_t>(k)]) delta[k] = size * disturbance(generator);
    }
    VecX trial = given;
    dynamics_->displace(trial, delta);
    const double residual = attempt(trial);
    // Values that contradict each other a little stay open by as much from everywhere: then nothing is gained by
    // going away.
    if (residual < kBetter * best.residual) best.residual = residual, best.q = trial;
  }
  best.turned_joint = turned;
  return best;
}

// Values that were rounded by hand close a loop only nearly: they are moved, but only a little, and a note says so.
VecX Assembler::close_by_moving_values(const VecX& given, const Closure& best, std::vector<std::string>& notes) {
  VecX loose = best.q;  // from the best position found: the solution next to the given values, not on another branch
  double loose_residual = solve_positions(modal_, false, loose);
  // Elastic bodies are deformed only where nothing else closes the loops, as between supports that are out of line: for
  // what typed digits miss, stiff ones would start with large forces.
  if (loose_residual > kClosed)
    loose_residual = solve_positions(std::vector<bool>(held_q_.size(), false), false, loose);
  const double largest = largest_move(given, loose);
  if (rows_ == 0 || loose_residual > kClosed || largest > kSmallMove)
    throw_open(best.least_open, rows_ > 0 && loose_residual <= kClosed ? &loose : nullptr);
  const double bent = largest_modal_move(given, loose);
  notes.push_back(fmt::format("initial positions moved by up to {:.2g}{} to close the loops", largest,
                              bent > 0 ? fmt::format(" and modal coordinates by up to {:.2g}", bent) : ""));
  return loose;
}

// Of positions that close if initial values may move, from `closed` on: the one that is nearest to them. They become
// guesses.
VecX Assembler::nearest_to_initial_values(const VecX& given, const VecX& closed) {
  guesses_ = std::move(position_wishes_);
  position_wishes_.clear();
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (node.type == nullptr || node.joint < 0) continue;
    int q = node.q, u = node.u;
    for (const ElementaryMotion& motion : node.type->motions) {
      const bool is_shift = motion.kind == ElementaryMotion::Kind::kTranslate;
      if (held_q_[static_cast<std::size_t>(u)] && motion.q_count() == 1)
        guesses_.push_back(
            {node.joint, is_shift ? Wish::Kind::kShift : Wish::Kind::kTurn, q - node.q, given[q], {}, ""});
      for (int k = 0; k < motion.u_count(); ++k) held_q_[static_cast<std::size_t>(u + k)] = false;
      q += motion.q_count();
      u += motion.u_count();
    }
  }
  VecX nearest = closed;
  slide_to_guesses(free_velocities(), nearest);
  return nearest;
}

// `least_open`: the position of the smallest opening that was found. `loose`: one that closes if initial values may
// move.
void Assembler::throw_open(const VecX& least_open, const VecX* loose) {
  VecX nearest = least_open;
  close_damped(free_velocities(), nearest);
  const VecX open = position_residual(nearest, true);
  const std::string path = max_row(open) < rows_ ? path_of_row(max_row(open)) : worst_row(open);
  const std::string opening = opening_text(open);
  // Among many the nearest one takes long to find, and a few coordinates tell little about it.
  const bool is_nearest_known = loose == nullptr || free_velocities().size() <= kMany;
  if (loose != nullptr) nearest = is_nearest_known ? nearest_to_initial_values(state_.q, *loose) : *loose;
  const std::string shown = position_text(nearest);
  const std::string hint = fmt::format(
      "{}{}{}",
      loose != nullptr ? "it would close with other initial values: correct them or leave some out, or use `guess` for "
                         "values that only choose the branch"
                       : "no position that was tried fulfils all joints and initial values: check lengths, frames and "
                         "`initial`",
      shown.empty() ? ""
                    : (loose == nullptr   ? ". It is nearest to closing with "
                       : is_nearest_known ? ". The nearest closed position has "
                                          : ". A closed position has "),
      shown);
  throw ModelError(path, "the mechanism cannot be assembled: " + opening, hint);
}

// Whether the initial values of bodies and joints leave nothing to choose.
bool Assembler::all_is_given() const {
  std::vector<int> wishes(mechanism_.bodies.size(), 0);
  for (const Wish& wish : position_wishes_) ++wishes[static_cast<std::size_t>(wish.body)];
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (node.type == nullptr) continue;
    const bool is_placed = wishes[to_size(node.body)] >= node.joint_velocities();
    for (int k = 0; k < node.joint_velocities() && !is_placed; ++k) {
      if (!held_q_[static_cast<std::size_t>(node.u + k)]) return false;
    }
  }
  return true;
}

// Of a system whose rows are sparse, and many: Newton's method on all loops and initial values would be dense, and
// would look for free coordinates where all are given. Bodies that stand as given and close the loops up to rounding,
// of which a long chain makes more than kMet, only need to be projected; so do those that were rounded by hand.
bool Assembler::close_many_loops(std::vector<std::string>& notes) {
  if (!workspace_.has_many_rows() || !guesses_.empty()) return false;
  const VecX given = state_.q;
  const VecX residual = position_residual(given, true);
  const double open = max_abs(residual);
  if (turned_joint() >= 0 || !(open <= kClosed || all_is_given())) return false;
  if (open > kSmallMove) throw_open_where_given(residual);
  project_positions();
  const double moved = largest_move(given, state_.q);
  if (moved > kSmallMove) {
    state_.q = given;
    throw_open_where_given(residual);
  }
  if (open > kClosed) notes.push_back(fmt::format("initial positions moved by up to {:.2g} to close the loops", moved));
  return true;
}

void Assembler::throw_open_where_given(const VecX& residual) {
  State moved = state_;
  const StepStatus status = workspace_.project(*dynamics_, moved).status;
  const bool would_close = status == StepStatus::kOk || status == StepStatus::kInconsistentRows;  // of velocities
  dynamics_->set_position(state_.t, state_.q);
  const std::string stands = position_text(state_.q);
  throw ModelError(max_row(residual) < rows_ ? path_of_row(max_row(residual)) : worst_row(residual),
                   "the mechanism cannot be assembled: " + opening_text(residual),
                   would_close ? "it would close with other initial values: correct them or leave some out"
                               : "no position that was tried fulfils all joints and initial values: check lengths, "
                                 "frames and `initial`" +
                                     (stands.empty() ? "" : ". The initial values place it at " + stands));
}

void Assembler::close_positions(std::vector<std::string>& notes) {
  if (!guesses_.empty()) {
    if (const std::optional<VecX> nearest = nearest_to_guesses()) {
      state_.q = *nearest;
      dynamics_->set_position(state_.t, state_.q);
      notes.push_back(guess_note());
    }
  }
  const VecX given = state_.q;
  if (close_many_loops(notes)) return;
  const Closure best = search_closure(given);
  if (std::isinf(best.residual)) {
    const std::string& name = mechanism_.joints[static_cast<std::size_t>(best.turned_joint)].name;
    throw ModelError("joints." + name, fmt::format("the loop closes only with '{}' turned by half a turn", name),
                     "give initial values nearer to the position you want, or check `axis` and `rotation`");
  }
  state_.q = best.residual <= kClosed ? best.q : close_by_moving_values(given, best, notes);
  if (rows_ > 0) project_positions();
}

void Assembler::project_positions() {
  State projected = state_;
  const ProjectionReport report = workspace_.project(*dynamics_, projected);
  if (report.status == StepStatus::kProjectionFailed || report.status == StepStatus::kNotFinite) {
    throw ModelError(path_of_row(std::max(0, report.worst_row)),
                     fmt::format("the mechanism cannot be assembled: '{}' stays open by {:.3g}",
                                 mechanism_.row_name(std::max(0, report.worst_row)), report.position_residual),
                     "check lengths, frames and `initial`");
  }
  state_.q = projected.q;
}

}  // namespace freeplay::mechanism
