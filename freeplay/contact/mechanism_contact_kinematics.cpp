#include <cmath>
#include <limits>

#include "freeplay/contact/mechanism_contacts.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay {

namespace {

Vec3 spatial(const Vec2& v) {
  return {v.x(), v.y(), 0};
}

class MechanismContactKinematics final : public ContactKinematics {
 public:
  MechanismContactKinematics(const MechanismContacts& model, BodyDynamics& dynamics)
      : model_(model),
        dynamics_(dynamics),
        placements_(model.bodies.size()),
        planar_(model.bodies.size()),
        velocities_(model.bodies.size()),
        turned_(model.turns.size()),
        points_(model.points().size()),
        pair_of_point_(model.points().size(), -1),
        joint_row_of_point_(model.points().size(), -1) {
    for (std::size_t p = 0; p < model.pairs.size(); ++p) {
      const MechanismContacts::Pair& pair = model.pairs[p];
      for (int i = 0; i < pair.gap->point_count(); ++i)
        pair_of_point_[static_cast<std::size_t>(pair.first_point + i)] = static_cast<int>(p);
    }
    for (std::size_t r = 0; r < model.joint_rows.size(); ++r)
      joint_row_of_point_[static_cast<std::size_t>(model.joint_rows[r].point)] = static_cast<int>(r);
  }

  void update_gaps(VecRef g) override {
    dynamics_.placements(model_.bodies, placements_);
    for (std::size_t i = 0; i < planar_.size(); ++i) {
      const Frame& at = placements_[i];
      planar_[i] = {at.R(0, 0), at.R(1, 0), at.p.x(), at.p.y()};
    }
    if (!turned_.empty()) turn_shapes();
    for (const MechanismContacts::Pair& pair : model_.pairs) {
      const std::size_t first = static_cast<std::size_t>(pair.first_point);
      const std::size_t count = static_cast<std::size_t>(pair.gap->point_count());
      pair.gap->evaluate(placement(pair.placement_a, pair.turn_a), placement(pair.placement_b, pair.turn_b),
                         std::span(points_).subspan(first, count));
      for (std::size_t i = first; i < first + count; ++i) g[static_cast<Eigen::Index>(i)] = points_[i].gap;
    }
    for (const MechanismContacts::JointRow& row : model_.joint_rows) g[row.point] = joint_gap(row);
  }

  int update_rows(std::span<const int> points, ContactRows& rows, int first) override {
    int column = first;
    for (const int point : points) {
      const std::size_t i = static_cast<std::size_t>(point);
      const ContactPoint& description = model_.points()[i];
      if (joint_row_of_point_[i] >= 0) {
        const MechanismContacts::JointRow& row = joint_row(i);
        dynamics_.joint_column(row.joint, rows.W, column);
        if (row.kind == MechanismContacts::JointRow::Kind::kUpperStop) rows.W.col(column) *= -1;
        rows.w_tilde[column++] = 0;
        continue;
      }
      const PlanarContactPoint& at = points_[i];
      Interaction interaction = interaction_at(i, at.normal);
      if (description.has_normal) {
        dynamics_.interaction_columns(std::span(&interaction, 1), rows.W, column);
        rows.w_tilde[column++] = at.normal.dot(surface_velocity(i));
      }
      if (description.has_friction()) {
        interaction.direction = spatial(at.tangent);
        dynamics_.interaction_columns(std::span(&interaction, 1), rows.W, column);
        rows.w_tilde[column++] = at.tangent.dot(surface_velocity(i));
      }
    }
    return column - first;
  }

  void update_velocities() override { dynamics_.velocities(model_.bodies, velocities_); }

  PointVelocity velocity_of(int point) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    FREEPLAY_ASSERT(pair_of_point_[i] >= 0);
    const Vec2 v = relative_velocity(model_.pairs[static_cast<std::size_t>(pair_of_point_[i])], i);
    return {points_[i].normal.dot(v), points_[i].tangent.dot(v)};
  }

  void add_load(int point, double normal_N, double tangential_N) override {
    const std::size_t i = static_cast<std::size_t>(point);
    dynamics_.add_load(interaction_at(i, normal_N * points_[i].normal + tangential_N * points_[i].tangent), 1);
  }

  void normal_velocities(VecRef gamma_N) override {
    update_velocities();
    for (const MechanismContacts::Pair& pair : model_.pairs) {
      for (int i = pair.first_point; i < pair.first_point + pair.gap->point_count(); ++i) {
        const std::size_t point = static_cast<std::size_t>(i);
        gamma_N[i] = points_[point].normal.dot(relative_velocity(pair, point));
      }
    }
    for (const MechanismContacts::JointRow& row : model_.joint_rows) {
      gamma_N[row.point] = sign_of(row) * dynamics_.velocity_of_joint(row.joint);
      if (row.kind == MechanismContacts::JointRow::Kind::kFriction) gamma_N[row.point] = 0;
    }
  }

