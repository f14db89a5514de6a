// The data of panels, from results whose contents are known.
#include "freeplay/report/panels/plot_panels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <set>

#include "freeplay/core/error.h"
#include "freeplay/io/export/csv_export.h"
#include "freeplay/report/gnuplot/plot_look.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/plot/plot_scale.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::plot_panels_test {

using testing::ElementsAre;

constexpr double kClearance_m = 0.5e-3;

RecordLayout layout_of(std::vector<ChannelInfo> channels, std::vector<std::string> contacts) {
  RecordLayout layout;
  layout.channels = std::move(channels);
  layout.contacts = std::move(contacts);
  layout.geometry_json = R"({"space": "planar", "joints": [
    {"name": "pin", "type": "revolute", "model": "clearance", "clearance": 0.0005},
    {"name": "arm", "type": "revolute", "model": "ideal"},
    {"name": "rail", "type": "prismatic", "model": "ideal"}]})";
  return layout;
}

struct Hit {
  double time_s;
  std::int32_t contact;
  double impulse;
};

class PlotPanelsTest : public testing::Test {
 protected:
  // 1001 rows in a second, each with values(time).
  void write(const std::string& name, const RecordLayout& layout, const std::vector<Hit>& hits,
             const std::function<std::vector<double>(double)>& values) {
    ResultWriter writer(folder_ / name);
    writer.begin(layout);
    for (const Hit& hit : hits) {
      ImpactRecord impact;
      impact.time_s = hit.time_s, impact.contact = hit.contact, impact.normal_impulse = hit.impulse;
      writer.impact(impact);
    }
    for (int row = 0; row <= 1000; ++row) writer.row(1e-3 * row, values(1e-3 * row));
    writer.end({});
  }
  void write_still(const std::string& name, const RecordLayout& layout, const std::vector<Hit>& hits = {}) {
    write(name, layout, hits, [&](double t) { return std::vector<double>(layout.channels.size(), t); });
  }
  PlotFigure figure(const PlotRequest& request, const std::vector<std::string>& names = {"a.h5"}) const {
    std::vector<NamedResult> results;
    for (const std::string& name : names) results.push_back({folder_ / name, name.substr(0, 1)});
    return make_figure(request, open_runs(results));
  }
  std::vector<PlotPanel> impacts(const std::string& element, const std::vector<std::string>& names = {"a.h5"}) const {
    PlotRequest request;
    request.impacts = element;
    return figure(request, names).panels;
  }

  result_test::TemporaryFolder folder_;
};

double largest_radius(const PlotCurve& curve) {
  double radius = 0;
  for (const PlotPoint& point : curve.points) radius = std::max(radius, std::hypot(point.x, point.y));
  return radius;
}

TEST_F(PlotPanelsTest, TheCircleOfAnOrbitIsTheClearanceAndNothingIsClipped) {
  for (const double reach : {0.8, 3.0}) {  // inside, and pressed far into the wall
    write("a.h5", layout_of({{"pin.eccentricity_x", "m"}, {"pin.eccentricity_y", "m"}}, {}), {}, [&](double t) {
      return std::vector{reach * kClearance_m * std::cos(6 * t), reach * kClearance_m * std::sin(6 * t)};
    });
    PlotRequest request;
    request.orbits = {"pin"};
    const PlotPanel panel = figure(request).panels.at(0);
    ASSERT_EQ(panel.curves.size(), 2u);
    EXPECT_TRUE(panel.curves[0].is_frame);
    for (const PlotPoint& point : panel.curves[0].points)
      EXPECT_NEAR(std::hypot(point.x, point.y), kClearance_m, 1e-12);
    EXPECT_NEAR(largest_radius(panel.curves[1]), reach * kClearance_m, 1e-12);
    const PanelScale scale = panel_scale(panel, 300, 300);
    EXPECT_EQ(scale.x_unit.text, "mm");
    EXPECT_EQ(scale.y_unit.text, "mm");
    EXPECT_GT(scale.x.high * scale.x_unit.size, std::max(1.0, reach) * kClearance_m);
    EXPECT_LT(scale.y.low * scale.y_unit.size, -std::max(1.0, reach) * kClearance_m);
  }
}

