// Threads that sweep a pile together: pieces of work that do not depend on how many there are, and meetings in between.
#include "freeplay/complementarity/piles/pile_stages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace freeplay::test::pile_stages_test {
namespace {

TEST(PileStages, CutStagesIntoPieces) {
  std::vector<int> packs(50);
  std::iota(packs.begin(), packs.end(), 0);
  packs.erase(packs.begin() + 40, packs.begin() + 42);  // a whole stage that is left out
  const std::vector<int> first = {0, 33, 40, 42};
  PileStages stages;
  stages.assign(packs, first);
  std::vector<int> sizes, firsts;
  stages.in_order(nullptr, 0, [&](int, const PileStages::Piece& piece) {
    firsts.push_back(packs[static_cast<std::size_t>(piece.first)]);
    sizes.push_back(piece.count);
  });
  EXPECT_EQ(firsts, (std::vector<int>{0, 16, 32, 33, 42}));
  EXPECT_EQ(sizes, (std::vector<int>{16, 16, 1, 7, 8}));
}

// Each stage reads what the whole stage before has written.
TEST(ThreadTeam, MeetsBetweenStages) {
  constexpr int kPacks = 200, kStages = 5;
  std::vector<int> packs(kPacks), first, value(kPacks, 0);
  std::iota(packs.begin(), packs.end(), 0);
  for (int stage = 0; stage < kStages; ++stage) first.push_back(stage * kPacks / kStages);
  PileStages stages;
  stages.assign(packs, first);
  for (const int members : {1, 2, 3, 8}) {
    ThreadTeam team(members);
    EXPECT_EQ(team.size(), members);
    for (int round = 0; round < 5; ++round) {
      std::fill(value.begin(), value.end(), 0);
      work_together(&team, [&](int member) {
        stages.in_order(&team, member, [&](int, const PileStages::Piece& piece) {
          for (int p = piece.first; p < piece.first + piece.count; ++p) {
            const int before = p - p % (kPacks / kStages);  // packs of all stages before
            value[static_cast<std::size_t>(p)] = 1 + (before > 0 ? value[static_cast<std::size_t>(before - 1)] : 0);
          }
        });
      });
      for (int p = 0; p < kPacks; ++p) ASSERT_EQ(value[static_cast<std::size_t>(p)], 1 + p / (kPacks / kStages));
    }
  }
}

TEST(ThreadTeam, HasAMemberPerCoreUnlessTold) {
  EXPECT_GE(ThreadTeam(0).size(), 1);
  std::vector<int> taken(10, 0);
  for (int member = 0; member < 3; ++member) {
    const core::TeamPart part(10, member, 3);
    for (int i = part.begin; i < part.end; ++i) ++taken[static_cast<std::size_t>(i)];
  }
  EXPECT_EQ(taken, std::vector<int>(10, 1));
}

}  // namespace
}  // namespace freeplay::test::pile_stages_test
