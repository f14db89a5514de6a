// Elastic laws: forces against the reference table, energies by quadrature, and the stiffness from the material.
#include "freeplay/contact/laws/elastic_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include "freeplay/contact/laws/contact_stiffness.h"
#include "freeplay/contact/laws/cylinder_laws.h"
#include "freeplay/contact/laws/force_law.h"
#include "support/places.h"
#include "unit/contact/reference_table.h"

namespace freeplay::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const ElasticMaterial kSteel{207e9, 0.3};
const double kModulus = contact_modulus_Pa(kSteel, kSteel);
const CylinderPair kJournal{kModulus, 9.5e-3, -10e-3, 15e-3};

std::vector<ElasticLaw> all_forms() {
  return {ElasticLaw::power(2e6, 1), ElasticLaw::power(3e10, 1.5), ElasticLaw::power(1e9, 1.25),
          johnson_law(kJournal),     radzimovsky_law(kJournal),    dubowsky_freudenstein_law(kJournal)};
}

// The integral of f from 0 to delta; delta s^2 takes the root out of the integrand's start.
double energy_by_quadrature(const ElasticLaw& law, double delta) {
  constexpr int kIntervals = 20000;
  double sum = 0;
  for (int i = 0; i < kIntervals; ++i) {
    const double s = (i + 0.5) / kIntervals;
    sum += law.force(delta * s * s) * 2 * delta * s / kIntervals;
  }
  return sum;
}

TEST(ContactStiffness, IsThatOfTheReferenceTable) {
  EXPECT_NEAR(kModulus, 1.13736e11, 1e6);
  const std::map<std::string, std::pair<double, double>> radii = {
      {"\"sphere R=0.05 on plane (pendulum", {0.05, kInfinity}},
      {"\"sphere R=0.1 on plane (falling ball", {0.1, kInfinity}},
      {"two spheres R=0.1", {0.1, 0.1}},
      {"two spheres R=0.05 and R=0.1", {0.05, 0.1}},
      {"sphere R=0.0095 in socket R=0.010 (quick-return joints)", {0.0095, -0.010}},
      {"WRONG sign: spheres R=0.0095 and R=0.010 external", {0.0095, 0.010}}};
  std::ifstream file(test_dir() + "/reference/compliant/stiffness.csv");
  std::string line;
  std::getline(file, line);
  std::size_t compared = 0;
  while (std::getline(file, line)) {
    const auto found = radii.find(line.substr(0, line.find(',')));
    ASSERT_NE(found, radii.end()) << line;
    const auto [a, b] = found->second;
    const double expected = std::stod(line.substr(line.rfind(',') + 1));
    EXPECT_NEAR(hertz_stiffness_N_m32(kModulus, effective_radius_m(a, b)), expected, 1e-8 * expected) << line;
    ++compared;
  }
  EXPECT_EQ(compared, radii.size());
}

TEST(ContactStiffness, OfTwoMaterialsIsThatOfTheirCompliances) {
  const ElasticMaterial rubber{10e6, 0.5};
  EXPECT_NEAR(contact_modulus_Pa(rubber, kSteel), 10e6 / 0.75, 1e3) << "the soft one decides";
  EXPECT_EQ(contact_modulus_Pa(rubber, kSteel), contact_modulus_Pa(kSteel, rubber));
}

TEST(CylinderLaws, ForcesAreThoseOfTheReferenceTable) {
  const ReferenceTable table = read_reference_table("force_deflection.csv");
  const ElasticLaw hertz = ElasticLaw::power(hertz_stiffness_N_m32(kModulus, effective_radius_m(9.5e-3, -10e-3)), 1.5);
  const std::pair<const char*, ElasticLaw> laws[] = {{"hertz", hertz},
                                                     {"johnson", johnson_law(kJournal)},
                                                     {"radzimovsky", radzimovsky_law(kJournal)},
                                                     {"dubowsky", dubowsky_freudenstein_law(kJournal)}};
  for (const auto& [name, law] : laws) {
    const std::size_t column = table.column(name);
    for (const std::vector<double>& row : table.rows)
      EXPECT_NEAR(law.force(row[0]), row[column], 1e-7 * row[column]) << name << " " << row[0];
  }
}

