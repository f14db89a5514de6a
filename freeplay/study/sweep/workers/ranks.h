// Processes on several machines that share a study: what freeplay needs of MPI, and no more. The command loads the
// library that has it only if it was started by mpirun.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "freeplay/core/layers.h"

namespace freeplay::study {

class Ranks {
 public:
  struct Message {
    int from = 0;
    std::vector<std::byte> bytes;
  };

  virtual ~Ranks() = default;
  virtual int rank() const = 0;  // 0 gives out the runs and writes the file
  virtual int size() const = 0;
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  virtual Message receive() = 0;  // waits
  virtual std::optional<Message> try_receive() = 0;
  // All have come to an end. Without it, after an error, mpirun ends the others.
  virtual void finish() = 0;
};

// What the library exports, by the name kOpenRanks. Called once; the object lives as long as the process.
using OpenRanks = Ranks*();
inline constexpr const char* kOpenRanks = "freeplay_open_ranks";

}  // namespace freeplay::study
