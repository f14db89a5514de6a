#include "freeplay/model/roller_chain.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "freeplay/core/error.h"

namespace freeplay::model {

namespace {

constexpr double kPitch_m = 0.01, kLinkMass_kg = 0.012;
constexpr double kPinStiffness_N_m = 2e7, kPinDamping_Ns_m = 200;
constexpr double kPulleyRadius_m = 0.05;  // of the circle that the pins lie on
constexpr double kPulleyMass_kg = 1;      // of no effect: both turn about their centres
constexpr double kPulleyInertia_kg_m2 = 2e-3;
constexpr double kLoadRamp_s = 0.1;
constexpr double kMostStretch = 0.02;  // of a link, at the start: 4 kN
constexpr int kFewestLinks = 8, kMostLinks = 100'000;
// How much longer than its links the way is that 63 of them are wound on: what a fitting distance is taken from.
constexpr double kUsualStretch = (2 * 0.1598 + 2 * std::numbers::pi * kPulleyRadius_m) / (63 * kPitch_m) - 1;

struct ChainData {
  int links = 0;
  double torque_Nm = 0, speed = 0, friction = 0, centre_distance_m = 0, driven_speed = 0;

  double way_m() const { return 2 * centre_distance_m + 2 * std::numbers::pi * kPulleyRadius_m; }
};

// A point of the way that the pins start on, and the direction in which it goes on.
struct WayPoint {
  Vec2 at, along;
};

// Counter-clockwise from below the driver, which is at the origin: lower strand, driven pulley, upper strand, driver.
WayPoint way_point(const ChainData& data, double s) {
  const double a = data.centre_distance_m, R = kPulleyRadius_m, half_turn = std::numbers::pi * R;
  const auto on_pulley = [R](double centre, double angle) {
    const Vec2 out(std::cos(angle), std::sin(angle));
    return WayPoint{Vec2(centre, 0) + R * out, Vec2(-out.y(), out.x())};
  };
  if (s < a) return {Vec2(s, -R), Vec2::UnitX()};
  if (s < a + half_turn) return on_pulley(a, (s - a) / R - std::numbers::pi / 2);
  if (s < 2 * a + half_turn) return {Vec2(2 * a + half_turn - s, R), -Vec2::UnitX()};
  return on_pulley(0, (s - 2 * a - half_turn) / R + std::numbers::pi / 2);
}

void demand_of_chain(bool is_met, const char* parameter, std::string message, std::string hint) {
  if (!is_met) throw ModelError(fmt::format("parameters.{}", parameter), std::move(message), std::move(hint));
}

std::string fitting_distance(int links) {
  const double fitting_m = (links * kPitch_m * (1 + kUsualStretch) - 2 * std::numbers::pi * kPulleyRadius_m) / 2;
  if (fitting_m > 2 * kPulleyRadius_m)
    return fmt::format("{} links fit a distance of {:.5g} mm", links, 1e3 * fitting_m);
  return "take more links: 63 fit a distance of 159.8 mm";
}

// The pins start at equal distances along the way, so the shortest of these, a chord of a pulley, must not be shorter
// than a link, and the longest, on a strand, not much longer.
void check_chain_closes(const ChainData& data) {
  const double a = data.centre_distance_m, R = kPulleyRadius_m;
  demand_of_chain(a > 2 * R, "centre_distance",
                  fmt::format("the pulleys, of {:g} mm radius, overlap at {:g} mm", 1e3 * R, 1e3 * a),
                  fitting_distance(data.links));
  const double on_strand_m = data.way_m() / data.links, on_pulley_m = 2 * R * std::sin(on_strand_m / (2 * R));
  const std::string ways =
      fmt::format("{} links of {:g} mm are {:.5g} mm long, the way around both pulleys is {:.5g} mm", data.links,
                  1e3 * kPitch_m, 1e3 * data.links * kPitch_m, 1e3 * data.way_m());
  demand_of_chain(on_strand_m <= (1 + kMostStretch) * kPitch_m, "centre_distance",
                  fmt::format("the chain is too short to be closed: {}", ways), fitting_distance(data.links));
  demand_of_chain(on_pulley_m >= kPitch_m, "centre_distance", fmt::format("the chain hangs loose: {}", ways),
                  fitting_distance(data.links));
}

ChainData checked_chain(std::span<const double> v) {
  demand_of_chain(v[0] >= kFewestLinks && v[0] <= kMostLinks && v[0] == std::floor(v[0]), "links",
                  fmt::format("must be a whole number from {} to {}, but is {}", kFewestLinks, kMostLinks, v[0]),
                  "for example 63");
  const ChainData data{static_cast<int>(v[0]), v[1], v[2], v[3], v[4], v[5]};
  demand_of_chain(std::isfinite(data.torque_Nm), "torque", "must be finite", "for example 20 N m");
  demand_of_chain(data.speed > 0 && std::isfinite(data.speed), "speed", "must be greater than 0",
                  "for example 100 rad/s");
  demand_of_chain(data.friction >= 0 && std::isfinite(data.friction), "friction", "must not be negative",
                  "for example 0.4");
  demand_of_chain(data.driven_speed >= 0 && std::isfinite(data.driven_speed), "driven_speed", "must not be negative",
                  "0 lets the pulley turn under its load");
  demand_of_chain(std::isfinite(data.centre_distance_m), "centre_distance", "must be finite",
                  fitting_distance(data.links));
  check_chain_closes(data);
  return data;
}

Expression of_time(const std::string& text) {
  SymbolScope scope;
  scope.lookup = [](std::string_view name) -> std::optional<Symbol> {
    if (name != "t") return std::nullopt;
    Symbol time;
    time.kind = Symbol::Kind::kVariable;
    time.variable = Expression::kTimeVariable;
    time.dimension = dimensions::kTime;
    return time;
  };
  scope.known_names = [] { return std::vector<std::string>{"t"}; };
  return Expression::parse(text, scope);
}

class RollerChain {
 public:
  explicit RollerChain(const ChainData& data) : data_(data) {}

