// The checkpoint of a result file: what a run has left at its end, to go on from.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "freeplay/io/result/result_reader.h"
#include "freeplay/simulation/checkpoint.h"

namespace freeplay::io {

// Throws IoError if there is none (the run goes on, was killed, or never started), if it is damaged, or if another
// version wrote it.
Checkpoint read_checkpoint(const ResultReader& result);

// The record in the file: a mark, a version, a length, a checksum, then all fields. Numbers keep their bits.
std::vector<std::byte> encode_checkpoint(const Checkpoint& checkpoint);
// Throws IoError with the reason.
Checkpoint decode_checkpoint(std::span<const std::byte> record);

}  // namespace freeplay::io
