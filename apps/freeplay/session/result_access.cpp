#include "session/result_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <system_error>

#include "freeplay/core/error.h"
#include "freeplay/io/sweep/sweep_file.h"
#include "freeplay/study/sweep/sweep.h"
#include "session/study_access.h"
#include "session/trial_run.h"
#include "text/error_report.h"

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;

// Both ends of each column, so that the indices of its chunks are read. They have checksums, and what lies between is
// plain numbers, which cannot lead HDF5 astray.
void read_once(const fs::path& path) {
  const ResultReader result(path);
  static_cast<void>(result.geometry_json());
  static_cast<void>(result.checkpoint_record());
  if (result.impact_count() > 0) {
    ImpactRecord impact;
    result.read_impacts(0, {&impact, 1});
    result.read_impacts(result.impact_count() - 1, {&impact, 1});
  }
  if (result.event_count() > 0) {
    EventRecord event;
    result.read_events(0, {&event, 1});
    result.read_events(result.event_count() - 1, {&event, 1});
  }
  if (result.rows() == 0) return;
  double value = 0;
  for (const std::int64_t row : {std::int64_t{0}, result.rows() - 1}) {
    result.read_time(row, {&value, 1});
    for (const auto* channels : {&result.channels(), &result.motion_channels()}) {
      for (const ChannelInfo& channel : *channels) result.read_channel(channel.name, row, {&value, 1});
    }
  }
}

// What is read at once of a file of some size. Of a result that are columns and texts. The table of a study is in
// memory as a whole: of one parameter and one measure 300 bytes a row, which are 38 in the file.
constexpr std::uint64_t kMemoryOfResult = 4, kMemoryOfStudy = 12;

// Of the processor. A small file is read in a hundredth of a second, so that one that never ends is told soon, on a
// busy machine too. Thousands of channels are opened in a second, and a file that has so many of them has some MB.
int seconds_for(std::uint64_t bytes) {
  constexpr std::uint64_t kLeast_s = 2, kMostForChannels_s = 8;
  constexpr std::uint64_t kBytesOfChannelsPerSecond = 1'000'000, kBytesPerSecond = 20'000'000;
  return static_cast<int>(kLeast_s + std::min(bytes / kBytesOfChannelsPerSecond, kMostForChannels_s) +
                          bytes / kBytesPerSecond);
}

void require_trial(const fs::path& file, const char* what, std::uint64_t memory_per_byte,
                   const std::function<void()>& read) {
  std::error_code unknown;
  const std::uintmax_t size = fs::file_size(file, unknown);
  const std::uint64_t bytes = unknown ? 0 : size;
  constexpr std::uint64_t kLeastMemory = std::uint64_t{2} << 30;
  const TrialLimits limits{seconds_for(bytes), kLeastMemory + memory_per_byte * bytes};
  if (survives_trial(read, limits)) return;
  throw IoError(
      fmt::format("cannot read {}: it is damaged in a way that HDF5 cannot cope with; copy it again, or repeat {}",
                  file.string(), what));
}

}  // namespace

fs::path result_file_of(const fs::path& path) {
  return fs::is_directory(path) ? path / kResultFileName : path;
}

std::optional<std::filesystem::path> study_file_of(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path file = std::filesystem::is_directory(path, error) ? path / kSweepFileName : path;
  const bool is_study = file.filename() == kSweepFileName && std::filesystem::exists(file, error);
  return is_study && !std::filesystem::exists(file.parent_path() / kResultFileName, error) ? std::optional(file)
                                                                                           : std::nullopt;
}

void require_readable(const fs::path& result) {
  require_trial(result, "the run", kMemoryOfResult, [&] { read_once(result); });
}

ResultReader open_result(const fs::path& result) {
  require_readable(result);
  return ResultReader(result);
}

void require_readable_study(const fs::path& study) {
  require_trial(study, "the study", kMemoryOfStudy, [&] { static_cast<void>(read_sweep(study)); });
}

SweepTable open_study(const fs::path& study) {
  require_readable_study(study);
  return read_sweep(study);
}

void refuse_output_onto_input(const fs::path& output, const fs::path& input) {
  std::error_code ignored;
  if (!fs::equivalent(output, input, ignored)) return;
  throw UsageError(fmt::format("{} is what is read here, and would be written over", output.string()),
                   "give the output a name of its own");
}

}  // namespace freeplay::app
