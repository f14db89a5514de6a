// How every benchmark measures, so that both engines are treated alike.
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace freeplay::bench {

struct MeasureOptions {
  double batch_seconds = 0.1;  // long enough that the clock's resolution and its own cost do not matter
  int batches = 5;             // the best one counts: noise of a busy machine only ever makes a batch slower
};

// Calls work(k) with k = 0, 1, 2, ... and returns calls per second.
template <class Work>
double calls_per_second(Work&& work, const MeasureOptions& options = {}) {
  using Clock = std::chrono::steady_clock;
  std::int64_t k = 0;
  const auto seconds_of = [&](std::int64_t calls) {
    const auto start = Clock::now();
    for (const std::int64_t end = k + calls; k < end; ++k) work(k);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  // Doubling finds the batch size and warms caches and branch predictors at the same time.
  std::int64_t calls = 1;
  double seconds = seconds_of(calls);
  while (seconds < options.batch_seconds) seconds = seconds_of(calls *= 2);
  double best = static_cast<double>(calls) / seconds;
  for (int i = 1; i < options.batches; ++i) best = std::max(best, static_cast<double>(calls) / seconds_of(calls));
  return best;
}

// Of all threads of this process. What else runs on the machine hardly changes it.
inline double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Of runs too long to repeat until one is undisturbed: interleave the engines, then take medians.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace freeplay::bench
