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
        dimension_(joint_coordinate_dimension(spec.type, mechanism.space, 0)),
        path_("joints." + spec.name),
        diagnostics_(diagnostics) {}

  std::vector<JointRowPoint> build() {
    std::vector<JointRowPoint> rows;
    const bool rubs_by_load = law_ != nullptr && law_->friction.has_value();
    if (spec_.dry_friction == 0 && !spec_.stops && !rubs_by_load) return rows;
    if (joint_.type->motions.size() != 1 || joint_.type->u_count() != 1) {
      fail("", fmt::format("a {} joint does not have one coordinate that could rub or stop", joint_.type->name),
           "use a revolute or a prismatic joint");
      return rows;
    }
    if (spec_.stops && spec_.stops->lower) rows.push_back(stop(Kind::kLowerStop, *spec_.stops->lower));
    if (spec_.stops && spec_.stops->upper) rows.push_back(stop(Kind::kUpperStop, *spec_.stops->upper));
    if (spec_.dry_friction > 0 || rubs_by_load) rows.push_back(friction());
    return rows;
  }

 private:
  void fail(const std::string& key, std::string message, std::string hint) {
    diagnostics_.push_back({{}, path_ + key, std::move(message), std::move(hint), {}});
  }
  bool turns() const { return dimension_ == dimensions::kAngle; }

  JointRowPoint stop(Kind kind, double bound) {
    ContactPoint point;
    point.contact = spec_.name;
    point.suffix = kind == Kind::kLowerStop ? "_lower" : "_upper";
    point.tangents = 0;
    point.gap_dimension = dimension_;
    point.law.restitution = spec_.stops->restitution;
    if (spec_.stops->lower && spec_.stops->upper) {
      point.size = (*spec_.stops->upper - *spec_.stops->lower) / 2;
      if (dimension_ == dimensions::kLength) point.clearance_m = point.size;
    }
    if (law_ != nullptr && law_->stop_force) point.force_law = stop_law();
    return {{kind, index_, 0, bound, {}, {}}, std::move(point), path_ + ".stops"};
  }

  // The laws of contacts, with angles and moments in the place of depths and forces where the joint turns.
  std::optional<ForceLaw> stop_law() {
    ContactLawSpec law;
    law.restitution = spec_.stops->restitution;
    law.force = law_->stop_force;
    const ContactSurface flat{"a stop", {}};
    return make_force_law(law, nullptr, flat, flat, path_ + ".stops", diagnostics_);
  }

  JointRowPoint friction() {
    ContactPoint point;
    point.contact = spec_.name;
    point.suffix = "_friction";
    point.has_normal = false;
    point.gap_dimension = dimension_;
    point.law.dry_effort = spec_.dry_friction;
    const bool by_load = law_ != nullptr && law_->friction.has_value();
    if (by_load) point.law.load = load_friction(*law_->friction);
    // In smooth integrators: a coefficient of 1 of the largest effort.
    SlidingParameters sliding;
    sliding.friction = 1;
    const double usual = turns() ? JointLawSpec::kFrictionVelocity_rad_s : JointLawSpec::kFrictionVelocity_m_s;
    sliding.slip_speed_m_s = law_ != nullptr ? law_->friction_velocity.value_or(usual) : usual;
    point.force_law = ForceLaw{{}, SlidingForceLaw(sliding)};
    return {
        {Kind::kFriction, index_, 0, 0, {}, {}}, std::move(point), path_ + (by_load ? ".friction" : ".dry_friction")};
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
    if (turns())
      load.arm_m = spec.pin_radius_m.value_or(0);
    else
      load.length_m = spec.length_m.value_or(0);
    find_rows(load);
    return load;
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
  Dimension dimension_;
  std::string path_;
  std::vector<Diagnostic>& diagnostics_;
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
