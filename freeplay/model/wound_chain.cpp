#include "freeplay/model/wound_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "freeplay/core/error.h"

namespace freeplay::model {

namespace {

// A point of the way that the pins start on, and the direction in which it goes on.
struct WayPoint {
  Vec2 at, along;
};

// Counter-clockwise from below the driver, which is at the origin: lower strand, driven pulley, upper strand, driver.
WayPoint way_point(const WoundChain& data, double s) {
  const double a = data.centre_distance_m, R = data.driver_radius_m, R2 = data.driven_radius_m;
  const double slope = data.strand_slope(), cosine = std::sqrt(1 - slope * slope), angle = std::asin(slope);
  const double strand = data.strand_m(), arc = data.driven_arc_m();
  const auto on_pulley = [](double centre, double radius, double at) {
    const Vec2 out(std::cos(at), std::sin(at));
    return WayPoint{Vec2(centre, 0) + radius * out, Vec2(-out.y(), out.x())};
  };
  if (s < strand) return {Vec2(-R * slope + s * cosine, -R * cosine - s * slope), Vec2(cosine, -slope)};
  if (s < strand + arc) return on_pulley(a, R2, (s - strand) / R2 - std::numbers::pi / 2 - angle);
  const double left = 2 * strand + arc - s;
  if (left > 0) return {Vec2(left * cosine - R * slope, R * cosine + left * slope), Vec2(-cosine, -slope)};
  return on_pulley(0, R, (s - 2 * strand - arc) / R + std::numbers::pi / 2 + angle);
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

class WoundChainScene {
 public:
  explicit WoundChainScene(const WoundChain& data) : data_(data) {}

  Scene make() {
    scene_.mechanism.space = Space::kPlanar;
    add_pulley("driver", 0, data_.driver_radius_m, data_.speed);
    add_pulley(
        "driven", data_.centre_distance_m, data_.driven_radius_m,
        data_.driven_speed > 0 ? data_.driven_speed : data_.speed * data_.driver_radius_m / data_.driven_radius_m);
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

  void add_pulley(const std::string& name, double x, double radius_m, double speed) {
    BodySpec body;
    body.name = name;
    body.mass_kg = data_.pulley_mass_kg;
    body.inertia_kg_m2 = data_.pulley_inertia_kg_m2 * Mat3::Identity();
    scene_.mechanism.bodies.push_back(std::move(body));
    JointSpec bearing;
    bearing.name = name + "_bearing";
    bearing.type = "revolute";
    bearing.parent = "ground";
    bearing.child = name;
    bearing.at_parent_m = {x, 0, 0};
    bearing.initial_u = {speed};
    scene_.mechanism.joints.push_back(std::move(bearing));
    scene_.contacts.shapes.push_back({name, "rim", "circle", CircleShape{Vec3::Zero(), radius_m}});
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
    load.value[2] = of_time(fmt::format("-({:.17g} N m)*min(t/{:.17g} s, 1)", data_.torque_Nm, data_.load_ramp_s));
    scene_.mechanism.loads.push_back(std::move(load));
  }

  // Its start is where a pin is, its end as far as a link is long towards the next one: what is left is the stretch of
  // the pin. Both pins move along the way.
  void add_link(int i) {
    const double spacing_m = data_.way_m() / data_.links;
    const WayPoint start = way_point(data_, i * spacing_m);
    const WayPoint end = way_point(data_, (i + 1) % data_.links * spacing_m);
    const Vec2 chord = end.at - start.at, along = chord.normalized(), across(-along.y(), along.x());
    const double v = data_.speed * data_.driver_radius_m;
    const double omega = across.dot(v * (end.along - start.along)) / chord.norm();
    const Vec2 centre = start.at + data_.pitch_m / 2 * along;
    const Vec2 velocity = v * start.along + omega * data_.pitch_m / 2 * across;
    BodySpec link;
    link.name = link_name(i);
    link.mass_kg = data_.link_mass_kg;
    link.inertia_kg_m2 = data_.link_mass_kg * data_.pitch_m * data_.pitch_m / 12 * Mat3::Identity();
    link.initial.position_m = {centre.x(), centre.y(), std::nullopt};
    link.initial.velocity_m_s = {velocity.x(), velocity.y(), std::nullopt};
    link.initial.angle = std::atan2(along.y(), along.x());
    link.initial.angular_velocity[2] = omega;
    scene_.contacts.shapes.push_back({link.name, "roller", "point", PointShape{{-data_.pitch_m / 2, 0, 0}}});
    scene_.mechanism.bodies.push_back(std::move(link));
  }

  // F = k d + c dd/dt of the vector d from the end of a link to the start of the next.
  void add_pin(int i) {
    JointSpec pin;
    pin.name = fmt::format("pin_{}", i + 1);
    pin.type = "revolute";
    pin.parent = link_name(i);
    pin.child = link_name(i + 1);
    pin.at_parent_m = {data_.pitch_m / 2, 0, 0};
    pin.at_child_m = {-data_.pitch_m / 2, 0, 0};
    pin.bushing.emplace();
    pin.bushing->stiffness_N_m = {data_.pin_stiffness_N_m, data_.pin_stiffness_N_m, 0};
    pin.bushing->damping_Ns_m = {data_.pin_damping_Ns_m, data_.pin_damping_Ns_m, 0};
    scene_.mechanism.joints.push_back(std::move(pin));
  }

  // All joints between the pulleys, above or below.
  void add_strand(const char* name, double side) {
    StrandSpec strand;
    strand.name = name;
    for (int i = 0; i < data_.links; ++i) strand.joints.push_back(fmt::format("pin_{}", i + 1));
    const double beyond_m = 2 * std::max(data_.driver_radius_m, data_.driven_radius_m);
    strand.lower_corner_m = {0, side > 0 ? 0 : -beyond_m, 0};
    strand.upper_corner_m = {data_.centre_distance_m, side > 0 ? beyond_m : 0, 0};
    scene_.mechanism.strands.push_back(std::move(strand));
  }

  // The rims are the members and the pins what they touch: pins do not touch each other.
  void add_chain_contacts() {
    ContactGroupSpec group;
    group.name = data_.group;
    group.members = {{"driver", "rim"}, {"driven", "rim"}};
    for (int i = 0; i < data_.links; ++i) group.against.push_back({link_name(i), "roller"});
    group.law.impact = "newton";
    group.law.friction = data_.friction;
    scene_.contacts.groups.push_back(std::move(group));
  }

  WoundChain data_;
  Scene scene_;
};

}  // namespace

void demand_of_parameter(bool is_met, const char* parameter, std::string message, std::string hint) {
  if (!is_met) throw ModelError(fmt::format("parameters.{}", parameter), std::move(message), std::move(hint));
}

void check_drive_numbers(const WoundChain& chain, double links, int fewest, int most) {
  demand_of_parameter(links >= fewest && links <= most && links == std::floor(links), "links",
                      fmt::format("must be a whole number from {} to {}, but is {}", fewest, most, links),
                      fmt::format("for example {}", 2 * fewest));
  demand_of_parameter(std::isfinite(chain.torque_Nm), "torque", "must be finite", "for example 5 N m");
  demand_of_parameter(chain.speed > 0 && std::isfinite(chain.speed), "speed", "must be greater than 0",
                      "for example 100 rad/s");
  demand_of_parameter(chain.friction >= 0 && std::isfinite(chain.friction), "friction", "must not be negative",
                      "for example 0.3");
  demand_of_parameter(chain.driven_speed >= 0 && std::isfinite(chain.driven_speed), "driven_speed",
                      "must not be negative", "0 lets the pulley turn under its load");
}

double WoundChain::strand_m() const {
  return centre_distance_m * std::sqrt(1 - strand_slope() * strand_slope());
}

double WoundChain::driver_arc_m() const {
  return (std::numbers::pi - 2 * std::asin(strand_slope())) * driver_radius_m;
}

double WoundChain::driven_arc_m() const {
  return (std::numbers::pi + 2 * std::asin(strand_slope())) * driven_radius_m;
}

Scene make_wound_chain(const WoundChain& chain) {
  return WoundChainScene(chain).make();
}

}  // namespace freeplay::model
