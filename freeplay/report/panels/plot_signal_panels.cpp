// Signals: spectra, Poincare sections, phase portraits shaded by density.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/report/gnuplot/plot_colours.h"
#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/panels/plot_panels.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/simulation/measure/spectrum.h"

namespace freeplay::report {

namespace {

constexpr std::size_t kSignalBlockRows = 16384;
constexpr std::int64_t kMostSignalRows = std::int64_t{1} << 20;
constexpr int kDensityCells = 110;  // each way

// Reads x and y of the rows of a span, in blocks: use(time, x, y).
void for_each_pair(const ResultReader& result, const RowSpan& span, const PlotQuantity& x, const PlotQuantity& y,
                   auto&& use) {
  std::vector<double> times(kSignalBlockRows), xs(kSignalBlockRows), ys(kSignalBlockRows);
  for (std::int64_t done = 0; done < span.count;) {
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(kSignalBlockRows, span.count - done));
    result.read_time(span.first + done, std::span(times).first(count));
    x.read(result, span.first + done, std::span(xs).first(count));
    y.read(result, span.first + done, std::span(ys).first(count));
    for (std::size_t i = 0; i < count; ++i) use(times[i], xs[i], ys[i]);
    done += static_cast<std::int64_t>(count);
  }
}

PlotAxis axis_of(const PlotQuantity& quantity, bool log) {
  return {plain_text(quantity.label()), quantity.si_unit(), quantity.asked_unit(), log};
}

// A time, or an expression of parameters that is one.
double period_of(const ResultReader& result, const std::string& text) {
  double period_s = 0;
  try {
    const Quantity time = parse_quantity(text);
    if (time.dimension == dimensions::kTime || time.dimension.is_dimensionless()) period_s = time.value;
  } catch (const ExpressionError&) {  // no number alone: an expression of parameters
    const PlotQuantity quantity = PlotQuantity::parse(result, "period = " + text);
    if (quantity.si_unit() == "s") quantity.read(result, 0, {&period_s, 1});
  }
  if (!(period_s > 0) || !std::isfinite(period_s))
    throw PlotError(fmt::format("--period '{}' is not a time greater than 0", plain_text(text)),
                    "write --period 20ms, or an expression of parameters such as 2*pi/omega");
  return period_s;
}

// The point at each multiple of the period from the first row on, on the straight line between two rows.
std::vector<PlotPoint> section_points(const ResultReader& result, const RowSpan& span, const PlotQuantity& x,
                                      const PlotQuantity& y, double period_s) {
  constexpr double kMostPeriods = 1e6;
  if ((span.to_s - span.from_s) / period_s > kMostPeriods)
    throw PlotError("--period is so short that the section would have more than a million points",
                    "give the period of the motion, or a part of the run by --from and --to");
  std::vector<PlotPoint> points;
  std::int64_t next = 0;
  double time_before = 0, x_before = 0, y_before = 0;
  const auto due = [&] { return span.from_s + static_cast<double>(next) * period_s; };
  for_each_pair(result, span, x, y, [&](double t, double x_now, double y_now) {
    const double rounding = 1e-9 * period_s;
    for (; due() <= t + rounding; ++next) {
      const double length = t - time_before, part = next == 0 || !(length > 0) ? 1 : (due() - time_before) / length;
      const PlotPoint point{x_before + part * (x_now - x_before), y_before + part * (y_now - y_before)};
      if (std::isfinite(point.x) && std::isfinite(point.y))
        points.push_back(next == 0 ? PlotPoint{x_now, y_now} : point);
    }
    time_before = t, x_before = x_now, y_before = y_now;
  });
  return points;
}

}  // namespace

PlotPanel PlotPanels::spectrum(const std::string& text) const {
  PlotPanel panel;
  panel.x = {"frequency", "Hz", {}, request_.log_x};
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const ResultReader& result = runs_[run].result;
    const RowSpan& span = spans_[run];
    if (span.count > kMostSignalRows)
      throw PlotError(fmt::format("a spectrum of {} rows is too long for one transform", span.count),
                      fmt::format("take a part by --from and --to, of {} rows at most", kMostSignalRows));
    const PlotQuantity y = PlotQuantity::parse(result, text);
    std::vector<double> times, values;
    for_each_pair(result, span, PlotQuantity::time(), y, [&](double t, double, double value) {
      if (!std::isfinite(value) || (!times.empty() && !(t > times.back()))) return;
      times.push_back(t);
      values.push_back(value);
    });
    const std::vector<SpectrumPeak> lines = amplitude_spectrum(times, values);
    if (lines.empty())
      throw PlotError(fmt::format("{} has too few rows for a spectrum", plain_text(text)), "record more rows");
    panel.y = {plain_text(y.label()) + ", amplitude", y.si_unit(), y.asked_unit(), request_.log_y};
    PlotCurve curve;
    curve.name = shortened(plain_text(runs_[run].label), 48);
    for (const SpectrumPeak& line : lines) curve.points.push_back({line.frequency_Hz, line.amplitude});
    curve.look = static_cast<int>(run);
    panel.title = fmt::format("Hann window of {:.3g} s, lines {:.3g} Hz apart", times.back() - times.front(),
                              lines.front().frequency_Hz);
    panel.curves.push_back(std::move(curve));
    const double highest = std::max(panel.x_range.value_or(ValueRange{}).high, highest_worth_showing(lines));
    if (!request_.log_x) panel.x_range = ValueRange{0, highest};
  }
  return panel;
}

