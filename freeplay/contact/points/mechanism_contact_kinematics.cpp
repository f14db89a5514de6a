#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "freeplay/contact/play/belts.h"
#include "freeplay/contact/play/journal_films.h"
#include "freeplay/contact/play/round_play.h"
#include "freeplay/contact/points/followed_contacts.h"
#include "freeplay/contact/points/live_pairs.h"
#include "freeplay/contact/points/turned_shapes.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay::contact {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

template <class Geometry>
class MechanismContactKinematics final : public ContactKinematics {
  using Vector = typename Geometry::Vector;
  using Point = typename Geometry::Point;
  using Placement = typename Geometry::Placement;
  static constexpr bool kIsPlanar = std::is_same_v<Geometry, InPlane>;

  using LivePair = typename LivePairs<Geometry>::Pair;

 public:
  MechanismContactKinematics(const MechanismContacts& model, BodyDynamics& dynamics)
      : model_(model),
        dynamics_(dynamics),
        finder_(model),
        live_(model),
        frames_(model.markers.size()),
        placements_(model.markers.size()),
        velocities_(model.markers.size()),
        turned_(model),
        belts_(model),
        films_(model) {
    if (finder_.finds_all())
      take_all_points();
    else
      take_points_of({});
  }

  bool has_far_points() const override { return !finder_.finds_all(); }

  bool find_points(double horizon_s) override {
    if (finder_.finds_all()) {
      if (live_.pairs().size() == live_.named_count()) return false;
      take_all_points();
      return true;
    }
    const std::span<const std::uint64_t> near = find_near(horizon_s);
    is_list_found_ = true;
    if (live_.are(near)) return false;
    live_.assign(near, set_);
    has_new_list_ = true;
    make_room();
    return true;
  }

  bool add_points(double horizon_s) override {
    if (finder_.finds_all() || has_found(horizon_s)) return false;
    if (!live_.extend(find_near(horizon_s), set_)) return false;
    make_room();
    return true;
  }

  void take_all_points() override {
    std::vector<std::uint64_t> keys(live_.named_count());
    std::iota(keys.begin(), keys.end(), std::uint64_t{0});
    live_.assign(keys, set_);
    has_new_list_ = true;
    is_list_found_ = false;
    make_room();
  }

  void take_points_of(std::span<const int> pairs) override {
    std::vector<std::uint64_t> keys;
    for (const int pair : pairs) {
      // Rows of joints are always there.
      if (static_cast<std::size_t>(pair) < live_.named_count()) keys.push_back(static_cast<std::uint64_t>(pair));
    }
    live_.assign(keys, set_);
    has_new_list_ = true;
    is_list_found_ = false;
    make_room();
  }

  void recall(const State& state) override {
    if (model_.follows_contacts) followed_.recall(state);
  }

  void remember(State& state) const override {
    if (model_.follows_contacts) followed_.remember(state);
  }

  int crowded_point() const override { return crowded_point_; }

  void update_gaps(VecRef g) override {
    place_markers();
    has_undefined_normals_ = false;
    crowded_point_ = -1;
    bases_.clear();
    if (model_.follows_contacts) followed_.resize(set_, has_new_list_);
    has_new_list_ = false;
    for (const LivePair& pair : live_.pairs()) {
      const std::size_t first = static_cast<std::size_t>(pair.first_point);
      const std::size_t count = static_cast<std::size_t>(pair.point_count);
      const Placement &at_a = placement(pair.placement_a, pair.turn_a),
                      &at_b = placement(pair.placement_b, pair.turn_b);
      const std::span<Point> of_pair = std::span(points_).subspan(first, count);
      if (!pair.gap->follows_contacts()) {
        pair.gap->evaluate(at_a, at_b, of_pair);
      } else if (pair.gap->follow(at_a, at_b, followed_.before(first, count), of_pair, followed_.now(first, count))) {
        crowded_point_ = pair.first_point;
      }
      for (std::size_t i = first; i < first + count; ++i) {
        g[static_cast<Eigen::Index>(i)] = points_[i].gap;
        has_undefined_normals_ |= is_undefined(points_[i]);
      }
    }
    if (model_.follows_contacts) followed_.keep_new();
    for (std::size_t r = 0; r < model_.joint_rows.size(); ++r)
      g[live_.first_joint_point() + static_cast<int>(r)] = joint_gap(model_.joint_rows[r]);
  }

