#include "freeplay/report/plot/plot_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/plot/plot_quantity.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::plot_request_test {

using testing::HasSubstr;

class PlotRequestTest : public testing::Test {
 protected:
  // Rows every millisecond; body.x = row, body.vx = 2 row, with gaps where asked for.
  void write(std::int64_t rows, bool with_gap = false) {
    RecordLayout layout;
    layout.channels = {{"body.x", "m"}, {"body.vx", "m/s"}, {"it's <odd>.x", "m"}};
    layout.attributes = {{"name", "A test"},
                         {"parameters", R"({"c":{"text":"2 m","value":2,"unit":"m"},"w":{"text":"a","word":"a"}})"}};
    ResultWriter writer(folder_ / "result.h5");
    writer.begin(layout);
    for (std::int64_t row = 0; row < rows; ++row) {
      const double x = with_gap && row > rows / 3 && row < rows / 2 ? INFINITY : double(row);
      writer.row(1e-3 * double(row), std::vector<double>{x, 2.0 * double(row), 1.0});
    }
    writer.end({});
  }
  ResultReader result() const { return ResultReader(folder_ / "result.h5"); }
  PlotFigure figure(const PlotRequest& request) const {
    return make_figure(request, open_runs({{folder_ / "result.h5", ""}}));
  }

  result_test::TemporaryFolder folder_;
};

TEST_F(PlotRequestTest, AQuantityIsAChannelAnExpressionOrTime) {
  write(10);
  const ResultReader reader = result();
  std::vector<double> values(2);
  PlotQuantity quantity = PlotQuantity::parse(reader, "ratio = body.x/c + body.vx*t/(1 m)");
  quantity.read(reader, 4, values);
  EXPECT_EQ(quantity.label(), "ratio");
  EXPECT_EQ(quantity.si_unit(), "1");
  EXPECT_DOUBLE_EQ(values[1], 5.0 / 2 + 10 * 5e-3);
  quantity = PlotQuantity::parse(reader, "body.x in mm");
  EXPECT_EQ(quantity.label(), "body.x");
  EXPECT_EQ(quantity.asked_unit()->text, "mm");
  EXPECT_TRUE(PlotQuantity::parse(reader, "t in ms").is_time());
  EXPECT_EQ(PlotQuantity::parse(reader, "it's <odd>.x").label(), "it's <odd>.x");
  quantity = PlotQuantity::parse(reader, "way = body.missing | body.x + c");
  quantity.read(reader, 0, values);
  EXPECT_EQ(values[1], 3);
}

TEST_F(PlotRequestTest, MistakesInQuantitiesAreExplained) {
  write(10);
  const ResultReader reader = result();
  const auto message = [&](const std::string& text) -> std::string {
    try {
      PlotQuantity::parse(reader, text);
    } catch (const PlotError& error) {
      return error.what() + error.hint();
    } catch (const UnknownChannel& error) {
      return std::string("unknown: ") + error.what();
    }
    return "none";
  };
  EXPECT_THAT(message("body.xx"), HasSubstr("did you mean \"body.x\""));
  EXPECT_THAT(message("2*body.vxx"), HasSubstr("body.vx"));
  EXPECT_THAT(message("body.x in kg"), HasSubstr("'kg' is the unit of a mass"));
  EXPECT_THAT(message("body.x in furlong"), HasSubstr("no unit 'furlong'"));
  EXPECT_THAT(message("body.x + body.vx"), HasSubstr("body.x + body.vx"));
  EXPECT_THAT(message("= body.x"), HasSubstr("no name before the '='"));
}

TEST_F(PlotRequestTest, SmallResultsAreDrawnExactlyAndLargeOnesReduced) {
  PlotRequest request;
  request.channels = {"body.x"};
  write(20'000);
  EXPECT_EQ(figure(request).panels.at(0).curves.at(0).points.size(), 20'000u);
  write(300'000);
  const auto& panels = figure(request).panels;
  EXPECT_LE(panels.at(0).curves.at(0).points.size(), 4u * 2001);
  EXPECT_EQ(panels.at(0).curves.at(0).points.back().y, 299'999);
}

TEST_F(PlotRequestTest, FromAndToChooseTheRows) {
  write(1000);
  PlotRequest request;
  request.channels = {"body.x"};
  request.from_s = 0.0995;
  request.to_s = 0.2;
  const PlotFigure cut = figure(request);
  EXPECT_EQ(cut.panels.at(0).curves.at(0).points.front().y, 100);
  EXPECT_EQ(cut.panels.at(0).curves.at(0).points.back().y, 200);
  request.from_s = 5;
  request.to_s = 6;
  EXPECT_THROW(figure(request), PlotError);
}

TEST_F(PlotRequestTest, InfinityIsAGap) {
  write(100, true);
  PlotRequest request;
  request.channels = {"body.x"};
  const auto points = figure(request).panels.at(0).curves.at(0).points;
  EXPECT_EQ(std::count_if(points.begin(), points.end(), [](const PlotPoint& p) { return is_gap(p); }), 1);
}

TEST_F(PlotRequestTest, OnePanelPerUnitOrPerChannel) {
  write(10);
  PlotRequest request;
  request.channels = {"body.x", "body.vx", "it's <odd>.x"};
  EXPECT_EQ(figure(request).panels.size(), 2u);
  EXPECT_EQ(figure(request).panels[0].curves.size(), 2u);
  EXPECT_EQ(figure(request).title, "A test");
  request.panels = PlotRequest::Panels::kPerChannel;
  EXPECT_EQ(figure(request).panels.size(), 3u);
}

TEST_F(PlotRequestTest, WithoutContactsOrEnergiesTheAnswerSaysSo) {
  write(10);
  const auto message = [&](const PlotRequest& request) -> std::string {
    try {
      figure(request);
    } catch (const PlotError& error) {
      return error.what();
    }
    return "none";
  };
  PlotRequest request;
  request.energy = true;
  EXPECT_THAT(message(request), HasSubstr("no channel energy.*"));
  request = {};
  request.modes = "";
  EXPECT_THAT(message(request), HasSubstr("no channel of the kind mode"));
  request = {};
  request.impacts = "";
  EXPECT_THAT(message(request), HasSubstr("no contacts"));
  request = {};
  request.orbits = {"pin"};
  EXPECT_THAT(message(request), HasSubstr("no joint 'pin'"));
}

}  // namespace freeplay::test::plot_request_test
