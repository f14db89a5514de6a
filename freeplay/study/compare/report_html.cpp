#include "freeplay/study/compare/report_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "freeplay/core/version.h"
#include "freeplay/report/draw/line_chart.h"
#include "freeplay/report/markup_text.h"
#include "freeplay/study/compare/live_curves.h"
#include "freeplay/study/compare/overview_html.h"
#include "freeplay/study/compare/report_text.h"

namespace freeplay::study {

namespace {

constexpr const char* kStyle = R"(
:root { --paper: #fff; --ink: #1b1b1b; --soft: #666; --line: #e2e2e2; --panel: #f6f6f4; --shade: #00000010; --good: #00724f; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --paper: #15171a; --ink: #ececec; --soft: #9aa0a6; --line: #30343a; --panel: #1d2024; --shade: #ffffff14; --good: #4fd1a5; --bad: #ff8a80; } }
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1100px; padding: 24px; overflow-wrap: anywhere; }
h1 { font-size: 1.5em; margin: 0 0 4px; } h2 { font-size: 1.15em; margin: 36px 0 8px; }
.sub, .small { color: var(--soft); font-size: .88em; }
.headline { background: var(--panel); border-left: 4px solid var(--c1); padding: 12px 16px; margin: 16px 0; }
table { border-collapse: collapse; font-size: .88em; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } th, td { padding: 3px 10px 3px 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 500; vertical-align: bottom; } th.name, td.name { text-align: left; } th.run { white-space: normal; max-width: 10em; }
td.wide { text-align: left; white-space: normal; }
.good { color: var(--good); } .bad { color: var(--bad); }
.one { max-width: 640px; } details { margin: 8px 0; } summary { cursor: pointer; color: var(--soft); font-size: .88em; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(480px, 1fr)); gap: 12px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 8px 0; font-size: .88em; } .legend svg { width: 36px; height: 10px; margin-right: 6px; }
ul.tests { margin: 4px 0 12px; padding-left: 20px; font-size: .88em; } ul.tests li { margin: 2px 0; }
@media (max-width: 560px) { .charts { grid-template-columns: 1fr; } }
)";

std::string number_or_dash(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? fmt::format("{:.5g}", *value) : "&ndash;";
}
std::string percent(double relative) {
  return relative == 0 ? "0 %" : fmt::format("{:.2g} %", 100 * relative);
}
std::string paragraph(const std::string& text) {
  return "<p>" + markup_text(text) + "</p>\n";
}

class Page {
 public:
  Page(const Comparison& comparison, const std::optional<MovingPage>& moving, std::string_view script)
      : c_(comparison), moving_(moving), script_(script) {}

  std::string text() {
    out_ =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n";
    out_ += "<title>" + markup_text(c_.model) + ": comparison</title>\n<style>" + line_chart_style() + kStyle +
            "</style></head><body>\n";
    out_ += "<h1>" + markup_text(c_.model) + "</h1>\n";
    out_ += fmt::format("<div class=\"sub\">comparison of {} formulations of {}{} &middot; freeplay {}</div>\n",
                        c_.runs.size(), markup_text(c_.plan.model.filename().string()),
                        c_.was_interrupted ? " &middot; <b class=\"bad\">interrupted</b>" : "", version());
    out_ += overview_html(c_);
    if (const auto first = c_.first_parting())
      out_ += "<p class=\"small\">" + markup_text(first->report->finding.sentence) + "</p>\n";
    if (moving_) link();
    if (c_.reference) curves();
    runs();
    if (c_.reference) {
      partings();
      twin();
      quantities();
    }
    bring_to_life();
    return out_ + "</body></html>\n";
  }

 private:
  const StudyRun& reference() const { return c_.runs[*c_.reference]; }

