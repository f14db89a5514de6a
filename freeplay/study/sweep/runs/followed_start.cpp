#include "freeplay/study/sweep/runs/followed_start.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/contact/problem/gap_projection.h"

namespace freeplay::study {

namespace {

constexpr double kWholeTurn = 2 * std::numbers::pi;
constexpr double kFarOff = 0.1;  // rad or m: no small correction any more

// A crank that a motor has turned begins at the motor's first angle again: by whole turns, which change no other
// coordinate, and so no spring and no coupling. The projection, which shares a displacement among all of them, would.
void turn_back(const System& system, Dynamics& dynamics, State& state) {
  if (system.row_count() == 0) return;
  BilateralRows rows;
  rows.resize(system.velocity_count(), system.row_count());
  dynamics.set_position(state.t, state.q);
  dynamics.row_positions(rows.g);
  dynamics.row_jacobian(rows);
  VecX delta = VecX::Zero(system.velocity_count());
  for (Eigen::Index row = 0; row < rows.g.size(); ++row) {
    const double turns = std::round(rows.g[row] / kWholeTurn);
    Eigen::Index place = 0;
    const double largest = rows.W.col(row).cwiseAbs().maxCoeff(&place);
    const bool acts_on_one = largest > 0 && (rows.W.col(row).array() != 0).count() == 1;
    if (turns == 0 || !acts_on_one || std::abs(rows.g[row] - turns * kWholeTurn) > kFarOff) continue;
    delta[place] -= turns * kWholeTurn / rows.W(place, row);
  }
  dynamics.displace(state.q, delta);
  dynamics.set_position(state.t, state.q);
  dynamics.row_positions(rows.g);
  if (rows.g.cwiseAbs().maxCoeff() > kFarOff)
    throw ModelError("--follow", "the neighbour ended where the drives of this run do not begin",
                     "give a duration of whole periods, or a section every(...) with --turns");
}

}  // namespace

State followed_start(const Model& model, std::span<const double> numbers) {
  const System& system = *model.system;
  State state = system.initial_state();
  if (numbers.size() != static_cast<std::size_t>(state.q.size() + state.u.size()))
    throw ModelError("--follow", "the model has other coordinates than its neighbour", "leave --follow out");
  std::copy_n(numbers.begin(), state.q.size(), state.q.begin());
  std::copy_n(numbers.begin() + state.q.size(), state.u.size(), state.u.begin());
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  turn_back(system, *dynamics, state);
  const std::unique_ptr<ContactKinematics> points = model.contacts->make_kinematics(*dynamics);
  if (GapProjection(system, *model.contacts, 0).project(*dynamics, *points, state) != StepStatus::kOk)
    throw ModelError("--follow", "the state in which the neighbour ended cannot be had with these values",
                     "take smaller steps along the axis that is followed");
  return state;
}

}  // namespace freeplay::study