PlotPanel PlotPanels::section(const std::string& x_text, const std::string& y_text) const {
  PlotPanel panel;
  panel.shape = PlotPanel::Shape::kSquare;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const ResultReader& result = runs_[run].result;
    const double period_s = period_of(result, request_.period);
    const PlotQuantity x = PlotQuantity::parse(result, x_text), y = PlotQuantity::parse(result, y_text);
    panel.x = axis_of(x, request_.log_x);
    panel.y = axis_of(y, request_.log_y);
    PlotCurve curve;
    curve.name = shortened(plain_text(runs_[run].label), 48);
    curve.points = section_points(result, spans_[run], x, y, period_s);
    curve.mark = Mark::kPoint;
    curve.look = static_cast<int>(run);
    const std::size_t count = curve.points.size();
    panel.title = fmt::format("{} point{}, one every {:.4g} s", count, count == 1 ? "" : "s", period_s);
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

// How long the motion is in each cell of a grid over the plane, from one row to the next along a straight line.
PlotPanel PlotPanels::density(const std::string& x_text, const std::string& y_text) const {
  if (runs_.size() > 1) throw PlotError("--density shows one run at a time", "draw a picture of each run");
  const ResultReader& result = runs_.front().result;
  const RowSpan& span = spans_.front();
  const PlotQuantity x = PlotQuantity::parse(result, x_text), y = PlotQuantity::parse(result, y_text);
  PlotPanel panel;
  panel.shape = PlotPanel::Shape::kSquare;
  panel.x = axis_of(x, false);
  panel.y = axis_of(y, false);
  ValueRange xs{INFINITY, -INFINITY}, ys = xs;
  for_each_pair(result, span, x, y, [&](double, double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return;
    xs = {std::min(xs.low, a), std::max(xs.high, a)};
    ys = {std::min(ys.low, b), std::max(ys.high, b)};
  });
  if (!(xs.high > xs.low) || !(ys.high > ys.low))
    throw PlotError("a density needs two quantities that change", "--phase shows a motion along a line");
  const double width = (xs.high - xs.low) / kDensityCells, height = (ys.high - ys.low) / kDensityCells;
  std::map<std::pair<int, int>, double> seconds;
  double time_before = 0, x_before = 0, y_before = 0;
  bool is_first = true;
  for_each_pair(result, span, x, y, [&](double t, double a, double b) {
    const double cells = std::max(std::abs(a - x_before) / width, std::abs(b - y_before) / height);
    if (!std::exchange(is_first, false) && std::isfinite(cells) && t > time_before) {
      const int pieces = 1 + static_cast<int>(2 * std::min(cells, 2.0 * kDensityCells));
      for (int i = 0; i < pieces; ++i) {
        const double part = (i + 0.5) / pieces;
        const int column = static_cast<int>((x_before + part * (a - x_before) - xs.low) / width);
        const int row = static_cast<int>((y_before + part * (b - y_before) - ys.low) / height);
        seconds[{std::min(column, kDensityCells - 1), std::min(row, kDensityCells - 1)}] += (t - time_before) / pieces;
      }
    }
    time_before = t, x_before = a, y_before = b;
  });
  double most = 0;
  for (const auto& [cell, time_s] : seconds) most = std::max(most, time_s);
  constexpr double kDecades = 2.5;  // from the lightest to the darkest shade
  for (const auto& [cell, time_s] : seconds) {
    const double shade = 1 + std::log10(time_s / most) / kDecades;
    const double left = xs.low + cell.first * width, low = ys.low + cell.second * height;
    panel.cells.push_back({left, left + width, low, low + height, plot_density_colour(shade)});
  }
  const double margin_x = 0.04 * (xs.high - xs.low), margin_y = 0.04 * (ys.high - ys.low);
  panel.x_range = ValueRange{xs.low - margin_x, xs.high + margin_x};
  panel.y_range = ValueRange{ys.low - margin_y, ys.high + margin_y};
  panel.title = "darker: longer there, by powers of ten";
  return panel;
}

}  // namespace freeplay::report
