#include "freeplay/integrators/smooth/packed_state.h"

namespace freeplay::integrators {

void PackedState::pack(const State& state, VecRef y) const {
  y.head(coordinates_) = state.q;
  y.segment(coordinates_, velocities_) = state.u;
  y[coordinates_ + velocities_] = state.account.input;
  y[coordinates_ + velocities_ + 1] = state.account.damping_loss;
  y[coordinates_ + velocities_ + 2] = state.account.impact_loss;
  y[coordinates_ + velocities_ + 3] = state.account.friction_loss;
}

void PackedState::unpack(const ConstVecRef& y, State& state) const {
  state.q = y.head(coordinates_);
  state.u = y.segment(coordinates_, velocities_);
  state.account.input = y[coordinates_ + velocities_];
  state.account.damping_loss = y[coordinates_ + velocities_ + 1];
  state.account.impact_loss = y[coordinates_ + velocities_ + 2];
  state.account.friction_loss = y[coordinates_ + velocities_ + 3];
}

void PackedState::unpack_combination(const std::array<VecX, 5>& terms, const std::array<double, 5>& weights,
                                     State& state) const {
  state.q.setZero(coordinates_);
  state.u.setZero(velocities_);
  state.account = {};
  for (std::size_t i = 0; i < terms.size(); ++i) {
    state.q += weights[i] * terms[i].head(coordinates_);
    state.u += weights[i] * terms[i].segment(coordinates_, velocities_);
    state.account.input += weights[i] * terms[i][coordinates_ + velocities_];
    state.account.damping_loss += weights[i] * terms[i][coordinates_ + velocities_ + 1];
    state.account.impact_loss += weights[i] * terms[i][coordinates_ + velocities_ + 2];
    state.account.friction_loss += weights[i] * terms[i][coordinates_ + velocities_ + 3];
  }
}

}  // namespace freeplay::integrators
