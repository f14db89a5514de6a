// Forces, bearing maps, spectra, sections and densities, from results whose contents are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "freeplay/report/gnuplot/plot_colours.h"
#include "freeplay/report/gnuplot/plot_script.h"
#include "freeplay/report/panels/plot_panels.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/simulation/measure/spectrum.h"
#include "unit/io/result/result_test_support.h"

namespace freeplay::test::signal_panels_test {

using std::numbers::pi;
using testing::HasSubstr;

class SignalPanelsTest : public testing::Test {
 protected:
  using Values = std::function<std::vector<double>(double)>;
  // rows + 1 rows from 0 to 1 s.
  void write(RecordLayout layout, int rows, const Values& values, const std::vector<ImpactRecord>& impacts = {},
             const RunSummary& summary = {}) {
    ResultWriter writer(folder_ / "a.h5");
    writer.begin(layout);
    for (const ImpactRecord& impact : impacts) writer.impact(impact);
    for (int row = 0; row <= rows; ++row) {
      const double t = static_cast<double>(row) / rows;
      writer.row(t, values(t));
    }
    writer.end(summary);
  }
  std::vector<PlotPanel> panels(const PlotRequest& request) const {
    return make_figure(request, open_runs({{folder_ / "a.h5", ""}})).panels;
  }
  result_test::TemporaryFolder folder_;
};

RecordLayout layout_with(std::vector<ChannelInfo> channels) {
  RecordLayout layout;
  layout.channels = std::move(channels);
  layout.attributes = {{"integrator", "moreau-midpoint"}};
  return layout;
}

// A sine of amplitude 2.5 at 50 Hz on a mean of 7 and a drift: its line is the amplitude, the others are next to
// nothing.
TEST_F(SignalPanelsTest, TheSpectrumOfASineIsItsAmplitudeAtItsFrequency) {
  write(layout_with({{"a.x", "m"}}), 4096, [](double t) { return std::vector{7 + 2.5 * std::cos(2 * pi * 50 * t)}; });
  PlotRequest request;
  request.spectra = {"a.x"};
  const PlotPanel panel = panels(request).at(0);
  EXPECT_EQ(panel.x.si_unit, "Hz");
  EXPECT_EQ(panel.y.si_unit, "m");
  EXPECT_THAT(panel.title, HasSubstr("Hann window of 1 s, lines 1 Hz apart"));
  for (const PlotPoint& line : panel.curves.at(0).points) {
    if (line.x == 50) {
      EXPECT_NEAR(line.y, 2.5, 2.5e-3);
    } else if (std::abs(line.x - 50) > 1.5) {
      EXPECT_LT(line.y, 2.5e-3) << line.x;
    }
  }
}

// Between two lines the Hann window loses at most 1 - 8/(3 pi) = 15.1 %.
TEST(AmplitudeSpectrum, BetweenTwoLinesASineLosesWhatTheWindowTakes) {
  std::vector<double> times, values;
  for (int i = 0; i <= 8192; ++i) {
    times.push_back(i / 8192.0);
    values.push_back(std::sin(2 * pi * 200.5 * times.back()));
  }
  double largest = 0;
  for (const SpectrumPeak& line : amplitude_spectrum(times, values)) largest = std::max(largest, line.amplitude);
  EXPECT_NEAR(largest, 8 / (3 * pi), 2e-3);
}

// x turns five times per second: at every fifth of a second it is where it began.
TEST_F(SignalPanelsTest, ASectionByThePeriodIsAPointThatStays) {
  write(layout_with({{"a.x", "m"}, {"a.vx", "m/s"}}), 1000, [](double t) {
    return std::vector{std::cos(10 * pi * t), t};
  });
  PlotRequest request;
  request.sections = {{"a.x", "a.vx"}};
  request.period = "200 ms";
  const std::vector<PlotPoint> points = panels(request).at(0).curves.at(0).points;
  ASSERT_EQ(points.size(), 6u);
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_NEAR(points[k].x, 1, 1e-12);
    EXPECT_NEAR(points[k].y, 0.2 * static_cast<double>(k), 1e-12);
  }
  request.period = "0 s";
  EXPECT_THROW(panels(request), PlotError);
  request.period = "3 m";
  EXPECT_THROW(panels(request), PlotError);
}

