#include "freeplay/report/findings/run_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "freeplay/report/findings/contact_times.h"

namespace freeplay::report {

namespace {

using FindingsJson = nlohmann::ordered_json;

std::optional<PeakForce> largest_force(const std::vector<PeakForce>& peaks) {
  std::optional<PeakForce> largest;
  for (const PeakForce& peak : peaks) {
    if (peak.unit == "N" && (!largest || peak.value > largest->value)) largest = peak;
  }
  return largest;
}

std::optional<TurnCount> count_turns(const ResultReader& result) {
  if (result.rows() < 2) return std::nullopt;
  for (const ChannelInfo& channel : result.channels()) {
    const bool is_angle = channel.unit == "rad" && (channel.name.ends_with(".q") || channel.name.ends_with(".angle"));
    if (!is_angle) continue;
    double first = 0, last = 0;
    result.read_channel(channel.name, 0, {&first, 1});
    result.read_channel(channel.name, result.rows() - 1, {&last, 1});
    const double turns = std::abs(last - first) / (2 * std::numbers::pi);
    if (turns >= 1 - 1e-6) return TurnCount{channel.name, turns};
  }
  return std::nullopt;
}

std::vector<ContactShare> contact_shares(const ResultReader& result) {
  const std::vector<ContactPointChannels> points = find_contact_points(result.contacts(), result.channels());
  const ContactTimes times(result, points);
  std::vector<std::pair<std::string, std::vector<std::size_t>>> elements;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!times.knows(i)) continue;
    const auto known =
        std::find_if(elements.begin(), elements.end(), [&](const auto& e) { return e.first == points[i].contact; });
    if (known == elements.end())
      elements.push_back({points[i].contact, {i}});
    else
      known->second.push_back(i);
  }
  std::vector<ContactShare> shares;
  for (const auto& [element, members] : elements) shares.push_back({element, times.share_closed(members)});
  return shares;
}

double kinetic_change(const ResultReader& result) {
  const auto& channels = result.channels();
  const bool is_known =
      std::any_of(channels.begin(), channels.end(), [](const ChannelInfo& c) { return c.name == "energy.kinetic"; });
  if (!is_known) return 0;
  constexpr std::size_t kRows = 16384;
  std::vector<double> values(kRows);
  double low = INFINITY, high = -INFINITY;
  for (std::int64_t done = 0; done < result.rows();) {
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(kRows, result.rows() - done));
    result.read_channel("energy.kinetic", done, std::span(values).first(count));
    for (std::size_t i = 0; i < count; ++i) low = std::min(low, values[i]), high = std::max(high, values[i]);
    done += static_cast<std::int64_t>(count);
  }
  return high > low ? high - low : 0;
}

// By the options that the result keeps, those by default too; one of another scheme says nothing.
bool is_forces_of_start(const ResultReader& result) {
  const auto& texts = result.attributes();
  const auto integrator = texts.find("integrator"), options = texts.find("simulate");
  if (integrator == texts.end() || integrator->second != "moreau-midpoint" || options == texts.end()) return false;
  const FindingsJson simulate = FindingsJson::parse(options->second, nullptr, false);
  const auto found = simulate.is_object() ? simulate.find("velocity_forces") : simulate.end();
  return found != simulate.end() && *found == "start";
}

const char* grade_word(DriftJudgement::Grade grade) {
  switch (grade) {
    case DriftJudgement::Grade::kSmall:
      return "small";
    case DriftJudgement::Grade::kNoticeable:
      return "noticeable";
    case DriftJudgement::Grade::kLarge:
      return "large";
    case DriftJudgement::Grade::kUnknown:
      break;
  }
  return "unknown";
}

// "reaches 16 % of", "stays below 0.1 % of"
std::string share_words(double share) {
  const double percent = 100 * share;
  if (percent < 0.1) return "stays below 0.1 % of";
  return percent < 10 ? fmt::format("reaches {:.2g} % of", percent) : fmt::format("reaches {:.0f} % of", percent);
}

}  // namespace

DriftJudgement judge_drift(double drift_J, double losses_J, double kinetic_change_J) {
  constexpr double kHardlyAny = 1e-3;  // losses of this part of the motion are not what the run is about
  DriftJudgement judgement;
  judgement.drift_J = std::abs(drift_J);
  judgement.is_of_losses = losses_J > kHardlyAny * kinetic_change_J;
  judgement.measure_J = judgement.is_of_losses ? losses_J : kinetic_change_J;
  const bool is_known = judgement.measure_J > 0 && std::isfinite(judgement.drift_J);
  if (!is_known) return judgement;
  using Grade = DriftJudgement::Grade;
  judgement.grade = judgement.share() <= kSmallDrift   ? Grade::kSmall
                    : judgement.share() <= kLargeDrift ? Grade::kNoticeable
                                                       : Grade::kLarge;
  return judgement;
}

