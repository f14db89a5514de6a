#include "text/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numbers>

#include "terminal/json_output.h"
#include "terminal/readable.h"
#include "terminal/terminal.h"
#include "terminal/text_table.h"
#include "text/event_report.h"
#include "text/findings_text.h"

namespace freeplay::app {

ExitCode exit_code_of(const RunSummary& summary) {
  switch (summary.status) {
    case RunStatus::kCompleted:
      return ExitCode::kOk;
    case RunStatus::kInterrupted:
      return ExitCode::kInterrupted;
    case RunStatus::kFailed:
      break;
  }
  return summary.failure == StepStatus::kStepTooSmall ? ExitCode::kLimitHit : ExitCode::kSolverGaveUp;
}

ExitCode exit_code_of(const RunReport& report) {
  const bool counts = report.is_strict && !report.warnings.empty();
  return counts && report.summary.status == RunStatus::kCompleted ? ExitCode::kLimitHit : exit_code_of(report.summary);
}

std::string cure_of(StepStatus failure) {
  switch (failure) {
    case StepStatus::kNotFinite:
      return "look for an expression that divides by zero, or for a force that grows without bound; where velocities "
             "grow from step to step, take a smaller step";
    case StepStatus::kInconsistentRows:
      return "two drivers work against each other, or the mechanism is in a dead point; `freeplay info` shows its rows";
    case StepStatus::kProjectionFailed:
      return "the mechanism may have reached a position in which it cannot be closed; a smaller step or tolerance "
             "brings the run closer to it";
    case StepStatus::kStepTooSmall:
      return "no step is small enough: a driven loop may have reached a position that it cannot pass, or a force "
             "grows without bound; otherwise lower simulate.min_step or raise simulate.tolerance";
    case StepStatus::kSolverFailed:
      return "no solver found a solution to the tolerance. With much friction there may be none: rigid parts can jam; "
             "less friction or another angle of contact shows whether they do. Otherwise try a smaller step, or "
             "`solver: auto` if you chose another one";
    case StepStatus::kGapProjectionFailed:
      return "give simulate.projection a larger threshold, take a smaller step, or leave the projection out";
    case StepStatus::kCorrectionFailed:
      return "take a smaller 'max_step' and 'min_step', or 'constraint: disc' where parts are round";
    case StepStatus::kVelocityTermsFailed:
      return "a smaller step makes the implicit velocity terms easier";
    case StepStatus::kImplicitForcesFailed:
      return "a smaller step makes the implicit forces easier; a force that jumps with the position or the velocity "
             "may have no solution, and neither may friction by load in a smooth integrator where it jams its joint: "
             "'integrator: moreau-midpoint' with a step takes that";
    case StepStatus::kImpactGainsEnergy:
      return "use 'tangential_law: safe' or 'glocker', or 'impact_energy: limit', or 'warn' to go on with the law as "
             "it "
             "is";
    case StepStatus::kEventsTooDense:
      return "contacts open and close without end; a larger 'rest_speed' lets them come to rest, and 'integrator: "
             "moreau-midpoint' with a step does not locate events";
    case StepStatus::kUnstable:
      return "take the step that is named, or 'integrator: moreau-jean', which is stable for stiff springs and dampers";
    case StepStatus::kOk:
      break;
  }
  return {};
}

std::string measure_number(const MeasuredValue& measure) {
  return fmt::format("{:.6g}", measure.value);
}

std::string measure_unit(const MeasuredValue& measure) {
  return measure.unit == "1" ? "" : printable(measure.unit);
}

namespace {

std::string size_text(const std::filesystem::path& path) {
  std::error_code error;
  const double bytes = static_cast<double>(std::filesystem::file_size(path, error));
  if (error) return {};
  if (bytes < 1e6) return fmt::format("{:.0f} kB", std::ceil(bytes / 1e3));
  return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.2f} GB", bytes / 1e9);
}

std::string painted_status(RunStatus status, const Painter& paint) {
  const std::string_view word = name_of(status);
  if (status == RunStatus::kCompleted) return paint.green(word);
  return status == RunStatus::kFailed ? paint.red(word) : paint.yellow(word);
}

// A model may have hundreds of contacts: the largest of them.
void print_peaks(std::vector<PeakForce> peaks, const Painter& paint) {
  constexpr std::size_t kMost = 12;
  if (peaks.empty()) return;
  const std::size_t count = peaks.size();
  if (count > kMost) {
    std::stable_sort(peaks.begin(), peaks.end(),
                     [](const PeakForce& a, const PeakForce& b) { return a.value > b.value; });
    peaks.resize(kMost);
  }
  TextTable table("lrll");
  for (const PeakForce& peak : peaks) {
    const bool is_mean = peak.window_s > 0;
    const std::string mean = is_mean ? fmt::format("mean of {}, impulse {}", app::with_unit(peak.window_s, "s"),
                                                   app::with_unit(peak.impulse(), peak.unit + " s"))
                                     : std::string("at a row");
    table.add({paint.dim(printable(peak.name)), fmt::format("{:.5g}", peak.value), peak.unit,
               paint.dim(fmt::format("{}, t = {}", mean, time_with_unit(peak.time_s)))});
  }
  fmt::print("{}\n{}", paint.dim("  peak forces"), table.text(4, 1));
  if (count > kMost) fmt::print("{}\n", paint.dim(fmt::format("    and {} more, smaller ones", count - kMost)));
}

void print_wear(const std::vector<SurfaceWear>& wear, const Painter& paint) {
  if (wear.empty()) return;
  TextTable table("lrlrl");
  for (const SurfaceWear& surface : wear) {
    const bool has_depth = !surface.unit.empty();
    constexpr double kDegrees = 180 / std::numbers::pi;
    const bool is_round = surface.unit == "rad";
    const std::string place = is_round ? fmt::format("m deep at {:.4g} deg", kDegrees * surface.max_at)
                                       : fmt::format("m deep at {:.4g} m", surface.max_at);
    table.add({paint.dim(printable(surface.name())), fmt::format("{:.5g}", surface.volume_m3), "m^3",
               has_depth ? fmt::format("{:.5g}", surface.max_depth_m) : "", has_depth ? paint.dim(place) : ""});
  }
  fmt::print("{}\n{}", paint.dim("  wear"), table.text(4, 1));
}

// The cells are in the result file.
nlohmann::ordered_json wear_json(const std::vector<SurfaceWear>& wear) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SurfaceWear& surface : wear) {
    nlohmann::ordered_json entry = {
        {"contact", surface.contact}, {"surface", surface.surface}, {"volume", surface.volume_m3}};
    if (!surface.unit.empty()) {
      entry["max_depth"] = surface.max_depth_m;
      entry["max_at"] = surface.max_at;
      entry["unit"] = surface.unit;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

nlohmann::ordered_json peaks_json(const std::vector<PeakForce>& peaks) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PeakForce& peak : peaks) {
    list.push_back({{"name", peak.name},
                    {"value", peak.value},
                    {"unit", peak.unit},
                    {"window", peak.window_s},
                    {"impulse", peak.impulse()},
                    {"time", peak.time_s}});
  }
  return list;
}