TEST_F(PlotPanelsTest, BarsStandWhereTheModeWas) {
  write("a.h5", layout_of({{"pin.mode", "1"}}, {"pin"}), {}, [](double t) {
    return std::vector{t > 0.2005 && t < 0.4005 ? 1.0 : t > 0.6005 && t < 0.7005 ? 2.0 : 0.0};
  });
  PlotRequest request;
  request.modes = "";
  const PlotPanel panel = figure(request).panels.at(0);
  EXPECT_THAT(panel.rows, ElementsAre("pin"));
  ASSERT_EQ(panel.bars.size(), 2u);
  constexpr double kColumn = 1.0 / 500;
  EXPECT_EQ(panel.bars[0].mode, 1);
  EXPECT_NEAR(panel.bars[0].from, 0.2, kColumn);
  EXPECT_NEAR(panel.bars[0].to, 0.4, kColumn);
  EXPECT_EQ(panel.bars[1].mode, 2);
  EXPECT_NEAR(panel.bars[1].from, 0.6, kColumn);
  EXPECT_NEAR(panel.bars[1].to, 0.7, kColumn);
}

TEST_F(PlotPanelsTest, WhereEventsAreLocatedBarsBeginAtTheRowThatTellsOfThem) {
  constexpr double kColumn = 1.0 / 500;
  const struct {
    const char* integrator;
    double from, to;
  } cases[] = {{"event-driven", 0.25, 0.75}, {"moreau-midpoint", 0.25, 0.25 + kColumn}};
  for (const auto& [integrator, from, to] : cases) {
    RecordLayout layout = layout_of({{"pin.mode", "1"}}, {"pin"});
    layout.attributes["integrator"] = integrator;
    ResultWriter writer(folder_ / "a.h5");
    writer.begin(layout);
    // Closed at 0.25 s by a step of length zero after another one, open at 0.75 s.
    for (const auto& [t, mode] : {std::pair{0.0, 0.0}, {0.25, 0.0}, {0.25, 1.0}, {0.75, 0.0}, {1.0, 0.0}})
      writer.row(t, std::vector{mode});
    writer.end({});
    PlotRequest request;
    request.modes = "";
    const PlotPanel panel = figure(request).panels.at(0);
    ASSERT_EQ(panel.bars.size(), 1u) << integrator;
    EXPECT_NEAR(panel.bars[0].from, from, kColumn) << integrator;
    EXPECT_NEAR(panel.bars[0].to, to, kColumn * (1 + 1e-9)) << integrator;
    if (integrator != std::string("event-driven")) continue;
    // A window that begins within the phase shows it from there on.
    request.from_s = 0.5;
    const PlotPanel part = figure(request).panels.at(0);
    ASSERT_EQ(part.bars.size(), 1u);
    EXPECT_NEAR(part.bars[0].to, 0.75, kColumn);
  }
}

TEST_F(PlotPanelsTest, ASpanOfOneRowHasFiniteBars) {
  write("a.h5", layout_of({{"pin.mode", "1"}}, {"pin"}), {}, [](double) { return std::vector{1.0}; });
  PlotRequest request;
  request.modes = "";
  request.from_s = 0.4995, request.to_s = 0.5005;
  const PlotPanel panel = figure(request).panels.at(0);
  ASSERT_EQ(panel.bars.size(), 1u) << "in contact";
  EXPECT_DOUBLE_EQ(panel.bars[0].from, 0.5);
  EXPECT_DOUBLE_EQ(panel.bars[0].to, 0.5);
}

TEST_F(PlotPanelsTest, StemsAreTheImpulsesAtTheirTimes) {
  write_still("a.h5", layout_of({{"pin.gap", "m"}, {"floor.gap", "m"}}, {"pin", "floor"}),
              {{0.1, 0, 3e-4}, {0.2, 1, 5e-4}, {0.3, 0, 4e-4}, {1.5, 0, 9}});
  const std::vector<PlotPanel> panels = impacts("");
  ASSERT_EQ(panels.size(), 1u);
  ASSERT_EQ(panels[0].curves.size(), 2u);
  const PlotCurve &pin = panels[0].curves[0], &floor = panels[0].curves[1];
  EXPECT_EQ(pin.name, "pin");
  ASSERT_EQ(pin.points.size(), 2u) << "and none behind the last row";
  EXPECT_EQ(pin.points[1].x, 0.3);
  EXPECT_EQ(pin.points[1].y, 4e-4);
  ASSERT_EQ(floor.points.size(), 1u);
  EXPECT_EQ(floor.points[0].y, 5e-4);
  EXPECT_EQ(pin.mark, Mark::kStem);
  const PanelScale scale = panel_scale(panels[0], 300, 300);
  EXPECT_EQ(scale.x_unit.text, "s");
  EXPECT_EQ(scale.y_unit.text, "uN s");
}

