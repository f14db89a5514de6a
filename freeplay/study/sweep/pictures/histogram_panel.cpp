#include "freeplay/study/sweep/pictures/histogram_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "freeplay/core/error.h"
#include "freeplay/math/expressions/expression.h"
#include "freeplay/report/gnuplot/plot_colours.h"

namespace freeplay::study {

namespace {

constexpr std::string_view kBin = "bin(";

// The arguments of "bin(x, low, high, n, k)", as expanded_measures() writes it; none if it is something else.
std::vector<std::string> bin_arguments(const std::string& text) {
  if (!text.starts_with(kBin) || !text.ends_with(')')) return {};
  std::vector<std::string> arguments = {""};
  int depth = 0;
  for (std::size_t i = kBin.size(); i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth < 0) return {};  // bin(...) + bin(...)
    if (depth == 0 && text[i] == ',')
      arguments.emplace_back();
    else if (text[i] != ' ' || !arguments.back().empty())
      arguments.back() += text[i];
  }
  if (arguments.size() < 5) return {};
  return arguments;
}

std::map<std::string, std::string> texts_of_measures(const SweepTable& table) {
  std::map<std::string, std::string> texts;
  const auto found = table.header.attributes.find("study");
  if (found == table.header.attributes.end()) return texts;
  const nlohmann::json study = nlohmann::json::parse(found->second, nullptr, false);
  if (!study.is_object() || !study.contains("measures") || !study["measures"].is_object()) return texts;
  for (const auto& [name, text] : study["measures"].items()) {
    if (text.is_string()) texts[name] = text.get<std::string>();
  }
  return texts;
}

void set_limits(const std::vector<std::string>& arguments, StudyHistogram& histogram) {
  try {
    const Quantity low = parse_quantity(arguments[1]), high = parse_quantity(arguments[2]);
    histogram.low = low.value;
    histogram.high = high.value;
    const Dimension dimension = low.value == 0 ? high.dimension : low.dimension;  // a plain 0 fits every one
    histogram.unit = dimension.si_unit();
  } catch (const ExpressionError&) {
    histogram.of = fmt::format("{}, place from {} to {}", arguments[0], arguments[1], arguments[2]);  // of each run
  }
}

}  // namespace

std::vector<StudyHistogram> histograms_of(const SweepTable& table) {
  const std::map<std::string, std::string> texts = texts_of_measures(table);
  const std::vector<SweepColumn>& measures = table.header.measures;
  std::vector<StudyHistogram> histograms;
  for (std::size_t first = 0; first < measures.size();) {
    const auto arguments_of = [&](std::size_t place) {
      const auto text = texts.find(measures[place].name);
      return text == texts.end() ? std::vector<std::string>() : bin_arguments(text->second);
    };
    const std::vector<std::string> head = arguments_of(first);
    std::size_t end = first + 1;
    if (!head.empty() && head[4] == "1" && measures[first].name.ends_with("_1")) {
      const auto continues = [&](const std::vector<std::string>& next) {
        return next.size() == head.size() && next[0] == head[0] && next[1] == head[1] && next[2] == head[2] &&
               next[3] == head[3] && next[4] == std::to_string(end - first + 1);
      };
      while (end < measures.size() && continues(arguments_of(end))) ++end;
      StudyHistogram made;
      made.name = measures[first].name.substr(0, measures[first].name.size() - 2);
      made.of = head[0];
      made.first = first;
      made.bins = end - first;
      set_limits(head, made);
      if (std::to_string(made.bins) == head[3]) histograms.push_back(std::move(made));
    }
    first = end;
  }
  return histograms;
}

PlotPanel histogram_panel(const SweepTable& table, std::size_t x, const StudyHistogram& histogram) {
  struct Column {
    std::vector<double> shares;
    double runs = 0;
  };
  std::map<double, Column> columns;
  const std::size_t first = table.header.parameters.size() + histogram.first;
  for (const SweepRow& row : table.rows) {
    if (!std::isfinite(row.values[first])) continue;
    Column& column = columns[row.values[x]];
    column.shares.resize(histogram.bins, 0.0);
    for (std::size_t k = 0; k < histogram.bins; ++k) column.shares[k] += row.values[first + k];
    ++column.runs;
  }
  PlotPanel panel;
  panel.x = {table.header.parameters[x].name, table.header.parameters[x].unit, {}, false};
  panel.y = {histogram.of, histogram.unit, {}, false};
  panel.title = histogram.name;
  double most = 0;
  for (const auto& [value, column] : columns) {
    for (const double share : column.shares) most = std::max(most, share / column.runs);
  }
  if (!(most > 0)) return panel;
  panel.colour_key = PlotColourKey{0, most, "1"};
  const double height = (histogram.high - histogram.low) / static_cast<double>(histogram.bins);
  for (auto at = columns.begin(); at != columns.end(); ++at) {
    const double lone = columns.size() == 1 ? 0.5 * (at->first == 0 ? 1 : std::abs(at->first)) : 0;
    const double left = at == columns.begin() ? at->first - lone : (std::prev(at)->first + at->first) / 2;
    const double right = std::next(at) == columns.end() ? at->first + lone : (std::next(at)->first + at->first) / 2;
    for (std::size_t k = 0; k < histogram.bins; ++k) {
      const double low = histogram.low + static_cast<double>(k) * height;
      const double share = at->second.shares[k] / at->second.runs;
      if (share > 0) panel.cells.push_back({left, right, low, low + height, plot_colour(share / most)});
    }
  }
  panel.x_range = ValueRange{columns.begin()->first, columns.rbegin()->first};
  panel.y_range = ValueRange{histogram.low, histogram.high};
  return panel;
}

}  // namespace freeplay::study
