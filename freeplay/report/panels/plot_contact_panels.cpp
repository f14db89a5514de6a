#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "freeplay/core/error.h"
#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/panels/plot_panels.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/plot/plot_frames.h"
#include "freeplay/report/plot/plot_geometry.h"
#include "freeplay/report/plot/plot_joint_rows.h"
#include "freeplay/report/rows/channel_roles.h"

namespace freeplay::report {

namespace {

constexpr int kBarColumns = 500;       // about a pixel each: a contact of one step is still seen
constexpr std::size_t kMostRows = 40;  // of bars
constexpr std::size_t kMostNameCharacters = 32;
constexpr std::int64_t kExactEndRows = 20000;
constexpr int kEndPieces = 4000;  // of the path of an end of a sleeve

std::string shown(const std::string& name) {
  return shortened(plain_text(name), kMostNameCharacters);
}

const PlotJoint* find_joint(const PlotGeometry& geometry, const std::string& name) {
  const auto found = std::find_if(geometry.joints.begin(), geometry.joints.end(),
                                  [&](const PlotJoint& joint) { return joint.name == name; });
  return found == geometry.joints.end() ? nullptr : &*found;
}

// The joint in the play of which something could move, as the first run with such a joint describes it.
struct JointFacts {
  std::string type, space;
  std::set<double> clearances_m;  // of all runs
};

JointFacts joint_facts(const std::vector<PlotRun>& runs, const std::string& name) {
  std::optional<JointFacts> facts;
  std::vector<std::string> names;
  bool is_ideal = false;
  for (const PlotRun& run : runs) {
    const PlotGeometry geometry = plot_geometry(run.result);
    for (const PlotJoint& joint : geometry.joints) {
      if (joint.model != "ideal") names.push_back(joint.name);
    }
    const PlotJoint* joint = find_joint(geometry, name);
    if (joint == nullptr) continue;
    if (joint->model == "ideal") {
      is_ideal = true;
      continue;
    }
    if (!facts) facts = JointFacts{joint->type, geometry.space, {}};
    if (joint->clearance_m && *joint->clearance_m > 0) facts->clearances_m.insert(*joint->clearance_m);
  }
  if (facts) return *facts;
  if (is_ideal) throw NotInRun(fmt::format("joint '{}' is ideal: it has no play to move in", plain_text(name)));
  throw NotInRun(fmt::format("there is no joint '{}' with play", plain_text(name)),
                 names.empty() ? "no joint of this model has play" : did_you_mean(name, names));
}

// The strongest mode of each column of time.
class ModeColumns {
 public:
  explicit ModeColumns(ValueRange time) : time_(time), columns_(kBarColumns, 0) {}
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
    if (!(time_.high > time_.low)) return 0;  // a single row
    const double part = (time - time_.low) / (time_.high - time_.low);
    return std::clamp(static_cast<int>(part * kBarColumns), 0, kBarColumns - 1);
  }
  double time_at(int column) const { return time_.low + (time_.high - time_.low) * column / kBarColumns; }

  ValueRange time_;
  std::vector<int> columns_;
};

}  // namespace

std::vector<std::vector<PointChannel>> point_channels(const std::vector<PlotRun>& runs, const std::string& quantity,
                                                      const std::string& element) {
  std::vector<std::vector<PointChannel>> all(runs.size());
  std::set<std::string> elements;
  bool any = false;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const ChannelInfo& channel : runs[run].result.channels()) {
      const std::size_t dot = channel.name.rfind('.');
      if (dot == std::string::npos) continue;
      const std::string rest = channel.name.substr(dot + 1);
      if (rest != quantity && !rest.starts_with(quantity + "_")) continue;
      PointChannel point{channel.name, channel.name.substr(0, dot),
                         rest == quantity ? "" : rest.substr(quantity.size() + 1)};
      elements.insert(point.element);
      if (!element.empty() && point.element != element) continue;
      all[run].push_back(std::move(point));
      any = true;
    }
  }
  if (any) return all;
  if (elements.empty()) {
    throw NotInRun(fmt::format("{} has no channel of the kind {}", runs.front().result.path().string(), quantity),
                   "the model has no contacts, or its `record:` leaves them out");
  }
  throw NotInRun(fmt::format("there is no joint or contact '{}' with a channel {}", plain_text(element), quantity),
                 did_you_mean(element, {elements.begin(), elements.end()}));
}

