#include "freeplay/report/rows/impulse_units.h"

#include <algorithm>
#include <optional>

#include "freeplay/report/plot/plot_geometry.h"

namespace freeplay::report {

namespace {

// Of a point without channels: a stop of a joint that turns acts as a moment.
bool is_stop_that_turns(const std::string& name, const PlotGeometry& geometry) {
  return std::any_of(geometry.joints.begin(), geometry.joints.end(), [&](const PlotJoint& joint) {
    return joint.type != "prismatic" && (name == joint.name + "_lower" || name == joint.name + "_upper");
  });
}

}  // namespace

std::vector<std::string> impulse_units(const ResultReader& result, const std::vector<ContactPointChannels>& points) {
  const std::vector<ChannelInfo>& channels = result.channels();
  const auto unit_of = [&](int channel) { return channels[static_cast<std::size_t>(channel)].unit; };
  std::vector<std::string> units;
  std::optional<PlotGeometry> geometry;  // rarely needed
  for (const ContactPointChannels& point : points) {
    if (point.normal_impulse != kNoChannel) {
      units.push_back(unit_of(point.normal_impulse));
    } else if (point.normal_force != kNoChannel) {
      units.push_back(unit_of(point.normal_force) + " s");
    } else if (point.gap != kNoChannel) {
      units.emplace_back(unit_of(point.gap) == "rad" ? "N m s" : "N s");
    } else {
      if (!geometry) geometry = plot_geometry(result);
      units.emplace_back(is_stop_that_turns(point.name, *geometry) ? "N m s" : "N s");
    }
  }
  return units;
}

}  // namespace freeplay::report
