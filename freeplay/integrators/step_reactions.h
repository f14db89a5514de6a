// The reactions of joints from the record of a step, step after step.
#pragma once

#include "freeplay/integrators/step_record.h"

namespace freeplay::integrators {

// set_reactions() for many steps of one run: which dynamics have bodies is asked once, since asking takes as long as
// the reactions of two joints.
class StepReactions {
 public:
  Dynamics& set(const StepRecord& record, Dynamics& spare);

 private:
  const Dynamics* asked_ = nullptr;
  BodyDynamics* bodies_ = nullptr;  // what asked_ is, if it has bodies
};

}  // namespace freeplay::integrators
