// Two wheels on the ground, 40 mm and 60 mm, and what runs them.
#pragma once

#include <string>

#include "physics/model_run.h"

namespace freeplay::test {

// r1 = 40 mm, r2 = 60 mm, ratio 1.5; J1 = 2e-3, J2 = 9e-3 kg m^2.
inline std::string gear_pair(const std::string& coupling, const std::string& rest, const std::string& simulate,
                             const std::string& joint_1 = "", const std::string& joint_2 = "") {
  return "freeplay: 1\nname: gear pair\nspace: planar\n"
         "bodies:\n"
         "  wheel_1: {mass: 1 kg, inertia: 2e-3 kg m^2}\n"
         "  wheel_2: {mass: 3 kg, inertia: 9e-3 kg m^2}\n"
         "joints:\n"
         "  shaft_1: {type: revolute, parent: ground, child: wheel_1" +
         joint_1 +
         "}\n"
         "  shaft_2: {type: revolute, parent: ground, at_parent: [100 mm, 0], child: wheel_2" +
         joint_2 +
         "}\n"
         "couplings:\n"
         "  mesh: {type: gear, first: shaft_1, second: shaft_2, ratio: 1.5, pitch_radius: 40 mm" +
         coupling + "}\n" + rest + "simulate: {" + simulate + "}\n";
}

inline ModelRun run_text(const std::string& text) {
  return run_model(parse_model(text, "couplings.yaml", {}));
}

// What `simulate` says for an integrator, with steps of 0.1 ms where it takes steps.
inline std::string simulate_by(const std::string& integrator, double duration_s = 0.02, double step_s = 1e-4) {
  std::string text = fmt::format("integrator: {}, duration: {} s", integrator, duration_s);
  if (integrator == "dopri5" || integrator.starts_with("cvode"))
    text += fmt::format(", tolerance: 1e-11, step: {} s", step_s);
  else if (integrator == "nlp-variable-step")
    text += fmt::format(", max_step: {} s, step_choice: fixed", step_s);
  else
    text += fmt::format(", step: {} s", step_s);
  return text;
}

}  // namespace freeplay::test
