#include "freeplay/report/panels/plot_panels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "freeplay/core/error.h"
#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/plot/plot_error.h"

namespace freeplay::report {

namespace {

// Up to this many rows nothing is left out.
constexpr std::int64_t kExactRows = 20000;
// More than the pixels of a figure of full width on paper.
constexpr int kPanelColumns = 2000;
constexpr std::size_t kPanelBlockRows = 16384;
constexpr std::size_t kMostPanelName = 64;

// What to call an axis whose curves have nothing else in common.
std::string word_for(std::string_view si_unit) {
  constexpr std::pair<std::string_view, const char*> kWords[] = {
      {"m", "length"}, {"m/s", "velocity"}, {"rad", "angle"}, {"rad/s", "angular velocity"},
      {"N", "force"},  {"N m", "moment"},   {"J", "energy"},  {"N s", "impulse"}};
  for (const auto& [unit, word] : kWords) {
    if (unit == si_unit) return word;
  }
  return {};
}

bool has_channel(const ResultReader& result, const std::string& name) {
  const auto& all = result.channels();
  return std::any_of(all.begin(), all.end(), [&](const ChannelInfo& channel) { return channel.name == name; });
}

}  // namespace

PlotPanels::PlotPanels(const PlotRequest& request, const std::vector<PlotRun>& runs) : request_(request), runs_(runs) {
  const double from = request.from_s.value_or(-INFINITY), to = request.to_s.value_or(INFINITY);
  if (!(from < to)) throw PlotError("--from must be before --to");
  time_ = {INFINITY, -INFINITY};
  for (const PlotRun& run : runs) {
    const RowSpan span = row_span(run.result, from, to);
    if (span.count == 0) {
      throw PlotError(fmt::format("{} has no rows{}", run.result.path().string(),
                                  request.from_s || request.to_s ? " between --from and --to" : ""),
                      "see freeplay info for its time span");
    }
    time_ = {std::min(time_.low, span.from_s), std::max(time_.high, span.to_s)};
    spans_.push_back(span);
  }
}

PlotPanel PlotPanels::time_panel() const {
  PlotPanel panel;
  panel.x = {"time", "s", {}, request_.log_x};
  if (!request_.log_x) panel.x_range = time_;
  return panel;
}

std::vector<PlotPoint> PlotPanels::read_curve(std::size_t run, const PlotQuantity& x, const PlotQuantity& y) const {
  const RowSpan& span = spans_[run];
  CurveEnvelope envelope = span.count <= kExactRows ? CurveEnvelope::exact()
                           : x.is_time()            ? CurveEnvelope::by_x(span.from_s, span.to_s, kPanelColumns)
                                                    : CurveEnvelope::by_count(span.count, 2 * kPanelColumns);
  std::vector<double> xs(kPanelBlockRows), ys(kPanelBlockRows);
  for (std::int64_t done = 0; done < span.count;) {
    const std::size_t count = static_cast<std::size_t>(std::min<std::int64_t>(kPanelBlockRows, span.count - done));
    x.read(runs_[run].result, span.first + done, std::span(xs).first(count));
    y.read(runs_[run].result, span.first + done, std::span(ys).first(count));
    for (std::size_t i = 0; i < count; ++i) envelope.add({xs[i], ys[i]});
    done += static_cast<std::int64_t>(count);
  }
  return envelope.finish();
}

PlotPanel PlotPanels::history(const std::vector<std::string>& quantities, Lacking lacking) const {
  PlotPanel panel = time_panel();
  panel.y.log = request_.log_y;
  std::vector<std::string> labels;
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    const std::string& text = quantities[q];
    bool is_named = false;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      const ResultReader& result = runs_[run].result;
      if (lacking == Lacking::kIsLeftOut && !has_channel(result, text)) continue;
      const PlotQuantity y = PlotQuantity::parse(result, text);
      const PlotQuantity x =
          request_.against.empty() ? PlotQuantity::time() : PlotQuantity::parse(result, request_.against);
      if (!x.is_time()) {
        panel.x = {x.label(), x.si_unit(), x.asked_unit(), request_.log_x};
        panel.x_range.reset();
      }
      if (panel.curves.empty()) panel.y.si_unit = y.si_unit(), panel.y.asked_unit = y.asked_unit();
      PlotCurve curve;
      curve.name = runs_.size() == 1        ? y.label()
                   : quantities.size() == 1 ? runs_[run].label
                                            : y.label() + ", " + runs_[run].label;
      curve.name = shortened(plain_text(curve.name), kMostPanelName);
      curve.points = read_curve(run, x, y);
      // Row 0 comes before the first step and has nothing to say about steps.
      if (text.starts_with("step.") && spans_[run].first == 0 && curve.points.size() > 1)
        curve.points.erase(curve.points.begin());
      curve.look = static_cast<int>(q * runs_.size() + run);  // of a run the same in every panel
      panel.curves.push_back(std::move(curve));
      if (!std::exchange(is_named, true)) labels.push_back(y.label());
    }
  }
  panel.y.name = plain_text(labels.size() == 1 ? labels.front() : common_name(labels));
  if (panel.y.name.empty()) panel.y.name = word_for(panel.y.si_unit);
  if (panel.curves.size() == 1 && runs_.size() == 1) panel.curves.front().name.clear();
  // Over another channel all panels share the range of that channel.
  if (!request_.against.empty() && !request_.log_x) {
    ValueRange range{INFINITY, -INFINITY};
    for (const PlotCurve& curve : panel.curves) {
      for (const PlotPoint& point : curve.points) {
        if (!is_gap(point)) range = {std::min(range.low, point.x), std::max(range.high, point.x)};
      }
    }
    if (range.low < range.high) panel.x_range = range;
  }
  return panel;
}

