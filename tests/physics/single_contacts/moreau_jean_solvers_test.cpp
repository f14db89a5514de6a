// Every exact solver that takes friction works with moreau-jean: the same motion, be G that of the mass matrix or that
// of stiff springs.
#include "freeplay/complementarity/problem/solver.h"
#include "physics/single_contacts/analytic_benchmarks.h"
#include "physics/slider_crank/slider_crank_clearance.h"

namespace freeplay::test {
namespace {

constexpr double kTolerance = 1e-10;  // m/s

// `run` takes overrides that choose the solver. Channels of the motion: |difference| <= 1e-7 in every row.
template <class Run>
void expect_same_motion(Run run, const std::vector<std::string>& channels) {
  const auto with = [&](const std::string& solver) {
    return run(Overrides{"simulate.solver=" + solver, fmt::format("simulate.solver_tolerance={} m/s", kTolerance)});
  };
  const ModelRun reference = with("auto");
  ASSERT_GE(reference.summary.impacts, 2);
  int compared = 0;
  for (const SolverEntry& entry : solver_registry()) {
    SCOPED_TRACE(entry.name);
    const SolverTraits traits = entry.make()->traits();
    if (traits.is_relaxed || !traits.takes_friction) continue;  // another law
    const ModelRun other = with(entry.name);
    for (const std::string& channel : channels)
      EXPECT_LT(largest_difference(other[channel], reference[channel]), 1e-7) << channel;
    EXPECT_LE(other.summary.worst_residual_m_s, kTolerance);
    ++compared;
  }
  EXPECT_GE(compared, 8);
}

TEST(MoreauJeanSolvers, AgreeOnTheSliderCrank) {
  expect_same_motion(
      [](Overrides overrides) {
        overrides.emplace_back("simulate.integrator=moreau-jean");
        return run_slider_crank({}, 2000, overrides);
      },
      kMotionChannels);
}

TEST(MoreauJeanSolvers, AgreeWhereStiffSpringsAnswerToImpulses) {
  expect_same_motion([](const Overrides& overrides) { return run_test_model("block_on_stiff_springs", overrides); },
                     {"block.x", "block.y", "block.angle", "block.vx", "block.vy", "block.omega"});
}

}  // namespace
}  // namespace freeplay::test
