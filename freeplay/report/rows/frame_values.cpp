#include "freeplay/report/rows/frame_values.h"

#include <cmath>

#include "freeplay/math/rotation.h"
#include "freeplay/report/rows/row_choice.h"

namespace freeplay::report {

FrameValues::FrameValues(const ResultReader& result, const std::vector<ChannelInfo>& channels,
                         std::vector<std::int64_t> rows)
    : result_(result),
      channels_(channels),
      rows_(std::move(rows)),
      time_(read_time_at(result, rows_)),
      columns_(channels.size()) {}

void FrameValues::need(int channel) {
  if (channel == kNoChannel) return;
  const auto c = static_cast<std::size_t>(channel);
  if (columns_[c].empty()) columns_[c] = read_channel_at(result_, channels_[c].name, rows_);
}

void FrameValues::need(const ChannelTriple& triple) {
  for (const int channel : triple) need(channel);
}

double FrameValues::value(int channel, std::size_t frame, double otherwise) const {
  return channel == kNoChannel ? otherwise : columns_[static_cast<std::size_t>(channel)][frame];
}

Vec3 FrameValues::vector(const ChannelTriple& triple, std::size_t frame) const {
  return {value(triple[0], frame), value(triple[1], frame), value(triple[2], frame)};
}

void need_pose(FrameValues& values, const PoseChannels& pose) {
  values.need(pose.position);
  values.need(pose.angle);
  for (const int channel : pose.quaternion) values.need(channel);
}

std::optional<Frame> pose_at(const FrameValues& values, const PoseChannels& pose, std::size_t frame) {
  Frame result;
  result.p = values.vector(pose.position, frame);
  if (pose.is_planar) {
    result.p.z() = 0;
    const double angle = values.value(pose.angle, frame);
    result.R << std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1;
  } else {
    Vec4 e;
    for (int i = 0; i < 4; ++i) e[i] = values.value(pose.quaternion[static_cast<std::size_t>(i)], frame);
    result.R = rotation_from_quaternion(e);
  }
  if (!result.p.allFinite() || !result.R.allFinite()) return std::nullopt;
  return result;
}

}  // namespace freeplay::report