std::vector<PlotPanel> PlotPanels::histories(const std::vector<std::string>& quantities, Lacking lacking) const {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // key: what must not share an axis
  for (const std::string& text : quantities) {
    const auto has =
        std::find_if(runs_.begin(), runs_.end(), [&](const PlotRun& run) { return has_channel(run.result, text); });
    const bool is_elsewhere = lacking == Lacking::kIsLeftOut && has != runs_.end();
    const PlotQuantity quantity = PlotQuantity::parse(is_elsewhere ? has->result : runs_.front().result, text);
    const std::string key = request_.panels == PlotRequest::Panels::kPerChannel ? text
                            : quantity.asked_unit()                             ? quantity.asked_unit()->text
                                                                                : quantity.si_unit();
    const auto known =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == key; });
    if (known == groups.end())
      groups.push_back({key, {text}});
    else
      known->second.push_back(text);
  }
  std::vector<PlotPanel> panels;
  for (const auto& [key, members] : groups) panels.push_back(history(members, lacking));
  return panels;
}

PlotPanel PlotPanels::phase(const std::string& x_text, const std::string& y_text, Lacking lacking) const {
  PlotPanel panel;
  panel.shape = PlotPanel::Shape::kSquare;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const bool has_both = has_channel(runs_[run].result, x_text) && has_channel(runs_[run].result, y_text);
    if (lacking == Lacking::kIsLeftOut && !has_both) continue;
    const PlotQuantity x = PlotQuantity::parse(runs_[run].result, x_text),
                       y = PlotQuantity::parse(runs_[run].result, y_text);
    panel.x = {plain_text(x.label()), x.si_unit(), x.asked_unit(), request_.log_x};
    panel.y = {plain_text(y.label()), y.si_unit(), y.asked_unit(), request_.log_y};
    panel.curves.push_back({shortened(plain_text(runs_[run].label), kMostPanelName), read_curve(run, x, y), Mark::kLine,
                            static_cast<int>(run), false});
    // A path in space is shown in its true shape, unless it is a thin line then.
    panel.equal_axes = x.si_unit() == "m" && y.si_unit() == "m" && !request_.log_x && !request_.log_y;
  }
  if (panel.equal_axes) {
    ValueRange xs{INFINITY, -INFINITY}, ys = xs;
    for (const PlotCurve& curve : panel.curves) {
      for (const PlotPoint& point : curve.points) {
        if (is_gap(point)) continue;
        xs = {std::min(xs.low, point.x), std::max(xs.high, point.x)};
        ys = {std::min(ys.low, point.y), std::max(ys.high, point.y)};
      }
    }
    constexpr double kThin = 8;
    const double width = xs.high - xs.low, height = ys.high - ys.low;
    panel.equal_axes = width < kThin * height && height < kThin * width;
  }
  return panel;
}

