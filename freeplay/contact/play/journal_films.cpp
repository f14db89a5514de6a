#include "freeplay/contact/play/journal_films.h"

namespace freeplay::contact {

namespace {

Vec3 velocity_of_place(const MarkerVelocity& marker, const Frame& at, const Vec3& place) {
  return marker.v + marker.w.cross(place - at.p);
}

}  // namespace

std::optional<JournalFilm> make_journal_film(const ClearanceJointSpec& play, Space space,
                                             std::vector<Diagnostic>& diagnostics) {
  const auto refuse = [&](const char* message, const char* hint) {
    diagnostics.push_back({{}, "joints." + play.joint.name + ".lubricant", message, hint, {}});
    return std::optional<JournalFilm>();
  };
  if (space != Space::kPlanar || play.joint.type != "revolute")
    return refuse("only planar revolute joints with play have a lubricant", "delete it");
  if (!play.journal_radius_m)
    return refuse("the film has the radius of the journal, which is not given", "add 'journal_radius: 10 mm'");
  constexpr double kRoughnessOfClearance = 0.01;
  const LubricantSpec& oil = *play.lubricant;
  const JournalFilm law{oil.viscosity_Pa_s,
                        oil.length_m,
                        *play.journal_radius_m,
                        play.clearance_m,
                        oil.roughness_m.value_or(kRoughnessOfClearance * play.clearance_m),
                        oil.bearing == LubricantSpec::Bearing::kLong};
  if (law.viscosity_Pa_s > 0 && law.length_m > 0 && law.roughness_m > 0 && law.roughness_m < law.clearance_m)
    return law;
  return refuse("viscosity and length must be positive, and the roughness smaller than the clearance",
                "write 'lubricant: {viscosity: 40 mPa s, length: 20 mm}'");
}

JournalFilms::Acting JournalFilms::acting(const MechanismContacts::Film& film, const Motion& motion) const {
  const MechanismContacts::Eccentricity& sides = model_.eccentricities[static_cast<std::size_t>(film.sides)];
  const std::size_t child = static_cast<std::size_t>(sides.placement_child),
                    parent = static_cast<std::size_t>(sides.placement_parent);
  const Vec3 journal = motion.frames[child].point(sides.on_child.p),
             bore = motion.frames[parent].point(sides.on_parent.p);
  const Vec3 e = journal - bore;
  const double eccentricity = e.norm();
  const Vec3 outward = eccentricity > 0 ? Vec3(e / eccentricity) : Vec3(Vec3::UnitX());
  const Vec3 across(-outward.y(), outward.x(), 0);
  const Vec3 rate = velocity_of_place(motion.velocities[child], motion.frames[child], journal) -
                    velocity_of_place(motion.velocities[parent], motion.frames[parent], bore);
  Acting is;
  is.eccentricity_m = eccentricity;
  is.by_components = film_force(film.law, {eccentricity, outward.dot(rate), across.dot(rate),
                                           motion.velocities[child].w.z(), motion.velocities[parent].w.z()});
  is.force_N = is.by_components.outward_N * outward + is.by_components.across_N * across;
  const MarkerIndex a = model_.markers[child], b = model_.markers[parent];
  const Vec3 middle = (journal + bore) / 2;
  is.main = {a, b, is.force_N, middle, middle, film.joint};
  // A torque is two forces: interactions between bodies know no other load.
  const Vec3 arm = film.law.radius_m * outward, force = is.by_components.torque_Nm / (2 * film.law.radius_m) * across;
  is.couple_1 = {a, b, force, middle + arm, middle + arm, film.joint};
  is.couple_2 = {a, b, -force, middle - arm, middle - arm, film.joint};
  return is;
}

double JournalFilms::add_loads(const Motion& motion, BodyDynamics& dynamics) const {
  double loss_W = 0;
  for (const MechanismContacts::Film& film : model_.films) {
    const Acting is = acting(film, motion);
    dynamics.add_load(is.main, 1);
    dynamics.add_load(is.couple_1, 1);
    dynamics.add_load(is.couple_2, 1);
    loss_W += is.by_components.loss_W;
  }
  return loss_W;
}

void JournalFilms::write_forces(const Motion& motion, ContactForces& forces) const {
  for (const MechanismContacts::Film& film : model_.films) {
    const Acting is = acting(film, motion);
    for (const Interaction& force : {is.main, is.couple_1, is.couple_2}) forces.between_bodies.push_back(force);
  }
}

std::vector<ChannelDescription> JournalFilms::channels_of(const std::string& joint) {
  return {{joint + ".eccentricity_ratio", dimensions::kNone},
          {joint + ".film_force_x", dimensions::kForce},
          {joint + ".film_force_y", dimensions::kForce},
          {joint + ".film_torque", dimensions::kTorque},
          {joint + ".film_power", dimensions::kPower}};
}

void JournalFilms::read_channels(const Motion& motion, std::span<double> values) const {
  std::size_t next = 0;
  for (const MechanismContacts::Film& film : model_.films) {
    const Acting is = acting(film, motion);
    values[next++] = is.eccentricity_m / film.law.clearance_m;
    values[next++] = is.force_N.x();
    values[next++] = is.force_N.y();
    values[next++] = is.by_components.torque_Nm;
    values[next++] = is.by_components.loss_W;
  }
}

}  // namespace freeplay::contact
