// The pile of spheres of examples/spheres_in_box.yaml in this engine, and the measure by which every engine's answers
// are judged. Shared by bench/spatial.cpp and bench/piles.cpp.
#pragma once

#include <memory>
#include <vector>

#include "bench/pile.h"
#include "freeplay/integrators/integrator.h"
#include "freeplay/mechanism/mechanism.h"
#include "freeplay/model/coded_scene.h"

namespace freeplay::bench {

// How far the answer of a step is from the laws, in m/s: the natural residual of the worst contact.
struct Violation {
  double own_m_s = 0;      // 0 <= Lambda_N _|_ xi_N >= 0, and friction as the engine bounds it
  double coulomb_m_s = 0;  // the same with Coulomb's friction, a disc
};
Violation violation_of(const std::vector<PileContact>& contacts, const PileScene& scene);

// What its numbers are by default, in a box of this size.
class SpherePile {
 public:
  SpherePile(int spheres, double box_m, double step_s);

  std::unique_ptr<Integrator> make_integrator(const IntegratorOptions& options) const;
  State initial_state() const { return mechanism_->initial_state(); }
  static std::vector<Vector> centres_m(const State& state);

  PileScene scene;

 private:
  std::shared_ptr<const Mechanism> mechanism_;
  std::shared_ptr<const MechanismContacts> contacts_;
};

}  // namespace freeplay::bench
