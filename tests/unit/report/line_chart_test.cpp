#include "freeplay/report/draw/line_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/report/markup_text.h"

namespace freeplay::test::line_chart_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(MarkupText, NothingInANameIsMarkup) {
  EXPECT_EQ(markup_text("<script>alert('x & \"y\"')</script>"),
            "&lt;script&gt;alert(&#39;x &amp; &quot;y&quot;&#39;)&lt;/script&gt;");
  EXPECT_EQ(markup_text(std::string("a\0b\x1b", 4)), "a b ");
}

TEST(LineChart, TicksAreRoundNumbersInside) {
  EXPECT_THAT(axis_ticks(0, 1, 5), ElementsAre(0, testing::DoubleNear(0.2, 1e-12), testing::DoubleNear(0.4, 1e-12),
                                               testing::DoubleNear(0.6, 1e-12), testing::DoubleNear(0.8, 1e-12), 1));
  EXPECT_TRUE(axis_ticks(1, 1, 5).empty());
  EXPECT_TRUE(axis_ticks(0, std::nan(""), 5).empty());
}

TEST(LineChart, ThinningKeepsASpikeOfOneSample) {
  ChartCurve curve{"flat", 0, {}, {}};
  for (int i = 0; i < 100000; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(i == 54321 ? 1 : 0);
  }
  LineChart chart;
  chart.curves = {curve};
  const std::string svg = line_chart_svg(chart);
  EXPECT_LT(svg.size(), 60000U);
  // The frame ends 30 below the top; 5 % of the height (170) is margin.
  EXPECT_THAT(svg, HasSubstr(" 37.7"));
}

TEST(LineChart, HolesAndNamesDoNotBreakTheMarkup) {
  LineChart chart;
  chart.title = "</svg><script>";
  chart.is_logarithmic = true;
  chart.curves = {{"<b>", 9, {0, 1, 2, 3}, {0, std::nan(""), 1e-3, -1}}};
  chart.marks = {{1, 0, "\"<"}};
  const std::string svg = line_chart_svg(chart);
  EXPECT_THAT(svg, Not(HasSubstr("<script>")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, HasSubstr("class=\"curve c1\""));
  EXPECT_THAT(line_chart_svg({}), HasSubstr("</svg>"));
}

}  // namespace freeplay::test::line_chart_test
