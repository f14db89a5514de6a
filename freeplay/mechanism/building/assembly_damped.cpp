// Closing from far away: least squares by Levenberg and Marquardt, with limits on the steps; and what to say where
// nothing closes.
#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/math/normal_equations.h"
#include "freeplay/mechanism/building/assembly.h"

namespace freeplay::mechanism {

namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kLongestMove = 0.5;  // in any coordinate: rad, or of the mechanism's size
constexpr int kMostMoves = 400;
constexpr double kSolved = 1e-15;      // of the residual, in its units
constexpr double kHardlyLess = 1e-12;  // of the sum of squares: nothing is gained any more
constexpr int kMostTimesHardlyLess = 8;

}  // namespace

// Lengths are compared with the farthest place of a joint on a body.
void Assembler::measure_size() {
  double size = 0;
  for (const JointSpec& joint : spec_.joints)
    size = std::max({size, joint.at_parent_m.norm(), joint.at_child_m.norm()});
  size_m_ = size > 0 ? size : 1;
  unit_of_.assign(static_cast<std::size_t>(velocities_), 1.0);
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (node.type == nullptr) continue;
    int u = node.u;
    for (const ElementaryMotion& motion : node.type->motions) {
      if (motion.kind == ElementaryMotion::Kind::kTranslate) unit_of_[static_cast<std::size_t>(u)] = size_m_;
      u += motion.u_count();
    }
  }
}

// What may be moved: all that no initial value holds.
std::vector<int> Assembler::free_velocities() const {
  std::vector<int> free;
  for (int k = 0; k < velocities_; ++k) {
    if (!held_q_[static_cast<std::size_t>(k)]) free.push_back(k);
  }
  return free;
}

void Assembler::move(const std::vector<int>& free, const VecX& by, VecX& q) {
  VecX step = VecX::Zero(velocities_);
  for (std::size_t k = 0; k < free.size(); ++k)
    step[free[k]] = unit_of_[static_cast<std::size_t>(free[k])] * by[static_cast<Eigen::Index>(k)];
  dynamics_->displace(q, step);
}

bool Assembler::is_length(int row) const {
  using Kind = Mechanism::Row::Kind;
  if (row >= rows_) return position_wishes_[static_cast<std::size_t>(row - rows_)].is_length();
  const Mechanism::Row& r = mechanism_.rows[static_cast<std::size_t>(row)];
  if (r.kind == Kind::kCoordinate) return is_shift(r.u);
  if (r.kind == Kind::kCoupling) return !mechanism_.couplings[static_cast<std::size_t>(r.coupling)].is_angle;
  return r.kind == Kind::kPoint || r.kind == Kind::kWay || r.kind == Kind::kRelativeTranslation;
}

bool Assembler::is_shift(int velocity) const {
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (node.type == nullptr) continue;
    int u = node.u;
    for (const ElementaryMotion& motion : node.type->motions) {
      if (velocity >= u && velocity < u + motion.u_count()) return motion.kind == ElementaryMotion::Kind::kTranslate;
      u += motion.u_count();
    }
  }
  return false;
}

// Loops and wishes at the position set last, lengths in units of the mechanism's size.
VecX Assembler::closure_residual() {
  VecX residual(rows_ + static_cast<Eigen::Index>(position_wishes_.size()));
  dynamics_->row_positions(residual.head(rows_));
  for (std::size_t i = 0; i < position_wishes_.size(); ++i)
    residual[rows_ + static_cast<Eigen::Index>(i)] = value_of(position_wishes_[i]);
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    if (is_length(static_cast<int>(i))) residual[i] /= size_m_;
  }
  return residual;
}

MatX Assembler::closure_jacobian(const std::vector<int>& free) {
  Together on;
  on.velocities = free;
  for (std::size_t i = 0; i < position_wishes_.size(); ++i) on.wishes.push_back(static_cast<int>(i));
  MatX J = jacobian(position_wishes_, on);
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    if (is_length(static_cast<int>(i))) J.row(i) /= size_m_;
  }
  for (std::size_t k = 0; k < free.size(); ++k)
    J.col(static_cast<Eigen::Index>(k)) *= unit_of_[static_cast<std::size_t>(free[k])];
  return J;
}

