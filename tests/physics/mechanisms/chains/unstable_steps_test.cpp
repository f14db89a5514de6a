// Explicit steps beyond the limit of stability: the run ends with the element and a step that would do. What only looks
// like it goes on.
#include <gmock/gmock.h>

#include "physics/model_run.h"

namespace freeplay::test::unstable_steps_test {
namespace {

using testing::HasSubstr;

RunSummary run_of(const std::string& model, const std::string& simulate) {
  const ModelFile file =
      parse_model("freeplay: 1\nspace: planar\n" + model + "simulate: {" + simulate + "}\n", "model.yaml");
  const Model built = build_model(file);
  MemorySink rows;
  return build_simulation(file, built)->run(rows, {});
}

// The message of a run that ends as unstable, with no more energy without a source than `largest_J`.
std::string end_of(const std::string& model, const std::string& simulate, double largest_J) {
  const RunSummary summary = run_of(model, simulate);
  EXPECT_EQ(summary.status, RunStatus::kFailed) << simulate;
  EXPECT_EQ(summary.failure, StepStatus::kUnstable) << simulate;
  EXPECT_LT(summary.max_energy_drift_J, largest_J) << simulate;
  return summary.message;
}

// omega = 1000/s: 2 ms. The soft spring beside it is not named.
constexpr const char* kSpring =
    "bodies: {a: {mass: 1 kg, inertia: 1 kg m^2}}\n"
    "joints: {guide: {type: prismatic, parent: ground, child: a, initial: {q: 1.001 m}}}\n"
    "forces:\n"
    "  soft: {type: spring, parent: ground, child: a, stiffness: 1 N/m, free_length: 1 m}\n"
    "  stiff: {type: spring, parent: ground, child: a, stiffness: 1e6 N/m, free_length: 1 m}\n";

TEST(UnstableSteps, OfASpringEndTheRun) {
  // 0.5 J in the spring at the start. The longest step multiplies the energy by 1.6e5: two of them are enough.
  for (const char* step : {"2.1 ms", "3 ms", "20 ms"}) {
    const std::string message =
        end_of(kSpring, fmt::format("integrator: moreau-midpoint, step: {}, duration: 10 s", step), 1e10);
    EXPECT_THAT(message, HasSubstr("the step is too long, and the motion has become unstable")) << step;
    EXPECT_THAT(message, HasSubstr("the stiffness of 'stiff' allows steps up to 0.002 s")) << step;
    EXPECT_THAT(message, HasSubstr("take 0.0004 s")) << step;
  }
}

// Whatever is recorded.
TEST(UnstableSteps, EndTheRunAlsoBetweenTwoRows) {
  const std::string model = std::string(kSpring) + "record: {every: 100000}\n";
  end_of(model, "integrator: moreau-midpoint, step: 3 ms, duration: 10 s", 1e9);
}

TEST(UnstableSteps, ShortOfTheLimitEndNothing) {
  const RunSummary summary = run_of(kSpring, "integrator: moreau-midpoint, step: 1.95 ms, duration: 10 s");
  EXPECT_EQ(summary.status, RunStatus::kCompleted) << summary.message;
  ASSERT_FALSE(summary.warnings.empty());
  EXPECT_THAT(summary.warnings[0], HasSubstr("too long for the stiffness of 'stiff'"));
}

// d = 1000/s: 2 ms.
TEST(UnstableSteps, OfADamperEndTheRun) {
  const std::string message = end_of(
      "bodies: {a: {mass: 1 kg, inertia: 1 kg m^2}}\n"
      "joints: {guide: {type: prismatic, parent: ground, child: a, initial: {q: 1 m, u: 1 m/s}}}\n"
      "forces: {thick: {type: spring, parent: ground, child: a, stiffness: 1 N/m, damping: 1000 N s/m, "
      "free_length: 1 m}}\n",
      "integrator: moreau-midpoint, velocity_forces: midpoint, step: 3 ms, duration: 10 s", 1e7);
  EXPECT_THAT(message, HasSubstr("the damping of 'thick' allows steps up to 0.002 s"));
}

// The fourth mode of the reference beam has 1209/s, and 1042/s on a hinge.
TEST(UnstableSteps, OfAnElasticBodyEndTheRun) {
  const std::string message = end_of(
      "gravity: [0, -9.81 m/s^2]\n"
      "bodies: {beam: {elastic: {length: 1 m, mass_per_length: 1 kg/m, start: [0, 0], bending: cantilever, "
      "bending_modes: 4, bending_stiffness: 100 N m^2}}}\n"
      "joints: {clamp: {type: fixed, parent: ground, child: beam}}\n",
      "integrator: moreau-midpoint, step: 2 ms, duration: 10 s", 1e6);
  EXPECT_THAT(message, HasSubstr("the stiffness of 'beam' allows steps up to 0.00165 s"));
}

// A force of 200 N that saturates within 1 mm/s: steps swing about its zero, by 20 mm/s. The energy of that is 70 000
// times what gravity puts in, but it does not grow.
TEST(UnstableSteps, AboutTheKinkOfASaturatingForceGoOn) {
  const RunSummary summary = run_of(
      "gravity: [1e-3 m/s^2, 0]\n"
      "bodies: {a: {mass: 1 kg, inertia: 1 kg m^2}}\n"
      "joints: {guide: {type: prismatic, parent: ground, child: a, initial: {u: 1 um/s}}}\n"
      "forces: {brake: {type: force, on: a, value: [\"-200 N*tanh(a.vx/(1 mm/s))\", 0]}}\n",
      "integrator: moreau-midpoint, velocity_forces: midpoint, step: 0.2 ms, duration: 2 s");
  EXPECT_EQ(summary.status, RunStatus::kCompleted) << summary.message;
  EXPECT_FALSE(summary.warnings.empty());
}

// Energy with a source is none of it: from 1e-9 J to 1e9 J, with a step that is told to be too long.
TEST(UnstableSteps, EnergyOfAMotorEndsNothing) {
  const RunSummary summary = run_of(
      "bodies: {a: {mass: 1 kg, inertia: 1 kg m^2}, b: {mass: 1 kg, inertia: 1 kg m^2}}\n"
      "joints:\n"
      "  guide: {type: prismatic, parent: ground, child: a}\n"
      "  other: {type: prismatic, parent: ground, child: b, initial: {q: 1 m}}\n"
      "forces:\n"
      "  rope: {type: spring, parent: a, child: b, stiffness: 3e5 N/m, damping: 20 N s/m, free_length: 1 m}\n"
      "  motor: {type: force, on: a, value: [\"1 N*exp(t/(1 s))\", 0]}\n",
      "integrator: moreau-midpoint, step: 2 ms, duration: 11 s");
  EXPECT_EQ(summary.status, RunStatus::kCompleted) << summary.message;
  EXPECT_GT(summary.energy_final_J, 1e8);
  ASSERT_FALSE(summary.warnings.empty());
  EXPECT_THAT(summary.warnings[0], HasSubstr("too long for the stiffness of 'rope'"));
}

}  // namespace
}  // namespace freeplay::test::unstable_steps_test
