// The same work for many places: each once, on any number of threads, also where the system gives fewer.
#include "freeplay/study/sweep/workers/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/few_threads.h"

namespace freeplay::study {
namespace {

constexpr std::size_t kPlaces = 200;

TEST(WorkInParallel, DoesEachPlaceOnce) {
  for (const int workers : {0, 1, 2, 8}) {
    std::vector<std::atomic<int>> calls(kPlaces);
    EXPECT_EQ(work_in_parallel(kPlaces, workers, nullptr, [&](std::size_t place) { return ++calls[place] == 1; }),
              kPlaces);
    for (const std::atomic<int>& call : calls) EXPECT_EQ(call, 1);
  }
}

TEST(WorkInParallel, CountsThePlacesBeforeTheFirstThatIsMissing) {
  const auto work = [](std::size_t place) { return place != 17; };
  EXPECT_EQ(work_in_parallel(kPlaces, 1, nullptr, work), 17U);
  // Another thread may have taken a place before, and not have begun it.
  for (const int workers : {2, 8}) EXPECT_LE(work_in_parallel(kPlaces, workers, nullptr, work), 17U);
}

TEST(WorkInParallel, BeginsNothingAfterAStop) {
  std::atomic<bool> stop = false;
  std::atomic<int> begun = 0;
  const std::size_t done = work_in_parallel(kPlaces, 2, &stop, [&](std::size_t) {
    ++begun;
    stop = true;
    return true;
  });
  EXPECT_LE(begun, 2);  // the other thread may have looked before
  EXPECT_LE(done, 2U);
}

// Places that last until they are let go: whoever has asked to stop is called, with what was done before.
TEST(WorkInParallel, IsLeftWhereWorkLastsAfterAStop) {
  std::atomic<bool> stop = false, may_end = false;
  std::optional<std::size_t> left_with;
  const auto work = [&](std::size_t place) {
    if (place < 3) return true;
    stop = true;
    while (!may_end) std::this_thread::yield();
    return false;
  };
  const auto leave = [&](std::size_t done) {
    left_with = done;
    may_end = true;  // where a command would end its process
  };
  EXPECT_EQ(work_in_parallel(kPlaces, 2, &stop, work, leave), 3U);
  EXPECT_EQ(left_with, 3U);
}

TEST(WorkInParallel, ThrowsWhatTheWorkHasThrown) {
  for (const int workers : {1, 2, 8}) {
    const auto work = [](std::size_t place) {
      if (place == 17) throw std::runtime_error("17");
      return true;
    };
    EXPECT_THROW(work_in_parallel(kPlaces, workers, nullptr, work), std::runtime_error);
    EXPECT_THROW(work_in_parallel(kPlaces, workers, nullptr, work, [](std::size_t) {}), std::runtime_error);
  }
}

TEST(WorkInParallel, TakesAsManyThreadsAsTheSystemGives) {
  if (!test::kHasFewThreads) GTEST_SKIP() << "a sanitizer needs the address space";
  for (const std::size_t threads : {0U, 1U, 2U}) {
    std::atomic<std::size_t> sum = 0;
    const test::FewThreads few(threads);
    const auto add = [&](std::size_t place) {
      sum += place;
      return true;
    };
    EXPECT_EQ(work_in_parallel(kPlaces, 8, nullptr, add), kPlaces);
    EXPECT_EQ(sum, kPlaces * (kPlaces - 1) / 2);
    EXPECT_EQ(work_in_parallel(kPlaces, 8, nullptr, add, [](std::size_t) {}), kPlaces);
    EXPECT_EQ(sum, kPlaces * (kPlaces - 1));
  }
}

}  // namespace
}  // namespace freeplay::study
