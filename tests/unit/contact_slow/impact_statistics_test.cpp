// How often impacts by Poisson's law gain energy, over 100 000 random ones of each kind.
#include "unit/contact/impact_cases.h"

namespace freeplay::test::impact_statistics_test {
namespace {

using namespace impacts;

constexpr int kSamples = 100'000;

TEST(ImpactStatistics, WithoutFrictionNoImpactGainsEnergy) {
  for (const int contacts : {1, 2, 3})
    EXPECT_EQ(random_impacts(contacts, 0, false, TangentialLaw::kBeitelschmidt, kSamples).gains, 0) << contacts;
}

TEST(ImpactStatistics, OneContactGainsNothingByGlockerAndSafe) {
  for (const TangentialLaw law : {TangentialLaw::kGlocker, TangentialLaw::kSafe})
    EXPECT_EQ(random_impacts(1, 1.5, true, law, kSamples).gains, 0);
}

TEST(ImpactStatistics, EveryGainOfTheLawOfThePaperIsReported) {
  const Tally tally = random_impacts(1, 1.5, true, TangentialLaw::kBeitelschmidt, kSamples);
  EXPECT_GT(tally.gains, 1000);
  EXPECT_GE(tally.reported, tally.gains);
  EXPECT_LT(tally.reported, kSamples / 10);
}

}  // namespace
}  // namespace freeplay::test::impact_statistics_test
