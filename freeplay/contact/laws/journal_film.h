// The film of oil between a journal and its bore: Reynolds' equation in closed form, for a bearing that is short along
// its axis (Ocvirk) or infinitely long (Sommerfeld), with pressures below that of the surroundings left out (Guembel,
// "half Sommerfeld"). Derived in docs/theory/lubrication.md, whose equation numbers are those given here.
#pragma once

#include "freeplay/core/layers.h"

namespace freeplay::contact {

struct JournalFilm {
  double viscosity_Pa_s = 0;
  double length_m = 0;     // of the bearing, along its axis
  double radius_m = 0;     // of the journal
  double clearance_m = 0;  // radial
  // Films do not get thinner: the coefficients stay what they are at this thickness, and within a penetration of the
  // same size the film hands over to the contact law.
  double roughness_m = 0;
  bool is_long = false;
};

// Of the journal against the bore, by components: outward, from the centre of the bore to that of the journal, and
// across, a quarter turn further. Where the centres meet any direction serves.
struct FilmMotion {
  double eccentricity_m = 0;
  double outward_m_s = 0, across_m_s = 0;       // velocity of the journal's centre minus that of the bore's
  double journal_rad_s = 0, bearing_rad_s = 0;  // how fast both turn, in the world's axes
};

// On the journal. The force acts in the middle between both centres, which gives each part its share of the moment of
// the pressure flow (eq. 16); the bore gets the opposite force there, and the opposite torque.
struct FilmForce {
  double outward_N = 0, across_N = 0;
  double torque_Nm = 0;  // of the shear between surfaces that turn at different speeds
  double loss_W = 0;     // never negative
};

FilmForce film_force(const JournalFilm& film, const FilmMotion& motion);

// What of the film is left at an eccentricity: 1 until the journal touches the bore, 0 from a penetration of
// roughness_m on.
double film_share(const JournalFilm& film, double eccentricity_m);

}  // namespace freeplay::contact
