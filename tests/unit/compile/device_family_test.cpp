// The text for a GPU, compiled for the processor: the same driver, the same lanes, one after the other.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "freeplay/compile/device_family.h"
#include "freeplay/compile/measured_lane.h"
#include "freeplay/compile/object/gpu.h"
#include "unit/compile/compiled_support.h"

namespace freeplay::test {
namespace {

using DeviceFamilies = CompiledTest;

const std::vector<MeasureSpec> kMeasures = {
    {"first", "initial(slider.x)"},
    {"last", "final(slider.x)"},
    {"at", "at(slider.x, 3.3 ms)"},
    {"least", "min(guide.gap_1)"},
    {"tilt", "max(abs(slider.angle))"},
    {"late", "max_after(slider.vx, 5 ms) - min_after(slider.vx, 5 ms)"},
    {"mean", "mean(crank.omega, 2.5 ms)"},
    {"rms", "rms(rod.omega)"},
    {"crossing", "at_crossing(slider.x, crank.angle - 1, 1)"},
    {"relative", "max(abs(guide.gap_1))/c"},
};

struct MeasuredModel {
  LoadedModel loaded;
  MeasureProgram program;
  FamilySample sample() const { return {loaded.file, loaded.model, &program}; }
};

MeasuredModel crank(const std::vector<std::string>& overrides) {
  MeasuredModel made{load_example("slider_crank", overrides), {}};
  made.loaded.file.measures = kMeasures;
  made.program = measure_program_of(made.loaded.file, made.loaded.model);
  return made;
}

// Of different clearances, forces and lengths of the run; every third step gives a row.
std::vector<MeasuredModel> cranks(const std::string& rule, const std::string& forces) {
  std::vector<MeasuredModel> members;
  for (int k = 0; k < 5; ++k) {
    members.push_back(crank({fmt::format("c={} mm", 0.3 + 0.2 * k), "slider_omega=1 rad/s", "record.every=3",
                             fmt::format("duration={} ms", 20 + 0.7 * k), "simulate.lasting_contacts=" + rule,
                             "simulate.velocity_forces=" + forces, fmt::format("friction={}", 0.02 * k)}));
  }
  return members;
}

std::vector<FamilySample> samples_of(const std::vector<MeasuredModel>& members) {
  std::vector<FamilySample> samples;
  for (const MeasuredModel& member : members) samples.push_back(member.sample());
  return samples;
}

std::vector<double> engine_values(const MeasuredModel& member) {
  const std::unique_ptr<Simulation> simulation = build_simulation(member.loaded.file, member.loaded.model);
  MemorySink sink;
  std::vector<double> values;
  for (const MeasuredValue& value : simulation->run(sink, {}).measures) values.push_back(value.value);
  return values;
}

void expect_near(const std::vector<double>& values, const std::vector<double>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i], 1e-9 * std::max(1.0, std::abs(expected[i]))) << kMeasures[i].name;
}

// So that values that are not there, which are NaN, are equal to each other.
std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

// Lanes of one launch end at different times: a request to stop leaves those as they are that had come to their end.
TEST_F(DeviceFamilies, AndLanesOfTheProcessorKeepWhatHadEndedBeforeAStop) {
  std::vector<MeasuredModel> members;
  for (const char* duration : {"duration=5 ms", "duration=200 ms"})
    members.push_back(crank({"slider_omega=1 rad/s", "simulate.step=10 us", duration}));
  const auto expect_first_alone = [&](auto& family) {
    std::vector<LaneData> lanes, whole;
    for (const MeasuredModel& member : members) lanes.push_back(family.lane(member.sample()).value());
    whole.push_back(lanes.front());
    if constexpr (requires { family.device_name(); })
      static_cast<void>(family.run(whole));
    else
      family.run(whole, {});
    int asked = 0;  // before each part of the steps, of which the first is enough for the first lane
    const auto should_stop = [&] { return ++asked > 1; };
    if constexpr (requires { family.device_name(); })
      static_cast<void>(family.run(lanes, should_stop));
    else
      family.run(lanes, {}, should_stop);
    EXPECT_EQ(lanes[0].status, 0);
    EXPECT_EQ(lanes[1].status, kLaneWasStopped);
    EXPECT_EQ(bits_of(measured_values(members[0].program, lanes[0])),
              bits_of(measured_values(members[0].program, whole[0])));
  };
  DeviceFamily on_device(samples_of(members), processor_toolchain());
  CompiledFamily compiled(samples_of(members), {});
  expect_first_alone(on_device);
  expect_first_alone(compiled);
}

