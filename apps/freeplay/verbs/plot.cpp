#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "freeplay/math/expressions/expression.h"
#include "freeplay/report/gnuplot/plot_file.h"
#include "freeplay/report/plot/plot_error.h"
#include "freeplay/report/plot/plot_request.h"
#include "freeplay/study/sweep/pictures/statistics_figure.h"
#include "freeplay/study/sweep/pictures/sweep_figure.h"
#include "freeplay/study/sweep/pictures/waterfall.h"
#include "freeplay/study/sweep/sweep.h"
#include "session/result_access.h"
#include "session/study_access.h"
#include "stop_signal.h"
#include "terminal/terminal.h"
#include "text/error_report.h"
#include "text/time_option.h"
#include "verbs/kept_text.h"
#include "verbs/verbs.h"

namespace freeplay::app {

namespace {

namespace fs = std::filesystem;

PlotSize parse_size(const std::string& text) {
  PlotSize size;
  const char *end = text.data() + text.size(), *at = text.data();
  auto read = [&](int& number) {
    const std::from_chars_result result = std::from_chars(at, end, number);
    at = result.ptr;
    return result.ec == std::errc() && number >= 100 && number <= 10000;
  };
  const bool is_width = read(size.width);
  const bool has_height = is_width && at != end && *at == 'x';
  if (has_height) ++at;
  if (!is_width || (has_height && !read(size.height)) || at != end) {
    throw UsageError(fmt::format("--size '{}' is not a size", text),
                     "write --size 800x600, or --size 800 for as high as needed; 100 to 10000 pixels");
  }
  return size;
}

// At commas outside of parentheses.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool is_channel(const ResultReader& result, const std::string& name) {
  const auto& channels = result.channels();
  return std::any_of(channels.begin(), channels.end(),
                     [&](const ChannelInfo& channel) { return channel.name == name; });
}

// Results come first and are what exists on disk; the rest are channels.
struct Words {
  std::vector<NamedResult> results;
  std::vector<std::string> channels;
};

// `word` as a result: a path, or LABEL=PATH; nothing if there is no such file or folder.
std::optional<NamedResult> result_of(const std::string& word) {
  std::error_code error;
  if (fs::exists(word, error)) return NamedResult{result_file_of(word), ""};
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0 || !fs::exists(word.substr(equals + 1), error)) return std::nullopt;
  return NamedResult{result_file_of(word.substr(equals + 1)), word.substr(0, equals)};
}

Words sort_words(const std::vector<std::string>& words) {
  Words sorted;
  sorted.results.push_back(result_of(words.front()).value_or(NamedResult{words.front(), ""}));
  const ResultReader first = open_result(sorted.results.front().path);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::optional<NamedResult> result =
        sorted.channels.empty() && !is_channel(first, word) ? result_of(word) : std::nullopt;
    if (result) {
      require_readable(result->path);
      sorted.results.push_back(*result);
      continue;
    }
    // "a result that is missing" is a better answer than "no such channel".
    if (sorted.channels.empty() && word.ends_with(".h5")) throw IoError(fmt::format("there is no file {}", word));
    if (is_channel(first, word)) {
      sorted.channels.push_back(word);
      continue;
    }
    for (std::string& part : split_list(word)) sorted.channels.push_back(std::move(part));
  }
  return sorted;
}

std::vector<std::pair<std::string, std::string>> pairs_of(const char* option, const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : texts) {
    const std::vector<std::string> pair = split_list(text);
    if (pair.size() != 2)
      throw UsageError(fmt::format("{} '{}' is not of the form X,Y", option, text),
                       fmt::format("write {} slider.y,slider.vy", option));
    pairs.emplace_back(pair[0], pair[1]);
  }
  return pairs;
}

// Planes of two quantities, and what belongs to them.
void ask_for_planes(const PlotArguments& arguments, PlotRequest& request) {
  request.phases = pairs_of("--phase", arguments.phases);
  request.densities = pairs_of("--density", arguments.densities);
  request.sections = pairs_of("--section", arguments.sections);
  request.period = arguments.period;
  if (!request.sections.empty() && request.period.empty())
    throw UsageError("--section needs --period", "write --period 20ms, or an expression such as 2*pi/omega");
  if (request.sections.empty() && !request.period.empty())
    throw UsageError("--period belongs to --section", "add --section X,Y, or leave it out");
}

