// Assembly of the initial state: values of joints (relative), then of bodies (absolute, they win), then loops.
#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>

#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/mechanism_builder.h"
#include "freeplay/mechanism/projection.h"

namespace freeplay {

namespace {

constexpr double kClosed = 1e-10;     // residual (m or a number) below which Newton hands over to the projection
constexpr double kSmallMove = 1e-2;   // given values may be moved by this much (rad, m, or relative) with a note
constexpr double kLongestStep = 0.5;  // of one Newton step in any coordinate (rad or m)
constexpr int kMaxIterations = 200;
constexpr int kRestarts = 8;  // from disturbed coordinates: a start in a dead point has no direction to go

// Minimum-norm least-squares solution of J x = rhs; also for a mechanism that cannot move at all.
VecX least_squares(const MatX& J, const VecX& rhs) {
  if (J.size() == 0) return VecX::Zero(J.cols());
  Eigen::CompleteOrthogonalDecomposition<MatX> decomposition(J.rows(), J.cols());
  decomposition.setThreshold(1e-10);
  decomposition.compute(J);
  return decomposition.solve(rhs);
}

// One value that a body asks for:  channel(q) = value, or for an attitude the rotation vector to the wanted one = 0.
struct Wish {
  int body = 0;
  enum class Kind : std::uint8_t { kPosition, kAngle, kAttitude, kVelocity, kOmega } kind{};
  int component = 0;
  double value = 0;
  Mat3 attitude = Mat3::Identity();
  std::string path;
};

class Assembler {
 public:
  Assembler(const MechanismSpec& spec, const std::shared_ptr<const Mechanism>& mechanism)
      : spec_(spec),
        mechanism_(*mechanism),
        dynamics_(mechanism->make_dynamics()),
        workspace_(*mechanism),
        rows_(mechanism->row_count()),
        velocities_(mechanism->velocity_count()),
        held_q_(static_cast<std::size_t>(velocities_), false),
        held_u_(static_cast<std::size_t>(velocities_), false) {
    state_.q = VecX::Zero(mechanism->coordinate_count());
    state_.u = VecX::Zero(velocities_);
  }

  State assemble(std::vector<std::string>& notes) {
    collect_wishes();
    set_joint_values(notes);
    meet_position_wishes_of_each_body();
    close_positions(notes);
    close_velocities(notes);
    return state_;
  }

 private:
  void collect_wishes();
  void set_joint_values(std::vector<std::string>& notes);
  void meet_position_wishes_of_each_body();
  void close_positions(std::vector<std::string>& notes);
  void close_velocities(std::vector<std::string>& notes);

  // Newton's method on loops and wishes over the coordinates that are not held. The final residual.
  double solve_positions(const std::vector<bool>& held, bool with_wishes, VecX& q);
  VecX position_residual(const VecX& q, bool with_wishes);
  // How far the values that were given are missed: joints' coordinates and bodies' absolute values.
  double largest_move(const VecX& given, const VecX& moved);
  MatX position_jacobian(bool with_wishes);  // at the position set last
  double read(Mechanism::Channel::Kind kind, int index, int component);
  VecX wish_rates(const Wish& wish);  // derivative of a wish by each velocity, at the position set last
  int max_row(const VecX& residual) const;
  std::string worst_row(const VecX& residual) const;
  std::string path_of_row(int row) const;
  std::string coordinate_name(int velocity) const;

