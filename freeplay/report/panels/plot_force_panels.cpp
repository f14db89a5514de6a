// Forces of joints and blows of contacts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "freeplay/core/error.h"
#include "freeplay/report/findings/blows.h"
#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/panels/plot_panels.h"
#include "freeplay/report/plot/plot_error.h"

namespace freeplay::report {

namespace {

constexpr std::size_t kMostForces = 4;  // curves of a panel of all joints
constexpr std::size_t kMostBlowCurves = 6;
constexpr std::int64_t kExactForceRows = 20000;
constexpr int kForceColumns = 2000;
constexpr std::size_t kForceBlockRows = 16384;

// The components of the force of a joint or contact: NAME.force_x, NAME.force_y, in space NAME.force_z.
std::vector<std::string> components_of(const ResultReader& result, const std::string& element) {
  std::vector<std::string> names;
  for (const char* axis : {"x", "y", "z"}) {
    const std::string name = element + ".force_" + axis;
    const auto& channels = result.channels();
    if (std::any_of(channels.begin(), channels.end(), [&](const ChannelInfo& c) { return c.name == name; }))
      names.push_back(name);
  }
  return names.size() >= 2 ? names : std::vector<std::string>();
}

std::vector<std::string> elements_with_forces(const ResultReader& result) {
  std::vector<std::string> names;
  constexpr std::string_view kEnding = ".force_x";
  for (const ChannelInfo& channel : result.channels()) {
    if (!channel.name.ends_with(kEnding)) continue;
    const std::string element = channel.name.substr(0, channel.name.size() - kEnding.size());
    if (!components_of(result, element).empty()) names.push_back(element);
  }
  return names;
}

const PeakForce* peak_of(const ResultReader& result, const std::string& element) {
  if (!result.summary()) return nullptr;
  for (const PeakForce& peak : result.summary()->peak_forces) {
    if (peak.name == element && peak.unit == "N") return &peak;
  }
  return nullptr;
}

// Those with the largest peaks, in the order of the file.
std::vector<std::string> strongest(const ResultReader& result) {
  const std::vector<std::string> all = elements_with_forces(result);
  const auto size = [&](const std::string& name) {
    const PeakForce* peak = peak_of(result, name);
    return peak == nullptr ? 0 : peak->value;
  };
  std::vector<std::string> ranked = all, chosen;
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](const std::string& a, const std::string& b) { return size(a) > size(b); });
  if (ranked.size() > kMostForces) ranked.resize(kMostForces);
  for (const std::string& name : all) {
    if (std::find(ranked.begin(), ranked.end(), name) != ranked.end()) chosen.push_back(name);
  }
  return chosen;
}

// When rows show a mean force that has a blow in it. The impulse of a blow divided by the window is no force: such rows
// are left out, and the blows have a panel of their own.
class BlowShadows {
 public:
  BlowShadows(const ResultReader& result, const RowSpan& span) : window_s_(force_window_of(result)) {
    if (!(window_s_ > 0)) return;
    for (const ImpactRecord& impact : result.impacts()) times_.push_back(impact.time_s);
    std::sort(times_.begin(), times_.end());
    double covered = 0, reached = -INFINITY;
    for (const double t : times_) {
      if (t + window_s_ < span.from_s || t > span.to_s) continue;
      covered += t + window_s_ - std::max(t, reached);
      reached = t + window_s_;
    }
    // Where blows follow each other all the time, nothing would be left of the curve.
    constexpr double kMostOfTheTime = 0.5;
    if (covered > kMostOfTheTime * (span.to_s - span.from_s)) times_.clear();
  }
  bool any() const { return !times_.empty(); }
  double window_s() const { return window_s_; }
  bool covers(double t) const {
    const double rounding = 1e-9 * window_s_;
    const auto after = std::upper_bound(times_.begin(), times_.end(), t + rounding);
    return after != times_.begin() && t - *(after - 1) < window_s_ - rounding;
  }

 private:
  double window_s_ = 0;
  std::vector<double> times_;
};

std::vector<PlotPoint> force_curve(const ResultReader& result, const RowSpan& span, const std::string& element,
                                   const BlowShadows& shadows) {
  const std::vector<std::string> names = components_of(result, element);
  CurveEnvelope envelope = span.count <= kExactForceRows ? CurveEnvelope::exact()
                                                         : CurveEnvelope::by_x(span.from_s, span.to_s, kForceColumns);
  std::vector<double> times(kForceBlockRows), values(kForceBlockRows), squares(kForceBlockRows);
  for (std::int64_t done = 0; done < span.count;) {
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(kForceBlockRows, span.count - done));
    result.read_time(span.first + done, std::span(times).first(count));
    std::fill(squares.begin(), squares.end(), 0.0);
    for (const std::string& name : names) {
      result.read_channel(name, span.first + done, std::span(values).first(count));
      for (std::size_t i = 0; i < count; ++i) squares[i] += values[i] * values[i];
    }
    for (std::size_t i = 0; i < count; ++i)
      envelope.add(shadows.covers(times[i]) ? kCurveGap : PlotPoint{times[i], std::sqrt(squares[i])});
    done += static_cast<std::int64_t>(count);
  }
  return envelope.finish();
}

std::string quantity_text(double value, const char* si_unit) {
  const AxisUnit unit = choose_axis_unit(si_unit, std::abs(value));
  const double shown = value / unit.size;
  return std::abs(shown) >= 1000 ? fmt::format("{:.0f} {}", shown, unit.text)
                                 : fmt::format("{:.3g} {}", shown, unit.text);
}

