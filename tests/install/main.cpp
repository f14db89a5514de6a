// A pendulum built in C++ against the installed package: headers, libraries and what their CMake files name.
#include <freeplay/mechanism/mechanism.h>
#include <freeplay/simulation/memory_sink.h>
#include <freeplay/simulation/simulation.h>

#include <cstdio>

int main() {
  freeplay::MechanismSpec spec;
  spec.space = freeplay::Space::kPlanar;
  spec.gravity_m_s2 = {0, -9.81, 0};

  freeplay::BodySpec rod;
  rod.name = "rod";
  rod.mass_kg = 1;
  rod.inertia_kg_m2(2, 2) = 1.0 / 12;
  spec.bodies.push_back(rod);

  freeplay::JointSpec pin{.name = "pin", .type = "revolute", .parent = "ground", .child = "rod"};
  pin.at_child_m = {-0.5, 0, 0};
  spec.joints.push_back(pin);

  const auto pendulum = freeplay::Mechanism::build(spec);
  freeplay::SimulationOptions options;
  options.duration_s = 10;
  freeplay::MemorySink result;
  const freeplay::RunSummary summary = freeplay::Simulation(*pendulum, options).run(result, {});

  std::printf("completed: %s\n", summary.status == freeplay::RunStatus::kCompleted ? "yes" : "no");
  std::printf("energy drift below 1e-6 J: %s\n", summary.max_energy_drift_J < 1e-6 ? "yes" : "no");
  std::printf("force on the pin at the start: %.4f N\n", result.channel("pin.force_y").front());
}
