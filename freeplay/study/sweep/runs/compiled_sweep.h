// The runs of a study as lanes of compiled code (freeplay/compile). What has no compiled form, or was not certified in
// every step, is left to the engine.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/compile/compiled_family.h"
#include "freeplay/compile/device_family.h"
#include "freeplay/io/model/model_family.h"
#include "freeplay/study/dynamics/section.h"
#include "freeplay/study/sweep/points/sweep_points.h"

namespace freeplay::study {

// Where lanes run. kPretendedGpu is the text for a GPU on the processor, for tests.
enum class LaneDevice : std::uint8_t { kProcessor, kGpu, kPretendedGpu };

// What a run has come to: its measures, and where it crosses the section; or why the engine has to do it.
struct LaneResult {
  bool is_done = false;
  std::string left_because;
  std::vector<double> values, crossings;
};

class CompiledSweep {
 public:
  // `family` and `points` must outlive it. Throws CompileError with the reason why something else has to do it.
  CompiledSweep(const ModelFamily& family, const SweepPoints& points, std::vector<MeasureSpec> measures,
                std::vector<std::string> channels, const SectionPlan& section, LaneDevice device);

  // How many runs are best taken together.
  std::size_t at_once() const;
  const CompiledFamily* compiled() const { return compiled_ ? &*compiled_ : nullptr; }
  // The name of the GPU; empty if lanes run on the processor.
  std::string device_name() const { return on_device_ ? on_device_->device_name() : std::string(); }
  // Of each run. Several threads may ask at the same time. Throws IoError if the
  // device fails.
  std::vector<LaneResult> measure(std::span<const std::int64_t> indices, const std::atomic<bool>* stop_requested) const;

 private:
  struct Member;
  using ShouldStop = std::function<bool()>;
  using Results = std::vector<LaneResult>;
  void compile(LaneDevice device);
  std::optional<Member> member(std::int64_t index) const;
  // Members `pack`, all of the same rules.
  void run_pack(std::vector<std::optional<Member>>& members, std::span<const std::size_t> pack,
                const ShouldStop& should_stop, Results& results) const;
  void run_rows(std::vector<std::optional<Member>>& members, std::span<const std::size_t> pack,
                std::vector<LaneData>& lanes, const ShouldStop& should_stop) const;
  std::vector<std::size_t> order_of(std::span<const std::int64_t> indices) const;

  const ModelFamily& family_;
  const SweepPoints& points_;
  std::vector<MeasureSpec> measures_;
  std::vector<std::string> channels_;
  SectionPlan section_;
  bool gives_rows_ = false;  // lanes do not compute the measures and the section themselves
  std::optional<CompiledFamily> compiled_;
  std::optional<DeviceFamily> on_device_;
};

}  // namespace freeplay::study