// "peak 1.82 kN in guide: 146 mN s in 80 us"
std::string peak_title(const ResultReader& result, const std::vector<std::string>& elements) {
  const PeakForce* largest = nullptr;
  for (const std::string& element : elements) {
    const PeakForce* peak = peak_of(result, element);
    if (peak != nullptr && (largest == nullptr || peak->value > largest->value)) largest = peak;
  }
  if (largest == nullptr) return {};
  constexpr std::size_t kMostTitleName = 20;
  std::string title = fmt::format("peak {} in {}", quantity_text(largest->value, "N"),
                                  shortened(plain_text(largest->name), kMostTitleName));
  if (largest->window_s > 0)
    title += fmt::format(": {} in {}", quantity_text(largest->impulse(), "N s"), quantity_text(largest->window_s, "s"));
  return title;
}

// Whole powers of ten, so that two of them at least have a number.
void frame_decades(PlotPanel& panel) {
  ValueRange range{INFINITY, 0};
  for (const PlotCurve& curve : panel.curves) {
    for (const PlotPoint& point : curve.points) range = {std::min(range.low, point.y), std::max(range.high, point.y)};
  }
  if (!(range.low > 0) || !std::isfinite(range.high)) return;
  const double below = std::floor(std::log10(range.low) - 1e-9), above = std::ceil(std::log10(range.high));
  panel.y_range = ValueRange{std::pow(10.0, below), std::pow(10.0, std::max(above, below + 1))};
}

std::string blow_title(const PlotPanel& panel) {
  std::size_t count = 0;
  for (const PlotCurve& curve : panel.curves) count += curve.points.size();
  return fmt::format("{} blow{}", count, count == 1 ? "" : "s");
}

}  // namespace

PlotPanel PlotPanels::forces(const std::string& element) const {
  PlotPanel panel = time_panel();
  panel.y = {"force", "N", {}, request_.log_y};
  std::set<std::string> known;
  const bool is_alone = runs_.size() == 1;
  bool leaves_out = false;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const ResultReader& result = runs_[run].result;
    const BlowShadows shadows(result, spans_[run]);
    std::vector<std::string> elements = element.empty() ? strongest(result) : std::vector<std::string>{element};
    for (const std::string& name : elements_with_forces(result)) known.insert(name);
    std::erase_if(elements, [&](const std::string& name) { return components_of(result, name).empty(); });
    for (const std::string& name : elements) {
      PlotCurve curve;
      curve.name = shortened(plain_text(is_alone ? name : name + ", " + runs_[run].label), 48);
      curve.points = force_curve(result, spans_[run], name, shadows);
      curve.look = static_cast<int>(panel.curves.size());
      panel.curves.push_back(std::move(curve));
    }
    leaves_out = leaves_out || (shadows.any() && !elements.empty());
    if (is_alone) panel.title = peak_title(result, elements);
  }
  if (panel.curves.empty())
    throw NotInRun(element.empty() ? "the result holds no forces of joints"
                                   : fmt::format("there are no forces of '{}'", plain_text(element)),
                   known.empty() ? "the model's `record:` must name NAME.force_x and NAME.force_y, or be left out"
                                 : did_you_mean(element, {known.begin(), known.end()}));
  if (leaves_out) panel.y.name = "force between blows";
  return panel;
}

std::vector<PlotPanel> PlotPanels::blows(const std::string& element) const {
  std::map<std::string, PlotPanel> panels;  // by unit
  std::set<std::string> known;
  const bool is_alone = runs_.size() == 1;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const Blows blows = find_blows(runs_[run].result);
    known.insert(blows.elements.begin(), blows.elements.end());
    std::map<std::size_t, std::vector<PlotPoint>> stems;
    for (const Blow& blow : blows.all) {
      const bool is_meant = element.empty() || blows.elements[blow.element] == element;
      if (is_meant && blow.time_s >= spans_[run].from_s && blow.time_s <= spans_[run].to_s && blow.impulse > 0)
        stems[blow.element].push_back({blow.time_s, blow.impulse});
    }
    std::map<std::string, std::size_t> elements_in;
    for (const auto& [place, points] : stems) ++elements_in[blows.units[place]];
    for (auto& [place, points] : stems) {
      const std::string& unit = blows.units[place];
      PlotPanel& panel = panels.try_emplace(unit, time_panel()).first->second;
      panel.y = {unit == "N m s" ? "angular impulse of blows" : "impulse of blows", unit, {}, true};
      // Many elements share a curve: their colours could not be told apart.
      const bool is_apart = is_alone && elements_in[unit] <= kMostBlowCurves;
      const std::string name = !is_alone ? runs_[run].label : is_apart ? blows.elements[place] : "";
      if (!panel.curves.empty() && !is_apart && panel.curves.back().name == plain_text(name)) {
        std::vector<PlotPoint>& all = panel.curves.back().points;
        all.insert(all.end(), points.begin(), points.end());
        continue;
      }
      const int look = static_cast<int>(is_alone ? panel.curves.size() : run);
      panel.curves.push_back({shortened(plain_text(name), 32), std::move(points), Mark::kStem, look, false});
    }
  }
  if (panels.empty())
    throw NotInRun(element.empty() ? "the run has no impacts" : fmt::format("'{}' has no impacts", plain_text(element)),
                   known.empty() || element.empty() ? "" : did_you_mean(element, {known.begin(), known.end()}));
  std::vector<PlotPanel> list;
  if (is_alone) {
    for (auto& [unit, panel] : panels) panel.title = blow_title(panel);
  }
  for (auto& [unit, panel] : panels) {
    frame_decades(panel);
    list.push_back(std::move(panel));
  }
  return list;
}

}  // namespace freeplay::report
