// An elastic body as pictures show it: where its sections are, from the shape functions that a result's geometry holds,
// or from its stations, and the modal coordinates (docs/theory/elastic.md). Internal to freeplay/report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/math/frame.h"
#include "freeplay/mechanism/description/beam_shapes.h"
#include "freeplay/report/draw/station_shapes.h"
#include "freeplay/report/rows/frame_values.h"

namespace freeplay::report {

class BentBeam {
 public:
  // `elastic` is that of a body in the geometry. Throws nlohmann::json::exception if it lacks something, IoError if it
  // is no beam.
  explicit BentBeam(const nlohmann::ordered_json& elastic);

  // Of a body that is known by its stations: it has neither foreshortening nor twist nor loads.
  explicit BentBeam(StationShapes stations, double height_m);

  std::size_t mode_count() const { return stations_ ? stations_->mode_count() : modes_.size(); }
  // Whether there is an axis, which nodes that lie on no line do not have: their places are sections without an order.
  bool is_axis() const { return !stations_ || stations_->is_axis(); }
  double length_m() const { return length_; }
  double height_m() const { return height_; }
  double width_m() const { return width_; }
  const std::vector<double>& nodes() const { return nodes_; }  // along the axis, close enough for straight lines
  Vec3 rest(double s) const { return stations_ ? stations_->rest(s) : Vec3(start_ + Vec3(s, 0, 0)); }
  // Of the section that carries a place in body axes.
  double section_of(const Vec3& place) const;
  bool has(BeamMode::Direction direction) const;

  // The section at s in body axes, as if all modal coordinates were `magnification` times as large.
  Frame section(double s, std::span<const double> modal, double magnification = 1) const;
  // The same at all nodes.
  std::vector<Frame> sections(std::span<const double> modal, double magnification = 1) const;
  // What the section at s does to all that it carries: from where a point is at rest to where it is, in body axes.
  Frame carried(double s, std::span<const double> modal, double magnification = 1) const;

  struct Loads {
    double moment = 0, moment_xz = 0, axial_force = 0, torque = 0;
  };
  Loads loads(double s, std::span<const double> modal) const;
  double section_modulus_m3() const { return section_modulus_; }  // 0: not given

 private:
  double shortening(double from, double to, std::span<const double> modal) const;
  Frame section(double s, std::span<const double> modal, double magnification, double shortened) const;

  double length_ = 0, height_ = 0, width_ = 0;
  Vec3 start_ = Vec3::Zero();
  bool has_foreshortening_ = true;
  double bending_stiffness_ = 0, bending_stiffness_xz_ = 0, axial_stiffness_ = 0, torsional_stiffness_ = 0;
  double section_modulus_ = 0;
  std::vector<QuadraturePoint> rule_;  // on an interval of the length 1
  std::vector<BeamMode> modes_;
  std::vector<double> nodes_;
  std::optional<StationShapes> stations_;  // in the place of the modes
};

// The elastic bodies of a result, with the channels of their modal coordinates.
struct DrawnBeam {
  std::string body;
  BentBeam beam;
  std::vector<int> channels;  // as many as modes; empty: not all of them were recorded

  // The modal coordinates at a frame; zeros where they are not known or not finite.
  std::vector<double> modal(const FrameValues& values, std::size_t frame) const;
};
std::vector<DrawnBeam> find_beams(const nlohmann::ordered_json& geometry, const std::vector<ChannelInfo>& channels);
void need_modes(FrameValues& values, const DrawnBeam& beam);

}  // namespace freeplay::report
