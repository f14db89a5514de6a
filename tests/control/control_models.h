// A rotor of inertia J = 0.1 kg m^2 with one driver, by every integrator.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "physics/model_run.h"

namespace freeplay::test {

inline constexpr double kRotorInertia = 0.1;

inline std::string rotor_text(const std::string& driver, const std::string& simulate, const std::string& load = "0") {
  return fmt::format(
      "{{freeplay: 1, space: planar,\n"
      " bodies: {{a: {{mass: 1 kg, inertia: 0.1 kg m^2}}}},\n"
      " joints: {{j: {{type: revolute, parent: ground, child: a}}}},\n"
      " forces: {{load: {{type: torque, on: a, value: {}}}}},\n"
      " drivers: {{m: {{on: j, {}}}}},\n"
      " simulate: {{{}}}}}\n",
      load, driver, simulate);
}

inline ModelRun run_rotor(const std::string& driver, const std::string& simulate, const std::string& load = "0") {
  return run_model(parse_model(rotor_text(driver, simulate, load), "rotor"));
}

// Every integrator, as it is written in `simulate`. Fixed steps of `step_s`.
struct IntegratorCase {
  std::string name, simulate;
};
inline std::vector<IntegratorCase> every_integrator(double step_s) {
  std::vector<IntegratorCase> cases;
  for (const char* name : {"dopri5", "cvode-bdf", "cvode-adams", "event-driven"})
    cases.push_back({name, fmt::format("integrator: {}", name)});
  for (const char* name : {"moreau-midpoint", "moreau-jean"})
    cases.push_back({name, fmt::format("integrator: {}, step: {} s", name, step_s)});
  cases.push_back(
      {"nlp-variable-step", fmt::format("integrator: nlp-variable-step, max_step: {} s, step_choice: fixed", step_s)});
  return cases;
}

}  // namespace freeplay::test
