#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "freeplay/contact/points/contact_finder.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay::contact {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// What differs between plane and space: the types of a gap function, and how its vectors go to world axes.
struct InPlane {
  using Gap = PlanarGap;
  using Placement = PlanarPlacement;
  using Point = PlanarContactPoint;
  using Vector = Vec2;

  static const auto& pairs(const MechanismContacts& model) { return model.planar_pairs; }
  static auto make_gap(const ShapeGeometry& a, const ShapeGeometry& b) { return make_planar_gap(a, b); }
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
  static auto make_gap(const ShapeGeometry& a, const ShapeGeometry& b) { return make_spatial_gap(a, b); }
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
  using Gap = typename Geometry::Gap;
  static constexpr bool kIsPlanar = std::is_same_v<Geometry, InPlane>;

  // A pair that is looked at. Its points stand one after the other in the contact set.
  struct LivePair {
    std::uint64_t key = 0;
    BodyIndex a{}, b{};
    int placement_a = 0, placement_b = 0;
    int turn_a = -1, turn_b = -1;
    const Gap* gap = nullptr;
    const ContactPoint* descriptions = nullptr;  // of a named pair one per point, of a group's the group's
    int first_point = 0, point_count = 0;
  };

 public:
  MechanismContactKinematics(const MechanismContacts& model, BodyDynamics& dynamics)
      : model_(model),
        dynamics_(dynamics),
        finder_(model),
        frames_(model.bodies.size()),
        placements_(model.bodies.size()),
        velocities_(model.bodies.size()),
        turned_(model.turns.size()) {
    take_all_points();
    if (!finder_.finds_all()) take_points_of({});
  }

  bool has_far_points() const override { return !finder_.finds_all(); }

  bool find_points(double horizon_s) override {
    if (finder_.finds_all()) {
      if (live_.size() == Geometry::pairs(model_).size()) return false;
      take_all_points();
      return true;
    }
    const std::span<const std::uint64_t> near = find_near(horizon_s);
    if (!is_extended_ && std::equal(near.begin(), near.end(), live_.begin(), live_.end(),
                                    [](std::uint64_t key, const LivePair& pair) { return key == pair.key; }))
      return false;
    start_list();
    for (const std::uint64_t key : near) add_pair(key);
    finish_list();
    return true;
  }

  bool add_points(double horizon_s) override {
    if (finder_.finds_all()) return false;
    const std::span<const std::uint64_t> near = find_near(horizon_s);
    new_points_.clear();
    known_.clear();
    for (const LivePair& pair : live_) known_.push_back(pair.key);
    std::sort(known_.begin(), known_.end());
    for (const std::uint64_t key : near) {
      if (!std::binary_search(known_.begin(), known_.end(), key)) add_pair(key);
    }
    if (new_points_.empty()) return false;
    set_.append(new_points_);
    points_.resize(pair_of_point_.size());
    is_extended_ = true;
    return true;
  }

  void take_all_points() override {
    start_list();
    for (std::size_t pair = 0; pair < Geometry::pairs(model_).size(); ++pair) add_pair(pair);
    finish_list();
  }

  void take_points_of(std::span<const int> pairs) override {
    start_list();
    for (const int pair : pairs) {
      if (static_cast<std::size_t>(pair) < Geometry::pairs(model_).size()) add_pair(static_cast<std::uint64_t>(pair));
    }
    finish_list();
  }

  void take_points(const ContactKinematics& other) override {
    const auto& same = dynamic_cast<const MechanismContactKinematics&>(other);
    const auto has_key = [](const LivePair& x, const LivePair& y) { return x.key == y.key; };
    if (std::equal(live_.begin(), live_.end(), same.live_.begin(), same.live_.end(), has_key) &&
        set_.size() == same.set_.size())
      return;
    start_list();
    for (const LivePair& pair : same.live_) {
      // Points of joints stand where the other list has them: behind the pairs that were there from its start.
      if (!has_joint_rows_ && pair.first_point > same.first_joint_point()) add_joint_rows();
      add_pair(pair.key);
    }
    if (!has_joint_rows_) add_joint_rows();
    set_.assign(new_points_);
    points_.resize(pair_of_point_.size());
    is_extended_ = same.is_extended_;
  }

