#include "freeplay/contact/points/mechanism_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "freeplay/contact/laws/force_law_builder.h"
#include "freeplay/contact/points/clearance_gaps.h"
#include "freeplay/contact/points/spatial_clearance_gaps.h"
#include "freeplay/contact/points/start_with_play.h"
#include "freeplay/core/error.h"
#include "freeplay/geometry/shapes/cam_checks.h"

namespace freeplay::contact {

namespace {

// Rounding of an initial state that was computed to touch; anything deeper is a mistake in the model.
constexpr double kTouching_m = 1e-12;
constexpr std::size_t kManyPairs = 64;

}  // namespace

class MechanismContactsBuilder {
 public:
  MechanismContactsBuilder(const std::shared_ptr<const Mechanism>& mechanism, const MechanismSpec& spec,
                           const ContactModelSpec& contacts)
      : mechanism_(mechanism), spec_(spec), contacts_(contacts), model_(new MechanismContacts()) {
    model_->space = spec.space;
  }

  std::shared_ptr<const MechanismContacts> build() {
    for (const ContactSpec& contact : contacts_.contacts) add_contact(contact);
    model_->skips_far_pairs = model_->spatial_pairs.size() > kManyPairs;
    add_clearance_joints();
    for (std::size_t j = 0; j < spec_.joints.size(); ++j) add_joint_rows(spec_.joints[j], static_cast<int>(j));
    throw_if_failed();
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
    for (std::size_t i = 0; i < mechanism_->bodies.size(); ++i) {
      if (mechanism_->bodies[i].name == name) return BodyIndex{static_cast<int>(i)};
    }
    fail(path, fmt::format("there is no body '{}'", name), "name a body of the model or 'ground'");
    return std::nullopt;
  }

  const ShapeSpec* find_shape(const std::string& body, const std::string& name, const std::string& path) {
    for (const ShapeSpec& shape : contacts_.shapes) {
      if (shape.body == body && shape.name == name) return &shape;
    }
    fail(path, fmt::format("there is no shape '{}.{}'", body, name), fmt::format("add it to the shapes of '{}'", body));
    return nullptr;
  }

  // The impact part of a law, and the compliant one; a missing one is the integrator's business to refuse.
  static PointLaw law_of(const ContactLawSpec& law) {
    return {law.restitution, law.tangential_restitution, law.friction, 0};
  }

  std::optional<ForceLaw> force_law_of(const ContactLawSpec& law, const ContactSurface& a, const ContactSurface& b,
                                       const std::string& path) {
    if (!law.force) return std::nullopt;
    return make_force_law(law, a, b, path, diagnostics_);
  }

  int placement_of(BodyIndex body) {
    const auto found = std::find(model_->bodies.begin(), model_->bodies.end(), body);
    if (found != model_->bodies.end()) return static_cast<int>(found - model_->bodies.begin());
    model_->bodies.push_back(body);
    return static_cast<int>(model_->bodies.size()) - 1;
  }

  template <class Gap>
  void add_pair(const std::string& name, const std::string& path, BodyIndex a, BodyIndex b,
                std::unique_ptr<const Gap> gap, const ContactLawSpec& law, const std::optional<ForceLaw>& force_law,
                double clearance_m = 0) {
    constexpr bool kIsPlanar = std::is_same_v<Gap, PlanarGap>;
    MechanismContacts::Pair<Gap> pair{a, b, placement_of(a), placement_of(b), model_->point_count(), std::move(gap)};
    const int count = pair.gap->point_count();
    for (int i = 0; i < count; ++i) {
      ContactPoint point;
      point.contact = name;
      point.suffix = count == 1 ? "" : fmt::format("_{}", i + 1);
      point.tangents = kIsPlanar ? 1 : 2;
      point.has_place = true;
      point.law = law_of(law);
      point.force_law = force_law;
      point.clearance_m = clearance_m;
      model_->points_.push_back(std::move(point));
      path_of_point_.push_back(path);
    }
    if constexpr (kIsPlanar)
      model_->planar_pairs.push_back(std::move(pair));
    else
      model_->spatial_pairs.push_back(std::move(pair));
  }

