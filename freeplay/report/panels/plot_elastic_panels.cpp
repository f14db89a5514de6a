// Panels of elastic bodies: the bent axis at some moments.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "freeplay/core/error.h"
#include "freeplay/report/draw/bent_beam.h"
#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/panels/plot_panels.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/plot/plot_geometry.h"
#include "freeplay/report/rows/row_choice.h"
#include "freeplay/report/view/view_header.h"

namespace freeplay::report {

namespace {

constexpr const char* kPlaneLetters = "xyz";

std::vector<DrawnBeam> beams_of(const ResultReader& result, const std::vector<ChannelInfo>& channels) {
  try {
    return find_beams(geometry_of(result), channels);
  } catch (const nlohmann::json::exception&) {
    throw IoError(fmt::format("cannot read {}: its bodies are not as freeplay writes them", result.path().string()));
  }
}

// An elastic body of one run at some moments.
class BeamMoments {
 public:
  BeamMoments(const ResultReader& result, const std::string& body, const RowSpan& span, int moments)
      : channels_(all_channels(result)),
        is_planar_(plot_geometry(result).space == "planar"),
        beam_(find(result, body)),
        values_(result, channels_, rows_of(result, span, moments)) {
    if (beam_.channels.empty())
      throw NotInRun(fmt::format("{} has no modal coordinates of '{}'", result.path().string(), body),
                     "run the model again: they are recorded unless `record` says `motion: false`");
    need_modes(values_, beam_);
    const std::vector<PoseChannels> poses = find_poses(channels_);
    const auto pose = std::find_if(poses.begin(), poses.end(), [&](const PoseChannels& p) { return p.body == body; });
    if (pose == poses.end()) return;
    pose_ = *pose;
    need_pose(values_, *pose_);
  }

  const BentBeam& beam() const { return beam_.beam; }
  bool is_planar() const { return is_planar_; }
  std::size_t count() const { return values_.frames(); }
  // The time, all of them in one unit.
  std::string name(std::size_t moment) const {
    const AxisUnit unit = choose_axis_unit("s", values_.time(values_.frames() - 1));
    return fmt::format("{:.4g} {}", values_.time(moment) / unit.size, unit.text);
  }
  std::vector<double> modal(std::size_t moment) const { return beam_.modal(values_, moment); }
  std::optional<Frame> pose(std::size_t moment) const {
    return pose_ ? pose_at(values_, *pose_, moment) : std::nullopt;
  }

 private:
  DrawnBeam find(const ResultReader& result, const std::string& body) const {
    for (DrawnBeam& beam : beams_of(result, channels_)) {
      if (beam.body == body) return std::move(beam);
    }
    throw NotInRun(fmt::format("{} has no elastic body '{}'", result.path().string(), body),
                   "name a body whose model has a block `elastic`");
  }
  static std::vector<std::int64_t> rows_of(const ResultReader& result, const RowSpan& span, int moments) {
    std::vector<double> times;
    for (int i = 0; i < moments; ++i)
      times.push_back(span.from_s + (span.to_s - span.from_s) * i / std::max(1, moments - 1));
    std::vector<std::int64_t> rows = rows_at(result, {span.first, span.count}, times);
    for (std::int64_t& row : rows) row = std::min(row, span.first + span.count - 1);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }

