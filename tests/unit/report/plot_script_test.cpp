#include "freeplay/report/gnuplot/plot_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/core/error.h"
#include "freeplay/report/gnuplot/gnuplot.h"
#include "freeplay/report/gnuplot/plot_layout.h"
#include "freeplay/report/plot/plot_error.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::plot_script_test {

namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kHostile =
    "a'b\"`touch pwned`@c {/Symbol d} _e ^f <g>&h; system('touch pwned')\n'; set print 'pwned' # \\n %d";

PlotFigure small_figure(const std::string& name) {
  PlotPanel panel;
  panel.x = {"time", "s", {}, false};
  panel.y = {name, "m", {}, false};
  panel.curves.push_back({name, {{0, 0}, {1, 2e-3}}, Mark::kLine, 0, false});
  panel.curves.push_back({"other", {{0, 1e-3}, {1, 0}}, Mark::kStem, 1, false});
  PlotPanel bars;
  bars.x = panel.x;
  bars.rows = {name};
  bars.bars = {{0.2, 0.4, 0, 1}, {0.5, 0.6, 0, 2}};
  PlotFigure figure;
  figure.title = figure.subtitle = panel.title = name;
  figure.panels = {panel, bars};
  return figure;
}

std::string drawn(const PlotFigure& figure, PictureOptions options = {}) {
  const GnuplotOutput output = run_gnuplot(plot_script(figure, options));
  // Cairo, which draws the others, may have something to say about the fonts of this machine.
  if (options.format == PictureFormat::kSvg) {
    EXPECT_EQ(output.warnings, "");
  }
  return output.picture;
}

}  // namespace

TEST(PlotScript, HostileNamesReachThePictureAsText) {
  const result_test::TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const std::string picture = drawn(small_figure(kHostile));
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "something was executed";
  // Title, subtitle, title of the panel, legend, axis, row of bars.
  const std::string text =
      "`touch pwned`@c {/Symbol d} _e ^f &lt;g>&amp;h; system('touch pwned') '; set print 'pwned' #";
  std::size_t count = 0;
  for (std::size_t at = picture.find(text); at != std::string::npos; at = picture.find(text, at + 1)) ++count;
  EXPECT_GE(count, 4u);
  EXPECT_THAT(picture, Not(HasSubstr("<g>")));
}

TEST(PlotScript, TheSameFigureGivesTheSameBytes) {
  for (const PictureFormat format : {PictureFormat::kSvg, PictureFormat::kPng}) {
    PictureOptions options;
    options.format = format;
    EXPECT_EQ(drawn(small_figure("x"), options), drawn(small_figure("x"), options));
  }
}

TEST(PlotScript, ShowsUnitsThatMakeTheNumbersReadable) {
  const std::string picture = drawn(small_figure("gap"));
  EXPECT_THAT(picture, HasSubstr("gap in mm"));
  EXPECT_THAT(picture, HasSubstr("time in s"));
  EXPECT_THAT(picture, HasSubstr("slip"));
  EXPECT_THAT(picture, HasSubstr("stick"));
}

TEST(PlotScript, ConstantEmptyHugeAndLogarithmicCurvesAreDrawnWithoutComplaint) {
  for (const double value : {0.0, 1.0, -3e300, 5e-324}) {
    PlotFigure figure = small_figure("x");
    figure.panels[0].curves[0].points = {{0, value}, {1, value}};
    EXPECT_THAT(drawn(figure), HasSubstr("</svg>")) << value;
  }
  PlotFigure figure = small_figure("x");
  figure.panels[0].curves.clear();
  EXPECT_THAT(drawn(figure), HasSubstr("</svg>"));
  figure.panels[0].curves.push_back({"", {{0, NAN}}, Mark::kLine, 0, false});
  EXPECT_THAT(drawn(figure), HasSubstr("</svg>"));
  // Logarithmic, then a panel with negative values.
  figure = small_figure("x");
  figure.panels[0].y.log = true;
  figure.panels.push_back(small_figure("y").panels[0]);
  figure.panels.back().curves[0].points = {{0, -1}, {1, 1}};
  EXPECT_THAT(drawn(figure), HasSubstr("</svg>"));
}

TEST(PlotScript, ALogarithmicAxisNeedsAPositiveValue) {
  PlotFigure figure = small_figure("x");
  figure.panels[0].y.log = true;
  figure.panels[0].curves = {{"", {{0, -1}, {1, 0}}, Mark::kLine, 0, false}};
  EXPECT_THROW(plot_script(figure, {}), PlotError);
}

TEST(PlotLayout, LegendsStandAboveTheirCurves) {
  PlotFigure figure;
  PlotPanel panel;
  for (int i = 0; i < 9; ++i)
    panel.curves.push_back({"a rather long name " + std::to_string(i), {{0, 0}}, Mark::kLine, i, false});
  figure.panels = {panel, panel};
  figure.panels[1].curves[0].name = "another";  // the same names would not be repeated
  const PlotLayout layout = lay_out(figure, {});
  for (const PanelPlace& place : layout.places) {
    ASSERT_EQ(place.legend.size(), 9u);
    for (const LegendEntry& entry : place.legend) {
      EXPECT_LT(entry.y + kLineHeight / 2, place.top + 1);
      EXPECT_GE(entry.x, place.left);
    }
  }
  EXPECT_GT(layout.places[1].legend.front().y, layout.places[0].bottom);
}

TEST(PlotLayout, PanelsOfTheSameRunsShareALegend) {
  PlotFigure figure;
  PlotPanel panel;
  panel.curves = {{"one", {}, Mark::kLine, 0, false}, {"two", {}, Mark::kLine, 1, false}};
  figure.panels = {panel, panel};
  const PlotLayout layout = lay_out(figure, {});
  EXPECT_EQ(layout.places[0].legend.size(), 2u);
  EXPECT_TRUE(layout.places[1].legend.empty());
}

TEST(PlotLayout, TooSmallAFigureIsRefused) {
  EXPECT_THROW(lay_out(small_figure("x"), {300, 100}), PlotError);
}

TEST(Gnuplot, FailsWithItsOwnWords) {
  try {
    run_gnuplot("set terminal svg\nplot nonsense(x)\n");
    FAIL();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("undefined function: nonsense"));
  }
}

TEST(Gnuplot, AMissingProgramIsNamed) {
  try {
    run_gnuplot("", "no-such-gnuplot");
    FAIL();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no program 'no-such-gnuplot' in PATH"));
  }
}

TEST(Gnuplot, AProgramThatDoesNotListenDoesNotStopUs) {
  EXPECT_THROW(run_gnuplot(std::string(10'000'000, '#') + "\n", "false"), IoError);
}

}  // namespace freeplay::test::plot_script_test
