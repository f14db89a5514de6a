#include "text/findings_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "terminal/readable.h"
#include "terminal/text_table.h"
#include "text/slurm_script.h"

namespace freeplay::app {

namespace {

std::string percent_of(double share) {
  const double percent = 100 * share;
  if (percent > 0 && percent < 0.1) return "below 0.1 %";
  return percent < 10 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string peak_text(const PeakForce& peak) {
  std::string text = fmt::format("{} in {}", with_unit(peak.value, peak.unit), printable(peak.name));
  if (peak.window_s > 0)
    text +=
        fmt::format(", mean of {} ({})", with_unit(peak.window_s, "s"), with_unit(peak.impulse(), peak.unit + " s"));
  return text + ", at " + time_with_unit(peak.time_s);
}

std::string blow_text(const Blows& blows, const Blow& blow) {
  return fmt::format("{} in {} at {}", with_unit(blow.impulse, blows.units[blow.element]),
                     printable(blows.elements[blow.element]), time_with_unit(blow.time_s));
}

// The most interesting ones first: those that are closed at all, and not always.
std::string contact_text(const std::vector<ContactShare>& contact) {
  constexpr std::size_t kMost = 6;
  std::vector<ContactShare> ranked = contact;
  std::erase_if(ranked, [](const ContactShare& c) { return !(c.share > 0); });
  if (ranked.empty()) return "never";
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const ContactShare& a, const ContactShare& b) { return a.share > b.share; });
  const std::size_t count = ranked.size();
  if (count > kMost) ranked.resize(kMost);
  std::vector<std::string> parts;
  for (const ContactShare& c : ranked) parts.push_back(fmt::format("{} {}", printable(c.element), percent_of(c.share)));
  if (count > kMost) parts.push_back(fmt::format("and {} more", count - kMost));
  return fmt::format("{} of the time", fmt::join(parts, ", "));
}

std::string losses_text(const EnergyAccount& account) {
  const double sum = account.impact_loss + account.friction_loss + account.damping_loss;
  std::vector<std::string> parts;
  const auto add = [&](const char* cause, double loss) {
    if (loss > 0) parts.push_back(fmt::format("{} {}", cause, percent_of(loss / sum)));
    if (loss < 0) parts.push_back(fmt::format("{} gave {}", cause, with_unit(-loss, "J")));
  };
  add("impacts", account.impact_loss);
  add("friction", account.friction_loss);
  add("dampers", account.damping_loss);
  return parts.empty() ? "" : fmt::format("{}: {}", with_unit(sum, "J"), fmt::join(parts, ", "));
}

std::string painted_drift(const DriftJudgement& drift, const Painter& paint) {
  std::string sentence = drift_sentence(drift);
  switch (drift.grade) {
    case DriftJudgement::Grade::kSmall:
      return paint.green(sentence);
    case DriftJudgement::Grade::kLarge:
      return paint.red(sentence);
    case DriftJudgement::Grade::kNoticeable:
      return paint.yellow(sentence);
    case DriftJudgement::Grade::kUnknown:
      break;
  }
  return sentence;
}

}  // namespace

std::string findings_text(const RunFindings& findings, const Painter& paint) {
  std::string lines;
  const auto row = [&](const char* label, const std::string& text) {
    constexpr std::size_t kWidth = 80, kIndent = 2, kLabel = 14;
    if (text.empty()) return;
    lines += std::string(kIndent, ' ') + paint.dim(fmt::format("{:{}}", label, kLabel)) +
             wrapped_words(text, kWidth, kIndent + kLabel, kIndent + kLabel) + '\n';
  };
  const Blows& blows = findings.blows;
  if (!blows.all.empty()) {
    std::string text =
        fmt::format("{} ({})", grouped(static_cast<long long>(blows.all.size())), counted(blows.impacts, "impact"));
    if (const std::optional<double> per_turn = findings.blows_per_turn())
      text += fmt::format(", {:.2g} per turn of {}", *per_turn, printable(findings.turns->channel));
    row("blows", text);
    row("hardest blow", blow_text(blows, blows.all[hardest_blows(blows, 1).front()]));
  }
  if (!findings.contact.empty()) row("in contact", contact_text(findings.contact));
  row("losses", losses_text(findings.account));
  row("judgement", painted_drift(findings.drift, paint));
  if (findings.peak_force) row("peak force", paint.bold(peak_text(*findings.peak_force)));
  return lines;
}

std::string blow_table(const Blows& blows, std::size_t most, const Painter& paint) {
  if (blows.all.empty()) return {};
  TextTable table("lrrrrr");
  table.add({paint.dim("where"), paint.dim("when"), paint.dim("impacts"), paint.dim("impulse"), paint.dim("approach"),
             paint.dim("energy")});
  bool gains = false;
  for (const std::size_t i : hardest_blows(blows, most)) {
    const Blow& blow = blows.all[i];
    const std::string& unit = blows.units[blow.element];
    gains = gains || blow.energy_lost_J < 0;
    const std::string energy = blow.energy_lost_J < 0 ? "gained " + with_unit(-blow.energy_lost_J, "J")
                                                      : "lost " + with_unit(blow.energy_lost_J, "J");
    table.add({printable(blows.elements[blow.element]), time_with_unit(blow.time_s), grouped(blow.impacts),
               with_unit(blow.impulse, unit), with_unit(blow.approach_m_s, unit == "N m s" ? "rad/s" : "m/s"), energy});
  }
  std::string text = table.text();
  if (gains)
    text += paint.dim(
        "  gained: the bodies leave such a blow with more energy than they came with; a contact that is\n"
        "  driven, or rebounds together with others, may do that, and so does a step that is too long\n");
  return text;
}

std::string command_word(const std::filesystem::path& path) {
  const std::string name = printable(path.string());
  return name.find_first_of(" \t'\"$&;|<>()*?#~`\\!") == std::string::npos ? name : "'" + name + "'";
}

std::string model_words(const std::filesystem::path& model, const std::vector<std::string>& overrides) {
  std::string words = command_word(model);
  for (const std::string& text : overrides) {
    const bool is_unset = text.ends_with("=~");  // as CommandLine::add_overrides() notes it
    words += is_unset ? fmt::format(" --unset {}", printable(shell_word(text.substr(0, text.size() - 2))))
                      : fmt::format(" --set {}", printable(shell_word(text)));
  }
  return words;
}

std::string next_commands(const std::filesystem::path& result, const Painter& paint) {
  const std::string name = command_word(result.parent_path().empty() ? result : result.parent_path());
  return fmt::format("{} freeplay view {}   or   freeplay plot {}\n", paint.dim("next:"), name, name);
}

}  // namespace freeplay::app
