// Forces that do not depend on the step: a Scotch yoke whose pin strikes the sides of a slot. The crank's mass sits in
// its bearing, so that the bearing carries what the slot gives the pin, and nothing else but the crank's weight.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "freeplay/simulation/forces/force_window.h"
#include "physics/model_run.h"
#include "support/places.h"

namespace freeplay::test::force_window_test {
namespace {

constexpr double kDegree_s = std::numbers::pi / 180 / (20 * std::numbers::pi);  // of a crank at 600 rpm

ModelRun yoke(const std::vector<std::string>& overrides) {
  return run_model(load_model(test_dir() + "/models/physics/scotch_yoke.yaml", Overrides{overrides}));
}

const PeakForce& peak_of(const ModelRun& run, const std::string& name) {
  for (const PeakForce& peak : run.summary.peak_forces) {
    if (peak.name == name) return peak;
  }
  throw std::out_of_range("no peak of " + name);
}

TEST(ForceWindow, PeaksOfBearingAndContactAgreeAndDoNotDependOnTheStep) {
  std::vector<double> bearing, slot, torque;
  for (const std::string step : {"20us", "10us", "5us"}) {
    const ModelRun run = yoke({"simulate.step=" + step, "simulate.duration=0.1 s"});
    ASSERT_EQ(run.summary.status, RunStatus::kCompleted);
    bearing.push_back(peak_of(run, "bearing").value);
    slot.push_back(peak_of(run, "slotL").value);
    torque.push_back(peak_of(run, "motor").value);
    EXPECT_NEAR(peak_of(run, "bearing").window_s, kDegree_s, 1e-5) << "one degree, to half a step";
    EXPECT_NEAR(bearing.back(), slot.back(), 0.01 * slot.back()) << "but for the weight, 9.81 N";
    // The rows show what the summary says.
    std::vector<double> size(run.rows());
    for (std::size_t i = 0; i < run.rows(); ++i)
      size[i] = std::hypot(run["bearing.force_x"][i], run["bearing.force_y"][i]);
    EXPECT_NEAR(largest(size), bearing.back(), 1e-9 * bearing.back());
  }
  for (const std::vector<double>& peaks : {bearing, slot, torque}) {
    EXPECT_NEAR(peaks[1], peaks[0], 0.02 * peaks[0]);
    EXPECT_NEAR(peaks[2], peaks[1], 0.02 * peaks[1]);
  }
}

// Step by step: the mean over the window times the window is what the contact has passed on in it.
TEST(ForceWindow, ImpulseOfTheWindowIsThatOfTheContact) {
  const ModelRun run = yoke({"simulate.duration=0.1 s"});
  const double step_s = 1e-5;
  const std::size_t steps = static_cast<std::size_t>(std::lround(kDegree_s / step_s));
  std::vector<double> passed = {0};
  for (std::size_t i = 1; i < run.rows(); ++i) passed.push_back(passed.back() + run["slotL.normal_impulse"][i]);
  for (std::size_t i = steps; i < run.rows(); i += 7) {
    const double impulse = passed[i] - passed[i - steps];
    EXPECT_NEAR(run["slotL.normal_force"][i] * static_cast<double>(steps) * step_s, impulse, 1e-12);
    // What the bearing holds against is the two sides of the slot; the crank has its weight beside.
    EXPECT_NEAR(run["bearing.force_x"][i], -run["slotL.force_x"][i] - run["slotR.force_x"][i], 1e-6);
    EXPECT_NEAR(run["bearing.force_y"][i], 9.81 - run["slotL.force_y"][i] - run["slotR.force_y"][i], 1e-6);
  }
  const PeakForce& peak = peak_of(run, "slotL");
  // The first blow, 0.516 N s in the event-driven run, is all of it but what presses within a degree after it.
  EXPECT_NEAR(peak.impulse(), 0.516, 0.02 * 0.516);
}

// The same model by events, where every impact is located: an independent count.
TEST(ForceWindow, APressedContactIsNoSeriesOfImpacts) {
  const ModelRun events = run_model([] {
    ModelFile file = load_model(test_dir() + "/models/physics/scotch_yoke.yaml", Overrides{});
    file.simulate.integrator = "event-driven";
    file.simulate.activation = SimulationOptions().activation;
    file.simulate.velocity_forces = SimulationOptions().velocity_forces;
    file.simulate.step_s.reset();
    return file;
  }());
  const ModelRun steps = yoke({});
  const auto count = [](const ModelRun& run, double faster_than_m_s) {
    std::map<std::string, int> counts;
    for (const ImpactRecord& impact : run.record.impacts) {
      const std::string& name = run.record.layout.contacts[static_cast<std::size_t>(impact.contact)];
      if (impact.normal_velocity_before < -faster_than_m_s) ++counts[name];
    }
    return counts;
  };
  // Blows that a step resolves: the same ones. Flights after slower ones take less than ten steps.
  const auto located = count(events, 0.02), found = count(steps, 0.02);
  int located_in_all = 0, found_in_all = 0;
  for (const auto& [name, number] : located) {
    EXPECT_NEAR(found.at(name), number, 1) << name;
    located_in_all += number;
    found_in_all += found.at(name);
  }
  EXPECT_GT(located_in_all, 80);
  EXPECT_NEAR(found_in_all, located_in_all, 2);
  // All of them, down to the threshold: nearly as many, not one in every other step.
  EXPECT_NEAR(static_cast<double>(steps.summary.impacts), static_cast<double>(events.summary.impacts),
              0.15 * static_cast<double>(events.summary.impacts));
}

TEST(ForceWindow, IsAThousandthOfTheRunWhereNothingTurnsAndOneStepWithoutContacts) {
  const auto window = [](const std::string& text) {
    const ModelFile file = parse_model(text, "window");
    const Model model = build_model(file);
    return force_window(*model.system, !model.contacts->is_empty(), file.simulate);
  };
  const std::string ball =
      "freeplay: 1\nspace: planar\nbodies:\n  b: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 1 m}, shapes: {s: {type: "
      "circle, radius: 1 mm}}}\n";
  const std::string floor =
      "ground: {shapes: {f: {type: line, normal: [0, 1]}}}\ncontacts:\n  c: {between: [b.s, ground.f], impact: newton, "
      "restitution: 0.5}\n";
  const std::string run = "simulate: {integrator: moreau-midpoint, step: 10 us, duration: 0.5 s}\n";
  EXPECT_EQ(window(ball + floor + run).steps, 50);
  EXPECT_EQ(window(ball + run).steps, 1);
  const std::string turning =
      "freeplay: 1\nspace: planar\nbodies:\n  b: {mass: 1 kg, inertia: 1 kg m^2, initial: {y: 1 m, omega: 10 rad/s}, "
      "shapes: {s: {type: circle, radius: 1 mm}}}\n";
  EXPECT_EQ(window(turning + floor + run).steps, 175) << "one degree at 10 rad/s";
}

}  // namespace
}  // namespace freeplay::test::force_window_test
