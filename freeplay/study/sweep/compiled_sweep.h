// The runs of a study as lanes of compiled code (freeplay/compile). What has no compiled form, or was not certified in
// every step, is left to the engine.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/compile/compiled_family.h"
#include "freeplay/io/model/model_family.h"
#include "freeplay/study/sweep/sweep_points.h"

namespace freeplay::study {

class CompiledSweep {
 public:
  // `family` and `points` must outlive it. Throws CompileError with the reason why the engine has to do it.
  CompiledSweep(const ModelFamily& family, const SweepPoints& points, std::vector<MeasureSpec> measures,
                std::vector<std::string> channels);

  // How many runs are taken together.
  std::size_t at_once() const { return static_cast<std::size_t>(compiled_.width()); }
  const CompiledFamily& compiled() const { return compiled_; }
  // The measures of each run; nullopt where the engine has to do it. No more than at_once() of them. Several threads
  // may ask at the same time.
  std::vector<std::optional<std::vector<double>>> measure(std::span<const std::int64_t> indices,
                                                          const std::atomic<bool>* stop_requested) const;

 private:
  struct Member;
  std::optional<Member> member(std::int64_t index) const;
  static CompiledFamily compile(const ModelFamily& family, const SweepPoints& points,
                                const std::vector<MeasureSpec>& measures, const std::vector<std::string>& channels);

  const ModelFamily& family_;
  const SweepPoints& points_;
  std::vector<MeasureSpec> measures_;
  std::vector<std::string> channels_;
  CompiledFamily compiled_;
};

}  // namespace freeplay::study
