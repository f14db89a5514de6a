#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "freeplay/core/error.h"
#include "freeplay/report/channel_roles.h"
#include "freeplay/report/plot_error.h"
#include "freeplay/report/plot_panels.h"
#include "freeplay/report/plot_text.h"

namespace freeplay {

namespace {

constexpr int kBarColumns = 500;            // about a pixel each: a contact of one step is still seen
constexpr std::size_t kMostRows = 40;       // of bars
constexpr std::size_t kMostStemCurves = 6;  // more would not be told apart
constexpr std::size_t kMostImpacts = 20000;
constexpr std::size_t kMostNameCharacters = 32;

std::string shown(const std::string& name) {
  return shortened(plain_text(name), kMostNameCharacters);
}

// The element of a contact point's name: "guide" of "guide_1".
bool belongs_to(const std::string& contact, const std::string& element) {
  return element.empty() || contact == element || contact.starts_with(element + "_");
}

// A joint as the geometry of the result describes it.
struct JointFacts {
  std::string type, space;
  std::optional<double> clearance_m;
};

JointFacts joint_facts(const ResultReader& result, const std::string& name) {
  const nlohmann::json geometry = nlohmann::json::parse(result.geometry_json(), nullptr, false);
  std::vector<std::string> names;
  if (geometry.is_object() && geometry.contains("joints")) {
    for (const nlohmann::json& joint : geometry["joints"]) {
      const std::string known = joint.value("name", "");
      if (joint.value("model", "") != "ideal") names.push_back(known);
      if (known != name) continue;
      JointFacts facts{joint.value("type", ""), geometry.value("space", ""), std::nullopt};
      if (joint.value("model", "") == "ideal")
        throw PlotError(fmt::format("joint '{}' is ideal: it has no play to move in", name));
      if (joint.contains("clearance")) facts.clearance_m = joint["clearance"].get<double>();
      return facts;
    }
  }
  throw PlotError(fmt::format("there is no joint '{}' with play", plain_text(name)),
                  names.empty() ? "no joint of this model has play" : did_you_mean(name, names));
}

PlotCurve circle(double radius_m) {
  PlotCurve curve;
  constexpr int kPieces = 180;
  for (int i = 0; i <= kPieces; ++i) {
    const double angle = 2 * 3.14159265358979323846 * i / kPieces;
    curve.points.push_back({radius_m * std::cos(angle), radius_m * std::sin(angle)});
  }
  curve.is_frame = true;
  return curve;
}

// The strongest mode of each column of time.
class ModeColumns {
 public:
  ModeColumns(ValueRange time) : time_(time), columns_(kBarColumns, 0) {}
  void add(double from, double to, double mode) {
    if (!(mode >= 1)) return;
    const int first = column(from), last = std::max(first, column(to) - (to > from ? 1 : 0));
    for (int i = first; i <= last; ++i)
      columns_[static_cast<std::size_t>(i)] = std::max(columns_[static_cast<std::size_t>(i)], mode >= 2 ? 2 : 1);
  }
  bool is_open() const {
    return std::all_of(columns_.begin(), columns_.end(), [](int mode) { return mode == 0; });
  }
  void append_to(std::vector<PlotBar>& bars, int row) const {
    for (int i = 0; i < kBarColumns;) {
      int end = i + 1;
      const int mode = columns_[static_cast<std::size_t>(i)];
      while (end < kBarColumns && columns_[static_cast<std::size_t>(end)] == mode) ++end;
      if (mode > 0) bars.push_back({time_at(i), time_at(end), row, mode});
      i = end;
    }
  }

 private:
  int column(double time) const {
    const double part = (time - time_.low) / (time_.high - time_.low);
    return std::clamp(static_cast<int>(part * kBarColumns), 0, kBarColumns - 1);
  }
  double time_at(int column) const { return time_.low + (time_.high - time_.low) * column / kBarColumns; }

