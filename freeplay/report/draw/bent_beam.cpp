#include "freeplay/report/draw/bent_beam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"

namespace freeplay::report {

namespace {

using BeamJson = nlohmann::ordered_json;
using Along = BeamMode::Direction;

constexpr std::size_t kLeastPieces = 48, kPiecesPerMode = 6;
constexpr std::size_t kMostModes = 400;   // more than a model can have
constexpr int kGaussPoints = 6;           // per piece: down to rounding
constexpr double kDrawnShare = 1.0 / 40;  // of the length: the height of what has none

Along direction_of(const std::string& word) {
  if (word == "y") return Along::kY;
  if (word == "z") return Along::kZ;
  if (word == "x") return Along::kX;
  if (word == "twist") return Along::kTwist;
  throw IoError(fmt::format("cannot draw an elastic body: no mode is along '{}'", word));
}

Vec3 start_of(const BeamJson& list) {
  return {list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>()};
}

Mat3 turned(double about_z, double about_y, double about_x) {
  return (Eigen::AngleAxisd(about_z, Vec3::UnitZ()) * Eigen::AngleAxisd(about_y, Vec3::UnitY()) *
          Eigen::AngleAxisd(about_x, Vec3::UnitX()))
      .toRotationMatrix();
}

BentBeam beam_of(const BeamJson& body) {
  if (body.contains("elastic")) return BentBeam(body.at("elastic"));
  const BeamJson& stations = body.at("stations");
  return BentBeam(StationShapes(stations), stations.at("height").get<double>());
}

}  // namespace

BentBeam::BentBeam(const nlohmann::ordered_json& elastic)
    : length_(elastic.at("length").get<double>()),
      height_(elastic.at("height").get<double>()),
      width_(elastic.at("width").get<double>()),
      start_(start_of(elastic.at("start"))),
      has_foreshortening_(elastic.at("foreshortening").get<bool>()),
      bending_stiffness_(elastic.at("bending_stiffness").get<double>()),
      bending_stiffness_xz_(elastic.at("bending_stiffness_xz").get<double>()),
      axial_stiffness_(elastic.at("axial_stiffness").get<double>()),
      torsional_stiffness_(elastic.at("torsional_stiffness").get<double>()),
      section_modulus_(elastic.at("section_modulus").get<double>()),
      rule_(gauss_points(kGaussPoints, 1)) {
  const BeamJson& modes = elastic.at("modes");
  if (!(length_ > 0) || !std::isfinite(length_) || !modes.is_array() || modes.size() > kMostModes)
    throw IoError("cannot draw an elastic body: it is not a beam as freeplay writes it");
  for (const BeamJson& mode : modes) {
    const auto number = [&](const char* key) { return mode.at(key).get<double>(); };
    const BeamShape shape{number("cos"),    number("sin"),         number("decay"),
                          number("growth"), number("wave_number"), length_};
    modes_.push_back({direction_of(mode.at("direction").get<std::string>()), shape});
  }
  const std::size_t pieces = std::max(kLeastPieces, kPiecesPerMode * modes_.size());
  for (std::size_t i = 0; i <= pieces; ++i)
    nodes_.push_back(length_ * static_cast<double>(i) / static_cast<double>(pieces));
}

BentBeam::BentBeam(StationShapes stations, double height_m)
    : length_(stations.along().back()),
      height_(height_m > 0 ? height_m : kDrawnShare * length_),
      width_(height_),
      start_(stations.rest(0)),
      has_foreshortening_(false),
      nodes_(stations.along()),
      stations_(std::move(stations)) {}

double BentBeam::section_of(const Vec3& place) const {
  return std::clamp(place.x() - start_.x(), 0.0, length_);
}

bool BentBeam::has(BeamMode::Direction direction) const {
  if (stations_ && direction == Along::kTwist) return false;
  if (stations_) return stations_->moves_along(direction == Along::kX ? 0 : direction == Along::kY ? 1 : 2);
  return std::any_of(modes_.begin(), modes_.end(), [&](const BeamMode& mode) { return mode.direction == direction; });
}

// 1/2 of the integral of w'^2 over both planes: the term with G of docs/theory/elastic.md.
double BentBeam::shortening(double from, double to, std::span<const double> modal) const {
  double sum = 0;
  for (const QuadraturePoint& point : rule_) {
    double slope_y = 0, slope_z = 0;
    for (std::size_t j = 0; j < modes_.size(); ++j) {
      const double slope = modal[j] * modes_[j].shape.slope(from + (to - from) * point.s);
      if (modes_[j].direction == Along::kY) slope_y += slope;
      if (modes_[j].direction == Along::kZ) slope_z += slope;
    }
    sum += 0.5 * (to - from) * point.weight * (slope_y * slope_y + slope_z * slope_z);
  }
  return sum;
}

Frame BentBeam::section(double s, std::span<const double> modal, double magnification, double shortened) const {
  if (stations_) {
    const StationShapes::Moved moved = stations_->at(s, modal);
    return {turned(magnification * moved.slope_y, -magnification * moved.slope_z, 0),
            rest(s) + magnification * moved.shift};
  }
  Vec3 shift = Vec3::Zero();
  double slope_y = 0, slope_z = 0, twist = 0;
  for (std::size_t j = 0; j < modes_.size(); ++j) {
    const BeamShape& shape = modes_[j].shape;
    const double value = magnification * modal[j] * shape.value(s), slope = magnification * modal[j] * shape.slope(s);
    switch (modes_[j].direction) {
      case Along::kX:
        shift.x() += value;
        break;
      case Along::kY:
        shift.y() += value;
        slope_y += slope;
        break;
      case Along::kZ:
        shift.z() += value;
        slope_z += slope;
        break;
      case Along::kTwist:
        twist += value;
        break;
    }
  }
  shift.x() -= magnification * magnification * shortened;
  return {turned(slope_y, -slope_z, twist), rest(s) + shift};
}

Frame BentBeam::section(double s, std::span<const double> modal, double magnification) const {
  double shortened = 0;
  for (std::size_t i = 1; has_foreshortening_ && i < nodes_.size() && nodes_[i - 1] < s; ++i)
    shortened += shortening(nodes_[i - 1], std::min(s, nodes_[i]), modal);
  return section(s, modal, magnification, shortened);
}

std::vector<Frame> BentBeam::sections(std::span<const double> modal, double magnification) const {
  std::vector<Frame> all;
  double shortened = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (has_foreshortening_ && i > 0) shortened += shortening(nodes_[i - 1], nodes_[i], modal);
    all.push_back(section(nodes_[i], modal, magnification, shortened));
  }
  return all;
}