  void add_contact(const ContactSpec& contact) {
    const std::string path = "contacts." + contact.name;
    const std::optional<BodyIndex> a = find_body(contact.body_a, path + ".between"),
                                   b = find_body(contact.body_b, path + ".between");
    const ShapeSpec* shape_a = find_shape(contact.body_a, contact.shape_a, path + ".between");
    const ShapeSpec* shape_b = find_shape(contact.body_b, contact.shape_b, path + ".between");
    if (!a || !b || shape_a == nullptr || shape_b == nullptr) return;
    const bool is_planar = spec_.space == Space::kPlanar;
    const PairProblem problem = is_planar ? planar_pair_problem(shape_a->geometry, shape_b->geometry)
                                          : spatial_pair_problem(shape_a->geometry, shape_b->geometry);
    if (!problem.empty()) {
      fail(path + ".between", problem.message, problem.hint);
      return;
    }
    const std::optional<ForceLaw> force_law =
        force_law_of(contact.law, surface_of(shape_a->geometry, shape_b->geometry),
                     surface_of(shape_b->geometry, shape_a->geometry), path);
    if (!is_planar) {
      add_pair(contact.name, path, *a, *b, make_spatial_gap(shape_a->geometry, shape_b->geometry), contact.law,
               force_law);
      model_->spatial_pairs.back().bound_a = bounding_sphere(shape_a->geometry);
      model_->spatial_pairs.back().bound_b = bounding_sphere(shape_b->geometry);
      return;
    }
    add_pair(contact.name, path, *a, *b, make_planar_gap(shape_a->geometry, shape_b->geometry), contact.law, force_law);
    model_->planar_pairs.back().turn_a = turn_of(*shape_a, *a);
    model_->planar_pairs.back().turn_b = turn_of(*shape_b, *b);
  }

  // The turn of a shape, each shape once per contact. A drop of the lift opens the gap only if it is passed forwards.
  int turn_of(const ShapeSpec& shape, BodyIndex body) {
    if (!shape.turn) return -1;
    const double t = mechanism_->initial_state().t;
    const auto* cam = std::get_if<CamShape>(&shape.geometry);
    if (cam != nullptr && shape.turn->angle.evaluate_jet({&t, 1}).rate < 0 && lift_has_a_drop(*cam)) {
      const std::string owner = shape.body == "ground" ? "ground" : "bodies." + shape.body;
      fail(fmt::format("{}.shapes.{}.turn", owner, shape.name),
           "the cam turns backwards, so that the drop of its lift is a step up that no follower can climb",
           "turn it forwards, or mirror the lift: put the drop where it goes down in the direction of motion");
    }
    model_->turns.push_back({placement_of(body), shape.turn->about_m.head<2>(), shape.turn->angle});
    return static_cast<int>(model_->turns.size()) - 1;
  }

  // The frames of a joint on its two bodies.
  struct PlacedJoint {
    BodyIndex parent{}, child{};
    Frame parent_frame, child_frame;
  };
  static PlacedJoint placed(const Mechanism& mechanism, const Mechanism::Joint& joint) {
    return {joint.parent, joint.child, mechanism.marker(joint.parent_marker).place,
            mechanism.marker(joint.child_marker).place};
  }

  // The frames of a joint with play are those of the ideal joint: the mechanism is built once more with the joints as
  // constraints, and they are taken from there.
  void add_clearance_joints() {
    if (contacts_.clearance_joints.empty()) return;
    const std::shared_ptr<const Mechanism> twin =
        Mechanism::build(ideal_twin(spec_, contacts_.clearance_joints), mechanism_->initial_state());
    for (std::size_t i = 0; i < contacts_.clearance_joints.size(); ++i) {
      const ClearanceJointSpec& play = contacts_.clearance_joints[i];
      const PlacedJoint joint = placed(*twin, twin->joints[spec_.joints.size() + i]);
      const std::string& name = play.joint.name;
      const std::string path = "joints." + name;
      if (spec_.space == Space::kPlanar)
        add_planar_play(play, joint, path);
      else
        add_spatial_play(play, joint, path);
      model_->eccentricities.push_back(
          {placement_of(joint.child), placement_of(joint.parent), joint.child_frame, joint.parent_frame});
      for (const char* axis : {"x", "y", "z"}) {
        if (spec_.space == Space::kPlanar && *axis == 'z') continue;
        model_->extra_channels_.push_back({fmt::format("{}.eccentricity_{}", name, axis), dimensions::kLength});
      }
    }
  }

