#include "freeplay/report/plot/plot_scale.h"

#include <gtest/gtest.h>

#include <cmath>

namespace freeplay::test::plot_scale_test {
namespace {

PanelScale scale_of(std::vector<PlotPoint> points) {
  PlotPanel panel;
  PlotCurve curve;
  curve.points = std::move(points);
  panel.curves.push_back(std::move(curve));
  return panel_scale(panel, 800, 200);
}

// An energy that is kept to rounding: a line in the middle, and a range that gnuplot can tell from a point.
TEST(PlotScale, RoundingIsNoSignal) {
  const double value = 2.608460295403;
  const PanelScale scale = scale_of({{0, value}, {1, value * (1 + 3e-12)}, {2, value * (1 - 2e-11)}});
  EXPECT_GT((scale.y.high - scale.y.low) / scale.y.high, 0.1);
  EXPECT_LT(scale.y.low * scale.y_unit.size, value);
  EXPECT_GT(scale.y.high * scale.y_unit.size, value);
}

TEST(PlotScale, SmallChangesAreSeen) {
  const PanelScale scale = scale_of({{0, 1}, {1, 1 + 1e-6}});
  EXPECT_LT((scale.y.high - scale.y.low) * scale.y_unit.size, 1.2e-6);
}

// Numbers such as -2.5e-11 at every tick would run into the name of the axis.
TEST(PlotScale, APowerOfTenBelowAllPrefixesStandsAtTheUnit) {
  PlotPanel panel;
  panel.y.si_unit = "J";
  PlotCurve curve;
  curve.points = {{0, -2.5e-11}, {1, 1e-11}};
  panel.curves.push_back(curve);
  const PanelScale scale = panel_scale(panel, 800, 200);
  EXPECT_EQ(scale.y_unit.text, "1e-12 J");
  EXPECT_NEAR(scale.y.low, -25 - 0.05 * 35, 1e-9);
  panel.y.si_unit = "1";
  EXPECT_EQ(panel_scale(panel, 800, 200).y_unit.text, "1e-12");
  panel.y.log = true;  // powers of ten stand at the ticks there
  panel.curves[0].points = {{0, 1e-11}, {1, 1e-15}};
  EXPECT_EQ(panel_scale(panel, 800, 200).y_unit.text, "");
}

// Numbers stand at powers of ten: residuals of 3e-14 to 4e-14 had none, and of 2e-19 to 3e-18 only one.
TEST(PlotScale, ALogarithmicAxisHasTwoNumbersAtLeast) {
  for (const auto& [low, high] : {std::pair{3e-14, 4e-14}, std::pair{2e-19, 3e-18}, std::pair{1e-3, 1e-3}}) {
    PlotPanel panel;
    panel.y.log = true;
    PlotCurve curve;
    curve.points = {{0, low}, {1, high}};
    panel.curves.push_back(curve);
    const PanelScale scale = panel_scale(panel, 800, 200);
    const double numbers = std::floor(std::log10(scale.y.high) + 1e-9) - std::ceil(std::log10(scale.y.low) - 1e-9) + 1;
    EXPECT_GE(numbers, 2) << low;
    EXPECT_LT(scale.y.low, low);
    EXPECT_GT(scale.y.high, high);
  }
}

}  // namespace
}  // namespace freeplay::test::plot_scale_test