// What a run has to say of itself, row by row.
class SummaryTable {
 public:
  explicit SummaryTable(const Painter& paint) : paint_(paint) {}

  void add_steps(const RunSummary& s) {
    row("simulated time", short_number(s.time_s), "s");
    for (const MeasuredValue& measure : s.measures)
      row(printable(measure.name).c_str(), measure_number(measure), measure_unit(measure));
    row("steps", grouped(s.steps), paint_.dim(fmt::format("and {} rejected", grouped(s.rejected_steps))));
    row("evaluations", grouped(s.evaluations));
    if (s.contacts_begun == 0) return;
    row("contact starts", grouped(s.contacts_begun));
    row("refused for them", grouped(s.rejected_by_contact), "steps");
    if (s.interpolated_starts > 0) row("interpolated starts", grouped(s.interpolated_starts));
    if (s.deep_starts > 0) row("starts too deep", grouped(s.deep_starts), paint_.dim("at the smallest step"));
    scaled_row("initial penetration", s.largest_initial_penetration_m, "m", ", largest");
    scaled_row("injected by it", s.injected_energy_J, "J");
    scaled_row("unexplained beside", s.energy_drift_J - s.injected_energy_J, "J");
  }

  void add_contacts(const RunSummary& s, bool has_events) {
    row("impacts", grouped(s.impacts));
    if (has_events) row("events", grouped(s.events), paint_.dim("instants located"));
    if (s.handed_over_steps > 0) row("by time stepping", grouped(s.handed_over_steps), "steps");
    if (s.fallback_steps > 0) row("handed to fallback", grouped(s.fallback_steps), "steps");
    if (s.divided_steps > 0) row("pieces of steps", grouped(s.divided_steps), "so that no part flies through another");
    if (s.lowered_restitution_steps > 0) row("restitution lowered", grouped(s.lowered_restitution_steps), "steps");
    if (s.kept_gap_steps > 0) row("gaps kept open", grouped(s.kept_gap_steps), "steps");
    if (s.gaining_impacts > 0)
      row("impacts with gain", grouped(s.gaining_impacts),
          fmt::format("{:.3g} J in all, before any limit", s.impact_gain_J));
    scaled_row("worst residual", s.worst_residual_m_s, "m/s");
    if (has_events) row("acceleration residual", fmt::format("{:.3g}", s.worst_residual_m_s2), "m/s^2");
    scaled_row("position residual", s.worst_position_residual_m, "m");
    scaled_row("largest penetration", s.max_penetration_m, "m");
  }

