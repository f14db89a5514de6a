// Impacts that lanes count and measure, against the table of impacts of the engine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "freeplay/compile/device_family.h"
#include "freeplay/compile/measured_lane.h"
#include "unit/compile/compiled_support.h"

namespace freeplay::test {
namespace {

using CompiledImpacts = CompiledTest;

struct MeasuredModel {
  LoadedModel loaded;
  MeasureProgram program;
  FamilySample sample() const { return {loaded.file, loaded.model, &program}; }
};

MeasuredModel measured(const std::string& example, const std::vector<std::string>& overrides,
                       const std::vector<MeasureSpec>& measures) {
  MeasuredModel made{load_example(example, overrides), {}};
  made.loaded.file.measures = measures;
  made.program = measure_program_of(made.loaded.file, made.loaded.model);
  return made;
}

std::vector<FamilySample> samples_of(const std::vector<MeasuredModel>& members) {
  std::vector<FamilySample> samples;
  for (const MeasuredModel& member : members) samples.push_back(member.sample());
  return samples;
}

struct EngineRun {
  std::vector<double> values;
  std::int64_t impacts = 0;
};

EngineRun run_engine(const MeasuredModel& member) {
  const std::unique_ptr<Simulation> simulation = build_simulation(member.loaded.file, member.loaded.model);
  MemorySink sink;
  const RunSummary summary = simulation->run(sink, {});
  EngineRun run{{}, summary.impacts};
  for (const MeasuredValue& value : summary.measures) run.values.push_back(value.value);
  return run;
}

// On the processor in packs and by the text for a GPU; the first measure is `count(impact)`.
void expect_impacts_of_engine(const std::vector<MeasuredModel>& members, double tolerance, std::int64_t fewest) {
  const CompiledFamily compiled(samples_of(members), {});
  const DeviceFamily on_device(samples_of(members), processor_toolchain());
  std::vector<LaneData> packed, single;
  for (const MeasuredModel& member : members) packed.push_back(compiled.lane(member.sample()).value());
  for (const MeasuredModel& member : members) single.push_back(on_device.lane(member.sample()).value());
  const std::size_t width = static_cast<std::size_t>(compiled.width());
  for (std::size_t first = 0; first < packed.size(); first += width)
    compiled.run(std::span(packed).subspan(first, std::min(width, packed.size() - first)), {});
  on_device.run(single);
  for (std::size_t k = 0; k < members.size(); ++k) {
    SCOPED_TRACE(k);
    ASSERT_EQ(packed[k].status, 0) << lane_status_text(packed[k].status);
    ASSERT_EQ(single[k].status, 0) << lane_status_text(single[k].status);
    const EngineRun engine = run_engine(members[k]);
    EXPECT_GE(engine.impacts, fewest);
    for (const LaneData* lane : {&packed[k], &single[k]}) {
      const std::vector<double> values = measured_values(members[k].program, *lane);
      ASSERT_EQ(values.size(), engine.values.size());
      EXPECT_EQ(values[0], static_cast<double>(engine.impacts));
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string& name = members[k].loaded.file.measures[i].name;
        if (std::isnan(engine.values[i])) {
          EXPECT_TRUE(std::isnan(values[i])) << name << " is " << values[i];
        } else {
          EXPECT_NEAR(values[i], engine.values[i], tolerance * std::max(1.0, std::abs(engine.values[i]))) << name;
        }
      }
    }
  }
}

const std::vector<MeasureSpec> kBlowsOfGuide = {
    {"all", "count(impact)"},
    {"of_guide", "count(guide.impact)"},
    {"of_corner", "count(guide_3.impact)"},
    {"late", "count(guide.impact, 5 ms)"},
    {"after_the_end", "count(guide.impact, 5 s)"},
    {"hardest", "max(guide.impact.normal_impulse)"},
    {"fastest", "min(impact.normal_velocity_before)"},
    {"fastest_late", "min_after(impact.normal_velocity_before, 6 ms)"},
    {"lost", "sum(impact.energy_lost)"},
    {"first", "initial(impact.normal_impulse)"},
    {"last", "final(impact.tangential_impulse_1)"},
    {"rebound", "mean(guide.impact.normal_velocity_after, 3 ms)"},
    {"slip", "rms(impact.tangential_velocity_before)"},
    {"slip_after", "max(abs(impact.tangential_velocity_after))"},
    {"mixed", "max(impact.normal_impulse*c - 2*impact.tangential_impulse_1*c)/c"},
    {"where", "at_impact(slider.x, 3)"},
    {"no_more", "at_impact(slider.x, 100000)"},
    {"relative", "count(impact)/(max(abs(guide.gap_1))/c)"},
};

TEST_F(CompiledImpacts, OfSliderCranksAreThoseOfTheEngine) {
  for (const std::string rule : {"paper", "kept"}) {
    for (const std::string forces : {"start", "midpoint"}) {
      SCOPED_TRACE(rule + " " + forces);
      std::vector<MeasuredModel> members;
      for (int k = 0; k < 4; ++k) {
        members.push_back(
            measured("slider_crank",
                     {fmt::format("c={} mm", 0.3 + 0.2 * k), "slider_omega=1 rad/s", "record.every=3",
                      fmt::format("duration={} ms", 20.003 + 0.7 * k), "simulate.lasting_contacts=" + rule,
                      "simulate.velocity_forces=" + forces, "restitution=0.4", fmt::format("friction={}", 0.02 * k)},
                     kBlowsOfGuide));
      }
      expect_impacts_of_engine(members, 1e-8, 3);
    }
  }
}

TEST_F(CompiledImpacts, OfAnticipatedContactsAreThoseOfTheEngine) {
  std::vector<MeasuredModel> members;
  for (int k = 0; k < 4; ++k) {
    members.push_back(measured(
        "slider_crank",
        {fmt::format("c={} mm", 0.3 + 0.2 * k), "slider_omega=1 rad/s", "simulate.activation=anticipated",
         "duration=20 ms", "simulate.lasting_contacts=kept", "restitution=0.4", fmt::format("friction={}", 0.02 * k)},
        kBlowsOfGuide));
  }
  expect_impacts_of_engine(members, 1e-8, 3);
}

// Mostly all three pins are closed (compiled_all.inc), and pressed contacts are let go and caught again: RecentLoads.
TEST_F(CompiledImpacts, OfThreeJointsWithPlayAreThoseOfTheEngine) {
  const std::vector<MeasureSpec> measures = {{"all", "count(impact)"},
                                             {"of_pin", "count(crankpin.impact)"},
                                             {"hardest", "max(impact.normal_impulse)"},
                                             {"fastest", "min(impact.normal_velocity_before)"},
                                             {"lost", "sum(impact.energy_lost)"}};
  for (const auto& [activation, rule] :
       {std::pair{"gap", "paper"}, {"anticipated", "paper"}, {"anticipated", "kept"}}) {
    SCOPED_TRACE(fmt::format("{} {}", activation, rule));
    std::vector<MeasuredModel> members;
    for (int k = 0; k < 3; ++k) {
      members.push_back(measured("../bench/four_bar_plays",
                                 {"simulate.duration=40 ms", fmt::format("simulate.lasting_contacts={}", rule),
                                  fmt::format("simulate.activation={}", activation),
                                  fmt::format("clearance={} mm", 0.1 + 0.1 * k), fmt::format("friction={}", 0.1 * k)},
                                 measures));
    }
    expect_impacts_of_engine(members, 1e-8, 3);
  }
}

// Constant matrices, and steps with more closed points than packs settle.
TEST_F(CompiledImpacts, OfLinearSystemsAreThoseOfTheEngine) {
  const std::vector<MeasureSpec> measures = {{"all", "count(impact)"}, {"mean", "mean(impact.normal_impulse)"}};
  const std::vector<std::string> overrides = {"simulate.integrator=moreau-midpoint", "simulate.step=20 us",
                                              "simulate.duration=0.3 s"};
  expect_impacts_of_engine({measured("woodpecker", overrides, measures)}, 1e-8, 3);
}

TEST_F(CompiledImpacts, ThatNeedAListAreTheEngines) {
  const MeasuredModel model = measured("slider_crank", {}, {{"half", "percentile(guide.impact.normal_impulse, 50)"}});
  std::string reason;
  EXPECT_FALSE(are_lane_measures(model.program, reason));
  EXPECT_NE(reason.find("impacts at once"), std::string::npos) << reason;
}

}  // namespace
}  // namespace freeplay::test
