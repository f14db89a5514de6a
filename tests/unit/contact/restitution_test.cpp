// The restitution that force laws deliver: closed form and integration of an impact against the reference table.
#include "freeplay/contact/laws/restitution_damping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "freeplay/contact/laws/cylinder_laws.h"
#include "freeplay/contact/laws/force_law.h"
#include "unit/contact/reference_table.h"

namespace freeplay::test {
namespace {

std::string column_of(std::string law) {
  std::replace(law.begin(), law.end(), '-', '_');
  return law == "exact_restitution" ? "exact" : law;
}

// A mass that hits the law at `onset.speed_m_s` and flies off again: Runge-Kutta of order 4, started exactly at
// contact. No closed form is used.
double rebound(const NormalForceLaw& law, const ContactOnset& onset) {
  struct Motion {
    double delta, rate;
  };
  const auto slope = [&](const Motion& at) {
    return Motion{at.rate, -law.force(at.delta, at.rate, onset) / onset.mass_kg};
  };
  const auto moved = [](const Motion& from, const Motion& rate, double h) {
    return Motion{from.delta + h * rate.delta, from.rate + h * rate.rate};
  };
  const double h = law.expected_time(onset) / 20000;
  Motion now{0, onset.speed_m_s};
  for (int i = 0; i < 2000000 && !(now.delta < 0); ++i) {
    const Motion k1 = slope(now), k2 = slope(moved(now, k1, h / 2)), k3 = slope(moved(now, k2, h / 2)),
                 k4 = slope(moved(now, k3, h));
    now.delta += h / 6 * (k1.delta + 2 * k2.delta + 2 * k3.delta + k4.delta);
    now.rate += h / 6 * (k1.rate + 2 * k2.rate + 2 * k3.rate + k4.rate);
  }
  EXPECT_LT(now.delta, 0) << "the mass never came back";
  return -now.rate / onset.speed_m_s;
}

const ContactOnset kOnset{1.7, 0.4};

TEST(DampingFactor, IsThatOfTheReferenceTable) {
  const ReferenceTable table = read_reference_table("damping_factor.csv");
  int compared = 0;
  for (const ForceLawEntry& law : force_law_registry()) {
    if (law.elastic != ForceLawEntry::Elastic::kPower) continue;
    const std::size_t column = table.column(column_of(std::string(law.name)));
    for (const std::vector<double>& row : table.rows) {
      EXPECT_NEAR(law.damping_factor(row[0]), row[column], 1e-11 * (1 + row[column])) << law.name << " " << row[0];
      ++compared;
    }
  }
  EXPECT_EQ(compared, 10 * 12);
}

TEST(DeliveredRestitution, OfEveryLawIsThatOfTheReferenceTable) {
  const ReferenceTable table = read_reference_table("restitution_table.csv");
  for (const ForceLawEntry& law : force_law_registry()) {
    if (law.elastic != ForceLawEntry::Elastic::kPower) continue;
    const std::size_t column = table.column(column_of(std::string(law.name)));
    for (const std::vector<double>& row : table.rows) {
      const double a = law.damping_factor(row[0]);
      EXPECT_NEAR(delivered_restitution(a), row[column], 1e-9) << law.name << " " << row[0];
    }
  }
}

TEST(DeliveredRestitution, OfAnIntegratedImpactIsThatOfTheReferenceTable) {
  const ReferenceTable table = read_reference_table("restitution_table.csv");
  for (const ForceLawEntry& law : force_law_registry()) {
    if (law.elastic != ForceLawEntry::Elastic::kPower) continue;
    const std::size_t column = table.column(column_of(std::string(law.name)));
    for (const std::vector<double>& row : table.rows) {
      const NormalForceLaw normal(3e8, 1.5, law.damping_factor(row[0]));
      EXPECT_NEAR(rebound(normal, kOnset), row[column], 1e-6) << law.name << " " << row[0];
    }
  }
}

// The closed form holds for any elastic part.
TEST(DeliveredRestitution, DoesNotDependOnTheElasticLaw) {
  const double a = 0.75 * (1 - 0.5 * 0.5), expected = delivered_restitution(a);
  EXPECT_NEAR(rebound(NormalForceLaw(1e6, 1, a), kOnset), expected, 1e-6);
  EXPECT_NEAR(rebound(NormalForceLaw(1e9, 2.25, a), kOnset), expected, 1e-6);
  const CylinderPair pair{1.137e11, 9.5e-3, -10e-3, 15e-3};
  for (const ElasticLaw& law : {johnson_law(pair), radzimovsky_law(pair), dubowsky_freudenstein_law(pair)}) {
    EXPECT_NEAR(rebound(NormalForceLaw(law, a), kOnset), expected, 1e-6);
    EXPECT_NEAR(rebound(NormalForceLaw(law, a), {900, 0.4}), expected, 1e-6) << "on the tangent beyond its range";
  }
}

TEST(DeliveredRestitution, SolvesItsRelationForEveryFactor) {
  EXPECT_EQ(delivered_restitution(0), 1);
  // a -> 0: e = 1 - 2a/3 + O(a^2)
  EXPECT_NEAR(delivered_restitution(1e-9), 1 - 2e-9 / 3, 1e-15);
  for (double a = 1e-6; a < 20; a *= 1.3) {
    const double e = delivered_restitution(a);
    EXPECT_GT(e, 0);
    EXPECT_LT(e, 1);
    EXPECT_NEAR(a * (1 + e), std::log1p(a) - std::log1p(-a * e), 1e-8 * a) << a;
  }
  EXPECT_NEAR(delivered_restitution(1e6), 1e-6, 1e-20) << "a e -> 1: the force of the damper nearly holds it";
}

TEST(DeliveredRestitution, OfTheExactLawIsTheNominalOne) {
  for (double c = 1e-3; c < 1; c += 1e-3) EXPECT_NEAR(delivered_restitution(exact_damping_factor(c)), c, 1e-14) << c;
  EXPECT_EQ(exact_damping_factor(1), 0);
  EXPECT_NEAR(exact_damping_factor(1 - 1e-10), 1.5e-10, 1e-16);
}

TEST(KelvinVoigt, DeliversMoreWithoutTension) {
  const ReferenceTable table = read_reference_table("restitution_table.csv");
  const std::size_t column = table.column("kelvin_voigt_no_tension");
  for (const std::vector<double>& row : table.rows) {
    const double zeta = kelvin_voigt_ratio(row[0]);
    EXPECT_NEAR(kelvin_voigt_restitution(zeta), row[column], 1e-9) << row[0];
    const NormalForceLaw law = NormalForceLaw::kelvin_voigt_by_ratio(2e6, zeta);
    EXPECT_NEAR(law.delivered_restitution(kOnset), row[column], 1e-9);
    EXPECT_NEAR(rebound(law, kOnset), row[column], 1e-6) << row[0];
  }
}

TEST(KelvinVoigt, OverdampedContactStillReturnsALittle) {
  for (const double zeta : {0.999999, 1.0, 1.000001, 1.5, 4.0}) {
    const double D = 2 * zeta * std::sqrt(2e6 * kOnset.mass_kg);
    const NormalForceLaw law = NormalForceLaw::kelvin_voigt(2e6, D);
    EXPECT_NEAR(law.delivered_restitution(kOnset), rebound(law, kOnset), 1e-6) << zeta;
  }
  EXPECT_EQ(kelvin_voigt_ratio(0), 1) << "the limit of c -> 0 is critical damping";
  EXPECT_NEAR(kelvin_voigt_restitution(1), std::exp(-2), 1e-15);
}

TEST(KelvinVoigt, DampingOfTheRestitutionIsThatOfTheSpecification) {
  const double K = 2e6, c = 0.6, m = kOnset.mass_kg, ln_c = std::log(c), pi = std::acos(-1.0);
  const double D = -2 * ln_c * std::sqrt(K * m / (pi * pi + ln_c * ln_c));
  const NormalForceLaw law = NormalForceLaw::kelvin_voigt_by_ratio(K, kelvin_voigt_ratio(c));
  EXPECT_NEAR(law.force(1e-4, 0.3, kOnset), K * 1e-4 + D * 0.3, 1e-9);
  EXPECT_EQ(law.force(1e-6, -1, kOnset), 0) << "no tension";
  EXPECT_EQ(law.force(-1e-6, 1, kOnset), 0) << "no force before contact";
}

}  // namespace
}  // namespace freeplay::test
