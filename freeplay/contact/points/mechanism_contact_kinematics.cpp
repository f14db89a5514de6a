#include <cmath>
#include <limits>

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay::contact {

namespace {

// Parts that move less than this part of their size in a step cannot have met before they are looked at.
constexpr double kFar = 0.25;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// What differs between plane and space: the types of a gap function, and how its vectors go to world axes.
struct InPlane {
  using Gap = PlanarGap;
  using Placement = PlanarPlacement;
  using Point = PlanarContactPoint;
  using Vector = Vec2;

  static const auto& pairs(const MechanismContacts& model) { return model.planar_pairs; }
  static Placement placement(const Frame& at) { return {at.R(0, 0), at.R(1, 0), at.p.x(), at.p.y()}; }
  static Vec3 in_world(const Vec2& v) { return {v.x(), v.y(), 0}; }
  static Vec2 tangent(const Point& at, int) { return at.tangent; }
  static Vec2 velocity(const BodyVelocity& body, const Placement& at, const Vec2& point) {
    return {body.v.x() - body.w.z() * (point.y() - at.y), body.v.y() + body.w.z() * (point.x() - at.x)};
  }
};

struct InSpace {
  using Gap = SpatialGap;
  using Placement = Frame;
  using Point = SpatialContactPoint;
  using Vector = Vec3;

  static const auto& pairs(const MechanismContacts& model) { return model.spatial_pairs; }
  static const Placement& placement(const Frame& at) { return at; }
  static const Vec3& in_world(const Vec3& v) { return v; }
  static Vec3 tangent(const Point& at, int k) { return k == 0 ? at.tangent : at.second_tangent(); }
  static Vec3 velocity(const BodyVelocity& body, const Placement& at, const Vec3& point) {
    return body.v + body.w.cross(point - at.p);
  }
};

template <class Geometry>
class MechanismContactKinematics final : public ContactKinematics {
  using Vector = typename Geometry::Vector;
  using Point = typename Geometry::Point;
  using Placement = typename Geometry::Placement;
  using Pair = MechanismContacts::Pair<typename Geometry::Gap>;
  static constexpr bool kIsPlanar = std::is_same_v<Geometry, InPlane>;

 public:
  MechanismContactKinematics(const MechanismContacts& model, BodyDynamics& dynamics)
      : model_(model),
        pairs_(Geometry::pairs(model)),
        dynamics_(dynamics),
        frames_(model.bodies.size()),
        placements_(model.bodies.size()),
        velocities_(model.bodies.size()),
        turned_(model.turns.size()),
        points_(model.points().size()),
        pair_of_point_(model.points().size(), -1),
        joint_row_of_point_(model.points().size(), -1) {
    near_.reserve(pairs_.size());
    if (!kIsPlanar) bases_.reserve(points_.size());
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      for (int i = 0; i < pairs_[p].gap->point_count(); ++i)
        pair_of_point_[static_cast<std::size_t>(pairs_[p].first_point + i)] = static_cast<int>(p);
    }
    for (std::size_t r = 0; r < model.joint_rows.size(); ++r)
      joint_row_of_point_[static_cast<std::size_t>(model.joint_rows[r].point)] = static_cast<int>(r);
  }

  void update_gaps(VecRef g) override {
    dynamics_.placements(model_.bodies, frames_);
    for (std::size_t i = 0; i < placements_.size(); ++i) placements_[i] = Geometry::placement(frames_[i]);
    if constexpr (kIsPlanar) {
      if (!turned_.empty()) turn_shapes();
    }
    near_.clear();
    has_undefined_normals_ = false;
    bases_.clear();
    for (const Pair& pair : pairs_) {
      if (model_.skips_far_pairs && is_far(pair, g)) continue;
      near_.push_back(&pair);
      const std::size_t first = static_cast<std::size_t>(pair.first_point);
      const std::size_t count = static_cast<std::size_t>(pair.gap->point_count());
      pair.gap->evaluate(placement(pair.placement_a, pair.turn_a), placement(pair.placement_b, pair.turn_b),
                         std::span(points_).subspan(first, count));
      for (std::size_t i = first; i < first + count; ++i) {
        g[static_cast<Eigen::Index>(i)] = points_[i].gap;
        has_undefined_normals_ |= is_undefined(points_[i]);
      }
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
      if (description.has_normal) add_row(i, points_[i].normal, rows, column++);
      for (int k = 0; k < description.friction_rows(); ++k)
        add_row(i, Geometry::tangent(points_[i], k), rows, column++);
    }
    return column - first;
  }

  void update_velocities() override { dynamics_.velocities(model_.bodies, velocities_); }

  PointVelocity velocity_of(int point) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    FREEPLAY_ASSERT(pair_of_point_[i] >= 0);
    const Vector v = relative_velocity(pair_of(i), i);
    PointVelocity gamma;
    gamma.normal = points_[i].normal.dot(v);
    for (int k = 0; k < model_.points()[i].tangents; ++k) gamma.tangential[k] = Geometry::tangent(points_[i], k).dot(v);
    return gamma;
  }

  void add_load(int point, double normal_N, const Vec2& tangential_N) override {
    const std::size_t i = static_cast<std::size_t>(point);
    dynamics_.add_load(interaction_at(i, vector_of(i, normal_N, tangential_N)), 1);
  }

  void normal_velocities(VecRef gamma_N) override {
    update_velocities();
    if (near_.size() < pairs_.size()) gamma_N.setZero();
    for (const Pair* pair : near_) {
      for (int i = pair->first_point; i < pair->first_point + pair->gap->point_count(); ++i) {
        const std::size_t point = static_cast<std::size_t>(i);
        gamma_N[i] = points_[point].normal.dot(relative_velocity(*pair, point));
      }
    }
    for (const MechanismContacts::JointRow& row : model_.joint_rows) {
      gamma_N[row.point] = sign_of(row) * dynamics_.velocity_of_joint(row.joint);
      if (row.kind == MechanismContacts::JointRow::Kind::kFriction) gamma_N[row.point] = 0;
    }
  }

  void set_forces(std::span<const double> normal, std::span<const Vec2> tangential) override {
    dynamics_.clear_contact_forces();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (normal[i] == 0 && tangential[i].isZero(0)) continue;
      if (joint_row_of_point_[i] >= 0) {
        const MechanismContacts::JointRow& row = joint_row(i);
        dynamics_.add_contact_effort(row.joint, tangential[i][0] + sign_of(row) * normal[i]);
        continue;
      }
      dynamics_.add_contact_force(interaction_at(i, vector_of(i, normal[i], tangential[i])), 1);
    }
  }

  Vec3 in_world(int point, double normal, const Vec2& tangential) const override {
    return Geometry::in_world(vector_of(static_cast<std::size_t>(point), normal, tangential));
  }

  PointPlace place_of(int point) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (!std::isfinite(points_[i].gap)) return {Vec3::Constant(kNone), Vec3::Constant(kNone)};
    return {Geometry::in_world(points_[i].point_a), Geometry::in_world(points_[i].normal)};
  }

  bool has_undefined_normals() const override { return has_undefined_normals_; }

  void settle_normals() override {
    if (!has_undefined_normals_) return;
    for (const Pair* pair : near_) {
      for (int i = pair->first_point; i < pair->first_point + pair->gap->point_count(); ++i) {
        if (is_undefined(points_[static_cast<std::size_t>(i)])) settle_normal(*pair, i);
      }
    }
  }

  int update_centre_rows(int point, ContactRows& rows, int first) override {
    if constexpr (kIsPlanar) {
      return 0;
    } else {
      const std::size_t i = static_cast<std::size_t>(point);
      if (pair_of_point_[i] < 0) return 0;
      const Pair& pair = pair_of(i);
      const SpatialGap::Round round = pair.gap->round(point - pair.first_point);
      if (round.clearance == 0) return 0;
      const SpatialContactPoint& at = points_[i];
      const Vec3 centre = at.point_a + round.to_centre * at.normal;
      int count = 0;
      for (const Vec3& direction : {at.second_tangent(), at.tangent}) {
        const Interaction interaction{pair.a, pair.b, direction, centre, centre};
        dynamics_.interaction_columns(std::span(&interaction, 1), rows.W, first + count++);
        if (!round.is_ball) break;
      }
      return count;
    }
  }

  void turn_normal(int point, const Vec3& components) override {
    if constexpr (!kIsPlanar) {
      const std::size_t i = static_cast<std::size_t>(point);
      const Pair& pair = pair_of(i);
      const SpatialGap::Round round = pair.gap->round(point - pair.first_point);
      const Point& base = base_of(point);
      const Vec3 centre = base.point_a + round.to_centre * base.normal;
      SpatialContactPoint& at = points_[i];
      at.normal = components[0] * base.normal + components[1] * base.second_tangent() + components[2] * base.tangent;
      if (round.is_ball) at.tangent = tangent_to(at.normal);
      at.point_a = centre - round.to_centre * at.normal;
      at.point_b = at.point_a - at.gap * at.normal;
    }
  }

  void read_extra_channels(std::span<double> values) override {
    constexpr int kAxes = kIsPlanar ? 2 : 3;
    std::size_t next = 0;
    for (const MechanismContacts::Eccentricity& joint : model_.eccentricities) {
      const Frame& child = frames_[static_cast<std::size_t>(joint.placement_child)];
      const Frame& parent = frames_[static_cast<std::size_t>(joint.placement_parent)];
      const Vec3 e = child.point(joint.on_child.p) - parent.point(joint.on_parent.p);
      const Vec3 in_joint = (parent.R * joint.on_parent.R).transpose() * e;
      for (int k = 0; k < kAxes; ++k) values[next++] = in_joint[k];
    }
  }

 private:
  // Whether the bounding spheres are so far apart that there is no need to look closer. The gap of all points is then
  // theirs.
  bool is_far(const Pair& pair, VecRef g) {
    if constexpr (kIsPlanar) {
      return false;
    } else {
      const Vec3 between = placement(pair.placement_a, -1).point(pair.bound_a.centre_m) -
                           placement(pair.placement_b, -1).point(pair.bound_b.centre_m);
      const double reach = pair.bound_a.radius_m + pair.bound_b.radius_m, distance = between.norm() - reach;
      if (!(distance > kFar * reach)) return false;  // always where one is infinite
      const Vec3 normal = between.normalized(), tangent = tangent_to(normal);
      for (int i = pair.first_point; i < pair.first_point + pair.gap->point_count(); ++i) {
        SpatialContactPoint& at = points_[static_cast<std::size_t>(i)];
        at.gap = g[i] = distance;
        at.normal = normal;
        at.tangent = tangent;
        at.point_b = placement(pair.placement_b, -1).point(pair.bound_b.centre_m) + pair.bound_b.radius_m * normal;
        at.point_a = at.point_b + distance * normal;
      }
      return true;
    }
  }
  // A point as it was before anybody turned its normal.
  const Point& base_of(int point) {
    for (const auto& [turned, base] : bases_) {
      if (turned == point) return base;
    }
    bases_.emplace_back(point, points_[static_cast<std::size_t>(point)]);
    return bases_.back().second;
  }
  static bool is_undefined(const PlanarContactPoint& at) { return at.is_centred; }
  static bool is_undefined(const SpatialContactPoint& at) {
    return at.normal_is != SpatialContactPoint::Normal::kDefined;
  }
  // The gap closes in the direction in which the centre moves; the normal points against it. Where nothing moves, any
  // direction is as good.
  void settle_normal(const Pair& pair, int i) {
    const std::size_t point = static_cast<std::size_t>(i);
    Point& at = points_[point];
    double to_centre = 0;
    if constexpr (kIsPlanar)
      to_centre = pair.gap->to_centre();
    else
      to_centre = pair.gap->round(i - pair.first_point).to_centre;
    const Vector centre = at.point_a + to_centre * at.normal;
    at.point_a = at.point_b = centre;
    Vector away = -relative_velocity(pair, point);
    if constexpr (!kIsPlanar) {
      if (at.normal_is == SpatialContactPoint::Normal::kAboutTangent) away -= at.tangent.dot(away) * at.tangent;
    }
    if (away.norm() > 0) at.normal = away.normalized();
    if constexpr (kIsPlanar)
      at.tangent = tangent_of(at.normal);
    else if (at.normal_is == SpatialContactPoint::Normal::kAny)
      at.tangent = tangent_to(at.normal);
    at.point_a = centre - to_centre * at.normal;
    at.point_b = at.point_a - at.gap * at.normal;
  }
  const Pair& pair_of(std::size_t point) const { return pairs_[static_cast<std::size_t>(pair_of_point_[point])]; }
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
  void add_row(std::size_t point, const Vector& direction, ContactRows& rows, int column) const {
    const Interaction interaction = interaction_at(point, direction);
    if (rows.is_compact)
      dynamics_.interaction_parts(interaction, rows.parts[static_cast<std::size_t>(column)], rows.W.col(column).data());
    else
      dynamics_.interaction_columns(std::span(&interaction, 1), rows.W, column);
    rows.w_tilde[column] = direction.dot(surface_velocity(point));
  }
  Interaction interaction_at(std::size_t point, const Vector& direction) const {
    const Pair& pair = pair_of(point);
    return {pair.a, pair.b, Geometry::in_world(direction), Geometry::in_world(points_[point].point_a),
            Geometry::in_world(points_[point].point_b)};
  }
  Vector vector_of(std::size_t point, double normal, const Vec2& tangential) const {
    const Point& at = points_[point];
    Vector sum = normal * at.normal + tangential[0] * at.tangent;
    if constexpr (!kIsPlanar) sum += tangential[1] * at.second_tangent();
    return sum;
  }
  // v_A - v_B at a contact point, surfaces that turn by themselves included.
  Vector relative_velocity(const Pair& pair, std::size_t point) const {
    const Point& at = points_[point];
    return velocity_at(pair.placement_a, at.point_a) - velocity_at(pair.placement_b, at.point_b) +
           surface_velocity(point);
  }
  Vector velocity_at(int body, const Vector& point) const {
    const std::size_t i = static_cast<std::size_t>(body);
    return Geometry::velocity(velocities_[i], placements_[i], point);
  }

  // Where a shape that turns by itself stands, its angle being a function of time.
  void turn_shapes() {
    const double t = dynamics_.time();
    for (std::size_t i = 0; i < turned_.size(); ++i) {
      const MechanismContacts::Turn& turn = model_.turns[i];
      const PlanarPlacement& body = placements_[static_cast<std::size_t>(turn.placement)];
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
  const Placement& placement(int body, int turn) const {
    if constexpr (kIsPlanar) {
      if (turn >= 0) return turned_[static_cast<std::size_t>(turn)].at;
    }
    return placements_[static_cast<std::size_t>(body)];
  }
  // What the turning of the shapes themselves adds to v_A - v_B at a contact point: n and t give w~ from it.
  Vector surface_velocity(std::size_t point) const {
    if constexpr (kIsPlanar) {
      const Pair& pair = pair_of(point);
      return surface_velocity(pair.turn_a, points_[point].point_a) -
             surface_velocity(pair.turn_b, points_[point].point_b);
    } else {
      return Vec3::Zero();
    }
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
  const std::vector<Pair>& pairs_;
  BodyDynamics& dynamics_;
  std::vector<Frame> frames_;
  std::vector<Placement> placements_;
  std::vector<BodyVelocity> velocities_;
  std::vector<Turned> turned_;     // in the plane only
  std::vector<Point> points_;      // entries of joint rows are unused
  std::vector<const Pair*> near_;  // those that update_gaps() looked at: all, unless there are many
  bool has_undefined_normals_ = false;
  std::vector<std::pair<int, Point>> bases_;  // of points whose normals were turned
  std::vector<int> pair_of_point_, joint_row_of_point_;
};

}  // namespace

std::unique_ptr<ContactKinematics> MechanismContacts::make_kinematics(Dynamics& dynamics) const {
  BodyDynamics* bodies_of_system = dynamic_cast<BodyDynamics*>(&dynamics);
  FREEPLAY_ASSERT(bodies_of_system != nullptr);
  if (space == Space::kPlanar) return std::make_unique<MechanismContactKinematics<InPlane>>(*this, *bodies_of_system);
  return std::make_unique<MechanismContactKinematics<InSpace>>(*this, *bodies_of_system);
}

}  // namespace freeplay::contact
