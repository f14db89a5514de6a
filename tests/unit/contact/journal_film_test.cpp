// The film of oil: closed forms against pressures that are integrated numerically, Sommerfeld numbers of loaded
// bearings, and the balance of power.
#include "freeplay/contact/laws/journal_film.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace freeplay::test::journal_film_test {
namespace {

constexpr double kPi = std::numbers::pi;

// The roughness is so small that it limits nothing here.
JournalFilm film(bool is_long) {
  return {.viscosity_Pa_s = 0.05,
          .length_m = 0.01,
          .radius_m = 0.012,
          .clearance_m = 1e-4,
          .roughness_m = 1e-9,
          .is_long = is_long};
}

struct Velocities {
  double A = 0, B = 0;  // V(theta) = -A cos theta + B sin theta
};

Velocities velocities_of(const FilmMotion& motion) {
  return {motion.outward_m_s,
          motion.eccentricity_m * (motion.journal_rad_s + motion.bearing_rad_s) / 2 - motion.across_m_s};
}

struct Components {
  double outward = 0, across = 0;
};

// Reynolds' equation without the circumferential gradient: p = -6 mu V/h^3 (L^2/4 - z^2), where it is positive.
Components short_by_pressures(const JournalFilm& oil, const FilmMotion& motion) {
  constexpr int kAround = 4000, kAlong = 400;
  const Velocities v = velocities_of(motion);
  Components force;
  for (int i = 0; i < kAround; ++i) {
    const double theta = 2 * kPi * (i + 0.5) / kAround;
    const double h = oil.clearance_m - motion.eccentricity_m * std::cos(theta);
    const double V = -v.A * std::cos(theta) + v.B * std::sin(theta);
    for (int k = 0; k < kAlong; ++k) {
      const double z = oil.length_m * ((k + 0.5) / kAlong - 0.5);
      const double p = -6 * oil.viscosity_Pa_s * V / (h * h * h) * (oil.length_m * oil.length_m / 4 - z * z);
      if (p <= 0) continue;
      const double area = oil.radius_m * 2 * kPi / kAround * oil.length_m / kAlong;
      force.outward -= p * std::cos(theta) * area;
      force.across -= p * std::sin(theta) * area;
    }
  }
  return force;
}

// Without the axial gradient: h^3 dp/dtheta = 12 mu R^2 (K + integral of V), K so that the pressure closes around the
// circumference. Its level is that of a film which ends half a turn from where it begins.
std::vector<double> long_pressures(const JournalFilm& oil, const FilmMotion& motion, int around) {
  const Velocities v = velocities_of(motion);
  const auto h3 = [&](double theta) { return std::pow(oil.clearance_m - motion.eccentricity_m * std::cos(theta), 3); };
  const auto flow = [&](double theta) { return -v.A * std::sin(theta) - v.B * std::cos(theta); };
  const double step = 2 * kPi / around;
  double of_flow = 0, of_one = 0;
  for (int i = 0; i < around; ++i) {
    const double theta = step * (i + 0.5);
    of_flow += flow(theta) / h3(theta);
    of_one += 1 / h3(theta);
  }
  const double K = -of_flow / of_one;
  std::vector<double> p(static_cast<std::size_t>(around));
  double sum = 0;
  for (int i = 0; i < around; ++i) {
    p[static_cast<std::size_t>(i)] = sum;  // at step * i
    sum += 12 * oil.viscosity_Pa_s * oil.radius_m * oil.radius_m * step * (flow(step * (i + 0.5)) + K) /
           h3(step * (i + 0.5));
  }
  // Where p(theta) = p(theta + half a turn) that value is the surroundings'.
  const int half = around / 2;
  const auto difference = [&](int i) {
    return p[static_cast<std::size_t>(i)] - p[static_cast<std::size_t>((i + half) % around)];
  };
  int crossing = 0;
  while (crossing < half && difference(crossing) * difference(crossing + 1) > 0) ++crossing;
  const double share = difference(crossing) / (difference(crossing) - difference(crossing + 1));
  const double level = p[static_cast<std::size_t>(crossing)] +
                       share * (p[static_cast<std::size_t>(crossing + 1)] - p[static_cast<std::size_t>(crossing)]);
  for (double& pressure : p) pressure -= level;
  return p;
}

Components long_by_pressures(const JournalFilm& oil, const FilmMotion& motion) {
  constexpr int kAround = 200000;
  const std::vector<double> pressures = long_pressures(oil, motion, kAround);
  Components force;
  for (int i = 0; i < kAround; ++i) {
    const double theta = 2 * kPi * i / kAround, p = std::max(pressures[static_cast<std::size_t>(i)], 0.0);
    const double area = oil.radius_m * 2 * kPi / kAround * oil.length_m;
    force.outward -= p * std::cos(theta) * area;
    force.across -= p * std::sin(theta) * area;
  }
  return force;
}

std::vector<FilmMotion> motions(const JournalFilm& oil) {
  std::vector<FilmMotion> list;
  for (const double eps : {0.05, 0.4, 0.8}) {
    for (const double direction : {0.0, 0.7, 1.6, 2.5, 3.1, -0.4, -1.9, -2.8}) {
      const double speed = 3e-3, e = eps * oil.clearance_m;
      list.push_back({e, speed * std::cos(direction), speed * std::sin(direction), 70, -20});
    }
  }
  return list;
}

TEST(JournalFilm, ForcesOfTheShortBearingAreThoseOfItsPressures) {
  const JournalFilm oil = film(false);
  for (const FilmMotion& motion : motions(oil)) {
    const FilmForce force = film_force(oil, motion);
    const Components expected = short_by_pressures(oil, motion);
    const double size = std::hypot(expected.outward, expected.across);
    // Both rules are exact to the square of their steps: 400 strips along the axis leave 1/400^2/2 of it.
    EXPECT_NEAR(force.outward_N, expected.outward, 1e-5 * size) << motion.eccentricity_m << ' ' << motion.outward_m_s;
    EXPECT_NEAR(force.across_N, expected.across, 1e-5 * size) << motion.eccentricity_m << ' ' << motion.outward_m_s;
  }
}

TEST(JournalFilm, ForcesOfTheLongBearingAreThoseOfItsPressures) {
  const JournalFilm oil = film(true);
  for (const FilmMotion& motion : motions(oil)) {
    const FilmForce force = film_force(oil, motion);
    const Components expected = long_by_pressures(oil, motion);
    const double size = std::hypot(expected.outward, expected.across);
    EXPECT_NEAR(force.outward_N, expected.outward, 1e-4 * size) << motion.eccentricity_m << ' ' << motion.outward_m_s;
    EXPECT_NEAR(force.across_N, expected.across, 1e-4 * size) << motion.eccentricity_m << ' ' << motion.outward_m_s;
  }
}

// A steady journal: S = mu N D L/W (R/c)^2, N in turns per second.
double sommerfeld_number(const JournalFilm& oil, double eps, double rad_s) {
  const FilmForce force = film_force(oil, {eps * oil.clearance_m, 0, 0, rad_s, 0});
  const double W = std::hypot(force.outward_N, force.across_N), ratio = oil.radius_m / oil.clearance_m;
  return oil.viscosity_Pa_s * rad_s / (2 * kPi) * 2 * oil.radius_m * oil.length_m / W * ratio * ratio;
}
double attitude_deg(const JournalFilm& oil, double eps) {
  const FilmForce force = film_force(oil, {eps * oil.clearance_m, 0, 0, 100, 0});
  return std::atan2(force.across_N, -force.outward_N) * 180 / kPi;
}

// Ocvirk: S (L/D)^2 = (1 - eps^2)^2 / (pi eps sqrt(pi^2 (1 - eps^2) + 16 eps^2)),
// tan(attitude) = pi sqrt(1 - eps^2) / (4 eps); numbers by hand from these.
TEST(JournalFilm, ALoadedShortBearingHasOcvirksNumbers) {
  const JournalFilm oil = film(false);
  const double ratio = oil.length_m / (2 * oil.radius_m);
  struct Row {
    double eps, number, attitude;
  };
  for (const Row& row : {Row{0.1, 0.98998, 82.708}, Row{0.3, 0.27218, 68.178}, Row{0.5, 0.10605, 53.680},
                         Row{0.7, 0.032964, 38.704}, Row{0.9, 0.0033149, 20.826}}) {
    EXPECT_NEAR(sommerfeld_number(oil, row.eps, 100) * ratio * ratio, row.number, 3e-5 * row.number) << row.eps;
    EXPECT_NEAR(attitude_deg(oil, row.eps), row.attitude, 1e-3) << row.eps;
  }
}

// Half Sommerfeld: S = (2 + eps^2)(1 - eps^2) / (6 pi eps sqrt(pi^2 (1 - eps^2) + 4 eps^2)),
// tan(attitude) = pi sqrt(1 - eps^2) / (2 eps).
TEST(JournalFilm, ALoadedLongBearingHasSommerfeldsNumbers) {
  const JournalFilm oil = film(true);
  for (const double eps : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const double rest = 1 - eps * eps;
    const double expected = (2 + eps * eps) * rest / (6 * kPi * eps * std::sqrt(kPi * kPi * rest + 4 * eps * eps));
    EXPECT_NEAR(sommerfeld_number(oil, eps, 100), expected, 1e-12 * expected) << eps;
    EXPECT_NEAR(attitude_deg(oil, eps), std::atan(kPi * std::sqrt(rest) / (2 * eps)) * 180 / kPi, 1e-9) << eps;
  }
  EXPECT_NEAR(sommerfeld_number(oil, 0.5, 100), 0.06177, 1e-5);  // 2.25 0.75/(3 pi sqrt(7.402 + 1))
  EXPECT_NEAR(attitude_deg(oil, 0.5), 69.82, 0.01);
}

// A journal that whirls at half the speed of the shaft and keeps its distance meets no resistance at all.
TEST(JournalFilm, AWhirlAtTheMeanSpeedIsCarriedByNoPressure) {
  for (const bool is_long : {false, true}) {
    const JournalFilm oil = film(is_long);
    const double e = 0.6 * oil.clearance_m;
    const FilmForce force = film_force(oil, {e, 0, 50 * e, 100, 0});
    EXPECT_EQ(force.outward_N, 0);
    EXPECT_EQ(force.across_N, 0);
    EXPECT_LT(force.torque_Nm, 0);
  }
}

// Only the motion of the parts against each other counts: a frame that turns makes no force.
TEST(JournalFilm, ABearingThatTurnsAsAWholeMakesNoForce) {
  for (const bool is_long : {false, true}) {
    const JournalFilm oil = film(is_long);
    const double e = 0.6 * oil.clearance_m;
    const FilmForce force = film_force(oil, {e, 0, 30 * e, 30, 30});
    EXPECT_NEAR(force.outward_N, 0, 1e-12);
    EXPECT_NEAR(force.across_N, 0, 1e-12);
    EXPECT_EQ(force.torque_Nm, 0);
  }
}

// Forces at the middle between the centres: P = F.(v_j - v_b) - e F_t (w_j + w_b)/2 + T (w_j - w_b).
TEST(JournalFilm, TakesThePowerThatItsForcesDoAndNeverGivesAny) {
  for (const bool is_long : {false, true}) {
    JournalFilm oil = film(is_long);
    oil.roughness_m = 1e-6;
    for (double e = 0; e < 1.02 * oil.clearance_m; e += 0.02 * oil.clearance_m) {
      for (int i = 0; i < 60; ++i) {
        const double direction = 2 * kPi * i / 60;
        const FilmMotion motion{e, std::cos(direction), std::sin(direction), 4e3 * std::sin(3.0 * i), -50};
        const FilmForce force = film_force(oil, motion);
        const double power = force.outward_N * motion.outward_m_s + force.across_N * motion.across_m_s -
                             e * force.across_N * (motion.journal_rad_s + motion.bearing_rad_s) / 2 +
                             force.torque_Nm * (motion.journal_rad_s - motion.bearing_rad_s);
        EXPECT_NEAR(force.loss_W, -power, 1e-12 * std::abs(power) + 1e-9);
        EXPECT_GE(force.loss_W, 0);
      }
    }
  }
}

// Petroff: a journal in the middle, 2 pi mu R^3 L w/c.
TEST(JournalFilm, TheTorqueOfACentredJournalIsPetroffs) {
  const JournalFilm oil = film(false);
  const FilmForce force = film_force(oil, {0, 0, 0, 100, 0});
  EXPECT_NEAR(force.torque_Nm, -2 * kPi * 0.05 * std::pow(0.012, 3) * 0.01 * 100 / 1e-4, 1e-15);
  EXPECT_EQ(force.outward_N, 0);
}

TEST(JournalFilm, ForcesAreContinuousWhereTheContactTakesOver) {
  for (const bool is_long : {false, true}) {
    JournalFilm oil = film(is_long);
    oil.roughness_m = 1e-6;
    const auto at = [&](double e) { return film_force(oil, {e, 2e-3, 1e-3, 100, 0}); };
    const double c = oil.clearance_m, thinnest = c - oil.roughness_m, tiny = 1e-14;
    for (const double e : {thinnest, c, c + oil.roughness_m}) {
      const FilmForce before = at(e - tiny), after = at(e + tiny);
      EXPECT_NEAR(before.outward_N, after.outward_N, 1e-6 * std::abs(at(thinnest).outward_N)) << e;
      EXPECT_NEAR(before.across_N, after.across_N, 1e-6 * std::abs(at(thinnest).outward_N)) << e;
      EXPECT_NEAR(before.torque_Nm, after.torque_Nm, 1e-6 * std::abs(at(thinnest).torque_Nm)) << e;
    }
    EXPECT_EQ(at(c + 1.1e-6).outward_N, 0);
    EXPECT_EQ(film_share(oil, c), 1);
    EXPECT_NEAR(film_share(oil, c + 0.5e-6), 0.5, 1e-9);
  }
}

}  // namespace
}  // namespace freeplay::test::journal_film_test
