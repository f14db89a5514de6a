#include "freeplay/report/plot/plot_joint_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "freeplay/math/rotation.h"
#include "freeplay/report/draw/joint_frames.h"
#include "freeplay/report/rows/channel_roles.h"

namespace freeplay::report {

namespace {

constexpr std::size_t kJointBlockRows = 4096;

Frame composed(const Frame& body, const Frame& joint) {
  Frame frame;
  frame.R = body.R * joint.R;
  frame.p = body.point(joint.p);
  return frame;
}

double value_or(const std::vector<std::vector<double>>& block, int column, std::size_t row, double otherwise) {
  return column < 0 ? otherwise : block[static_cast<std::size_t>(column)][row];
}

}  // namespace

// The place of a channel among those that are read; -1 if it was not recorded.
int JointRows::column(const std::string& name) {
  const auto known = std::find(columns_.begin(), columns_.end(), name);
  if (known != columns_.end()) return static_cast<int>(known - columns_.begin());
  const auto has = [&](const std::vector<ChannelInfo>& channels) {
    return std::any_of(channels.begin(), channels.end(), [&](const ChannelInfo& c) { return c.name == name; });
  };
  if (!has(result_->channels()) && !has(result_->motion_channels())) return -1;
  columns_.push_back(name);
  return static_cast<int>(columns_.size()) - 1;
}

bool JointRows::find_pose(const std::string& body, PoseColumns& pose) {
  pose.is_ground = body == "ground";
  pose.is_planar = is_planar_;
  if (pose.is_ground) return true;
  const char* axes[] = {"x", "y", "z"};
  for (int i = 0; i < (is_planar_ ? 2 : 3); ++i) {
    pose.position[i] = column(body + "." + axes[i]);
    if (pose.position[i] < 0) return false;
  }
  if (is_planar_) return (pose.angle = column(body + ".angle")) >= 0;
  for (int i = 0; i < 4; ++i) {
    pose.quaternion[i] = column(fmt::format("{}.e{}", body, i));
    if (pose.quaternion[i] < 0) return false;
  }
  return true;
}

void JointRows::find_points(const std::string& joint) {
  const std::vector<ChannelInfo>& channels = result_->channels();
  const std::vector<ContactPointChannels> points = find_contact_points(result_->contacts(), channels, {joint});
  const auto name_of = [&](int channel) {
    return channel == kNoChannel ? std::string() : channels[static_cast<std::size_t>(channel)].name;
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ContactPointChannels& point = points[i];
    // Stops and dry friction of the joint have no place.
    if (point.contact != joint || !has_any(point.normal) || !has_any(point.point)) continue;
    PointColumns columns{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      columns.normal[axis] = column(name_of(point.normal[axis]));
      columns.place[axis] = column(name_of(point.point[axis]));
    }
    columns.force = column(name_of(point.normal_force));
    columns.friction_loss = column(joint + ".friction_loss" + point.name.substr(joint.size()));
    columns.contact = static_cast<std::int32_t>(i);
    points_.push_back(columns);
  }
}

std::optional<JointRows> JointRows::find(const ResultReader& result, const std::string& joint) {
  JointRows rows(result);
  const auto geometry = nlohmann::ordered_json::parse(result.geometry_json(), nullptr, false);
  if (!geometry.is_object() || !geometry.contains("joints")) return std::nullopt;
  rows.is_planar_ = geometry.value("space", "") == "planar";
  for (const nlohmann::ordered_json& entry : geometry["joints"]) {
    if (entry.value("name", "") != joint || entry.value("model", "") != "clearance") continue;
    rows.type_ = entry.value("type", "");
    rows.length_m_ = entry.value("length", 0.0);
    const JointFrames frames = joint_frames(entry, rows.is_planar_);
    rows.on_parent_ = frames.on_parent;
    rows.on_child_ = frames.on_child;
    const bool has_poses = rows.find_pose(entry.value("parent", ""), rows.parent_) &&
                           rows.find_pose(entry.value("child", ""), rows.child_);
    if (!has_poses) return std::nullopt;
    rows.find_points(joint);
    if (modes_hold_from_their_rows_on(result)) rows.strikes_ = result.impacts();
    return rows;
  }
  return std::nullopt;
}

Frame JointRows::pose_of(const PoseColumns& pose, const std::vector<std::vector<double>>& block,
                         std::size_t row) const {
  Frame frame;
  if (pose.is_ground) return frame;
  for (int i = 0; i < 3; ++i) frame.p[i] = value_or(block, pose.position[i], row, 0);
  if (pose.is_planar) {
    const double angle = value_or(block, pose.angle, row, 0);
    frame.R << std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0, 0, 0, 1;
  } else {
    Vec4 e;
    for (int i = 0; i < 4; ++i) e[i] = value_or(block, pose.quaternion[i], row, 0);
    frame.R = rotation_from_quaternion(e);
  }
  return frame;
}

void JointRows::for_each(const RowSpan& span, const std::function<void(const JointRow&)>& use) const {
  std::vector<double> times(kJointBlockRows);
  std::vector<std::vector<double>> block(columns_.size(), std::vector<double>(kJointBlockRows));
  std::vector<double> loss_before(points_.size(), 0.0);
  double time_before = 0;
  bool is_first = true;
  auto strike = strikes_.begin();
  JointRow row;
  row.points.resize(points_.size());
  for (std::int64_t done = 0; done < span.count;) {
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(kJointBlockRows, span.count - done));
    result_->read_time(span.first + done, std::span(times).first(count));
    for (std::size_t c = 0; c < columns_.size(); ++c)
      result_->read_channel(columns_[c], span.first + done, std::span(block[c]).first(count));
    for (std::size_t i = 0; i < count; ++i) {
      row.time_s = times[i];
      row.parent = composed(pose_of(parent_, block, i), on_parent_);
      row.child = composed(pose_of(child_, block, i), on_child_);
      for (std::size_t p = 0; p < points_.size(); ++p) {
        const PointColumns& columns = points_[p];
        JointPointRow& point = row.points[p];
        for (int axis = 0; axis < 3; ++axis) {
          point.normal[axis] = value_or(block, columns.normal[axis], i, 0);
          point.place[axis] = value_or(block, columns.place[axis], i, 0);
        }
        point.force = value_or(block, columns.force, i, 0);
        const double loss = value_or(block, columns.friction_loss, i, 0);
        point.impulse = is_first ? 0 : point.force * (times[i] - time_before);
        point.sliding_work = is_first ? 0 : loss - loss_before[p];
        loss_before[p] = loss;
      }
      for (; strike != strikes_.end() && strike->time_s <= times[i]; ++strike) {
        for (std::size_t p = 0; p < points_.size(); ++p) {
          if (points_[p].contact == strike->contact && !is_first) row.points[p].impulse += strike->normal_impulse;
        }
      }
      use(row);
      time_before = times[i];
      is_first = false;
    }
    done += static_cast<std::int64_t>(count);
  }
}

}  // namespace freeplay::report