  const MechanismSpec& spec_;
  const Mechanism& mechanism_;
  std::unique_ptr<Dynamics> dynamics_;
  BilateralWorkspace workspace_;
  int rows_, velocities_;
  State state_;
  std::vector<bool> held_q_, held_u_;  // per velocity
  std::vector<Wish> position_wishes_, velocity_wishes_;
};

void Assembler::collect_wishes() {
  const char* axes[] = {"x", "y", "z"};
  const bool planar = mechanism_.space == Space::kPlanar;
  for (std::size_t i = 0; i < spec_.bodies.size(); ++i) {
    const BodyInitialSpec& initial = spec_.bodies[i].initial;
    const std::string path = "bodies." + spec_.bodies[i].name + ".initial";
    const int body = static_cast<int>(i) + 1;
    for (int k = 0; k < 3; ++k) {
      const std::size_t kk = static_cast<std::size_t>(k);
      if (initial.position_m[kk]) {
        position_wishes_.push_back(
            {body, Wish::Kind::kPosition, k, *initial.position_m[kk], {}, fmt::format("{}.{}", path, axes[k])});
      }
      if (initial.velocity_m_s[kk]) {
        velocity_wishes_.push_back(
            {body, Wish::Kind::kVelocity, k, *initial.velocity_m_s[kk], {}, fmt::format("{}.v{}", path, axes[k])});
      }
      if (initial.angular_velocity[kk]) {
        velocity_wishes_.push_back({body,
                                    Wish::Kind::kOmega,
                                    k,
                                    *initial.angular_velocity[kk],
                                    {},
                                    planar ? path + ".omega" : fmt::format("{}.omega_{}", path, axes[k])});
      }
    }
    if (initial.angle) position_wishes_.push_back({body, Wish::Kind::kAngle, 0, *initial.angle, {}, path + ".angle"});
    if (initial.quaternion) {
      const Mat3 R = rotation_from_quaternion(*initial.quaternion);
      for (int k = 0; k < 3; ++k) position_wishes_.push_back({body, Wish::Kind::kAttitude, k, 0, R, path + ".e0"});
    }
  }
}

void Assembler::set_joint_values(std::vector<std::string>& notes) {
  std::vector<Diagnostic> problems;
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (node.type == nullptr) continue;
    int q = node.q;
    for (const ElementaryMotion& motion : node.type->motions) {
      if (motion.kind == ElementaryMotion::Kind::kBall) state_.q[q] = 1;
      q += motion.q_count();
    }
  }
  for (std::size_t j = 0; j < spec_.joints.size(); ++j) {
    const JointSpec& spec = spec_.joints[j];
    const Mechanism::Joint& joint = mechanism_.joints[j];
    if (spec.initial_q.empty() && spec.initial_u.empty()) continue;
    if (joint.role == Mechanism::JointRole::kConstraint) {
      problems.push_back({{},
                          "joints." + spec.name + ".initial",
                          "this joint is a constraint and has no coordinate of its own",
                          "give the initial value on a body or on another joint of the loop",
                          {}});
      continue;
    }
    const Mechanism::Node& node = mechanism_.nodes[static_cast<std::size_t>(joint.node)];
    for (std::size_t k = 0; k < spec.initial_q.size(); ++k) {
      if (spec.initial_q[k]) state_.q[node.q + static_cast<int>(k)] = *spec.initial_q[k];
    }
    int q = 0, u = node.u;
    for (const ElementaryMotion& motion : node.type->motions) {
      bool given = false;
      for (int k = 0; k < motion.q_count(); ++k, ++q) {
        given = given || (q < static_cast<int>(spec.initial_q.size()) && spec.initial_q[static_cast<std::size_t>(q)]);
      }
      for (int k = 0; k < motion.u_count(); ++k, ++u) held_q_[static_cast<std::size_t>(u)] = given;
    }
    for (std::size_t k = 0; k < spec.initial_u.size(); ++k) {
      if (!spec.initial_u[k]) continue;
      state_.u[node.u + static_cast<int>(k)] = *spec.initial_u[k];
      held_u_[static_cast<std::size_t>(node.u) + k] = true;
    }
  }
  dynamics_->normalise(state_.q);

