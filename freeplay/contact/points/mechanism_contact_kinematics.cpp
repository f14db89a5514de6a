#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "freeplay/contact/carried/placed_shapes.h"
#include "freeplay/contact/play/journal_films.h"
#include "freeplay/contact/play/round_play.h"
#include "freeplay/contact/points/far_pairs.h"
#include "freeplay/contact/points/followed_contacts.h"
#include "freeplay/contact/points/joint_row_kinematics.h"
#include "freeplay/contact/points/joint_sides.h"
#include "freeplay/contact/points/live_pairs.h"
#include "freeplay/contact/points/unturned_points.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/body_dynamics.h"
#include "freeplay/mechanism/dynamics/free_bodies.h"

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
        free_bodies_(dynamic_cast<FreeBodies*>(&dynamics)),
        finder_(model),
        live_(model),
        joint_rows_(dynamics),
        shapes_(model, dynamics),
        far_(model, shapes_),
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
    const bool is_new = !live_.are(near);
    if (is_new) take(near);
    is_list_found_ = true;
    return is_new;
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
    take(keys);
  }

  void take_points_of(std::span<const int> pairs) override {
    std::vector<std::uint64_t> keys;
    for (const int pair : pairs) {
      // Rows of joints are always there.
      if (static_cast<std::size_t>(pair) < live_.named_count()) keys.push_back(static_cast<std::uint64_t>(pair));
    }
    take(keys);
  }

  void recall(const State& state) override {
    if (model_.follows_contacts) followed_.recall(state);
  }

  void remember(State& state) const override {
    if (model_.follows_contacts) followed_.remember(state);
  }

  void fill_far_gaps(VecRef g) const override {
    if (model_.follows_contacts) far_.fill(live_.pairs(), g);
  }

  std::optional<double> far_speed(int point) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    return is_joint_row(i) || std::isfinite(points_[i].gap) ? std::nullopt : far_.far_speed(pair_of(i));
  }

  int crowded_point() const override { return crowded_point_; }

  void update_gaps(VecRef g) override {
    shapes_.place_shapes();
    has_undefined_normals_ = false;
    crowded_point_ = -1;
    unturned_.clear();
    if (model_.follows_contacts) followed_.resize(set_, has_new_list_);
    has_new_list_ = false;
    for (const LivePair& pair : live_.pairs()) {
      const std::size_t first = static_cast<std::size_t>(pair.first_point);
      const std::size_t count = static_cast<std::size_t>(pair.point_count);
      const Placement &at_a = shapes_.placement_a(pair), &at_b = shapes_.placement_b(pair);
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
      g[live_.first_joint_point() + static_cast<int>(r)] = joint_rows_.gap(model_.joint_rows[r]);
  }

  int add_rows(int point, RowStore& rows) override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (is_joint_row(i)) {
      joint_rows_.add_to(rows, joint_row(i));
      return 1;
    }
    const ContactPoint& description = set_[point];
    if constexpr (!kIsPlanar) {
      if (description.has_normal && description.friction_rows() == 2 && free_bodies_ != nullptr &&
          !shapes_.has_belt(pair_of(i))) {
        add_three_rows(i, rows);
        return 3;
      }
    }
    if (description.has_normal) add_row(i, points_[i].normal, rows);
    const Vector belt = shapes_.belt_velocity(pair_of(i), points_[i]);
    for (int k = 0; k < description.friction_rows(); ++k) {
      const Vector tangent = Geometry::tangent(points_[i], k);
      add_row(i, tangent, rows);
      rows.w_tilde(rows.size() - 1) += tangent.dot(belt);
    }
    return description.rows();
  }

  void update_velocities() override { shapes_.update_velocities(); }

  PointVelocity velocity_of(int point) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (is_joint_row(i)) return joint_rows_.velocity(joint_row(i));
    return shapes_.velocity_of(pair_of(i), points_[i], set_[point].tangents);
  }

  double dry_effort(int point) const override {
    const double dry = set_[point].law.dry_effort;
    const std::size_t i = static_cast<std::size_t>(point);
    return is_joint_row(i) ? dry + joint_rows_.effort_by_bushing(joint_row(i)) : dry;
  }

  double greatest_speed(int point) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    return is_joint_row(i) ? 0 : far_.greatest_speed(pair_of(i));
  }

  UntoldContacts untold_contacts(int point) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    return is_joint_row(i) ? UntoldContacts{} : far_.untold_contacts(pair_of(i));
  }

  void row_bias(int point, std::span<double> zeta) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (is_joint_row(i)) {
      zeta[0] = joint_rows_.bias(joint_row(i));
      return;
    }
    const ContactPoint& description = set_[point];
    if (!std::isfinite(points_[i].gap)) {
      std::fill_n(zeta.begin(), description.rows(), 0.0);
      return;
    }
    shapes_.write_biases(pair_of(i), points_[i], description, zeta);
  }

  void add_load(int point, double normal_N, const Vec2& tangential_N) override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (is_joint_row(i)) {
      joint_rows_.add_load(joint_row(i), normal_N, tangential_N[0]);
      return;
    }
    dynamics_.add_load(interaction_at(i, vector_of(i, normal_N, tangential_N)), 1);
  }

  void normal_velocities(VecRef gamma_N) override {
    update_velocities();
    for (const LivePair& pair : live_.pairs()) {
      for (int i = pair.first_point; i < pair.first_point + pair.point_count; ++i) {
        const std::size_t point = static_cast<std::size_t>(i);
        gamma_N[i] = points_[point].normal.dot(shapes_.relative_velocity(pair, points_[point]));
      }
    }
    for (std::size_t r = 0; r < model_.joint_rows.size(); ++r)
      gamma_N[live_.first_joint_point() + static_cast<int>(r)] = joint_rows_.normal_velocity(model_.joint_rows[r]);
  }

  void write_force(int point, double normal, const Vec2& tangential, ContactForces& forces) const override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (normal == 0 && tangential.isZero(0)) return;
    if (is_joint_row(i))
      JointRowKinematics::write_force(joint_row(i), normal, tangential[0], forces);
    else
      forces.between_bodies.push_back(interaction_at(i, vector_of(i, normal, tangential)));
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
                      [&] { return shapes_.relative_velocity(pair, points_[point]); });
      }
    }
  }

  int add_centre_rows(int point, RowStore& rows) override {
    const std::size_t i = static_cast<std::size_t>(point);
    if (is_joint_row(i)) return 0;
    const LivePair& pair = pair_of(i);
    const Point& at = points_[i];
    const auto add = [&](const Vec3& direction, const Vec3& centre) {
      const int row = rows.add(0);
      dynamics_.interaction_parts({shapes_.marker_a(pair), shapes_.marker_b(pair), direction, centre, centre},
                                  rows.parts(row), rows.values(row));
    };
    if constexpr (kIsPlanar) {
      if (!is_round_play(*pair.gap)) return 0;
      add(Geometry::in_world(at.tangent), Geometry::in_world(at.point_a + to_centre(*pair.gap, 0) * at.normal));
      return 1;
    } else {
      const SpatialGap::Round round = pair.gap->round(point - pair.first_point);
      if (round.clearance == 0) return 0;
      const Vec3 centre = at.point_a + round.to_centre * at.normal;
      add(at.second_tangent(), centre);
      if (!round.is_ball) return 1;
      add(at.tangent, centre);
      return 2;
    }
  }

  void turn_normal(int point, const Vec3& components) override {
    const std::size_t i = static_cast<std::size_t>(point);
    const auto& gap = *pair_of(i).gap;
    const Point& unturned = unturned_.at(point, points_);
    if constexpr (kIsPlanar) {
      points_[i] = turned_about_centre(unturned, to_centre(gap, 0), components);
    } else {
      points_[i] = turned_about_centre(unturned, gap.round(point - pair_of(i).first_point), components);
    }
  }

  double add_film_loads() override {
    return films_.are_there() ? films_.add_loads({shapes_.frames(), shapes_.velocities()}, dynamics_) : 0;
  }

  void write_film_forces(ContactForces& forces) override {
    if (!films_.are_there()) return;
    update_velocities();
    films_.write_forces({shapes_.frames(), shapes_.velocities()}, forces);
  }

  double wear_coordinate(int point, const WornContact& contact, const WornSurface& surface) const override {
    if (surface.kind == WornSurface::Kind::kWhole) return 0;
    const MechanismContacts::Eccentricity& sides = model_.eccentricities[static_cast<std::size_t>(contact.sides)];
    const Point& at = points_[static_cast<std::size_t>(point)];
    return wear_coordinate_of(sides, surface, shapes_.frames(), Geometry::in_world(at.point_a),
                              Geometry::in_world(at.normal));
  }

  void read_extra_channels(std::span<double> values) override {
    constexpr int kAxes = kIsPlanar ? 2 : 3;
    std::size_t next = 0;
    for (const MechanismContacts::Eccentricity& joint : model_.eccentricities) {
      const Vec3 in_joint = eccentricity_of(joint, shapes_.frames());
      for (int k = 0; k < kAxes; ++k) values[next++] = in_joint[k];
    }
    if (!films_.are_there()) return;
    update_velocities();
    films_.read_channels({shapes_.frames(), shapes_.velocities()}, values.subspan(next));
  }

 private:
  std::span<const std::uint64_t> find_near(double horizon_s) {
    shapes_.place_markers();
    if (horizon_s > 0) shapes_.update_velocities();
    return finder_.find(shapes_.frames(), shapes_.velocities(), horizon_s);
  }
  // Whether the list has been made at this position, with reaches no smaller than those of the velocities now.
  bool has_found(double horizon_s) {
    if (!(horizon_s > 0) || !is_list_found_) return false;
    shapes_.place_markers();
    shapes_.update_velocities();
    return finder_.has_covered(shapes_.frames(), shapes_.velocities(), horizon_s);
  }
  // A list that is given rather than found.
  void take(std::span<const std::uint64_t> keys) {
    live_.assign(keys, set_);
    has_new_list_ = true;
    is_list_found_ = false;
    make_room();
  }
  void make_room() {
    points_.resize(static_cast<std::size_t>(live_.point_count()));
    unturned_.reserve(points_.size());
  }

  // ---- single points

  bool is_joint_row(std::size_t point) const { return live_.is_joint_row(point); }
  const LivePair& pair_of(std::size_t point) const { return live_.pair_of(point); }
  const MechanismContacts::JointRow& joint_row(std::size_t point) const { return live_.joint_row(point); }
  void add_row(std::size_t point, const Vector& direction, RowStore& rows) const {
    const int row = rows.add(direction.dot(shapes_.surface_velocity(pair_of(point), points_[point])));
    dynamics_.interaction_parts(interaction_at(point, direction), rows.parts(row), rows.values(row));
  }
  // In space, where no surface moves by itself, between free bodies.
  void add_three_rows(std::size_t point, RowStore& rows) const {
    const Point& at = points_[point];
    Mat3 directions;
    directions << at.normal, at.tangent, at.second_tangent();
    const int first = rows.add(0);
    rows.add(0);
    rows.add(0);
    free_bodies_->three_interaction_parts(interaction_at(point, at.normal), directions,
                                          {&rows.parts(first), &rows.parts(first + 1), &rows.parts(first + 2)},
                                          rows.values(first), rows.stride());
  }
  Interaction interaction_at(std::size_t point, const Vector& direction) const {
    return shapes_.interaction(pair_of(point), points_[point], direction);
  }
  Vector vector_of(std::size_t point, double normal, const Vec2& tangential) const {
    const Point& at = points_[point];
    Vector sum = normal * at.normal + tangential[0] * at.tangent;
    if constexpr (!kIsPlanar) sum += tangential[1] * at.second_tangent();
    return sum;
  }
  const MechanismContacts& model_;
  BodyDynamics& dynamics_;
  FreeBodies* free_bodies_;  // the same, or null
  ContactFinder finder_;
  LivePairs<Geometry> live_;
  JointRowKinematics joint_rows_;
  PlacedShapes<Geometry> shapes_;
  FarPairs<Geometry> far_;
  JournalFilms films_;  // in the plane only

  std::vector<Point> points_;  // entries of joint rows are unused
  FollowedContacts followed_;
  bool has_new_list_ = true;    // since the last update_gaps()
  bool is_list_found_ = false;  // by the finder, rather than given
  int crowded_point_ = -1;
  bool has_undefined_normals_ = false;
  UnturnedPoints<Point> unturned_;
};

}  // namespace

std::unique_ptr<ContactKinematics> MechanismContacts::make_kinematics(Dynamics& dynamics) const {
  BodyDynamics* bodies_of_system = dynamic_cast<BodyDynamics*>(&dynamics);
  FREEPLAY_ASSERT(bodies_of_system != nullptr);
  if (space == Space::kPlanar) return std::make_unique<MechanismContactKinematics<InPlane>>(*this, *bodies_of_system);
  return std::make_unique<MechanismContactKinematics<InSpace>>(*this, *bodies_of_system);
}

}  // namespace freeplay::contact
