// What ranks tell each other: those that work send rows, and get the numbers of the points to run next; none is the
// end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "freeplay/io/sweep/sweep_table.h"

namespace freeplay::study {

std::vector<std::byte> encode_rows(std::span<const SweepRow> rows);
std::vector<SweepRow> decode_rows(std::span<const std::byte> bytes);
std::vector<std::byte> encode_tasks(std::span<const std::int64_t> tasks);
std::vector<std::int64_t> decode_tasks(std::span<const std::byte> bytes);

}  // namespace freeplay::study