TEST_F(PlotPanelsTest, StopsThatTurnHaveAPanelInTheirUnit) {
  const std::vector<Hit> hits = {{0.1, 0, 2}, {0.2, 1, 3}, {0.3, 2, 4}};
  const std::vector<std::string> contacts = {"floor", "arm_lower", "rail_upper"};
  const std::vector<std::vector<ChannelInfo>> recorded = {
      {{"floor.normal_impulse", "N s"}, {"arm.normal_impulse_lower", "N m s"}, {"rail.normal_impulse_upper", "N s"}},
      {{"floor.gap", "m"}, {"arm.gap_lower", "rad"}, {"rail.gap_upper", "m"}},
      {{"other.x", "m"}}};  // then the geometry tells
  for (const std::vector<ChannelInfo>& channels : recorded) {
    write_still("a.h5", layout_of(channels, contacts), hits);
    const std::vector<PlotPanel> panels = impacts("");
    ASSERT_EQ(panels.size(), 2u) << channels[0].name;
    EXPECT_EQ(panels[0].y.si_unit, "N s");
    EXPECT_EQ(panels[0].curves.size(), 2u);
    EXPECT_EQ(panels[1].y.si_unit, "N m s");
    ASSERT_EQ(panels[1].curves.size(), 1u);
    EXPECT_EQ(panels[1].curves[0].points[0].y, 3);
    ASSERT_EQ(impacts("arm").size(), 1u) << channels[0].name;
    EXPECT_EQ(impacts("arm")[0].y.si_unit, "N m s");
  }
}

TEST_F(PlotPanelsTest, AContactIsNotTakenForAPointOfAnother) {
  const std::vector<Hit> hits = {{0.1, 0, 1}, {0.2, 1, 2}, {0.3, 2, 3}, {0.4, 3, 4}};
  const auto count = [&](const std::string& element) { return impacts(element).at(0).curves.size(); };
  write_still("a.h5",
              layout_of({{"hit.gap", "m"}, {"hit_b.gap", "m"}, {"guide.gap_1", "m"}, {"guide.gap_2", "m"}},
                        {"hit", "hit_b", "guide_1", "guide_2"}),
              hits);
  EXPECT_EQ(count("hit"), 1u);
  EXPECT_EQ(count("hit_b"), 1u);
  EXPECT_EQ(count("guide"), 2u);
  EXPECT_EQ(count("guide_2"), 1u);
  EXPECT_THROW(impacts("gui"), PlotError);
  write_still("a.h5", layout_of({{"other.x", "m"}}, {"hit", "hit_b", "guide_1", "guide_2"}), hits);
  EXPECT_EQ(count("hit"), 1u) << "also if no channel of it was recorded";
  EXPECT_EQ(count("guide"), 2u);
}

TEST_F(PlotPanelsTest, ASheetOfRunsThatDifferShowsEachPanelWithTheRunsThatHaveIt) {
  write_still("ideal.h5", layout_of({{"arm.omega", "rad/s"}, {"energy.total", "J"}}, {}));
  write_still("play.h5",
              layout_of({{"arm.omega", "rad/s"},
                         {"pin.eccentricity_x", "m"},
                         {"pin.eccentricity_y", "m"},
                         {"pin.gap", "m"},
                         {"pin.mode", "1"},
                         {"extra.omega", "rad/s"},
                         {"energy.drift", "J"}},
                        {"pin"}),
              {{0.5, 0, 1}});
  for (const std::vector<std::string>& order :
       {std::vector<std::string>{"ideal.h5", "play.h5"}, {"play.h5", "ideal.h5"}}) {
    const PlotFigure sheet = figure({}, order);
    std::vector<std::string> axes;
    for (const PlotPanel& panel : sheet.panels) axes.push_back(panel.rows.empty() ? panel.y.name : "bars");
    ASSERT_THAT(axes, ElementsAre("arm.omega", "y", "bars", "impulse of blows", "energy.total", "energy.drift"));
    EXPECT_EQ(sheet.panels[0].curves.size(), 2u);
    EXPECT_EQ(sheet.panels[5].curves.size(), 1u);
    EXPECT_EQ(sheet.panels[5].curves[0].name, "p") << "the run that has it is named";
  }
}

