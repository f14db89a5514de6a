#include "freeplay/contact/play/joint_rows.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "freeplay/contact/laws/force_law_builder.h"

namespace freeplay::contact {

namespace {

using Kind = MechanismContacts::JointRow::Kind;

class JointRowBuilder {
 public:
  JointRowBuilder(const Mechanism& mechanism, const JointSpec& spec, const JointLawSpec* law, int index,
                  std::vector<Diagnostic>& diagnostics)
      : mechanism_(mechanism),
        joint_(mechanism.joints[static_cast<std::size_t>(index)]),
        spec_(spec),
        law_(law),
        index_(index),
        path_("joints." + spec.name),
        diagnostics_(diagnostics) {}

  std::vector<JointRowPoint> build() {
    const bool rubs_by_load = law_ != nullptr && law_->friction.has_value();
    add_rows_along(0, spec_.stops, spec_.dry_friction, rubs_by_load);
    add_rows_along(1, spec_.second_stops, spec_.second_dry_friction, false);
    return std::move(rows_);
  }

 private:
  void fail(const std::string& key, std::string message, std::string hint) {
    diagnostics_.push_back({{}, path_ + key, std::move(message), std::move(hint), {}});
  }
  bool turns() const { return dimension_ == dimensions::kAngle; }

  void add_rows_along(int coordinate, const std::optional<JointStopsSpec>& stops, double dry_friction,
                      bool rubs_by_load) {
    if (dry_friction == 0 && !stops && !rubs_by_load) return;
    coordinate_ = coordinate;
    dimension_ = joint_coordinate_dimension(spec_.type, mechanism_.space, coordinate);
    if (!is_along_one_motion() || (rubs_by_load && joint_.type->u_count() != 1)) {
      fail("", fmt::format("a {} joint does not have this coordinate that could rub or stop", joint_.type->name),
           "use a revolute, prismatic or cylindrical joint");
      return;
    }
    if (stops && stops->lower) rows_.push_back(stop(Kind::kLowerStop, *stops, *stops->lower));
    if (stops && stops->upper) rows_.push_back(stop(Kind::kUpperStop, *stops, *stops->upper));
    if (dry_friction > 0 || rubs_by_load) rows_.push_back(friction(dry_friction, rubs_by_load));
  }

  // A displacement, or the only angle of the joint: balls and crosses turn about axes that move.
  bool is_along_one_motion() const {
    const JointType& type = *joint_.type;
    if (type.q_count() != type.u_count() || coordinate_ >= type.u_count()) return false;
    const ElementaryMotion& motion = type.motions[static_cast<std::size_t>(coordinate_)];
    return motion.kind == ElementaryMotion::Kind::kTranslate || type.turn_count() == 1;
  }

  std::string suffix(const char* what) const { return fmt::format("_{}{}", what, coordinate_ == 0 ? "" : "_2"); }

  JointRowPoint stop(Kind kind, const JointStopsSpec& stops, double bound) {
    ContactPoint point;
    point.contact = spec_.name;
    point.suffix = suffix(kind == Kind::kLowerStop ? "lower" : "upper");
    point.tangents = 0;
    point.gap_dimension = dimension_;
    point.law.restitution = stops.restitution;
    if (stops.lower && stops.upper) {
      point.size = (*stops.upper - *stops.lower) / 2;
      if (dimension_ == dimensions::kLength) point.clearance_m = point.size;
    }
    if (law_ != nullptr && law_->stop_force) point.force_law = stop_law(stops);
    return {{kind, index_, 0, bound, {}, {}, coordinate_}, std::move(point), path_ + ".stops"};
  }

  // The laws of contacts, with angles and moments in the place of depths and forces where the joint turns.
  std::optional<ForceLaw> stop_law(const JointStopsSpec& stops) {
    ContactLawSpec law;
    law.restitution = stops.restitution;
    law.force = law_->stop_force;
    const ContactSurface flat{"a stop", {}};
    const ContactSurface part = law_->pin_radius_m ? ContactSurface{"a pin", law_->pin_radius_m} : flat;
    return make_force_law(law, nullptr, part, flat, path_ + ".stops", diagnostics_);
  }

  JointRowPoint friction(double dry_friction, bool by_load) {
    JointRowPoint made;
    ContactPoint& point = made.point;
    point.contact = spec_.name;
    point.suffix = suffix("friction");
    point.has_normal = false;
    point.gap_dimension = dimension_;
    point.law.dry_effort = dry_friction;
    // In smooth integrators: a coefficient of 1 of the largest effort.
    SlidingParameters sliding;
    sliding.friction = 1;
    const double usual = turns() ? JointLawSpec::kFrictionVelocity_rad_s : JointLawSpec::kFrictionVelocity_m_s;
    std::optional<double> given;
    if (law_ != nullptr) given = coordinate_ == 0 ? law_->friction_velocity : law_->second_friction_velocity;
    sliding.slip_speed_m_s = given.value_or(usual);
    point.force_law = ForceLaw{{}, SlidingForceLaw(sliding)};
    made.row = {Kind::kFriction, index_, 0, 0, {}, {}, coordinate_};
    made.path = path_ + (by_load ? ".friction" : ".dry_friction");
    if (!by_load) return made;
    const bool is_bushing = joint_.role == Mechanism::JointRole::kBushing;
    (is_bushing ? made.row.on_bushing : point.law.load) = load_friction(*law_->friction);
    return made;
  }

