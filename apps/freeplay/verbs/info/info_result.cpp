#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "terminal/json_output.h"
#include "terminal/readable.h"
#include "terminal/text_table.h"
#include "text/channel_text.h"
#include "text/event_report.h"
#include "text/findings_text.h"
#include "text/report.h"
#include "verbs/info/info.h"

namespace freeplay::app {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kShownBlows = 8, kBlowsInJson = 1000;

struct TimeSpan {
  double first_s = 0, last_s = 0;
};

TimeSpan time_span(const ResultReader& result) {
  TimeSpan span;
  if (result.rows() == 0) return span;
  result.read_time(0, {&span.first_s, 1});
  result.read_time(result.rows() - 1, {&span.last_s, 1});
  return span;
}

std::string attribute(const ResultReader& result, const std::string& name) {
  const auto found = result.attributes().find(name);
  return found == result.attributes().end() ? "" : printable(found->second);
}

void print_text(const ResultReader& result) {
  const Painter paint(stdout);
  const TimeSpan span = time_span(result);
  const bool is_whole = result.summary() && result.summary()->status == RunStatus::kCompleted;
  fmt::print("{}  {}\n", paint.bold(attribute(result, "name")),
             is_whole ? paint.green("completed") : paint.yellow(result.status()));
  if (!attribute(result, "reference").empty()) fmt::print("{}\n", paint.dim(attribute(result, "reference")));

  TextTable table("ll");
  const auto row = [&](const char* label, std::string value) { table.add({paint.dim(label), std::move(value)}); };
  row("file", printable(result.path().string()));
  row("model", attribute(result, "model_file"));
  if (attribute(result, "overrides") != "[]") row("overrides", attribute(result, "overrides"));
  row("integrator", attribute(result, "integrator"));
  row("version", "freeplay " + attribute(result, "version"));
  row("rows", grouped(result.rows()));
  row("time", fmt::format("{} to {} s", short_number(span.first_s), short_number(span.last_s)));
  row("impacts", grouped(result.impact_count()));
  const bool has_events = locates_events(attribute(result, "integrator"));
  const EventReport events = event_report(result);
  if (has_events) {
    const std::string instants =
        result.summary() ? fmt::format(", at {}", counted(result.summary()->events, "located instant")) : "";
    row("events", grouped(events.total) + instants);
  }
  if (const std::optional<RunSummary>& summary = result.summary()) {
    if (!summary->message.empty()) row("message", printable(summary->message));
    for (const MeasuredValue& measure : summary->measures)
      row(printable(measure.name).c_str(), measure_number(measure) + " " + measure_unit(measure));
    row("steps", fmt::format("{}, {} rejected", grouped(summary->steps), grouped(summary->rejected_steps)));
    row("worst residual", app::with_unit(summary->worst_residual_m_s, "m/s"));
    if (has_events) row("acceleration residual", fmt::format("{:.3g} m/s^2", summary->worst_residual_m_s2));
    row("position residual", app::with_unit(summary->worst_position_residual_m, "m"));
    row("largest penetration", app::with_unit(summary->max_penetration_m, "m"));
    row("energy drift", fmt::format("{}, largest {}", app::with_unit(summary->energy_drift_J, "J"),
                                    app::with_unit(summary->max_energy_drift_J, "J")));
    row("wall time", app::with_unit(summary->wall_seconds, "s"));
  } else {
    row("summary", "none: the run is still going on, or it was killed; the rows up to the last flush are here");
  }
  fmt::print("{}\n", table.text());
  const RunFindings findings = find_out(result);
  if (const std::string text = findings_text(findings, paint); !text.empty())
    fmt::print("{}\n{}\n", paint.bold("What it comes to"), text);
  if (const std::string text = blow_table(findings.blows, kShownBlows, paint); !text.empty())
    fmt::print("{}\n{}\n", paint.bold("Hardest blows"), text);
  if (result.summary()) {
    for (const std::string& warning : result.summary()->warnings)
      fmt::print("{}\n", message_text(stdout, paint.yellow("warning:"), printable(warning)));
  }
  if (events.total > 0) fmt::print("{}\n", text_of(events, paint));
  fmt::print("{}\n", paint.bold("Channels"));
  const int width = terminal_width(stdout);
  std::vector<ChannelInfo> channels = result.channels();
  for (ChannelInfo& channel : channels) channel = {printable(channel.name), printable(channel.unit)};
  fmt::print("{}", channel_list(channels, width, paint));
}

void print_json_text(const ResultReader& result) {
  const TimeSpan span = time_span(result);
  const EventReport events = event_report(result);
  Json attributes = Json::object(), channels = Json::array();
  for (const auto& [name, text] : result.attributes()) attributes[name] = text;
  for (const ChannelInfo& channel : result.channels())
    channels.push_back({{"name", channel.name}, {"unit", channel.unit}});
  Json json = {{"kind", "result"},
               {"file", result.path().string()},
               {"status", result.status()},
               {"rows", result.rows()},
               {"time_first", span.first_s},
               {"time_last", span.last_s},
               {"impacts", result.impact_count()},
               {"events", events.total},
               {"event_counts", counts_json(events)},
               {"first_events", events_json(events.first)},
               {"last_events", events_json(events.last)},
               {"contacts", result.contacts()},
               {"channels", std::move(channels)},
               {"attributes", std::move(attributes)},
               {"summary", nullptr}};
  if (const std::optional<RunSummary>& summary = result.summary()) {
    json["summary"] = summary_json(*summary);
    json["warnings"] = summary->warnings;
  }
  json["findings"] = findings_json(find_out(result), kBlowsInJson);
  print_json(json);
}

}  // namespace

void print_result_info(const ResultReader& result, bool json) {
  if (json)
    print_json_text(result);
  else
    print_text(result);
}

}  // namespace freeplay::app
