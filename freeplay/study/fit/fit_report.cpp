// What a calibration has found, for files and pictures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "freeplay/study/fit/fit.h"

namespace freeplay::study {

namespace {

nlohmann::ordered_json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

// Shortest texts that give back the same bits.
std::string fit_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "nan";
}

}  // namespace

bool FitResult::is_undetermined() const {
  const bool has_ended = is_converged() || end == LeastSquares::End::kRugged;
  return has_ended && std::none_of(parameters.begin(), parameters.end(), [](const FittedParameter& parameter) {
           return parameter.is_determined || parameter.is_at_bound;
         });
}

bool FitResult::is_exact() const {
  return !minima.empty() && minima.front().relative_error <= kExactFit;
}

bool FitResult::is_lone_minimum() const {
  return descents > 1 && !minima.empty() && minima.front().descents == 1 && !is_exact();
}

const char* fit_word(const FitResult& result) {
  if (result.is_undetermined()) return "undetermined";
  if (result.end == LeastSquares::End::kRugged && result.is_exact()) return "converged";
  if (result.is_converged() && result.is_lone_minimum()) return "local";
  switch (result.end) {
    case LeastSquares::End::kConverged:
      return "converged";
    case LeastSquares::End::kTooManyIterations:
      return "too many iterations";
    case LeastSquares::End::kRugged:
      return "rugged";
    case LeastSquares::End::kNoStart:
      return "no start";
    case LeastSquares::End::kNoDerivative:
      return "no derivative";
    case LeastSquares::End::kStopped:
      return "interrupted";
  }
  return "";
}

nlohmann::ordered_json fit_json(const FitResult& result) {
  nlohmann::ordered_json object;
  object["status"] = fit_word(result);
  if (!result.message.empty()) object["message"] = result.message;
  object["starts"] = result.starts;
  object["descents"] = result.descents;
  object["minima"] = nlohmann::ordered_json::array();
  for (const FitMinimum& minimum : result.minima) {
    nlohmann::ordered_json place = {{"relative_error", minimum.relative_error}, {"descents", minimum.descents}};
    for (std::size_t k = 0; k < result.parameters.size(); ++k)
      place["parameters"][result.parameters[k].name] = minimum.point[static_cast<Eigen::Index>(k)];
    object["minima"].push_back(std::move(place));
  }
  object["iterations"] = result.iterations;
  object["runs"] = result.runs;
  object["failed_runs"] = result.failed_runs;
  object["degrees_of_freedom"] = result.degrees_of_freedom;
  object["wall_seconds"] = result.wall_seconds;
  for (const FittedParameter& parameter : result.parameters) {
    object["parameters"][parameter.name] = {{"value", parameter.value},
                                            {"unit", parameter.unit},
                                            {"deviation", finite_or_null(parameter.deviation)},
                                            {"low", finite_or_null(parameter.low)},
                                            {"high", finite_or_null(parameter.high)},
                                            {"start", parameter.start},
                                            {"lower_bound", finite_or_null(parameter.lower_bound)},
                                            {"upper_bound", finite_or_null(parameter.upper_bound)},
                                            {"is_at_bound", parameter.is_at_bound},
                                            {"is_determined", parameter.is_determined}};
  }
  for (Eigen::Index i = 0; i < result.correlation.rows(); ++i) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (Eigen::Index j = 0; j < result.correlation.cols(); ++j) row.push_back(result.correlation(i, j));
    object["correlation"].push_back(std::move(row));
  }
  for (const FittedSeries& series : result.series) {
    object["channels"][series.channel] = {{"unit", series.unit},
                                          {"values", series.data.size()},
                                          {"rms_before", finite_or_null(series.rms_before)},
                                          {"rms", finite_or_null(series.rms)}};
  }
  return object;
}

std::string fit_csv(const FitResult& result) {
  std::string text = "time";
  std::map<double, std::vector<std::string>> lines;  // by time; columns that have no value there stay nan
  for (const FittedSeries& series : result.series) text += fmt::format(",{0},{0}.fit,{0}.residual", series.channel);
  for (std::size_t s = 0; s < result.series.size(); ++s) {
    const FittedSeries& series = result.series[s];
    for (std::size_t i = 0; i < series.data.size(); ++i) {
      std::vector<std::string>& cells = lines[series.time_s[i]];
      cells.resize(3 * result.series.size(), "nan");
      cells[3 * s] = fit_number(series.data[i]);
      cells[3 * s + 1] = fit_number(series.fitted[i]);
      cells[3 * s + 2] = fit_number(series.data[i] - series.fitted[i]);
    }
  }
  text += '\n';
  for (const auto& [time_s, cells] : lines) text += fmt::format("{},{}\n", time_s, fmt::join(cells, ","));
  return text;
}

PlotFigure make_fit_figure(const FitResult& result) {
  PlotFigure figure;
  figure.title = result.model_name;
  for (const FittedParameter& parameter : result.parameters) {
    const std::string unit = parameter.unit == "1" ? "" : " " + parameter.unit;
    const double half = 0.5 * (parameter.high - parameter.low);
    figure.subtitle += fmt::format("{}{} = {:.5g}{}{}", figure.subtitle.empty() ? "" : "; ", parameter.name,
                                   parameter.value, std::isfinite(half) ? fmt::format(" ± {:.2g}", half) : "", unit);
  }
  for (const FittedSeries& series : result.series) {
    PlotPanel panel, below;
    panel.x = below.x = {"time", "s", {}, false};
    panel.y = {series.channel, series.unit, {}, false};
    below.y = {"data - fit", series.unit, {}, false};
    PlotCurve data, fit, residual;
    data.name = "data";
    data.mark = residual.mark = Mark::kPoint;
    fit.name = "fit";
    fit.look = 1;
    residual.name = "residuals";
    for (std::size_t i = 0; i < series.data.size(); ++i) {
      data.points.push_back({series.time_s[i], series.data[i]});
      fit.points.push_back({series.time_s[i], series.fitted[i]});
      residual.points.push_back({series.time_s[i], series.data[i] - series.fitted[i]});
    }
    panel.curves = {std::move(data), std::move(fit)};
    below.curves = {std::move(residual)};
    figure.panels.push_back(std::move(panel));
    figure.panels.push_back(std::move(below));
  }
  return figure;
}

}  // namespace freeplay::study