std::vector<PlotPanel> PlotPanels::orbit(const std::string& joint) const {
  const JointFacts facts = joint_facts(runs_, joint);
  if (!has_round_play(facts.type)) return {gaps(joint)};
  std::vector<std::pair<std::string, std::string>> planes = {{"x", "y"}};
  if (facts.type == "spherical" && facts.space == "spatial") planes.emplace_back("x", "z");
  std::vector<PlotPanel> panels;
  for (const auto& [x, y] : planes) {
    const std::string x_name = fmt::format("{}.eccentricity_{}", joint, x);
    const std::string y_name = fmt::format("{}.eccentricity_{}", joint, y);
    const bool is_recorded = recorded({x_name, y_name}).size() == 2;
    PlotPanel panel = phase(x_name, y_name, is_recorded ? Lacking::kIsLeftOut : Lacking::kIsAMistake);
    if (facts.space == "spatial" && facts.type != "spherical") add_sleeve_ends(joint, panel);
    panel.equal_axes = true;
    panel.x.log = panel.y.log = false;  // the middle of a clearance is zero
    if (!facts.clearances_m.empty()) {
      // Both whole: the circle, and a journal that leaves it.
      double room = 1.12 * *facts.clearances_m.rbegin();
      for (const PlotCurve& curve : panel.curves) {
        for (const PlotPoint& point : curve.points) {
          if (!is_gap(point)) room = std::max({room, 1.05 * std::abs(point.x), 1.05 * std::abs(point.y)});
        }
      }
      panel.x_range = panel.y_range = ValueRange{-room, room};
    }
    for (const double radius : facts.clearances_m) panel.curves.insert(panel.curves.begin(), frame_ring(radius));
    panels.push_back(std::move(panel));
  }
  return panels;
}

// In space a sleeve may tilt: its two ends touch, and its middle, which the eccentricity tells of, may stay in between.
void PlotPanels::add_sleeve_ends(const std::string& joint, PlotPanel& panel) const {
  std::vector<PlotCurve> ends;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const std::optional<JointRows> rows = JointRows::find(runs_[run].result, joint);
    if (!rows || !(rows->length_m() > 0)) return;
    std::array<CurveEnvelope, 2> curves = {CurveEnvelope::by_count(spans_[run].count, kEndPieces),
                                           CurveEnvelope::by_count(spans_[run].count, kEndPieces)};
    if (spans_[run].count <= kExactEndRows) curves = {CurveEnvelope::exact(), CurveEnvelope::exact()};
    rows->for_each(spans_[run], [&](const JointRow& row) {
      for (std::size_t end = 0; end < 2; ++end) {
        const double half = (end == 0 ? -0.5 : 0.5) * rows->length_m();
        const Vec3 place = row.parent.R.transpose() * (row.child.point({0, 0, half}) - row.parent.p);
        curves[end].add({place.x(), place.y()});
      }
    });
    for (std::size_t end = 0; end < 2; ++end) {
      const std::string name = fmt::format("end {}", end + 1);
      ends.push_back({runs_.size() == 1 ? name : shown(name + ", " + runs_[run].label), curves[end].finish(),
                      Mark::kLine, static_cast<int>(ends.size()), false});
    }
  }
  panel.curves = std::move(ends);
}

PlotPanel PlotPanels::gaps(const std::string& element) const {
  std::vector<std::string> names;
  for (const std::vector<PointChannel>& points : point_channels(runs_, "gap", element)) {
    for (const PointChannel& point : points) {
      if (std::find(names.begin(), names.end(), point.channel) == names.end()) names.push_back(point.channel);
    }
  }
  constexpr std::size_t kMostGaps = 12;
  if (names.size() > kMostGaps) names.resize(kMostGaps);
  PlotPanel panel = history(names, Lacking::kIsLeftOut);
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
  bool sticks = false, has_force_laws = false;
  constexpr std::size_t kBlockRows = 16384;
  std::vector<double> times(kBlockRows), values(kBlockRows);
  const std::vector<std::vector<PointChannel>> points_of_runs = point_channels(runs_, "mode", element);
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const ResultReader& result = runs_[run].result;
    const std::vector<PointChannel>& points = points_of_runs[run];
    has_force_laws = has_force_laws || mode_meaning(result) == ModeMeaning::kContact;
    for (const PointChannel& point : points) {
      ModeColumns columns(time_);
      double before = spans_[run].from_s, mode_before = 0;
      const bool holds_on = modes_hold_from_their_rows_on(result);
      if (holds_on && spans_[run].first > 0)
        result.read_channel(point.channel, spans_[run].first - 1, {&mode_before, 1});
      for (std::int64_t done = 0; done < spans_[run].count;) {
        const auto count = static_cast<std::size_t>(std::min<std::int64_t>(kBlockRows, spans_[run].count - done));
        result.read_time(spans_[run].first + done, std::span(times).first(count));
        result.read_channel(point.channel, spans_[run].first + done, std::span(values).first(count));
        for (std::size_t i = 0; i < count; ++i) {
          columns.add(before, times[i], holds_on ? mode_before : values[i]);
          before = times[i];
          mode_before = values[i];
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
  if (panel.rows.empty()) panel.rows.emplace_back("no contact");
  for (const PlotBar& bar : panel.bars) sticks = sticks || bar.mode == 2;
  // Integrators with force laws record 1 while a contact lasts; that says nothing about sliding.
  if (has_force_laws && !sticks) panel.mode_names = {"in contact", "stick"};
  if (left_out > 0) panel.title = fmt::format("without {} that never touched or did not fit", left_out);
  return panel;
}

}  // namespace freeplay::report
