// Measures of a run as a dynamical system, which rows alone do not tell: how fast neighbours part (--lyapunov), and
// whether a periodic motion is stable (--orbit). Each takes runs of its own.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "freeplay/io/model/model_file.h"
#include "freeplay/io/sweep/sweep_table.h"
#include "freeplay/model/model.h"

namespace freeplay::study {

class DynamicMeasures {
 public:
  // `lyapunov`: the transient, "" for none; `orbit`: the period, a time or an expression of parameters, "" for no
  // orbit. Throws ModelError.
  DynamicMeasures(const std::optional<std::string>& lyapunov, std::string orbit);

  bool is_empty() const { return !transient_s_ && orbit_.empty(); }
  std::vector<SweepColumn> columns() const;
  // Throws ModelError if the model has no such measures.
  void check(const ModelFile& file, const Model& model) const;

  struct Outcome {
    bool was_stopped = false;
    std::string failure;   // why there is no exponent
    std::string no_orbit;  // why no periodic motion was found: its values are no numbers, the others count
  };
  Outcome measure(const ModelFile& file, const Model& model, const State& start,
                  const std::atomic<bool>* stop_requested, std::span<double> values) const;

 private:
  double period_s(const ModelFile& file, const Model& model) const;
  Outcome measure_exponent(const ModelFile& file, const Model& model, const State& start,
                           const std::atomic<bool>* stop_requested, double& value) const;
  Outcome measure_orbit(const ModelFile& file, const Model& model, const State& start,
                        const std::atomic<bool>* stop_requested, std::span<double> values) const;

  std::optional<double> transient_s_;
  std::string orbit_;
};

}  // namespace freeplay::study