  // The address of the page of two runs may name the moment at which it opens.
  void link() {
    const std::string moment = moving_->parts_s ? fmt::format("#t={:.9g}", *moving_->parts_s) : "";
    out_ += fmt::format(
        "<p><a href=\"{}{}\">See {} and {} move over each other</a>, with their curves and the difference of the "
        "two{}.</p>\n",
        markup_text(moving_->file), moment, markup_text(moving_->first), markup_text(moving_->second),
        moving_->parts_s ? ", at the moment at which they part" : "");
  }

  void runs() {
    out_ +=
        "<h2>Formulations and what they cost</h2>\n<div class=\"scroll\"><table><tr><th class=\"name\">formulation</th>"
        "<th class=\"name\">outcome</th><th>wall time [s]</th><th>steps</th><th>rejected</th><th>evaluations</th>"
        "<th>solver iterations</th><th>steps/s</th><th>impact records</th></tr>\n";
    for (std::size_t i = 0; i < c_.runs.size(); ++i) {
      const StudyRun& run = c_.runs[i];
      const RunSummary& s = run.summary;
      const bool is_good = run.end == StudyRun::End::kCompleted;
      out_ += fmt::format("<tr><td class=\"name\">{}{}</td><td class=\"name {}\">{}</td>", markup_text(run.label),
                          c_.reference == i ? " <span class=\"small\">(reference)</span>" : "",
                          is_good ? "good" : "bad", status_text(run));
      if (run.has_data()) {
        const bool has_sum = run.traits.solves_contact_problems() && run.has_every_row;
        out_ += fmt::format(
            "<td>{:.3g}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.0f}</td><td>{}</td></tr>\n",
            s.wall_seconds, s.steps, s.rejected_steps, s.evaluations,
            has_sum ? fmt::format("{:.0f}", run.solver_iterations) : "&ndash;", s.steps_per_second(), s.impacts);
      } else {
        out_ += fmt::format("<td class=\"wide\" colspan=\"7\">{}{}</td></tr>\n", markup_text(run.reason),
                            run.hint.empty() ? "" : " <span class=\"small\">(" + markup_text(run.hint) + ")</span>");
      }
    }
    out_ += "</table></div>\n";
    out_ +=
        "<p class=\"small\">The folder of each formulation, beside this page, holds its result.h5 for freeplay plot, "
        "view and export; freeplay view of two of these folders shows both on one page.</p>\n";
    for (const StudyRun& run : c_.runs) {
      if (run.has_data() && !run.reason.empty()) out_ += paragraph(run.label + ": " + run.reason);
      for (const std::string& warning : run.warnings)
        out_ += "<div class=\"small\">" + markup_text(run.label + ": " + warning) + "</div>\n";
    }
  }

  void partings() {
    out_ += fmt::format(
        "<h2>Where they diverge</h2>\n<p class=\"small\">Impacts are matched by contact and order with those "
        "of the reference, {}.</p>\n",
        markup_text(reference().label));
    for (const PairReport& pair : c_.pairs) {
      out_ += paragraph(agreement_sentence(c_, pair));
      for (const PartingReport& report : pair.partings) {
        out_ += "<p><b>" + markup_text(parting_sentence(c_, pair, report)) + "</b></p>\n<ul class=\"tests\">";
        for (const CauseTest& test : report.finding.tests)
          out_ += fmt::format("<li class=\"{}\">{}: {}, {}</li>", test.holds ? "good" : "", cause_words(test.cause),
                              test.holds ? "yes" : "no", markup_text(test.evidence));
        out_ += "</ul>\n";
        close_up(pair, report);
      }
    }
    if (c_.accumulations.empty()) return;
    out_ += fmt::format(
        "<details><summary>Accumulations of impacts in the reference: {}</summary>\n<table><tr>"
        "<th class=\"name\">contact</th><th>impacts</th><th>from [s]</th><th>towards [s]</th>"
        "<th>ratio of intervals</th></tr>\n",
        c_.accumulations.size());
    for (const Accumulation& a : c_.accumulations)
      out_ +=
          fmt::format("<tr><td class=\"name\">{}</td><td>{}</td><td>{:.6g}</td><td>{:.6g}</td><td>{:.2f}</td></tr>\n",
                      markup_text(reference().contacts[static_cast<std::size_t>(a.contact)]), a.impacts, a.begin_s,
                      a.limit_s, a.ratio);
    out_ += "</table></details>\n";
  }

