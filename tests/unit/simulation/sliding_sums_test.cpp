// Sums over the last steps, against sums made anew; loads that go on.
#include <gtest/gtest.h>

#include <random>

#include "freeplay/simulation/forces/recent_loads.h"
#include "freeplay/simulation/forces/sliding_sums.h"

namespace freeplay::test::sliding_sums_test {
namespace {

TEST(SlidingSums, AreTheSumsOfTheLastSteps) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const std::size_t steps : {1U, 2U, 3U, 28U}) {
    SlidingSums sums(2, steps);
    EXPECT_TRUE(sums.is_empty());
    std::vector<std::array<double, 3>> all;
    for (int i = 0; i < 100; ++i) {
      all.push_back({0.5 + 0.1 * number(generator), number(generator), number(generator)});
      sums.push(all.back()[0], std::span(all.back()).subspan(1));
      std::array<double, 3> expected{};
      for (std::size_t k = all.size() > steps ? all.size() - steps : 0; k < all.size(); ++k) {
        for (std::size_t c = 0; c < 3; ++c) expected[c] += all[k][c];
      }
      EXPECT_NEAR(sums.time_s(), expected[0], 1e-13);
      EXPECT_NEAR(sums.sum(0), expected[1], 1e-13);
      EXPECT_NEAR(sums.mean(1), expected[2] / expected[0], 1e-13);
    }
  }
}

// A blow of 1e6 leaves no trace when it has left the window.
TEST(SlidingSums, KeepNothingOfAHardImpact) {
  SlidingSums sums(1, 7);
  for (int i = 0; i < 40; ++i) {
    const std::array<double, 1> impulse = {i == 3 ? 1e6 / 3 : 0.0};
    sums.push(1e-5, impulse);
    EXPECT_EQ(sums.sum(0), i >= 3 && i < 10 ? 1e6 / 3 : 0.0) << i;
  }
}

TEST(SlidingSums, GoOnElsewhereWithTheSameBits) {
  for (int stop = 0; stop < 23; ++stop) {
    SlidingSums whole(1, 5), first(1, 5), second(1, 5);
    for (int i = 0; i < 30; ++i) {
      const std::array<double, 1> value = {1.0 / (3 + i)};
      whole.push(0.1, value);
      (i < stop ? first : second).push(0.1, value);
      if (i + 1 == stop) {
        std::vector<double> numbers;
        first.write(numbers);
        ASSERT_TRUE(second.take(numbers));
      }
      if (i < stop) continue;
      if (stop == 0) break;
      EXPECT_EQ(whole.sum(0), second.sum(0));
      EXPECT_EQ(whole.time_s(), second.time_s());
    }
  }
  SlidingSums sums(1, 5);
  EXPECT_FALSE(sums.take(std::vector<double>(11, 0.0)));
  std::vector<double> wrong(12, 0.0);
  wrong[0] = 5;  // beyond the ring
  EXPECT_FALSE(sums.take(wrong));
}

State loaded(double t, double approach_m_s, double impulse_N_s) {
  State state;
  state.t = t;
  ContactMemory memory;
  memory.key = {3, 1};
  memory.normal_impulse = impulse_N_s;
  memory.normal_velocity_before = -approach_m_s;
  state.contacts = {memory};
  return state;
}

constexpr double kStep = 1e-3;

TEST(RecentLoads, FlightsOfTwoStepsEndNoContactAndOnesOfThreeDo) {
  for (const int free_steps : {0, 1, 2, 3, 4}) {
    RecentLoads loads;
    int step = 0;
    for (int load = 1; load <= 8; ++load) {
      const State state = loaded(++step * kStep, 0.05, 1);
      loads.after_step(state, kStep);
      EXPECT_EQ(loads.goes_on(state.contacts[0], 1e-3), load >= 5 && free_steps <= 2) << free_steps << ", " << load;
      for (int i = 0; i < free_steps; ++i) loads.after_step(loaded(++step * kStep, 0, 0), kStep);
    }
  }
}

TEST(RecentLoads, ASlowLoadAfterAnotherOneGoesOn) {
  RecentLoads loads;
  loads.after_step(loaded(kStep, 0.1, 1), kStep);
  EXPECT_FALSE(loads.goes_on(loaded(kStep, 0.005, 1).contacts[0], 1e-3)) << "nothing was before";
  const State slow = loaded(3 * kStep, 0.005, 1);
  loads.after_step(slow, kStep);
  EXPECT_TRUE(loads.goes_on(slow.contacts[0], 1e-3));
  EXPECT_FALSE(loads.goes_on(slow.contacts[0], 1e-4));
}

TEST(RecentLoads, AMuchFasterBlowIsAnotherOneAlsoInARunThatGoesOn) {
  RecentLoads loads;
  for (int step = 1; step <= 5; ++step) loads.after_step(loaded(step * kStep, 0.1, 1), kStep);
  std::vector<double> numbers;
  loads.write(numbers);
  for (const double approach : {0.15, 0.3}) {
    RecentLoads other;
    ASSERT_EQ(other.take(numbers), numbers.size());
    const State blow = loaded(6 * kStep, approach, 1);
    other.after_step(blow, kStep);
    EXPECT_EQ(other.goes_on(blow.contacts[0], 1e-3), approach < 0.2);
  }
  numbers[0] = 2;
  EXPECT_EQ(RecentLoads().take(numbers), 0U);
}

// Steps in which nothing happens are pushed another way, which stops touching the columns after a while. The sums must
// have the bits of zeros that were pushed one by one, at every instant and also after such a time.
TEST(SlidingSums, OfStepsInWhichNothingHappensAreThoseOfZeros) {
  for (const std::size_t steps : {1U, 2U, 7U}) {
    SlidingSums plain(3, steps), quiet(3, steps);
    const std::array<double, 3> zeros{};
    std::array<double, 3> sums{};
    bool was_quiet = false;
    for (int k = 0; k < 400; ++k) {
      const double step_s = 1e-3 * (1 + 0.1 * (k % 13));
      const bool happens = k % 50 < 9;
      const std::array<double, 3> numbers = {1.0 / (k + 3), -0.1 * k, 1e8 / (1 + k)};
      plain.push(step_s, happens ? numbers : zeros);
      happens ? quiet.push(step_s, numbers) : quiet.push_nothing(step_s);
      EXPECT_EQ(quiet.time_s(), plain.time_s());
      quiet.write_sums(sums);
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(sums[i], plain.sum(i)) << k;
        EXPECT_EQ(quiet.sum(i), plain.sum(i)) << k;
        EXPECT_TRUE(!quiet.is_quiet() || sums[i] == 0) << k;
      }
      was_quiet = was_quiet || quiet.is_quiet();
      std::vector<double> of_quiet, of_plain;
      quiet.write(of_quiet);
      plain.write(of_plain);
      EXPECT_EQ(of_quiet, of_plain);
    }
    EXPECT_TRUE(was_quiet);
  }
}

}  // namespace
}  // namespace freeplay::test::sliding_sums_test
