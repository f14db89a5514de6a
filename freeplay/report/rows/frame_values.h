// Values of channels at the frames of a film, and what follows from them: poses, speeds, contact forces. Internal to
// freeplay/report.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/math/frame.h"
#include "freeplay/report/rows/channel_roles.h"

namespace freeplay::report {

// Reads only the channels that are asked for, once each. Holds one value per frame and channel.
class FrameValues {
 public:
  FrameValues(const ResultReader& result, const std::vector<ChannelInfo>& channels, std::vector<std::int64_t> rows);

  std::size_t frames() const { return rows_.size(); }
  double time(std::size_t frame) const { return time_[frame]; }
  void need(int channel);  // kNoChannel: nothing
  void need(const ChannelTriple& triple);
  bool has(int channel) const { return channel != kNoChannel; }
  // `otherwise` for a channel that was not recorded.
  double value(int channel, std::size_t frame, double otherwise = 0) const;
  Vec3 vector(const ChannelTriple& triple, std::size_t frame) const;

 private:
  const ResultReader& result_;
  const std::vector<ChannelInfo>& channels_;
  std::vector<std::int64_t> rows_;
  std::vector<double> time_;
  std::vector<std::vector<double>> columns_;  // empty until needed
};

void need_pose(FrameValues& values, const PoseChannels& pose);
// nullopt where a number is not finite.
std::optional<Frame> pose_at(const FrameValues& values, const PoseChannels& pose, std::size_t frame);

}  // namespace freeplay::report