  Scene make() {
    scene_.mechanism.space = Space::kPlanar;
    add_pulley("driver", 0, data_.speed);
    add_pulley("driven", data_.centre_distance_m, data_.driven_speed > 0 ? data_.driven_speed : data_.speed);
    add_motion("motor", "driver", data_.speed);
    if (data_.driven_speed > 0)
      add_motion("brake", "driven", data_.driven_speed);
    else
      add_load();
    for (int i = 0; i < data_.links; ++i) add_link(i);
    for (int i = 0; i < data_.links; ++i) add_pin(i);
    add_strand("tight", 1);
    add_strand("slack", -1);
    add_chain_contacts();
    return std::move(scene_);
  }

 private:
  std::string link_name(int i) const { return fmt::format("link_{}", i % data_.links + 1); }

  void add_pulley(const std::string& name, double x, double speed) {
    BodySpec body;
    body.name = name;
    body.mass_kg = kPulleyMass_kg;
    body.inertia_kg_m2 = kPulleyInertia_kg_m2 * Mat3::Identity();
    scene_.mechanism.bodies.push_back(std::move(body));
    JointSpec bearing;
    bearing.name = name + "_bearing";
    bearing.type = "revolute";
    bearing.parent = "ground";
    bearing.child = name;
    bearing.at_parent_m = {x, 0, 0};
    bearing.initial_u = {speed};
    scene_.mechanism.joints.push_back(std::move(bearing));
    scene_.contacts.shapes.push_back({name, "rim", "circle", CircleShape{Vec3::Zero(), kPulleyRadius_m}});
  }

  void add_motion(const char* name, const char* pulley, double speed) {
    DriverSpec driver;
    driver.name = name;
    driver.joint = fmt::format("{}_bearing", pulley);
    driver.motion = of_time(fmt::format("{:.17g} rad/s*t", speed));
    scene_.mechanism.drivers.push_back(std::move(driver));
  }

  // Against the rotation, which is counter-clockwise.
  void add_load() {
    AppliedLoadSpec load;
    load.name = "load";
    load.kind = AppliedLoadSpec::Kind::kTorque;
    load.body = "driven";
    load.value[2] = of_time(fmt::format("-({:.17g} N m)*min(t/{:.17g} s, 1)", data_.torque_Nm, kLoadRamp_s));
    scene_.mechanism.loads.push_back(std::move(load));
  }

