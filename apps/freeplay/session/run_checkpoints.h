// Checkpoints of a run that goes on, for `freeplay resume` after a kill: the file `result.checkpoint` beside the
// result.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include "freeplay/io/result/result_writer.h"
#include "freeplay/simulation/checkpoint.h"
#include "freeplay/simulation/simulation.h"

namespace freeplay::app {

inline constexpr double kCheckpointInterval_s = 10;

// How much of a result file lies before a checkpoint.
struct RecordedCounts {
  std::int64_t rows = 0, impacts = 0, events = 0;
};

struct KeptCheckpoint {
  RecordedCounts counts;
  Checkpoint checkpoint;
};

// Throws IoError.
void keep_checkpoint(const std::filesystem::path& result, const RecordedCounts& counts, const Checkpoint& checkpoint);
// Of an earlier run in the same place.
void forget_checkpoint(const std::filesystem::path& result);
// nullopt if there is none, or if it is damaged.
std::optional<KeptCheckpoint> read_kept_checkpoint(const std::filesystem::path& result);

// Passes a run on to its file, and keeps a checkpoint of it every few seconds. A run that ends cleanly has its
// checkpoint in the result, and leaves none beside it.
class CheckpointingSink final : public RecordSink {
 public:
  CheckpointingSink(ResultWriter& writer, std::filesystem::path result, double interval_s);

  // Methods with a past begin anew where a checkpoint is taken (Integrator::save), so that the moments, which depend on
  // the machine, would change their steps: of them no checkpoints are kept.
  void observe(Simulation& simulation, const std::string& integrator);

  void begin(const RecordLayout& layout) override;
  void row(double time_s, std::span<const double> values) override;
  void impact(const ImpactRecord& record) override;
  void contact_forces(std::span<const ContactForce> forces) override { writer_.contact_forces(forces); }
  void event(const EventRecord& record) override;
  void checkpoint(const Checkpoint& checkpoint) override { writer_.checkpoint(checkpoint); }
  void end(const RunSummary& summary) override;

 private:
  using Clock = std::chrono::steady_clock;
  void keep(const Checkpoint& checkpoint);

  ResultWriter& writer_;
  std::filesystem::path result_;
  Clock::duration interval_;
  Clock::time_point next_;
  RecordedCounts counts_;
};

}  // namespace freeplay::app
