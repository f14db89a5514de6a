// Contacts of joints and couplings: play, films of oil, stops, dry friction, flanks, and what wears.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "freeplay/contact/carried/carried_shapes.h"
#include "freeplay/contact/carried/part_radius.h"
#include "freeplay/contact/play/joint_rows.h"
#include "freeplay/contact/play/journal_films.h"
#include "freeplay/contact/play/play_table.h"
#include "freeplay/contact/play/start_with_play.h"
#include "freeplay/contact/play/worn_contacts.h"
#include "freeplay/contact/points/initial_gaps.h"
#include "freeplay/contact/points/mechanism_contacts_builder.h"
#include "freeplay/geometry/shapes/cam_checks.h"

namespace freeplay::contact {

MarkerIndex MechanismContactsBuilder::marker_of_side(const ClearanceJointSpec& play, BodyIndex body) const {
  return carrying_marker(*mechanism_, spec_, body, "joints." + play.joint.name).value_or(marker_of(body));
}

// The angle of a body that a driver turns about a place on the ground; nullptr if there is none.
const Expression* MechanismContactsBuilder::driven_turn(const std::string& body) const {
  for (const DriverSpec& driver : spec_.drivers) {
    if (!driver.motion) continue;
    for (const JointSpec& joint : spec_.joints) {
      if (joint.name == driver.joint && joint.type == "revolute" && joint.child == body && joint.parent == "ground")
        return &*driver.motion;
    }
  }
  return nullptr;
}

// The turn of a shape, each shape once per contact. A drop of the lift opens the gap only if it is passed forwards.
int MechanismContactsBuilder::turn_of(const ShapeSpec& shape, MarkerIndex marker) {
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
int MechanismContactsBuilder::joint_index(const std::string& name) {
  const auto& joints = mechanism_->joints;
  const auto is_it = [&](const Mechanism::Joint& joint) { return joint.name == name; };
  const auto found = std::find_if(joints.begin(), joints.end(), is_it);
  if (found != joints.end()) return static_cast<int>(found - joints.begin());
  fail("joints." + name, "the mechanism does not have this joint",
       "build the mechanism by build_mechanism_with_play()");
  return -1;
}

template <class Gap>
void MechanismContactsBuilder::add_play(const ClearanceJointSpec& play, const PlacedJoint& joint, int index,
                                        const std::string& path, Play<Gap> made) {
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

// The mechanism has the frames of joints with play.
void MechanismContactsBuilder::add_clearance_joints() {
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

void MechanismContactsBuilder::add_film(const ClearanceJointSpec& play, int joint) {
  const std::optional<JournalFilm> law = make_journal_film(play, spec_.space, diagnostics_);
  if (!law) return;
  model_->films.push_back({joint, static_cast<int>(model_->eccentricities.size()) - 1, *law});
  model_->lubricated_.push_back(play.joint.name);
}

// Behind add_pair().
void MechanismContactsBuilder::add_worn(WornContact worn) {
  worn.first_point = model_->point_count() - worn.point_count;
  model_->worn_.push_back(std::move(worn));
}

// A force law of contacts is one of lengths.
void MechanismContactsBuilder::add_flanks(const BacklashSpec& spec) {
  const std::string path = "couplings." + spec.coupling + ".contact";
  const auto& couplings = mechanism_->couplings;
  const auto found = std::find_if(couplings.begin(), couplings.end(),
                                  [&](const Mechanism::Coupling& coupling) { return coupling.name == spec.coupling; });
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

void MechanismContactsBuilder::add_joint_rows(const JointSpec& spec) {
  const auto is_its_own = [&](const JointLawSpec& law) { return law.joint == spec.name; };
  const auto found = std::find_if(contacts_.joint_laws.begin(), contacts_.joint_laws.end(), is_its_own);
  const JointLawSpec* law = found == contacts_.joint_laws.end() ? nullptr : &*found;
  const bool has_second = spec.second_dry_friction > 0 || spec.second_stops.has_value();
  if (spec.dry_friction == 0 && !spec.stops && !has_second && (law == nullptr || !law->friction)) return;
  const int index = joint_index(spec.name);
  if (index < 0) return;
  for (JointRowPoint& made : make_joint_rows(*mechanism_, spec, law, index, diagnostics_))
    add_joint_row(std::move(made));
}

void MechanismContactsBuilder::add_joint_row(JointRowPoint made) {
  made.row.point = model_->point_count();
  model_->joint_rows.push_back(std::move(made.row));
  model_->points_.push_back(std::move(made.point));
  path_of_point_.push_back(std::move(made.path));
}

void MechanismContactsBuilder::add_slipping_motion(const DriverSpec& spec) {
  const int index = spec.motion && spec.limit ? joint_index(spec.joint) : -1;
  if (index < 0) return;
  const Mechanism::Joint& joint = mechanism_->joints[static_cast<std::size_t>(index)];
  add_joint_row(make_slipping_motion(spec, index, joint_coordinate_dimension(joint.type->name, mechanism_->space, 0)));
}

}  // namespace freeplay::contact
