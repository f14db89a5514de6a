#include "freeplay/contact/points/joint_rows.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

namespace freeplay::contact {

namespace {

using Kind = MechanismContacts::JointRow::Kind;

// What keeps a joint from having rows; false if nothing does.
bool is_refused(const Mechanism::Joint& joint, const JointSpec& spec, std::vector<Diagnostic>& diagnostics) {
  if (joint.type->motions.size() == 1 && joint.type->u_count() == 1) return false;
  diagnostics.push_back(
      {{},
       "joints." + spec.name,
       fmt::format("a {} joint does not have one coordinate that could rub or stop", joint.type->name),
       "use a revolute or a prismatic joint",
       {}});
  return true;
}

JointRowPoint make_stop(const JointSpec& spec, int joint, Kind kind, double bound, Dimension dimension) {
  ContactPoint point;
  point.contact = spec.name;
  point.suffix = kind == Kind::kLowerStop ? "_lower" : "_upper";
  point.tangents = 0;
  point.gap_dimension = dimension;
  point.law.restitution = spec.stops->restitution;
  if (spec.stops->lower && spec.stops->upper) {
    point.size = (*spec.stops->upper - *spec.stops->lower) / 2;
    if (dimension == dimensions::kLength) point.clearance_m = point.size;
  }
  return {{kind, joint, 0, bound}, std::move(point), "joints." + spec.name + ".stops"};
}

JointRowPoint make_friction(const JointSpec& spec, int joint, Dimension dimension) {
  ContactPoint point;
  point.contact = spec.name;
  point.suffix = "_friction";
  point.has_normal = false;
  point.gap_dimension = dimension;
  point.law.dry_effort = spec.dry_friction;
  return {{Kind::kFriction, joint, 0, 0}, std::move(point), "joints." + spec.name + ".dry_friction"};
}

}  // namespace

std::vector<JointRowPoint> make_joint_rows(const Mechanism& mechanism, const JointSpec& spec, int index,
                                           std::vector<Diagnostic>& diagnostics) {
  std::vector<JointRowPoint> rows;
  if (spec.dry_friction == 0 && !spec.stops) return rows;
  const Mechanism::Joint& joint = mechanism.joints[static_cast<std::size_t>(index)];
  const Dimension dimension = joint_coordinate_dimension(spec.type, mechanism.space, 0);
  if (is_refused(joint, spec, diagnostics)) return rows;
  if (spec.stops && spec.stops->lower)
    rows.push_back(make_stop(spec, index, Kind::kLowerStop, *spec.stops->lower, dimension));
  if (spec.stops && spec.stops->upper)
    rows.push_back(make_stop(spec, index, Kind::kUpperStop, *spec.stops->upper, dimension));
  if (spec.dry_friction > 0) rows.push_back(make_friction(spec, index, dimension));
  return rows;
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
        {{Kind::kFlank, -1, 0, 0, {coupling, side}}, std::move(point), "couplings." + spec.coupling + ".backlash"});
  }
  return flanks;
}

}  // namespace freeplay::contact