  ValueRange time_;
  std::vector<int> columns_;
};

}  // namespace

std::vector<PointChannel> point_channels(const ResultReader& result, const std::string& quantity,
                                         const std::string& element) {
  std::vector<PointChannel> all;
  std::set<std::string> elements;
  for (const ChannelInfo& channel : result.channels()) {
    const std::size_t dot = channel.name.rfind('.');
    if (dot == std::string::npos) continue;
    const std::string rest = channel.name.substr(dot + 1);
    if (rest != quantity && !rest.starts_with(quantity + "_")) continue;
    PointChannel point{channel.name, channel.name.substr(0, dot),
                       rest == quantity ? "" : rest.substr(quantity.size() + 1)};
    elements.insert(point.element);
    if (element.empty() || point.element == element) all.push_back(std::move(point));
  }
  if (!all.empty()) return all;
  if (elements.empty()) {
    throw PlotError(fmt::format("{} has no channel of the kind {}", result.path().string(), quantity),
                    "the model has no contacts, or its `record:` leaves them out");
  }
  throw PlotError(fmt::format("there is no joint or contact '{}' with a channel {}", plain_text(element), quantity),
                  did_you_mean(element, {elements.begin(), elements.end()}));
}

std::vector<PlotPanel> PlotPanels::orbit(const std::string& joint) const {
  const JointFacts facts = joint_facts(runs_.front().result, joint);
  if (facts.type == "prismatic") return {gaps(joint)};
  std::vector<std::pair<std::string, std::string>> planes = {{"x", "y"}};
  if (facts.type == "spherical" && facts.space == "spatial") planes.push_back({"x", "z"});
  std::vector<PlotPanel> panels;
  for (const auto& [x, y] : planes) {
    PlotPanel panel = phase(joint + ".eccentricity_" + x, joint + ".eccentricity_" + y);
    panel.equal_axes = true;
    std::set<double> radii;
    for (const PlotRun& run : runs_) {
      if (const auto clearance = joint_facts(run.result, joint).clearance_m) radii.insert(*clearance);
    }
    if (!radii.empty()) {
      const double room = 1.12 * *radii.rbegin();
      panel.x_range = panel.y_range = ValueRange{-room, room};
    }
    for (const double radius : radii) panel.curves.insert(panel.curves.begin(), circle(radius));
    panels.push_back(std::move(panel));
  }
  return panels;
}

PlotPanel PlotPanels::gaps(const std::string& element) const {
  std::vector<std::string> names;
  const std::vector<PointChannel> points = point_channels(runs_.front().result, "gap", element);
  for (const PointChannel& point : points) names.push_back(point.channel);
  constexpr std::size_t kMostGaps = 12;
  if (names.size() > kMostGaps) names.resize(kMostGaps);
  PlotPanel panel = history(names);
  panel.y.name = plain_text(element.empty() ? "gap" : element + ", gap");
  PlotCurve wall;
  wall.is_frame = true;
  wall.points = {{time_.low, 0}, {time_.high, 0}};
  if (!panel.y.log && request_.against.empty()) panel.curves.insert(panel.curves.begin(), std::move(wall));
  return panel;
}

PlotPanel PlotPanels::modes(const std::string& element) const {
  PlotPanel panel = time_panel();
  panel.x = {"time", "s", {}, false};
  panel.x_range = time_;
  std::size_t left_out = 0;
  bool sticks = false, is_smooth = false;
  constexpr std::size_t kBlockRows = 16384;
  std::vector<double> times(kBlockRows), values(kBlockRows);
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const ResultReader& result = runs_[run].result;
    const std::vector<PointChannel> points = point_channels(result, "mode", element);
    is_smooth = is_smooth || mode_meaning(result) == ModeMeaning::kContact;
    for (const PointChannel& point : points) {
      ModeColumns columns(time_);
      double before = spans_[run].from_s;
      for (std::int64_t done = 0; done < spans_[run].count;) {
        const auto count = static_cast<std::size_t>(std::min<std::int64_t>(kBlockRows, spans_[run].count - done));
        result.read_time(spans_[run].first + done, std::span(times).first(count));
        result.read_channel(point.channel, spans_[run].first + done, std::span(values).first(count));
        for (std::size_t i = 0; i < count; ++i) {
          columns.add(before, times[i], values[i]);
          before = times[i];
        }
        done += static_cast<std::int64_t>(count);
      }
      // Of many points only those that ever touched.
      if ((points.size() > 12 && columns.is_open()) || panel.rows.size() == kMostRows) {
        ++left_out;
        continue;
      }
      columns.append_to(panel.bars, static_cast<int>(panel.rows.size()));
      panel.rows.push_back(shown(runs_.size() == 1 ? point.name() : point.name() + ", " + runs_[run].label));
    }
  }
  if (panel.rows.empty()) panel.rows.push_back("no contact");
  for (const PlotBar& bar : panel.bars) sticks = sticks || bar.mode == 2;
  // Smooth integrators record 1 while a contact lasts; that says nothing about sliding.
  if (is_smooth && !sticks) panel.mode_names = {"in contact", "stick"};
  if (left_out > 0) panel.title = fmt::format("without {} that never touched or did not fit", left_out);
  return panel;
}

