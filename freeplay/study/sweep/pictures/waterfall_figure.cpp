// A waterfall as cells of a plane: the parameter across, frequencies up, colours for amplitudes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/report/gnuplot/plot_colours.h"
#include "freeplay/study/sweep/pictures/waterfall.h"

namespace freeplay::study {

namespace {

constexpr double kWaterfallShades = 20;

// Halfway to the neighbours; on a logarithmic axis halfway between the logarithms.
std::pair<double, double> strip_around(const std::vector<double>& values, std::size_t i, bool log) {
  const auto to = [&](double v) { return log ? std::log(v) : v; };
  const auto from = [&](double v) { return log ? std::exp(v) : v; };
  const double here = to(values[i]);
  const double below = i > 0 ? (here - to(values[i - 1])) / 2 : 0;
  const double above = i + 1 < values.size() ? (to(values[i + 1]) - here) / 2 : 0;
  const double alone = below == 0 && above == 0 ? (log ? 0.5 : std::max(std::abs(here), 1e-300) / 2) : 0;
  return {from(here - (below > 0 ? below : above + alone)), from(here + (above > 0 ? above : below + alone))};
}

double shade_of(double level, double largest) {
  if (!(level > 0) || !(largest > 0)) return 0;
  const double part = std::clamp(1 + std::log10(level / largest) / kWaterfallDecades, 0.0, 1.0);
  return std::round(kWaterfallShades * part) / kWaterfallShades;
}

PlotPanel waterfall_panel(const Waterfall& waterfall, bool log_x) {
  const bool log = log_x && !waterfall.values.empty() && waterfall.values.front() > 0;
  PlotPanel panel;
  panel.x = {waterfall.parameter.name, waterfall.parameter.unit, {}, log};
  panel.y = {"frequency", "Hz", {}, false};
  for (std::size_t i = 0; i < waterfall.values.size(); ++i) {
    const auto [left, right] = strip_around(waterfall.values, i, log);
    for (std::size_t k = 0; k < waterfall.bands;) {
      const double shade = shade_of(waterfall.levels[i][k], waterfall.largest);
      std::size_t end = k + 1;  // bands of one colour are one cell: pictures stay small
      while (end < waterfall.bands && shade_of(waterfall.levels[i][end], waterfall.largest) == shade) ++end;
      const double low = (static_cast<double>(k) + 0.5) * waterfall.band_Hz;
      const double high = (static_cast<double>(end) + 0.5) * waterfall.band_Hz;
      panel.cells.push_back({left, right, low, high, plot_colour(shade)});
      k = end;
    }
  }
  panel.x_range = ValueRange{strip_around(waterfall.values, 0, log).first,
                             strip_around(waterfall.values, waterfall.values.size() - 1, log).second};
  panel.y_range = ValueRange{0.5 * waterfall.band_Hz, (static_cast<double>(waterfall.bands) + 0.5) * waterfall.band_Hz};
  panel.colour_key =
      PlotColourKey{waterfall.largest * std::pow(10, -kWaterfallDecades), waterfall.largest, waterfall.unit};
  panel.title = fmt::format("{}, Hann window of {:.3g} s, by powers of ten{}", waterfall.channel, waterfall.window_s,
                            waterfall.slice.empty() ? "" : "; " + waterfall.slice);
  return panel;
}

}  // namespace

PlotFigure waterfall_figure(const SweepTable& table, const std::vector<Waterfall>& waterfalls, bool log_x,
                            const std::string& title) {
  PlotFigure figure;
  const auto model = table.header.attributes.find("name");
  figure.title = !title.empty() ? title : model == table.header.attributes.end() ? "" : model->second;
  std::size_t runs = 0, left_out = 0;
  for (const Waterfall& waterfall : waterfalls) {
    runs = std::max(runs, waterfall.runs.size());
    left_out = std::max(left_out, waterfall.left_out);
    figure.panels.push_back(waterfall_panel(waterfall, log_x));
  }
  figure.subtitle = fmt::format("spectra of {} runs", runs);
  if (left_out > 0) figure.subtitle += fmt::format("; {} have none", left_out);
  return figure;
}

}  // namespace freeplay::study
