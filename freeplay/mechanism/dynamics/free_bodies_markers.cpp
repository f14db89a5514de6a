// What contacts and channels ask of free bodies.
#include <cmath>

#include "freeplay/core/error.h"
#include "freeplay/math/rotation.h"
#include "freeplay/mechanism/dynamics/free_bodies.h"

namespace freeplay::mechanism {

Frame FreeBodies::frame_of(MarkerIndex marker) const {
  const std::size_t m = to_size(marker);
  const int body = body_of_marker_[m], place = place_of_marker_[m];
  Frame of_body = body >= 0 ? frame(body) : Frame{};
  if (place < 0) return of_body;
  const Frame& on_body = places_[static_cast<std::size_t>(place)].on_body;
  return {of_body.R * on_body.R, of_body.point(on_body.p)};
}

Vec3 FreeBodies::velocity_of(int body, const Vec3& point) const {
  if (body < 0) return Vec3::Zero();
  const Vec3 v(u_.data() + kVelocities * body);
  return v + turning_[static_cast<std::size_t>(body)].cross(point - frame(body).p);
}

void FreeBodies::placements(std::span<const MarkerIndex> markers, std::span<Frame> out) const {
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const std::size_t m = to_size(markers[i]);
    if (place_of_marker_[m] < 0 && body_of_marker_[m] >= 0)
      out[i] = frames_[static_cast<std::size_t>(body_of_marker_[m])];
    else
      out[i] = frame_of(markers[i]);
  }
}

void FreeBodies::velocities(std::span<const MarkerIndex> markers, std::span<MarkerVelocity> out) const {
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const std::size_t m = to_size(markers[i]);
    const int body = body_of_marker_[m];
    if (body < 0) {
      out[i] = {};
      continue;
    }
    out[i].w = turning_[static_cast<std::size_t>(body)];
    out[i].v =
        place_of_marker_[m] < 0 ? Vec3(u_.data() + kVelocities * body) : velocity_of(body, frame_of(markers[i]).p);
  }
}

// At du/dt = 0 omega stays as it is in body axes and, since w x w = 0, in the world's.
void FreeBodies::biases(std::span<const MarkerIndex> markers, std::span<MarkerBias> out) const {
  for (std::size_t i = 0; i < markers.size(); ++i) {
    const int body = body_of(markers[i]);
    out[i] = {-mechanism_->gravity, Vec3::Zero()};
    if (body < 0) continue;
    const Vec3& w = turning_[static_cast<std::size_t>(body)];
    out[i].acceleration += w.cross(w.cross(frame_of(markers[i]).p - frame(body).p));
  }
}

void FreeBodies::add_column(int body, const Vec3& force, const Vec3& point, double* column) const {
  const Frame& at = frame(body);
  const Vec3 moment = at.R.transpose() * (point - at.p).cross(force);
  for (int k = 0; k < 3; ++k) {
    column[k] += force[k];
    column[3 + k] += moment[k];
  }
}

void FreeBodies::marker_columns(MarkerIndex marker, Eigen::Ref<MatX> W) const {
  W.setZero();
  const int body = body_of(marker);
  if (body < 0) return;
  const Vec3 point = frame_of(marker).p;
  for (int k = 0; k < 3; ++k) {
    add_column(body, Vec3::Unit(k), point, &W(kVelocities * body, k));
    W.block<3, 1>(kVelocities * body + 3, 3 + k) = frame(body).R.transpose() * Vec3::Unit(k);
  }
}

namespace {

void write_column(const Frame& at, const Vec3& force, const Vec3& point, double* column) {
  const Vec3 moment = at.R.transpose() * (point - at.p).cross(force);
  for (int k = 0; k < 3; ++k) {
    column[k] = force[k];
    column[3 + k] = moment[k];
  }
}

}  // namespace

void FreeBodies::interaction_parts(const Interaction& on, std::array<RowPart, 2>& parts, double* column) {
  const auto part_of = [](int body) { return body < 0 ? RowPart{} : RowPart{kVelocities * body, kVelocities}; };
  const int a = body_of(on.a.marker), b = body_of(on.b.marker);
  parts = {part_of(a), a == b ? RowPart{} : part_of(b)};
  if (a != b) {
    if (a >= 0) write_column(frame(a), on.direction, on.point_a, column);
    if (b >= 0) write_column(frame(b), -on.direction, on.point_b, column + parts[0].size);
    return;
  }
  std::fill_n(column, parts[0].size + parts[1].size, 0.0);
  if (a >= 0) add_column(a, on.direction, on.point_a, column);
  if (b >= 0) add_column(b, -on.direction, on.point_b, column + (a == b ? 0 : parts[0].size));
}

// The moments of three forces at one point, in the axes of the body: its arm is turned once for all of them.
void FreeBodies::three_interaction_parts(const Interaction& on, const Mat3& directions,
                                         const std::array<std::array<RowPart, 2>*, 3>& parts, double* column,
                                         std::size_t stride) {
  const int a = body_of(on.a.marker), b = body_of(on.b.marker);
  if (a == b) {
    Interaction along = on;
    for (int k = 0; k < 3; ++k, column += stride) {
      along.direction = directions.col(k);
      interaction_parts(along, *parts[static_cast<std::size_t>(k)], column);
    }
    return;
  }
  const auto write = [&](int body, const Mat3& forces, const Vec3& point, double* to) {
    const Frame& at = frame(body);
    const Mat3 turned = at.R.transpose() * forces;
    const Vec3 arm = at.R.transpose() * (point - at.p);
    for (int k = 0; k < 3; ++k, to += stride) {
      for (int i = 0; i < 3; ++i) to[i] = forces(i, k);
      to[3] = arm[1] * turned(2, k) - arm[2] * turned(1, k);
      to[4] = arm[2] * turned(0, k) - arm[0] * turned(2, k);
      to[5] = arm[0] * turned(1, k) - arm[1] * turned(0, k);
    }
  };
  const auto part_of = [](int body) { return body < 0 ? RowPart{} : RowPart{kVelocities * body, kVelocities}; };
  const std::array<RowPart, 2> of_both = {part_of(a), part_of(b)};
  for (std::array<RowPart, 2>* of_row : parts) *of_row = of_both;
  if (a >= 0) write(a, directions, on.point_a, column);
  if (b >= 0) write(b, -directions, on.point_b, column + of_both[0].size);
}

