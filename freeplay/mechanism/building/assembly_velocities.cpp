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

void Assembler::close_velocities(std::vector<std::string>& notes) {
  const VecX missed = missed_velocities();
  const double met = kClosed * (1 + max_abs(state_.u));
  if (rows_ == 0 && max_abs(missed) <= met) return;
  const Together on = together(velocity_wishes_, missed, met);
  const auto wish = [&](Eigen::Index i) -> const Wish& {
    return velocity_wishes_[static_cast<std::size_t>(on.wishes[static_cast<std::size_t>(i)])];
  };
  const MatX J = jacobian(velocity_wishes_, on);
  const Eigen::Index wishes = J.rows() - rows_;
  VecX wanted(J.rows());
  wanted.head(rows_) = -workspace_.rows.w_tilde;
  for (Eigen::Index i = 0; i < wishes; ++i) wanted[rows_ + i] = wish(i).value;
  // First with the joints' values held; then without, for values that were rounded by hand.
  VecX u = state_.u, residual;
  const double scale = std::max(1.0, max_abs(wanted) + max_abs(state_.u));
  for (const bool hold : {true, false}) {
    MatX free = J;
    for (std::size_t k = 0; k < on.velocities.size(); ++k) {
      const bool is_held = held_u_[static_cast<std::size_t>(on.velocities[k])];
      if (hold && is_held) free.col(static_cast<Eigen::Index>(k)).setZero();
    }
    VecX own_u = state_.u(on.velocities);
    own_u += least_squares(free, wanted - J * own_u);
    residual = J * own_u - wanted;
    u = state_.u;
    u(on.velocities) = own_u;
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
    const std::string name = worst < rows_ ? mechanism_.row_name(static_cast<int>(worst)) : wish(worst - rows_).path;
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

}  // namespace freeplay::mechanism
