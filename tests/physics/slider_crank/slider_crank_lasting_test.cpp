// The slider-crank with clearance under `lasting_contacts: kept`: where the event-driven solution has the slider rest
// on a face of the guide, both corners of that face carry an impulse in every step.
#include "physics/slider_crank/slider_crank_clearance.h"

namespace freeplay::test::slider_crank_lasting_test {
namespace {

struct Phase {
  double begin, end;  // s
  int corner;         // the first one of its face
};
// Restitution 0.4, spec of the reference: starts to 1e-6 s.
constexpr Phase kPhases[] = {{9.146e-3, 15.029e-3, 1},
                             {30.264e-3, 34.338e-3, 3},
                             {66.251e-3, 68.323e-3, 3},
                             {97.946e-3, 103.124e-3, 3},
                             {135.412e-3, 137.538e-3, 3}};

const std::vector<std::string> kImpulses = {"guide.normal_impulse_1", "guide.normal_impulse_2",
                                            "guide.normal_impulse_3", "guide.normal_impulse_4", "slider.angle"};

struct Rule {
  const char* name;
  Overrides overrides;
};
const Rule kRules[] = {{"moreau-midpoint", {"simulate.velocity_forces=midpoint"}},
                       {"moreau-jean", {"simulate.integrator=moreau-jean"}}};

ModelRun run_kept(const Rule& rule, const flores::Parameters& p, double duration) {
  Overrides overrides = rule.overrides;
  overrides.emplace_back("simulate.lasting_contacts=kept");
  return run_slider_crank(p, static_cast<int>(std::lround(duration / p.step)), overrides, kImpulses);
}

const std::vector<double>& impulse(const ModelRun& run, int corner) {
  return run[fmt::format("guide.normal_impulse_{}", corner)];
}

// Rows of the longest time without an unloaded step between two times.
std::pair<std::size_t, std::size_t> longest_load(const ModelRun& run, int corner, double from, double to) {
  std::pair<std::size_t, std::size_t> longest{0, 0};
  std::size_t begin = 0;
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const bool is_loaded = impulse(run, corner)[i] > 0 && run.time()[i] > from && run.time()[i] < to;
    if (!is_loaded) begin = i + 1;
    if (is_loaded && i + 1 - begin > longest.second - longest.first) longest = {begin, i + 1};
  }
  return longest;
}

TEST(SliderCrankLastingContact, CarriesAnImpulseInEveryStepOfEachPhase) {
  flores::Parameters p;
  p.step = 1e-6;
  for (const Rule& rule : kRules) {
    SCOPED_TRACE(rule.name);
    const ModelRun run = run_kept(rule, p, 0.138);
    for (const Phase& phase : kPhases) {
      for (const int corner : {phase.corner, phase.corner + 1}) {
        SCOPED_TRACE(fmt::format("corner {} from {} s", corner, phase.begin));
        const auto [begin, end] = longest_load(run, corner, phase.begin - 1e-3, phase.end + 1e-3);
        ASSERT_GT(end, begin);
        EXPECT_NEAR(run.time()[begin], phase.begin, 2e-5);  // the last bounces are shorter than a step
        EXPECT_NEAR(run.time()[end - 1], phase.end, 3e-6);
      }
    }
    // An exact solution of the start without a tilt.
    EXPECT_LT(largest(run["slider.angle"]), 1e-9);
  }
}

// A tilted slider comes to rest corner by corner; each carries an impulse from then on, whatever the step is, until the
// slider leaves the upper face with both of them.
TEST(SliderCrankLastingContact, OfATiltedSliderEndsForBothCornersWhereThatOfAnUprightOneEnds) {
  for (const double step : {1e-5, 1e-6}) {
    flores::Parameters p;
    p.step = step;
    p.slider_omega = 1;
    for (const Rule& rule : kRules) {
      SCOPED_TRACE(fmt::format("{}, step {} s", rule.name, step));
      const ModelRun run = run_kept(rule, p, 0.02);
      for (const int corner : {1, 2}) {
        const auto [begin, end] = longest_load(run, corner, 0, 0.02);
        EXPECT_LT(run.time()[begin], 9.146e-3);  // no later than a slider that strikes with both corners at once
        EXPECT_NEAR(run.time()[end - 1], 15.029e-3, 3 * step + 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace freeplay::test::slider_crank_lasting_test