void FreeBodies::add_load(const Interaction& on, double force) {
  if (loads_.empty()) loads_.resize(mass_.size());
  has_loads_ = true;
  const auto add = [&](int body, const Vec3& vector, const Vec3& point) {
    if (body < 0) return;
    Wrench& load = loads_[static_cast<std::size_t>(body)];
    load.force += vector;
    load.moment += (point - frame(body).p).cross(vector);
  };
  add(body_of(on.a.marker), force * on.direction, on.point_a);
  add(body_of(on.b.marker), -force * on.direction, on.point_b);
}

// ---- channels

void FreeBodies::read_channels(std::span<const int> channels, std::span<double> values) {
  // The components of a vector mostly stand together: it is evaluated once for them.
  const Mechanism::Channel* last = nullptr;
  Vec4 vector = Vec4::Zero();
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const Mechanism::Channel& channel = mechanism_->channel_table[static_cast<std::size_t>(channels[i])];
    if (last == nullptr || channel.kind != last->kind || channel.index != last->index) read_vector(channel, vector);
    last = &channel;
    values[i] = vector[channel.component];
  }
}

void FreeBodies::read_vector(const Mechanism::Channel& channel, Vec4& vector) {
  using ChannelKind = Mechanism::Channel::Kind;
  const int body = channel.index - 1;
  FREEPLAY_ASSERT(body >= 0 && body < count());
  const Frame& at = frame(body);
  switch (channel.kind) {
    case ChannelKind::kBodyPosition:
      vector.head<3>() = at.p;
      return;
    case ChannelKind::kBodyVelocity:
      vector.head<3>() = Vec3(u_.data() + kVelocities * body);
      return;
    case ChannelKind::kBodyOmega:
      vector.head<3>() = Vec3(u_.data() + kVelocities * body + 3);
      return;
    case ChannelKind::kBodyQuaternion: {
      const Vec4 e = quaternion_from_rotation(at.R);
      Vec4& before = last_quaternion_[static_cast<std::size_t>(channel.index)];
      before = e.dot(before) < 0 ? Vec4(-e) : e;
      vector = before;
      return;
    }
    case ChannelKind::kBodyAttitude:
      // R = R_z(yaw) R_y(pitch) R_x(roll)
      vector.head<3>() << std::atan2(at.R(2, 1), at.R(2, 2)),
          std::atan2(-at.R(2, 0), std::hypot(at.R(0, 0), at.R(1, 0))), std::atan2(at.R(1, 0), at.R(0, 0));
      return;
    default:
      FREEPLAY_ASSERT(false);
  }
}

std::vector<double> FreeBodies::channel_memory() const {
  std::vector<double> numbers;
  for (const Vec4& e : last_quaternion_) numbers.insert(numbers.end(), e.begin(), e.end());
  return numbers;
}

void FreeBodies::set_channel_memory(std::span<const double> numbers) {
  FREEPLAY_ASSERT(numbers.size() == 4 * last_quaternion_.size());
  for (std::size_t i = 0; i < last_quaternion_.size(); ++i)
    last_quaternion_[i] = Eigen::Map<const Vec4>(&numbers[4 * i]);
}

// ---- what there is none of

double FreeBodies::row_parts(int, std::array<RowPart, 2>&, double*) {
  FREEPLAY_ASSERT(false);
  return 0;
}
double FreeBodies::coordinate_of_joint(JointAxis) const {
  FREEPLAY_ASSERT(false);
  return 0;
}
void FreeBodies::joint_parts(JointAxis, std::array<RowPart, 2>&, double*) const {
  FREEPLAY_ASSERT(false);
}
double FreeBodies::flank_gap(const Flank&) const {
  FREEPLAY_ASSERT(false);
  return 0;
}
void FreeBodies::flank_parts(const Flank&, std::array<RowPart, 2>&, double*) const {
  FREEPLAY_ASSERT(false);
}
double FreeBodies::velocity_of_joint(JointAxis) const {
  FREEPLAY_ASSERT(false);
  return 0;
}
double FreeBodies::bias_of_joint(JointAxis) const {
  FREEPLAY_ASSERT(false);
  return 0;
}
std::array<double, 6> FreeBodies::bushing_load(int) const {
  FREEPLAY_ASSERT(false);
  return {};
}
double FreeBodies::flank_velocity(const Flank&) const {
  FREEPLAY_ASSERT(false);
  return 0;
}
double FreeBodies::flank_bias(const Flank&) const {
  FREEPLAY_ASSERT(false);
  return 0;
}
void FreeBodies::add_effort(JointAxis, double) {
  FREEPLAY_ASSERT(false);
}
void FreeBodies::add_flank_load(const Flank&, double) {
  FREEPLAY_ASSERT(false);
}
void FreeBodies::add_contact_effort(JointAxis, double) {
  FREEPLAY_ASSERT(false);
}
void FreeBodies::add_contact_flank_force(const Flank&, double) {
  FREEPLAY_ASSERT(false);
}

}  // namespace freeplay::mechanism
