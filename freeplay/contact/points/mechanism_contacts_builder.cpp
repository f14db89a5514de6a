// From the specs of contacts to MechanismContacts: names resolved, laws as numbers, everything checked.
#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <map>
#include <optional>
#include <unordered_map>

#include "freeplay/contact/laws/force_law_builder.h"
#include "freeplay/contact/laws/friction_law_builder.h"
#include "freeplay/contact/points/carried_shapes.h"
#include "freeplay/contact/points/initial_gaps.h"
#include "freeplay/contact/points/joint_rows.h"
#include "freeplay/contact/points/journal_films.h"
#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/contact/points/part_radius.h"
#include "freeplay/contact/points/play_table.h"
#include "freeplay/contact/points/start_with_play.h"
#include "freeplay/contact/points/worn_contacts.h"
#include "freeplay/core/error.h"
#include "freeplay/geometry/shapes/cam_checks.h"

namespace freeplay::contact {

class MechanismContactsBuilder {
 public:
  MechanismContactsBuilder(const std::shared_ptr<const Mechanism>& mechanism, const MechanismSpec& spec,
                           const ContactModelSpec& contacts)
      : mechanism_(mechanism), spec_(spec), contacts_(contacts), model_(new MechanismContacts()) {
    model_->space = spec.space;
    for (std::size_t i = 0; i < mechanism->bodies.size(); ++i)
      body_of_.emplace(mechanism->bodies[i].name, BodyIndex{static_cast<int>(i)});
    for (const ShapeSpec& shape : contacts.shapes) shape_of_.emplace(std::pair(shape.body, shape.name), &shape);
  }

  std::shared_ptr<const MechanismContacts> build() {
    for (const ContactSpec& contact : contacts_.contacts) add_contact(contact);
    for (const ContactGroupSpec& group : contacts_.groups) add_group(group);
    add_clearance_joints();
    for (const JointSpec& joint : spec_.joints) add_joint_rows(joint);
    for (const ClearanceJointSpec& play : contacts_.clearance_joints) add_joint_rows(play.joint);
    for (const DriverSpec& driver : spec_.drivers) add_slipping_motion(driver);
    for (const BacklashSpec& backlash : contacts_.backlashes) add_flanks(backlash);
    add_keys();
    throw_if_failed();
    set_sizes();
    check_initial_gaps();
    throw_if_failed();
    return model_;
  }

 private:
  void fail(std::string path, std::string message, std::string hint) {
    diagnostics_.push_back({{}, std::move(path), std::move(message), std::move(hint), {}});
  }
  void throw_if_failed() const {
    if (!diagnostics_.empty()) throw ModelError(diagnostics_);
  }

  std::optional<BodyIndex> find_body(const std::string& name, const std::string& path) {
    if (const auto found = body_of_.find(name); found != body_of_.end()) return found->second;
    fail(path, fmt::format("there is no body '{}'", name), "name a body of the model or 'ground'");
    return std::nullopt;
  }

  const ShapeSpec* find_shape(const std::string& body, const std::string& name, const std::string& path) {
    if (const auto found = shape_of_.find({body, name}); found != shape_of_.end()) return found->second;
    fail(path, fmt::format("there is no shape '{}.{}'", body, name), fmt::format("add it to the shapes of '{}'", body));
    return nullptr;
  }

  // The impact part of a law, and the compliant one; a missing one is the integrator's business to refuse.
  struct Laws {
    PointLaw impact;
    std::optional<ForceLaw> force{};
  };
  Laws laws_of(const ContactLawSpec& law, const std::string& path) {
    Laws laws{{law.restitution, law.tangential_restitution, law.friction, 0}};
    if (law.impact == "poisson") laws.impact.impact = ImpactLaw::kPoisson;
    if (law.tangential_law == "glocker") laws.impact.tangential = TangentialLaw::kGlocker;
    if (law.tangential_law == "safe") laws.impact.tangential = TangentialLaw::kSafe;
    laws.impact.friction_law = make_friction_law(law, path, diagnostics_);
    if (laws.impact.friction_law) laws.impact.friction = laws.impact.friction_law->static_limit();
    return laws;
  }
  Laws laws_of(const ContactLawSpec& law, const ContactSurface& a, const ContactSurface& b, const std::string& path) {
    Laws laws = laws_of(law, path);
    if (law.force) laws.force = make_force_law(law, laws.impact.friction_law, a, b, path, diagnostics_);
    return laws;
  }

