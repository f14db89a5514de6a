#include "freeplay/mechanism/systems/linear_system.h"

namespace freeplay::mechanism {

LinearSystem::LinearSystem(LinearSystemSpec spec)
    : spec_(std::move(spec)), structure_(MassStructure::dense(static_cast<int>(spec_.coordinates.size()))) {
  for (const LinearSystemSpec::Coordinate& coordinate : spec_.coordinates) {
    const bool is_angle = coordinate.is_angle;
    channels_.push_back({coordinate.channel, is_angle ? dimensions::kAngle : dimensions::kLength, is_angle});
    channels_.push_back(
        {coordinate.velocity_channel, is_angle ? dimensions::kAngularVelocity : dimensions::kVelocity, is_angle});
  }
}

State LinearSystem::initial_state() const {
  State state;
  state.q = spec_.initial_q;
  state.u = spec_.initial_u;
  return state;
}

std::unique_ptr<Dynamics> LinearSystem::make_dynamics() const {
  return std::make_unique<LinearDynamics>(spec_);
}

LinearDynamics::LinearDynamics(const LinearSystemSpec& spec)
    : MinimalDynamics(static_cast<int>(spec.coordinates.size())),
      spec_(spec),
      q_(spec.initial_q),
      u_(spec.initial_u),
      product_(spec.initial_q.size()) {}

void LinearDynamics::mass_matrix(MassMatrix& M) {
  for (int row = 0; row < M.size(); ++row) {
    for (int column = 0; column <= row; ++column) M.at(row, column) = spec_.M(row, column);
  }
}

void LinearDynamics::forces(VecRef h) {
  h = spec_.h;
  h.noalias() -= spec_.K * q_;
  if (spec_.D.size() > 0) h.noalias() -= spec_.D * u_;
}

double LinearDynamics::potential_energy() {
  product_.noalias() = spec_.K * q_;
  return 0.5 * q_.dot(product_) - spec_.h.dot(q_);
}

Energies LinearDynamics::energies() {
  const double potential = potential_energy();
  product_.noalias() = spec_.M * u_;
  return {0.5 * u_.dot(product_), potential};
}

// Nothing is put in; dampers take u . D u.
Powers LinearDynamics::powers(const ConstVecRef&) {
  if (spec_.D.size() == 0) return {};
  product_.noalias() = spec_.D * u_;
  return {0, u_.dot(product_)};
}

// Channels go in pairs: a coordinate, then its velocity.
void LinearDynamics::read_channels(std::span<const int> channels, std::span<double> values) {
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const int coordinate = channels[i] / 2;
    values[i] = channels[i] % 2 == 0 ? q_[coordinate] : u_[coordinate];
  }
}

}  // namespace freeplay::mechanism
