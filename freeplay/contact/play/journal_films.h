// The films of oil of a model at one position and velocity. Private to contact/points.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/contact/points/mechanism_contacts.h"
#include "freeplay/core/error.h"
#include "freeplay/mechanism/body_dynamics.h"

namespace freeplay::contact {

// The film that a joint with play says it has; nullopt with a diagnostic where it cannot have it.
std::optional<JournalFilm> make_journal_film(const ClearanceJointSpec& play, Space space,
                                             std::vector<Diagnostic>& diagnostics);

class JournalFilms {
 public:
  explicit JournalFilms(const MechanismContacts& model) : model_(model) {}

  bool are_there() const { return !model_.films.empty(); }
  // How the markers of the model stand and move. Both must outlive the call only.
  struct Motion {
    std::span<const Frame> frames;
    std::span<const MarkerVelocity> velocities;
  };
  // Returns the power that they take, W.
  double add_loads(const Motion& motion, BodyDynamics& dynamics) const;
  void write_forces(const Motion& motion, ContactForces& forces) const;
  // kChannels of each film, one after the other: eccentricity ratio, force on the child (world axes), torque on it,
  // power lost.
  static constexpr int kChannels = 5;
  void read_channels(const Motion& motion, std::span<double> values) const;
  static std::vector<ChannelDescription> channels_of(const std::string& joint);

 private:
  struct Acting {
    FilmForce by_components;
    Vec3 force_N = Vec3::Zero();
    double eccentricity_m = 0;
    // The force at the middle between both centres, and a couple of two forces on the journal's surface.
    Interaction main, couple_1, couple_2;
  };
  Acting acting(const MechanismContacts::Film& film, const Motion& motion) const;

  const MechanismContacts& model_;
};

}  // namespace freeplay::contact
