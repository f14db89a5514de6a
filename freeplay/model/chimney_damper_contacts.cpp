#include "freeplay/model/chimney_damper_contacts.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "freeplay/contact/points/linear_contacts.h"
#include "freeplay/mechanism/systems/chimney_damper.h"

namespace freeplay::model {

namespace {

using Coordinates = ChimneyDamperCoordinates;

// An edge of a hole, frictionless: the rod is at s - p_i in the hole, so g = c_i - (s - p_i) at the right edge
// (side = 1) and g = c_i + (s - p_i) at the left one (side = -1). A locked rod has no s.
LinearContact hole_edge(const ChimneyDamperParameters& p, int plate, double side) {
  LinearContact edge;
  edge.description.contact = fmt::format("hole_{}", plate + 1);
  edge.description.suffix = side > 0 ? "_right" : "_left";
  edge.description.tangents = 0;
  edge.description.law.restitution = p.restitution;
  edge.description.clearance_m = edge.description.size = p.clearance(plate);
  edge.gap_at_zero = p.clearance(plate);
  edge.normal = VecX::Zero(Coordinates::count(p.plate_count()));
  if (!p.is_locked()) edge.normal[Coordinates::kPendulum] = -side;
  edge.normal[Coordinates::plate(plate)] = side;
  return edge;
}

// A plate on the one below it, or on the platform: |lambda| <= mu N with a load N that does not change, so the point
// has no normal row, and an impact, which takes no time, has no friction impulse.
LinearContact plate_friction(const ChimneyDamperParameters& p, int plate) {
  LinearContact friction;
  friction.description.contact = fmt::format("plate_{}", plate + 1);
  friction.description.suffix = "_friction";
  friction.description.has_normal = false;
  friction.description.law.dry_effort = p.friction * p.normal_load(plate);
  friction.tangent = VecX::Zero(Coordinates::count(p.plate_count()));
  friction.tangent[Coordinates::plate(plate)] = 1;
  if (plate + 1 < p.plate_count()) friction.tangent[Coordinates::plate(plate + 1)] = -1;
  return friction;
}

}  // namespace

std::shared_ptr<const ContactModel> chimney_damper_contacts(std::span<const double> values) {
  const ChimneyDamperParameters p = chimney_damper_parameters(values);
  if (p.plate_count() == 0) return nullptr;
  std::vector<LinearContact> contacts;
  for (int i = 0; i < p.plate_count(); ++i) {
    contacts.push_back(hole_edge(p, i, 1));
    contacts.push_back(hole_edge(p, i, -1));
  }
  for (int i = 0; i < p.plate_count() && p.friction > 0; ++i) contacts.push_back(plate_friction(p, i));
  return std::make_shared<LinearContacts>(std::move(contacts));
}

}  // namespace freeplay::model
