// Ranks by MPI: the one source that knows it, and a library of its own, which the command loads only below mpirun. A
// command that was linked with MPI would load some twenty libraries at every start.
#include <mpi.h>

#include "freeplay/study/sweep/workers/ranks.h"

namespace freeplay::app {

namespace {

constexpr int kTag = 1;

// A call that fails ends all ranks: that is MPI's own default.
class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);  // only the main thread calls MPI
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, std::span<const std::byte> bytes) override {
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, kTag, MPI_COMM_WORLD);
  }

  Message receive() override {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &status);
    return take(status);
  }

  std::optional<Message> try_receive() override {
    MPI_Status status;
    int is_there = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return std::nullopt;
    return take(status);
  }

  void finish() override { MPI_Finalize(); }

 private:
  static Message take(const MPI_Status& status) {
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    Message message{status.MPI_SOURCE, std::vector<std::byte>(static_cast<std::size_t>(bytes))};
    MPI_Recv(message.bytes.data(), bytes, MPI_BYTE, status.MPI_SOURCE, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

  int rank_ = 0, size_ = 1;
};

}  // namespace

extern "C" Ranks* freeplay_open_ranks() {
  static MpiRanks ranks;
  return &ranks;
}

}  // namespace freeplay::app
