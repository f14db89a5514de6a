// What ranks tell each other: those that work report what they have done, some of it while they work, and get the
// chains to run next when they ask for them; none is the end. A rank that fails says so with its last report, and is
// given nothing more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/study/sweep/workers/worker_pool.h"

namespace freeplay::study {

struct RankReport {
  std::vector<SweepRow> rows;
  std::string failure;  // empty: none
  bool asks = true;     // for more to do; otherwise it has not done yet what it was given
};

std::vector<std::byte> encode_report(const RankReport& report);
RankReport decode_report(std::span<const std::byte> bytes);
std::vector<std::byte> encode_tasks(std::span<const SweepTask> tasks);
std::vector<SweepTask> decode_tasks(std::span<const std::byte> bytes);

}  // namespace freeplay::study
