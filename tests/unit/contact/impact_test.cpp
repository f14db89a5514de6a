// Impacts by Poisson's law: reference cases, closed forms, and how often each variant gains energy.
#include <cmath>

#include "unit/contact/impact_cases.h"
#include "unit/contact/reference_rows.h"

namespace freeplay::test::impact_test {
namespace {

using namespace impacts;

TEST(Impact, FollowsTheDimensionlessCurveOfACentralImpact) {
  const auto rows = reference_rows("impact_disc_curve.csv");
  ASSERT_GT(rows.size(), 200u);
  for (const std::vector<double>& row : rows) {
    const double e_N = row[1], e_T = row[2], mu = row[3];
    const MatX G{{1, 0}, {0, row[4]}};
    const Outcome outcome = strike(G, VecX{{-1, row[5]}}, {{0, 1, poisson(e_N, e_T, mu)}});
    EXPECT_NEAR(outcome.after[1], row[6], 1e-10) << "gamma " << row[5];
    EXPECT_NEAR(outcome.after[0], e_N, 1e-10);
    EXPECT_NEAR(outcome.compression[0], row[7], 1e-10);
    EXPECT_NEAR(outcome.compression[1], row[8], 1e-10);
    EXPECT_NEAR(outcome.Lambda[0] - outcome.compression[0], row[9], 1e-10);
    EXPECT_NEAR(outcome.Lambda[1] - outcome.compression[1], row[10], 1e-10);
  }
}

TEST(Impact, TwoContactsAtOnceAreThoseOfTheReference) {
  const auto rows = reference_rows("impact_two_contact_cases.csv");
  ASSERT_EQ(rows.size(), 30u);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const TwoContactCase one = two_contact_case(rows[n]);
    const Outcome outcome = strike(
        one.G, one.before,
        {{0, 1, poisson(one.e_N[0], one.e_T[0], one.mu[0])}, {2, 1, poisson(one.e_N[1], one.e_T[1], one.mu[1])}});
    EXPECT_LE(max_abs(outcome.compression - one.compression), 1e-10) << "case " << n;
    EXPECT_LE(max_abs(outcome.Lambda - outcome.compression - one.expansion), 1e-10) << "case " << n;
    EXPECT_LE(max_abs(outcome.after - one.after), 1e-10) << "case " << n;
  }
}

// Balls of unit mass in a row, without friction: contact i is between ball i and ball i + 1.
VecX cradle(const std::vector<double>& v, const std::vector<double>& e, ImpactLaw law) {
  const Eigen::Index contacts = static_cast<Eigen::Index>(e.size());
  MatX W = MatX::Zero(contacts + 1, contacts);
  std::vector<ImpactContact> list;
  for (Eigen::Index i = 0; i < contacts; ++i) {
    W(i, i) = -1;
    W(i + 1, i) = 1;
    PointLaw one = poisson(e[static_cast<std::size_t>(i)], 0, 0);
    one.impact = law;
    list.push_back({static_cast<int>(i), 0, one});
  }
  const VecX u = Eigen::Map<const VecX>(v.data(), contacts + 1);
  return u + W * strike(W.transpose() * W, W.transpose() * u, list).Lambda;
}

TEST(Impact, NewtonsCradleByNewtonAndByPoisson) {
  const double third = 1.0 / 3;
  const auto expect = [](const VecX& u, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(u[static_cast<Eigen::Index>(i)], values[i], 1e-12);
  };
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson})
    expect(cradle({1, 0, 0}, {1, 1}, law), {-third, 2 * third, 2 * third});
  expect(cradle({1, 0, 0}, {0.5, 1}, ImpactLaw::kNewton), {0, 0.5, 0.5});
  expect(cradle({1, 0, 0}, {0.5, 1}, ImpactLaw::kPoisson), {0, third, 2 * third});
  expect(cradle({1, 0, 0.2}, {0.8, 0.8}, ImpactLaw::kPoisson), {-0.08, 0.64, 0.64});
  expect(cradle({1, 0, 0, 0, 0}, {1, 1, 1, 1}, ImpactLaw::kPoisson), {-0.6, 0.4, 0.4, 0.4, 0.4});
}

TEST(Impact, ContactsWithNewtonsLawTakePartWithTheirs) {
  // The balls b and c approach each other at 0.4 m/s, by Newton's law with e = 0.5, while a strikes b by Poisson's.
  MatX W{{-1, 0}, {1, -1}, {0, 1}};
  PointLaw newton{0.5, 0, 0, 0};
  const VecX u{{1, 0, -0.4}};
  const Outcome outcome = strike(W.transpose() * W, W.transpose() * u, {{0, 0, poisson(0.5, 0, 0)}, {1, 0, newton}});
  const VecX after = u + W * outcome.Lambda;
  EXPECT_NEAR(after[2] - after[1], 0.2, 1e-12);
  EXPECT_NEAR(outcome.Lambda[0], 1.5 * outcome.compression[0], 1e-12);
}