  void add_planar_play(const ClearanceJointSpec& play, const PlacedJoint& joint, const std::string& path) {
    std::unique_ptr<const PlanarGap> gap;
    Surfaces surfaces = surfaces_of(play);
    if (play.joint.type == "prismatic") {
      surfaces = {{"the corner of a block", {}}, {"a guide", {}}};
      gap = std::make_unique<PrismaticPlay>(joint.child_frame, joint.parent_frame, play.length_m.value_or(0),
                                            play.width_m.value_or(0), play.clearance_m);
    } else if (play.joint.type == "revolute") {
      gap = std::make_unique<RevolutePlay>(joint.child_frame.p.head<2>(), joint.parent_frame.p.head<2>(),
                                           play.clearance_m, play.journal_radius_m.value_or(0));
    } else {
      fail(path + ".model", fmt::format("a {} joint cannot have play", play.joint.type), "use 'model: ideal'");
      return;
    }
    add_play(play, joint, path, std::move(gap), surfaces);
  }

  void add_spatial_play(const ClearanceJointSpec& play, const PlacedJoint& joint, const std::string& path) {
    const std::string& type = play.joint.type;
    const double radius_m = play.journal_radius_m.value_or(0), length_m = play.length_m.value_or(0);
    std::unique_ptr<const SpatialGap> gap;
    Surfaces surfaces = surfaces_of(play);
    if (type == "cylindrical" || type == "revolute") {
      std::swap(surfaces.on_child, surfaces.on_parent);  // the rod is the parent's
      gap = std::make_unique<SleevePlay>(joint.child_frame, joint.parent_frame,
                                         SleevePlay::Size{length_m, play.clearance_m, radius_m, type == "revolute",
                                                          play.axial_clearance_m.value_or(play.clearance_m)});
    } else if (type == "spherical") {
      gap = std::make_unique<SphericalPlay>(joint.child_frame.p, joint.parent_frame.p, play.clearance_m, radius_m);
    } else if (type == "prismatic") {
      surfaces = {{"the corner of a prism", {}}, {"a wall", {}}};
      gap = std::make_unique<ChannelPlay>(joint.child_frame, joint.parent_frame, play.section_m, length_m,
                                          play.clearance_m);
    } else {
      fail(path + ".model", fmt::format("a {} joint cannot have play", type), "use 'model: ideal'");
      return;
    }
    add_play(play, joint, path, std::move(gap), surfaces);
  }

  struct Surfaces {
    ContactSurface on_child, on_parent;
  };
  // Of a journal and its bearing.
  static Surfaces surfaces_of(const ClearanceJointSpec& play) {
    Surfaces surfaces{
        {play.journal_radius_m ? "a journal" : "a journal without 'journal_radius'", play.journal_radius_m},
        {play.bearing_radius_m ? "a bearing" : "a bearing without 'bearing_radius'", {}}};
    if (play.bearing_radius_m) surfaces.on_parent.radius_m = -*play.bearing_radius_m;
    return surfaces;
  }

  template <class Gap>
  void add_play(const ClearanceJointSpec& play, const PlacedJoint& joint, const std::string& path,
                std::unique_ptr<const Gap> gap, const Surfaces& surfaces) {
    if (play.law.friction > 0 && play.joint.type != "prismatic" && !play.journal_radius_m) {
      fail(path + ".contact.friction", "friction acts at the surface of the journal, and its radius is unknown",
           "add 'journal_radius: 10 mm'");
    }
    add_pair(play.joint.name, path, joint.child, joint.parent, std::move(gap), play.law,
             force_law_of(play.law, surfaces.on_child, surfaces.on_parent, path + ".contact"), play.clearance_m);
  }

