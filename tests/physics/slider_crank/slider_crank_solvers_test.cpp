// The slider-crank over two turns with every exact solver that takes friction: the motion is that of lemke, and the
// symmetric start stays symmetric (an iteration that stops early tilts the slider, by a/J3 = 1.85e4 times its error).
#include "freeplay/complementarity/problem/solver.h"
#include "physics/slider_crank/slider_crank_clearance.h"

namespace freeplay::test {
namespace {

std::vector<std::string> exact_solvers() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_registry()) {
    const SolverTraits traits = entry.make()->traits();
    if (entry.name != "lemke" && !traits.is_relaxed && traits.takes_friction) names.push_back(entry.name);
  }
  return names;
}

class SliderCrankSolvers : public testing::TestWithParam<std::string> {};

TEST_P(SliderCrankSolvers, GiveTheMotionOfLemke) {
  const auto run = [](const std::string& solver) {
    return run_example("slider_crank",
                       {"simulate.solver=" + solver, "simulate.solver_tolerance=1e-10 m/s", "step=10 us"},
                       kMotionChannels);
  };
  static const ModelRun lemke = run("lemke");
  const ModelRun other = run(GetParam());
  ASSERT_EQ(other.record.summary.status, RunStatus::kCompleted) << other.record.summary.message;
  ASSERT_EQ(other.time().size(), lemke.time().size());
  EXPECT_GT(lemke.time().size(), 13700u);
  double angle = 0, rate = 0, tilt = 0;
  for (std::size_t row = 0; row < lemke.time().size(); ++row) {
    angle = std::max(angle, max_abs(angles(other, row) - angles(lemke, row)));
    rate = std::max(rate, max_abs(rates(other, row).head(2) - rates(lemke, row).head(2)));
    tilt = std::max(tilt, std::abs(other["slider.angle"][row]));
  }
  EXPECT_LE(angle, 1e-7);
  EXPECT_LE(rate, 1e-7);
  EXPECT_LE(tilt, 2e-8) << "the symmetric branch is kept";
  EXPECT_EQ(other.record.summary.fallback_steps, 0) << "by itself";
}
INSTANTIATE_TEST_SUITE_P(Solvers, SliderCrankSolvers, testing::ValuesIn(exact_solvers()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace freeplay::test