TEST_F(PlotPanelsTest, ARunWithoutContactsDoesNotSpoilTheOthers) {
  write_still("ideal.h5", layout_of({{"arm.omega", "rad/s"}}, {}));
  write_still("play.h5", layout_of({{"pin.gap", "m"}, {"pin.mode", "1"}}, {"pin"}), {{0.5, 0, 1}});
  PlotRequest request;
  request.modes = request.impacts = "";
  EXPECT_EQ(figure(request, {"ideal.h5", "play.h5"}).panels.size(), 2u);
  request.panels = PlotRequest::Panels::kPerRun;
  EXPECT_EQ(figure(request, {"ideal.h5", "play.h5"}).panels.size(), 2u);
  EXPECT_THROW(figure(request, {"ideal.h5", "ideal.h5"}), PlotError);
  request = {};
  request.channels = {"pin.gap"};
  EXPECT_THROW(figure(request, {"play.h5", "ideal.h5"}), UnknownChannel) << "it was asked for by name";
}

TEST_F(PlotPanelsTest, OddDescriptionsAreDamageOfTheFile) {
  for (const char* geometry :
       {"{", "[1]", R"({"joints": [3]})", R"({"joints": [{"name": 3}]})",
        R"({"joints": [{"name": "pin", "type": "revolute", "model": "clearance", "clearance": "wide"}]})"}) {
    RecordLayout layout = layout_of({{"pin.eccentricity_x", "m"}, {"pin.eccentricity_y", "m"}}, {});
    layout.geometry_json = geometry;
    write_still("a.h5", layout);
    PlotRequest request;
    request.orbits = {"pin"};
    EXPECT_THROW(figure(request), IoError) << geometry;
    EXPECT_THROW(figure({}), IoError) << geometry;
  }
  for (const char* parameters : {R"({"c": {"value": "wide", "unit": "m"}})", R"({"c": {"value": 1}})"}) {
    RecordLayout layout = layout_of({{"arm.x", "m"}}, {});
    layout.attributes["parameters"] = parameters;
    write_still("a.h5", layout);
    PlotRequest request;
    request.channels = {"arm.x/c"};
    EXPECT_THROW(figure(request), IoError) << parameters;
  }
}

TEST(PlotLook, FourteenCurvesAreToldApartByColourAndDash) {
  std::set<std::pair<std::string, std::string>> looks;
  std::set<std::pair<std::string, int>> points;
  for (int look = 0; look < 14; ++look) {
    PlotCurve curve;
    curve.points = {{0, 0}, {1, 1}};
    curve.look = look;
    looks.emplace(colour_of(curve), dash_of(curve));
    points.emplace(colour_of(curve), point_type(curve));
  }
  EXPECT_EQ(looks.size(), 14u);
  EXPECT_EQ(points.size(), 14u);
}

// A table of 40 MB, read by a process of its own that may not grow by half of it.
TEST_F(PlotPanelsTest, MemoryDoesNotGrowWithTheTableOfImpacts) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer keeps what was freed";
#endif
  constexpr int kHits = 550'000, kHardest = 400'000;
  {
    ResultWriter writer(folder_ / "a.h5");
    writer.begin(layout_of({{"pin.gap", "m"}}, {"pin"}));
    writer.row(0, std::vector{1.0});
    for (int i = 0; i < kHits; ++i) {
      ImpactRecord impact;
      impact.time_s = double(i) / kHits;
      impact.normal_impulse = i == kHardest ? 7 : 1e-3 * (i % 100);
      writer.impact(impact);
    }
    writer.row(1, std::vector{1.0});
    writer.end({});
  }
  ASSERT_GT(kHits * sizeof(ImpactRecord), 40'000'000u);
  result_test::ChildProcess child([&](int pipe) {
    const auto peak_kB = [] {
      rusage usage{};
      ::getrusage(RUSAGE_SELF, &usage);
      return usage.ru_maxrss;
    };
    const long before = peak_kB();
    const std::vector<PlotPanel> panels = impacts("");
    figure({});  // the sheet
    std::ofstream nowhere("/dev/null");
    write_impacts_csv(ResultReader(folder_ / "a.h5"), nowhere);
    const std::vector<PlotPoint>& stems = panels.at(0).curves.at(0).points;
    const auto hardest =
        std::max_element(stems.begin(), stems.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.y < b.y; });
    const bool is_right = stems.size() <= 2000 && hardest->y == 7 && hardest->x == double(kHardest) / kHits;
    result_test::tell(pipe, is_right ? std::to_string(peak_kB() - before) : "999999");
  });
  const std::string grown_kB = child.read_all();
  ASSERT_EQ(child.wait(), 0);
  EXPECT_LT(std::stol(grown_kB), 20'000);
}

}  // namespace freeplay::test::plot_panels_test
