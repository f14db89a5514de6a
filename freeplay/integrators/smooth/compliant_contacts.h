// Contacts with a force law under a smooth integrator: their forces at a state, and when they begin and end.
//
// Whether a point touches is part of the state and changes only at the end of an accepted step. While it does not, it
// exerts no force, whatever its gap: only then does a contact that is noticed late show what that costs
// (elastic_energy(delta_0) of energy from nowhere).
#pragma once

#include <memory>
#include <vector>

#include "freeplay/contact/points/contact_model.h"

namespace freeplay::integrators {

class CompliantContacts {
 public:
  explicit CompliantContacts(const ContactModel& model);

  int point_count() const { return model_.point_count(); }
  // Which points touch from here on, and how their contacts began.
  void set_touching(const State& state);
  // Whether set_touching() would change nothing.
  bool are_those_of(const State& state) const;
  const std::vector<int>& touching() const { return touching_; }

  struct Losses {
    double damping_W = 0, friction_W = 0;
    double film_W = 0;   // by lubricants, at all points
    double input_W = 0;  // put in by surfaces that move by themselves
  };
  // The forces at the position and velocity set in the dynamics of `kinematics`, handed to it as loads. They stay
  // readable until the next call.
  Losses add_loads(ContactKinematics& kinematics);
  // After add_loads(), which leaves out the friction of joints by load: that of such a point for the largest effort
  // that it can have. The effort, for the one who knows the load to add it to the forces.
  double set_friction_of_joint(int point, double limit);
  // What it takes.
  double friction_power(int point) const { return force_[static_cast<std::size_t>(point)].friction_W; }
  // The forces of the last add_loads() as a list.
  void write_forces(ContactKinematics& kinematics, ContactForces& forces) const;
  // Gaps of all points at the last add_loads().
  const VecX& gaps() const { return gaps_; }
  bool are_open() const { return (gaps_.array() > 0).all(); }
  // Impulses of a step of this size that ended at the last add_loads(), then the forces there.
  void remember_step(State& state, double size_s) const;
  void remember_forces(State& state) const;
  // Contacts that have let go since: a law that would pull is cut off, and the elastic energy that is left will never
  // come back. It is booked as lost at once; the integral of its decay would be as wrong as the long steps that follow.
  // True if there are any.
  bool let_go(const ContactKinematics& kinematics, State& state) const;
  // Contacts of `state` whose gap at the last add_loads() is open again end. True if there are any.
  bool end_contacts(const ContactKinematics& kinematics, State& state) const;
  // A contact begins; `kinematics` stands at the state, after update_velocities().
  void begin_contact(const ContactKinematics& kinematics, int point, double effective_mass_kg, State& state) const;
  // How long contacts that begin will take, at the least: the time in which the integrator must expect something new.
  double expected_time(int point, const ContactMemory& memory) const;

 private:
  struct PointForce {
    double normal_N = 0, elastic_J = 0;
    Vec2 tangential_N = Vec2::Zero();
    Vec3 in_world_N = Vec3::Zero();        // in space
    double damping_W = 0, friction_W = 0;  // lost
    PointVelocity velocity;
  };
  void add_friction_of_joint(ContactKinematics& kinematics, int point);
  const ForceLaw& law(int point) const { return *model_.points()[static_cast<std::size_t>(point)].force_law; }

  const ContactModel& model_;
  bool has_films_;
  VecX gaps_;
  std::vector<int> touching_;
  std::vector<ContactOnset> onset_;  // per point
  std::vector<char> has_let_go_;     // per point
  std::vector<PointForce> force_;    // per point; zero where nothing touches
};

}  // namespace freeplay::integrators