  std::vector<ChannelInfo> channels_;
  bool is_planar_;
  DrawnBeam beam_;
  FrameValues values_;
  std::optional<PoseChannels> pose_;
};

// Of a section that rests at `rest`. It is turned about z, y and x, so that the last row of R has its twist.
double displacement_along(BeamMode::Direction direction, const Frame& section, const Vec3& rest) {
  switch (direction) {
    case BeamMode::Direction::kX:
      return section.p.x() - rest.x();
    case BeamMode::Direction::kY:
      return section.p.y() - rest.y();
    case BeamMode::Direction::kZ:
      return section.p.z() - rest.z();
    case BeamMode::Direction::kTwist:
      return std::atan2(section.R(2, 1), section.R(2, 2));
  }
  return 0;
}

// "beam", and which run where there are several.
std::string panel_title(const std::string& body, const PlotRun& run, bool is_alone) {
  return shortened(plain_text(is_alone || run.label.empty() ? body : body + ", " + run.label), 60);
}

}  // namespace

std::optional<std::string> first_bent_body(const ResultReader& result) {
  for (const DrawnBeam& beam : beams_of(result, all_channels(result))) {
    if (!beam.channels.empty() && beam.beam.is_axis()) return beam.body;
  }
  return std::nullopt;
}

std::vector<PlotPanel> PlotPanels::bend(const std::string& body) const {
  using Direction = BeamMode::Direction;
  constexpr std::pair<Direction, const char*> kDirections[] = {{Direction::kY, "deflection along y"},
                                                               {Direction::kZ, "deflection along z"},
                                                               {Direction::kX, "shift along x"},
                                                               {Direction::kTwist, "twist"}};
  std::vector<PlotPanel> panels;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const BeamMoments moments(runs_[run].result, body, spans_[run], request_.moments);
    if (!moments.beam().is_axis())
      throw NotInRun(fmt::format("the nodes of '{}' lie on no line along x: there is no axis that could bend", body),
                     "ask for --snapshots, which shows where they are");
    for (const auto& [direction, name] : kDirections) {
      if (!moments.beam().has(direction)) continue;
      PlotPanel panel;
      panel.title = panel_title(body, runs_[run], runs_.size() == 1);
      panel.x = {"along the axis", "m", {}, false};
      panel.y = {name, direction == Direction::kTwist ? "rad" : "m", {}, false};
      panel.x_range = ValueRange{0, moments.beam().length_m()};
      for (std::size_t i = 0; i < moments.count(); ++i) {
        PlotCurve curve;
        curve.name = moments.name(i);
        curve.look = static_cast<int>(i);
        const std::vector<Frame> sections = moments.beam().sections(moments.modal(i));
        for (std::size_t k = 0; k < sections.size(); ++k) {
          const double s = moments.beam().nodes()[k];
          curve.points.push_back({s, displacement_along(direction, sections[k], moments.beam().rest(s))});
        }
        panel.curves.push_back(std::move(curve));
      }
      panels.push_back(std::move(panel));
    }
  }
  return panels;
}

std::vector<PlotPanel> PlotPanels::snapshots(const std::string& body) const {
  std::vector<PlotPanel> panels;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const BeamMoments moments(runs_[run].result, body, spans_[run], request_.moments);
    const double M = request_.deformation, half_height = 0.5 * moments.beam().height_m();
    // In space the axis alone: a bar seen from the side has no one height.
    for (const int vertical : moments.is_planar() ? std::vector{1} : std::vector{1, 2}) {
      PlotPanel panel;
      panel.shape = PlotPanel::Shape::kSquare;
      panel.equal_axes = true;
      panel.title = panel_title(body, runs_[run], runs_.size() == 1);
      if (M != 1) panel.title += fmt::format(", deformation × {:g}", M);
      panel.x = {"x", "m", {}, false};
      panel.y = {std::string(1, kPlaneLetters[vertical]), "m", {}, false};
      for (std::size_t i = 0; i < moments.count(); ++i) {
        const std::optional<Frame> pose = moments.pose(i);
        if (!pose) continue;
        PlotCurve curve;
        curve.name = moments.name(i);
        curve.look = static_cast<int>(i);
        const std::vector<Frame> sections = moments.beam().sections(moments.modal(i), M);
        const auto add = [&](const Frame& section, double y) {
          const Vec3 point = pose->point(section.point({0, y, 0}));
          curve.points.push_back({point.x(), point[vertical]});
        };
        const bool has_outline = moments.is_planar() && moments.beam().is_axis();
        const double y = has_outline ? half_height : 0;
        if (!moments.beam().is_axis()) curve.mark = Mark::kPoint;
        for (const Frame& section : sections) add(section, -y);
        if (has_outline) {
          std::for_each(sections.rbegin(), sections.rend(), [&](const Frame& section) { add(section, y); });
          add(sections.front(), -y);
        }
        panel.curves.push_back(std::move(curve));
      }
      if (panel.curves.empty())
        throw NotInRun(fmt::format("{} does not say where '{}' is", runs_[run].result.path().string(), body));
      panels.push_back(std::move(panel));
    }
  }
  return panels;
}

}  // namespace freeplay::report
