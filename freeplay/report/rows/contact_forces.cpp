#include "freeplay/report/rows/contact_forces.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace freeplay::report {

int tangent_degrees(const ContactPointChannels& point, const nlohmann::ordered_json& geometry) {
  const std::string suffix = point.name.substr(point.contact.size());
  if (geometry.value("space", "") != "planar" || (suffix != "_1" && suffix != "_2")) return -90;
  for (const nlohmann::ordered_json& joint : geometry.at("joints")) {
    if (joint.at("name") == point.contact && joint.at("type") == "prismatic" && joint.at("model") == "clearance")
      return 90;
  }
  return -90;
}

std::vector<std::string> joints_with_play(const nlohmann::ordered_json& geometry) {
  std::vector<std::string> names;
  for (const nlohmann::ordered_json& joint : geometry.at("joints")) {
    const auto model = joint.find("model"), name = joint.find("name");
    const bool is_known = model != joint.end() && name != joint.end() && name->is_string();
    if (is_known && *model == "clearance") names.push_back(*name);
  }
  return names;
}

ContactForces::ContactForces(const ResultReader& result, const nlohmann::ordered_json& geometry,
                             const std::vector<ChannelInfo>& channels)
    : points_(find_contact_points(result.contacts(), channels, joints_with_play(geometry))) {
  for (const ContactPointChannels& point : points_) tangent_degrees_.push_back(tangent_degrees(point, geometry));
}

bool ContactForces::has_places() const {
  return std::any_of(points_.begin(), points_.end(),
                     [](const ContactPointChannels& point) { return has_any(point.point); });
}

void ContactForces::need(FrameValues& values) const {
  for (const ContactPointChannels& point : points_) {
    if (!has_any(point.point)) continue;
    for (const ChannelTriple& triple : {point.point, point.normal, point.force}) values.need(triple);
    for (const int channel : {point.gap, point.mode, point.normal_force, point.tangential_force}) values.need(channel);
  }
}

std::optional<ContactAt> ContactForces::at(std::size_t index, const FrameValues& values, std::size_t frame) const {
  const ContactPointChannels& point = points_[index];
  if (!has_any(point.point)) return std::nullopt;
  ContactAt contact;
  contact.place = values.vector(point.point, frame);
  contact.normal = values.vector(point.normal, frame);
  contact.gap = values.value(point.gap, frame);
  if (has_any(point.force)) {
    contact.force = values.vector(point.force, frame);
  } else {
    const Vec3& n = contact.normal;
    contact.force = values.value(point.normal_force, frame) * n;
    // In space the record of a tangential force has a size and no direction.
    const bool in_space = values.has(point.normal[2]);
    const Vec3 tangent = (tangent_degrees_[index] > 0 ? 1 : -1) * Vec3(-n.y(), n.x(), 0);
    if (!in_space) contact.force += values.value(point.tangential_force, frame) * tangent;
  }
  const double mode = values.value(point.mode, frame);
  contact.mode = std::isfinite(mode) ? static_cast<int>(mode) : 0;
  const bool is_finite = contact.place.allFinite() && contact.normal.allFinite() && contact.force.allFinite() &&
                         std::isfinite(contact.gap);
  if (!is_finite) return std::nullopt;
  return contact;
}

}  // namespace freeplay::report
