// How often impacts by Poisson's law gain energy, over 100 000 random ones of each kind.
#include "unit/contact/impact_cases.h"

namespace freeplay::test::impact_statistics_test {
namespace {

using namespace impacts;

constexpr int kSamples = 100'000;

TEST(ImpactStatistics, WithoutFrictionNoImpactGainsEnergy) {
  for (const int contacts : {1, 2, 3})
    EXPECT_EQ(random_impacts(contacts, 0, 0, TangentialLaw::kBeitelschmidt, kSamples).gains, 0) << contacts;
}

TEST(ImpactStatistics, OneContactGainsNothingByGlockerAndSafe) {
  for (const TangentialLaw law : {TangentialLaw::kGlocker, TangentialLaw::kSafe})
    EXPECT_EQ(random_impacts(1, 1.5, 1, law, kSamples).gains, 0);
}

// With tangents that carry nothing, as a frictionless contact in space has them if its friction is set to 0.
TEST(ImpactStatistics, WithoutFrictionNoImpactInSpaceGainsEnergy) {
  for (const int contacts : {1, 2, 3})
    EXPECT_EQ(random_impacts(contacts, 0, 2, TangentialLaw::kBeitelschmidt, kSamples).gains, 0) << contacts;
}

TEST(ImpactStatistics, OneContactInSpaceGainsNothingByGlocker) {
  const Tally tally = random_impacts(1, 1.5, 2, TangentialLaw::kGlocker, kSamples);
  EXPECT_EQ(tally.gains, 0);
  EXPECT_EQ(tally.reported, 0);
}

TEST(ImpactStatistics, OneContactInSpaceGainsNothingBySafe) {
  const Tally tally = random_impacts(1, 1.5, 2, TangentialLaw::kSafe, kSamples);
  EXPECT_EQ(tally.gains, 0);
  EXPECT_EQ(tally.reported, 0);
}

TEST(ImpactStatistics, GainsOfTheLawOfThePaperInSpaceAreReportedAndVanishUnderTheLimit) {
  const Tally tally = random_impacts(1, 1.5, 2, TangentialLaw::kBeitelschmidt, kSamples);
  RecordProperty("gains", tally.gains);
  EXPECT_GT(tally.gains, 1000);
  EXPECT_GE(tally.reported, tally.gains);
  EXPECT_LT(tally.reported, kSamples / 5);
  const Tally limited = random_impacts(1, 1.5, 2, TangentialLaw::kBeitelschmidt, kSamples, ImpactEnergy::kLimit);
  EXPECT_EQ(limited.gains, 0);
  EXPECT_EQ(limited.reported, tally.reported);
}

TEST(ImpactStatistics, TwoContactsWithOneRestitutionGainNothingByGlocker) {
  for (const int tangents : {1, 2}) {
    EXPECT_EQ(random_impacts(2, 1, tangents, TangentialLaw::kGlocker, kSamples / 5, ImpactEnergy::kWarn,
                             NormalRestitution::kShared)
                  .gains,
              0);
  }
}

// With two frictional contacts of their own restitutions no law of this kind is safe (Glocker 2013); the limit is.
TEST(ImpactStatistics, TwoContactsInSpaceGainNothingUnderTheLimit) {
  constexpr int kFewer = kSamples / 5;
  for (const TangentialLaw law : {TangentialLaw::kBeitelschmidt, TangentialLaw::kGlocker, TangentialLaw::kSafe}) {
    const Tally tally = random_impacts(2, 1, 2, law, kFewer);
    RecordProperty("gains_" + std::to_string(static_cast<int>(law)), tally.gains);
    EXPECT_GE(tally.reported, tally.gains);
    EXPECT_EQ(random_impacts(2, 1, 2, law, kFewer, ImpactEnergy::kLimit).gains, 0);
  }
}

TEST(ImpactStatistics, EveryGainOfTheLawOfThePaperIsReported) {
  const Tally tally = random_impacts(1, 1.5, 1, TangentialLaw::kBeitelschmidt, kSamples);
  RecordProperty("gains", tally.gains);
  EXPECT_GT(tally.gains, 1000);
  EXPECT_GE(tally.reported, tally.gains);
  EXPECT_LT(tally.reported, kSamples / 10);
}

}  // namespace
}  // namespace freeplay::test::impact_statistics_test