// Levenberg 1944, Marquardt 1963:  (J^T J + d 1) z = -J^T r,  d smaller after a step that has helped and larger after
// one that has not. Far away it is a short step downhill, where a full one would leap to another branch; at the end it
// is Gauss's and Newton's.
void Assembler::minimise(const std::vector<int>& free, const std::function<VecX()>& residual_there,
                         const std::function<MatX()>& jacobian_there, VecX& q) {
  if (free.empty()) return;
  double damping = 1e-2;
  int times_hardly_less = 0;
  dynamics_->set_position(state_.t, q);
  VecX residual = residual_there();
  for (int i = 0; i < kMostMoves && residual.size() > 0 && max_abs(residual) > kSolved; ++i) {
    dynamics_->set_position(state_.t, q);
    const MatX J = jacobian_there();
    const VecX downhill = -J.transpose() * residual;
    NormalEquations equations(J);
    bool helps = false;
    while (!helps && damping < 1e10) {
      VecX z = equations.solve(downhill, damping);
      const double longest = max_abs(z);
      if (longest > kLongestMove) z *= kLongestMove / longest;
      VecX trial = q;
      move(free, z, trial);
      dynamics_->set_position(state_.t, trial);
      const VecX trial_residual = residual_there();
      const double before = residual.squaredNorm(), after = trial_residual.squaredNorm();
      helps = after < before;
      if (!helps) {
        damping *= 8;
        continue;
      }
      times_hardly_less = before - after < kHardlyLess * before ? times_hardly_less + 1 : 0;
      damping = std::max(damping / 10, 1e-18);
      q = trial;
      residual = trial_residual;
    }
    if (!helps || times_hardly_less > kMostTimesHardlyLess) return;
  }
}

double Assembler::close_damped(const std::vector<int>& free, VecX& q) {
  minimise(
      free, [&] { return closure_residual(); }, [&] { return closure_jacobian(free); }, q);
  return max_abs(position_residual(q, true));
}

MatX Assembler::null_space(const MatX& J) {
  if (J.rows() == 0) return MatX::Identity(J.cols(), J.cols());
  Eigen::ColPivHouseholderQR<MatX> qr(J.transpose());
  qr.setThreshold(1e-9);
  const MatX Q = qr.householderQ();
  return Q.rightCols(J.cols() - qr.rank());
}

namespace {

std::string length_text(double metres) {
  return fmt::format("{:.4g} mm", 1e3 * metres);
}

std::string angle_text(double radians) {
  return fmt::format("{:.4g} deg", kDegrees * radians);
}

}  // namespace

// How far apart the two sides of a joint are, from the parent's to the child's, in world axes; at the position set
// last.
Vec3 Assembler::opening_m(int joint) {
  const Mechanism::Joint& j = mechanism_.joints[static_cast<std::size_t>(joint)];
  const std::array<MarkerIndex, 2> markers{j.parent_marker, j.child_marker};
  std::array<Frame, 2> frames;
  dynamics_->placements(markers, frames);
  Vec3 opening = Vec3::Zero();
  for (const LockedDirection& locked : j.type->locked) {
    if (locked.kind != LockedDirection::Kind::kPoint) continue;
    const Vec3 axis = frames[0].R.col(locked.axis_parent);
    opening += axis.dot(frames[1].p - frames[0].p) * axis;
  }
  return opening;
}

// At the position set last: the row or wish that is missed most, by how much and where to.
std::string Assembler::opening_text(const VecX& open) {
  const int worst = max_row(open);
  const std::string name = worst_row(open);
  const double size = std::abs(open[worst]);
  using Kind = Mechanism::Row::Kind;
  const Kind kind = worst < rows_ ? mechanism_.rows[static_cast<std::size_t>(worst)].kind : Kind::kCoordinate;
  if (kind == Kind::kDot) return fmt::format("'{}' stays open by {}", name, angle_text(std::asin(std::min(size, 1.0))));
  if (kind != Kind::kPoint && kind != Kind::kWay)
    return fmt::format("'{}' stays open by {}", name, is_length(worst) ? length_text(size) : angle_text(size));
  const Mechanism::Row& row = mechanism_.rows[static_cast<std::size_t>(worst)];
  const Vec3 opening = opening_m(row.joint);
  const Vec3 along = opening.normalized();
  const auto number = [](double x) { return std::abs(x) < 5e-4 ? 0.0 : x; };
  return fmt::format("'{}' stays open by {}: its child is that far from its parent in the direction [{:.3g}, {:.3g}{}]",
                     mechanism_.joints[static_cast<std::size_t>(row.joint)].name, length_text(opening.norm()),
                     number(along.x()), number(along.y()),
                     mechanism_.space == Space::kPlanar ? "" : fmt::format(", {:.3g}", number(along.z())));
}

// The coordinates of joints, as people write them into `initial`.
std::string Assembler::position_text(const VecX& q) const {
  constexpr int kMost = 8;
  std::string text;
  int count = 0;
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (node.type == nullptr || node.joint < 0) continue;
    int at = node.q;
    for (const ElementaryMotion& motion : node.type->motions) {
      if (motion.kind != ElementaryMotion::Kind::kBall && ++count <= kMost) {
        const bool is_shift = motion.kind == ElementaryMotion::Kind::kTranslate;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ",
                            mechanism_.joints[static_cast<std::size_t>(node.joint)].name,
                            is_shift ? length_text(q[at]) : angle_text(std::remainder(q[at], 2 * std::numbers::pi)));
      }
      at += motion.q_count();
    }
  }
  return count > kMost ? text + ", ..." : text;
}

}  // namespace freeplay::mechanism
