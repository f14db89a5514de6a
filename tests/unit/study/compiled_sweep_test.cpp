// Studies by compiled code: the same rows as the engine's, and the engine where there is no compiled form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "freeplay/core/error.h"
#include "freeplay/study/sweep/runs/sweep_runner.h"
#include "freeplay/study/sweep/sweep.h"
#include "support/places.h"

namespace freeplay::test {
namespace {

class CompiledStudies : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "freeplay-compiled-study-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path folder_;
};

SweepPlan crank_plan(SweepBackend backend, const std::string& measure) {
  SweepPlan plan;
  plan.model = examples_dir() + "/slider_crank.yaml";
  plan.overrides = {"duration=30 ms", "slider_omega=1 rad/s"};
  plan.over = {"c=0.2mm:1.5mm:5", "restitution=0.1,0.4"};
  plan.measures = {"tilt=max(abs(slider.angle))", "least=min(guide.gap_1)", "speed=mean(crank.omega, 10 ms)",
                   "end=final(slider.x)",         "rms=rms(rod.omega)",     "more=" + measure};
  plan.backend = backend;
  return plan;
}

std::vector<SweepRow> all_rows(const SweepRunner& runner) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(runner.points().size()));
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  std::vector<SweepRow> rows;
  for (std::size_t first = 0; first < indices.size(); first += runner.at_once()) {
    const std::size_t count = std::min(runner.at_once(), indices.size() - first);
    EXPECT_TRUE(runner.run_several(std::span(indices).subspan(first, count), nullptr, [&](std::vector<SweepRow> some) {
      std::move(some.begin(), some.end(), std::back_inserter(rows));
    }));
  }
  std::sort(rows.begin(), rows.end(), [](const SweepRow& a, const SweepRow& b) { return a.index < b.index; });
  return rows;
}

TEST_F(CompiledStudies, MeasureWhatTheEngineMeasures) {
  const SweepRunner engine(crank_plan(SweepBackend::kEngine, "percentile(slider.x, 50)"));
  const SweepRunner compiled(crank_plan(SweepBackend::kCompiled, "percentile(slider.x, 50)"));
  ASSERT_TRUE(compiled.is_compiled());
  EXPECT_GT(compiled.at_once(), 0u);
  const std::vector<SweepRow> expected = all_rows(engine), rows = all_rows(compiled);
  EXPECT_EQ(compiled.left_to_engine(), 0);
  ASSERT_EQ(rows.size(), 10u);
  ASSERT_EQ(expected.size(), 10u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].index, expected[i].index);
    EXPECT_EQ(rows[i].status, SweepStatus::kCompleted);
    ASSERT_EQ(rows[i].values.size(), expected[i].values.size());
    for (std::size_t k = 0; k < rows[i].values.size(); ++k) {
      const double value = expected[i].values[k];
      EXPECT_NEAR(rows[i].values[k], value, 1e-9 * std::max(1.0, std::abs(value))) << "run " << i << ", column " << k;
    }
  }
}

// The way of a GPU, without one: order of lanes, measures in the lanes, rows in the order of the points.
TEST_F(CompiledStudies, OfADeviceMeasureWhatTheEngineMeasures) {
  const SweepPlan plan = crank_plan(SweepBackend::kEngine, "min_after(crank.omega, 10 ms)");
  const SweepRunner engine(plan);
  const ModelFamily family(plan.model, plan.overrides);
  std::vector<SweepAxis> axes;
  for (const std::string& text : plan.over) axes.push_back(parse_sweep_axis(text));
  const SweepPoints points(axes, {});
  std::vector<MeasureSpec> measures;
  for (const std::string& text : plan.measures)
    measures.push_back({text.substr(0, text.find('=')), text.substr(text.find('=') + 1)});
  const CompiledSweep sweep(family, points, measures, {}, {}, LaneDevice::kPretendedGpu);
  EXPECT_EQ(sweep.device_name(), "the processor");
  std::vector<std::int64_t> indices(10);
  std::iota(indices.begin(), indices.end(), std::int64_t{0});
  const std::vector<SweepRow> expected = all_rows(engine);
  const auto results = sweep.measure(indices, nullptr);
  ASSERT_EQ(results.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    ASSERT_TRUE(results[i].is_done);
    for (std::size_t k = 0; k < measures.size(); ++k) {
      const double value = expected[i].values[2 + k];
      EXPECT_NEAR(results[i].values[k], value, 1e-9 * std::max(1.0, std::abs(value)))
          << "run " << i << ", measure " << k;
    }
  }
}

