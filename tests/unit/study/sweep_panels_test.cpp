// Diagrams, maps and basins as figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/report/gnuplot/gnuplot.h"
#include "freeplay/report/gnuplot/plot_colours.h"
#include "freeplay/report/gnuplot/plot_script.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/study/sweep/pictures/sweep_figure.h"

namespace freeplay::test::sweep_panels_test {
namespace {

// A grid of 12 x 10 runs with the measure a*b; the section has `turns` points per run, at a + k and -a.
SweepTable grid(int turns) {
  SweepTable table;
  table.header.parameters = {{"a", "m", {}}, {"b", "1", {}}};
  table.header.measures = {{"product", "m", {}}};
  if (turns > 0) table.header.section = {{"t", "s", {}}, {"p", "m", {}}, {"q", "m", {}}};
  for (int i = 0; i < 120; ++i) {
    SweepRow row;
    row.index = i;
    const double a = i / 10, b = i % 10;
    row.values = {a, b, a * b};
    for (int k = 0; k < turns; ++k) row.crossings.insert(row.crossings.end(), {0.1 * k, a < 6 ? -1.0 : 1.0 + k % 2, a});
    table.rows.push_back(row);
  }
  table.header.runs = 120;
  return table;
}

TEST(SweepFigure, DrawsAMeasureOverTwoParametersAsAMap) {
  const PlotFigure figure = make_sweep_figure(grid(0), {});
  ASSERT_EQ(figure.panels.size(), 1U);
  const PlotPanel& panel = figure.panels[0];
  EXPECT_EQ(panel.x.name, "a");
  EXPECT_EQ(panel.y.name, "b");
  EXPECT_EQ(panel.title, "product");
  ASSERT_EQ(panel.cells.size(), 120U);
  EXPECT_EQ(panel.cells.front().colour, plot_colour(0));
  EXPECT_EQ(panel.cells.back().colour, plot_colour(1));
  EXPECT_DOUBLE_EQ(panel.cells[11].left, 0.5);
  EXPECT_DOUBLE_EQ(panel.cells[11].right, 1.5);
  EXPECT_DOUBLE_EQ(panel.cells[11].low, 0.5);
  ASSERT_TRUE(panel.colour_key);
  EXPECT_EQ(panel.colour_key->high, 99);
  EXPECT_EQ(run_gnuplot(plot_script(figure, {})).warnings, "");
}

TEST(SweepFigure, DrawsPointsOfTheSectionAsADiagram) {
  const PlotFigure few = make_sweep_figure(grid(4), {{"p"}, "", false, false, ""});
  ASSERT_EQ(few.panels.size(), 1U);
  EXPECT_EQ(few.panels[0].curves.at(0).points.size(), 480U);
  EXPECT_TRUE(few.panels[0].cells.empty());
  const PlotFigure many = make_sweep_figure(grid(40), {{"p"}, "", false, false, ""});
  const PlotPanel& panel = many.panels.at(0);
  EXPECT_TRUE(panel.curves.empty());
  // One place for a < 6, two for each of the others.
  EXPECT_EQ(panel.cells.size(), 6U + 12U);
  EXPECT_EQ(run_gnuplot(plot_script(many, {})).warnings, "");
}

TEST(SweepFigure, DrawsTheSectionItself) {
  const PlotFigure figure = make_sweep_figure(grid(4), {{}, "q", false, false, ""});
  ASSERT_EQ(figure.panels.size(), 1U);
  EXPECT_EQ(figure.panels[0].x.name, "q");
  EXPECT_EQ(figure.panels[0].y.name, "p");
  EXPECT_EQ(figure.panels[0].curves.at(0).points.size(), 480U);
}

TEST(SweepFigure, DrawsBasins) {
  SweepTable table = grid(6);
  for (SweepRow& row : table.rows) {  // only p tells them apart
    for (std::size_t i = 2; i < row.crossings.size(); i += 3) row.crossings[i] = 0;
  }
  const PlotFigure figure = make_sweep_figure(table, {{"attractor"}, "", false, false, ""});
  const PlotPanel& panel = figure.panels.at(0);
  ASSERT_EQ(panel.cells.size(), 12U) << "one per column, whose cells have one colour";
  ASSERT_EQ(panel.curves.size(), 2U);
  EXPECT_EQ(panel.curves[0].name, "period 1: p = -1 m");
  EXPECT_EQ(panel.curves[1].name, "period 2: p = 1, ... m");
  EXPECT_EQ(panel.cells[5].colour, plot_look_colour(0));
  EXPECT_EQ(panel.cells[6].colour, plot_look_colour(1));
  EXPECT_EQ(run_gnuplot(plot_script(figure, {})).warnings, "");
}

TEST(SweepFigure, TellsOfNamesThatAreNotThere) {
  EXPECT_THROW(make_sweep_figure(grid(4), {{"prodct"}, "", false, false, ""}), PlotError);
  EXPECT_THROW(make_sweep_figure(grid(4), {{}, "c", false, false, ""}), PlotError);
  EXPECT_THROW(make_sweep_figure(grid(0), {{"attractor"}, "", false, false, ""}), PlotError);
}

}  // namespace
}  // namespace freeplay::test::sweep_panels_test
