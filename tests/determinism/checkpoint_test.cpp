// "Run to t, save, go on" gives the bits of "load in fresh objects, go on": in every channel, in the impacts, and in
// all that the run depends on; for every example and every integrator that takes it, in memory and through the file.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>

#include "freeplay/core/error.h"
#include "freeplay/io/model/model_build.h"
#include "freeplay/io/model/model_file.h"
#include "freeplay/io/result/checkpoint.h"
#include "freeplay/io/result/result_reader.h"
#include "freeplay/io/result/result_writer.h"
#include "freeplay/simulation/integrator_choice.h"
#include "freeplay/simulation/recording/memory_sink.h"
#include "support/places.h"

namespace freeplay::test::checkpoint_test {
namespace {

// One example with one integrator, ready to be run as often as wanted.
struct Case {
  ModelFile file;
  Model model;

  std::unique_ptr<Simulation> simulation() const { return build_simulation(file, model); }
};

std::string example_path(const std::string& name) {
  return examples_dir() + "/" + name + ".yaml";
}

// Ways to run an example by another integrator than its own: some need a step, some the range of their steps.
std::vector<SimulationOptions> ways_to_run(const SimulationOptions& own, bool has_contacts) {
  // With contacts longer steps than the example's, so that impacts come within the few steps of a test.
  constexpr double kLonger = 5, kShort_s = 1e-4, kLeastSteps = 400;
  const double step =
      std::min(has_contacts && own.step_s ? kLonger * *own.step_s : kShort_s, own.duration_s / kLeastSteps);
  SimulationOptions as_it_is = own, with_step = own, with_range = own;
  with_step.step_s = step;
  with_range.step_s.reset();
  with_range.min_step_s = step / 10;
  with_range.max_step_s = step;
  if (own.max_step_s) return {with_range, as_it_is, with_step};
  if (own.step_s) return {with_step, with_range};
  return {as_it_is, with_step, with_range};
}

// Fewer balls in a narrower box than the example has: they lie in two layers and some, and have settled on each other
// by the step at which the test saves.
std::vector<std::string> changes_of(const std::string& example) {
  if (example == "spheres_in_box") return {"N=80", "box=0.4 m"};
  if (example == "wall_of_bricks") return {"bricks=2", "rows=3"};
  if (example == "jenga") return {"layers=2", "struck=1"};
  if (example == "hopper" || example == "rotating_drum") return {"count=12"};
  if (example == "domino_row") return {"count=5"};
  // A part of the step, since the test takes five times as long ones. The shortest chains there are.
  if (example == "belt_drive") return {"simulate.step=2us", "links=60"};
  if (example == "roller_chain") return {"simulate.step=1us", "links=52", "centre_distance=104.5 mm"};
  return {};
}

// Nothing if the integrator does not take the model; the reason is printed.
std::optional<Case> make_case(const std::string& example, const std::string& integrator) {
  Case result{load_model(example_path(example), changes_of(example)), {}};
  result.file.record.every = 1;
  if (example != "spheres_in_box") result.file.record.channels.clear();  // that one has too many
  result.model = build_model(result.file);
  std::string reason;
  for (const SimulationOptions& way : ways_to_run(result.file.simulate, !result.model.contacts->is_empty())) {
    result.file.simulate = way;
    result.file.simulate.integrator = integrator;
    try {
      static_cast<void>(result.simulation());
      return result;
    } catch (const ModelError& error) {
      reason += error.diagnostics().front().message + "; ";
    }
  }
  std::cout << example << " is not for " << integrator << ": " << reason << "\n";
  return {};
}

struct Length {
  std::int64_t saved_at = 137, steps = 250;
  int least_contacts = 0;  // that carry an impulse where it is saved
};

// A context whose run is interrupted after so many steps of the whole run.
class StopAfter {
 public:
  explicit StopAfter(std::int64_t steps) : steps_(steps) { context_.stop_requested = &stop_; }
  const RunContext& context() const { return context_; }
  void count(std::int64_t steps) { stop_ = steps >= steps_; }