  // The gap of the contact around the parting, of the two.
  void close_up(const PairReport& pair, const PartingReport& report) {
    const Parting& parting = report.parting;
    const std::string& channel = reference().gap_channels[static_cast<std::size_t>(parting.contact)];
    const StudyRun& other = c_.runs[pair.run];
    if (channel.empty() || reference().trace.find(channel) == nullptr || other.trace.find(channel) == nullptr) return;
    const double end = std::min(reference().summary.time_s, other.summary.time_s);
    double half = 0.02 * end;
    if (parting.reference && parting.other)
      half = std::max(half, 3 * std::abs(parting.reference->time_s - parting.other->time_s));
    LineChart chart{channel + " where they diverge", "time", "s", unit_of(channel), false, {}, {}, {}, {}, {}};
    chart.x_min = std::max(0.0, parting.time_s - half);
    chart.x_max = std::min(end, parting.time_s + half);
    add_curve(chart, *c_.reference, channel);
    add_curve(chart, pair.run, channel);
    chart.marks.push_back({parting.time_s, style_of(pair.run), "parting"});
    out_ += "<div class=\"one\">" + line_chart_svg(chart) + "</div>\n";
  }

  int style_of(std::size_t run) const { return style_of_run(c_, run); }
  std::string unit_of(const std::string& channel) const {
    for (const ChannelInfo& info : reference().trace.channels) {
      if (info.name == channel) return info.unit;
    }
    return {};
  }
  void add_curve(LineChart& chart, std::size_t index, const std::string& channel) const {
    const StudyRun& run = c_.runs[index];
    const std::vector<double>* values = run.trace.find(channel);
    if (values != nullptr) chart.curves.push_back({run.label, style_of(index), run.trace.time, *values});
  }

  void curves() {
    out_ += "<h2>Curves</h2>\n<div class=\"legend\" id=\"legend\">";
    for (std::size_t i = 0; i < c_.runs.size(); ++i) {
      if (!c_.runs[i].has_data()) continue;
      out_ += fmt::format("<span><svg viewBox=\"0 0 36 10\"><path class=\"curve c{}\" d=\"M0 5L36 5\"/></svg>{}</span>",
                          style_of(i) % kChartStyles, markup_text(c_.runs[i].label));
    }
    out_ += "</div>\n<p class=\"small\">Dotted lines: where a run diverges from the reference.";
    if (c_.twin && c_.twin->parted_at_s) out_ += " Shaded: the perturbed twin has drifted away.";
    out_ += "</p>\n<div class=\"charts\" id=\"charts\">\n";
    for (const std::string& channel : c_.curves) {
      LineChart chart{channel, "time", "s", unit_of(channel), false, {}, {}, {}, {}, {}};
      if (c_.twin) chart.shaded_from = c_.twin->parted_at_s;
      for (std::size_t i = c_.runs.size(); i-- > 0;) {  // the reference lies on top
        if (i != *c_.reference && c_.runs[i].has_data()) add_curve(chart, i, channel);
      }
      add_curve(chart, *c_.reference, channel);
      for (const PairReport& pair : c_.pairs) {
        if (!pair.partings.empty())
          chart.marks.push_back({pair.agrees_until_s, style_of(pair.run), c_.runs[pair.run].label});
      }
      out_ += "<div class=\"live\">" + line_chart_svg(chart) + "</div>";
    }
    out_ += "</div>\n";
  }

  // The curves come alive where scripts run; elsewhere they stay the pictures that they are.
  void bring_to_life() {
    if (script_.empty() || !c_.reference) return;
    out_ += "<script type=\"application/json\" id=\"curves\">" + live_curves_json(c_) + "</script>\n<script>";
    out_.append(script_).append("</script>\n");
  }