// The rod of the test below, and a heavy ball that lands beside it in the same instant and loses more than the rod
// gains.
TEST(Impact, AGainIsNotHiddenByAnImpactElsewhereAndIsNotPaidForThere) {
  const MatX G{{2.5, 1.5, 0}, {1.5, 2.5, 0}, {0, 0, 0.1}};
  const std::vector<ImpactContact> contacts = {{0, 1, poisson(1, 0, 0.7)}, {2, 0, poisson(0.5, 0, 0)}};
  const VecX before{{-1, 0, -1}};
  EXPECT_NEAR(strike(G, before, contacts).report.gained_J, 0.5 * 0.3516, 1e-4);
  const Outcome limited = strike(G, before, contacts, ImpactEnergy::kLimit);
  EXPECT_LT(limited.report.share, 1);
  EXPECT_NEAR(limited.after[2], 0.5, 1e-12) << "the ball keeps its restitution";
}

// Newton's law, by which a rod gains energy as well, shares an impact with Poisson's: without restitution nothing
// gains.
TEST(Impact, TheLimitHoldsForNewtonsContactsToo) {
  const MatX G{{2.5, 1.5, 0.1}, {1.5, 2.5, 0}, {0.1, 0, 0.1}};
  const std::vector<ImpactContact> contacts = {{0, 1, PointLaw{1, 0, 0.7, 0}}, {2, 0, poisson(0.5, 0, 0)}};
  const VecX before{{-1, -0.5, -0.01}};
  ASSERT_GT(strike(G, before, contacts).energy_J, 0.01);
  EXPECT_LE(strike(G, before, contacts, ImpactEnergy::kLimit).energy_J, 1e-12);
}

TEST(Impact, RowsOfJointsKeepTheirVelocities) {
  // A contact on the first of two masses that a joint holds together, and that already drift apart by 0.1.
  const MatX W{{1, 1}, {-1, 0}};
  const Outcome outcome = strike(W.transpose() * W, VecX{{0.1, -1}}, {{1, 0, poisson(0.5, 0, 0)}});
  EXPECT_NEAR(outcome.after[0], 0.1, 1e-12);
  EXPECT_NEAR(outcome.after[1], 0.5, 1e-12);
}

// Slender rod at 45 degrees that falls on its end, with friction enough to stick: the paper's law gains energy if
// e_N^2 > 1 - G_NT^2/(G_NN G_TT).
TEST(Impact, TheLawOfThePaperGainsEnergyAsItsFormulaSaysAndNoLongerIfItIsLimited) {
  const MatX G{{2.5, 1.5}, {1.5, 2.5}};  // m = 1, J = m l^2 / 12, half length at 45 degrees
  const struct { double e_N, ratio; } cases[] = {{0.7, 0.8535}, {0.8, 1}, {0.84, 1.0641}, {1, 1.3516}};
  for (const auto& [e_N, ratio] : cases) {
    const Outcome outcome = strike(G, VecX{{-1, 0}}, {{0, 1, poisson(e_N, 0, 0.7)}});
    EXPECT_NEAR(1 + outcome.energy_J / 0.5, ratio, 1e-3 + 5e-5) << e_N;
    EXPECT_EQ(outcome.report.gained_J > 0, ratio > 1);
    const Outcome limited = strike(G, VecX{{-1, 0}}, {{0, 1, poisson(e_N, 0, 0.7)}}, ImpactEnergy::kLimit);
    EXPECT_LE(limited.energy_J, 1e-12);
    if (ratio > 1) {
      EXPECT_LT(limited.report.share, 1);
      EXPECT_NEAR(limited.energy_J, 0, 1e-9) << "no less than needed";
    }
  }
}

TEST(Impact, WithoutFrictionNoImpactGainsEnergy) {
  for (const int contacts : {1, 2, 3}) {
    const Tally tally = random_impacts(contacts, 0, 0, TangentialLaw::kBeitelschmidt, 2000);
    EXPECT_EQ(tally.gains, 0) << contacts << " contacts";
  }
}

TEST(Impact, OneContactGainsNothingByGlockerAndSafe) {
  for (const TangentialLaw law : {TangentialLaw::kGlocker, TangentialLaw::kSafe})
    EXPECT_EQ(random_impacts(1, 1.5, 1, law, 3000).gains, 0);
}

TEST(Impact, EveryGainOfTheLawOfThePaperIsReported) {
  const Tally tally = random_impacts(1, 1.5, 1, TangentialLaw::kBeitelschmidt, 3000);
  EXPECT_GT(tally.gains, 30);  // some per cent, depending on how the impacts are drawn
  EXPECT_GE(tally.reported, tally.gains);
  EXPECT_LT(tally.reported, tally.samples / 10);
}

TEST(Impact, IsNewtonsForOneContactWithoutFriction) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0.1, 1);
  for (int n = 0; n < 100; ++n) {
    const MatX G{{unit(random)}};
    const VecX before{{-unit(random)}};
    const double e = unit(random);
    const Outcome poissons = strike(G, before, {{0, 0, poisson(e, 0, 0)}});
    const Outcome newtons = strike(G, before, {{0, 0, PointLaw{e, 0, 0, 0}}});
    EXPECT_NEAR(poissons.Lambda[0], newtons.Lambda[0], 1e-14);
  }
}

}  // namespace
}  // namespace freeplay::test::impact_test
