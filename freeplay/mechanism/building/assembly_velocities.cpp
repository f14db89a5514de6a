// Initial velocities: each body by its own joint, then all loops together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/math/least_squares.h"
#include "freeplay/mechanism/building/assembly.h"

namespace freeplay::mechanism {

// As for positions: each body by its own joint, parents first.
void Assembler::meet_velocity_wishes_of_each_body() {
  dynamics_->set_position(state_.t, state_.q);
  for (const std::vector<BodyWishes>& level : by_level(velocity_wishes_)) {
    dynamics_->set_velocity(state_.u);
    std::vector<VecX> missing;
    for (const BodyWishes& body : level) {
      // An absolute value wins over the joint's own.
      const int u = body.node->u;
      for (int k = u; k < u + body.node->type->u_count(); ++k) held_u_[static_cast<std::size_t>(k)] = false;
      VecX& of_body = missing.emplace_back(static_cast<Eigen::Index>(body.wishes.size()));
      for (std::size_t i = 0; i < body.wishes.size(); ++i) {
        of_body[static_cast<Eigen::Index>(i)] = body.wishes[i]->value - rate_of(*body.wishes[i]);
      }
    }
    const std::vector<MatX> rates = own_rates(level);
    for (std::size_t b = 0; b < level.size(); ++b) {
      const Mechanism::Node& node = *level[b].node;
      state_.u.segment(node.u, node.type->u_count()) += least_squares(rates[b], missing[b]);
    }
  }
}

// By how much the wishes are missed at the state.
VecX Assembler::missed_velocities() {
  dynamics_->set_velocity(state_.u);
  VecX missed(static_cast<Eigen::Index>(velocity_wishes_.size()));
  for (std::size_t i = 0; i < velocity_wishes_.size(); ++i) {
    missed[static_cast<Eigen::Index>(i)] = rate_of(velocity_wishes_[i]) - velocity_wishes_[i].value;
  }
  return missed;
}

// The loops' rows first, then the wishes of `on`, as equations  J u = wanted.
Assembler::VelocityEquations Assembler::velocity_equations(Together on) {
  VelocityEquations equations;
  equations.J = jacobian(velocity_wishes_, on);
  equations.wanted.resize(equations.J.rows());
  equations.wanted.head(rows_) = -workspace_.rows.w_tilde;
  for (std::size_t i = 0; i < on.wishes.size(); ++i) {
    equations.wanted[rows_ + static_cast<Eigen::Index>(i)] =
        velocity_wishes_[static_cast<std::size_t>(on.wishes[i])].value;
  }
  equations.on = std::move(on);
  return equations;
}

// Moves u to the nearest velocities that solve the equations, those unmoved that are held. Returns what is left of the
// equations.
VecX Assembler::solve_velocities(const VelocityEquations& equations, const std::vector<bool>& held, VecX& u) const {
  const std::vector<int>& velocities = equations.on.velocities;
  MatX free = equations.J;
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    if (held[static_cast<std::size_t>(velocities[k])]) free.col(static_cast<Eigen::Index>(k)).setZero();
  }
  VecX own_u = u(velocities);
  own_u += least_squares(free, equations.wanted - equations.J * own_u);
  u(velocities) = own_u;
  return equations.J * own_u - equations.wanted;
}

// First with the joints' values held; then without, for values that were rounded by hand. Elastic bodies start to
// deform only for what nothing else can meet, and no more than for that: freed at once, their modes would take most of
// what joints can do.
VecX Assembler::meet_velocities(const VelocityEquations& equations, double tolerance,
                                std::vector<std::string>& notes) const {
  VecX u = state_.u;
  if (max_abs(solve_velocities(equations, held_u_, u)) <= tolerance) return u;
  u = state_.u;
  const VecX left = solve_velocities(equations, modal_, u);
  if (max_abs(left) > tolerance) {
    if (max_abs(solve_velocities(equations, std::vector<bool>(held_u_.size(), false), u)) > tolerance)
      throw_contradicting_velocities(equations, left);
    double fastest = 0;
    for (const Mechanism::ElasticBody& body : mechanism_.elastic_bodies)
      fastest = std::max(fastest, max_abs((u - state_.u).segment(body.u, body.count)));
    notes.push_back(fmt::format(
        "elastic bodies start to deform, modal rates by up to {:.2g}, to meet the initial velocities", fastest));
  }
  if (equations.on.wishes.empty()) {
    notes.push_back(
        fmt::format("initial velocities moved by up to {:.2g} to agree with the loops", max_abs(u - state_.u)));
  }
  return u;
}

namespace {

std::string rate_text(bool is_length, double rate) {
  return fmt::format("{:.6g} {}", rate, is_length ? "m/s" : "rad/s");
}

}  // namespace

std::string Assembler::row_rate_text(int row, double rate) const {
  return rate_text(is_length(row), rate);
}