 private:
  std::int64_t steps_;
  std::atomic<bool> stop_{false};
  RunContext context_;
};

// Keeps what a run gives, and stops it. Every step is a row here, and row 0 is none.
class StoppingSink final : public RecordSink {
 public:
  StoppingSink(StopAfter& stop, std::int64_t steps_before, bool has_first_row, RecordSink* file = nullptr)
      : stop_(stop), steps_(steps_before - (has_first_row ? 1 : 0)), file_(file) {}
  void begin(const RecordLayout& layout) override {
    kept.begin(layout);
    if (file_ != nullptr) file_->begin(layout);
  }
  void row(double time_s, std::span<const double> values) override {
    kept.row(time_s, values);
    if (file_ != nullptr) file_->row(time_s, values);
    stop_.count(++steps_);
  }
  void impact(const ImpactRecord& record) override { kept.impact(record); }
  void event(const EventRecord& record) override { kept.event(record); }
  void checkpoint(const Checkpoint& checkpoint) override {
    kept.checkpoint(checkpoint);
    if (file_ != nullptr) file_->checkpoint(checkpoint);
  }
  void end(const RunSummary& summary) override {
    kept.end(summary);
    if (file_ != nullptr) file_->end(summary);
  }
  MemorySink kept;

 private:
  StopAfter& stop_;
  std::int64_t steps_;
  RecordSink* file_;
};

// Everything that a run depends on, but for what it took: fresh objects may have to find anew what others still know.
std::vector<std::byte> bits(Checkpoint checkpoint) {
  checkpoint.summary.wall_seconds = 0;
  checkpoint.counts.evaluations = 0;  // a run that goes on evaluates anew where it begins, and counts that
  return encode_checkpoint(checkpoint);
}

MemorySink run_from_start(const Case& example, std::int64_t steps, RecordSink* file = nullptr,
                          std::int64_t saved_at = 0, std::optional<Checkpoint>* saved = nullptr) {
  StopAfter stop(steps);
  StoppingSink sink(stop, 0, true, file);
  const auto simulation = example.simulation();
  if (saved != nullptr) {
    simulation->observe_checkpoints(saved_at, [&](const Checkpoint& checkpoint) {
      if (!saved->has_value()) *saved = checkpoint;
    });
  }
  simulation->run(sink, stop.context());
  return sink.kept;
}

MemorySink run_on(const Case& example, const Checkpoint& from, std::int64_t steps) {
  StopAfter stop(steps);
  StoppingSink sink(stop, from.summary.steps, false);
  example.simulation()->resume(from, sink, stop.context());
  return sink.kept;
}

void expect_same_rows(const MemorySink& whole, std::size_t first_row, std::size_t first_impact,
                      const MemorySink& part) {
  ASSERT_EQ(whole.time.size(), first_row + part.time.size());
  const std::size_t bytes = part.time.size() * sizeof(double);
  EXPECT_EQ(0, std::memcmp(whole.time.data() + first_row, part.time.data(), bytes));
  for (std::size_t c = 0; c < whole.columns.size(); ++c) {
    EXPECT_EQ(0, std::memcmp(whole.columns[c].data() + first_row, part.columns[c].data(), bytes))
        << whole.layout.channels[c].name;
  }
  ASSERT_EQ(whole.impacts.size(), first_impact + part.impacts.size());
  for (std::size_t i = 0; i < part.impacts.size(); ++i) {
    EXPECT_EQ(whole.impacts[first_impact + i].time_s, part.impacts[i].time_s);
    EXPECT_EQ(whole.impacts[first_impact + i].normal_impulse, part.impacts[i].normal_impulse);
  }
  ASSERT_GE(whole.events.size(), part.events.size());
  const std::size_t first_event = whole.events.size() - part.events.size();
  for (std::size_t i = 0; i < part.events.size(); ++i) {
    EXPECT_EQ(whole.events[first_event + i].time_s, part.events[i].time_s);
    EXPECT_EQ(whole.events[first_event + i].contact, part.events[i].contact);
    EXPECT_EQ(whole.events[first_event + i].kind, part.events[i].kind);
  }
}

void expect_same_end(const MemorySink& one, const MemorySink& other) {
  ASSERT_TRUE(one.last_checkpoint && other.last_checkpoint);
  EXPECT_EQ(bits(*one.last_checkpoint), bits(*other.last_checkpoint));
}

// Contact points that carried an impulse in the last step.
int loaded_points(const State& state) {
  return static_cast<int>(std::count_if(state.contacts.begin(), state.contacts.end(),
                                        [](const ContactMemory& memory) { return memory.normal_impulse > 0; }));
}

void check_goes_on(const Case& example, Length length) {
  std::optional<Checkpoint> saved;
  const MemorySink whole = run_from_start(example, length.steps, nullptr, length.saved_at, &saved);
  ASSERT_TRUE(saved) << "the run ended before it was saved: " << whole.summary.message;
  EXPECT_GE(loaded_points(saved->state), length.least_contacts) << "there is little to go on from";
  const std::size_t rows = static_cast<std::size_t>(saved->summary.rows);
  const std::size_t impacts = static_cast<std::size_t>(saved->summary.impacts);
  ASSERT_GT(whole.time.size(), rows) << "there is nothing to compare";

  const MemorySink in_memory = run_on(example, *saved, length.steps);
  expect_same_rows(whole, rows, impacts, in_memory);
  expect_same_end(whole, in_memory);

  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("freeplay-checkpoint-{}.h5", ::getpid());
  {
    ResultWriter writer(path);
    run_from_start(example, length.saved_at, &writer);
  }
  const MemorySink through_file = run_on(example, read_checkpoint(ResultReader(path)), length.steps);
  std::filesystem::remove(path);
  expect_same_rows(whole, rows, impacts, through_file);
  expect_same_end(whole, through_file);

  // Saving itself changes nothing, except for methods with a past, which begin anew.
  const SimulationOptions& options = example.file.simulate;
  if (options.integrator.starts_with("cvode") || options.smooth_method != SmoothMethod::kDopri5) return;
  const MemorySink never_saved = run_from_start(example, length.steps);
  expect_same_rows(never_saved, 0, 0, whole);
  expect_same_end(never_saved, whole);
}

class GoingOn : public testing::TestWithParam<const char*> {};

TEST_P(GoingOn, FromACheckpointGivesTheBitsOfTheRunThatWentThrough) {
  const std::string name = GetParam();
  int taken = 0;
  for (const IntegratorEntry& entry : integrator_registry()) {
    SCOPED_TRACE(entry.name);
    const std::optional<Case> example = make_case(name, entry.name);
    if (!example) continue;
    ++taken;
    // A pile rests on one contact and more per ball.
    check_goes_on(*example, name == "spheres_in_box" ? Length{140, 170, 64} : Length{});
  }
  EXPECT_GE(taken, 1);
}

TEST(GoingOnByEvents, IsTheSameWhereCvodeMovesBetweenThem) {
  for (const char* name : {"conveyor", "slider_crank", "stick_slip_oscillator"}) {
    for (const SmoothMethod smooth : {SmoothMethod::kCvodeBdf, SmoothMethod::kCvodeAdams}) {
      SCOPED_TRACE(fmt::format("{}, {}", name, static_cast<int>(smooth)));
      std::optional<Case> example = make_case(name, "event-driven");
      ASSERT_TRUE(example);
      example->file.simulate.smooth_method = smooth;
      check_goes_on(*example, Length{});
    }
  }
}

// Steps of an integrator on the grid of its run.
class Stepper {
 public:
  explicit Stepper(const Case& example)
      : example_(example),
        integrator_(make_integrator(*example.model.system, *example.model.contacts, example.file.simulate)),
        state(example.model.system->initial_state()) {
    EXPECT_EQ(integrator_->start(state).status, StepStatus::kOk);
  }
  bool take(int steps) {
    const SimulationOptions& options = example_.file.simulate;
    for (int i = 0; i < steps; ++i) {
      const double limit =
          options.step_s ? (std::floor(state.t / *options.step_s + 0.5) + 1) * *options.step_s : options.duration_s;
      if (integrator_->step(state, limit).status != StepStatus::kOk) return false;
    }
    return true;
  }
  void save() { integrator_->save(state); }
  std::vector<std::byte> state_bits() const {
    Checkpoint checkpoint;
    checkpoint.state = state;
    return bits(checkpoint);
  }