PlotRequest request_of(const PlotArguments& arguments, std::vector<std::string> channels) {
  PlotRequest request;
  request.channels = std::move(channels);
  ask_for_planes(arguments, request);
  request.spectra = arguments.spectra;
  request.bearings = arguments.bearings;
  request.orbits = arguments.orbits;
  request.gaps = arguments.gaps;
  request.wear = arguments.wear;
  request.bends = arguments.bends;
  request.snapshots = arguments.snapshots;
  if (arguments.deformation && arguments.snapshots.empty())
    throw UsageError("--deformation says how much --snapshots magnifies", "add --snapshots BODY, or leave it out");
  if (arguments.moments && arguments.snapshots.empty() && arguments.bends.empty())
    throw UsageError("--moments says how many curves --bend and --snapshots show", "add one of them, or leave it out");
  request.deformation = arguments.deformation.value_or(request.deformation);
  request.moments = arguments.moments.value_or(request.moments);
  const auto element = [](const std::optional<std::string>& name) { return name == "all" ? "" : name; };
  request.modes = element(arguments.modes);
  request.impacts = element(arguments.impacts);
  request.blows = element(arguments.blows);
  request.forces = element(arguments.forces);
  request.energy = arguments.energy;
  request.steps = arguments.steps;
  request.sheet = arguments.sheet;
  request.against = arguments.against;
  if (!arguments.from.empty()) request.from_s = time_of_option("--from", arguments.from);
  if (!arguments.to.empty()) request.to_s = time_of_option("--to", arguments.to);
  for (const char axis : arguments.log) {
    if (axis != 'x' && axis != 'y')
      throw UsageError(fmt::format("--log '{}' names no axes", arguments.log), "possible: x, y, xy");
    (axis == 'x' ? request.log_x : request.log_y) = true;
  }
  using Panels = PlotRequest::Panels;
  const std::map<std::string, Panels> rules = {
      {"unit", Panels::kPerUnit}, {"channel", Panels::kPerChannel}, {"run", Panels::kPerRun}};
  const auto rule = rules.find(arguments.panels);
  if (rule == rules.end()) throw UsageError::unknown("kind of panels", arguments.panels, {"unit", "channel", "run"});
  request.panels = rule->second;
  request.title = arguments.title;
  return request;
}

PlotFigure figure_of_waterfalls(const SweepTable& table, const PlotRequest& axes, const PlotArguments& arguments) {
  const std::atomic<bool>& stop = stop_on_signals();
  std::vector<Waterfall> waterfalls;
  for (const std::string& channel : arguments.waterfalls)
    waterfalls.push_back(from_kept_text(arguments.model, [&] {
      return make_waterfall(table, {channel, arguments.against, axes.from_s, axes.to_s, arguments.model, 0}, &stop);
    }));
  return waterfall_figure(table, waterfalls, axes.log_x, arguments.title.value_or(""));
}

PlotFigure figure_of_study(const fs::path& study, const PlotArguments& arguments) {
  const std::vector<std::string> words(arguments.words.begin() + 1, arguments.words.end());
  PlotRequest axes = request_of(arguments, {});
  if (!axes.asks_for_nothing())
    throw UsageError("a study has measures and points over parameters, and no channels",
                     "name some of them, and --against PARAMETER for the x axis");
  const SweepTable table = open_study(study);
  if (!arguments.waterfalls.empty()) {
    if (!words.empty()) throw UsageError("--waterfall is a picture of its own", "leave out the measures, or it");
    return figure_of_waterfalls(table, axes, arguments);
  }
  const SweepFigureRequest request{words, arguments.against, axes.log_x, axes.log_y, arguments.title.value_or("")};
  if (std::optional<PlotFigure> figure = make_statistics_figure(table, request)) return *std::move(figure);
  return make_sweep_figure(table, request);
}

void draw(const PlotFigure& figure, const PictureOptions& picture, const fs::path& out) {
  const std::string warnings = write_plot(figure, picture, out);
  if (!warnings.empty()) fmt::print(stderr, "warning: gnuplot says: {}\n", warnings);
  fmt::print("{}\n", printable(out.string()));
}

}  // namespace

ExitCode plot(const PlotArguments& arguments) {
  try {
    PictureOptions picture;
    if (arguments.style != "print" && arguments.style != "screen")
      throw UsageError::unknown("style", arguments.style, {"print", "screen"});
    picture.style = arguments.style == "print" ? PlotStyle::kPrint : PlotStyle::kScreen;
    if (!arguments.size.empty()) picture.size = parse_size(arguments.size);
    if (arguments.out) picture.format = picture_format(*arguments.out);
    if (const std::optional<fs::path> study = study_file_of(arguments.words.front())) {
      const fs::path out = arguments.out.value_or(fs::path(*study).replace_extension(".svg"));
      refuse_output_onto_input(out, *study);
      draw(figure_of_study(*study, arguments), picture, out);
      return ExitCode::kOk;
    }
    if (!arguments.waterfalls.empty())
      throw UsageError("--waterfall shows the runs of a study", "of a single result: --spectrum CHANNEL");
    Words words = sort_words(arguments.words);
    const fs::path out = arguments.out.value_or(fs::path(words.results.front().path).replace_extension(".svg"));
    for (const NamedResult& result : words.results) refuse_output_onto_input(out, result.path);
    const PlotRequest request = request_of(arguments, std::move(words.channels));
    draw(make_figure(request, open_runs(words.results)), picture, out);
  } catch (const PlotError& error) {
    throw UsageError(error.what(), error.hint());
  }
  return ExitCode::kOk;
}

}  // namespace freeplay::app