  void add_energies(const RunSummary& s) {
    row("energy, initial", short_number(s.energy_initial_J), "J");
    row("energy, final", short_number(s.energy_final_J), "J");
    const auto if_any = [&](const char* label, double value) {
      if (value != 0) row(label, fmt::format("{:.6g}", value), "J");
    };
    if_any("energy put in", s.account.input);
    if_any("lost in impacts", s.account.impact_loss);
    if_any("lost by friction", s.account.friction_loss);
    if_any("lost in dampers", s.account.damping_loss);
    const std::string largest = "  " + paint_.dim("largest " + app::with_unit(s.max_energy_drift_J, "J"));
    scaled_row("energy drift", s.energy_drift_J, "J", largest.c_str());
  }

  void add_speed(const RunSummary& s) {
    scaled_row("wall time", s.wall_seconds, "s");
    constexpr double kSlow = 10;  // a whole number would say little
    const double speed = s.steps_per_second();
    row("speed", speed < kSlow ? fmt::format("{:.2g}", speed) : grouped(std::llround(speed)), "steps/s");
    row("rows", grouped(s.rows));
  }

  std::string text() const { return table_.text(2, 1); }

 private:
  void row(const char* label, std::string value, std::string unit = {}) {
    table_.add({paint_.dim(label), std::move(value), std::move(unit)});
  }
  void scaled_row(const char* label, double value, const char* si_unit, const char* more = "") {
    const std::string text = app::with_unit(value, si_unit);
    const std::size_t blank = text.find(' ');
    row(label, text.substr(0, blank), text.substr(std::min(text.size(), blank + 1)) + more);
  }

  const Painter& paint_;
  TextTable table_{"lrl"};
};

}  // namespace