// A point that rests for nine tenths of the time makes the darkest cell.
TEST_F(SignalPanelsTest, DensityIsDarkWhereTheMotionStays) {
  write(layout_with({{"a.x", "m"}, {"a.y", "m"}}), 1000, [](double t) {
    const double way = std::max(0.0, t - 0.9) * 10;
    return std::vector{way, way};
  });
  PlotRequest request;
  request.densities = {{"a.x", "a.y"}};
  const PlotPanel panel = panels(request).at(0);
  const PlotCell* darkest = nullptr;
  int dark = 0;
  for (const PlotCell& cell : panel.cells) {
    if (cell.colour != plot_density_colour(1)) continue;
    darkest = &cell;
    ++dark;
  }
  ASSERT_EQ(dark, 1);
  EXPECT_NEAR(darkest->left, 0, 1e-12);
  EXPECT_GE(panel.cells.size(), 100u) << "the way there is shaded too";
  EXPECT_THAT(plot_script({"", "", {panel}, 1}, {}), HasSubstr("with boxxyerror"));
}

// The force is 5 N; a blow of 2 N s at 0.5 s stands for 100 ms as 20 N more in the means.
TEST_F(SignalPanelsTest, ForcesLeaveOutTheRowsThatHaveABlowInTheirWindow) {
  RecordLayout layout = layout_with({{"pin.force_x", "N"}, {"pin.force_y", "N"}});
  layout.contacts = {"floor"};
  layout.attributes["force_window"] = "0.1";
  ImpactRecord blow;
  blow.time_s = 0.5;
  blow.normal_impulse = 2;
  RunSummary summary;
  summary.peak_forces = {{"pin", "N", 25, 0.1, 0.55}};
  write(
      layout, 1000,
      [](double t) {
        return std::vector{3.0, t > 0.4995 && t < 0.5995 ? 24.8 : 4.0};
      },
      {blow}, summary);
  PlotRequest request;
  request.forces = "";
  const PlotPanel panel = panels(request).at(0);
  EXPECT_EQ(panel.title, "peak 25 N in pin: 2.5 N s in 100 ms");
  EXPECT_EQ(panel.y.name, "force between blows");
  std::size_t shown = 0;
  for (const PlotPoint& point : panel.curves.at(0).points) {
    if (is_gap(point)) continue;
    EXPECT_NEAR(point.y, 5, 1e-12) << point.x;
    ++shown;
  }
  EXPECT_EQ(shown, 901u) << "the window has a hundred rows";
  request.forces = "other";
  EXPECT_THROW(panels(request), NotInRun);
}

// ---- Bearing maps ------------------------------------------------------------------------------------------------

RecordLayout bore_layout(const char* parent) {
  RecordLayout layout = layout_with({{"arm.x", "m"},
                                     {"arm.y", "m"},
                                     {"arm.angle", "rad"},
                                     {"pin.gap", "m"},
                                     {"pin.mode", "1"},
                                     {"pin.normal_force", "N"},
                                     {"pin.normal_x", "1"},
                                     {"pin.normal_y", "1"},
                                     {"pin.point_x", "m"},
                                     {"pin.point_y", "m"},
                                     {"pin.friction_loss", "J"}});
  layout.contacts = {"pin"};
  const std::string child = parent == std::string("ground") ? "arm" : "ground";
  layout.geometry_json = R"({"space": "planar", "joints": [{"name": "pin", "type": "revolute", "model": "clearance",
    "clearance": 0.001, "parent": ")" +
                         std::string(parent) + R"(", "child": ")" + child + R"(", "at_parent": [0, 0, 0],
    "at_child": [0, 0, 0], "axis": [0, 0, 1], "rotation": [1, 0, 0, 0]}]})";
  return layout;
}

double value_at(const PlotCurve& curve, double angle) {
  // Arcs of four points each, 5 degrees long.
  const auto sector = static_cast<std::size_t>(angle / (2 * pi) * 72);
  const PlotPoint& point = curve.points.at(4 * sector + 1);
  return std::hypot(point.x, point.y);
}