  // Its start is where a pin is, its end as far as a link is long towards the next one: what is left is the stretch of
  // the pin. Both pins move along the way.
  void add_link(int i) {
    const double spacing_m = data_.way_m() / data_.links;
    const WayPoint start = way_point(data_, i * spacing_m);
    const WayPoint end = way_point(data_, (i + 1) % data_.links * spacing_m);
    const Vec2 chord = end.at - start.at, along = chord.normalized(), across(-along.y(), along.x());
    const double v = data_.speed * kPulleyRadius_m;
    const double omega = across.dot(v * (end.along - start.along)) / chord.norm();
    const Vec2 centre = start.at + kPitch_m / 2 * along;
    const Vec2 velocity = v * start.along + omega * kPitch_m / 2 * across;
    BodySpec link;
    link.name = link_name(i);
    link.mass_kg = kLinkMass_kg;
    link.inertia_kg_m2 = kLinkMass_kg * kPitch_m * kPitch_m / 12 * Mat3::Identity();
    link.initial.position_m = {centre.x(), centre.y(), std::nullopt};
    link.initial.velocity_m_s = {velocity.x(), velocity.y(), std::nullopt};
    link.initial.angle = std::atan2(along.y(), along.x());
    link.initial.angular_velocity[2] = omega;
    scene_.contacts.shapes.push_back({link.name, "roller", "point", PointShape{{-kPitch_m / 2, 0, 0}}});
    scene_.mechanism.bodies.push_back(std::move(link));
  }

  // F = k d + c dd/dt of the vector d from the end of a link to the start of the next.
  void add_pin(int i) {
    JointSpec pin;
    pin.name = fmt::format("pin_{}", i + 1);
    pin.type = "revolute";
    pin.parent = link_name(i);
    pin.child = link_name(i + 1);
    pin.at_parent_m = {kPitch_m / 2, 0, 0};
    pin.at_child_m = {-kPitch_m / 2, 0, 0};
    pin.bushing.emplace();
    pin.bushing->stiffness_N_m = {kPinStiffness_N_m, kPinStiffness_N_m, 0};
    pin.bushing->damping_Ns_m = {kPinDamping_Ns_m, kPinDamping_Ns_m, 0};
    scene_.mechanism.joints.push_back(std::move(pin));
  }

  // All joints between the pulleys, above or below.
  void add_strand(const char* name, double side) {
    StrandSpec strand;
    strand.name = name;
    for (int i = 0; i < data_.links; ++i) strand.joints.push_back(fmt::format("pin_{}", i + 1));
    strand.lower_corner_m = {0, side > 0 ? 0 : -2 * kPulleyRadius_m, 0};
    strand.upper_corner_m = {data_.centre_distance_m, side > 0 ? 2 * kPulleyRadius_m : 0, 0};
    scene_.mechanism.strands.push_back(std::move(strand));
  }

  // The rims are the members and the pins what they touch: pins do not touch each other.
  void add_chain_contacts() {
    ContactGroupSpec group;
    group.name = "rollers";
    group.members = {{"driver", "rim"}, {"driven", "rim"}};
    for (int i = 0; i < data_.links; ++i) group.against.push_back({link_name(i), "roller"});
    group.law.impact = "newton";
    group.law.friction = data_.friction;
    scene_.contacts.groups.push_back(std::move(group));
  }

  ChainData data_;
  Scene scene_;
};

Scene make_roller_chain(std::span<const double> values) {
  return RollerChain(checked_chain(values)).make();
}

}  // namespace

SceneEntry roller_chain() {
  return {
      "roller_chain",
      "a closed chain of links around two pulleys that drive it by friction",
      {
          {"links", dimensions::kNone, 63, "number of links, each 10 mm long"},
          {"torque", dimensions::kTorque, 20,
           "of the load on the driven pulley, reached after 0.1 s; a bare number is in N m", true},
          {"speed", dimensions::kAngularVelocity, 100, "of the driving pulley; a bare number is in rad/s", true},
          {"friction", dimensions::kNone, 0.4, "Coulomb's coefficient between pins and pulleys"},
          {"centre_distance", dimensions::kLength, 0.1598, "of the pulleys, whose radius is 50 mm"},
          {"driven_speed", dimensions::kAngularVelocity, 0,
           "of the driven pulley, prescribed instead of its load; 0: it turns freely; a bare number is in rad/s", true},
      },
      &make_roller_chain};
}

}  // namespace freeplay::model