void print_table(const RunReport& report) {
  const RunSummary& s = report.summary;
  const Painter paint(stdout);
  SummaryTable table(paint);
  table.add_steps(s);
  table.add_contacts(s, locates_events(report.integrator));
  table.add_energies(s);
  table.add_speed(s);
  fmt::print("{}  {}  {}\n", paint.bold(printable(report.model)), painted_status(s.status, paint),
             paint.dim(report.integrator));
  fmt::print("{}", table.text());
  print_peaks(s.peak_forces, paint);
  print_wear(s.wear, paint);
  for (const std::string& note : report.notes) fmt::print("{}\n", message_text(stdout, paint.cyan("note:"), note));
  if (report.findings) fmt::print("{}", findings_text(*report.findings, paint));
  fmt::print("{}  {}\n", printable(report.result.string()), paint.dim(size_text(report.result)));
  if (s.rows > 0) fmt::print("{}", next_commands(report.result, paint));
}

nlohmann::ordered_json summary_json(const RunSummary& summary) {
  nlohmann::ordered_json measures = nlohmann::ordered_json::object();
  for (const MeasuredValue& measure : summary.measures) measures[measure.name] = measure.value;
  return {{"status", name_of(summary.status)},
          {"message", summary.message},
          {"time", summary.time_s},
          {"steps", summary.steps},
          {"rejected_steps", summary.rejected_steps},
          {"divided_steps", summary.divided_steps},
          {"evaluations", summary.evaluations},
          {"rows", summary.rows},
          {"impacts", summary.impacts},
          {"events", summary.events},
          {"handed_over_steps", summary.handed_over_steps},
          {"fallback_steps", summary.fallback_steps},
          {"lowered_restitution_steps", summary.lowered_restitution_steps},
          {"kept_gap_steps", summary.kept_gap_steps},
          {"gaining_impacts", summary.gaining_impacts},
          {"impact_gain", summary.impact_gain_J},
          {"contact_starts", summary.contacts_begun},
          {"rejected_by_contact", summary.rejected_by_contact},
          {"rejected_by_error", summary.rejected_steps - summary.rejected_by_contact},
          {"interpolated_starts", summary.interpolated_starts},
          {"deep_starts", summary.deep_starts},
          {"largest_initial_penetration", summary.largest_initial_penetration_m},
          {"injected_energy", summary.injected_energy_J},
          {"energy_residual", summary.energy_drift_J - summary.injected_energy_J},
          {"max_penetration", summary.max_penetration_m},
          {"worst_residual", summary.worst_residual_m_s},
          {"worst_acceleration_residual", summary.worst_residual_m_s2},
          {"position_residual", summary.worst_position_residual_m},
          {"energy_initial", summary.energy_initial_J},
          {"energy_final", summary.energy_final_J},
          {"energy_input", summary.account.input},
          {"impact_loss", summary.account.impact_loss},
          {"friction_loss", summary.account.friction_loss},
          {"damping_loss", summary.account.damping_loss},
          {"energy_drift", summary.energy_drift_J},
          {"max_energy_drift", summary.max_energy_drift_J},
          {"wall_seconds", summary.wall_seconds},
          {"steps_per_second", summary.steps_per_second()},
          {"peak_forces", peaks_json(summary.peak_forces)},
          {"wear", wear_json(summary.wear)},
          {"measures", std::move(measures)}};
}

void print_json(const RunReport& report) {
  nlohmann::ordered_json json = summary_json(report.summary);
  for (const MeasuredValue& measure : report.summary.measures) {
    if (!json.contains(measure.name)) json[measure.name] = measure.value;
  }
  json["exit_code"] = static_cast<int>(exit_code_of(report));
  json["model"] = report.model;
  json["integrator"] = report.integrator;
  json["result"] = report.result.string();
  if (report.problems) {
    json["problems_written"] = report.problems->written;
    json["problems_left_out"] = report.problems->left_out;
  }
  json["notes"] = report.notes;
  json["warnings"] = report.warnings;
  constexpr std::size_t kMostBlows = 20;
  if (report.findings) json["findings"] = findings_json(*report.findings, kMostBlows);
  print_json(json);
}

}  // namespace freeplay::app
