// Threads that work together: each piece is done once, nobody passes a meeting early, and a team serves as often as
// asked.
#include "freeplay/core/thread_team.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/few_threads.h"

namespace freeplay::core {
namespace {

TEST(ThreadTeam, CallsTheWorkOfEachMemberOnce) {
  for (const int members : {1, 2, 3, 8}) {
    ThreadTeam team(members);
    ASSERT_EQ(team.size(), members);
    std::vector<int> calls(static_cast<std::size_t>(members), 0);
    for (int run = 1; run <= 50; ++run) {
      team.run([&](int member) { ++calls[static_cast<std::size_t>(member)]; });
      EXPECT_EQ(calls, std::vector<int>(static_cast<std::size_t>(members), run));
    }
  }
}

// x_i := (x_(i-1) + x_(i+1)) / 2 on a ring, all from the old values: between two meetings a member writes its own part
// and reads that of its neighbours, so one who goes on early reads a value of the wrong round. Dyadic numbers: sums are
// exact.
TEST(ThreadTeam, NobodyPassesAMeetingBeforeAllHaveCome) {
  constexpr int kPlaces = 24, kRounds = 20;
  const auto relax = [](int members) {
    std::vector<double> before(kPlaces, 0.0), after(kPlaces, 0.0);
    before[0] = 1;
    ThreadTeam team(members);
    team.run([&](int member) {
      const TeamPart part(kPlaces, member, members);
      for (int round = 0; round < kRounds; ++round) {
        std::vector<double>& from = round % 2 == 0 ? before : after;
        std::vector<double>& to = round % 2 == 0 ? after : before;
        for (int i = part.begin; i < part.end; ++i) {
          const auto left = static_cast<std::size_t>((i + kPlaces - 1) % kPlaces);
          const auto right = static_cast<std::size_t>((i + 1) % kPlaces);
          to[static_cast<std::size_t>(i)] = (from[left] + from[right]) / 2;
        }
        team.meet();
      }
    });
    return before;
  };
  const std::vector<double> alone = relax(1);
  EXPECT_EQ(std::accumulate(alone.begin(), alone.end(), 0.0), 1.0);  // what a place gives away its neighbours get
  for (const int members : {2, 3, 8}) {
    for (int again = 0; again < 20; ++again) EXPECT_EQ(relax(members), alone) << members << " members";
  }
}

TEST(ThreadTeam, HasAsManyMembersAsTheSystemGives) {
  if (!test::kHasFewThreads) GTEST_SKIP() << "a sanitizer needs the address space";
  ThreadTeam team(8);
  std::vector<int> calls(8, 0);
  {
    const test::FewThreads two(2);
    team.run([&](int member) { ++calls[static_cast<std::size_t>(member)]; });
  }
  EXPECT_EQ(team.size(), 3);  // the caller is one
  EXPECT_EQ(calls, (std::vector<int>{1, 1, 1, 0, 0, 0, 0, 0}));
}

TEST(ThreadTeam, PartsCoverAllPlacesOnce) {
  for (const int members : {1, 2, 3, 8}) {
    int next = 0;
    for (int member = 0; member < members; ++member) {
      const TeamPart part(5, member, members);
      EXPECT_EQ(part.begin, next);
      EXPECT_LE(part.begin, part.end);
      next = part.end;
    }
    EXPECT_EQ(next, 5);
  }
}

}  // namespace
}  // namespace freeplay::core
