#include "freeplay/integrators/smooth/compliant_contacts.h"

#include <algorithm>
#include <limits>

namespace freeplay::integrators {

namespace {

// Damping divides by the speed of approach. A guard for contacts that begin at rest; impacts are far above it.
constexpr double kSlowestOnset_m_s = 1e-4;
constexpr double kRounding_m = 1e-13;  // of a gap, at positions of a metre and with some to spare

// Against the sliding, which in the plane runs along the first tangent.
Vec2 sliding_force(const SlidingForceLaw& law, double normal_N, const Vec2& velocity_m_s) {
  if (velocity_m_s[1] == 0) return {law.force(normal_N, velocity_m_s[0]), 0};
  const double speed = velocity_m_s.norm();
  return law.force(normal_N, speed) / speed * velocity_m_s;
}

}  // namespace

CompliantContacts::CompliantContacts(const ContactModel& model)
    : model_(model),
      has_films_(!model.lubricated().empty()),
      gaps_(VecX::Zero(model.point_count())),
      onset_(model.points().size()),
      has_let_go_(model.points().size(), 0),
      force_(model.points().size()) {
  touching_.reserve(model.points().size());
}

void CompliantContacts::set_touching(const State& state) {
  touching_.clear();
  for (std::size_t i = 0; i < force_.size(); ++i) {
    force_[i] = {};
    const ContactMemory& memory = state.contacts[i];
    if (!memory.is_touching) continue;
    touching_.push_back(static_cast<int>(i));
    onset_[i] = {memory.onset_speed_m_s, memory.onset_mass_kg};
    has_let_go_[i] = memory.has_let_go;
  }
}

bool CompliantContacts::are_those_of(const State& state) const {
  std::size_t known = 0;
  for (std::size_t i = 0; i < force_.size(); ++i) {
    const ContactMemory& memory = state.contacts[i];
    if (!memory.is_touching) continue;
    if (known == touching_.size() || touching_[known++] != static_cast<int>(i)) return false;
    if (onset_[i].speed_m_s != memory.onset_speed_m_s || onset_[i].mass_kg != memory.onset_mass_kg ||
        (has_let_go_[i] != 0) != memory.has_let_go)
      return false;
  }
  return known == touching_.size();
}

CompliantContacts::Losses CompliantContacts::add_loads(ContactKinematics& kinematics) {
  Losses losses;
  kinematics.update_gaps(gaps_);
  kinematics.fill_far_gaps(gaps_);
  if (touching_.empty() && !has_films_) return losses;
  kinematics.update_velocities();
  if (has_films_) losses.film_W = kinematics.add_film_loads();
  for (const int point : touching_) {
    const std::size_t i = static_cast<std::size_t>(point);
    const double depth_m = -gaps_[point];
    PointForce& force = force_[i];
    force = {};
    if (!(depth_m > 0)) continue;
    if (!model_.points()[i].has_normal) {
      add_friction_of_joint(kinematics, point);
      losses.friction_W += force.friction_W;
      continue;
    }
    const ForceLaw& of = law(point);
    const PointVelocity gamma = kinematics.velocity_of(point);
    const double rate_m_s = -gamma.normal;
    force.velocity = gamma;
    force.normal_N = of.normal.force(depth_m, rate_m_s, onset_[i]);
    force.tangential_N = sliding_force(of.sliding, force.normal_N, gamma.tangential);
    // What the normal force takes beyond its elastic part, if that is still there.
    const bool stores = !has_let_go_[i];
    force.elastic_J = stores ? of.normal.elastic_energy(depth_m) : 0;
    force.damping_W = (force.normal_N - (stores ? of.normal.elastic_force(depth_m) : 0)) * rate_m_s;
    force.friction_W = -force.tangential_N.dot(gamma.tangential);
    losses.damping_W += force.damping_W;
    losses.friction_W += force.friction_W;
    losses.input_W -= force.normal_N * gamma.driven_normal + force.tangential_N.dot(gamma.driven_tangential);
    if (model_.points()[i].has_place) force.in_world_N = kinematics.in_world(point, force.normal_N, force.tangential_N);
    kinematics.add_load(point, force.normal_N, force.tangential_N);
  }
  return losses;
}

// Of a joint: Coulomb's law on the largest effort, with the jump at rest made a ramp.
void CompliantContacts::add_friction_of_joint(ContactKinematics& kinematics, int point) {
  PointForce& force = force_[static_cast<std::size_t>(point)];
  const ContactPoint& description = model_.points()[static_cast<std::size_t>(point)];
  force.velocity = kinematics.velocity_of(point);
  if (description.rubs_by_load()) return;  // its load is not known yet
  set_friction_of_joint(point, kinematics.dry_effort(point));
  kinematics.add_load(point, 0, force.tangential_N);
}

double CompliantContacts::set_friction_of_joint(int point, double limit) {
  PointForce& force = force_[static_cast<std::size_t>(point)];
  force.tangential_N[0] = law(point).sliding.force(limit, force.velocity.tangential[0]);
  force.friction_W = -force.tangential_N[0] * force.velocity.tangential[0];
  return force.tangential_N[0];
}

void CompliantContacts::write_forces(ContactKinematics& kinematics, ContactForces& forces) const {
  if (has_films_) kinematics.write_film_forces(forces);
  for (const int point : touching_) {
    const PointForce& force = force_[static_cast<std::size_t>(point)];
    kinematics.write_force(point, force.normal_N, force.tangential_N, forces);
  }
}

void CompliantContacts::remember_step(State& state, double size_s) const {
  for (std::size_t i = 0; i < force_.size(); ++i) {
    ContactMemory& memory = state.contacts[i];
    memory.has_just_ended = false;
    // Trapezoids: exact forces at both ends of a step that the error control has made short.
    memory.normal_impulse = 0.5 * size_s * (memory.normal_force + force_[i].normal_N);
    memory.tangential_impulse = 0.5 * size_s * (memory.tangential_force + force_[i].tangential_N);
    memory.impulse = 0.5 * size_s * (memory.force + force_[i].in_world_N);
    memory.contact_impulse += memory.normal_impulse;
    memory.contact_tangential_impulse += memory.tangential_impulse;
    memory.step_impact_loss = 0.5 * size_s * (memory.damping_power + force_[i].damping_W);
    memory.step_friction_loss = 0.5 * size_s * (memory.friction_power + force_[i].friction_W);
    memory.impact_loss += memory.step_impact_loss;
    memory.friction_loss += memory.step_friction_loss;
    memory.contact_loss += memory.step_impact_loss + memory.step_friction_loss;
  }
  for (const int point : touching_) {
    const std::size_t i = static_cast<std::size_t>(point);
    state.contacts[i].normal_velocity_after = force_[i].velocity.normal;
    state.contacts[i].tangential_velocity_after = force_[i].velocity.tangential;
  }
  remember_forces(state);
}

void CompliantContacts::remember_forces(State& state) const {
  for (std::size_t i = 0; i < force_.size(); ++i) {
    ContactMemory& memory = state.contacts[i];
    memory.normal_force = force_[i].normal_N;
    memory.tangential_force = force_[i].tangential_N;
    memory.force = force_[i].in_world_N;
    memory.elastic_energy = force_[i].elastic_J;
    memory.damping_power = force_[i].damping_W;
    memory.friction_power = force_[i].friction_W;
  }
}

bool CompliantContacts::let_go(const ContactKinematics& kinematics, State& state) const {
  bool has_changed = false;
  for (const int point : touching_) {
    const std::size_t i = static_cast<std::size_t>(point);
    ContactMemory& memory = state.contacts[i];
    const bool pulls = gaps_[point] < 0 && force_[i].normal_N == 0 && kinematics.velocity_of(point).normal > 0;
    if (!pulls || memory.has_let_go) continue;
    state.account.impact_loss += force_[i].elastic_J;
    memory.impact_loss += force_[i].elastic_J;
    memory.contact_loss += force_[i].elastic_J;
    memory.elastic_energy = 0;
    memory.has_let_go = has_changed = true;
  }
  return has_changed;
}

bool CompliantContacts::end_contacts(const ContactKinematics& kinematics, State& state) const {
  bool has_ended = false;
  for (const int point : touching_) {
    ContactMemory& memory = state.contacts[static_cast<std::size_t>(point)];
    if (gaps_[point] <= 0) continue;
    memory.is_touching = memory.has_let_go = false;
    memory.has_just_ended = has_ended = true;
    memory.mode = ContactMode::kOpen;
    const PointVelocity gamma = kinematics.velocity_of(point);
    memory.normal_velocity_after = gamma.normal;
    memory.tangential_velocity_after = gamma.tangential;
  }
  return has_ended;
}

void CompliantContacts::begin_contact(const ContactKinematics& kinematics, int point, double effective_mass_kg,
                                      State& state) const {
  ContactMemory& memory = state.contacts[static_cast<std::size_t>(point)];
  const PointVelocity gamma = kinematics.velocity_of(point);
  memory.is_touching = true;
  memory.mode = ContactMode::kSlip;
  memory.onset_time_s = state.t;
  memory.onset_speed_m_s = std::max(-gamma.normal, kSlowestOnset_m_s);
  memory.onset_mass_kg = effective_mass_kg;
  memory.normal_velocity_before = gamma.normal;
  memory.tangential_velocity_before = gamma.tangential;
  memory.contact_impulse = memory.contact_loss = 0;
  memory.contact_tangential_impulse.setZero();
}

// Balls that touch at rest approach by rounding only, contact after contact. Such a contact gets no deeper than the
// rounding of its gap and bounds no step: the speed that damping divides by would promise an impact.
double CompliantContacts::expected_time(int point, const ContactMemory& memory) const {
  if (!model_.points()[static_cast<std::size_t>(point)].has_normal) return std::numeric_limits<double>::infinity();
  const NormalForceLaw& normal = law(point).normal;
  const double speed_m_s = std::max(-memory.normal_velocity_before, 0.0);
  if (!(normal.expected_depth({speed_m_s, memory.onset_mass_kg}) > kRounding_m)) {
    return std::numeric_limits<double>::infinity();
  }
  return normal.expected_time({memory.onset_speed_m_s, memory.onset_mass_kg});
}

}  // namespace freeplay::integrators
