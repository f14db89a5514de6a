// What the channels of a result mean to somebody who draws it: where bodies are, and what contact points do.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "freeplay/io/result/result_reader.h"

namespace freeplay::report {

inline constexpr int kNoChannel = -1;

// Every channel that the file holds, with the poses that it keeps for pictures behind those that were asked for.
std::vector<ChannelInfo> all_channels(const ResultReader& result);

// Whether a mode of 1 means slip and 2 stick, or 1 just that the contact lasts: smooth integrators know no more of a
// contact than its force. A file of an integrator that freeplay does not know is taken at its word.
enum class ModeMeaning { kSetValued, kContact };
ModeMeaning mode_meaning(const ResultReader& result);
// Between two rows a contact has the mode of the row at the end, which tells of the step that led there; where events
// are located it has that of the row at the start: an event decides what comes next.
bool modes_hold_from_their_rows_on(const ResultReader& result);

// Finds channels by name; -1 for one that was not recorded.
class ChannelIndex {
 public:
  explicit ChannelIndex(const std::vector<ChannelInfo>& channels);
  int find(std::string_view name) const;

 private:
  std::map<std::string, int, std::less<>> places_;
};

// A body whose whole pose was recorded.
struct PoseChannels {
  std::string body;
  bool is_planar = false;
  std::array<int, 3> position{kNoChannel, kNoChannel, kNoChannel};                // planar: x and y
  int angle = kNoChannel;                                                         // planar
  std::array<int, 4> quaternion{kNoChannel, kNoChannel, kNoChannel, kNoChannel};  // spatial: e0 ... e3
};
std::vector<PoseChannels> find_poses(const std::vector<ChannelInfo>& channels);

using ChannelTriple = std::array<int, 3>;
bool has_any(const ChannelTriple& triple);

struct ContactPointChannels {
  std::string name, contact;  // "guide_1" of "guide"
  int gap = kNoChannel, mode = kNoChannel;
  int normal_force = kNoChannel, tangential_force = kNoChannel;
  int normal_impulse = kNoChannel, tangential_impulse = kNoChannel;
  // World axes; in the plane the third is missing. The normal is the direction of the normal force on the first
  // partner.
  ChannelTriple point{kNoChannel, kNoChannel, kNoChannel};
  ChannelTriple normal{kNoChannel, kNoChannel, kNoChannel};
  ChannelTriple force{kNoChannel, kNoChannel, kNoChannel};
};
// One for each of the names, in their order, with the channels that were recorded. `joints`: those that have play; what
// is called NAME.force_x of them is not the force at a point.
std::vector<ContactPointChannels> find_contact_points(const std::vector<std::string>& names,
                                                      const std::vector<ChannelInfo>& channels,
                                                      const std::vector<std::string>& joints = {});

}  // namespace freeplay::report