TEST_F(DeviceFamilies, AndLanesOfTheProcessorMeasureWhatTheEngineMeasures) {
  for (const std::string rule : {"paper", "kept"}) {
    const std::string forces = rule == "paper" ? "midpoint" : "start";
    SCOPED_TRACE(rule);
    const std::vector<MeasuredModel> members = cranks(rule, forces);
    const DeviceFamily on_device(samples_of(members), processor_toolchain());
    const CompiledFamily compiled(samples_of(members), {});
    std::vector<LaneData> lanes, packed;
    for (const MeasuredModel& member : members) lanes.push_back(on_device.lane(member.sample()).value());
    for (const MeasuredModel& member : members) packed.push_back(compiled.lane(member.sample()).value());
    const DeviceFamily::Counts counts = on_device.run(lanes);
    EXPECT_GT(counts.contact_steps, 0);
    compiled.run(std::span(packed).first(std::min<std::size_t>(5, static_cast<std::size_t>(compiled.width()))), {});
    for (std::size_t k = 0; k < members.size(); ++k) {
      SCOPED_TRACE(k);
      const std::vector<double> expected = engine_values(members[k]);
      ASSERT_EQ(lanes[k].status, 0) << lane_status_text(lanes[k].status);
      expect_near(measured_values(members[k].program, lanes[k]), expected);
      if (k >= static_cast<std::size_t>(compiled.width())) continue;
      expect_near(measured_values(members[k].program, packed[k]), expected);
    }
  }
}

// Which contacts carried an impulse in the last step: the third number of a point's memory is 3.
std::vector<bool> loaded_points(const LaneData& lane, std::size_t velocities) {
  std::vector<bool> loaded;
  for (std::size_t i = 2 * velocities; i + 2 < lane.state.size(); i += 3) loaded.push_back(lane.state[i + 2] == 3);
  return loaded;
}

// Two machines round differently, here by a start that is turned by a last digit. Step by step: impacts make the
// difference larger, gradually, and where a contact is loaded in one of them alone they part at once, by all of a
// velocity. Without such a decision no step does that. The model does not depend on the time, so that each step may be
// a run of its own.
TEST_F(DeviceFamilies, PartAtOnceOnlyWhereAContactDecisionFallsOtherwise) {
  constexpr int kSteps = 12000;
  std::vector<MeasuredModel> members;
  for (const char* clearance : {"c=0.3 mm", "c=0.5 mm", "c=0.8 mm"})
    members.push_back(crank({clearance, "slider_omega=1 rad/s", "simulate.lasting_contacts=kept", "restitution=0.7"}));
  const DeviceFamily on_device(samples_of(members), processor_toolchain());
  const CompiledFamily compiled(samples_of(members), {});
  const std::size_t n = static_cast<std::size_t>(members.front().loaded.model.system->velocity_count());
  std::vector<LaneData> turned, packed;
  for (const MeasuredModel& member : members) turned.push_back(on_device.lane(member.sample()).value());
  for (const MeasuredModel& member : members) packed.push_back(compiled.lane(member.sample()).value());
  for (LaneData& lane : turned) lane.state[0] = std::nextafter(lane.state[0], 1.0);
  for (std::vector<LaneData>* lanes : {&turned, &packed}) {
    for (LaneData& lane : *lanes) lane.end_s = lane.step_s;
  }
  std::vector<int> parted_after(members.size(), -1);
  std::vector<double> difference(members.size(), 0.0);
  for (int step = 1; step <= kSteps; ++step) {
    on_device.run(turned);
    compiled.run(packed, {});
    for (std::size_t k = 0; k < members.size(); ++k) {
      ASSERT_EQ(turned[k].status, 0) << lane_status_text(turned[k].status);
      ASSERT_EQ(packed[k].status, 0) << lane_status_text(packed[k].status);
      if (parted_after[k] >= 0) continue;
      double now = 0;
      for (std::size_t i = 0; i < 2 * n; ++i) {
        const double here = packed[k].state[i];
        now = std::max(now, std::abs(turned[k].state[i] - here) / std::max(1.0, std::abs(here)));
      }
      const bool decide_alike = loaded_points(turned[k], n) == loaded_points(packed[k], n);
      if (decide_alike && difference[k] < 1e-9) {
        ASSERT_LE(now, 1e-4) << "lane " << k << ", step " << step;
      }
      if (!decide_alike || now > 1e-6) parted_after[k] = step;
      difference[k] = now;
    }
  }
  EXPECT_GT(*std::max_element(parted_after.begin(), parted_after.end()), 0);
  for (std::size_t k = 0; k < members.size(); ++k)
    RecordProperty(fmt::format("lane_{}_parts_after", k), parted_after[k]);
}

