// What can touch: contact points with their laws (ContactModel, frozen), and their kinematics at a state of the system
// (ContactKinematics, an evaluator bound to one Dynamics). Integrators and the recorder see only this header.
//
// A model may have far more pairs of surfaces than there are contacts. The kinematics keep a list of the points that
// exist now, ContactSet; all their functions count points by their places in that list.
//
// A contact point has a normal row (gap g_N, unilateral), friction rows (Coulomb; one in the plane, two in space), or
// both. Dry friction in a joint is a point with a friction row only, a stop one with a normal row only.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/contact/play/worn_contact.h"
#include "freeplay/contact/points/contact_set.h"
#include "freeplay/contact/points/untold_contacts.h"
#include "freeplay/contact/problem/row_store.h"
#include "freeplay/mechanism/body_dynamics.h"
#include "freeplay/mechanism/system.h"

namespace freeplay::contact {

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
  // Of that, what surfaces do by themselves, w~: those that turn against their bodies, and those that run as belts.
  double driven_normal = 0;
  Vec2 driven_tangential = Vec2::Zero();
  // Of that, the belts', which move no shape.
  Vec2 belt = Vec2::Zero();

  // How fast the one shape moves against the other.
  double shape_speed() const { return std::hypot(normal, (tangential - belt).norm()); }
};

class ContactKinematics {
 public:
  virtual ~ContactKinematics() = default;

  // ---- Which points there are
  const ContactSet& set() const { return set_; }
  // Whether there are points that the list may leave out. Where there are none, it is always the same.
  virtual bool has_far_points() const { return false; }
  // At the position set in the dynamics: the points that may be closed there. With a horizon, at the velocity set, also
  // those that may close if every surface moves on for that time at that velocity. Bounds of shapes decide, and are
  // never too small: a point that is left out is open. True if the list has changed.
  virtual bool find_points(double horizon_s) = 0;
  // The same, but only adds to the list, behind its end. True if there were any.
  virtual bool add_points(double horizon_s) = 0;
  // Every named point, be it near or far; and those of `pairs` alone (indices of named pairs, increasing).
  virtual void take_all_points() = 0;
  virtual void take_points_of(std::span<const int> pairs) = 0;

  // ---- Which contacts they have
  // Of pairs whose contacts come and go in their points (PlanarGap::follow): a point keeps the contact that it has in
  // `state`. Until the next call it also keeps what update_gaps() has put there since; so the points of a step are the
  // same at all positions that the step looks at.
  virtual void recall(const State&) {}
  // After update_gaps, with the memory of `state` in the order of the list (ContactSet::align): the contacts that the
  // points have now.
  virtual void remember(State&) const {}
  // After update_gaps: a point of a pair that has more closed contacts than points; -1: none.
  virtual int crowded_point() const { return -1; }

  // ---- What they do
  // At the position set in the dynamics. g: one entry per point of the list, -infinity for a point without normal row
  // (it is always closed).
  virtual void update_gaps(VecRef g) = 0;
  // After update_gaps: the rows of a point, normal first, behind those that `rows` has. Returns how many.
  virtual int add_rows(int point, RowStore& rows) = 0;
  // After update_gaps, at the velocity set: gamma_N of every point; 0 for a point without normal row.
  virtual void normal_velocities(VecRef gamma_N) = 0;
  // After update_gaps, at the velocity set: the same for one point, with its tangential velocity; after
  // update_velocities() at that velocity. For contacts with a force law.
  virtual void update_velocities() = 0;
  virtual PointVelocity velocity_of(int point) const = 0;
  // After update_gaps and update_velocities, at the velocity set: dgamma/dt of the rows of a point where du/dt = 0, in
  // the order of add_rows(), so that dgamma/dt = W^T du/dt + zeta. `zeta` has an entry per row. Tangents do not turn
  // about the normal. 0 for a point that has no contact (gap infinity); where surfaces do not say how the contact point
  // travels (concentric, or flat on flat), finite values as planar_rates.h and spatial_rates.h have them.
  virtual void row_bias(int point, std::span<double> zeta) const = 0;
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
  // the centre across the normal, behind those that `rows` has. Returns their number: 1 for a disc, 2 for a ball, 0 for
  // any other point.
  virtual int add_centre_rows(int, RowStore&) { return 0; }
  // Turns the normal of such a point, until the next update_gaps(): components along the normal that it had then, and
  // along the directions that add_centre_rows() gave; (1, 0, 0) turns it back.
  virtual void turn_normal(int, const Vec3&) {}
  // After update_gaps and update_velocities: adds the forces of lubricants in joints with play to the loads of the
  // dynamics, until the next set_velocity(). Returns the power that they take, W.
  virtual double add_film_loads() { return 0; }
  // The same forces to a list, for the reactions of joints.
  virtual void write_film_forces(ContactForces&) {}
  // After update_gaps: where on a surface of a worn contact, one of ContactModel::worn(), the point is: an angle in rad
  // or a way in m, by the surface's kind; 0 on one that is worn as a whole.
  virtual double wear_coordinate(int, const WornContact&, const WornSurface&) const { return 0; }
  // After update_gaps, at the velocity set: values of ContactModel::extra_channels().
  virtual void read_extra_channels(std::span<double> values) = 0;
  // Of a point without normal row, at the position and velocity set: the largest effort of its friction, as far as it
  // is known before reactions are.
  virtual double dry_effort(int point) const { return set_[point].law.dry_effort; }

