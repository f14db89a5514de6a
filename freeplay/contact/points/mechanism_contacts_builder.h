// The builder of MechanismContacts. Its parts: shapes and contacts by name (mechanism_contacts_builder.cpp), groups and
// what overlaps at the start (contact_groups_builder.cpp), joints with play, stops, flanks and wear
// (joint_contacts_builder.cpp).
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "freeplay/contact/play/joint_rows.h"
#include "freeplay/contact/play/play_table.h"
#include "freeplay/contact/play/worn_contacts.h"
#include "freeplay/contact/points/initial_gaps.h"
#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/core/error.h"

namespace freeplay::contact {

class MechanismContactsBuilder {
 public:
  MechanismContactsBuilder(const std::shared_ptr<const Mechanism>& mechanism, const MechanismSpec& spec,
                           const ContactModelSpec& contacts);

  std::shared_ptr<const MechanismContacts> build();

 private:
  void fail(std::string path, std::string message, std::string hint);
  void throw_if_failed() const;
  std::optional<BodyIndex> find_body(const std::string& name, const std::string& path);
  const ShapeSpec* find_shape(const std::string& body, const std::string& name, const std::string& path);

  // The impact part of a law, and the compliant one; a missing one is the integrator's business to refuse.
  struct Laws {
    PointLaw impact;
    std::optional<ForceLaw> force{};
  };
  Laws laws_of(const ContactLawSpec& law, const std::string& path);
  Laws laws_of(const ContactLawSpec& law, const ContactSurface& a, const ContactSurface& b, const std::string& path);

  MarkerIndex marker_of_shape(const ShapeSpec& shape, BodyIndex body);
  MarkerIndex marker_of_side(const ClearanceJointSpec& play, BodyIndex body) const;
  int placement_of(MarkerIndex marker);
  int surface_index(const ShapeSpec& shape, BodyIndex body);
  MarkerIndex marker_of_surface(int surface) const;
  int kind_of(const ShapeGeometry& geometry);
  ContactPoint point_of(const std::string& name, const Laws& laws, double clearance_m) const;

  template <class Gap>
  void add_pair(const std::string& name, const std::string& path, MarkerIndex a, MarkerIndex b,
                std::unique_ptr<const Gap> gap, const Laws& laws, double clearance_m = 0, bool is_cam = false);
  ShapeGeometry geometry_of(const ShapeSpec& shape) const;
  const Expression* driven_turn(const std::string& body) const;
  int turn_of(const ShapeSpec& shape, MarkerIndex marker);
  void add_contact(const ContactSpec& contact);
  void add_pair_of(const ContactSpec& contact, const std::string& path, BodyIndex a, BodyIndex b,
                   const ShapeSpec& shape_a, const ShapeSpec& shape_b);
  void check_names();
  void add_keys();

  void add_group(const ContactGroupSpec& spec);
  void add_group_laws(const ContactGroupSpec& spec, MechanismContacts::Group& group, const std::string& path);
  void check_materials(const ContactGroupSpec& spec, const MechanismContacts::Group& group, const std::string& path);
  void check_kinds(const MechanismContacts::Group& group, const std::string& path);
  bool can_touch(int a, int b, const std::string& path);
  void set_sizes();

  int joint_index(const std::string& name);
  void add_clearance_joints();
  void add_film(const ClearanceJointSpec& play, int joint);
  void add_worn(WornContact worn);

  template <class Gap>
  void add_play(const ClearanceJointSpec& play, const PlacedJoint& joint, int index, const std::string& path,
                Play<Gap> made);
  void add_flanks(const BacklashSpec& spec);
  void add_joint_rows(const JointSpec& spec);
  void add_joint_row(JointRowPoint made);
  void add_slipping_motion(const DriverSpec& spec);

  void check_initial_gaps();

  // Of a group there may be thousands: its deepest one, and how many there are.
  struct GroupOverlaps {
    InitialOverlap deepest;
    std::size_t count = 0;
    void add(const InitialOverlap& overlap) {
      if (++count == 1 || overlap.depth > deepest.depth) deepest = overlap;
    }
  };
  void fail_overlap(const std::string& group, const GroupOverlaps& overlaps);
  std::string name_of_surface(int surface) const;

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

template <class Gap>
void MechanismContactsBuilder::add_pair(const std::string& name, const std::string& path, MarkerIndex a, MarkerIndex b,
                                        std::unique_ptr<const Gap> gap, const Laws& laws, double clearance_m,
                                        bool is_cam) {
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

}  // namespace freeplay::contact