std::string drift_advice(const DriftJudgement& judgement) {
  using Grade = DriftJudgement::Grade;
  if (judgement.grade == Grade::kUnknown || judgement.grade == Grade::kSmall) return {};
  const std::string advice = judgement.grade == Grade::kLarge
                                 ? (judgement.is_of_losses ? "too much to trust them" : "too much to trust the motion")
                                 : "a smaller step would tell";
  const char* cure = "; 'velocity_forces: midpoint' makes it smaller where bodies turn fast";
  return advice + (judgement.is_forces_of_start ? cure : "");
}

std::string drift_sentence(const DriftJudgement& judgement) {
  if (judgement.grade == DriftJudgement::Grade::kUnknown) return {};
  const std::string measure = judgement.is_of_losses ? "the losses" : "the kinetic energy that comes and goes";
  const std::string fact = fmt::format("the energy drift {} {}", share_words(judgement.share()), measure);
  const std::string advice = drift_advice(judgement);
  return advice.empty() ? fact : fact + ": " + advice;
}

std::optional<double> RunFindings::blows_per_turn() const {
  if (!turns || blows.all.empty()) return std::nullopt;
  return static_cast<double>(blows.all.size()) / turns->turns;
}

RunFindings find_out(const ResultReader& result) {
  RunFindings findings;
  findings.blows = find_blows(result);
  findings.turns = count_turns(result);
  findings.contact = contact_shares(result);
  if (const std::optional<RunSummary>& summary = result.summary()) {
    findings.peak_force = largest_force(summary->peak_forces);
    findings.account = summary->account;
    const EnergyAccount& a = summary->account;
    findings.drift = judge_drift(summary->max_energy_drift_J, a.impact_loss + a.friction_loss + a.damping_loss,
                                 kinetic_change(result));
    findings.drift.is_forces_of_start = is_forces_of_start(result);
  }
  return findings;
}

bool is_found_quickly(const ResultReader& result) {
  constexpr double kMostModes = 5e6;
  return static_cast<double>(result.rows()) * static_cast<double>(result.contacts().size()) <= kMostModes;
}

FindingsJson blow_json(const Blows& blows, const Blow& blow) {
  return {{"element", blows.elements[blow.element]},
          {"time", blow.time_s},
          {"end", blow.end_s},
          {"impacts", blow.impacts},
          {"impulse", blow.impulse},
          {"unit", blows.units[blow.element]},
          {"hardest", blow.hardest},
          {"hardest_time", blow.hardest_s},
          {"approach", blow.approach_m_s},
          {"energy_lost", blow.energy_lost_J}};
}

FindingsJson findings_json(const RunFindings& findings, std::size_t most_blows) {
  FindingsJson json = FindingsJson::object();
  json["peak_force"] = nullptr;
  if (const std::optional<PeakForce>& peak = findings.peak_force)
    json["peak_force"] = {{"name", peak->name},
                          {"value", peak->value},
                          {"window", peak->window_s},
                          {"impulse", peak->impulse()},
                          {"time", peak->time_s}};
  const Blows& blows = findings.blows;
  FindingsJson hardest = FindingsJson::array();
  for (const std::size_t i : hardest_blows(blows, most_blows)) hardest.push_back(blow_json(blows, blows.all[i]));
  json["blows"] = {{"count", blows.all.size()},
                   {"impacts", blows.impacts},
                   {"window", blows.rule.window_s},
                   {"hop_share", blows.rule.hop_share},
                   {"hop_windows", blows.rule.hop_windows},
                   {"hardest", std::move(hardest)}};
  json["turns"] = nullptr;
  if (findings.turns) json["turns"] = {{"channel", findings.turns->channel}, {"count", findings.turns->turns}};
  const std::optional<double> per_turn = findings.blows_per_turn();
  json["blows_per_turn"] = per_turn ? FindingsJson(*per_turn) : FindingsJson();
  json["contact_share"] = FindingsJson::object();
  for (const ContactShare& contact : findings.contact) json["contact_share"][contact.element] = contact.share;
  json["losses"] = {{"impact", findings.account.impact_loss},
                    {"friction", findings.account.friction_loss},
                    {"damping", findings.account.damping_loss}};
  const DriftJudgement& drift = findings.drift;
  json["drift"] = {{"largest", drift.drift_J},      {"compared_with", drift.is_of_losses ? "losses" : "kinetic energy"},
                   {"measure", drift.measure_J},    {"grade", grade_word(drift.grade)},
                   {"advice", drift_advice(drift)}, {"sentence", drift_sentence(drift)}};
  return json;
}

}  // namespace freeplay::report