// The study of a plan as a device would run it.
struct DeviceStudy {
  ModelFamily family;
  SweepPoints points;
  CompiledSweep sweep;

  explicit DeviceStudy(const SweepPlan& plan)
      : family(plan.model, plan.overrides),
        points(axes_of(plan), {}),
        sweep(family, points, measures_of(plan), {}, plan.section, LaneDevice::kPretendedGpu) {}
  static std::vector<SweepAxis> axes_of(const SweepPlan& plan) {
    std::vector<SweepAxis> axes;
    for (const std::string& text : plan.over) axes.push_back(parse_sweep_axis(text));
    return axes;
  }
  static std::vector<MeasureSpec> measures_of(const SweepPlan& plan) {
    std::vector<MeasureSpec> measures;
    for (const std::string& text : plan.measures)
      measures.push_back({text.substr(0, text.find('=')), text.substr(text.find('=') + 1)});
    return measures;
  }
  std::vector<LaneResult> results() const {
    std::vector<std::int64_t> indices(static_cast<std::size_t>(points.size()));
    std::iota(indices.begin(), indices.end(), std::int64_t{0});
    return sweep.measure(indices, nullptr);
  }
};

void expect_all_near(const std::vector<double>& values, std::span<const double> expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], expected[i], 1e-9 * std::max(1.0, std::abs(expected[i]))) << i;
}

// Sections that lanes note themselves, of all kinds, with and without measures and limits; steps differ from run to
// run.
TEST_F(CompiledStudies, OfADeviceNoteThePointsOfASectionAsTheEngineDoes) {
  for (const char* at : {"every(2*pi/crank_omega)", "rising(rod.angle)", "falling(rod.angle)", "crossing(slider.vx)"}) {
    for (const int variant : {0, 1, 2}) {
      SCOPED_TRACE(fmt::format("{}, {}", at, variant));
      SweepPlan plan = crank_plan(SweepBackend::kEngine, "final(rod.angle)");
      plan.overrides = {"duration=130 ms", "slider_omega=1 rad/s"};
      plan.over = {"crank_omega=150rad/s:170rad/s:3"};
      plan.section = {at, {"x=slider.x", "speed=crank.omega"}, 1, {}};
      if (variant > 0) plan.section.turns = 1;
      if (variant == 1) plan.measures.clear();
      const std::vector<SweepRow> expected = all_rows(SweepRunner(plan));
      const auto results = DeviceStudy(plan).results();
      ASSERT_EQ(results.size(), 3u);
      std::size_t noted = 0;
      for (std::size_t i = 0; i < results.size(); ++i) {
        ASSERT_TRUE(results[i].is_done);
        noted += expected[i].crossings.size();  // one of the slow runs falls through zero only once, which is left out
        expect_all_near(results[i].crossings, expected[i].crossings);
        expect_all_near(results[i].values, std::span(expected[i].values).subspan(1));
      }
      EXPECT_GT(noted, 0u);
    }
  }
}

// More crossings than there is room for at first: those lanes run once more.
TEST_F(CompiledStudies, OfADeviceHaveRoomForManyCrossings) {
  SweepPlan plan = crank_plan(SweepBackend::kEngine, "final(rod.angle)");
  plan.overrides = {"duration=30 ms", "slider_omega=1 rad/s"};
  plan.over = {"c=0.5mm,1mm"};
  plan.measures.clear();
  plan.section = {"crossing(sin(60000*t/1s))", {"x=slider.x"}, 0, {}};
  const std::vector<SweepRow> expected = all_rows(SweepRunner(plan));
  const auto results = DeviceStudy(plan).results();
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(results[i].is_done);
    EXPECT_GT(results[i].crossings.size(), 2 * 128u);
    expect_all_near(results[i].crossings, expected[i].crossings);
  }
}

