// Runs of a model with given values of the parameters that are fitted, at the times of the data.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/io/model/model_family.h"
#include "freeplay/math/types.h"
#include "freeplay/study/fit/fit_data.h"
#include "freeplay/study/sweep/points/sweep_axis.h"

namespace freeplay::study {

class FitRuns {
 public:
  // Throws ModelError for parameters that the model does not have, and for data beyond the end of its run.
  FitRuns(const ModelFamily& family, const FitData& data, std::vector<SweepAxis> parameters);

  struct Outcome {
    std::vector<std::vector<double>>
        values;           // of the channel of each series, at its times; empty if the run has failed
    std::string failure;  // why
    bool was_stopped = false;
  };
  // Any thread. Between two rows along a straight line; where the integrator chooses its steps they end at the times of
  // the data, or are short against their distances.
  Outcome run(const VecX& point, const std::atomic<bool>* stop_requested) const;

 private:
  void choose_steps();

  const ModelFamily& family_;
  const FitData& data_;
  std::vector<SweepAxis> parameters_;
  std::optional<double> step_s_;
};

}  // namespace freeplay::study