  int add_rows(int point, RowStore& rows) override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (is_joint_row(i)) {
      const MechanismContacts::JointRow& row = joint_row(i);
      const int added = rows.add(-row.motion_at(dynamics_.time()).rate);
      if (row.is_flank()) {
        dynamics_.flank_parts(row.flank, rows.parts(added), rows.values(added));
        return 1;
      }
      dynamics_.joint_parts(joint_row(i).joint, rows.parts(added), rows.values(added));
      if (joint_row(i).kind == MechanismContacts::JointRow::Kind::kUpperStop) {
        for (int k = 0; k < rows.entries(added); ++k) rows.values(added)[k] *= -1;
      }
      return 1;
    }
    const ContactPoint& description = set_[point];
    if (description.has_normal) add_row(i, points_[i].normal, rows);
    const Vector belt = belt_velocity(i);
    for (int k = 0; k < description.friction_rows(); ++k) {
      const Vector tangent = Geometry::tangent(points_[i], k);
      add_row(i, tangent, rows);
      rows.w_tilde(rows.size() - 1) += tangent.dot(belt);
    }
    return description.rows();
  }

  void update_velocities() override { dynamics_.velocities(model_.markers, velocities_); }

  PointVelocity velocity_of(int point) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (is_joint_row(i)) return velocity_of_joint_row(joint_row(i));
    const Vector v = relative_velocity(pair_of(i), i), of_surface = surface_velocity(i), of_belt = belt_velocity(i);
    PointVelocity gamma;
    gamma.normal = points_[i].normal.dot(v);
    gamma.driven_normal = points_[i].normal.dot(of_surface);
    for (int k = 0; k < set_[point].tangents; ++k) {
      const Vector tangent = Geometry::tangent(points_[i], k);
      gamma.belt[k] = tangent.dot(of_belt);
      gamma.tangential[k] = tangent.dot(v) + gamma.belt[k];
      gamma.driven_tangential[k] = tangent.dot(of_surface) + gamma.belt[k];
    }
    return gamma;
  }

  void row_bias(int point, std::span<double> zeta) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (is_joint_row(i)) {
      const MechanismContacts::JointRow& row = joint_row(i);
      zeta[0] = row.is_flank()
                    ? dynamics_.flank_bias(row.flank)
                    : sign_of(row) * dynamics_.bias_of_joint(row.joint) - row.motion_at(dynamics_.time()).acceleration;
      return;
    }
    const ContactPoint& description = set_[point];
    if (!std::isfinite(points_[i].gap)) {
      std::fill_n(zeta.begin(), description.rows(), 0.0);
      return;
    }
    const LivePair& pair = pair_of(i);
    const auto rates =
        pair.gap->rates(placement(pair.placement_a, pair.turn_a), placement(pair.placement_b, pair.turn_b), points_[i],
                        motion_of(pair.placement_a, pair.turn_a), motion_of(pair.placement_b, pair.turn_b));
    std::size_t row = 0;
    if (description.has_normal) zeta[row++] = rates.normal_bias;
    for (int k = 0; k < description.friction_rows(); ++k) {
      const Vector tangent = Geometry::tangent(points_[i], k), normal_rate = Geometry::normal_rate(rates, points_[i]);
      zeta[row++] = Geometry::tangential_bias(rates, k) +
                    belts_.bias(pair, points_[i], tangent, normal_rate, frames_, velocities_);
    }
  }

  void add_load(int point, double normal_N, const Vec2& tangential_N) override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (is_joint_row(i)) {
      const MechanismContacts::JointRow& row = joint_row(i);
      if (row.is_flank())
        dynamics_.add_flank_load(row.flank, normal_N);
      else
        dynamics_.add_effort(row.joint, tangential_N[0] + sign_of(row) * normal_N);
      return;
    }
    dynamics_.add_load(interaction_at(i, vector_of(i, normal_N, tangential_N)), 1);
  }

  void normal_velocities(VecRef gamma_N) override {
    update_velocities();
    for (const LivePair& pair : live_.pairs()) {
      for (int i = pair.first_point; i < pair.first_point + pair.point_count; ++i) {
        const std::size_t point = static_cast<std::size_t>(i);
        gamma_N[i] = points_[point].normal.dot(relative_velocity(pair, point));
      }
    }
    for (std::size_t r = 0; r < model_.joint_rows.size(); ++r) {
      const MechanismContacts::JointRow& row = model_.joint_rows[r];
      gamma_N[live_.first_joint_point() + static_cast<int>(r)] =
          row.is_flank()  ? dynamics_.flank_velocity(row.flank)
          : row.is_stop() ? sign_of(row) * dynamics_.velocity_of_joint(row.joint)
                          : 0;
    }
  }

  void write_force(int point, double normal, const Vec2& tangential, ContactForces& forces) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (normal == 0 && tangential.isZero(0)) return;
    if (is_joint_row(i)) {
      const MechanismContacts::JointRow& row = joint_row(i);
      if (row.is_flank())
        forces.at_flanks.push_back({row.flank, normal});
      else
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
    for (const LivePair& pair : live_.pairs()) {
      for (int i = pair.first_point; i < pair.first_point + pair.point_count; ++i) {
        const std::size_t point = static_cast<std::size_t>(i);
        if (!is_undefined(points_[point])) continue;
        settle_normal(points_[point], to_centre(*pair.gap, i - pair.first_point),
                      [&] { return relative_velocity(pair, point); });
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
        dynamics_.interaction_parts({marker_a(pair), marker_b(pair), direction, centre, centre}, rows.parts(row),
                                    rows.values(row));
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
      points_[i] = turned_about_centre(base_of(point), round, components);
    }
  }

  double add_film_loads() override {
    return films_.are_there() ? films_.add_loads({frames_, velocities_}, dynamics_) : 0;
  }

  void write_film_forces(ContactForces& forces) override {
    if (!films_.are_there()) return;
    update_velocities();
    films_.write_forces({frames_, velocities_}, forces);
  }

  double wear_coordinate(int point, const WornContact& contact, const WornSurface& surface) const override {
    if (surface.kind == WornSurface::Kind::kWhole) return 0;
    const MechanismContacts::Eccentricity& sides = model_.eccentricities[static_cast<std::size_t>(contact.sides)];
    const Frame& body =
        frames_[static_cast<std::size_t>(surface.is_on_child ? sides.placement_child : sides.placement_parent)];
    const Frame& joint = surface.is_on_child ? sides.on_child : sides.on_parent;
    const Point& at = points_[static_cast<std::size_t>(point)];
    const Mat3 to_joint = (body.R * joint.R).transpose();
    if (surface.kind == WornSurface::Kind::kTrack)
      return (to_joint * (Geometry::in_world(at.point_a) - body.point(joint.p))).x();
    // The normal points at the centre of the bore.
    const Vec3 outward = -to_joint * Geometry::in_world(at.normal);
    return std::atan2(outward.y(), outward.x());
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
    if (!films_.are_there()) return;
    update_velocities();
    films_.read_channels({frames_, velocities_}, values.subspan(next));
  }

 private:
  void place_markers() {
    dynamics_.placements(model_.markers, frames_);
    for (std::size_t i = 0; i < placements_.size(); ++i) placements_[i] = Geometry::placement(frames_[i]);
    belts_.update(dynamics_.time());
    if constexpr (kIsPlanar) {
      if (!turned_.is_empty()) turned_.place(dynamics_.time(), placements_);
    }
  }
  std::span<const std::uint64_t> find_near(double horizon_s) {
    dynamics_.placements(model_.markers, frames_);
    if (horizon_s > 0) dynamics_.velocities(model_.markers, velocities_);
    return finder_.find(frames_, velocities_, horizon_s);
  }
  // Whether the list has been made at this position, with reaches no smaller than those of the velocities now.
  bool has_found(double horizon_s) {
    if (!(horizon_s > 0) || !is_list_found_) return false;
    dynamics_.placements(model_.markers, frames_);
    dynamics_.velocities(model_.markers, velocities_);
    return finder_.has_covered(frames_, velocities_, horizon_s);
  }
  void make_room() {
    points_.resize(static_cast<std::size_t>(live_.point_count()));
    if (!kIsPlanar) bases_.reserve(points_.size());
  }

  // ---- single points

  // A point as it was before anybody turned its normal.
  const Point& base_of(int point) {
    for (const auto& [turned, base] : bases_) {
      if (turned == point) return base;
    }
    bases_.emplace_back(point, points_[static_cast<std::size_t>(point)]);
    return bases_.back().second;
  }
  bool is_joint_row(std::size_t point) const { return live_.is_joint_row(point); }
  const LivePair& pair_of(std::size_t point) const { return live_.pair_of(point); }
  MarkerIndex marker_a(const LivePair& pair) const {
    return model_.markers[static_cast<std::size_t>(pair.placement_a)];
  }
  MarkerIndex marker_b(const LivePair& pair) const {
    return model_.markers[static_cast<std::size_t>(pair.placement_b)];
  }
  const MechanismContacts::JointRow& joint_row(std::size_t point) const { return live_.joint_row(point); }
  static double sign_of(const MechanismContacts::JointRow& row) {
    return row.kind == MechanismContacts::JointRow::Kind::kUpperStop ? -1 : 1;
  }
  PointVelocity velocity_of_joint_row(const MechanismContacts::JointRow& row) const {
    PointVelocity gamma;
    if (row.is_flank())
      gamma.normal = dynamics_.flank_velocity(row.flank);
    else if (row.is_stop())
      gamma.normal = sign_of(row) * dynamics_.velocity_of_joint(row.joint);
    else
      gamma.tangential[0] = dynamics_.velocity_of_joint(row.joint) - row.motion_at(dynamics_.time()).rate;
    return gamma;
  }
  double joint_gap(const MechanismContacts::JointRow& row) const {
    if (row.is_flank()) return dynamics_.flank_gap(row.flank);
    if (!row.is_stop()) return -std::numeric_limits<double>::infinity();
    return sign_of(row) * (dynamics_.coordinate_of_joint(row.joint) - row.bound);
  }
  void add_row(std::size_t point, const Vector& direction, RowStore& rows) const {
    const int row = rows.add(direction.dot(surface_velocity(point)));
    dynamics_.interaction_parts(interaction_at(point, direction), rows.parts(row), rows.values(row));
  }
  Interaction interaction_at(std::size_t point, const Vector& direction) const {
    const LivePair& pair = pair_of(point);
    return {marker_a(pair),
            marker_b(pair),
            Geometry::in_world(direction),
            Geometry::in_world(points_[point].point_a),
            Geometry::in_world(points_[point].point_b),
            pair.joint};
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

  // Of what carries a shape, at du/dt = 0; both partners' without gravity.
  typename Geometry::Motion motion_of(int body, int turn) const {
    const std::size_t i = static_cast<std::size_t>(body);
    MarkerBias bias;
    dynamics_.biases({&model_.markers[i], 1}, {&bias, 1});
    typename Geometry::Motion motion = Geometry::motion(placements_[i], velocities_[i], bias);
    if constexpr (kIsPlanar)
      return turned_.motion(turn, motion);
    else
      return motion;
  }

  const Placement& placement(int body, int turn) const {
    if constexpr (kIsPlanar) {
      if (turn >= 0) return turned_.placement(turn);
    }
    return placements_[static_cast<std::size_t>(body)];
  }
  // What the turning of the shapes themselves adds to v_A - v_B at a contact point: n and t give w~ from it.
  Vector surface_velocity(std::size_t point) const {
    if constexpr (kIsPlanar) {
      const LivePair& pair = pair_of(point);
      return turned_.velocity(pair.turn_a, points_[point].point_a) -
             turned_.velocity(pair.turn_b, points_[point].point_b);
    } else {
      return Vec3::Zero();
    }
  }
  // What belts add to v_A - v_B at a contact point, for tangential rows only.
  Vector belt_velocity(std::size_t point) const { return belts_.velocity(pair_of(point), points_[point], frames_); }

  const MechanismContacts& model_;
  BodyDynamics& dynamics_;
  ContactFinder finder_;
  LivePairs<Geometry> live_;
  std::vector<Frame> frames_;
  std::vector<Placement> placements_;
  std::vector<MarkerVelocity> velocities_;
  TurnedShapes turned_;  // in the plane only
  Belts<Geometry> belts_;
  JournalFilms films_;  // in the plane only

  std::vector<Point> points_;  // entries of joint rows are unused
  FollowedContacts followed_;
  bool has_new_list_ = true;    // since the last update_gaps()
  bool is_list_found_ = false;  // by the finder, rather than given
  int crowded_point_ = -1;
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
