// Contact points in space and the forces on them, from whatever was recorded of them. Internal to freeplay/report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "freeplay/report/rows/channel_roles.h"
#include "freeplay/report/rows/frame_values.h"

namespace freeplay::report {

struct ContactAt {
  Vec3 place = Vec3::Zero(), normal = Vec3::Zero();
  Vec3 force = Vec3::Zero();  // on the first partner; zero if it was not recorded
  double gap = 0;
  int mode = 0;
};

// The angle by which the normal of a planar contact point is turned to its tangent: -90 degrees, but the upper points
// of a guide, whose tangent is the guide's direction for all of its points, have +90 (docs/theory/contact.md).
int tangent_degrees(const ContactPointChannels& point, const nlohmann::ordered_json& geometry);

// Names of the joints with play.
std::vector<std::string> joints_with_play(const nlohmann::ordered_json& geometry);

class ContactForces {
 public:
  ContactForces(const ResultReader& result, const nlohmann::ordered_json& geometry,
                const std::vector<ChannelInfo>& channels);

  const std::vector<ContactPointChannels>& points() const { return points_; }
  bool has_places() const;  // of any point
  void need(FrameValues& values) const;
  // nullopt where the place is not known: not recorded, or not needed by the two bodies at that moment.
  std::optional<ContactAt> at(std::size_t index, const FrameValues& values, std::size_t frame) const;

 private:
  std::vector<ContactPointChannels> points_;
  std::vector<int> tangent_degrees_;
};

}  // namespace freeplay::report
