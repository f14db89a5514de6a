#include "freeplay/study/compare/overview_html.h"

#include <fmt/format.h>

#include <algorithm>

#include "freeplay/report/markup_text.h"
#include "freeplay/simulation/option_table.h"
#include "freeplay/study/compare/report_text.h"

namespace freeplay::study {

namespace {

// Of an option of `simulate`; "" where it is not given, or where this is no such option.
std::string option_text(const SimulationOptions& options, const std::string& key) {
  const std::vector<Option>& all = option_table();
  const auto option = std::find_if(all.begin(), all.end(), [&](const Option& o) { return o.key == key; });
  if (option == all.end()) return {};
  const OptionValue value = option->value(options);
  if (const double* number = std::get_if<double>(&value)) {
    const std::string unit = option->dimension.si_unit();
    return unit == "1" ? fmt::format("{:.6g}", *number) : fmt::format("{:.6g} {}", *number, unit);
  }
  const std::string* word = std::get_if<std::string>(&value);
  return word == nullptr ? "" : *word;
}

// What follows "key=" in an override of the run; "" if there is none.
std::string override_text(const StudyRun& run, const std::string& key) {
  for (const std::string& text : run.overrides) {
    if (text.starts_with(key + "=")) return text.substr(key.size() + 1);
  }
  return {};
}

const PairReport* pair_of(const Comparison& comparison, std::size_t run) {
  const auto found = std::find_if(comparison.pairs.begin(), comparison.pairs.end(),
                                  [&](const PairReport& pair) { return pair.run == run; });
  return found == comparison.pairs.end() ? nullptr : &*found;
}

std::string agreement_cell(const Comparison& comparison, std::size_t run) {
  if (comparison.reference == run) return "<td>reference</td>";
  const PairReport* pair = pair_of(comparison, run);
  if (pair == nullptr) return "<td>&ndash;</td>";
  const bool agrees = pair->partings.empty() && !pair->match.parting;
  if (agrees) return "<td class=\"good\">&#10003; to the end</td>";
  return fmt::format("<td class=\"bad\">until {:.6g} s</td>", pair->agrees_until_s);
}

std::string cause_cell(const Comparison& comparison, std::size_t run) {
  const PairReport* pair = pair_of(comparison, run);
  if (pair == nullptr || pair->partings.empty()) return "<td class=\"name\"></td>";
  return "<td class=\"name\">" + markup_text(cause_words(pair->partings.front().finding.cause)) + "</td>";
}

std::string peak_cell(const RunSummary& summary) {
  const PeakForce* largest = nullptr;
  for (const PeakForce& peak : summary.peak_forces) {
    if (peak.unit == "N" && (largest == nullptr || peak.value > largest->value)) largest = &peak;
  }
  if (largest == nullptr) return "<td>&ndash;</td>";
  return fmt::format("<td>{:.4g} N <span class=\"small\">{}</span></td>", largest->value, markup_text(largest->name));
}

}  // namespace

std::vector<std::string> differences(const StudyRun& reference, const StudyRun& run) {
  std::vector<std::string> list;
  for (const std::string& key : differing_settings(reference, run)) {
    std::string value = option_text(run.options, key), other = option_text(reference.options, key);
    const bool is_option = !value.empty() || !other.empty();
    if (!is_option) {
      value = override_text(run, key);
      other = override_text(reference, key);
    }
    const char* none = is_option ? "none" : "as in the file";
    list.push_back(
        fmt::format("{}: {} instead of {}", key, value.empty() ? none : value, other.empty() ? none : other));
  }
  return list;
}

std::string short_answer(const Comparison& comparison) {
  const std::optional<Comparison::First> first = comparison.first_parting();
  if (!first) return headline(comparison);
  const StudyRun& reference = comparison.runs[*comparison.reference];
  const StudyRun& other = comparison.runs[first->pair->run];
  const Parting& parting = first->report->parting;
  std::string cause = cause_words(first->report->finding.cause);
  // No test can tell what another model would do.
  if (first->report->finding.cause == Cause::kUndecided && other.other_settings != reference.other_settings)
    cause = "other parameters, and so another model";
  return fmt::format("'{}' is the first to leave '{}', at t = {:.6g} s, impact {} of '{}'. Cause: {}.", other.label,
                     reference.label, parting.time_s, parting.order,
                     reference.contacts[static_cast<std::size_t>(parting.contact)], cause);
}

std::string overview_html(const Comparison& comparison) {
  std::string html = "<div class=\"headline\">" + markup_text(short_answer(comparison)) + "</div>\n";
  html +=
      "<div class=\"scroll\"><table><tr><th class=\"name\">formulation</th><th class=\"name\">what differs</th>"
      "<th>agrees</th><th class=\"name\">cause</th><th>peak force</th><th>energy lost [J]</th><th>largest drift "
      "[J]</th>"
      "<th>wall time [s]</th></tr>\n";
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    const StudyRun& run = comparison.runs[i];
    html += "<tr><td class=\"name\">" + markup_text(run.label) + "</td><td class=\"wide\">";
    if (comparison.reference && comparison.reference != i)
      html += markup_text(fmt::format("{}", fmt::join(differences(comparison.runs[*comparison.reference], run), "; ")));
    html += "</td>";
    if (!run.has_data()) {
      html += fmt::format("<td class=\"bad\" colspan=\"6\">{}</td></tr>\n", status_text(run));
      continue;
    }
    const EnergyAccount& account = run.summary.account;
    html += agreement_cell(comparison, i) + cause_cell(comparison, i) + peak_cell(run.summary);
    html += fmt::format("<td>{:.4g}</td><td>{:.2g}</td><td>{:.3g}</td></tr>\n",
                        account.impact_loss + account.friction_loss + account.damping_loss,
                        run.summary.max_energy_drift_J, run.summary.wall_seconds);
  }
  return html + "</table></div>\n";
}

}  // namespace freeplay::study
