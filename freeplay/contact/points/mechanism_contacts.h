// The contacts of a mechanism: pairs of shapes, joints with play, stops and dry friction in joints.
#pragma once

#include <memory>
#include <vector>

#include "freeplay/contact/contact_spec.h"
#include "freeplay/contact/points/contact_model.h"
#include "freeplay/geometry/pairs/planar_gap.h"
#include "freeplay/geometry/pairs/spatial_gap.h"
#include "freeplay/mechanism/mechanism.h"

namespace freeplay::contact {

// Everything about contacts that a model file says beside the mechanism itself.
struct ContactModelSpec {
  std::vector<ShapeSpec> shapes;
  std::vector<ContactSpec> contacts;
  std::vector<ClearanceJointSpec> clearance_joints;

  bool empty() const { return contacts.empty() && clearance_joints.empty(); }
};

class MechanismContacts final : public ContactModel {
 public:
  // One pair of bodies with its gap function; its points stand one after the other in points().
  template <class Gap>
  struct Pair {
    BodyIndex a{}, b{};
    int placement_a = 0, placement_b = 0;  // into `bodies`
    int first_point = 0;
    std::unique_ptr<const Gap> gap;
    int turn_a = -1, turn_b = -1;  // into `turns`; -1: the shape is fixed to its body
    BoundingSphere bound_a{}, bound_b{};
  };
  // A shape that turns against its body as a function of time.
  struct Turn {
    int placement = 0;  // of its body
    Vec2 about = Vec2::Zero();
    Expression angle;
  };
  // A row along the coordinate of a joint: a stop or dry friction.
  struct JointRow {
    enum class Kind : std::uint8_t { kLowerStop, kUpperStop, kFriction } kind{};
    int joint = 0;
    int point = 0;
    double bound = 0;  // of a stop
  };
  // The centre of a joint's child side seen from its parent side.
  struct Eccentricity {
    int placement_child = 0, placement_parent = 0;
    Frame on_child, on_parent;
  };

  // Checks everything against the mechanism; a contact that penetrates in the initial state is an error with its size.
  // Throws ModelError.
  static std::shared_ptr<const MechanismContacts> build(const std::shared_ptr<const Mechanism>& mechanism,
                                                        const MechanismSpec& spec, const ContactModelSpec& contacts);

  bool has_compact_rows() const override { return joint_rows.empty(); }
  std::unique_ptr<ContactKinematics> make_kinematics(Dynamics& dynamics) const override;

  // Read-only to everyone: the object is handed out as a pointer to const.
  Space space = Space::kPlanar;
  std::vector<Pair<PlanarGap>> planar_pairs;    // in a planar model,
  std::vector<Pair<SpatialGap>> spatial_pairs;  // in a spatial one
  // Many pairs in space: those whose bounding spheres are far apart have the gap of these, a lower bound.
  bool skips_far_pairs = false;
  std::vector<Turn> turns;
  std::vector<JointRow> joint_rows;
  std::vector<Eccentricity> eccentricities;
  std::vector<BodyIndex> bodies;  // that carry shapes

 private:
  friend class MechanismContactsBuilder;
  MechanismContacts() = default;
};

}  // namespace freeplay::contact
