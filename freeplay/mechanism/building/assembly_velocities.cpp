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
  for (const Mechanism::Node& node : mechanism_.nodes) {
    const std::vector<const Wish*> wishes = wishes_of(velocity_wishes_, node);
    if (wishes.empty()) continue;
    // An absolute value wins over the joint's own.
    for (int k = node.u; k < node.u + node.type->u_count(); ++k) held_u_[static_cast<std::size_t>(k)] = false;
    dynamics_->set_velocity(state_.u);
    VecX missing(static_cast<Eigen::Index>(wishes.size()));
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      missing[static_cast<Eigen::Index>(i)] = wishes[i]->value - rate_of(*wishes[i]);
    }
    state_.u.segment(node.u, node.type->u_count()) += least_squares(own_rates(node, wishes), missing);
  }
}

void Assembler::close_velocities(std::vector<std::string>& notes) {
  const Eigen::Index wishes = static_cast<Eigen::Index>(velocity_wishes_.size());
  if (rows_ == 0) {
    dynamics_->set_velocity(state_.u);
    const double scale = 1 + max_abs(state_.u);
    const bool all_met = std::all_of(velocity_wishes_.begin(), velocity_wishes_.end(), [&](const Wish& wish) {
      return std::abs(rate_of(wish) - wish.value) <= kClosed * scale;
    });
    if (all_met) return;
  }
  MatX J(rows_ + wishes, velocities_);
  VecX wanted(rows_ + wishes);
  dynamics_->row_jacobian(workspace_.rows);
  J.topRows(rows_) = workspace_.rows.W.transpose();
  wanted.head(rows_) = -workspace_.rows.w_tilde;
  for (Eigen::Index i = 0; i < wishes; ++i) {
    J.row(rows_ + i) = wish_rates(velocity_wishes_[static_cast<std::size_t>(i)]).transpose();
    wanted[rows_ + i] = velocity_wishes_[static_cast<std::size_t>(i)].value;
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

}  // namespace freeplay::mechanism
