#include "freeplay/study/compare/channel_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/core/error.h"
#include "freeplay/io/result/result_reader.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::study {

namespace {

constexpr std::size_t kMostCurves = 6, kMostGaps = 2;
constexpr std::size_t kMostPoses = 300,
                      kMostContactPoints = 64;  // bounds the memory that a study of a large scene takes

void add_new(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

std::vector<std::string> names_of(const System& system, const ContactModel& contacts) {
  std::vector<std::string> names;
  for (const ChannelInfo& channel : available_channels(system, contacts)) names.push_back(channel.name);
  return names;
}

}  // namespace

std::string point_channel(const ContactPoint& point, const char* quantity) {
  return point.contact + "." + quantity + point.suffix;
}

std::vector<std::string> chosen_curves(const ModelFile& file, const System& system, const ContactModel& contacts) {
  std::vector<std::string> curves;
  for (const std::string& name : file.record.channels) {
    if (curves.size() < kMostCurves && !name.starts_with("step.")) add_new(curves, name);
  }
  if (!curves.empty()) return curves;
  curves.emplace_back("energy.total");
  for (const ContactPoint& point : contacts.points()) {
    if (point.has_normal && curves.size() <= kMostGaps) add_new(curves, point_channel(point, "gap"));
  }
  // The last bodies of a chain are moved by all others. Speeds show impacts, which poses hide.
  const std::vector<ChannelDescription>& channels = system.channels();
  for (const char* rate : {".omega", ".vy", ".vx", ".omega_z", ".vz", ".u"}) {
    for (std::size_t i = channels.size(); i-- > 0 && curves.size() < kMostCurves;) {
      if (channels[i].name.ends_with(rate)) add_new(curves, channels[i].name);
    }
  }
  return curves;
}

void check_curves(const std::vector<std::string>& curves, const System& system, const ContactModel& contacts) {
  const std::vector<std::string> names = names_of(system, contacts);
  for (const std::string& curve : curves) {
    if (std::find(names.begin(), names.end(), curve) != names.end()) continue;
    const std::string close = closest_match(curve, names);
    throw UnknownChannel(fmt::format(
        "the model has no channel '{}': {}", curve,
        close.empty() ? "`freeplay info` lists the channels of a model" : fmt::format("did you mean '{}'?", close)));
  }
}

std::vector<std::string> coordinate_channels(const System& system) {
  std::vector<std::string> names;
  for (const bool only_poses : {true, false}) {
    for (const ChannelDescription& channel : system.channels()) {
      const std::string unit = channel.unit();
      const bool is_place = !channel.needs_accelerations && (unit == "m" || unit == "rad");
      if ((only_poses ? channel.is_pose : is_place) && names.size() < kMostPoses) names.push_back(channel.name);
    }
    if (!names.empty()) break;
  }
  return names;
}

std::vector<std::string> kept_channels(const System& system, const ContactModel& contacts,
                                       const std::vector<std::string>& curves) {
  std::vector<std::string> kept = curves;
  for (const char* name : {"energy.total", "energy.impact_loss", "energy.friction_loss", "energy.damping_loss",
                           "energy.input", "step.iterations"}) {
    add_new(kept, name);
  }
  for (const std::string& name : coordinate_channels(system)) add_new(kept, name);
  std::size_t points = 0;
  for (const ContactPoint& point : contacts.points()) {
    if (!point.has_normal || points++ >= kMostContactPoints) continue;
    add_new(kept, point_channel(point, "gap"));
    add_new(kept, point_channel(point, "normal_force"));
  }
  return kept;
}

}  // namespace freeplay::study