  void add_joint_rows(const JointSpec& spec, int joint) {
    const std::string path = "joints." + spec.name;
    if (spec.dry_friction == 0 && !spec.stops) return;
    const JointType& type = *mechanism_->joints[static_cast<std::size_t>(joint)].type;
    if (type.motions.size() != 1 || type.u_count() != 1) {
      fail(path, fmt::format("a {} joint does not have one coordinate that could rub or stop", type.name),
           "use a revolute or a prismatic joint");
      return;
    }
    const Dimension dimension = joint_coordinate_dimension(spec.type, spec_.space, 0);
    if (spec.stops && spec_.space == Space::kSpatial && dimension == dimensions::kAngle &&
        !mechanism_->joints[static_cast<std::size_t>(joint)].is_edge()) {
      fail(path + ".stops",
           "in space a revolute joint that closes a loop or is a bushing does not count its turns, so it cannot stop",
           "list this joint earlier, so that another one closes the loop, or use 'model: ideal'");
      return;
    }
    if (spec.stops) {
      using Kind = MechanismContacts::JointRow::Kind;
      const auto add_stop = [&](const std::optional<double>& bound, Kind kind, const char* suffix) {
        if (!bound) return;
        ContactPoint point{spec.name, suffix, true, 0, {spec.stops->restitution, 0, 0, 0}, dimension, 0, {}};
        model_->joint_rows.push_back({kind, joint, model_->point_count(), *bound});
        model_->points_.push_back(std::move(point));
        path_of_point_.push_back(path + ".stops");
      };
      add_stop(spec.stops->lower, Kind::kLowerStop, "_lower");
      add_stop(spec.stops->upper, Kind::kUpperStop, "_upper");
    }
    if (spec.dry_friction > 0) {
      ContactPoint point{spec.name, "_friction", false, 1, {0, 0, 0, spec.dry_friction}, dimension, 0, {}};
      model_->joint_rows.push_back({MechanismContacts::JointRow::Kind::kFriction, joint, model_->point_count(), 0});
      model_->points_.push_back(std::move(point));
      path_of_point_.push_back(path + ".dry_friction");
    }
  }

  void check_initial_gaps() {
    const std::unique_ptr<Dynamics> dynamics = mechanism_->make_dynamics();
    const State state = mechanism_->initial_state();
    dynamics->set_position(state.t, state.q);
    const std::unique_ptr<ContactKinematics> kinematics = model_->make_kinematics(*dynamics);
    VecX g(model_->point_count());
    kinematics->update_gaps(g);
    for (int i = 0; i < model_->point_count(); ++i) {
      const ContactPoint& point = model_->points()[static_cast<std::size_t>(i)];
      if (!point.has_normal || !(g[i] < -kTouching_m)) continue;
      fail(path_of_point_[static_cast<std::size_t>(i)],
           fmt::format("'{}' penetrates by {:.6g} {} in the initial state", point.name(), -g[i],
                       point.gap_dimension == dimensions::kAngle ? "rad" : "m"),
           "give the bodies other `initial` values; a joint with play starts centred unless they say otherwise");
    }
  }

  std::shared_ptr<const Mechanism> mechanism_;
  const MechanismSpec& spec_;
  const ContactModelSpec& contacts_;
  std::shared_ptr<MechanismContacts> model_;
  std::vector<std::string> path_of_point_;
  std::vector<Diagnostic> diagnostics_;
};

std::shared_ptr<const MechanismContacts> MechanismContacts::build(const std::shared_ptr<const Mechanism>& mechanism,
                                                                  const MechanismSpec& spec,
                                                                  const ContactModelSpec& contacts) {
  return MechanismContactsBuilder(mechanism, spec, contacts).build();
}

}  // namespace freeplay::contact