// Those that some run has.
std::vector<std::string> PlotPanels::recorded(const std::vector<std::string>& channels) const {
  std::vector<std::string> known;
  for (const std::string& name : channels) {
    if (std::any_of(runs_.begin(), runs_.end(), [&](const PlotRun& run) { return has_channel(run.result, name); }))
      known.push_back(name);
  }
  return known;
}

// Those that are not zero all the time in every run.
std::vector<std::string> PlotPanels::moving(const std::vector<std::string>& channels) const {
  std::vector<std::string> rest;
  for (const std::string& name : recorded(channels)) {
    bool moves = false;
    for (std::size_t run = 0; run < runs_.size() && !moves; ++run) {
      if (!has_channel(runs_[run].result, name)) continue;
      const auto points = read_curve(run, PlotQuantity::time(), PlotQuantity::parse(runs_[run].result, name));
      moves = std::any_of(points.begin(), points.end(), [](const PlotPoint& p) { return !is_gap(p) && p.y != 0; });
    }
    if (moves) rest.push_back(name);
  }
  return rest;
}

std::vector<PlotPanel> PlotPanels::energy() const {
  std::vector<PlotPanel> panels;
  const std::vector<std::string> states = moving({"energy.kinetic", "energy.potential", "energy.total"});
  const std::vector<std::string> account =
      moving({"energy.input", "energy.impact_loss", "energy.friction_loss", "energy.damping_loss"});
  if (!states.empty()) panels.push_back(history(states, Lacking::kIsLeftOut));
  if (!account.empty()) panels.push_back(history(account, Lacking::kIsLeftOut));
  for (const std::string& drift : recorded({"energy.drift"})) panels.push_back(history({drift}, Lacking::kIsLeftOut));
  if (panels.empty()) {
    throw NotInRun("the result holds no channel energy.*", "the model's `record:` must name them, or be left out");
  }
  return panels;
}

PlotPanel PlotPanels::energy_overview() const {
  return history(moving({"energy.kinetic", "energy.potential", "energy.total", "energy.input", "energy.impact_loss",
                         "energy.friction_loss", "energy.damping_loss"}),
                 Lacking::kIsLeftOut);
}

std::vector<PlotPanel> PlotPanels::steps() const {
  std::vector<PlotPanel> panels;
  for (const std::string& name :
       recorded({"step.size", "step.residual", "step.iterations", "step.equation_residual"})) {
    PlotPanel panel = history({name}, Lacking::kIsLeftOut);
    ValueRange range{INFINITY, 0};  // of what is positive
    for (PlotCurve& curve : panel.curves) {
      curve.mark = name == "step.size" ? Mark::kLine : Mark::kPoint;
      for (const PlotPoint& point : curve.points) {
        if (!is_gap(point) && point.y > 0) range = {std::min(range.low, point.y), std::max(range.high, point.y)};
      }
    }
    // Sizes over several powers of ten, and residuals always.
    panel.y.log =
        range.high > 0 && (name.ends_with("residual") || (name == "step.size" && range.high > 50 * range.low));
    // Only some integrators measure it; the others record nan.
    if (name == "step.equation_residual" && !(range.high > 0)) continue;
    panels.push_back(std::move(panel));
  }
  if (panels.empty()) {
    throw NotInRun("the result holds no channel step.*", "the model's `record:` must name them, or be left out");
  }
  return panels;
}

std::string common_name(const std::vector<std::string>& channels) {
  const auto all_have = [&](auto part) {
    return std::all_of(channels.begin(), channels.end(),
                       [&](const std::string& name) { return part(name) == part(channels.front()); });
  };
  const auto suffix = [](const std::string& name) { return name.substr(std::min(name.size(), name.rfind('.') + 1)); };
  const auto prefix = [](const std::string& name) { return name.substr(0, name.rfind('.')); };
  if (std::any_of(channels.begin(), channels.end(), [](const std::string& name) {
        return name.find('.') == std::string::npos || name.find_first_of("()+*/ ") != std::string::npos;
      }))
    return {};
  if (all_have(suffix)) return suffix(channels.front());
  if (all_have(prefix)) return prefix(channels.front());
  return {};
}

}  // namespace freeplay::report
