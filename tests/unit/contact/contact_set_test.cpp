// Memory of contact points that come and go: found again by key, in the order of the points.
#include "freeplay/contact/points/contact_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace freeplay::test::contact_set_test {
namespace {

constexpr std::uint64_t kUnnamed = ContactKey::kUnnamed;

std::vector<LivePoint> points_of(std::initializer_list<std::uint64_t> pairs, const ContactPoint& description) {
  std::vector<LivePoint> points;
  for (const std::uint64_t pair : pairs) points.push_back({{pair, 0}, &description});
  return points;
}

TEST(ContactMemoryByKey, FollowsItsPoint) {
  const ContactPoint description;
  ContactSet set;
  State state;
  set.assign(points_of({3, 5, 8}, description));
  EXPECT_FALSE(set.is_aligned(state));
  set.align(state);
  ASSERT_EQ(state.contacts.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    state.contacts[i].normal_impulse = static_cast<double>(state.contacts[i].key.pair);

  set.assign(points_of({2, 3, 8, 9}, description));
  set.align(state);
  ASSERT_EQ(state.contacts.size(), 4u) << "5 has nothing to tell";
  EXPECT_EQ(state.contacts[0].normal_impulse, 0) << "2 is new";
  EXPECT_EQ(state.contacts[1].normal_impulse, 3);
  EXPECT_EQ(state.contacts[2].normal_impulse, 8);
  EXPECT_EQ(state.contacts[3].normal_impulse, 0) << "9 is new";
  EXPECT_TRUE(set.is_aligned(state));
}

TEST(ContactMemoryByKey, LossesSinceTheStartOutliveANamedPoint) {
  const ContactPoint description;
  ContactSet set;
  State state;
  set.assign(points_of({1, 4, kUnnamed | 7}, description));
  set.align(state);
  for (ContactMemory& memory : state.contacts) memory.impact_loss = 2;
  state.contacts[1].normal_impulse = 5;
  set.assign(points_of({6}, description));
  set.align(state);
  ASSERT_EQ(state.contacts.size(), 3u) << "6, and behind it 1 and 4; what has no name is forgotten";
  const auto gone = std::find_if(state.contacts.begin(), state.contacts.end(), [](const ContactMemory& memory) {
    return memory.key == ContactKey{4, 0};
  });
  ASSERT_NE(gone, state.contacts.end());
  EXPECT_EQ(gone->impact_loss, 2);
  EXPECT_EQ(gone->normal_impulse, 0) << "its last step is over";

  set.assign(points_of({4, 6}, description));
  set.align(state);
  EXPECT_EQ(state.contacts[0].impact_loss, 2) << "it came back";
  EXPECT_EQ(state.contacts[1].impact_loss, 0);
}

// Points come and go at random, some behind all others as in a step in which they join: a memory is there if and only
// if its point was there before.
TEST(ContactMemoryByKey, FollowsPointsThatComeAndGoAtRandom) {
  const ContactPoint description;
  std::mt19937 random(3);
  ContactSet set;
  State state;
  std::map<std::uint64_t, double> known;  // by pair
  for (int round = 0; round < 200; ++round) {
    std::vector<LivePoint> points, joining;
    for (std::uint64_t pair = 0; pair < 40; ++pair) {
      const std::uint32_t chance = random() % 8;
      if (chance < 5) points.push_back({{kUnnamed | pair, 0}, &description});
      if (chance == 5 && round % 4 == 0) joining.push_back({{kUnnamed | pair, 0}, &description});
    }
    set.assign(points);
    set.append(joining);
    set.align(state);
    ASSERT_TRUE(set.is_aligned(state));
    ASSERT_EQ(static_cast<int>(state.contacts.size()), set.size());
    std::map<std::uint64_t, double> now;
    for (ContactMemory& memory : state.contacts) {
      const auto before = known.find(memory.key.pair);
      ASSERT_EQ(memory.normal_impulse, before == known.end() ? 0 : before->second);
      memory.normal_impulse = 1 + static_cast<double>(random() % 1000);
      now[memory.key.pair] = memory.normal_impulse;
    }
    known = now;
  }
}

TEST(ContactMemoryByKey, IsLeftAloneWhereTheOrderIsRight) {
  const ContactPoint description;
  ContactSet set;
  State state;
  set.assign(points_of({1, 2}, description));
  set.align(state);
  const ContactMemory* before = state.contacts.data();
  set.align(state);
  EXPECT_EQ(state.contacts.data(), before);
}

}  // namespace
}  // namespace freeplay::test::contact_set_test
