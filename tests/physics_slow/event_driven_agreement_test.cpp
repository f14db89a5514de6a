// Time stepping tends to the motion of `event-driven` as the step goes to zero: two routes that have nothing in common
// but the laws of the contacts. Here are the examples that both can run and whose motion can be predicted; mechanisms
// with play up to where they become sensitive. Left out: feeders that bounce (chaotic); woodpecker and rattleback,
// which have reference solutions of their own; and those of which a run takes seconds, so that a table of 64 would take
// minutes (gear_teeth, geneva_drive, ratchet, escapement, box_stack, peg_in_hole, joints with play in space).
#include "physics/model_run.h"

namespace freeplay::test::event_driven_agreement_test {
namespace {

struct Agreement {
  const char* example;
  double duration_s;
  int steps;  // of the longest step
  std::vector<std::string> channels;
  Overrides both;        // for both rules
  Overrides taken_away;  // keys of `simulate` that `event-driven` does not use
};

// An impact comes anywhere within its step, so the error of a single run is a sample: the mean over steps of about the
// same length is what falls with it. With n, n + 1, ... steps the impacts fall evenly into all parts of a step (Weyl).
constexpr int kSamples = 16;
constexpr int kLevels = 4;  // each has half of the step of the one before

std::vector<double> end_of(const ModelRun& run, const std::vector<std::string>& channels) {
  EXPECT_EQ(run.summary.status, RunStatus::kCompleted) << run.summary.message;
  std::vector<double> values;
  for (const std::string& channel : channels) values.push_back(run[channel].back());
  return values;
}

std::vector<double> by_events(const Agreement& given) {
  Overrides overrides = given.both;
  overrides.insert(overrides.end(), {"simulate.integrator=event-driven", "simulate.tolerance=1e-12"});
  for (const std::string& key : given.taken_away) overrides.push_back("simulate." + key + "=~");
  return end_of(run_example(given.example, overrides, given.channels), given.channels);
}

double mean_error(const Agreement& given, int steps, const std::vector<double>& exact) {
  double squares = 0;
  for (int more = 0; more < kSamples; ++more) {
    Overrides overrides = given.both;
    overrides.push_back("simulate.integrator=moreau-midpoint");
    overrides.push_back(fmt::format("simulate.step={:.17g} s", given.duration_s / (steps + more)));
    const ModelRun run = run_example(given.example, overrides, given.channels);
    EXPECT_NEAR(run.time().back(), given.duration_s, 1e-9 * given.duration_s);
    const std::vector<double> found = end_of(run, given.channels);
    for (std::size_t i = 0; i < exact.size(); ++i) squares += (found[i] - exact[i]) * (found[i] - exact[i]);
  }
  return std::sqrt(squares / kSamples);
}

class EventDrivenAgreement : public testing::TestWithParam<Agreement> {};

TEST_P(EventDrivenAgreement, IsWhatTimeSteppingTendsToWithOrderOne) {
  const Agreement& given = GetParam();
  const std::vector<double> exact = by_events(given);
  std::vector<double> errors;
  for (int level = 0; level < kLevels; ++level) errors.push_back(mean_error(given, given.steps << level, exact));
  const double order = std::log2(errors.front() / errors.back()) / (kLevels - 1);
  RecordProperty("order", fmt::format("{:.2f}", order));
  EXPECT_GE(order, 0.8) << fmt::format("errors {:.3g}", fmt::join(errors, ", "));
  EXPECT_LT(errors.back(), errors.front());
}

const Agreement kAgreements[] = {
    {"bouncing_ball", 1, 500, {"ball.y", "ball.vy"}, {"duration=1 s"}, {"step"}},
    {"falling_ball",
     0.7,
     350,
     {"ball.y", "ball.vy"},
     {"contacts.bounce.impact=newton", "duration=0.7 s"},
     {"step", "penetration_control", "max_initial_penetration"}},
    {"pendulum_wall",
     1.5,
     500,
     {"bob.x", "bob.y", "bob.vx"},
     {"contacts.strike.impact=newton"},
     {"step", "penetration_control", "max_initial_penetration"}},
    {"block_on_incline",
     1,
     500,
     {"block.x", "block.vx"},
     {"incline=20 deg", "speed=-2 m/s", "friction=0.3", "duration=1 s"},
     {"step"}},
    {"sliding_block", 1.2, 500, {"block.x", "block.vx"}, {}, {"step"}},
    {"two_blocks", 0.2, 200, {"first.x", "second.x", "first.vx", "second.vx"}, {}, {"step"}},
    {"falling_rod", 0.5, 250, {"rod.x", "rod.y", "rod.angle", "rod.omega"}, {"duration=0.5 s"}, {"step"}},
    {"rolling_ball", 0.6, 300, {"ball.x", "ball.vx", "ball.omega_y"}, {}, {"step", "activation"}},
    {"rolling_ellipse",
     1,
     1000,
     {"wheel.x", "wheel.angle"},
     {"duration=1 s"},
     {"step", "activation", "velocity_forces"}},
    {"superball", 0.28, 500, {"ball.x", "ball.y", "ball.vx", "ball.omega"}, {}, {"step"}},
    {"impact_oscillator", 1.1, 500, {"slider.x", "slider.vx"}, {"duration=1.1 s"}, {"step"}},
    {"stick_slip_oscillator", 3, 1500, {"block.x", "block.vx"}, {}, {"step"}},
    {"rocking_block", 1, 500, {"block.x", "block.angle", "block.omega"}, {"duration=1 s"}, {"step"}},
    {"cam_follower", 0.01, 500, {"follower.y", "follower.vy"}, {"duration=10 ms"}, {"step", "lasting_contacts"}},
    {"slider_crank",
     0.012,
     600,
     {"slider.x", "crank.angle", "rod.angle"},
     {"duration=12 ms"},
     {"step", "lasting_contacts"}},
    {"conveyor", 0.1, 500, {"part.x", "part.vx"}, {"amplitude=0.3 mm", "duration=0.1 s", "transient=0.05 s"}, {}},
    {"four_bar_clearance",
     0.03,
     1000,
     {"rocker.angle", "coupler.angle"},
     {"simulate.duration=30 ms"},
     {"step", "activation", "velocity_forces"}},
    {"newtons_cradle",
     0.5,
     500,
     {"ball_1.angle", "ball_2.angle", "ball_3.angle"},
     {"law=newton", "duration=0.5 s"},
     {"step"}},
};

INSTANTIATE_TEST_SUITE_P(Examples, EventDrivenAgreement, testing::ValuesIn(kAgreements),
                         [](const testing::TestParamInfo<Agreement>& tested) { return tested.param.example; });

}  // namespace
}  // namespace freeplay::test::event_driven_agreement_test
