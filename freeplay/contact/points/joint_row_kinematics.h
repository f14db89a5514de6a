// Rows that act on the coordinate of a joint (stops, dry friction, a motion that rubs) or between two of them (the
// flanks of a coupling with backlash), at the position and velocity of a dynamics.
#pragma once

#include <array>
#include <limits>

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay::contact {

class JointRowKinematics {
 public:
  using Row = MechanismContacts::JointRow;

  explicit JointRowKinematics(BodyDynamics& dynamics) : dynamics_(dynamics) {}

  // Friction has no gap: it is always closed.
  double gap(const Row& row) const {
    if (row.is_flank()) return dynamics_.flank_gap(row.flank);
    if (!row.is_stop()) return -std::numeric_limits<double>::infinity();
    return sign_of(row) * (dynamics_.coordinate_of_joint(row.axis()) - row.bound);
  }

  double normal_velocity(const Row& row) const {
    if (row.is_flank()) return dynamics_.flank_velocity(row.flank);
    return row.is_stop() ? sign_of(row) * dynamics_.velocity_of_joint(row.axis()) : 0;
  }

  PointVelocity velocity(const Row& row) const {
    PointVelocity gamma;
    gamma.normal = normal_velocity(row);
    if (!row.is_flank() && !row.is_stop())
      gamma.tangential[0] = dynamics_.velocity_of_joint(row.axis()) - row.motion_at(dynamics_.time()).rate;
    return gamma;
  }

  double bias(const Row& row) const {
    if (row.is_flank()) return dynamics_.flank_bias(row.flank);
    return sign_of(row) * dynamics_.bias_of_joint(row.axis()) - row.motion_at(dynamics_.time()).acceleration;
  }

  // What the friction of a joint on a bushing has beside ContactPoint::dry_effort, at the position and velocity set
  // last.
  double effort_by_bushing(const Row& row) const {
    if (!row.on_bushing) return 0;
    std::array<double, 6> load = dynamics_.bushing_load(row.joint);
    load[4] *= -1;  // a pair of forces along z, at both ends of a block along x, turns against y
    return row.on_bushing->limit(load);
  }

  void add_to(RowStore& rows, const Row& row) const {
    const int added = rows.add(-row.motion_at(dynamics_.time()).rate);
    if (row.is_flank()) {
      dynamics_.flank_parts(row.flank, rows.parts(added), rows.values(added));
      return;
    }
    dynamics_.joint_parts(row.axis(), rows.parts(added), rows.values(added));
    if (sign_of(row) > 0) return;
    for (int k = 0; k < rows.entries(added); ++k) rows.values(added)[k] *= -1;
  }

  void add_load(const Row& row, double normal_N, double tangential_N) const {
    if (row.is_flank())
      dynamics_.add_flank_load(row.flank, normal_N);
    else
      dynamics_.add_effort(row.axis(), tangential_N + sign_of(row) * normal_N);
  }

  static void write_force(const Row& row, double normal, double tangential, ContactForces& forces) {
    if (row.is_flank())
      forces.at_flanks.push_back({row.flank, normal});
    else
      forces.along_joints.push_back({row.axis(), tangential + sign_of(row) * normal});
  }

 private:
  static double sign_of(const Row& row) { return row.kind == Row::Kind::kUpperStop ? -1 : 1; }

  BodyDynamics& dynamics_;
};

}  // namespace freeplay::contact