  void update_gaps(VecRef g) override {
    place_bodies();
    has_undefined_normals_ = false;
    bases_.clear();
    for (const LivePair& pair : live_) {
      const std::size_t first = static_cast<std::size_t>(pair.first_point);
      const std::size_t count = static_cast<std::size_t>(pair.point_count);
      pair.gap->evaluate(placement(pair.placement_a, pair.turn_a), placement(pair.placement_b, pair.turn_b),
                         std::span(points_).subspan(first, count));
      for (std::size_t i = first; i < first + count; ++i) {
        g[static_cast<Eigen::Index>(i)] = points_[i].gap;
        has_undefined_normals_ |= is_undefined(points_[i]);
      }
    }
    for (std::size_t r = 0; r < model_.joint_rows.size(); ++r)
      g[first_joint_point_ + static_cast<int>(r)] = joint_gap(model_.joint_rows[r]);
  }

  int add_rows(int point, RowStore& rows) override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (is_joint_row(i)) {
      const int added = rows.add(0);
      dynamics_.joint_parts(joint_row(i).joint, rows.parts(added), rows.values(added));
      if (joint_row(i).kind == MechanismContacts::JointRow::Kind::kUpperStop) {
        for (int k = 0; k < rows.entries(added); ++k) rows.values(added)[k] *= -1;
      }
      return 1;
    }
    const ContactPoint& description = set_[point];
    if (description.has_normal) add_row(i, points_[i].normal, rows);
    for (int k = 0; k < description.friction_rows(); ++k) add_row(i, Geometry::tangent(points_[i], k), rows);
    return description.rows();
  }

  void update_velocities() override { dynamics_.velocities(model_.bodies, velocities_); }

  PointVelocity velocity_of(int point) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    FREEPLAY_ASSERT(!is_joint_row(i));
    const Vector v = relative_velocity(pair_of(i), i);
    PointVelocity gamma;
    gamma.normal = points_[i].normal.dot(v);
    for (int k = 0; k < set_[point].tangents; ++k) gamma.tangential[k] = Geometry::tangent(points_[i], k).dot(v);
    return gamma;
  }

  void add_load(int point, double normal_N, const Vec2& tangential_N) override {
    const std::size_t i = static_cast<std::size_t>(point);
    dynamics_.add_load(interaction_at(i, vector_of(i, normal_N, tangential_N)), 1);
  }

  void normal_velocities(VecRef gamma_N) override {
    update_velocities();
    for (const LivePair& pair : live_) {
      for (int i = pair.first_point; i < pair.first_point + pair.point_count; ++i) {
        const std::size_t point = static_cast<std::size_t>(i);
        gamma_N[i] = points_[point].normal.dot(relative_velocity(pair, point));
      }
    }
    for (std::size_t r = 0; r < model_.joint_rows.size(); ++r) {
      const MechanismContacts::JointRow& row = model_.joint_rows[r];
      const bool is_friction = row.kind == MechanismContacts::JointRow::Kind::kFriction;
      gamma_N[first_joint_point_ + static_cast<int>(r)] =
          is_friction ? 0 : sign_of(row) * dynamics_.velocity_of_joint(row.joint);
    }
  }

  void write_force(int point, double normal, const Vec2& tangential, ContactForces& forces) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (normal == 0 && tangential.isZero(0)) return;
    if (is_joint_row(i)) {
      const MechanismContacts::JointRow& row = joint_row(i);
      forces.along_joints.push_back({row.joint, tangential[0] + sign_of(row) * normal});
    } else {
      forces.between_bodies.push_back(interaction_at(i, vector_of(i, normal, tangential)));
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
    for (const LivePair& pair : live_) {
      for (int i = pair.first_point; i < pair.first_point + pair.point_count; ++i) {
        if (is_undefined(points_[static_cast<std::size_t>(i)])) settle_normal(pair, i);
      }
    }
  }

  int add_centre_rows(int point, RowStore& rows) override {
    if constexpr (kIsPlanar) {
      return 0;
    } else {
      const std::size_t i = static_cast<std::size_t>(point);
      if (is_joint_row(i)) return 0;
      const LivePair& pair = pair_of(i);
      const SpatialGap::Round round = pair.gap->round(point - pair.first_point);
      if (round.clearance == 0) return 0;
      const SpatialContactPoint& at = points_[i];
      const Vec3 centre = at.point_a + round.to_centre * at.normal;
      int count = 0;
      for (const Vec3& direction : {at.second_tangent(), at.tangent}) {
        const int row = rows.add(0);
        dynamics_.interaction_parts({pair.a, pair.b, direction, centre, centre}, rows.parts(row), rows.values(row));
        ++count;
        if (!round.is_ball) break;
      }
      return count;
    }
  }

  void turn_normal(int point, const Vec3& components) override {
    if constexpr (!kIsPlanar) {
      const std::size_t i = static_cast<std::size_t>(point);
      const LivePair& pair = pair_of(i);
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
  // ---- the list of points

  void place_bodies() {
    dynamics_.placements(model_.bodies, frames_);
    for (std::size_t i = 0; i < placements_.size(); ++i) placements_[i] = Geometry::placement(frames_[i]);
    if constexpr (kIsPlanar) {
      if (!turned_.empty()) turn_shapes();
    }
  }
  std::span<const std::uint64_t> find_near(double horizon_s) {
    dynamics_.placements(model_.bodies, frames_);
    if (horizon_s > 0) dynamics_.velocities(model_.bodies, velocities_);
    return finder_.find(frames_, velocities_, horizon_s);
  }
  void start_list() {
    live_.clear();
    new_points_.clear();
    pair_of_point_.clear();
    has_joint_rows_ = is_extended_ = false;
  }
  void finish_list() {
    add_joint_rows();
    set_.assign(new_points_);
    points_.resize(pair_of_point_.size());
    if (!kIsPlanar) bases_.reserve(points_.size());
  }
  void add_pair(std::uint64_t key) {
    LivePair pair = (key & ContactKey::kUnnamed) == 0 ? named_pair(static_cast<std::size_t>(key)) : pair_of_group(key);
    pair.first_point = static_cast<int>(pair_of_point_.size());
    const bool is_named = (key & ContactKey::kUnnamed) == 0;
    for (int i = 0; i < pair.point_count; ++i) {
      new_points_.push_back({{key, static_cast<std::uint32_t>(i)}, is_named ? pair.descriptions + i : pair.descriptions});
      pair_of_point_.push_back(static_cast<int>(live_.size()));
    }
    live_.push_back(pair);
  }
  LivePair named_pair(std::size_t index) const {
    const auto& of = Geometry::pairs(model_)[index];
    return {index,     of.a,      of.b,         of.placement_a, of.placement_b,
            of.turn_a, of.turn_b, of.gap.get(), &model_.points()[static_cast<std::size_t>(of.first_point)],
            0,         of.gap->point_count()};
  }
  // Pairs of surfaces of the same kinds share their gap function.
  LivePair pair_of_group(std::uint64_t key) {
    const auto [index_a, index_b] = MechanismContacts::surfaces_of_key(key);
    const MechanismContacts::Surface& a = model_.surfaces[static_cast<std::size_t>(index_a)];
    const MechanismContacts::Surface& b = model_.surfaces[static_cast<std::size_t>(index_b)];
    std::unique_ptr<const Gap>& gap = gaps_of_groups_[{a.kind, b.kind}];
    if (!gap) gap = Geometry::make_gap(a.geometry, b.geometry);
    const int group = a.group >= 0 ? a.group : b.group;
    return {key,       a.body,
            b.body,    a.placement,
            b.placement, -1,
            -1,        gap.get(),
            &model_.groups()[static_cast<std::size_t>(group)],
            0,         gap->point_count()};
  }
  void add_joint_rows() {
    has_joint_rows_ = true;
    first_joint_point_ = static_cast<int>(pair_of_point_.size());
    const std::uint64_t pairs = Geometry::pairs(model_).size();
    for (std::size_t r = 0; r < model_.joint_rows.size(); ++r) {
      const std::size_t point = static_cast<std::size_t>(model_.joint_rows[r].point);
      new_points_.push_back({{pairs + r, 0}, &model_.points()[point]});
      pair_of_point_.push_back(-1 - static_cast<int>(r));
    }
  }
  int first_joint_point() const { return first_joint_point_; }

  // ---- single points

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
  void settle_normal(const LivePair& pair, int i) {
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
  bool is_joint_row(std::size_t point) const { return pair_of_point_[point] < 0; }
  const LivePair& pair_of(std::size_t point) const { return live_[static_cast<std::size_t>(pair_of_point_[point])]; }
  const MechanismContacts::JointRow& joint_row(std::size_t point) const {
    return model_.joint_rows[static_cast<std::size_t>(-1 - pair_of_point_[point])];
  }
  static double sign_of(const MechanismContacts::JointRow& row) {
    return row.kind == MechanismContacts::JointRow::Kind::kUpperStop ? -1 : 1;
  }
  double joint_gap(const MechanismContacts::JointRow& row) const {
    if (row.kind == MechanismContacts::JointRow::Kind::kFriction) return -std::numeric_limits<double>::infinity();
    return sign_of(row) * (dynamics_.coordinate_of_joint(row.joint) - row.bound);
  }
  void add_row(std::size_t point, const Vector& direction, RowStore& rows) const {
    const int row = rows.add(direction.dot(surface_velocity(point)));
    dynamics_.interaction_parts(interaction_at(point, direction), rows.parts(row), rows.values(row));
  }
  Interaction interaction_at(std::size_t point, const Vector& direction) const {
    const LivePair& pair = pair_of(point);
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
  Vector relative_velocity(const LivePair& pair, std::size_t point) const {
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
      const LivePair& pair = pair_of(point);
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
  BodyDynamics& dynamics_;
  ContactFinder finder_;
  std::vector<Frame> frames_;
  std::vector<Placement> placements_;
  std::vector<BodyVelocity> velocities_;
  std::vector<Turned> turned_;  // in the plane only

  std::vector<LivePair> live_;
  std::vector<int> pair_of_point_;  // into live_; -1 - r for the row r of joints
  int first_joint_point_ = 0;
  bool has_joint_rows_ = false;  // while a list is made
  bool is_extended_ = false;     // by add_points(): the list is not in order
  std::vector<LivePoint> new_points_;
  std::vector<std::uint64_t> known_;
  std::map<std::pair<int, int>, std::unique_ptr<const Gap>> gaps_of_groups_;  // by kinds of surfaces

  std::vector<Point> points_;  // entries of joint rows are unused
  bool has_undefined_normals_ = false;
  std::vector<std::pair<int, Point>> bases_;  // of points whose normals were turned
};

}  // namespace

std::unique_ptr<ContactKinematics> MechanismContacts::make_kinematics(Dynamics& dynamics) const {
  BodyDynamics* bodies_of_system = dynamic_cast<BodyDynamics*>(&dynamics);
  FREEPLAY_ASSERT(bodies_of_system != nullptr);
  if (space == Space::kPlanar) return std::make_unique<MechanismContactKinematics<InPlane>>(*this, *bodies_of_system);
  return std::make_unique<MechanismContactKinematics<InSpace>>(*this, *bodies_of_system);
}

}  // namespace freeplay::contact
