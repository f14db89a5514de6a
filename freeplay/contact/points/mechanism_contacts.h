// The contacts of a mechanism: pairs of shapes, groups of shapes that may all touch each other, joints with play, stops
// and dry friction in joints.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/contact/laws/journal_film.h"
#include "freeplay/contact/laws/load_friction.h"
#include "freeplay/contact/points/contact_model.h"
#include "freeplay/geometry/pairs/planar_gap.h"
#include "freeplay/geometry/pairs/spatial_gap.h"
#include "freeplay/geometry/shapes/shape_bound.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::contact {

// Everything about contacts that a model says beside the mechanism itself.
struct ContactModelSpec {
  std::vector<ShapeSpec> shapes;
  std::vector<ContactSpec> contacts;
  std::vector<ClearanceJointSpec> clearance_joints;
  std::vector<ContactGroupSpec> groups{};
  double initial_overlap_m = 0;  // depth that is allowed in the initial state, beyond rounding
  std::vector<JointLawSpec> joint_laws{};
  std::vector<BacklashSpec> backlashes{};

  bool empty() const { return contacts.empty() && clearance_joints.empty() && groups.empty() && backlashes.empty(); }
};

class MechanismContacts final : public ContactModel {
 public:
  // A shape that contacts name: where it is, and what bounds it.
  struct Surface {
    BodyIndex body{};
    int placement = 0;  // into `markers`
    Bound bound;
    ShapeGeometry geometry;
    int kind = 0;                 // surfaces of one kind have the same geometry
    int group = -1;               // that it is a member of
    std::vector<int> partner_of;  // groups that name it under `against`
    bool turns = false;           // against its body, as a function of time
    double part_radius_m = 0;     // part_radius.h; 0: none
    int belt = -1;                // into `belts`; -1: its surface does not run along itself
    int material = -1;            // ContactGroupSpec::Member::material
  };
  // One pair of bodies with its gap function; its points stand one after the other in points(). Its key is its index.
  template <class Gap>
  struct Pair {
    int placement_a = 0, placement_b = 0;  // into `markers`
    int first_point = 0;
    std::unique_ptr<const Gap> gap;
    int turn_a = -1, turn_b = -1;        // into `turns`; -1: the shape is fixed to its body
    int surface_a = -1, surface_b = -1;  // -1: nothing bounds the pair, it is always looked at
    int joint = -1;                      // of the mechanism, whose play it is
  };
  // Its members may touch each other and the surfaces of `against`. The key of a pair follows from its surfaces.
  struct Group {
    std::vector<int> members, against;
    int first_law = 0;                                 // into groups(): the law of all its pairs, or the first one of
    std::vector<std::pair<int, int>> material_laws{};  // the laws by materials, the larger number first
  };
  // A shape that turns against its body as a function of time.
  struct Turn {
    int placement = 0;  // into `markers`
    Vec2 about = Vec2::Zero();
    Expression angle;
  };
  // A row along the coordinate of a joint: a stop, dry friction, or a motion that slips rather than to exceed its
  // limit; or at a flank of a coupling. Its key counts on behind the pairs.
  struct JointRow {
    enum class Kind : std::uint8_t { kLowerStop, kUpperStop, kFriction, kMotion, kFlank } kind{};
    int joint = 0;
    int point = 0;
    double bound = 0;     // of a stop
    Expression motion{};  // of a motion, whose rate is that of the surface on which the joint rubs
    Flank flank{};        // kFlank; it has no joint
    int coordinate = 0;   // of the joint
    // Friction by what a bushing carries: in the place of rows it names entries of BodyDynamics::bushing_load().
    std::optional<LoadFriction> on_bushing{};

    JointAxis axis() const { return {joint, coordinate}; }
    bool is_stop() const { return kind == Kind::kLowerStop || kind == Kind::kUpperStop; }
    bool is_flank() const { return kind == Kind::kFlank; }
    TimeJet motion_at(double t) const { return kind == Kind::kMotion ? motion.evaluate_jet({&t, 1}) : TimeJet{}; }
  };
  // The centre of a joint's child side seen from its parent side.
  struct Eccentricity {
    int placement_child = 0, placement_parent = 0;
    Frame on_child, on_parent;
  };

  // Oil in the play of a joint.
  struct Film {
    int joint = 0;  // of the mechanism
    int sides = 0;  // into `eccentricities`
    JournalFilm law;
  };

  // Checks everything against the mechanism; a contact that overlaps in the initial state by more than is
  // allowed is an error with its size.
  // Throws ModelError.
  static std::shared_ptr<const MechanismContacts> build(const std::shared_ptr<const Mechanism>& mechanism,
                                                        const MechanismSpec& spec, const ContactModelSpec& contacts);

  int entry_of(ContactKey key) const override;
  bool has_point(ContactKey key) const override;
  double size_of(ContactKey key, const ContactPoint& description) const override;
  // The group that lets two surfaces touch: one is its member, the other a member or a partner; -1 if there is none.
  int group_of(int a, int b) const;
  // The description of what two surfaces of one group do, an index into groups().
  int law_of(int a, int b) const;
  std::unique_ptr<ContactKinematics> make_kinematics(Dynamics& dynamics) const override;

  // Named pairs, planar or spatial; what bounds one of them.
  int pair_count() const {
    return static_cast<int>(space == Space::kPlanar ? planar_pairs.size() : spatial_pairs.size());
  }
  std::pair<int, int> surfaces_of(int pair) const;
  // The radius of the smaller part of two surfaces; 0 if neither has one.
  double smaller_part_m(int a, int b) const;
  // The key of a pair of a group: a is the surface with the larger index.
  static std::uint64_t key_of_surfaces(int a, int b) {
    return ContactKey::kUnnamed | (static_cast<std::uint64_t>(a) << 31) | static_cast<std::uint64_t>(b);
  }
  static std::pair<int, int> surfaces_of_key(std::uint64_t key) {
    constexpr std::uint64_t kMask = (std::uint64_t{1} << 31) - 1;
    return {static_cast<int>((key >> 31) & kMask), static_cast<int>(key & kMask)};
  }

  // Read-only to everyone: the object is handed out as a pointer to const.
  Space space = Space::kPlanar;
  std::vector<Pair<PlanarGap>> planar_pairs;    // in a planar model,
  std::vector<Pair<SpatialGap>> spatial_pairs;  // in a spatial one
  std::vector<Surface> surfaces;
  std::vector<Group> surface_groups;  // each with one entry of groups(), or one for every two materials
  std::vector<Turn> turns;
  std::vector<std::vector<Expression>> belts;  // ShapeSpec::surface_velocity
  std::vector<JointRow> joint_rows;
  std::vector<Eccentricity> eccentricities;
  std::vector<Film> films;
  bool follows_contacts = false;     // there are pairs whose contacts come and go in their points (PlanarGap::follow)
  std::vector<MarkerIndex> markers;  // that carry shapes and sides of joints with play

 private:
  friend class MechanismContactsBuilder;
  MechanismContacts() = default;
};

}  // namespace freeplay::contact