  // A driver decides where its joint starts.
  const std::vector<double> variables(spec_.variables.size(), 0.0);  // t = 0
  for (const Mechanism::Driver& driver : mechanism_.drivers) {
    if (driver.row < 0) continue;
    const Mechanism::Row& row = mechanism_.rows[static_cast<std::size_t>(driver.row)];
    if (row.kind != Mechanism::Row::Kind::kCoordinate) continue;
    const TimeJet motion = driver.motion->evaluate_jet(variables);
    const std::size_t velocity = static_cast<std::size_t>(row.u);
    const std::string& joint = mechanism_.joints[static_cast<std::size_t>(driver.joint)].name;
    const auto overrule = [&](const char* symbol, bool held, double given, double driven) {
      if (!held || std::abs(given - driven) <= kClosed * std::max(1.0, std::abs(driven))) return;
      notes.push_back(fmt::format("{}.initial.{} = {:.6g} is overruled by driver '{}', which starts with {:.6g}", joint,
                                  symbol, given, driver.name, driven));
    };
    overrule("q", held_q_[velocity], state_.q[row.q], motion.value);
    overrule("u", held_u_[velocity], state_.u[row.u], motion.rate);
    state_.q[row.q] = motion.value;
    state_.u[row.u] = motion.rate;
    held_q_[velocity] = held_u_[velocity] = true;
  }
  if (!problems.empty()) throw ModelError(problems);
}

double Assembler::read(Mechanism::Channel::Kind kind, int index, int component) {
  for (std::size_t c = 0; c < mechanism_.channel_table.size(); ++c) {
    const Mechanism::Channel& channel = mechanism_.channel_table[c];
    if (channel.kind != kind || channel.index != index || channel.component != component) continue;
    const int id = static_cast<int>(c);
    double value = 0;
    dynamics_->read_channels(std::span(&id, 1), std::span(&value, 1));
    return value;
  }
  FREEPLAY_ASSERT(false);
  return 0;
}

VecX Assembler::wish_rates(const Wish& wish) {
  // Velocities are linear in u, so unit velocities give exact derivatives.
  using Kind = Mechanism::Channel::Kind;
  VecX rates = VecX::Zero(velocities_);
  int node = mechanism_.node_of_body[static_cast<std::size_t>(wish.body)];
  for (; node > 0; node = mechanism_.nodes[static_cast<std::size_t>(node)].parent) {
    const Mechanism::Node& n = mechanism_.nodes[static_cast<std::size_t>(node)];
    for (int k = n.u; k < n.u + n.type->u_count(); ++k) {
      VecX unit = VecX::Zero(velocities_);
      unit[k] = 1;
      dynamics_->set_velocity(unit);
      const bool linear = wish.kind == Wish::Kind::kPosition || wish.kind == Wish::Kind::kVelocity;
      const int component = wish.kind == Wish::Kind::kAngle ? 2 : wish.component;
      rates[k] = read(linear ? Kind::kBodyVelocity : Kind::kBodyOmega, wish.body, component);
    }
  }
  return rates;
}

VecX Assembler::position_residual(const VecX& q, bool with_wishes) {
  const Eigen::Index wishes = with_wishes ? static_cast<Eigen::Index>(position_wishes_.size()) : 0;
  VecX residual(rows_ + wishes);
  dynamics_->set_position(state_.t, q);
  dynamics_->row_positions(residual.head(rows_));
  for (Eigen::Index i = 0; i < wishes; ++i) {
    const Wish& wish = position_wishes_[static_cast<std::size_t>(i)];
    double& value = residual[rows_ + i];
    if (wish.kind == Wish::Kind::kPosition) {
      value = read(Mechanism::Channel::Kind::kBodyPosition, wish.body, wish.component) - wish.value;
    } else if (wish.kind == Wish::Kind::kAngle) {
      value = read(Mechanism::Channel::Kind::kBodyAngle, wish.body, 0) - wish.value;
    } else {
      Vec4 e;
      for (int k = 0; k < 4; ++k) e[k] = read(Mechanism::Channel::Kind::kBodyQuaternion, wish.body, k);
      // Rotation vector from the wanted attitude to the present one, in body axes: its rate is the body's omega.
      value = rotation_vector_from_rotation(wish.attitude.transpose() * rotation_from_quaternion(e))[wish.component];
    }
  }
  return residual;
}

MatX Assembler::position_jacobian(bool with_wishes) {
  const Eigen::Index wishes = with_wishes ? static_cast<Eigen::Index>(position_wishes_.size()) : 0;
  MatX J(rows_ + wishes, velocities_);
  dynamics_->row_jacobian(workspace_.rows);
  J.topRows(rows_) = workspace_.rows.W.transpose();
  for (Eigen::Index i = 0; i < wishes; ++i)
    J.row(rows_ + i) = wish_rates(position_wishes_[static_cast<std::size_t>(i)]).transpose();
  return J;
}

double Assembler::solve_positions(const std::vector<bool>& held, bool with_wishes, VecX& q) {
  VecX residual = position_residual(q, with_wishes);
  if (residual.size() == 0) return 0;
  for (int iteration = 0; iteration < kMaxIterations && residual.norm() > 1e-14; ++iteration) {
    dynamics_->set_position(state_.t, q);
    MatX J = position_jacobian(with_wishes);
    for (int k = 0; k < velocities_; ++k) {
      if (held[static_cast<std::size_t>(k)]) J.col(k).setZero();
    }
    VecX step = least_squares(J, -residual);
    const double longest = max_abs(step);
    if (longest > kLongestStep) step *= kLongestStep / longest;
    // Halve until the residual falls; a step that cannot make it fall ends the search.
    double fraction = 1;
    VecX trial, trial_residual;
    for (; fraction > 1e-6; fraction /= 2) {
      trial = q;
      dynamics_->displace(trial, VecX(fraction * step));
      trial_residual = position_residual(trial, with_wishes);
      if (trial_residual.norm() < residual.norm()) break;
    }
    if (fraction <= 1e-6) break;
    q = trial;
    residual = trial_residual;
  }
  return max_abs(residual);
}

// Bodies one by one, each by its own joint, parents first: a good start, and exact where there are no loops.
void Assembler::meet_position_wishes_of_each_body() {
  if (position_wishes_.empty()) return;
  const std::vector<Wish> all = position_wishes_;
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (node.type == nullptr || node.type->u_count() == 0) continue;
    position_wishes_.clear();
    for (const Wish& wish : all) {
      if (wish.body == to_int(node.body)) position_wishes_.push_back(wish);
    }
    if (position_wishes_.empty()) continue;
    VecX q = state_.q;
    for (int iteration = 0; iteration < 50; ++iteration) {
      const VecX residual = position_residual(q, true).tail(static_cast<Eigen::Index>(position_wishes_.size()));
      if (residual.norm() < 1e-14) break;
      MatX J(residual.size(), node.type->u_count());
      for (Eigen::Index i = 0; i < J.rows(); ++i) {
        J.row(i) = wish_rates(position_wishes_[static_cast<std::size_t>(i)]).segment(node.u, J.cols()).transpose();
      }
      VecX delta = VecX::Zero(velocities_);
      delta.segment(node.u, J.cols()) = least_squares(J, -residual);
      // An absolute value wins over the joint's own.
      for (Eigen::Index k = 0; k < J.cols(); ++k) {
        if (std::abs(delta[node.u + k]) > 1e-12) held_q_[static_cast<std::size_t>(node.u + k)] = false;
      }
      dynamics_->displace(q, delta);
    }
    state_.q = q;
  }
  position_wishes_ = all;
}

