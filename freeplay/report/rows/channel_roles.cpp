#include "freeplay/report/rows/channel_roles.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/integrators/integrator.h"

namespace freeplay::report {

namespace {

constexpr const char* kPointQuantities[] = {
    "gap", "mode", "normal_force", "tangential_force", "normal_impulse", "tangential_impulse", "point_x", "force_x"};

const IntegratorEntry* integrator_of(const ResultReader& result) {
  const auto name = result.attributes().find("integrator");
  return name == result.attributes().end() ? nullptr : find_integrator(name->second);
}

// "guide_1" is point _1 of guide, but a contact may well be called guide_1: the channels tell. Points that were not
// recorded at all are taken for contacts of that name.
std::size_t length_of_contact(const std::string& name, const ChannelIndex& index) {
  for (std::size_t length = name.size(); length != std::string::npos && length > 0;
       length = name.rfind('_', length - 1)) {
    const std::string contact = name.substr(0, length), suffix = name.substr(length);
    for (const char* quantity : kPointQuantities) {
      if (index.find(fmt::format("{}.{}{}", contact, quantity, suffix)) != kNoChannel) return length;
    }
  }
  return name.size();
}

}  // namespace

std::vector<ChannelInfo> all_channels(const ResultReader& result) {
  std::vector<ChannelInfo> channels = result.channels();
  channels.insert(channels.end(), result.motion_channels().begin(), result.motion_channels().end());
  return channels;
}

ModeMeaning mode_meaning(const ResultReader& result) {
  const IntegratorEntry* entry = integrator_of(result);
  return entry && entry->traits.has_force_laws() ? ModeMeaning::kContact : ModeMeaning::kSetValued;
}

bool modes_hold_from_their_rows_on(const ResultReader& result) {
  const IntegratorEntry* entry = integrator_of(result);
  return entry && entry->traits.locates_events();
}

ChannelIndex::ChannelIndex(const std::vector<ChannelInfo>& channels) {
  for (std::size_t i = 0; i < channels.size(); ++i) places_.emplace(channels[i].name, static_cast<int>(i));
}

int ChannelIndex::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? kNoChannel : found->second;
}

std::vector<PoseChannels> find_poses(const std::vector<ChannelInfo>& channels) {
  const ChannelIndex index(channels);
  std::vector<PoseChannels> poses;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const std::string& name = channels[i].name;
    if (!name.ends_with(".x")) continue;
    PoseChannels pose;
    pose.body = name.substr(0, name.size() - 2);
    const auto find = [&](const char* quantity) { return index.find(pose.body + "." + quantity); };
    pose.position = {static_cast<int>(i), find("y"), find("z")};
    pose.angle = find("angle");
    pose.quaternion = {find("e0"), find("e1"), find("e2"), find("e3")};
    pose.is_planar = pose.angle != kNoChannel;
    const bool has_quaternion =
        std::find(pose.quaternion.begin(), pose.quaternion.end(), kNoChannel) == pose.quaternion.end();
    const bool is_spatial = has_quaternion && pose.position[2] != kNoChannel;
    if (pose.position[1] != kNoChannel && (pose.is_planar || is_spatial)) poses.push_back(std::move(pose));
  }
  return poses;
}

bool has_any(const ChannelTriple& triple) {
  return std::any_of(triple.begin(), triple.end(), [](int channel) { return channel != kNoChannel; });
}

std::vector<ContactPointChannels> find_contact_points(const std::vector<std::string>& names,
                                                      const std::vector<ChannelInfo>& channels,
                                                      const std::vector<std::string>& joints) {
  const ChannelIndex index(channels);
  std::vector<ContactPointChannels> points;
  for (const std::string& name : names) {
    const std::size_t length = length_of_contact(name, index);
    ContactPointChannels point;
    point.name = name;
    point.contact = name.substr(0, length);
    const auto find = [&](const std::string& quantity) {
      return index.find(point.contact + "." + quantity + name.substr(length));
    };
    const auto find_triple = [&](const std::string& quantity) -> ChannelTriple {
      return {find(quantity + "_x"), find(quantity + "_y"), find(quantity + "_z")};
    };
    point.gap = find("gap");
    point.mode = find("mode");
    point.normal_force = find("normal_force");
    point.tangential_force = find("tangential_force");
    point.normal_impulse = find("normal_impulse");
    point.tangential_impulse = find("tangential_impulse");
    point.point = find_triple("point");
    point.normal = find_triple("normal");
    const bool is_all_of_joint = std::find(joints.begin(), joints.end(), name) != joints.end();
    point.force = find_triple(is_all_of_joint ? "contact_force" : "force");
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace freeplay::report
