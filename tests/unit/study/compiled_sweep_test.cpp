// Studies by compiled code: the same rows as the engine's, and the engine where there is no compiled form.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "freeplay/core/error.h"
#include "freeplay/study/sweep/sweep_runner.h"

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
  plan.model = FREEPLAY_EXAMPLES_DIR "/slider_crank.yaml";
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
    for (SweepRow& row : runner.run_several(std::span(indices).subspan(first, count), nullptr))
      rows.push_back(std::move(row));
  }
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

TEST_F(CompiledStudies, OfForcesAndImpactsAreTheEngines) {
  for (const char* measure : {"max(abs(guide.force_y_1))", "count(guide.impact)"}) {
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
