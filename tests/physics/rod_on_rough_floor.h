// A rod that falls on a rough floor and comes to rest: where, depends on the law of its impacts (Pfeiffer 1999; places
// at rest by an event-driven solution of another program, to 1e-5 m).
#pragma once

#include "physics/model_run.h"

namespace freeplay::test {

struct RodAtRest {
  const char* law;
  const char* tangential;
  double x_m;
};
inline constexpr RodAtRest kRodsAtRest[] = {{"poisson", "beitelschmidt", 0.2667562},
                                            {"poisson", "safe", 0.2788956},
                                            {"poisson", "glocker", 0.2788956},
                                            {"newton", "beitelschmidt", 0.3027063}};

// `simulate`: keys of that block without the duration.
inline ModelRun fall_of_rod(const std::string& law, const std::string& tangential, const std::string& simulate) {
  return run_model(parse_model(fmt::format(R"(freeplay: 1
name: A rod that falls on a rough floor
space: planar
gravity: [0, -9.81 m/s^2]
bodies:
  rod:
    mass: 1 kg
    inertia: 1 kg m^2/12
    initial: {{y: 1 m, angle: 0.5 rad, vx: 0.5 m/s}}
    shapes: {{left: {{type: point, at: [-0.5 m, 0]}}, right: {{type: point, at: [0.5 m, 0]}}}}
ground: {{shapes: {{floor: {{type: line, normal: [0, 1]}}}}}}
contacts:
  a: {{between: [rod.left, ground.floor], impact: {0}, tangential_law: {1}, restitution: 0.5, friction: 0.3}}
  b: {{between: [rod.right, ground.floor], impact: {0}, tangential_law: {1}, restitution: 0.5, friction: 0.3}}
simulate: {{{2}, duration: 3 s}}
)",
                                           law, tangential, simulate),
                               "rod.yaml"));
}

}  // namespace freeplay::test
