#include "session/run_checkpoints.h"

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "freeplay/core/error.h"
#include "freeplay/io/result/checkpoint.h"
#include "freeplay/report/atomic_file.h"

namespace freeplay::app {

namespace {

constexpr std::int64_t kStepsPerLook = 256;  // at the clock: a checkpoint is a copy of the state

std::filesystem::path checkpoint_file_of(const std::filesystem::path& result) {
  return std::filesystem::path(result).replace_extension(".checkpoint");
}

}  // namespace

void keep_checkpoint(const std::filesystem::path& result, const RecordedCounts& counts, const Checkpoint& checkpoint) {
  const std::array<std::int64_t, 3> numbers = {counts.rows, counts.impacts, counts.events};
  const std::vector<std::byte> record = encode_checkpoint(checkpoint);
  std::string text(sizeof(numbers) + record.size(), '\0');
  std::memcpy(text.data(), numbers.data(), sizeof(numbers));
  std::memcpy(text.data() + sizeof(numbers), record.data(), record.size());
  write_file_atomically(checkpoint_file_of(result), text);
}

void forget_checkpoint(const std::filesystem::path& result) {
  std::error_code ignored;
  std::filesystem::remove(checkpoint_file_of(result), ignored);
}

std::optional<KeptCheckpoint> read_kept_checkpoint(const std::filesystem::path& result) {
  std::ifstream in(checkpoint_file_of(result), std::ios::binary);
  if (!in) return std::nullopt;
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::array<std::int64_t, 3> counts{};
  if (text.size() < sizeof(counts)) return std::nullopt;
  std::memcpy(counts.data(), text.data(), sizeof(counts));
  const auto record = std::as_bytes(std::span(text).subspan(sizeof(counts)));
  try {
    return KeptCheckpoint{{counts[0], counts[1], counts[2]}, decode_checkpoint(record)};
  } catch (const IoError&) {
    return std::nullopt;  // the caller says that there is none to go on from
  }
}

CheckpointingSink::CheckpointingSink(ResultWriter& writer, std::filesystem::path result, double interval_s)
    : writer_(writer),
      result_(std::move(result)),
      interval_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(interval_s))),
      next_(Clock::now() + interval_) {}

void CheckpointingSink::observe(Simulation& simulation, const std::string& integrator) {
  if (integrator.starts_with("cvode")) return;
  simulation.observe_checkpoints(
      kStepsPerLook, [this](const Checkpoint& checkpoint) { keep(checkpoint); },
      [this] { return Clock::now() >= next_; });
}

void CheckpointingSink::keep(const Checkpoint& checkpoint) {
  writer_.flush();  // a checkpoint vouches for the rows up to it
  keep_checkpoint(result_, counts_, checkpoint);
  next_ = Clock::now() + interval_;
}

void CheckpointingSink::begin(const RecordLayout& layout) {
  writer_.begin(layout);
}

void CheckpointingSink::row(double time_s, std::span<const double> values) {
  ++counts_.rows;
  writer_.row(time_s, values);
}

void CheckpointingSink::impact(const ImpactRecord& record) {
  ++counts_.impacts;
  writer_.impact(record);
}

void CheckpointingSink::event(const EventRecord& record) {
  ++counts_.events;
  writer_.event(record);
}

void CheckpointingSink::end(const RunSummary& summary) {
  writer_.end(summary);
  forget_checkpoint(result_);
}

}  // namespace freeplay::app