// A load of 10 N goes round the bore of the ground once in the second: every 5 degrees bear 10 N s/72, and the work of
// 7.2 J is spread as evenly. The child presses at the angle 2 pi t.
TEST_F(SignalPanelsTest, ALoadThatGoesRoundLoadsAllSectorsAlike) {
  write(bore_layout("ground"), 7200, [](double t) {
    const double angle = 2 * pi * t;
    return std::vector{0.0, 0.0, 0.0, 0.0, 1.0, 10.0, -std::cos(angle), -std::sin(angle), 0.0, 0.0, 7.2 * t};
  });
  PlotRequest request;
  request.bearings = {"pin"};
  const std::vector<PlotPanel> maps = panels(request);
  ASSERT_EQ(maps.size(), 3u);
  EXPECT_EQ(maps[0].title, "pin: largest force");
  for (double angle = 0.05; angle < 6.2; angle += 0.3) {
    EXPECT_NEAR(value_at(maps[0].curves.back(), angle), 10, 1e-9);
    EXPECT_NEAR(value_at(maps[1].curves.back(), angle), 10.0 / 72, 0.02 * 10 / 72);
    EXPECT_NEAR(value_at(maps[2].curves.back(), angle), 0.1, 0.002);
  }
}

// The same load seen from a bore that turns with it: all of it is borne by one place.
TEST_F(SignalPanelsTest, ABoreThatTurnsWithTheLoadBearsItAtOnePlace) {
  write(bore_layout("arm"), 7200, [](double t) {
    const double angle = 2 * pi * t;
    return std::vector{0.0, 0.0, angle - 1.0, 0.0, 1.0, 10.0, -std::cos(angle), -std::sin(angle), 0.0, 0.0, 0.0};
  });
  PlotRequest request;
  request.bearings = {"pin"};
  const std::vector<PlotPanel> maps = panels(request);
  ASSERT_EQ(maps.size(), 2u) << "there was no friction, and so no sliding work";
  EXPECT_NEAR(value_at(maps[1].curves.back(), 1.0), 10, 1e-6);
  EXPECT_NEAR(value_at(maps[1].curves.back(), 1.2), 0, 1e-12);
  request.bearings = {"pim"};
  EXPECT_THROW(panels(request), NotInRun);
}

// A sleeve of 200 mm that is tilted by 0.01 rad about its middle: its ends are 1 mm on either side of the axis, while
// the eccentricity of the middle is zero.
TEST_F(SignalPanelsTest, TheOrbitOfASleeveInSpaceShowsBothEnds) {
  RecordLayout layout = layout_with({{"arm.x", "m"},
                                     {"arm.y", "m"},
                                     {"arm.z", "m"},
                                     {"arm.e0", "1"},
                                     {"arm.e1", "1"},
                                     {"arm.e2", "1"},
                                     {"arm.e3", "1"},
                                     {"pin.eccentricity_x", "m"},
                                     {"pin.eccentricity_y", "m"}});
  layout.geometry_json = R"({"space": "spatial", "joints": [{"name": "pin", "type": "cylindrical", "model": "clearance",
    "clearance": 0.001, "length": 0.2, "parent": "ground", "child": "arm", "at_parent": [0, 0, 0],
    "at_child": [0, 0, 0], "axis": [0, 0, 1], "rotation": [1, 0, 0, 0]}]})";
  write(layout, 10,
        [](double) { return std::vector{0.0, 0.0, 0.0, std::cos(0.005), 0.0, std::sin(0.005), 0.0, 0.0, 0.0}; });
  PlotRequest request;
  request.orbits = {"pin"};
  const PlotPanel panel = panels(request).at(0);
  ASSERT_EQ(panel.curves.size(), 3u) << "the circle and two ends";
  EXPECT_EQ(panel.curves[1].name, "end 1");
  EXPECT_NEAR(panel.curves[1].points.at(0).x, -0.1 * std::sin(0.01), 1e-12);
  EXPECT_NEAR(panel.curves[2].points.at(0).x, 0.1 * std::sin(0.01), 1e-12);
}

// What strikes and never stays has blows and no bars: a panel of modes would be empty.
TEST_F(SignalPanelsTest, ASheetHasNoPanelOfModesWhereNoContactLasts) {
  for (const bool lasts : {false, true}) {
    RecordLayout layout = layout_with({{"ball.vy", "m/s"}, {"bounce.mode", "1"}});
    layout.contacts = {"bounce"};
    write(layout, 100, [&](double t) { return std::vector{1 - t, lasts && t > 0.5 ? 1.0 : 0.0}; });
    PlotRequest request;
    request.sheet = true;
    int panels_of_modes = 0;
    for (const PlotPanel& panel : panels(request)) panels_of_modes += panel.title == "contact modes" ? 1 : 0;
    EXPECT_EQ(panels_of_modes, lasts ? 1 : 0);
  }
}

}  // namespace freeplay::test::signal_panels_test
