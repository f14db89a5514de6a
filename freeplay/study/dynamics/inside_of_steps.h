// What the motion is at an instant within a step that a run has taken: a second integrator of the same kind takes the
// step once more from its start, up to there. So it is as exact as the run itself, and impacts in between have their
// own instants.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "freeplay/model/model.h"

namespace freeplay::study {

class InsideOfSteps {
 public:
  // Null where there is nothing to be seen: a step of time stepping knows only its ends.
  static std::unique_ptr<InsideOfSteps> make(const ModelSpec& spec, const Model& model);

  // The state in which the next step begins. Its time is start_s().
  void note_start(const State& state) { start_ = state; }
  double start_s() const { return start_.t; }

  // The places in System::channels() of those that can be read within a step, -1 of the others: those that ask for
  // accelerations, contact forces or energies, and quaternions, which have the sign of the row before, are known at
  // rows alone.
  std::vector<int> places_of(const std::vector<std::string>& channels) const;
  // Goes there; false if the step cannot be taken so far. Then read() has the values of places that are not -1.
  [[nodiscard]] bool go_to(double time_s);
  void read(const std::vector<int>& places, std::span<double> values);

 private:
  InsideOfSteps(const ModelSpec& spec, const Model& model);

  const System& system_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Dynamics> dynamics_;
  State start_, state_;
  bool has_begun_ = false;
};

}  // namespace freeplay::study
