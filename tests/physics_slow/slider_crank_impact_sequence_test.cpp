// The impacts of the slider-crank under `lasting_contacts: kept`, one by one, as the step goes to zero: all of them, in
// the order of the event-driven solution, with errors of time and speed that shrink with the step.
#include "physics/slider_crank/impact_sequence.h"
#include "physics/slider_crank/slider_crank_clearance.h"

namespace freeplay::test::slider_crank_impact_sequence_test {
namespace {

// The reference lists impacts down to 10 mm/s, the smallest of which are the tail of an accumulation. A run may have an
// impact of nearly that speed on the other side of the limit, so it is asked for the partner of each expected one.
constexpr double kSlowest = 0.03, kTwoTurns = 0.137;
constexpr std::size_t kFirst = 20;

struct Errors {
  double time = 0, approach = 0;
};

Errors errors_of_sequence(double restitution, double step, const char* integrator) {
  flores::Parameters p;
  p.restitution = restitution;
  p.step = step;
  Overrides overrides = p.overrides(static_cast<int>(std::lround(kTwoTurns / step)));
  overrides.emplace_back(std::string("simulate.integrator=") + integrator);
  overrides.emplace_back("simulate.lasting_contacts=kept");
  if (integrator == std::string("moreau-midpoint")) overrides.emplace_back("simulate.velocity_forces=midpoint");
  const ModelRun run = run_model(load_example("slider_crank", overrides), {{"crank.omega"}, 1000});

  std::vector<FaceImpact> expected = expected_impacts(restitution, kSlowest, kTwoTurns);
  EXPECT_GE(expected.size(), 15u);
  expected.resize(std::min(expected.size(), kFirst));
  const std::vector<FaceImpact> found = found_impacts(run, 0.8 * kSlowest, kTwoTurns);
  Worst time, approach;
  std::size_t k = 0;
  for (const FaceImpact& impact : expected) {
    // In the same order; what comes in between is no faster than the limit.
    while (k < found.size() && found[k].approach < 1.2 * kSlowest && found[k].time < impact.time - 3e-4) ++k;
    if (k == found.size() || found[k].face != impact.face) {
      ADD_FAILURE() << "no partner of the impact at " << impact.time << " s";
      return {1, 1};
    }
    time(found[k].time - impact.time);
    approach(found[k].approach - impact.approach);
    ++k;
  }
  return {time.value, approach.value};
}

class ImpactSequence : public testing::TestWithParam<double> {};

TEST_P(ImpactSequence, ConvergesToTheEventDrivenOneWithTheStep) {
  for (const char* integrator : {"moreau-midpoint", "moreau-jean"}) {
    SCOPED_TRACE(integrator);
    const Errors coarse = errors_of_sequence(GetParam(), 1e-6, integrator);
    const Errors fine = errors_of_sequence(GetParam(), 1e-7, integrator);
    // First order; an impact is found up to a step late, and what this does to the next ones depends on where in its
    // step each falls. The most sensitive impact is that behind the long flight, with restitution 0.9.
    EXPECT_LT(coarse.time, 1e-4);
    EXPECT_LT(coarse.approach, 0.01);
    EXPECT_LT(fine.time, coarse.time / 5);
    EXPECT_LT(fine.approach, coarse.approach / 5);
  }
}

INSTANTIATE_TEST_SUITE_P(Restitution, ImpactSequence, testing::Values(0.1, 0.4, 0.6, 0.9),
                         [](const auto& tested) { return fmt::format("0p{:.0f}", 10 * tested.param); });

}  // namespace
}  // namespace freeplay::test::slider_crank_impact_sequence_test