  // Shapes are given in the axes of their body, which are those of the body's own marker; on an elastic body a section
  // carries them.
  MarkerIndex marker_of_shape(const ShapeSpec& shape, BodyIndex body) {
    const std::optional<MarkerIndex> marker = carrying_marker(*mechanism_, spec_, body, "shapes." + shape.name);
    if (!marker) {
      fail(fmt::format("bodies.{}.shapes.{}", shape.body, shape.name),
           fmt::format("a {} on an elastic body would have to bend with it", shape_type_name(shape.geometry)),
           "use points, circles or spheres there, or fix a rigid body to the beam and give it the shape");
    }
    return marker.value_or(marker_of(body));
  }
  MarkerIndex marker_of_side(const ClearanceJointSpec& play, BodyIndex body) const {
    return carrying_marker(*mechanism_, spec_, body, "joints." + play.joint.name).value_or(marker_of(body));
  }
  int placement_of(MarkerIndex marker) {
    const auto [found, is_new] = placement_of_.emplace(to_int(marker), static_cast<int>(model_->markers.size()));
    if (is_new) model_->markers.push_back(marker);
    return found->second;
  }

  // A shape of a contact, each once. Surfaces of bodies that are alike share their kind, and with it gap functions.
  int surface_index(const ShapeSpec& shape, BodyIndex body) {
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
  MarkerIndex marker_of_surface(int surface) const {
    return model_->markers[static_cast<std::size_t>(model_->surfaces[static_cast<std::size_t>(surface)].placement)];
  }
  // A pile is made of a few kinds of shapes: those that can be compared are, with the first ones.
  int kind_of(const ShapeGeometry& geometry) {
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

  ContactPoint point_of(const std::string& name, const Laws& laws, double clearance_m) const {
    ContactPoint point;
    point.contact = name;
    point.tangents = spec_.space == Space::kPlanar ? 1 : 2;
    point.has_place = true;
    point.law = laws.impact;
    point.force_law = laws.force;
    point.clearance_m = point.size = clearance_m;
    return point;
  }

  template <class Gap>
  void add_pair(const std::string& name, const std::string& path, MarkerIndex a, MarkerIndex b,
                std::unique_ptr<const Gap> gap, const Laws& laws, double clearance_m = 0, bool is_cam = false) {
    constexpr bool kIsPlanar = std::is_same_v<Gap, PlanarGap>;
    MechanismContacts::Pair<Gap> pair{placement_of(a), placement_of(b), model_->point_count(), std::move(gap)};
    const int count = pair.gap->point_count();
    const bool is_followed = pair.gap->follows_contacts();
    model_->follows_contacts |= is_followed;
    for (int i = 0; i < count; ++i) {
      ContactPoint point = point_of(name, laws, clearance_m);
      point.suffix = count == 1 ? "" : fmt::format("_{}", i + 1);
      point.is_followed = is_followed;
      point.is_free_form = is_followed || is_cam;
      model_->points_.push_back(std::move(point));
      path_of_point_.push_back(path);
    }
    if constexpr (kIsPlanar)
      model_->planar_pairs.push_back(std::move(pair));
    else
      model_->spatial_pairs.push_back(std::move(pair));
  }

  // A cam that is driven at a constant speed never meets the drops of its lift from below.
  ShapeGeometry geometry_of(const ShapeSpec& shape) const {
    ShapeGeometry geometry = shape.geometry;
    auto* cam = std::get_if<CamShape>(&geometry);
    if (cam == nullptr) return geometry;
    const Expression* turn = shape.turn ? &shape.turn->angle : driven_turn(shape.body);
    const double t = mechanism_->initial_state().t;
    cam->only_forwards = turn != nullptr && turn->is_linear_in_time() && turn->evaluate_jet({&t, 1}).rate >= 0;
    return geometry;
  }

  // The angle of a body that a driver turns about a place on the ground; nullptr if there is none.
  const Expression* driven_turn(const std::string& body) const {
    for (const DriverSpec& driver : spec_.drivers) {
      if (!driver.motion) continue;
      for (const JointSpec& joint : spec_.joints) {
        if (joint.name == driver.joint && joint.type == "revolute" && joint.child == body && joint.parent == "ground")
          return &*driver.motion;
      }
    }
    return nullptr;
  }

  void add_contact(const ContactSpec& contact) {
    const std::string path = "contacts." + contact.name;
    const std::optional<BodyIndex> a = find_body(contact.body_a, path + ".between"),
                                   b = find_body(contact.body_b, path + ".between");
    const ShapeSpec* shape_a = find_shape(contact.body_a, contact.shape_a, path + ".between");
    const ShapeSpec* shape_b = find_shape(contact.body_b, contact.shape_b, path + ".between");
    if (!a || !b || shape_a == nullptr || shape_b == nullptr) return;
    const bool is_planar = spec_.space == Space::kPlanar;
    const ShapeGeometry geometry_a = geometry_of(*shape_a), geometry_b = geometry_of(*shape_b);
    const PairProblem problem =
        is_planar ? planar_pair_problem(geometry_a, geometry_b) : spatial_pair_problem(geometry_a, geometry_b);
    if (!problem.empty()) {
      fail(path + ".between", problem.message, problem.hint);
      return;
    }
    const Laws laws = laws_of(contact.law, surface_of(shape_a->geometry, shape_b->geometry),
                              surface_of(shape_b->geometry, shape_a->geometry), path);
    const int surface_a = surface_index(*shape_a, *a), surface_b = surface_index(*shape_b, *b);
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
    pair.turn_a = turn_of(*shape_a, at_a);
    pair.turn_b = turn_of(*shape_b, at_b);
    if (contact.law.wear) add_worn(worn_pair(contact.name, *contact.law.wear, pair.gap->point_count()));
    pair.surface_a = surface_a;
    pair.surface_b = surface_b;
  }

  // When all shapes of all bodies are known.
  void set_sizes() {
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
      for (std::size_t i = 0; i < laws; ++i)
        model_->groups_[static_cast<std::size_t>(group.first_law) + i].size = size_m;
    }
  }

  // Every pair that the group can have must have a gap function: one look at each two kinds of shapes.
  void add_group(const ContactGroupSpec& spec) {
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
  void add_group_laws(const ContactGroupSpec& spec, MechanismContacts::Group& group, const std::string& path) {
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
  void check_materials(const ContactGroupSpec& spec, const MechanismContacts::Group& group, const std::string& path) {
    for (const auto& [a, b] : meeting_materials(spec)) {
      const auto& known = group.material_laws;
      if (std::find(known.begin(), known.end(), std::pair(b, a)) != known.end()) continue;
      fail(path, "two materials of the group have no law", "give one for every two materials that can meet");
      return;
    }
  }

  // What is wrong with a pair is wrong with its two types, or with one of the shapes: so every kind of shape is looked
  // at with one shape of every type, and not with all others, of which a heap of stones has thousands.
  void check_kinds(const MechanismContacts::Group& group, const std::string& path) {
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
  bool can_touch(int a, int b, const std::string& path) {
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

  void add_keys() {
    const auto add = [&](const auto& pairs) {
      for (std::size_t p = 0; p < pairs.size(); ++p) {
        for (int i = 0; i < pairs[p].gap->point_count(); ++i)
          model_->keys_.push_back({p, static_cast<std::uint32_t>(i)});
      }
      for (std::size_t r = 0; r < model_->joint_rows.size(); ++r) model_->keys_.push_back({pairs.size() + r, 0});
    };
    if (spec_.space == Space::kPlanar)
      add(model_->planar_pairs);
    else
      add(model_->spatial_pairs);
  }

  // The turn of a shape, each shape once per contact. A drop of the lift opens the gap only if it is passed forwards.
  int turn_of(const ShapeSpec& shape, MarkerIndex marker) {
    if (!shape.turn) return -1;
    const double t = mechanism_->initial_state().t;
    const auto* cam = std::get_if<CamShape>(&shape.geometry);
    if (cam != nullptr && shape.turn->angle.evaluate_jet({&t, 1}).rate < 0 && lift_has_a_drop(*cam)) {
      const std::string owner = shape.body == "ground" ? "ground" : "bodies." + shape.body;
      fail(fmt::format("{}.shapes.{}.turn", owner, shape.name),
           "the cam turns backwards, so that the drop of its lift is a step up that no follower can climb",
           "turn it forwards, or mirror the lift: put the drop where it goes down in the direction of motion");
    }
    model_->turns.push_back({placement_of(marker), shape.turn->about_m.head<2>(), shape.turn->angle});
    return static_cast<int>(model_->turns.size()) - 1;
  }

  // Of the mechanism; -1 after a report.
  int joint_index(const std::string& name) {
    const auto& joints = mechanism_->joints;
    const auto is_it = [&](const Mechanism::Joint& joint) { return joint.name == name; };
    const auto found = std::find_if(joints.begin(), joints.end(), is_it);
    if (found != joints.end()) return static_cast<int>(found - joints.begin());
    fail("joints." + name, "the mechanism does not have this joint",
         "build the mechanism by build_mechanism_with_play()");
    return -1;
  }

  // The mechanism has the frames of joints with play.
  void add_clearance_joints() {
    for (const ClearanceJointSpec& play : contacts_.clearance_joints) {
      const int index = joint_index(play.joint.name);
      if (index < 0) continue;
      const PlacedJoint joint = placed(*mechanism_, mechanism_->joints[static_cast<std::size_t>(index)]);
      const std::string& name = play.joint.name;
      const std::string path = "joints." + name;
      if (spec_.space == Space::kPlanar)
        add_play(play, joint, index, path, make_planar_play(play, joint));
      else
        add_play(play, joint, index, path, make_spatial_play(play, joint));
      model_->eccentricities.push_back({placement_of(marker_of_side(play, joint.child)),
                                        placement_of(marker_of_side(play, joint.parent)), joint.child_frame,
                                        joint.parent_frame});
      for (const char* axis : {"x", "y", "z"}) {
        if (spec_.space == Space::kPlanar && *axis == 'z') continue;
        model_->extra_channels_.push_back({fmt::format("{}.eccentricity_{}", name, axis), dimensions::kLength});
      }
      if (play.has_film()) add_film(play, index);
    }
    for (const std::string& joint : model_->lubricated_) {
      for (ChannelDescription& channel : JournalFilms::channels_of(joint))
        model_->extra_channels_.push_back(std::move(channel));
    }
  }

  void add_film(const ClearanceJointSpec& play, int joint) {
    const std::optional<JournalFilm> law = make_journal_film(play, spec_.space, diagnostics_);
    if (!law) return;
    model_->films.push_back({joint, static_cast<int>(model_->eccentricities.size()) - 1, *law});
    model_->lubricated_.push_back(play.joint.name);
  }

  // Behind add_pair().
  void add_worn(WornContact worn) {
    worn.first_point = model_->point_count() - worn.point_count;
    model_->worn_.push_back(std::move(worn));
  }

  template <class Gap>
  void add_play(const ClearanceJointSpec& play, const PlacedJoint& joint, int index, const std::string& path,
                Play<Gap> made) {
    if (!made.gap) {
      fail(path + ".model", fmt::format("a {} joint cannot have play", play.joint.type), "use 'model: ideal'");
      return;
    }
    if (play.law.has_friction() && play.joint.type != "prismatic" && !play.journal_radius_m) {
      fail(path + ".contact.friction", "friction acts at the surface of the journal, and its radius is unknown",
           "add 'journal_radius: 10 mm'");
    }
    const Laws laws = laws_of(play.law, made.on_child, made.on_parent, path + ".contact");
    const int points = made.gap->point_count();
    add_pair(play.joint.name, path, marker_of_side(play, joint.child), marker_of_side(play, joint.parent),
             std::move(made.gap), laws, play.clearance_m);
    if (play.law.wear) {
      WornContact worn = worn_joint(play, spec_.space, points, diagnostics_);
      worn.sides = static_cast<int>(model_->eccentricities.size());  // those of this joint follow
      add_worn(std::move(worn));
    }
    const auto mark = [&](auto& pairs) {
      pairs.back().joint = index;
      model_->points_.back().is_all_of_joint = pairs.back().gap->point_count() == 1;
    };
    if constexpr (std::is_same_v<Gap, PlanarGap>)
      mark(model_->planar_pairs);
    else
      mark(model_->spatial_pairs);
  }

  // A force law of contacts is one of lengths.
  void add_flanks(const BacklashSpec& spec) {
    const std::string path = "couplings." + spec.coupling + ".contact";
    const auto& couplings = mechanism_->couplings;
    const auto found = std::find_if(couplings.begin(), couplings.end(), [&](const Mechanism::Coupling& coupling) {
      return coupling.name == spec.coupling;
    });
    if (found == couplings.end()) {
      fail(path, fmt::format("the mechanism has no coupling '{}'", spec.coupling), "name one of its couplings");
      return;
    }
    if (spec.law.wear)
      fail(path + ".wear", "wear of tooth flanks is not counted", "delete 'wear'; joints and contacts may have some");
    if (spec.law.has_friction())
      fail(path + ".friction", "the flanks of a coupling do not rub", "delete 'friction'; joints may have some");
    if (spec.law.force && found->is_angle)
      fail(path + ".force", "a force law of contacts is one of lengths, but this play is an angle",
           "give 'pitch_radius' or 'module', or use 'model: compliant' with a stiffness in N m/rad");
    const ContactSurface flank{"a tooth flank", {}};
    const Laws laws = laws_of(spec.law, flank, flank, path);
    const int index = static_cast<int>(found - couplings.begin());
    for (JointRowPoint& made : make_flanks(*mechanism_, spec, index, laws.impact, laws.force))
      add_joint_row(std::move(made));
  }

  void add_joint_rows(const JointSpec& spec) {
    const auto is_its_own = [&](const JointLawSpec& law) { return law.joint == spec.name; };
    const auto found = std::find_if(contacts_.joint_laws.begin(), contacts_.joint_laws.end(), is_its_own);
    const JointLawSpec* law = found == contacts_.joint_laws.end() ? nullptr : &*found;
    if (spec.dry_friction == 0 && !spec.stops && (law == nullptr || !law->friction)) return;
    const int index = joint_index(spec.name);
    if (index < 0) return;
    for (JointRowPoint& made : make_joint_rows(*mechanism_, spec, law, index, diagnostics_))
      add_joint_row(std::move(made));
  }
  void add_joint_row(JointRowPoint made) {
    made.row.point = model_->point_count();
    model_->joint_rows.push_back(std::move(made.row));
    model_->points_.push_back(std::move(made.point));
    path_of_point_.push_back(std::move(made.path));
  }
  void add_slipping_motion(const DriverSpec& spec) {
    const int index = spec.motion && spec.limit ? joint_index(spec.joint) : -1;
    if (index < 0) return;
    const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
    add_joint_row(
        make_slipping_motion(spec, index, joint_coordinate_dimension(joint.type->name, mechanism_->space, 0)));
  }

  void check_initial_gaps() {
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

  // Of a group there may be thousands: its deepest one, and how many there are.
  struct GroupOverlaps {
    InitialOverlap deepest;
    std::size_t count = 0;
    void add(const InitialOverlap& overlap) {
      if (++count == 1 || overlap.depth > deepest.depth) deepest = overlap;
    }
  };
  void fail_overlap(const std::string& group, const GroupOverlaps& overlaps) {
    const auto [a, b] = MechanismContacts::surfaces_of_key(overlaps.deepest.key.pair);
    fail("groups." + group,
         fmt::format(
             "{} and {} penetrate by {:.6g} m in the initial state{}", name_of_surface(b), name_of_surface(a),
             overlaps.deepest.depth,
             overlaps.count == 1 ? "" : fmt::format(", and {} other points of the group do", overlaps.count - 1)),
         "place the bodies apart, by their `initial` values, `fill` or `pattern`; an `initial_overlap` in `simulate` "
         "allows for as much");
  }
  std::string name_of_surface(int surface) const {
    for (const auto& [shape, index] : surface_index_) {
      if (index == surface) return fmt::format("'{}.{}'", shape->body, shape->name);
    }
    return "a surface";
  }

  std::shared_ptr<const Mechanism> mechanism_;
  const MechanismSpec& spec_;
  const ContactModelSpec& contacts_;
  std::shared_ptr<MechanismContacts> model_;
  std::unordered_map<std::string, BodyIndex> body_of_;
  std::map<std::pair<std::string, std::string>, const ShapeSpec*> shape_of_;
  std::unordered_map<int, int> placement_of_;
  std::unordered_map<const ShapeSpec*, int> surface_index_;
  std::vector<std::pair<ShapeGeometry, int>> kinds_;
  std::vector<std::string> path_of_point_;
  std::vector<Diagnostic> diagnostics_;
};

std::shared_ptr<const MechanismContacts> MechanismContacts::build(const std::shared_ptr<const Mechanism>& mechanism,
                                                                  const MechanismSpec& spec,
                                                                  const ContactModelSpec& contacts) {
  return MechanismContactsBuilder(mechanism, spec, contacts).build();
}

}  // namespace freeplay::contact
