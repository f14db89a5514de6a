// The initial state of a mechanism, and what can be wrong with it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "freeplay/mechanism/building/mechanism_builder.h"
#include "freeplay/mechanism/rows/projection.h"

namespace freeplay::mechanism {

namespace {

constexpr double kSmallestPivot = 1e-12;

}  // namespace

// Smallest pivot of the mass matrix relative to its diagonal: 0 up to rounding if something moves without inertia.
double MechanismBuilder::smallest_pivot(Dynamics& dynamics) const {
  MassMatrix M(mechanism_->mass_structure().with_entries());
  dynamics.mass_matrix(M);
  VecX diagonal(M.size());
  for (int k = 0; k < M.size(); ++k) diagonal[k] = M.at(k, k);
  if (!M.factor()) return 0;
  double smallest = 1;
  for (int k = 0; k < M.size(); ++k) smallest = std::min(smallest, M.at(k, k) * M.at(k, k) / diagonal[k]);
  return smallest;
}

// The mass matrix is singular: names the body that moves most in the direction v, |v| = 1, that meets no resistance.
// A little inertia s added to every velocity makes it regular, and the diagonal of (M + s)^-1 is then v_k^2 / s up to
// what the other directions add. The eigenvectors of M would say the same; compiling Eigen's solver takes far longer.
void MechanismBuilder::report_massless_motion(Dynamics& dynamics) {
  MassMatrix M(mechanism_->mass_structure().with_entries());
  dynamics.mass_matrix(M);
  double largest = 0;
  for (int k = 0; k < M.size(); ++k) largest = std::max(largest, M.at(k, k));
  if (!(1e-14 * largest >= std::numeric_limits<double>::min())) largest = 1;  // 0, or so small that it could not grow
  for (int decade = -14; decade < 0; ++decade) {                              // more until rounding does not matter
    const double added = std::pow(10.0, decade) * largest;
    dynamics.mass_matrix(M);
    for (int k = 0; k < M.size(); ++k) M.at(k, k) += added;
    if (M.factor()) break;
  }
  int velocity = 0;
  double most = 0;
  for (int k = 0; k < M.size(); ++k) {
    VecX v = VecX::Unit(M.size(), k);
    M.solve_in_place(v);
    if (v[k] > most * (1 + 1e-9)) velocity = k, most = v[k];
  }
  for (const Mechanism::Node& node : mechanism_->nodes) {
    const int modes = node.elastic < 0 ? 0 : mechanism_->elastic_bodies[static_cast<std::size_t>(node.elastic)].count;
    if (velocity < node.u || velocity >= node.u + node.joint_velocities() + modes) continue;
    const std::string& name = mechanism_->bodies[to_size(node.body)].name;
    fail("bodies." + name, fmt::format("'{}' moves without inertia in the initial state", name),
         "give it an inertia greater than 0, or a joint that does not let it turn");
  }
}

void MechanismBuilder::set_initial_state() {
  mechanism_->initial_state_ =
      start_ ? *start_ : assemble_initial_state(spec_, mechanism_, mechanism_->assembly_notes_);
  const State& state = mechanism_->initial_state_;

  const std::unique_ptr<Dynamics> dynamics = mechanism_->make_dynamics();
  set_initial_turns(*dynamics, mechanism_->initial_state_);
  dynamics->set_position(state.t, state.q);
  for (std::size_t c = 0; c < mechanism_->channel_table.size(); ++c) {
    if (mechanism_->channel_table[c].kind != Mechanism::Channel::Kind::kSpringLength) continue;
    const std::size_t s = static_cast<std::size_t>(mechanism_->channel_table[c].index);
    double length = 0;
    const int channel = static_cast<int>(c);
    dynamics->read_channels(std::span(&channel, 1), std::span(&length, 1));
    if (!spec_.springs[s].free_length_m) mechanism_->springs[s].free_length = length;
    const Mechanism::Spring& spring = mechanism_->springs[s];
    if (length == 0 && spring.preload - spring.stiffness * spring.free_length != 0) {
      fail("forces." + spring.name, "its ends coincide in the initial state, so its force has no direction",
           "move an end, or give a spring without preload and with `free_length: 0 m`");
    }
  }

  check_efforts(state);
  BilateralWorkspace workspace(*mechanism_);
  if (!workspace.update(*dynamics) || smallest_pivot(*dynamics) < kSmallestPivot) report_massless_motion(*dynamics);
  throw_if_failed();
  mechanism_->row_rank_ = workspace.rank();
  for (const int row : workspace.redundant_rows()) mechanism_->redundant_rows_.push_back(mechanism_->row_name(row));
}

}  // namespace freeplay::mechanism
