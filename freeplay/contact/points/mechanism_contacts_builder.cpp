// From the specs of contacts to MechanismContacts: names resolved, laws as numbers, everything checked.
#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <optional>
#include <utility>

#include "freeplay/contact/carried/carried_shapes.h"
#include "freeplay/contact/carried/part_radius.h"
#include "freeplay/contact/laws/force_law_builder.h"
#include "freeplay/contact/laws/friction_law_builder.h"
#include "freeplay/contact/play/joint_rows.h"
#include "freeplay/contact/play/worn_contacts.h"
#include "freeplay/contact/points/initial_gaps.h"
#include "freeplay/contact/points/mechanism_contacts_builder.h"
#include "freeplay/geometry/shapes/cam_checks.h"

namespace freeplay::contact {

MechanismContactsBuilder::MechanismContactsBuilder(const std::shared_ptr<const Mechanism>& mechanism,
                                                   const MechanismSpec& spec, const ContactModelSpec& contacts)
    : mechanism_(mechanism), spec_(spec), contacts_(contacts), model_(new MechanismContacts()) {
  model_->space = spec.space;
  for (std::size_t i = 0; i < mechanism->bodies.size(); ++i)
    body_of_.emplace(mechanism->bodies[i].name, BodyIndex{static_cast<int>(i)});
  for (const ShapeSpec& shape : contacts.shapes) shape_of_.emplace(std::pair(shape.body, shape.name), &shape);
}

std::shared_ptr<const MechanismContacts> MechanismContactsBuilder::build() {
  for (const ContactSpec& contact : contacts_.contacts) add_contact(contact);
  for (const ContactGroupSpec& group : contacts_.groups) add_group(group);
  add_clearance_joints();
  for (const JointSpec& joint : spec_.joints) add_joint_rows(joint);
  for (const ClearanceJointSpec& play : contacts_.clearance_joints) add_joint_rows(play.joint);
  for (const DriverSpec& driver : spec_.drivers) add_slipping_motion(driver);
  for (const BacklashSpec& backlash : contacts_.backlashes) add_flanks(backlash);
  check_names();
  add_keys();
  throw_if_failed();
  set_sizes();
  check_initial_gaps();
  throw_if_failed();
  return model_;
}

void MechanismContactsBuilder::fail(std::string path, std::string message, std::string hint) {
  diagnostics_.push_back({{}, std::move(path), std::move(message), std::move(hint), {}});
}

void MechanismContactsBuilder::throw_if_failed() const {
  if (!diagnostics_.empty()) throw ModelError(diagnostics_);
}

std::optional<BodyIndex> MechanismContactsBuilder::find_body(const std::string& name, const std::string& path) {
  if (const auto found = body_of_.find(name); found != body_of_.end()) return found->second;
  fail(path, fmt::format("there is no body '{}'", name), "name a body of the model or 'ground'");
  return std::nullopt;
}

const ShapeSpec* MechanismContactsBuilder::find_shape(const std::string& body, const std::string& name,
                                                      const std::string& path) {
  if (const auto found = shape_of_.find({body, name}); found != shape_of_.end()) return found->second;
  fail(path, fmt::format("there is no shape '{}.{}'", body, name), fmt::format("add it to the shapes of '{}'", body));
  return nullptr;
}

MechanismContactsBuilder::Laws MechanismContactsBuilder::laws_of(const ContactLawSpec& law, const std::string& path) {
  Laws laws{{law.restitution, law.tangential_restitution, law.friction, 0}};
  if (law.impact == "poisson") laws.impact.impact = ImpactLaw::kPoisson;
  if (law.tangential_law == "glocker") laws.impact.tangential = TangentialLaw::kGlocker;
  if (law.tangential_law == "safe") laws.impact.tangential = TangentialLaw::kSafe;
  laws.impact.friction_law = make_friction_law(law, path, diagnostics_);
  if (laws.impact.friction_law) laws.impact.friction = laws.impact.friction_law->static_limit();
  return laws;
}

MechanismContactsBuilder::Laws MechanismContactsBuilder::laws_of(const ContactLawSpec& law, const ContactSurface& a,
                                                                 const ContactSurface& b, const std::string& path) {
  Laws laws = laws_of(law, path);
  if (law.force) laws.force = make_force_law(law, laws.impact.friction_law, a, b, path, diagnostics_);
  return laws;
}

// Shapes are given in the axes of their body, which are those of the body's own marker; on an elastic body a section
// carries them.
MarkerIndex MechanismContactsBuilder::marker_of_shape(const ShapeSpec& shape, BodyIndex body) {
  const std::optional<MarkerIndex> marker = carrying_marker(*mechanism_, spec_, body, "shapes." + shape.name);
  if (!marker) {
    fail(fmt::format("bodies.{}.shapes.{}", shape.body, shape.name),
         fmt::format("a {} on an elastic body would have to bend with it", shape_type_name(shape.geometry)),
         "use points, circles or spheres there, or fix a rigid body to the beam and give it the shape");
  }
  return marker.value_or(marker_of(body));
}

int MechanismContactsBuilder::placement_of(MarkerIndex marker) {
  const auto [found, is_new] = placement_of_.emplace(to_int(marker), static_cast<int>(model_->markers.size()));
  if (is_new) model_->markers.push_back(marker);
  return found->second;
}

// A shape of a contact, each once. Surfaces of bodies that are alike share their kind, and with it gap functions.
int MechanismContactsBuilder::surface_index(const ShapeSpec& shape, BodyIndex body) {
  const auto [found, is_new] = surface_index_.emplace(&shape, static_cast<int>(model_->surfaces.size()));
  if (!is_new) return found->second;
  const int kind = kind_of(shape.geometry);
  model_->surfaces.push_back({body,
                              placement_of(marker_of_shape(shape, body)),
                              bound_of(shape),
                              shape.geometry,
                              kind,
                              -1,
                              {},
                              shape.turn.has_value()});
  if (!shape.surface_velocity.empty()) {
    model_->surfaces.back().belt = static_cast<int>(model_->belts.size());
    model_->belts.push_back(shape.surface_velocity);
  }
  return found->second;
}

MarkerIndex MechanismContactsBuilder::marker_of_surface(int surface) const {
  return model_->markers[static_cast<std::size_t>(model_->surfaces[static_cast<std::size_t>(surface)].placement)];
}

// A pile is made of a few kinds of shapes: those that can be compared are, with the first ones.
int MechanismContactsBuilder::kind_of(const ShapeGeometry& geometry) {
  constexpr std::size_t kMostKinds = 16;
  const auto is_like_this = [&](const std::pair<ShapeGeometry, int>& known) {
    return std::visit(
        [&](const auto& shape) {
          using Shape = std::decay_t<decltype(shape)>;
          const Shape* other = std::get_if<Shape>(&known.first);
          if constexpr (std::equality_comparable<Shape>) return other != nullptr && shape == *other;
          if constexpr (std::is_same_v<Shape, PolygonShape>)
            return other != nullptr && shape.vertices_m == other->vertices_m;
          return false;
        },
        geometry);
  };
  const auto found = std::find_if(kinds_.begin(), kinds_.end(), is_like_this);
  if (found != kinds_.end()) return found->second;
  const int kind = static_cast<int>(model_->surfaces.size());
  if (kinds_.size() < kMostKinds) kinds_.emplace_back(geometry, kind);
  return kind;
}

ContactPoint MechanismContactsBuilder::point_of(const std::string& name, const Laws& laws, double clearance_m) const {
  ContactPoint point;
  point.contact = name;
  point.tangents = spec_.space == Space::kPlanar ? 1 : 2;
  point.has_place = true;
  point.law = laws.impact;
  point.force_law = laws.force;
  point.clearance_m = point.size = clearance_m;
  return point;
}

// A cam that is driven at a constant speed never meets the drops of its lift from below.
ShapeGeometry MechanismContactsBuilder::geometry_of(const ShapeSpec& shape) const {
  ShapeGeometry geometry = shape.geometry;
  auto* cam = std::get_if<CamShape>(&geometry);
  if (cam == nullptr) return geometry;
  const Expression* turn = shape.turn ? &shape.turn->angle : driven_turn(shape.body);
  const double t = mechanism_->initial_state().t;
  cam->only_forwards = turn != nullptr && turn->is_linear_in_time() && turn->evaluate_jet({&t, 1}).rate >= 0;
  return geometry;
}

void MechanismContactsBuilder::add_contact(const ContactSpec& contact) {
  const std::string path = "contacts." + contact.name;
  const std::optional<BodyIndex> a = find_body(contact.body_a, path + ".between"),
                                 b = find_body(contact.body_b, path + ".between");
  const ShapeSpec* shape_a = find_shape(contact.body_a, contact.shape_a, path + ".between");
  const ShapeSpec* shape_b = find_shape(contact.body_b, contact.shape_b, path + ".between");
  if (!a || !b || shape_a == nullptr || shape_b == nullptr) return;
  const std::size_t first_point = model_->points_.size();
  add_pair_of(contact, path, *a, *b, *shape_a, *shape_b);
  for (std::size_t i = first_point; i < model_->points_.size(); ++i) model_->points_[i].group = contact.group;
}

void MechanismContactsBuilder::add_pair_of(const ContactSpec& contact, const std::string& path, BodyIndex a,
                                           BodyIndex b, const ShapeSpec& shape_a, const ShapeSpec& shape_b) {
  const bool is_planar = spec_.space == Space::kPlanar;
  const ShapeGeometry geometry_a = geometry_of(shape_a), geometry_b = geometry_of(shape_b);
  const PairProblem problem =
      is_planar ? planar_pair_problem(geometry_a, geometry_b) : spatial_pair_problem(geometry_a, geometry_b);
  if (!problem.empty()) {
    fail(path + ".between", problem.message, problem.hint);
    return;
  }
  const Laws laws = laws_of(contact.law, surface_of(shape_a.geometry, shape_b.geometry),
                            surface_of(shape_b.geometry, shape_a.geometry), path);
  const int surface_a = surface_index(shape_a, a), surface_b = surface_index(shape_b, b);
  const MarkerIndex at_a = marker_of_surface(surface_a), at_b = marker_of_surface(surface_b);
  const bool comes_and_goes =
      is_planar ? are_contours(geometry_a, geometry_b) : spatial_points_are_free(geometry_a, geometry_b);
  if (contact.points > 0 && !comes_and_goes) {
    fail(path + ".points", "the number of contact points of this pair is fixed by its shapes", "delete it");
    return;
  }
  if (!is_planar) {
    add_pair(contact.name, path, at_a, at_b, make_spatial_gap(geometry_a, geometry_b, contact.points), laws);
    if (contact.law.wear) {
      add_worn(worn_pair(contact.name, *contact.law.wear, model_->spatial_pairs.back().gap->point_count()));
    }
    model_->spatial_pairs.back().surface_a = surface_a;
    model_->spatial_pairs.back().surface_b = surface_b;
    return;
  }
  const bool is_cam = std::holds_alternative<CamShape>(geometry_a) || std::holds_alternative<CamShape>(geometry_b);
  add_pair(contact.name, path, at_a, at_b, make_planar_gap(geometry_a, geometry_b, contact.points), laws, 0, is_cam);
  MechanismContacts::Pair<PlanarGap>& pair = model_->planar_pairs.back();
  pair.turn_a = turn_of(shape_a, at_a);
  pair.turn_b = turn_of(shape_b, at_b);
  if (contact.law.wear) add_worn(worn_pair(contact.name, *contact.law.wear, pair.gap->point_count()));
  pair.surface_a = surface_a;
  pair.surface_b = surface_b;
}

// Impacts, blows and measures know a point by its name: 'c_1' must not be a point of 'c' and another contact as well.
void MechanismContactsBuilder::check_names() {
  std::unordered_map<std::string, std::size_t> point_of_name;
  for (std::size_t i = 0; i < model_->points_.size(); ++i) {
    const auto found = point_of_name.emplace(model_->points_[i].name(), i).first;
    std::size_t whole = found->second, part = i;
    if (model_->points_[whole].contact == model_->points_[part].contact) continue;
    if (!model_->points_[whole].suffix.empty()) std::swap(whole, part);
    fail(path_of_point_[whole],
         fmt::format("'{}' is the name of a point of '{}', too", found->first, model_->points_[part].contact),
         "rename one of them");
  }
}

void MechanismContactsBuilder::add_keys() {
  const auto add = [&](const auto& pairs) {
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      for (int i = 0; i < pairs[p].gap->point_count(); ++i) model_->keys_.push_back({p, static_cast<std::uint32_t>(i)});
    }
    for (std::size_t r = 0; r < model_->joint_rows.size(); ++r) model_->keys_.push_back({pairs.size() + r, 0});
  };
  if (spec_.space == Space::kPlanar)
    add(model_->planar_pairs);
  else
    add(model_->spatial_pairs);
}

std::shared_ptr<const MechanismContacts> MechanismContacts::build(const std::shared_ptr<const Mechanism>& mechanism,
                                                                  const MechanismSpec& spec,
                                                                  const ContactModelSpec& contacts) {
  return MechanismContactsBuilder(mechanism, spec, contacts).build();
}

}  // namespace freeplay::contact
