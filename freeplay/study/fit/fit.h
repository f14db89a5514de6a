// Calibration: which values of some parameters make the runs of a model agree best with measured histories.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "freeplay/report/plot/plot_figure.h"
#include "freeplay/study/fit/fit_minima.h"
#include "freeplay/study/fit/least_squares.h"

namespace freeplay::study {

// Texts as on the command line.
struct FitPlan {
  std::filesystem::path model, data;
  std::vector<std::string> overrides;   // --set
  std::vector<std::string> parameters;  // "mu", from the model's value on, or "c=0.1mm:2mm" within bounds
  std::vector<std::string> channels;    // columns of the data; none: all
  // So many points are tried, and the search begins at the best of them and at the model's own values; 0: there alone;
  // not given: kStartsPerParameter for each parameter.
  std::optional<int> starts;
  std::uint64_t seed = 0;
  int workers = 0;  // 0: one per core
};

inline constexpr int kStartsPerParameter = 20;

struct FitProgress {
  int descent = 0, iteration = 0;  // from 1
  std::int64_t runs = 0;
  double relative_error = 0;  // of this descent
};

struct FitHooks {
  const std::atomic<bool>* stop_requested = nullptr;
  std::function<void()> begins;  // all is checked, the first run starts
  std::function<void(const FitProgress&)> progress;
  std::function<void()> leave;  // as of SweepHooks
};

struct FittedParameter {
  std::string name, unit;
  double start = 0, value = 0;
  double deviation = 0;                     // standard error
  double low = 0, high = 0;                 // the confidence interval of 95 %
  double lower_bound = 0, upper_bound = 0;  // infinite: none
  bool is_at_bound = false;                 // then it has no interval
  bool is_determined = true;                // false: the data do not tell it
};

struct FittedSeries {
  std::string channel, unit;
  std::vector<double> time_s, data, fitted;
  double rms_before = 0, rms = 0;  // of data - fitted, at the start and at the end
};

struct FitResult {
  std::string model_name;
  LeastSquares::End end = LeastSquares::End::kNoStart;
  std::string message;  // why a run at the start has failed
  std::vector<FittedParameter> parameters;
  MatX correlation;
  std::vector<FittedSeries> series;
  int starts = 0;                  // points that were tried beside the model's own values
  int descents = 0;                // from the best of them
  std::vector<FitMinimum> minima;  // where these have ended, best first, before columns are weighted anew
  int iterations = 0;              // of all descents
  std::int64_t runs = 0, failed_runs = 0;
  int degrees_of_freedom = 0;
  double wall_seconds = 0;

  bool is_converged() const { return end == LeastSquares::End::kConverged; }
  // The search has ended, but where it began as well as anywhere else: the data tell none of the parameters.
  bool is_undetermined() const;
  // The runs meet the data to rounding, and no other values can be better.
  bool is_exact() const;
  // Several descents have ended, and no second one where the best of them did: there may well be a better place.
  bool is_lone_minimum() const;
};

// Throws ModelError and IoError for what is wrong with the model, the data and the parameters. The residuals of a
// column are divided by their own root mean square, found in rounds, so that columns in different units count as
// exactly as they are (iteratively reweighted least squares). Where runs have impacts the sum of squares has many
// minima: descents begin from several starts, the same ones for the same seed, and the answer is the best.
FitResult fit_model(const FitPlan& plan, const FitHooks& hooks);

const char* fit_word(const FitResult& result);             // "converged", "rugged", "local", "undetermined", ...
nlohmann::ordered_json fit_json(const FitResult& result);  // DIR/fit.json
std::string fit_csv(const FitResult& result);              // data, fit and residuals
PlotFigure make_fit_figure(const FitResult& result);       // per column the data and the fit, and the residuals

}  // namespace freeplay::study