PlotPanel PlotPanels::impacts(const std::string& element) const {
  PlotPanel panel = time_panel();
  panel.y = {"impulse", "N s", {}, request_.log_y};
  std::set<std::string> known;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const ResultReader& result = runs_[run].result;
    const std::vector<std::string>& contacts = result.contacts();
    known.insert(contacts.begin(), contacts.end());
    const std::size_t names = static_cast<std::size_t>(std::count_if(
        contacts.begin(), contacts.end(), [&](const std::string& name) { return belongs_to(name, element); }));
    const bool apart = names <= kMostStemCurves && runs_.size() == 1;
    std::map<std::int32_t, std::vector<PlotPoint>> stems;  // by contact, or all under 0
    for (const ImpactRecord& impact : result.impacts()) {
      const bool is_known = impact.contact >= 0 && static_cast<std::size_t>(impact.contact) < contacts.size();
      if (!is_known || impact.time_s < spans_[run].from_s || impact.time_s > spans_[run].to_s) continue;
      if (belongs_to(contacts[static_cast<std::size_t>(impact.contact)], element))
        stems[apart ? impact.contact : 0].push_back({impact.time_s, impact.normal_impulse});
    }
    for (auto& [contact, points] : stems) {
      PlotCurve curve;
      if (points.size() > kMostImpacts) {  // the largest of each column: smaller ones stand behind it
        CurveEnvelope envelope = CurveEnvelope::by_x(time_.low, time_.high, kBarColumns);
        for (const PlotPoint& point : points) envelope.add(point);
        points = envelope.finish();
      }
      curve.name = shown(runs_.size() > 1     ? runs_[run].label
                         : apart && names > 1 ? contacts[static_cast<std::size_t>(contact)]
                                              : "");
      curve.points = std::move(points);
      curve.mark = Mark::kStem;
      curve.look = static_cast<int>(panel.curves.size());
      panel.curves.push_back(std::move(curve));
    }
  }
  const bool exists =
      std::any_of(known.begin(), known.end(), [&](const std::string& name) { return belongs_to(name, element); });
  if (!exists) {
    std::set<std::string> words = known;
    for (const PointChannel& point :
         known.empty() ? std::vector<PointChannel>() : point_channels(runs_.front().result, "gap", ""))
      words.insert(point.element);
    throw PlotError(
        known.empty() ? "the model has no contacts" : fmt::format("there is no contact '{}'", plain_text(element)),
        known.empty() ? "" : did_you_mean(element, {words.begin(), words.end()}));
  }
  if (!element.empty()) panel.y.name = plain_text(element) + ", impulse";
  return panel;
}

}  // namespace freeplay