// Those that the model gives: a driver's are its own.
bool Assembler::has_initial_velocities() const {
  return !velocity_wishes_.empty() || std::ranges::any_of(spec_.joints, [](const JointSpec& joint) {
    return std::ranges::any_of(joint.initial_u, [](const auto& u) { return u.has_value(); });
  });
}

const Mechanism::Driver* Assembler::driver_of(int velocity) const {
  for (const Mechanism::Driver& driver : mechanism_.drivers) {
    if (driver.row < 0) continue;
    const Mechanism::Row& row = mechanism_.rows[static_cast<std::size_t>(driver.row)];
    if (row.kind == Mechanism::Row::Kind::kCoordinate && row.u == velocity) return &driver;
  }
  return nullptr;
}

std::string Assembler::velocity_cure() const {
  std::string motions;
  for (const Mechanism::Driver& driver : mechanism_.drivers) {
    if (driver.row >= 0) motions += fmt::format("{}'{}'", motions.empty() ? "" : ", ", driver.name);
  }
  if (motions.empty()) return "leave some of them out: joints, loops and couplings determine the rest";
  const std::string cure = has_initial_velocities() ? "leave some initial velocities out, or change one of the motions"
                                                    : "change or remove one of the motions";
  return fmt::format("{} {}: joints, loops and couplings determine the rest", cure, motions);
}

void Assembler::throw_contradicting_velocities(const VelocityEquations& equations, const VecX& residual) const {
  const int worst = max_row(residual);
  std::string path, name, size;
  if (worst < rows_) {
    path = path_of_row(worst);
    name = mechanism_.row_name(worst);
    size = row_rate_text(worst, residual[worst]);
  } else {
    const int index = equations.on.wishes[static_cast<std::size_t>(worst - rows_)];
    const Wish& wish = velocity_wishes_[static_cast<std::size_t>(index)];
    path = name = wish.path;
    size = rate_text(wish.is_length(), residual[worst]);
  }
  throw ModelError(path,
                   fmt::format("the {} velocities contradict each other: '{}' is off by {}",
                               has_initial_velocities() ? "initial" : "prescribed", name, size),
                   velocity_cure());
}

// A joint's velocity may be rounded by hand, but not be another one than the loops need.
void Assembler::check_held_velocities(const VecX& u, double scale) const {
  if (rows_ == 0) return;
  for (int k = 0; k < velocities_; ++k) {
    if (held_u_[static_cast<std::size_t>(k)] && std::abs(u[k] - state_.u[k]) > kSmallMove * scale) {
      if (modal_[static_cast<std::size_t>(k)])
        throw ModelError("bodies." + coordinate_name(k) + ".elastic",
                         fmt::format("only a modal rate of {:.6g} instead of {:.6g} would meet the initial velocities",
                                     u[k], state_.u[k]),
                         velocity_cure());
      const std::string contradiction = fmt::format("contradicts the loops and couplings: they need {} instead of {}",
                                                    rate_text(is_shift(k), u[k]), rate_text(is_shift(k), state_.u[k]));
      if (const Mechanism::Driver* driver = driver_of(k))
        throw ModelError("drivers." + driver->name + ".motion", contradiction, velocity_cure());
      throw ModelError("joints." + coordinate_name(k) + ".initial.u", contradiction, "leave it out or correct it");
    }
  }
}

void Assembler::project_velocities() {
  State projected = state_;
  const ProjectionReport report = workspace_.project(*dynamics_, projected);
  if (report.status != StepStatus::kOk) {
    const int worst = std::max(0, report.worst_row);
    throw ModelError(path_of_row(worst),
                     fmt::format("the {} velocities contradict the loops at '{}' by {}",
                                 has_initial_velocities() ? "initial" : "prescribed", mechanism_.row_name(worst),
                                 row_rate_text(worst, report.velocity_residual)),
                     velocity_cure());
  }
  state_ = projected;
}

// Of a system whose rows are sparse, and many: one system of all equations would be dense.
bool Assembler::many_loops_are_met(double tolerance) {
  dynamics_->set_position(state_.t, state_.q);
  VecX gamma(rows_);
  return workspace_.sparse_row_velocities(*dynamics_, state_.u, gamma) && max_abs(gamma) <= tolerance;
}

void Assembler::close_velocities(std::vector<std::string>& notes) {
  const VecX missed = missed_velocities();
  const double met = kClosed * (1 + max_abs(state_.u));
  if (rows_ == 0 && max_abs(missed) <= met) return;
  if (max_abs(missed) <= met && many_loops_are_met(met)) return project_velocities();
  const VelocityEquations equations = velocity_equations(together(velocity_wishes_, missed, met));
  const double scale = std::max(1.0, max_abs(equations.wanted) + max_abs(state_.u));
  const VecX u = meet_velocities(equations, kClosed * scale, notes);
  check_held_velocities(u, scale);
  state_.u = u;
  if (rows_ > 0) project_velocities();
}

}  // namespace freeplay::mechanism
