#include "freeplay/contact/problem/last_contacts.h"

#include <gtest/gtest.h>

namespace freeplay::test::last_contacts_test {
namespace {

ContactMemory memory_of(std::uint64_t pair, double after, double drift, double impulse) {
  ContactMemory memory;
  memory.key = {pair, 0};
  memory.normal_velocity_after = after;
  memory.normal_drift = drift;
  memory.normal_impulse = impulse;
  return memory;
}

TEST(LastContacts, AreFoundByKeyInWhateverOrderTheStateHasThem) {
  State state;
  state.contacts = {memory_of(7, 0.5, 0.125, 2), memory_of(3, 0, 0, 0), memory_of(5, -0.25, 0, 0)};
  LastContacts last;
  last.read(state);
  ASSERT_TRUE(last.find({7, 0}));
  EXPECT_EQ(last.find({7, 0})->velocity_m_s, 0.375);  // with the row of the midpoint
  EXPECT_EQ(last.find({7, 0})->drift_m_s, 0.125);
  EXPECT_TRUE(last.find({7, 0})->was_loaded);
  ASSERT_TRUE(last.find({5, 0}));
  EXPECT_FALSE(last.find({5, 0})->was_loaded);  // it was in the problem and left
  EXPECT_FALSE(last.find({3, 0}));              // it was in none
  EXPECT_FALSE(last.find({7, 1}));
  last.read(State{});
  EXPECT_FALSE(last.find({7, 0}));
}

// xi_N = (gamma_NE + eta) + e_N (gamma_NA - eta) + approach;  e_T acts in an impact only.
TEST(LawWriter, TakesTheDriftOutOfBothVelocitiesAndTangentialRestitutionOutOfLastingContacts) {
  ContactPoint point;
  point.law.friction = 0.5;
  point.law.tangential_restitution = 0.25;
  const LivePoint live{{0, 0}, &point};
  ContactSet set;
  set.assign({&live, 1});
  const double gamma_A[] = {-2, 4};
  const auto constants = [&](const Activation& activation) {
    VecX c = VecX::Zero(2);
    c << 10, 20;
    std::vector<ImpulseBlock> blocks;
    const LawRows rows{.points = set, .active = {&activation, 1}, .gamma_A = gamma_A, .bilateral_approach = {}};
    write_velocity_laws(rows, c, blocks);
    return c;
  };
  const VecX paper = constants({.point = 0, .restitution = 0.5});
  EXPECT_EQ(paper[0], 10 + 0.5 * -2);
  EXPECT_EQ(paper[1], 20 + 0.25 * 4);
  const LastContact last{.velocity_m_s = 0, .drift_m_s = -1, .was_loaded = true};
  const VecX lasting = constants({.point = 0, .restitution = 0.5, .approach_m_s = 3, .last = &last, .drift_m_s = -1});
  EXPECT_EQ(lasting[0], (10 - 1) + 0.5 * (-2 + 1) + 3);
  EXPECT_EQ(lasting[1], 20);
}

}  // namespace
}  // namespace freeplay::test::last_contacts_test
