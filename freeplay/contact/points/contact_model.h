// What can touch: contact points with their laws (ContactModel, frozen), and their kinematics at a state of the system
// (ContactKinematics, an evaluator bound to one Dynamics). Integrators and the recorder see only this header.
//
// A contact point has a normal row (gap g_N, unilateral), friction rows (Coulomb; one in the plane, two in space), or
// both. Dry friction in a joint is a point with a friction row only, a stop one with a normal row only.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/contact/laws/force_law.h"
#include "freeplay/mechanism/body_dynamics.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::contact {

// The set-valued laws of a point as numbers: Newton's impact law and Coulomb's friction.
struct PointLaw {
  double restitution = 0;             // e_N
  double tangential_restitution = 0;  // e_T
  double friction = 0;                // mu
  double dry_effort = 0;              // a point without normal row: largest friction effort, N or N m
};

struct ContactPoint {
  std::string contact;  // "guide"
  std::string suffix;   // "_1", or "" for a single point: the channel is contact + ".gap" + suffix
  bool has_normal = true;
  int tangents = 1;  // directions in which it can slide: 1 in the plane, 2 in space, none for a stop
  PointLaw law;
  Dimension gap_dimension = dimensions::kLength;  // an angle for the stops of a revolute joint
  double clearance_m = 0;                         // of a joint with play
  std::optional<ForceLaw> force_law{};            // for smooth integrators, where the contact has one
  bool has_place = false;                         // a point of two surfaces: where it is, and its normal, can be told

  std::string name() const { return contact + suffix; }
  // A contact without friction has tangents, but no friction rows in the problem.
  bool has_friction() const { return tangents > 0 && (!has_normal || law.friction > 0); }
  int friction_rows() const { return has_friction() ? tangents : 0; }
  int rows() const { return (has_normal ? 1 : 0) + friction_rows(); }
  static constexpr int kMostRows = 3;
};

// Rows of a list of points: for each point its normal row, then its friction rows, as far as it has them.
//
// Whole: a column of W has an entry for every velocity. Compact, for systems of many trees: it has those of the two
// trees that the row acts on, one below the other.
struct ContactRows {
  MatX W;        // a column per row
  VecX w_tilde;  // explicit time derivative of the gap and of the tangential displacement
  bool is_compact = false;
  std::vector<std::array<RowPart, 2>> parts;  // per row, where compact

  void resize(int velocities, int rows);
  void resize_compact(int largest_tree, int rows);
  // W^T u of a row, and sum += factor times a row of `columns`, which has the form of W.
  double dot(int row, const ConstVecRef& u) const { return is_compact ? compact_dot(row, u) : W.col(row).dot(u); }
  void add(int row, double factor, const MatX& columns, VecRef sum) const {
    if (is_compact)
      compact_add(row, factor, columns, sum);
    else
      sum += factor * columns.col(row);
  }

 private:
  double compact_dot(int row, const ConstVecRef& u) const;
  void compact_add(int row, double factor, const MatX& columns, VecRef sum) const;
};

// Where a contact point is: on the surface of the first partner, and the direction of the normal force on that partner.
// World axes; not a number while the surfaces have no such point (a feature that two solids do not show each other).
struct PointPlace {
  Vec3 point_m = Vec3::Zero();
  Vec3 normal = Vec3::Zero();
};

// Velocity of a contact point: gamma_N < 0 where it closes, gamma_T along the tangents (in the plane the second is 0).
struct PointVelocity {
  double normal = 0;
  Vec2 tangential = Vec2::Zero();
};

class ContactKinematics {
 public:
  virtual ~ContactKinematics() = default;
  // At the position set in the dynamics. g: one entry per point, -infinity for a point without normal row (it is
  // always closed).
  virtual void update_gaps(VecRef g) = 0;
  // After update_gaps: rows of `points`, written behind `first` columns of W. Returns the number of rows written.
  virtual int update_rows(std::span<const int> points, ContactRows& rows, int first) = 0;
  // After update_gaps, at the velocity set: gamma_N of every point; 0 for a point without normal row.
  virtual void normal_velocities(VecRef gamma_N) = 0;
  // After update_gaps, at the velocity set: the same for one point, with its tangential velocity; after
  // update_velocities() at that velocity. For contacts with a force law.
  virtual void update_velocities() = 0;
  virtual PointVelocity velocity_of(int point) const = 0;
  // Adds a force on a point to the loads of the dynamics, until the next set_velocity().
  virtual void add_load(int point, double normal_N, const Vec2& tangential_N) = 0;
  // After update_gaps: adds a force on a point (N) to a list, for the reactions of joints.
  virtual void write_force(int point, double normal, const Vec2& tangential, ContactForces& forces) const = 0;
  // After update_gaps: a force or an impulse on the first partner, from its components to world axes.
  virtual Vec3 in_world(int point, double normal, const Vec2& tangential) const = 0;
  // After update_gaps, for a point that has a place.
  virtual PointPlace place_of(int) const { return {}; }
  // After update_gaps: whether there is a point for settle_normals().
  virtual bool has_undefined_normals() const { return false; }
  // After update_gaps and update_velocities: a point whose gap function knows no direction, since the parts are
  // concentric, takes the one in which they move apart.
  virtual void settle_normals() {}
  // After update_gaps, for a point in round play (a sleeve on its rod, a ball in its socket): rows of the velocity of
  // the centre across the normal, written behind `first` columns. Returns their number: 1 for a disc, 2 for a ball, 0
  // for any other point.
  virtual int update_centre_rows(int, ContactRows&, int) { return 0; }
  // Turns the normal of such a point, until the next update_gaps(): components along the normal that it had then, and
  // along the directions that update_centre_rows() gave; (1, 0, 0) turns it back.
  virtual void turn_normal(int, const Vec3&) {}
  // After update_gaps: values of ContactModel::extra_channels().
  virtual void read_extra_channels(std::span<double> values) = 0;
};

class ContactModel {
 public:
  virtual ~ContactModel() = default;
  const std::vector<ContactPoint>& points() const { return points_; }
  int point_count() const { return static_cast<int>(points_.size()); }
  int row_count() const;
  // Channels beside gap, impulses, forces and modes: "pin.eccentricity_x".
  const std::vector<ChannelDescription>& extra_channels() const { return extra_channels_; }
  // Whether update_rows() can write compact rows.
  virtual bool has_compact_rows() const { return false; }
  // `dynamics` must belong to the system that the model was made for, and outlive the kinematics.
  virtual std::unique_ptr<ContactKinematics> make_kinematics(Dynamics& dynamics) const = 0;

 protected:
  std::vector<ContactPoint> points_;
  std::vector<ChannelDescription> extra_channels_;
};

// The model of a system in which nothing can touch.
const ContactModel& no_contacts();

}  // namespace freeplay::contact