  std::optional<LoadFriction> load_friction(const JointFrictionSpec& spec) {
    LoadFriction load;
    load.friction = spec.friction;
    if (!(spec.friction >= 0)) {
      fail(".friction.mu", fmt::format("is {:g}", spec.friction), "give a coefficient that is not negative");
    }
    if (turns() && !(spec.pin_radius_m.value_or(0) > 0)) {
      fail(".friction", "friction acts at the surface of the pin, whose radius is not given",
           "add 'pin_radius: 10 mm'");
    }
    if (turns())
      load.arm_m = spec.pin_radius_m.value_or(0);
    else
      load.length_m = spec.length_m.value_or(0);
    if (joint_.role == Mechanism::JointRole::kBushing) {
      find_loads_of_bushing(load);
      return load;
    }
    if (joint_.role != Mechanism::JointRole::kConstraint) {
      fail(".friction", "the load of a joint is known where bilateral rows keep it",
           "set JointSpec::as_constraint, as build_system() does");
      return {};
    }
    for (const Mechanism::Coupling& coupling : mechanism_.couplings) {
      const auto is_its_own = [&](const Mechanism::Coupling::Term& term) { return term.joint == index_; };
      const bool pushes = coupling.mesh && coupling.model == CouplingSpec::Model::kIdeal;
      if (!pushes || std::none_of(coupling.terms.begin(), coupling.terms.end(), is_its_own)) continue;
      // That force follows from the row of the mesh, and is not one of the joint's own rows.
      fail(".friction",
           fmt::format("the radial force of the teeth of '{}' would not be counted as load", coupling.name),
           "use 'model: compliant' or 'model: backlash' for that coupling, or leave out its 'pressure_angle'");
    }
    find_rows(load);
    return load;
  }

  // The same among the entries of BodyDynamics::bushing_load().
  void find_loads_of_bushing(LoadFriction& load) const {
    const int axis = joint_.type->motions.front().axis, next = (axis + 1) % 3, last = (axis + 2) % 3;
    load.force_rows = {next, last};
    load.moment_rows = {3 + last, 3 + next};
  }

  // The forces across the axis, and of a block the moments that pairs of them make: along y that about z, and along z
  // that about y.
  void find_rows(LoadFriction& load) const {
    const int axis = joint_.type->motions.front().axis;
    for (std::size_t r = 0; r < mechanism_.rows.size(); ++r) {
      const Mechanism::Row& row = mechanism_.rows[r];
      if (row.joint != index_ || row.driver >= 0) continue;
      const int about = 3 - row.axis_parent - row.axis_child;
      const bool is_force = row.kind == Mechanism::Row::Kind::kPoint;
      if (is_force ? row.axis_parent == axis : row.kind != Mechanism::Row::Kind::kDot || about == axis) continue;
      // The first axis behind that of the motion, in turn, or the second.
      const int place = ((is_force ? row.axis_parent : about) - axis + 3) % 3 - 1;
      const std::size_t k = static_cast<std::size_t>(is_force ? place : 1 - place);
      (is_force ? load.force_rows : load.moment_rows)[k] = static_cast<int>(r);
    }
  }

  const Mechanism& mechanism_;
  const Mechanism::Joint& joint_;
  const JointSpec& spec_;
  const JointLawSpec* law_;
  int index_;
  int coordinate_ = 0;  // of the joint, and what it is
  Dimension dimension_{};
  std::string path_;
  std::vector<Diagnostic>& diagnostics_;
  std::vector<JointRowPoint> rows_;
};

}  // namespace

std::vector<JointRowPoint> make_joint_rows(const Mechanism& mechanism, const JointSpec& spec, const JointLawSpec* law,
                                           int index, std::vector<Diagnostic>& diagnostics) {
  return JointRowBuilder(mechanism, spec, law, index, diagnostics).build();
}

JointRowPoint make_slipping_motion(const DriverSpec& driver, int joint, Dimension dimension) {
  ContactPoint point;
  point.contact = driver.name;
  point.has_normal = false;
  point.gap_dimension = dimension;
  point.law.dry_effort = *driver.limit;
  return {{Kind::kMotion, joint, 0, 0, *driver.motion, {}}, std::move(point), "drivers." + driver.name};
}

std::vector<JointRowPoint> make_flanks(const Mechanism& mechanism, const BacklashSpec& spec, int coupling,
                                       const PointLaw& law, const std::optional<ForceLaw>& force) {
  const Mechanism::Coupling& of = mechanism.couplings[static_cast<std::size_t>(coupling)];
  std::vector<JointRowPoint> flanks;
  for (const int side : {-1, 1}) {
    ContactPoint point;
    point.contact = spec.coupling;
    point.suffix = side < 0 ? "_lower" : "_upper";
    point.tangents = 0;
    point.gap_dimension = of.is_angle ? dimensions::kAngle : dimensions::kLength;
    point.law = law;
    point.force_law = force;
    point.size = of.play / 2;
    if (of.mesh) point.size = std::cos(of.mesh->pressure_angle) * (point.size + of.mesh->opening);
    if (!of.is_angle) point.clearance_m = point.size;
    flanks.push_back(
        {{Kind::kFlank, -1, 0, 0, {}, {coupling, side}}, std::move(point), "couplings." + spec.coupling + ".backlash"});
  }
  return flanks;
}

}  // namespace freeplay::contact