int Assembler::max_row(const VecX& residual) const {
  Eigen::Index worst = 0;
  residual.cwiseAbs().maxCoeff(&worst);
  return static_cast<int>(worst);
}

std::string Assembler::worst_row(const VecX& residual) const {
  const int worst = max_row(residual);
  return worst < rows_ ? mechanism_.row_name(worst) : position_wishes_[static_cast<std::size_t>(worst - rows_)].path;
}

std::string Assembler::path_of_row(int row) const {
  const Mechanism::Row& r = mechanism_.rows[static_cast<std::size_t>(row)];
  if (r.driver >= 0) return "drivers." + mechanism_.drivers[static_cast<std::size_t>(r.driver)].name;
  return "joints." + mechanism_.joints[static_cast<std::size_t>(r.joint)].name;
}

std::string Assembler::coordinate_name(int velocity) const {
  for (const Mechanism::Node& node : mechanism_.nodes) {
    if (node.type == nullptr || velocity < node.u || velocity >= node.u + node.type->u_count()) continue;
    if (node.joint < 0) return mechanism_.bodies[to_size(node.body)].name;
    return mechanism_.joints[static_cast<std::size_t>(node.joint)].name;
  }
  return "?";
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

void Assembler::close_positions(std::vector<std::string>& notes) {
  const VecX given = state_.q;
  VecX q = given;
  double residual = solve_positions(held_q_, true, q);
  std::mt19937_64 generator(20100101);  // fixed: the same file always assembles in the same way
  std::uniform_real_distribution<double> disturbance(-1, 1);
  for (int restart = 0; restart < kRestarts && residual > kClosed; ++restart) {
    VecX delta = VecX::Zero(velocities_);
    for (int k = 0; k < velocities_; ++k) {
      const double size = 0.2 * (restart + 1);
      if (!held_q_[static_cast<std::size_t>(k)]) delta[k] = size * disturbance(generator);
    }
    VecX trial = given;
    dynamics_->displace(trial, delta);
    const double trial_residual = solve_positions(held_q_, true, trial);
    if (trial_residual < residual) residual = trial_residual, q = trial;
  }
  if (residual <= kClosed) {
    state_.q = q;
  } else {
    // Values that were rounded by hand close a loop only nearly: move them, but only a little, and say so.
    VecX loose = q;  // from the best position found: the solution next to the given values, not on another branch
    const double loose_residual = solve_positions(std::vector<bool>(held_q_.size(), false), false, loose);
    const double largest = largest_move(given, loose);
    if (rows_ == 0 || loose_residual > kClosed || largest > kSmallMove) {
      const VecX best = position_residual(q, true);
      std::string hint =
          "no position of the mechanism fulfils all joints and initial values: check lengths, frames and `initial`";
      if (rows_ > 0 && loose_residual <= kClosed) {
        hint = fmt::format(
            "it would close if the initial values were moved by up to {:.3g}: correct them or leave some out", largest);
      }
      const std::string worst = worst_row(best);
      throw ModelError(max_row(best) < rows_ ? path_of_row(max_row(best)) : worst,
                       fmt::format("the mechanism cannot be assembled: '{}' stays open by {:.3g}", worst, residual),
                       hint);
    }
    state_.q = loose;
    notes.push_back(fmt::format("initial positions moved by up to {:.2g} to close the loops", largest));
  }
  if (rows_ == 0) return;
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

void Assembler::close_velocities(std::vector<std::string>& notes) {
  dynamics_->set_position(state_.t, state_.q);
  const Eigen::Index wishes = static_cast<Eigen::Index>(velocity_wishes_.size());
  if (rows_ + wishes == 0) return;
  MatX J(rows_ + wishes, velocities_);
  VecX wanted(rows_ + wishes);
  dynamics_->row_jacobian(workspace_.rows);
  J.topRows(rows_) = workspace_.rows.W.transpose();
  wanted.head(rows_) = -workspace_.rows.w_tilde;
  for (Eigen::Index i = 0; i < wishes; ++i) {
    J.row(rows_ + i) = wish_rates(velocity_wishes_[static_cast<std::size_t>(i)]).transpose();
    wanted[rows_ + i] = velocity_wishes_[static_cast<std::size_t>(i)].value;
  }
  // An absolute value wins over the joint's own.
  for (const Wish& wish : velocity_wishes_) {
    const int node = mechanism_.node_of_body[static_cast<std::size_t>(wish.body)];
    const Mechanism::Node& n = mechanism_.nodes[static_cast<std::size_t>(node)];
    for (int k = n.u; k < n.u + n.type->u_count(); ++k) held_u_[static_cast<std::size_t>(k)] = false;
  }
  // First with the joints' values held; then without, for values that were rounded by hand.
  VecX u = state_.u, residual;
  const double scale = std::max(1.0, max_abs(wanted) + max_abs(state_.u));
  for (const bool hold : {true, false}) {
    MatX free = J;
    for (int k = 0; k < velocities_; ++k) {
      if (hold && held_u_[static_cast<std::size_t>(k)]) free.col(k).setZero();
    }
    u = state_.u + least_squares(free, wanted - J * state_.u);
    residual = J * u - wanted;
    if (max_abs(residual) <= kClosed * scale) {
      if (!hold && wishes == 0) {
        notes.push_back(
            fmt::format("initial velocities moved by up to {:.2g} to agree with the loops", max_abs(u - state_.u)));
      }
      break;
    }
  }
  if (max_abs(residual) > kClosed * scale) {
    Eigen::Index worst = 0;
    residual.cwiseAbs().maxCoeff(&worst);
    const std::string name = worst < rows_ ? mechanism_.row_name(static_cast<int>(worst))
                                           : velocity_wishes_[static_cast<std::size_t>(worst - rows_)].path;
    throw ModelError(
        worst < rows_ ? path_of_row(static_cast<int>(worst)) : name,
        fmt::format("the initial velocities contradict each other: '{}' is off by {:.3g}", name, residual[worst]),
        "leave some of them out: joints and loops determine the rest");
  }
  const VecX moved = u - state_.u;
  for (int k = 0; k < velocities_; ++k) {
    if (held_u_[static_cast<std::size_t>(k)] && rows_ > 0 && std::abs(moved[k]) > kSmallMove * scale) {
      throw ModelError("joints." + coordinate_name(k) + ".initial.u",
                       fmt::format("contradicts the loops: they need {:.6g} instead of {:.6g}", u[k], state_.u[k]),
                       "leave it out or correct it");
    }
  }
  state_.u = u;
  if (rows_ > 0) {
    State projected = state_;
    const ProjectionReport report = workspace_.project(*dynamics_, projected);
    if (report.status != StepStatus::kOk) {
      throw ModelError(path_of_row(std::max(0, report.worst_row)),
                       fmt::format("the initial velocities contradict the loops at '{}' by {:.3g}",
                                   mechanism_.row_name(std::max(0, report.worst_row)), report.velocity_residual),
                       "leave some initial velocities out: joints and loops determine the rest");
    }
    state_ = projected;
  }
}

}  // namespace

State assemble_initial_state(const MechanismSpec& spec, const std::shared_ptr<const Mechanism>& mechanism,
                             std::vector<std::string>& notes) {
  return Assembler(spec, mechanism).assemble(notes);
}

}  // namespace freeplay