  void twin() {
    if (!c_.twin) return;
    out_ += "<h2>How far ahead the run can be predicted</h2>\n" + paragraph(twin_sentence(*c_.twin));
    if (!c_.twin->differs) return;
    LineChart chart{"difference of the perturbed twin, part of the motion", "time", "s", "", true, {}, {}, {}, {}, {}};
    chart.curves.push_back({"difference", 2, c_.twin->time, c_.twin->difference});
    chart.curves.push_back({"largest so far", 0, c_.twin->time, c_.twin->envelope});
    chart.shaded_from = c_.twin->parted_at_s;
    out_ += "<div class=\"one\">" + line_chart_svg(chart) + "</div>\n";
  }

  void quantities() {
    out_ += fmt::format(
        "<h2>Quantities side by side</h2>\n<p class=\"small\">Over the whole run; spread: largest minus "
        "smallest, relative to the largest value, of a channel to its range. Marked where all agree within "
        "1 %. Peaks are of forces averaged over {:.3g} s.</p>\n",
        c_.window_s);
    table(false);
    if (c_.pairs.empty()) return;
    out_ +=
        "<h2>The same before they diverge</h2>\n<p class=\"small\">Difference from the reference over the time up to "
        "which the two have the same impacts, relative as above.</p>\n";
    table(true);
  }

  void table(bool is_before) {
    out_ += "<div class=\"scroll\"><table><tr><th class=\"name\">quantity</th><th class=\"name\">unit</th>";
    for (std::size_t i = 0; i < c_.runs.size(); ++i) {
      if (is_listed(i, is_before)) out_ += "<th class=\"run\">" + markup_text(c_.runs[i].label) + "</th>";
    }
    out_ += is_before ? "</tr>\n" : "<th>spread</th></tr>\n";
    for (const ComparedQuantity& quantity : c_.quantities) {
      if (is_before && (quantity.group == "numerics" || quantity.group == "measure")) continue;
      out_ += fmt::format("<tr><td class=\"name\">{}</td><td class=\"name\">{}</td>",
                          markup_text(quantity.group == "energy" ? "energy " + quantity.name : quantity.name),
                          markup_text(quantity.unit));
      for (std::size_t i = 0; i < c_.runs.size(); ++i) {
        if (is_listed(i, is_before))
          out_ += is_before ? before_cell(quantity, i) : "<td>" + number_or_dash(quantity.values[i].whole) + "</td>";
      }
      if (!is_before)
        out_ += quantity.spread ? fmt::format("<td class=\"{}\">{}{}</td>", quantity.agrees ? "good" : "",
                                              quantity.agrees ? "&#10003; " : "", percent(*quantity.spread))
                                : "<td>&ndash;</td>";
      out_ += "</tr>\n";
    }
    out_ += "</table></div>\n";
  }

  bool is_listed(std::size_t run, bool is_before) const {
    return c_.runs[run].has_data() && !(is_before && run == *c_.reference);
  }

  static std::string before_cell(const ComparedQuantity& quantity, std::size_t run) {
    const QuantityValue& value = quantity.values[run];
    if (!value.before || !value.reference_before) return "<td>&ndash;</td>";
    const double difference = std::abs(*value.before - *value.reference_before) / quantity.scale;
    const bool agrees = difference <= kAgreement;
    return fmt::format("<td class=\"{}\" title=\"{:.6g} against {:.6g}\">{}{}</td>", agrees ? "good" : "",
                       *value.before, *value.reference_before, agrees ? "&#10003; " : "", percent(difference));
  }

  const Comparison& c_;
  const std::optional<MovingPage>& moving_;
  std::string_view script_;
  std::string out_;
};

}  // namespace

std::string comparison_html(const Comparison& comparison, const std::optional<MovingPage>& moving,
                            std::string_view script) {
  return Page(comparison, moving, script).text();
}

}  // namespace freeplay::study
