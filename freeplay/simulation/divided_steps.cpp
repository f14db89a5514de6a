// Steps in which parts would fly through each other.
#include <algorithm>

#include "freeplay/simulation/simulation.h"

namespace freeplay::simulation {

// A step in which parts fly through each other is refused: from the same state another one begins that ends halfway.
// What is left of the step of the grid is tried as a whole again, so that the grid stays where it is. Parts that still
// pass each other in the shortest piece are told of.
void Simulation::step_without_passage(StepLimit& limit, StepRecord* record) {
  constexpr double kShortestPiece = 1.0 / (1 << 16);  // of the step
  passed_parts_->note_start(state_);
  before_ = state_;
  double whole_s = 0;
  for (;;) {
    report_ = integrator_->step(state_, limit.t, record);
    if (report_.status != StepStatus::kOk) return;
    const int passed = passed_parts_->look(state_);
    if (passed < 0) return;
    whole_s = std::max(whole_s, report_.size_s);
    if (report_.size_s <= kShortestPiece * whole_s) {
      advice_.on_passage(state_.t, passed, context_);
      return;
    }
    advice_.on_division(state_.t, passed, context_);
    passed_parts_->forget();                         // what it has seen of a time that will be another one
    static_cast<void>(integrator_->take_warning());  // of what has not happened
    state_ = before_;
    const double half_s = state_.t + report_.size_s / 2;
    limit = {half_s, half_s, false, false};
    is_divided_ = true;
  }
}

}  // namespace freeplay::simulation
