// What ranks tell each other: those that work send rows, and get the chains to run next; none is the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/study/sweep/workers/worker_pool.h"

namespace freeplay::study {

std::vector<std::byte> encode_rows(std::span<const SweepRow> rows);
std::vector<SweepRow> decode_rows(std::span<const std::byte> bytes);
std::vector<std::byte> encode_tasks(std::span<const SweepTask> tasks);
std::vector<SweepTask> decode_tasks(std::span<const std::byte> bytes);

}  // namespace freeplay::study
