// A pendulum built in C++ against the installed package: headers, libraries and what their CMake files name.
// docs/guide/library.md shows this program.
#include <freeplay/freeplay.h>

#include <cstdio>

int main() {
  freeplay::ModelSpec spec;
  spec.name = "pendulum";
  spec.mechanism.space = freeplay::Space::kPlanar;
  spec.mechanism.gravity_m_s2 = {0, -9.81, 0};

  freeplay::BodySpec rod;
  rod.name = "rod";
  rod.mass_kg = 1;
  rod.inertia_kg_m2(2, 2) = 1.0 / 12;
  spec.mechanism.bodies.push_back(rod);

  freeplay::JointSpec pin{.name = "pin", .type = "revolute", .parent = "ground", .child = "rod"};
  pin.at_child_m = {-0.5, 0, 0};
  spec.mechanism.joints.push_back(pin);

  spec.simulate.duration_s = 10;
  const freeplay::Model model = freeplay::build_model(spec);
  freeplay::MemorySink result;
  const freeplay::RunSummary summary = freeplay::build_simulation(spec, model)->run(result, {});

  std::printf("completed: %s\n", summary.status == freeplay::RunStatus::kCompleted ? "yes" : "no");
  std::printf("energy drift below 1e-6 J: %s\n", summary.max_energy_drift_J < 1e-6 ? "yes" : "no");
  std::printf("force on the pin at the start: %.4f N\n", result.channel("pin.force_y").front());
}
