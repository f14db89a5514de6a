#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "freeplay/report/gnuplot/plot_file.h"

namespace freeplay::test::dark_pages_test {

namespace {

using testing::HasSubstr;
using testing::Not;

PlotFigure figure_of_cells(bool with_key) {
  PlotPanel panel;
  panel.title = "map";
  panel.x = {"x", "m", {}, false};
  panel.y = {"y", "m", {}, false};
  panel.x_range = panel.y_range = ValueRange{0, 2};
  panel.cells = {{0, 1, 0, 2, 0x440154}, {1, 2, 0, 2, 0xFDE725}};
  if (with_key) panel.colour_key = PlotColourKey{0, 1, "m"};
  PlotFigure figure;
  figure.title = figure.subtitle = "A map";
  figure.panels = {panel};
  return figure;
}

std::string svg_of(const PlotFigure& figure) {
  return draw_plot(figure, {}).picture;
}

}  // namespace

TEST(DarkPages, LightAndDarkChangePlacesAsAWhole) {
  EXPECT_THAT(svg_of(figure_of_cells(false)), HasSubstr("#gnuplot_canvas { filter: invert"));
}

// A rule that names a colour does something only where gnuplot writes that colour in the same way.
TEST(DarkPages, ColoursThatStandForNumbersStayAndEveryRuleFindsItsColour) {
  const std::string svg = svg_of(figure_of_cells(true));
  EXPECT_THAT(svg, Not(HasSubstr("filter:")));
  const std::size_t end = svg.find("</style>");
  ASSERT_NE(end, std::string::npos);
  const std::string rules = svg.substr(0, end), picture = svg.substr(end);
  int count = 0;
  for (std::size_t at = rules.find('['); at != std::string::npos; at = rules.find('[', at + 1), ++count) {
    std::string attribute = rules.substr(at + 1, rules.find(']', at) - at - 1);  // fill='rgb(34,34,34)'
    std::string quoted = attribute;
    for (char& c : quoted) c = c == '\'' ? '"' : c;
    EXPECT_TRUE(picture.find(attribute) != std::string::npos || picture.find(quoted) != std::string::npos) << attribute;
  }
  EXPECT_EQ(count, 4);
  EXPECT_THAT(picture, HasSubstr("<rect x=\"0\" y=\"0\""));
  EXPECT_THAT(picture, HasSubstr("rgb(253, 231,  37)"));
}

}  // namespace freeplay::test::dark_pages_test
