// Groups of shapes that may all touch each other, how large what touches is, and what overlaps at the start.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "freeplay/contact/carried/part_radius.h"
#include "freeplay/contact/points/initial_gaps.h"
#include "freeplay/contact/points/mechanism_contacts_builder.h"

namespace freeplay::contact {

// When all shapes of all bodies are known.
void MechanismContactsBuilder::set_sizes() {
  std::map<BodyIndex, double> of_body_m;
  for (const ShapeSpec& shape : contacts_.shapes) {
    const auto body = body_of_.find(shape.body);
    if (body == body_of_.end()) continue;
    double& radius_m = of_body_m[body->second];
    radius_m = std::max(radius_m, reach_from_centre_m(bound_of(shape)));
  }
  set_part_radii(model_->surfaces, of_body_m);
  const auto set = [&](const auto& pair) {
    if (pair.surface_a < 0 || pair.surface_b < 0) return;
    for (int i = 0; i < pair.gap->point_count(); ++i) {
      model_->points_[static_cast<std::size_t>(pair.first_point + i)].size =
          model_->smaller_part_m(pair.surface_a, pair.surface_b);
    }
  };
  for (const auto& pair : model_->planar_pairs) set(pair);
  for (const auto& pair : model_->spatial_pairs) set(pair);
  for (const MechanismContacts::Group& group : model_->surface_groups) {
    double size_m = 0;
    for (const int member : group.members)
      size_m = smaller_radius(size_m, model_->surfaces[static_cast<std::size_t>(member)].part_radius_m);
    const std::size_t laws = std::max<std::size_t>(1, group.material_laws.size());
    for (std::size_t i = 0; i < laws; ++i) model_->groups_[static_cast<std::size_t>(group.first_law) + i].size = size_m;
  }
}

// Every pair that the group can have must have a gap function: one look at each two kinds of shapes.
void MechanismContactsBuilder::add_group(const ContactGroupSpec& spec) {
  const std::string path = "groups." + spec.name;
  const int index = static_cast<int>(model_->surface_groups.size());
  MechanismContacts::Group group;
  group.first_law = static_cast<int>(model_->groups_.size());
  // The surface of a member; -1 if there is none.
  const auto find = [&](const ContactGroupSpec::Member& member) {
    const std::optional<BodyIndex> body = find_body(member.body, path);
    const ShapeSpec* shape = find_shape(member.body, member.shape, path);
    if (!body || shape == nullptr) return -1;
    if (shape->turn) {
      fail(path, fmt::format("'{}.{}' turns against its body", member.body, member.shape),
           "give the shapes that turn contacts of their own");
    }
    const int surface = surface_index(*shape, *body);
    if (member.material >= 0) model_->surfaces[static_cast<std::size_t>(surface)].material = member.material;
    return surface;
  };
  for (const ContactGroupSpec::Member& member : spec.against) {
    const int surface = find(member);
    if (surface < 0) continue;
    group.against.push_back(surface);
    model_->surfaces[static_cast<std::size_t>(surface)].partner_of.push_back(index);
  }
  for (const ContactGroupSpec::Member& member : spec.members) {
    const int surface = find(member);
    if (surface < 0) continue;
    int& own = model_->surfaces[static_cast<std::size_t>(surface)].group;
    if (own >= 0) {
      fail(path, fmt::format("'{}.{}' is in two groups, or twice in one", member.body, member.shape), "name it once");
      continue;
    }
    own = index;
    group.members.push_back(surface);
  }
  check_kinds(group, path);
  add_group_laws(spec, group, path);
  model_->surface_groups.push_back(std::move(group));
}

// One description for all pairs, or one for every two materials: the points of a group have no names of their own.
void MechanismContactsBuilder::add_group_laws(const ContactGroupSpec& spec, MechanismContacts::Group& group,
                                              const std::string& path) {
  const auto refuse_force = [&](const ContactLawSpec& law) {
    if (law.force && !group.members.empty())
      fail(path + ".force", "groups have no force laws yet", "use 'impact: newton', or contacts with names");
  };
  if (spec.material_laws.empty()) {
    refuse_force(spec.law);
    model_->groups_.push_back(point_of(spec.name, laws_of(spec.law, path), 0));
    return;
  }
  for (const ContactGroupSpec::MaterialLaw& pair : spec.material_laws) {
    refuse_force(pair.law);
    ContactPoint point = point_of(spec.name, laws_of(pair.law, path), 0);
    point.suffix = "_" + pair.name;
    model_->groups_.push_back(std::move(point));
    group.material_laws.emplace_back(std::max(pair.a, pair.b), std::min(pair.a, pair.b));
  }
  check_materials(spec, group, path);
}

// Every two materials that can meet must have a law.
void MechanismContactsBuilder::check_materials(const ContactGroupSpec& spec, const MechanismContacts::Group& group,
                                               const std::string& path) {
  for (const auto& [a, b] : meeting_materials(spec)) {
    const auto& known = group.material_laws;
    if (std::find(known.begin(), known.end(), std::pair(b, a)) != known.end()) continue;
    fail(path, "two materials of the group have no law", "give one for every two materials that can meet");
    return;
  }
}

// What is wrong with a pair is wrong with its two types, or with one of the shapes: so every kind of shape is looked
// at with one shape of every type, and not with all others, of which a heap of stones has thousands.
void MechanismContactsBuilder::check_kinds(const MechanismContacts::Group& group, const std::string& path) {
  using Kinds = std::map<int, int>;          // a surface of each kind
  using Types = std::map<std::size_t, int>;  // a surface of each type
  Kinds kinds_of_members, kinds_of_partners;
  Types types_of_members, types_of_partners;
  const auto note = [&](int surface, Kinds& kinds, Types& types) {
    const MechanismContacts::Surface& one = model_->surfaces[static_cast<std::size_t>(surface)];
    kinds.emplace(one.kind, surface);
    types.emplace(one.geometry.index(), surface);
  };
  for (const int member : group.members) {
    note(member, kinds_of_members, types_of_members);
    note(member, kinds_of_partners, types_of_partners);
  }
  for (const int partner : group.against) note(partner, kinds_of_partners, types_of_partners);
  const auto check = [&](const Kinds& kinds, const Types& types) {
    for (const auto& [kind, a] : kinds) {
      for (const auto& [type, b] : types) {
        if (!can_touch(a, b, path)) return false;
      }
    }
    return true;
  };
  if (check(kinds_of_members, types_of_partners)) check(kinds_of_partners, types_of_members);
}

// False after a report.
bool MechanismContactsBuilder::can_touch(int a, int b, const std::string& path) {
  const ShapeGeometry& shape_a = model_->surfaces[static_cast<std::size_t>(a)].geometry;
  const ShapeGeometry& shape_b = model_->surfaces[static_cast<std::size_t>(b)].geometry;
  const bool is_planar = spec_.space == Space::kPlanar;
  const PairProblem problem =
      is_planar ? planar_pair_problem(shape_a, shape_b) : spatial_pair_problem(shape_a, shape_b);
  if (!problem.empty()) {
    fail(path, problem.message, problem.hint);
    return false;
  }
  model_->follows_contacts |= is_planar ? are_contours(shape_a, shape_b) : spatial_points_are_free(shape_a, shape_b);
  return true;
}

void MechanismContactsBuilder::check_initial_gaps() {
  std::map<std::string, GroupOverlaps> of_groups;
  for (const InitialOverlap& overlap : initial_overlaps(*mechanism_, *model_, contacts_.initial_overlap_m)) {
    if (overlap.entry >= model_->point_count()) {
      of_groups[overlap.point->contact].add(overlap);
      continue;
    }
    const bool is_length = overlap.point->gap_dimension == dimensions::kLength;
    fail(path_of_point_[static_cast<std::size_t>(overlap.entry)],
         fmt::format("'{}' penetrates by {:.6g} {} in the initial state", overlap.point->name(), overlap.depth,
                     is_length ? "m" : "rad"),
         fmt::format("give the bodies other `initial` values; a joint with play starts centred unless they say "
                     "otherwise{}",
                     is_length ? "; an `initial_overlap` in `simulate` allows for as much" : ""));
  }
  for (const auto& [group, overlaps] : of_groups) fail_overlap(group, overlaps);
}

void MechanismContactsBuilder::fail_overlap(const std::string& group, const GroupOverlaps& overlaps) {
  const auto [a, b] = MechanismContacts::surfaces_of_key(overlaps.deepest.key.pair);
  fail("groups." + group,
       fmt::format("{} and {} penetrate by {:.6g} m in the initial state{}", name_of_surface(b), name_of_surface(a),
                   overlaps.deepest.depth,
                   overlaps.count == 1 ? "" : fmt::format(", and {} other points of the group do", overlaps.count - 1)),
       "place the bodies apart, by their `initial` values, `fill` or `pattern`; an `initial_overlap` in `simulate` "
       "allows for as much");
}

std::string MechanismContactsBuilder::name_of_surface(int surface) const {
  for (const auto& [shape, index] : surface_index_) {
    if (index == surface) return fmt::format("'{}.{}'", shape->body, shape->name);
  }
  return "a surface";
}

}  // namespace freeplay::contact