  // ---- Pairs whose gap functions leave out what is far away (PlanarGap::reach_m)
  // After update_gaps, with its gaps: in such pairs a point without contact gets a gap that is finite, and no larger
  // than that of any contact which is not shown.
  virtual void fill_far_gaps(VecRef) const {}
  // After update_gaps and update_velocities, of such a point: how fast that gap may change, at most; none of others.
  virtual std::optional<double> far_speed(int) const { return {}; }
  // How fast any place of the one shape of a point's pair may move against the other shape, at most, near or far.
  virtual double greatest_speed(int) const { return 0; }
  // The same of all that the pair of a point does not show, whatever that point shows.
  virtual UntoldContacts untold_contacts(int) const { return {}; }

 protected:
  ContactSet set_;
};

class ContactModel {
 public:
  virtual ~ContactModel() = default;
  // The points that have names, and with them channels, in file order; the pair that each belongs to.
  const std::vector<ContactPoint>& points() const { return points_; }
  int point_count() const { return static_cast<int>(points_.size()); }
  ContactKey key_of(int point) const { return keys_[static_cast<std::size_t>(point)]; }
  // Of all pairs of a group, which have no names of their own: what a point of them is like. A group is one entry in
  // the table of impacts, behind the named points.
  const std::vector<ContactPoint>& groups() const { return groups_; }
  // Whether there can be such a point: keys that come from elsewhere, such as a file, need not be those of this model.
  virtual bool has_point(ContactKey key) const = 0;
  // The entry of a point: of a named one its index, of another one that of its group behind them.
  virtual int entry_of(ContactKey key) const = 0;
  // ContactPoint::size; of a group's point that of its own two parts.
  virtual double size_of(ContactKey, const ContactPoint& description) const { return description.size; }
  bool is_empty() const { return points_.empty() && groups_.empty(); }
  // Every description there is, of named points and of groups.
  std::vector<const ContactPoint*> descriptions() const;
  // Channels beside gap, impulses, forces and modes: "pin.eccentricity_x".
  const std::vector<ChannelDescription>& extra_channels() const { return extra_channels_; }
  // Joints with play that have a film of oil, which only integrators with force laws know.
  const std::vector<std::string>& lubricated() const { return lubricated_; }
  // Named contacts that wear.
  const std::vector<WornContact>& worn() const { return worn_; }
  // `dynamics` must belong to the system that the model was made for, and outlive the kinematics.
  virtual std::unique_ptr<ContactKinematics> make_kinematics(Dynamics& dynamics) const = 0;

 protected:
  std::vector<ContactPoint> points_;
  std::vector<ContactKey> keys_;  // per point, increasing
  std::vector<ContactPoint> groups_;
  std::vector<ChannelDescription> extra_channels_;
  std::vector<std::string> lubricated_;
  std::vector<WornContact> worn_;
};

// The model of a system in which nothing can touch.
const ContactModel& no_contacts();

}  // namespace freeplay::contact