TEST(CylinderLaws, PenetrationOfTheForceIsTheOneGiven) {
  const double L = kJournal.length_m, pi = std::acos(-1.0), dR = 0.5e-3;
  for (double delta = 1e-15; delta < johnson_law(kJournal).largest_depth(); delta *= 1.7) {
    const double f = johnson_law(kJournal).force(delta) / L;
    EXPECT_NEAR(f / (pi * kModulus) * (std::log(4 * pi * kModulus * dR / f) - 1), delta, 4e-15 * delta) << delta;
    const double g = radzimovsky_law(kJournal).force(delta) / L;
    const double b = 1.60 * std::sqrt(g / kModulus * 19e-3 * 20e-3 / 1e-3);
    EXPECT_NEAR(g / (pi * kModulus) * (2.0 / 3 + std::log(2 * 19e-3 / b) + std::log(2 * 20e-3 / b)), delta,
                4e-15 * delta);
  }
}

// Two rollers: the sum of the diameters takes the place of the difference.
TEST(CylinderLaws, HoldForTwoRollersToo) {
  const CylinderPair rollers{kModulus, 20e-3, 30e-3, 15e-3};
  const double F = radzimovsky_law(rollers).force(1e-6), f = F / rollers.length_m, pi = std::acos(-1.0);
  const double b = 1.60 * std::sqrt(f / kModulus * 40e-3 * 60e-3 / 100e-3);
  EXPECT_NEAR(f / (pi * kModulus) * (2.0 / 3 + std::log(80e-3 / b) + std::log(120e-3 / b)), 1e-6, 1e-19);
}

TEST(CylinderLaws, GoOnAlongTheTangentBeyondTheirRange) {
  const double pi = std::acos(-1.0);
  const ElasticLaw law = johnson_law(kJournal);
  const double limit = law.largest_depth();
  EXPECT_NEAR(limit, 0.9735 * 4 / std::exp(2.0) * 0.5e-3, 1e-8) << "Johnson rises as far as 4/e^2 = 0.54 Delta R";
  EXPECT_LT(law.force(limit), 4 * pi * kModulus * 0.5e-3 * 15e-3 / std::exp(2.0));
  for (const ElasticLaw& each : {law, radzimovsky_law(kJournal), dubowsky_freudenstein_law(kJournal)}) {
    const double end = each.largest_depth(), inside = end * (1 - 1e-9), outside = end * (1 + 1e-9);
    EXPECT_NEAR(each.force(inside), each.force(outside), 1e-7 * each.force(end));
    EXPECT_NEAR(each.energy(inside), each.energy(outside), 1e-7 * each.energy(end));
    EXPECT_NEAR(each.stiffness(inside), each.stiffness(outside), 1e-6 * each.stiffness(end));
    EXPECT_NEAR(each.force(3 * end) - each.force(2 * end), end * each.stiffness(end), 1e-9 * each.force(end));
  }
}

TEST(ElasticLaw, EnergyIsTheIntegralOfTheForce) {
  for (const ElasticLaw& law : all_forms()) {
    for (const double delta : {1e-8, 1e-5, 1e-4, 2.5e-4, 4e-3}) {
      const double expected = energy_by_quadrature(law, delta);
      EXPECT_NEAR(law.energy(delta), expected, 1e-7 * expected) << delta;
    }
    EXPECT_EQ(law.force(0), 0);
    EXPECT_EQ(law.force(-1e-3), 0);
    EXPECT_EQ(law.energy(-1e-3), 0);
  }
}

TEST(ElasticLaw, StiffnessIsTheDerivativeOfTheForce) {
  for (const ElasticLaw& law : all_forms()) {
    for (const double delta : {1e-7, 1e-5, 2e-4, 4e-3}) {
      const double h = 1e-4 * delta, expected = (law.force(delta + h) - law.force(delta - h)) / (2 * h);
      EXPECT_NEAR(law.stiffness(delta), expected, 1e-7 * expected) << delta;
    }
  }
}

TEST(ElasticLaw, DepthIsTheInverseOfTheEnergy) {
  for (const ElasticLaw& law : all_forms()) {
    for (double delta = 1e-9; delta < 1e-2; delta *= 3)
      EXPECT_NEAR(law.depth_of(law.energy(delta)), delta, 1e-13 * delta) << delta;
    EXPECT_EQ(law.depth_of(0), 0);
  }
}

