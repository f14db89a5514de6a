// Guesses: where a mechanism is meant to stand, roughly. They choose the branch and need not fit each other.
//
// Of all positions that close the loops with the initial values as they are, the one is taken that is nearest to the
// guesses: it makes the sum of the squares of their differences least, lengths in units of the mechanism's size, angles
// in rad. It is searched for from the guesses themselves and from places around them; each search closes the loops
// (damped, assembly_damped.cpp) and then slides along what is still free.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "freeplay/math/least_squares.h"
#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/building/assembly.h"

namespace freeplay::mechanism {

namespace {

constexpr int kSearches = 40, kSearchesOfMany = 8;
constexpr int kMostSlides = 60;
constexpr double kNoNearer = 1e-13;
constexpr double kAsNear = 1e-9;  // of the distance: another search has found the same position

double turned_back(double angle) {
  return std::remainder(angle, 2 * std::numbers::pi);
}

}  // namespace

void Assembler::collect_guesses() {
  const char* axes[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < spec_.bodies.size(); ++i) {
    const BodyInitialSpec& guess = spec_.bodies[i].guess;
    const std::string path = "bodies." + spec_.bodies[i].name + ".guess";
    const int body = static_cast<int>(i) + 1;
    for (int k = 0; k < 3; ++k) {
      if (const std::optional<double>& value = guess.position_m[static_cast<std::size_t>(k)])
        guesses_.push_back({body, Wish::Kind::kPosition, k, *value, {}, fmt::format("{}.{}", path, axes[k])});
    }
    if (guess.angle) guesses_.push_back({body, Wish::Kind::kAngle, 0, *guess.angle, {}, path + ".angle"});
    if (!guess.quaternion) continue;
    const Mat3 R = rotation_from_quaternion(*guess.quaternion);
    for (int k = 0; k < 3; ++k) guesses_.push_back({body, Wish::Kind::kAttitude, k, 0, R, path + ".rotation"});
  }
  std::vector<Diagnostic> problems;
  for (std::size_t j = 0; j < spec_.joints.size(); ++j) collect_guesses_of_joint(j, problems);
  if (!problems.empty()) throw ModelError(problems);
}

// A joint of the tree starts there. Quaternions do no more than that; all other values are compared with, too.
void Assembler::collect_guesses_of_joint(std::size_t index, std::vector<Diagnostic>& problems) {
  const JointSpec& spec = spec_.joints[index];
  const Mechanism::Joint& joint = mechanism_.joints[index];
  if (spec.guess_q.empty() || joint.role == Mechanism::JointRole::kBushing) return;
  const std::string path = "joints." + spec.name + ".guess";
  const auto add = [&](int k, double value, bool is_length) {
    guesses_.push_back(
        {static_cast<int>(index), is_length ? Wish::Kind::kShift : Wish::Kind::kTurn, k, value, {}, path});
  };
  if (!joint.is_edge()) {
    if (spec.guess_q.size() == 1 && spec.guess_q[0])
      add(0, *spec.guess_q[0], joint_coordinate_dimension(spec.type, spec_.space, 0) == dimensions::kLength);
    else
      problems.push_back({{},
                          path,
                          "this joint closes a loop and has no coordinates of its own",
                          "give the guess on a body or on another joint of the loop",
                          {}});
    return;
  }
  const Mechanism::Node& node = mechanism_.nodes[static_cast<std::size_t>(joint.node)];
  int q = 0, u = node.u;
  for (const ElementaryMotion& motion : node.type->motions) {
    for (int k = 0; k < motion.q_count(); ++k, ++q) {
      const std::optional<double>& value = spec.guess_q[static_cast<std::size_t>(q)];
      if (!value || held_q_[static_cast<std::size_t>(u)]) continue;
      state_.q[node.q + q] = *value;
      if (motion.kind != ElementaryMotion::Kind::kBall)
        add(q, *value, motion.kind == ElementaryMotion::Kind::kTranslate);
    }
    u += motion.u_count();
  }
  dynamics_->normalise(state_.q);
}

// At the position set last, in the units of the distance.
VecX Assembler::guess_differences() {
  VecX differences(static_cast<Eigen::Index>(guesses_.size()));
  for (std::size_t i = 0; i < guesses_.size(); ++i) {
    const Wish& guess = guesses_[i];
    double difference = 0;
    if (guess.kind == Wish::Kind::kTurn || guess.kind == Wish::Kind::kShift)
      difference = read(Mechanism::Channel::Kind::kJointCoordinate, guess.body, guess.component) - guess.value;
    else
      difference = value_of(guess);
    if (guess.kind == Wish::Kind::kAngle || guess.kind == Wish::Kind::kTurn) difference = turned_back(difference);
    if (guess.is_length()) difference /= size_m_;
    differences[static_cast<Eigen::Index>(i)] = difference;
  }
  return differences;
}

MatX Assembler::guess_jacobian(const std::vector<int>& velocities) {
  MatX J(static_cast<Eigen::Index>(guesses_.size()), static_cast<Eigen::Index>(velocities.size()));
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    dynamics_->set_velocity(VecX::Unit(velocities_, velocities[k]));
    for (std::size_t i = 0; i < guesses_.size(); ++i) {
      const Wish& guess = guesses_[i];
      const bool is_of_joint = guess.kind == Wish::Kind::kTurn || guess.kind == Wish::Kind::kShift;
      const double rate =
          is_of_joint ? read(Mechanism::Channel::Kind::kJointVelocity, guess.body, guess.component) : rate_of(guess);
      J(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
          (guess.is_length() ? 1 / size_m_ : 1) * unit_of_[static_cast<std::size_t>(velocities[k])] * rate;
    }
  }
  return J;
}

// Along the positions that close: a step in the null space of loops and wishes, and closed again.
double Assembler::slide_to_guesses(const std::vector<int>& free, VecX& q) {
  dynamics_->set_position(state_.t, q);
  VecX differences = guess_differences();
  double step_size = 1;
  for (int slide = 0; slide < kMostSlides && step_size > 1e-4; ++slide) {
    dynamics_->set_position(state_.t, q);
    const MatX N = null_space(closure_jacobian(free));
    if (N.cols() == 0) break;
    const VecX along = N * least_squares(guess_jacobian(free) * N, -differences);
    VecX trial = q;
    move(free, std::min(step_size, kLongestSlide / std::max(kLongestSlide, max_abs(along))) * along, trial);
    const bool is_closed = close_damped(free, trial) <= kClosed;
    dynamics_->set_position(state_.t, trial);
    const VecX trial_differences = guess_differences();
    const double gained = differences.squaredNorm() - trial_differences.squaredNorm();
    if (!is_closed || !(gained > 0)) {
      step_size /= 2;
      continue;
    }
    q = trial;
    const bool is_there = gained <= kNoNearer * (1 + differences.squaredNorm());
    differences = trial_differences;
    step_size = 1;
    if (is_there) break;
  }
  return differences.norm();
}

// The closed position nearest to the guesses; none if no search has closed the loops.
std::optional<VecX> Assembler::nearest_to_guesses() {
  const std::vector<int> free = free_velocities();
  VecX start = state_.q;
  meet_guesses(free, start);
  std::mt19937_64 generator(20100101);  // fixed: the same file always assembles in the same way
  std::uniform_real_distribution<double> disturbance(-1, 1);
  std::optional<VecX> nearest;
  double least = 0;
  const int searches = rows_ == 0 && position_wishes_.empty() ? 1 : free.size() > kMany ? kSearchesOfMany : kSearches;
  for (int search = 0; search < searches; ++search) {
    VecX trial = start;
    VecX delta(static_cast<Eigen::Index>(free.size()));
    for (double& number : delta) number = 0.3 * (search % 10) * disturbance(generator);
    move(free, delta, trial);
    if (close_damped(free, trial) > kClosed) continue;
    dynamics_->set_position(state_.t, trial);
    if (turned_joint() >= 0) continue;
    const double distance = slide_to_guesses(free, trial);
    dynamics_->set_position(state_.t, trial);
    if (turned_joint() >= 0 || (nearest && distance >= least * (1 - kAsNear))) continue;
    least = distance;
    nearest = trial;
  }
  return nearest;
}

// Without the loops: the guesses as well as they can be met.
void Assembler::meet_guesses(const std::vector<int>& free, VecX& q) {
  minimise(
      free, [&] { return guess_differences(); }, [&] { return guess_jacobian(free); }, q);
}

std::string Assembler::guess_note() {
  const VecX differences = guess_differences();
  const std::size_t worst = static_cast<std::size_t>(max_row(differences));
  const double value = differences[static_cast<Eigen::Index>(worst)];
  return guesses_[worst].is_length() ? fmt::format("starts next to the guesses: {:.4g} mm from {}",
                                                   1e3 * size_m_ * std::abs(value), guesses_[worst].path)
                                     : fmt::format("starts next to the guesses: {:.4g} deg from {}",
                                                   180 / std::numbers::pi * std::abs(value), guesses_[worst].path);
}

}  // namespace freeplay::mechanism
