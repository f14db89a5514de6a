// Spectra against a parameter: of motions that are known.
#include "freeplay/study/sweep/pictures/waterfall.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "freeplay/report/plot/plot_error.h"
#include "freeplay/study/sweep/sweep.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::waterfall_test {
namespace {

using testing::HasSubstr;

// A slide that is driven as 2 mm sin(2 pi f t) + 0.05 mm sin(2 pi 40/s t).
constexpr const char* kShaker = R"yaml(freeplay: 1
name: A shaker
space: planar
parameters: {f: 10 Hz, m: 1 kg}
bodies: {table: {mass: m, inertia: 1 kg m^2}}
joints: {rail: {type: prismatic, parent: ground, child: table, axis: [1, 0]}}
drivers: {shake: {on: rail, motion: "2 mm*sin(2*pi*f*t) + 0.05 mm*sin(2*pi*40/s*t)"
}
}
measure: {top: max(table.x)}
simulate: {integrator: dopri5, duration: 1 s, max_step: 1 ms}
)yaml";

class ShakerStudy : public testing::Test {
 protected:
  SweepTable sweep(const std::vector<std::string>& over) const {
    const std::filesystem::path model = folder_ / "shaker.yaml";
    std::ofstream(model) << kShaker;
    SweepPlan plan;
    plan.model = model;
    plan.over = over;
    SweepOptions options;
    options.out = folder_ / "study";
    options.workers = 1;
    return run_sweep(plan, options, {}).table;
  }
  result_test::TemporaryFolder folder_;
};

std::size_t strongest_band(const std::vector<double>& levels) {
  return static_cast<std::size_t>(std::max_element(levels.begin(), levels.end()) - levels.begin());
}

TEST_F(ShakerStudy, HasItsLineAtTheFrequencyThatIsSwept) {
  const SweepTable table = sweep({"f=5 Hz:25 Hz:5"});
  const Waterfall fall = make_waterfall(table, {"table.x", "", {}, {}, {}, 1});
  EXPECT_EQ(fall.parameter.name, "f");
  EXPECT_EQ(fall.unit, "m");
  EXPECT_EQ(fall.slice, "");
  EXPECT_EQ(fall.left_out, 0U);
  ASSERT_EQ(fall.values.size(), 5U);
  ASSERT_NEAR(fall.band_Hz, 1, 1e-9) << "a window of one second has lines 1 Hz apart";
  for (std::size_t i = 0; i < 5; ++i) {
    const double f = 5 + 5 * static_cast<double>(i);
    const std::size_t band = strongest_band(fall.levels[i]);
    EXPECT_NEAR(static_cast<double>(band + 1) * fall.band_Hz, f, 1e-9);
    // A whole number of turns fits into the window, so the line has the amplitude; samples on straight lines take less
    // than (2 pi f h)^2/12 of it, 0.2 % at 25 Hz with h = 1 ms, and resampling as much again.
    EXPECT_NEAR(fall.levels[i][band], 2e-3, 1e-5);
    ASSERT_GT(fall.bands, 40U) << "the line of 40 Hz has more than a hundredth of the largest";
    EXPECT_NEAR(fall.levels[i][39], 5e-5, 1e-6);
  }
  EXPECT_NEAR(fall.largest, 2e-3, 1e-5);
}

TEST_F(ShakerStudy, OfTwoParametersIsALineThroughIt) {
  const SweepTable table = sweep({"m=1kg,2kg", "f=5 Hz:15 Hz:3"});
  const Waterfall fall = make_waterfall(table, {"table.x", "", {}, {}, {}, 1});
  EXPECT_EQ(fall.values, (std::vector<double>{5, 10, 15}));
  EXPECT_EQ(fall.slice, "m = 1 kg");
  EXPECT_EQ(make_waterfall(table, {"table.x", "m", {}, {}, {}, 1}).values, (std::vector<double>{1, 2}));
}

TEST_F(ShakerStudy, TakesAPartOfTheTime) {
  const SweepTable table = sweep({"f=10 Hz,20 Hz"});
  const Waterfall fall = make_waterfall(table, {"table.x", "", 0.5, 1.0, {}, 1});
  EXPECT_NEAR(fall.window_s, 0.5, 1e-9);
  EXPECT_NEAR(fall.band_Hz, 2, 1e-9);
  EXPECT_NEAR(static_cast<double>(strongest_band(fall.levels[1]) + 1) * fall.band_Hz, 20, 1e-9);
}

TEST_F(ShakerStudy, SaysWhatItDoesNotHave) {
  const SweepTable table = sweep({"f=10 Hz,20 Hz"});
  const auto complaint = [&](const WaterfallRequest& request) -> std::string {
    try {
      static_cast<void>(make_waterfall(table, request));
    } catch (const PlotError& error) {
      return std::string(error.what()) + " / " + error.hint();
    }
    return "none";
  };
  EXPECT_THAT(complaint({"table.y2", "", {}, {}, {}, 1}), HasSubstr("no channel 'table.y2'"));
  EXPECT_THAT(complaint({"table.x", "g", {}, {}, {}, 1}), HasSubstr("no parameter 'g'"));
  EXPECT_THAT(complaint({"table.x", "", 0.9999, {}, {}, 1}), HasSubstr("no run of the study has a spectrum"));
}

TEST_F(ShakerStudy, IsAPictureWithAColourForEveryBand) {
  const SweepTable table = sweep({"f=5 Hz:25 Hz:5"});
  const PlotFigure figure = waterfall_figure(table, {make_waterfall(table, {"table.x", "", {}, {}, {}, 1})}, false, "");
  ASSERT_EQ(figure.panels.size(), 1U);
  const PlotPanel& panel = figure.panels[0];
  EXPECT_THAT(panel.title, HasSubstr("Hann window of 1 s"));
  EXPECT_EQ(panel.colour_key->unit, "m");
  // Cells leave no holes: their areas make up the plane.
  double area = 0;
  for (const PlotCell& cell : panel.cells) area += (cell.right - cell.left) * (cell.high - cell.low);
  EXPECT_NEAR(area, (panel.x_range->high - panel.x_range->low) * (panel.y_range->high - panel.y_range->low),
              1e-6 * area);
}

}  // namespace
}  // namespace freeplay::test::waterfall_test