TEST(ElasticLaw, ImpactTimesAreKnownForHertzAndALinearSpring) {
  EXPECT_NEAR(ElasticLaw::power(1, 1.5).impact_time(1, 1), 2.94328, 1e-5);
  EXPECT_NEAR(ElasticLaw::power(4, 1).impact_time(1, 2), std::acos(-1.0) / 2, 1e-14) << "T = pi sqrt(m/K), m = 1";
  // The pendulum of Flores, Ambrosio 2010: 1.001 kg m^2 about the pivot, so 1.001 kg at 1 m.
  const NormalForceLaw pendulum(3.39e10, 1.5, 0);
  const ContactOnset onset{4.427233854, 1.001};
  EXPECT_NEAR(pendulum.expected_depth(onset), 2.206804e-4, 1e-5 * 2.2e-4);
  EXPECT_NEAR(pendulum.expected_time(onset), 1.467108e-4, 1e-5 * 1.5e-4);
  EXPECT_NEAR(pendulum.elastic_force(pendulum.expected_depth(onset)), 1.111336e5, 2e-5 * 1.1e5);
}

// Between a linear spring and one of Hertz; integrated by small steps of the symplectic Euler rule.
TEST(ElasticLaw, ImpactTimeOfCylindersIsThatOfAMotion) {
  const ElasticLaw law = johnson_law(kJournal);
  const double mass = 0.3, speed = 2, depth = law.depth_of(0.5 * mass * speed * speed);
  const double expected = law.impact_time(depth, speed), h = expected / 200000;
  double delta = 0, rate = speed, t = 0, deepest = 0;
  do {
    rate -= h * law.force(delta + 0.5 * h * rate) / mass;
    delta += h * rate;
    deepest = std::max(deepest, delta);
    t += h;
  } while (delta > 0);
  EXPECT_NEAR(t, expected, 1e-4 * expected);
  EXPECT_NEAR(deepest, depth, 1e-4 * depth);
}

// A function knows neither its energy nor its depths: they have to come out as those of the law that it is.
TEST(ElasticLaw, AFunctionHasTheEnergyDepthAndTimeOfTheLawThatItIs) {
  for (const ElasticLaw& law : all_forms()) {
    const ElasticLaw function = ElasticLaw::function([&law](double delta) { return law.force(delta); });
    for (const double depth : {1e-7, 3e-6, 2e-5}) {
      EXPECT_EQ(function.force(depth), law.force(depth));
      const double energy = law.energy(depth);
      // Powers that are no halves, and more so a logarithm, are what the quadrature finds hard at 0.
      EXPECT_NEAR(function.energy(depth), energy, (law.is_power() ? 1e-8 : 1e-6) * energy);
      EXPECT_NEAR(function.depth_of(energy), depth, (law.is_power() ? 1e-8 : 1e-6) * depth);
      EXPECT_NEAR(function.stiffness(depth), law.stiffness(depth), 1e-6 * law.stiffness(depth));
      EXPECT_NEAR(function.impact_time(depth, 1), law.impact_time(depth, 1), 1e-2 * law.impact_time(depth, 1));
    }
  }
  EXPECT_EQ(ElasticLaw::function([](double delta) { return delta; }).force(-1e-3), 0);
  EXPECT_TRUE(std::isinf(ElasticLaw::function([](double) { return 0.0; }).depth_of(1)));
}

TEST(NormalForceLaw, DampingByAFunctionIsAddedAndNeverPulls) {
  const NormalForceLaw named(3e10, 1.5, 0.7);
  const NormalForceLaw law = NormalForceLaw::function(
      ElasticLaw::function([](double delta) { return 3e10 * delta * std::sqrt(delta); }),
      [](double delta, double rate, double speed) { return 3e10 * delta * std::sqrt(delta) * 0.7 * rate / speed; });
  const ContactOnset onset{2, 1};
  for (const double rate : {-5.0, -1.0, 0.0, 1.0}) {
    const double expected = named.force(1e-5, rate, onset);
    EXPECT_NEAR(law.force(1e-5, rate, onset), expected, 1e-12 * expected);
  }
  EXPECT_EQ(law.force(1e-5, -5, onset), 0);
  EXPECT_EQ(law.force(-1e-5, 5, onset), 0);
  EXPECT_NEAR(law.expected_depth(onset), named.expected_depth(onset), 1e-9 * named.expected_depth(onset));
}

}  // namespace
}  // namespace freeplay::test