Frame BentBeam::carried(double s, std::span<const double> modal, double magnification) const {
  if (!is_axis()) return {Mat3::Identity(), Vec3::Zero()};  // which node carries it is not known: drawn as at rest
  const Frame at = section(s, modal, magnification);
  return {at.R, at.point(-rest(s))};
}

BentBeam::Loads BentBeam::loads(double s, std::span<const double> modal) const {
  Loads loads;
  for (std::size_t j = 0; j < modes_.size(); ++j) {
    const BeamShape& shape = modes_[j].shape;
    switch (modes_[j].direction) {
      case Along::kX:
        loads.axial_force += axial_stiffness_ * modal[j] * shape.slope(s);
        break;
      case Along::kY:
        loads.moment += bending_stiffness_ * modal[j] * shape.curvature(s);
        break;
      case Along::kZ:
        loads.moment_xz += bending_stiffness_xz_ * modal[j] * shape.curvature(s);
        break;
      case Along::kTwist:
        loads.torque += torsional_stiffness_ * modal[j] * shape.slope(s);
        break;
    }
  }
  return loads;
}

std::vector<double> DrawnBeam::modal(const FrameValues& values, std::size_t frame) const {
  std::vector<double> modal(beam.mode_count(), 0.0);
  for (std::size_t j = 0; j < channels.size(); ++j) {
    const double value = values.value(channels[j], frame);
    modal[j] = std::isfinite(value) ? value : 0;
  }
  return modal;
}

std::vector<DrawnBeam> find_beams(const nlohmann::ordered_json& geometry, const std::vector<ChannelInfo>& channels) {
  const ChannelIndex index(channels);
  std::vector<DrawnBeam> beams;
  for (const BeamJson& body : geometry.at("bodies")) {
    if (!body.contains("elastic") && !body.contains("stations")) continue;
    DrawnBeam drawn{body.at("name").get<std::string>(), beam_of(body), {}};
    for (std::size_t j = 0; j < drawn.beam.mode_count(); ++j)
      drawn.channels.push_back(index.find(fmt::format("{}.modal_{}", drawn.body, j + 1)));
    if (std::find(drawn.channels.begin(), drawn.channels.end(), kNoChannel) != drawn.channels.end())
      drawn.channels.clear();
    beams.push_back(std::move(drawn));
  }
  return beams;
}

void need_modes(FrameValues& values, const DrawnBeam& beam) {
  for (const int channel : beam.channels) values.need(channel);
}

}  // namespace freeplay::report
