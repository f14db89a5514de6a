#include "freeplay/study/sweep/followed_start.h"

#include <algorithm>

#include "freeplay/contact/problem/gap_projection.h"

namespace freeplay::study {

State followed_start(const Model& model, std::span<const double> numbers) {
  const System& system = *model.system;
  State state = system.initial_state();
  if (numbers.size() != static_cast<std::size_t>(state.q.size() + state.u.size()))
    throw ModelError("--follow", "the model has other coordinates than its neighbour", "leave --follow out");
  std::copy_n(numbers.begin(), state.q.size(), state.q.begin());
  std::copy_n(numbers.begin() + state.q.size(), state.u.size(), state.u.begin());
  const std::unique_ptr<Dynamics> dynamics = system.make_dynamics();
  const std::unique_ptr<ContactKinematics> points = model.contacts->make_kinematics(*dynamics);
  if (GapProjection(system, *model.contacts, 0).project(*dynamics, *points, state) != StepStatus::kOk)
    throw ModelError("--follow", "the state in which the neighbour ended cannot be had with these values",
                     "take smaller steps along the axis that is followed");
  return state;
}

}  // namespace freeplay::study
