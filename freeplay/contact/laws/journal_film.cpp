#include "freeplay/contact/laws/journal_film.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace freeplay::contact {

namespace {

// Integrals over the half of the circumference that carries, of weight(theta) times cos^2, sin cos, sin^2.
struct ArcIntegrals {
  double cos_cos = 0, sin_cos = 0, sin_sin = 0;
  ArcIntegrals operator-(const ArcIntegrals& other) const {
    return {cos_cos - other.cos_cos, sin_cos - other.sin_cos, sin_sin - other.sin_sin};
  }
};

// I1, eq. (8): the integral of 1 / (1 - eps cos theta) from 0, in a form that goes on through all turns.
double reciprocal_integral(double eps, double theta) {
  const double root = std::sqrt(1 - eps * eps), b = eps / (1 + root);
  return (theta + 2 * std::atan2(b * std::sin(theta), 1 - b * std::cos(theta))) / root;
}

// Eq. (9): weight 1/D^3, D = 1 - eps cos theta. No term is divided by eps, so that a centred journal needs no case of
// its own, as it would with the integrals in the tables of Booker (1965).
ArcIntegrals short_integrals(double eps, double theta) {
  const double c = std::cos(theta), s = std::sin(theta), D = 1 - eps * c, rest = 1 - eps * eps;
  ArcIntegrals at;
  at.sin_cos = -c * c / (2 * D * D);
  at.sin_sin = (s * (eps - c) / (D * D) + reciprocal_integral(eps, theta)) / (2 * rest);
  at.cos_cos = (s * (c + eps) / (D * D) + (1 + 2 * eps * eps) * at.sin_sin) / rest;
  return at;
}

// Eq. (13): weight (1 + D)/D^2.
ArcIntegrals long_integrals(double eps, double theta) {
  const double c = std::cos(theta), s = std::sin(theta), D = 1 - eps * c;
  const double I1 = reciprocal_integral(eps, theta);
  return {(I1 + eps * s / D) / (1 - eps * eps) + s * c / D, -c * c / D, I1 - s * c / D};
}

}  // namespace

double film_share(const JournalFilm& film, double eccentricity_m) {
  const double depth_m = eccentricity_m - film.clearance_m;
  if (!(depth_m > 0)) return 1;
  return film.roughness_m > 0 ? std::max(0.0, 1 - depth_m / film.roughness_m) : 0;
}

FilmForce film_force(const JournalFilm& film, const FilmMotion& motion) {
  const double share = film_share(film, motion.eccentricity_m);
  if (share == 0) return {};
  const double c = film.clearance_m, R = film.radius_m, L = film.length_m;
  const double eps = std::min(motion.eccentricity_m / c, 1 - film.roughness_m / c);
  // Eq. (3): V(theta) = -A cos theta + B sin theta.
  const double A = motion.outward_m_s;
  const double mean_rad_s = (motion.journal_rad_s + motion.bearing_rad_s) / 2;
  const double B = motion.eccentricity_m * mean_rad_s - motion.across_m_s;
  // The pressure is positive where A cos theta - B_p sin theta is: eqs (6) and (12).
  const double B_p = film.is_long ? 2 * B / (2 + eps * eps) : B;
  const double beta = std::atan2(B_p, A);
  constexpr double kQuarter = std::numbers::pi / 2;
  const auto integrals = film.is_long ? &long_integrals : &short_integrals;
  const ArcIntegrals J = integrals(eps, kQuarter - beta) - integrals(eps, -kQuarter - beta);
  const double scale = film.viscosity_Pa_s * R * L / (c * c * c) * (film.is_long ? 6 * R * R : L * L);

  FilmForce force;
  force.outward_N = -share * scale * (A * J.cos_cos - B_p * J.sin_cos);
  force.across_N = -share * scale * (A * J.sin_cos - B_p * J.sin_sin);
  // Eq. (15): the whole circumference shears oil, also where the film has torn.
  const double slip_rad_s = motion.journal_rad_s - motion.bearing_rad_s;
  const double shear_Nms = 2 * std::numbers::pi * film.viscosity_Pa_s * R * R * R * L / (c * std::sqrt(1 - eps * eps));
  force.torque_Nm = -share * shear_Nms * slip_rad_s;
  force.loss_W = force.across_N * B - force.outward_N * A - force.torque_Nm * slip_rad_s;  // eq. (17)
  return force;
}

}  // namespace freeplay::contact