TEST_F(DeviceFamilies, GiveTheSameBitsHoweverLanesAreDivided) {
  const std::vector<MeasuredModel> members = cranks("paper", "start");
  const DeviceFamily family(samples_of(members), processor_toolchain());
  std::vector<LaneData> together;
  for (const MeasuredModel& member : members) together.push_back(family.lane(member.sample()).value());
  std::vector<LaneData> alone = together;
  family.run(together);
  for (LaneData& lane : alone) family.run({&lane, 1});
  for (std::size_t k = 0; k < members.size(); ++k) {
    EXPECT_EQ(together[k].state, alone[k].state);
    EXPECT_EQ(measured_values(members[k].program, together[k]), measured_values(members[k].program, alone[k]));
  }
}

TEST_F(DeviceFamilies, StopWhenTheyAreAskedTo) {
  const std::vector<MeasuredModel> members = {crank({"duration=10 s"})};
  const DeviceFamily family(samples_of(members), processor_toolchain());
  std::vector<LaneData> lanes = {family.lane(members[0].sample()).value()};
  int asked = 0;
  family.run(lanes, [&] { return ++asked > 2; });
  EXPECT_EQ(asked, 3);
}

// A member with other measures, or another rule that is a constant of the code, is the engine's.
TEST_F(DeviceFamilies, RefuseMembersOfOtherRules) {
  const std::vector<MeasuredModel> members = cranks("paper", "start");
  const DeviceFamily family(samples_of(members), processor_toolchain());
  const MeasuredModel other = crank({"simulate.velocity_forces=midpoint", "record.every=3"});
  EXPECT_FALSE(family.lane(other.sample()).has_value());
  EXPECT_FALSE(family.lane({members[0].loaded.file, members[0].loaded.model}).has_value());
}

TEST_F(DeviceFamilies, LeaveMeasuresThatNeedAllRowsToOthers) {
  MeasuredModel model = crank({});
  std::string reason;
  EXPECT_TRUE(are_lane_measures(model.program, reason));
  model.loaded.file.measures = {{"half", "percentile(slider.x, 50)"}};
  EXPECT_FALSE(are_lane_measures(measure_program_of(model.loaded.file, model.loaded.model), reason));
  EXPECT_NE(reason.find("percentiles"), std::string::npos);
  model.loaded.file.measures = {{"blows", "count(guide.impact)"}};
  EXPECT_TRUE(are_lane_measures(measure_program_of(model.loaded.file, model.loaded.model), reason));
}

// What nvcc says of the text, where there is one; without a GPU the object says so when it is opened.
TEST_F(DeviceFamilies, CompileForAGpu) {
  Toolchain toolchain;
  try {
    toolchain = gpu_toolchain("sm_90");
  } catch (const CompileError& error) {
    EXPECT_NE(std::string(error.what()).find("there is no nvcc"), std::string::npos);
    GTEST_SKIP() << error.what();
  }
  bool has_gpu = true;
  try {
    has_gpu = !find_gpu().name.empty();
  } catch (const CompileError& error) {
    has_gpu = false;
    EXPECT_NE(std::string(error.what()).find("there is no GPU for CUDA"), std::string::npos);
  }
  const std::vector<MeasuredModel> members = {crank({})};
  try {
    const DeviceFamily family(samples_of(members), toolchain);
    EXPECT_TRUE(has_gpu);
  } catch (const CompileError& error) {
    EXPECT_FALSE(has_gpu) << error.what();
    EXPECT_NE(std::string(error.what()).find("the GPU cannot be used"), std::string::npos) << error.what();
  }
}

TEST_F(DeviceFamilies, SayThatACompilerOfCudaIsNone) {
  setenv("FREEPLAY_NVCC", "nvcc --run", 1);
  EXPECT_THROW(gpu_toolchain("sm_90"), CompileError);
  unsetenv("FREEPLAY_NVCC");
}

}  // namespace
}  // namespace freeplay::test
