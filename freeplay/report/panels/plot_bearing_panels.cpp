// The bearing map: force, impulse and sliding work around the bore of a joint with play, or along a guide.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "freeplay/core/error.h"
#include "freeplay/report/gnuplot/plot_text.h"
#include "freeplay/report/panels/plot_panels.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/plot/plot_frames.h"
#include "freeplay/report/plot/plot_geometry.h"
#include "freeplay/report/plot/plot_joint_rows.h"

namespace freeplay::report {

namespace {

constexpr int kBoreSectors = 72;  // 5 degrees each
constexpr int kGuideCells = 60;

// What a sector of the bore or a cell of the guide has borne.
struct Borne {
  double force = 0;    // largest
  double impulse = 0;  // sum
  double work = 0;     // sum
  void add(const JointPointRow& point) {
    force = std::max(force, point.force);
    impulse += point.impulse;
    work += point.sliding_work;
  }
};

struct BearingSide {
  std::string name;  // "" if there is only one
  std::vector<Borne> cells;
};
struct BearingMap {
  bool is_round = true;
  ValueRange along;  // of a guide, m
  std::vector<BearingSide> sides;
};

// The ends of a sleeve in space are its points 1 and 2; its collars carry no load across the axis.
std::string side_of_round(const JointRows& rows, std::size_t point) {
  if (rows.is_planar() || rows.type() == "spherical") return "";
  return point < 2 ? fmt::format("end {}", point + 1) : "-";
}

bool is_loaded(const JointPointRow& point) {
  return point.normal.allFinite() && point.normal.squaredNorm() > 0 &&
         (point.force > 0 || point.impulse > 0 || point.sliding_work > 0);
}

Borne& cell_of(BearingMap& map, const std::string& side, int cell, int cells) {
  auto found = std::find_if(map.sides.begin(), map.sides.end(), [&](const BearingSide& s) { return s.name == side; });
  if (found == map.sides.end())
    found = map.sides.insert(map.sides.end(), {side, std::vector<Borne>(static_cast<std::size_t>(cells))});
  return found->cells[static_cast<std::size_t>(std::clamp(cell, 0, cells - 1))];
}

// The loaded place, in the joint's axes on the parent. A journal or a ball presses against the normal; in space the
// child is a sleeve, which touches its rod on the side that it has moved away from.
BearingMap round_map(const JointRows& rows, const RowSpan& span) {
  BearingMap map;
  const double side_of_load = rows.is_planar() || rows.type() == "spherical" ? -1 : 1;
  rows.for_each(span, [&](const JointRow& row) {
    for (std::size_t p = 0; p < row.points.size(); ++p) {
      const JointPointRow& point = row.points[p];
      const std::string side = side_of_round(rows, p);
      if (!is_loaded(point) || side == "-") continue;
      const Vec3 pressed = side_of_load * (row.parent.R.transpose() * point.normal);
      const double angle = std::atan2(pressed.y(), pressed.x()), turn = 2 * std::numbers::pi;
      const double part = angle < 0 ? angle + turn : angle;
      cell_of(map, side, static_cast<int>(part / turn * kBoreSectors) % kBoreSectors, kBoreSectors).add(point);
    }
  });
  std::sort(map.sides.begin(), map.sides.end(),
            [](const BearingSide& a, const BearingSide& b) { return a.name < b.name; });
  return map;
}

double place_along(const JointRow& row, const JointPointRow& point) {
  return row.parent.R.col(0).dot(point.place - row.parent.p);
}

// Along the axis of the guide, x of the joint on the parent; its walls by the direction in which the child presses.
BearingMap guide_map(const JointRows& rows, const RowSpan& span) {
  BearingMap map;
  map.is_round = false;
  map.along = {INFINITY, -INFINITY};
  rows.for_each(span, [&](const JointRow& row) {
    for (const JointPointRow& point : row.points) {
      if (!is_loaded(point) || !point.place.allFinite()) continue;
      const double s = place_along(row, point);
      map.along = {std::min(map.along.low, s), std::max(map.along.high, s)};
    }
  });
  if (!(map.along.high > map.along.low)) return map;
  rows.for_each(span, [&](const JointRow& row) {
    for (const JointPointRow& point : row.points) {
      if (!is_loaded(point) || !point.place.allFinite()) continue;
      const Vec3 pressed = -(row.parent.R.transpose() * point.normal);
      const int axis = std::abs(pressed.y()) >= std::abs(pressed.z()) ? 1 : 2;
      const std::string wall = fmt::format("wall at {}{}", pressed[axis] > 0 ? '+' : '-', axis == 1 ? 'y' : 'z');
      const double part = (place_along(row, point) - map.along.low) / (map.along.high - map.along.low);
      cell_of(map, wall, static_cast<int>(part * kGuideCells), kGuideCells).add(point);
    }
  });
  std::sort(map.sides.begin(), map.sides.end(),
            [](const BearingSide& a, const BearingSide& b) { return a.name < b.name; });
  return map;
}

struct MapQuantity {
  const char *name, *unit;
  double Borne::*value;
};
constexpr MapQuantity kMapQuantities[] = {{"largest force", "N", &Borne::force},
                                          {"impulse per 5 deg", "N s", &Borne::impulse},
                                          {"sliding work per 5 deg", "J", &Borne::work}};

// Each sector as an arc at its value, so that its width can be seen.
std::vector<PlotPoint> polar_steps(const std::vector<Borne>& cells, double Borne::*value) {
  constexpr int kPieces = 3;
  std::vector<PlotPoint> points;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (int k = 0; k <= kPieces; ++k) {
      const double angle = 2 * std::numbers::pi * (static_cast<double>(i) + static_cast<double>(k) / kPieces) /
                           static_cast<double>(cells.size());
      points.push_back({cells[i].*value * std::cos(angle), cells[i].*value * std::sin(angle)});
    }
  }
  points.push_back(points.front());
  return points;
}

std::vector<PlotPoint> steps_along(const std::vector<Borne>& cells, double Borne::*value, const ValueRange& along) {
  std::vector<PlotPoint> points;
  const double cell = (along.high - along.low) / static_cast<double>(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const double from = along.low + cell * static_cast<double>(i);
    points.push_back({from, cells[i].*value});
    points.push_back({from + cell, cells[i].*value});
  }
  return points;
}

// Rings at half and at all of the largest value, so that directions compare.
void frame_map(PlotPanel& panel) {
  double largest = 0;
  for (const PlotCurve& curve : panel.curves) {
    for (const PlotPoint& point : curve.points) largest = std::max(largest, std::hypot(point.x, point.y));
  }
  panel.equal_axes = true;
  if (!(largest > 0)) return;
  panel.x_range = panel.y_range = ValueRange{-1.1 * largest, 1.1 * largest};
  panel.curves.insert(panel.curves.begin(), {frame_ring(largest / 2), frame_ring(largest)});
}

bool has_any_load(const PlotPanel& panel) {
  return std::any_of(panel.curves.begin(), panel.curves.end(), [](const PlotCurve& curve) {
    return !curve.is_frame && std::any_of(curve.points.begin(), curve.points.end(),
                                          [](const PlotPoint& p) { return p.x != 0 && p.y != 0; });
  });
}

PlotPanel map_panel(const BearingMap& map, const MapQuantity& quantity, const std::string& joint) {
  PlotPanel panel;
  const std::string name = plain_text(joint);
  if (map.is_round) {
    panel.shape = PlotPanel::Shape::kSquare;
    panel.title = fmt::format("{}: {}", name, quantity.name);
    panel.x = {"x", quantity.unit, {}, false};
    panel.y = {"y", quantity.unit, {}, false};
  } else {
    const std::string text = quantity.name;
    panel.x = {name + ", place along the guide", "m", {}, false};
    panel.x_range = map.along;
    panel.y = {text.substr(0, text.find(" per ")), quantity.unit, {}, false};
    if (text.find(" per ") != std::string::npos)
      panel.title = fmt::format("per cell of {:.3g} mm", 1e3 * (map.along.high - map.along.low) / kGuideCells);
  }
  for (const BearingSide& side : map.sides) {
    PlotCurve curve;
    curve.name = side.name;
    curve.points =
        map.is_round ? polar_steps(side.cells, quantity.value) : steps_along(side.cells, quantity.value, map.along);
    curve.look = static_cast<int>(panel.curves.size());
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

[[noreturn]] void refuse_map(const std::vector<PlotRun>& runs, const std::string& joint) {
  std::vector<std::string> names;
  for (const PlotRun& run : runs) {
    for (const PlotJoint& known : plot_geometry(run.result).joints) {
      if (known.model == "clearance") names.push_back(known.name);
    }
  }
  const bool is_known = std::find(names.begin(), names.end(), joint) != names.end();
  if (is_known)
    throw NotInRun(fmt::format("'{}' was never loaded, or its normals and forces were not recorded", plain_text(joint)),
                   "its contact channels must be recorded: leave `record:` out, or name them");
  throw NotInRun(fmt::format("there is no joint '{}' with play", plain_text(joint)),
                 names.empty() ? "no joint of this model has play" : did_you_mean(joint, names));
}

}  // namespace

std::vector<PlotPanel> PlotPanels::bearing(const std::string& joint) const {
  std::vector<PlotPanel> panels;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    const std::optional<JointRows> rows = JointRows::find(runs_[run].result, joint);
    if (!rows) continue;
    const BearingMap map = has_round_play(rows->type()) ? round_map(*rows, spans_[run]) : guide_map(*rows, spans_[run]);
    for (const MapQuantity& quantity : kMapQuantities) {
      PlotPanel panel = map_panel(map, quantity, joint);
      if (!has_any_load(panel)) continue;  // without friction there is no sliding work
      if (map.is_round) frame_map(panel);
      if (runs_.size() > 1) panel.title += (panel.title.empty() ? "" : ", ") + plain_text(runs_[run].label);
      panels.push_back(std::move(panel));
    }
  }
  if (panels.empty()) refuse_map(runs_, joint);
  return panels;
}

}  // namespace freeplay::report