  void set_forces(std::span<const double> normal, std::span<const double> tangential) override {
    dynamics_.clear_contact_forces();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (normal[i] == 0 && tangential[i] == 0) continue;
      if (joint_row_of_point_[i] >= 0) {
        const MechanismContacts::JointRow& row = joint_row(i);
        dynamics_.add_contact_effort(row.joint, tangential[i] + sign_of(row) * normal[i]);
        continue;
      }
      dynamics_.add_contact_force(interaction_at(i, points_[i].normal), normal[i]);
      dynamics_.add_contact_force(interaction_at(i, points_[i].tangent), tangential[i]);
    }
  }

  void read_extra_channels(std::span<double> values) override {
    for (std::size_t i = 0; i < model_.eccentricities.size(); ++i) {
      const MechanismContacts::Eccentricity& joint = model_.eccentricities[i];
      const Frame& child = placements_[static_cast<std::size_t>(joint.placement_child)];
      const Frame& parent = placements_[static_cast<std::size_t>(joint.placement_parent)];
      const Vec3 e = child.p + child.R * joint.on_child.p - parent.p - parent.R * joint.on_parent.p;
      const Vec3 in_joint = (parent.R * joint.on_parent.R).transpose() * e;
      values[2 * i] = in_joint.x();
      values[2 * i + 1] = in_joint.y();
    }
  }

 private:
  const MechanismContacts::JointRow& joint_row(std::size_t point) const {
    return model_.joint_rows[static_cast<std::size_t>(joint_row_of_point_[point])];
  }
  static double sign_of(const MechanismContacts::JointRow& row) {
    return row.kind == MechanismContacts::JointRow::Kind::kUpperStop ? -1 : 1;
  }
  double joint_gap(const MechanismContacts::JointRow& row) const {
    if (row.kind == MechanismContacts::JointRow::Kind::kFriction) return -std::numeric_limits<double>::infinity();
    return sign_of(row) * (dynamics_.coordinate_of_joint(row.joint) - row.bound);
  }
  Interaction interaction_at(std::size_t point, const Vec2& direction) const {
    const MechanismContacts::Pair& pair = model_.pairs[static_cast<std::size_t>(pair_of_point_[point])];
    return {pair.a, pair.b, spatial(direction), spatial(points_[point].point_a), spatial(points_[point].point_b)};
  }
  // v_A - v_B at a contact point, surfaces that turn by themselves included.
  Vec2 relative_velocity(const MechanismContacts::Pair& pair, std::size_t point) const {
    const PlanarContactPoint& at = points_[point];
    return velocity_at(pair.placement_a, at.point_a) - velocity_at(pair.placement_b, at.point_b) +
           surface_velocity(point);
  }
  Vec2 velocity_at(int placement, const Vec2& point) const {
    const BodyVelocity& body = velocities_[static_cast<std::size_t>(placement)];
    const PlanarPlacement& at = planar_[static_cast<std::size_t>(placement)];
    return {body.v.x() - body.w.z() * (point.y() - at.y), body.v.y() + body.w.z() * (point.x() - at.x)};
  }

  // Where a shape that turns by itself stands, its angle being a function of time.
  void turn_shapes() {
    const double t = dynamics_.time();
    for (std::size_t i = 0; i < turned_.size(); ++i) {
      const MechanismContacts::Turn& turn = model_.turns[i];
      const PlanarPlacement& body = planar_[static_cast<std::size_t>(turn.placement)];
      const TimeJet angle = turn.angle.evaluate_jet({&t, 1});
      const double c = std::cos(angle.value), s = std::sin(angle.value);
      const Vec2 axis = body.point(turn.about);
      PlanarPlacement at{body.cos * c - body.sin * s, body.sin * c + body.cos * s, axis.x(), axis.y()};
      const Vec2 origin = at.point(-turn.about);
      at.x = origin.x();
      at.y = origin.y();
      turned_[i] = {at, axis, angle.rate};
    }
  }
  const PlanarPlacement& placement(int body, int turn) const {
    return turn < 0 ? planar_[static_cast<std::size_t>(body)] : turned_[static_cast<std::size_t>(turn)].at;
  }
  // What the turning of the shapes themselves adds to v_A - v_B at a contact point: n and t give w~ from it.
  Vec2 surface_velocity(std::size_t point) const {
    const MechanismContacts::Pair& pair = model_.pairs[static_cast<std::size_t>(pair_of_point_[point])];
    return surface_velocity(pair.turn_a, points_[point].point_a) -
           surface_velocity(pair.turn_b, points_[point].point_b);
  }
  Vec2 surface_velocity(int turn, const Vec2& point) const {
    if (turn < 0) return Vec2::Zero();
    const Turned& shape = turned_[static_cast<std::size_t>(turn)];
    return {-shape.rate * (point.y() - shape.axis.y()), shape.rate * (point.x() - shape.axis.x())};
  }

  struct Turned {
    PlanarPlacement at;
    Vec2 axis = Vec2::Zero();  // world
    double rate = 0;           // rad/s
  };

  const MechanismContacts& model_;
  BodyDynamics& dynamics_;
  std::vector<Frame> placements_;
  std::vector<PlanarPlacement> planar_;
  std::vector<BodyVelocity> velocities_;
  std::vector<Turned> turned_;
  std::vector<PlanarContactPoint> points_;  // entries of joint rows are unused
  std::vector<int> pair_of_point_, joint_row_of_point_;
};

}  // namespace

std::unique_ptr<ContactKinematics> MechanismContacts::make_kinematics(Dynamics& dynamics) const {
  BodyDynamics* bodies_of_system = dynamic_cast<BodyDynamics*>(&dynamics);
  FREEPLAY_ASSERT(bodies_of_system != nullptr);
  return std::make_unique<MechanismContactKinematics>(*this, *bodies_of_system);
}

}  // namespace freeplay