 private:
  const Case& example_;
  std::unique_ptr<Integrator> integrator_;

 public:
  State state;
};

class GoingBack : public testing::TestWithParam<const char*> {};

// The history of cvode-* is not in the state; save() begins anew there, and makes it true for them as well.
TEST_P(GoingBack, InTimeIsAnAssignment) {
  const std::string name = GetParam();
  for (const IntegratorEntry& entry : integrator_registry()) {
    SCOPED_TRACE(entry.name);
    const std::optional<Case> example = make_case(name, entry.name);
    if (!example) continue;
    Stepper stepper(*example);
    const bool is_pile = name == "spheres_in_box";
    ASSERT_TRUE(stepper.take(is_pile ? 140 : 60));
    if (is_pile) {
      EXPECT_GE(loaded_points(stepper.state), 64);
    }
    stepper.save();
    const State before = stepper.state;
    ASSERT_TRUE(stepper.take(5));
    const std::vector<std::byte> first = stepper.state_bits();
    stepper.state = before;
    ASSERT_TRUE(stepper.take(5));
    EXPECT_EQ(first, stepper.state_bits());
  }
}

constexpr const char* kExamples[] = {"andrews_squeezer",
                                     "bar_impact",
                                     "belt_drive",
                                     "block_on_incline",
                                     "bolt_on_plate",
                                     "bouncing_ball",
                                     "box_stack",
                                     "cam_follower",
                                     "cam_follower_friction",
                                     "cam_roller",
                                     "cantilever_impact",
                                     "chimney_damper",
                                     "chimney_damper_bodies",
                                     "conveyor",
                                     "conveyor_block",
                                     "conveyor_spatial",
                                     "cylindrical_clearance",
                                     "dog_clutch",
                                     "double_pendulum",
                                     "double_pendulum_coded",
                                     "elastic_slider_crank",
                                     "escapement",
                                     "euler_disk",
                                     "falling_ball",
                                     "falling_rod",
                                     "four_bar",
                                     "four_bar_bushing",
                                     "four_bar_clearance",
                                     "four_bar_spatial",
                                     "shaken_table",
                                     "slider_crank_driven",
                                     "gear_rattle",
                                     "gear_teeth",
                                     "geneva_drive",
                                     "ideal_pendulum_spatial",
                                     "impact_oscillator",
                                     "lubricated_crank",
                                     "newtons_cradle",
                                     "painleve_rod",
                                     "peg_in_hole",
                                     "pendulum_wall",
                                     "prismatic_clearance",
                                     "quick_return",
                                     "knuckle_press",
                                     "landing_gear",
                                     "ratchet",
                                     "scotch_yoke",
                                     "rattleback",
                                     "revolute_clearance",
                                     "robot_arm_play",
                                     "rocking_block",
                                     "roller_chain",
                                     "rolling_ball",
                                     "rolling_ellipse",
                                     "rssr_clearance",
                                     "slider_crank",
                                     "slider_crank_ideal",
                                     "sliding_block",
                                     "spatial_pendulum",
                                     "sphere_tangential_restitution",
                                     "spheres_in_box",
                                     "spinning_beam",
                                     "spinning_top",
                                     "steering_linkage",
                                     "stick_slip_oscillator",
                                     "superball",
                                     "tippe_top",
                                     "two_blocks",
                                     "valve_train",
                                     "woodpecker",
                                     "worn_bearing",
                                     "arch",
                                     "domino_row",
                                     "wall_of_bricks",
                                     "hopper",
                                     "rotating_drum",
                                     "jenga"};

TEST(Checkpoints, AreTestedForEveryExample) {
  std::size_t examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(examples_dir()))
    examples += entry.path().extension() == ".yaml" ? 1 : 0;
  EXPECT_EQ(examples, std::size(kExamples));
}

std::string name_of(const testing::TestParamInfo<const char*>& info) {
  return info.param;
}
INSTANTIATE_TEST_SUITE_P(Examples, GoingOn, testing::ValuesIn(kExamples), name_of);
INSTANTIATE_TEST_SUITE_P(Examples, GoingBack, testing::ValuesIn(kExamples), name_of);

}  // namespace
}  // namespace freeplay::test::checkpoint_test