TEST_F(CompiledStudies, OfAllKindsHaveTheSameHistograms) {
  SweepPlan plan = crank_plan(SweepBackend::kEngine, "final(rod.angle)");
  plan.over = {"c=0.2mm:1.5mm:3"};
  plan.measures = {"tilt=histogram(slider.angle*a/c, -1, 1, 8)", "late=share(slider.vx, 0, 10 m/s, 10 ms)"};
  const SweepRunner engine(plan);
  ASSERT_EQ(engine.header().measures.size(), 9u);
  EXPECT_EQ(engine.header().measures[7].name, "tilt_8");
  const std::vector<SweepRow> expected = all_rows(engine);
  const auto on_device = DeviceStudy(plan).results();
  plan.backend = SweepBackend::kCompiled;
  const SweepRunner compiled(plan);
  const std::vector<SweepRow> rows = all_rows(compiled);
  EXPECT_EQ(compiled.left_to_engine(), 0);
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (std::size_t k = 1; k <= 8; ++k) sum += expected[i].values[k];
    EXPECT_NEAR(sum, 1, 1e-9);
    expect_all_near(rows[i].values, expected[i].values);
    ASSERT_TRUE(on_device[i].is_done);
    expect_all_near(on_device[i].values, std::span(expected[i].values).subspan(1));
  }
}

TEST_F(CompiledStudies, WithoutAGpuSayWhatIsMissing) {
  try {
    const SweepRunner runner(crank_plan(SweepBackend::kCuda, "final(rod.angle)"));
    EXPECT_EQ(runner.backend(), "cuda");  // there is one
  } catch (const ModelError& error) {
    const std::string message = error.diagnostics().front().message;
    EXPECT_TRUE(message.find("there is no GPU") != std::string::npos ||
                message.find("there is no nvcc") != std::string::npos)
        << message;
  }
}

// A section by time, one where something passes zero, and one with measures beside it.
TEST_F(CompiledStudies, NoteThePointsOfASectionAsTheEngineDoes) {
  for (const char* at : {"every(2*pi/crank_omega)", "rising(rod.angle)"}) {
    for (const bool has_measures : {false, true}) {
      SCOPED_TRACE(at);
      SweepPlan plan = crank_plan(SweepBackend::kEngine, "final(rod.angle)");
      plan.overrides = {"duration=130 ms", "slider_omega=1 rad/s"};
      plan.over = {"crank_omega=150rad/s:170rad/s:3"};
      plan.section = {at, {"x=slider.x", "speed=crank.omega"}, 1, 1};
      if (!has_measures) plan.measures.clear();
      const SweepRunner engine(plan);
      plan.backend = SweepBackend::kCompiled;
      const SweepRunner compiled(plan);
      const std::vector<SweepRow> expected = all_rows(engine), rows = all_rows(compiled);
      EXPECT_EQ(compiled.left_to_engine(), 0);
      ASSERT_EQ(rows.size(), 3u);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].crossings.size(), 3u);
        ASSERT_EQ(rows[i].crossings.size(), expected[i].crossings.size());
        for (std::size_t k = 0; k < rows[i].crossings.size(); ++k)
          EXPECT_NEAR(rows[i].crossings[k], expected[i].crossings[k], 1e-9 * std::max(1.0, expected[i].crossings[k]));
        ASSERT_EQ(rows[i].values.size(), expected[i].values.size());
        for (std::size_t k = 0; k < rows[i].values.size(); ++k)
          EXPECT_NEAR(rows[i].values[k], expected[i].values[k], 1e-9 * std::max(1.0, std::abs(expected[i].values[k])));
      }
    }
  }
}

// Runs of different lengths share a pack.
TEST_F(CompiledStudies, MayDifferInStepAndDuration) {
  SweepPlan plan = crank_plan(SweepBackend::kEngine, "at(slider.x, 12 ms)");
  plan.over = {"duration=11ms:31ms:3", "step=10us,12us,15us"};
  const SweepRunner engine(plan);
  plan.backend = SweepBackend::kCompiled;
  const SweepRunner compiled(plan);
  const std::vector<SweepRow> expected = all_rows(engine), rows = all_rows(compiled);
  EXPECT_EQ(compiled.left_to_engine(), 0);
  ASSERT_EQ(rows.size(), 9u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < rows[i].values.size(); ++k) {
      const double value = expected[i].values[k];
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(rows[i].values[k]));
        continue;
      }
      EXPECT_NEAR(rows[i].values[k], value, 1e-9 * std::max(1.0, std::abs(value))) << "run " << i << ", column " << k;
    }
  }
}

