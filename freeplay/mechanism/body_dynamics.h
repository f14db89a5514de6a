// The bodies and joints of a mechanism as contacts see them: where they are, and what a force between two of them does
// to the velocities. A system given as code need not have bodies; then its gaps are code too.
#pragma once

#include <array>

#include "freeplay/core/index.h"
#include "freeplay/math/frame.h"
#include "freeplay/mechanism/description/marker.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::mechanism {

// The motion of a marker as a velocity field: v(x) = v + w x (x - p), p the place of the marker.
struct MarkerVelocity {
  Vec3 v = Vec3::Zero(), w = Vec3::Zero();
};

// The motion of a marker at du/dt = 0, minus gravity, world axes.
struct MarkerBias {
  Vec3 acceleration = Vec3::Zero(), angular_acceleration = Vec3::Zero();
};

// A force along `direction` at point_a on marker a, and the opposite one at point_b on marker b. World axes. The points
// are carried along by their markers.
struct Interaction {
  Attachment a, b;
  Vec3 direction = Vec3::Zero();
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  int joint = -1;  // in whose play it acts: a is on its child, b on its parent; -1: none
};

// A flank of a coupling with play. Side 1 keeps the position of the coupling below half of the play, side -1 above
// minus half of it.
struct Flank {
  int coupling = 0;
  int side = 1;
};

// One of the coordinates of a joint, counted as its velocities are.
struct JointAxis {
  int joint = 0;
  int coordinate = 0;
};

// Forces that act between bodies and along joints beside those of the mechanism itself.
struct ContactForces {
  struct JointEffort {
    JointAxis along;
    double effort = 0;  // N m or N
  };
  std::vector<Interaction> between_bodies;  // `direction` is the force, N
  struct FlankForce {
    Flank flank;
    double force = 0;  // N or N m, > 0
  };
  std::vector<JointEffort> along_joints;  // of stops and dry friction
  std::vector<FlankForce> at_flanks;      // of couplings with play

  void reserve(std::size_t count) {
    between_bodies.reserve(count);
    along_joints.reserve(count);
    at_flanks.reserve(count);
  }
  void clear() {
    between_bodies.clear();
    along_joints.clear();
    at_flanks.clear();
  }
};

class BodyDynamics : public Dynamics {
 public:
  // At the position set, and its time.
  virtual double time() const = 0;
  virtual void placements(std::span<const MarkerIndex> markers, std::span<Frame> out) const = 0;
  // Columns 0 to 2 of W: the generalised forces of unit forces at the marker along the world's axes; 3 to 5: of unit
  // torques about them. Columns are overwritten.
  virtual void marker_columns(MarkerIndex marker, Eigen::Ref<MatX> W) const = 0;
  // The generalised force of a unit interaction, kept to the velocities of the two trees (or the one) that it acts on:
  // `column` gets the parts one below the other. A whole column would be nearly all zeros where there are many trees.
  virtual void interaction_parts(const Interaction& interaction, std::array<RowPart, 2>& parts, double* column) = 0;
  // A coordinate of a joint, a displacement or an angle, and the parts of the column of a unit effort along it.
  virtual double coordinate_of_joint(JointAxis axis) const = 0;
  virtual void joint_parts(JointAxis axis, std::array<RowPart, 2>& parts, double* column) const = 0;
  // The gap of a flank, m or rad (with a mesh along the line of action), and the parts of the column of a unit force
  // that opens it.
  virtual double flank_gap(const Flank& flank) const = 0;
  virtual void flank_parts(const Flank& flank, std::array<RowPart, 2>& parts, double* column) const = 0;

  // At the position and velocity set.
  virtual void velocities(std::span<const MarkerIndex> markers, std::span<MarkerVelocity> out) const = 0;
  virtual void biases(std::span<const MarkerIndex> markers, std::span<MarkerBias> out) const = 0;
  virtual double velocity_of_joint(JointAxis axis) const = 0;
  // Its rate at du/dt = 0.
  virtual double bias_of_joint(JointAxis axis) const = 0;
  virtual double flank_velocity(const Flank& flank) const = 0;
  virtual double flank_bias(const Flank& flank) const = 0;
  // Where the description asks for a force that is no number at the position and velocity set ("drivers.motor.torque");
  // empty if nothing does.
  virtual std::string undefined_effort() = 0;
  // A load beside those of the mechanism: counts in forces() and free_accelerations() until the next set_velocity().
  virtual void add_load(const Interaction& interaction, double force) = 0;
  // The same along a coordinate of a joint: N m or N.
  virtual void add_effort(JointAxis axis, double effort) = 0;
  virtual void add_flank_load(const Flank& flank, double force) = 0;

  // Forces that set_accelerations() is to count besides the loads and the bilateral rows. They stay until changed.
  void set_contact_forces(const ContactForces& forces) {
    clear_contact_forces();
    for (const Interaction& force : forces.between_bodies) add_contact_force(force, 1);
    for (const ContactForces::JointEffort& on : forces.along_joints) add_contact_effort(on.along, on.effort);
    for (const ContactForces::FlankForce& at : forces.at_flanks) add_contact_flank_force(at.flank, at.force);
  }
  virtual void clear_contact_forces() = 0;
  virtual void add_contact_force(const Interaction& interaction, double force) = 0;
  virtual void add_contact_effort(JointAxis axis, double effort) = 0;
  virtual void add_contact_flank_force(const Flank& flank, double force) = 0;

  // At the position and velocity set. What a joint with `model: bushing` carries: the force on the child along the axes
  // of the joint's frame on the parent, then the moments about them at the joint's point on the child.
  virtual std::array<double, 6> bushing_load(int joint) const = 0;
};

}  // namespace freeplay::mechanism