// A dry friction of 0 has no row, and what is negative no model.
TEST_F(CompiledStudies, SayWhyARunIsLeftToTheEngine) {
  std::ofstream(folder_ / "cart.yaml") << R"(
freeplay: 1
name: A cart that rubs
space: planar
parameters: {rubbing: 1 N, mass: 1 kg}
bodies: {cart: {mass: mass, inertia: 0.01 kg m^2}}
joints: {rail: {type: prismatic, parent: ground, axis: [1, 0], child: cart, initial: {u: 1 m/s}, dry_friction: rubbing}}
simulate: {integrator: moreau-midpoint, step: 1 ms, duration: 0.1 s}
)";
  SweepPlan plan;
  plan.model = folder_ / "cart.yaml";
  plan.over = {"rubbing=0N,1N,2N", "mass=1kg,2kg,-1kg"};
  plan.measures = {"end=final(cart.x)"};
  plan.backend = SweepBackend::kCompiled;
  const SweepRunner runner(plan);
  SweepTable table;
  table.header = runner.header();
  table.rows = all_rows(runner);
  ASSERT_EQ(table.rows.size(), 9u);
  int left = 0, refused = 0;
  for (const SweepRow& row : table.rows) {
    const bool can_be_built = row.values[1] > 0, is_without = row.values[0] == 0;
    EXPECT_EQ(row.status, can_be_built ? SweepStatus::kCompleted : SweepStatus::kRefused);
    EXPECT_EQ(row.left_because,
              can_be_built && is_without ? "its rules or its structure are not those of most runs" : "");
    left += row.is_left_to_engine() ? 1 : 0;
    refused += can_be_built ? 0 : 1;
  }
  EXPECT_EQ(left, 2);
  EXPECT_EQ(refused, 3);
  EXPECT_EQ(runner.left_to_engine(), 2);
  const std::string csv = sweep_csv(table);
  const auto count = [&](const std::string& end) {
    int found = 0;
    for (std::size_t at = csv.find(end); at != std::string::npos; at = csv.find(end, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count(",engine\n"), 2) << csv;
  EXPECT_EQ(count(",compiled\n"), 4);
  EXPECT_EQ(count(",nan,\n"), 3) << "nobody has run them";
}

TEST_F(CompiledStudies, WithoutAModelThatCanBeBuiltSayWhy) {
  SweepPlan plan = crank_plan(SweepBackend::kAuto, "final(rod.angle)");
  plan.over = {"c=-2mm:-1mm:3"};
  try {
    const SweepRunner runner(plan);
    EXPECT_NE(runner.backend_note().find("none of its runs that were tried can be built, run 0: "), std::string::npos)
        << runner.backend_note();
  } catch (const ModelError& error) {
    ADD_FAILURE() << error.what();
  }
}

TEST_F(CompiledStudies, OfForcesAndPercentilesOfImpactsAreTheEngines) {
  for (const char* measure : {"max(abs(guide.force_y_1))", "percentile(guide.impact.normal_impulse, 50)"}) {
    SCOPED_TRACE(measure);
    EXPECT_THROW(SweepRunner(crank_plan(SweepBackend::kCompiled, measure)), ModelError);
    const SweepRunner runner(crank_plan(SweepBackend::kAuto, measure));
    EXPECT_FALSE(runner.is_compiled());
    EXPECT_FALSE(runner.backend_note().empty());
    EXPECT_EQ(runner.at_once(), 1u);
  }
}

TEST_F(CompiledStudies, WithoutACompilerAreTheEngines) {
  setenv("FREEPLAY_CXX", "/does/not/exist", 1);
  const SweepRunner runner(crank_plan(SweepBackend::kAuto, "final(rod.angle)"));
  unsetenv("FREEPLAY_CXX");
  EXPECT_FALSE(runner.is_compiled());
  EXPECT_NE(runner.backend_note().find("FREEPLAY_CXX"), std::string::npos);
}

}  // namespace
}  // namespace freeplay::test
